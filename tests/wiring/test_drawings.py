"""Drawings: everything stays on its page, no two labels meet, and all can be read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

import pytest
from lastnose.companion.i18n import LANGUAGES, translator
from lastnose.companion.wiring.drawings.sheets import sheets
from lastnose.companion.wiring.profile import built_in_profiles, load_profile
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
