"""The pieces that OLED screens are put together from: heading, signs, text that fits."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence

import msgspec
from lastnose.companion.core.ports import JoinInfo
from lastnose.companion.core.text import Text, text, true_minus
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.views.snapshot import PlayerRow, Snapshot
from lastnose.hardware.oled.canvas import Canvas, Font, load, tall
from lastnose.hardware.oled.shaping import right_to_left, script_of

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
    aside: str = "",
    page: tuple[int, int],
    simulated: str,
    alert: bool,
    live: bool,
    dense: bool,
    width: int | None = None,
) -> Frame:
    """Draw the heading and return the room below it.

    *aside* stands behind the title where both have room. *page* is (which, of how many), drawn as a ruler
    whose lit piece is the page; *simulated* is the word of the mark, empty on a real table; *alert* says that
    a device has failed, *live* that the noses are armed. With *width* the heading leaves the rest of the
    canvas alone.
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
        both = (f"{title} · {aside}", f"{title} {aside}") if aside else ()
        whole = next((one for one in both if SMALL.measure(one) <= right - 10), title)
        canvas.text(10, y, SMALL.fit(whole, right - 10), SMALL)
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


# ---- A player's line on the OLED: a sign, the name, and the letters of the word or the score.

NAME_X = 9  # where names begin, after the sign
SHORTEST = 41  # pixels that a name is to have beside the letters, if it needs them


class Word:
    """The letters of a row's word in *font* on lines of *width* pixels; with *spread* further apart."""

    def __init__(self, row: PlayerRow, font: Font, width: int, *, spread: bool = False) -> None:
        count = len(row.word)
        self._row = row
        self.font = font.suited("".join(row.word))
        widest = max(3, *map(self.font.measure, row.word))
        gap = 2 if count <= 7 else 1 if count <= 9 else 0
        if spread:
            gap = max(0, min(6, width // count - widest))
        elif self.font is TALL:
            gap = 2 if count * (widest + 2) <= width else 1
        self._widest, self.pitch = widest, widest + gap
        self.a_line = max(1, min(count, (width + gap) // self.pitch))
        self.lines = -(-count // self.a_line)
        self.width = self.a_line * self.pitch - gap
        self.height = self.lines * self.font.height

    def draw(self, canvas: Canvas, x: int, y: int, *, fresh: bool) -> None:
        """Draw the letters that the row has and a dash for each it has not; with *fresh* the newest inverse.

        Each letter has the form that it has alone. The whole word is written as one where letters join.
        """
        row = self._row
        if self._joins():
            self._joined(canvas, x, y, inverse=fresh and row.new)
            return
        turned = right_to_left(row.word[0])
        for place in range(len(row.word)):
            line, at = divmod(place, self.a_line)
            left = x + (self.a_line - 1 - at if turned else at) * self.pitch
            top = y + line * self.font.height
            if place >= len(row.letters):
                canvas.fill(left, top + self.font.base - 1, self._widest - 1, 1)
                continue
            letter = row.letters[place]
            canvas.text(left + (self._widest - self.font.measure(letter)) // 2, top, letter, self.font)
            if fresh and row.new and place == len(row.letters) - 1:
                self._invert(canvas, left - 1, top, self._widest + 1)

    def _joins(self) -> bool:
        """Return whether the word is whole, in a script whose letters join, and fits a line."""
        word = self._row.word
        whole = len(self._row.letters) == len(word) and any(script_of(letter[:1]) for letter in word)
        return whole and self.font.measure("".join(word)) <= self.width

    def _joined(self, canvas: Canvas, x: int, y: int, *, inverse: bool) -> None:
        word = "".join(self._row.word)
        wide = self.font.measure(word)
        left = x + self.width - wide if right_to_left(word) else x
        canvas.text(left, y, word, self.font)
        if inverse:
            self._invert(canvas, left - 1, y, wide + 2)

    def _invert(self, canvas: Canvas, x: int, y: int, width: int) -> None:
        skip = 1 if self.font is LARGE else 0
        canvas.invert(x, y + skip, width, min(self.font.base + 1, 15) - skip)


def standing_height(row: PlayerRow, font: Font, width: int) -> int:
    """Return how many rows of pixels `standing` takes."""
    name = font.suited(row.player).height
    if not row.word:
        return name
    word = Word(row, font, width)
    return max(name, word.height) if _beside(row, font, word, width) else name + word.height


def _beside(row: PlayerRow, font: Font, word: Word, width: int) -> bool:
    """Return whether the name has room beside its *word*."""
    room = width - word.width - NAME_X - 4
    return word.lines == 1 and (word.font is not TALL or room >= min(font.measure(row.player), SHORTEST))


def standing(frame: Frame, y: int, row: PlayerRow, font: Font, *, fresh: bool) -> None:
    """Draw one player over the whole width: a sign, the name, letters or score; *fresh* as for a `Word`.

    Letters that have no room beside the name stand below it.
    """
    canvas, width = frame.canvas, frame.width
    base, right = y + font.suited(row.player).base, width
    if row.word:
        word = Word(row, font, width)
        if _beside(row, font, word, width):
            base = y + tallest((font.suited(row.player), word.font)).base
            right -= word.width
            word.draw(canvas, right, base - word.font.base, fresh=fresh)
        else:
            word.draw(canvas, width - word.width, y + font.suited(row.player).height, fresh=fresh)
    elif row.score is not None:
        score = true_minus(row.score)
        right -= font.measure(score)
        canvas.text(right, base - font.base, score, font)
    _named(canvas, base, row, font, right - NAME_X - 4, struck=row.out and not (fresh and row.new))


def _named(canvas: Canvas, base: int, row: PlayerRow, font: Font, width: int, *, struck: bool) -> None:
    """Draw the sign and the name on the baseline *base*."""
    sign = _sign(row)
    if sign is not None:
        canvas.pattern(0, base - (8 if font is LARGE else 7), sign)
    name = font.fit(row.player, width)
    canvas.text(NAME_X, base - font.base, name, font)
    if struck:
        canvas.fill(8, base - (4 if font is LARGE else 3), font.measure(name) + 1, 1)


def _sign(row: PlayerRow) -> tuple[str, ...] | None:
    """Return the small picture before a player's name."""
    if row.winner:
        return STAR
    if row.out:
        return OUT
    if row.held:
        return DOWN
    return CARD if row.dealer else None


def dense_cell(frame: Frame, x: int, y: int, row: PlayerRow, name: str, width: int, *, fresh: bool) -> None:
    """Draw a player in half a line: a short name and a pip a letter, or a cross, or the score."""
    canvas = frame.canvas
    canvas.text(x, y, name, SMALL)
    if row.out:
        canvas.pattern(x + 31, y, OUT)
    elif row.word:
        _pips(canvas, x + 32, y, row, width - 34, fresh=fresh)
    elif row.score is not None:
        score = SMALL.fit(true_minus(row.score), width - 34)
        canvas.text(x + width - 2 - SMALL.measure(score), y, score, SMALL)


def _pips(canvas: Canvas, x: int, y: int, row: PlayerRow, width: int, *, fresh: bool) -> None:
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


# ---- What a screen is drawn from: the snapshot, its language, and where.

Translate = Callable[[Text], str]


class ScreenPage(msgspec.Struct, frozen=True):
    """One picture of a phase: its heading, in which width, and what is drawn below it.

    What stands `beside` the title is left out where they have no room together.
    """

    title: Text
    paint: Callable[[Frame], None]
    beside: Text | None = None
    dense: bool = False
    width: int | None = None


class Scene(msgspec.Struct, frozen=True):
    """What is to be drawn, where and how."""

    snapshot: Snapshot
    size: tuple[int, int]
    dense: bool
    translate: Translate
    join: JoinInfo | None

    def frame(self, *, dense: bool = False) -> Frame:
        """Return a frame as a page will get it, to count what fits."""
        canvas = Canvas(*self.size)
        return Frame(canvas, heading_height(canvas.height, dense=dense))

    def round_title(self) -> Text:
        """Return the heading while a game is on: where its round is, or its name where it has none."""
        if not self.snapshot.watched and self.snapshot.title is not None:
            return self.snapshot.title
        return self.snapshot.stage_says or text("Round {n}", n=self.snapshot.round_no)

    def home_title(self) -> Text:
        """Return the heading before a game: which table of a hall this is, or what it is."""
        hall = self.snapshot.hall
        return text("Last Nose") if hall is None else text("Table {n}", n=hall.number)

    def say(self, messages: Sequence[Text]) -> list[str]:
        """Return *messages* in the reader's language."""
        return [self.translate(message) for message in messages]
