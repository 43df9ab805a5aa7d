"""Lamps and signals of an evening: what is lit, what blinks, what is heard, and that it is heard once."""

from __future__ import annotations

from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.news import cued, lamps
from lastnose.companion.views.snapshot import Snapshot


class Ear:
    """Hears what a speaker at the table would."""

    def __init__(self, table: Scenario) -> None:
        self.heard: list[str] = []
        self._until = table.table.snapshot.signalled
        table.table.subscribe(self._listen)

    def _listen(self, snapshot: Snapshot) -> None:
        if snapshot.signalled != self._until:
            self._until = snapshot.signalled
            self.heard += snapshot.signals


def lights(table: Scenario) -> str:
    """Return the lamps by seat, a word each."""
    return " ".join(lamp.light for lamp in table.snapshot.lamps)


def round_of(table: Scenario, *players: str, gap_us: float = 1_000) -> None:
    """Let *players* press in this order (20 ms after the opener), judge, and let the table arm itself."""
    opener, *others = players
    table.press(opener, at_us=0)
    table.wait(0.01)
    for number, player in enumerate(others):
        table.press(player, at_us=20_000 + number * gap_us)
    table.judge()


def test_lamps_are_lit_for_who_is_in_and_blink_for_who_is_awaited() -> None:
    """Steady before the opener, steady again on the press; then who was last blinks."""
    table = Scenario("pig", ["North", "East", "South"])
    assert "on on on" == lights(table)
    table.press("East", at_us=0)
    table.wait(0.01)
    assert "blink on blink" == lights(table)
    table.press("North", at_us=5_000_000)
    table.press("South", at_us=5_500_000)
    table.wait(1)
    assert "on on blink" == lights(table)


def test_while_people_deal_only_those_blink_of_whom_something_is_due() -> None:
    """Nothing counts: all off. East holds her nose as it is armed: hers blinks."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    assert ("deal", "off off off") == (table.snapshot.stage, lights(table))
    table.press("East", at_us=0)
    table.wait(0.1)
    table.arm()
    assert ("blocked", "off blink off") == (table.snapshot.phase, lights(table))
    table.release("East", at_us=5_000_000)
    table.wait(1)
    assert ("on", "on on on") == (table.snapshot.stage, lights(table))


def test_lamps_of_who_is_out_stay_dark() -> None:
    """Also while the others are awaited; the lamp knows its nose."""
    table = Scenario("pig", ["North", "East", "South", "West"], sudden_death=True)
    round_of(table, "North", "East", "South", "West")
    table.press("North", at_us=0)
    table.wait(0.01)
    assert "on blink blink off" == lights(table)
    assert ["nose.1", "nose.2", "nose.3", "nose.4"] == [lamp.line for lamp in table.snapshot.lamps]


def test_a_round_is_heard_from_armed_to_the_letter_and_armed_again() -> None:
    """In the order to play it."""
    table = Scenario("pig", ["North", "East", "South"])
    ear = Ear(table)
    round_of(table, "North", "East", "South")
    assert ["opened", "decided", "letter", "armed"] == ear.heard


def test_a_dead_heat_has_a_sound_of_its_own_and_no_letter() -> None:
    """Two presses in the same microsecond."""
    table = Scenario("pig", ["North", "East", "South"])
    ear = Ear(table)
    round_of(table, "North", "East", "South", gap_us=0)
    assert ["opened", "dead-heat", "armed"] == ear.heard


def test_what_the_table_takes_back_or_corrects_makes_no_sound() -> None:
    """Nobody was last just now."""
    table = Scenario("pig", ["North", "East", "South"])
    round_of(table, "North", "East", "South")
    ear = Ear(table)
    table.undo()
    table.redo()
    table.amend({"type": "last", "seats": [1]})
    assert [] == ear.heard


def test_a_verdict_that_is_put_back_is_not_heard_again() -> None:
    """The table waits for the host, so that the screens go from ready to the verdict and back."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    table.arm()
    round_of(table, "North", "East", "South")
    ear = Ear(table)
    table.undo()
    assert "ready" == table.snapshot.phase
    table.redo()
    assert "verdict" == table.snapshot.phase
    assert [] == ear.heard


def test_a_signal_is_heard_once_however_often_the_screen_changes() -> None:
    """Fingers go up and down, and phones come late: `signalled` says which version brought it."""
    table = Scenario("pig", ["North", "East", "South"])
    table.press("North", at_us=0)
    table.wait(0.01)
    first = table.snapshot
    table.release("North", at_us=50_000)
    table.wait(0.1)
    later = table.snapshot
    assert later.version > first.version
    assert (("opened",), first.signalled) == (later.signals, later.signalled)


def test_a_table_that_comes_back_is_quiet() -> None:
    """The verdict of before the restart was heard then."""
    table = Scenario("pig", ["North", "East", "South"])
    fresh = cued(None, table.snapshot)
    assert ((), 0) == (fresh.signals, fresh.signalled)
    assert lamps(table.snapshot) == fresh.lamps


def test_a_verdict_that_the_table_gives_is_heard_with_the_answer() -> None:
    """The rack is empty, and only the table knows (SPN-6); taken back and put back, it is not heard again."""
    table = Scenario("spoons", ["North", "East", "South"], confirm="rack-only")
    ear = Ear(table)
    table.lift(1, at_us=0)
    table.wait(0.4)
    table.lift(2, at_us=400_000)
    table.wait(2)
    assert ["opened", "decided"] == ear.heard
    table.move(type="no-spoon", seat=2)
    assert ["decided", "letter"] == ear.heard[2:]
    table.undo()
    table.redo()
    assert ["decided", "letter"] == ear.heard[2:]


def test_a_punishment_that_is_over_is_no_verdict() -> None:
    """The table waited for its steps, not for who was last (MAG-9)."""
    by_hand = Settings(rearm_ns=None)
    table = Scenario("vatra", ["North", "East", "South"], settings=by_hand)
    table.arm()
    round_of(table, "North", "East", "South")
    ear = Ear(table)
    table.move(type="name-card", card="QS")
    table.move(type="from-end", value="top")
    assert table.snapshot.waits
    table.move(type="turned", value="appeared")
    assert not table.snapshot.waits
    assert [] == ear.heard


class Blind:
    """Follows an evening by lamps and tones alone: no word, name, letter or figure reaches it."""

    def __init__(self, table: Scenario) -> None:
        self.told: list[tuple[str, ...]] = []
        self._until = table.table.snapshot.signalled
        table.table.subscribe(self._follow)

    def _follow(self, shown: Snapshot) -> None:
        heard = shown.signals if shown.signalled != self._until else ()
        self._until = shown.signalled
        blinking = tuple(f"{lamp.seat}" for lamp in shown.lamps if lamp.light == "blink")
        for signal in heard:
            if signal == "dead-heat":
                self.told.append(("nobody pays", *blinking))
            elif signal == "decided":
                dark = tuple(f"{lamp.seat} out" for lamp in shown.lamps if lamp.light == "off")
                self.told.append(("last", *blinking, *dark))


def test_an_evening_can_be_followed_by_lamps_and_tones_alone() -> None:
    """Who was last each time, a dead heat, who is out, and that nothing is armed once somebody has won."""
    table = Scenario("pig", ["North", "East", "South"], u_us=1, word="OX", winners=1)
    blind, ear = Blind(table), Ear(table)
    round_of(table, "North", "East", "South")
    round_of(table, "North", "East", "South", gap_us=1)
    round_of(table, "East", "North", "South")
    table.press("North", at_us=0)  # one more deal decides between two
    table.press("East", at_us=1_000)
    table.judge()
    assert [
        ("last", "3"),
        ("nobody pays", "2", "3"),
        ("last", "3"),
        ("last", "2", "3 out"),
    ] == blind.told
    assert "decided" == ear.heard[-1]  # and nothing is armed any more
    assert "on blink off" == lights(table)  # who is lit and does not blink has won
