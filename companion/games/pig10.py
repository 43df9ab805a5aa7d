"""Pig 10: add up to ten exactly and win the pile; go over and your neighbour wins it (P10-1 to P10-9).

The page is the pile: the state counts cards, never who holds which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.rules.base import Plain
from lastnose.companion.games.rules.carried import SOMEBODY_STAYS, Circle, staying
from lastnose.companion.games.rules.carried import passed_on as next_left
from lastnose.companion.games.rules.checks import CHANGED, check_options, check_players
from lastnose.companion.games.rules.game import Advice, OptionField, Outcome, Section, Standing
from lastnose.companion.games.rules.prompts import Choice, ChooseSeat, Key, Keypad, Prompt

# ---- the pile of Pig 10: what a card makes of it, who wins it, whose turn it is (P10-1 to P10-8)

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


# ---- the game


class Pig10(Plain[Options, PileState, Move]):
    name = "pig-10"
    title = text("Pig 10")
    summary = text("Play a card and add it up. Exactly ten wins the pile; over ten, your neighbour wins it.")
    seats = (2, 8)
    watched = False
    comings: Text | None = text(
        "A newcomer draws three cards and has won none yet. Anyone who comes back has what they "
        "had won. Anyone who leaves puts their cards under the draw pile, and is not ranked. If "
        "it was their turn, the next player goes on."
    )
    emblem = "M5 4h3v16H5zM15 4a5 8 0 1 0 .1 0zM15 7.5a2 4.5 0 1 1-.1 0z"

    # ---- set-up

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the one option (P10-1)."""
        explain = text("For the 80 cards as published: the pad offers only those still in play.")
        return (OptionField("count_cards", "flag", text("Count the cards"), explain, True),)

    def read_options(self, raw: Mapping[str, Any]) -> Options:
        """Check the option."""
        return Options(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> Move:
        """Check a move."""
        try:
            return msgspec.convert(raw, Move)  # type: ignore[no-any-return]
        except msgspec.ValidationError:
            raise BadInput(
                english(
                    "Pig 10 has the moves “starts” (seat), “lay” (seat, key: the card, value: what the pile "
                    "is worth) and “empty” (seat)."
                )
            ) from None

    def highest(self, state: PileState) -> bool:
        """Return that cards won are what one wants (P10-8)."""
        return True

    def new(self, players: tuple[str, ...], options: Options) -> PileState:
        """Return an empty table."""
        names = check_players(self.title, players, self.seats)
        count = len(names)
        return PileState(names, options, (HAND,) * count, won=(0,) * count, draw=CARDS - HAND * count)

    def gone_on(self, state: PileState, players: tuple[str, ...], sat: Circle) -> PileState:
        """Return the table with *players* by their new seats; the next plays on."""
        if self.outcome(state):
            raise IllegalMove("P10-8", text("The game is over."))
        if not staying(sat):
            raise NotNow(SOMEBODY_STAYS)
        return gone_on(state, self.new(players, state.options), sat)

    # ---- play

    def play(self, state: PileState, move: Verdict | Move) -> PileState:
        """Return the state after *move*; raise IllegalMove naming the rule."""
        if self.outcome(state):
            raise IllegalMove("P10-8", text("The game is over."))
        match move:
            case Starts(seat):
                return self._started(state, seat)
            case Lay():
                return self._laid(state, move)
            case Empty(seat):
                return self._emptied(state, seat)
        raise IllegalMove("P10-2", english("In this game cards decide, not noses."))

    def _started(self, state: PileState, seat: int) -> PileState:
        _check_seat(state, seat)
        if state.begun:
            raise IllegalMove("P10-2", CHANGED)
        return msgspec.structs.replace(state, turn=seat)

    def _laid(self, state: PileState, move: Lay) -> PileState:
        _check_seat(state, move.seat)
        if not state.turn:
            raise IllegalMove("P10-2", CHANGED)
        if move.seat != state.turn:
            raise IllegalMove("P10-2", _turn(state))
        if move.key not in cards_left(state):
            raise IllegalMove("P10-1", CHANGED)
        allowed = results(state.pile, state.value, move.key)
        if move.value not in allowed:
            raise IllegalMove(
                rule_of(state, move.key),
                english(
                    "With a {card} the pile is worth {allowed}, not {value}.",
                    card=move.key,
                    allowed=_or(allowed),
                    value=move.value,
                ),
            )
        return passed_on(add_card(state, move), move.seat)

    def _emptied(self, state: PileState, seat: int) -> PileState:
        _check_seat(state, seat)
        if state.options.count_cards:
            raise IllegalMove("P10-8", english("The cards are counted here: nobody has to say it."))
        if seat in state.empty:
            raise IllegalMove("P10-8", CHANGED)
        after = msgspec.structs.replace(state, empty=(*state.empty, seat), taken=None)
        return passed_on(after, seat) if seat == state.turn else after

    def outcome(self, state: PileState) -> Outcome | None:
        """Return who has won most cards once all hands are empty (P10-8)."""
        if any(state.holds(seat) for seat in range(1, len(state.players) + 1)):
            return None
        most = max(state.won)
        winners = tuple(seat for seat, count in enumerate(state.won, start=1) if count == most)
        why = text("The most cards won: {n}.", n=most)
        return Outcome(winners=winners, losers=(), why=why)

    # ---- what is shown and asked

    def standings(self, state: PileState) -> tuple[Standing, ...]:
        """Return the cards won (P10-7)."""
        return tuple(Standing(seat=seat, score=count) for seat, count in enumerate(state.won, start=1))

    def asks(self, state: PileState) -> tuple[Prompt, ...]:
        """Return the pad of whose turn it is; before anybody starts, who does."""
        if self.outcome(state):
            return ()
        seats = tuple(range(1, len(state.players) + 1))
        asked: list[Prompt] = []
        if not state.turn:
            asked.append(
                ChooseSeat(
                    "starts",
                    text("Who starts?"),
                    _FASTEST,
                    seats,
                    prompt=text("Tap a name."),
                )
            )
        if state.turn:
            asked.append(self._pad(state))
        if not state.options.count_cards and state.begun:
            holding = tuple(seat for seat in seats if seat not in state.empty)
            asked.append(ChooseSeat("empty", text("No cards left"), _TO_THE_END, holding))
        return tuple(asked)

    def _pad(self, state: PileState) -> Keypad:
        keys = tuple(Key(card, str(card), _choices(state, card)) for card in cards_left(state))
        ten = state.taken and state.taken[0] == state.layer
        sign = text("PIG 10!") if ten else str(state.value)
        return Keypad(
            "lay", _turn(state), _IN_TURN, state.turn, keys, sign, tuple(str(card) for card in state.pile)
        )

    def notes(self, state: PileState) -> tuple[Text, ...]:
        """Return what the pile is worth, what came of the last card, and what is left to draw."""
        if self.outcome(state):
            return _gone(state)
        notes: list[Text] = []
        if state.taken:
            seat, count = state.taken
            notes.append(_won(state.player(seat), count, ten=seat == state.layer))
        elif state.pile:
            notes.append(_worth(state.value))
        if state.options.count_cards:
            notes.append(texts("{n} card to draw.", "{n} cards to draw.", n=state.draw))
        return (*notes, *_gone(state))

    def describe(self, before: PileState, move: Move, after: PileState) -> Text | None:
        """Return what history says of a card."""
        if isinstance(move, Starts):
            return text("{player} starts", player=before.player(move.seat))
        player = before.player(move.seat)
        if isinstance(move, Empty):
            return text("{player} has no cards left", player=player)
        what = _worth(move.value)
        if after.taken:
            winner, count = after.taken
            what = _won(before.player(winner), count, ten=winner == move.seat)
        return text("{player} lays {card}. {what}", player=player, card=move.key, what=what)

    def advice(self, state: PileState) -> Advice:
        """Return what to deal (P10-1)."""
        sentences = () if state.begun else _dealing()
        ranks = tuple(str(value) for value in DECK)
        return Advice(sentences, packs=1, ranks=ranks, cards=CARDS, each=HAND, dealer=None)

    def dealt(self, players: int, options: Options) -> dict[str, Any]:
        """Return how many cards the draw pile has."""
        return {"draw_pile": CARDS - HAND * players}

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return the rules, short enough to read aloud."""
        return (
            Section(
                text("How to play"),
                (
                    *_dealing(),
                    _FASTEST,
                    _IN_TURN,
                    text(
                        "Ten exactly: say PIG 10, win all cards of the pile and lay them in front of you. "
                        "Over ten, the player on your right, who played the card before, wins them. Then the "
                        "next player begins a new pile."
                    ),
                    text(
                        "The first card is worth itself; every other is added. A 0 sets the pile to zero, "
                        "always. A 5 may be added or taken away; the pile never goes below zero."
                    ),
                    text(
                        "A card like the one just before, or like the pile, may set the pile to its own "
                        "value instead."
                    ),
                ),
            ),
            Section(
                text("How it ends"),
                (_TO_THE_END,),
            ),
        )


_FASTEST = text("Whoever counts to ten fastest starts.")
_IN_TURN = text("In turn, clockwise: play one card, say what the pile is worth, draw back up to three.")
_TO_THE_END = text(
    "With nothing left to draw, play on until all hands are empty. Most cards won wins; a tie is shared. An "
    "unfinished pile belongs to nobody."
)


def _turn(state: PileState) -> Text:
    return text("{player}’s turn", player=state.player(state.turn))


def _worth(value: int) -> Text:
    return text("The pile is worth {value}.", value=value)


def _gone(state: PileState) -> tuple[Text, ...]:
    """Return who has left, with the cards they had won, out of the ranking."""
    if not state.left:
        return ()
    gone = [text("{player} {points}", player=player, points=won) for player, won in state.left]
    return (text("No longer here, and out of the ranking: {players}.", players=listing(gone)),)


def _dealing() -> tuple[Text, ...]:
    return (
        text("Shuffle all {n} cards and deal {each} each; the rest is the draw pile.", n=CARDS, each=HAND),
    )


def _check_seat(state: PileState, seat: int) -> None:
    if not 1 <= seat <= len(state.players):
        raise IllegalMove("P10-2", english("There is no seat {seat} in this game.", seat=seat))


def _or(values: tuple[int, ...]) -> Text | str:
    *rest, last = [str(value) for value in values]
    return text("{first} or {last}", first=", ".join(rest), last=last) if rest else last


def _won(player: str, count: int, *, ten: bool) -> Text:
    if ten:
        return texts(
            "PIG 10! {player} wins {n} card.", "PIG 10! {player} wins {n} cards.", n=count, player=player
        )
    return texts(
        "Over ten: {player} wins {n} card.", "Over ten: {player} wins {n} cards.", n=count, player=player
    )


def _choices(state: PileState, card: int) -> tuple[Choice, ...]:
    return tuple(_choice(state, card, value) for value in results(state.pile, state.value, card))


def _choice(state: PileState, card: int, value: int) -> Choice:
    """Return the choice of *value*, with how *card* makes it (+5, −5, =5) and what comes of it."""
    sign = "=" if not state.pile or card == 0 else "+" if value == state.value + card else "−"
    if sign == "−" and value == card:
        sign = "="
    how = text("{value}", value=f"{sign}{card}")
    if value == GOAL:
        return Choice(value, text("PIG 10!"), how)
    if value > GOAL:
        return Choice(
            value, text("{value}, for {player}", value=value, player=state.player(state.layer)), how
        )
    return Choice(value, text("{value}", value=value), how)


GAME = Pig10()
