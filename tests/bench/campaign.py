"""Simulated evenings against the judge: wrong lasts, and voids and dead heats that were not needed.

Margin, rival and opener are held to the truth, and to every explanation that a slow judge finds (law 8); two
boxes on a sync wire to what their stamps and margins claim.
What was needless in other rounds than those of a first touch is counted rather too high (see
`tests/support/slow_modes.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.support import campaign, simulator, simulator_modes
from tests.support.two_boxes import Boxes

EVENINGS, QUICK_EVENINGS = 6_800, 30  # for each fault, of three rounds each
MODE_EVENINGS, QUICK_MODE_EVENINGS = 6_800, 8
BOXES, QUICK_BOXES = 60, 1  # for each way of the wire, of some 390 pairs of presses each
COLUMNS = (
    Column("rounds", "rounds", ""),
    Column("wrong", "wrong name", ""),
    Column("against_the_law", "against the law", ""),
    Column("margin", "margins outside", ""),
    Column("opener", "openers outside", ""),
    Column("rival", "rivals outside", ""),
    Column("waited", "left waiting", ""),  # decided in truth, nothing goes wrong, and still nobody is told
    Column("withdrawn", "withdrawn", ""),
    Column("void", "void", ""),
    Column("needless_void", "needless", ""),
    Column("dead_heat", "dead heat", ""),
    Column("needless_dead_heat", "needless", ""),
)
FAULTS: dict[str, str] = {
    "none": "nothing goes wrong",
    "bounce": "contacts bounce",
    "odd": "light hands and sparks",
    "late": "evidence comes late",
    "lost": "edges are lost",
    "merged": "a kernel merges edges",
    "drift": "clocks drift",
    "sources": "several sources",
    "early": "armed at a release",
    "threads": "interrupt threads are 60 µs late",
    "lost+late": "edges are lost, and told late",
    "many": "several at once",
}
MODES: dict[str, str] = {
    "hold": "held together, several faults",
    "feints": "spoons and noses, hands feint, nothing goes wrong",
    "confirm": "spoons and noses, several faults",
    "dock": "spoons in docks, several faults",
    "rack-only": "the rack alone, several faults",
    "first": "who was first, several faults",
}
# Two boxes, ± 150 ppm each, on a host that is slewed by 50 to 500 ppm: what becomes of the wire between them.
BOXES_OF: dict[str, str] = {
    "boxes-whole": "two boxes, the wire whole",
    "boxes-cut": "two boxes, the wire cut for a while",
    "boxes-flaky": "two boxes, a flaky wire",
    "boxes-none": "two boxes, no wire",
    "boxes-replug": "two boxes, re-plugged again and again",
}


def measure(plan: BenchPlan) -> FigureGroup:
    """Play evenings with each fault."""

    def counted(case: str) -> Counter[str]:
        if case in BOXES_OF:
            return _of_boxes(case, QUICK_BOXES if plan.quick else BOXES)
        if case in MODES:
            return _of_evenings(case, QUICK_MODE_EVENINGS if plan.quick else MODE_EVENINGS)
        return _of_evenings(case, QUICK_EVENINGS if plan.quick else EVENINGS)

    return group(counted)


def _of_evenings(case: str, evenings: int) -> Counter[str]:
    """Return what became of the rounds of so many evenings of a case."""
    make = simulator_modes.MODES.get("confirm" if case == "feints" else case, simulator.Evening)
    several = case == "many" or case in MODES
    faults = {"none": (), "feints": ()}.get(case, None if several else tuple(case.split("+")))
    counts: Counter[str] = Counter()
    for seed in range(evenings):
        counts += campaign.weigh(make(seed, faults))
    return counts


def _of_boxes(case: str, evenings: int) -> Counter[str]:
    """Return what two boxes claim, of pairs of presses; a round is a pair."""
    counts: Counter[str] = Counter()
    way = case.removeprefix("boxes-")
    for seed in range(evenings):
        boxes = Boxes(seed, replug=True) if way == "replug" else Boxes(seed, kind=way)
        for told in boxes.pairs():
            counts += Counter({"rounds": 1, "wrong": told.wrong, "margin": not told.inside})
    return counts


def group(counted: Callable[[str], Counter[str]]) -> FigureGroup:
    """Return a row for each fault, way to play and way of the wire, of what *counted* says of its rounds."""
    cases = {**FAULTS, **MODES, **BOXES_OF}
    return FigureGroup(
        (FigureTable(COLUMNS, tuple(_row(case, label, counted(case)) for case, label in cases.items())),)
    )


def _row(fault: str, label: str, counts: Counter[str]) -> FigureRow:
    aimed_at = ("wrong", "against_the_law", "margin", "opener", "rival", "waited")
    figures = {
        column.key: Figure(rounded(_count(counts, column.key)), 0.0 if column.key in aimed_at else None)
        for column in COLUMNS
        # the outline for other rounds than those of a first touch is too crude to say
        if fault in FAULTS or column.key != "against_the_law"
    }
    return FigureRow(fault, label, figures)


def _count(counts: Counter[str], key: str) -> int:
    """Return a count; of what is said too sharply, by the truth and by the slow judge together."""
    name = key.replace("_", " ")
    return counts[name] + counts[f"{name} against the law"]
