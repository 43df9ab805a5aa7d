"""The developer's kit: scenarios for scripts and tests."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.errors import BadInput
from companion.testing.scenario import Scenario


def test_a_player_who_is_not_there_is_named(table: Scenario) -> None:
    """With those who are."""
    with pytest.raises(BadInput, match=r"no player “Nort”.*North, East"):
        table.press("Nort", at_us=0)


def test_a_round_that_is_not_decided_says_so(table: Scenario) -> None:
    """Two seats have not pressed."""
    table.press("North", at_us=0)
    table.press("East", at_us=10)
    with pytest.raises(BadInput, match="not decided"):
        table.judge()


def test_what_people_do_can_be_scripted(new_table: Callable[..., Scenario]) -> None:
    """Talking, voiding, undoing and correcting."""
    table = new_table("pig", ["N", "E", "S", "W"], sudden_death=True, no_talking=True)
    for at, player in enumerate(("N", "E", "S", "W")):
        table.press(player, at_us=at * 100)
    assert table.judge().last == ("W",)
    table.play("talked", "E")
    assert str(table.snapshot.headline) == "N and S win!"
    table.undo()
    assert table.players_in == ("N", "E", "S")
    table.amend({"type": "void", "reason": "too early"})
    assert table.players_in == ("N", "E", "S", "W")
    table.undo()
    table.redo()
    assert table.players_in == ("N", "E", "S", "W")


def test_calls_take_effect_in_order(new_table: Callable[..., Scenario]) -> None:
    """A press and then a void: it is the round of that press that does not count, not the one before."""
    table = new_table("pig", ["N", "E", "S"])
    for at, player in enumerate(("N", "E", "S")):
        table.press(player, at_us=at * 100)
    assert table.judge().last == ("S",)
    table.press("N", at_us=0)
    table.void("too early")
    assert (table.letters("S"), "This round does not count.") == ("P", str(table.snapshot.headline))


def test_hold_counts_from_the_present_touch(new_table: Callable[..., Scenario]) -> None:
    """North lets go too early and comes back last."""
    table = new_table("pig", ["North", "East", "South"], hold=True)
    table.press("North", at_us=0)
    table.release("North", at_us=100_000)
    table.press("East", at_us=150_000)
    table.press("South", at_us=200_000)
    table.press("North", at_us=200_700)
    result = table.judge()
    assert (result.last, result.margin_us) == (("North",), 700)


def test_a_plain_script_works_without_pytest(tmp_path: Path) -> None:
    """The README's example, run as a newcomer would."""
    script = tmp_path / "evening.py"
    script.write_text(
        "from companion.testing.scenario import Scenario\n"
        "table = Scenario('pig', ['North', 'East', 'South'], word='OINK')\n"
        "table.press('North', at_us=0)\n"
        "table.press('East', at_us=300)\n"
        "table.press('South', at_us=712)\n"
        "print(table.judge().last, table.letters('South'))\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == "('South',) O\n"
