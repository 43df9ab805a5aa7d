"""Swedish Gin Rummy's sheet, rule by rule (SGR-1 to SGR-11); contracts have a test of their own."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInput
from companion.games.pieces.cards import RANKS, SUITS, Card, read_cards
from companion.games.rules.prompts import ChooseSeat, EnterScore, MarkHand, Tokens
from companion.games.sheet_game import CellCorrection, Correct, Score, SheetState, current
from companion.games.swedish_gin.contracts import hand_points
from companion.games.swedish_gin.game import GAME, Bought, DealsFirst, ExactCut
from tests.support.examples import examples
from tests.support.sheets import fill, refusal

NAMES = ("North", "East", "South", "West", "Ann", "Ben", "Zoë", "Max")
write = partial(fill, GAME)
refused = partial(refusal, GAME)


def table(players: int = 4, **options: Any) -> SheetState:
    """Return an empty sheet."""
    return GAME.new(NAMES[:players], GAME.read_options({"exact_cut": True, **options}))


def asked(state: SheetState) -> dict[str, Any]:
    """Return what is asked, by move."""
    return {
        ask.move: ask
        for ask in GAME.asks(state)
        if isinstance(ask, EnterScore | ChooseSeat | MarkHand | Tokens)
    }


def test_sheet_has_fifteen_contracts_in_words() -> None:
    """SGR-2, with the purchases each needs at least."""
    lines = GAME.sheet(table()).lines
    assert 15 == len(lines)
    assert ("2 sets of 3", "5 runs of 3") == (str(lines[0].title), str(lines[11].title))
    assert {9: "at least 1 buy", 12: "at least 2 buys"} == {
        hand: str(lines[hand - 1].hint) for hand in (9, 12)
    }
    assert lines[0].hint is None


def test_first_hand_of_the_source_is_counted() -> None:
    """SGR-8: 0, 125 (not 115), 65 and 25."""
    state = write(
        table(),
        0,
        "3♥ 3♥ 3♠ K♥ K♦ 10♣ J♣ Q♣ K♣ A♣ 8♠ K♠ 2♦",
        "7♠ 7♣ 7♥ 7♦ 5♠ 6♠ 8♠ 9♠ J♥ J♥ 4♣",
        "9♦ 10♦ Q♦ 6♥",
    )
    assert (0, 125, 65, 25) == GAME.totals(state)
    assert ("9D", "10D", "QD", "6H") == GAME.sheet(state).lines[0].cells[3].pieces
    assert any("it is 125" in str(line) for section in GAME.help(state.options) for line in section.lines)


def test_points_are_multiples_of_five() -> None:
    """SGR-7."""
    assert ("SGR-7", "Every card costs a multiple of 5, and 12 is none.") == refused(
        table(), Score(1, 1, points=12)
    )
    assert 5 == asked(table())["score"].step


def test_exactly_one_closes() -> None:
    """SGR-7: not two, and not nobody."""
    assert "SGR-7" == refused(write(table(), 0), Score(1, 2, points=0))[0]
    assert ("SGR-7", "Nobody has 0, and whoever closed the hand must.") == refused(
        write(table(2), 5), Score(1, 2, points=10)
    )
    assert (5, 0) == GAME.totals(write(table(2), 5, 0))


def test_two_packs_have_every_card_twice() -> None:
    """SGR-1: over all hands; the page offers only what is left."""
    state = write(table(), 0, "KS KS 3D")
    assert ("SGR-1", "K♠ is there twice only, and East and South would hold 3.") == refused(
        state, Score(1, 3, pieces=("KS",))
    )
    left = asked(state)["score"].pieces
    assert (101, 0, 1) == (len(left), left.count("KS"), left.count("3D"))
    with pytest.raises(BadInput, match="K♠ is there 3 times"):
        GAME.play(table(), Score(1, 1, pieces=("KS", "KS", "KS")))


def test_nobody_holds_more_than_fifteen_cards() -> None:
    """SGR-9: eight twos and seven aces are 305, which is the most a number can be."""
    dear = ["2S", "2H", "2D", "2C"] * 2 + ["AS", "AH", "AD", "AC"] * 2
    assert 305 == hand_points(read_cards(dear[:15])) == asked(table())["score"].most
    assert ("SGR-7", "310 points are more than the dearest 15 cards that are left: 305.") == refused(
        table(), Score(1, 1, points=310)
    )
    assert ("SGR-9", "North cannot hold 16 cards: with both buys it is 15.") == refused(
        table(), Score(1, 1, pieces=tuple(dear))
    )
    # When somebody has all the twos, others cannot have as much: 8 aces and 7 tens.
    after = write(table(), " ".join(dear[:8]))
    assert 190 == asked(after)["score"].most


def test_a_number_must_still_be_possible_when_cards_follow() -> None:
    """The order of the entries makes no difference."""
    state = write(table(), 305)
    assert "SGR-7" == refused(state, Score(1, 2, pieces=("2S", "2H")))[0]


def test_numbers_together_are_no_more_than_two_packs() -> None:
    """SGR-1: the dearest thirty cards are eight twos, eight aces and fourteen tens: 460."""
    state = write(table(), 300)
    assert 160 == asked(state)["score"].most
    assert ("SGR-1", "465 points together are more than 2 hands can hold of what is left: 460.") == refused(
        state, Score(1, 2, points=165)
    )
    assert (300, 160, 0, 0) == GAME.totals(write(state, None, 160))
    # The two twos that South shows are gone for both: six twos, eight aces and sixteen tens are 430.
    shown = write(table(), 280, None, "2S 2S")
    assert 150 == asked(shown)["score"].most
    assert "SGR-1" == refused(shown, Score(1, 2, points=155))[0]


def test_everybody_has_two_tokens_a_hand() -> None:
    """SGR-9: counted, shown, and fresh in the next hand."""
    state = GAME.play(GAME.play(table(), Bought(1, 2)), Bought(1, 2))
    assert ("SGR-9", "East has no token left.") == refused(state, Bought(1, 2))
    assert [(2, "11 cards", True), (0, "15 cards", False)] == [
        (purse.left, str(purse.holds), purse.open) for purse in asked(state)["bought"].purses[:2]
    ]
    assert ["2 buys"] == [str(note) for note in GAME.sheet(state).lines[0].cells[1].notes]
    scored = write(state, 5)
    assert ("SGR-9", "North has a score in this hand: buying is over.") == refused(scored, Bought(1, 1))
    nextly = write(state, 0, 5, 5, 5)
    assert [2, 2, 2, 2] == [purse.left for purse in asked(nextly)["bought"].purses]
    assert ("SGR-9", "Hand 2 is being played.") == refused(nextly, Bought(1, 1))
    assert "SGR-1" == refused(state, Bought(1, 5))[0]


def test_closing_without_the_buys_a_contract_needs_is_noted() -> None:
    """SGR-2: written all the same: somebody may have forgotten to tap."""
    state = table(2)
    for _ in range(8):
        state = write(state, 0, 5)
    assert ["North closed with fewer buys written down than the contract needs."] == [
        str(note) for note in GAME.sheet(write(state, 0, 5)).lines[8].notes
    ]
    assert () == GAME.sheet(write(GAME.play(state, Bought(9, 1)), 0, 5)).lines[8].notes


def test_more_cards_than_the_buys_allow_are_noted() -> None:
    """SGR-9: the second player of the source holds thirteen: one buy."""
    thirteen = "3♥ 3♥ 3♠ K♥ K♦ 10♣ J♣ Q♣ K♣ A♣ 8♠ K♠ 2♦"
    noted = write(table(), thirteen)
    assert ["North holds 13 cards with too few buys written down."] == [
        str(note) for note in GAME.sheet(noted).lines[0].notes
    ]
    assert () == GAME.sheet(write(GAME.play(table(), Bought(1, 1)), thirteen)).lines[0].notes


def test_a_contract_is_drawn_as_groups_of_cards() -> None:
    """SGR-2: alike, in a row, and the run of hand 15 as long as it gets."""
    lines = GAME.sheet(table()).lines
    assert ["=3 =3", "=3 /4", "/3 /3 /3 /3 /3", "=5 /5 =2", "=3 =3 /*"] == [
        lines[hand - 1].picture for hand in (1, 2, 12, 14, 15)
    ]


def test_exact_cut_takes_a_hundred_off() -> None:
    """SGR-10: for the dealer, once a hand, below zero too; 45 cards for four."""
    state = table()
    assert "North lifted exactly 45 cards in one go: 100 points less." == str(
        asked(state)["exact-cut"].explain
    )
    state = write(GAME.play(state, ExactCut(1)), 0, 5, 5, 5)
    assert (-100, 5, 5, 5) == GAME.totals(state)
    assert [-100, 5, 5, 5] == [cell.total for cell in GAME.sheet(state).lines[0].cells]
    state = GAME.play(state, ExactCut(2))
    assert -95 == GAME.totals(state)[1]
    assert [-100, 5, 5, 5] == [cell.total for cell in GAME.sheet(state).lines[0].cells]
    assert ("SGR-10", "East has had the 100 points.") == refused(state, ExactCut(2))
    assert "SGR-10" == refused(state, ExactCut(3))[0]
    assert "SGR-10" == refused(table(exact_cut=False), ExactCut(1))[0]
    assert "exact-cut" not in asked(table(exact_cut=False))
    assert not GAME.read_options({}).exact_cut  # optional in the source: the table turns it on


def test_the_deal_passes_to_whoever_started() -> None:
    """SGR-11: the dealer's left starts, and deals the next; until somebody says who, it is seat 1."""
    assert (1, 2) == (GAME.sheet(table()).lines[0].dealer, GAME.sheet(table()).lines[0].starter)
    assert asked(table())["deals-first"].prompt
    state = GAME.play(table(), DealsFirst(4))
    assert asked(state)["deals-first"].prompt is None
    lines = GAME.sheet(state).lines
    assert [(4, 1), (1, 2), (2, 3)] == [(line.dealer, line.starter) for line in lines[:3]]
    assert ("West deals, North starts.", 4) == (
        str(GAME.advice(state).sentences[0]),
        GAME.advice(state).dealer,
    )
    assert "SGR-11" == refused(write(state, 5), DealsFirst(1))[0]
    assert "SGR-1" == refused(table(), DealsFirst(5))[0]


def test_help_tells_what_this_table_agreed() -> None:
    """SGR-5 and SGR-10 as options; all fifteen contracts with their buys."""
    told = {
        (cut, extras): [
            str(line)
            for section in GAME.help(GAME.read_options({"exact_cut": cut, "extras": extras}))
            for line in section.lines
        ]
        for cut in (True, False)
        for extras in (True, False)
    }
    for (cut, extras), lines in told.items():
        assert cut == any("100 points less" in line for line in lines)
        assert extras == ("Other melds may lie down in the same turn." in lines)
        assert {"Hand 1: 2 sets of 3.", "Hand 12: 5 runs of 3; at least 2 buys."} <= set(lines)


def test_deal_warns_where_the_rules_recommend_others() -> None:
    """SGR-1: three to six are best; eleven each and one card up."""
    found = GAME.deal(4, GAME.read_options({}))
    assert (2, 104, 11, 45, 59) == tuple(found[key] for key in ("packs", "cards", "each", "lift", "stock"))
    said = {players: len(GAME.deal(players, GAME.read_options({}))["sentences"]) for players in range(2, 9)}
    assert {2: 3, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3, 8: 3} == said
    with pytest.raises(BadInput, match="for 2 to 8 players, not 9"):
        GAME.deal(9, GAME.read_options({}))


def test_who_can_still_win_counts_what_exact_cuts_may_bring() -> None:
    """305 a hand at most; the one who deals may still take 100 off."""
    state = table(2, exact_cut=False)
    for number in range(14):
        state = write(state, 0, 300 if number else 305)
    assert (2,) == GAME.cannot_win(state)
    with_cut = table(2)
    for number in range(13):
        with_cut = write(with_cut, 0, 60 if number else 190)
    # East is 910 behind with two hands to go: 610 for North at the worst, 100 off for East at best.
    assert ((0, 910), (2,)) == (GAME.totals(with_cut), GAME.cannot_win(with_cut))
    close = table(2)
    for number in range(13):
        close = write(close, 0, 50 if number else 110)
    # 710 behind: 610 more for North and 100 less for East make them equal, and equal is shared.
    assert ((0, 710), ()) == (GAME.totals(close), GAME.cannot_win(close))


def test_who_has_not_closed_this_hand_has_five_at_least() -> None:
    """The last hand: North has closed it, so East ends five behind at the best."""
    state = table(2, exact_cut=False)
    for number in range(14):
        state = write(state, 0 if number % 2 else 5, 5 if number % 2 else 0)
    assert ((35, 35), ()) == (GAME.totals(state), GAME.cannot_win(state))
    assert (2,) == GAME.cannot_win(write(state, 0))


def test_history_tells_buys_cuts_and_scores() -> None:
    """A line each."""
    state = table()
    said = [
        str(GAME.describe(state, move, GAME.play(state, move)))
        for move in (DealsFirst(2), Bought(1, 3), ExactCut(1), Score(1, 1, points=15))
    ]
    assert [
        "East deals first",
        "Hand 1, South buys",
        "Exact cut by North: 100 points less",
        "Hand 1, North: 15",
    ] == said


@settings(max_examples=examples(20), deadline=None)
@given(st.data())
def test_any_sheet_can_be_filled_to_its_end(data: st.DataObject) -> None:
    """Hands dealt from two packs, tapped or as numbers: totals are the sum less the cuts."""
    players = data.draw(st.integers(2, 6))
    chance = data.draw(st.randoms(use_true_random=False))
    state = GAME.play(table(players), DealsFirst(data.draw(st.integers(1, players))))
    expected = [0] * players
    while (hand := current(state)) is not None:
        packs = [Card(rank, suit) for rank in RANKS for suit in SUITS] * 2
        chance.shuffle(packs)
        if chance.random() < 0.3:
            expected[state.dealer(hand) - 1] -= 100
            state = GAME.play(state, ExactCut(hand))
        closer = chance.choice(state.seats)
        for seat in chance.sample(state.seats, players):
            held = [] if seat == closer else [packs.pop() for _ in range(chance.randint(1, 15))]
            expected[seat - 1] += hand_points(held)
            pieces = tuple(map(str, held))
            tapped = chance.random() < 0.5
            move = Score(hand, seat, pieces=pieces) if tapped else Score(hand, seat, points=hand_points(held))
            state = GAME.play(state, move)
    assert tuple(expected) == GAME.totals(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert all(expected[seat - 1] == min(expected) for seat in outcome.winners)


def test_an_exact_cut_that_was_forgotten_is_written_later() -> None:
    """Also in a hand that is over; where it earns nothing it cannot be said."""
    state = write(write(table(), 0, 5, 5, 5), 5, 0, 5, 5)
    corrected = GAME.play(state, Correct(1, marks=("exact-cut",)))
    assert [(5, 5, 10, 10), (-95, 5, 10, 10)] == [GAME.totals(state), GAME.totals(corrected)]
    assert (5, 5, 10, 10) == GAME.totals(GAME.play(corrected, Correct(1, marks=())))
    plain = write(table(exact_cut=False), 0, 5, 5, 5)
    assert "cannot be said of a hand" in refused(plain, Correct(1, marks=("exact-cut",)))[1]


def test_a_corrected_hand_is_checked_against_two_packs() -> None:
    """SGR-1 and SGR-7 hold for what it should have been."""
    state = write(table(), 0, "KS KS", 5, 5)
    assert "SGR-7" == refused(state, Correct(1, (CellCorrection(3, points=7),)))[0]
    assert "SGR-1" == refused(state, Correct(1, (CellCorrection(3, pieces=("KS",)),)))[0]
    assert (0, 5, 10, 5) == GAME.totals(
        GAME.play(state, Correct(1, (CellCorrection(2, points=5), CellCorrection(3, pieces=("KS",)))))
    )
