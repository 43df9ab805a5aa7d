"""Lamps and signals of an evening, what neighbours hear of it: each thing once, in order, and taken back."""

from __future__ import annotations

from random import Random

import pytest
from lastnose.companion.core.ports import TableNews
from lastnose.companion.evening.commands import Finish, NewEvening
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.news import cued, is_corrected, kinds, lamps, news, values
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


def test_a_round_that_does_not_count_is_heard_as_nobody_last() -> None:
    """East's wire lost what she did while the others touched; nobody's lamp blinks, and it is armed again."""
    table = Scenario("pig", ["North", "East", "South"])
    ear = Ear(table)
    table.lose("East", from_us=10_000, to_us=300_000)
    table.press("North", at_us=0)
    table.wait(0.008)
    table.press("South", at_us=200_000)
    table.wait(1)
    assert ("void", "on on on") == (table.snapshot.phase, lights(table))
    assert ["opened", "dead-heat"] == ear.heard


class Blind:
    """Plays an evening by lamps and tones alone: no word, name, letter or figure reaches it."""

    def __init__(self, table: Scenario) -> None:
        self._table, self._at_us = table, 0.0
        self._until = table.table.snapshot.signalled
        self._lamps = {one.seat: one.light for one in table.snapshot.lamps}
        self.heard: list[str] = []
        self.letters = dict.fromkeys(self._lamps, 0)
        table.table.subscribe(self._follow)

    def _follow(self, shown: Snapshot) -> None:
        self._lamps = {lamp.seat: lamp.light for lamp in shown.lamps}
        if shown.signalled != self._until:
            self._until = shown.signalled
            self.heard += shown.signals

    def lit(self, light: str) -> list[int]:
        """Return the seats whose lamp is like this."""
        return [seat for seat, one in self._lamps.items() if one == light]

    def _wait(self, seconds: float) -> None:
        self._table.wait(seconds)
        self._at_us += seconds * 1_000_000

    def _touch(self, *seats: int) -> None:
        for seat in seats:
            self._table.press(self._table.players[seat - 1], self._at_us)
        self._wait(0.1)

    def play(self, lots: Random, *, together: bool = False) -> list[int]:
        """Open when all lamps are steady, touch when one's own blinks; return who blinks once it is decided.

        *together*: the last two touch in the same moment. A letter is of whose lamp blinks then.
        """
        self.heard.clear()
        assert [] == self.lit("blink")
        touched = [lots.choice(self.lit("on"))]
        self._touch(*touched)
        while not {"decided", "dead-heat"} & set(self.heard):
            waited = self.lit("blink")
            more = waited if together and len(waited) == 2 else [lots.choice(waited)]
            touched += more
            self._touch(*more)
        found = self.lit("blink")
        for seat in found if "letter" in self.heard else ():
            self.letters[seat] += 1
        for seat in touched:
            self._table.release(self._table.players[seat - 1], self._at_us)
        self._wait(5)
        return found


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_is_played_by_lamps_and_tones_alone(seed: int) -> None:
    """Nobody is told anything else: it counts the same letters, knows who is out, and who won."""
    lots = Random(seed)
    table = Scenario("pig", ["North", "East", "South", "West"], word="OX", winners=1)
    blind, rounds = Blind(table), 0
    while "armed" in blind.heard or not rounds:  # a table that arms no more has its winner
        before = dict(blind.letters)
        blinked = blind.play(lots, together=rounds == 1)
        if rounds == 1:
            assert (["opened", "dead-heat", "armed"], 2, before) == (blind.heard, len(blinked), blind.letters)
        elif rounds == 0:
            assert ["opened", "decided", "letter", "armed"] == blind.heard
        assert [len(row.letters) for row in table.snapshot.rows] == list(blind.letters.values())
        out = [row.seat for row in table.snapshot.rows if row.out]
        assert set(blind.lit("off")) == set(out) - set(blind.lit("blink"))
        rounds += 1
    assert "won" == table.snapshot.phase
    assert blind.lit("on") == [row.seat for row in table.snapshot.rows if row.winner]
    assert [row.line for row in table.snapshot.rows] == [lamp.line for lamp in table.snapshot.lamps]


class Neighbour:
    """Hears what is told outside of a table, without a thread."""

    def __init__(self, table: Scenario) -> None:
        self.heard: list[TableNews] = []
        self._before = table.table.snapshot
        table.table.subscribe(self._listen)

    def _listen(self, now: Snapshot) -> None:
        before, self._before = self._before, now
        self.heard += [
            news(kind, now, at=5.0, table="T", say=str, corrected=is_corrected(before, now))
            for kind in kinds(before, now)
        ]

    @property
    def kinds(self) -> list[str]:
        """What has been heard, by its kinds; it is forgotten then."""
        found = [one.event_type for one in self.heard]
        self.heard.clear()
        return list(found)


def test_a_round_is_told_from_the_first_touch_to_its_standings() -> None:
    """North at 0, East at 20 ms, South 1 ms behind: South has the letter, by 1 ms."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    neighbour = Neighbour(table)
    table.arm()
    round_of(table, "North", "East", "South")
    _, touched, verdict, standings = neighbour.heard
    assert ["opened", "touched", "verdict", "standings"] == neighbour.kinds
    assert (touched.stage, touched.who) == ("running", ())
    assert ("last", ("South",), False, False) == (
        verdict.question,
        verdict.who,
        verdict.void,
        verdict.corrected,
    )
    assert (verdict.margin_ns, verdict.round, verdict.stage) == (1_000_000, 1, "verdict")
    assert verdict.says == "South was last: P"
    assert ["", "", "P"] == [one.letters for one in standings.standings]
    assert values(standings)["seat/3/stands"] == "P"


def test_noses_that_count_again_are_told() -> None:
    """The table arms itself 3 s after the noses are free."""
    table = Scenario("pig", ["North", "East", "South"])
    neighbour = Neighbour(table)
    for player, at_us in (("North", 0), ("East", 20_000), ("South", 21_000)):
        table.press(player, at_us=at_us)
    table.judge()
    assert ["verdict", "standings", "opened"] == neighbour.kinds


def test_what_is_taken_back_is_withdrawn_and_told_again_when_it_is_put_back() -> None:
    """With the standings as they are each time."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    table.arm()
    round_of(table, "North", "East", "South")
    neighbour = Neighbour(table)
    table.undo()
    assert "" == neighbour.heard[-1].standings[2].letters
    assert ["withdrawn", "standings"] == neighbour.kinds
    table.redo()
    assert ("South",) == neighbour.heard[0].who
    assert ["verdict", "standings"] == neighbour.kinds


def test_a_corrected_verdict_is_told_as_one() -> None:
    """The host says that it was East."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    table.arm()
    round_of(table, "North", "East", "South")
    neighbour = Neighbour(table)
    table.amend({"type": "last", "seats": [2]})
    assert ("East",) == neighbour.heard[0].who
    assert neighbour.heard[0].corrected
    assert ["verdict", "standings"] == neighbour.kinds


def test_who_is_named_by_people_is_told_although_no_press_of_theirs_was_seen() -> None:
    """East's press was lost, so nobody was last; the host says that it was East, who has the letter."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    table.arm()
    table.lose("East", from_us=10_000, to_us=50_000)
    table.press("North", at_us=0)
    table.press("South", at_us=30_000)
    table.judge()
    assert "void" == table.snapshot.phase
    neighbour = Neighbour(table)
    table.amend({"type": "last", "seats": [2]})
    assert ("East",) == neighbour.heard[0].who
    assert ["verdict", "standings"] == neighbour.kinds
    assert "on blink on" == lights(table)


def test_a_dead_heat_names_all_who_could_be_last_and_changes_no_standings() -> None:
    """East and South at the same microsecond."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    neighbour = Neighbour(table)
    table.arm()
    round_of(table, "North", "East", "South", gap_us=0)
    verdict = neighbour.heard[2]
    assert verdict.dead_heat
    assert {"East", "South"} == {*verdict.who}
    assert ["opened", "touched", "verdict"] == neighbour.kinds


def test_the_end_of_a_game_is_told_with_who_has_won() -> None:
    """Sudden death: who is last first has lost, and the others have won. Taken back, it is withdrawn."""
    options = {"sudden_death": True}
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None), **options)
    neighbour = Neighbour(table)
    table.arm()
    round_of(table, "North", "East", "South")
    assert ("North", "East") == neighbour.heard[-1].winners
    assert ["opened", "touched", "verdict", "standings", "over"] == neighbour.kinds
    table.undo()
    assert ["withdrawn", "standings"] == neighbour.kinds


def test_the_same_entry_of_two_tables_or_of_two_moments_has_two_ids() -> None:
    """A receiver that passes over what it knows hears of both: entry 3 is a verdict here and there."""
    shot = Scenario("pig", ["North", "East", "South"]).snapshot
    ids = [news("verdict", shot, at=at, table="T", say=str).id for at in (5.0, 5.0, 5.001)]
    assert ids[0] == ids[1] != ids[2]


def test_a_score_sheet_tells_its_standings() -> None:
    """No nose is watched there: no round is opened, and none is judged."""
    table = Scenario("pig-10", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    assert kinds(Snapshot(0, 0, 1, "setup", True, table.snapshot.headline, ()), table.snapshot) == (
        "standings",
    )
    told = news("standings", table.snapshot, at=0.0, table="T", say=str)
    assert told.stage == "sheet"
    assert [0, 0, 0] == [one.score for one in told.standings]


def test_a_game_that_goes_on_after_its_end_and_an_evening_that_ends_are_told() -> None:
    """A sheet is ended, taken up again, ended: its standings are told each time; then there are none."""
    table = Scenario("pig-10", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    neighbour = Neighbour(table)
    table.table.execute(Finish(), "script")
    assert ["over"] == neighbour.kinds
    table.undo()
    assert "The game was ended here." != neighbour.heard[0].says
    assert ["standings"] == neighbour.kinds
    table.redo()
    table.table.execute(NewEvening(), "script")
    assert ("", ()) == (neighbour.heard[-1].game, neighbour.heard[-1].standings)
    assert ["over", "standings"] == neighbour.kinds
