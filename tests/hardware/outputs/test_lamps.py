"""Lamps: what shines when, what goes over the wire, and that the game goes on without them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.ports import Lamp
from lastnose.companion.core.text import Text
from lastnose.companion.wiring.profile import Leds
from lastnose.hardware.outputs.lamps import (
    Chain,
    PretendRegisters,
    SeatLamps,
    Single,
    frame,
    lit,
    open_wire,
    row_maker,
)
from lastnose.hardware.sources.factories import mock_factory

WITHIN_S = 120
HALF_NS = 500_000_000


class FakeRow:
    """A row of our own port: keeps what it was told, fails when it is told to."""

    def __init__(self) -> None:
        self.shown: list[frozenset[int]] = []
        self.broken = False
        self.closed = 0
        self.news = threading.Condition()
        self.gate = threading.Event()
        self.gate.set()

    def show(self, lit: frozenset[int]) -> None:
        """Keep it."""
        assert self.gate.wait(WITHIN_S)
        if self.broken:
            raise OSError(5, "Input/output error")
        with self.news:
            self.shown.append(lit)
            self.news.notify_all()

    def close(self) -> None:
        """Count it."""
        self.closed += 1

    def wait_for(self, wanted: set[int]) -> None:
        """Wait until *wanted* was shown last."""
        with self.news:
            assert self.news.wait_for(lambda: self.shown[-1:] == [frozenset(wanted)], WITHIN_S)


def on(*seats: int) -> tuple[Lamp, ...]:
    """Return lamps that are lit."""
    return tuple(Lamp(seat, f"nose.{seat}", "on") for seat in seats)


@given(st.sets(st.integers(1, 26)), st.integers(1, 26))
def test_a_chain_lights_the_lamps_that_are_meant(lit: set[int], lamps: int) -> None:
    """What is encoded here, shifted through simulated chips: lamp N is output N, QA of the first being 1."""
    registers = PretendRegisters(-(-lamps // 8))
    chain = Chain(registers, lamps)
    chain.show(frozenset(range(1, 27)))
    chain.show(frozenset(lit))
    shining = {number for number, level in enumerate(registers.outputs, start=1) if level}
    assert {number for number in lit if number <= len(registers.outputs)} == shining
    chain.close()
    assert not any(registers.outputs)


def test_bits_on_the_wire_are_those_of_the_data_sheet() -> None:
    """Two chips: the first byte ends in the second one; in a byte QH goes first and QA last."""
    assert bytes([0b0000_0000, 0b0000_0001]) == frame(frozenset({1}), 2)
    assert bytes([0b0000_0000, 0b1000_0000]) == frame(frozenset({8}), 2)
    assert bytes([0b0001_0001, 0b0000_0000]) == frame(frozenset({9, 13}), 2)


@given(st.integers(0, 10**12))
def test_awaited_lamps_shine_half_of_each_second_and_together(now_ns: int) -> None:
    """Lit ones always, dark ones never."""
    lamps = (Lamp(1, "nose.1", "blink"), Lamp(2, "nose.2", "blink"), *on(3), Lamp(4, "nose.4", "off"))
    expected = {1, 2, 3} if now_ns % (2 * HALF_NS) < HALF_NS else {3}
    assert expected == lit(lamps, now_ns)


def test_a_lamp_stands_at_its_nose_and_a_seat_without_nose_has_none() -> None:
    """Seats and noses need not be in the same order."""
    assert {7} == lit((Lamp(1, "nose.7", "on"), Lamp(2, "", "on")), 0)


def test_single_pins_are_high_where_a_lamp_shines() -> None:
    """On gpiozero's own mock factory, the simulated form."""
    factory = mock_factory()
    row = Single((17, 27, 22), factory)
    row.show(frozenset({1, 3}))
    assert [True, False, True] == [bool(factory.pin(pin).state) for pin in (17, 27, 22)]
    row.close()
    assert {} == dict(factory.pins)


def test_a_pin_that_cannot_be_had_is_a_device_error_and_leaves_none_taken() -> None:
    """The library names it."""
    factory = mock_factory()
    with pytest.raises(DeviceError, match="99"):
        Single((17, 99), factory)
    assert {} == dict(factory.pins)


def test_a_bus_is_opened_for_the_chain_or_missed_by_name(tmp_path: Path) -> None:
    """Here it is a plain file, which knows no SPI: it is closed again."""
    with pytest.raises(OSError, match=r"spidev0\.0"):
        open_wire(str(tmp_path))
    (tmp_path / "spidev0.0").touch()
    with pytest.raises(OSError, match="ioctl"):
        open_wire(str(tmp_path))


def test_the_profile_decides_which_lamps_there_are() -> None:
    """On pins, on a chain long enough for every seat, or none."""
    assert row_maker((), None, 6, simulated=True) is None
    single = row_maker((17, 27), None, 2, simulated=True)
    chain = row_maker((), Leds(10, 11, 8), 13, simulated=True)
    assert single is not None
    assert chain is not None
    assert isinstance(single(), Single)
    row = chain()
    assert isinstance(row, Chain)
    row.show(frozenset({13}))


def test_the_latest_lamps_win_and_nobody_waits_for_the_device() -> None:
    """While it is stuck in a transfer, `light` returns; in the end it shows the newest."""
    row = FakeRow()
    row.gate.clear()
    lamps = SeatLamps(lambda: row, report=lambda says: None, clock_ns=lambda: 0)
    for seat in range(1, 20):
        lamps.light(on(seat))
    row.gate.set()
    row.wait_for({19})
    assert len(row.shown) <= 3
    lamps.close()
    assert 1 == row.closed


def test_blinking_goes_on_by_itself() -> None:
    """The clock says when; nobody lights them again."""
    now = [0]
    row = FakeRow()
    lamps = SeatLamps(lambda: row, report=lambda says: None, clock_ns=lambda: now[0])
    lamps.light((Lamp(1, "nose.1", "blink"), *on(2)))
    row.wait_for({1, 2})
    assert now[0] + HALF_NS == lamps._bring(now[0])
    now[0] = HALF_NS
    assert 2 * HALF_NS == lamps._bring(now[0])
    row.wait_for({2})
    lamps.close()


def test_a_bus_that_fails_is_said_once_and_its_return_too() -> None:
    """And then it shows what is newest."""
    now = [0]
    row = FakeRow()
    reports: list[Text | None] = []
    lamps = SeatLamps(lambda: row, report=reports.append, clock_ns=lambda: now[0])
    row.wait_for(set())
    row.broken = True
    lamps.light(on(1))
    lamps.close()
    for second in (1, 2, 3):
        lamps._bring(second * 10**9)
    (says,) = reports
    assert str(says).startswith("The lamps cannot be reached; the page shows them, and the game goes on. ")
    assert str(says).endswith("Reason: [Errno 5] Input/output error")
    row.broken = False
    lamps._bring(60 * 10**9)
    assert [None] == reports[1:]
    assert frozenset({1}) == row.shown[-1]
