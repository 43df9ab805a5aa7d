"""The fonts that come along for names in any script: GNU Unifont’s pixels, small Noto fonts to be shaped."""

from __future__ import annotations

import zipfile
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import uharfbuzz

UNIFONT_ROWS = 16
_BELOW = 2  # rows under the baseline
_UNIT = 64  # to a pixel, as HarfBuzz counts
_LIT = bytes(48 + (cover > 127) for cover in range(256))  # "1" for a pixel that is covered, "0"


class Glyph(NamedTuple):
    """A character's picture: `rows` from the top, an integer each, the leftmost pixel highest.

    A `mark` is laid over the character before it, and ends where that ends.
    """

    rows: tuple[int, ...]
    width: int
    mark: bool = False


def _packed(archive: str, entry: str) -> bytes:
    """Return *entry* of the archive of that name in `hardware/fonts`; raise KeyError when it has none."""
    with (
        (files("lastnose.hardware") / "fonts" / archive).open("rb") as stream,
        zipfile.ZipFile(stream) as opened,
    ):
        return opened.read(entry)


@cache
def scripts() -> dict[str, list[tuple[int, int]]]:
    """Return which characters each Noto font serves, as spans of code points: the first and the last."""
    found: dict[str, list[tuple[int, int]]] = {}
    for line in _packed("noto.zip", "scripts.txt").decode("ascii").splitlines():
        script, *spans = line.split()
        ends = (span.split("-") for span in spans)
        found[script] = [(int(first, 16), int(last, 16)) for first, last in ends]
    return found


def font_of(letter: str) -> str | None:
    """Return the font that has *letter*: of its script, or a part of Unifont; None when none has.

    >>> font_of("न"), font_of("雨"), font_of("\\U000F0000")
    ('SansDevanagari', '09', None)
    """
    code = ord(letter)
    for font, spans in scripts().items():
        if any(first <= code <= last for first, last in spans):
            return font
    return None if unifont(code) is None else _part(code)


@lru_cache(maxsize=16)
def face(font: str) -> uharfbuzz.Face:
    """Return the *font* of that name (see `font_of`); raise KeyError when there is none."""
    import uharfbuzz

    return uharfbuzz.Face(_packed("noto.zip" if font in scripts() else "unifont.zip", f"{font}.otf"))


@lru_cache(maxsize=4096)
def unifont(code: int) -> Glyph | None:
    """Return the character *code* as GNU Unifont draws it, 16 rows high; None for one that it lacks."""
    import uharfbuzz

    try:
        font = uharfbuzz.Font(face(_part(code)))
    except KeyError:
        return None
    number = font.get_nominal_glyph(code)
    if number is None:
        return None
    font.scale = (UNIFONT_ROWS * _UNIT, UNIFONT_ROWS * _UNIT)
    advance = font.get_glyph_h_advance(number) // _UNIT
    pen = uharfbuzz.RasterDraw()
    pen.scale_factor = (_UNIT, _UNIT)
    # A mark stands left of where it is drawn, over the character before it.
    pen.extents = uharfbuzz.RasterExtents(
        0 if advance else -UNIFONT_ROWS, -_BELOW, UNIFONT_ROWS, UNIFONT_ROWS, 0
    )
    pen.draw_glyph(font, number)
    image = pen.render()
    data, stride = bytes(image.buffer), image.extents.stride
    starts = range((UNIFONT_ROWS - 1) * stride, -1, -stride)
    rows = [int(data[at : at + UNIFONT_ROWS].translate(_LIT), 2) for at in starts]
    if not advance:
        return Glyph(tuple(rows), 16 if any(row >> 8 for row in rows) else 8, mark=True)
    return Glyph(tuple(row >> UNIFONT_ROWS - advance for row in rows), advance)


def _part(code: int) -> str:
    """Return the part of Unifont that *code* is in: one for each 4,096 code points."""
    return f"{code >> 12:02X}"


def hex_table(lines: str) -> dict[str, str]:
    """Return the glyphs of a .hex font in hexadecimal, by code point in hexadecimal."""
    return dict(line.split(":") for line in lines.split())
