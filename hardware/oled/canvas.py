"""Text and rectangles in, a one-bit picture out: the fonts and the canvas of every OLED screen.

A canvas keeps a row of pixels as one integer, so that a line of text costs a dozen shifts.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from functools import cache, lru_cache

from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.i18n.glyphs import UNIFONT_ROWS
from lastnose.hardware.oled.shaping import (
    DrawnText,
    hex_font,
    pieces,
    script_of,
    shaped,
    unifont,
    visual_order,
)
from PIL import Image

ELLIPSIS = "…"
_HELD = re.compile(r"(?<=±) | (?=[µm]s\b)")


class Font(ABC):
    """What a line of text is written in: `height` pixels high, the baseline below the first `base` of them.

    A message of which the font does not know everything is drawn in the next taller one that does.
    """

    name: str
    height: int
    base: int

    @abstractmethod
    def suited(self, message: str) -> Font:
        """Return the font in which *message* is drawn: this one if it knows all of it, with its accents."""

    @abstractmethod
    def line(self, message: str) -> DrawnText:
        """Draw *message* on one line, as high as the font that suits it."""

    @abstractmethod
    def measure(self, message: str) -> int:
        """Return the width of *message* in pixels."""

    def fit(self, message: str, width: int) -> str:
        """Return *message*, cut and given an ellipsis when it is wider than *width* pixels.

        >>> load("6x13").fit("Maximilian", 48)
        'Maximil…'
        """
        if self.measure(message) <= width:
            return message
        parts = letters_of(message)
        cut = ["".join(parts[:end]).rstrip() + ELLIPSIS for end in range(len(parts) + 1)]
        return ["", *cut][bisect_right(cut, width, key=self.measure)]

    def start(self, message: str, width: int) -> str:
        """Return as much of the beginning of *message* as is at most *width* pixels wide, in whole letters.

        >>> load("6x13").start("Maximilian", 20)
        'Max'
        """
        parts = letters_of(message)
        ends = range(1, len(parts) + 1)
        return "".join(parts[: bisect_right(ends, width, key=lambda end: self.measure("".join(parts[:end])))])

    def wrap(self, message: str, width: int) -> list[str]:
        """Return *message* broken into lines of at most *width* pixels, at spaces where there are any.

        A no-break space holds its words together, and any space after ± or before a unit of time does.

        >>> load("6x13").wrap("Take the four jacks away", 60)
        ['Take the', 'four jacks', 'away']
        """
        font = self.suited(message)
        lines = [""]
        for word in _HELD.sub("\u00a0", message).split(" "):
            longer = f"{lines[-1]} {word}" if lines[-1] else word
            if font.measure(longer) <= width:
                lines[-1] = longer
            else:
                lines += font.broken(word, width)
        return [line for line in lines if line]

    def broken(self, word: str, width: int) -> list[str]:
        """Return *word* in parts of at most *width* pixels, each of a letter at least; no mark stands alone.

        A word breaks behind a hyphen where it has one.

        >>> load("6x13").broken("Anne-Sophie.", 64)
        ['Anne-', 'Sophie.']
        >>> load("6x13").broken("Wolfeschlegel.", 78)
        ['Wolfeschlege', 'l.']
        """
        parts = []
        while word and self.measure(word) > width:
            part = self.start(word, width) or letters_of(word)[0]
            parts.append(part[: part.rfind("-", 1) + 1] or part)
            word = word[len(parts[-1]) :]
        if parts and word and not any(map(str.isalnum, word)):
            *before, last = letters_of(parts[-1])
            parts, word = [*parts[:-1], *filter(None, ["".join(before)])], last + word
        return [*parts, word] if word else parts


class CellFont(Font):
    """A fixed-width bitmap font, read from `hardware/fonts`: `width` pixels a character."""

    def __init__(self, name: str, base: int, taller: Font) -> None:
        self.name, self.base = name, base
        width, height = name.split("x")
        self.width, self.height = int(width), int(height)
        self._taller = taller
        self._glyphs = hex_font(name)

    @lru_cache(maxsize=512)  # noqa: B019 - there are two fonts, and they live as long as the program
    def suited(self, message: str) -> Font:
        return self if all(map(self.draws, pieces(message))) else self._taller.suited(message)

    def draws(self, piece: str) -> bool:
        """Return whether the font knows all of *piece* (of `hardware.oled.shaping.pieces`)."""
        return all(f"{ord(char):04X}" in self._glyphs for char in piece) and script_of(piece[0]) is None

    @lru_cache(maxsize=512)  # noqa: B019
    def line(self, message: str) -> DrawnText:
        font = self.suited(message)
        if font is not self:
            return font.line(message)
        rows = [0] * self.height
        width = 0
        for piece in visual_order(pieces(message)):
            rows = [row << self.width | bits for row, bits in zip(rows, self.cell(piece), strict=True)]
            width += self.width
        return DrawnText(tuple(rows), width)

    def measure(self, message: str) -> int:
        if message.isascii():
            return self.width * len(message)
        font = self.suited(message)
        return self.width * len(pieces(message)) if font is self else font.measure(message)

    def start(self, message: str, width: int) -> str:
        if self.suited(message) is not self:
            return super().start(message, width)
        return "".join(pieces(message)[: max(0, width // self.width)])

    def cell(self, piece: str) -> tuple[int, ...]:
        """Return the picture of a character and the marks upon it, which the font knows."""
        rows = [0] * self.height
        for char in piece:
            glyph = bytes.fromhex(self._glyphs[f"{ord(char):04X}"])
            rows = [row | byte >> (8 - self.width) for row, byte in zip(rows, glyph, strict=True)]
        return tuple(rows)


class TallFont(Font):
    """A line in which every script has room: what 6x13 knows is drawn with it, all else 16 pixels high."""

    name, height, base = "tall", UNIFONT_ROWS, 14

    def suited(self, message: str) -> Font:
        """Return itself: what no font knows is its code point in a box."""
        return self

    @lru_cache(maxsize=512)  # noqa: B019
    def line(self, message: str) -> DrawnText:
        return self.enlarged(message, 1)

    @lru_cache(maxsize=64)  # noqa: B019
    def enlarged(self, message: str, times: int) -> DrawnText:
        """Draw *message* on a line so many *times* as high; what is shaped keeps its smooth edges."""
        rows = [0] * (times * self.height)
        width = 0
        for piece in visual_order(pieces(message)):
            drawn = _tall(piece, times)
            rows = [row << drawn.width | bits for row, bits in zip(rows, drawn.rows, strict=True)]
            width += drawn.width
        return DrawnText(tuple(rows), width)

    def measure(self, message: str) -> int:
        return self.line(message).width


def _tall(piece: str, times: int) -> DrawnText:
    """Draw *piece* (of `hardware.oled.shaping.pieces`) so many *times* 16 pixels high."""
    script = script_of(piece[0])
    if script is not None:
        return shaped(piece, script, times)
    line = _tall_cell(piece)
    rows = (row if times == 1 else _stretched(row, line.width, times) for row in line.rows)
    return DrawnText(tuple(row for row in rows for _ in range(times)), times * line.width)


def _tall_cell(piece: str) -> DrawnText:
    """Draw *piece*, a character with its marks, 16 pixels high."""
    plain = load("6x13")
    if plain.draws(piece):
        return DrawnText((*[0] * (UNIFONT_ROWS - plain.height), *plain.cell(piece)), plain.width)
    first, *marks = map(unifont, piece)
    rows, width = list(first.rows), first.width
    for mark in marks:
        widened = max(0, mark.width - width)
        rows = [row << widened | bits for row, bits in zip(rows, mark.rows, strict=True)]
        width += widened
    return DrawnText(tuple(rows), width)


@cache
def load(name: str) -> CellFont:
    """Return the font *name*: "6x13", or "5x8" for small print."""
    return CellFont(name, 11, tall()) if name == "6x13" else CellFont(name, 7, load("6x13"))


@cache
def tall() -> TallFont:
    """Return the font that writes everything."""
    return TallFont()


class Canvas:
    """A picture of *width* × *height* pixels, all dark; whatever falls outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows = [0] * height
        self._full = (1 << width) - 1

    def text(self, x: int, y: int, message: str, font: Font, scale: tuple[int, int] = (1, 1)) -> int:
        """Draw *message* with its cell's top left at *x*, *y*, stretched by *scale*; return the x after.

        In a taller font it keeps its baseline.
        """
        suited, (wide, high) = font.suited(message), scale
        y += high * (font.base - suited.base)
        if isinstance(suited, TallFont) and wide == high:
            line = suited.enlarged(message, wide)
            self._blit(x, y, line.rows, line.width)
            return x + line.width
        line = suited.line(message)
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

    def image(self, margin: int = 0) -> Image.Image:
        """Return the picture as a Pillow image of mode "1", with so many dark columns before it."""
        width = self.width + margin
        stride = -(-width // 8)
        pad = stride * 8 - width
        data = b"".join((row << pad).to_bytes(stride, "big") for row in self._rows)
        return Image.frombytes("1", (width, self.height), data)

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
