"""What the table needs of the world outside: the protocols that adapters in `hardware/` keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol, get_args

import msgspec
from lastnose.companion.core.model import Input, Question
from lastnose.companion.core.text import Text

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


class StampWorth(NamedTuple):
    """What a driven stamp may be off by, as `Edge` has it (`companion.core.model`)."""

    u_ns: int
    clock_u_ns: int = 0
    wire_u_ns: int | None = None


class Driver(Protocol):
    """What can move lines that no wire moves: scripts, the page's noses, tapes."""

    def lines(self) -> tuple[str, ...]:
        """Return the lines that can be driven."""

    def attach(self, clock: str, delay_ns: int | None) -> None:
        """Announce a clock (one page) whose edges may arrive up to *delay_ns* late; again to change that.

        None: nobody knows how late. Then nothing is promised for it but what it promises itself (`vouch`).
        """

    def vouch(self, clock: str, t_ns: int) -> None:
        """Pass on that *clock* promises: nothing of it earlier than *t_ns* is still coming."""

    def lose(self, clock: str, from_ns: int, to_ns: int, lines: tuple[str, ...]) -> None:
        """Say that edges of *lines* by *clock* may be lost between the times; that promises nothing."""

    def detach(self, clock: str) -> None:
        """Let *clock* go for good: nothing of it is still coming, and its name is not used again."""

    def drive(self, line: str, level: int, t_ns: int, worth: StampWorth, *, clock: str | None = None) -> None:
        """Set *line* to *level* at exactly *t_ns*; raise BadInput when there is no such line or clock."""

    def expect(self, lines: tuple[str, ...], clock: str | None, worth: StampWorth) -> tuple[str, ...]:
        """Say that *clock* alone can touch *lines* next, as far as is known, and *worth* of its stamps.

        None: any clock may, also one that has not been announced yet. Return of which that is told: the
        others have been touched beyond the time up to which all is known; say it again. A driver that cannot
        tell it at all leaves it, and returns all: who has not touched is then reckoned as far off.
        """

    def promise(self, t_ns: int) -> None:
        """Promise, for a script with its own time, that nothing earlier than *t_ns* is still coming."""


Rows = tuple[tuple[bool, ...], ...]


class WifiInfo(msgspec.Struct, frozen=True):
    """The Wi-Fi that a phone joins first: its name, its password, its QR code."""

    ssid: str
    password: str
    qr: Rows | None = None

    @property
    def modules(self) -> Rows:
        """The QR code without its light border."""
        return modules_of(self.qr)


def modules_of(qr: Rows | None) -> Rows:
    """Return a QR code without the light border that it may have been given, empty when there is none.

    >>> modules_of(((False,) * 3, (False, True, False), (False,) * 3))
    ((True,),)
    """
    rows = qr or ()
    dark = [at for at, row in enumerate(rows) if any(row)]
    return tuple(row[dark[0] : len(row) - dark[0]] for row in rows[dark[0] : dark[-1] + 1]) if dark else ()


class FoundBox(msgspec.Struct, frozen=True):
    """A port that looks like a Pico. `kind` is "MicroPython" or "bootloader"; `serial` the USB's number."""

    port: str
    serial: str
    kind: str


class JoinInfo(msgspec.Struct, frozen=True):
    """How a phone finds the table: the page's address, the PIN on a network, a QR code (True is dark)."""

    url: str
    pin: str | None = None
    qr: Rows | None = None
    wifi: WifiInfo | None = None

    @property
    def address(self) -> str:
        """The address as one types it: no scheme, and never a path or fragment, which may carry the PIN.

        >>> JoinInfo("http://192.168.1.20:8080/join#4821").address
        '192.168.1.20:8080'
        """
        return self.url.rpartition("://")[2].partition("#")[0].partition("/")[0]

    @property
    def modules(self) -> Rows:
        """The QR code without its light border."""
        return modules_of(self.qr)

    def public(self) -> JoinInfo:
        """Return the same without PIN, QR and Wi-Fi.

        >>> JoinInfo("http://192.168.1.20:8080/join#4821", "4821").public()
        JoinInfo(url='http://192.168.1.20:8080', pin=None, qr=None, wifi=None)
        """
        return JoinInfo(f"http://{self.address}")


class Display(Protocol):
    """A small screen. `show` takes everything; the latest wins; failures are reported, never raised."""

    def show(self, snapshot: object) -> None:
        """Show *snapshot* (of companion.views, or a view of a self-test) soon."""

    def join(self, join: JoinInfo | None) -> None:
        """Show how phones join while no game is played, None for nothing of it."""

    def png(self) -> bytes:
        """Return what is shown now as a PNG, without PIN and QR."""

    def close(self) -> None:
        """Blank the screen and release it."""


Light = Literal["on", "off", "blink"]
Signal = Literal[
    "armed",
    "opened",
    "decided",
    "dead-heat",
    "letter",
    "wrong",
    "tick",
    "time",
    "too-early",
    "side-1",
    "side-2",
    "side-3",
    "side-4",
    "side-5",
    "side-6",
    "side-7",
    "side-8",
]
SIDES = 8  # teams, or seats, that are told apart by their tone; then the tones begin again


class Lamp(msgspec.Struct, frozen=True):
    """The lamp of a seat (its nose is on `line`): lit while that is in, blinking while awaited or last."""

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


# ---- What neighbours hear: whatever listens outside, a house's lights, another program, a row of buttons.

NewsKind = Literal["opened", "touched", "verdict", "withdrawn", "standings", "over"]
NEWS_KINDS: tuple[NewsKind, ...] = get_args(NewsKind)


class NewsRow(msgspec.Struct, frozen=True):
    """Where a player stands: the letters so far as one word, out or not, the points, the place by points.

    `score` is None where no points are kept, and `place` 0 there.
    """

    seat: int
    player: str
    letters: str
    out: bool
    score: int | None
    place: int


class TableNews(msgspec.Struct, frozen=True):
    """One thing that has happened, and how the table stands after it; sent as JSON with these names.

    `lastnose` is the version of this format: 1 as long as fields are only added. `event_type` is "opened"
    (the noses count now), "touched" (the first is down), "verdict", "withdrawn" (what was told of `round`
    does not count any more), "standings" (letters or points changed, a game that was over goes on, or its
    evening has ended; and once at the start) or "over". `id` is the same when it is sent again, and
    another for all else, also of other tables; `at` is wall time in seconds. `table` is the table's name,
    `title` the game's.

    `stage` is "deal", "on", "running", "verdict", or "sheet" in a game without noses. `says` is the sentence
    on the screens, `lines` the proof under it. A verdict answers `question` ("last" or "first") with `who`,
    nobody when it is `void` or nothing is known; with a `dead_heat` all who could be it. `margin_ns` ±
    `u_ns` as in PhotoFinish, `margin` the same in words. `corrected`: people have changed a verdict that was
    told before.
    """

    event_type: NewsKind
    id: str
    at: float
    table: str
    evening: int
    game: str
    title: str
    game_no: int
    round: int
    stage: str
    simulated: bool
    says: str
    lines: tuple[str, ...]
    question: Question
    who: tuple[str, ...]
    dead_heat: bool
    void: bool
    corrected: bool
    margin: str
    margin_ns: int | None
    at_least_ns: int | None
    u_ns: int | None
    winners: tuple[str, ...]
    standings: tuple[NewsRow, ...]
    lastnose: int = 1


class Output(Protocol):
    """A neighbour. `tell` takes each news at once and delivers it by itself; what it raises is said once."""

    def tell(self, news: TableNews) -> None:
        """Take *news*; never wait for whoever is to have it."""

    def close(self) -> None:
        """Let go of everything within 1 s; may be called twice."""
