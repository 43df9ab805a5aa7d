"""What the family says: deck advice, who may talk, what a button will do, why somebody has won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.text import Text, listing, text, texts
from companion.games.pieces.deck import Deck, taken_out
from companion.games.pig_family.deck_texts import away, kind, start, stock, without
from companion.games.pig_family.options import AnyOptions, RackOptions
from companion.games.pig_family.rack_texts import RackItem, laid_out, retired
from companion.games.pig_family.rules import one_deal_decides, winners
from companion.games.pig_family.state import PigState, before_in, deck, seats_in
from companion.games.rules.game import Advice
from companion.games.rules.prompts import ChooseSeat, Prompt, Rack, WatchNoses


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


def deal(players: int, options: AnyOptions, ware: RackItem | None) -> dict[str, Any]:
    """Return the deck advice for *players* without names, seat 1 to deal (PIG-1, 3, 4, 14; SPN-1)."""
    now = deck(players, players, options)
    dealer, right = text("Seat {seat}", seat=1), text("seat {seat}", seat=players)
    last = stock(now, dealer, right) if options.stock else (text("{dealer} deals.", dealer=dealer),)
    return {
        "packs": now.packs,
        "ranks": list(now.ranks),
        "cards": now.cards,
        "each": now.each,
        "spoons": None if ware is None else players - 1,
        "dealer": 1,
        "stock": now.stock,
        "odd": [str(card) for card in now.odd],
        "sentences": [*start(now, options), *((laid_out(ware, players - 1),) if ware else ()), *last],
    }
