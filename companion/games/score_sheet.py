"""A sheet as screens and printers draw it, whatever the game."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.text import Text


class Cell(msgspec.Struct, frozen=True):
    """One player in one hand: points, the running total once the hand is complete, pieces, and what else.

    `seq` is the log number of the entry that wrote it (0: none), `by` who did.
    """

    points: int | None
    total: int | None
    pieces: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()
    seq: int = 0
    by: str = ""


class Line(msgspec.Struct, frozen=True):
    """One hand. `dealer` and `starter` are seats or None.

    `picture` is a piece to draw ("9-9"), or groups of cards ("=3 /4 /*": three alike, four in a row, any
    number in a row), or empty.
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


class Sheet(msgspec.Struct, frozen=True):
    """The whole sheet. Lower is better. `leaders`: who has the lowest total, once a hand is complete."""

    players: tuple[str, ...]
    lines: tuple[Line, ...]
    totals: tuple[int, ...]
    leaders: tuple[int, ...]


class SheetFile(msgspec.Struct, frozen=True):
    """A game with a sheet: `sheet` is the version of the format, `moves` what was written, in order."""

    sheet: int
    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    moves: tuple[dict[str, Any], ...]
