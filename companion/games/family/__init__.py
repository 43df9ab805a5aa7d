"""What the games of Pig's family share: letters of a word for whoever was last, and a deck that shrinks.

A game of the family is one `Family(...)` in a file of its own that says only what is its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.errors import BadInput
from companion.games.asks import Ask
from companion.games.family import rules, sentences
from companion.games.family.options import Options, fields
from companion.games.family.state import FalseOpener, Move, State, Talked
from companion.games.game import Advice, OptionField, Outcome, Standing
from companion.games.setup import check_count, check_options, check_players
from companion.model import Verdict
from companion.text import Text, text

__all__ = ["FalseOpener", "Family", "Options", "State", "Talked"]


class Family:
    """A game of Pig's family: its name, its word, and what it calls a player who is out (`role`: "a pig")."""

    def __init__(
        self, *, name: str, title: Text, summary: Text, seats: tuple[int, int], word: str, role: Text
    ) -> None:
        self.name = name
        self.title = title
        self.summary = summary
        self.seats = seats
        self.word = word
        self.role = role

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""
        return fields(self.word, self.role)

    def read_options(self, raw: Mapping[str, Any]) -> Options:
        """Check *raw* and return the frozen options; raise BadInput naming the option."""
        return Options(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Talked | FalseOpener:
        """Check *raw* (`{"type": "talked", "seat": 2}`) and return the move; raise BadInput."""
        try:
            return msgspec.convert(raw, Talked | FalseOpener)
        except msgspec.ValidationError:
            raise BadInput(
                text(
                    "{game} has the moves “talked” and “false-opener”, each with a seat number.",
                    game=self.title,
                )
            ) from None

    def new(self, players: tuple[str, ...], options: Options) -> State:
        """Return the first state, seat 1 to deal; raise BadInput when the players do not fit (PIG-1)."""
        return rules.new(check_players(self.title, players, self.seats), options)

    def play(self, state: State, move: Move) -> State:
        """Return the state after *move*; raise IllegalMove naming the rule."""
        match move:
            case Verdict():
                return rules.judged(state, move)
            case Talked(seat):
                return rules.talked(state, seat)
            case FalseOpener(seat):
                return rules.false_opener(state, seat)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Return letters and who is out, by seat (PIG-7)."""
        return rules.standings(state)

    def outcome(self, state: State) -> Outcome | None:
        """Return who won and why, None while the game goes on (PIG-9, PIG-10)."""
        won = rules.winners(state)
        return Outcome(winners=won, losers=(), why=sentences.why(state, won)) if won else None

    def asks(self, state: State) -> tuple[Ask, ...]:
        """Return the noses to watch and what the table may say now; empty when the game has ended."""
        return () if rules.winners(state) else sentences.asks(state, self.role)

    def advice(self, state: State) -> Advice:
        """Return what to do with the deck and who deals, given what the last move changed."""
        return sentences.advice(state)

    def notes(self, state: State) -> tuple[Text, ...]:
        """Return who may talk, how one stays on the nose, and when one deal decides."""
        return () if rules.winners(state) else sentences.notes(state)

    def deal(self, players: int, options: Options) -> dict[str, Any]:
        """Return packs, ranks, cards, each, spoons, dealer, stock, odd cards and sentences for *players*."""
        check_count(self.title, players, self.seats)
        return sentences.deal(players, options)
