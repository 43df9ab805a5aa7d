"""A `Document` as PDF (ISO 32000-1): A4, in Helvetica, which every reader has. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from companion.views.document import Document, DocumentPart

WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 51.0  # points of 1/72 inch
SPAN = WIDTH - 2 * MARGIN
# Adobe's widths of Helvetica's characters 32 to 126, in thousandths of the size; bold is a tenth wider.
_ADVANCES = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 "
    "556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 "
    "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 "
    "556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 "
)
_WIDTHS = tuple(map(int, _ADVANCES.split()))
_BOLD = 1.1
_MARKS = {
    "\u0300": "grave",
    "\u0301": "acute",
    "\u0302": "circumflex",
    "\u0303": "tilde",
    "\u0308": "dieresis",
    "\u030a": "ring",
    "\u030c": "caron",
    "\u0327": "cedilla",
}
_NAMES = {
    "đ": "dcroat",
    "Đ": "Dcroat",
    "œ": "oe",
    "Œ": "OE",
    "æ": "ae",
    "Æ": "AE",
    "ß": "germandbls",
    "ø": "oslash",
    "Ø": "Oslash",
    "±": "plusminus",
    "µ": "mu",
    "μ": "mu",
    "·": "periodcentered",
    "−": "minus",
    "–": "endash",
    "—": "emdash",
    "‘": "quoteleft",
    "’": "quoteright",
    "“": "quotedblleft",
    "”": "quotedblright",
    "„": "quotedblbase",
    "«": "guillemotleft",
    "»": "guillemotright",
    "…": "ellipsis",
    "×": "multiply",
    "≤": "lessequal",
    "≥": "greaterequal",
    "°": "degree",
    "√": "radical",
    "\u00a0": "space",
    "\u202f": "space",
}


def glyph_name(sign: str) -> str:
    """Return Adobe's name of a character beyond ASCII; a question mark's for one that Helvetica has not.

    >>> [glyph_name(sign) for sign in "čé±đ日"]
    ['ccaron', 'eacute', 'plusminus', 'dcroat', 'question']
    """
    base, *marks = tuple(unicodedata.normalize("NFD", sign))
    if len(marks) == 1 and marks[0] in _MARKS and base.isascii():
        return base + _MARKS[marks[0]]
    return _NAMES.get(sign, "question")


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return how wide *words* are at most, in points.

    >>> text_width("Hello", 10), text_width("č", 10)
    (22.78, 5.0)
    """
    total = 0
    for sign in words:
        code = ord(unicodedata.normalize("NFD", sign)[0])
        total += _WIDTHS[code - 32] if 32 <= code < 127 else 600
    return total * size / 1_000 * (_BOLD if bold else 1)


def wrapped(words: str, size: float, span: float) -> Iterator[str]:
    """Yield *words* in lines that are no wider than *span*; a word that is wider has one of its own.

    >>> list(wrapped("one two three", 10, text_width("one two", 10)))
    ['one two', 'three']
    """
    line = ""
    for word in words.split(" "):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size) > span:
            yield line
            longer = word
        line = longer
    yield line


class _Sheets:
    """Pages as they are written from the top down; `codes` are those of the characters beyond ASCII."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}
        self.pages: list[list[str]] = [[]]
        self._y = HEIGHT - MARGIN

    def room(self, height: float) -> None:
        """Go to the next page where so much is not left."""
        if self._y - height < MARGIN:
            self.pages.append([])
            self._y = HEIGHT - MARGIN

    def down(self, height: float) -> None:
        """Leave so much empty."""
        self._y -= height

    def text(self, words: str, x: float, size: float, *, bold: bool = False) -> None:
        """Write *words* here, without going down."""
        shown = "".join(f"\\{self._code(sign):03o}" for sign in words)
        font = "B" if bold else "R"
        self.pages[-1].append(f"BT /{font} {size:g} Tf {x:.2f} {self._y - size:.2f} Td ({shown}) Tj ET")

    def rule(self) -> None:
        """Draw a line across."""
        self.pages[-1].append(f"0.6 G 0.5 w {MARGIN:g} {self._y:.2f} m {WIDTH - MARGIN:g} {self._y:.2f} l S")

    def paragraph(self, words: str, size: float, *, bold: bool = False) -> None:
        """Write *words* over as many lines as they need."""
        for line in wrapped(words, size, SPAN / (_BOLD if bold else 1)):
            self.room(size * 1.4)
            self.text(line, MARGIN, size, bold=bold)
            self.down(size * 1.4)

    def _code(self, sign: str) -> int:
        if 32 <= ord(sign) < 127:
            return ord(sign)
        if sign not in self.codes and len(self.codes) >= 128:
            return ord("?")
        return self.codes.setdefault(sign, 128 + len(self.codes))


def as_pdf(document: Document) -> bytes:
    """Return *document* as a PDF file."""
    sheets = _Sheets()
    sheets.paragraph(document.title, 18, bold=True)
    sheets.down(6)
    if document.warning:
        sheets.paragraph(document.warning, 12, bold=True)
        sheets.down(6)
    left = MARGIN + 12 + max((text_width(name, 10) for name, _ in document.facts), default=0.0)
    for name, value in document.facts:
        for number, line in enumerate(wrapped(value, 10, WIDTH - MARGIN - left)):
            sheets.room(14)
            sheets.text(name if number == 0 else "", MARGIN, 10)
            sheets.text(line, left, 10)
            sheets.down(14)
    for part in document.parts:
        _write_part(sheets, part)
    return _file(sheets, document)


def _write_part(sheets: _Sheets, part: DocumentPart) -> None:
    sheets.room(60)
    sheets.down(14)
    sheets.paragraph(part.heading, 12, bold=True)
    sheets.down(3)
    for paragraph in part.paragraphs:
        sheets.paragraph(paragraph, 10)
        sheets.down(3)
    if part.rows:
        _write_table(sheets, part.rows)


def _write_table(sheets: _Sheets, rows: tuple[tuple[str, ...], ...]) -> None:
    """Write *rows*, the first column to the left and all others to the right, small enough to fit."""
    size = 9.0
    widths = [max(text_width(row[n], 1, bold=True) for row in rows) for n in range(len(rows[0]))]
    size = min(size, (SPAN - 10 * (len(widths) - 1)) / max(sum(widths), 0.1))
    between = (SPAN - sum(widths) * size) / max(len(widths) - 1, 1)
    for number, row in enumerate(rows):
        sheets.room(size * 1.7)
        right = MARGIN
        for column, cell in enumerate(row):
            right += widths[column] * size + (between if column else 0)
            indent = text_width(cell, size, bold=number == 0)
            sheets.text(cell, MARGIN if column == 0 else right - indent, size, bold=number == 0)
        sheets.down(size * 1.5)
        sheets.rule()
        sheets.down(size * 0.3)


def _file(sheets: _Sheets, document: Document) -> bytes:
    """Put the objects of a PDF together, with the table that says where each begins."""
    differences = " ".join(f"/{glyph_name(sign)}" for sign in sheets.codes)
    encoding = f"<< /Type /Encoding /Differences [ 128 {differences} ] >>"
    fonts = ("Helvetica", "Helvetica-Bold")
    numbers = range(6, 6 + 2 * len(sheets.pages), 2)
    title = document.title.encode("utf-16-be").hex()
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /Lang ({document.language}) >>",
        f"<< /Type /Pages /Kids [ {' '.join(f'{n} 0 R' for n in numbers)} ] /Count {len(numbers)} >>",
        *(f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding {encoding} >>" for font in fonts),
        f"<< /Title <FEFF{title}> /Producer (Last Nose) >>",
    ]
    box, used = f"[ 0 0 {WIDTH:g} {HEIGHT:g} ]", "<< /Font << /R 3 0 R /B 4 0 R >> >>"
    for number, page in zip(numbers, sheets.pages, strict=True):
        content = "\n".join(page)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {number + 1} 0 R /Resources {used} >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    out, places = b"%PDF-1.4\n", []
    for n, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{n} 0 obj\n{body}\nendobj\n".encode("ascii")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R /Info 5 0 R >>\n"
    return out + f"{end}startxref\n{len(out)}\n%%EOF\n".encode("ascii")
