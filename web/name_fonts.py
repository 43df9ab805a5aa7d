"""Fonts for names that a reader's machine cannot write: the letters asked for, and no others.

Chinese, Korean, emoji and whatever stands alone is cut out of GNU Unifont, scripts whose letters join, stack
or change places out of the small Noto fonts. Both are the OLED's (`hardware/fonts`).
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import english
from lastnose.companion.i18n.glyphs import face, font_of

name_fonts = Blueprint("name_fonts", __name__)

MOST_LETTERS = 400
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
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
        {"url": f"/names.otf?{urlencode({'font': font, 'text': ''.join(letters)})}", "text": "".join(letters)}
        for font, letters in by_font.items()
    ]
    return Response(msgspec.json.encode(told), mimetype="application/json")


@name_fonts.get("/names.otf")
def some_letters() -> Response:
    """Return a font with the letters of `text`, cut out of `font`."""
    font, letters = request.args.get("font", ""), "".join(sorted(set(_asked("text"))))
    try:
        made = Response(_cut(font, letters), mimetype="font/otf")
    except KeyError as problem:
        raise BadInput(english("There is no font “{name}”.", name=font[:60])) from problem
    made.headers["Cache-Control"] = _FOR_LONG
    return made


def _asked(name: str) -> str:
    found = request.args.get(name, "")
    if len(found) > MOST_LETTERS:
        raise BadInput(english("Ask for at most {n} letters at once.", n=MOST_LETTERS))
    return found


@lru_cache(maxsize=64)
def _cut(font: str, letters: str) -> bytes:
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(map(ord, letters + _JOINERS + " "))
    return bytes(uharfbuzz.subset(face(font), wanted).blob.data)
