"""Spoons and noses judged together: confirmations, docks, feints and phantoms (SPN-1 to SPN-7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import pytest

from companion.model import (
    Armed,
    Blocked,
    Confirmed,
    Edge,
    Gap,
    Happening,
    Input,
    Judged,
    Late,
    Levels,
    Lifted,
    Noisy,
    Pressed,
    PutBack,
    Rack,
    Verdict,
    Watermark,
)
from companion.timing import ArmRequest, Referee, Request, Settings, rejudge

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
        self.said: list[Happening] = []
        rest = dict.fromkeys(self.lines, 0) | {f"spoon.{n}": 1 for n in self.rack.spoons}
        self.feed(Levels(rest, 0, "gpio", U), ArmRequest(0))

    def feed(self, *items: Input | Request) -> list[Happening]:
        """Feed inputs, return what they brought."""
        fresh = [happening for item in items for happening in self.referee.feed(item)]
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


def all_of(said: Iterable[Happening], kind: type) -> list[Happening]:
    """Return the happenings of one kind."""
    return [one for one in said if isinstance(one, kind)]


# By the nose


def test_who_has_not_confirmed_when_all_others_have_is_last() -> None:
    """East and North take one and touch; South, with none, was never there."""
    table = Table()
    verdict = table.play(spoon(1, 1 * S), nose(2, 1_200 * MS), spoon(2, 1_300 * MS), nose(1, 1_500 * MS))
    assert ((2, 1), (3,), None, False) == (
        verdict.order,
        verdict.last,
        verdict.margin_ns,
        verdict.dead_heat,
    )
    assert [(1, 1 * S), (2, 1_300 * MS)] == [(lift.cradle, lift.t_ns) for lift in verdict.lifts]
    assert ["Lifted", "Pressed", "Lifted", "Pressed", "Judged"] == table.kinds()
    assert [True, False] == [one.opens for one in table.said if isinstance(one, Lifted)]
    assert [(True, False), (True, False)] == [
        (one.counts, one.opens) for one in table.said if isinstance(one, Pressed)
    ]


def test_the_last_spoon_is_won_by_as_much_as_the_next_touch_is_later() -> None:
    """South is 412 µs behind East; both stamps are good to 10 µs."""
    table = Table()
    verdict = table.play(
        spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 1_200 * MS), nose(2, 2 * S), nose(3, 2 * S + 412 * US)
    )
    assert ((1, 2, 3), (3,), 412 * US, 20 * US) == (
        verdict.order,
        verdict.last,
        verdict.margin_ns,
        verdict.u_ns,
    )
    assert () == verdict.phantoms


def test_two_touches_within_w_are_a_dead_heat_for_the_last_spoon() -> None:
    """20 µs apart and good to 10 + 10: either may have been first. A nanosecond more, and South was last."""
    first = [spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 1_200 * MS), nose(2, 2 * S)]
    verdict = Table().play(*first, nose(3, 2 * S + 20 * US))
    assert ((2, 3), True, 20 * US, 20 * US) == (
        verdict.last,
        verdict.dead_heat,
        verdict.margin_ns,
        verdict.u_ns,
    )
    verdict = Table().play(*first, nose(3, 2 * S + 20 * US + 1))
    assert ((3,), False) == (verdict.last, verdict.dead_heat)


def test_two_touches_for_an_earlier_spoon_are_a_dead_heat_as_well() -> None:
    """One spoon is gone when 1 and 2 touch at once; 3 has the other. One of the two has none."""
    verdict = Table().play(
        spoon(1, 1 * S), nose(1, 1_200 * MS), nose(2, 1_200 * MS + 5 * US), spoon(2, 2 * S), nose(3, 3 * S)
    )
    assert ((1, 2), True, 5 * US, 20 * US) == (
        verdict.last,
        verdict.dead_heat,
        verdict.margin_ns,
        verdict.u_ns,
    )
    assert ((1, 2, 3), ()) == (verdict.order, verdict.phantoms)


def test_a_touch_without_a_spoon_is_a_phantom_until_it_is_made_again() -> None:
    """2 touches when nothing is gone and stays there: shown, not counted. Its next touch has a spoon."""
    table = Table()
    verdict = table.play(
        nose(2, 1 * S),
        spoon(1, 2 * S),
        nose(1, 2_200 * MS),
        spoon(2, 3 * S),
        nose(2, 3_100 * MS, 0),
        nose(2, 3_200 * MS),
    )
    assert ((1, 2), (3,)) == (verdict.order, verdict.last)
    assert [(2, 1 * S)] == [(press.seat, press.t_ns) for press in verdict.phantoms]
    assert ["Pressed", "Phantom", "Lifted", "Pressed"] == table.kinds()[:4]
    assert [False, True, True] == [one.counts for one in table.said if isinstance(one, Pressed)]


def test_a_touch_too_close_to_the_spoon_it_needs_makes_the_round_void() -> None:
    """2 touches 20 µs after the spoon went, both good to 10 µs: perhaps it was before. It is no dead heat."""
    verdict = Table().play(spoon(1, 1 * S), nose(1, 1_200 * MS), spoon(2, 2 * S), nose(2, 2 * S + 20 * US))
    assert ((), False) == (verdict.last, verdict.dead_heat)
    assert "so close together" in str(verdict.void)
    verdict = Table().play(spoon(1, 1 * S), nose(1, 1_200 * MS), spoon(2, 2 * S), nose(2, 2 * S + 21 * US))
    assert (3,) == verdict.last


def test_a_touch_after_the_verdict_completes_order_and_margin() -> None:
    """South touches 1.2 s after East had the last spoon: late, and no other verdict."""
    table = Table()
    table.feed(spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 1_200 * MS), nose(2, 2 * S))
    table.feed(nose(3, 3_200 * MS), Watermark(10 * S, "gpio"))
    (late,) = [one for one in table.said if isinstance(one, Late)]
    assert ((1, 2, 3), (3,), 1_200 * MS) == (late.verdict.order, late.verdict.last, late.verdict.margin_ns)
    assert 2 == len(late.verdict.lifts)


def test_it_is_decided_when_nothing_can_come_between_any_more() -> None:
    """The deciding touch at 2 s, confirmation 1 ms, w = 10 + 10 µs."""
    table = Table()
    table.feed(spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 1_200 * MS), nose(2, 2 * S))
    table.feed(Watermark(2 * S + 1_020 * US, "gpio"))
    assert "Judged" not in table.kinds()
    table.feed(Watermark(2 * S + 1_020 * US + 1, "gpio"))
    assert "Judged" == table.kinds()[-1]


# Feints


@pytest.mark.parametrize(("back_ms", "feint"), [(300, True), (301, False)])
def test_a_spoon_back_within_the_time_was_a_feint(back_ms: int, feint: bool) -> None:
    """300 ms is a feint, 301 is a lift, which then stands for the first touch."""
    table = Table()
    table.feed(spoon(1, 1 * S), spoon(1, 1 * S + back_ms * MS, 1), nose(3, 2 * S), Watermark(3 * S, "gpio"))
    assert [feint] == [one.feint for one in table.said if isinstance(one, PutBack)]
    assert [not feint] == [one.counts for one in table.said if isinstance(one, Pressed)]
    verdict = table.play(
        nose(3, 3 * S, 0), spoon(1, 4 * S), nose(1, 5 * S), spoon(2, 6 * S), nose(2, 7 * S), nose(3, 8 * S)
    )
    assert (2, feint) == (len(verdict.lifts), bool(verdict.feints))
    assert (3 if feint else 2,) == verdict.last


@pytest.mark.parametrize("other", [nose(3, 1_100 * MS), spoon(2, 1_100 * MS)])
def test_it_was_no_feint_when_something_else_happened_meanwhile(other: Edge) -> None:
    """Another spoon goes, or somebody touches, before it is back: it was a lift."""
    table = Table()
    table.feed(spoon(1, 1 * S), other, spoon(1, 1_200 * MS, 1), Watermark(3 * S, "gpio"))
    assert [False] == [one.feint for one in table.said if isinstance(one, PutBack)]


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


def test_a_touch_too_close_to_the_end_of_a_feint_makes_the_round_void_if_it_matters() -> None:
    """3 touches 5 µs after the spoon was back: if it was before, 3 had a spoon, and 2 had none."""
    verdict = Table().play(
        spoon(1, 1 * S),
        spoon(1, 1_200 * MS, 1),
        nose(3, 1_200 * MS + 5 * US),
        spoon(1, 2 * S),
        nose(1, 3 * S),
        spoon(2, 4 * S),
        nose(2, 5 * S),
    )
    assert "so close together" in str(verdict.void)


# Docks


def test_a_dock_counts_once_held_for_a_second_and_bears_its_first_edge() -> None:
    """2 lays its spoon down at 2 s; nothing is decided before 3 s, and then 2 was there at 2 s."""
    table = Table("dock")
    table.feed(spoon(1, 1 * S), dock(1, 1_100 * MS), spoon(2, 1_500 * MS), dock(2, 2 * S))
    table.feed(Watermark(3 * S, "gpio"))
    assert ["Lifted", "Lifted", "Confirmed"] == table.kinds()
    verdict = table.play()
    assert ((1, 2), (3,), [1_100 * MS, 2 * S]) == (
        verdict.order,
        verdict.last,
        [press.t_ns for press in verdict.presses],
    )
    assert [1_100 * MS, 2 * S] == [one.press.t_ns for one in table.said if isinstance(one, Confirmed)]


def test_a_spoon_that_leaves_the_dock_within_a_second_was_never_there() -> None:
    """1 takes it out again after 0.999 s; after exactly 1 s it has counted."""
    for out_ms, order in ((999, (3, 2)), (1_000, (1, 3))):
        verdict = Table("dock").play(
            spoon(1, 1 * S),
            spoon(2, 1_100 * MS),
            dock(1, 2 * S),
            dock(1, 2 * S + out_ms * MS, 1),
            dock(3, 4 * S),
            dock(2, 6 * S),
        )
        assert order == verdict.order


def test_docks_are_judged_by_when_the_spoon_came_not_by_when_it_counted() -> None:
    """2's dock is first, 1's second; 3's comes 15 µs after 1's, while both still wait for their second."""
    verdict = Table("dock").play(
        spoon(1, 1 * S),
        spoon(2, 1_100 * MS),
        dock(2, 2 * S),
        dock(1, 2_500 * MS),
        dock(3, 2_500 * MS + 15 * US),
    )
    assert ((1, 3), True, 15 * US) == (verdict.last, verdict.dead_heat, verdict.margin_ns)


def test_a_dock_in_parallel_with_the_nose_is_held_as_well_but_not_beside_a_dock_of_its_own() -> None:
    """Without dock lines noses are held for a second; with them noses say nothing."""
    touches = [spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 2 * S), nose(2, 3 * S)]
    assert (3,) == Table("dock").play(*touches).last
    table = Table("dock")
    table.feed(Levels({"dock.1": 1, "dock.2": 1, "dock.3": 1}, 0, "gpio"))
    assert (1,) == table.play(*touches, dock(2, 5 * S), dock(3, 6 * S)).last


def test_an_empty_dock_may_be_open_or_closed() -> None:
    """What counts is that it leaves the level at which it stood when the round was armed."""
    table = Table("dock")
    table.feed(Levels({"dock.1": 0, "dock.2": 1, "dock.3": 0}, 0, "gpio"))
    verdict = table.play(spoon(1, 1 * S), spoon(2, 2 * S), dock(1, 3 * S, 1), dock(2, 4 * S, 0))
    assert ((1, 2), (3,)) == (verdict.order, verdict.last)


# The rack alone


def test_the_rack_alone_is_done_when_it_has_been_empty_for_the_time_of_a_feint() -> None:
    """The last goes at 2 s; it may come back until 2.3 s. Noses say nothing, held ones do not even block."""
    table = Table("rack-only")
    table.feed(nose(1, 1), spoon(1, 1 * S), spoon(2, 1_500 * MS), spoon(2, 1_600 * MS, 1), spoon(2, 2 * S))
    table.feed(Watermark(2_300 * MS, "gpio"))
    assert "Judged" not in table.kinds()
    verdict = table.play()
    assert ((), (), None, 2, 1) == (
        verdict.order,
        verdict.last,
        verdict.void,
        len(verdict.lifts),
        len(verdict.feints),
    )


# Arming


def test_a_missing_spoon_blocks_by_name_and_a_retired_cradle_does_not() -> None:
    """Three seats use cradles 1 and 2: 2 is empty, 3 is retired."""
    lines = {f"nose.{seat}": seat for seat in (1, 2, 3)}
    referee = Referee(lines, Settings(), ["gpio"])
    referee.watch((1, 2, 3), rack=Rack((1, 2, 3)))
    items: list[Input | Request] = [
        Levels({"spoon.1": 1, "spoon.2": 0, "spoon.3": 0}, 0, "gpio", U),
        ArmRequest(0),
        Watermark(1 * S, "gpio"),
    ]
    assert [Blocked(0, (), ("spoon.2",))] == [one for item in items for one in referee.feed(item)]
    (armed,) = [*referee.feed(spoon(2, 2 * S, 1)), *referee.feed(Watermark(3 * S, "gpio"))]
    assert Armed(2 * S, (1, 2, 3)) == armed
    said = [*referee.feed(spoon(3, 4 * S, 1)), *referee.feed(spoon(3, 5 * S, 0))]
    assert [] == [*said, *referee.feed(Watermark(6 * S, "gpio"))]


def test_noses_and_spoons_block_together() -> None:
    """A nose is held and a spoon missing: both are named, and each that is mended is named no more."""
    table = Table()
    table.play(spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 2 * S), nose(2, 3 * S))
    said = [*table.feed(ArmRequest(1_000 * S)), *table.feed(Watermark(1_001 * S, "gpio"))]
    assert [Blocked(1_000 * S, (1, 2), ("spoon.1", "spoon.2"))] == said
    fresh = table.feed(spoon(1, 1_002 * S, 1), nose(1, 1_002 * S, 0), Watermark(1_003 * S, "gpio"))
    assert Blocked(1_002 * S, (2,), ("spoon.2",)) == all_of(fresh, Blocked)[-1]


def test_it_arms_itself_when_all_spoons_have_been_back_for_a_while() -> None:
    """The last spoon is back at 5 s; 3 s later the next round is armed."""
    lines = {f"nose.{seat}": seat for seat in (1, 2, 3)}
    referee = Referee(lines, Settings(), ["gpio"])
    referee.watch((1, 2, 3), rack=Rack((1, 2)))
    edges = [spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 2 * S), nose(2, 3 * S)]
    edges += [nose(1, 4 * S, 0), nose(2, 4 * S, 0), spoon(1, 4 * S, 1), spoon(2, 5 * S, 1)]
    said = [one for edge in edges for one in referee.feed(edge)]
    said += [*referee.feed(Watermark(100 * S, "gpio"))]
    assert [1 * S, 8 * S] == [one.t_ns for one in all_of(said, Armed) if isinstance(one, Armed)]


def test_a_spoon_that_will_not_come_to_rest_makes_the_round_void() -> None:
    """25 ms of chatter on a cradle in use is noise, on one that is not in use nobody cares."""
    chatter = [(1 * S + n * 500 * US, n % 2) for n in range(50)]
    verdict = Table().play(*(spoon(1, t, level) for t, level in chatter))
    assert "spoon.1" in str(verdict.void)
    table = Table()
    table.feed(*(spoon(3, t, level) for t, level in chatter), Watermark(3 * S, "gpio"))
    assert ["Noisy"] == [type(one).__name__ for one in all_of(table.said, Noisy)]
    assert "Judged" not in table.kinds()


def test_a_spoon_is_stamped_with_its_first_edge_and_a_knock_is_none() -> None:
    """A train of 0.6 ms is one lift; a pulse of 0.4 ms is a knock on the cradle."""
    table = Table()
    lift = [spoon(1, 1 * S), spoon(1, 1 * S + 200 * US, 1), spoon(1, 1 * S + 600 * US)]
    table.feed(spoon(2, 500 * MS), spoon(2, 500 * MS + 400 * US, 1), *lift, Watermark(2 * S, "gpio"))
    assert [(1, 1 * S)] == [(one.lift.cradle, one.lift.t_ns) for one in table.said if isinstance(one, Lifted)]


# Lost edges (law 5)


@pytest.mark.parametrize(
    ("gap", "void"),
    [
        (Gap(1_600 * MS, 1_700 * MS, "gpio"), True),  # 3 may have touched in it, and 2 been too late
        (Gap(500 * MS, 600 * MS, "gpio"), True),  # spoons may have gone in it, and touches have been valid
        (Gap(4 * S, 5 * S, "gpio"), False),  # all was decided
        (Gap(1_600 * MS, 1_700 * MS, "box"), False),  # no line of ours
    ],
)
def test_a_gap_that_could_change_who_is_last_makes_the_round_void(gap: Gap, void: bool) -> None:
    """1 confirms at 1.5 s, 2 at 2 s. What a gap may hide is anywhere in it."""
    done = Watermark(1000 * S, "box")
    verdict = Table().play(
        spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 1_500 * MS), gap, nose(2, 2 * S), done
    )
    assert void == (verdict.void is not None)
    assert void or (3,) == verdict.last


def test_a_spoon_found_gone_counts_and_casts_doubt_only_where_it_matters() -> None:
    """Spoon 2 went unseen before 1.4 s: before all touches a spoon like any, after one perhaps not."""
    found = Levels({"nose.1": 0, "nose.2": 0, "nose.3": 0, "spoon.1": 0, "spoon.2": 0}, 1_400 * MS, "gpio", U)
    table = Table()
    verdict = table.play(spoon(1, 1 * S), found, nose(1, 1_500 * MS), nose(2, 2 * S))
    assert ((3,), 2) == (verdict.last, len(verdict.lifts))
    verdict = Table().play(spoon(1, 1 * S), nose(1, 1_200 * MS), nose(2, 1_300 * MS), found, nose(3, 2 * S))
    assert verdict.void is not None


def test_a_nose_found_down_may_have_been_first_or_last() -> None:
    """3 is down at 1.9 s, nobody saw when; 2 touched at 1.5 s: who had the last spoon is open."""
    found = Levels({"nose.3": 1}, 1_900 * MS, "gpio", U)
    verdict = Table().play(spoon(1, 1 * S), spoon(2, 1_100 * MS), nose(1, 1_200 * MS), found, nose(2, 2 * S))
    assert verdict.void is not None
