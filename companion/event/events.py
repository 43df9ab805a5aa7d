"""The events of the hall's own log. A table's events stay in its own; these only name (table, entry)."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.names import call_game_as_today
from lastnose.companion.event.roster import Person
from lastnose.companion.event.seating import Seats


class Arrangement(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the organiser has settled of the event.

    `most` people sit at a table, `final` in the final (0: none), which is played with `final_options`.
    `late`: what rounds count that somebody missed by coming late, "nothing" or "mean" (of their own).
    `minutes`: how long a round may last (0: no clock).
    """

    name: str
    game: str = "pig"
    options: dict[str, Any] = {}
    format: str = "mixed"
    rounds: int = 5
    tables: int = 2
    most: int = 13
    final: int = 6
    final_options: dict[str, Any] = {}
    late: str = "nothing"
    minutes: int = 0

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)


class HallEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Something that happened in the hall: `by` whom, `at` wall time in seconds."""

    by: str
    at: float


class EventArranged(HallEvent, frozen=True, tag="arranged"):
    """The event was set up, or settled again."""

    arrangement: Arrangement


class PeopleJoined(HallEvent, frozen=True, tag="joined"):
    """People came onto the list; their numbers count on from `first`."""

    first: int
    people: tuple[Person, ...]

    @property
    def last(self) -> int:
        """The number of the last of them."""
        return self.first + len(self.people) - 1


class Renamed(HallEvent, frozen=True, tag="renamed"):
    """Somebody is written differently from now on, everywhere."""

    entrant: int
    person: Person


class Went(HallEvent, frozen=True, tag="went"):
    """People do not play on; what they have played counts."""

    entrants: tuple[int, ...]


class CameBack(HallEvent, frozen=True, tag="came-back"):
    """People who had gone, or had not come yet, play from the next round on."""

    entrants: tuple[int, ...]


class Admitted(HallEvent, frozen=True, tag="admitted"):
    """The table with the random id `table` came in as number `number`, with its public key."""

    table: str
    number: int
    key: str


class PutOut(HallEvent, frozen=True, tag="put-out"):
    """The table with the id `table` may send and read nothing any more.

    `floods`: see `Hall.flooded`; `spoilt`: nothing more could be taken under this id.
    """

    table: str
    floods: bool = False
    spoilt: bool = False


class Drawn(HallEvent, frozen=True, tag="drawn"):
    """Rounds from `first` on are drawn; those that were not called yet are forgotten.

    `kind` is "heat", "final" or "tie" (one letter, for the last seats of the final). `rests_on` is the order
    of people that decided who sits where, empty where none did.
    """

    first: int
    rounds: tuple[Seats, ...]
    kind: str = "heat"
    rests_on: tuple[int, ...] = ()


class Called(HallEvent, frozen=True, tag="called"):
    """A round is played: every table gets its people. `numbers[i]` is the table where seats[i] sit.

    `game` is played with `options`; empty in older logs: what was arranged then. `nonce` is random: what was
    played for an entry of the same number, before this log was put back to an older copy, answers another.
    """

    round: int
    numbers: tuple[int, ...]
    options: dict[str, Any]
    game: str = ""
    nonce: str = ""

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)


class CalledAgain(HallEvent, frozen=True, tag="called-again"):
    """The game of table `number` in round `round` is played again, for `reason`. `nonce`: see `Called`."""

    round: int
    number: int
    reason: str
    nonce: str = ""


class Paused(HallEvent, frozen=True, tag="paused"):
    """The round's clock stands still, or goes on."""

    stands: bool


class ClockSet(HallEvent, frozen=True, tag="clock"):
    """The hall's own wall clock was put forward by `by_s` seconds while a round was played."""

    by_s: float


class Announced(HallEvent, frozen=True, tag="announced"):
    """The organiser says something to all screens; empty: nothing more."""

    says: str


class ListClosed(HallEvent, frozen=True, tag="list-closed"):
    """Nobody puts themselves on the list any more, or they may again."""

    closed: bool


class Typed(HallEvent, frozen=True, tag="typed"):
    """A result was typed: places as groups of entrants, best first. No groups: what the table says counts."""

    round: int
    number: int
    places: tuple[tuple[int, ...], ...]
    reason: str = ""


class Cleared(HallEvent, frozen=True, tag="cleared"):
    """The organiser has looked at a result that seemed implausible: it counts as it is.

    `found` is that result (entrant, place, letters) and `doubts` what was doubtful in it; with another result
    or more doubts it is looked at again. Older logs have neither: there everything counts from then on.
    `out` are the games of other machines that had a result then: (table, the entry with which it began).
    `call` is the entry for which the game was played; 0 in older logs: for any.
    """

    round: int
    number: int
    found: tuple[tuple[int, int, int], ...] = ()
    doubts: tuple[str, ...] = ()
    out: tuple[tuple[str, int], ...] = ()
    call: int = 0


class ChangeSeen(HallEvent, frozen=True, tag="change-seen"):
    """The organiser has seen that the called round `round` would rest on others by the results of now."""

    round: int
    rests_on: tuple[int, ...]


class VerdictAppealed(HallEvent, frozen=True, tag="appealed"):
    """A verdict of round `round` is appealed: entry `entry` of table `table`.

    `call` is the entry of this log for which its game was played; 0 in older logs: its round’s call. `nonce`:
    see `Called`, should it be played again for this.
    """

    table: str
    entry: int
    reason: str
    round: int
    call: int = 0
    nonce: str = ""


class AppealDecided(HallEvent, frozen=True, tag="decided"):
    """Appeal `appeal` (its log number) is decided: "stands", "again" (to be played again) or "void"."""

    appeal: int
    decision: str
    reason: str


class EntryTakenBack(HallEvent, frozen=True, tag="taken-back"):
    """Entry `of` of this log does not hold."""

    of: int


class EntryRenewed(HallEvent, frozen=True, tag="renewed"):
    """Entry `of`, taken back before, holds again."""

    of: int


AnyHallEvent = (
    EventArranged
    | PeopleJoined
    | Renamed
    | Went
    | CameBack
    | Admitted
    | PutOut
    | Drawn
    | Called
    | CalledAgain
    | Paused
    | ClockSet
    | Announced
    | ListClosed
    | Typed
    | Cleared
    | ChangeSeen
    | VerdictAppealed
    | AppealDecided
    | EntryTakenBack
    | EntryRenewed
)
DECODER: msgspec.json.Decoder[AnyHallEvent] = msgspec.json.Decoder(AnyHallEvent)
ENCODER = msgspec.json.Encoder()
