"""The booklet: every part, hole and wire is in it, each step has its picture, each page its room."""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.i18n import LANGUAGES, translator
from lastnose.companion.wiring.bom import bill
from lastnose.companion.wiring.booklet import booklet
from lastnose.companion.wiring.drawings.levers import input_table
from lastnose.companion.wiring.profile import built_in_profiles, load_profile
from lastnose.companion.wiring.wires import rows, wires

from tests.support.commands import lastnose

KITS = [name for name in built_in_profiles() if name != "mock"]
CHROMIUM = shutil.which("chromium")
# How far below the footer, or beyond the right edge, anything on a page reaches: [] where all has room.
TOO_LONG = """() => [...document.querySelectorAll('.page')].flatMap((page, at) => {
    const top = page.querySelector('footer').getBoundingClientRect().top;
    const all = [...page.querySelectorAll('table, ol, .check, .picture, p, ul')];
    const over = Math.max(0, ...all.map((one) => one.getBoundingClientRect().bottom - top));
    return over > 0 || page.scrollWidth > page.clientWidth ? [[at + 1, Math.round(over)]] : [];
})"""


def cells(html: str) -> list[list[str]]:
    """Return the rows of all tables."""
    found = re.findall(r"<tr>(.*?)</tr>", html)
    return [[unescape(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in found]


@pytest.mark.parametrize("name", KITS)
def test_every_part_wire_and_hole_is_in_it(name: str) -> None:
    """And is there once: what is ticked off is what is bought, joined, soldered."""
    profile = load_profile(name)
    there = cells(booklet(profile, str, "en"))
    for item in bill(profile):
        assert ["☐", str(item.part), str(item.each), str(item.buy), str(item.instead or "")] in there
    for row in rows(profile):
        assert [str(cell) for cell in row] in there
    pieces = [["☐", *map(str, row)] for row in input_table(profile)[1]]
    assert pieces == [row for row in there if row in pieces]


# What a row of “Piece by piece” says, and at which step it is put in.
STEP_OF = {
    "cut": "The strip board",
    "wire": "Links",
    "1 kΩ": "Resistors",
    "1 nF, for long cables": "Resistors",
    "4.7 kΩ, for long cables": "Resistors",
    "screw terminal, three-way, 5.08 mm": "Screw terminals",
    "lead": "Leads",
    "black wire 0.5 mm², 15 cm": "Ground",
}
LEAD_OF = {"nose": "Noses", "host": "Noses", "spoon": "Spoons", "OLED:": "The small screen"}  # not soldered


def step_of(piece: str, use: str, *, soldered: bool) -> str:
    """Return the step of a row, by its piece and by what that is for."""
    if piece == "lead" and not soldered:
        return LEAD_OF[use.split()[0]]
    return "Cables" if piece.startswith("wire of its cable") else STEP_OF[piece]


def told_steps(html: str) -> list[tuple[str, str]]:
    """Return each number of “Piece by piece” that a step names, with that step's title."""
    found = []
    for page in html.split("<section ")[1:]:
        for said in re.findall(r"Of “Piece by piece”: (.*?)\.</li>", page):
            (title,) = re.findall(r"<h2>Step \d+ of \d+ · (.*?)</h2>", page)
            for one in said.split(", "):
                board, colon, numbers = one.rpartition(": ")
                first, _, last = numbers.partition("–")
                every = range(int(first), int(last or first) + 1)
                found += [(f"{board}{colon}{number}", title) for number in every]
    return found


@pytest.mark.parametrize("name", KITS)
def test_every_piece_is_put_in_at_one_step_and_at_the_right_one(name: str) -> None:
    """By the numbers of the list: none is left out, none is named twice."""
    profile = load_profile(name)
    wanted = [
        (number, step_of(piece, use, soldered=profile.soldered))
        for number, piece, use, *_ in ([str(cell) for cell in row] for row in input_table(profile)[1])
    ]
    assert sorted(wanted) == sorted(told_steps(booklet(profile, str, "en")))


@pytest.mark.parametrize("name", KITS)
def test_every_wire_at_a_pin_is_put_in_at_a_step(name: str) -> None:
    """As a piece of the list, or in the words or the picture of its step: a contact's wire once."""
    profile = load_profile(name)
    pieces = [" ".join(map(str, row)) for row in input_table(profile)[1]]
    steps = [page for page in booklet(profile, str, "en").split("<section ")[1:] if "<h2>Step " in page]
    said = unescape(" ".join(re.sub(r"<[^>]*>", "|", page) for page in steps))
    for wire in wires(profile):
        ways = (rf"screw {wire.physical} \(", rf" to {wire.pin}, pin {wire.physical}$")
        listed = [piece for piece in pieces if any(re.search(way, piece) for way in ways)]
        shown = f"{wire.physical}  {wire.pin}|" in said or f"{wire.physical} ({wire.to})" in said
        assert listed or shown, wire
        assert len(listed) <= 1 or wire.pin in ("3V3", "GND"), "each board has its own"


@pytest.mark.parametrize("name", ["home4", "home4-screws", "pico-party-screws"])
def test_every_step_has_its_picture_and_its_check(name: str) -> None:
    """Numbered through; the pages too."""
    html = booklet(load_profile(name), str, "en")
    pages = html.split("<section ")[1:]
    steps = [page for page in pages if "<h2>Step " in page]
    for number, page in enumerate(steps, start=1):
        assert f"<h2>Step {number} of {len(steps)} · " in page
        assert re.search(r'<div class="picture">(<svg|<img)', page)
        assert re.search(r'class="check">.*<li>', page)
    for number, page in enumerate(pages, start=1):
        assert f"page {number} of {len(pages)}<" in page


def test_the_way_without_solder_names_no_solder() -> None:
    """Nothing of it is bought, and no step asks for it."""
    said = re.sub(r"<[^>]*>", " ", booklet(load_profile("home6-screws"), str, "en")).lower()
    assert "strip board" not in said
    assert {"no soldering iron"} == set(re.findall(r"(?:\w+ )?solder\w*(?: iron)?", said))


def test_the_command_writes_it_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    """And says where; what is only in memory cannot be built."""
    file = tmp_path / "booklet.html"
    assert (
        f"{file}\n" == lastnose("profiles", "wiring", "home4-screws", "-o", str(file), "--lang", "fr").output
    )
    assert '<html lang="fr">' in file.read_text(encoding="utf-8")
    with pytest.raises(BadInput, match="only in memory"):
        booklet(load_profile("mock"), str, "en")


@pytest.mark.heavy
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium: apt install chromium")
def test_all_pages_have_room_and_print_as_pages(tmp_path: Path) -> None:
    """In every language, for every kit: nothing is cut off, and a page on the screen is a page on paper."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1130, "height": 800})
        for name in KITS:
            for language in LANGUAGES:
                file = tmp_path / f"{name}-{language}.html"
                file.write_text(booklet(load_profile(name), translator(language), language), encoding="utf-8")
                page.goto(file.as_uri())
                assert (name, language, []) == (name, language, page.evaluate(TOO_LONG))
        pages = page.evaluate("document.querySelectorAll('.page').length")
        printed = page.pdf(prefer_css_page_size=True, print_background=True)
        assert pages == printed.count(b"/Type /Page\n")
        browser.close()
