"""How soon after a press all is stopped, and said who was first: at the lamps, and on pages."""

from __future__ import annotations

import time

from lastnose.companion.core.text import Text
from lastnose.companion.system import host_clock
from lastnose.companion.views.snapshot import Snapshot
from lastnose.hardware.outputs.lamps import SeatLamps
from lastnose.hardware.sources.mock import Mock

from tests.bench.evening import CallingEvening
from tests.bench.figures import SPREAD, BenchPlan, FigureGroup, FigureRow, FigureTable, spread
from tests.bench.pages import watch
from tests.bench.verdict import SEATS, live_table

STOP_MS, NAME_MS, PAGES_MS = 5.0, 10.0, 60.0
VIEWERS = 50


class _Lamps:
    """A row of lamps that notes when they change: all were on, and all go out."""

    def __init__(self) -> None:
        self.changed_ns: list[int] = []
        self._lit: frozenset[int] | None = None

    def show(self, lit: frozenset[int]) -> None:
        """Note that others are lit now; where the name comes as soon, hers alone."""
        if lit != self._lit:
            self.changed_ns.append(host_clock.now_ns())
        self._lit = lit

    def wait_for(self, pressed_ns: int) -> None:
        """Wait until its thread has shown what came after a press, a second at most."""
        for _ in range(1_000):
            if self.changed_ns and self.changed_ns[-1] > pressed_ns:
                return
            time.sleep(0.001)

    def close(self) -> None:
        """Nothing is to be released."""


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure presses of wired noses: all lamps out, the name published; and both on 50 pages."""
    rounds = 8 if plan.quick else 120
    stops_ns, names_ns = at_the_table(plan, rounds)
    report, heard = watch(plan, 5 if plan.quick else VIEWERS, 5 if plan.quick else 50, question="first")
    pages_ns = [at_ns - shown.pressed_ns for shown, at_ns in heard]
    rows = (
        FigureRow("stop", "“Stop!” at the lamp", spread(stops_ns, p50_aim_ms=STOP_MS)),
        FigureRow("name", "the name", spread(names_ns, p50_aim_ms=NAME_MS)),
        FigureRow("pages", "both, on 50 pages", spread(pages_ns, p99_aim_ms=PAGES_MS)),
    )
    notes = (f"Rounds in which nobody was named: {report.undecided}.",)
    return FigureGroup((FigureTable(SPREAD, rows),), notes=notes)


def at_the_table(plan: BenchPlan, rounds: int) -> tuple[list[int], list[int]]:
    """Return how long after each press the lamps were out, and the name was published, in ns."""
    lines, row = tuple(f"nose.{seat}" for seat in range(1, SEATS + 1)), _Lamps()
    lamps = SeatLamps(lambda: row, report=_unsaid)

    def light(snapshot: Snapshot) -> None:
        lamps.light(snapshot.lamps)

    try:
        with live_table(plan.folder, lines, Mock(lines)) as table:
            table.subscribe(light)
            table.lights(lamps.light)
            evening = CallingEvening(table, SEATS)
            stops_ns, names_ns = [], []
            for _ in range(rounds):
                stop, name = evening.play()
                row.wait_for(stop.pressed_ns)
                # Where the machine is so busy that they were not lit yet, they could not go out.
                out_ns = [at_ns for at_ns in row.changed_ns if at_ns > stop.pressed_ns]
                stops_ns += [out_ns[0] - stop.pressed_ns] if out_ns else []
                names_ns.append(name.published_ns - name.pressed_ns)
    finally:
        lamps.close()
    return stops_ns, names_ns


def _unsaid(says: Text | str | None) -> None:
    """The lamps of a bench do not fail."""
