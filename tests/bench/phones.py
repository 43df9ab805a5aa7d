"""Rounds on phones with the physical truth beside them: is the right one last, whatever goes wrong?

Pages run their own script, in node; the table's half and the judge are the table's own. Time is made, so what
a verdict takes has no share of this machine in it (a browser's figure does: `browser`).
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from random import Random

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Finish, Start

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.support.page_rig import Node, run
from tests.support.page_rounds import ROWS, Rounds, Row
from tests.support.page_table import beside_wires, race, touched_together, wait

WORLDS, ROUNDS = 250, 4  # many worlds side by side: each line to node serves them all
QUICK_WORLDS, QUICK_ROUNDS = 4, 3
MOST_NEEDLESS = 2.0  # percent, where the network is fine
P50_MS, P99_MS = 60.0, 150.0  # on one page
COLUMNS = (
    Column("rounds", "rounds", ""),
    Column("wrong", "wrong last", ""),
    Column("outside", "margin outside its ±", ""),
    Column("not_armed", "not armed in 6 s", ""),
    Column("named", "named", ""),
    Column("dead_heat", "dead heat", ""),
    Column("void", "void", ""),
    Column("taken_back", "taken back", ""),
    Column("needless_percent", "needlessly void", "percent"),
    Column("p50_ms", "touch to verdict, median", "ms"),
    Column("p99_ms", "99 %", "ms"),
)
LATE_ZERO = Row("zero_late", "a zero test beside wires touched 150 ms late, twenty times")


def measure(plan: BenchPlan) -> FigureGroup:
    """Play rounds with each fault; raise DeviceError without node."""
    if shutil.which("node") is None:
        raise DeviceError(text("node is missing: it runs the pages’ script."))
    worlds, many = (QUICK_WORLDS, QUICK_ROUNDS) if plan.quick else (WORLDS, ROUNDS)
    with Node() as node:
        found = [played(node, row, worlds, many) for row in ROWS]
    counts = sum((zero_tested_late(Random(number), many) for number in range(worlds)), Counter[str]())
    return group([*found, (LATE_ZERO, counts, [])])


def played(node: Node, row: Row, worlds: int, many: int) -> tuple[Row, Counter[str], list[float]]:
    """Return what became of the rounds of *row*, and how long after the last touch each was decided."""
    made = [Rounds(Random(f"{row.key}{number}"), row, many) for number in range(worlds)]
    run(node, [one.world for one in made])
    counts = sum((one.weigh() for one in made), Counter[str]())
    return row, counts, sorted(wait for one in made for wait in one.waits_ms)


def group(found: Iterable[tuple[Row, Counter[str], list[float]]]) -> FigureGroup:
    """Return the figures of what was *found*."""
    return FigureGroup((FigureTable(COLUMNS, tuple(_row(*one) for one in found)),))


def _row(row: Row, counts: Counter[str], waits_ms: list[float]) -> FigureRow:
    aims = {"wrong": 0.0, "outside": 0.0, "not_armed": 0.0}
    keys = ("rounds", "wrong", "outside", "not_armed", "named", "dead_heat", "void", "taken_back")
    figures = {key: Figure(float(counts[key.replace("_", " ")]), aims.get(key)) for key in keys}
    if row.fine and counts["rounds"]:
        needless = 100 * (counts["void"] + counts["taken back"]) / counts["rounds"]
        figures["needless_percent"] = Figure(rounded(needless), MOST_NEEDLESS)
    if waits_ms and row.fine:
        alone = row.key == "one_page"
        figures["p50_ms"] = Figure(rounded(waits_ms[len(waits_ms) // 2]), P50_MS if alone else None)
        figures["p99_ms"] = Figure(rounded(waits_ms[int(len(waits_ms) * 0.99)]), P99_MS if alone else None)
    return FigureRow(row.key, row.label, figures)


# ---- a zero test that is touched late


def zero_tested_late(rng: Random, many: int) -> Counter[str]:
    """Return what became of *many* rounds after a test that shows a phone later than any can be.

    How late it really tells is the same all along, 0 to 100 ms; the finger was 150 ms late beside it.
    """
    table, late_ms = beside_wires(), rng.choice((0.0, 100.0, rng.uniform(0, 100)))
    table.table.execute(Finish(), "host")
    touched_together(table, [150 + late_ms] * 20)
    start = Start("pig", ("North", "East", "South"), {}, ("nose.1", "nose.2", "nose.3"))
    counts = Counter[str]()
    for _ in range(many):  # a game each: in one, who is last three times would be out
        table.table.execute(start, "host")
        wait(table, 400)
        touches = {seat: rng.choice((0, 150)) + rng.uniform(0, 150) for seat in (1, 2, 3)}
        verdict = race(table, touches, late_ms)
        last = max(touches, key=touches.__getitem__)
        counts["rounds"] += 1
        if verdict.void is not None:
            counts["void"] += 1
        elif verdict.dead_heat:
            counts["dead heat"] += 1
            counts["wrong"] += last not in verdict.last
        else:
            counts["named"] += 1
            counts["wrong"] += verdict.last != (last,)
        wait(table, 600)
        table.table.execute(Finish(), "host")
    return counts
