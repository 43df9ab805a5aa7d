"""Text and rectangles in, a one-bit picture out: the fonts and the canvas of every OLED screen.

A canvas keeps a row of pixels as one integer, so that a line of text costs a dozen shifts.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from PIL import Image

ELLIPSIS = "…"
_RIGHT_TO_LEFT = {"R", "AL"}
_STRONG = _RIGHT_TO_LEFT | {"L", "EN"}
_COMBINING = {"Mn", "Me"}


class Line(NamedTuple):
    """A drawn line of text: an integer a row, `width` pixels wide."""

    rows: tuple[int, ...]
    width: int


class Font:
    """A fixed-width bitmap font: `width` × `height` pixels a cell, read from `hardware/fonts`."""

    def __init__(self, name: str, glyphs: dict[str, str]) -> None:
        self.name = name
        width, height = name.split("x")
        self.width, self.height = int(width), int(height)
        self._glyphs = glyphs

    def has(self, char: str) -> bool:
        """Return whether the font knows *char*."""
        return f"{ord(char):04X}" in self._glyphs

    @lru_cache(maxsize=512)  # noqa: B019 - there are two fonts, and they live as long as the program
    def line(self, message: str) -> Line:
        """Draw *message* on one line; one that the font lacks loses its accents or is a grey block."""
        rows = [0] * self.height
        width = 0
        for cluster in visual_order(clusters(message)):
            rows = [row << self.width | bits for row, bits in zip(rows, self._cell(cluster), strict=True)]
            width += self.width
        return Line(tuple(rows), width)

    def measure(self, message: str) -> int:
        """Return the width of *message* in pixels."""
        return self.width * len(clusters(message))

    def fit(self, message: str, width: int) -> str:
        """Return *message*, cut and given an ellipsis when it is wider than *width* pixels.

        >>> load("6x13").fit("Maximilian", 48)
        'Maximil…'
        """
        room = width // self.width
        parts = clusters(message)
        if len(parts) <= room:
            return "".join(parts)
        return "".join(parts[: room - 1]).rstrip() + ELLIPSIS if room > 0 else ""

    def wrap(self, message: str, width: int) -> list[str]:
        """Return *message* broken into lines of at most *width* pixels, at spaces where there are any.

        A no-break space holds its words together.

        >>> load("6x13").wrap("Take the four jacks away", 60)
        ['Take the', 'four jacks', 'away']
        """
        room = max(1, width // self.width)
        lines = [""]
        for word in message.split(" "):
            parts = clusters(word)
            used = len(clusters(lines[-1]))
            if used and used + 1 + len(parts) <= room:
                lines[-1] += " " + word
                continue
            pieces = ["".join(parts[at : at + room]) for at in range(0, len(parts), room)]
            lines += pieces
        return [line for line in lines if line]

    def _cell(self, cluster: str) -> tuple[int, ...]:
        bits = self._glyph(cluster[0])
        for mark in cluster[1:]:
            if self.has(mark):
                bits = tuple(a | b for a, b in zip(bits, self._glyph(mark), strict=True))
        return bits

    def _glyph(self, char: str) -> tuple[int, ...]:
        plain = unicodedata.normalize("NFD", char)[0]
        found = self._glyphs.get(f"{ord(char):04X}") or self._glyphs.get(f"{ord(plain):04X}")
        if found is None:
            return self._box()
        return tuple(byte >> (8 - self.width) for byte in bytes.fromhex(found))

    def _box(self) -> tuple[int, ...]:
        """Return the picture of a character that is missing: a grey block of a capital's size."""
        base = self.height - (2 if self.height > 8 else 1)
        top = base - (9 if self.height > 8 else 6)
        dots = int("10" * self.width, 2) >> self.width
        grey = (dots & ~1, (dots >> 1) & ~1)
        return tuple(grey[row % 2] if top <= row < base else 0 for row in range(self.height))


def clusters(message: str) -> list[str]:
    """Return *message* cut into what takes one cell each: a character and the marks upon it.

    >>> [len(part) for part in clusters("nq\u0308z")]
    [1, 2, 1]
    """
    parts: list[str] = []
    for char in unicodedata.normalize("NFC", message):
        kind = unicodedata.category(char)
        if parts and kind in _COMBINING:
            parts[-1] += char
        elif kind != "Cf":
            parts.append(char)
    return parts


def visual_order(parts: list[str]) -> list[str]:
    """Return the cells *parts* as they stand from left to right; Hebrew and Arabic run the other way.

    Whole runs are turned round, as is their order when the line begins right to left; that is enough
    for names and for a word's letters.

    >>> visual_order(list("abc")) == list("abc")
    True
    >>> visual_order(list("\u05d0\u05d1 ok")) == list("ok \u05d1\u05d0")
    True
    """
    if not any(_right_to_left(part) for part in parts):
        return parts
    runs: list[list[str]] = []
    direction = None
    for part in parts:
        if unicodedata.bidirectional(part[0]) in _STRONG and _right_to_left(part) != direction:
            direction = _right_to_left(part)
            runs.append([])
        elif not runs:
            runs.append([])
        runs[-1].append(part)
    mirrored = _right_to_left(next(p for p in parts if unicodedata.bidirectional(p[0]) in _STRONG))
    ordered = [run[::-1] if _right_to_left(run[0]) else _end_first(run) if mirrored else run for run in runs]
    return [part for run in (ordered[::-1] if mirrored else ordered) for part in run]


def _right_to_left(part: str) -> bool:
    return unicodedata.bidirectional(part[0]) in _RIGHT_TO_LEFT


def _end_first(run: list[str]) -> list[str]:
    """Move the spaces at the end of a left-to-right *run* to its front."""
    end = len("".join(part[0] for part in run).rstrip(" "))
    return run[end:] + run[:end]


@cache
def load(name: str) -> Font:
    """Return the font *name* ("6x13" or "5x8")."""
    lines = (files("hardware") / "fonts" / f"{name}.hex").read_text(encoding="ascii").split()
    return Font(name, dict(line.split(":") for line in lines))


class Canvas:
    """A picture of *width* × *height* pixels, all dark; whatever falls outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows = [0] * height
        self._full = (1 << width) - 1

    def text(self, x: int, y: int, message: str, font: Font, scale: tuple[int, int] = (1, 1)) -> int:
        """Draw *message* with its cell's top left at *x*, *y*, stretched by *scale*; return the x after."""
        line = font.line(message)
        wide, high = scale
        width = line.width * wide
        rows = line.rows if wide == 1 else [_stretched(row, line.width, wide) for row in line.rows]
        self._blit(x, y, [row for row in rows for _ in range(high)], width)
        return x + width

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light a rectangle."""
        self._blit(x, y, [(1 << width) - 1] * height, width)

    def clear(self, x: int, y: int, width: int, height: int) -> None:
        """Darken a rectangle."""
        mask = self._full ^ self._placed((1 << width) - 1, x, width)
        for row in range(max(0, y), min(self.height, y + height)):
            self._rows[row] &= mask

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Turn dark to light and light to dark in a rectangle."""
        mask = self._placed((1 << width) - 1, x, width)
        for row in range(max(0, y), min(self.height, y + height)):
            self._rows[row] ^= mask

    def pattern(self, x: int, y: int, rows: tuple[str, ...], scale: int = 1) -> None:
        """Draw a small picture, written as strings with `#` for light."""
        for at, row in enumerate(rows):
            bits = int("".join(("1" if char == "#" else "0") * scale for char in row), 2)
            self._blit(x, y + at * scale, [bits] * scale, len(row) * scale)

    def image(self) -> Image.Image:
        """Return the picture as a Pillow image of mode "1"."""
        stride = -(-self.width // 8)
        pad = stride * 8 - self.width
        data = b"".join((row << pad).to_bytes(stride, "big") for row in self._rows)
        return Image.frombytes("1", (self.width, self.height), data)

    def _placed(self, bits: int, x: int, width: int) -> int:
        shift = self.width - x - width
        return (bits << shift if shift >= 0 else bits >> -shift) & self._full

    def _blit(self, x: int, y: int, rows: list[int] | tuple[int, ...], width: int) -> None:
        for at, bits in enumerate(rows, y):
            if bits and 0 <= at < self.height:
                self._rows[at] |= self._placed(bits, x, width)


@lru_cache(maxsize=1024)
def _stretched(bits: int, width: int, scale: int) -> int:
    """Return *bits*, each *scale* pixels wide."""
    digits = f"{bits:0{width}b}"
    return int(digits.replace("0", "0" * scale).replace("1", "1" * scale) or "0", 2)
