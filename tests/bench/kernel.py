"""The timing error of the product's own sources on a kernel's GPIO device, beside a plain gpiozero Button.

The figures come from the test kernel (`kernel_rig`), where another process moves the lines and so
knows the truth.
"""

from __future__ import annotations

from typing import Any

from tests.bench.figures import BenchPlan, Column, Figure, FigureGroup, FigureRow, FigureTable, rounded
from tests.bench.kernel_rig import PARTS
from tests.bench.kernel_rig import measure as measure_in_kernel

AIM_U_US = 10.0
KERNEL_STAMPS = ("gpiochip",)  # numbered, so that what the kernel merged is known
QUICK_PARTS = ("gpiochip-idle",)
ROUNDS = (
    Column("declared_p50_us", "declared", "us"),
    Column("gap_error_p50_us", "gap off by", "us"),
    Column("gap_error_p99_us", "99 % within", "us"),
    Column("named", "named", ""),
    Column("dead_heat", "dead heat", ""),
    Column("void", "void", ""),
    Column("wrong", "wrong", ""),
    Column("outside", "outside claim", ""),
)
BURSTS = (
    Column("edges", "edges made", ""),
    Column("told", "told", ""),
    Column("lost", "lost", ""),
    Column("unnoticed", "lost unnoticed", ""),
)
LOADS: dict[str, str] = {
    "idle": "{method}, idle",
    "busy": "{method}, with a busy thread",
    "bounce": "{method}, bouncing",
    "burst": "{method}, a burst",
}


def measure(plan: BenchPlan) -> FigureGroup:
    """Boot the test kernel once and measure every source in it; raise DeviceError when it is not built."""
    return group(measure_in_kernel(QUICK_PARTS if plan.quick else PARTS))


def group(parts: dict[str, dict[str, Any]]) -> FigureGroup:
    """Return what the test kernel told as rows: rounds that were judged, and bursts."""
    judged = tuple(_row(part, _judged(part, said)) for part, said in parts.items() if "stamps" in said)
    bursts = tuple(_row(part, _burst(said)) for part, said in parts.items() if "told" in said)
    tables = (FigureTable(ROUNDS, judged), FigureTable(BURSTS, bursts))
    return FigureGroup(tuple(table for table in tables if table.rows), details=parts)


def _row(part: str, figures: dict[str, Figure]) -> FigureRow:
    method, _, load = part.rpartition("-")
    return FigureRow(part.replace("-", "_"), LOADS[load].format(method=method), figures)


def _judged(part: str, said: dict[str, Any]) -> dict[str, Figure]:
    """Return the figures of judged rounds; a plain Button judges nothing and declares nothing."""
    figures = {
        f"gap_error_{rank}_us": Figure(rounded(said["gap_error_ns"][rank] / 1_000))
        for rank in ("p50", "p99")
        if rank in said["gap_error_ns"]
    }
    if "wrong_order" in said:
        return {**figures, "wrong": Figure(said["wrong_order"])}
    sums = {
        name: sum(spacing[name] for spacing in said["spacings"].values())
        for name in ("named", "dead_heat", "void", "wrong")
    }
    aim = AIM_U_US if part.startswith(KERNEL_STAMPS) else None
    declared = Figure(rounded(said["u_ns"]["p50"] / 1_000), aim)
    counts = {name: Figure(count, 0 if name == "wrong" else None) for name, count in sums.items()}
    counts["outside"] = Figure(sum(said["outside"].values()), 0)
    return {"declared_p50_us": declared, **figures, **counts}


def _burst(said: dict[str, Any]) -> dict[str, Figure]:
    counts = {name: Figure(said[name]) for name in ("edges", "told", "lost")}
    return {**counts, "unnoticed": Figure(said["unnoticed"], 0)}
