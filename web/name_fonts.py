"""Fonts for names that a reader's machine cannot write: the letters asked for, and no others.

Chinese, Korean, emoji and whatever stands alone comes from GNU Unifont, as pixels; scripts whose letters
join, stack or change places are cut out of the small Noto fonts. Both are the OLED's (`hardware/fonts`).
"""

from __future__ import annotations

import zipfile
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request

from companion.core.errors import BadInput
from companion.core.text import text
from web.pixel_font import ROWS, PixelGlyph, completed, pixel_font

if TYPE_CHECKING:
    import uharfbuzz

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
    if font != _PIXELS and font not in _spans():
        raise BadInput(text("There is no font “{name}”.", name=font[:60]))
    made = Response(_pixels(letters) if font == _PIXELS else _cut(font, letters), mimetype="font/ttf")
    made.headers["Cache-Control"] = _FOR_LONG
    return made


def _asked(name: str) -> str:
    found = request.args.get(name, "")
    if len(found) > MOST_LETTERS:
        raise BadInput(text("Ask for at most {n} letters at once.", n=MOST_LETTERS))
    return found


def font_of(letter: str) -> str | None:
    """Return the font that has *letter*: of its script, or the pixels; None when none has.

    >>> font_of("न"), font_of("雨"), font_of("\\U000F0000")
    ('SansDevanagari', 'pixels', None)
    """
    code = ord(letter)
    for font, spans in _spans().items():
        if any(first <= code <= last for first, last in spans):
            return font
    return _PIXELS if _glyph(code) is not None else None


@lru_cache(maxsize=64)
def _pixels(letters: str) -> bytes:
    glyphs = {ord(letter): _glyph(ord(letter)) for letter in letters}
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

    return uharfbuzz.Face(_packed("noto.zip", f"{font}.ttf"))


@cache
def _spans() -> dict[str, list[tuple[int, int]]]:
    """Return which characters each Noto font serves."""
    found: dict[str, list[tuple[int, int]]] = {}
    for line in _packed("noto.zip", "scripts.txt").decode("ascii").splitlines():
        font, *spans = line.split()
        ends = (span.split("-") for span in spans)
        found[font] = [(int(first, 16), int(last, 16)) for first, last in ends]
    return found


def _glyph(code: int) -> PixelGlyph | None:
    found = _block(code >> 8).get(code)
    if found is None:
        return None
    digits = found.removeprefix("-")
    width = len(digits) * 4 // ROWS
    step = width // 4
    rows = tuple(int(digits[at : at + step], 16) for at in range(0, len(digits), step))
    return PixelGlyph(rows, width, found.startswith("-"))


@lru_cache(maxsize=64)
def _block(number: int) -> dict[int, str]:
    """Return the glyphs of 256 code points in hexadecimal; none of a block that Unifont lacks."""
    try:
        lines = _packed("unifont.zip", f"{number:03X}.hex").decode("ascii").split()
    except KeyError:
        return {}
    return {int(code, 16): digits for code, digits in (line.split(":") for line in lines)}


def _packed(archive: str, entry: str) -> bytes:
    with (files("hardware") / "fonts" / archive).open("rb") as stream, zipfile.ZipFile(stream) as opened:
        return opened.read(entry)
