"""What tables and hall say to each other, what is known of the servers between them, and of clocks. Pure.

A table says of itself a `Presence` every few seconds; the hall tells it a `HallCall`. Both are small JSON
objects: see `link.wire` for how they travel, and for the rows of a table's log. Nothing rests on a table's
wall clock but the times that it prints.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from lastnose.companion.core.names import call_game_as_today
from lastnose.companion.core.text import Text, text, texts

OFF_S = 120.0  # from how much on a clock is said to be wrong: what is told of it may be long on its way
STEP_S = 60.0  # from how much on the hall's own was set, and has not just gone a little faster
_DAY_S, _HOUR_S = 86_400, 3_600
# Why rows of a table's log are not taken, and how much of what it sends the hall then cannot take.
ANOTHER, UNREADABLE, HOLE = "another history", "unreadable", "a hole"
SOME, ALL = "some", "all"
SPOILT = (ANOTHER, HOLE)  # why nothing can follow under a table's name: it needs a new one
FULL = text(
    "The message server keeps nothing more: is its disk full? Make room there; one that somebody else runs "
    "has to be started again. The tables play on, and send it all later."
)
Standing = Literal["newest", "older", "silent"]


class ClockWatch:
    """Sees that a wall clock was set: one of a machine that has slept did not move against *elapsed_s*.

    *known_s* is when something was last written down. A machine without a clock of its own may begin before
    that: what puts it right then is no step of the time in which that was written.
    """

    def __init__(self, wall_s: Callable[[], float], elapsed_s: Callable[[], float], known_s: float) -> None:
        self._wall_s, self._elapsed_s = wall_s, elapsed_s
        self._apart_s = wall_s() - elapsed_s()
        self._behind = wall_s() < known_s - STEP_S

    def set_by_s(self, *, past: bool) -> float:
        """Return by how much it was put forward since this was asked last, 0 for what may be drift.

        *past*: what goes on by it was written before this watch began.
        """
        apart_s = self._wall_s() - self._elapsed_s()
        by_s, self._apart_s = apart_s - self._apart_s, apart_s
        if abs(by_s) < STEP_S:
            return 0.0
        behind, self._behind = self._behind, False
        return 0.0 if behind and past and by_s > 0 else by_s


def ahead_of(own_s: float, hall_s: float) -> int:
    """Return by how many seconds a table's clock is ahead of the hall's, to the minute; 0: as good as none.

    >>> ahead_of(1_000_000.0, 1_000_100.0), ahead_of(1_000_000.0, 4_456_000.0)
    (0, -3456000)
    """
    ahead_s = own_s - hall_s
    return 60 * round(ahead_s / 60) if abs(ahead_s) >= OFF_S else 0


def apart(ahead_s: int) -> Text:
    """Return in words how long that is, in its largest sensible unit.

    >>> [str(apart(s)) for s in (-40 * 86_400, 86_400, 7_200, -5_430)]
    ['40 days', '24 hours', '2 hours', '90 minutes']
    """
    off_s = abs(ahead_s)
    if off_s >= 2 * _DAY_S:
        return texts("{n} day", "{n} days", n=round(off_s / _DAY_S))
    if off_s >= 2 * _HOUR_S:
        return texts("{n} hour", "{n} hours", n=round(off_s / _HOUR_S))
    return texts("{n} minute", "{n} minutes", n=round(off_s / 60))


def said_of_clock(ahead_s: int) -> Text:
    """Return what table and desk say of a table's clock that is wrong."""
    return text(
        "This table’s clock is off by {time}: set it. Times in its history are wrong, its results are right.",
        time=apart(ahead_s),
    )


class NearHall(msgspec.Struct, frozen=True):
    """A hall of this network: where its pages are, and what its event is called, "" without a name."""

    address: str
    title: str


class StuckGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game of this table that has no result, and gets none by itself: of which round.

    `back`: an entry of it was taken back or corrected here, and can be put back. `void`: that round of it
    does not count, by an appeal, and is to be taken out here; 0: none. `beyond`: not here, where another game
    has begun since.
    """

    kind: str
    round: int
    back: bool = False
    void: int = 0
    beyond: bool = False


class HallCall(msgspec.Struct, frozen=True, tag_field="type", tag="call", omit_defaults=True):
    """What the hall wants of a table: its number, what it is told, and the round that it is called for.

    `rev` is the number of the hall's log that it follows from: a table says which it has. `call` is empty
    between rounds and in a round that the table sits out; another for a game that is to be played again. `at`
    is the hall's wall time.
    `by_hand`: the `players` of this round are too few for its game, and settle it; nothing is called.
    `stuck` are games of this table that count in the hall and get no result by themselves. `refuses` is how
    much of what this table sends the hall cannot take: `SOME`, `ALL`, or "" for nothing. `paused`: the
    clock of the round stands still. `left` are those of the `players` who have left the event, and are
    still in the game. `again` is why it is played again, "" when it is not. `typed` is
    the call whose game's result the desk has typed before it was signed off here, "" for none. `run` is
    random at each start of the hub: only of one run a lower `rev` is older.
    """

    rev: int
    event: str
    number: int
    call: str = ""
    kind: str = ""
    round: int = 0
    game: str = ""
    options: dict[str, Any] = {}
    players: tuple[str, ...] = ()
    says: str = ""
    at: float = 0.0
    by_hand: bool = False
    stuck: tuple[StuckGame, ...] = ()
    refuses: str = ""
    paused: bool = False
    left: tuple[str, ...] = msgspec.field(default=(), name="gone")  # as tables of 0.2 read it
    again: str = ""
    typed: str = ""
    run: str = ""

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)

    @property
    def mark(self) -> str:
        """What tells it from a call that says anything else, whenever that was said."""
        said = msgspec.json.encode(msgspec.structs.replace(self, rev=0, at=0.0))
        return f"{zlib.crc32(said):08x}"


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table says of itself every few seconds.

    `n` is the newest number of its log and `head` the chain up to it; `rev`, `call` and `heard` (see
    `HallCall.mark`) what it was told; `here` the seats that have touched their nose for this call. `trouble`
    is why it can send nothing, `cannot` why it does not begin the game of this call. `ahead_s`: its wall
    clock is so far ahead of the hall's, in s; 0 when it is as good as right. `unkept`: its
    message server takes nothing more.
    """

    n: int
    head: str = ""
    rev: int = 0
    call: str = ""
    here: tuple[int, ...] = ()
    phase: str = ""
    says: str = ""
    version: str = ""
    trouble: str = ""
    cannot: Text | str = ""
    simulated: bool = False
    ahead_s: int = 0
    unkept: bool = False
    heard: str = ""

    def knows(self, call: HallCall) -> bool:
        """Return whether the table was told what *call* says; an older one tells its call alone."""
        if self.heard:
            return self.heard == call.mark
        return (self.call, self.rev) == (call.call, call.rev)


UNHEARD = Presence(-1)  # of a table that has said nothing yet


class ServersSeen(msgspec.Struct, frozen=True):
    """How each message server stands, by its address, and the `version` of the accounts that was asked for.

    It has the "newest" accounts, an "older" version, or is "silent". `first`: none has ever let this hub in.
    """

    version: str = ""
    servers: dict[str, Standing] = {}
    first: bool = False

    @property
    def all_newest(self) -> bool:
        """Whether all have read the newest accounts."""
        return bool(self.servers) and set(self.servers.values()) == {"newest"}

    def that_are(self, standing: Standing) -> tuple[str, ...]:
        """Return the addresses of those that are so."""
        return tuple(address for address, one in self.servers.items() if one == standing)
