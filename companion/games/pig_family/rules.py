"""Where a game of the family stands, and what a verdict or a move changes of that. Seats count from 1."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import english, text
from lastnose.companion.games.pieces.deck import Deck, packs_for, sets_for
from lastnose.companion.games.pig_family.options import AnyOptions
from lastnose.companion.games.rules.carried import SOMEBODY_STAYS, Circle, passed_on, staying
from lastnose.companion.games.rules.checks import CHANGED


class Talked(msgspec.Struct, frozen=True, tag="talked", tag_field="type"):
    """The player of `seat` talked to somebody who is out (PIG-12)."""

    seat: int


class FalseOpener(msgspec.Struct, frozen=True, tag="false-opener", tag_field="type"):
    """The player of `seat` touched the nose without the cards for it (PIG-15)."""

    seat: int


class NoSpoon(msgspec.Struct, frozen=True, tag="no-spoon", tag_field="type"):
    """The rack is empty, and the player of `seat` has nothing of it (SPN-6)."""

    seat: int


Move = Verdict | Talked | FalseOpener | NoSpoon


class PigState(msgspec.Struct, frozen=True, gc=False):
    """The game between two deals.

    `letters[i]` is how many letters seat i + 1 has; `out` the seats that have left, in that order; `left`
    those that left with the last move. `dealer` deals next. `deals` counts the deals that counted. `opened`
    is the seat that opened the one deal that decides (PIG-10), None before. `waiting`: the rack is empty, and
    the table is to say who was last (SPN-6); `answer`: whom it named for the last round. `lost`: who was last
    in the newest deal that counted (PIG-13).
    """

    players: tuple[str, ...]
    options: AnyOptions
    letters: tuple[int, ...]
    out: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    dealer: int = 1
    deals: int = 0
    opened: int | None = None
    waiting: bool = False
    answer: int | None = None
    lost: tuple[int, ...] = ()


def seats_in(state: PigState) -> tuple[int, ...]:
    """Return the seats still in, in the order of the table."""
    return tuple(seat for seat in range(1, len(state.players) + 1) if seat not in state.out)


def next_in(state: PigState, seat: int) -> int:
    """Return the first seat still in to the left of *seat*."""
    still_in = seats_in(state)
    return min((other for other in still_in if other > seat), default=min(still_in))


def deck(players: int, seated: int, options: AnyOptions) -> Deck:
    """Return the deck for *players* still in of *seated* who began; with a stock it stays (PIG-8)."""
    if not options.stock:
        return sets_for(players, options.hand_size)
    first = packs_for(seated, options.hand_size)
    return msgspec.structs.replace(first, stock=first.cards - players * options.hand_size)


# ---- what a verdict or a move changes, who is out, who has won


def winners(state: PigState) -> tuple[int, ...]:
    """Return who has won, nobody while the game goes on (PIG-9, PIG-10)."""
    still_in = seats_in(state)
    if len(still_in) <= state.options.winners:
        return still_in
    return () if state.opened is None else (state.opened,)


def judged(state: PigState, verdict: Verdict) -> PigState:
    """Return the state after a judged round.

    A void round changes nothing, and neither does a dead heat that is played again: always when one deal
    decides (PIG-10), and when sharing it would leave nobody at all. Where the table says that nobody was last
    nobody pays, and the next deals.
    """
    if verdict.void is not None:
        return state
    check_going_on(state)
    state = msgspec.structs.replace(state, waiting=False, answer=None)
    happened = verdict.lifts or verdict.feints or verdict.phantoms
    only_the_table_knows = state.options.confirm == "rack-only" or (state.options.confirm and happened)
    if only_the_table_knows and not verdict.last:  # SPN-6
        return msgspec.structs.replace(state, waiting=True, left=())
    _check_in(state, "PIG-5", (*verdict.last, *verdict.order))
    opener = verdict.opener if state.options.stock else None  # of nobody else it is asked
    if not verdict.last:
        return _dealt(msgspec.structs.replace(state, left=(), lost=()), opener)
    deciding = one_deal_decides(state)
    if len(verdict.last) > 1 and (deciding or state.options.dead_heat == "replay"):
        return state
    if deciding:
        return _decided(state, verdict.last[0])
    after = _penalised(state, verdict.last)
    if not seats_in(after):
        return state
    return _dealt(after, opener)


def no_spoon(state: PigState, seat: int) -> PigState:
    """Return the state after the table said who went without when the rack was empty (SPN-6)."""
    check_going_on(state)
    if not state.waiting:
        raise IllegalMove("SPN-6", CHANGED)
    _check_in(state, "SPN-6", (seat,))
    return msgspec.structs.replace(judged(state, Verdict(last=(seat,))), answer=seat)


def one_deal_decides(state: PigState) -> bool:
    """Tell whether the next deal makes its opener the only winner (PIG-10)."""
    return state.options.winners == 1 and len(seats_in(state)) == 2


def _decided(state: PigState, last: int) -> PigState:
    """Return the end: of two, who was not last opened (PIG-10). No letter: it decides whatever they have."""
    opener = next_in(state, last)
    out = (last,) if state.options.sudden_death else ()
    ended = msgspec.structs.replace(state, out=state.out + out, left=out, opened=opener, lost=(last,))
    return _dealt(ended, opener)


def talked(state: PigState, seat: int) -> PigState:
    """Return the state after *seat* talked to a player who is out (PIG-12). The deal does not count."""
    if not state.options.no_talking:
        raise IllegalMove("PIG-12", english("At this table everybody may talk to a player who is out."))
    check_going_on(state)
    _check_in(state, "PIG-12", (seat,))
    if not state.out:
        raise IllegalMove("PIG-12", CHANGED)
    after = msgspec.structs.replace(state, out=(*state.out, seat), left=(seat,))
    return msgspec.structs.replace(after, dealer=_still_dealing(after, state.dealer))


def false_opener(state: PigState, seat: int) -> PigState:
    """Return the state after *seat* touched the nose too early and gets the letter (PIG-15)."""
    check_going_on(state)
    _check_in(state, "PIG-15", (seat,))
    state = msgspec.structs.replace(state, waiting=False, answer=None)
    return _dealt(_penalised(state, (seat,)), None)


def _penalised(state: PigState, seats: Collection[int]) -> PigState:
    """Return the state in which *seats* have got a letter, or are out at once (PIG-6, PIG-7)."""
    letters, left = state.letters, tuple(seats)
    if not state.options.sudden_death:
        whole = len(state.options.marks)
        letters = tuple(count + (seat in seats) for seat, count in enumerate(letters, start=1))
        left = tuple(seat for seat in seats if letters[seat - 1] == whole)
    return msgspec.structs.replace(state, letters=letters, out=state.out + left, left=left, lost=tuple(seats))


def _dealt(state: PigState, opener: int | None) -> PigState:
    """Return the state with the next dealer: the opener with a stock, to the left without (PIG-11)."""
    if not state.options.stock:
        dealer = next_in(state, state.dealer)
    else:
        dealer = _still_dealing(state, state.dealer if opener is None else opener)
    return msgspec.structs.replace(state, dealer=dealer, deals=state.deals + 1)


def _still_dealing(state: PigState, seat: int) -> int:
    return next_in(state, seat) if seat in state.out else seat


def check_going_on(state: PigState) -> None:
    """Raise IllegalMove when the game is over (PIG-9, PIG-10)."""
    if winners(state):
        rule = "PIG-9" if state.options.winners == 2 else "PIG-10"
        raise IllegalMove(rule, text("The game is over: start another one."))


def _check_in(state: PigState, rule: str, seats: Collection[int]) -> None:
    for seat in seats:
        if not 1 <= seat <= len(state.players):
            raise IllegalMove(rule, english("There is no seat {seat} in this game.", seat=seat))
        if seat in state.out:
            raise IllegalMove(rule, text("{player} is out already.", player=state.players[seat - 1]))


def gone_on(state: PigState, begun: PigState, sat: Circle) -> PigState:
    """Return *begun* with letters, who is out and the deal of *state*; the newcomer’s from the worst.

    Raises IllegalMove when nobody would be left to play.
    """
    here = staying(sat)
    most = max((state.letters[seat - 1] for seat in here if seat not in state.out), default=0)
    out = tuple(seat for seat, one in enumerate(sat, 1) if one is not None and one.seat in one.state.out)
    able = tuple(seat for seat in range(1, len(sat) + 1) if seat not in out)
    if not able:
        raise IllegalMove("PIG-7", SOMEBODY_STAYS)
    return msgspec.structs.replace(
        begun,
        letters=tuple(most if one is None else one.state.letters[one.seat - 1] for one in sat),
        out=out,
        dealer=passed_on(state.dealer, len(state.players), here, able),
    )
