"""A self-test on the small screen: what is asked for, how it came out, the test picture. Pure drawing."""

from __future__ import annotations

from PIL import Image

from companion.core.text import text
from companion.selftest.view import SelfTestView
from companion.selftest.words import sentence
from hardware.oled import layout
from hardware.oled.layout import LARGE, SMALL, Frame
from hardware.oled.scene import Translate
from hardware.oled.text.canvas import Canvas

SQUARE = 4


def draw(view: SelfTestView, size: tuple[int, int], *, translate: Translate = str) -> Image.Image:
    """Return the picture (mode "1") of *view* on a display of *size* pixels."""
    if view.picture:
        return picture(size)
    canvas = Canvas(size[0] - layout.MARGIN, size[1])
    frame = layout.heading(
        canvas,
        translate(text("Test {n}/{of}", n=view.number, of=view.of)),
        page=(view.number - 1, view.of),
        simulated=translate(text("SIMULATED")) if view.simulated else "",
        alert=any(one.failed for one in view.findings),
        live=view.contact is not None,
        dense=False,
    )
    if view.contact is not None:
        _asked(view, frame, translate)
    elif view.passed is not None:
        _outcome(view, frame, translate)
    else:
        layout.wrapped(frame, [translate(one) for one in (view.prompt, *view.hints)])
    return canvas.image(layout.MARGIN)


def _asked(view: SelfTestView, frame: Frame, translate: Translate) -> None:
    """Draw the contact that is asked for, large, with its wire and pin; or what was heard instead."""
    contact = view.contact
    assert contact is not None
    said = [translate(contact.where)]
    if contact.colour is not None:
        said.insert(0, translate(contact.colour.name))
    if len(view.hints) > 1:
        said = [translate(view.hints[-1])]
    if not frame.roomy:
        first = [] if len(view.hints) > 1 else [translate(contact.label)]
        layout.wrapped(frame, [*first, *said])
        return
    layout.hero(frame.canvas, 0, frame.top, translate(contact.label), frame.width)
    top = frame.top + 2 * LARGE.height + 1
    lines = layout.paragraphs(said, frame.width, SMALL)
    for number, line in enumerate(lines[: (frame.bottom - top) // SMALL.height]):
        frame.canvas.text(0, top + number * SMALL.height, line, SMALL)


def _outcome(view: SelfTestView, frame: Frame, translate: Translate) -> None:
    """Draw how it came out, and what failed."""
    failed = [sentence(translate(one.says)) for one in view.findings if one.failed]
    layout.wrapped(frame, [translate(view.prompt), *failed])


def picture(size: tuple[int, int]) -> Image.Image:
    """Return the test picture: a frame on the outermost pixels, a chessboard inside it, all corners marked.

    A column or row that is missing, shifted or doubled shows in the frame or in the chessboard.
    """
    width, height = size
    canvas = Canvas(width, height)
    for x, y, across, down in (
        (0, 0, width, 1),
        (0, height - 1, width, 1),
        (0, 0, 1, height),
        (width - 1, 0, 1, height),
    ):
        canvas.fill(x, y, across, down)
    for row in range((height - 8) // SQUARE):
        for column in range((width - 8) // SQUARE):
            if (row + column) % 2 == 0:
                canvas.fill(4 + column * SQUARE, 4 + row * SQUARE, SQUARE, SQUARE)
    word = f"{width}×{height}"
    across = LARGE.measure(word) + 8
    left, top = (width - across) // 2, (height - LARGE.height - 4) // 2
    canvas.clear(left, top, across, LARGE.height + 4)
    canvas.text(left + 4, top + 2, word, LARGE)
    return canvas.image()
