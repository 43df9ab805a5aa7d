"""The pieces that OLED screens are put together from: heading, signs, text that fits."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from companion.games.rules.letters import letters_of
from hardware.oled.text.canvas import Canvas, Font, load, tall

MARGIN = 2  # columns at the left that stay dark: bezels and eyes want an edge
LARGE = load("6x13")
SMALL = load("5x8")
TALL = tall()
DIGIT_TOP, DIGIT_HEIGHT = 2, 9  # the rows of LARGE that its digits stand in

# Small pictures, 7 pixels high, that need no translation.
NOSE = ("..###..", ".#...#.", "#.....#", "#.#.#.#", "#.....#", ".#...#.", "..###..")
NOSE_LIVE = ("..###..", ".#####.", "#######", "##.#.##", "#######", ".#####.", "..###..")
DOWN = (".......", "..###..", ".#####.", ".#####.", ".#####.", "..###..", ".......")
OUT = (".......", ".#...#.", "..#.#..", "...#...", "..#.#..", ".#...#.", ".......")
CARD = ("..####.", "..#..#.", "..#..#.", "..#..#.", "..#..#.", "..####.", ".......")
STAR = ("...#...", "...#...", "#######", ".#####.", "..###..", ".##.##.", ".#...#.")
ALERT = (".###.", ".###.", ".###.", ".###.", "..#..", ".....", "..#..")


class Frame:
    """A canvas with its heading drawn and the room below it: from `top` to `bottom`, `width` wide."""

    def __init__(self, canvas: Canvas, top: int, bottom: int | None = None) -> None:
        self.canvas, self.top = canvas, top
        self.width, self.bottom = canvas.width, canvas.height if bottom is None else bottom

    @property
    def height(self) -> int:
        """How many rows of pixels there are below the heading."""
        return self.bottom - self.top

    @property
    def roomy(self) -> bool:
        """Whether four lines of the larger font fit."""
        return self.height >= 4 * LARGE.height


def heading_height(height: int, *, dense: bool) -> int:
    """Return how many rows the heading takes of a display *height* pixels high."""
    return 12 if height >= 64 and not dense else 8


def heading(
    canvas: Canvas,
    title: str,
    *,
    page: tuple[int, int],
    simulated: str,
    alert: bool,
    live: bool,
    dense: bool,
    width: int | None = None,
) -> Frame:
    """Draw the heading and return the room below it.

    *page* is (which, of how many), drawn as a ruler whose lit piece is the page; *simulated* is the word of
    the mark, empty on a real table; *alert* says that a device has failed, *live* that the noses are armed.
    With *width* the heading leaves the rest of the canvas alone.
    """
    height = heading_height(canvas.height, dense=dense)
    right = canvas.width if width is None else width
    if simulated:
        right = _mark(canvas, right, simulated, LARGE if height > 10 and canvas.width >= 120 else SMALL)
    if alert:
        right -= 5
        canvas.pattern(right, 1 if height > 10 else 0, ALERT)
        right -= 2
    y = 1 if height > 10 else 0
    if right >= 7:
        canvas.pattern(0, y, NOSE_LIVE if live else NOSE)
    if right - 10 >= 4 * SMALL.width:
        canvas.text(10, y, SMALL.fit(title, right - 10), SMALL)
    if height > 10 and right > 20:
        _ruler(canvas, 10, right, page)
    return Frame(canvas, height)


def _mark(canvas: Canvas, right: int, word: str, font: Font) -> int:
    """Draw *word* dark on a lit ground, ending at *right*; return how far the rest of the heading may go."""
    left = right - font.measure(word) - 2
    height = 11 if font is LARGE else 8
    canvas.text(left + 1, -1 if font is LARGE else 0, word, font)
    canvas.invert(left, 0, right - left, height)
    return left - 2


def _ruler(canvas: Canvas, y: int, width: int, page: tuple[int, int]) -> None:
    """Draw a dotted line, its piece for the present page solid."""
    which, count = page
    for x in range(0, width, 4):
        canvas.fill(x, y, 1, 1)
    if count > 1:
        start, end = which * width // count, (which + 1) * width // count
        canvas.fill(start, y, max(2, end - start), 1)


# Text.


def best_font(message: str, width: int) -> Font:
    """Return the larger font if *message* fits *width* in it, else the smaller, or what its script needs."""
    font = LARGE if LARGE.measure(message) <= width else SMALL
    return font.suited(message)


def fitted(canvas: Canvas, x: int, y: int, message: str, width: int) -> None:
    """Draw *message* in the largest font that fits *width*, on the baseline of a 6x13 cell at *y*."""
    font = best_font(message, width)
    canvas.text(x, y + LARGE.base - font.base, font.fit(message, width), font)


def top_line(frame: Frame, message: str) -> int:
    """Draw *message* at the top of *frame* in the largest font that fits; return the row below it."""
    high = max(LARGE.height, best_font(message, frame.width).height)
    fitted(frame.canvas, 0, frame.top + high - LARGE.height, message, frame.width)
    return frame.top + high


def hero(canvas: Canvas, x: int, y: int, message: str, width: int, height: int = 26) -> None:
    """Draw *message* 26 pixels high: twice as wide as usual, or once when it is long.

    In a script that needs a taller line it is twice as high and wide if *height* and *width* allow.
    """
    font = LARGE.suited(message)
    wide = 2 if 2 * font.measure(message) <= width else 1
    if font is TALL:
        wide = wide if 2 * TALL.height <= height else 1
        canvas.text(x, y + (height - wide * TALL.height) // 2, font.fit(message, width), font, (wide, wide))
    else:
        canvas.text(x, y, font.fit(message, width), font, (wide, 2))


def large_number(frame: Frame, number: int) -> None:
    """Draw *number* in the middle of *frame*, as large as it goes."""
    digits = str(number)
    times = max(1, min((frame.height - 2) // DIGIT_HEIGHT, frame.width // LARGE.measure(digits)))
    x = (frame.width - times * LARGE.measure(digits)) // 2
    above = (frame.height - times * DIGIT_HEIGHT) // 2 - times * DIGIT_TOP
    frame.canvas.text(x, frame.top + above, digits, LARGE, (times, times))


def foot(frame: Frame, says: str, aside: str, font: Font = LARGE) -> None:
    """Draw the last line: *says* at the left in *font*, *aside* small at the right.

    On a narrow and high display *says* goes above it, where it is not cut.
    """
    room = frame.width - (SMALL.measure(aside) + 3 if aside else 0)
    base = frame.bottom - (font.height - font.base)
    if SMALL.measure(says) > room and frame.height >= 6 * LARGE.height:
        fitted(frame.canvas, 0, frame.bottom - 2 * LARGE.height, says, frame.width)
        says = ""
    font = font if font.measure(says) <= room else SMALL
    frame.canvas.text(0, base - font.base, font.fit(says, room), font)
    frame.canvas.text(frame.width - SMALL.measure(aside), base - SMALL.base, aside, SMALL)


def text_font(frame: Frame) -> Font:
    """Return the font of running text in *frame*: the larger one where it gives at least three lines."""
    return LARGE if frame.height >= 3 * LARGE.height else SMALL


def lines_in(height: int, font: Font) -> int:
    """Return how many lines of *font* go into *height* pixels, at least one."""
    return max(1, height // font.height)


def line_height(font: Font, *messages: str) -> int:
    """Return how high a line of *font* must be for each of *messages*: some scripts need more than others."""
    return max((font.suited(message).height for message in messages), default=font.height)


def paragraphs(messages: Sequence[str], width: int, font: Font) -> list[str]:
    """Return *messages* as lines, each message beginning on a line of its own."""
    return [line for message in messages for line in font.wrap(message, width)]


def lines_height(lines: Sequence[str], font: Font) -> int:
    """Return how many rows of pixels *lines* take below each other."""
    return sum(line_height(font, line) for line in lines)


def lines_that_fit(lines: Sequence[str], font: Font, room: int) -> int:
    """Return how many of *lines* go into *room*, at least one."""
    count = sum(1 for end in range(1, len(lines) + 1) if lines_height(lines[:end], font) <= room)
    return max(1, count)


def tallest(fonts: Iterable[Font]) -> Font:
    """Return the tallest of *fonts*: what a line needs in which each of them is used."""
    return max(fonts, key=lambda font: font.height)


def lines_by_page(lines: Sequence[str], font: Font, room: int) -> list[list[str]]:
    """Return *lines* in parts that go into *room* each."""
    parts, rest = [], list(lines)
    while rest:
        count = lines_that_fit(rest, font, room)
        parts.append(rest[:count])
        rest = rest[count:]
    return parts


def draw_lines(canvas: Canvas, x: int, y: int, lines: Sequence[str], font: Font) -> None:
    """Draw *lines* below each other from *y*, each in the font that suits it."""
    for line in lines:
        suited = font.suited(line)
        canvas.text(x, y, line, suited)
        y += suited.height


def text_lines(frame: Frame, lines: Sequence[str], font: Font) -> None:
    """Draw *lines* from the top of *frame*, a single one large."""
    if len(lines) == 1 and frame.roomy:
        hero(frame.canvas, 0, frame.top + LARGE.height, lines[0], frame.width)
        return
    draw_lines(frame.canvas, 0, frame.top, lines, font)


def wrapped(frame: Frame, messages: Sequence[str], *, top: int | None = None) -> None:
    """Draw *messages* below *top*, in the larger font if all of it fits; what does not fit at all is cut."""
    start = frame.top if top is None else top
    room = frame.bottom - start
    for font in (LARGE, SMALL):
        lines = paragraphs(messages, frame.width, font)
        if lines_height(lines, font) <= room:
            break
    _some_lines(frame, start, room, lines, font)


def listed(frame: Frame, top: int, bottom: int, names: Sequence[str]) -> None:
    """Draw *names* from *top* to *bottom*: one a line where they fit, else run together."""
    room = bottom - top
    unaccented = [_plain(name) for name in names]
    for font, shown in ((LARGE, names), (SMALL, names), (SMALL, unaccented)):
        lines = list(shown)
        if lines_height(lines, font) > room:
            lines = font.wrap(", ".join(shown), frame.width)
        if lines_height(lines, font) <= room:
            break
    _some_lines(frame, top, room, [font.fit(line, frame.width) for line in lines], font)


def _plain(name: str) -> str:
    """Return *name* without the accents for which small print has no room, as it is if that does not help."""
    bare = "".join(sign for sign in unicodedata.normalize("NFD", name) if unicodedata.category(sign) != "Mn")
    return bare if SMALL.suited(name) is LARGE and SMALL.suited(bare) is SMALL else name


def _some_lines(frame: Frame, top: int, room: int, lines: Sequence[str], font: Font) -> None:
    """Draw as many *lines* as go into *room*; the last of them ends in an ellipsis if there are more."""
    shown = list(lines[: lines_that_fit(lines, font, room)])
    if len(lines) > len(shown):
        shown[-1] = font.fit(f"{shown[-1]} …", frame.width)
    draw_lines(frame.canvas, 0, top, shown, font)


def short_names(names: Sequence[str], width: int, font: Font) -> list[str]:
    """Return *names* cut to *width* pixels; those that would look alike keep their last two letters.

    >>> short_names(["Christine", "Christian", "Ana", "Maximilian"], 30, SMALL)
    ['Chrine', 'Chrian', 'Ana', 'Maximi']
    """
    cut = [font.start(name, width) for name in names]
    return [
        _both_ends(name, width, font) if cut.count(short) > 1 and short != name else short
        for name, short in zip(names, cut, strict=True)
    ]


def _both_ends(name: str, width: int, font: Font) -> str:
    end = "".join(letters_of(name)[-2:])
    return font.start(name, width - font.measure(end)) + end
