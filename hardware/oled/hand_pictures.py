"""What a hand of a score sheet looks like, in little: a tile, or groups of cards (see `Line.picture`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from hardware.oled.layout import SMALL
from hardware.oled.text.canvas import Canvas

ALIKE, IN_A_ROW, OPEN = "=", "/", 4  # groups: one of any number shows so many
CARD_WIDE, CARD_HIGH, CARD_STEP, GROUP_GAP = 7, 10, 5, 4
HALF, PIP = 21, 3
_TILE = re.compile(r"(\d+)-(\d+)")
# Where pips stand on a half, in thirds, up to nine; beyond, how many stand in each of three rows.
_PIPS = ("", "5", "19", "159", "1379", "13579", "134679", "1345679", "12346789", "123456789")
_ROWS = ((4, 2, 4), (4, 3, 4), (4, 4, 4), (4, 5, 4), (5, 4, 5), (5, 5, 5))


class Picture(NamedTuple):
    """A picture: how large it is, and what draws it with its top left at a place of a canvas."""

    width: int
    height: int
    draw: Callable[[Canvas, int, int], None]


def read(written: str) -> Picture | None:
    """Return the picture that is *written* ("9-9", "=3 /4"), None for none that is known.

    >>> read("=3 =3").width, read("15-15").height, read("")
    (38, 21, None)
    """
    tile = _TILE.fullmatch(written)
    if tile:
        halves = (int(tile[1]), int(tile[2]))
        return Picture(2 * HALF - 1, HALF, lambda canvas, x, y: _tile(canvas, x, y, halves))
    groups = written.split() if written[:1] in (ALIKE, IN_A_ROW) else []
    if not groups:
        return None
    wide = sum((_size(group) - 1) * CARD_STEP + CARD_WIDE for group in groups)
    high = CARD_HIGH + max(map(_climb, groups))
    return Picture(
        wide + (len(groups) - 1) * GROUP_GAP, high, lambda canvas, x, y: _groups(canvas, x, y, groups)
    )


def _size(group: str) -> int:
    return OPEN if group.endswith("*") else int(group[1:])


def _climb(group: str) -> int:
    return _size(group) - 1 if group[0] == IN_A_ROW else 0


def _groups(canvas: Canvas, x: int, y: int, groups: list[str]) -> None:
    """Draw groups of cards: alike they lie level, in a row they climb."""
    highest = max(map(_climb, groups))
    for group in groups:
        for number in range(_size(group)):
            top = y + highest - (number if group[0] == IN_A_ROW else 0)
            _box(canvas, x, top, CARD_WIDE, CARD_HIGH)
            if group[0] == ALIKE:
                canvas.fill(x + 2, top + 2, 2, 2)
            if number == OPEN - 1 and group.endswith("*"):
                canvas.text(x + CARD_WIDE + 1, top, "…", SMALL)
            x += CARD_STEP
        x += CARD_WIDE - CARD_STEP + GROUP_GAP


def _box(canvas: Canvas, x: int, y: int, width: int, height: int) -> None:
    canvas.fill(x, y, width, height)
    canvas.clear(x + 1, y + 1, width - 2, height - 2)


def _tile(canvas: Canvas, x: int, y: int, halves: tuple[int, int]) -> None:
    """Draw a tile that lies, its halves beside each other."""
    for number, pips in enumerate(halves):
        left = x + number * (HALF - 1)
        _box(canvas, left, y, HALF, HALF)
        for across, down in _places(pips):
            canvas.fill(left + across, y + down, PIP if pips < len(_PIPS) else 2, PIP)


def _places(pips: int) -> list[tuple[int, int]]:
    """Return where the pips of a half stand, from its top left."""
    if pips < len(_PIPS):
        return [(3 + (int(at) - 1) % 3 * 6, 3 + (int(at) - 1) // 3 * 6) for at in _PIPS[pips]]
    rows = enumerate(_ROWS[pips - len(_PIPS)])
    return [(9 + 3 * (2 * n + 1 - count) // 2, 3 + row * 6) for row, count in rows for n in range(count)]
