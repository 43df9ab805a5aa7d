"""A box in memory, its sync wire on a line of the kernel's: is it heard there, and what is it worth?"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from lastnose.companion.core.model import Edge, Input
from lastnose.hardware.box.chip import Chip
from lastnose.hardware.box.session import BoxSession
from lastnose.hardware.box.sync import SyncWire
from lastnose.hardware.sources.gpiochip import GpioChip

SYNC_GPIO, SYNC_GP = 26, 28
NOSE_GPIO, NOSE_GP = 5, 0
U_NS = 60_000  # half of what a write may take here to count: somewhere in it the line moved
WAY_S = 0.001  # there and back again; what the USB would need
SECONDS, PRESS_EVERY_S = 8.0, 0.3
SURE, PATIENCE_S = 3, 90.0  # so many presses at least, if a starved machine gives them in that time


class Table:
    """A box, the Pi's own pins and the wire between them."""

    def __init__(self, lines: Path) -> None:
        self._pulls = {
            gpio: os.open(lines / f"sim_gpio{gpio}" / "pull", os.O_WRONLY) for gpio in (SYNC_GPIO, NOSE_GPIO)
        }
        self.wire = SyncWire("box")
        self.chip = Chip(time.monotonic_ns)
        self.chip.sampler.ppm = 40
        self.session = BoxSession("box", {"nose.1": NOSE_GP}, sync_pin=SYNC_GP, drives=True, wire=self.wire)
        self.by_box: list[Input] = []
        self.by_pins: list[Input] = []
        self.session.connected()
        self.chip.sampler.pulse = self._pulse  # type: ignore[method-assign]

    def move(self, gpio: int, high: int) -> int | None:
        """Move a line of the Pi; return when, None when that took too long to be sure."""
        pull, word = self._pulls[gpio], b"pull-up" if high else b"pull-down"
        before_ns = time.monotonic_ns()
        os.pwrite(pull, word, 0)
        took_ns = time.monotonic_ns() - before_ns
        return before_ns + took_ns // 2 if took_ns <= 2 * U_NS else None

    def _pulse(self, level: int) -> None:
        t_ns = self.move(SYNC_GPIO, level)
        if t_ns is not None:
            self.chip.sampler.set(SYNC_GP, level, t_ns)

    def turn(self) -> None:
        """Let box and host talk once."""
        self.chip.line.to_box += self.session.outgoing(time.monotonic_ns())
        time.sleep(WAY_S)
        self.chip.box.poll()
        data = self.chip.line.taken()
        time.sleep(WAY_S)
        self.by_box += self.session.receive(data, time.monotonic_ns())

    def press(self, high: int) -> tuple[int, int] | None:
        """Move both noses; return when the box's and the Pi's moved, None when that is not sure."""
        box_ns = time.monotonic_ns()
        self.chip.sampler.set(NOSE_GP, high, box_ns)
        pins_ns = self.move(NOSE_GPIO, high)
        return None if pins_ns is None else (box_ns, pins_ns)


def measure(lines: Path) -> dict[str, Any]:
    """Press on the box and on the pins; return how far each distance is off, and what was claimed."""
    table = Table(lines)
    source = GpioChip({"nose.2": NOSE_GPIO, "sync": SYNC_GPIO}, u_ns=U_NS)
    source.start(table.wire.listener("sync", table.by_pins.append), lambda _: None)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(80))  # nobody interrupts a write
    begin_s, presses, anchored = time.monotonic(), [], False
    while (passed_s := time.monotonic() - begin_s) < SECONDS or (
        passed_s < PATIENCE_S and sum(press is not None for press in presses) < SURE
    ):
        table.turn()
        if passed_s > SECONDS / 2 + PRESS_EVERY_S * len(presses):
            anchored |= table.wire.anchored(time.monotonic_ns())
            presses.append(table.press(len(presses) % 2))
    source.close()
    box, pins = _edges(table.by_box), _edges(table.by_pins)
    off, claimed = [], []
    for one, other, true in zip(box, pins, presses, strict=True):
        if true is not None:
            off.append(abs(other.t_ns - one.t_ns - (true[1] - true[0])))
            claimed.append(one.u_ns + one.clock_u_ns + other.u_ns)
    return {
        "anchored": anchored,
        "lines": sorted({edge.line for edge in (*box, *pins)}),
        "off_ns": off,
        "claimed_ns": claimed,
    }


def _edges(told: list[Input]) -> list[Edge]:
    return [item for item in told if isinstance(item, Edge)]
