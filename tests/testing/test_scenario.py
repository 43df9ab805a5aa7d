"""The developer's kit: scenarios for scripts and tests."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from lastnose.companion.core.errors import BadInput
from lastnose.companion.testing.scenario import Scenario


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


def test_a_round_that_asks_who_is_first_says_what_it_waits_for(new_table: Callable[..., Scenario]) -> None:
    """Quiz waits for its host to open the noses; then one press is enough."""
    quiz = new_table("quiz", ["North", "East", "South"])
    quiz.press("East", at_us=0)
    with pytest.raises(BadInput, match=r"No round is armed, so no press counts: call arm\(\) first\."):
        quiz.judge()
    quiz.release("East", at_us=10)
    quiz.arm()
    with pytest.raises(BadInput, match=r"not decided: nobody has pressed\."):
        quiz.judge()
    quiz.press("East", at_us=3_000_000)
    assert ("East",) == quiz.judge().first


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
        "from lastnose.companion.testing.scenario import Scenario\n"
        "table = Scenario('pig', ['North', 'East', 'South'], word='OINK')\n"
        "table.press('North', at_us=0)\n"
        "table.press('East', at_us=300)\n"
        "table.press('South', at_us=712)\n"
        "print(table.judge().last, table.letters('South'))\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == "('South',) O\n"


def three(table: Scenario, at_us: tuple[float, float, float]) -> None:
    """North, East and South touch their noses."""
    for player, at in zip(("North", "East", "South"), at_us, strict=True):
        table.press(player, at_us=at)


@pytest.fixture
def trio(new_table: Callable[..., Scenario]) -> Scenario:
    """Pig among three."""
    return new_table("pig", ["North", "East", "South"])


def test_pins_of_gpiozeros_own_factory_are_moved_as_its_users_write_it(trio: Scenario) -> None:
    """412 µs between the last two, whatever gpiozero's own clock said; then all let go, and it goes on."""
    factory = MockFactory()
    trio.wire(factory, {"North": 17, "East": 27, "South": 22})
    for at_us, number in ((0, 17), (300, 27), (712, 22)):
        trio.at(at_us)
        factory.pin(number).drive_low()
    result = trio.judge()
    assert (("South",), 412, "P") == (result.last, result.margin_us, trio.letters("South"))
    for at_us, number in ((0, 22), (50, 17), (75, 27)):
        trio.at(at_us)
        factory.pin(number).drive_low()
    assert ("East",) == trio.judge().last


def test_pins_that_nothing_can_move_are_refused(trio: Scenario) -> None:
    """A factory whose pins have no `drive_low`."""

    class Real:
        def pin(self, spec: int) -> object:
            return object()

    with pytest.raises(BadInput, match="MockFactory"):
        trio.wire(Real(), {"North": 17})


def test_what_is_lost_makes_the_round_void_when_it_could_have_been_the_last(trio: Scenario) -> None:
    """South's press falls into the loss: East, or South, may have been last."""
    trio.lose("South", from_us=100, to_us=1_000)
    three(trio, (0, 300, 712))
    result = trio.judge()
    assert ((), True) == (result.last, "may be lost" in (result.void or ""))
    three(trio, (0, 300, 712))
    assert ("South",) == trio.judge().last


def test_a_loss_that_cannot_change_who_was_last_changes_nothing(trio: Scenario) -> None:
    """North is down before it begins, and South touches long after its end."""
    trio.lose("North", from_us=100, to_us=1_000)
    three(trio, (0, 300, 50_000))
    assert ("South",) == trio.judge().last


def test_a_touch_that_is_told_late_takes_the_verdict_back(trio: Scenario) -> None:
    """South touched before East; by the time this is told South has been named."""
    trio.press("South", at_us=200, late_us=1_500_000)
    trio.press("North", at_us=0)
    trio.press("East", at_us=300)
    result = trio.judge()
    assert ((), True) == (result.last, "too late" in (result.void or ""))


def test_a_second_clock_widens_what_is_compared_with_it(trio: Scenario) -> None:
    """Its 500 µs and two stamps of 1 µs: 412 µs is a dead heat, 1,412 µs is not."""
    trio.second_clock("South", u_us=500)
    three(trio, (0, 300, 712))
    close = trio.judge()
    assert (("East", "South"), 502) == (close.last, close.u_us)
    three(trio, (0, 300, 1_712))
    assert ("South",) == trio.judge().last


def test_a_reboot_in_the_middle_of_a_round_makes_it_void(trio: Scenario) -> None:
    """And the next one counts: afterwards it says how the lines stand."""
    trio.reboot(at_us=400, for_us=1_000)
    three(trio, (0, 300, 712))
    assert () == trio.judge().last
    three(trio, (0, 300, 712))
    assert ("South",) == trio.judge().last


def test_a_wire_that_is_cut_is_a_nose_that_nobody_touches(trio: Scenario) -> None:
    """South's hand was there first; no judge can see that."""
    trio.cut("South", at_us=0)
    three(trio, (100, 300, 50))
    assert ("South",) == trio.judge().last


def test_a_time_before_the_round_is_refused(trio: Scenario) -> None:
    """As is a loss that ends before it begins."""
    with pytest.raises(BadInput, match="start of the round"):
        trio.press("North", at_us=-1)
    with pytest.raises(BadInput, match="from_us before to_us"):
        trio.lose("North", from_us=20, to_us=10)
    for none in (float("nan"), float("inf")):
        with pytest.raises(BadInput, match="0 µs or more"):
            trio.press("North", at_us=none)
    with pytest.raises(BadInput, match="−5 µs"):
        trio.press("North", at_us=10, late_us=-5)
    with pytest.raises(BadInput, match="−1 µs"):
        Scenario(u_us=-1)
    three(trio, (0, 300, 712))
    assert ("South",) == trio.judge().last, "what was refused has moved nothing"


def test_a_scenario_needs_no_store_no_page_and_no_hardware() -> None:
    """A game's author waits for nothing of these, and nothing of them can be missing."""
    program = (
        "import sys, lastnose.companion.testing.scenario, lastnose.companion.testing.pytest_plugin\n"
        "names = [name.removeprefix('lastnose.').removeprefix('companion.') for name in sys.modules]\n"
        "print([name for name in names if name.startswith('table.store') or name.split('.')[0] in "
        "('web', 'hardware', 'app', 'cli', "
        "'sqlite3', 'flask', 'gpiozero', 'luma', 'PIL', 'serial')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
