"""Swedish Gin Rummy: fifteen contracts, the lowest total wins (SGR-1 to SGR-11). The sheet only.

Whether a hand lays its contract is `companion.contracts`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from companion import contracts
from companion.cards import PACK, RANKS, SUITS, Card, read_cards, shown
from companion.contracts import CONTRACTS, contract_name
from companion.errors import IllegalMove
from companion.games.asks import Ask, OfHand, Seats
from companion.games.game import Advice, OptionField, Section
from companion.games.setup import check_count
from companion.games.sheet import Held, Mark, Score, SheetGame, State, current
from companion.text import Text, listing, text, texts

PACKS = 2
EACH = 11
TOKENS = 2
MOST_HELD = EACH + 2 * TOKENS  # between turns, with both buys (SGR-9)
STEP = 5
EXACT_CUT = -100
RECOMMENDED = range(3, 7)
_CARDS = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS) * PACKS


class Options(msgspec.Struct, frozen=True):
    """How a table plays. `exact_cut`: lifting exactly the right number of cards takes 100 off (SGR-10)."""

    exact_cut: bool


class DealsFirst(msgspec.Struct, frozen=True, tag="deals-first", tag_field="type"):
    """The player of `seat` deals the first hand."""

    seat: int


class Bought(msgspec.Struct, frozen=True, tag="bought", tag_field="type"):
    """The player of `seat` paid a token (SGR-9)."""

    seat: int


class ExactCut(msgspec.Struct, frozen=True, tag="exact-cut", tag_field="type"):
    """The dealer of `hand` lifted exactly the right number of cards (SGR-10)."""

    hand: int


class SwedishGin(SheetGame):
    """The game."""

    name = "swedish-gin"
    title = text("Swedish Gin Rummy")
    summary = text("Fifteen hands, fifteen contracts of sets and runs. What you hold at the end counts.")
    seats = (2, 8)
    emblem = "M3 6l8-3l4 13l-8 3zM13 5h7v13h-4.5z"
    options_type = Options
    move_types = Score | DealsFirst | Bought | ExactCut
    drawn = "cards"
    step = STEP
    once = "SGR-7"

    # ---- set-up

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the one option (SGR-10)."""
        explain = text("A dealer who lifts exactly the right number of cards in one go has 100 points less.")
        return (OptionField("exact_cut", "flag", text("Exact cut"), explain, True),)

    def hands(self, options: Options) -> int:
        """Return the number of contracts (SGR-2)."""
        return len(CONTRACTS)

    # ---- the sheet

    def line_title(self, state: State, hand: int) -> Text:
        """Return the contract (SGR-2)."""
        return contract_name(CONTRACTS[hand])

    def count(self, state: State, pieces: tuple[str, ...]) -> Held:
        """Count cards (SGR-7)."""
        cards = read_cards(pieces)
        contracts.check_hand(cards)
        return Held(contracts.hand_points(cards), tuple(map(str, cards)))

    def pieces_left(self, state: State, hand: int) -> tuple[str, ...]:
        """Return the cards of two packs that nobody has been given."""
        return tuple(map(str, _left(state, hand)))

    def most(self, state: State, hand: int) -> int:
        """Return what the dearest fifteen cards that are left cost (SGR-7, SGR-9)."""
        return _dearest(_left(state, hand))

    def most_in_any_hand(self, state: State) -> int:
        """Return what the dearest fifteen cards cost."""
        return _dearest(_CARDS)

    def check(self, state: State, hand: int) -> None:
        """Raise IllegalMove for what cannot be (SGR-1, SGR-7, SGR-9)."""
        self.check_winner(state, hand)
        row = state.cells[hand - 1]
        for seat, cell in enumerate(row, start=1):
            if cell is not None:
                _check_cell(state.player(seat), cell, self.most(state, hand))
        _check_copies(state, hand)
        if None not in row and not self.went_out(state, hand):
            raise IllegalMove("SGR-7", text("Nobody has 0, and whoever closed the hand must."))

    def bonus(self, state: State, seat: int) -> int:
        """Return what exact cuts take off (SGR-10)."""
        return EXACT_CUT * sum(mark.what == "exact-cut" and mark.seat == seat for mark in state.marks)

    def best_bonus(self, state: State, seat: int, hands: range) -> int:
        """Return what exact cuts can still take off."""
        if not state.options.exact_cut:
            return 0
        deals = [hand for hand in hands if state.dealer(hand) == seat]
        return EXACT_CUT * sum(not state.marked("exact-cut", hand, seat) for hand in deals)

    def play(self, state: State, move: Any) -> State:
        """Return the sheet after *move*; raise IllegalMove naming the rule."""
        if not isinstance(move, DealsFirst):
            return super().play(state, move)
        _check_seat(state, move.seat)
        if state.begun:
            raise IllegalMove("SGR-11", text("The sheet has been begun: who deals first is settled."))
        return msgspec.structs.replace(state, first=move.seat)

    def marked(self, state: State, move: Any, hand: int) -> Mark:
        """Return the mark of a buy or of an exact cut."""
        if isinstance(move, Bought):
            return _bought(state, move.seat, hand)
        if isinstance(move, ExactCut):
            return _cut(state, move.hand, hand)
        return super().marked(state, move, hand)

    def own_asks(self, state: State, hand: int) -> tuple[Ask, ...]:
        """Ask for buys, for the exact cut, and at the very start for the dealer."""
        asked: list[Ask] = []
        buyers = tuple(
            seat
            for seat in state.seats
            if state.marked("bought", hand, seat) < TOKENS and state.cell(hand, seat) is None
        )
        if buyers:
            explain = text("A token for the top discard and the top of the stock: two cards more.")
            asked.append(Seats("bought", text("Bought"), explain, buyers))
        if state.options.exact_cut and not state.marked("exact-cut", hand, state.dealer(hand)):
            explain = texts(
                "{player} lifted {n} card in one go: 100 points less.",
                "{player} lifted exactly {n} cards in one go: 100 points less.",
                n=EACH * len(state.players) + 1,
                player=state.player(state.dealer(hand)),
            )
            asked.append(OfHand("exact-cut", text("Exact cut"), explain, hand))
        if not state.begun:
            explain = text("Who deals the first hand; after that the deal passes left.")
            asked.append(Seats("deals-first", text("Deals first"), explain, state.seats))
        return tuple(asked)

    def cell_notes(self, state: State, hand: int, seat: int) -> tuple[Text, ...]:
        """Return how often *seat* bought in *hand*, and an exact cut."""
        buys = state.marked("bought", hand, seat)
        notes = [texts("{n} buy", "{n} buys", n=buys)] if buys else []
        if state.marked("exact-cut", hand, seat):
            notes.append(text("exact cut"))
        return tuple(notes)

    def line_notes(self, state: State, hand: int) -> tuple[Text, ...]:
        """Return how many purchases the contract takes at least, and what that makes doubtful."""
        least = CONTRACTS[hand].buys
        notes = (texts("{n} buy at least", "{n} buys at least", n=least),) if least else ()
        too_few = tuple(
            text("{player} closed with fewer buys written down.", player=state.player(seat))
            for seat in self.went_out(state, hand)
            if state.marked("bought", hand, seat) < least
        )
        return notes + too_few

    def said(self, before: Any, move: Any, after: Any) -> Text | None:
        """Return what history says."""
        match move:
            case DealsFirst(seat):
                return text("{player} deals first", player=before.player(seat))
            case Bought(seat):
                return text("{player} buys", player=before.player(seat))
            case ExactCut(hand):
                dealer = before.player(before.dealer(hand))
                return text("Exact cut by {player}: 100 points less", player=dealer)
        return super().said(before, move, after)

    # ---- the deal, and the rules

    def advice(self, state: State) -> Advice:
        """Return who deals what, and the contract (SGR-1, SGR-2, SGR-11)."""
        hand = current(state)
        sentences = _dealing(len(state.players))
        dealer = state.dealer(hand) if hand is not None else None
        if hand is not None and dealer is not None:
            who = text(
                "{dealer} deals, {starter} starts.",
                dealer=state.player(dealer),
                starter=state.player(state.starter(hand)),
            )
            what = text("Contract {number}: {what}.", number=hand, what=contract_name(CONTRACTS[hand]))
            sentences = (who, what, *sentences)
        return Advice(sentences, PACKS, ranks=RANKS, cards=PACKS * PACK, each=EACH, dealer=dealer)

    def deal(self, players: int, options: Options) -> dict[str, Any]:
        """Return the deal as data (SGR-1)."""
        check_count(self.title, players, self.seats)
        return {
            "packs": PACKS,
            "ranks": [*RANKS],
            "cards": PACKS * PACK,
            "each": EACH,
            "spoons": None,
            "dealer": None,
            "lift": EACH * players + 1,
            "stock": PACKS * PACK - EACH * players - 1,
            "sentences": [*_dealing(players)],
        }

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return the rules as this table plays them."""
        cut = (
            (text("A dealer who lifts exactly the right number of cards in one go has 100 points less."),)
            if options.exact_cut
            else ()
        )
        return (
            Section(text("How it goes"), _GOES),
            Section(text("Sets and runs"), _MELDS),
            Section(text("Buying"), _BUYING),
            Section(text("Points"), (*_POINTS, *cut)),
        )


_GOES = (
    text("Fifteen hands, each with its contract. Eleven cards each, one begins the discard pile."),
    text("In turn, clockwise: draw from the stock or the discard pile, then discard one."),
    text("Lay the whole contract at once. Only then add to melds, or lay others of three or more."),
    text("Nothing is added to the pair of hand 14."),
    text("In hand 15 everything goes down at once, without a discard."),
    text("The first without cards closes the hand."),
    text("If the stock runs out, the discards but the top one make a new one."),
    text("Whoever started a hand deals the next. You may stop after any hand and go on another day."),
)
_MELDS = (
    text("A set has cards of one rank; a run follows in one suit, and the ace comes after the king."),
    text("A two is wild for any card. In each meld natural cards outnumber wilds."),
    text("Twos alone are a set, and below its own three a two is natural."),
    text("Wilds on the table are not swapped out."),
)
_BUYING = (
    text("Everybody has two tokens a hand."),
    text("One buys the top discard, if another player threw it, with the top of the stock: at any moment."),
    text("Buying in your own turn ends it, without a discard."),
    text("If several want it: first whose turn it is, then the next in turn."),
)
_POINTS = (
    text("Left in hand: 3 to 10 cost 5, jack, queen and king 10, an ace 15, a two 25."),
    text("Who closed has 0. The lowest total wins; equal is shared."),
    text("Of 3♥ 3♥ 3♠ K♥ K♦ 10♣ J♣ Q♣ K♣ A♣ 8♠ K♠ 2♦ the source says 115; it is 125."),
)


def _dealing(players: int) -> tuple[Text, ...]:
    lift = EACH * players + 1
    said = [
        text("Shuffle two packs without jokers."),
        text("Deal {each} each and turn one up: {n} cards in all.", each=EACH, n=lift),
    ]
    if players not in RECOMMENDED:
        said.append(text("Three to six players are best; with {n} it can be slow.", n=players))
    return tuple(said)


def _check_seat(state: State, seat: int) -> None:
    if seat not in state.seats:
        raise IllegalMove("SGR-1", text("There is no seat {seat} in this game.", seat=seat))


def _bought(state: State, seat: int, hand: int) -> Mark:
    _check_seat(state, seat)
    if state.marked("bought", hand, seat) == TOKENS:
        raise IllegalMove("SGR-9", text("{player} has no token left.", player=state.player(seat)))
    if state.cell(hand, seat) is not None:
        raise IllegalMove(
            "SGR-9", text("{player} has a score in this hand: buying is over.", player=state.player(seat))
        )
    return Mark("bought", hand, seat)


def _cut(state: State, wanted: int, hand: int) -> Mark:
    dealer = state.dealer(hand)
    if not state.options.exact_cut:
        raise IllegalMove("SGR-10", text("At this table an exact cut earns nothing."))
    if wanted != hand:
        raise IllegalMove("SGR-10", text("Hand {hand} is being played.", hand=hand))
    if state.marked("exact-cut", hand, dealer):
        raise IllegalMove("SGR-10", text("{player} has had the 100 points.", player=state.player(dealer)))
    return Mark("exact-cut", hand, dealer)


def _given(state: State, hand: int) -> Counter[Card]:
    cells = state.cells[hand - 1]
    return Counter(card for cell in cells if cell is not None for card in read_cards(cell.pieces or ()))


def _left(state: State, hand: int) -> tuple[Card, ...]:
    """Return the cards of two packs that nobody has been given in *hand*."""
    left = Counter(_CARDS) - _given(state, hand)
    return tuple(card for card in dict.fromkeys(_CARDS) for _ in range(left[card]))


def _dearest(cards: tuple[Card, ...]) -> int:
    return sum(sorted(map(contracts.card_points, cards), reverse=True)[:MOST_HELD])


def _check_cell(player: str, cell: Held, most: int) -> None:
    if cell.points % STEP:
        raise IllegalMove(
            "SGR-7",
            text("Every card costs a multiple of 5, and {points} is none.", points=cell.points),
        )
    if cell.pieces is not None and len(cell.pieces) > MOST_HELD:
        raise IllegalMove(
            "SGR-9",
            text(
                "{player} cannot hold {n} cards: with both buys it is {most}.",
                player=player,
                n=len(cell.pieces),
                most=MOST_HELD,
            ),
        )
    if cell.pieces is None and cell.points > most:
        raise IllegalMove(
            "SGR-7",
            text(
                "{points} points are more than the dearest {n} cards that are left: {most}.",
                points=cell.points,
                n=MOST_HELD,
                most=most,
            ),
        )


def _check_copies(state: State, hand: int) -> None:
    for card, count in _given(state, hand).items():
        if count > PACKS:
            cells = enumerate(state.cells[hand - 1], start=1)
            holders = [
                state.player(seat) for seat, cell in cells if cell and str(card) in (cell.pieces or ())
            ]
            raise IllegalMove(
                "SGR-1",
                text(
                    "{card} is there twice only, and {players} would hold {n}.",
                    card=shown(card),
                    players=listing(holders),
                    n=count,
                ),
            )


GAME = SwedishGin()
