"""A message in, its pieces from left to right out: characters with their marks, and words to be shaped."""

from __future__ import annotations

import unicodedata

from hardware.oled.text.shaping import is_joiner, script_of

_RIGHT_TO_LEFT = {"R", "AL"}
_COMBINING = {"Mn", "Me"}
_SEPARATORS = {"B", "S"}
_TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
# Colours of skin, and which variant of an emoji.
_UNSEEN = frozenset(map(chr, (*range(0x1F3FB, 0x1F400), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def pieces(message: str) -> list[str]:
    """Return *message* cut, in reading order, into what is drawn as one.

    That is a character and the marks upon it, or a word of a script whose letters depend on each other. What
    is not to be seen by itself is left out: variants of emoji, and controls where nothing joins.

    >>> [len(part) for part in pieces("nq\u0308z")]
    [1, 2, 1]
    >>> pieces("1 गधा")
    ['1', ' ', 'गधा']
    """
    parts: list[str] = []
    last: str | None = None
    for char in unicodedata.normalize("NFC", message):
        script = script_of(char)
        if parts and last is not None and (script == last or is_joiner(char)):
            parts[-1] += char
            continue
        kind = unicodedata.category(char)
        if script is None and (kind == "Cf" or char in _UNSEEN):
            continue
        if script is None and parts and last is None and kind in _COMBINING:
            parts[-1] += char
        else:
            parts.append(char)
        last = script
    return parts


def visual_order(parts: list[str]) -> list[str]:
    """Return the pieces *parts* as they stand from left to right; Hebrew and Arabic run the other way.

    A message with any other letter in it runs from left to right, as the languages of the screen do. The
    rest is Unicode's bidirectional algorithm (UAX 9): numbers keep their direction, brackets are turned with
    what they hold, and what has no direction takes that of its neighbours if they agree.

    >>> visual_order(list("\u05d0\u05d1 (ok) 12")) == list("\u05d1\u05d0 (ok) 12")
    True
    >>> visual_order(list("\u05d0 (\u05d1) 12")) == list("12 (\u05d1) \u05d0")
    True
    """
    if not any(map(right_to_left, parts)):
        return parts
    from bidi import get_display
    from bidi.mirror import MIRRORED

    ways = [unicodedata.bidirectional(part[0]) for part in parts]
    # Each piece goes in as its first character with two that the algorithm passes over: its number.
    numbered = "".join(
        (" " if way in _SEPARATORS else part[0]) + _TAGS[at // 96] + _TAGS[at % 96]
        for at, (part, way) in enumerate(zip(parts, ways, strict=True))
    )
    # A mark at the end keeps blanks there as they would be, and with them their numbers.
    shown = (
        get_display(numbered + "\u200e", base_dir="L")[:-1]
        if "L" in ways
        else get_display(numbered + "\u200f", base_dir="R")[1:]
    )
    ordered = []
    for chunk in (shown[start : start + 3] for start in range(0, len(shown), 3)):
        turned = chunk[0] in _TAGS
        high, low = chunk[1::-1] if turned else chunk[1:]
        part = parts[96 * _TAGS.index(high) + _TAGS.index(low)]
        ordered.append(MIRRORED.get(part, part) if turned else part)
    return ordered


def right_to_left(part: str) -> bool:
    """Return whether *part* begins with a letter of a script that runs from right to left."""
    return unicodedata.bidirectional(part[:1] or " ") in _RIGHT_TO_LEFT
