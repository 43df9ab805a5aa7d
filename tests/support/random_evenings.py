"""Random evenings, written by the project and an umpire: they agree about what can be, and what came of it.

What an umpire holds impossible the project refuses, and foretells; nothing has changed then.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.model import Press, Verdict
from lastnose.companion.evening import log
from lastnose.companion.evening.commands import Amend, Redo, Undo
from lastnose.companion.evening.events import (
    Amended,
    AnyEvent,
    Finished,
    NameChanged,
    Played,
    Redone,
    RoundArmed,
    RoundJudged,
    Seated,
    Started,
    Undone,
)
from lastnose.companion.evening.state import Evening, Match
from lastnose.companion.evening.undo import undoable
from lastnose.companion.views.preview import foreseen

from tests.support.umpire_calls import CallsUmpire, CardsBook, QuizBook
from tests.support.umpire_evening import Account, CannotBe, EveningUmpire, Line, rename
from tests.support.umpire_moves import DECK, MovesUmpire, PileBook, SheetBook

NOSES = ("pig", "hog", "donkey", "spoons", "forks-and-knives", "magarac", "vatra")
MOVES = ("pig-10", "swedish-gin", "chickenfoot")
CALLS = ("snap", "slapjack", "egyptian-ratscrew", "reaction-duel", "quiz")
PEOPLE = ("Ana", "Ben", "Cem", "Dora", "Eva", "Fred", "Gus")


class Log:
    """Where an evening is written down: the log alone, without a table."""

    pressed = False  # rounds come of noses that are pressed, so that nobody is early and somebody is there

    def __init__(self) -> None:
        self.kept: list[tuple[int, AnyEvent]] = []
        self._evening = Evening()

    @property
    def evening(self) -> Evening:
        """The evening as it stands."""
        return self._evening

    @property
    def next(self) -> int:
        """The number of the next entry."""
        return len(self.kept) + 1

    def seq(self, number: int) -> int:
        """Return the log's own number of entry *number*."""
        return number

    def keep(self, event: AnyEvent) -> None:
        """Write *event*; raise a CompanionError when the project does not take it."""
        self._evening = log.apply(self._evening, self.next, event)
        self.kept.append((self.next, event))

    def settles(self) -> None:
        """Let all come that is to come before another round."""

    def foretold(self, event: AnyEvent, *, fits: bool) -> None:
        """Look at what was told before it is done."""
        if isinstance(event, Amended):
            assert fits == foreseen(self.evening, Amend(event.of, event.move)).fits
        elif isinstance(event, Undone):
            assert fits == foreseen(self.evening, Undo(event.of)).fits
        elif isinstance(event, Redone):
            assert fits == foreseen(self.evening, Redo(event.of)).fits


def _must_not_play_on(event: AnyEvent) -> None:
    """Raise CannotBe for what takes a game on, which was ended."""
    if isinstance(event, Played | RoundJudged | Seated | Finished):
        raise CannotBe("the game is over")


class Evenings:
    """One random game of an evening that is written to *book*."""

    least = 3  # who sit there
    what: tuple[str, ...] = ()
    weights: tuple[int, ...] = ()

    def __init__(
        self,
        game: str,
        rng: Random,
        umpire: EveningUmpire | MovesUmpire | CallsUmpire,
        book: Log,
    ) -> None:
        self.rng, self.game, self.umpire, self.book = rng, game, umpire, book
        names = rng.sample(PEOPLE, rng.randint(self.least, 5))
        self.refused = self.done = 0
        self.number = 1 if book.evening.match is None else book.evening.match.number + 1
        self.beside: list[Evenings] = [self]  # the games of the evening
        self.umpire.lines.append(Line(book.next, "seat", names))
        began = Started(
            by="host",
            at=0.0,
            game=game,
            players=tuple(names),
            options=umpire.options,
            lines=("",) * len(names),
        )
        book.keep(began)

    @property
    def evening(self) -> Evening:
        """The evening as the project has it."""
        return self.book.evening

    @property
    def match(self) -> Match:
        """The game as the project has it."""
        return next(match for match in reversed(self.evening.matches) if match.number == self.number)

    def step(self) -> None:
        """Let people do something; project and umpire agree about whether it can be, and what came of it."""
        (what,) = self.rng.choices(self.what, self.weights)
        if what == "round":
            self.book.settles()
        self.tries(getattr(self, what))

    @property
    def ended(self) -> bool:
        """Whether somebody has ended it by hand."""
        return any(line.what == "end" and line.stands for line in self.umpire.lines)

    def account(self) -> Account:
        """Return what everybody has; raise CannotBe for the first line that cannot be."""
        now = self.umpire.account()
        now.over = now.over or self.ended
        return now

    def tries(self, does: Callable[[int, list[str]], AnyEvent | None]) -> None:
        number = self.book.next
        before, now, ended = deepcopy(self.umpire.lines), self.account(), self.ended
        event = does(number, now.circle)
        if event is None:
            return
        try:
            if now.over if isinstance(event, Finished) else ended:
                _must_not_play_on(event)
            if isinstance(event, NameChanged):
                (who,) = (one for one in now.circle if one.casefold() == event.was.casefold())
                rename(self.all_lines(), who, event.name)
            account = self.account()
        except CannotBe as why:
            self.book.foretold(event, fits=False)
            with pytest.raises(CompanionError):
                self.book.keep(event)
                print(self.game, self.umpire.options, *self.book.kept, event, why, sep="\n")
            self.umpire.lines, self.refused = before, self.refused + 1
            return
        self.book.foretold(event, fits=True)
        self.book.keep(event)
        self.done += 1
        self.agree(account)
        if isinstance(event, Amended):
            assert self.book.seq(number) == undoable(self.evening), "undo offers the correction"

    def all_lines(self) -> list[Line]:
        """Return what was written down of the whole evening."""
        return [line for game in self.beside for line in game.umpire.lines]

    def agree(self, account: Account) -> None:
        """Compare what everybody has."""
        match = self.match
        stands = match.now.standings
        had = {match.player(one.seat): len(one.letters) if one.score is None else one.score for one in stands}
        assert {one: account.letters[one] for one in account.circle} == had
        assert account.circle == list(match.started.players)
        assert {one for one in account.circle if one in account.out} == {
            match.player(one.seat) for one in stands if one.out
        }
        assert account.over == match.finished

    def corrects(self) -> None:
        """Let people change something that was written."""
        self.tries(getattr(self, self.rng.choice(("fix", "seats", "toggle"))))

    def ends(self, number: int, circle: list[str]) -> AnyEvent:
        """End it by hand."""
        self.umpire.lines.append(Line(number, "end"))
        return Finished(by="host", at=0.0)

    def rename(self, number: int, circle: list[str]) -> AnyEvent:
        """Call somebody otherwise who sits there, now and then as another is called already."""
        was = self.rng.choice(circle)
        name = f"{was[:3]} {number}" if self.rng.random() < 0.8 else self.rng.choice([*{*circle} - {was}])
        spelt = self.rng.choice([was, was.lower(), was.upper()])
        return NameChanged(by="host", at=0.0, was=spelt, name=name)

    def seat(self, number: int, circle: list[str]) -> AnyEvent:
        names = self.rng.sample(PEOPLE, self.rng.randint(self.least, 5))
        if self.rng.random() < 0.6:
            gone = self.rng.choice(circle) if len(circle) > self.least else ""
            come = [one for one in PEOPLE if one not in circle]
            names = [one for one in circle if one != gone] + come[: self.rng.randint(0, 1)]
        self.umpire.lines.append(Line(number, "seat", names))
        rearm_ns = self.rng.choice([None, 3_000_000_000])
        lines = ("",) * len(names)
        return Seated(by="host", at=0.0, players=tuple(names), lines=lines, rearm_ns=rearm_ns)

    def arm(self, number: int, circle: list[str]) -> AnyEvent:
        """Arm a round for who is in, as a table does by itself; the umpire notes nothing."""
        out = self.umpire.account().out
        seats = tuple(seat for seat, one in enumerate(circle, 1) if one not in out)
        return RoundArmed(by="box", at=0.0, t_ns=1_000 * number, seats=seats)

    def under(self) -> int:
        """Return the line by which those sit there who do."""
        return next(
            line.number for line in reversed(self.umpire.lines) if line.what == "seat" and line.stands
        )

    def _sat(self, line: Line) -> list[str]:
        """Return who sat there at *line*, as it is known now."""
        before = self.umpire.lines[: self.umpire.lines.index(line)]
        return next(one.sitting for one in reversed(before) if one.what == "seat" and one.stands)

    def seats(self, number: int, circle: list[str]) -> AnyEvent:
        line = self.rng.choice([one for one in self.umpire.lines if one.what == "seat" and one.stands])
        names = self.rng.sample(PEOPLE, len(line.names))
        if self.rng.random() < 0.7:
            names = self.rng.sample(line.sitting, len(line.sitting))
        line.fixes.append([number, names, True])
        return Amended(by="host", at=0.0, of=line.number, move={"type": "seats", "players": names})

    def toggle(self, number: int, circle: list[str]) -> AnyEvent | None:
        parts: list[tuple[int, Any]] = [(line.number, line) for line in self.umpire.lines[1:]]
        parts += [(fix[0], fix) for line in self.umpire.lines for fix in line.fixes]
        if not parts:
            return None
        of, part = self.rng.choice(parts[-6:] if self.rng.random() < 0.5 else parts)
        if isinstance(part, Line):
            part.stands = stands = not part.stands
        else:
            part[2] = stands = not part[2]
        return (Redone if stands else Undone)(by="host", at=0.0, of=of)


class NoseEvenings(Evenings):
    """Of a game with noses."""

    what = ("round", "arm", "early", "seat", "fix", "seats", "toggle", "rename")
    weights = (6, 2, 2, 2, 3, 1, 4, 1)

    def __init__(self, game: str, rng: Random, book: Log) -> None:
        options: dict[str, Any] = {"dead_heat": rng.choice(["replay", "share"])}
        if game in ("pig", "hog", "donkey"):
            options |= {"winners": rng.choice([1, 2]), "word": rng.choice(["X", "AB", "PIG"])}
        elif game == "magarac":
            options |= {"word": rng.choice(["AB", "MAG"])}
        elif game == "vatra":
            options = {}
        super().__init__(game, rng, EveningUmpire(game, options), book)

    def round(self, number: int, circle: list[str]) -> AnyEvent:
        now = self.umpire.account()
        inside = [seat for seat, one in enumerate(circle, 1) if one not in now.out]
        order = self.rng.sample(inside, len(inside))
        last = sorted(order[-1 - (self.rng.random() < 0.2 and len(order) > 2) :])
        self.umpire.lines.append(Line(number, "round", seats=(order, last), under=self.under()))
        presses = tuple(Press(seat, 1_000 * at, 10, "gpio") for at, seat in enumerate(order))
        verdict = Verdict(tuple(order), tuple(last), 1_000, 20, dead_heat=len(last) > 1, presses=presses)
        return RoundJudged(by="box", at=0.0, verdict=verdict, confirm_ns=1_000, lockout_ns=20_000)

    def early(self, number: int, circle: list[str]) -> AnyEvent:
        who = self.rng.choice(circle)
        self.umpire.lines.append(Line(number, "early", [who]))
        move = {"type": "false-opener", "seat": circle.index(who) + 1}
        return Played(by="host", at=0.0, move=move)

    def fix(self, number: int, circle: list[str]) -> AnyEvent | None:
        able = [
            line for line in self.umpire.lines if line.what not in ("seat", "end", "void") and line.stands
        ]
        if not able:
            return None
        line = self.rng.choice(able)
        sat = self._sat(line)
        if self.rng.random() < 0.3:
            line.fixes.append([number, "void", True])
            return Amended(by="host", at=0.0, of=line.number, move={"type": "void"})
        if line.what == "early":
            who = self.rng.choice(sat)
            line.fixes.append([number, ("early", [who]), True])
            move: dict[str, Any] = {"type": "false-opener", "seat": sat.index(who) + 1}
        else:
            last = self.rng.sample(sat, self.rng.choices((0, 1, 2), (1, 7, 2))[0])
            line.fixes.append([number, ("last", last), True])
            move = {"type": "last", "seats": [sat.index(one) + 1 for one in last]}
        return Amended(by="host", at=0.0, of=line.number, move=move)


class MoveEvenings(Evenings):
    """Of a sheet, or of Pig 10."""

    least = 2
    what, weights = ("play", "seat", "fix", "seats", "toggle", "rename"), (12, 2, 4, 1, 4, 1)
    umpire: MovesUmpire

    def __init__(self, game: str, rng: Random, book: Log) -> None:
        options: dict[str, Any] = {"latecomers": rng.choice(["average", "worst", "zero"])}
        if game == "pig-10":
            options = {"count_cards": rng.random() < 0.7}
        elif game == "chickenfoot":
            options |= {"set": rng.choice([6, 9]), "double_blank": rng.choice([25, 50])}
        else:
            options |= {"exact_cut": rng.random() < 0.6}
        super().__init__(game, rng, MovesUmpire(game, options), book)

    def step(self) -> None:
        """Do something; what is played is often several moves, such as the rest of a hand."""
        super().step()
        if self.game == "pig-10":
            for _ in range(self.rng.choice([0, 0, 3, 6])):
                self.tries(self.play)
        elif self.rng.random() < 0.7:
            for _ in range(8):
                if self._half_written():
                    self.tries(self.play)

    def _half_written(self) -> bool:
        book = self.umpire.book()
        assert isinstance(book, SheetBook)
        return not book.over and any(one in book.rows[book.now - 1] for one in book.circle)

    def play(self, number: int, circle: list[str]) -> AnyEvent | None:
        book = self.umpire.book()
        if book.over and self.rng.random() < 0.8:
            return None
        move = self._any_move(book)
        if self.ended and move["type"] == "correct":
            return None  # where all hands are written, and the game was ended there, the table takes it
        self.umpire.lines.append(Line(number, "move", move=move))
        return Played(by="host", at=0.0, move=seated(move, circle))

    def _any_move(self, book: PileBook | SheetBook) -> dict[str, Any]:
        return self._pile_move(book) if isinstance(book, PileBook) else self._sheet_move(book)

    def _pile_move(self, book: PileBook) -> dict[str, Any]:
        who = book.turn or self.rng.choice(book.circle)
        if self.rng.random() < 0.05:
            who = self.rng.choice(book.circle)
        if not book.turn or self.rng.random() < 0.03:
            return {"type": "starts", "who": who}
        if self.rng.random() < (0.02 if book.counted else 0.08):
            return {"type": "empty", "who": who}
        card = self.rng.choice([card for card in DECK if book.gone[card] < DECK[card]] or [1])
        value = self.rng.choice(sorted(book.values(card)))
        return {"type": "lay", "who": who, "key": card, "value": value + (self.rng.random() < 0.03)}

    def _sheet_move(self, book: SheetBook) -> dict[str, Any]:
        hand = book.now or book.hands
        row, odds = book.rows[hand - 1], self.rng.random()
        if odds < 0.06 and hand > 1:
            return self._correct(book)
        if self.game == "swedish-gin" and odds < 0.2:
            kind = self.rng.choice(["bought", "exact-cut", "deals-first"])
            who = {} if kind == "exact-cut" else {"who": self.rng.choice(book.circle)}
            return {"type": kind, **({} if kind == "deals-first" else {"hand": hand}), **who}
        out = any(not cell[0] for cell in row.values())
        if self.game == "chickenfoot" and odds < (0.2 if not out and hand not in book.blocked else 0.08):
            return {"type": "blocked", "hand": hand}
        empty = [one for one in book.circle if one not in row]
        who = self.rng.choice(empty or book.circle)
        goes_out = not out and hand not in book.blocked and (len(empty) == 1 or self.rng.random() < 0.3)
        held = {"points": 0} if goes_out else self._held(book, hand)
        return {"type": "score", "hand": hand, "who": who, **held}

    def _held(self, book: SheetBook, hand: int) -> dict[str, Any]:
        """Return what somebody has left, mostly so that it can be."""
        if self.rng.random() < 0.04:
            return {"points": 0}
        if self.game == "swedish-gin":
            if self.rng.random() < 0.4:
                return {
                    "pieces": self.rng.sample(["AS", "KH", "2D", "7C", "10H", "QS"], self.rng.randint(1, 3))
                }
            return {"points": 5 * self.rng.randint(1, 15) + (self.rng.random() < 0.03)}
        if self.rng.random() < 0.5:
            most = book.options["set"]
            tiles = [f"{high}-{low}" for high in range(most + 1) for low in range(high + 1)]
            taken = {one for _, known, _ in book.rows[hand - 1].values() for one in known}
            start = f"{most + 1 - hand}-{most + 1 - hand}"
            free = [one for one in tiles if one not in taken and one != start]
            return {
                "pieces": self.rng.sample(free if self.rng.random() < 0.9 else tiles, self.rng.randint(1, 3))
            }
        return {"points": self.rng.randint(11, 24)}

    def _correct(self, book: SheetBook) -> dict[str, Any]:
        hand = self.rng.randint(1, book.now or book.hands)
        written = [one for one in book.circle if one in book.rows[hand - 1]]
        who = self.rng.sample(written, min(len(written), self.rng.randint(1, 2)))
        cells = [
            {"who": one, **({"points": 0} if self.rng.random() < 0.3 else self._held(book, hand))}
            for one in who
        ]
        move = {"type": "correct", "hand": hand, "cells": cells}
        mark = "blocked" if self.game == "chickenfoot" else "exact-cut"
        if written and (self.game == "chickenfoot" or book.options["exact_cut"]) and self.rng.random() < 0.4:
            move["marks"] = [mark] if self.rng.random() < 0.5 else []
        return move

    def fix(self, number: int, circle: list[str]) -> AnyEvent | None:
        able = [line for line in self.umpire.lines if line.what == "move" and line.stands]
        if not able:
            return None
        line = self.rng.choice(able[-5:] if self.rng.random() < 0.5 else able)
        if self.rng.random() < 0.25:
            line.fixes.append([number, "void", True])
            return Amended(by="host", at=0.0, of=line.number, move={"type": "void"})
        at = self.umpire.lines.index(line)
        whole, self.umpire.lines = self.umpire.lines, self.umpire.lines[:at]
        book = self.umpire.book()
        self.umpire.lines = whole
        says = line.fix if isinstance(line.fix, dict) else line.move
        move = {**says} if self.rng.random() < 0.5 else self._any_move(book)
        if move["type"] == "score" and "hand" in says:
            move = {key: move[key] for key in ("type", "who", "hand")} | self._held(book, move["hand"])
        elif "who" in move:
            move["who"] = self.rng.choice(book.circle)
        line.fixes.append([number, move, True])
        return Amended(by="host", at=0.0, of=line.number, move=seated(move, book.circle))


class CallEvenings(Evenings):
    """Of a game of who was first."""

    least = 2
    what = ("round", "say", "arm", "seat", "fix", "seats", "toggle", "rename")
    weights = (8, 8, 1, 2, 4, 1, 4, 1)
    umpire: CallsUmpire

    def __init__(self, game: str, rng: Random, book: Log) -> None:
        ties = {"ties": rng.choice(["stays", "lowest", "fingers"]), "slap_in": rng.random() < 0.6}
        chosen: dict[str, dict[str, Any]] = {
            "snap": {"piles": rng.choice(["own", "one"]), "wrong": rng.choice(["each", "one", "pool"])},
            "slapjack": ties,
            "egyptian-ratscrew": ties,
            "reaction-duel": {"points": rng.randint(1, 4)},
            "quiz": {
                "teams": rng.choice(["alone", "alone", "two", "three", "four"]),
                "opens": rng.choice(["after", "reading"]),
                "then": rng.choice(["rearm", "queue", "close"]),
                "tie": rng.choice(["duel", "both", "replace"]),
                "right": 10,
                "wrong": rng.choice([0, 3]),
                "half": rng.random() < 0.5,
                "questions": rng.randint(2, 8),
                "limit": rng.choice([0, 0, 25]),
                "equal": rng.choice(["share", "more"]),
            },
        }
        options = chosen[game]
        if options.get("opens") == "after":
            options["early"] = rng.choice(["lock", "out", "none"])
        if options.get("teams") == "alone":
            options["latecomers"] = rng.choice(["zero", "average", "worst"])
        super().__init__(game, rng, CallsUmpire(game, options), book)

    def round(self, number: int, circle: list[str]) -> AnyEvent | None:
        book = self.umpire.book()
        if (self.book.pressed or self.rng.random() < 0.9) and (book.over or book.called):
            return None
        able = [seat for seat, one in enumerate(circle, 1) if one not in book.out]
        if isinstance(book, QuizBook) and self.rng.random() < 0.95:
            able = [seat for seat in able if book.side[circle[seat - 1]] in book.may()]
        cards = isinstance(book, CardsBook)
        order = self.rng.sample(able, self.rng.randint(1 if cards else 0, len(able)) if able else 0)
        first = sorted(order[: self.rng.choices((1, 2, 3), (8, 3, 1))[0]])
        early = [seat for seat in able if seat not in order and not cards and self.rng.random() < 0.3]
        if self.book.pressed and not (early := []) and not order:
            return None
        armed = [*self.evening.open_seats] if self.evening.open_round else []
        said_of = {"early": early, "armed": armed}
        self.umpire.lines.append(
            Line(number, "round", seats=(order, first), under=self.under(), move=said_of)
        )
        verdict = Verdict(
            order=tuple(order),
            first=tuple(first),
            dead_heat=len(first) > 1,
            nobody=not first,
            presses=tuple(Press(seat, 1_000 * at, 10, "gpio") for at, seat in enumerate(order)),
            early=tuple(Press(seat, 0, 10, "gpio") for seat in early),
        )
        return RoundJudged(
            by="box", at=0.0, verdict=verdict, confirm_ns=1_000, lockout_ns=20_000, question="first"
        )

    def say(self, number: int, circle: list[str]) -> AnyEvent | None:
        book = self.umpire.book()
        if self.game == "reaction-duel" or (book.over and self.rng.random() < 0.9):
            return None
        if not book.called and self.rng.random() < 0.6:
            return None
        move = self._any_word(circle) if book.called and self.rng.random() < 0.95 else self._between(circle)
        self.umpire.lines.append(Line(number, "move", move=move))
        return Played(by="host", at=0.0, move=said(move, circle))

    def _any_word(self, circle: list[str]) -> dict[str, Any]:
        """Return a ruling, now and then one that the game does not have."""
        words = {"snap": ["pool"], "quiz": ["nobody", "cut-in"], "reaction-duel": []}.get(
            self.game, ["right-"]
        )
        value = self.rng.choice(["right", "wrong", "right", "wrong", "late", *words])
        who = {"who": self.rng.choice(circle)} if value == "right-" else {}
        return {"type": "ruled", "value": value, **who}

    def _between(self, circle: list[str]) -> dict[str, Any]:
        if self.game == "quiz":
            return {"type": "closed"}
        kinds = ["no-cards"] if self.game == "snap" else ["no-cards"] * 5 + ["has-won"]
        return {"type": self.rng.choice(kinds), "who": self.rng.choice(circle)}

    def fix(self, number: int, circle: list[str]) -> AnyEvent | None:
        able = [
            line for line in self.umpire.lines if line.what not in ("seat", "end", "void") and line.stands
        ]
        if not able:
            return None
        line = self.rng.choice(able[-5:] if self.rng.random() < 0.5 else able)
        sat = self._sat(line)
        if self.rng.random() < 0.25:
            line.fixes.append([number, "void", True])
            move: dict[str, Any] = {"type": "void"}
        elif line.what == "round":
            first = self.rng.sample(sat, self.rng.choices((0, 1, 2), (1, 7, 2))[0])
            line.fixes.append([number, first, True])
            move = {"type": "last", "seats": [sat.index(one) + 1 for one in first]}
        else:
            word = self._any_word(sat) if line.move["type"] == "ruled" else self._between(sat)
            line.fixes.append([number, word, True])
            move = said(word, sat)
        return Amended(by="host", at=0.0, of=line.number, move=move)


def said(move: dict[str, Any], circle: list[str]) -> dict[str, Any]:
    """Return what the table says by the seats of *circle*, as pages send it."""
    if move.get("value") == "right-":
        return {"type": "ruled", "value": f"right-{circle.index(move['who']) + 1}"}
    return seated(move, circle)


def seated(move: dict[str, Any], circle: list[str]) -> dict[str, Any]:
    """Return a move by the seats of *circle*, as pages send it."""
    by_seat = {key: value for key, value in move.items() if key not in ("who", "cells")}
    if "who" in move:
        by_seat["seat"] = circle.index(move["who"]) + 1 if move["who"] in circle else 99
    if "cells" in move:
        by_seat["cells"] = [seated(cell, circle) for cell in move["cells"]]
    return by_seat


def begun(game: str, rng: Random, book: Log) -> Evenings:
    """Begin *game*."""
    make = NoseEvenings if game in NOSES else CallEvenings if game in CALLS else MoveEvenings
    return make(game, rng, book)


def evening(game: str, seed: int, steps: int = 18) -> Evenings:
    """Play a random evening."""
    one = begun(game, Random(f"{game} {seed}"), Log())
    for _ in range(steps):
        one.step()
    return one
