"""Magarac: flags on a whole table, and in any order (MAG-1, MAG-4); minutes and umpire hold the rest."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import Verdict
from lastnose.companion.games import deal, get_game
from lastnose.companion.games.magarac_family.game import NoShout, judged_again
from lastnose.companion.table.table import SystemChance
from lastnose.companion.testing.scenario import Scenario

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
    dealt = deal(game, 13, game.read_options({}))
    assert (1, 52, 4, 0) == (dealt["packs"], dealt["cards"], dealt["each"], dealt["stock"])
    with pytest.raises(BadInput):
        deal(game, 14, game.read_options({}))


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


# MAG-4: the shout


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
