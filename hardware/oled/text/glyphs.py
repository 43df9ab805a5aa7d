"""A character in, its picture out: the bitmap fonts of `hardware/fonts`, read when they are first needed.

What no font has becomes its code point in a small box, so that nothing on the screen is a riddle.
"""

from __future__ import annotations

import zipfile
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

UNIFONT_ROWS = 16

# The sixteen hexadecimal digits, 3 pixels wide: five rows each, written in octal.
_DIGITS = (
    *("75557", "26227", "71747", "71317", "55711", "74717", "74757", "71222"),
    *("75757", "75717", "25755", "65656", "34443", "65556", "74647", "74644"),
)


class DrawnText(NamedTuple):
    """A piece of drawn text: an integer a row, `width` pixels wide."""

    rows: tuple[int, ...]
    width: int


class Glyph(NamedTuple):
    """A character's picture; a `mark` is laid over the character before it, and ends where that ends."""

    rows: tuple[int, ...]
    width: int
    mark: bool


@cache
def hex_font(name: str) -> dict[str, str]:
    """Return the glyphs of the font *name* ("6x13" or "5x8") in hexadecimal, by code point in hexadecimal."""
    return _table((files("hardware") / "fonts" / f"{name}.hex").read_text(encoding="ascii"))


def packed(archive: str, entry: str) -> bytes:
    """Return *entry* of the archive of that name in `hardware/fonts`; raises KeyError when it has none."""
    with (files("hardware") / "fonts" / archive).open("rb") as stream, zipfile.ZipFile(stream) as opened:
        return opened.read(entry)


@lru_cache(maxsize=4096)
def unifont(char: str) -> Glyph:
    """Return *char* as GNU Unifont draws it, 16 rows high, or its code point in a box."""
    code = ord(char)
    found = _block(code >> 8).get(f"{code:04X}")
    if found is None:
        return code_box(code)
    digits = found.removeprefix("-")
    width = len(digits) * 4 // UNIFONT_ROWS
    data, a_row = bytes.fromhex(digits), width // 8
    rows = (int.from_bytes(data[at : at + a_row], "big") for at in range(0, len(data), a_row))
    return Glyph(tuple(rows), width, found.startswith("-"))


def code_box(code: int) -> Glyph:
    """Return the hexadecimal digits of *code*, four or six, in two lines with a frame around them.

    >>> code_box(0xE000).width, code_box(0x10FFFF).width
    (12, 16)
    """
    digits = f"{code:04X}" if code <= 0xFFFF else f"{code:06X}"
    a_line = len(digits) // 2
    inner = 4 * a_line + 1
    rows = [0]
    for line in (digits[:a_line], digits[a_line:]):
        for at in range(5):
            row = 0
            for digit in line:
                row = row << 4 | int(_DIGITS[int(digit, 16)][at], 8)
            rows.append(row << 1)
        rows.append(0)
    edge = (1 << inner + 2) - 1
    framed = [edge, *(1 << inner + 1 | row << 1 | 1 for row in rows), edge]
    return Glyph((*(row << 1 for row in framed), 0), inner + 3, mark=False)


@lru_cache(maxsize=128)
def _block(number: int) -> dict[str, str]:
    """Return the glyphs of block *number* of 256 code points; those that Unifont lacks are not there."""
    try:
        return _table(packed("unifont.zip", f"{number:03X}.hex").decode("ascii"))
    except KeyError:
        return {}


def _table(lines: str) -> dict[str, str]:
    return dict(line.split(":") for line in lines.split())
