"""Make `unifont.zip` from GNU Unifont's OpenType files: a text file for each 256 code points, a glyph a line.

Run once: `python tools/fonts/unifont.py /usr/share/fonts/opentype/unifont`. The result is the same on
every machine.
"""

from __future__ import annotations

import sys
import unicodedata
import zipfile
from pathlib import Path

import uharfbuzz

HERE = Path(__file__).parents[2] / "hardware" / "fonts"
ROWS, DESCENT = 16, 2
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def glyph(font: uharfbuzz.Font, code: int) -> str:
    """Return the glyph of *code* in hexadecimal, 16 rows of a byte or two, with a minus before a mark's."""
    number = font.get_nominal_glyph(code)
    advance = font.get_glyph_h_advance(number) // 64
    bits = _bits(font, number, 0 if advance else -16)
    if not advance:
        wide = any(row >> 8 for row in bits)
        return "-" + _hexadecimal(bits, 16 if wide else 8)
    return _hexadecimal([row >> (16 - advance) for row in bits], advance)


def _bits(font: uharfbuzz.Font, number: int, left: int) -> list[int]:
    """Return 16 rows of 16 pixels of glyph *number*, beginning *left* pixels from its origin."""
    pen = uharfbuzz.RasterDraw()
    pen.scale_factor = (64, 64)
    pen.extents = uharfbuzz.RasterExtents(left, -DESCENT, 16, ROWS, 0)
    pen.draw_glyph(font, number)
    image = pen.render()
    stride, data = image.extents.stride, bytes(image.buffer)
    rows = [data[at * stride : at * stride + 16] for at in reversed(range(ROWS))]
    return [int("".join("1" if dot > 127 else "0" for dot in row), 2) for row in rows]


def _hexadecimal(rows: list[int], width: int) -> str:
    return b"".join(row.to_bytes(width // 8, "big") for row in rows).hex().upper()


def blocks(folder: Path) -> dict[int, list[str]]:
    """Return the lines of each block of 256; what is unassigned, private or invisible is left out."""
    found: dict[int, dict[int, str]] = {}
    for name, first in (("unifont", 0), ("unifont_upper", 0x10000), ("unifont_jp", 0x20000)):
        face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(folder / f"{name}.otf")))
        font = uharfbuzz.Font(face)
        font.scale = (ROWS * 64, ROWS * 64)
        for code in face.unicodes:
            if code >= first and unicodedata.category(chr(code))[0] not in "C":
                found.setdefault(code >> 8, {}).setdefault(code, glyph(font, code))
    return {
        block: [f"{code:04X}:{lines[code]}" for code in sorted(lines)]
        for block, lines in sorted(found.items())
    }


def main(folder: Path) -> None:
    """Write the archive beside this file, from *folder* with the OpenType files."""
    with zipfile.ZipFile(HERE / "unifont.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for block, lines in blocks(folder).items():
            entry = zipfile.ZipInfo(f"{block:03X}.hex", LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, "\n".join(lines) + "\n", compresslevel=9)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/opentype/unifont"))
