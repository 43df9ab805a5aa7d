"""A second opinion on whole evenings: an umpire with one list of what people did, who knows no code.

He keeps persons by their names. After whatever is corrected, taken back or put back, and after who came and
went, he goes through his list from the beginning and says what everybody has, or which line cannot be.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

WORDS = {"pig": "PIG", "hog": "HOG", "donkey": "DONKEY", "magarac": "MAGARAC"}
TURNS = ("magarac", "vatra")


class CannotBe(Exception):
    """Something on the list that the rules, or those who sit there, do not allow."""


@dataclass
class Line:
    """A line of the list: a "seat", "round", "early", "move", "end", or a round that was "void".

    People are named but for what noses did.

    `seats` are those of noses, at the seating that was line `under`; `move` is a move by names
    (`umpire_moves`); `fixes` are the corrections, each with its number, what it says, and whether it stands.
    """

    number: int
    what: str
    names: list[str] = field(default_factory=list)
    seats: tuple[list[int], list[int]] = ([], [])  # in order, and who was last
    under: int = 0
    move: dict[str, Any] = field(default_factory=dict)
    stands: bool = True
    fixes: list[list[Any]] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Whether it is to be gone through."""
        return self.stands and self.what not in ("end", "void") and self.fix != "void"

    @property
    def fix(self) -> Any:
        """What the newest correction that stands says."""
        return next((says for _, says, stands in reversed(self.fixes) if stands), None)

    @property
    def sitting(self) -> list[str]:
        """Who sits there from this line on."""
        return self.fix or self.names


@dataclass
class Account:
    """What everybody has, by name, and who sits where; `got` are the letters that nobody brought along."""

    circle: list[str]
    letters: dict[str, int] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    over: bool = False
    got: Counter[str] = field(default_factory=Counter)


def called(said: Any, was: str, name: str) -> Any:
    """Return what was *said* of people with *name* wherever *was* is named."""
    if isinstance(said, dict):
        return {key: called(value, was, name) for key, value in said.items()}
    if isinstance(said, list | tuple):
        return type(said)(called(one, was, name) for one in said)
    return name if said == was else said


def rename(lines: list[Line], was: str, name: str) -> None:
    """Write *name* for *was* in all *lines*; raise CannotBe when another has it."""
    for line in lines:
        said = [line.names, line.move, line.fixes]
        if called(said, name, "") != said:
            raise CannotBe(f"another is {name}")
    for line in lines:
        line.names, line.move = called(line.names, was, name), called(line.move, was, name)
        line.fixes = called(line.fixes, was, name)


class EveningUmpire:
    """Keeps the list of one game."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game, self.options, self.lines = game, options, list[Line]()
        losses = options.get("losses", "word" if "word" in options else "three")
        spoons = game in ("spoons", "forks-and-knives")
        word = "XXX" if spoons and losses != "word" else options.get("word", WORDS.get(game))
        self.need = 0 if game == "vatra" else len(word or "")

    def account(self) -> Account:
        """Go through the list; raise CannotBe for the first line that cannot be."""
        under = {line.number: line.sitting for line in self.lines if line.what == "seat"}
        first = self.lines[0]
        now = Account([*first.sitting], dict.fromkeys(first.sitting, 0))
        for line in self.lines[1:]:
            if line.counts:
                self._line(now, line, under)
        return now

    def _line(self, now: Account, line: Line, under: dict[int, list[str]]) -> None:
        if line.what == "seat":
            self._sit_down(now, line.sitting)
        elif line.what == "early":
            (who,) = line.fix[1] if line.fix else line.names
            self._there(now, [who])
            self._early(now, who)
        else:
            order, last = ([under[line.under][seat - 1] for seat in seats] for seats in line.seats)
            self._there(now, [*order, *last])
            if line.fix is None:
                self._last(now, order, last)
            else:
                self._there(now, line.fix[1])
                self._last(now, order, line.fix[1])

    def _there(self, now: Account, who: list[str]) -> None:
        for one in who:
            if one not in now.circle:
                raise CannotBe(f"{one} does not sit there")

    def _goes_on(self, now: Account) -> None:
        if now.over:
            raise CannotBe("the game is over")

    def _sit_down(self, now: Account, names: list[str]) -> None:
        self._goes_on(now)
        stay = [now.letters[one] for one in names if one in now.circle and one not in now.out]
        most = 0 if self.game == "vatra" else max(stay, default=0)
        now.circle = [*names]
        for one in names:
            now.letters.setdefault(one, most)
        if all(one in now.out for one in now.circle):
            raise CannotBe("nobody is left to play")
        self._look(now)

    def _last(self, now: Account, order: list[str], last: list[str]) -> None:
        self._goes_on(now)
        for one in [*last, *order]:
            if one in now.out:
                raise CannotBe(f"{one} is out already")
        if not last:
            return
        inside = [one for one in now.circle if one not in now.out]
        duel = self.game not in TURNS and self.options.get("winners", 2) == 1 and len(inside) == 2
        if len(last) > 1 and (duel or self.options.get("dead_heat", "replay") == "replay"):
            return
        if duel:
            now.over = True
            return
        whole = [one for one in last if self.need and now.letters[one] + 1 == self.need]
        if self.game in TURNS and len(whole) > 1:
            return
        if self.game not in TURNS and all(one in whole for one in inside):
            return
        self._letter(now, last)

    def _early(self, now: Account, who: str) -> None:
        self._goes_on(now)
        if who in now.out:
            raise CannotBe(f"{who} is out already")
        self._letter(now, [who])

    def _letter(self, now: Account, who: list[str]) -> None:
        for one in who:
            now.letters[one] += 1
            now.got[one] += bool(self.need)  # Vatra has none
            if self.need and now.letters[one] == self.need:
                if self.game == "magarac":
                    now.over = True
                elif self.game != "vatra":
                    now.out.add(one)
        self._look(now)

    def _look(self, now: Account) -> None:
        if self.game in TURNS:
            return
        inside = [one for one in now.circle if one not in now.out]
        now.over = now.over or len(inside) <= self.options.get("winners", 2)
