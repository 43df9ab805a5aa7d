"""A base for games: it makes their moments, and says what most of them need not say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from companion.core.errors import BadInput, NotNow
from companion.core.model import Verdict
from companion.core.text import Text, text
from companion.games.rules import words
from companion.games.rules.answer import RulesAnswer
from companion.games.rules.calculation import Calculation
from companion.games.rules.carried import Circle
from companion.games.rules.game import (
    Advice,
    Chance,
    Counted,
    Moment,
    MoveT,
    OptionsT,
    Outcome,
    Section,
    Standing,
    StateT,
)
from companion.games.rules.guide import Guide
from companion.games.rules.prompts import Prompt
from companion.games.rules.sheet import Sheet


class Plain(Generic[OptionsT, StateT, MoveT]):
    """A base for games. `standings`, `outcome` and `asks` are theirs to say; the rest may be said otherwise.

    The parts of a `Moment` are asked for by that, and by nobody else.
    """

    summary: Text
    agreed: str = ""
    loser: Text | None = None
    role: Text | None = None
    crowd: Text | None = None
    emblem: str = ""
    watched: bool = True
    comings: Text | None = None
    calculations: tuple[Calculation, ...] = ()

    def moment(self, state: StateT, lies: StateT | None = None) -> Moment:
        """Return what *state* means, each part worked out when it is asked for."""
        return Moment(self, state, lies)

    def by_chance(self, state: StateT, move: MoveT | None, chance: Chance) -> MoveT | None:
        """Return *move*: nothing is left to chance, neither before the first deal nor in a move."""
        return move

    # ---- the parts of a moment

    def standings(self, state: StateT) -> tuple[Standing, ...]:
        """Return one Standing a seat, by seat."""
        raise NotImplementedError

    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game ended, None while it goes on."""
        raise NotImplementedError

    def asks(self, state: StateT) -> tuple[Prompt, ...]:
        """Return what the table is to be asked now; when the game has ended, no `WatchNoses`."""
        raise NotImplementedError

    def advice(self, state: StateT) -> Advice:
        """Return nothing to do before a deal: the table knows what it plays with."""
        return Advice((), packs=0, ranks=(), cards=0, each=0, dealer=None)

    def notes(self, state: StateT) -> tuple[Text, ...]:
        """Return nothing to be told about the present moment."""
        return ()

    def highest(self, state: StateT) -> bool:
        """Return whether the highest score wins: points are paid, mostly."""
        return False

    def headline(
        self, before: Moment, move: Verdict | MoveT, after: Moment, players: tuple[str, ...]
    ) -> Text:
        """Return the sentence of *move*, by which *before* became *after*."""
        if isinstance(move, Verdict):
            return words.who_was_last(before, move, after, players, (self.loser, self.role))
        return self.describe(before.state, move, after.state) or words.of_move(before, after, players)

    def ending(self, outcome: Outcome | None, players: tuple[str, ...]) -> Text:
        """Return the sentence of the end."""
        return words.ending(outcome, players)

    def describe(self, before: StateT, move: MoveT, after: StateT) -> Text | None:
        """Return nothing: the standings tell it."""
        return None

    def armed_text(self, state: StateT) -> Text:
        """Return nothing of its own."""
        return text("Play!")

    def dealt_again(self, state: StateT) -> StateT:
        """Return *state*: the advice speaks of no deck that changes."""
        return state

    def guide(self, state: StateT, was: StateT | None = None) -> Guide | None:
        """Return no steps: the advice says what to do."""
        return None

    def gone_on(self, state: StateT, players: tuple[str, ...], sat: Circle) -> StateT:
        """Refuse: what is written belongs to the people it began with."""
        raise NotNow(text("Here nobody can come or go in the middle: end this game, or start it again."))

    def revised_verdict(self, state: StateT) -> Verdict | None:
        """Return nothing: a round stands as it was judged."""
        return None

    def sheet(self, state: StateT) -> Sheet | None:
        """Return nothing: the standings are all there is."""
        return None

    def count_hand(self, written: Sequence[str], options: OptionsT) -> Counted | None:
        """Return nothing: hands are not counted."""
        return None

    def answer_query(
        self,
        state: StateT,
        about: str,
        hand: int | None,
        pieces: Sequence[str],
        table: Sequence[str] = (),
    ) -> RulesAnswer:
        """Raise BadInput: nothing can be asked here."""
        raise BadInput(text("In this game the rules are not asked about single hands."))

    def help(self, options: OptionsT) -> tuple[Section, ...]:
        """Return what the game says about itself."""
        return (Section(text("How it goes"), (self.summary,)),)
