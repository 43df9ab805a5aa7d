"""What Magarac and Vatra share: cards in turn, a slap and a shout, and nobody leaves (MAG-1 to MAG-5, MAG-8).

A game of this kind says what being last costs: `penalised` and `winless` are its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, listing, text
from lastnose.companion.games.pieces.cards import JOKER, SUITS, Card, shown
from lastnose.companion.games.pieces.deck import Deck, cards_of, sets_for
from lastnose.companion.games.pig_family.options import ALIKE, LET_GO, Common
from lastnose.companion.games.pig_family.rules import FalseOpener
from lastnose.companion.games.pig_family.sentences import began_early, collect, ready, take
from lastnose.companion.games.rules.base import Plain
from lastnose.companion.games.rules.carried import LETTERS_STAY, Circle, passed_on, staying
from lastnose.companion.games.rules.checks import CHANGED, check_move, check_options, check_players
from lastnose.companion.games.rules.game import Advice, Chance, Guide, GuideStep, MoveT, OptionField
from lastnose.companion.games.rules.prompts import ChooseSeat, Prompt, WatchNoses

# ---- the deck of a game in turns: four of a rank a player, and the travel card (MAG-1, MAG-8)

SEVEN = Card("7", "D")


def travel_card(players: int) -> Card:
    """Return the travel card for *players*: the seven of diamonds, a joker once the sevens are in play.

    >>> str(travel_card(7)), str(travel_card(8))
    ('7D', 'Joker')
    """
    return JOKER if SEVEN in cards_of(sets_for(players, 4)) else SEVEN


def deck_of(players: int, *, travels: bool) -> Deck:
    """Return the deck for *players*; a card that *travels* is the odd one: 4N + 1 cards.

    >>> deck_of(4, travels=True).cards
    17
    """
    deck = sets_for(players, 4)
    if not travels:
        return deck
    return msgspec.structs.replace(deck, odd=(travel_card(players),), cards=deck.cards + 1)


def travel_added(players: int) -> Text:
    """Return which card is added as the travel card."""
    card, n = travel_card(players), deck_of(players, travels=True).cards
    return text("Add the travel card, {card}: {n} cards in all.", card=shown(card), n=n)


TRAVELLING = (
    text("The extra card goes to whoever starts, who has five cards."),
    text(
        "Before play, whoever holds the travel card, starter or not, shows it to all, then shuffles it into "
        "their hand, unseen."
    ),
)
# What holds while a travel card is in play: refusing, and the hand it spoils.
REFUSING = text(
    "A card offered may be refused unseen; the next one offered must be another, and is taken. Four of a "
    "kind with the travel card is not enough: pass the travel card on first."
)
SLAP = text("With four of a kind, slap your button (your nose) and shout “Vatra!”, “Fire!”.")
EVERYBODY_TOO = text("Everybody else must too.")


# ---- the slap and the shout: a verdict judged again when seats that slapped did not shout (MAG-4)


def judged_again(verdict: Verdict, silent: Collection[int]) -> Verdict:
    """Return *verdict* as it is when the seats in *silent* count as not there.

    Whoever had not slapped either is not there as well; several who are not there are a dead heat.

    >>> judged_again(Verdict(order=(1, 2, 3), last=(3,), margin_ns=40, u_ns=2), [1]).last
    (1,)
    """
    if not silent:
        return verdict
    absent = {*silent, *(seat for seat in verdict.last if seat not in verdict.order)}
    return msgspec.structs.replace(
        verdict,
        order=tuple(seat for seat in verdict.order if seat not in absent),
        last=tuple(sorted(absent)),
        margin_ns=None,
        at_least_ns=None,
        u_ns=None,
        dead_heat=len(absent) > 1,
    )


# ---- the steps of a game in turns: cards, deal, passing in turn, slap and shout (MAG-1 to MAG-3, MAG-8)


def guide(deck: Deck, dealer: str, starter: str, *, taken: bool, added: Text | None) -> Guide:
    """Return what to do: *deck* is without its travel card, which *added* names; *taken*: it is there.

    Only who has cards can show the travel card: that comes after the deal, before the first card is passed.
    """
    cards = tuple(Card(rank, SUITS[place % len(SUITS)]) for place, rank in enumerate(deck.ranks))
    take = GuideStep(
        text("Take these, all four suits: {n} cards.", n=deck.cards), text("take"), cards, stacks=True
    )
    goes_to, shown_round = TRAVELLING
    in_turn = text("One card to the left, in turn.")
    return Guide(
        before=(
            *(() if taken else (take,)),
            *((GuideStep(added, text("take")),) if added and not taken else ()),
            *((GuideStep(goes_to, text("deal")),) if added else ()),
            GuideStep(dealing(dealer, starter), text("deal")),
        ),
        then=(
            *((GuideStep(shown_round, text("Travel card")),) if added else ()),
            GuideStep(in_turn, text("Passing cards")),
            GuideStep(SLAP, text("The race")),
        ),
        ready=ready(FOUR),
        now=text("{player} starts.", player=starter),
        proof=(in_turn, SLAP, EVERYBODY_TOO),
    )


def dealing(dealer: str | Text, starter: str | Text) -> Text:
    """Return who deals, and who starts (MAG-1, MAG-2)."""
    return text("{dealer} deals all cards, clockwise; {starter} starts.", dealer=dealer, starter=starter)


# ---- what the games in turns share


FOUR = 4


class TurnOptions(Common, frozen=True, kw_only=True):
    """How a table plays a game in turns."""

    travel_card: bool
    hold: bool
    challenge_s: int


TurnOptionsT = TypeVar("TurnOptionsT", bound=TurnOptions)


class FirstDealer(msgspec.Struct, frozen=True, tag="first-dealer", tag_field="type"):
    """The player of `seat` deals first (MAG-1)."""

    seat: int


class NoShout(msgspec.Struct, frozen=True, tag="did-not-shout", tag_field="type"):
    """The player of `seat` slapped in the last round and did not shout (MAG-4)."""

    seat: int


class TurnState(msgspec.Struct, Generic[TurnOptionsT], frozen=True, kw_only=True):
    """The game between two deals.

    `marks[i]` is how many letters (or punishments) seat i + 1 has. `verdict` is the last one as judged by the
    box, `before` the state before it, `silent` who is said not to have shouted. `deals` counts those that
    counted.
    """

    players: tuple[str, ...]
    options: TurnOptionsT
    marks: tuple[int, ...]
    dealer: int = 1
    deals: int = 0
    verdict: Verdict | None = None
    silent: tuple[int, ...] = ()
    before: TurnState[TurnOptionsT] | None = None


AnyTurnState = TurnState[Any]
TurnStateT = TypeVar("TurnStateT", bound=AnyTurnState)


TurnMove = FirstDealer | NoShout | FalseOpener


class Turns(Plain[TurnOptionsT, TurnStateT, TurnMove | MoveT]):
    """A game in turns: what all of them do. `MoveT` are the moves that it has besides."""

    title: Text
    seats = (3, 13)
    state_type: type[TurnStateT]
    options_type: type[TurnOptionsT]
    move_types: object = TurnMove
    comings: Text | None = LETTERS_STAY

    # ---- what a game says for itself

    def penalised(self, state: TurnStateT, last: tuple[int, ...], opener: int | None) -> TurnStateT:
        """Return *state* after *last* were last; *state* itself when that is to be played again."""
        raise NotImplementedError

    def newcomer(self, marks: Sequence[int]) -> int:
        """Return the marks of who comes late, when the others have *marks*: as many as whoever has most."""
        return max(marks, default=0)

    def over(self, state: TurnStateT) -> bool:
        """Tell whether the rules have ended the game."""
        return False

    def too_late_to_challenge(self, state: TurnStateT) -> bool:
        """Tell whether the round can no longer be challenged (the penalty has begun)."""
        return False

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""
        raise NotImplementedError

    # ---- set-up

    def read_options(self, raw: Mapping[str, Any]) -> TurnOptionsT:
        """Check *raw* and return the frozen options; raise BadInput naming the option."""
        return self.options_type(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> TurnMove | MoveT:
        """Check *raw* (`{"type": "did-not-shout", "seat": 2}`) and return the move; raise BadInput."""
        move: TurnMove | MoveT = check_move(self.title, raw, self.move_types)
        return move

    def new(self, players: tuple[str, ...], options: TurnOptionsT) -> TurnStateT:
        """Return the first state; raise BadInput when the players do not fit (MAG-1)."""
        names = check_players(self.title, players, self.seats)
        return self.state_type(players=names, options=options, marks=(0,) * len(names))

    def by_chance(
        self, state: TurnStateT, move: TurnMove | MoveT | None, chance: Chance
    ) -> TurnMove | MoveT | None:
        """Return *move*; for None who deals first, drawn by lot (MAG-1)."""
        return FirstDealer(1 + chance.pick(len(state.players))) if move is None else move

    # ---- moves

    def play(self, state: TurnStateT, move: Verdict | TurnMove | MoveT) -> TurnStateT:
        """Return the state after *move*; raise IllegalMove naming the rule."""
        match move:
            case Verdict():
                return self._judged(state, move)
            case FirstDealer(seat):
                return self._first_dealer(state, seat)
            case NoShout(seat):
                return self._challenged(state, seat)
            case FalseOpener(seat):
                return self._false_opener(state, seat)
            case _:
                raise TypeError(f"this game has no such move: {move!r}")

    def _first_dealer(self, state: TurnStateT, seat: int) -> TurnStateT:
        check_seats(state, "MAG-1", (seat,))
        if state.deals or state.verdict is not None:
            raise IllegalMove("MAG-1", CHANGED)
        return msgspec.structs.replace(state, dealer=seat)

    def _judged(self, state: TurnStateT, verdict: Verdict) -> TurnStateT:
        if verdict.void is not None:
            return state
        self._check_going_on(state)
        check_seats(state, "MAG-3", (*verdict.last, *verdict.order))
        before = self.settled(state)
        after = self._counted(before, verdict)
        return msgspec.structs.replace(after, verdict=verdict, before=before)

    def _challenged(self, state: TurnStateT, seat: int) -> TurnStateT:
        check_seats(state, "MAG-4", (seat,))
        if state.verdict is None or self.too_late_to_challenge(state) or seat in state.silent:
            raise IllegalMove("MAG-4", CHANGED)
        silent = (*state.silent, seat)
        before = state.before
        assert isinstance(before, type(state))
        after = self._counted(before, judged_again(state.verdict, silent))
        return msgspec.structs.replace(after, verdict=state.verdict, before=before, silent=silent)

    def _false_opener(self, state: TurnStateT, seat: int) -> TurnStateT:
        self._check_going_on(state)
        check_seats(state, "PIG-15", (seat,))
        return self._dealt(self.penalised(self.settled(state), (seat,), None))

    def settled(self, state: TurnStateT) -> TurnStateT:
        """Return *state* with nothing left open of the last round."""
        return msgspec.structs.replace(state, verdict=None, before=None, silent=())

    def _counted(self, state: TurnStateT, verdict: Verdict) -> TurnStateT:
        """Return the state after *verdict*; a dead heat may leave it as it is, to be played again.

        Where the table says that nobody was last nobody pays, and the next deals.
        """
        if not verdict.last:
            return self._dealt(state)
        if len(verdict.last) > 1 and state.options.dead_heat == "replay":
            return state
        after = self.penalised(state, verdict.last, verdict.opener)
        return after if after is state else self._dealt(after)

    def _dealt(self, state: TurnStateT) -> TurnStateT:
        """Return *state* with the deal passed to the left (MAG-5)."""
        return msgspec.structs.replace(state, dealer=left_of(state, state.dealer), deals=state.deals + 1)

    def _check_going_on(self, state: TurnStateT) -> None:
        if self.over(state):
            raise IllegalMove("MAG-6", text("The game is over: start another one."))

    # ---- what is asked and said

    def asks(self, state: TurnStateT) -> tuple[Prompt, ...]:
        """Return the noses to watch, who kept silent, who deals first; after the end only who kept silent."""
        everybody = tuple(range(1, len(state.players) + 1))
        challenge = self._challenge(state, everybody)
        if self.over(state):
            return challenge
        first = (
            ChooseSeat("first-dealer", text("Deals first"), text("Otherwise the lot decides."), everybody),
        )
        early = began_early(everybody, ALIKE[FOUR])
        opening = () if state.deals or state.verdict is not None else first
        return (WatchNoses(everybody, hold=state.options.hold), *challenge, *opening, early)

    def _challenge(self, state: TurnStateT, everybody: tuple[int, ...]) -> tuple[ChooseSeat, ...]:
        loud = tuple(seat for seat in everybody if seat not in state.silent)
        if state.verdict is None or not loud or self.too_late_to_challenge(state):
            return ()
        explain = text("A slap without a shout does not count: the round is judged again without it.")
        within_s = state.options.challenge_s
        prompt, label = text("Can be said until the next round is judged."), text("Did not shout")
        return (ChooseSeat("did-not-shout", label, explain, loud, prompt=prompt, within_s=within_s),)

    def describe(self, before: TurnStateT, move: TurnMove | MoveT, after: TurnStateT) -> Text | None:
        """Return what history says of *move*."""
        match move:
            case FirstDealer(seat):
                return text("{player} deals first", player=name(before, seat))
            case NoShout(seat):
                return text("{player} did not shout", player=name(before, seat))
            case _:
                return None

    def revised_verdict(self, state: TurnStateT) -> Verdict | None:
        """Return the verdict without the seats that kept silent (MAG-4)."""
        if state.verdict is None or not state.silent:
            return None
        return judged_again(state.verdict, state.silent)

    def armed_text(self, state: TurnStateT) -> Text:
        """Return what the first four of a kind does (MAG-3)."""
        return SLAP

    def gone_on(self, state: TurnStateT, players: tuple[str, ...], sat: Circle) -> TurnStateT:
        """Return the first state with everybody's marks, by their new seats, and who deals."""
        here = staying(sat)
        most = self.newcomer(tuple(state.marks[seat - 1] for seat in here))
        return msgspec.structs.replace(
            self.new(players, state.options),
            marks=tuple(most if one is None else one.state.marks[one.seat - 1] for one in sat),
            dealer=passed_on(state.dealer, len(state.players), here, tuple(range(1, len(sat) + 1))),
        )

    def guide(self, state: TurnStateT, was: TurnStateT | None = None) -> Guide | None:
        """Return the steps to the next verdict, None when the game has ended."""
        if self.over(state):
            return None
        players, travels = len(state.players), state.options.travel_card
        starter = name(state, left_of(state, state.dealer))
        deck = deck_of(players, travels=False)
        added = travel_added(players) if travels else None
        return guide(deck, name(state, state.dealer), starter, taken=bool(state.deals), added=added)

    def dealt_again(self, state: TurnStateT) -> TurnStateT:
        """Return *state* with the cards taken at the start."""
        return msgspec.structs.replace(state, deals=state.deals or 1)

    def advice(self, state: TurnStateT) -> Advice:
        """Return which cards to take at the start, and who deals and starts (MAG-1, MAG-5, MAG-8)."""
        players, options = len(state.players), state.options
        deck = deck_of(players, travels=options.travel_card)
        over = self.over(state)
        dealer = name(state, state.dealer)
        starter = name(state, left_of(state, state.dealer))
        return Advice(
            sentences=() if over else self._sentences(players, options, dealer, starter, state.deals),
            packs=deck.packs,
            ranks=deck.ranks,
            cards=deck.cards,
            each=FOUR,
            dealer=None if over else state.dealer,
        )

    def _sentences(
        self, players: int, options: TurnOptionsT, dealer: str | Text, starter: str | Text, deals: int
    ) -> tuple[Text, ...]:
        deal = (dealing(dealer, starter), *(TRAVELLING if options.travel_card else ()))
        if deals:
            return deal
        added = (travel_added(players),) if options.travel_card else ()
        return (take(deck_of(players, travels=False)), *added, collect(FOUR, ALIKE[FOUR]), *deal)

    def notes(self, state: TurnStateT) -> tuple[Text, ...]:
        """Return what the rules say about this moment."""
        if self.over(state):
            return ()
        options = state.options
        return (*((LET_GO,) if options.hold else ()), *((REFUSING,) if options.travel_card else ()))

    def dealt(self, players: int, options: TurnOptionsT) -> dict[str, Any]:
        """Return the odd cards, the travel card among them, and the sentences for seats without names."""
        deck = deck_of(players, travels=options.travel_card)
        dealer, starter = text("Seat {seat}", seat=1), text("Seat {seat}", seat=2)
        return {
            "stock": 0,
            "odd": [str(card) for card in deck.odd],
            "travel_card": str(deck.odd[0]) if deck.odd else None,
            "sentences": list(self._sentences(players, options, dealer, starter, 0)),
        }


def name(state: AnyTurnState, seat: int) -> str:
    """Return the name of the player in *seat*."""
    return state.players[seat - 1]


def names(state: AnyTurnState, seats: Collection[int]) -> str | Text:
    """Return the names of the players in *seats* as a sentence lists them."""
    return listing([name(state, seat) for seat in seats])


def left_of(state: AnyTurnState, seat: int) -> int:
    return seat % len(state.players) + 1


def check_seats(state: AnyTurnState, rule: str, seats: Collection[int]) -> None:
    """Raise IllegalMove when one of *seats* is none of this game."""
    for seat in seats:
        if not 1 <= seat <= len(state.players):
            raise IllegalMove(rule, english("There is no seat {seat} in this game.", seat=seat))
