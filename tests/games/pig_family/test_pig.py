"""Pig, rule by rule (PIG-1 to PIG-15)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadInput, IllegalMove
from companion.core.model import Verdict
from companion.core.text import text
from companion.games import get_game
from companion.games.pig_family import FalseOpener, PigState, Talked
from companion.games.rules.prompts import ChooseSeat, WatchNoses

PIG = get_game("pig")
NAMES = ("North", "East", "South", "West", "Élodie", "Zoë", "Ann")


def table(players: int, **options: Any) -> PigState:
    """Return a new game of *players*."""
    state: PigState = PIG.new(NAMES[:players], PIG.read_options(options))
    return state


def was_last(state: PigState, *last: int, opener: int | None = None) -> PigState:
    """Return the state after a round in which *last* were last (several: a dead heat)."""
    others = [seat for seat in seats_in(state) if seat not in last]
    if opener is not None:
        others.sort(key=lambda seat: seat != opener)
    after: PigState = PIG.play(
        state, Verdict(order=(*others, *last), last=last, dead_heat=len(last) > 1, margin_ns=1, u_ns=1)
    )
    return after


def play(state: PigState, *moves: Any) -> PigState:
    """Return the state after *moves*: a number is the seat that was last."""
    for move in moves:
        state = was_last(state, move) if isinstance(move, int) else PIG.play(state, move)
    return state


def seats_in(state: PigState) -> list[int]:
    """Return the seats that are still in."""
    return [standing.seat for standing in PIG.standings(state) if not standing.out]


def letters(state: PigState) -> list[str]:
    """Return everybody's letters, by seat."""
    return ["".join(standing.letters) for standing in PIG.standings(state)]


def said(state: PigState) -> list[str]:
    """Return the sentences of the deck advice."""
    return [str(sentence) for sentence in PIG.advice(state).sentences]


def notes(state: PigState) -> list[str]:
    """Return the notes of the moment."""
    return [str(note) for note in PIG.notes(state)]


def removed(state: PigState) -> str:
    """Return the cards to take out now, as data writes them."""
    return " ".join(map(str, PIG.advice(state).remove))


def refused(state: PigState, move: Any) -> tuple[str, str]:
    """Return rule and sentence with which *move* is refused."""
    with pytest.raises(IllegalMove) as caught:
        PIG.play(state, move)
    return caught.value.rule, str(caught.value)


# Letters, out, the end


def test_whoever_is_last_gets_the_next_letter() -> None:
    """PIG-7: one letter a round, and nobody else gets one."""
    state = play(table(4), 3, 3, 1)
    assert ["P", "", "PI", ""] == letters(state)
    assert [1, 2, 3, 4] == seats_in(state)


def test_a_player_is_out_when_the_word_is_complete() -> None:
    """PIG-7: PIG is three lives."""
    state = play(table(4), 3, 3, 3)
    assert "PIG" == letters(state)[2]
    assert [1, 2, 4] == seats_in(state)


@pytest.mark.parametrize(("word", "lives"), [("DONKEY", 6), ("Ж", 1), ("नमस्ते", 3)])
def test_any_word_has_as_many_lives_as_letters(word: str, lives: int) -> None:
    """PIG-7: a letter is what a reader sees as one."""
    state = play(table(4, word=word), *[2] * (lives - 1))
    assert 2 in seats_in(state)
    assert word == letters(play(state, 2))[1]
    assert 2 not in seats_in(play(state, 2))


def test_in_sudden_death_whoever_is_last_is_out() -> None:
    """PIG-6: no letters, and no word to show."""
    state = play(table(4, sudden_death=True), 3)
    assert [1, 2, 4] == seats_in(state)
    assert {()} == {standing.word for standing in PIG.standings(state)}


def test_when_two_are_left_both_win() -> None:
    """PIG-9."""
    state = play(table(4, sudden_death=True), 3)
    assert PIG.outcome(state) is None
    ended = PIG.outcome(play(state, 1))
    assert ended is not None
    assert ((2, 4), ()) == (ended.winners, ended.losers)
    assert "East and West are left, and both win." == str(ended.why)


@pytest.mark.parametrize("stock", [False, True])
def test_one_deal_decides_between_two_when_one_is_to_win(stock: bool) -> None:
    """PIG-10: the opener wins whatever letters they have; the other gets none."""
    state = play(table(3, winners=1, stock=stock), 1, 2, 2, 3, 3, 3)
    assert ["P", "PI", "PIG"] == letters(state)
    assert PIG.outcome(state) is None
    assert ["Two are left: one deal decides, and its opener wins."] == notes(state)
    ended = PIG.outcome(was_last(state, 1, opener=2))
    assert ended is not None
    assert (2,) == ended.winners
    assert "East opened the one deal that decides, and wins." == str(ended.why)
    assert ["P", "PI", "PIG"] == letters(was_last(state, 1, opener=2))


def test_the_deciding_deal_needs_no_second_press() -> None:
    """PIG-10: the verdict is final while the other nose has not been touched."""
    state = play(table(3, winners=1, sudden_death=True), 3)
    after = PIG.play(state, Verdict(order=(1,), last=(2,)))
    assert (1,) == PIG.outcome(after).winners
    assert [1] == seats_in(after)


@pytest.mark.parametrize("dead_heat", ["replay", "share"])
def test_a_dead_heat_for_the_win_is_always_played_again(dead_heat: str) -> None:
    """PIG-10: nobody can tell who opened."""
    state = play(table(3, winners=1, sudden_death=True, dead_heat=dead_heat), 3)
    assert state == was_last(state, 1, 2)


def test_nothing_is_asked_or_advised_when_the_game_has_ended() -> None:
    """And every further move is refused, but for a void round, which changes nothing."""
    state = play(table(3, sudden_death=True, no_talking=True, hold=True), 3)
    advice = PIG.advice(state)
    assert ((), (), (), ()) == (PIG.asks(state), PIG.notes(state), advice.sentences, advice.remove)
    assert advice.dealer is None
    over = ("PIG-9", "The game is over: start another one.")
    for move in (Verdict(order=(1,), last=(2,)), Talked(1), FalseOpener(1)):
        assert over == refused(state, move)
    assert state == PIG.play(state, Verdict(void=text("the tape ended")))


# Verdicts


def test_a_void_round_changes_nothing() -> None:
    """It is no deal either: the same dealer deals again."""
    state = play(table(4), 3)
    assert state == PIG.play(state, Verdict(order=(1, 2), void=text("a source may have lost edges")))


def test_a_dead_heat_is_played_again() -> None:
    """Law 4: nobody gets the letter, and the same dealer deals again."""
    state = play(table(4), 3)
    assert state == was_last(state, 1, 2)


def test_a_shared_dead_heat_gives_all_of_them_the_letter() -> None:
    """By option, and the deal counts."""
    state = was_last(table(4, dead_heat="share"), 2, 4)
    assert ["", "P", "", "P"] == letters(state)
    assert 2 == state.dealer


def test_a_shared_dead_heat_may_leave_one_winner() -> None:
    """Three are in, two leave at once: the third wins alone though two could have won."""
    state = was_last(table(3, sudden_death=True, dead_heat="share"), 1, 3)
    ended = PIG.outcome(state)
    assert ended is not None
    assert (2,) == ended.winners
    assert "East is the only one left, and wins." == str(ended.why)


def test_a_shared_dead_heat_that_leaves_nobody_is_played_again() -> None:
    """Nobody wins by being last."""
    state = table(3, word="A", dead_heat="share")
    assert state == was_last(state, 1, 2, 3)


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        (Verdict(order=(1, 2), last=(3,)), "South is out already."),
        (Verdict(order=(1, 3, 2), last=(4,)), "South is out already."),
        (Verdict(order=(1, 2), last=(5,)), "There is no seat 5 in this game."),
        (Verdict(order=(1, 2), last=(0,)), "There is no seat 0 in this game."),
    ],
)
def test_a_verdict_must_name_players_who_are_in(verdict: Verdict, sentence: str) -> None:
    """Else it belongs to another moment of the game."""
    assert ("PIG-5", sentence) == refused(play(table(4, sudden_death=True), 3), verdict)


def test_where_nobody_was_last_nobody_pays_and_the_next_deals() -> None:
    """PIG-5, PIG-11: as the table says of a round; also of the one deal that decides."""
    state = table(4)
    assert (0, 0, 0, 0) == play(state, Verdict(order=(2, 1, 3, 4))).letters
    assert 2 == play(state, Verdict(order=(2, 1, 3, 4))).dealer
    duel = was_last(table(3, sudden_death=True, winners=1), 1)
    assert PIG.outcome(play(duel, Verdict(order=(2, 3)))) is None


# Moves of the table


def test_talking_to_a_pig_makes_a_pig() -> None:
    """PIG-12: out at once, letters as they are; the deal does not count, so the same dealer deals."""
    state = play(table(5, no_talking=True), 3, 3, 3)
    after = PIG.play(state, Talked(2))
    assert [1, 4, 5] == seats_in(after)
    assert letters(state) == letters(after)
    assert (state.dealer, state.deals) == (after.dealer, after.deals)
    assert ["South may talk. Do not answer."] == notes(state)
    assert ["South and East may talk. Do not answer."] == notes(after)


def test_history_says_who_talked() -> None:
    """PIG-12: not only that somebody is out."""
    state = play(table(5, no_talking=True), 3, 3, 3)
    after = PIG.play(state, Talked(2))
    assert "East talked to a pig, and is out" == str(PIG.describe(state, Talked(2), after))


def test_a_dealer_who_talks_hands_the_deal_on() -> None:
    """The next one in deals."""
    state = play(table(5, no_talking=True, sudden_death=True), 3)
    assert 2 == state.dealer
    assert 4 == PIG.play(state, Talked(2)).dealer


def test_talking_can_end_the_game() -> None:
    """PIG-12 and PIG-9: two are left, or one when one deal was to decide."""
    state = play(table(4, no_talking=True, sudden_death=True), 3)
    assert (1, 4) == PIG.outcome(PIG.play(state, Talked(2))).winners
    last_two = play(table(3, no_talking=True, sudden_death=True, winners=1), 3)
    assert (1,) == PIG.outcome(PIG.play(last_two, Talked(2))).winners


def test_talking_is_refused_where_it_is_allowed_or_cannot_be() -> None:
    """PIG-12: without the option, while nobody is out, for a player who is out, for an unknown seat."""
    assert ("PIG-12", "At this table everybody may talk to a player who is out.") == refused(
        play(table(4, sudden_death=True), 3), Talked(1)
    )
    assert ("PIG-12", "Nobody is out yet, so there is nobody one may not talk to.") == refused(
        table(4, no_talking=True), Talked(1)
    )
    state = play(table(4, no_talking=True, sudden_death=True), 3)
    assert ("PIG-12", "South is out already.") == refused(state, Talked(3))
    assert ("PIG-12", "There is no seat 9 in this game.") == refused(state, Talked(9))


def test_nobody_is_said_to_talk_before_somebody_is_out() -> None:
    """PIG-12: the note comes with the first who is out, and names them."""
    assert [] == notes(table(4, no_talking=True))
    assert ["South may talk. Do not answer."] == notes(play(table(4, no_talking=True, sudden_death=True), 3))


@pytest.mark.parametrize("no_talking", [False, True])
def test_the_help_says_whether_one_may_talk_to_who_is_out(no_talking: bool) -> None:
    """PIG-12: only at a table that has agreed on it; the button for the opener is one of noses."""
    state = table(4, no_talking=no_talking)
    lines = [str(line) for part in PIG.help(state.options) for line in part.lines]
    assert no_talking is any("talk" in line for line in lines)
    assert "Touched too early" == str(PIG.asks(state)[-1].label)


def test_a_move_of_another_game_is_refused_with_those_there_are() -> None:
    """With noses one talks; nobody lacks a spoon."""
    with pytest.raises(BadInput, match="Pig has the moves “talked”, “false-opener”, each with a seat number"):
        PIG.read_move({"type": "no-spoon", "seat": 1})


def test_a_false_opener_gets_the_letter() -> None:
    """PIG-15: and is out like anybody else when the word is complete; the deal counts."""
    state = PIG.play(play(table(4), 1, 1), FalseOpener(2))
    assert ["PI", "P", "", ""] == letters(state)
    assert 4 == state.dealer
    assert [2, 3, 4] == seats_in(PIG.play(state, FalseOpener(1)))
    assert ("PIG-15", "South is out already.") == refused(
        play(table(4, sudden_death=True), 3), FalseOpener(3)
    )


def test_a_false_opener_in_the_deciding_deal_gets_a_letter_and_no_more() -> None:
    """PIG-15 with PIG-10: the game goes on unless the word is complete."""
    state = play(table(3, winners=1), 1, 2, 2, 3, 3, 3)
    after = PIG.play(state, FalseOpener(1))
    assert PIG.outcome(after) is None
    assert ["PI", "PI", "PIG"] == letters(after)
    assert (1,) == PIG.outcome(PIG.play(after, FalseOpener(2))).winners


# What the table is asked


def test_the_noses_of_those_who_are_in_are_watched() -> None:
    """PIG-5: with `hold` when the table plays it so."""
    assert PIG.asks(table(3))[0] == WatchNoses(seats=(1, 2, 3), hold=False)
    state = play(table(4, hold=True, sudden_death=True), 2)
    assert PIG.asks(state)[0] == WatchNoses(seats=(1, 3, 4), hold=True)
    assert ["Stay on your nose: let go, and only the next touch counts."] == notes(state)


def test_the_table_can_name_a_false_opener_at_any_time_and_a_talker_once_somebody_is_out() -> None:
    """PIG-12, PIG-15: a false opener may also replace a judged round."""
    state = table(4, no_talking=True, sudden_death=True)
    assert ["false-opener"] == [ask.move for ask in PIG.asks(state) if isinstance(ask, ChooseSeat)]
    later = play(state, 2)
    asks = {ask.move: ask for ask in PIG.asks(later) if isinstance(ask, ChooseSeat)}
    assert {"talked": False, "false-opener": True} == {move: ask.instead for move, ask in asks.items()}
    assert {(1, 3, 4)} == {ask.seats for ask in asks.values()}
    assert "Talked to a pig" == str(asks["talked"].label)
    assert (
        "Whoever talked becomes a pig at once; a round in progress does not count: the deck changes."
        == str(asks["talked"].explain)
    )
    assert ["false-opener"] == [
        ask.move for ask in PIG.asks(play(table(4, sudden_death=True), 2)) if isinstance(ask, ChooseSeat)
    ]


def test_a_button_says_what_one_collects_at_this_table() -> None:
    """PIG-14: three of a kind with three cards, four of a kind with five."""
    explained = {size: str(PIG.asks(table(4, hand_size=size))[-1].explain) for size in (3, 5)}
    assert "three of a kind" in explained[3]
    assert "four of a kind" in explained[5]


# Who deals


def test_without_stock_the_deal_passes_left() -> None:
    """PIG-11: to the next player still in, around the table."""
    state = table(3)
    dealers = [state.dealer]
    for last in (1, 2, 3):
        state = play(state, last)
        dealers.append(state.dealer)
    assert [1, 2, 3, 1] == dealers
    assert 3 == play(table(4, sudden_death=True), 2).dealer


def test_with_stock_the_opener_deals_next() -> None:
    """PIG-11: and the same one again after a round that does not count."""
    state = was_last(table(4, stock=True), 1, opener=3)
    assert 3 == state.dealer
    assert 3 == was_last(state, 1, 2).dealer
    assert 4 == was_last(state, 1, opener=4).dealer


def test_with_stock_an_opener_who_leaves_hands_the_deal_on() -> None:
    """A shared dead heat of everybody but one may put the opener out."""
    state = PIG.play(
        table(4, stock=True, sudden_death=True, dead_heat="share", winners=1),
        Verdict(order=(3, 1, 2, 4), last=(3, 4), dead_heat=True),
    )
    assert 1 == state.dealer


def test_with_stock_the_dealer_stays_when_nobody_knows_who_opened() -> None:
    """After a false opener, a correction without an order, or a press that nobody saw."""
    state = was_last(table(4, stock=True), 1, opener=3)
    assert 3 == PIG.play(state, Verdict(order=(2, 4, 1), last=(1,), unseen=(3,))).dealer
    assert 2 == PIG.play(state, Verdict(order=(2, 3, 4, 1), last=(1,))).dealer
    assert 3 == PIG.play(state, FalseOpener(2)).dealer
    assert 3 == PIG.play(state, Verdict(last=(2,))).dealer


# Deck advice


def test_at_the_start_the_deck_is_put_together() -> None:
    """PIG-3: from the ace down; nothing to take out."""
    advice = PIG.advice(table(4))
    assert (1, ("A", "K", "Q", "J"), 16, 4, 1, ()) == (
        advice.packs,
        advice.ranks,
        advice.cards,
        advice.each,
        advice.dealer,
        advice.remove,
    )
    assert [
        "From one pack, take all aces, kings, queens and jacks: 16 cards.",
        "Everybody gets 4 cards and collects four of a kind.",
        "North deals.",
    ] == [str(sentence) for sentence in advice.sentences]


def test_a_letter_leaves_the_deck_alone() -> None:
    """Only the deal passes on."""
    state = play(table(4), 3)
    assert ["East deals."] == said(state)
    assert "" == removed(state)
    assert 16 == PIG.advice(state).cards


def test_whoever_leaves_takes_the_lowest_rank_along() -> None:
    """PIG-8: four players, then three."""
    state = play(table(4), 3, 3, 3)
    assert "JS JH JD JC" == removed(state)
    assert ["South is out.", "Take the four jacks away: 12 cards stay, A K Q.", "West deals."] == said(state)
    assert ["North deals."] == said(play(state, 4))


def test_two_who_leave_at_once_take_two_ranks_along() -> None:
    """A shared dead heat."""
    state = was_last(table(5, sudden_death=True, dead_heat="share"), 2, 4)
    assert "JS JH JD JC 10S 10H 10D 10C" == removed(state)
    assert [
        "East and West are out.",
        "Take the four jacks and the four tens away: 12 cards stay, A K Q.",
        "South deals.",
    ] == said(state)


def test_a_talker_takes_cards_along_too() -> None:
    """PIG-12: the deck changes in the middle of a deal."""
    state = PIG.play(play(table(5, no_talking=True, sudden_death=True), 3), Talked(5))
    assert "JS JH JD JC" == removed(state)
    assert ["Élodie is out.", "Take the four jacks away: 12 cards stay, A K Q.", "East deals."] == said(state)


def test_with_five_cards_each_the_odd_cards_are_named() -> None:
    """PIG-14: four players have 20 cards, three have 15: A K Q whole and three jacks."""
    state = play(table(4, hand_size=5, sudden_death=True), 3)
    assert "JC 10S 10H 10D 10C" == removed(state)
    assert "Take J♣ and the four tens away: 15 cards stay, A K Q, plus J♠ J♥ J♦." == said(state)[1]


def test_with_two_packs_the_second_goes_first() -> None:
    """PIG-3: fourteen have eight aces; any four of them may go."""
    many = tuple(f"Player {number}" for number in range(1, 15))
    state = PIG.new(many, PIG.read_options({"sudden_death": True}))
    assert "Take one whole pack and, from one more, all aces: 56 cards." == said(state)[0]
    assert "Take four aces away: 52 cards stay, one whole pack." == said(was_last(state, 14))[1]


def test_with_stock_the_deck_stays_and_the_stock_has_its_place() -> None:
    """PIG-4, PIG-8: four players leave 36 cards, on the dealer's right, whose player discards."""
    state = table(4, stock=True, sudden_death=True)
    assert [
        "Take one whole pack: 52 cards.",
        "Everybody gets 4 cards and collects four of a kind.",
        "North deals. The other 36 cards are the stock, on the dealer’s right.",
        "North draws from the stock; West discards.",
    ] == said(state)
    after = was_last(state, 2, opener=3)
    assert [
        "East is out.",
        "The deck stays as it is.",
        "South deals. The other 40 cards are the stock, on the dealer’s right.",
        "South draws from the stock; North discards.",
    ] == said(after)
    assert ("", 52, 13) == (removed(after), PIG.advice(after).cards, len(PIG.advice(after).ranks))


def test_with_stock_the_packs_of_the_start_stay() -> None:
    """Thirteen began with two packs; twelve could do with one, and nobody sorts them apart."""
    many = tuple(f"Player {number}" for number in range(1, 14))
    state = PIG.new(many, PIG.read_options({"stock": True, "sudden_death": True}))
    assert 104 == PIG.advice(was_last(state, 13)).cards
    assert "The other 56 cards are the stock" in said(was_last(state, 13))[2]


def test_the_cue_names_what_hands_of_this_size_collect() -> None:
    """PIG-14: three of a kind among three cards, four among four and five."""
    cues = {size: str(PIG.armed_text(table(4, hand_size=size))) for size in (3, 4, 5)}
    assert {
        3: "The first to have three of a kind touches the nose.",
        4: "The first to have four of a kind touches the nose.",
        5: "The first to have four of a kind touches the nose.",
    } == cues
