"""Random evenings, with comings and goings, corrections, undo and redo, against an umpire with a list."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.model import Press, Verdict
from companion.evening import log
from companion.evening.commands import Amend, Redo, Undo
from companion.evening.events import Amended, AnyEvent, Played, Redone, RoundJudged, Seated, Started, Undone
from companion.evening.state import Evening
from companion.evening.undo import undoable
from companion.views.preview import foreseen
from companion.views.scoreboard import round_views
from tests.support.umpire_evening import CannotBe, EveningUmpire, Line

NOSES = ("pig", "hog", "donkey", "spoons", "forks-and-knives", "magarac", "vatra")
PEOPLE = ("Ana", "Ben", "Cem", "Dora", "Eva", "Fred", "Gus")
QUICK, HEAVY = 15, 1_430  # evenings a game: of seven games about 10,000


class Evenings:
    """One random evening, written by the project and by the umpire."""

    def __init__(self, game: str, rng: Random) -> None:
        self.rng, self.game = rng, game
        options: dict[str, Any] = {"dead_heat": rng.choice(["replay", "share"])}
        if game in ("pig", "hog", "donkey"):
            options |= {"winners": rng.choice([1, 2]), "word": rng.choice(["X", "AB", "PIG"])}
        elif game == "magarac":
            options |= {"word": rng.choice(["AB", "MAG"])}
        elif game == "vatra":
            options = {}
        self.umpire = EveningUmpire(game, options)
        names = rng.sample(PEOPLE, rng.randint(3, 5))
        self.kept: list[tuple[int, AnyEvent]] = []
        self.evening = Evening()
        self.refused = self.done = 0
        began = Started(
            by="host", at=0.0, game=game, players=tuple(names), options=options, lines=("",) * len(names)
        )
        self._keep(began)
        self.umpire.lines.append(Line(1, "seat", names))

    def _keep(self, event: AnyEvent) -> None:
        """Write *event* if the project takes it."""
        self.evening = log.apply(self.evening, len(self.kept) + 1, event)
        self.kept.append((len(self.kept) + 1, event))

    def step(self) -> None:
        """Let people do something; project and umpire agree about whether it can be, and what came of it."""
        number = len(self.kept) + 1
        does = self.rng.choices(
            (self._round, self._early, self._seat, self._fix, self._seats, self._toggle), (6, 2, 2, 3, 1, 4)
        )[0]
        before, now = deepcopy(self.umpire.lines), self.umpire.account()
        event = does(number, now.circle)
        if event is None:
            return
        try:
            account = self.umpire.account()
        except CannotBe as why:
            with pytest.raises(CompanionError):
                log.apply(self.evening, number, event)
                print(self.game, self.umpire.options, *self.kept, event, why, sep="\n")
            self._foretold(event, fits=False)
            self.umpire.lines, self.refused = before, self.refused + 1
            return
        self._foretold(event, fits=True)
        self._keep(event)
        self.done += 1
        match = self.evening.match
        assert match is not None
        stands = match.game.moment(match.state).standings
        had = {match.player(one.seat): len(one.letters) if one.score is None else one.score for one in stands}
        assert {one: account.letters[one] for one in account.circle} == had
        assert account.circle == list(match.started.players)
        assert {one for one in account.circle if one in account.out} == {
            match.player(one.seat) for one in stands if one.out
        }
        assert account.over == match.finished
        if isinstance(event, Amended):
            assert number == undoable(self.evening), "undo offers the correction"

    def _foretold(self, event: AnyEvent, *, fits: bool) -> None:
        """Look at what was told before it is done."""
        if isinstance(event, Amended):
            assert fits == foreseen(self.evening, Amend(event.of, event.move)).fits
        elif isinstance(event, Undone):
            assert fits == foreseen(self.evening, Undo(event.of)).fits
        elif isinstance(event, Redone):
            assert fits == foreseen(self.evening, Redo(event.of)).fits

    def _under(self) -> int:
        """Return the line by which those sit there who do."""
        return next(
            line.number for line in reversed(self.umpire.lines) if line.what == "seat" and line.stands
        )

    def _round(self, number: int, circle: list[str]) -> AnyEvent:
        now = self.umpire.account()
        inside = [seat for seat, one in enumerate(circle, 1) if one not in now.out]
        order = self.rng.sample(inside, len(inside))
        last = sorted(order[-1 - (self.rng.random() < 0.2 and len(order) > 2) :])
        self.umpire.lines.append(Line(number, "round", seats=(order, last), under=self._under()))
        presses = tuple(Press(seat, 1_000 * at, 10, "gpio") for at, seat in enumerate(order))
        verdict = Verdict(tuple(order), tuple(last), 1_000, 20, dead_heat=len(last) > 1, presses=presses)
        return RoundJudged(by="box", at=0.0, verdict=verdict, confirm_ns=1_000, lockout_ns=20_000)

    def _early(self, number: int, circle: list[str]) -> AnyEvent:
        who = self.rng.choice(circle)
        self.umpire.lines.append(Line(number, "early", [who]))
        move = {"type": "false-opener", "seat": circle.index(who) + 1}
        return Played(by="host", at=0.0, move=move)

    def _seat(self, number: int, circle: list[str]) -> AnyEvent:
        names = self.rng.sample(PEOPLE, self.rng.randint(3, 5))
        if self.rng.random() < 0.6:
            gone = self.rng.choice(circle) if len(circle) > 3 else ""
            come = [one for one in PEOPLE if one not in circle]
            names = [one for one in circle if one != gone] + come[: self.rng.randint(0, 1)]
        self.umpire.lines.append(Line(number, "seat", names))
        return Seated(by="host", at=0.0, players=tuple(names), lines=("",) * len(names))

    def _fix(self, number: int, circle: list[str]) -> AnyEvent | None:
        able = [line for line in self.umpire.lines if line.what != "seat" and line.stands]
        if not able:
            return None
        line = self.rng.choice(able)
        sat = self._sat(line)
        if self.rng.random() < 0.3:
            line.fixes.append([number, ("void", [sat[0]]), True])
            return Amended(by="host", at=0.0, of=line.number, move={"type": "void"})
        if line.what == "early":
            who = self.rng.choice(sat)
            line.fixes.append([number, ("early", [who]), True])
            move: dict[str, Any] = {"type": "false-opener", "seat": sat.index(who) + 1}
        else:
            last = self.rng.sample(sat, 1 + (self.rng.random() < 0.2))
            line.fixes.append([number, ("last", last), True])
            move = {"type": "last", "seats": [sat.index(one) + 1 for one in last]}
        return Amended(by="host", at=0.0, of=line.number, move=move)

    def _sat(self, line: Line) -> list[str]:
        """Return who sat there at *line*, as it is known now."""
        before = self.umpire.lines[: self.umpire.lines.index(line)]
        return next(one.sitting for one in reversed(before) if one.what == "seat" and one.stands)

    def _seats(self, number: int, circle: list[str]) -> AnyEvent:
        line = self.rng.choice([one for one in self.umpire.lines if one.what == "seat" and one.stands])
        names = self.rng.sample(PEOPLE, len(line.names))
        if self.rng.random() < 0.7:
            names = self.rng.sample(line.sitting, len(line.sitting))
        line.fixes.append([number, names, True])
        return Amended(by="host", at=0.0, of=line.number, move={"type": "seats", "players": names})

    def _toggle(self, number: int, circle: list[str]) -> AnyEvent:
        parts: list[tuple[int, Any]] = [(line.number, line) for line in self.umpire.lines[1:]]
        parts += [(fix[0], fix) for line in self.umpire.lines for fix in line.fixes]
        if not parts:
            return self._early(number, circle)
        of, part = self.rng.choice(parts[-6:] if self.rng.random() < 0.5 else parts)
        if isinstance(part, Line):
            part.stands = stands = not part.stands
        else:
            part[2] = stands = not part[2]
        return (Redone if stands else Undone)(by="host", at=0.0, of=of)


def played(game: str, seed: int, steps: int = 18) -> Evenings:
    """Play a random evening, and read its log again."""
    one = Evenings(game, Random(f"{game} {seed}"))
    for _ in range(steps):
        one.step()
    assert one.evening == log.fold(one.kept), "what the log says is what was shown"
    for view in round_views(one.evening):
        assert str(view.headline)
    return one


@pytest.mark.parametrize("game", NOSES)
def test_random_evenings_are_the_umpires(game: str) -> None:
    """What can be is done as he does it, and what cannot be is refused, foretold, and changes nothing."""
    found = [played(game, seed) for seed in range(QUICK)]
    assert sum(one.done for one in found) > 5 * sum(one.refused > 0 for one in found) > 0


@pytest.mark.heavy
@pytest.mark.parametrize("game", NOSES)
def test_ten_thousand_evenings_are_the_umpires(game: str) -> None:
    """The same, a thousand times and more."""
    for seed in range(QUICK, QUICK + HEAVY):
        played(game, seed)
