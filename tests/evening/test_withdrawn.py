"""A verdict that does not stand: the letter goes back, every screen says so, and the table decides later."""

from __future__ import annotations

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.model import Edge, Levels, Watermark
from lastnose.companion.evening import log
from lastnose.companion.evening.commands import (
    Amend,
    AnyCommand,
    Arm,
    Finish,
    Keep,
    NewEvening,
    Start,
    TestZero,
    Undo,
    Void,
)
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.timing import Settings

from tests.table.test_table import FOUR, MS, Box

PAGE = "page.k3"


class TwoSources(Box):
    """North's nose is on a phone; the others are on pins. Both promise on time."""

    def __init__(self, **more: object) -> None:
        super().__init__(sources=("gpio", PAGE), **more)
        self.do(Start("pig", FOUR))
        self.table.feed(Levels({"nose.1": 0}, self.now_ns, PAGE, 1_000, MS))
        self.wait(10)

    def wait(self, ms: float) -> None:
        """Let time pass for both."""
        super().wait(ms)
        self.table.feed(Watermark(self.now_ns, PAGE))

    def north_is_named(self) -> int:
        """Let the others press and North's tap lie about; return when it tapped."""
        tapped_ns = self.now_ns
        for number in (2, 3, 4):
            self.wait(50)
            self.edge(number, 1)
        self.wait(100)
        assert ("verdict", "North was last: P") == self.shown()
        return tapped_ns

    def tap(self, t_ns: int) -> None:
        """Let North's tap come in, late."""
        self.table.feed(Edge(t_ns, PAGE, "nose.1", 1, 1_000, MS))
        self.wait(5)


def test_a_late_tap_takes_the_letter_back_and_the_round_is_played_again() -> None:
    """Void, with who had been named and why; heard once; armed again when all have let go."""
    box = TwoSources()
    box.tap(box.north_is_named())
    assert ("void", "Withdrawn: again!") == box.shown()
    assert ["", "", "", ""] == box.letters()
    snapshot = box.table.publish()
    assert [
        "A tap on a page came too late and contradicts the verdict.",
        "The box had judged: North.",
    ] == [str(line) for line in snapshot.proof][:2]
    assert ("dead-heat",) == snapshot.signals
    assert ["RoundJudged", "VerdictWithdrawn"] == box.kinds()[-2:]
    for number in (1, 2, 3, 4):
        box.table.feed(Edge(box.now_ns, PAGE if number == 1 else "gpio", f"nose.{number}", 0, 1_000))
    box.wait(3_500)
    assert ("armed", "Noses on: deal, then play!") == box.shown()
    (view,) = box.table.queries.rounds()
    assert (True, False) == (view.void, view.contested)


def test_after_a_restart_a_withdrawn_round_is_as_void_as_before() -> None:
    """It is in the log; its tape judges it by all that is known."""
    store = MemoryStore()
    box = TwoSources(store=store)
    box.tap(box.north_is_named())
    evening = log.fold(store.events())
    assert evening.match is not None
    (entry,) = evening.match.entries
    assert entry.verdict is not None and entry.withdrawn is not None
    assert ((1,), "page") == (entry.withdrawn.last, "page" if "tap" in str(entry.verdict.void) else "")
    again = box.table.queries.appeal(entry.seq, 1 * MS, 20 * MS)
    assert "West was last: P" == str(again.headline)


def contested() -> TwoSources:
    """Return a table at which the tap came in when the next round had been armed."""
    box = TwoSources(settings=Settings(rearm_ns=500 * MS))
    tapped_ns = box.north_is_named()
    for number in (2, 3, 4):
        box.edge(number, 0)
    box.wait(1_000)
    assert ("armed", "Noses on: deal, then play!") == box.shown()
    box.tap(tapped_ns)
    box.table.feed(Edge(tapped_ns + 80 * MS, PAGE, "nose.1", 0, 1_000, MS))
    box.wait(5)
    return box


def test_after_the_next_arming_the_round_is_contested_and_the_letter_stays() -> None:
    """History shows both verdicts; the round in progress goes on."""
    box = contested()
    (view,) = box.table.queries.rounds()
    assert (True, False) == (view.contested, view.void)
    assert "Contested. With what came later: West." in [str(line) for line in view.proof]
    assert ["P", "", "", ""] == box.letters()
    box.wait(1_000)
    assert ("armed", "Noses on: deal, then play!") == box.shown()


def test_the_table_keeps_a_contested_round_or_takes_it_out_with_one_touch() -> None:
    """Either way it is decided, and kept in the log."""
    box = contested()
    (view,) = box.table.queries.rounds()
    told = box.table.publish().contest
    assert told is not None and (view.seq, "Round 1 is contested: keep it, or void it.") == (
        told.seq,
        str(told.says),
    )
    assert box.do(Keep(view.seq)).contest is None
    said = [str(line) for line in box.table.queries.rounds()[0].proof]
    assert "The table kept it as it was judged." in said
    assert "Contested. With what came later: West." in said
    assert [(False, False)] == [(one.contested, one.void) for one in box.table.queries.rounds()]
    assert (["P", "", "", ""], "Kept") == (box.letters(), box.kinds()[-1])
    with pytest.raises(NotNow):
        box.do(Keep(view.seq))
    box = contested()
    box.do(Amend(view.seq, {"type": "void", "reason": "a late tap"}))
    assert [(False, True)] == [(one.contested, one.void) for one in box.table.queries.rounds()]
    assert ["", "", "", ""] == box.letters()


def test_a_round_is_contested_again_when_its_voiding_is_taken_back() -> None:
    """Nothing that evidence says is forgotten by a slip of the finger."""
    box = contested()
    (view,) = box.table.queries.rounds()
    assert box.do(Amend(view.seq, {"type": "void", "reason": ""})).contest is None
    assert box.do(Undo()).contest is not None
    assert [(True, False)] == [(one.contested, one.void) for one in box.table.queries.rounds()]
    assert ["P", "", "", ""] == box.letters()


def test_an_export_says_that_a_round_is_contested() -> None:
    """In the column that says what became of a round."""
    (line,) = contested().table.queries.export_csv().splitlines()[1:]
    assert ",contested," in line


def test_a_table_that_waits_for_the_host_is_armed_again_when_a_late_tap_spoils_the_arming() -> None:
    """North may be down since before the arming: that is said by name, and nobody touches unarmed noses."""
    box = TwoSources(settings=Settings(rearm_ns=None))
    box.do(Arm())
    box.wait(10)
    tapped_ns = box.north_is_named()
    for number in (2, 3, 4):
        box.edge(number, 0)
    box.do(Arm())
    box.wait(300)
    assert ("armed", "Play!") == box.shown()
    box.tap(tapped_ns)
    assert ("blocked", "Let go first: North") == box.shown()
    box.table.feed(Edge(box.now_ns, PAGE, "nose.1", 0, 1_000, MS))
    box.wait(400)
    assert ("armed", "Noses on: deal, then play!") == box.shown()
    assert ["RoundArmed", "VerdictContested", "RoundJudged", "RoundArmed"] == box.kinds()[-4:]


@pytest.mark.parametrize(
    "then", [Start("pig", FOUR), TestZero(("nose.2", "nose.3"))], ids=["game", "zero test"]
)
def test_a_tap_that_comes_when_the_game_is_over_contests_its_last_round(then: AnyCommand) -> None:
    """Whatever has begun since: the table is asked about it, by its game where another goes on."""
    box = TwoSources()
    tapped_ns = box.north_is_named()
    for number in (2, 3, 4):
        box.edge(number, 0)
    box.wait(1_000)
    box.do(Finish())
    box.do(then)
    box.wait(1_000)
    box.tap(tapped_ns)
    view = box.table.queries.rounds()[0]
    assert (True, False) == (view.contested, view.void)
    told = box.table.publish().contest
    whose = "Pig: " if isinstance(then, Start) else ""
    assert told is not None
    assert (view.seq, f"{whose}Round 1 is contested: keep it, or void it.") == (told.seq, str(told.says))
    assert box.do(Keep(view.seq)).contest is None


@pytest.mark.parametrize("then", [Arm(), Start("pig", FOUR)], ids=["this game", "another game"])
def test_only_a_contested_round_of_this_game_comes_before_the_next_deal(then: AnyCommand) -> None:
    """Points of a game that is over keep nobody from playing; it is said beside, and asked at the end."""
    box = TwoSources(settings=Settings(rearm_ns=None))
    box.do(Arm())
    box.wait(10)
    tapped_ns = box.north_is_named()
    for number in (2, 3, 4):
        box.edge(number, 0)
    box.wait(1_000)
    if isinstance(then, Start):
        box.do(Finish())
    box.do(then)
    box.wait(300)
    box.tap(tapped_ns)
    box.table.feed(Edge(box.now_ns, PAGE, "nose.1", 0, 1_000, MS))
    box.wait(400)
    if isinstance(then, Arm):
        box.do(Void(under_way=True))
    shown = box.table.publish()
    assert shown.contest is not None and shown.due is not None
    assert ("play" if isinstance(then, Start) else "decide") == shown.due.kind
    assert "decide" == getattr(box.do(Finish()).due, "kind", "")


def test_a_tap_that_comes_in_another_evening_is_of_none_of_its_rounds() -> None:
    """The evening before is closed; the new one has nothing to decide, and goes on."""
    box = TwoSources()
    tapped_ns = box.north_is_named()
    box.do(NewEvening())
    box.tap(tapped_ns)
    box.do(Start("pig", FOUR))
    box.tap(tapped_ns + 1)
    assert ((), None) == (box.table.queries.rounds(), box.table.publish().contest)
