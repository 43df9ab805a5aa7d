"""Spoons and noses judged together: what minutes do not say of feints, docks and losses (SPN-1 to SPN-7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import (
    Armed,
    Edge,
    Gap,
    Input,
    Judged,
    Late,
    Levels,
    Lift,
    Press,
    PutBack,
    Rack,
    RefereeEvent,
    Verdict,
    Watermark,
    Withdrawn,
)
from lastnose.companion.core.text import text
from lastnose.companion.timing import ArmRequest, Referee, Request, Settings, rejudge
from lastnose.companion.timing.rack.round import RackRound
from lastnose.companion.timing.round import LostPresses

US, MS, S = 1_000, 1_000_000, 1_000_000_000
U = 10 * US
Way = Literal["confirm", "dock", "rack-only"]


def nose(seat: int, t_ns: int, level: int = 1, u_ns: int = U) -> Edge:
    """Return an edge of a nose."""
    return Edge(t_ns, "gpio", f"nose.{seat}", level, u_ns)


def spoon(cradle: int, t_ns: int, level: int = 0, u_ns: int = U) -> Edge:
    """Return an edge of a cradle: level 0, the spoon goes."""
    return Edge(t_ns, "gpio", f"spoon.{cradle}", level, u_ns)


def dock(seat: int, t_ns: int, level: int = 0) -> Edge:
    """Return an edge of a dock that rests closed: level 0, a spoon comes."""
    return Edge(t_ns, "gpio", f"dock.{seat}", level, U)


class Table:
    """A referee that watches seats and a rack, with a note of all it said."""

    def __init__(self, way: Way = "confirm", seats: int = 3, *, feint_ms: int = 300) -> None:
        self.lines = {f"nose.{seat}": seat for seat in range(1, seats + 1)}
        self.rack = Rack(tuple(range(1, seats)), way, feint_ms)
        self.referee = Referee(self.lines, Settings(rearm_ns=None), ["gpio"])
        self.referee.watch(tuple(self.lines.values()), rack=self.rack)
        self.said: list[RefereeEvent] = []
        rest = dict.fromkeys(self.lines, 0) | {f"spoon.{n}": 1 for n in self.rack.spoons}
        self.feed(Levels(rest, 0, "gpio", U), ArmRequest(0))

    def feed(self, *items: Input | Request) -> list[RefereeEvent]:
        """Feed inputs, return what they brought."""
        fresh = self.referee.feed(*items)
        self.said += fresh
        return fresh

    def play(self, *items: Input | Request) -> Verdict:
        """Feed inputs to the end and return the one verdict; judged again it is the same."""
        self.feed(*items, Watermark(1000 * S, "gpio"))
        (judged,) = [one for one in self.said if isinstance(one, Judged)]
        armed = next(one for one in self.said if isinstance(one, Armed))
        again = rejudge(judged.inputs, armed, self.lines, Settings(), rack=self.rack)
        assert judged.verdict == again
        return judged.verdict

    def kinds(self) -> list[str]:
        """Return the names of what was said since the arming."""
        return [type(one).__name__ for one in self.said if not isinstance(one, Armed)]


def all_of(said: Iterable[RefereeEvent], kind: type) -> list[RefereeEvent]:
    """Return the happenings of one kind."""
    return [one for one in said if isinstance(one, kind)]


def rack_round(armed_ns: int = 0, way: Way = "confirm", *, docks: bool = False) -> RackRound:
    """Return a round of three seats and two spoons, without the lines before it."""
    marks = {seat: Press(seat, 0, U, "gpio") for seat in (1, 2, 3)}
    return RackRound(armed_ns, (1, 2, 3), 1 * MS, marks.get, Rack((1, 2), way), lambda seat: docks)


# Feints


def test_somebody_who_has_one_may_fidget_during_a_feint() -> None:
    """1 has a spoon and lets go of the nose and touches it again: spoon 2, back at once, is still a feint."""
    table = Table()
    table.feed(spoon(1, 1 * S), nose(1, 2 * S), nose(1, 3 * S, 0))
    table.feed(spoon(2, 4 * S), nose(1, 4_100 * MS), spoon(2, 4_200 * MS, 1), Watermark(5 * S, "gpio"))
    assert [True] == [one.feint for one in table.said if isinstance(one, PutBack)]


def test_a_round_in_which_there_was_only_a_feint_has_not_opened() -> None:
    """The tape ends: there is nothing to void."""
    table = Table()
    table.feed(spoon(1, 1 * S), spoon(1, 1_100 * MS, 1))
    assert [] == [one for one in table.referee.end() if isinstance(one, Judged)]
    table = Table()
    table.feed(spoon(1, 1 * S))
    (judged,) = [one for one in table.referee.end() if isinstance(one, Judged)]
    assert "tape ended" == str(judged.verdict.void)
    assert 1 == len(judged.verdict.lifts)


# Arming


# Lost edges (law 5)


def test_a_spoon_found_gone_counts_and_casts_doubt_only_where_it_matters() -> None:
    """Spoon 2 went unseen before 1.4 s: before all touches a spoon like any, after one perhaps not."""
    found = Levels({"nose.1": 0, "nose.2": 0, "nose.3": 0, "spoon.1": 0, "spoon.2": 0}, 1_400 * MS, "gpio", U)
    there = Levels({"spoon.1": 1, "spoon.2": 1}, 500 * MS, "gpio", U)
    table = Table()
    verdict = table.play(there, spoon(1, 1 * S), found, nose(1, 1_500 * MS), nose(2, 2 * S))
    assert ((3,), 2) == (verdict.last, len(verdict.lifts))
    assert verdict.opener == 1, "whenever the second spoon went, there was one when 1 touched"
    touches = nose(1, 1_200 * MS), nose(2, 1_300 * MS), found, nose(3, 2 * S)
    verdict = Table().play(there, spoon(1, 1 * S), *touches)
    assert verdict.void is not None
    assert "Edges" in str(Table().play(spoon(1, 1 * S), *touches).void)  # it may have been gone all along


@pytest.mark.parametrize(
    "gaps",
    [
        (Gap(1_090 * MS, 1_300 * MS, "gpio", ("spoon.2",)),),
        (Gap(1_150 * MS, 1_180 * MS, "gpio", ("spoon.2",)),),
        (Gap(500 * MS, 600 * MS, "gpio", ("nose.1",)), Gap(1_150 * MS, 1_180 * MS, "gpio", ("spoon.2",))),
    ],
)
def test_a_lift_that_may_have_been_later_or_a_feint_casts_doubt_on_the_touch_behind_it(
    gaps: tuple[Gap, ...],
) -> None:
    """2's touch at 1.2 s needs spoon 2, seen to go at 1.1 s; edges of it are lost then or right after."""
    played = (spoon(1, 1 * S), nose(1, 1_050 * MS), spoon(2, 1_100 * MS), nose(2, 1_200 * MS), nose(3, 2 * S))
    assert (3,) == Table().play(*played).last
    assert "Edges" in str(Table().play(*gaps, *played).void)


def test_who_takes_from_the_rack_alone_needs_no_nose() -> None:
    """Seat 5 has none bound to it: with the rack alone it is watched, else it is refused."""
    table = Table()
    table.referee.watch((1, 5), rack=Rack((1,), "rack-only", 300))
    with pytest.raises(BadInput, match="Seat 5 has no nose"):
        table.referee.watch((1, 5), rack=Rack((1,), "confirm", 300))


@pytest.mark.parametrize("way", ["rack-only", "dock"])
def test_a_nose_found_down_is_nothing_where_noses_do_not_count(way: Way) -> None:
    """With the rack alone, or a dock beside it: nobody touched anything, and nothing is lost by it."""
    armed = rack_round(way=way, docks=True)
    armed.lift(Lift(1, 1 * S, U, "gpio"), 1 * S)
    armed.take_over(1, 1, 1_100 * MS, 1_250 * MS, 1_250 * MS)
    armed.lift(Lift(2, 1_300 * MS, U, "gpio"), 1_300 * MS)
    verdict = armed.void(text("enough"))
    assert ((), ()) == (verdict.presses, verdict.phantoms)
    if way == "rack-only":
        assert not armed.verdict().opener_unsure


def test_a_dock_found_taken_may_have_been_taken_before_another() -> None:
    """2's spoon came unseen between 0.5 and 2.8 s, 3's at 2.5 s: who had the last one is open."""
    empty = Levels({"dock.1": 1, "dock.2": 1, "dock.3": 1}, 0, "gpio", U)
    touched = spoon(1, 1 * S), spoon(2, 1_100 * MS), dock(1, 2 * S), dock(3, 2_500 * MS)
    still, found = (
        Levels({"dock.2": level}, at, "gpio", U) for level, at in ((1, 500 * MS), (0, 2_800 * MS))
    )
    assert Table("dock").play(empty, still, *touched, found).void is not None
    late = Levels({"dock.2": 1}, 2_700 * MS, "gpio", U)
    assert ((1, 3), (2,)) == (lambda one: (one.order[:2], one.last))(
        Table("dock").play(empty, *touched, late, found)
    )


# Ties: what is exactly w apart cannot be told


@pytest.mark.parametrize(
    ("second_us", "void", "last"),
    [
        (20, True, ()),  # exactly w after the first lift: it may have come before, and that was a feint
        (21, False, (3,)),
        (200_000 - 20, True, ()),  # exactly w before the first spoon is back
        (200_000 - 21, False, (3,)),
    ],
)
def test_what_comes_between_lift_and_return_by_more_than_w_makes_it_no_feint(
    second_us: int, void: bool, last: tuple[int, ...]
) -> None:
    """Spoon 1 goes at 1 s and is back at 1.2 s, spoon 2 goes meanwhile: then 1 and 2 have touched in time."""
    verdict = Table().play(
        spoon(1, 1 * S),
        spoon(2, 1 * S + second_us * US),
        spoon(1, 1_200 * MS, 1),
        nose(1, 1_500 * MS),
        nose(2, 1_600 * MS),
    )
    assert (void, last) == (verdict.void is not None, verdict.last)


@pytest.mark.parametrize(
    ("second_us", "void", "last"),
    [
        (-20, True, ()),  # exactly w before the first lift: it may have come after it, and that was no feint
        (-21, False, (2,)),
        (200_000 + 20, True, ()),  # exactly w after the first spoon is back
        (200_000 + 21, False, (2,)),
    ],
)
def test_what_comes_outside_lift_and_return_by_more_than_w_leaves_it_a_feint(
    second_us: int, void: bool, last: tuple[int, ...]
) -> None:
    """Spoon 2 goes just outside: 2's touch at 1.6 s had no spoon, and 3 gets the one that goes at 3 s."""
    items = sorted(
        (spoon(1, 1 * S), spoon(2, 1 * S + second_us * US), spoon(1, 1_200 * MS, 1)), key=lambda one: one.t_ns
    )
    verdict = Table().play(*items, nose(1, 1_500 * MS), nose(2, 1_600 * MS), spoon(1, 3 * S), nose(3, 4 * S))
    assert (void, last) == (verdict.void is not None, verdict.last)


@pytest.mark.parametrize(("late_ns", "margin_ns"), [(0, 1 * S), (1, None)])
def test_a_dock_touched_as_the_round_is_decided_is_waited_for(late_ns: int, margin_ns: int | None) -> None:
    """2's spoon has lain for its second at 4 s, and decides: 3's dock of that instant still completes it."""
    verdict = Table("dock").play(
        spoon(1, 1 * S),
        spoon(2, 1_100 * MS),
        dock(1, 2 * S),
        dock(2, 3 * S),
        dock(3, 4 * S + late_ns),
    )
    assert ((3,), margin_ns) == (verdict.last, verdict.margin_ns)


@pytest.mark.parametrize(("end_ns", "void"), [(0, True), (-1, False)])
def test_a_doubt_that_ends_as_the_round_begins_still_counts(end_ns: int, void: bool) -> None:
    """A touch of 3 at that very instant is within w of the lift 5 µs later, so it may have had that spoon."""
    armed_ns = 1 * S
    armed = rack_round(armed_ns)
    armed.doubt(LostPresses(3, 0, armed_ns + end_ns, text("lost")))
    armed.lift(Lift(1, armed_ns + 5 * US, U, "gpio"), armed_ns)
    armed.lift(Lift(2, armed_ns + 1 * S, U, "gpio"), armed_ns)
    for seat, t_ns in ((1, 2 * S), (2, 3 * S)):
        armed.press(Press(seat, armed_ns + t_ns, U, "gpio"), armed_ns + t_ns)
    assert void == (armed.verdict().void is not None)


def test_a_touch_stamped_just_before_its_lift_does_not_make_the_round_wait_for_ever() -> None:
    """2 touches 10 µs before its spoon is stamped as gone, known to 20 µs: it ends without a second touch."""
    table = Table()
    table.play(spoon(1, 1 * S), nose(1, 1_100 * MS), nose(2, 2 * S), spoon(2, 2 * S + 10 * US))
    (judged,) = all_of(table.said, Judged)
    assert "Touches and lifts came so close together" in str(judged.verdict.void)
    table = Table()
    table.feed(spoon(1, 1 * S), nose(1, 1_100 * MS), nose(2, 2 * S), spoon(2, 2 * S + 21 * US))
    table.feed(Watermark(1000 * S, "gpio"))
    assert [] == all_of(table.said, Judged)  # surely before: a bluff, and everybody goes on


@pytest.mark.parametrize("way", ["rack-only", "dock"])
def test_a_nose_voids_nothing_where_noses_do_not_count(way: Way) -> None:
    """A loss from 5 ms before the arming in which nose 1 went down; then nose 2 flickers for 30 ms."""
    noisy = [nose(2, 1_300 * MS + n * 500 * US, 1 - n % 2) for n in range(61)]
    taken = [spoon(1, 2 * S), spoon(2, 2_100 * MS), dock(2, 2_200 * MS), dock(3, 2_300 * MS)]
    table = Table(way)
    table.referee = Referee(table.lines, Settings(rearm_ns=None), ["gpio"])
    table.referee.watch((1, 2, 3), rack=table.rack)
    table.said.clear()
    rest = {f"nose.{n}": 0 for n in (1, 2, 3)} | {f"spoon.{n}": 1 for n in (1, 2)}
    table.feed(Levels(rest | {f"dock.{n}": 1 for n in (1, 2, 3)}, 0, "gpio", U), ArmRequest(1 * S))
    table.feed(Watermark(1_100 * MS, "gpio"))
    lost = Gap(995 * MS, 1_100 * MS, "gpio", ("nose.1",)), Levels({"nose.1": 1}, 1_100 * MS, "gpio", U)
    verdict = table.play(*lost, *noisy, *taken)
    assert (None, 2) == (verdict.void, len(verdict.lifts))
    assert (() if way == "rack-only" else (1,)) == verdict.last


def test_that_a_spoon_left_its_dock_may_be_lost_while_it_has_to_lie_there_for_a_second() -> None:
    """2's and 3's spoons come at 2.2 and 2.3 s; 1 is last unless a loss could have seen one of them go."""
    empty = Levels({"dock.1": 1, "dock.2": 1, "dock.3": 1}, 0, "gpio", U)
    taken = empty, spoon(1, 2 * S), spoon(2, 2_100 * MS), dock(2, 2_200 * MS), dock(3, 2_300 * MS)
    for from_ns, void in ((3_150 * MS, True), (3_250 * MS, True), (3_310 * MS, False)):
        cut = Gap(from_ns, from_ns + 5 * MS, "gpio", ("dock.3",))
        assert void == (Table("dock").play(*taken, cut).void is not None), from_ns


def test_a_dock_that_is_found_as_it_was_at_the_arming_is_empty() -> None:
    """3's dock met a spoon for 0.4 ms, the parting was lost; the spoon that lies there from 2.3 s counts."""
    empty = Levels({"dock.1": 1, "dock.2": 1, "dock.3": 1}, 0, "gpio", U)
    brush = dock(3, 500 * MS), Gap(500 * MS + 100 * US, 500 * MS + 400 * US, "gpio", ("dock.3",))
    found = Levels({"dock.3": 1}, 500 * MS + 400 * US, "gpio", U)
    taken = spoon(1, 2 * S), spoon(2, 2_100 * MS), dock(2, 2_200 * MS), dock(3, 2_300 * MS)
    verdict = Table("dock").play(empty, *brush, found, *taken)
    assert ((2, 3), (1,)) == (verdict.order[-2:], verdict.last)


def thought_taken(number: int) -> Table:
    """Return a round of docks in which the spoon of one leaves it in a loss that is told after the arming."""
    table = Table("dock")
    table.referee = Referee(table.lines, Settings(rearm_ns=None), ["gpio"])
    table.referee.watch((1, 2, 3), rack=table.rack)
    rest = {f"nose.{n}": 0 for n in (1, 2, 3)} | {f"spoon.{n}": 1 for n in (1, 2)}
    docks = {f"dock.{n}": int(n != number) for n in (1, 2, 3)}
    table.feed(Levels(rest | docks, 0, "gpio", U), ArmRequest(1 * S))
    table.feed(Watermark(1_200 * MS, "gpio"))
    told = Gap(400 * MS, 500 * MS, "gpio"), Levels({f"dock.{number}": 1}, 500 * MS, "gpio", U)
    taken = spoon(1, 2 * S), spoon(2, 2_100 * MS), dock(2, 2_200 * MS), dock(3, 2_300 * MS)
    table.feed(*told, *taken, Watermark(9 * S, "gpio"))
    return table


def test_a_dock_that_was_thought_taken_at_the_arming_is_empty_once_that_is_told() -> None:
    """3's spoon left its dock in a loss of 0.4 to 0.5 s, told at 1.2 s, after the arming at 1 s."""
    table = thought_taken(3)
    (judged,) = [one for one in table.said if isinstance(one, Judged)]
    assert ((2, 3), (1,)) == (judged.verdict.order, judged.verdict.last)


def test_a_dock_told_late_is_weighed_as_it_was_at_the_arming_and_not_as_it_was_thought() -> None:
    """As before, but 1's spoon came to its dock at 2.25 s, told after the verdict: 3 was last, not 1."""
    table = thought_taken(1)
    table.feed(dock(1, 2_250 * MS), Watermark(9_100 * MS, "gpio"))
    (withdrawn,) = [one for one in table.said if isinstance(one, Withdrawn)]
    assert ((2, 1, 3), ()) == (withdrawn.verdict.order, withdrawn.verdict.last)


def test_what_came_late_and_agreed_is_weighed_again_when_the_last_one_touches() -> None:
    """2's contact opened from 2 to 2.009 s, told late: 2 may have touched after 3, who did so at 2.005 s."""
    for late in ([], [nose(2, 2 * S + 200 * US, 0)]):
        table = Table()
        table.feed(spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 1_200 * MS), nose(2, 2 * S))
        table.feed(Watermark(2_001_500 * US, "gpio"), *late, nose(2, 2_009 * MS), nose(3, 2_005 * MS))
        table.feed(Watermark(3 * S, "gpio"))
        said = [type(one) for one in table.said if isinstance(one, Judged | Late | Withdrawn)]
        assert [Judged, Withdrawn if late else Late] == said


def test_a_round_that_feints_leave_open_ends_after_ten_seconds_and_names_nobody() -> None:
    """Spoon 2 is back at 1.3 s, 5 µs before 2 touches, each stamp good to 10 µs: a feint, or 2 has it.

    By the stamps it was a feint, and one is left; if not, all but 3 have one, and nothing more will come.
    """
    table = Table()
    table.feed(spoon(1, 1 * S), nose(1, 1_050 * MS), spoon(2, 1_200 * MS), spoon(2, 1_300 * MS, 1))
    table.feed(nose(2, 1_300 * MS + 5 * US), Watermark(11_300 * MS, "gpio"))
    assert not [one for one in table.said if isinstance(one, Judged)]
    table.feed(Watermark(12 * S, "gpio"))
    (judged,) = [one for one in table.said if isinstance(one, Judged)]
    assert (None, (), (1,)) == (judged.verdict.void, judged.verdict.last, judged.verdict.order)
    assert judged.verdict.opener is None, "who was the first is open as well"
    assert 11_300 * MS + 5 * US == judged.t_ns


def test_where_no_feint_is_in_doubt_a_round_waits() -> None:
    """The spoon was back 1 ms before 2 touched: 2 has none yet, and everybody sees it in the rack."""
    table = Table()
    table.feed(spoon(1, 1 * S), nose(1, 1_050 * MS), spoon(2, 1_200 * MS), spoon(2, 1_300 * MS, 1))
    table.feed(nose(2, 1_301 * MS), Watermark(60 * S, "gpio"))
    assert not [one for one in table.said if isinstance(one, Judged)]


def test_a_spoon_that_had_left_its_dock_in_time_completes_nothing_whichever_is_told_first() -> None:
    """Decided at 4 s. Told too late: 3's dock was taken at 3.5 s and left at 4.2 s, before its second."""
    for late in (
        (dock(3, 3_500 * MS), dock(3, 4_200 * MS, 1)),
        (dock(3, 4_200 * MS, 1), dock(3, 3_500 * MS)),
    ):
        table = Table("dock")
        table.feed(
            spoon(1, 1 * S), spoon(2, 1_100 * MS), dock(1, 2 * S), dock(2, 3 * S), Watermark(5 * S, "gpio")
        )
        for n, edge in enumerate(late, 6):
            table.feed(edge, Watermark(n * S, "gpio"))
        stands = [one.verdict for one in table.said if isinstance(one, Judged | Late)][-1]
        assert ((3,), (1, 2), None) == (stands.last, stands.order, stands.margin_ns)
