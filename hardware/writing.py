"""A message in, its pieces from left to right out: characters with their marks, and words to be shaped."""

from __future__ import annotations

import unicodedata

from hardware.shaping import is_joiner, script_of

_RIGHT_TO_LEFT = {"R", "AL"}
_NUMBERS = {"EN", "AN"}
_COMBINING = {"Mn", "Me"}
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "‹": "›"}
_MIRRORED = _CLOSING | {closing: opening for opening, closing in _CLOSING.items()}
_SKIN = range(0x1F3FB, 0x1F400)
_VARIANTS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))


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
        if script is None and (kind == "Cf" or _unseen(char)):
            continue
        if script is None and parts and last is None and kind in _COMBINING:
            parts[-1] += char
        else:
            parts.append(char)
        last = script
    return parts


def _unseen(char: str) -> bool:
    code = ord(char)
    return code in _SKIN or any(code in variants for variants in _VARIANTS)


def visual_order(parts: list[str]) -> list[str]:
    """Return the pieces *parts* as they stand from left to right; Hebrew and Arabic run the other way.

    A message with any other letter in it runs from left to right, as the languages of the screen do. Numbers
    keep their direction, brackets are turned with what they hold, and what has no direction takes that of
    its neighbours if they agree: Unicode's bidirectional algorithm, without embeddings.

    >>> visual_order(list("\u05d0\u05d1 (ok) 12")) == list("\u05d1\u05d0 (ok) 12")
    True
    >>> visual_order(list("\u05d0 (\u05d1) 12")) == list("12 (\u05d1) \u05d0")
    True
    """
    if not any(map(right_to_left, parts)):
        return parts
    levels = _levels(parts)
    ordered = [
        _MIRRORED.get(part, part) if level == 1 else part for part, level in zip(parts, levels, strict=True)
    ]
    for least in (2, 1):
        start = 0
        while start < len(parts):
            end = start
            while end < len(parts) and levels[end] >= least:
                end += 1
            ordered[start:end] = ordered[start:end][::-1]
            levels[start:end] = levels[start:end][::-1]
            start = end + 1
    return ordered


def _levels(parts: list[str]) -> list[int]:
    """Return for each piece 1 if it runs from right to left, 2 if it stands the other way among such."""
    ways = [_way(part) for part in parts]
    base = "R" if "L" not in ways else "L"
    strong = base
    for at, way in enumerate(ways):  # a number after a letter from left to right is like one
        strong = way if way in ("L", "R") else strong
        if way == "number" and strong == "L":
            ways[at] = "L"
    _settle_brackets(parts, ways, base)
    _settle_neutrals(ways, base)
    return [1 if way == "R" else 2 if base == "R" or way == "number" else 0 for way in ways]


def _settle_brackets(parts: list[str], ways: list[str], base: str) -> None:
    """Give each pair of brackets one way: that of its contents if what stands before agrees, else *base*."""
    open_at: list[int] = []
    for at, part in enumerate(parts):
        if part in _CLOSING:
            open_at.append(at)
        elif open_at and part == _CLOSING[parts[open_at[-1]]]:
            start = open_at.pop()
            inside = {"R" if way == "number" else way for way in ways[start + 1 : at] if way}
            before = next((way for way in reversed(ways[:start]) if way in ("L", "R")), base)
            if inside:
                ways[start] = ways[at] = base if base in inside else before


def _settle_neutrals(ways: list[str], base: str) -> None:
    """Give each stretch without a way that of both its neighbours, else *base*; a number counts as R."""
    start = 0
    while start < len(ways):
        end = start
        while end < len(ways) and not ways[end]:
            end += 1
        sides = {
            base if at in (-1, len(ways)) else "L" if ways[at] == "L" else "R" for at in (start - 1, end)
        }
        ways[start:end] = [sides.pop() if len(sides) == 1 else base] * (end - start)
        start = end + 1


def _way(part: str) -> str:
    """Return which way *part* runs: "L", "R" or "number"; "" if it has no direction of its own."""
    kind = unicodedata.bidirectional(part[0])
    return "R" if kind in _RIGHT_TO_LEFT else "number" if kind in _NUMBERS else "L" if kind == "L" else ""


def right_to_left(part: str) -> bool:
    """Return whether *part* begins with a letter of a script that runs from right to left."""
    return unicodedata.bidirectional(part[:1] or " ") in _RIGHT_TO_LEFT
