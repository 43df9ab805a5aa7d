"""What the buzzer box costs: decoder, pseudo-terminal, verdict. What its clock is worth `campaign` counts."""

from __future__ import annotations

import time
from statistics import median

from lastnose.companion.system import host_clock
from lastnose.hardware.box.boxes import BoxSource, SimulatedBoxes
from lastnose.hardware.box.chip import Chip
from lastnose.hardware.box.session import BoxSession
from lastnose.hardware.box.simulated import SimulatedBox

from tests.bench.evening import EndlessEvening
from tests.bench.figures import (
    SPREAD,
    BenchPlan,
    Column,
    Figure,
    FigureGroup,
    FigureRow,
    FigureTable,
    rounded,
    spread,
)
from tests.bench.verdict import live_table
from tests.support.pico import PtyCable

SEATS = 4
AIM_US_AN_EDGE = 20.0
COST = (
    Column("us_an_edge", "an edge", "us"),
    Column("edges_per_s", "edges", "per_s"),
)


def measure(plan: BenchPlan) -> FigureGroup:
    """Measure with simulated boxes: figures of a real one's USB are not among them."""
    edges = 20_000 if plan.quick else 200_000
    lines = {f"nose.{seat}": seat - 1 for seat in range(1, SEATS + 1)}
    with live_table(plan.folder, tuple(lines), SimulatedBoxes(["sim"], [lines])) as table:
        evening = EndlessEvening(table, SEATS)
        shown = [evening.play() for _ in range(4 if plan.quick else 60)]
    verdict = spread([last.published_ns - last.pressed_ns for _, last in shown])
    return FigureGroup(
        (
            FigureTable(
                COST,
                (
                    FigureRow("decode", "decoder and clock", _cost(decode(edges), AIM_US_AN_EDGE)),
                    FigureRow(
                        "pty", "through a pseudo-terminal, firmware and all", _cost(through_pty(edges))
                    ),
                ),
            ),
            FigureTable(SPREAD, (FigureRow("verdict", "press to verdict", verdict),)),
        ),
        notes=("The boxes are simulated: on this machine’s pseudo-terminals, not on USB.",),
    )


def _cost(ns_an_edge: float, aim_us: float | None = None) -> dict[str, Figure]:
    return {
        "us_an_edge": Figure(rounded(ns_an_edge / 1_000), aim_us),
        "edges_per_s": Figure(rounded(1e9 / ns_an_edge)),
    }


def decode(edges: int) -> float:
    """Return what an edge costs from bytes to inputs, in nanoseconds of processor time."""
    now_ns = [1_000_000_000]
    chip = Chip(lambda: now_ns[0])
    session = BoxSession("box", {"nose.1": 0})
    session.connected()
    while not session.settled:
        _exchange(chip, session, now_ns)
    costs, told = [], 0
    while told < edges:
        for _ in range(500):
            now_ns[0] += 20_000
            chip.sampler.set(0, chip.sampler.levels & 1 ^ 1, now_ns[0])
        while chip.box.poll():
            pass
        data = chip.line.taken()
        begin_ns = time.process_time_ns()
        count = len(session.receive(data, now_ns[0]))
        costs.append((time.process_time_ns() - begin_ns) / max(1, count))
        told += count
        _exchange(chip, session, now_ns)
    return median(costs)


def _exchange(chip: Chip, session: BoxSession, now_ns: list[int]) -> None:
    """Let pings and answers go to and fro."""
    chip.line.to_box += session.outgoing(now_ns[0])
    now_ns[0] += 100_000
    chip.box.poll()
    now_ns[0] += 100_000
    session.receive(chip.line.taken(), now_ns[0])


def through_pty(edges: int) -> float:
    """Return what an edge takes through pseudo-terminal, decoder and session, in nanoseconds that pass."""
    with SimulatedBox(cable=PtyCable()) as simulated:
        source = BoxSource(simulated.open_port, {"nose.1": 0}, simulated=True)
        source.start(lambda _: None, lambda _: None)
        while not source.session.settled:
            time.sleep(0.01)
        sent, level = source.session.counts.events, 0
        goal = sent + edges
        begin_ns = host_clock.now_ns()
        while sent < goal:
            level ^= 1
            simulated.set(0, level)
            sent += 1
            if sent % 500 == 0:
                while source.session.counts.events < sent - 200:
                    time.sleep(0.0005)
        while source.session.counts.events < goal:
            time.sleep(0.0005)
        took_ns = host_clock.now_ns() - begin_ns
        source.close()
    return took_ns / edges
