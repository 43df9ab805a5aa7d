"""The pile of Pig 10: what a card makes of it, who wins it, whose turn it is (P10-1 to P10-8).

Cards are counted; who holds which is nobody's business.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.games.rules.carried import Circle, staying
from companion.games.rules.carried import passed_on as next_left

GOAL = 10
HAND = 3
FIVE = 5
# The published list of cards: value and how many there are (P10-1).
DECK = {0: 7, 1: 8, 2: 8, 3: 8, 4: 8, 5: 5, 6: 8, 7: 8, 8: 8, 9: 8, 10: 4}
CARDS = sum(DECK.values())


class Options(msgspec.Struct, frozen=True):
    """How a table plays. `count_cards`: the cards are those of the published list."""

    count_cards: bool


class Starts(msgspec.Struct, frozen=True, tag="starts", tag_field="type"):
    """The player of `seat` counted to ten fastest (P10-2)."""

    seat: int


class Lay(msgspec.Struct, frozen=True, tag="lay", tag_field="type"):
    """The player of `seat` lays a card worth `key` and says that the pile is worth `value`."""

    seat: int
    key: int
    value: int


class Empty(msgspec.Struct, frozen=True, tag="empty", tag_field="type"):
    """The player of `seat` has no card left; only asked where cards are not counted."""

    seat: int


Move = Starts | Lay | Empty


class PileState(msgspec.Struct, frozen=True):
    """The table between two cards.

    `pile` are its cards, `value` what it is worth, `layer` who laid the last card. `turn` is the seat to
    play, 0 before anybody starts. `hands[i]` is how many cards seat i + 1 holds, `won[i]` how many it has
    won; `draw` how many are to be drawn; `played[v]` how many cards of value v have been laid. `empty` are
    the seats that say they have no card, where nobody counts. `taken`: who took the pile with the last card,
    and how many cards. `left`: who sat here and does no longer, and how many cards they had won.
    """

    players: tuple[str, ...]
    options: Options
    hands: tuple[int, ...]
    won: tuple[int, ...]
    draw: int
    played: tuple[int, ...] = (0,) * (GOAL + 1)
    pile: tuple[int, ...] = ()
    value: int = 0
    turn: int = 0
    layer: int = 0
    empty: tuple[int, ...] = ()
    taken: tuple[int, int] | None = None
    left: tuple[tuple[str, int], ...] = ()

    @property
    def begun(self) -> bool:
        """Whether a card has been laid."""
        return sum(self.played) > 0

    def player(self, seat: int) -> str:
        """Return the name of the player in *seat*."""
        return self.players[seat - 1]

    def holds(self, seat: int) -> bool:
        """Return whether *seat* has a card to lay, as far as the table knows."""
        return self.hands[seat - 1] > 0 if self.options.count_cards else seat not in self.empty


def results(pile: tuple[int, ...], value: int, card: int) -> tuple[int, ...]:
    """Return what *pile*, worth *value*, may be worth with *card*: what is added up first (P10-3 to P10-6).

    >>> results((4, 3, 2), 9, 6), results((5, 1), 6, 5), results((8, 5, 2, 10), 5, 5)
    ((15,), (11, 1), (10, 0, 5))
    """
    if not pile:
        return (card,)
    if card == 0:
        return (0,)
    found = [value + card]
    if card == FIVE <= value:
        found.append(value - card)
    if card in (pile[-1], value):
        found.append(card)
    return tuple(dict.fromkeys(found))


def cards_left(state: PileState) -> tuple[int, ...]:
    """Return the values that can still be laid."""
    return tuple(
        value for value, count in DECK.items() if not state.options.count_cards or state.played[value] < count
    )


def rule_of(state: PileState, card: int) -> str:
    """Return the rule that says what *card* makes of the pile."""
    if not state.pile:
        return "P10-3"
    return {0: "P10-5", FIVE: "P10-4"}.get(card, "P10-6")


def add_card(state: PileState, move: Lay) -> PileState:
    """Return *state* with the card laid, the hand filled up, and the pile won if it is (P10-2, P10-7)."""
    drawn = min(1, state.draw)
    after = msgspec.structs.replace(
        state,
        hands=_add(state.hands, move.seat - 1, drawn - 1),
        draw=state.draw - drawn,
        played=_add(state.played, move.key, 1),
        layer=move.seat,
        taken=None,
    )
    pile = (*state.pile, move.key)
    if move.value < GOAL:
        return msgspec.structs.replace(after, pile=pile, value=move.value)
    winner = move.seat if move.value == GOAL else state.layer
    won = _add(state.won, winner - 1, len(pile))
    return msgspec.structs.replace(after, pile=(), value=0, won=won, taken=(winner, len(pile)))


def _add(counts: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    return tuple(count + more * (index == at) for index, count in enumerate(counts))


def gone_on(state: PileState, begun: PileState, sat: Circle) -> PileState:
    """Return *state* with those who sit there by *sat*, in *begun*.

    Who leaves puts their cards under the draw pile; who comes draws three from it. The turn passes to the
    left, and who laid last is who sat to the right, when it was somebody who left.
    """
    here, of = staying(sat), len(state.players)
    able = [new for old, new in here.items() if state.holds(old)]
    gone = [seat for seat in range(1, of + 1) if seat not in here]
    counted, draw = state.options.count_cards, state.draw + sum(state.hands[seat - 1] for seat in gone)
    hands = []
    for one in sat:
        hands.append(state.hands[one.seat - 1] if one is not None and one.here else min(HAND, draw))
        draw -= 0 if one is not None and one.here else hands[-1]
    able += [seat for seat in range(1, len(sat) + 1) if seat not in here.values() and hands[seat - 1]]
    back = [(one.state.player(one.seat), one.state.won[one.seat - 1]) for one in sat if one and not one.here]
    left = [one for one in state.left if one not in back]
    return msgspec.structs.replace(
        begun,
        hands=tuple(hands) if counted else begun.hands,
        won=tuple(0 if one is None else one.state.won[one.seat - 1] for one in sat),
        draw=draw if counted else begun.draw,
        played=state.played,
        pile=state.pile,
        value=state.value,
        turn=next_left(state.turn, of, here, able) if state.turn else 0,
        layer=_before(state.layer, of, here),
        empty=tuple(here[seat] for seat in state.empty if seat in here),
        left=(*left, *((state.player(seat), state.won[seat - 1]) for seat in gone)),
    )


def _before(layer: int, of: int, here: Mapping[int, int]) -> int:
    """Return the new seat of who laid last, or of the first to their right who stays; 0 for nobody."""
    to_the_right = ((layer - 1 - step) % of + 1 for step in range(of)) if layer else ()
    return next((here[seat] for seat in to_the_right if seat in here), 0)


def passed_on(state: PileState, seat: int) -> PileState:
    """Return *state* with the turn at the next seat to the left of *seat* that holds a card (P10-8)."""
    count = len(state.players)
    turns = ((seat + step - 1) % count + 1 for step in range(1, count + 1))
    return msgspec.structs.replace(state, turn=next((turn for turn in turns if state.holds(turn)), 0))
