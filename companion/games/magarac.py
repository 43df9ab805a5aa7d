"""Magarac: a letter for whoever is last to slap and shout; the first whole word ends it (MAG-1 to 6, 8)."""

from __future__ import annotations

from typing import Never

import msgspec
from lastnose.companion.core.text import text, texts
from lastnose.companion.games.magarac_family import help
from lastnose.companion.games.magarac_family.game import TurnOptions, Turns, TurnState, name
from lastnose.companion.games.pig_family.options import dead_heat_field, hold_field, word_field
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.games.rules.game import OptionField, Outcome, Section, Standing


class Options(TurnOptions, frozen=True, kw_only=True):
    """How a table plays."""

    word: str


class MagaracState(TurnState[Options], frozen=True, kw_only=True):
    """The game between two deals: nothing but what every game in turns has."""


class Magarac(Turns[Options, MagaracState, Never]):
    """The game: only its penalty is its own."""

    name = "magarac"
    title = text("Magarac")
    summary = text(
        "From Bosnia: cards go round in turn. Whoever has four of a kind slaps and shouts “Vatra!”, and "
        "so must everybody. Whoever is last gets a letter; the first whole word is the donkey."
    )
    emblem = (
        "M6 1c2 1 3 4 3.5 7h5C15 5 16 2 18 1c1 3 .5 6-1.5 8.5L19 19c.5 2-1.5 4-4 4H9c-2.5 0-4.5-2-4-4"
        "L7.5 9.5C5.5 7 5 4 6 1zM9 19a1 1 0 1 0 2 0a1 1 0 1 0-2 0zM13 19a1 1 0 1 0 2 0a1 1 0 1 0-2 0z"
    )
    options_type = Options
    state_type = MagaracState

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""
        return (
            word_field("MAGARAC"),
            help.travel_field(),
            help.challenge_field(),
            hold_field(),
            dead_heat_field(),
        )

    def penalised(self, state: MagaracState, last: tuple[int, ...], opener: int | None) -> MagaracState:
        """Return the state in which *last* have got a letter.

        When that would complete two words at once it is played again: one player alone loses (MAG-6).
        """
        marks = tuple(count + (seat in last) for seat, count in enumerate(state.marks, start=1))
        if marks.count(len(letters_of(state.options.word))) > 1:
            return state
        return msgspec.structs.replace(state, marks=marks)

    def over(self, state: MagaracState) -> bool:
        """Tell whether somebody has the whole word (MAG-6)."""
        return len(letters_of(state.options.word)) in state.marks

    def standings(self, state: MagaracState) -> tuple[Standing, ...]:
        """Return everybody's letters; nobody leaves (MAG-6)."""
        word = letters_of(state.options.word)
        return tuple(
            Standing(seat=seat, letters=word[:count], word=word)
            for seat, count in enumerate(state.marks, start=1)
        )

    def outcome(self, state: MagaracState) -> Outcome | None:
        """Return who alone has lost, None while the game goes on (MAG-6)."""
        if not self.over(state):
            return None
        word = state.options.word
        loser = 1 + state.marks.index(len(letters_of(word)))
        why = texts(
            "{player} has the {word}.",
            "{player} has all of {word}.",
            n=len(letters_of(word)),
            player=name(state, loser),
            word=word,
        )
        return Outcome(winners=(), losers=(loser,), why=why)

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return the rules as this table plays them."""
        penalty = texts(
            "Whoever is last gets the letter {word}. That ends the game; that player alone loses.",
            "Whoever is last gets the next letter of {word}. Nobody leaves. The game ends when someone "
            "completes the word; that player alone loses.",
            n=len(letters_of(options.word)),
            word=options.word,
        )
        return help.sections(options, (penalty,))


GAME = Magarac()
