"""Messages in, pages of whole sentences out: what does not fit on one page of a small screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from hardware.oled import layout
from hardware.oled.layout import SMALL
from hardware.oled.text.canvas import Font

_SENTENCE = re.compile(r"(?<=[.!?…]) +")


def pages_of_sentences(
    messages: Sequence[str], width: int, height: int, font: Font
) -> list[tuple[list[str], Font]]:
    """Return *messages* as pages of whole sentences, each with its lines and the font that they go in.

    A sentence that is longer than a page in *font* goes in the smaller one; if that is not enough, its lines
    are shared out evenly, so that no page holds a last word alone.
    """
    pages: list[tuple[list[str], Font]] = []
    for message in messages:
        before: list[str] = []  # what stands on the page above this message
        said = ""
        for number, sentence in enumerate(_SENTENCE.split(message)):
            if number == 0 and pages and pages[-1][1] is font:
                before = pages[-1][0]
            longer = f"{said} {sentence}" if said else sentence
            lines = [*before, *font.wrap(longer, width)]
            if (before or said) and layout.lines_height(lines, font) <= height:
                pages[-1], said = (lines, font), longer
                continue
            before, said = [], sentence
            alone = _alone(sentence, width, height, font)
            pages += alone
            if alone[-1][1] is not font or len(alone) > 1:
                said = ""
    return pages


def _alone(sentence: str, width: int, height: int, font: Font) -> list[tuple[list[str], Font]]:
    """Return the pages of one *sentence*."""
    for one in (font, SMALL):
        lines = one.wrap(sentence, width)
        if layout.lines_height(lines, one) <= height:
            return [(lines, one)]
    most = layout.lines_that_fit(lines, SMALL, height)
    count = -(-len(lines) // most)
    ends = [len(lines) * part // count for part in range(count + 1)]
    return [(lines[start:end], SMALL) for start, end in pairwise(ends)]
