"""Hog and Donkey (PIG-7, PIG-13), Spoons, and Forks and Knives (SPN-1 to SPN-6), rule by rule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.core.errors import BadInput
from companion.core.model import Lift, Press, Verdict
from companion.evening.events import RoundJudged
from companion.games import get_game
from companion.games.pig_family import NoSpoon
from companion.games.rules.prompts import ChooseSeat, Rack
from companion.testing.scenario import Scenario
from tests.support.commands import lastnose
from tests.support.evenings import PlayedGame

SPOONS = get_game("spoons")
BOTH = pytest.mark.parametrize("name", ["spoons", "forks-and-knives"])


@pytest.mark.parametrize(
    ("name", "word", "role"), [("hog", "HOG", "a pig"), ("donkey", "DONKEY", "a donkey")]
)
def test_hog_and_donkey_are_pig_with_words_of_their_own(name: str, word: str, role: str) -> None:
    """PIG-7, PIG-13: as many lives as letters, and a name for who is out."""
    evening = PlayedGame(get_game(name), 4, no_talking=True)
    for _ in range(len(word) - 1):
        evening.last(2)
    assert [1, 2, 3, 4] == evening.seats_in
    evening.last(2)
    assert ([1, 3, 4], word) == (evening.seats_in, evening.letters[1])
    labels = [str(ask.label) for ask in evening.game.asks(evening.state)[1:]]
    assert f"Talked to {role}" in labels


def test_a_donkey_tape_plays_as_its_own_game() -> None:
    """In the list of games, with six lives."""
    listed = json.loads(lastnose("games", "--json").stdout)
    names = "pig hog donkey spoons forks-and-knives magarac vatra"
    assert set(names.split()) <= {game["name"] for game in listed}


@BOTH
def test_the_rack_has_one_less_than_players(name: str) -> None:
    """SPN-1: the first N - 1 cradles, and the deck of Pig."""
    evening = PlayedGame(get_game(name), 5)
    assert Rack((1, 2, 3, 4), "confirm", 300) == evening.watch.rack
    deal = evening.game.deal(5, evening.game.read_options({}))
    assert (4, 20, 4) == (deal["spoons"], deal["cards"], deal["each"])


def test_what_lies_in_the_middle_is_said() -> None:
    """SPN-1, SPN-5: each in its own words."""
    assert (
        "Lay 3 spoons in the middle, in cradles 1 to 3: one less than players."
        in PlayedGame(SPOONS, 4).advice
    )
    forks = PlayedGame(get_game("forks-and-knives"), 3)
    assert "Lay 2 forks and knives in the middle, in cradles 1 to 2: one less than players." in forks.advice


def test_the_last_cradle_is_retired_when_a_player_leaves() -> None:
    """SPN-4: a spoon and four cards of a rank; the sensor is not in the rack from then on."""
    evening = PlayedGame(SPOONS, 5, sudden_death=True).last(3)
    assert (1, 2, 3) == evening.watch.rack.spoons
    assert [
        "South is out.",
        "Take the four tens away: 16 cards stay, A K Q J.",
        "Take one spoon away: cradle 4 stays empty.",
        "East deals.",
    ] == evening.advice


def test_two_who_leave_at_once_retire_two_cradles() -> None:
    """SPN-4, with a shared dead heat; with a stock only the spoons go."""
    evening = PlayedGame(SPOONS, 6, sudden_death=True, dead_heat="share", stock=True).last(2, 5)
    assert (1, 2, 3) == evening.watch.rack.spoons
    assert ["The deck stays as it is.", "Take 2 spoons away: cradles 4 to 5 stay empty."] == evening.advice[
        1:3
    ]


@pytest.mark.parametrize(("confirm", "phantoms"), [("confirm", 1), ("dock", 1), ("rack-only", 0)])
def test_the_help_says_what_feints_and_phantoms_are(confirm: str, phantoms: int) -> None:
    """SPN-6 and SPN-7: with this table's own limit, and of phantoms only where something is touched."""
    options = SPOONS.read_options({"confirm": confirm, "feint_ms": 150})
    helped = [str(line) for section in SPOONS.help(options) for line in section.lines]
    assert 1 == sum("within 150 ms" in line and "feint" in line for line in helped)
    assert phantoms == sum("phantom" in line for line in helped)


def test_where_nobody_sees_who_took_the_first_one_the_table_knows_who_deals() -> None:
    """PIG-11 with SPN-6: with a stock the opener deals, but a rack alone does not tell who it was."""
    evening = PlayedGame(SPOONS, 4, stock=True, confirm="rack-only")
    assert "North deals. The other 36 cards are the stock, on the dealer’s right." in evening.advice
    evening.do(Verdict()).do({"type": "no-spoon", "seat": 3})
    assert [
        "Whoever took the first one deals. The other 36 cards are the stock, on the dealer’s right.",
        "Whoever took the first one draws from the stock; the player on the dealer’s right discards.",
    ] == evening.advice
    assert SPOONS.advice(evening.state).dealer is None
    helped = [str(line) for section in SPOONS.help(evening.state.options) for line in section.lines]
    assert "Whoever took the first one deals the next: you know who, the table does not." in helped
    assert "Whoever opened a round deals the next." not in helped


def test_three_losses_and_one_is_out() -> None:
    """SPN-3: the default is a cross a loss."""
    evening = PlayedGame(SPOONS, 4).last(2).last(2)
    assert ["", "XX", "", ""] == evening.letters
    assert [1, 3, 4] == evening.last(2).seats_in


@pytest.mark.parametrize(
    ("options", "loses"),
    [
        ({}, "Whoever is last gets a cross. With three crosses you are out."),
        ({"losses": "word"}, "Whoever is last gets the next letter of SPOON. With all 5 you are out."),
        ({"sudden_death": True}, "Whoever is last is out at once."),
    ],
)
def test_the_help_says_what_a_loss_costs(options: dict[str, Any], loses: str) -> None:
    """SPN-3: crosses, letters, or at once."""
    lines = [str(line) for part in SPOONS.help(SPOONS.read_options(options)) for line in part.lines]
    assert [loses] == [line for line in lines if line.startswith("Whoever is last ")]


def test_who_took_one_too_early_counts_as_last_and_nobody_talks_here() -> None:
    """SPN-2: so says the button, and a move of Pig is refused with those that there are."""
    state = PlayedGame(SPOONS, 4).state
    (early,) = [ask for ask in SPOONS.asks(state) if isinstance(ask, ChooseSeat)]
    assert "Took too early" == str(early.label)
    assert "Whoever began without four of a kind counts as last; whoever was last does not." == str(
        early.explain
    )
    with pytest.raises(BadInput, match="Spoons has the moves “no-spoon”, “false-opener”, each with a seat"):
        SPOONS.read_move({"type": "talked", "seat": 1})


@pytest.mark.parametrize("options", [{"word": "SPOON"}, {"losses": "word"}])
def test_a_word_may_be_spelled(options: dict[str, str]) -> None:
    """SPN-3: SPOON is five lives; whoever names a word wants it spelled."""
    evening = PlayedGame(SPOONS, 4, **options)
    for _ in range(4):
        evening.last(2)
    assert (["", "SPOO", "", ""], [1, 2, 3, 4]) == (evening.letters, evening.seats_in)
    assert [1, 3, 4] == evening.last(2).seats_in


def test_out_at_once() -> None:
    """SPN-3, the other way; two are left, and both win as in Pig (SPN-2)."""
    evening = PlayedGame(SPOONS, 3, sudden_death=True).last(1)
    assert "East and South are left, and both win." == evening.end


def test_one_winner_takes_the_only_spoon() -> None:
    """SPN-2, PIG-10: with two left there is one spoon, and whoever has it wins."""
    evening = PlayedGame(SPOONS, 3, sudden_death=True, winners=1).last(1)
    assert (1,) == evening.watch.rack.spoons
    assert "South opened the one deal that decides, and wins." == evening.last(2, order=(3,)).end


@pytest.mark.parametrize("confirm", ["confirm", "dock", "rack-only"])
def test_how_a_spoon_finds_its_player_is_an_option(confirm: str) -> None:
    """SPN-6, SPN-7: it reaches whoever watches, with the time for feints."""
    evening = PlayedGame(SPOONS, 3, confirm=confirm, feint_ms=600)
    assert Rack((1, 2), confirm, 600) == evening.watch.rack  # type: ignore[arg-type]


def test_with_the_rack_alone_the_table_says_who_has_none() -> None:
    """SPN-6: the empty rack asks, and the answer is the verdict of the round."""
    evening = PlayedGame(SPOONS, 4, confirm="rack-only").do(Verdict())
    assert evening.watch is None
    assert (1, 2, 3, 4) == evening.seats("no-spoon")
    assert ["", "", "", ""] == evening.letters
    evening.do({"type": "no-spoon", "seat": 3})
    assert (["", "", "X", ""], 2) == (evening.letters, evening.dealer)
    assert (1, 2, 3) == evening.watch.rack.spoons


def test_nobody_has_no_spoon_unasked() -> None:
    """SPN-6: only an empty rack asks, and only once."""
    asked = ("SPN-6", "Nobody has asked: the rack is not empty, or the round is judged.")
    evening = PlayedGame(SPOONS, 4, confirm="rack-only")
    assert asked == evening.refused(NoSpoon(2))
    evening.do(Verdict()).do(NoSpoon(2))
    assert asked == evening.refused(NoSpoon(2))


def test_who_is_out_has_no_spoon_anyway() -> None:
    """SPN-6: the question is for those who are in."""
    evening = PlayedGame(SPOONS, 4, confirm="rack-only", sudden_death=True)
    evening.do(Verdict()).do(NoSpoon(1)).do(Verdict())
    assert (2, 3, 4) == evening.seats("no-spoon")
    assert ("SPN-6", "North is out already.") == evening.refused(NoSpoon(1))


def test_with_two_left_the_answer_decides() -> None:
    """SPN-6 and PIG-10 together."""
    evening = PlayedGame(SPOONS, 3, confirm="rack-only", sudden_death=True, winners=1)
    evening.do(Verdict()).do(NoSpoon(1)).do(Verdict()).do(NoSpoon(3))
    assert "East opened the one deal that decides, and wins." == evening.end


def test_whoever_reaches_too_early_may_be_counted_last() -> None:
    """PIG-15 for the rack."""
    assert ["", "", "X"] == PlayedGame(SPOONS, 3).do({"type": "false-opener", "seat": 3}).letters


def test_the_answer_is_an_entry_that_can_be_taken_back() -> None:
    """SPN-6 on a whole table: undo asks again."""
    table = Scenario("spoons", ["North", "East", "South"], confirm="rack-only")
    box = table.table
    box.record.append(RoundJudged(by="box", at=0.0, verdict=Verdict(), confirm_ns=1, lockout_ns=1))
    assert ["no-spoon"] == [act.move for act in table.snapshot.acts]
    table.move(type="no-spoon", seat=2)
    assert "X" == table.letters("East")
    table.undo()
    assert "" == table.letters("East")
    assert ["no-spoon"] == [act.move for act in table.snapshot.acts]
    table.move(type="no-spoon", seat=3)
    assert ["", "", "X"] == [table.letters(player) for player in table.players]


def test_deck_advice_on_the_command_line_counts_spoons() -> None:
    """SPN-1: `spoons` is a key of the advice."""
    out = lastnose("deal", "spoons", "--players", "7", "--stock", "--json").stdout
    assert (6, 52) == (json.loads(out)["spoons"], json.loads(out)["cards"])


def test_whoever_loses_a_deal_is_the_hog_until_the_next() -> None:
    """PIG-13: in the sentence, beside the name, and in no other game."""
    table = Scenario("hog", ["North", "East", "South"])
    for seats in (("North", "East", "South"), ("South", "North", "East")):
        for at, player in enumerate(seats):
            table.press(player, at_us=at * 100)
        table.judge()
        shown = table.snapshot
        assert f"Before: {seats[-1]} is the hog: H" == str(shown.proof[-1])
        assert [["the hog"] if row.player == seats[-1] else [] for row in shown.rows] == [
            [str(note) for note in row.notes] for row in shown.rows
        ]
    plain = Scenario("pig", ["North", "East", "South"])
    for at, player in enumerate(("North", "East", "South")):
        plain.press(player, at_us=at * 100)
    plain.judge()
    assert "Before: South was last: P" == str(plain.snapshot.proof[-1])
    assert not any(row.notes for row in plain.snapshot.rows)


@pytest.mark.parametrize(
    "left_open",
    [
        Verdict(order=(1,), presses=(Press(1, 50, 10, "gpio"),), feints=(Lift(2, 90, 10, "gpio"),)),
        Verdict(lifts=(Lift(2, 90, 10, "gpio"),)),
        Verdict(phantoms=(Press(1, 50, 10, "gpio"),)),
    ],
)
def test_where_feints_or_lost_edges_leave_it_open_the_table_is_asked_who_has_none(left_open: Verdict) -> None:
    """SPN-7: the round is over, and says nobody; the answer counts as the verdict does."""
    evening = PlayedGame(SPOONS, 4)
    evening.do(left_open)
    assert (1, 2, 3, 4) == evening.seats("no-spoon")
    evening.do({"type": "no-spoon", "seat": 3})
    assert [(), (), ("X",), ()] == [one.letters for one in SPOONS.standings(evening.state)]
