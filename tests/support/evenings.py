"""A game played move by move, for the tests of its rules: verdicts by hand, sentences by eye."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Input, Press, Verdict
from lastnose.companion.evening.events import RoundArmed, RoundJudged
from lastnose.companion.games import AnyGame
from lastnose.companion.games.rules.prompts import Choose, ChooseCard, ChooseSeat, Show, WatchNoses
from lastnose.companion.timing import judge

NAMES = ("North", "East", "South", "West", "Élodie", "Zoë", "Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")


class PlayedGame:
    """One game with its newest state; each step returns the evening, so that steps can be chained."""

    def __init__(self, game: AnyGame, players: int, **options: Any) -> None:
        self.game = game
        self.state = game.new(NAMES[:players], game.read_options(options))

    def last(self, *seats: int, order: tuple[int, ...] | None = None) -> PlayedGame:
        """Let *seats* be last (several: a dead heat); the others pressed in the order of the table."""
        everybody = [standing.seat for standing in self.game.moment(self.state).standings if not standing.out]
        found = order or (*(seat for seat in everybody if seat not in seats), *seats)
        return self.do(Verdict(order=found, last=seats, dead_heat=len(seats) > 1, margin_ns=5, u_ns=2))

    def do(self, move: Any) -> PlayedGame:
        """Make a move: a struct, or what a phone sends."""
        made = self.game.read_move(move) if isinstance(move, dict) else move
        self.state = self.game.play(self.state, made)
        return self

    def refused(self, move: Any) -> tuple[str, str]:
        """Return rule and sentence with which *move* is refused."""
        with pytest.raises(IllegalMove) as caught:
            self.do(move)
        return caught.value.rule, str(caught.value)

    @property
    def letters(self) -> list[str]:
        """Everybody's letters."""
        return ["".join(standing.letters) for standing in self.game.moment(self.state).standings]

    @property
    def scores(self) -> list[int | None]:
        """Everybody's score."""
        return [standing.score for standing in self.game.moment(self.state).standings]

    @property
    def advice(self) -> list[str]:
        """The sentences of the deck advice."""
        return [str(sentence) for sentence in self.game.moment(self.state).advice.sentences]

    @property
    def notes(self) -> list[str]:
        """The notes of the moment."""
        return [str(note) for note in self.game.moment(self.state).notes]

    @property
    def dealer(self) -> int | None:
        """Who deals."""
        return self.game.moment(self.state).advice.dealer

    @property
    def watch(self) -> WatchNoses | None:
        """What is watched."""
        return next((ask for ask in self.game.moment(self.state).asks if isinstance(ask, WatchNoses)), None)

    def seats(self, move: str) -> tuple[int, ...]:
        """Return the seats that may be named for *move*."""
        found = [
            ask
            for ask in self.game.moment(self.state).asks
            if isinstance(ask, ChooseSeat) and ask.move == move
        ]
        return found[0].seats if found else ()

    @property
    def steps(self) -> dict[str, Any]:
        """What is asked in steps, by move."""
        asked = [ask for ask in self.game.moment(self.state).asks if isinstance(ask, ChooseCard | Choose)]
        return {ask.move: ask for ask in asked}

    @property
    def shown(self) -> list[str]:
        """The lines of what is shown, titles first."""
        return [
            str(line)
            for ask in self.game.moment(self.state).asks
            if isinstance(ask, Show)
            for line in (ask.title, *ask.lines)
        ]

    @property
    def end(self) -> str | None:
        """Why the game has ended."""
        outcome = self.game.moment(self.state).outcome
        return None if outcome is None else str(outcome.why)


def judged_round(
    presses: Sequence[Press], inputs: Iterable[Input], *, at: float
) -> tuple[RoundArmed, RoundJudged]:
    """Return the events of a round with these *presses*, of which a source told *inputs*."""
    armed = RoundArmed(by="box", at=at, t_ns=0, seats=tuple(sorted(press.seat for press in presses)))
    judged = RoundJudged(
        by="box",
        at=at,
        verdict=judge(presses),
        confirm_ns=1_000_000,
        lockout_ns=20_000_000,
        inputs=tuple(inputs),
    )
    return armed, judged
