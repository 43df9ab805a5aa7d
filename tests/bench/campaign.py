"""Simulated evenings against the judge: wrong lasts, and voids and dead heats that were not needed.

What was needless in other rounds than those of a first touch is counted rather too high (see
`tests/support/slow_modes.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.support import campaign, simulator, simulator_modes

EVENINGS, QUICK_EVENINGS = 1_200, 30  # for each fault, of three rounds each
MODE_EVENINGS, QUICK_MODE_EVENINGS = 600, 8
COLUMNS = (
    Column("rounds", "rounds", ""),
    Column("wrong", "wrong last", ""),
    Column("against_the_law", "against the law", ""),
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
    "many": "several at once",
}
MODES: dict[str, str] = {
    "hold": "held together, several faults",
    "confirm": "spoons and noses, several faults",
    "dock": "spoons in docks, several faults",
    "rack-only": "the rack alone, several faults",
}


def measure(plan: BenchPlan) -> FigureGroup:
    """Play evenings with each fault."""

    def counted(case: str) -> Counter[str]:
        of_mode = case in MODES
        evenings = EVENINGS, MODE_EVENINGS
        evenings = (QUICK_EVENINGS, QUICK_MODE_EVENINGS) if plan.quick else evenings
        faults = {"none": (), "many": None}.get(case, None if of_mode else (case,))
        make = simulator_modes.MODES[case] if of_mode else simulator.Evening
        counts: Counter[str] = Counter()
        for seed in range(evenings[of_mode]):
            counts += campaign.weigh(make(seed, faults))
        return counts

    return group(counted)


def group(counted: Callable[[str], Counter[str]]) -> FigureGroup:
    """Return a row a fault, and one a way to play, of what *counted* says became of its rounds."""
    cases = {**FAULTS, **MODES}
    return FigureGroup(
        (FigureTable(COLUMNS, tuple(_row(case, label, counted(case)) for case, label in cases.items())),)
    )


def _row(fault: str, label: str, counts: Counter[str]) -> FigureRow:
    aims = {"wrong": 0.0, "against_the_law": 0.0}
    figures = {
        column.key: Figure(rounded(counts[column.key.replace("_", " ")]), aims.get(column.key))
        for column in COLUMNS
        if fault not in MODES or column.key != "against_the_law"  # the outline for those is too crude to say
    }
    return FigureRow(fault, label, figures)
