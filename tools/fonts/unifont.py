"""Make `unifont.zip` from GNU Unifont's OpenType files: a small font for each 4,096 code points.

Run once: `python -m tools.fonts.unifont /usr/share/fonts/opentype/unifont`. The result is the same on every
machine that has the locked HarfBuzz and a Python of the same Unicode.
"""

from __future__ import annotations

import sys
import unicodedata
import zipfile
from pathlib import Path

import uharfbuzz

from tools.fonts.noto import HERE, add, subset

LAYOUT = ("GDEF", "GPOS", "GSUB")


def parts(folder: Path) -> dict[int, bytes]:
    """Return the font of each part; what is unassigned, private or invisible is left out."""
    found: dict[int, bytes] = {}
    for name, first, last in (("unifont", 0, 0xFFFF), ("unifont_upper", 0x10000, 0x10FFFF)):
        face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(folder / f"{name}.otf")))
        codes: dict[int, set[int]] = {}
        for code in face.unicodes:
            if first <= code <= last and unicodedata.category(chr(code))[0] not in "C":
                codes.setdefault(code >> 12, set()).add(code)
        found |= {part: subset(face, wanted, LAYOUT) for part, wanted in codes.items()}
    return found


def main(folder: Path) -> None:
    """Write the archive, from *folder* with the OpenType files."""
    with zipfile.ZipFile(HERE / "unifont.zip", "w") as archive:
        for part, font in sorted(parts(folder).items()):
            add(archive, f"{part:02X}.otf", font)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/opentype/unifont"))
