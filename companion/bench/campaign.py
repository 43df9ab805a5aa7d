"""Simulated evenings against the judge: wrong lasts, and voids and dead heats that were not needed.

The simulator and the slow judges that it is held to are in tests/ of a checkout. What was needless in other
rounds than those of a first touch is counted rather too high (see `tests/support/slow_modes.py`).
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Callable

from companion.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from companion.bench.kernel_rig import ROOT
from companion.core.errors import DeviceError
from companion.core.text import Text, text

SUPPORT = ROOT / "tests" / "support"
EVENINGS, QUICK_EVENINGS = 1_200, 30  # for each fault, of three rounds each
MODE_EVENINGS, QUICK_MODE_EVENINGS = 600, 8
COLUMNS = (
    Column("rounds", text("rounds"), ""),
    Column("wrong", text("wrong last"), ""),
    Column("against_the_law", text("against the law"), ""),
    Column("withdrawn", text("withdrawn"), ""),
    Column("void", text("void"), ""),
    Column("needless_void", text("needless"), ""),
    Column("dead_heat", text("dead heat"), ""),
    Column("needless_dead_heat", text("needless"), ""),
)
FAULTS: dict[str, Text] = {
    "none": text("nothing goes wrong"),
    "bounce": text("contacts bounce"),
    "odd": text("light hands and sparks"),
    "late": text("evidence comes late"),
    "lost": text("edges are lost"),
    "merged": text("a kernel merges edges"),
    "drift": text("clocks drift"),
    "sources": text("several sources"),
    "early": text("armed at a release"),
    "many": text("several at once"),
}
MODES: dict[str, Text] = {
    "hold": text("held together, several faults"),
    "confirm": text("spoons and noses, several faults"),
    "dock": text("spoons in docks, several faults"),
    "rack-only": text("the rack alone, several faults"),
}


def measure(plan: BenchPlan) -> FigureGroup:
    """Play evenings with each fault; raise DeviceError where there is no simulator."""
    if not (SUPPORT / "simulator.py").exists():
        raise DeviceError(text("The simulator is part of a checkout, which this is not."))
    sys.path.insert(0, str(ROOT))
    try:
        simulator = importlib.import_module("tests.support.simulator")
        modes = importlib.import_module("tests.support.simulator_modes")
        campaign = importlib.import_module("tests.support.campaign")
    finally:
        sys.path.remove(str(ROOT))

    def counted(case: str) -> Counter[str]:
        of_mode = case in MODES
        evenings = EVENINGS, MODE_EVENINGS
        evenings = (QUICK_EVENINGS, QUICK_MODE_EVENINGS) if plan.quick else evenings
        faults = {"none": (), "many": None}.get(case, None if of_mode else (case,))
        make = modes.MODES[case] if of_mode else simulator.Evening
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


def _row(fault: str, label: Text, counts: Counter[str]) -> FigureRow:
    aims = {"wrong": 0.0, "against_the_law": 0.0}
    figures = {
        column.key: Figure(rounded(counts[column.key.replace("_", " ")]), aims.get(column.key))
        for column in COLUMNS
        if fault not in MODES or column.key != "against_the_law"  # the outline for those is too crude to say
    }
    return FigureRow(fault, label, figures)
