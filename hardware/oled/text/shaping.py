"""A word of a script whose letters change with their neighbours in, its picture out.

Arabic letters join; the signs of Indic scripts change places, merge and stack. HarfBuzz shapes them with the
small Noto fonts of `hardware/fonts/noto.zip`; it and they are loaded when the first such word is to be drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hardware.oled.text.glyphs import DrawnText, packed

if TYPE_CHECKING:
    import uharfbuzz

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

    font = uharfbuzz.Font(_face(script))
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
def _face(script: str) -> uharfbuzz.Face:
    import uharfbuzz

    return uharfbuzz.Face(packed("noto.zip", f"{script}.ttf"))


@cache
def _served() -> tuple[list[int], list[tuple[int, str]]]:
    """Return where each span of served characters begins; and for each where it ends, and its font."""
    found: list[tuple[int, int, str]] = []
    for line in packed("noto.zip", "scripts.txt").decode("ascii").splitlines():
        script, *spans = line.split()
        ends = [[int(end, 16) for end in span.split("-")] for span in spans]
        found += [(first, last, script) for first, last in ends]
    found.sort()
    return [first for first, _, _ in found], [(last, script) for _, last, script in found]
