"""Pig 10, rule by rule (P10-1 to P10-9)."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInput, IllegalMove
from companion.core.model import Verdict
from companion.games.pig10.game import CARDS, DECK, GAME, Empty, Lay, PileState, Starts, cards_left, results
from companion.games.rules.carried import Sat
from companion.games.rules.prompts import ChooseSeat, Keypad
from companion.table.replay import replay, report
from companion.timing.tape import read_tape
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
    assert "Beyond ten: Léa wins 4 cards." == str(GAME.notes(over)[0])


def test_a_one_instead_would_have_made_ten() -> None:
    """P10-7, P10-9: Claudio says PIG 10 and wins the four cards; Udo begins a new pile."""
    ten = lay(table(), (4, 4), (3, 7), (2, 9), (1, 10))
    assert ((0, 0, 0, 4), (), 1) == (ten.won, ten.pile, ten.turn)
    assert "PIG 10! Claudio wins 4 cards." == str(GAME.notes(ten)[0])


def test_a_nought_sets_the_pile_to_zero() -> None:
    """P10-5: always, and the pile keeps its cards."""
    state = lay(table(), (4, 4), (3, 7), (0, 0))
    assert (0, (4, 3, 0)) == (state.value, state.pile)
    assert 8 == lay(state, (8, 8)).value


def test_a_five_may_be_taken_away() -> None:
    """P10-4, P10-9: 5, 1 make 6, and a 5 taken away leaves 1; below zero it never goes."""
    state = lay(table(), (5, 5), (1, 6))
    assert 1 == lay(state, (5, 1)).value
    assert (9,) == results((4,), 4, 5)


def test_the_same_card_or_number_may_set_the_pile() -> None:
    """P10-6, P10-9: 3, 4 make 7, a 4 sets it to 4, another is added to 8, an 8 leaves it at 8."""
    state = lay(table(), (3, 3), (4, 7), (4, 4), (4, 8), (8, 8))
    assert (8, (3, 4, 4, 4, 8)) == (state.value, state.pile)


def test_a_five_may_offer_three_choices() -> None:
    """P10-6: added, taken away, or set; equal results are one choice."""
    assert (10, 0, 5) == results((5,), 5, 5)
    assert (5,) == results((5, 5), 0, 5)
    assert (11, 1) == results((5, 1), 6, 5)
    assert (14, 7) == results((3, 4), 7, 7)
    assert (11, 4) == results((3, 4), 7, 4)


def test_the_first_card_is_worth_itself() -> None:
    """P10-3: also after a pile was won, whatever lay there; a ten wins at once."""
    assert (8,) == results((), 0, 8)
    state = lay(table(), (10, 10))
    assert (1, 0, 0, 0) == state.won
    assert 4 == lay(state, (4, 4)).value


def test_only_whose_turn_it_is_may_lay() -> None:
    """P10-2: two phones cannot lay at once."""
    state = lay(table(), (4, 4))
    assert ("P10-2", "It is Sabine’s turn.") == refused(state, Lay(1, 3, 7))
    assert "P10-2" == refused(state, Lay(9, 3, 7))[0]
    assert "P10-2" == refused(state, Starts(2))[0]
    assert "P10-2" == refused(state, Verdict(last=(1,)))[0]
    before = GAME.new(NAMES[:2], GAME.read_options({}))
    assert ("P10-2", "Say first who starts: whoever counts to ten fastest.") == refused(before, Lay(1, 3, 3))


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


def test_cards_that_are_all_laid_are_offered_no_more() -> None:
    """P10-1: there are four tens."""
    state = lay(table(), *[(10, 10)] * 4)
    assert 10 not in [key.key for key in pad(state).keys]
    assert ("P10-1", "There is no 10 left to lay.") == refused(state, Lay(1, 10, 10))
    uncounted = lay(table(count_cards=False), *[(10, 10)] * 4)
    assert 10 in [key.key for key in pad(uncounted).keys]
    assert 5 == sum(lay(uncounted, (10, 10)).won)


def pad(state: PileState) -> Keypad:
    """Return the pad that is asked."""
    return next(ask for ask in GAME.asks(state) if isinstance(ask, Keypad))


def test_the_pad_offers_what_the_rules_allow() -> None:
    """Every card with its choices, what they are called and how they come about."""
    keys = {key.key: key.choices for key in pad(lay(table(), (5, 5))).keys}
    assert sorted(DECK) == sorted(keys)
    assert [(10, "PIG 10!", "Added."), (0, "0", "Taken away."), (5, "5", "Set.")] == [
        (choice.value, str(choice.label), str(choice.explain)) for choice in keys[5]
    ]
    assert ["13, for Udo"] == [str(choice.label) for choice in keys[8]]
    assert ["0"] == [str(choice.label) for choice in keys[0]]


def test_hands_are_filled_up_until_the_draw_pile_is_empty() -> None:
    """P10-2, P10-8: two players: 74 to draw; then hands run out and the game ends with the last card."""
    state = table(2)
    assert (74, (3, 3)) == (state.draw, state.hands)
    for number in range(CARDS):
        assert GAME.outcome(state) is None
        assert (3, 3) == state.hands or number > 74
        key = pad(state).keys[0]
        state = lay(state, (int(key.key), int(key.choices[0].value)))
    assert ((0, 0), 0, CARDS) == (state.hands, state.draw, sum(state.won) + len(state.pile))
    assert GAME.outcome(state) is not None
    assert () == GAME.asks(state)
    assert "P10-8" == refused(state, Lay(1, 4, 4))[0]


def test_most_cards_win_and_equal_is_shared() -> None:
    """P10-8: who has most; several if they have as many."""
    ended = msgspec.structs.replace(table(3), hands=(0, 0, 0), draw=0, won=(20, 30, 30))
    outcome = GAME.outcome(ended)
    assert outcome is not None
    assert ((2, 3), "All cards are played, and the most anybody won is 30.") == (
        outcome.winners,
        str(outcome.why),
    )


def test_where_nobody_counts_the_table_says_who_is_out_of_cards() -> None:
    """P10-1: the turn passes over them, and the game ends when all are."""
    state = lay(table(3, count_cards=False), (4, 4))
    assert ["lay", "empty"] == [ask.move for ask in GAME.asks(state) if isinstance(ask, Keypad | ChooseSeat)]
    state = GAME.play(state, Empty(2))
    assert 3 == state.turn
    assert "P10-8" == refused(state, Empty(2))[0]
    state = GAME.play(lay(state, (4, 8)), Empty(1))
    assert 3 == state.turn
    state = GAME.play(state, Empty(3))
    assert GAME.outcome(state)
    assert "P10-8" == refused(table(), Empty(1))[0]


def test_deal_says_what_lies_where() -> None:
    """P10-1: 80 cards, three each."""
    found = GAME.deal(4, GAME.read_options({}))
    assert (80, 3, 68, None) == (found["cards"], found["each"], found["draw_pile"], found["spoons"])
    with pytest.raises(BadInput, match="Pig 10 is for 2 to 8 players, not 9"):
        GAME.deal(9, GAME.read_options({}))


def test_moves_are_read_and_others_refused() -> None:
    """As the page sends them."""
    assert Lay(2, 5, 1) == GAME.read_move({"type": "lay", "seat": 2, "key": 5, "value": 1})
    with pytest.raises(BadInput, match="Pig 10 has the moves “starts”"):
        GAME.read_move({"type": "lay", "seat": 2, "card": 5})


def test_history_tells_every_card() -> None:
    """A line a card."""
    state = table()
    told = []
    for card, value in ((4, 4), (3, 7), (6, 13), (9, 9), (1, 10)):
        move = Lay(state.turn, card, value)
        after = GAME.play(state, move)
        told.append(str(GAME.describe(state, move, after)))
        state = after
    assert [
        "Udo: 4, 4",
        "Sabine: 3, 7",
        "Léa: 6, 13: 3 cards for Sabine",
        "Claudio: 9, 9",
        "Udo: 1, PIG 10! 2 cards won",
    ] == told


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_any_game_ends_with_every_card_accounted_for(data: st.DataObject) -> None:
    """Random play from the pad: cards won, on the pile, in hand and to draw are 80 throughout."""
    players = data.draw(st.integers(2, 8))
    state = table(players, data.draw(st.integers(1, players)))
    for _ in range(CARDS):
        key = data.draw(st.sampled_from(pad(state).keys))
        choice = data.draw(st.sampled_from(key.choices))
        state = lay(state, (int(key.key), int(choice.value)))
        assert CARDS == sum(state.won) + len(state.pile) + sum(state.hands) + state.draw
        assert 0 <= state.value < 10
        assert all(str(note) for note in GAME.notes(state))
    assert GAME.outcome(state)


def test_a_tape_of_cards_is_replayed() -> None:
    """What people did is kept as moves; there is no round to judge."""
    header = '{"tape":1,"game":"pig10","players":["Udo","Sabine","Léa","Claudio"],"options":{}}'
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


def test_beyond_ten_the_pile_goes_to_who_sits_to_the_right_when_who_laid_has_gone() -> None:
    """P10-7: B laid and goes; C goes beyond ten, and A, to whose left C sits now, wins both cards."""
    state = GAME.play(GAME.play(begun("ABC"), Lay(1, 4, 4)), Lay(2, 3, 7))
    after = sit(state, "AC", {})
    assert "A" == after.player(after.layer)
    [pad] = [ask for ask in GAME.asks(after) if isinstance(ask, Keypad)]
    assert "13, for A" in [str(choice.label) for key in pad.keys for choice in key.choices]
    assert (3, 0) == GAME.play(after, Lay(2, 6, 13)).won


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
