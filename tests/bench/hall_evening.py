"""A whole evening by simulated people, through the calls of the pages of real processes: is the list right?

The hall and every table are processes of their own. People touch noses, and hosts sign off, as their pages
let them (POST taps, POST commands); an organiser draws and calls from the desk's. The list is then worked out
again from the tables' own files (`tests.bench.hall_list`).
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
import urllib.request
from contextlib import ExitStack, closing
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.link.engine import find_server
from lastnose.companion.system import host_clock
from lastnose.web.access import make_token

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.hall_list import compare
from tests.bench.measured_hall import WITHIN_S, MeasuredHall
from tests.bench.processes import RunningTable
from tests.support import patient

LONGEST_S = 1_800.0
GAP_S = 0.07  # between two touches: more than a screen may err
COLUMNS = (
    Column("deals", "deals", ""),
    Column("minutes", "minutes", ""),
    Column("entries", "entries", ""),
    Column("wrong_points", "with other points", ""),
    Column("wrong_places", "with another place", ""),
)


class PatientTable(RunningTable):
    """One that waits for a busy machine: rounds that are void for that would be played again and again."""

    program = (str(Path(patient.__file__)),)


class PlayedTable:
    """A table's process with its people: a thread does what they would, as soon as the page lets them."""

    def __init__(self, folder: Path, seed: int, stack: ExitStack) -> None:
        self.folder = folder
        self._token = make_token(folder, "bench")
        self._running = stack.enter_context(PatientTable(folder))
        self._random = random.Random(seed)
        self._closing = threading.Event()
        self._said = 0
        self.trouble: Exception | None = None
        self._thread = threading.Thread(target=self._live, daemon=True)
        stack.callback(self._end)
        self._thread.start()

    def _end(self) -> None:
        self._closing.set()
        self._thread.join(WITHIN_S)

    def _live(self) -> None:
        try:
            while not self._closing.wait(0.1):
                self._look(self._asked("state"))
        except (OSError, ValueError) as problem:
            if not self._closing.is_set():
                self.trouble = problem

    def _look(self, shown: dict[str, Any]) -> None:
        hall = shown.get("hall") or {}
        if hall.get("signs"):
            self._asked("commands", {"type": "sign-off"})
        elif not hall.get("match") or shown["phase"] == "won":
            return
        elif shown["phase"] == "armed":
            self._deal([row["seat"] for row in shown["rows"] if not row.get("out")])
        elif shown["round_no"] <= 1 and len(hall.get("here", ())) < len(shown["rows"]):
            self._touch([row["seat"] for row in shown["rows"]])
        elif shown["phase"] != "judging":
            self._asked("commands", {"type": "arm"})

    def _deal(self, seats: list[int]) -> None:
        self._closing.wait(0.3)  # cards go round
        self._random.shuffle(seats)
        self._touch(seats)

    def _touch(self, seats: list[int]) -> None:
        """Let *seats* touch their noses in this order, then let go."""
        for seat in seats:
            time.sleep(GAP_S)
            self._send([seat], 1)
        self._send(seats, 0, leaves=True)

    def _send(self, seats: list[int], level: int, *, leaves: bool = False) -> None:
        """Send touches of now, and that there were none before: the clock of this machine is the table's.

        One that comes too late on a busy machine is refused: the round is void then, and is played again.
        """
        now_ns = host_clock.now_ns()
        self._said += 1
        taps = [{"line": f"nose.{seat}", "level": level, "t_ns": now_ns} for seat in seats]
        page = {"page": "people", "clock_u_ns": 1_000_000, "promised_ns": now_ns, "n": self._said}
        try:
            self._asked("taps", page | {"taps": taps, "leaves": leaves})
        except HTTPError as refused:
            if refused.code != HTTPStatus.CONFLICT:
                raise

    def _asked(self, path: str, wish: object | None = None) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._running.port}/api/v1/{path}",
            None if wish is None else json.dumps(wish).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"},
        )
        with urllib.request.urlopen(request, timeout=WITHIN_S) as answer:
            return json.load(answer)


def measure(plan: BenchPlan) -> FigureGroup:
    """Play it, and compare."""
    find_server()
    people, tables, rounds, final = (8, 2, 1, 3) if plan.quick else (60, 10, 5, 6)
    with (
        tempfile.TemporaryDirectory(prefix="bench-hall-", dir=plan.folder) as folder,
        closing(MeasuredHall(Path(folder), 0)) as hall,
        ExitStack() as stack,
    ):
        start_s = time.monotonic()
        folders = [hall.folder_of(hall.member(number)) for number in range(1, tables + 1)]
        played = [PlayedTable(one, number, stack) for number, one in enumerate(folders)]
        made = {"name": "Bench", "rounds": rounds, "tables": tables, "most": 13, "final": final}
        hall.order("arrange", arrangement=made)
        hall.order("add-people", written="\n".join(f"Player {n}" for n in range(1, people + 1)))
        _organise(hall, played)
        minutes = (time.monotonic() - start_s) / 60
        hall.wait(lambda: all(one["have"] == one["n"] for one in hall.asked("state")["tables"]))
        found = hall.asked("export.json")
        figures = compare(found, folders)
    figures["minutes"] = Figure(rounded(minutes))
    label = f"{people} people, {tables} tables, {rounds} rounds and a final"
    return FigureGroup((FigureTable(COLUMNS, (FigureRow("evening", label, figures),)),))


def _organise(hall: MeasuredHall, tables: list[PlayedTable]) -> None:
    """Draw, call and look at what is doubtful, until all is played."""
    end_s = time.monotonic() + LONGEST_S
    while time.monotonic() < end_s:
        for table in tables:
            if table.trouble is not None:
                raise DeviceError(text("A simulated table stopped: {why}.", why=str(table.trouble)))
        state = hall.asked("state")
        for todo in state.get("todos", ()):
            if todo["kind"] == "doubtful":
                hall.asked("commands", {"command": todo["command"]})
        if state["step"] == "over":
            return
        if state["step"] == "draw":
            hall.order("draw")
        elif state["step"] == "call" and all(one["there"] for one in state["tables"]):
            hall.order("call-round")
        time.sleep(0.3)
    raise DeviceError(text("The evening did not end."))
