"""Acorns: whoever is last gets an acorn, and whoever has as many as agreed fetches the drinks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.rules.base import Plain
from lastnose.companion.games.rules.checks import check_options, check_players
from lastnose.companion.games.rules.game import OptionField, Outcome, Standing
from lastnose.companion.games.rules.prompts import ChooseSeat, Prompt, WatchNoses


class Options(msgspec.Struct, frozen=True):
    """After how many acorns it ends."""

    acorns: int


class Planted(msgspec.Struct, frozen=True, tag="planted", tag_field="type"):
    """The player of `seat` has planted an acorn, and has one less."""

    seat: int


class State(msgspec.Struct, frozen=True):
    """How many acorns each seat has."""

    options: Options
    acorns: tuple[int, ...]


class Acorns(Plain[Options, State, Planted]):
    """The game."""

    name = "acorns"
    title = text("Acorns")
    summary = text("Whoever is last gets an acorn. Whoever has all of them fetches the drinks.")
    seats = (2, 12)

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the one option."""
        label, explain = text("Acorns"), text("With so many the game ends.")
        return (OptionField("acorns", "number", label, explain, 3, least=1, most=9),)

    def read_options(self, raw: Mapping[str, Any]) -> Options:
        """Check the option."""
        return Options(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Planted:
        """Check the move."""
        try:
            return msgspec.convert(raw, Planted)
        except msgspec.ValidationError:
            raise BadInput(text("Acorns has the move “planted”, with a seat.")) from None

    def new(self, players: tuple[str, ...], options: Options) -> State:
        """Return the state without acorns."""
        return State(options, (0,) * len(check_players(self.title, players, self.seats)))

    def play(self, state: State, move: Verdict | Planted) -> State:
        """Give an acorn to whoever was last, or take one of who has planted it."""
        if self.outcome(state) is not None:
            raise IllegalMove("ACN-2", text("The drinks are being fetched: the game is over."))
        if isinstance(move, Verdict):
            return state if len(move.last) != 1 else self._more(state, move.last[0], 1)
        if not 1 <= move.seat <= len(state.acorns) or not state.acorns[move.seat - 1]:
            raise IllegalMove("ACN-1", text("There is no acorn to plant."))
        return self._more(state, move.seat, -1)

    def _more(self, state: State, seat: int, more: int) -> State:
        counts = enumerate(state.acorns, start=1)
        return State(state.options, tuple(count + more * (at == seat) for at, count in counts))

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Return the acorns as points."""
        return tuple(Standing(seat, score=count) for seat, count in enumerate(state.acorns, start=1))

    def outcome(self, state: State) -> Outcome | None:
        """Return who fetches the drinks."""
        losers = tuple(seat for seat, n in enumerate(state.acorns, start=1) if n >= state.options.acorns)
        why = texts("{n} acorn.", "{n} acorns.", n=state.options.acorns)
        return Outcome(winners=(), losers=losers, why=why) if losers else None

    def asks(self, state: State) -> tuple[Prompt, ...]:
        """Watch everybody; who has an acorn may plant it."""
        if self.outcome(state) is not None:
            return ()
        seats = tuple(range(1, len(state.acorns) + 1))
        rich = tuple(seat for seat in seats if state.acorns[seat - 1])
        plant = ChooseSeat("planted", text("Planted an acorn"), text("It is one less."), rich)
        return (WatchNoses(seats), plant) if rich else (WatchNoses(seats),)

    def describe(self, before: State, move: Planted, after: State) -> Text | None:
        """Return what a move of the table came to."""
        return text("An acorn is planted")


GAME = Acorns()
