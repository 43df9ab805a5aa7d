"""Any evening of Pig, with any options and any legal moves: what always holds."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.model import Verdict
from companion.core.text import text
from companion.games import get_game
from companion.games.pieces.cards import Card
from companion.games.pig_family import FalseOpener, PigState, Talked
from tests.support.examples import examples

PIG = get_game("pig")

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "stock": st.booleans(),
        "hand_size": st.sampled_from([3, 4, 5]),
        "word": st.sampled_from(["PIG", "Ж", "ŽABA"]),
        "sudden_death": st.booleans(),
        "hold": st.booleans(),
        "no_talking": st.booleans(),
        "winners": st.sampled_from([1, 2]),
        "dead_heat": st.sampled_from(["replay", "share"]),
    },
)


def seats_in(state: PigState) -> list[int]:
    """Return the seats that are still in."""
    return [standing.seat for standing in PIG.standings(state) if not standing.out]


def any_move(data: st.DataObject, state: PigState) -> Any:
    """Draw a legal move: mostly a verdict, of which a few are void or a dead heat."""
    still_in = seats_in(state)
    kinds = ["last"] * 5 + ["void", "dead heat", "false opener"]
    kinds += ["talked"] if state.options.no_talking and state.out else []
    kind = data.draw(st.sampled_from(kinds))
    order = data.draw(st.permutations(still_in))
    match kind:
        case "talked":
            return Talked(order[0])
        case "false opener":
            return FalseOpener(order[0])
        case "void":
            return Verdict(order=tuple(order[:1]), void=text("a source may have lost edges"))
        case _:
            last = tuple(
                order[-data.draw(st.integers(2, len(order))) :] if kind == "dead heat" else order[-1:]
            )
            return Verdict(order=tuple(order), last=last, dead_heat=len(last) > 1)


@settings(max_examples=examples(80), deadline=None)
@given(players=st.integers(3, 26), raw=OPTIONS, data=st.data())
def test_any_evening_keeps_the_rules(players: int, raw: dict[str, Any], data: st.DataObject) -> None:
    """Letters never fall, the deck is a hand for everybody in, and the outcome agrees with who is in."""
    seats = tuple(f"Player {number}" for number in range(1, players + 1))
    state: PigState = PIG.new(seats, PIG.read_options(raw))
    out_by_talking: set[int] = set()
    deck = Counter(Card(rank, suit) for rank in PIG.advice(state).ranks for suit in "SHDC"[: hand(state)])
    deck.update(state_odd(state))
    for _ in range(12):
        if PIG.outcome(state) is not None:
            break
        move = any_move(data, state)
        before, state = state, PIG.play(state, move)
        out_by_talking |= {move.seat} if isinstance(move, Talked) else set()
        if state != before:
            deck -= taken(deck, state)
        check_standings(before, state, out_by_talking)
        check_deck(state, deck)
        check_outcome(state)


def hand(state: PigState) -> int:
    """Return how many cards of a rank make a set."""
    return min(state.options.hand_size, 4) if not state.options.stock else 4


def state_odd(state: PigState) -> list[Card]:
    """Return the odd cards of the first deck, as `deal` lists them."""
    odd = PIG.deal(len(state.players), state.options)["odd"]
    return [Card(card[:-1], card[-1]) for card in odd]


def taken(deck: Counter[Card], state: PigState) -> Counter[Card]:
    """Return the cards to take out now, and check that the deck has them."""
    gone = Counter(PIG.advice(state).remove)
    assert gone <= deck
    return gone


def check_standings(before: PigState, after: PigState, out_by_talking: set[int]) -> None:
    """Letters never fall, nobody comes back, and one is out for a reason."""
    for old, new in zip(PIG.standings(before), PIG.standings(after), strict=True):
        assert new.letters[: len(old.letters)] == old.letters
        assert len(new.letters) - len(old.letters) in (0, 1)
        assert new.out >= old.out
        if not after.options.sudden_death:
            assert new.out == (new.letters == new.word or new.seat in out_by_talking)


def check_deck(state: PigState, deck: Counter[Card]) -> None:
    """The cards that were not taken out are the deck that is advised: a hand for everybody still in."""
    advice = PIG.advice(state)
    if state.options.stock:
        assert () == advice.remove
        assert 52 * advice.packs == advice.cards
    elif PIG.outcome(state) is None:
        assert len(seats_in(state)) * state.options.hand_size == advice.cards == deck.total()


def check_outcome(state: PigState) -> None:
    """Who has won is in, and asks, advice and dealer agree that it is over, or that it is not."""
    ended, still_in = PIG.outcome(state), seats_in(state)
    assert still_in
    assert (ended is None) == bool(PIG.asks(state))
    assert (ended is None) == bool(PIG.advice(state).sentences)
    if ended is None:
        assert len(still_in) >= 3 or (state.options.winners == 1 and len(still_in) == 2)
        assert PIG.advice(state).dealer in still_in
    else:
        assert 1 <= len(ended.winners) <= state.options.winners
        assert set(ended.winners) <= set(still_in)


@settings(max_examples=examples(60), deadline=None)
@given(players=st.integers(3, 26), raw=OPTIONS, data=st.data())
def test_every_evening_ends(players: int, raw: dict[str, Any], data: st.DataObject) -> None:
    """Rounds with one who is last end the game by the time all words but the winners' are nearly complete."""
    state: PigState = PIG.new(tuple(f"Player {number}" for number in range(players)), PIG.read_options(raw))
    lives = 1 if state.options.sudden_death else len(PIG.standings(state)[0].word)
    rounds = 0
    while PIG.outcome(state) is None:
        last = seats_in(state)[data.draw(st.integers(0, 25)) % len(seats_in(state))]
        order = (*(seat for seat in seats_in(state) if seat != last), last)
        state = PIG.play(state, Verdict(order=order, last=(last,)))
        rounds += 1
        assert rounds <= players * lives
