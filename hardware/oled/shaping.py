"""A word of a script whose letters change with their neighbours in, its picture out.

Arabic letters join; the signs of Indic scripts change places, merge and stack. HarfBuzz shapes them with the
small Noto fonts of `hardware/fonts/noto.zip`; it and they are loaded when the first such word is to be drawn.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from lastnose.companion.i18n import glyphs
from lastnose.companion.i18n.glyphs import Glyph, face, hex_table, scripts

if TYPE_CHECKING:
    import uharfbuzz

# ---- A character in, its picture out: the bitmap fonts of `hardware/fonts`, read when they are first needed.
#
# What no font has becomes its code point in a small box, so that nothing on the screen is a riddle.

# The sixteen hexadecimal digits, 3 pixels wide: five rows each, written in octal.
_DIGITS = (
    *("75557", "26227", "71747", "71317", "55711", "74717", "74757", "71222"),
    *("75757", "75717", "25755", "65656", "34443", "65556", "74647", "74644"),
)


class DrawnText(NamedTuple):
    """A piece of drawn text: an integer a row, `width` pixels wide."""

    rows: tuple[int, ...]
    width: int


@cache
def hex_font(name: str) -> dict[str, str]:
    """Return the glyphs of the font *name* ("6x13" or "5x8") in hexadecimal, by code point in hexadecimal."""
    return hex_table((files("lastnose.hardware") / "fonts" / f"{name}.hex").read_text(encoding="ascii"))


def unifont(char: str) -> Glyph:
    """Return *char* as GNU Unifont draws it, 16 rows high, or its code point in a box."""
    return glyphs.unifont(ord(char)) or code_box(ord(char))


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


ROWS, ABOVE = 16, 13  # rows of a line, and how many of them are above the baseline
SIZES = range(13, 7, -1)  # pixels an em, from what reads best to what fits the tallest stack
DARK = 100  # of 255: how much of a pixel must be covered for it to be lit
UNIT = 64  # to a pixel, as HarfBuzz counts
MARGIN = 48  # pixels around the word, for what hangs out
_LIT = bytes(ord("1" if cover >= DARK else "0") for cover in range(256))
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


class Ink(NamedTuple):
    """A word as drawn: its rows, `above` of them over the baseline, `width` pixels wide."""

    rows: list[int]
    above: int
    width: int


def script_of(char: str) -> str | None:
    """Return the font that shapes *char*, None when it can be drawn by itself.

    >>> script_of("ग"), script_of("g"), script_of("ג")
    ('SansDevanagari', None, None)
    """
    if char < "\u0600":
        return None
    begins, ends = _served()
    at = bisect_right(begins, ord(char)) - 1
    return ends[at][1] if at >= 0 and ord(char) <= ends[at][0] else None


def is_joiner(char: str) -> bool:
    """Return whether *char*, itself unseen, tells its neighbours to join or not to."""
    return char in _JOINERS


@lru_cache(maxsize=512)
def shaped(word: str, script: str, times: int = 1) -> DrawnText:
    """Draw *word*, all of one *script* (of `script_of`), 16 rows high, or so many *times* that.

    What hangs too low is moved up, and what is too tall for the line is drawn smaller.
    """
    most = times * ROWS
    for size in SIZES:
        ink = drawn(word, script, times * size)
        lit = [at for at, row in enumerate(ink.rows) if row] or [ink.above - 1]
        if lit[-1] - lit[0] < most:
            break
    top = max(min(ink.above - times * ABOVE, lit[0]), lit[-1] - most + 1)
    return DrawnText(tuple(ink.rows[top : top + most]), ink.width)


def drawn(word: str, script: str, size: int) -> Ink:
    """Draw *word* at *size* pixels an em, with room above and below."""
    import uharfbuzz

    font = uharfbuzz.Font(face(script))
    font.scale = (size * UNIT, size * UNIT)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(word)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    advance = -(-sum(place.x_advance for place in buffer.glyph_positions) // UNIT)
    pen = uharfbuzz.RasterDraw()
    pen.scale_factor = (UNIT, UNIT)
    pen.extents = uharfbuzz.RasterExtents(-MARGIN, -MARGIN, advance + 2 * MARGIN, 3 * MARGIN, 0)
    x = 0
    for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        pen.transform = (1, 0, 0, 1, x + place.x_offset, place.y_offset)
        pen.draw_glyph(font, glyph.codepoint)
        x += place.x_advance
    return _cut(_rows(pen.render()), advance)


def _rows(image: uharfbuzz.RasterImage) -> list[int]:
    """Return the lit pixels of *image*, an integer a row from the top."""
    data, stride, width = bytes(image.buffer), image.extents.stride, image.extents.width
    starts = range(len(data) - stride, -1, -stride)
    return [int(data[at : at + width].translate(_LIT), 2) for at in starts]


def _cut(rows: list[int], advance: int) -> Ink:
    """Return *rows* without the margins at their sides, but for what hangs out into them."""
    width, ink = advance + 2 * MARGIN, 0
    for row in rows:
        ink |= row
    left = min(MARGIN, width - ink.bit_length())
    right = min(MARGIN, (ink & -ink).bit_length() - 1) if ink else MARGIN
    kept = max(1, width - left - right)
    return Ink([row >> right & (1 << kept) - 1 for row in rows], 2 * MARGIN, kept)


@cache
def _served() -> tuple[list[int], list[tuple[int, str]]]:
    """Return where each span of served characters begins; and for each where it ends, and its font."""
    found = [(first, last, script) for script, spans in scripts().items() for first, last in spans]
    found.sort()
    return [first for first, _, _ in found], [(last, script) for _, last, script in found]


# ---- A message in, its pieces from left to right out: characters with their marks, and words to be shaped.

_RIGHT_TO_LEFT = {"R", "AL"}
_COMBINING = {"Mn", "Me"}
_SEPARATORS = {"B", "S"}
_TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
# Colours of skin, and which variant of an emoji.
_UNSEEN = frozenset(map(chr, (*range(0x1F3FB, 0x1F400), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def pieces(message: str) -> list[str]:
    """Return *message* cut, in reading order, into what is drawn as one.

    That is a character and the marks upon it, or a word of a script whose letters depend on each other. What
    is not to be seen by itself is left out: variants of emoji, and controls where nothing joins.

    >>> [len(part) for part in pieces("nq\u0308z")]
    [1, 2, 1]
    >>> pieces("1 गधा")
    ['1', ' ', 'गधा']
    """
    parts: list[str] = []
    last: str | None = None
    for char in unicodedata.normalize("NFC", message):
        script = script_of(char)
        if parts and last is not None and (script == last or is_joiner(char)):
            parts[-1] += char
            continue
        kind = unicodedata.category(char)
        if script is None and (kind == "Cf" or char in _UNSEEN):
            continue
        if script is None and parts and last is None and kind in _COMBINING:
            parts[-1] += char
        else:
            parts.append(char)
        last = script
    return parts


def visual_order(parts: list[str]) -> list[str]:
    """Return the pieces *parts* as they stand from left to right; Hebrew and Arabic run the other way.

    A message with any other letter in it runs from left to right, as the languages of the screen do. The
    rest is Unicode's bidirectional algorithm (UAX 9): numbers keep their direction, brackets are turned with
    what they hold, and what has no direction takes that of its neighbours if they agree.

    >>> visual_order(list("\u05d0\u05d1 (ok) 12")) == list("\u05d1\u05d0 (ok) 12")
    True
    >>> visual_order(list("\u05d0 (\u05d1) 12")) == list("12 (\u05d1) \u05d0")
    True
    """
    if not any(map(right_to_left, parts)):
        return parts
    from bidi import get_display
    from bidi.mirror import MIRRORED

    ways = [unicodedata.bidirectional(part[0]) for part in parts]
    # Each piece goes in as its first character with two that the algorithm passes over: its number.
    numbered = "".join(
        (" " if way in _SEPARATORS else part[0]) + _TAGS[at // 96] + _TAGS[at % 96]
        for at, (part, way) in enumerate(zip(parts, ways, strict=True))
    )
    # A mark at the end keeps blanks there as they would be, and with them their numbers.
    shown = (
        get_display(numbered + "\u200e", base_dir="L")[:-1]
        if "L" in ways
        else get_display(numbered + "\u200f", base_dir="R")[1:]
    )
    ordered = []
    for chunk in (shown[start : start + 3] for start in range(0, len(shown), 3)):
        turned = chunk[0] in _TAGS
        high, low = chunk[1::-1] if turned else chunk[1:]
        part = parts[96 * _TAGS.index(high) + _TAGS.index(low)]
        ordered.append(MIRRORED.get(part, part) if turned else part)
    return ordered


def right_to_left(part: str) -> bool:
    """Return whether *part* begins with a letter of a script that runs from right to left."""
    return unicodedata.bidirectional(part[:1] or " ") in _RIGHT_TO_LEFT
