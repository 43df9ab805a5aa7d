"""What the table needs of the world outside: the protocols that adapters in `hardware/` keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from companion.model import Input
from companion.text import Text

Emit = Callable[[Input], None]
Report = Callable[[Text | None], None]


class Source(Protocol):
    """Where edges come from.

    `start` begins to call *emit* from any thread: first a Levels, then Edge, Gap and Watermark as the laws of
    timing say; *report* is called with a Text when the source fails and with None when it is well again.
    `close` releases every pin and returns within 1 s; it may be called twice.
    """

    name: str
    simulated: bool

    def start(self, emit: Emit, report: Report) -> None:
        """Take the pins and begin."""

    def close(self) -> None:
        """Release the pins."""


class Driver(Protocol):
    """What can move simulated lines: scripts, the page's noses, tapes."""

    def lines(self) -> tuple[str, ...]:
        """Return the lines that can be driven."""

    def attach(self, clock: str, delay_ns: int) -> None:
        """Announce a clock (one page) whose edges may arrive up to *delay_ns* late."""

    def detach(self, clock: str) -> None:
        """Let *clock* go for good: nothing of it is still coming, and its name is not used again."""

    def drive(
        self, line: str, level: int, t_ns: int, *, u_ns: int, clock: str | None = None, clock_u_ns: int = 0
    ) -> None:
        """Set *line* to *level* at exactly *t_ns*; raise BadInput when there is no such line or clock."""

    def promise(self, t_ns: int) -> None:
        """Promise, for a script with its own time, that nothing earlier than *t_ns* is still coming."""


class Display(Protocol):
    """A small screen. `show` takes everything; the latest wins; failures are reported, never raised."""

    def show(self, snapshot: object) -> None:
        """Show *snapshot* (companion.scoreboard.Snapshot) soon."""

    def png(self) -> bytes:
        """Return what is shown now as a PNG, without PIN and QR."""

    def close(self) -> None:
        """Blank the screen and release it."""


Light = Literal["on", "off", "blink"]
Signal = Literal["armed", "opened", "decided", "dead-heat", "letter"]


class Lamp(msgspec.Struct, frozen=True):
    """The lamp of a seat (its nose is on `line`): lit while the seat is in, blinking while it is awaited."""

    seat: int
    line: str
    light: Light


class Lamps(Protocol):
    """The lamps of the seats. `light` takes all of them; failures are reported, never raised."""

    def light(self, lamps: tuple[Lamp, ...]) -> None:
        """Show *lamps* soon; the latest wins."""

    def close(self) -> None:
        """Put them out and release them."""


class Sound(Protocol):
    """What makes itself heard. Failures are reported, never raised."""

    def play(self, signals: tuple[Signal, ...]) -> None:
        """Play the tones of *signals*, one after the other, cutting short what still sounds."""

    def close(self) -> None:
        """Be quiet and release the device."""
