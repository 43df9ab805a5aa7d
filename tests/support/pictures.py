"""Golden pictures: what is drawn against what was looked at once and kept, pixel by pixel.

After a wanted change: run the test with `UPDATE_SCREENS=1`, look at what changed and commit it. A comparison
that fails leaves what was drawn beside the picture, as `*.drawn.png`.
"""

from __future__ import annotations

import os
from pathlib import Path

from lastnose.companion.views.snapshot import Snapshot
from lastnose.hardware.oled.screens import count_pages, draw
from PIL import Image, ImageChops


def assert_as_in_picture(drawn: Image.Image, path: Path) -> None:
    """Fail unless every pixel of *drawn* is where the picture at *path* has it."""
    if os.environ.get("UPDATE_SCREENS") == "1":
        drawn.save(path, optimize=True)
    with Image.open(path) as picture:
        expected = picture.convert("1")
    same = expected.size == drawn.size and ImageChops.logical_xor(expected, drawn).getbbox() is None
    if not same:
        drawn.save(path.with_suffix(".drawn.png"))
    assert same, f"{path.name} differs; see {path.stem}.drawn.png and the head of tests/support/pictures.py"


def every_page(shown: Snapshot) -> Image.Image:
    """Return all pages that a display of 128 by 64 shows of *shown*, one below the other."""
    pages = [draw(shown, (128, 64), page=page) for page in range(count_pages(shown, (128, 64)))]
    whole = Image.new("1", (128, 64 * len(pages)))
    for number, picture in enumerate(pages):
        whole.paste(picture, (0, 64 * number))
    return whole
