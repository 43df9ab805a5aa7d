"""The certificate of a box, as HTML and PDF: every figure with what it rests on, in the reader's language."""

from __future__ import annotations

import re

import pytest

from companion.core.model import Edge
from companion.i18n import translator
from companion.selftest.skew import OutputWrite
from companion.views.certificate import Identity, certificate_of
from companion.views.document import Document, DocumentPart, as_html
from companion.views.pdf import as_pdf, glyph_name
from tests.support.selftest_rig import MS, Rig, plan_of

BOX = Identity("E66038B713000001", "1.4.0", "box", "Pi 4, Linux 6.6", "0.1.0", "2026-11-22T12:00:00+01:00")


def measured(changes: int = 1_200) -> Rig:
    """Return a self-test whose output has moved nose 1 so often; its stamps are 30 to 33 µs behind."""
    rig = Rig(plan_of(wired=(17, ("nose.1",)), changes=changes, measured_only=True))
    rig.wait(2_200)
    number = 0
    while rig.course.view.step == "wired":
        rig.course.handed(number, 900_000 if rig.course.wants_load else 200_000)
        level = rig.course.wants_write
        if level is not None:
            rig.course.wrote(OutputWrite(level, rig.now_ns, rig.now_ns + 12_000))
            at_ns = rig.now_ns + 30_000 + number // 2 % 4 * 1_000
            rig.course.feed(Edge(at_ns, "gpio", "nose.1", level, 10_000))
            number += 1
        rig.now_ns += 5 * MS
        rig.course.advance(rig.now_ns)
    return rig


def test_a_certificate_says_what_was_measured_how_and_how_sure_it_is() -> None:
    """u is √(1.25 µs² · 600/599 + (12 µs)²/12) = 3.6… µs; U twice that; 2 µs hold 95 of 100."""
    made = certificate_of(measured().course, BOX, str, "en")
    assert ("Serial number", "E66038B713000001") == made.facts[0]
    assert ("Firmware", "1.4.0") == made.facts[1]
    assert "" == made.warning
    result, method, stamps, interrupts = made.parts
    assert result.paragraphs == (
        "Lines measured: 1 of 7.",
        "Declared error of a stamp: ± 3 µs. The order of two presses is sure beyond twice that.",
        "Each line changed 600 times or more: the extremes speak for 99.5 % of all, with 95 % confidence.",
    )
    assert "GPIO17 moved the lines 1200 times" in method.paragraphs[0]
    row = ("nose 1", "600", "3.64 µs", "7.28 µs", "2 µs", "3 µs", "99.5 %")
    assert [row, row] == [(cells[0], *cells[2:]) for cells in stamps.rows[1:]]
    assert ["at rest", "busy"] == [cells[1] for cells in stamps.rows[1:]]
    assert "200 µs after their stamps" in interrupts.paragraphs[0]
    assert "900 µs while it was busy (601 events)" in interrupts.paragraphs[0]


def test_a_certificate_of_few_samples_leaves_out_what_they_do_not_support() -> None:
    """Twenty changes a half: no 95 % bound, and no error below what is declared unmeasured."""
    made = certificate_of(measured(40).course, BOX, str, "en")
    assert "± 10 µs" in made.parts[0].paragraphs[1]
    assert ["–", "–"] == [cells[5] for cells in made.parts[2].rows[1:]]
    assert "86.08 % of all" in made.parts[0].paragraphs[2]


@pytest.mark.parametrize("language", ["en", "fr", "bs"])
def test_both_files_hold_every_word_in_every_language(language: str) -> None:
    """As HTML they stand as they are; in the PDF each character is one that Helvetica has."""
    speak = translator(language)  # type: ignore[arg-type]
    made = certificate_of(measured(120).course, BOX, speak, language)
    page = as_html(made).decode()
    said = [paragraph for part in made.parts for paragraph in part.paragraphs]
    words = [made.title, *(value for _, value in made.facts), *said]
    assert all(word in page for word in words)
    assert f'<html lang="{language}">' in page
    text = " ".join([*words, *(cell for part in made.parts for row in part.rows for cell in row)])
    assert [] == [sign for sign in {*text} if ord(sign) > 126 and glyph_name(sign) == "question"]
    assert made.title.split()[0] in shown(as_pdf(made))


def shown(file: bytes) -> str:
    """Return the words of a PDF, by its own encoding."""
    written = file.decode("ascii")
    (names,) = {*re.findall(r"/Differences \[ 128 ([^\]]*) \]", written)}
    known = {"eacute": "é", "ccaron": "č", "space": " "}
    extra = dict(enumerate((known.get(name[1:], "·") for name in names.split()), start=128))
    said = re.findall(r"\(((?:\\\d{3})*)\) Tj", written)
    codes = [[int(code, 8) for code in re.findall(r"\\(\d{3})", line)] for line in said]
    return " ".join("".join(extra.get(code) or chr(code) for code in line) for line in codes)


def test_every_object_of_a_pdf_is_where_its_table_says_and_long_ones_go_on() -> None:
    """Two pages of rows; offsets and lengths are counted again from the bytes."""
    rows = tuple((f"row {n}", "a (b) \\ c", "×") for n in range(60))
    part = DocumentPart("Rows", ("A paragraph. " * 60,), rows)
    file = as_pdf(Document("Long", (("Name", "Zoë"),), (part,), "en", "No!"))
    assert 2 == file.count(b"/Type /Page /")
    start = int(file.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert file[start:].startswith(b"xref\n")
    places = [int(line[:10]) for line in file[start:].split(b"\n") if line.endswith(b" 00000 n ")]
    assert [f"{n} 0 obj".encode() for n in range(1, len(places) + 1)] == [
        file[place:].split(b"\n")[0] for place in places
    ]
    for length, content in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", file, re.DOTALL):
        assert int(length) == len(content)
    assert "row 59 a (b) \\ c" in shown(file)
    lowest = min(float(y) for y in re.findall(rb"([\d.]+) Td", file))
    assert lowest > 40, "nothing runs over the edge of the sheet"
