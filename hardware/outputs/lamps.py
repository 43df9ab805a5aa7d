"""Lamps of the seats: on a pin each through the kernel, or on a chain of 74HC595 on SPI; simulated as well.

Blinking is timed here, on a thread of its own; the latest lamps win, and a device that fails is said once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from lastnose.companion.core.ports import Lamp, Report
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import host_clock
from lastnose.companion.wiring.profile import Leds
from lastnose.hardware.outputs.kernel_pins import real_factory
from lastnose.hardware.outputs.worker import SECOND_NS, Retrying, Worker, as_device_error
from lastnose.hardware.sources.factories import PinFactory, let_go, mock_factory

if TYPE_CHECKING:
    from lastnose.hardware.outputs.spi import SpiFile

BLINK_NS = SECOND_NS
# What was written to a chain may be lost on the way (a spark, a wire off for a moment): say it again.
REFRESH_NS = SECOND_NS
CHAIN_HZ = 1_000_000
A_CHIP = 8


class LampRow(Protocol):
    """A row of lamps that can be lit. Every call may raise OSError or a CompanionError."""

    def show(self, lit: frozenset[int]) -> None:
        """Light the lamps of these numbers, from 1, and no others."""

    def close(self) -> None:
        """Put them out and release them."""


RowMaker = Callable[[], LampRow]


class SeatLamps:
    """The lamps of a table (companion.core.ports.Lamps); lamp N stands at nose N.

    *report* hears a Text when they fail and None when they are well again. *clock_ns* is for tests.
    """

    def __init__(
        self, make: RowMaker, *, report: Report, clock_ns: Callable[[], int] = host_clock.now_ns
    ) -> None:
        self._kept: Retrying[LampRow] = Retrying(make, lambda row: row.close(), _unreachable, report)
        self._lock = threading.Lock()
        self._lamps: tuple[Lamp, ...] = ()
        self._worker = Worker("lamps", self._bring, self._kept.close, clock_ns)

    def light(self, lamps: tuple[Lamp, ...]) -> None:
        """Show *lamps* soon; the latest wins."""
        with self._lock:
            changed, self._lamps = lamps != self._lamps, lamps
        if changed:
            self._worker.wake()

    def close(self) -> None:
        """Put them out and release them within a second; may be called twice."""
        self._worker.close()

    def _bring(self, now_ns: int) -> int:
        """Show the newest lamps as they are at *now_ns*; return when they are due again."""
        with self._lock:
            lamps = self._lamps
        self._kept.use(lambda row: row.show(lit(lamps, now_ns)), now_ns)
        half_ns = BLINK_NS // 2
        blinks = any(lamp.light == "blink" for lamp in lamps)
        return now_ns + (half_ns - now_ns % half_ns if blinks else REFRESH_NS)


def lit(lamps: Sequence[Lamp], now_ns: int) -> frozenset[int]:
    """Return the numbers of the lamps that shine at *now_ns*; all that blink do so together.

    >>> lamps = (Lamp(1, "nose.4", "on"), Lamp(2, "nose.2", "blink"), Lamp(3, "nose.3", "off"))
    >>> sorted(lit(lamps, 0)), sorted(lit(lamps, 500_000_000))
    ([2, 4], [4])
    """
    first_half = now_ns % BLINK_NS < BLINK_NS // 2
    return frozenset(
        int(lamp.line.rpartition(".")[2])
        for lamp in lamps
        if lamp.line and (lamp.light == "on" or (lamp.light == "blink" and first_half))
    )


def frame(lit: frozenset[int], chips: int) -> bytes:
    """Return what to send, the highest bit first, so that lamp 1 ends on QA of the first 74HC595.

    >>> frame(frozenset({1, 3}), 1).hex(), frame(frozenset({1, 9}), 2).hex()
    ('05', '0101')
    """
    shining = sum(1 << (number - 1) for number in lit if number <= chips * A_CHIP)
    return shining.to_bytes(chips, "big")


class LampBus(Protocol):
    """What a chain needs of SPI: one call is one transfer, its end clocks RCLK."""

    def writebytes(self, data: list[int]) -> None:
        """Send *data*."""

    def close(self) -> None:
        """Close the device."""


class Chain:
    """A `LampRow` on 74HC595: SER on the data, SRCLK on the clock, RCLK on the select of the first SPI bus.

    Nothing comes back from it, so a chain without power is not noticed; a bus that is not there is.
    """

    def __init__(self, wire: LampBus, lamps: int) -> None:
        self._wire = wire
        self._chips = -(-lamps // A_CHIP)

    def show(self, lit: frozenset[int]) -> None:
        self._wire.writebytes(list(frame(lit, self._chips)))

    def close(self) -> None:
        try:
            self.show(frozenset())
        finally:
            self._wire.close()


class PretendRegisters:
    """Simulated 74HC595 in a chain: bits are shifted in as the chips do it, and latched after a transfer."""

    def __init__(self, chips: int) -> None:
        self._shifted = [0] * (chips * A_CHIP)
        self.outputs = (0,) * (chips * A_CHIP)

    def writebytes(self, data: list[int]) -> None:
        """Shift the highest bit of the first byte in first: it travels farthest from QA of the first chip."""
        for byte in data:
            for place in reversed(range(8)):
                self._shifted = [byte >> place & 1, *self._shifted[:-1]]
        self.outputs = tuple(self._shifted)

    def close(self) -> None:
        """Leave the outputs as they are, as the chips do."""


class Single:
    """A `LampRow` on a pin each, active high, through gpiozero."""

    def __init__(self, pins: Sequence[int], factory: PinFactory) -> None:
        from gpiozero import LED

        self._factory = factory
        with as_device_error():
            try:
                self._leds = [LED(pin, pin_factory=factory) for pin in pins]
            except BaseException:
                let_go(factory)
                raise

    def show(self, lit: frozenset[int]) -> None:
        with as_device_error():
            for number, led in enumerate(self._leds, start=1):
                led.value = number in lit

    def close(self) -> None:
        with as_device_error():
            try:
                for led in self._leds:
                    led.off()
                    led.close()
            finally:
                let_go(self._factory)


def row_maker(pins: Sequence[int], leds: Leds | None, lamps: int, *, simulated: bool) -> RowMaker | None:
    """Return what opens the lamps of a table: on *pins*, or a chain of *lamps*; None where there are none."""
    if pins:
        return lambda: Single(pins, mock_factory() if simulated else real_factory())
    if leds is None:
        return None
    return lambda: Chain(PretendRegisters(-(-lamps // A_CHIP)) if simulated else open_wire(), lamps)


def open_wire(folder: str = "/dev") -> SpiFile:
    """Open the first SPI bus for a chain; raise OSError when it is not there. *folder* is for tests."""
    from lastnose.hardware.outputs.spi import SpiFile

    wire = SpiFile(folder)
    wire.open(0, 0)
    try:
        wire.mode = 0
        wire.max_speed_hz = CHAIN_HZ
    except BaseException:
        wire.close()
        raise
    return wire


def _unreachable(why: Text | str) -> Text:
    return text(
        "The lamps cannot be reached; the page shows them, and the game goes on. Reason: {why}", why=why
    )
