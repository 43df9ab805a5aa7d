"""Fonts for names that a reader's machine cannot write: the letters asked for, and no others.

Chinese, Korean, emoji and whatever stands alone comes from GNU Unifont, as pixels; scripts whose letters
join, stack or change places are cut out of the small Noto fonts. Both are the OLED's (`hardware/fonts`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import english
from lastnose.companion.i18n.glyphs import UNIFONT_ROWS, Glyph, noto, scripts, unifont

if TYPE_CHECKING:
    import uharfbuzz

# ---- Letters as pixels in, a TrueType font out: for names that a machine has no font for. Pure.
#
# Only what browsers ask of a font is in it: outlines (a rectangle a run of pixels), widths, a character map.

UNITS = 64  # to a pixel
ABOVE = 14  # rows over the baseline
_EM = UNIFONT_ROWS * UNITS
_MAGIC = 0xB1B0AFBA


Rectangle = tuple[int, int, int, int]


def rectangles(glyph: Glyph) -> list[Rectangle]:
    """Return the lit pixels as few rectangles (left, bottom, right, top), in units over the baseline.

    >>> rectangles(Glyph((0b110, 0b110, 0b001), 3))
    [(0, 768, 128, 896), (128, 704, 192, 768)]
    """
    left = -glyph.width if glyph.mark else 0
    open_runs: dict[tuple[int, int], int] = {}
    found: list[Rectangle] = []
    for number, row in enumerate((*glyph.rows, 0)):
        runs = set(_runs(row, glyph.width))
        for run in [run for run in open_runs if run not in runs]:
            top, bottom = ABOVE - open_runs.pop(run), ABOVE - number
            found.append(((left + run[0]) * UNITS, bottom * UNITS, (left + run[1]) * UNITS, top * UNITS))
        for run in runs:
            open_runs.setdefault(run, number)
    return sorted(found, key=lambda one: (-one[3], one[0]))


def _runs(row: int, width: int) -> Iterator[tuple[int, int]]:
    """Return where the lit runs of *row* begin and end."""
    begins = None
    for x in range(width + 1):
        lit = x < width and row >> width - 1 - x & 1
        if lit and begins is None:
            begins = x
        elif not lit and begins is not None:
            yield begins, x
            begins = None


def pixel_font(glyphs: Mapping[int, Glyph]) -> bytes:
    """Return a font with *glyphs* by code point."""
    codes = sorted(glyphs)
    drawn = [b"", *(_outline(rectangles(glyphs[code])) for code in codes)]
    widths = [_EM // 2, *(0 if glyphs[code].mark else glyphs[code].width * UNITS for code in codes)]
    offsets = [0]
    for one in drawn:
        offsets.append(offsets[-1] + len(one))
    most = max((len(rectangles(glyphs[code])) for code in codes), default=0)
    tables = {
        b"OS/2": _os2(codes),
        b"cmap": _cmap(codes),
        b"glyf": b"".join(drawn) or b"\0",
        b"head": _head(),
        b"hhea": struct.pack(
            ">IhhhHhhhhhh8xhH",
            0x10000,
            ABOVE * UNITS,
            (ABOVE - UNIFONT_ROWS) * UNITS,
            0,
            max(widths),
            *(-_EM, -_EM, _EM, 1, 0, 0),
            0,
            len(widths),
        ),
        b"hmtx": b"".join(struct.pack(">Hh", width, 0) for width in widths),
        b"loca": struct.pack(f">{len(offsets)}I", *offsets),
        b"maxp": struct.pack(">IHHH11H", 0x10000, len(drawn), 4 * most, most, *(0, 0, 1), *(0,) * 8),
        b"name": _name("Last Nose names"),
        b"post": _post(),
    }
    return _joined(tables)


def _outline(parts: list[Rectangle]) -> bytes:
    if not parts:
        return b""
    edges = [(left, top, right, top, right, bottom, left, bottom) for left, bottom, right, top in parts]
    xs = [x for edge in edges for x in edge[0::2]]
    ys = [y for edge in edges for y in edge[1::2]]
    box = (len(parts), min(xs), min(ys), max(xs), max(ys))
    ends = (4 * number + 3 for number in range(len(parts)))
    made = struct.pack(">5h", *box) + struct.pack(f">{len(parts)}HH", *ends, 0) + b"\1" * len(xs)
    for line in (xs, ys):
        steps = [b - a for a, b in zip([0, *line], line, strict=False)]
        made += struct.pack(f">{len(steps)}h", *steps)
    return made + b"\0" * (-len(made) % 4)


def _cmap(codes: list[int]) -> bytes:
    groups = b"".join(struct.pack(">III", code, code, place) for place, code in enumerate(codes, 1))
    table = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(codes)) + groups
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def _head() -> bytes:
    times = struct.pack(">qq", 0, 0)
    return (
        struct.pack(">IIIIHH", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0b11, _EM)
        + times
        + struct.pack(">hhhhHHhhh", -_EM, -_EM, _EM, _EM, 0, 8, 2, 1, 0)
    )


def _os2(codes: list[int]) -> bytes:
    first, last = (min(codes[0], 0xFFFF), min(codes[-1], 0xFFFF)) if codes else (0, 0)
    return (
        struct.pack(">HhHHH", 4, _EM // 2, 400, 5, 0)
        + struct.pack(">10hh", *(_EM // 2,) * 10, 0)
        + b"\0" * 10
        + struct.pack(">4I4s", 0, 0, 0, 0, b"NOSE")
        + struct.pack(
            ">HHHhhhHH", 0x40, first, last, ABOVE * UNITS, (ABOVE - UNIFONT_ROWS) * UNITS, 0, _EM, 2 * UNITS
        )
        + struct.pack(">IIhhHHH", 0, 0, _EM // 2, 10 * UNITS, 0, 32, 1)
    )


def _name(name: str) -> bytes:
    said = name.encode("utf-16-be")
    ids = (1, 2, 4, 6)
    records = b"".join(struct.pack(">6H", 3, 1, 0x409, number, len(said), 0) for number in ids)
    return struct.pack(">HHH", 0, len(ids), 6 + len(records)) + records + said


def completed(font: bytes) -> bytes:
    """Return *font* with the tables that browsers insist on and that shaping and drawing do without."""
    (number,) = struct.unpack_from(">H", font, 4)
    tables: dict[bytes, bytes] = {}
    for place in range(number):
        tag, _, at, length = struct.unpack_from(">4sIII", font, 12 + 16 * place)
        tables[tag] = font[at : at + length]
    tables[b"head"] = tables[b"head"][:8] + b"\0" * 4 + tables[b"head"][12:]  # the sum is made again
    tables.setdefault(b"OS/2", _os2([]))
    tables.setdefault(b"name", _name("Last Nose names"))
    tables.setdefault(b"post", _post())
    return _joined(tables)


def _post() -> bytes:
    return struct.pack(">IIhhIIIII", 0x30000, 0, -UNITS, UNITS, *(0,) * 5)


def _joined(tables: dict[bytes, bytes]) -> bytes:
    """Return the tables behind their directory; the whole adds up to the magic number, as it must."""
    number = len(tables)
    power = number.bit_length() - 1
    found = struct.pack(">IHHHH", 0x10000, number, 16 << power, power, (number << 4) - (16 << power))
    at = len(found) + 16 * number
    body, head_at = b"", 0
    for tag, table in sorted(tables.items()):
        found += tag + struct.pack(">III", _sum(table), at + len(body), len(table))
        if tag == b"head":
            head_at = at + len(body)
        body += table + b"\0" * (-len(table) % 4)
    whole = bytearray(found + body)
    struct.pack_into(">I", whole, head_at + 8, (_MAGIC - _sum(bytes(whole))) & 0xFFFFFFFF)
    return bytes(whole)


def _sum(table: bytes) -> int:
    padded = table + b"\0" * (-len(table) % 4)
    words: tuple[int, ...] = struct.unpack(f">{len(padded) // 4}I", padded)
    return sum(words) & 0xFFFFFFFF


name_fonts = Blueprint("name_fonts", __name__)

MOST_LETTERS = 400
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_PIXELS = "pixels"
_FOR_LONG = "public, max-age=86400"


@name_fonts.get("/names.json")
def faces() -> Response:
    """Tell which fonts together have the letters of `text`, each with its letters."""
    by_font: dict[str, list[str]] = {}
    for letter in sorted(set(_asked("text")) - set(_JOINERS)):
        font = font_of(letter)
        if font is not None:
            by_font.setdefault(font, []).append(letter)
    told = [
        {"url": f"/names.ttf?{urlencode({'font': font, 'text': ''.join(letters)})}", "text": "".join(letters)}
        for font, letters in sorted(by_font.items())
    ]
    return Response(msgspec.json.encode(told), mimetype="application/json")


@name_fonts.get("/names.ttf")
def face() -> Response:
    """Return a font with the letters of `text`, cut out of `font`."""
    font, letters = request.args.get("font", ""), "".join(sorted(set(_asked("text"))))
    if font != _PIXELS and font not in scripts():
        raise BadInput(english("There is no font “{name}”.", name=font[:60]))
    made = Response(_pixels(letters) if font == _PIXELS else _cut(font, letters), mimetype="font/ttf")
    made.headers["Cache-Control"] = _FOR_LONG
    return made


def _asked(name: str) -> str:
    found = request.args.get(name, "")
    if len(found) > MOST_LETTERS:
        raise BadInput(english("Ask for at most {n} letters at once.", n=MOST_LETTERS))
    return found


def font_of(letter: str) -> str | None:
    """Return the font that has *letter*: of its script, or the pixels; None when none has.

    >>> font_of("न"), font_of("雨"), font_of("\\U000F0000")
    ('SansDevanagari', 'pixels', None)
    """
    code = ord(letter)
    for font, spans in scripts().items():
        if any(first <= code <= last for first, last in spans):
            return font
    return _PIXELS if unifont(code) is not None else None


@lru_cache(maxsize=64)
def _pixels(letters: str) -> bytes:
    glyphs = {ord(letter): unifont(ord(letter)) for letter in letters}
    return pixel_font({code: glyph for code, glyph in glyphs.items() if glyph is not None})


@lru_cache(maxsize=64)
def _cut(font: str, letters: str) -> bytes:
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(map(ord, letters + _JOINERS + " "))
    return completed(bytes(uharfbuzz.subset(_noto(font), wanted).blob.data))


@lru_cache(maxsize=8)
def _noto(font: str) -> uharfbuzz.Face:
    import uharfbuzz

    return uharfbuzz.Face(noto(font))
