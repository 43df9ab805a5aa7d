"""What the family says from one verdict to the next: cards, deal and rack, and why somebody has won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.pieces.cards import RANKS, SUITS, Card, corner, names, plural, row, shown
from lastnose.companion.games.pieces.deck import Deck, taken_out
from lastnose.companion.games.pig_family.options import ALIKE, CONFIRMED, AnyOptions
from lastnose.companion.games.pig_family.rules import PigState, deck, seats_in
from lastnose.companion.games.rules.game import GuideStep
from lastnose.companion.games.rules.prompts import ChooseSeat

# ---- what lies in the middle of the table, in sentences: one piece less than players (SPN-1, SPN-4)


class RackItem(msgspec.Struct, frozen=True):
    """What is on the rack: `many` of them ("spoons"), `one` ("one spoon"), and the question who has none."""

    many: Text
    one: Text
    who_has_none: Text


def laid_out(ware: RackItem, count: int) -> Text:
    """Return how to lay the rack for a deal."""
    return texts(
        "Lay {one} in the middle, in cradle 1.",
        "Lay {n} {many} in the middle, in cradles 1 to {n}.",
        n=count,
        one=ware.one,
        many=ware.many,
    )


def retired(ware: RackItem, count: int, gone: int) -> Text:
    """Return which cradles stay empty when *gone* players have left and *count* pieces stay."""
    return texts(
        "Take {one} away: cradle {last} stays empty.",
        "Take {n} {many} away: cradles {first} to {last} stay empty.",
        n=gone,
        one=ware.one,
        many=ware.many,
        first=count + 1,
        last=count + gone,
    )


# ---- the deck


def kind(options: AnyOptions) -> Text:
    """Return what one collects (PIG-14)."""
    return ALIKE[options.hand_size]


def start(deck: Deck, options: AnyOptions) -> tuple[Text, ...]:
    """Return how to put *deck* together, and what to collect."""
    return (take(deck), collect(deck.each, kind(options)))


def collect(each: int, alike: Text) -> Text:
    """Return how many cards everybody gets, and what to do with them."""
    return text("Everybody gets {each} cards and collects {kind}.", each=each, kind=alike)


def _split(deck: Deck) -> tuple[int, tuple[str, ...]]:
    """Return how many whole packs *deck* has, and the ranks beyond them."""
    if deck.stock:
        return deck.packs, ()
    packs, over = divmod(len(deck.ranks), len(RANKS))
    return packs, deck.ranks[len(deck.ranks) - over :]


def take(deck: Deck) -> Text:
    """Return which cards to take for *deck*: three of a rank are enough without clubs (PIG-14)."""
    packs, over = _split(deck)
    ranks = names(over) if over else ""
    some = (
        text("all {ranks}, without clubs", ranks=ranks)
        if _clubs_stay(deck)
        else text("all {ranks}", ranks=ranks)
    )
    rest = _plus(some if over else "", deck)
    if packs and rest:
        return text(
            "Take {packs} and, from one more, {cards}: {n} cards.",
            packs=_packs(deck),
            cards=rest,
            n=deck.cards,
        )
    return text("Take {cards}: {n} cards.", cards=rest or _packs(deck), n=deck.cards)


def _clubs_stay(deck: Deck) -> bool:
    """Return whether the clubs stay in their box."""
    return len(deck.suits) == 3


def _packs(deck: Deck) -> Text:
    packs, _ = _split(deck)
    if _clubs_stay(deck):
        return texts("one pack without clubs", "{n} packs without clubs", n=packs)
    return texts("one whole pack", "{n} whole packs", n=packs)


def _plus(cards: str | Text, deck: Deck) -> str | Text:
    """Return *cards* with the odd ones of *deck* after them."""
    if not deck.odd:
        return cards
    odd = row([shown(card) for card in deck.odd])
    return text("{cards}, plus {odd}", cards=cards, odd=odd) if cards else odd


def without(before: Deck, after: Deck) -> Text:
    """Return which cards to take away so that *before* becomes *after* (PIG-8), and what stays."""
    gone = listing(_gone(before, after))
    return text("Take {cards} away: {n} cards stay, {deck}.", cards=gone, n=after.cards, deck=_stays(after))


def away(before: Deck, after: Deck) -> Text:
    """Return which cards to take away, and no more, as short as they can be said."""
    return text("Take {cards} away.", cards=listing(_gone(before, after)))


def _gone(before: Deck, after: Deck) -> list[str | Text]:
    """Return what leaves *before*: whole sets by their rank, other cards one by one."""
    gone = taken_out(before, after)
    parts: list[str | Text] = []
    for rank in dict.fromkeys(card.rank for card in gone):
        cards = [card for card in gone if card.rank == rank]
        whole = text("{n} {ranks}", n=len(cards), ranks=plural(rank))
        parts += [whole] if len(cards) == len(before.suits) else map(shown, cards)
    return parts


def _stays(deck: Deck) -> str | Text:
    """Return the cards of a *deck* without stock, short: whole packs, ranks as printed, odd cards."""
    packs, over = _split(deck)
    parts: list[str | Text] = [_packs(deck)] if packs else []
    if over:
        parts.append(row([corner(rank) for rank in over]))
    return _plus(listing(parts), deck)


def stock(deck: Deck, dealer: str | Text, right: str | Text) -> tuple[Text, ...]:
    """Return who deals, where the stock goes and who discards (PIG-4)."""
    return (
        texts(
            "{dealer} deals. One card is left: the stock, on the dealer’s right.",
            "{dealer} deals. The other {n} cards are the stock, on the dealer’s right.",
            n=deck.stock,
            dealer=dealer,
        ),
        draws(dealer, right),
    )


def draws(dealer: str | Text, right: str | Text) -> Text:
    """Return who draws from the stock and who discards (PIG-4)."""
    return text("{dealer} draws from the stock; {right} discards.", dealer=dealer, right=right)


# ---- the family's steps from one verdict to the next: cards, deal, passing, the race (PIG-2 to PIG-5, PIG-8)


def first(deck: Deck) -> tuple[GuideStep, ...]:
    """Return which cards to take for the first deal: pictures of up to a pack, in words beyond (PIG-3)."""
    if deck.stock or len(deck.ranks) > len(RANKS):
        return (GuideStep(take(deck), text("take")),)
    whole = tuple(Card(rank, SUITS[place % len(deck.suits)]) for place, rank in enumerate(deck.ranks))
    says = (
        text("Take these, without the clubs: {n} cards.", n=deck.cards)
        if len(deck.suits) == 3
        else text("Take these, all four suits: {n} cards.", n=deck.cards)
    )
    if not deck.odd:
        return (GuideStep(says, text("take"), whole, stacks=True),)
    more = text("Of the last, only {cards}.", cards=row([shown(card) for card in deck.odd]))
    return (GuideStep(says, text("take"), (*whole, deck.odd[0]), more, stacks=True),)


def leaving(state: PigState, now: Deck) -> GuideStep:
    """Return what the players who left take with them (PIG-8)."""
    out = _out(state, state.left)
    if state.options.stock:
        return GuideStep(out, text("take"), more=_the_deck_stays())
    before = deck(len(seats_in(state)) + len(state.left), len(state.players), state.options)
    return GuideStep(out, text("take"), taken_out(before, now), without(before, now))


def returning(state: PigState, back: tuple[int, ...], gone: tuple[int, ...], now: Deck) -> GuideStep:
    """Return who plays again after a correction, who is out by it, and which cards that takes."""
    says = texts(
        "{players} plays again.", "{players} play again.", n=len(back), players=_players(state, back)
    )
    if gone:
        says = text("{comes} {goes}", comes=_out(state, gone), goes=says)
    if state.options.stock:
        return GuideStep(says, text("take"), more=_the_deck_stays())
    return GuideStep(says, text("take"), more=take(now) if state.deals else None)


def _out(state: PigState, gone: Sequence[int]) -> Text:
    return texts("{players} is out.", "{players} are out.", n=len(gone), players=_players(state, gone))


def _the_deck_stays() -> Text:
    return text("The deck stays as it is.")


def dealing(dealer: str | Text, each: int) -> Text:
    """Return who deals and how many to each."""
    return text("{dealer} deals {n} cards each.", dealer=dealer, n=each)


def ready(each: int) -> Text:
    """Return what to press once everybody has their cards."""
    return text("Everybody has {n}: play", n=each)


def race(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    """Return what is done first, what the others do then, and what counts (PIG-5, SPN-1, SPN-6)."""
    cards = kind(options)
    if ware is None:
        everybody = text(
            "Do it silently, and stay there. Then everybody else may do the same, whatever cards they hold. "
            "One of you will be last."
        )
        return text("Whoever has {kind} touches the nose.", kind=cards), everybody
    opener = text("Whoever has {kind} takes {one} from the middle.", kind=cards, one=ware.one)
    everybody = text("Then everybody else may take one. There’s one fewer than there are players.")
    counts = (CONFIRMED[options.confirm],) if options.confirm is not None else ()
    if options.confirm in (None, "rack-only"):
        return (opener, everybody, *counts)
    phantom = text("A touch with nothing taken before it is a phantom: it is shown, and does not count.")
    return (opener, everybody, *counts, phantom)


# ---- what the table is told


def _players(state: PigState, seats: Sequence[int]) -> str | Text:
    return listing([state.players[seat - 1] for seat in seats])


def why(state: PigState, won: tuple[int, ...]) -> Text:
    """Return why the game has ended for the winners *won*."""
    if state.opened is not None:
        return text("{player} opened the one deal that decides, and wins.", player=_players(state, won))
    return text("Everybody else is out.")


BEGAN_EARLY = text("Began too early")


def began_early(seats: tuple[int, ...], alike: Text) -> ChooseSeat:
    """Return the question who of *seats* began without having cards that are *alike* (PIG-15)."""
    explain = text("Whoever began without {kind} counts as last; whoever was last does not.", kind=alike)
    return ChooseSeat("false-opener", BEGAN_EARLY, explain, seats, instead=True)


def what_to_do(state: PigState, before: Deck, now: Deck, ware: RackItem | None) -> tuple[Text, ...]:
    """Return what to do with the deck, *before* the last move and *now*, in the order to read it aloud."""
    options = state.options
    said = start(now, options) if not state.deals else ()
    spoons = len(seats_in(state)) - 1
    if ware is not None and not state.deals:
        said += (laid_out(ware, spoons),)
    if state.left:
        said += (_out(state, state.left),)
        said += (without(before, now) if not options.stock else _the_deck_stays(),)
        if ware is not None:
            said += (retired(ware, spoons, len(state.left)),)
    who, beside = dealer_and_right(state)
    return (*said, *(stock(now, who, beside) if options.stock else (dealing(who, now.each),)))


def dealer_and_right(state: PigState) -> tuple[str | Text, str | Text]:
    """Return who deals and who sits on the right of that, by name where the table knows (PIG-11)."""
    if only_the_table_knows(state):
        return text("Whoever took the first one"), text("the player on the dealer’s right")
    still_in = seats_in(state)
    right = max((seat for seat in still_in if seat < state.dealer), default=max(still_in))
    return state.players[state.dealer - 1], state.players[right - 1]


def only_the_table_knows(state: PigState) -> bool:
    """Return whether the opener deals, and nobody but the players saw who that was (PIG-11, SPN-6)."""
    return state.options.stock and state.options.confirm == "rack-only" and state.deals > 0


def dealt(players: int, options: AnyOptions, ware: RackItem | None) -> dict[str, Any]:
    """Return what to deal to *players* without names, seat 1 the dealer (PIG-1, 3, 4, 14; SPN-1)."""
    now = deck(players, players, options)
    dealer, right = text("Seat {seat}", seat=1), text("Seat {seat}", seat=players)
    last = stock(now, dealer, right) if options.stock else (dealing(dealer, now.each),)
    return {
        "spoons": None if ware is None else players - 1,
        "dealer": 1,
        "stock": now.stock,
        "odd": [str(card) for card in now.odd],
        "sentences": [*start(now, options), *((laid_out(ware, players - 1),) if ware else ()), *last],
    }
