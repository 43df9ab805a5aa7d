"""Make `noto.zip` from the Noto fonts: a small one for each script whose letters depend on their neighbours.

Run once: `python -m tools.fonts.noto /usr/share/fonts/truetype/noto`. The result is the same on every
machine that has the locked HarfBuzz.
"""

from __future__ import annotations

import sys
import unicodedata
import zipfile
from pathlib import Path

import uharfbuzz

HERE = Path(__file__).parents[2] / "hardware" / "fonts"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
DROPPED = ("DSIG", "gasp", "STAT", "VDMX", "hdmx", "meta")
JOINERS = (0x200C, 0x200D)

# Each font with the blocks that it serves, in hexadecimal.
SCRIPTS = {
    "SansAdlam": "1E900-1E95F",
    "SansArabic": "0600-06FF 0750-077F 0870-08FF FB50-FDFF FE70-FEFF",
    "SansBalinese": "1B00-1B7F",
    "SansBatak": "1BC0-1BFF",
    "SansBengali": "0980-09FF",
    "SansBuginese": "1A00-1A1F",
    "SansChakma": "11100-1114F",
    "SansCham": "AA00-AA5F",
    "SansDevanagari": "0900-097F A8E0-A8FF 1CD0-1CFF",
    "SansGujarati": "0A80-0AFF",
    "SansGunjalaGondi": "11D60-11DAF",
    "SansGurmukhi": "0A00-0A7F",
    "SansHanifiRohingya": "10D00-10D3F",
    "SansHanunoo": "1720-173F",
    "SansJavanese": "A980-A9DF",
    "SansKaithi": "11080-110CF",
    "SansKannada": "0C80-0CFF",
    "SansKayahLi": "A900-A92F",
    "SansKhmer": "1780-17FF 19E0-19FF",
    "SansKhojki": "11200-1124F",
    "SansLao": "0E80-0EFF",
    "SansLepcha": "1C00-1C4F",
    "SansLimbu": "1900-194F",
    "SansMalayalam": "0D00-0D7F",
    "SansMandaic": "0840-085F",
    "SansMasaramGondi": "11D00-11D5F",
    "SansMeeteiMayek": "ABC0-ABFF AAE0-AAFF",
    "SansMiao": "16F00-16F9F",
    "SansModi": "11600-1165F",
    "SansMongolian": "1800-18AF",
    "SansMyanmar": "1000-109F A9E0-A9FF AA60-AA7F",
    "SansNKo": "07C0-07FF",
    "SansNewa": "11400-1147F",
    "SansOriya": "0B00-0B7F",
    "SansPhagsPa": "A840-A87F",
    "SansSaurashtra": "A880-A8DF",
    "SansSharada": "11180-111DF",
    "SansSinhala": "0D80-0DFF",
    "SansSundanese": "1B80-1BBF",
    "SansSylotiNagri": "A800-A82F",
    "SansSyriac": "0700-074F 0860-086F",
    "SansTaiTham": "1A20-1AAF",
    "SansTaiViet": "AA80-AADF",
    "SansTakri": "11680-116CF",
    "SansTamil": "0B80-0BFF",
    "SansTelugu": "0C00-0C7F",
    "SansThaana": "0780-07BF",
    "SansTirhuta": "11480-114DF",
    "SansWancho": "1E2C0-1E2FF",
    "SerifTibetan": "0F00-0FFF",
}


def codes(blocks: str) -> set[int]:
    """Return the code points of *blocks*.

    >>> sorted(codes("0041-0042 0061-0061"))
    [65, 66, 97]
    """
    ends = [[int(end, 16) for end in block.split("-")] for block in blocks.split()]
    return {code for first, last in ends for code in range(first, last + 1)}


def spans(wanted: set[int]) -> str:
    """Return *wanted* as spans, the way `codes` reads them.

    >>> spans({65, 66, 97})
    '0041-0042 0061-0061'
    """
    found: list[list[int]] = []
    for code in sorted(wanted):
        if found and code == found[-1][1] + 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return " ".join(f"{first:04X}-{last:04X}" for first, last in found)


def subset(face: uharfbuzz.Face, wanted: set[int], dropped: tuple[str, ...]) -> bytes:
    """Return *face* with the glyphs and rules of *wanted* only, and without the tables *dropped*."""
    how = uharfbuzz.SubsetInput()
    how.unicode_set.set(wanted)
    how.layout_feature_tag_set.clear()
    how.layout_feature_tag_set.invert()
    how.drop_table_tag_set.update({uharfbuzz_tag(name) for name in dropped})
    how.flags = uharfbuzz.SubsetFlags.NO_HINTING
    return bytes(uharfbuzz.subset(face, how).blob.data)


def uharfbuzz_tag(name: str) -> int:
    """Return *name* as the number that HarfBuzz writes it."""
    return int.from_bytes(name.ljust(4).encode(), "big")


def main(folder: Path) -> None:
    """Write the archive beside this file, from *folder* with the TrueType files."""
    serves: list[str] = []
    with zipfile.ZipFile(HERE / "noto.zip", "w") as archive:
        for name, blocks in SCRIPTS.items():
            source = folder / f"Noto{name}-Regular.ttf"
            face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(source)))
            wanted = {
                code
                for code in codes(blocks) & set(face.unicodes)
                if unicodedata.category(chr(code)) not in ("Cn", "Nd")
            }
            serves.append(f"{name} {spans(wanted)}")
            add(archive, f"{name}.otf", subset(face, {*wanted, *JOINERS, 0x25CC}, DROPPED))
        add(archive, "scripts.txt", ("\n".join(serves) + "\n").encode())


def add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Put *data* into *archive*, the same bytes each time."""
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data, compresslevel=9)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/truetype/noto"))
