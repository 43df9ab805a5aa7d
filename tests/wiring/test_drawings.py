"""Drawings: a page says what the profile says, everything stays on it, and no two labels meet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from lastnose.companion.i18n import LANGUAGES, translator
from lastnose.companion.wiring.boards import PI_HEADER, physical_pin
from lastnose.companion.wiring.drawings.sheets import channel_sheet, sheets
from lastnose.companion.wiring.profile import built_in_profiles, load_profile
from lastnose.companion.wiring.wires import wires
from PIL import ImageFont

KITS = [name for name in built_in_profiles() if name != "mock"]
SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


@cache
def font(bold: bool) -> ImageFont.FreeTypeFont:
    """Return the font that a drawing names first, 100 high; skip the test where there is none."""
    try:
        return ImageFont.truetype(f"DejaVuSans{'-Bold' if bold else ''}.ttf", 100)
    except OSError:
        pytest.skip("DejaVu Sans is missing: sudo apt install fonts-dejavu-core")


def texts_of(svg: str) -> list[str]:
    """Return everything that is written on a page, with plain spaces."""
    return [
        (element.text or "").replace("\u00a0", " ")
        for element in ElementTree.fromstring(svg).iter(f"{SVG}text")
    ]


def _placed(
    element: ElementTree.Element, x: float, y: float
) -> Iterator[tuple[ElementTree.Element, float, float]]:
    """Yield every text below *element* with where its page's origin is."""
    move = element.get("transform", "")
    if move.startswith("translate("):
        by_x, by_y = move.removeprefix("translate(").removesuffix(")").split()
        x, y = x + float(by_x), y + float(by_y)
    if element.tag == f"{SVG}text":
        yield element, x, y
    for child in element:
        yield from _placed(child, x, y)


def text_boxes(svg: str) -> list[tuple[str, Box]]:
    """Return every text with the room it takes, as measured with the font that the drawing names first."""
    boxes = []
    for element, x, y in _placed(ElementTree.fromstring(svg), 0, 0):
        words, size = element.text or "", float(element.get("font-size", "0"))
        width = font(element.get("font-weight") == "bold").getlength(words) * size / 100
        shift = {"start": 0.0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
        at_x, at_y = x + float(element.get("x", "0")), y + float(element.get("y", "0"))
        if element.get("transform"):
            boxes.append((words, (at_x - size * 0.75, at_y - width / 2, at_x, at_y + width / 2)))
        else:
            boxes.append((words, (at_x - shift, at_y - size * 0.75, at_x - shift + width, at_y)))
    return boxes


@pytest.mark.parametrize("name", KITS)
def test_up_to_eight_seats_one_page_of_a4_and_two_beyond(name: str) -> None:
    """297 by 210 mm."""
    profile = load_profile(name)
    pages = sheets(profile, str)
    assert len(pages) == (1 if len(profile.pins.noses) <= 8 else 2)
    for page in pages:
        root = ElementTree.fromstring(page)
        assert ("297mm", "210mm", "0 0 1188 840") == tuple(
            root.get(key) for key in ("width", "height", "viewBox")
        )


@pytest.mark.parametrize("name", KITS)
def test_every_wire_is_drawn_with_its_part_and_colour(name: str) -> None:
    """The words of the table are on the pages."""
    profile = load_profile(name)
    said = " ".join(words for page in sheets(profile, str) for words in texts_of(page))
    for wire in wires(profile):
        assert str(wire.colour.name) in said
        assert all(word in said for word in str(wire.to).split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", KITS)
def test_nothing_is_written_over_the_edge_or_over_another_word(name: str, language: str) -> None:
    """In every language, measured letter by letter; 2 quarter millimetres may touch."""
    for page in sheets(load_profile(name), translator(language)):
        boxes = text_boxes(page)
        outside = [words for words, box in boxes if box[0] < 8 or box[1] < 8 or box[2] > 1180 or box[3] > 832]
        assert [] == outside
        met = [
            (words, other)
            for number, (words, one) in enumerate(boxes)
            for other, two in boxes[number + 1 :]
            if min(one[2], two[2]) - max(one[0], two[0]) > 2 and min(one[3], two[3]) - max(one[1], two[1]) > 2
        ]
        assert [] == met


@pytest.mark.parametrize("name", KITS)
def test_nothing_is_too_small_to_read(name: str) -> None:
    """2 mm at least, on paper."""
    for page in sheets(load_profile(name), str):
        sizes = [
            float(element.get("font-size", "0"))
            for element in ElementTree.fromstring(page).iter(f"{SVG}text")
        ]
        assert min(sizes) / 4 >= 2


def test_header_is_drawn_as_it_is() -> None:
    """Pin 1 is above left, 2 beside it, 39 and 40 at the end, row by row."""
    places = {
        words: box for words, box in text_boxes(sheets(load_profile("home4"), str)[0]) if words.isdigit()
    }
    header = {int(words): box for words, box in places.items() if 160 < box[1] - 80 or int(words) > 18}
    for odd in range(19, 40, 2):
        left, right = header[odd], header[odd + 1]
        assert left[0] < right[0]
        assert left[1] == right[1]
    for number, following in pairwise(range(19, 40, 2)):
        assert header[number][1] < header[following][1]
    assert 40 == len(PI_HEADER)


def test_a_wire_ends_at_the_height_of_its_pin() -> None:
    """GPIO12 of nose 3 is pin 32: name, number and part are on one line."""
    boxes = dict(text_boxes(sheets(load_profile("home4"), str)[0]))
    assert 32 == physical_pin("pi", 12)
    middle = (boxes["32"][1] + boxes["32"][3]) / 2
    part = (boxes["nose 3"][1] + boxes["nose 3"][3]) / 2
    assert abs(middle - part) < 1


def test_lamp_chain_grows_with_the_seats() -> None:
    """A pair of chips for eight lamps; only as many lamps as seats."""
    home, party = (
        " ".join(" ".join(texts_of(page)) for page in sheets(load_profile(name), str))
        for name in ("home6", "party13")
    )
    assert "6 lamps on 1 ×" in home
    assert "13 lamps on 2 ×" in party
    assert 6 + 1 == home.count("220 Ω")


def test_channel_by_itself_has_its_values() -> None:
    """1 kΩ, 4.7 kΩ, 1 nF; and says what never to put there."""
    said = " ".join(texts_of(channel_sheet(str)))
    for value in ("1 kΩ", "4.7 kΩ", "1 nF", "Never 100 nF"):
        assert value in said
