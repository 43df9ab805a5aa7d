"""What the family says: deck advice, who may talk, what a button will do, why somebody has won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.pieces.cards import RANKS, SUITS, Card, row, shown
from lastnose.companion.games.pieces.deck import Deck, taken_out
from lastnose.companion.games.pig_family.deck_texts import (
    RackItem,
    away,
    draws,
    kind,
    laid_out,
    retired,
    start,
    stock,
    take,
    without,
)
from lastnose.companion.games.pig_family.help import counting, followed, opened
from lastnose.companion.games.pig_family.options import LET_GO, ONE_DEAL, AnyOptions, RackOptions
from lastnose.companion.games.pig_family.rules import one_deal_decides, winners
from lastnose.companion.games.pig_family.state import PigState, before_in, deck, seats_in
from lastnose.companion.games.rules.game import Advice, Guide, GuideStep
from lastnose.companion.games.rules.prompts import ChooseSeat, Prompt, Rack, WatchNoses

# ---- the family's steps from one verdict to the next: cards, deal, passing, the race (PIG-2 to PIG-5, PIG-8)


def guide(state: PigState, ware: RackItem | None, was: PigState | None = None) -> Guide:
    """Return what to do before the next deal and during it.

    *was* is the state for which the cards lie on the table, if it was not this one's.
    """
    now, options = deck(len(seats_in(state)), len(state.players), state.options), state.options
    who, beside = _dealer_and_right(state)
    passing = draws(who, beside) if now.stock else text("Pass one card to the left, all together.")
    opener = opened(options, ware)
    spoons = len(seats_in(state)) - 1
    back = tuple(seat for seat in was.out if seat not in state.out) if was is not None else ()
    gone = tuple(seat for seat in state.out if seat not in was.out) if was is not None else ()
    before = [_returning(state, back, gone, now)] if back else []
    before += first(now) if not state.deals else ()
    if state.left and not back:
        before.append(_leaving(state, now))
    if ware is not None and state.deals and state.left and not back:
        before.append(GuideStep(retired(ware, spoons, len(state.left)), text("take")))
    elif ware is not None:
        before.append(GuideStep(laid_out(ware, spoons), text("lay")))
    return Guide(
        before=(*before, GuideStep(dealing(who, options.hand_size), text("deal"))),
        then=(GuideStep(passing, text("Passing cards")), GuideStep(opener, text("The race"))),
        ready=ready(options.hand_size),
        now=text("Pass to the left."),
        proof=(passing, opener, followed(ware), *counting(options)[:1]),
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
    out = _out(state, state.left)
    if state.options.stock:
        return GuideStep(out, text("take"), more=_the_deck_stays())
    before = deck(len(seats_in(state)) + len(state.left), len(state.players), state.options)
    return GuideStep(out, text("take"), taken_out(before, now), without(before, now))


def _returning(state: PigState, back: tuple[int, ...], gone: tuple[int, ...], now: Deck) -> GuideStep:
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
        explain, goes_on = (
            text("Only you at the table know."),
            text("The game goes on once you have said it."),
        )
        return (ChooseSeat("no-spoon", ware.who_has_none, explain, still_in, prompt=goes_on),)
    watch = WatchNoses(seats=still_in, hold=options.hold, rack=_rack(state))
    early = began_early(still_in, kind(options))
    if not (options.no_talking and state.out):
        return watch, early
    explain = text("Whoever talked becomes {role} at once; a round in progress does not count.", role=role)
    return watch, ChooseSeat("talked", text("Talked to {role}", role=role), explain, still_in), early


def began_early(seats: tuple[int, ...], alike: Text) -> ChooseSeat:
    """Return the question who of *seats* began without having cards that are *alike* (PIG-15)."""
    explain = text("Whoever began without {kind} counts as last; whoever was last does not.", kind=alike)
    return ChooseSeat("false-opener", text("Began too early"), explain, seats, instead=True)


def _rack(state: PigState) -> Rack | None:
    """Return the rack for who is still in: a spoon less than players, in the first cradles (SPN-1, SPN-4)."""
    options = state.options
    if not isinstance(options, RackOptions):
        return None
    return Rack(tuple(range(1, len(seats_in(state)))), options.confirm, options.feint_ms)


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
        said.append(ONE_DEAL)
    if state.options.hold:
        said.append(LET_GO)
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
    if not state.deals or _only_the_table_knows(state):
        return None
    if not state.options.stock and taken_out(before, now):
        return away(before, now)
    return dealing(state.players[state.dealer - 1], now.each)


def _advice(state: PigState, before: Deck, now: Deck, ware: RackItem | None) -> tuple[Text, ...]:
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
    who, beside = _dealer_and_right(state)
    return (*said, *(stock(now, who, beside) if options.stock else (dealing(who, now.each),)))


def _dealer_and_right(state: PigState) -> tuple[str | Text, str | Text]:
    """Return who deals and who sits on the right of that, by name where the table knows (PIG-11)."""
    if _only_the_table_knows(state):
        return text("Whoever took the first one"), text("the player on the dealer’s right")
    return state.players[state.dealer - 1], state.players[before_in(state, state.dealer) - 1]


def _only_the_table_knows(state: PigState) -> bool:
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
