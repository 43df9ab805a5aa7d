"""What happens in a hand beside its scores: who deals first, who buys, an exact cut (SGR-9 to SGR-11)."""

from __future__ import annotations

import msgspec

from companion.core.errors import IllegalMove
from companion.core.text import Text, text, texts
from companion.games.rules.prompts import TokenCount, Tokens
from companion.games.sheet_game import HandMark, SheetState
from companion.games.swedish_gin.checks import EACH, TOKENS
from companion.games.swedish_gin.contracts import CONTRACTS

EXACT_CUT = -100


class DealsFirst(msgspec.Struct, frozen=True, tag="deals-first", tag_field="type"):
    """The player of `seat` deals the first hand."""

    seat: int


class Bought(msgspec.Struct, frozen=True, tag="bought", tag_field="type"):
    """The player of `seat` paid a token in `hand` (SGR-9)."""

    hand: int
    seat: int


class ExactCut(msgspec.Struct, frozen=True, tag="exact-cut", tag_field="type"):
    """The dealer of `hand` lifted exactly the right number of cards (SGR-10)."""

    hand: int


def check_seat(state: SheetState, seat: int) -> None:
    """Raise IllegalMove when nobody sits in *seat*."""
    if seat not in state.seats:
        raise IllegalMove("SGR-1", text("There is no seat {seat} in this game.", seat=seat))


def dealt_first(state: SheetState, move: DealsFirst) -> SheetState:
    """Return *state* with its first dealer named; raise IllegalMove once something is written (SGR-11)."""
    check_seat(state, move.seat)
    if state.begun:
        raise IllegalMove("SGR-11", text("The sheet has been begun: who deals first is settled."))
    return msgspec.structs.replace(state, first=move.seat)


def bought(state: SheetState, move: Bought, hand: int) -> HandMark:
    """Return the mark of a buy in *hand*, the one that is played; raise IllegalMove (SGR-9)."""
    check_seat(state, move.seat)
    _check_hand("SGR-9", move.hand, hand)
    if state.marked("bought", hand, move.seat) == TOKENS:
        raise IllegalMove("SGR-9", text("{player} has no token left.", player=state.player(move.seat)))
    if state.cell(hand, move.seat) is not None:
        raise IllegalMove(
            "SGR-9",
            text("{player} has a score in this hand: buying is over.", player=state.player(move.seat)),
        )
    return HandMark("bought", hand, move.seat)


def cut(state: SheetState, move: ExactCut, hand: int) -> HandMark:
    """Return the mark of an exact cut in *hand*, the one that is played; raise IllegalMove (SGR-10)."""
    if not state.options.exact_cut:
        raise IllegalMove("SGR-10", text("At this table an exact cut earns nothing."))
    _check_hand("SGR-10", move.hand, hand)
    if had := state.marks_of("exact-cut", hand):
        player = state.player(had[0].seat)
        raise IllegalMove("SGR-10", text("{player} has had the 100 points.", player=player))
    return lifted(state, hand)


def lifted(state: SheetState, hand: int) -> HandMark:
    """Return the mark of an exact cut by who dealt *hand*: theirs, wherever they sit later (SGR-10)."""
    if not state.dealer(hand):
        raise IllegalMove("SGR-10", text("Who dealt hand {hand} does not sit here any more.", hand=hand))
    return HandMark("exact-cut", hand, state.dealer(hand))


def cuts(state: SheetState, seat: int) -> tuple[int, ...]:
    """Return the hands in which *seat* dealt with an exact cut."""
    return tuple(mark.hand for mark in state.marks if (mark.what, mark.seat) == ("exact-cut", seat))


def _check_hand(rule: str, wanted: int, hand: int) -> None:
    if wanted != hand:
        raise IllegalMove(rule, text("Hand {hand} is being played.", hand=hand))


def tokens(state: SheetState, hand: int) -> Tokens | None:
    """Return the tokens of *hand* to be drawn and spent, None when none can be."""
    purses = tuple(_purse(state, hand, seat) for seat in state.seats)
    if not any(purse.open for purse in purses):
        return None
    explain = text("A token buys the top discard with the top of the stock: two cards more.")
    return Tokens("bought", text("Buying"), _with_least(explain, hand), hand, purses)


def _with_least(explain: Text, hand: int) -> Text:
    least = CONTRACTS[hand].buys
    if not least:
        return explain
    needed = texts("This contract takes at least {n} buy.", "This contract takes at least {n} buys.", n=least)
    return text("{first} {next}", first=explain, next=needed)


def _purse(state: SheetState, hand: int, seat: int) -> TokenCount:
    buys = state.marked("bought", hand, seat)
    left = TOKENS - buys
    holds = texts("{n} card", "{n} cards", n=EACH + 2 * buys)
    return TokenCount(seat, left, TOKENS, holds, left > 0 and state.cell(hand, seat) is None)


def cell_notes(state: SheetState, hand: int, seat: int) -> tuple[Text, ...]:
    """Return how often *seat* bought in *hand*, and an exact cut."""
    buys = state.marked("bought", hand, seat)
    notes = [texts("{n} buy", "{n} buys", n=buys)] if buys else []
    if hand in cuts(state, seat):
        notes.append(text("exact cut"))
    return tuple(notes)


def doubts(state: SheetState, hand: int) -> tuple[Text, ...]:
    """Return what the buys written down do not explain: somebody may have forgotten to tap (SGR-2, SGR-9)."""
    said = []
    for seat, cell in state.played(hand):
        if seat not in state.seats:
            continue  # what they bought went with them
        player, buys = state.player(seat), state.marked("bought", hand, seat)
        if cell.points == 0 and buys < CONTRACTS[hand].buys:
            said.append(
                text("{player} closed with fewer buys written down than the contract needs.", player=player)
            )
        elif len(cell.pieces or ()) > EACH + 2 * buys:
            held = len(cell.pieces or ())
            said.append(
                text("{player} holds {n} cards with too few buys written down.", player=player, n=held)
            )
    return tuple(said)


def describe(before: SheetState, move: object) -> Text | None:
    """Return what history says of *move*."""
    match move:
        case DealsFirst(seat):
            return text("{player} deals first", player=before.player(seat))
        case Bought(hand, seat):
            return text("Hand {hand}, {player} buys", hand=hand, player=before.player(seat))
        case ExactCut(hand):
            dealer = before.player(before.dealer(hand))
            return text("Exact cut by {player}: 100 points less", player=dealer)
    return None
