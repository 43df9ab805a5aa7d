"""A player's line on the OLED: a sign, the name, and the letters of the word or the score."""

from __future__ import annotations

from companion.core.text import true_minus
from companion.views.snapshot import PlayerRow
from hardware.oled.layout import CARD, DOWN, LARGE, OUT, SMALL, STAR, TALL, Frame, tallest
from hardware.oled.text.bidi import right_to_left
from hardware.oled.text.canvas import Canvas, Font
from hardware.oled.text.shaping import script_of

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
