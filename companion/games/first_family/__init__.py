"""A game in which whoever is first calls, slaps or buzzes: the box names them, then the table rules.

The box never sees a card and knows no answer. So a round only says who was first, or that nobody can tell;
then the table says what that was worth ("right", "wrong", "too late"), and only then anything is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec
from lastnose.companion.core.errors import IllegalMove, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.rules.base import Plain
from lastnose.companion.games.rules.carried import SOMEBODY_STAYS, Circle, staying
from lastnose.companion.games.rules.checks import check_move, check_options, check_players
from lastnose.companion.games.rules.game import MoveT, OptionField, OptionsT, Outcome, Ready, Section
from lastnose.companion.games.rules.prompts import Choice, Choose, ChooseSeat, Prompt, WatchNoses


class Ruled(msgspec.Struct, frozen=True, tag="ruled", tag_field="type"):
    """The table says what it was worth that somebody was first."""

    value: str


class NoCards(msgspec.Struct, frozen=True, tag="no-cards", tag_field="type"):
    """The player of `seat` has no cards left (SNAP-5, SLAP-7)."""

    seat: int


class CallState(msgspec.Struct, Generic[OptionsT], frozen=True, kw_only=True):
    """The game between two rounds, and while the table is asked.

    `called`: who was first, several where nobody can tell, until the table has ruled; `order` all who pressed
    in that round, as far as is known. `begun`: a round has been judged.
    """

    players: tuple[str, ...]
    options: OptionsT
    called: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    begun: bool = False


class PilesState(CallState[OptionsT], frozen=True, kw_only=True):
    """Of a game whose cards are won: what was won, and calls that were wrong, by seat; who is out."""

    won: tuple[int, ...]
    wrong: tuple[int, ...]
    out: tuple[int, ...] = ()


StateT = TypeVar("StateT", bound=CallState[Any])
PilesStateT = TypeVar("PilesStateT", bound=PilesState[Any])

CARDS_GO_ROUND = text(
    "Anyone who comes gets cards from whoever has most. A newcomer has won none yet; anyone who "
    "comes back has what they had won, and is still out if they were. Anyone who leaves gives "
    "their cards to the others, and is not ranked."
)
DEAL_ALL = text("Deal all cards, face down.")
ONE_PILE = text("In turn everybody turns their top card, away from themselves, onto the pile in the middle.")
FIRST_PRESS = text(
    "At the first press the table says “Stop!”, then who was first, and by how much. Then say whether it was "
    "right, wrong or too late: only that is counted."
)
NO_CARD_LEFT = text("Whoever has no card left is out.")
STAYS = text("Pressed together: everything stays, and play goes on.")
TAKEN = text("Under the winner’s stock.")
TO_EACH = text("A card to everybody else")


def on_phones(*, reflexes: bool) -> tuple[Text, ...]:
    """Return how often phones cannot tell who was first, said wherever they are chosen (F30, F31).

    *reflexes*: people press at one sign, spread by about 60 ms; else when they know, by about 500 ms.
    """
    often = text(
        "Two phones in a quiz: about 7 questions in 100 are too close, with eight players 16. Phones will do."
    )
    if reflexes:
        often = text(
            "Two phones in a race of reflexes: half to four fifths of all rounds are too close. Better "
            "play this with wires."
        )
    beside = text(
        "With a phone beside wires the phone’s uncertainty decides; it says “too close for phones” "
        "whenever two are too close."
    )
    return often, beside


class Calls(Plain[OptionsT, StateT, Ruled | MoveT]):
    """A game of calls. `MoveT` are the moves that it has besides rulings.

    `call_rule` and `end_rule` are the rules by which a call, and a move after the end, is refused.
    """

    title: Text
    seats = (2, 12)
    options_type: type[OptionsT]
    move_types: Any = Ruled
    on_phones = on_phones(reflexes=True)
    call_rule: str
    end_rule: str

    # ---- what a game says for itself

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""
        raise NotImplementedError

    def begin(self, players: tuple[str, ...], options: OptionsT) -> StateT:
        """Return the first state."""
        raise NotImplementedError

    def eligible(self, state: StateT) -> tuple[int, ...]:
        """Return the seats that may be first in the next round."""
        raise NotImplementedError

    def choices(self, state: StateT) -> tuple[Choice, ...]:
        """Return what the table may rule: what is right first, then what is wrong, then what is neither."""
        raise NotImplementedError

    def ruled(self, state: StateT, value: str) -> StateT:
        """Return the state after the ruling *value* on `state.called`, which is over then."""
        raise NotImplementedError

    def moved(self, state: StateT, move: MoveT) -> StateT:
        """Return the state after a move of the game's own; raise IllegalMove naming the rule."""
        raise NotImplementedError

    def between(self, state: StateT) -> tuple[ChooseSeat, ...]:
        """Return what the table may say between two rounds."""
        return ()

    # ---- set-up

    def read_options(self, raw: Mapping[str, Any]) -> OptionsT:
        """Check *raw* and return the frozen options; raise BadInput naming the option."""
        return self.options_type(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Ruled | MoveT:
        """Check *raw* (`{"type": "ruled", "value": "right"}`) and return the move; raise BadInput."""
        move: Ruled | MoveT = check_move(self.title, raw, self.move_types)
        return move

    def new(self, players: tuple[str, ...], options: OptionsT) -> StateT:
        """Return the state before the first round; raise BadInput when the players do not fit."""
        return self.begin(check_players(self.title, players, self.seats), options)

    def gone_on(self, state: StateT, players: tuple[str, ...], sat: Circle) -> StateT:
        """Return *state* with *players*: everybody has what they had, who is new has nothing yet."""
        if self.comings is None:
            return super().gone_on(state, players, sat)
        self._check_going_on(state)
        if state.called:
            raise IllegalMove(self.call_rule, text("Say first whether it was right."))
        if not staying(sat):
            raise NotNow(SOMEBODY_STAYS)
        begun = self.new(players, state.options)
        after = msgspec.structs.replace(begun, begun=state.begun, **self.brought(state, sat))
        if {*staying(sat).values()}.isdisjoint(self.eligible(after)):
            raise NotNow(SOMEBODY_STAYS)
        return after

    def brought(self, state: StateT, sat: Circle) -> dict[str, Any]:
        """Return the fields of the state that people bring along to their new seats, by name."""
        return {}

    # ---- moves

    def play(self, state: StateT, move: Verdict | Ruled | MoveT) -> StateT:
        """Return the state after *move*; raise IllegalMove naming the rule."""
        if isinstance(move, Verdict):
            if move.void is not None:
                return state
            self._check_going_on(state)
            for seat in move.first:
                self.check_playing(state, self.call_rule, seat)
            order = tuple(seat for seat in move.order if seat in self.eligible(state))
            return msgspec.structs.replace(state, called=move.first, order=order, begun=True)
        if isinstance(move, Ruled):
            return self._ruled(state, move)
        self._check_going_on(state)
        if state.called:
            raise IllegalMove(self.call_rule, text("Say first whether it was right."))
        return self.moved(msgspec.structs.replace(state, begun=True), move)

    def _ruled(self, state: StateT, move: Ruled) -> StateT:
        if not state.called:
            raise IllegalMove(self.call_rule, text("This does not count any more."))
        ruling = self._ruling(state)
        if move.value not in {*(str(one.value) for one in ruling.choices), *filter(None, [ruling.overdue])}:
            said = english(
                "Say one of these: {values}.", values=listing([one.label for one in ruling.choices])
            )
            raise IllegalMove(self.call_rule, said)
        return msgspec.structs.replace(self.ruled(state, move.value), called=(), order=())

    def moot(self, state: StateT, move: Ruled | MoveT) -> bool:
        """Return whether *move* rules on a call that does not count any more: nobody was first."""
        return isinstance(move, Ruled) and not state.called

    def check_playing(self, state: StateT, rule: str, seat: int) -> None:
        """Raise IllegalMove by *rule* when *seat* is not one that may be first."""
        if not 1 <= seat <= len(state.players):
            raise IllegalMove(rule, english("There is no seat {seat} in this game.", seat=seat))
        if seat not in self.eligible(state):
            raise IllegalMove(rule, text("{player} is out.", player=state.players[seat - 1]))

    def _check_going_on(self, state: StateT) -> None:
        if self.outcome(state) is not None:
            raise IllegalMove(self.end_rule, text("The game is over: start another one."))

    # ---- what is asked and said

    def ready(self, state: StateT) -> Ready | None:
        """Return what to press once everybody has cards, and then between two calls."""
        says = text("Deal first: no nose counts yet.")
        button = text("Go on") if state.begun else text("Everybody has cards: play")
        return Ready(text("Ready to deal"), says, button)

    def asks(self, state: StateT) -> tuple[Prompt, ...]:
        """Ask who is first; then what that was worth; nothing after the end."""
        if self.outcome(state) is not None:
            return ()
        if state.called:
            return (self._ruling(state),)
        return (WatchNoses(self.eligible(state), question="first"), *self.between(state))

    def _ruling(self, state: StateT) -> Choose:
        label = text("{players}: was it right?", players=called(state))
        explain = text("Say first whether it was right.")
        return Choose("ruled", label, explain, self.choices(state), quick=True)

    def describe(self, before: StateT, move: Ruled | MoveT, after: StateT) -> Text | None:
        """Return what history says of a ruling, None of one on a round that does not count."""
        if not isinstance(move, Ruled) or not before.called:
            return None
        said = {"right": text("Right"), "wrong": text("Wrong")}.get(move.value, text("Too late"))
        return of_ruling(said, called(before))


class Piles(Calls[OptionsT, PilesStateT, MoveT]):
    """A game of calls in which cards are won, and whoever has all of them wins."""

    comings: Text | None = CARDS_GO_ROUND
    state_type: type[PilesStateT]

    def begin(self, players: tuple[str, ...], options: OptionsT) -> PilesStateT:
        """Return the state before the first card (SNAP-1, SLAP-1)."""
        nothing = (0,) * len(players)
        return self.state_type(players=players, options=options, won=nothing, wrong=nothing)

    def eligible(self, state: PilesStateT) -> tuple[int, ...]:
        """Return the seats that have cards, or may slap in."""
        return tuple(seat for seat in range(1, len(state.players) + 1) if seat not in state.out)

    def highest(self, state: PilesStateT) -> bool:
        """Return that what is won is what one wants."""
        return True

    def outcome(self, state: PilesStateT) -> Outcome | None:
        """Return that only one player has cards left, or nobody; None while several have (SNAP-6)."""
        left = self.eligible(state)
        if len(left) > 1:
            return None
        if not left:
            return Outcome(winners=(), losers=(), why=text("No cards left"))
        return Outcome(
            winners=left,
            losers=(),
            why=text("Only {player} has cards left.", player=state.players[left[0] - 1]),
        )

    def describe(self, before: PilesStateT, move: Ruled | MoveT, after: PilesStateT) -> Text | None:
        """Return what history says of *move*."""
        if isinstance(move, NoCards):
            return text("{player} has no cards left", player=before.players[move.seat - 1])
        return super().describe(before, move, after)


def called(state: CallState[Any]) -> str | Text:
    """Return who is ruled on, by name."""
    return listing([state.players[seat - 1] for seat in state.called])


def of_ruling(said: Text, who: str | Text) -> Text:
    """Return what history says of a ruling that *said* what it was worth, to *who*."""
    return text("{what}: {says}", what=said, says=who)


def mistakes(wrong: int) -> tuple[Text, ...]:
    """Return what the standings note of calls that were *wrong*."""
    return (texts("{n} mistake", "{n} mistakes", n=wrong),) if wrong else ()


def take(packs: int) -> Text:
    """Return what is played with."""
    return texts("Take {n} whole pack.", "Take {n} whole packs.", n=packs)


def late() -> Choice:
    """Return the ruling that counts for nobody: the chance was over already."""
    return Choice("late", text("Too late"))


def more(counts: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int, ...]:
    """Return *counts* with one more for each of *seats*.

    >>> more((0, 2, 1), (1, 3))
    (1, 2, 2)
    """
    return tuple(count + (seat in seats) for seat, count in enumerate(counts, start=1))


def counts(name: str, sat: Circle) -> tuple[int, ...]:
    """Return the counts *name* of who sits there now, 0 for who is new."""
    return tuple(0 if one is None else getattr(one.state, name)[one.seat - 1] for one in sat)


def marked(name: str, sat: Circle) -> tuple[int, ...]:
    """Return the new seats of those who are in the seats *name* of where they sat last."""
    found = enumerate(sat, start=1)
    return tuple(seat for seat, one in found if one is not None and one.seat in getattr(one.state, name))


def joined(sat: Circle, sides: int) -> tuple[int, ...]:
    """Return the team (from 0) of everybody who sits there now: their own, or the smallest for who is new."""
    team = {at: one.state.team[one.seat - 1] for at, one in enumerate(sat) if one is not None}
    for at in range(len(sat)):
        if at not in team:
            team[at] = min(range(sides), key=[*team.values()].count)
    return tuple(team[at] for at in range(len(sat)))


def fair_play(*, reflexes: bool = True) -> Section:
    """Return what every game of who is first says of how sure that is."""
    often, beside = on_phones(reflexes=reflexes)
    sure = text(
        "Nobody is named first unless that is sure. Else it is a dead heat, and nobody loses by it. "
        "Wired noses tell presses apart to a fraction of a millisecond. In a hall each table finds its own "
        "first."
    )
    return Section(text("Fair play"), (sure, beside, often))
