"""`lastnose hall run` as a process that can be killed and opened again; its simulated tables are here."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.app.rehearsal import MOST_SEATS, SimulatedTable
from companion.core.errors import DeviceError
from companion.core.text import text
from companion.hall.engine import PID_FILE
from companion.hall.membership import join
from web.access_files import make_token

WITHIN_S = 60.0
JSON = {"Content-Type": "application/json"}


class MeasuredHall:
    """A hall in a process of its own, that can be killed and opened again; its tables are here."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.folder = folder / "hall"
        self.port, self._engine_port = _free_port(), _free_port()
        self._stack = ExitStack()
        self._stack.callback(self.end)
        self.tables: list[SimulatedTable] = []
        try:
            self.open()
            self._token = make_token(self.folder, "bench")
            for number in range(1, tables + 1):
                self._let_in(folder / f"table-{number}", number)
        except BaseException:
            self.close()
            raise

    def open(self) -> None:
        """Begin, or begin again."""
        words = ["hall", "run", "--folder", str(self.folder), "--no-lan", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", *words, "--engine-port", str(self._engine_port)],
            stdout=subprocess.DEVNULL,
        )
        self.wait(lambda: self.asked("state"))

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

    def _let_in(self, folder: Path, number: int) -> None:
        folder.mkdir()
        code = self.asked("invitations", {})["code"]
        member = join(folder, f"http://127.0.0.1:{self.port}/#{code}")
        table = SimulatedTable(folder, member, random.Random(number))
        self._stack.callback(table.close)
        self.tables.append(table)

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
        self.order("arrange", arrangement=made)
        self.order("add-people", written="\n".join(f"Player {one}" for one in range(n * MOST_SEATS)))
        self.order("draw")
        self.order("call-round")
        self.wait(lambda: all(table.step() == "played" for table in self.tables))


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
