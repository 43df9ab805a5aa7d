"""What is filled in on phones, as the small screen shows it: the pad of whose turn it is, and its sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.games.asks import Pad
from companion.text import Text
from hardware import layout
from hardware.layout import LARGE, SMALL, Frame
from hardware.scene import Page, Scene

TRIPLE = 3 * LARGE.height


def pages(scene: Scene) -> list[Page]:
    """Return what the table is at: a page for each pad, else the moment itself."""
    pads = [entry for entry in scene.snapshot.entries if isinstance(entry, Pad)]
    return [_pad(scene, pad) for pad in pads] or [moment(scene)]


def moment(scene: Scene) -> Page:
    """Return what is being written, and who leads."""
    messages = scene.say((scene.snapshot.headline, *scene.snapshot.proof))
    return Page(scene.round_title(), partial(layout.wrapped, messages=messages))


def _pad(scene: Scene, pad: Pad) -> Page:
    """Return whose turn it is, the sum large, and what there is to know of it."""
    label = scene.translate(pad.label)
    sign = scene.translate(pad.sign) if isinstance(pad.sign, Text) else pad.sign
    return Page(scene.round_title(), partial(_paint, label, sign, scene.say(scene.snapshot.proof)))


def _paint(label: str, sign: str, messages: Sequence[str], frame: Frame) -> None:
    """Draw the label, and the sum beside the messages if it is short, else above them."""
    canvas, wide = frame.canvas, 3 * LARGE.measure(sign)
    if not frame.roomy:
        layout.wrapped(frame, [f"{label}: {sign}" if sign else label, *messages])
        return
    layout.fitted(canvas, 0, frame.top, label, frame.width)
    top = frame.top + LARGE.height
    if wide > frame.width // 3 or frame.bottom - top < TRIPLE:
        layout.hero(canvas, 0, top - 2, sign, frame.width)
        layout.wrapped(frame, messages, top=top + 23)
        return
    canvas.text(frame.width - wide, top - 2, sign, LARGE, (3, 3))
    lines = layout.paragraphs(messages, frame.width - wide - 4, SMALL)
    for number, line in enumerate(lines[: layout.lines_in(frame.bottom - top, SMALL)]):
        canvas.text(0, top + 2 + number * SMALL.height, line, SMALL)
