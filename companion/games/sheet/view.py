"""A sheet as screens and printers draw it, whatever the game."""

from __future__ import annotations

import msgspec

from companion.text import Text


class Cell(msgspec.Struct, frozen=True):
    """One player in one hand: points, the running total once the hand is complete, pieces, and what else."""

    points: int | None
    total: int | None
    pieces: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """One hand. `picture` is a piece to draw ("9-9") or empty; `dealer` and `starter` are seats or None."""

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
