"""Pig 10: its deck, a tape of cards, and who comes and goes (P10-1); the rest is in its minutes."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games.pig10 import CARDS, DECK, GAME, Lay, PileState, Starts, cards_left, results
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.table.replay import replay, report
from lastnose.companion.timing.tape import read_tape

from tests.support.examples import examples

NAMES = ("Udo", "Sabine", "Léa", "Claudio", "Ann", "Ben", "Zoë", "Max")


def test_the_deck_is_the_published_list() -> None:
    """P10-1: 80 cards: eight each of 1 to 4 and 6 to 9, five 5s, seven 0s, four 10s."""
    assert {0: 7, 5: 5, 10: 4, **dict.fromkeys((1, 2, 3, 4, 6, 7, 8, 9), 8)} == DECK
    assert 80 == CARDS == 8 * 8 + 5 + 7 + 4
    assert 0 == GAME.new(NAMES[:3], GAME.read_options({})).layer, "nobody has laid a card"


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
