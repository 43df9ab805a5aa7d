"""What an organiser can ask of the hall: one frozen struct a command, tagged by `type` in JSON."""

from __future__ import annotations

import msgspec
from lastnose.companion.event.events import Arrangement
from lastnose.companion.event.roster import Person


class HallCommand(msgspec.Struct, frozen=True, tag_field="type"):
    """A wish of an organiser."""


class Arrange(HallCommand, frozen=True, tag="arrange"):
    """Settle what is played, and how."""

    arrangement: Arrangement


class AddPeople(HallCommand, frozen=True, tag="add-people"):
    """Put a pasted list, or the text of a CSV file, onto the list of who plays."""

    written: str


class AddPerson(HallCommand, frozen=True, tag="add-person"):
    """Put one person onto the list: at the door, or by themselves on a phone."""

    person: Person


class Rewrite(HallCommand, frozen=True, tag="rewrite"):
    """Write somebody differently."""

    entrant: int
    person: Person


class Leave(HallCommand, frozen=True, tag="leave"):
    """People play no more; one or forty at once."""

    entrants: tuple[int, ...]


class Return(HallCommand, frozen=True, tag="return"):
    """People who had left play again from the next round on."""

    entrants: tuple[int, ...]


class Draw(HallCommand, frozen=True, tag="draw"):
    """Draw what is played next: all heats, the next round, or the final."""


class CallRound(HallCommand, frozen=True, tag="call-round"):
    """Call the next drawn round at all its tables."""


class Pause(HallCommand, frozen=True, tag="pause"):
    """Stop the round's clock, or let it go on."""

    stands: bool = True


class Announce(HallCommand, frozen=True, tag="announce"):
    """Say something on every screen; nothing: take it away."""

    says: str


class CloseList(HallCommand, frozen=True, tag="close-list"):
    """Nobody puts themselves on the list any more, or they may again."""

    closed: bool = True


class TypeResult(HallCommand, frozen=True, tag="type-result"):
    """Type a result: entrants by place, those of one place together. Empty: what the table says counts."""

    round: int
    number: int
    places: tuple[tuple[int, ...], ...]
    reason: str = ""


class Clear(HallCommand, frozen=True, tag="clear"):
    """A result that seemed implausible was looked at, and counts.

    `mark` is that of what was looked at, as the todo's command has it: nothing else is meant. "": what is
    there now.
    """

    round: int
    number: int
    mark: str = ""


class PlayAgain(HallCommand, frozen=True, tag="play-again"):
    """The game of a table is played again: what came of it does not count. `mark`: see `Clear`."""

    round: int
    number: int
    reason: str
    mark: str = ""


class SeeChange(HallCommand, frozen=True, tag="see-change"):
    """That round `round` rests on results which have changed since it was called was seen."""

    round: int


class Object(HallCommand, frozen=True, tag="appeal"):
    """Appeal verdict `entry` of the machine with the id `table`; "": of the one that is table `number`."""

    number: int
    entry: int
    reason: str
    table: str = ""


class Decide(HallCommand, frozen=True, tag="decide"):
    """Decide an appeal: it "stands", the table's game is played "again", or the deal is to be "void"."""

    appeal: int
    decision: str
    reason: str


class PutTableOut(HallCommand, frozen=True, tag="put-out"):
    """A table may send nothing any more."""

    number: int


class TakeBack(HallCommand, frozen=True, tag="take-back"):
    """Take entry `of` of the hall's log back."""

    of: int


class Renew(HallCommand, frozen=True, tag="renew"):
    """Let entry `of`, taken back before, hold again."""

    of: int


AnyHallCommand = (
    Arrange
    | AddPeople
    | AddPerson
    | Rewrite
    | Leave
    | Return
    | Draw
    | CallRound
    | Pause
    | Announce
    | CloseList
    | TypeResult
    | Clear
    | PlayAgain
    | SeeChange
    | Object
    | Decide
    | PutTableOut
    | TakeBack
    | Renew
)
