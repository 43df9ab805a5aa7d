"""Magarac, rule by rule (MAG-1 to MAG-6, MAG-8)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInput, IllegalMove
from companion.core.model import Verdict
from companion.games import get_game
from companion.games.rules.prompts import ChooseSeat, WatchNoses
from companion.games.slap_family.game import FirstDealer, NoShout, judged_again
from companion.table.chance import SystemChance
from companion.testing.scenario import Scenario
from tests.support.commands import lastnose
from tests.support.evenings import NAMES, PlayedGame
from tests.support.examples import examples

MAGARAC = get_game("magarac")
TRAVEL = pytest.mark.parametrize("name", ["magarac", "vatra"])


class Lot:
    """Chance that says what it is told."""

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def pick(self, count: int) -> int:
        """Return the number."""
        assert self.number < count
        return self.number

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers backwards."""
        return tuple(reversed(range(count)))


def table(players: int = 4, **options: object) -> PlayedGame:
    """Return a new game."""
    return PlayedGame(MAGARAC, players, **options)


# MAG-1, MAG-5: the deal


@TRAVEL
def test_three_to_thirteen_play(name: str) -> None:
    """MAG-1: N ranks of four, no stock; thirteen take the whole pack."""
    game = get_game(name)
    assert (3, 13) == game.seats
    deal = game.deal(13, game.read_options({}))
    assert (1, 52, 4, 0) == (deal["packs"], deal["cards"], deal["each"], deal["stock"])
    with pytest.raises(BadInput):
        game.deal(14, game.read_options({}))


def test_chance_names_the_first_dealer() -> None:
    """MAG-1: the lot is a move, for the log to hold."""
    evening = table(5)
    assert FirstDealer(3) == MAGARAC.by_chance(evening.state, None, Lot(2))
    evening.do(FirstDealer(3))
    assert 3 == evening.dealer
    assert "South deals all cards, clockwise; West starts." in evening.advice


def test_every_seat_may_be_drawn() -> None:
    """MAG-1: the system's chance is fair enough to name all of four in 200 draws."""
    state = table(4).state
    drawn = {MAGARAC.by_chance(state, None, SystemChance()).seat for _ in range(200)}
    assert {1, 2, 3, 4} == drawn
    assert set(range(9)) == set(SystemChance().order(9))


def test_the_lot_is_kept_in_the_log() -> None:
    """MAG-1 on a whole table: the state after a restart is the one that was drawn."""
    scenario = Scenario("magarac", NAMES[:4], chance=Lot(2))
    assert [3] == [row.seat for row in scenario.snapshot.rows if row.dealer]
    assert "South deals first" in [str(view.headline) for view in scenario.table.queries.rounds()]


def test_the_table_may_name_the_first_dealer_itself() -> None:
    """MAG-1: until the first round has been judged."""
    evening = table().do({"type": "first-dealer", "seat": 2})
    assert (2, (1, 2, 3, 4)) == (evening.dealer, evening.seats("first-dealer"))
    evening.last(4)
    assert () == evening.seats("first-dealer")
    assert "MAG-1" == evening.refused(FirstDealer(1))[0]


def test_the_deal_passes_left_after_every_round() -> None:
    """MAG-5: past the last seat to the first, also past who has letters."""
    evening = table().do(FirstDealer(3))
    dealers = [evening.last(1).dealer for _ in range(3)]
    assert [4, 1, 2] == dealers


# MAG-3, MAG-6: letters and the end


def test_whoever_is_last_gets_a_letter_and_nobody_leaves() -> None:
    """MAG-6: after six letters everybody is still in."""
    evening = table()
    for _ in range(6):
        evening.last(2)
    assert (["", "MAGARA", "", ""], [1, 2, 3, 4]) == (evening.letters, evening.seats_in)
    assert evening.end is None


def test_the_first_whole_word_ends_the_game_for_one() -> None:
    """MAG-6: that player alone loses; nobody wins."""
    evening = table(word="ON").last(2).last(3).last(2)
    outcome = MAGARAC.outcome(evening.state)
    assert ((), (2,)) == (outcome.winners, outcome.losers)
    assert "East has all of ON. The game ends there." == evening.end
    assert evening.watch is None
    assert "MAG-6" == evening.refused(Verdict(order=(1, 2, 3), last=(4,)))[0]


def test_two_whole_words_at_once_are_played_again() -> None:
    """MAG-6: one player alone loses, even where a dead heat is shared."""
    evening = table(word="ON", dead_heat="share").last(2).last(3)
    assert ["", "O", "O", ""] == evening.last(2, 3).letters
    assert ["", "O", "O", "O"] == evening.last(4).letters
    assert "East has all of ON. The game ends there." == evening.last(1, 2).end


def test_a_dead_heat_is_played_again_by_the_same_dealer() -> None:
    """Law 4."""
    evening = table().last(2).last(3, 4)
    assert (["", "M", "", ""], 2) == (evening.letters, evening.dealer)


# MAG-4: the shout


def test_a_slap_without_a_shout_is_not_there() -> None:
    """MAG-4: South was last, but East kept silent: the letter moves to East."""
    evening = table().last(3, order=(1, 2, 4, 3)).do({"type": "did-not-shout", "seat": 2})
    assert (["", "M", "", ""], 2) == (evening.letters, evening.dealer)


def test_two_who_kept_silent_are_a_dead_heat() -> None:
    """MAG-4: nobody gets a letter, and the deal is played again."""
    evening = table().last(3, order=(1, 2, 4, 3)).do(NoShout(2)).do(NoShout(1))
    assert (["", "", "", ""], 1) == (evening.letters, evening.dealer)


def test_two_who_kept_silent_share_where_a_dead_heat_is_shared() -> None:
    """MAG-4."""
    evening = table(dead_heat="share").last(3, order=(1, 2, 4, 3)).do(NoShout(4)).do(NoShout(1))
    assert ["M", "", "", "M"] == evening.letters


def test_those_who_are_not_there_are_told_in_the_order_of_their_seats() -> None:
    """MAG-4: of nine seat 9 was last; 9, 8 and 1 kept silent, and the others slapped in their order."""
    evening = table(9).last(9)
    assert MAGARAC.revised_verdict(evening.state) is None
    again = MAGARAC.revised_verdict(evening.do(NoShout(9)).do(NoShout(8)).do(NoShout(1)).state)
    assert again is not None
    assert ((2, 3, 4, 5, 6, 7), (1, 8, 9)) == (again.order, again.last)
    assert (True, None, None) == (again.dead_heat, again.margin_ns, again.u_ns)


def test_whoever_never_slapped_is_not_there_either() -> None:
    """MAG-4: without a press of the last seat, a silent one makes two who are not there."""
    evening = table().do(Verdict(order=(1, 2, 4), last=(3,))).do(NoShout(2))
    assert ["", "", "", ""] == evening.letters


def test_whoever_was_last_and_silent_stays_last() -> None:
    """MAG-4."""
    evening = table().last(3).do(NoShout(3))
    assert ["", "", "M", ""] == evening.letters


def test_a_dead_heat_is_settled_by_a_missing_shout() -> None:
    """MAG-4: of two who could not be told apart one did not shout."""
    assert ["", "", "", "M"] == table().last(3, 4).do(NoShout(4)).letters


def test_the_window_closes_with_the_next_round() -> None:
    """MAG-4: a flag touches only the last verdict; what came before stays."""
    evening = table().last(3).last(4).do(NoShout(1))
    assert ["M", "", "M", ""] == evening.letters
    assert (2, 3, 4) == evening.seats("did-not-shout")
    assert "MAG-4" == evening.refused(NoShout(1))[0]


def test_a_new_round_forgets_who_was_silent() -> None:
    """MAG-4: whoever kept silent in the last round may be flagged, and last, anew."""
    evening = table().last(3).do(NoShout(2)).last(4)
    assert (1, 2, 3, 4) == evening.seats("did-not-shout")
    assert ["", "MA", "", ""] == evening.do(NoShout(2)).letters


def test_there_must_have_been_a_round() -> None:
    """MAG-4."""
    assert () == table().seats("did-not-shout")
    assert "MAG-4" == table().refused(NoShout(1))[0]
    assert ("MAG-4", "There is no seat 9 in this game.") == table().last(2).refused(NoShout(9))


def test_the_last_letter_can_be_challenged_too() -> None:
    """MAG-4: the game that had ended goes on, on a whole table, and undo ends it again."""
    scenario = Scenario("magarac", NAMES[:3], word="A")
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    assert ("South",) == scenario.judge().last
    assert ("won", ["did-not-shout"]) == (scenario.snapshot.phase, [a.move for a in scenario.snapshot.acts])
    scenario.play("did-not-shout", "North")
    assert ["A", "", ""] == [scenario.letters(player) for player in scenario.players]
    scenario.play("did-not-shout", "East")
    assert ["", "", ""] == [scenario.letters(player) for player in scenario.players]
    scenario.wait(5)
    assert "armed" == scenario.snapshot.phase
    scenario.undo()
    scenario.undo()
    assert ["", "", "A"] == [scenario.letters(player) for player in scenario.players]


def test_every_flag_is_taken_back_by_itself() -> None:
    """MAG-4: each is an entry of the log with a sentence."""
    scenario = Scenario("magarac", NAMES[:3])
    for seat, player in enumerate(NAMES[:3]):
        scenario.press(player, at_us=1_000 * seat)
    scenario.judge()
    scenario.play("did-not-shout", "East")
    scenario.play("did-not-shout", "North")
    assert "North did not shout" == str(scenario.snapshot.undo.says)
    scenario.undo()
    assert ["", "M", ""] == [scenario.letters(player) for player in scenario.players]
    scenario.undo()
    assert ["", "", "M"] == [scenario.letters(player) for player in scenario.players]
    scenario.redo()
    assert ["", "M", ""] == [scenario.letters(player) for player in scenario.players]


@settings(max_examples=examples(60), deadline=None)
@given(data=st.data(), players=st.integers(3, 13))
def test_flags_do_not_depend_on_their_order(data: st.DataObject, players: int) -> None:
    """MAG-4: and they are judged as if the silent had never pressed, by another route."""
    order = data.draw(st.permutations(range(1, players + 1)))
    pressed = order if data.draw(st.booleans()) else order[:-1]
    verdict = Verdict(order=tuple(pressed), last=(order[-1],))
    silent = data.draw(st.lists(st.sampled_from(order), unique=True, max_size=players))
    there = [seat for seat in pressed if seat not in silent]
    missing = sorted(set(order) - set(there))
    again = judged_again(verdict, silent)
    assert tuple(there) == (again.order if silent else tuple(pressed))
    assert tuple(missing if silent else order[-1:]) == again.last
    one, other = table(players), table(players)
    one.do(verdict)
    other.do(verdict)
    for seat in silent:
        one.do(NoShout(seat))
    for seat in reversed(silent):
        other.do(NoShout(seat))
    assert (one.letters, one.dealer) == (other.letters, other.dealer)
    assert sum(map(len, one.letters)) == (len(again.last) == 1)


# MAG-8: the travel card


@TRAVEL
@pytest.mark.parametrize(
    ("players", "card", "cards"), [(3, "7D", 13), (7, "7D", 29), (8, "Joker", 33), (13, "Joker", 53)]
)
def test_the_travel_card_is_a_seven_until_the_sevens_are_in_play(
    name: str, players: int, card: str, cards: int
) -> None:
    """MAG-8: 4N + 1 cards."""
    arguments = ["deal", name, "--players", str(players), "--travel-card", "--json"]
    advice = json.loads(lastnose(*arguments).stdout)
    assert (card, cards, [card]) == (advice["travel_card"], advice["cards"], advice["odd"])
    assert (card == "7D") == ("7" not in advice["ranks"])


@TRAVEL
def test_the_deck_advice_says_who_has_five_cards(name: str) -> None:
    """MAG-8: the starter, left of the dealer; the card is shown, then hidden."""
    evening = PlayedGame(get_game(name), 4, travel_card=True).do(FirstDealer(4))
    assert [
        "From one pack, take all aces, kings, queens and jacks: 16 cards.",
        "Add the 7♦ as the travel card: 17 cards in all.",
        "Everybody gets four cards and collects four of a kind.",
        "West deals all cards, clockwise; North starts.",
        "The extra card goes to North, who starts and has five cards.",
        "Whoever holds the travel card shows it round, then shuffles it into their hand, unseen.",
    ] == evening.advice
    assert "The extra card goes to East, who starts and has five cards." in evening.last(1).advice
    eight = PlayedGame(get_game(name), 8, travel_card=True)
    assert "Add a joker as the travel card, as the sevens are in play: 33 cards in all." in eight.advice


@TRAVEL
def test_refusing_and_the_spoilt_hand_are_explained(name: str) -> None:
    """MAG-8: on the page while it is played, and in the help."""
    game = get_game(name)
    notes = PlayedGame(game, 4, travel_card=True).notes
    assert any("refused unseen" in note for note in notes)
    assert any("with the travel card is not enough" in note for note in notes)
    assert [] == PlayedGame(game, 4).notes
    helped = [
        str(line) for part in game.help(game.read_options({"travel_card": True})) for line in part.lines
    ]
    assert set(notes) <= set(helped)


def test_help_names_the_word_of_this_table() -> None:
    """MAG-6: and the tips of the source are there."""
    helped = " ".join(
        str(line) for part in MAGARAC.help(MAGARAC.read_options({"word": "OSEL"})) for line in part.lines
    )
    assert "Whoever is last gets the next letter of OSEL. Nobody leaves." in helped
    assert "Never break a pair" in helped


def test_whoever_slaps_too_early_may_be_counted_last() -> None:
    """PIG-15: a letter, the deal passes, and there is nothing to challenge."""
    evening = table().do({"type": "false-opener", "seat": 4})
    assert (["", "", "", "M"], 2, ()) == (evening.letters, evening.dealer, evening.seats("did-not-shout"))


def flagged_in_the_next_round(gap_us: float, **options: object) -> Scenario:
    """Return a table at which North is flagged for round 1 when East has opened round 2."""
    table = Scenario("magarac", ["North", "East", "South"], **options)
    for number, player in enumerate(("North", "East", "South")):
        table.press(player, at_us=number * gap_us)
    table.judge()
    table.press("East", at_us=0)
    table.wait(0.1)
    table.move(type="did-not-shout", seat=1)
    return table


def voids(table: Scenario) -> list[str | None]:
    """Return why the rounds do not count, if they do not."""
    run = table.table.record.evening.match
    assert run is not None
    verdicts = [entry.verdict for entry in run.entries if entry.verdict is not None]
    return [None if verdict.void is None else str(verdict.void) for verdict in verdicts]


def test_a_flag_leaves_the_round_in_progress_alone() -> None:
    """MAG-4: it is about the round before, until this one is judged."""
    table = flagged_in_the_next_round(50_000)
    assert ("judging", "M") == (table.snapshot.phase, table.letters("North"))
    table.press("North", at_us=200_000)
    table.wait(1)
    assert ["M", "", "M"] == [table.letters(player) for player in table.players]
    assert [None, None] == voids(table)


def test_a_flag_that_ends_the_game_ends_the_round_in_progress() -> None:
    """MAG-6: a dead heat becomes the last letter of one, and nothing is left to play for."""
    table = flagged_in_the_next_round(0, word="M")
    assert "won" == table.snapshot.phase
    assert [None, "The table changed in the middle of the round."] == voids(table)


@pytest.mark.parametrize("name", ["magarac", "vatra"])
def test_who_kept_silent_is_asked_for_ten_seconds_unless_the_table_wants_no_hurry(name: str) -> None:
    """MAG-4: the default is 10 s; later the same move is the host's, until the next round is judged."""
    game = get_game(name)
    hurried, calm = (PlayedGame(game, 4, **options).last(2) for options in ({}, {"challenge_s": 0}))
    asked = [
        (ask.within_s, str(ask.prompt))
        for evening in (hurried, calm)
        for ask in game.asks(evening.state)
        if isinstance(ask, ChooseSeat) and ask.move == "did-not-shout"
    ]
    assert [
        (10, "Asked for 10 s; the host can say it until the next round is judged."),
        (0, "Can be said until the next round is judged."),
    ] == asked


# A dead heat that is played again


@TRAVEL
def test_a_round_played_again_moves_neither_deal_nor_dealer(name: str) -> None:
    """PIG-14, MAG-5: seat 3 deals a dead heat and deals again; after the round that counts it is 4."""
    game = get_game(name)
    state = game.new(NAMES[:4], game.read_options({"dead_heat": "replay"}))
    state = game.play(state, FirstDealer(3))
    heat = game.play(state, Verdict(order=(1, 2, 3, 4), last=(3, 4), dead_heat=True))
    assert (3, 0, state.marks) == (heat.dealer, heat.deals, heat.marks)
    counted = game.play(heat, Verdict(order=(1, 2, 3, 4), last=(4,)))
    assert (4, 1) == (counted.dealer, counted.deals)


@TRAVEL
def test_who_deals_first_is_settled_once_a_round_was_judged_though_it_is_played_again(name: str) -> None:
    """MAG-1: nobody changes the dealer between a dead heat and its repetition, nor is asked to."""
    game = get_game(name)
    state = game.new(NAMES[:4], game.read_options({"dead_heat": "replay"}))
    heat = game.play(state, Verdict(order=(1, 2, 3, 4), last=(3, 4), dead_heat=True))
    assert "first-dealer" in [ask.move for ask in game.asks(state) if isinstance(ask, ChooseSeat)]
    assert "first-dealer" not in [ask.move for ask in game.asks(heat) if isinstance(ask, ChooseSeat)]
    with pytest.raises(IllegalMove, match="The first deal has been played"):
        game.play(heat, FirstDealer(2))


@TRAVEL
@pytest.mark.parametrize("hold", [True, False])
def test_the_box_is_told_whether_noses_must_be_held(name: str, hold: bool) -> None:
    """The option reaches those who watch the noses."""
    game = get_game(name)
    state = game.new(NAMES[:4], game.read_options({"hold": hold}))
    assert [WatchNoses((1, 2, 3, 4), hold=hold)] == [
        ask for ask in game.asks(state) if isinstance(ask, WatchNoses)
    ]


def test_two_words_completed_at_once_are_played_again_by_the_same_dealer() -> None:
    """MAG-6, MAG-5: both are a letter short, both were last; one alone can lose, so seat 1 deals again."""
    state = MAGARAC.new(NAMES[:4], MAGARAC.read_options({"word": "AB", "dead_heat": "share"}))
    state = MAGARAC.play(state, FirstDealer(3))
    state = MAGARAC.play(state, Verdict(order=(1, 2, 3, 4), last=(3, 4), dead_heat=True))
    assert ((0, 0, 1, 1), 4, 1) == (state.marks, state.dealer, state.deals)
    again = MAGARAC.play(state, Verdict(order=(1, 2, 3, 4), last=(3, 4), dead_heat=True))
    assert ((0, 0, 1, 1), 4, 1) == (again.marks, again.dealer, again.deals)
