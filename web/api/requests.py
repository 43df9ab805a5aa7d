"""What people may ask of the pages themselves, beside the commands to the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import english
from lastnose.companion.evening.commands import Amend, Changing, Play, Redo, Undo
from lastnose.companion.games import GAMES, AnyGame
from lastnose.companion.games.rules.prompts import EnterScore, RulesQuery
from lastnose.companion.table.replay import packed


class PinTry(msgspec.Struct, frozen=True):
    """A device wants to host, with the PIN or the secret of a QR code."""

    pin: str


class SeatWish(msgspec.Struct, frozen=True):
    """Somebody wants to sit down under this name, or to sit at place `at` (from 1) instead."""

    name: str = ""
    at: int = 0


class DeviceChange(msgspec.Struct, frozen=True):
    """What a host changes of a device: its role, its name, the seat (a guest’s name); or it is put out."""

    device: str
    role: Literal["watcher", "player", "host"] | None = None
    name: str | None = None
    seat: str | None = None
    remove: bool = False


class ListedGuest(msgspec.Struct, frozen=True):
    """Somebody on a host's list; `id` is that of a guest that is there already."""

    name: str
    id: str = ""


class GuestList(msgspec.Struct, frozen=True):
    """Who sits at the table, in order; `removed` are guests whom the host takes off it.

    `gone` is `removed` by its old name, which goes with version 0.3.
    """

    guests: tuple[ListedGuest, ...]
    removed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class PhoneName(msgspec.Struct, frozen=True):
    """A phone is to go by this name in what the log writes; "": by none."""

    name: str


class FreedNose(msgspec.Struct, frozen=True):
    """The nose on `line` goes on with the pages that everybody touches: its phone is away."""

    line: str


class Appeal(msgspec.Struct, frozen=True):
    """Judge a round again with these debounce settings, in microseconds."""

    confirm_us: int
    lockout_us: int


class PackedTape(msgspec.Struct, frozen=True):
    """A tape as an address holds it: what stands behind its #."""

    tape: str


class ChangeWish(msgspec.Struct, frozen=True):
    """What would be done to entry `seq`: corrected to `move` (as in the command), taken back or put back.

    Without `seq` what undo or redo would take now. “play” makes `move`, such as the correction of a hand.
    """

    type: Literal["amend", "undo", "redo", "play"]
    seq: int | None = None
    move: dict[str, Any] | None = None

    def wish(self) -> Changing:
        """Return the command; raise BadInput when a correction does not say of what, or to what."""
        if self.type == "undo":
            return Undo(self.seq)
        if self.type == "redo":
            return Redo(self.seq)
        if self.type == "play" and self.move is not None:
            return Play(self.move)
        if self.seq is None or self.move is None:
            raise BadInput(
                english("A correction needs the entry, “seq”, and what it should have been, “move”.")
            )
        return Amend(self.seq, self.move)


# ---- Examples for the description of the API, from whatever games there are: to be tried at once.

PLAYERS = ("North", "East", "South")


def _sheets() -> Iterator[tuple[AnyGame, EnterScore, RulesQuery | None]]:
    """Yield the games that keep a sheet, with what they ask first, and what their rules can be asked."""
    for game in GAMES.values():
        if game.seats[0] <= len(PLAYERS) <= game.seats[1]:
            asks = game.moment(game.new(PLAYERS, game.read_options({}))).asks
            query = next((ask for ask in asks if isinstance(ask, RulesQuery)), None)
            yield from ((game, ask, query) for ask in asks if isinstance(ask, EnterScore))


def _sheet() -> tuple[AnyGame, EnterScore, RulesQuery | None]:
    """Return a game that keeps a sheet, one whose rules can be asked if there is any."""
    return max(_sheets(), key=lambda found: found[2] is not None)


def new_sheet() -> dict[str, Any]:
    """Return a sheet to begin."""
    return {"game": _sheet()[0].name, "players": [*PLAYERS]}


def a_hand() -> dict[str, Any]:
    """Return a hand to count."""
    game, ask, _ = _sheet()
    return {"game": game.name, "pieces": [*ask.pieces[:3]]}


def a_question() -> dict[str, Any]:
    """Return something to ask the rules, nothing when no game can be asked."""
    query = _sheet()[2]
    return {} if query is None else {"about": query.about, "pieces": [*query.pieces[:3]]}


def a_deal() -> dict[str, Any]:
    """Return a deal to ask for."""
    return {"game": next(iter(GAMES)), "players": len(PLAYERS)}


def a_tape() -> dict[str, Any]:
    """Return a tape on which nothing happens, as an address holds it."""
    header = {"tape": 1, "game": next(iter(GAMES)), "players": [*PLAYERS], "options": {}}
    return {"tape": packed(msgspec.json.encode(header).decode() + "\n")}


def a_guide() -> dict[str, Any]:
    """Return who plays what, to ask for the steps before the first deal."""
    return {"game": next(iter(GAMES)), "players": [*PLAYERS]}


def a_sheet() -> dict[str, Any]:
    """Return the file of a sheet with one cell written."""
    first = {"type": "score", "hand": 1, "seat": 1, "points": 0}
    return {"sheet": 1, **new_sheet(), "options": {}, "moves": [first]}


class HallAddress(msgspec.Struct, frozen=True):
    """Where a hall is: as its invitation or QR code has it, or without a code."""

    address: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
