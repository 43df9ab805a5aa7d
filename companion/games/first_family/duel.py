"""The reaction duel: a signal at a time that nobody knows, and whoever is first has the point (DUEL-1 to 5).

Only the order and the margin are claimed, no reaction time: when a lamp shone is not measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Never

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.model import FirstRules, Verdict
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.first_family import counts, fair_play, more, on_phones
from lastnose.companion.games.rules.base import Moment, Plain, who_was_first
from lastnose.companion.games.rules.carried import SOMEBODY_STAYS, Circle, staying
from lastnose.companion.games.rules.checks import check_options, check_players
from lastnose.companion.games.rules.game import A_NOSE, OptionField, Outcome, Ready, Section, Standing
from lastnose.companion.games.rules.prompts import Prompt, WatchNoses

SIGNAL_MS = (2_000, 6_000)  # after that long, by chance, the box gives its signal
RULES = FirstRules(lock_ms=1, skips_held=True, within_ms=5_000, shuts_out=True)  # locked from "ready" on
GUESS_MS = 100  # nobody reacts sooner than that (DUEL-5: the limit of athletics)
AGAIN = 3  # so often a dead heat is played again, then it is a point each


class DuelOptions(msgspec.Struct, frozen=True):
    """How a table plays."""

    points: int
    guess: bool = False


class DuelState(msgspec.Struct, frozen=True):
    """Points by seat; `ties` dead heats in a row, and who made a false start in the last go."""

    players: tuple[str, ...]
    options: DuelOptions
    points: tuple[int, ...]
    ties: int = 0
    early: tuple[int, ...] = ()


class ReactionDuel(Plain[DuelOptions, DuelState, Never]):
    name = "reaction-duel"
    title = text("Reaction duel")
    summary = text("All lamps light when nobody expects it. The first to press gets the point.")
    seats = (2, 26)
    comings: Text | None = text(
        "A newcomer starts with no points. Anyone who comes back has the points they had. Anyone "
        "who leaves is not ranked."
    )
    on_phones = on_phones(reflexes=True)
    by_points = True
    emblem = "M13.500 1L4 14h6.200L9 23l10-14h-6.500z"

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return how many points win, and whether a guess is a false start."""
        field = OptionField("points", "number", text("Points to win"), None, 3, at_hand=True)
        return (
            msgspec.structs.replace(field, least=1, most=9),
            OptionField("guess", "flag", text("A guess is a false start"), _GUESSED, False),
        )

    def read_options(self, raw: Mapping[str, Any]) -> DuelOptions:
        """Check *raw* and return the frozen options; raise BadInput naming the option."""
        return DuelOptions(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Never:
        """Raise BadInput: the noses say it all."""
        raise BadInput(english("A duel has no moves of its own: the noses say it all."))

    def new(self, players: tuple[str, ...], options: DuelOptions) -> DuelState:
        """Return the state before the first go; raise BadInput when the players do not fit (DUEL-1)."""
        names = check_players(self.title, players, self.seats)
        return DuelState(names, options, (0,) * len(names))

    def gone_on(self, state: DuelState, players: tuple[str, ...], sat: Circle) -> DuelState:
        """Return *state* with *players*: everybody has the points they had."""
        if self.outcome(state) is not None:
            raise IllegalMove("DUEL-4", text("The game is over: start another one."))
        if not staying(sat):
            raise NotNow(SOMEBODY_STAYS)
        return msgspec.structs.replace(self.new(players, state.options), points=counts("points", sat))

    # ---- play

    def play(self, state: DuelState, move: Verdict) -> DuelState:
        """Return the state after a go; raise IllegalMove when the duel is over (DUEL-2 to 4)."""
        if move.void is not None:
            return state
        if self.outcome(state) is not None:
            raise IllegalMove("DUEL-4", text("The game is over: start another one."))
        for seat in move.first:
            if not 1 <= seat <= len(state.players):
                raise IllegalMove("DUEL-1", english("There is no seat {seat} in this game.", seat=seat))
        early = tuple(sorted({press.seat for press in move.early}))
        state = msgspec.structs.replace(state, early=early)
        if len(move.first) > 1 and state.ties < AGAIN:
            return msgspec.structs.replace(state, ties=state.ties + 1)
        won = move.first or self._left(state, move.asked)
        if not won:
            return state
        return msgspec.structs.replace(state, points=more(state.points, won), ties=0)

    def _left(self, state: DuelState, asked: tuple[int, ...]) -> tuple[int, ...]:
        """Return who alone of those *asked* has made no false start: theirs is the point unpressed (DUEL-2).

        Rounds of older logs do not say who was asked: everybody, then.
        """
        playing = asked or range(1, len(state.players) + 1)
        left = tuple(seat for seat in playing if seat not in state.early)
        return left if state.early and len(left) == 1 else ()

    # ---- what a state means

    def standings(self, state: DuelState) -> tuple[Standing, ...]:
        """Return everybody's points."""
        return tuple(Standing(seat=seat, score=count) for seat, count in enumerate(state.points, start=1))

    def highest(self, state: DuelState) -> bool:
        """Return that points are what one wants."""
        return True

    def outcome(self, state: DuelState) -> Outcome | None:
        """Return who has points enough, and more than anybody else (DUEL-4)."""
        most = max(state.points)
        if most < state.options.points or state.points.count(most) > 1:
            return None
        won = 1 + state.points.index(most)
        why = texts("{n} point.", "{n} points.", n=most)
        return Outcome(winners=(won,), losers=(), why=why)

    def asks(self, state: DuelState) -> tuple[Prompt, ...]:
        """Watch everybody, from a signal on that comes when chance says so; nothing after the end."""
        if self.outcome(state) is not None:
            return ()
        seats = tuple(range(1, len(state.players) + 1))
        rules = msgspec.structs.replace(RULES, guess_ms=GUESS_MS * state.options.guess)
        return (WatchNoses(seats, question="first", rules=rules, by_host=True, after_ms=SIGNAL_MS),)

    def headline(self, before: Moment, move: Verdict, after: Moment, players: tuple[str, ...]) -> Text:
        """Return who was first, or what a false start has brought."""
        if move.first:
            return who_was_first(move, players)
        early = after.state.early
        if not early:
            return text("Nobody pressed in time")
        return text("False start: {players}", players=listing([players[seat - 1] for seat in early]))

    def notes(self, state: DuelState) -> tuple[Text, ...]:
        """Return who was too early in the last go."""
        if not state.early or self.outcome(state) is not None:
            return ()
        who = listing([state.players[seat - 1] for seat in state.early])
        return (text("False start: {players}", players=who),)

    def ready(self, state: DuelState) -> Ready:
        """Return what to do before a go."""
        return Ready(self.title, _GOES, text("Ready"), text("Ready"))

    def armed_text(self, state: DuelState) -> Text:
        """Return the signal."""
        return text("Now!")

    def help(self, options: DuelOptions) -> tuple[Section, ...]:
        """Return the rules as a table with these *options* plays them."""
        ends = texts(
            "{n} point wins, if nobody else has as many.",
            "{n} points win, if nobody else has as many.",
            n=options.points,
        )
        return (
            Section(
                text("How to play"),
                (
                    A_NOSE,
                    _GOES,
                    text(
                        "The first to press gets a point; after 5 seconds without a press the go is over. "
                        "Too close to tell: once more, at most three times, then a point each."
                    ),
                    text(
                        "A press before the signal is a false start: that nose is out of this go. With two "
                        "players, the other gets the point. Everybody too early: once more."
                    ),
                    *((_GUESSED,) if options.guess else ()),
                    ends,
                ),
            ),
            fair_play(),
        )


_GOES = text("Two to six seconds after the button all lamps light, with a tone. Press then, not before.")
_GUESSED = text("A press under 0.1 s after the signal is a false start, too: nobody reacts so soon.")
GAME = ReactionDuel()
