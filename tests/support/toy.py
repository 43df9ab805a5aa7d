"""A whole game in one file: whoever is last gets a pebble, and whoever has three of them fetches the drinks.

It is no game of ours, and only tests register it: page, OLED, log and tape must play it without knowing it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.rules.base import Plain
from lastnose.companion.games.rules.checks import check_options, check_players
from lastnose.companion.games.rules.game import Advice, OptionField, Outcome, Standing
from lastnose.companion.games.rules.prompts import Choice, Choose, ChooseSeat, Prompt, Show, WatchNoses


class Options(msgspec.Struct, frozen=True):
    """Nobody asks for much."""

    polite: bool


class Thanked(msgspec.Struct, frozen=True, tag="thanked", tag_field="type"):
    """The player of `seat` said thank you and gives a pebble back."""

    seat: int


class Ordered(msgspec.Struct, frozen=True, tag="ordered", tag_field="type"):
    """The others say what whoever has three pebbles fetches."""

    value: Literal["tea", "water"]


class PebbleState(msgspec.Struct, frozen=True):
    """Pebbles by seat, and what is to be fetched."""

    options: Options
    pebbles: tuple[int, ...]
    drink: str = ""


class Pebbles(Plain):
    """The game."""

    name = "pebbles"
    title = text("Pebbles")
    summary = text("Whoever is last gets a pebble. Three pebbles fetch the drinks.")
    seats = (2, 8)
    emblem = "M4 14c0-5 4-8 9-8s8 4 8 8-4 6-9 6-8-2-8-6z"

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the one option."""
        return (
            OptionField("polite", "flag", text("Polite"), text("A thank you gives a pebble back."), False),
        )

    def read_options(self, raw: Mapping[str, Any]) -> Options:
        """Check the option."""
        return Options(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Thanked | Ordered:
        """Check the move."""
        kinds: Any = Thanked | Ordered
        try:
            move: Thanked | Ordered = msgspec.convert(raw, kinds)
        except msgspec.ValidationError:
            raise BadInput(text("Pebbles has “thanked”, with a seat, and “ordered”, with a drink.")) from None
        return move

    def new(self, players: tuple[str, ...], options: Options) -> PebbleState:
        """Return the state without pebbles."""
        return PebbleState(options, (0,) * len(check_players(self.title, players, self.seats)))

    def play(self, state: PebbleState, move: Verdict | Thanked | Ordered) -> PebbleState:
        """Give a pebble, or take one back; order a drink of whoever has three."""
        if isinstance(move, Ordered):
            if self.outcome(state) is None:
                raise IllegalMove("PBL-2", text("Nobody has three pebbles yet."))
            return msgspec.structs.replace(state, drink=move.value)
        if isinstance(move, Verdict):
            if self.outcome(state):
                raise IllegalMove("PBL-3", text("The drinks are being fetched: the game is over."))
            return state if move.void or len(move.last) != 1 else self._given(state, move.last[0], 1)
        if not state.pebbles[move.seat - 1]:
            raise IllegalMove("PBL-1", text("There is no pebble to give back."))
        return self._given(state, move.seat, -1)

    def _given(self, state: PebbleState, seat: int, more: int) -> PebbleState:
        counts = enumerate(state.pebbles, start=1)
        return PebbleState(state.options, tuple(count + more * (at == seat) for at, count in counts))

    def standings(self, state: PebbleState) -> tuple[Standing, ...]:
        """Return the pebbles as scores."""
        return tuple(Standing(seat=seat, score=count) for seat, count in enumerate(state.pebbles, start=1))

    def outcome(self, state: PebbleState) -> Outcome | None:
        """Return who fetches the drinks."""
        losers = tuple(seat for seat, count in enumerate(state.pebbles, start=1) if count == 3)
        return Outcome(winners=(), losers=losers, why=text("Three pebbles.")) if losers else None

    def asks(self, state: PebbleState) -> tuple[Prompt, ...]:
        """Watch everybody; ask for thanks where they can be said, and in the end for a drink."""
        if self.outcome(state):
            return () if state.drink else (Show(text("Three pebbles")), _drinks())
        seats = tuple(range(1, len(state.pebbles) + 1))
        rich = tuple(seat for seat in seats if state.pebbles[seat - 1])
        thanks = ChooseSeat("thanked", text("Said thank you"), text("A pebble goes back."), rich)
        return (WatchNoses(seats), thanks) if state.options.polite and rich else (WatchNoses(seats),)

    def advice(self, state: PebbleState) -> Advice:
        """Return one card each."""
        count = len(state.pebbles)
        return Advice(sentences=(), packs=1, ranks=("A",), cards=count, each=1, dealer=None)

    def notes(self, state: PebbleState) -> tuple[Text, ...]:
        """Return nothing: who has pebbles knows."""
        return ()


def _drinks() -> Choose:
    tea = Choice("tea", text("Tea"), text("With milk."))
    water = Choice("water", text("Water"), text("Without anything."))
    return Choose("ordered", text("What shall it be?"), text("It is fetched at once."), (tea, water))


GAME = Pebbles()
