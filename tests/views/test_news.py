"""What neighbours hear: each thing once, in order, and what is taken back is taken back for them as well."""

from __future__ import annotations

from lastnose.companion.core.ports import TableNews
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.news import is_corrected, kinds, news, values
from lastnose.companion.views.snapshot import Snapshot


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


def round_of(table: Scenario, *players: str, gap_us: int = 1_000) -> None:
    """Let *players* press in this order, each *gap_us* after the one before (the second 20 ms), and judge."""
    opener, *others = players
    table.arm()
    table.press(opener, at_us=0)
    table.wait(0.01)
    for number, player in enumerate(others):
        table.press(player, at_us=20_000 + number * gap_us)
    table.judge()


def test_a_round_is_told_from_the_first_touch_to_its_standings() -> None:
    """North at 0, East at 20 ms, South 1 ms behind: South has the letter, by 1 ms."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    neighbour = Neighbour(table)
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
    round_of(table, "North", "East", "South")
    neighbour = Neighbour(table)
    table.amend({"type": "last", "seats": [2]})
    assert ("East",) == neighbour.heard[0].who
    assert neighbour.heard[0].corrected
    assert ["verdict", "standings"] == neighbour.kinds


def test_a_dead_heat_names_all_who_could_be_last_and_changes_no_standings() -> None:
    """East and South at the same microsecond."""
    table = Scenario("pig", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    neighbour = Neighbour(table)
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
    round_of(table, "North", "East", "South")
    assert ("North", "East") == neighbour.heard[-1].winners
    assert ["opened", "touched", "verdict", "standings", "over"] == neighbour.kinds
    table.undo()
    assert ["withdrawn", "standings"] == neighbour.kinds


def test_a_score_sheet_tells_its_standings() -> None:
    """No nose is watched there: no round is opened, and none is judged."""
    table = Scenario("pig-10", ["North", "East", "South"], settings=Settings(rearm_ns=None))
    assert kinds(Snapshot(0, 0, 1, "setup", True, table.snapshot.headline, ()), table.snapshot) == (
        "standings",
    )
    told = news("standings", table.snapshot, at=0.0, table="T", say=str)
    assert told.stage == "sheet"
    assert [0, 0, 0] == [one.score for one in told.standings]
