"""Make `6x13.hex` and `5x8.hex` from the X11 fonts misc-fixed: PCF in, one line of hexadecimal a glyph out.

Run once: `python -m tools.fonts.misc_fixed /usr/share/fonts/X11/misc`. The result is always the same.
"""

from __future__ import annotations

import gzip
import struct
import sys
from pathlib import Path

HERE = Path(__file__).parents[2] / "hardware" / "fonts"

# What a table may need to write: letters of every script the fonts know, figures, punctuation, arrows,
# suits and simple shapes. Left out: box drawing, braille, technical signs and private use.
RANGES = (
    (0x0020, 0x007E),
    (0x00A0, 0x05FF),
    (0x0E00, 0x0E7F),
    (0x10A0, 0x10FF),
    (0x1E00, 0x1FFF),
    (0x2010, 0x2044),
    (0x2070, 0x20BF),
    (0x2190, 0x2199),
    (0x2212, 0x2212),
    (0x2248, 0x2265),
    (0x25A0, 0x25FF),
    (0x2600, 0x2667),
    (0x2713, 0x2718),
    (0xFFFD, 0xFFFD),
)

METRICS, BITMAPS, ENCODINGS = 4, 8, 32
COMPRESSED_METRICS = 0x100


class Pcf:
    """A PCF file: its tables by type, each read with the byte order that it declares."""

    def __init__(self, data: bytes) -> None:
        magic, count = struct.unpack_from("<4sI", data)
        if magic != b"\x01fcp":
            raise ValueError("this is not a PCF font")
        tables = [struct.unpack_from("<IIII", data, 8 + 16 * index) for index in range(count)]
        self._tables = {kind: data[offset : offset + size] for kind, _format, size, offset in tables}

    def table(self, kind: int) -> tuple[bytes, int, str]:
        """Return the table's bytes after its format, the format, and the byte order for struct."""
        data = self._tables[kind]
        (form,) = struct.unpack_from("<I", data)
        return data[4:], form, ">" if form & 4 else "<"

    def metrics(self) -> list[tuple[int, int, int, int, int]]:
        """Return (left, right, width, ascent, descent) a glyph, in pixels."""
        data, form, order = self.table(METRICS)
        if form & COMPRESSED_METRICS:
            (count,) = struct.unpack_from(order + "H", data)
            raw = [struct.unpack_from("5B", data, 2 + 5 * index) for index in range(count)]
            return [(a - 128, b - 128, c - 128, d - 128, e - 128) for a, b, c, d, e in raw]
        (count,) = struct.unpack_from(order + "I", data)
        return [struct.unpack_from(order + "5h", data, 4 + 12 * index) for index in range(count)]

    def bitmaps(self) -> list[tuple[bytes, int]]:
        """Return each glyph's bytes, most significant bit first, and the bytes a row."""
        data, form, order = self.table(BITMAPS)
        (count,) = struct.unpack_from(order + "I", data)
        offsets = struct.unpack_from(f"{order}{count}I", data, 4)
        pad = 1 << (form & 3)
        start = 4 + 4 * count + 16
        body = data[start:]
        if not form & 8:
            body = bytes(int(f"{byte:08b}"[::-1], 2) for byte in body)
        unit = 1 << ((form >> 4) & 3)
        if unit > 1 and bool(form & 4) != bool(form & 8):
            body = b"".join(body[i : i + unit][::-1] for i in range(0, len(body), unit))
        ends = [*offsets[1:], len(body)]
        return [(body[begin:end], pad) for begin, end in zip(offsets, ends, strict=True)]

    def encodings(self) -> dict[int, int]:
        """Return the glyph's index by code point."""
        data, _form, order = self.table(ENCODINGS)
        low, high, first, last, _default = struct.unpack_from(order + "5H", data)
        found = {}
        columns = high - low + 1
        for index in range((last - first + 1) * columns):
            (glyph,) = struct.unpack_from(order + "H", data, 10 + 2 * index)
            if glyph != 0xFFFF:
                found[(first + index // columns) * 256 + low + index % columns] = glyph
        return found


def cell(bitmap: tuple[bytes, int], metric: tuple[int, int, int, int, int], height: int, base: int) -> bytes:
    """Return the glyph as *height* bytes, a byte a row, placed in its cell with the baseline at *base*."""
    data, pad = bitmap
    left, right, _width, ascent, descent = metric
    stride = -(-max(1, -(-(right - left) // 8)) // pad) * pad
    rows = bytearray(height)
    for row in range(ascent + descent):
        y = base - ascent + row
        if 0 <= y < height:
            bits = data[row * stride]
            rows[y] |= bits >> left if left >= 0 else (bits << -left) & 0xFF
    return bytes(rows)


def lines(pcf: Pcf, height: int, base: int) -> list[str]:
    """Return the font as text, in the order of code points."""
    metrics, bitmaps, encodings = pcf.metrics(), pcf.bitmaps(), pcf.encodings()
    wanted = [code for first, last in RANGES for code in range(first, last + 1) if code in encodings]
    return [
        f"{code:04X}:{cell(bitmaps[encodings[code]], metrics[encodings[code]], height, base).hex().upper()}"
        for code in wanted
    ]


def main(folder: Path) -> None:
    """Write both fonts beside this file, from *folder* with the PCF files."""
    for name, height, base in (("6x13", 13, 11), ("5x8", 8, 7)):
        pcf = Pcf(gzip.decompress((folder / f"{name}.pcf.gz").read_bytes()))
        (HERE / f"{name}.hex").write_text("\n".join(lines(pcf, height, base)) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/X11/misc"))
