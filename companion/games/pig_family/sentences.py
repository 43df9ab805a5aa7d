"""What the family says: deck advice, who may talk, why somebody has won, and the rules to read aloud."""

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
from lastnose.companion.games.pig_family.options import (
    AT_ONCE,
    BOTH_WIN,
    CONFIRMED,
    CROSSES,
    DEAD_HEAT,
    LET_GO,
    ONE_DEAL,
    AnyOptions,
    RackOptions,
    not_talking,
)
from lastnose.companion.games.pig_family.rules import one_deal_decides, winners
from lastnose.companion.games.pig_family.state import PigState, deck, seats_in
from lastnose.companion.games.rules.checks import letters_of
from lastnose.companion.games.rules.game import A_NOSE, Advice, Guide, GuideStep, Section, round_table
from lastnose.companion.games.rules.prompts import ChooseSeat, Prompt, Rack, WatchNoses

# ---- the family's steps from one verdict to the next: cards, deal, passing, the race (PIG-2 to PIG-5, PIG-8)


def guide(state: PigState, ware: RackItem | None, was: PigState | None = None) -> Guide:
    """Return what to do before the next deal and during it.

    *was* is the state for which the cards lie on the table, if it was not this one's.
    """
    now, options = deck(len(seats_in(state)), len(state.players), state.options), state.options
    who, beside = _dealer_and_right(state)
    passing = draws(who, beside) if now.stock else text("Pass one card to the left, all together.")
    opener, *then = race(options, ware)
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
        proof=(passing, opener, *then[:2]),
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
    still_in = seats_in(state)
    right = max((seat for seat in still_in if seat < state.dealer), default=max(still_in))
    return state.players[state.dealer - 1], state.players[right - 1]


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


# ---- the rules to read aloud, as a table with these options plays them


def sections(options: AnyOptions, word: str, role: Text, ware: RackItem | None) -> tuple[Section, ...]:
    """Return the help of a game whose loser is *role*; with *ware* one reaches for a rack."""
    return (
        Section(text("Aim"), (*_what_is_touched(options, ware), aim(kind(options)))),
        Section(text("Passing cards"), _passing(options), None if options.stock else _ROUND),
        Section(text("The race"), (*race(options, ware), *_feints(options))),
        Section(text("If you’re last"), _penalty(options, role, ware)),
        Section(text("The end"), _end(options)),
        Section(text("At this table"), _house(options, role)),
        Section(text("Tips"), _tips(options, ware)),
    )


FROM_ABOVE = text("The table from above: cards go to the left neighbour, clockwise.")
_ROUND = round_table(FROM_ABOVE, at_once=True)


def _what_is_touched(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    """Return what a nose is, where any is touched; a spoon may count on its dock, or as it is taken."""
    return (A_NOSE,) if ware is None or options.confirm == "confirm" else ()


def aim(alike: Text) -> Text:
    """Return what everybody wants: cards that are *alike*."""
    return text("Collect {kind}, and never be last.", kind=alike)


def _passing(options: AnyOptions) -> tuple[Text, ...]:
    no_turns = text(
        "There are no turns: as fast as you like, one card at a time. Never hold more than {n} cards: "
        "first put one down, then pick one up.",
        n=options.hand_size,
    )
    if options.stock:
        return (
            text(
                "Everybody gets {n} cards of whole packs. The rest is the stock, on the dealer’s right; it "
                "stays when somebody drops out.",
                n=options.hand_size,
            ),
            text(
                "The dealer draws from the stock and passes cards on to the left, face down. Whoever sits on "
                "the dealer’s right discards; the discards are the next stock."
            ),
            no_turns,
            text("Whoever took the first one deals the next; only you know who.")
            if options.confirm == "rack-only"
            else text("Whoever opened a round deals the next."),
        )
    return (
        deck_of(_each(options)),
        text(
            "All at once: put a card you do not want to your left, face down; pick up from the player on "
            "your right."
        ),
        no_turns,
        text("The deal passes to the left after every round."),
    )


def _each(options: AnyOptions) -> Text:
    """Return what the deck has for each player (PIG-3, PIG-14)."""
    return text("five cards") if options.hand_size == 5 else kind(options)


def deck_of(alike: Text) -> Text:
    """Return which cards are in play where everybody's hand could be *alike*."""
    return text("The deck has {kind} for each player; the table says which.", kind=alike)


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


def _feints(options: AnyOptions) -> tuple[Text, ...]:
    if not isinstance(options, RackOptions):
        return ()
    return (
        text(
            "What is back in its cradle within {ms} ms, with nothing else touched, was only a feint. "
            "Where nobody can tell, ten seconds after the last touch the table is asked.",
            ms=options.feint_ms,
        ),
    )


def _penalty(options: AnyOptions, role: Text, ware: RackItem | None) -> tuple[Text, ...]:
    things = [*(() if options.stock else (_each(options),)), *(() if ware is None else (ware.one,))]
    leave = (_taken_away(things),) if things else ()
    if options.sudden_death:
        return (AT_ONCE, *leave)
    if isinstance(options, RackOptions) and options.losses == "three":
        return (CROSSES, *leave)
    return (
        texts(
            "Whoever is last gets the letter {word}, and is out: {role}.",
            "Whoever is last gets the next letter of {word}. With all {n} you are out: {role}.",
            n=len(letters_of(options.word)),
            word=options.word,
            role=role,
        ),
        *leave,
    )


def _taken_away(things: list[Text]) -> Text:
    return text(
        "Each time a player drops out, take {things} away (the table says which).", things=listing(things)
    )


def _end(options: AnyOptions) -> tuple[Text, ...]:
    return (BOTH_WIN if options.winners == 2 else ONE_DEAL,)


def _house(options: AnyOptions, role: Text) -> tuple[Text, ...]:
    said = [LET_GO] if options.hold else []
    if options.no_talking:
        said.append(not_talking(role))
    return (*said, DEAD_HEAT[options.dead_heat], *APPEALS)


APPEALS = (
    text(
        "Not agreed? Until the next deal the host may protest: tap the ±, and the round is judged again. "
        "Where evidence comes too late and says otherwise, the verdict is withdrawn: deal again."
    ),
    text("Whoever began too early: the table may count them last, or not count the round."),
)


def _tips(options: AnyOptions, ware: RackItem | None) -> tuple[Text, ...]:
    watch = (
        text("Look up from your cards. Most people who are last were studying them.")
        if ware is None
        else text("One eye on your cards, one on the middle. A hand that moves slowly is already too late.")
    )
    pairs = text("Keep pairs together. A card that comes back to you is one your neighbour does not want.")
    if not options.stock:
        return (watch, pairs)
    return (watch, pairs, text("With a stock the dealer never has to wait: a small lead, gladly taken."))
