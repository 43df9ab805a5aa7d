"""What most games need not say: no picture, nothing left to chance, no words of their own for a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from companion.core.errors import BadInput, NotNow
from companion.core.model import Verdict
from companion.core.text import Text, text
from companion.games.rules.answer import RulesAnswer
from companion.games.rules.calculation import Calculation
from companion.games.rules.carried import Circle
from companion.games.rules.game import Chance, Counted, MoveT, OptionsT, Section, StateT
from companion.games.rules.guide import Guide
from companion.games.rules.sheet import Sheet


class Plain(Generic[OptionsT, StateT, MoveT]):
    """A base for games; everything in it may be said differently."""

    summary: Text
    agreed: str = ""
    loser: Text | None = None
    role: Text | None = None
    crowd: Text | None = None
    emblem: str = ""
    watched: bool = True
    comings: Text | None = None
    calculations: tuple[Calculation, ...] = ()

    def highest(self, options: OptionsT) -> bool:
        """Return whether the highest score wins: points are paid, mostly."""
        return False

    def opening(self, state: StateT, chance: Chance) -> MoveT | None:
        """Return no move: nothing is decided by chance before the first deal."""
        return None

    def with_chance(self, state: StateT, move: MoveT, chance: Chance) -> MoveT:
        """Return *move*: nothing in it is left to chance."""
        return move

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
