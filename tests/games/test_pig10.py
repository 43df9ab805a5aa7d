"""Pig 10: its deck, what is refused, and who comes and goes (P10-1 to P10-9); the rest is in its minutes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.games.pig10 import CARDS, DECK, GAME, Lay, PileState, Starts, cards_left, results
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.table.replay import replay, report
from lastnose.companion.timing.tape import read_tape

from tests.support.examples import examples

NAMES = ("Udo", "Sabine", "Léa", "Claudio", "Ann", "Ben", "Zoë", "Max")


def table(players: int = 4, starts: int = 1, *, count_cards: bool = True) -> PileState:
    """Return a game of *players* in which *starts* begins."""
    state = GAME.new(NAMES[:players], GAME.read_options({"count_cards": count_cards}))
    return GAME.play(state, Starts(starts))


def lay(state: PileState, *cards: tuple[int, int]) -> PileState:
    """Lay cards in turn: each with what the pile is then worth."""
    for card, value in cards:
        state = GAME.play(state, Lay(state.turn, card, value))
    return state


def refused(state: PileState, move: object) -> tuple[str, str]:
    """Return the rule and the sentence with which *move* is refused."""
    with pytest.raises(IllegalMove) as caught:
        GAME.play(state, move)
    return caught.value.rule, str(caught.value)


def test_the_deck_is_the_published_list() -> None:
    """P10-1: 80 cards: eight each of 1 to 4 and 6 to 9, five 5s, seven 0s, four 10s."""
    assert {0: 7, 5: 5, 10: 4, **dict.fromkeys((1, 2, 3, 4, 6, 7, 8, 9), 8)} == DECK
    assert 80 == CARDS == 8 * 8 + 5 + 7 + 4
    assert 0 == GAME.new(NAMES[:3], GAME.read_options({})).layer, "nobody has laid a card"


def test_first_example_of_the_source() -> None:
    """P10-9: 4, 3, 2 make 9; a 6 makes 15 and the player of the 2 wins four cards."""
    state = lay(table(), (4, 4), (3, 7), (2, 9))
    assert (9, (4, 3, 2), 4) == (state.value, state.pile, state.turn)
    over = lay(state, (6, 15))
    assert ((0, 0, 4, 0), (), 0, 1) == (over.won, over.pile, over.value, over.turn)
    assert "Over ten: Léa wins 4 cards." == str(GAME.notes(over)[0])


def test_only_whose_turn_it_is_may_lay() -> None:
    """P10-2: two phones cannot lay at once."""
    state = lay(table(), (4, 4))
    assert ("P10-2", "Sabine’s turn") == refused(state, Lay(1, 3, 7))
    assert "P10-2" == refused(state, Lay(9, 3, 7))[0]
    assert "P10-2" == refused(state, Starts(2))[0]
    assert "P10-2" == refused(state, Verdict(last=(1,)))[0]
    before = GAME.new(NAMES[:2], GAME.read_options({}))
    assert ("P10-2", "That has just changed: look again.") == refused(before, Lay(1, 3, 3))


@pytest.mark.parametrize(
    ("cards", "move", "rule", "allowed"),
    [
        ([], Lay(1, 4, 5), "P10-3", "worth 4, not 5"),
        ([(4, 4)], Lay(2, 0, 4), "P10-5", "worth 0, not 4"),
        ([(4, 4)], Lay(2, 5, 1), "P10-4", "worth 9, not 1"),
        ([(4, 4)], Lay(2, 4, 0), "P10-6", "worth 8 or 4, not 0"),
        ([(5, 5)], Lay(2, 5, 1), "P10-4", "worth 10, 0 or 5, not 1"),
    ],
)
def test_a_wrong_sum_is_refused(cards: list[tuple[int, int]], move: Lay, rule: str, allowed: str) -> None:
    """With the rule, and what would be right."""
    found, sentence = refused(lay(table(), *cards), move)
    assert rule == found
    assert allowed in sentence


def test_a_tape_of_cards_is_replayed() -> None:
    """What people did is kept as moves; there is no round to judge."""
    header = '{"tape":1,"game":"pig-10","players":["Udo","Sabine","Léa","Claudio"],"options":{}}'
    moves = [{"type": "starts", "seat": 1}] + [
        {"type": "lay", "seat": seat, "key": key, "value": value}
        for seat, key, value in ((1, 4, 4), (2, 3, 7), (3, 2, 9), (4, 6, 15))
    ]
    lines = [json.dumps({"move": move, "t_ns": at}) for at, move in enumerate(moves, start=1)]
    found = report(replay(read_tape([header, *lines])))
    assert [] == found["rounds"]
    assert [0, 0, 4, 0] == [row["score"] for row in found["standings"]]


# Comings and goings


def sit(state: PileState, names: str, last: dict[str, Sat]) -> PileState:
    """Let *names* play on; *last*: where everybody sat last."""
    for seat, name in enumerate(state.players, start=1):
        last[name] = Sat(state, seat)
    sat = [(last[name], name in state.players) if name in last else None for name in names]
    return GAME.gone_on(
        state, tuple(names), tuple(one and Sat(one[0].state, one[0].seat, here=one[1]) for one in sat)
    )


def begun(names: str, **options: bool) -> PileState:
    """A table at which the first begins."""
    return GAME.play(GAME.new(tuple(names), GAME.read_options(options)), Starts(1))


@pytest.mark.parametrize("counted", [True, False])
def test_when_whose_turn_it_is_goes_the_next_plays_on(counted: bool) -> None:
    """P10-2: B’s turn; B goes, so C plays. With cards counted B’s three go under the draw pile."""
    state = GAME.play(begun("ABC", count_cards=counted), Lay(1, 4, 4))
    assert 2 == state.turn
    after = sit(state, "AC", {})
    assert ("C", (4,), 4) == (after.player(after.turn), after.pile, after.value)
    if counted:
        assert (70 + 3, (3, 3)) == (after.draw, after.hands)
    after = GAME.play(after, Lay(2, 6, 10))
    assert [0, 2] == [one.score for one in GAME.standings(after)]


def test_who_goes_is_out_of_the_ranking_and_who_comes_back_has_what_they_had() -> None:
    """C has won three cards and goes: shown, and no winner; back again they have them."""
    last: dict[str, Sat] = {}
    state = begun("ABC")
    for move in (Lay(1, 4, 4), Lay(2, 3, 7), Lay(3, 3, 10)):
        state = GAME.play(state, move)
    assert (0, 0, 3) == state.won
    gone = sit(state, "AB", last)
    assert "No longer here, and out of the ranking: C 3." in [str(note) for note in GAME.notes(gone)]
    back = sit(gone, "DCAB", last)
    assert ((0, 3, 0, 0), ()) == (back.won, back.left)


@settings(max_examples=examples(30), deadline=None)
@given(data=st.data())
def test_cards_are_neither_made_nor_lost_by_comings_and_goings(data: st.DataObject) -> None:
    """P10-1: 80 in hands, to draw, and laid; the turn is with somebody who sits there and has a card."""
    last: dict[str, Sat] = {}
    state = begun("ABC")
    for _ in range(data.draw(st.integers(1, 60))):
        if GAME.outcome(state):
            break
        if data.draw(st.integers(0, 4)) == 0:
            stays = data.draw(st.lists(st.sampled_from(state.players), min_size=1, unique=True))
            others = [name for name in "ABCDEFGHIJKLMNOPQR" if name not in state.players]
            fewest = 2 - min(2, len(stays))
            most = min(len(others), 8 - len(stays))
            comes = data.draw(st.lists(st.sampled_from(others), min_size=fewest, max_size=most, unique=True))
            turn = state.players.index(state.player(state.turn))
            order = [*state.players[turn:], *state.players[:turn]]
            had = {name: state.hands[seat] for seat, name in enumerate(state.players)}
            state = sit(state, "".join(data.draw(st.permutations([*stays, *comes]))), last)
            able = [name for name in order if name in stays and had[name]]
            if able:
                assert able[0] == state.player(state.turn)
        else:
            card = data.draw(st.sampled_from(cards_left(state)))
            value = data.draw(st.sampled_from(results(state.pile, state.value, card)))
            state = GAME.play(state, Lay(state.turn, card, value))
        assert 80 == sum(state.hands) + state.draw + sum(state.played)
        assert GAME.outcome(state) or state.holds(state.turn)
