"""`lastnose hall run` as a process that can be killed and opened again; its simulated tables are here."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.app.event_hall import MOST_SEATS, SimulatedTable
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.link import keys, store
from lastnose.companion.link.engine import ACCOUNTS, PID_FILE
from lastnose.companion.link.membership import Membership, join
from lastnose.companion.table import log_file
from lastnose.web.access import make_token

from tests.bench.evening import WORD
from tests.bench.hall_cluster import Cluster
from tests.bench.hall_links import CutLink
from tests.bench.processes import free_port

WITHIN_S = 60.0
JSON = {"Content-Type": "application/json"}


class MeasuredHall:
    """A hall in a process of its own, that can be killed and opened again; its tables are here.

    With *link* they reach its message server through one of those; with *cluster* that is the server.
    """

    def __init__(
        self,
        folder: Path,
        tables: int,
        *,
        link: Callable[[int], CutLink] | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.folder = folder / "hall"
        self._cluster = cluster
        self.port, self._engine_port = free_port(), free_port()
        self._stack = ExitStack()
        self._stack.callback(self.end)
        self.tables: list[SimulatedTable] = []
        self.link: CutLink | None = None
        try:
            if link is not None:
                self.link = link(self._engine_port)
                self._stack.callback(self.link.close)
            self.open()
            self._token = make_token(self.folder, "bench")
            for number in range(1, tables + 1):
                self._let_in(number)
            if self._cluster is not None:
                self.wait(self._written)
                self._cluster.reload()
        except BaseException:
            self.close()
            raise

    def open(self) -> None:
        """Begin, or begin again."""
        words = ["hall", "run", "--data", str(self.folder), "--no-lan", "--port", str(self.port)]
        if self._cluster is None:
            words += ["--engine-port", str(self._engine_port)]
        else:
            words += ["--engine", self._cluster.address, "--replicas", "3"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lastnose.companion.cli", *words], stdout=subprocess.DEVNULL
        )
        if self._cluster is not None:
            self._cluster.open(self.folder / ACCOUNTS)
        self.wait(lambda: not self.asked("state").get("engine"))

    def kill(self) -> None:
        """Kill the hall itself; its message server is left behind."""
        self.process.kill()
        self.process.wait()

    def kill_engine(self) -> None:
        """Kill the message server; the hall starts it again."""
        pid = self.engine_pid
        os.kill(pid, signal.SIGKILL)
        self.wait(lambda: self.engine_pid != pid)

    def reopen(self) -> None:
        """Kill the hall, and begin again."""
        self.kill()
        time.sleep(0.5)
        self.open()

    def put_back(self, by_s: float) -> None:
        """Put the message server's store back to what it was *by_s* ago, as a restored disk does."""
        stream, kept = self.folder / "stream", self.folder / "stream-before"
        shutil.copytree(stream, kept)
        time.sleep(by_s)
        self.kill()
        os.kill(self.engine_pid, signal.SIGKILL)
        shutil.rmtree(stream)
        kept.rename(stream)
        self.open()

    @property
    def engine_pid(self) -> int:
        """The message server."""
        return int((self.folder / PID_FILE).read_text(encoding="ascii"))

    def end(self) -> None:
        """End the hall as a user does."""
        self.process.terminate()
        self.process.wait(timeout=WITHIN_S)

    def close(self) -> None:
        """End everything."""
        self._stack.close()

    def member(self, number: int) -> Membership:
        """Let one more table in, with a folder of its own."""
        folder = self.folder.with_name(f"table-{number}")
        folder.mkdir()
        code = self.asked("invitations", {})["code"]
        found = join(folder, f"http://127.0.0.1:{self.port}/#{code}")
        if self.link is not None:
            found = msgspec.structs.replace(found, engine=f"nats://127.0.0.1:{self.link.port}")
        return found

    def folder_of(self, member: Membership) -> Path:
        """Return the folder of a table."""
        return self.folder.with_name(f"table-{member.number}")

    def _let_in(self, number: int) -> None:
        member = self.member(number)
        table = SimulatedTable(self.folder_of(member), member, random.Random(number))
        self._stack.callback(table.close)
        self.tables.append(table)

    def _written(self) -> bool:
        """Return whether the hall has written down for other servers that all tables may come in."""
        accounts = (self.folder / ACCOUNTS).read_text(encoding="utf-8")
        return all(keys.public_key(table.member.seed) in accounts for table in self.tables)

    def kept(self) -> dict[str, list[int]]:
        """Return the numbers of the entries that the hall has on its disk, by table, as they lie there."""
        with closing(log_file.connect(self.folder / store.NAME, "ro")) as db:
            found: dict[str, list[int]] = {}
            for table, n in db.execute('SELECT "table", n FROM row ORDER BY "table", n'):
                found.setdefault(table, []).append(n)
            return found

    def asked(self, path: str, wish: object | None = None) -> Any:
        """Ask the hall's API."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/hall/{path}",
            None if wish is None else json.dumps(wish).encode(),
            {}
            if wish is None
            else {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"},
        )
        with urllib.request.urlopen(request, timeout=WITHIN_S) as answer:
            return json.load(answer)

    def order(self, kind: str, **wishes: object) -> None:
        """Give an order."""
        self.asked("commands", {"command": {"type": kind, **wishes}})

    def wait(self, done: Callable[[], object]) -> float:
        """Wait until *done*; return how long that took in seconds; raise DeviceError."""
        start_s = time.monotonic()
        while time.monotonic() < start_s + WITHIN_S:
            try:
                if done():
                    return time.monotonic() - start_s
            except (OSError, ValueError):
                pass  # it is not there yet
            time.sleep(0.1)
        raise DeviceError(text("The hall was not level again within {s} seconds.", s=int(WITHIN_S)))

    def level(self) -> bool:
        """Return whether the hall has all that the tables have."""
        have = {one["id"]: one["have"] for one in self.asked("state").get("tables", ())}
        return all(have.get(one.member.table) == one.thread.snapshot.seq for one in self.tables)

    def call(self) -> None:
        """Seat as many people as there are noses, and call a round."""
        n = len(self.tables)
        made = {"name": "Bench", "rounds": 5, "tables": n, "most": MOST_SEATS, "final": 0}
        made["options"] = {"word": WORD}  # long: there is something to play until the end
        self.order("arrange", arrangement=made)
        self.order("add-people", written="\n".join(f"Player {one}" for one in range(n * MOST_SEATS)))
        self.order("draw")
        self.order("call-round")
        waiting = list(self.tables)

        def begun() -> bool:
            # Who plays already waits: a game that is over before the last has begun is never played again.
            waiting[:] = [table for table in waiting if table.step() != "played"]
            return not waiting

        self.wait(begun)
