"""The fonts that come along for names in any script: GNU Unifont’s pixels, small Noto fonts to be shaped."""

from __future__ import annotations

import zipfile
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

UNIFONT_ROWS = 16


class Glyph(NamedTuple):
    """A character's picture: `rows` from the top, an integer each, the leftmost pixel highest.

    A `mark` is laid over the character before it, and ends where that ends.
    """

    rows: tuple[int, ...]
    width: int
    mark: bool = False


def packed(archive: str, entry: str) -> bytes:
    """Return *entry* of the archive of that name in `hardware/fonts`; raise KeyError when it has none."""
    with (
        (files("lastnose.hardware") / "fonts" / archive).open("rb") as stream,
        zipfile.ZipFile(stream) as opened,
    ):
        return opened.read(entry)


def noto(script: str) -> bytes:
    """Return the Noto font of a *script* (of `scripts`), a TrueType file."""
    return packed("noto.zip", f"{script}.ttf")


@cache
def scripts() -> dict[str, list[tuple[int, int]]]:
    """Return which characters each Noto font serves, as spans of code points: the first and the last."""
    found: dict[str, list[tuple[int, int]]] = {}
    for line in packed("noto.zip", "scripts.txt").decode("ascii").splitlines():
        script, *spans = line.split()
        ends = (span.split("-") for span in spans)
        found[script] = [(int(first, 16), int(last, 16)) for first, last in ends]
    return found


@lru_cache(maxsize=4096)
def unifont(code: int) -> Glyph | None:
    """Return the character *code* as GNU Unifont draws it, 16 rows high; None for one that it lacks."""
    found = _block(code >> 8).get(f"{code:04X}")
    if found is None:
        return None
    digits = found.removeprefix("-")
    width = len(digits) * 4 // UNIFONT_ROWS
    data, a_row = bytes.fromhex(digits), width // 8
    rows = (int.from_bytes(data[at : at + a_row], "big") for at in range(0, len(data), a_row))
    return Glyph(tuple(rows), width, found.startswith("-"))


@lru_cache(maxsize=128)
def _block(number: int) -> dict[str, str]:
    """Return the glyphs of block *number* of 256 code points; those that Unifont lacks are not there."""
    try:
        return hex_table(packed("unifont.zip", f"{number:03X}.hex").decode("ascii"))
    except KeyError:
        return {}


def hex_table(lines: str) -> dict[str, str]:
    """Return the glyphs of a .hex font in hexadecimal, by code point in hexadecimal."""
    return dict(line.split(":") for line in lines.split())
