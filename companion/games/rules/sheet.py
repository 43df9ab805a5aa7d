"""A sheet as screens and printers draw it, whatever the game."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.names import call_game_as_today
from lastnose.companion.core.text import Text


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player in one hand: points, the running total once the hand is complete, pieces, and what else.

    `seq` is the log number of the entry that wrote it (0: none), `by` who did, or who corrected it since.
    """

    points: int | None = None
    total: int | None = None
    pieces: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()
    seq: int = 0
    by: str = ""


class SheetRow(msgspec.Struct, frozen=True):
    """One hand. `dealer` and `starter` are seats or None.

    `picture` is a piece to draw ("9-9"), or groups of cards ("=3 /4 /*": three alike, four in a row, any
    number in a row), or empty. `hint` is to be known before it is played, `notes` say what happened in it;
    `marks` are those of the whole hand that a correction may change.
    """

    hand: int
    title: Text
    picture: str
    dealer: int | None
    starter: int | None
    cells: tuple[Cell, ...]
    complete: bool
    current: bool
    notes: tuple[Text, ...] = ()
    marks: tuple[str, ...] = ()
    hint: Text | None = None


class SheetRank(msgspec.Struct, frozen=True):
    """Where `seat` stands: its place, from 1 and shared by equals, and its total."""

    seat: int
    place: int
    total: int


class Sheet(msgspec.Struct, frozen=True):
    """The whole sheet. Lower is better, unless the `highest` total wins.

    After the hands that are complete, if any is: `leaders` have the best total, and the others are so many
    points `behind`. `totals` also count the hand that is being written.
    `cannot_win` are seats that certainly cannot win any more; `writers` says who is behind each `by` of the
    cells. `plain`: nothing but numbers is written, and 0 is one like others. `open_end`: nobody knows yet how
    many hands it will be. `left` says how many there are still, or how many there were.
    `ranks`, best first, are those after the complete hands, as leaders are: a hand that is being written
    counts in them once it is complete. Views work them out.
    """

    players: tuple[str, ...]
    lines: tuple[SheetRow, ...]
    totals: tuple[int, ...]
    leaders: tuple[int, ...]
    behind: tuple[int, ...] = ()
    cannot_win: tuple[int, ...] = ()
    writers: dict[str, Text] = {}
    highest: bool = False
    open_end: bool = False
    plain: bool = False
    left: Text | None = None
    ranks: tuple[SheetRank, ...] = ()


class SheetFile(msgspec.Struct, frozen=True):
    """A game with a sheet: `sheet` is the version of the format, `moves` what was written, in order.

    Where somebody came or went, `{"type": "seated", "players": ["Ana", …]}` stands among them: these sat
    there from then on. `by` says who wrote each move; it is told, and not needed to read the sheet back in.
    """

    sheet: int
    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    moves: tuple[dict[str, Any], ...]
    by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)
