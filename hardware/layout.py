"""The pieces that OLED screens are put together from: heading, standings, letters, text that fits."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from companion.snapshot import Row
from hardware.pixels import Canvas, Font, clusters, load

LARGE = load("6x13")
SMALL = load("5x8")

NAME_X = 9  # where names begin in the standings, after the sign

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
        right = _mark(canvas, right, simulated, LARGE if height > 10 and canvas.width >= 128 else SMALL)
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
    """Return the larger font if *message* fits *width* in it, else the smaller."""
    return LARGE if LARGE.measure(message) <= width else SMALL


def fitted(canvas: Canvas, x: int, y: int, message: str, width: int) -> None:
    """Draw *message* in the largest font that fits *width*, on the baseline of a 6x13 cell at *y*."""
    font = best_font(message, width)
    canvas.text(x, y + (0 if font is LARGE else 4), font.fit(message, width), font)


def hero(canvas: Canvas, x: int, y: int, message: str, width: int) -> None:
    """Draw *message* 26 pixels high: twice as wide as usual, or once when it is long."""
    if 2 * LARGE.measure(message) <= width:
        canvas.text(x, y, message, LARGE, (2, 2))
    else:
        canvas.text(x, y, LARGE.fit(message, width), LARGE, (1, 2))


def foot(frame: Frame, says: str, aside: str) -> None:
    """Draw the last line: *says* at the left, *aside* small at the right when there is room."""
    room = frame.width - (SMALL.measure(aside) + 3 if aside else 0)
    fitted(frame.canvas, 0, frame.bottom - LARGE.height, says, room)
    frame.canvas.text(frame.width - SMALL.measure(aside), frame.bottom - LARGE.height + 4, aside, SMALL)


def text_font(frame: Frame) -> Font:
    """Return the font of running text in *frame*: the larger one where it gives at least three lines."""
    return LARGE if frame.height >= 3 * LARGE.height else SMALL


def lines_in(height: int, font: Font) -> int:
    """Return how many lines of *font* go into *height* pixels, at least one."""
    return max(1, height // font.height)


def paragraphs(messages: Sequence[str], width: int, font: Font) -> list[str]:
    """Return *messages* as lines, each message beginning on a line of its own."""
    return [line for message in messages for line in font.wrap(message, width)]


def text_lines(frame: Frame, lines: Sequence[str], font: Font) -> None:
    """Draw *lines* from the top of *frame*, a single one large."""
    if len(lines) == 1 and frame.roomy:
        hero(frame.canvas, 0, frame.top + LARGE.height, lines[0], frame.width)
        return
    for number, line in enumerate(lines):
        frame.canvas.text(0, frame.top + number * font.height, line, font)


def wrapped(frame: Frame, messages: Sequence[str], *, top: int | None = None) -> None:
    """Draw *messages* below *top*, in the larger font if all of it fits; what does not fit at all is cut."""
    start = frame.top if top is None else top
    room = frame.bottom - start
    font, lines = SMALL, paragraphs(messages, frame.width, SMALL)
    large = paragraphs(messages, frame.width, LARGE)
    if len(large) * LARGE.height <= room:
        font, lines = LARGE, large
    _some_lines(frame, start, room, lines, font)


def listed(frame: Frame, top: int, bottom: int, names: Sequence[str]) -> None:
    """Draw *names* from *top* to *bottom*: one a line where they fit, else run together."""
    room = bottom - top
    for font in (LARGE, SMALL):
        lines = list(names)
        if len(lines) * font.height > room:
            lines = font.wrap(", ".join(names), frame.width)
        if len(lines) * font.height <= room:
            break
    _some_lines(frame, top, room, [font.fit(line, frame.width) for line in lines], font)


def _some_lines(frame: Frame, top: int, room: int, lines: Sequence[str], font: Font) -> None:
    """Draw as many *lines* as go into *room*; the last of them ends in an ellipsis if there are more."""
    count = lines_in(room, font)
    for number, line in enumerate(lines[:count]):
        more = number == count - 1 and len(lines) > count
        shown = font.fit(line + " …" * 9, frame.width) if more else line
        frame.canvas.text(0, top + number * font.height, shown, font)


def short_names(names: Sequence[str], length: int) -> list[str]:
    """Return *names* cut to *length* characters; those that would look alike keep their last two.

    >>> short_names(["Christine", "Christian", "Ana", "Maximilian"], 6)
    ['Chrine', 'Chrian', 'Ana', 'Maximi']
    """
    cells = [clusters(name) for name in names]
    cut = ["".join(parts[:length]) for parts in cells]
    return [
        "".join(parts[: length - 2] + parts[-2:]) if cut.count(short) > 1 and len(parts) > length else short
        for parts, short in zip(cells, cut, strict=True)
    ]


# Players.


def letter_pitch(word_length: int, font: Font) -> int:
    """Return how far apart the letters of a word stand: 8 pixels in 6x13, less for long words."""
    return font.width + (2 if word_length <= 7 else 1 if word_length <= 9 else 0)


def letters(canvas: Canvas, x: int, y: int, row: Row, font: Font, pitch: int, *, fresh: bool) -> None:
    """Draw the letters that *row* has and a dash for each it has not; with *fresh* the newest is inverse."""
    count = len(row.word)
    base = y + (11 if font is LARGE else 7)
    turned = bool(row.word) and unicodedata.bidirectional(row.word[0][:1] or " ") in {"R", "AL"}
    for place in range(count):
        left = x + (count - 1 - place if turned else place) * pitch
        if place >= len(row.letters):
            canvas.fill(left, base - 1, font.width - 1, 1)
            continue
        canvas.text(left, y, row.letters[place], font)
        if fresh and row.new and place == len(row.letters) - 1:
            high = 11 if font is LARGE else 8
            canvas.invert(left - 1, base - high + 1, font.width + 1, high)


def standing(frame: Frame, y: int, row: Row, font: Font, *, fresh: bool) -> None:
    """Draw one player over the whole width: a sign, the name, letters or score; *fresh* as for `letters`."""
    canvas = frame.canvas
    news = fresh and row.new
    pitch = letter_pitch(len(row.word), font)
    right = frame.width - len(row.word) * pitch + (pitch - font.width)
    if row.word:
        letters(canvas, right, y, row, font, pitch, fresh=fresh)
    elif row.score is not None:
        score = str(row.score)
        right = frame.width - font.measure(score)
        canvas.text(right, y, score, font)
    sign = _sign(row)
    if sign is not None:
        canvas.pattern(0, y + (3 if font is LARGE else 0), sign)
    name = font.fit(row.player, right - NAME_X - 4)
    canvas.text(NAME_X, y, name, font)
    if row.out and not news:
        canvas.fill(8, y + (7 if font is LARGE else 4), font.measure(name) + 1, 1)


def _sign(row: Row) -> tuple[str, ...] | None:
    """Return the small picture before a player's name."""
    if row.winner:
        return STAR
    if row.out:
        return OUT
    if row.held:
        return DOWN
    return CARD if row.dealer else None


def dense_cell(frame: Frame, x: int, y: int, row: Row, name: str, width: int, *, fresh: bool) -> None:
    """Draw a player in half a line: a short name and a pip a letter, or a cross, or the score."""
    canvas = frame.canvas
    canvas.text(x, y, name, SMALL)
    if row.out:
        canvas.pattern(x + 31, y, OUT)
    elif row.word:
        _pips(canvas, x + 32, y, row, width - 34, fresh=fresh)
    elif row.score is not None:
        score = SMALL.fit(str(row.score), width - 34)
        canvas.text(x + width - 2 - SMALL.measure(score), y, score, SMALL)


def _pips(canvas: Canvas, x: int, y: int, row: Row, width: int, *, fresh: bool) -> None:
    """Draw a tall pip for each letter, a low dot for each that is missing; long words take two lines."""
    count = len(row.word)
    a_line = count if count * 4 <= width else -(-count // 2)
    tall = 5 if a_line == count else 2
    for place in range(count):
        left = x + place % a_line * 4
        top = y + 1 + place // a_line * 4
        if place >= len(row.letters):
            canvas.fill(left + 1, top + tall - 1, 1, 1)
        elif fresh and row.new and place == len(row.letters) - 1 and tall == 5:
            canvas.pattern(left, top, ("###", "#.#", "#.#", "#.#", "###"))
        else:
            canvas.fill(left, top, 3, tall)
