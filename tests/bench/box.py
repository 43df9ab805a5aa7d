"""What the buzzer box costs and what its clock is worth: decoder, terminal, verdict, two side by side."""

from __future__ import annotations

import queue
import time
from statistics import median

from lastnose.companion.core.model import Edge, Input, clock_of
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
    percentile,
    rounded,
    spread,
)
from tests.bench.slew import SLEWED_PPM, slewed_presses
from tests.bench.verdict import live_table
from tests.support.pico import PtyCable

SEATS = 4
SYNC_PIN = 28
AIM_US_AN_EDGE = 20.0
COST = (
    Column("us_an_edge", "an edge", "us"),
    Column("edges_per_s", "edges", "per_s"),
)
STORMS = (
    Column("edges", "edges made", ""),
    Column("told", "told", ""),
    Column("lost", "lost", ""),
    Column("unnoticed", "lost unnoticed", ""),
)
ALL_PINS = (*range(23), 26, 27, 28)
CLOCKS = (
    Column("error_p50_us", "off by", "us"),
    Column("error_max_us", "at most", "us"),
    Column("claimed_p50_us", "claimed", "us"),
    Column("beyond_claim", "beyond the claim", ""),
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
            FigureTable(
                STORMS,
                (
                    FigureRow("storm", "26 inputs at 10 kHz each", storm(plan, 50_000)),
                    FigureRow("rain", "26 inputs at 500 Hz each", storm(plan, 1_000_000)),
                ),
            ),
            FigureTable(SPREAD, (FigureRow("verdict", "press to verdict", verdict),)),
            FigureTable(CLOCKS, _clock_rows(plan)),
        ),
        notes=("The boxes are simulated: on this machine’s pseudo-terminals, not on USB.",),
    )


def _clock_rows(plan: BenchPlan) -> tuple[FigureRow, ...]:
    return (
        FigureRow("sync_wire", "two boxes, sync wire", _clocks(plan, wired=True)),
        FigureRow("usb_only", "two boxes, USB only", _clocks(plan, wired=False)),
        *(
            FigureRow(
                f"slewed_{ppm}_ppm",
                f"box beside the pins, host clock slewed by {ppm} ppm",
                _off(slewed_presses(ppm)),
            )
            for ppm in SLEWED_PPM
        ),
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


def storm(plan: BenchPlan, every_ns: int) -> dict[str, Figure]:
    """Let all inputs change each *every_ns* for a while; return what came of it, by the box's own count."""
    lines = {f"nose.{number}": pin for number, pin in enumerate(ALL_PINS, start=1)}
    with SimulatedBox(cable=PtyCable()) as simulated:
        source = BoxSource(simulated.open_port, lines, simulated=True)
        source.start(lambda _: None, lambda _: None)
        while not source.session.settled:
            time.sleep(0.01)
        counts = source.session.counts
        before = counts.events
        raging = simulated.storm(300_000_000 if plan.quick else 2_000_000_000, every_ns)
        made = raging.due(raging.end_ns)
        until_ns = raging.end_ns + 30_000_000_000  # a heartbeat a second says how many are lost
        while counts.events - before + counts.overruns < made and host_clock.now_ns() < until_ns:
            time.sleep(0.01)
        source.close()
    told, lost = counts.events - before, counts.overruns
    return {
        "edges": Figure(made),
        "told": Figure(told),
        "lost": Figure(lost),
        "unnoticed": Figure(max(0, made - told - lost), 0),
    }


def _clocks(plan: BenchPlan, *, wired: bool) -> dict[str, Figure]:
    """Return how far the distance of two presses on two boxes is off, beside what was claimed for it."""
    return _off(presses(4 if plan.quick else 40, wired=wired, warm_s=3.0 if plan.quick else 12.0))


def _off(told: list[tuple[int, int]]) -> dict[str, Figure]:
    """Return the figures of errors with their claims."""
    errors = [error for error, _ in told]
    return {
        "error_p50_us": Figure(rounded(percentile(errors, 50) / 1_000)),
        "error_max_us": Figure(rounded(max(errors) / 1_000)),
        "claimed_p50_us": Figure(rounded(percentile([claim for _, claim in told], 50) / 1_000)),
        "beyond_claim": Figure(sum(error > claim for error, claim in told), 0),
    }


def presses(count: int, *, wired: bool, warm_s: float) -> list[tuple[int, int]]:
    """Press on two boxes in turn; return by how much each distance is off, with its claimed `w`."""
    boxes = SimulatedBoxes(
        ["sim:drift=40", "sim:drift=-60"],
        [{"nose.1": 0}, {"nose.2": 0}],
        sync_pin=SYNC_PIN if wired else None,
    )
    heard: queue.SimpleQueue[Input] = queue.SimpleQueue()
    out: list[tuple[int, int]] = []
    try:
        boxes.start(heard.put, lambda _: None)
        time.sleep(warm_s)
        for turn in range(count):
            true_ns = [_press(boxes, number, 1 - turn % 2) for number in (0, 1)]
            edges = _edges(heard)
            w_ns = edges["nose.1"].u_ns + edges["nose.2"].u_ns
            if clock_of(edges["nose.1"].source) != clock_of(edges["nose.2"].source):
                w_ns += edges["nose.1"].clock_u_ns + edges["nose.2"].clock_u_ns
            distance_ns = edges["nose.2"].t_ns - edges["nose.1"].t_ns
            out.append((abs(distance_ns - (true_ns[1] - true_ns[0])), w_ns))
            time.sleep(0.12)
    finally:
        boxes.close()
    return out


def _press(boxes: SimulatedBoxes, number: int, level: int) -> int:
    """Move the nose of a box; return when that was."""
    return boxes.simulated_box(number).set(0, level)


def _edges(heard: queue.SimpleQueue[Input]) -> dict[str, Edge]:
    """Return the next edge of either nose."""
    found: dict[str, Edge] = {}
    while len(found) < 2:
        item = heard.get(timeout=10)
        if isinstance(item, Edge):
            found[item.line] = item
    return found
