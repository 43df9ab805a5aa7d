"""What the family says: deck advice, who may talk, what a button will do, why somebody has won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.pieces.cards import RANKS, SUITS, Card, plural, row, shown
from lastnose.companion.games.pieces.deck import Deck, taken_out
from lastnose.companion.games.pig_family.deck_texts import (
    RackItem,
    away,
    kind,
    laid_back,
    laid_out,
    retired,
    start,
    stays,
    stock,
    take,
    without,
)
from lastnose.companion.games.pig_family.options import AnyOptions, RackOptions
from lastnose.companion.games.pig_family.rules import one_deal_decides, winners
from lastnose.companion.games.pig_family.state import PigState, before_in, deck, seats_in
from lastnose.companion.games.rules.game import Advice, Guide, GuideStep
from lastnose.companion.games.rules.prompts import ChooseSeat, Prompt, Rack, WatchNoses

# ---- the family's steps from one verdict to the next: cards, deal, passing, the race (PIG-2 to PIG-5, PIG-8)


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
            "{players} plays again: put the deck back together.",
            "{players} play again: put the deck back together.",
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
    return text("{dealer} deals {n} cards each.", dealer=dealer, n=each)


def ready(each: int) -> Text:
    """Return what to press once everybody has their cards."""
    return text("Everybody has {n}: play", n=each)


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
        touch = text(
            "Touch your nose, quietly. Then everybody else does the same, and somebody will be last."
        )
        return (how, what, touch)
    return (how, what, _reach(options, ware))


def _reach(options: AnyOptions, ware: RackItem) -> Text:
    """Return what to do with a piece of the rack (SPN-6)."""
    match options.confirm:
        case "confirm":
            return text(
                "Take {one}, then touch your nose. Then everybody else may: there is one too few.",
                one=ware.one,
            )
        case "dock":
            return text(
                "Take {one} to your dock. Then everybody else may: there is one too few.", one=ware.one
            )
        case _:
            return text("Take {one}. Then everybody else may: there is one too few.", one=ware.one)


# ---- what the table is told, and asked


def _players(state: PigState, seats: Sequence[int]) -> str | Text:
    return listing([state.players[seat - 1] for seat in seats])


def why(state: PigState, won: tuple[int, ...]) -> Text:
    """Return why the game has ended for the winners *won*."""
    if state.opened is not None:
        return text("{player} opened the one deal that decides, and wins.", player=_players(state, won))
    return texts(
        "{players} is the only one left, and wins.",
        "{players} are left, and both win.",
        n=len(won),
        players=_players(state, won),
    )


def asks(state: PigState, role: Text, ware: RackItem | None) -> tuple[Prompt, ...]:
    """Return what to watch, and what the table may say while the game goes on.

    When the rack is empty and nobody knows who has nothing, only that is asked (SPN-6).
    """
    still_in, options = seats_in(state), state.options
    if state.waiting and ware is not None:
        explain = (
            text("The rack is empty, and only the table knows.")
            if options.confirm == "rack-only"
            else text("What was taken and touched leaves it open: only the table knows.")
        )
        goes_on = text("The game goes on once you have said it.")
        return (ChooseSeat("no-spoon", ware.who_has_none, explain, still_in, prompt=goes_on),)
    watch = WatchNoses(seats=still_in, hold=options.hold, rack=_rack(state))
    opener = ChooseSeat(
        move="false-opener",
        label=text("Touched too early") if ware is None else text("Took too early"),
        explain=_false_opener(options, ware),
        seats=still_in,
        instead=True,
    )
    if not (options.no_talking and state.out):
        return watch, opener
    return (
        watch,
        ChooseSeat("talked", text("Talked to {role}", role=role), _talked(options, role), still_in),
        opener,
    )


def _rack(state: PigState) -> Rack | None:
    """Return the rack for who is still in: a spoon less than players, in the first cradles (SPN-1, SPN-4)."""
    options = state.options
    if not isinstance(options, RackOptions):
        return None
    return Rack(tuple(range(1, len(seats_in(state)))), options.confirm, options.feint_ms)


def _talked(options: AnyOptions, role: Text) -> Text:
    if options.stock:
        return text(
            "Whoever talked becomes {role} at once; a round in progress does not count, with a hand gone.",
            role=role,
        )
    return text(
        "Whoever talked becomes {role} at once; a round in progress does not count: the deck changes.",
        role=role,
    )


def _false_opener(options: AnyOptions, ware: RackItem | None) -> Text:
    if ware is not None:
        return text(
            "Whoever began without {kind} counts as last; whoever was last does not.", kind=kind(options)
        )
    if options.sudden_death:
        return text(
            "Whoever touched the nose without {kind} is out; whoever was last is not.",
            kind=kind(options),
        )
    return text(
        "Whoever touched the nose without {kind} gets the letter; whoever was last does not.",
        kind=kind(options),
    )


def notes(state: PigState) -> tuple[Text, ...]:
    """Return what the rules say about this moment."""
    said = []
    if state.options.no_talking and state.out:
        said.append(
            texts(
                "{players} may talk. Do not answer.",
                "{players} may talk. Do not answer.",
                n=len(state.out),
                players=_players(state, state.out),
            )
        )
    if one_deal_decides(state):
        said.append(text("Two are left: one deal decides, and its opener wins."))
    if state.options.hold:
        said.append(text("Stay on your nose: let go, and only the next touch counts."))
    return tuple(said)


def advice(state: PigState, ware: RackItem | None) -> Advice:
    """Return what to do with the deck before the next deal; nothing but the figures when there is none."""
    seated, options = len(state.players), state.options
    still_in = seats_in(state)
    now = deck(len(still_in), seated, options)
    over = bool(winners(state))
    before = deck(len(still_in) + len(state.left), seated, options)
    return Advice(
        sentences=() if over else _advice(state, before, now, ware),
        packs=now.packs,
        ranks=now.ranks,
        cards=now.cards,
        each=now.each,
        dealer=None if over or _only_the_table_knows(state) else state.dealer,
        remove=() if over or options.stock else taken_out(before, now),
        title=None if over else _title(state, before, now),
    )


def _title(state: PigState, before: Deck, now: Deck) -> Text | None:
    """Return what to do with the deck in the fewest words, None when only the dealer is to be named."""
    if not state.deals:
        return texts("Take {n} card.", "Take {n} cards.", n=now.cards)
    gone = not state.options.stock and taken_out(before, now)
    if gone:
        return away(before, now)
    dealer = state.players[state.dealer - 1]
    return None if _only_the_table_knows(state) else text("{dealer} deals.", dealer=dealer)


def _advice(state: PigState, before: Deck, now: Deck, ware: RackItem | None) -> tuple[Text, ...]:
    options, dealer = state.options, state.players[state.dealer - 1]
    said = start(now, options) if not state.deals else ()
    spoons = len(seats_in(state)) - 1
    if ware is not None and not state.deals:
        said += (laid_out(ware, spoons),)
    if state.left:
        gone = _players(state, state.left)
        said += (texts("{players} is out.", "{players} are out.", n=len(state.left), players=gone),)
        said += (without(before, now) if not options.stock else text("The deck stays as it is."),)
        if ware is not None:
            said += (retired(ware, spoons, len(state.left)),)
    if not options.stock:
        return (*said, text("{dealer} deals.", dealer=dealer))
    if _only_the_table_knows(state):
        opener, beside = text("Whoever took the first one"), text("the player on the dealer’s right")
        return (*said, *stock(now, opener, beside))
    right = state.players[before_in(state, state.dealer) - 1]
    return (*said, *stock(now, dealer, right))


def _only_the_table_knows(state: PigState) -> bool:
    """Return whether the opener deals, and nobody but the players saw who that was (PIG-11, SPN-6)."""
    return state.options.stock and state.options.confirm == "rack-only" and state.deals > 0


def dealt(players: int, options: AnyOptions, ware: RackItem | None) -> dict[str, Any]:
    """Return what to deal to *players* without names, seat 1 the dealer (PIG-1, 3, 4, 14; SPN-1)."""
    now = deck(players, players, options)
    dealer, right = text("Seat {seat}", seat=1), text("seat {seat}", seat=players)
    last = stock(now, dealer, right) if options.stock else (text("{dealer} deals.", dealer=dealer),)
    return {
        "spoons": None if ware is None else players - 1,
        "dealer": 1,
        "stock": now.stock,
        "odd": [str(card) for card in now.odd],
        "sentences": [*start(now, options), *((laid_out(ware, players - 1),) if ware else ()), *last],
    }
