"""An evening of Spoons: who touches without one, who bluffs, who is late for the last."""

from __future__ import annotations

from pathlib import Path

import pytest
from lastnose.companion.cli.watch import said
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Play, Start
from lastnose.companion.i18n import translator
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.replay import load_tape, replay
from lastnose.companion.table.table import Table
from lastnose.companion.testing.scenario import Scenario
from lastnose.hardware.sources.mock import Mock
from lastnose.web.encoding import plain


def test_the_last_spoon_goes_by_412_microseconds() -> None:
    """East and South both reach for spoon 1; East's nose is first."""
    table = Scenario("spoons", ["North", "East", "South"])
    table.lift(2, at_us=0)
    table.press("North", at_us=350_000)
    table.lift(1, at_us=400_000)
    table.press("East", at_us=900_000)
    table.press("South", at_us=900_412)
    result = table.judge()
    assert (("South",), 412.0) == (result.last, result.margin_us)
    assert "X" == table.letters("South")


def test_a_feint_and_a_bluff_are_shown_and_not_counted() -> None:
    """North lifts and puts back; South falls for it and touches. Nothing has begun."""
    table = Scenario("spoons", ["North", "East", "South"])
    table.lift(1, at_us=0)
    table.put_back(1, at_us=120_000)
    table.press("South", at_us=300_000)
    table.release("South", at_us=500_000)
    table.lift(1, at_us=1_000_000)
    table.press("East", at_us=1_200_000)
    table.lift(2, at_us=1_300_000)
    table.press("North", at_us=1_500_000)
    assert ("South",) == table.judge().last
    shown = [str(line) for line in table.table.queries.rounds()[-1].proof]
    assert "1 feint: back at once." in shown
    assert "Touched without one, which does not count: South." in shown
    finish = table.table.queries.rounds()[-1].finish
    assert finish is not None
    assert ["feint", "phantom", "lift", "lift"] == [aside.kind for aside in finish.asides]
    assert [-1_000_000_000, -700_000_000, 0, 300_000_000] == [aside.t_ns for aside in finish.asides]


@pytest.mark.parametrize(("back_us", "phase"), [(120_000, "armed"), (2_000_000, "judging")])
def test_a_spoon_that_is_back_has_opened_the_round_unless_it_was_a_feint(back_us: int, phase: str) -> None:
    """A feint is back within 300 ms; after two seconds somebody had it, and the others may go on."""
    table = Scenario("spoons", ["North", "East", "South"])
    table.arm()
    table.lift(1, at_us=0)
    table.put_back(1, at_us=back_us)
    table.wait(1)
    assert phase == table.snapshot.phase


def test_of_a_round_that_the_table_is_asked_about_no_touch_is_called_a_bluff() -> None:
    """East's spoon was reported too late, and back soon after: whether East had it is what is asked."""
    tape = Path(__file__).parent.parent / "tapes" / "spn-7-a-lift-told-too-late-is-asked.jsonl"
    asked = next(one for one in replay(load_tape(tape)).queries.rounds() if one.number)
    assert "Who has none?" == str(asked.headline)
    assert ["Touched, with one or without: East."] == [str(line) for line in asked.proof]


def test_a_round_that_a_feint_leaves_open_says_when_it_asks_and_goes_on_with_the_answer() -> None:
    """Spoon 2 is back at 0.3 s, 5 µs before East touches, each sure to 10 µs: nobody knows who has it.

    By the stamps East touched without; at 10.3 s the table asks, on every screen, and South's cross is told.
    """
    table = Scenario("spoons", ["North", "East", "South"], u_us=10)
    table.lift(1, at_us=0)
    table.press("North", at_us=50_000)
    table.lift(2, at_us=200_000)
    table.put_back(2, at_us=300_000)
    table.press("East", at_us=300_005)
    table.wait(9.9)
    assert "judging" == table.snapshot.phase
    assert (
        "Touched without one, as it looks: East. Where nobody can tell, the table is asked ten seconds later."
        == str(table.snapshot.proof[-1])
    )
    table.wait(0.2)
    state = plain(table.snapshot, translator("fr"))
    assert "Qui n’a rien ?" in said(state).replace("\u00a0", " ")
    assert "" == table.letters("East") == table.letters("South")
    table.play("no-spoon", "South")
    assert "South was last: X" == str(table.snapshot.headline)


def test_a_spoon_in_the_dock_counts_after_a_second() -> None:
    """East's spoon lies in its dock for half a second only."""
    table = Scenario("spoons", ["North", "East", "South"], confirm="dock")
    table.lift(1, at_us=0)
    table.dock("East", at_us=300_000)
    table.undock("East", at_us=800_000)
    table.dock("South", at_us=1_000_000)
    table.lift(2, at_us=1_100_000)
    table.dock("North", at_us=1_200_000)
    result = table.judge()
    assert (("South", "North"), ("East",)) == (result.order, result.last)


def test_when_the_rack_is_empty_the_table_says_who_has_none() -> None:
    """No nose is touched; the next round is armed for as many spoons as before."""
    table = Scenario("spoons", ["North", "East", "South"], confirm="rack-only")
    table.lift(1, at_us=0)
    table.lift(2, at_us=200_000)
    assert () == table.judge().last
    assert "Who has none?" == str(table.snapshot.headline)
    table.play("no-spoon", "East")
    assert "X" == table.letters("East")


def test_an_empty_cradle_holds_up_the_round_and_is_named() -> None:
    """Spoon 2 stays away after the first round: the table waits for it."""
    table = Scenario("spoons", ["North", "East", "South"])
    for cradle, player in ((1, "North"), (2, "East")):
        table.lift(cradle, at_us=cradle * 300_000)
        table.press(player, at_us=cradle * 300_000 + 200_000)
    table.wait(1)
    for player in ("North", "East"):
        table.release(player, at_us=3_000_000)
    table.put_back(1, at_us=3_000_000)
    table.wait(1)
    table.arm()
    assert "blocked" == table.snapshot.phase
    assert "Cradle 2 is empty." == str(table.snapshot.headline)
    table.put_back(2, at_us=1_000)
    table.wait(1)
    assert "armed" == table.snapshot.phase


def test_an_appeal_judges_a_round_of_spoons_from_its_tape() -> None:
    """With the same settings it is the same; the round's own tape says so too."""
    table = Scenario("spoons", ["North", "East", "South"])
    table.lift(1, at_us=0)
    table.press("North", at_us=350_000)
    table.lift(2, at_us=400_000)
    table.press("South", at_us=900_000)
    assert ("East",) == table.judge().last
    seq = table.table.queries.last_judged()
    again = table.table.queries.appeal(seq, 2_000_000, 20_000_000)
    assert table.table.queries.round(seq).headline == again.headline
    assert '"line":"spoon.2"' in table.table.queries.tape(seq)


def test_a_table_whose_rack_is_too_small_says_so() -> None:
    """Five players want four spoons; there are three cradles."""
    table = Scenario("pig", ["North", "East", "South", "West", "Rose"])
    table.table.cradles = 3
    with pytest.raises(BadInput, match="has 3 cradles: that is too few for 5 players"):
        table.table.execute(Start("spoons", table.players, {}), "script")
    assert "pig" == table.snapshot.game


def test_with_the_rack_alone_nobody_needs_a_nose() -> None:
    """Three players, no button at all: the rack is emptied, the table says who went without, and so on."""
    mock = Mock(("spoon.1", "spoon.2"), scripted=True)
    table = Table(MemoryStore(), (), cradles=2, clock_ns=lambda: 0)
    mock.start(table.feed, lambda _: None)
    players = ("North", "East", "South")
    with pytest.raises(BadInput, match="has 0 noses"):
        table.execute(Start("spoons", players, {}), "script")
    table.execute(Start("spoons", players, {"confirm": "rack-only"}), "script")
    for cradle in (1, 2):
        mock.drive(f"spoon.{cradle}", 0, cradle * 1_000_000_000, StampWorth(0))
    mock.promise(5_000_000_000)
    assert "Who has none?" == str(table.publish().headline)
    assert ["", "", ""] == [row.line for row in table.snapshot.rows]
    assert '"line":"spoon.1"' in table.queries.tape(table.queries.last_judged())
    table.execute(Play({"type": "no-spoon", "seat": 3}), "script")
    assert ("X",) == table.snapshot.rows[2].letters
