"""The family's steps from one verdict to the next: cards, deal, passing, the race (PIG-2 to PIG-5, PIG-8)."""

from __future__ import annotations

from companion.core.text import Text, listing, text, texts
from companion.games.pieces.cards import RANKS, SUITS, Card, plural, row, shown
from companion.games.pieces.deck import Deck, taken_out
from companion.games.pig_family.deck_texts import stays, take
from companion.games.pig_family.options import AnyOptions
from companion.games.pig_family.rack_texts import RackItem, laid_back, laid_out, retired
from companion.games.pig_family.state import PigState, deck, seats_in
from companion.games.rules.guide import Guide, GuideStep


def guide(state: PigState, dealer: int | None, ware: RackItem | None, was: PigState | None = None) -> Guide:
    """Return what to do before the next deal and during it; *dealer* None: only the players know (SPN-6).

    *was* is the state for which the cards lie on the table, if it was not this one's.
    """
    now, options = deck(len(seats_in(state)), len(state.players), state.options), state.options
    who = text("Whoever took the first one") if dealer is None else state.players[dealer - 1]
    spoons = len(seats_in(state)) - 1
    back = tuple(seat for seat in was.out if seat not in state.out) if was is not None else ()
    gone = tuple(seat for seat in state.out if seat not in was.out) if was is not None else ()
    before = [_returning(state, back, gone, now)] if back else []
    before += first(now) if not state.deals else ()
    if state.left and not back:
        before.append(_leaving(state, now))
    if ware is not None and not state.deals:
        before.append(GuideStep(laid_out(ware, spoons), text("lay")))
    elif ware is not None and state.left and not back:
        before.append(GuideStep(retired(ware, spoons, len(state.left)), text("take")))
    elif ware is not None:
        before.append(GuideStep(laid_back(ware, spoons), text("lay")))
    return Guide(
        before=(*before, GuideStep(dealing(who, options.hand_size), text("deal"))),
        then=(_passing(now.stock, who), _race(options, ware)),
        ready=ready(options.hand_size),
        now=text("Pass to the left."),
        proof=_while_passing(options, ware),
    )


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


def _leaving(state: PigState, now: Deck) -> GuideStep:
    """Return what the players who left take with them (PIG-8)."""
    gone = listing([state.players[seat - 1] for seat in state.left])
    if state.options.stock:
        says = texts(
            "{players} is out. The deck stays.",
            "{players} are out. The deck stays.",
            n=len(state.left),
            players=gone,
        )
        return GuideStep(says, text("take"))
    before = deck(len(seats_in(state)) + len(state.left), len(state.players), state.options)
    cards = taken_out(before, now)
    stay = text("{n} cards stay: {deck}", n=now.cards, deck=stays(now))
    return GuideStep(_out(gone, cards, len(state.left)), text("take"), cards, stay)


def _returning(state: PigState, back: tuple[int, ...], gone: tuple[int, ...], now: Deck) -> GuideStep:
    """Return who plays again after a correction, who is out by it, and which cards that takes."""
    names = listing([state.players[seat - 1] for seat in back])
    if state.options.stock:
        says = texts(
            "{players} plays again. The deck stays.",
            "{players} play again. The deck stays.",
            n=len(back),
            players=names,
        )
    else:
        says = texts(
            "{players} plays again: put the deck together anew.",
            "{players} play again: put the deck together anew.",
            n=len(back),
            players=names,
        )
    if gone:
        others = listing([state.players[seat - 1] for seat in gone])
        out = texts("{players} is out.", "{players} are out.", n=len(gone), players=others)
        says = text("{comes} {goes}", comes=out, goes=says)
    more = take(now) if state.deals and not state.options.stock else None
    return GuideStep(says, text("take"), more=more)


def _out(gone: str | Text, cards: tuple[Card, ...], n: int) -> Text:
    """Return that somebody is out and which cards go: by name when they are all of one rank."""
    ranks = {card.rank for card in cards}
    if len(ranks) == 1 and len(cards) > 2:
        return texts(
            "{players} is out: take the {ranks} away.",
            "{players} are out: take the {ranks} away.",
            n=n,
            players=gone,
            ranks=plural(cards[0].rank),
        )
    return texts(
        "{players} is out: take these away.", "{players} are out: take these away.", n=n, players=gone
    )


def dealing(dealer: str | Text, each: int) -> Text:
    """Return who deals and how many to each."""
    return {
        3: text("{dealer} deals, three to each.", dealer=dealer),
        4: text("{dealer} deals, four to each.", dealer=dealer),
        5: text("{dealer} deals, five to each.", dealer=dealer),
    }[each]


def ready(each: int) -> Text:
    """Return what to press once everybody has their cards."""
    return {
        3: text("Everybody has three: play"),
        4: text("Everybody has four: play"),
        5: text("Everybody has five: play"),
    }[each]


def _passing(stock: int, dealer: str | Text) -> GuideStep:
    if stock:
        return GuideStep(
            text("{dealer} draws from the stock, and passes on to the left.", dealer=dealer), text("pass")
        )
    return GuideStep(text("Pass one card to the left, all together."), text("pass"))


def _race(options: AnyOptions, ware: RackItem | None) -> GuideStep:
    if ware is None:
        if options.hand_size == 3:
            return GuideStep(text("Three of a kind? Touch your nose."), text("touch"))
        return GuideStep(text("Four of a kind? Touch your nose."), text("touch"))
    if options.hand_size == 3:
        return GuideStep(text("Three of a kind? Take {one}.", one=ware.one), text("take"))
    return GuideStep(text("Four of a kind? Take {one}.", one=ware.one), text("take"))


def _while_passing(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    """Return the lines under the sentence: how to pass, and what ends it."""
    how = (
        text("The dealer draws, the others take what comes.")
        if options.stock
        else text("One card, all together.")
    )
    what = text("Three of a kind?") if options.hand_size == 3 else text("Four of a kind?")
    if ware is None:
        touch = text("Touch your nose, quietly. Then everybody may, and somebody will be last.")
        return (how, what, touch)
    return (how, what, _reach(options, ware))


def _reach(options: AnyOptions, ware: RackItem) -> Text:
    """Return what to do with a piece of the rack (SPN-6)."""
    match options.confirm:
        case "confirm":
            return text("Take {one}, then touch your nose. Then everybody may: one too few.", one=ware.one)
        case "dock":
            return text("Take {one} to your dock. Then everybody may: one too few.", one=ware.one)
        case _:
            return text("Take {one}. Then everybody may: one too few.", one=ware.one)
