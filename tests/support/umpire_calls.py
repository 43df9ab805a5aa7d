"""A second opinion on games of who was first (Snap, slaps, the duel, Quiz), by person, from the list alone.

As in `umpire_moves` everything is by name, and after each change the list is played from its beginning by the
rules of SNAP, SLAP, DUEL and QUIZ. What nobody can do now is refused; a ruling on a round that by now says
nobody counts for nothing.
"""

from __future__ import annotations

from typing import Any

from tests.support.umpire_evening import Account, CannotBe, Line

USUAL: dict[str, dict[str, Any]] = {
    "snap": {"piles": "own", "wrong": "each"},
    "quiz": {"early": "lock", "wrong_early": 5, "latecomers": "zero"},
}
SIDES = {"two": 2, "three": 3, "four": 4}


class CallsUmpire:
    """Keeps the list of one game of calls."""

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.game, self.options, self.lines = game, options, list[Line]()

    def book(self, lines: list[Line] | None = None) -> Book:
        """Play the list; raise CannotBe for the first line that cannot be."""
        lines = self.lines if lines is None else lines
        under = {line.number: line.sitting for line in self.lines if line.what == "seat"}
        make = QuizBook if self.game == "quiz" else DuelBook if self.game == "reaction-duel" else CardsBook
        book = make(self.game, lines[0].sitting, self.options)
        for line in lines[1:]:
            if not line.counts:
                continue
            if line.what == "seat":
                book.sit(line.sitting)
            elif line.what == "round":
                sat = under[line.under]
                order, first, early, armed = (
                    [sat[seat - 1] for seat in seats]
                    for seats in (*line.seats, line.move["early"], line.move["armed"])
                )
                book.there([*order, *first, *early, *armed])
                book.round(order, first if line.fix is None else line.fix, early)
            else:
                book.move(line.fix or line.move)
        return book

    def account(self) -> Account:
        """Return what everybody has; raise CannotBe for the first line that cannot be."""
        book = self.book()
        points = {one: book.points(one) for one in book.circle}
        return Account([*book.circle], points, {one for one in book.circle if one in book.out}, book.over)


class Book:
    """What all of them keep: who sits there, who was called, who is out for good."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        self.game, self.options, self.circle = game, USUAL.get(game, {}) | options, [*names]
        self.called: list[str] = []
        self.order: list[str] = []
        self.out: set[str] = set()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        raise NotImplementedError

    def points(self, who: str) -> int:
        """Return what somebody has."""
        raise NotImplementedError

    def goes_on(self) -> None:
        """Raise CannotBe after the end."""
        if self.over:
            raise CannotBe("the game is over")

    def there(self, names: list[str]) -> None:
        """Raise CannotBe for who does not sit there."""
        for one in names:
            if one not in self.circle:
                raise CannotBe(f"{one} does not sit there")

    def stays(self, names: list[str]) -> None:
        """Raise CannotBe where nobody can come or go now."""
        self.goes_on()
        if self.called:
            raise CannotBe("somebody has been called")
        if not any(one in names for one in self.circle):
            raise CannotBe("somebody has to stay")

    def sit(self, names: list[str]) -> None:
        """Let others sit there."""
        raise NotImplementedError

    def round(self, order: list[str], first: list[str], early: list[str]) -> None:
        """Take who was first."""
        raise NotImplementedError

    def move(self, said: dict[str, Any]) -> None:
        """Take what the table says."""
        raise NotImplementedError


class CardsBook(Book):
    """Snap and the slap pile."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        super().__init__(game, names, options)
        self.won: dict[str, int] = dict.fromkeys(names, 0)
        self.empty: set[str] = set()
        self.pools = 0
        self.winner = ""

    def points(self, who: str) -> int:
        """Return the piles won."""
        return self.won[who]

    @property
    def over(self) -> bool:
        """One alone is in, or somebody has said that they have won (SNAP-6, SLAP-9)."""
        return bool(self.winner) or len([one for one in self.circle if one not in self.out]) < 2

    def sit(self, names: list[str]) -> None:
        """Everybody has what they had, who is new nothing; somebody who still has cards stays."""
        self.stays(names)
        if not [one for one in names if one in self.circle and one not in self.out]:
            raise CannotBe("somebody who still plays has to stay")
        self.empty &= {*names}  # who comes is given cards
        self.circle = [*names]
        for one in names:
            self.won.setdefault(one, 0)

    def _plays(self, who: str) -> None:
        if who in self.out:
            raise CannotBe(f"{who} is out")

    def round(self, order: list[str], first: list[str], early: list[str]) -> None:
        """Who was first waits for a ruling; nobody who is out can have been."""
        self.there(first)
        self.goes_on()
        for one in first:
            self._plays(one)
        self.called = [one for one in self.circle if one in first]
        self.order = [one for one in order if one not in self.out]

    def move(self, said: dict[str, Any]) -> None:
        """A ruling, who has no cards, who has won."""
        if said["type"] == "ruled":
            if said.get("who"):
                self.there([said["who"]])
            if self.called:
                self._ruled(said)
                self.called = []
            return
        self.there([said["who"]])
        self.goes_on()
        if self.called:
            raise CannotBe("somebody has been called")
        self._plays(said["who"])
        if self.game == "snap":
            self.out.add(said["who"])
            return
        if said["who"] in self.empty:
            raise CannotBe("has none already")
        if said["type"] == "has-won":
            self.winner = said["who"]
            return
        holding = [one for one in self.circle if one not in self.out | self.empty]
        if holding == [said["who"]]:
            raise CannotBe("nobody else has cards")
        (self.empty if self.options.get("slap_in") else self.out).add(said["who"])

    def _ruled(self, said: dict[str, Any]) -> None:
        value, together = said["value"], len(self.called) > 1
        allowed = {"right", "wrong", "late"}
        if self.game == "snap":
            allowed |= {"pool"} if self.pools else set()
        elif together and self.options["ties"] != "stays":
            allowed |= {"right-"} if said.get("who") in self.called else set()
        if value not in allowed:
            raise CannotBe(f"{value} is not to be said")
        if self.game == "snap":
            self._snap(value, together)
        elif value == "wrong":
            for one in {*self.called, *self.order}:
                if one in self.empty:
                    self.empty.discard(one)
                    self.out.add(one)
        elif value == "right-" or (value == "right" and not together):
            takes = said["who"] if value == "right-" else self.called[0]
            self.won[takes] += 1
            self.empty.discard(takes)
            if self.game == "slapjack":  # the others had one chance
                gone = {one for one in self.empty if one in self.circle}
                self.out |= gone
                self.empty -= gone

    def _snap(self, value: str, together: bool) -> None:
        own = self.options["piles"] == "own"
        if value == "right" and together:
            self.pools += own
        elif value == "right":
            self.won[self.called[0]] += 1
        elif value == "pool" and not together:
            self.won[self.called[0]] += 1
            self.pools -= 1
        elif value == "wrong" and own and self.options["wrong"] == "pool":
            self.pools += len(self.called)


class DuelBook(Book):
    """The reaction duel (DUEL-1 to DUEL-4)."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        super().__init__(game, names, options)
        self.has: dict[str, int] = dict.fromkeys(names, 0)
        self.ties = 0

    def points(self, who: str) -> int:
        """Return the points."""
        return self.has[who]

    @property
    def over(self) -> bool:
        """Somebody has enough, and more than any other."""
        ranked = sorted((self.has[one] for one in self.circle), reverse=True)
        return ranked[0] >= self.options["points"] and ranked[0] > ranked[1]

    def sit(self, names: list[str]) -> None:
        """Everybody has what they had; dead heats in a row begin again."""
        self.stays(names)
        self.circle, self.ties = [*names], 0
        for one in names:
            self.has.setdefault(one, 0)

    def round(self, order: list[str], first: list[str], early: list[str]) -> None:
        """A point to the first; to all of a fourth dead heat; to who alone did not begin too early."""
        self.there(first)
        self.goes_on()
        won = first
        if len(won) > 1 and self.ties < 3:
            self.ties += 1
            return
        left = [one for one in self.circle if one not in early]
        if not won and early and len(left) == 1:
            won = left
        if won:
            self.ties = 0
        for one in won:
            self.has[one] += 1

    def move(self, said: dict[str, Any]) -> None:
        """There is nothing to say."""
        raise CannotBe("the noses say it all")


class QuizBook(Book):
    """Quiz (QUIZ-1 to QUIZ-8). A side is a team's number, or a name."""

    def __init__(self, game: str, names: list[str], options: dict[str, Any]) -> None:
        super().__init__(game, names, options)
        teams = min(SIDES.get(options["teams"], 0), len(names))
        self.side: dict[str, Any] = {
            one: at * teams // len(names) if teams else one for at, one in enumerate(names)
        }
        self.has: dict[Any, int] = dict.fromkeys(range(teams) if teams else names, 0)
        self.teams, self.question, self.extra = bool(teams), 1, 0
        self.among: list[Any] = []
        self._close()

    def _close(self) -> None:
        self.called, self.waiting, self.tied = [], list[Any](), list[Any]()
        self.shut, self.again, self.duels, self.wrongs, self.scored = set[Any](), False, 0, 0, False
        self.written = False
        self.had = {**self.has}

    def points(self, who: str) -> int:
        """Return the points of somebody's side."""
        return self.has[self.side[who]]

    @property
    def sides(self) -> list[Any]:
        """The sides that have somebody, in the order of teams, or as they sit."""
        here = [self.side[one] for one in self.circle]
        return sorted(set(here)) if self.teams else here

    @property
    def _asked_all(self) -> bool:
        best = max(self.has[side] for side in self.sides)
        return self.question > self.options["questions"] or 0 < self.options["limit"] <= best

    @property
    def open(self) -> bool:
        """Whether a question has been begun and is not over."""
        return bool(self.called or self.again or self.tied)

    @property
    def over(self) -> bool:
        """Whether all questions are asked, or somebody has enough, and nothing is to be played off."""
        return not self.open and not self.among and self._asked_all

    def may(self) -> list[Any]:
        """Return the sides that may buzz now."""
        if self.tied:
            return self.tied
        return [side for side in self.sides if side in (self.among or self.sides) and side not in self.shut]

    def sit(self, names: list[str]) -> None:
        """Sides keep their points; who is new gets what the table gives, or joins the smallest team."""
        self.stays(names)
        if self.open:
            raise CannotBe("a question is open")
        stay = [one for one in self.circle if one in names]
        known = {one: self.side[one] for one in names if one in self.side}
        if self.teams:
            for one in names:
                here = [known[other] for other in names if other in known]
                known.setdefault(one, min(sorted(self.has), key=here.count))
            if len(set(known.values())) < 2:
                raise CannotBe("two teams at least")
        else:
            mine = sorted(self.has[one] for one in stay)
            gives = {"zero": 0, "worst": mine[0], "average": (2 * sum(mine) + len(mine)) // (2 * len(mine))}
            for one in names:
                self.has.setdefault(one, gives[self.options["latecomers"]])
                known[one] = one
            self.among = [side for side in self.among if side in stay]
        self.circle = [*names]
        self.side |= known
        self.among = [side for side in self.among if side in self.sides]
        self.among = self.among if len(self.among) > 1 else []
        self.had = {**self.has}

    def _next(self) -> None:
        self._close()
        self.question += 1
        self.among = []
        if self.options["equal"] == "more" and self.extra < 5 and self._asked_all:
            best = max(self.has[side] for side in self.sides)
            top = [side for side in self.sides if self.has[side] == best]
            self.among = top if len(top) > 1 else []
            self.extra += bool(self.among)

    def round(self, order: list[str], first: list[str], early: list[str]) -> None:
        """Who was first answers; several do as the table has chosen; nobody, and the question is over."""
        self.there(first)
        self.goes_on()
        if self.options["early"] == "out":
            self.shut |= {self.side[one] for one in early}
        if not first:
            self._next()
            return
        for one in first:
            if self.side[one] not in self.may():
                raise CannotBe(f"{one} may not buzz")
        first = {self.side[one] for one in first}
        found = [side for side in self.sides if side in first]
        if len(found) == 1:
            self.called = found
            if self.tied and self.options["then"] == "queue":  # the others of the duel are next, in its order
                ranked = [self.side[one] for one in order if one in self.circle]
                self.waiting = [side for side in dict.fromkeys([*ranked, *self.tied]) if side not in found]
        elif self.options["tie"] == "replace":  # as if it had never been asked
            self.has |= self.had
            self._close()
        elif self.options["tie"] == "duel" and self.duels < 3:
            self.tied, self.duels = found, self.duels + 1
            self.again = False
        else:
            self.called, *rest = [[side] for side in found]
            self.waiting, self.written = [side for (side,) in rest], True

    def move(self, said: dict[str, Any]) -> None:
        """The host closes the question, or rules."""
        if said["type"] == "closed":
            self.goes_on()
            if self.called:
                raise CannotBe("say first whether it was right")
            self._next()
            return
        if not self.called:
            return
        value, options = said["value"], self.options
        cuts = ["cut-in"] if options["opens"] == "reading" and not self.wrongs else []
        if value not in ("right", "wrong", "nobody", *cuts):
            raise CannotBe(f"{value} is not to be said")
        if value == "nobody":
            self._next()
            return
        (side,) = self.called
        if value == "right":
            self.has[side] += options["right"] // 2 if options["half"] and self.wrongs else options["right"]
            self.scored = True
        else:
            self.has[side] -= options["wrong_early"] if value == "cut-in" else options["wrong"]
            self.shut.add(side)
            self.wrongs += not (self.waiting and self.written)
        if self.waiting and (self.written or not self.scored):
            self.called = [self.waiting.pop(0)]
            return
        self.called, self.tied, self.again, self.written = [], [], True, False
        if self.scored or options["then"] == "close" or not self.may():
            self._next()
