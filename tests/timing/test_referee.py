"""Rounds in stream time: what the minutes do not say of arming, voiding, gaps, the host and appeals."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable

import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import (
    Armed,
    ArmingBlocked,
    Edge,
    Gap,
    HostPress,
    Input,
    Judged,
    Late,
    Levels,
    Noisy,
    Passthrough,
    RefereeEvent,
    UnseenChange,
    Verdict,
    Watermark,
)
from lastnose.companion.core.text import text
from lastnose.companion.timing import ArmRequest, Referee, Request, Settings, VoidRequest, rejudge

US, MS, S = 1_000, 1_000_000, 1_000_000_000
LINES = {"nose.1": 1, "nose.2": 2, "nose.3": 3, "nose.4": 4}
U = 10 * US
REST = Levels({"nose.1": 0, "nose.2": 0, "nose.3": 0}, 0, "gpio", U)
WHY = text("the deck fell off the table")


def down(seat: int, t_ns: int, source: str = "gpio", u_ns: int = U) -> Edge:
    """Return the edge of a nose that goes down."""
    return Edge(t_ns, source, f"nose.{seat}", 1, u_ns)


def up(seat: int, t_ns: int, source: str = "gpio", u_ns: int = U) -> Edge:
    """Return the edge of a nose that comes up."""
    return Edge(t_ns, source, f"nose.{seat}", 0, u_ns)


def until(t_ns: int, source: str = "gpio") -> Watermark:
    """Return the promise that nothing before *t_ns* is still coming."""
    return Watermark(t_ns, source)


class Table:
    """A referee with a note of all it said."""

    def __init__(
        self,
        *,
        hold: bool = False,
        seats: tuple[int, ...] = (1, 2, 3),
        sources: Iterable[str] = ("gpio",),
        rest: bool = True,
        **settings: int | None,
    ) -> None:
        self.settings = Settings(**settings)  # type: ignore[arg-type]
        self.referee = Referee(LINES, self.settings, sources)
        self.referee.watch(seats, hold)
        self.said: list[RefereeEvent] = []
        if rest:
            self.feed(REST)

    def feed(self, *items: Input | Request) -> list[RefereeEvent]:
        """Feed inputs, return what they brought."""
        fresh = self.referee.feed(*items)
        self.said += fresh
        return fresh

    def answer(self, item: Input | Request, to: type, answer: Callable[[], object]) -> None:
        """Feed an input, and call *answer* wherever a happening of kind *to* may be answered."""
        self.referee.take(item)
        while told := self.referee.tell():
            self.said += told
            if isinstance(told[-1], to):
                answer()

    def end(self) -> list[RefereeEvent]:
        """End the stream, return what that brought."""
        fresh = self.referee.end()
        self.said += fresh
        return fresh

    def verdict(self) -> Verdict:
        """Return the one verdict."""
        (verdict,) = [one.verdict for one in self.said if isinstance(one, Judged)]
        return verdict


def kinds(said: Iterable[RefereeEvent]) -> list[str]:
    """Return the names of happenings."""
    return [type(one).__name__ for one in said]


# Deciding


def test_the_missing_seat_is_last_once_every_watermark_has_passed_confirmation_and_w() -> None:
    """The latest press at 2 s, confirmation 1 ms, w = 10 + 10 µs: decided when all know past 2.00102 s."""
    table = Table(sources=["gpio", "box"])
    due_ns = 2 * S + 1 * MS + 20 * US
    table.feed(down(1, 1 * S), down(2, 2 * S), until(9 * S), until(due_ns, "box"))
    assert "Judged" not in kinds(table.said)
    (judged,) = table.feed(until(due_ns + 1, "box"))
    assert isinstance(judged, Judged)
    assert due_ns == judged.t_ns
    assert Verdict((1, 2), (3,), None, 20 * US, presses=judged.verdict.presses) == judged.verdict


def test_a_press_at_the_last_moment_is_judged_and_the_next_nanosecond_is_late() -> None:
    """Both show the same last and the same margin; only the second needs completing."""
    due_ns = 2 * S + 1 * MS + 20 * US
    judged_table, late_table = Table(), Table()
    judged_table.feed(down(1, 1 * S), down(2, 2 * S), down(3, due_ns), until(3 * S))
    late_table.feed(down(1, 1 * S), down(2, 2 * S), down(3, due_ns + 1), until(3 * S))
    assert (1_020 * US, 20 * US) == (judged_table.verdict().margin_ns, judged_table.verdict().u_ns)
    assert None is late_table.verdict().margin_ns
    late = late_table.said[-1]
    assert isinstance(late, Late)
    assert ((1, 2, 3), (3,), 1_020 * US + 1) == (
        late.verdict.order,
        late.verdict.last,
        late.verdict.margin_ns,
    )
    assert (down(3, due_ns + 1),) == late.inputs


def test_a_request_that_falls_on_the_instant_of_arming_comes_first() -> None:
    """Due by itself at 7 s, as above; asked for at 7 s with two seats: armed once, with those."""
    table = Table()
    table.feed(down(1, 1 * S), down(2, 2 * S), up(1, 3 * S), up(2, 4 * S), ArmRequest(7 * S, (1, 2)))
    table.feed(until(8 * S))
    armed = [one for one in table.said if isinstance(one, Armed)]
    assert [Armed(0, (1, 2, 3)), Armed(7 * S, (1, 2))] == armed


def test_the_answer_to_a_verdict_takes_effect_before_the_next_arming() -> None:
    """One promise of a minute decides the round and arms the next, which watches whom the table then says."""
    table = Table(rearm_ns=1 * S)
    table.feed(down(1, 1 * S), down(2, 2 * S), up(1, 3 * S), up(2, 3 * S))
    table.answer(until(60 * S), Judged, lambda: table.referee.watch((1, 2)))
    armed = [one for one in table.said if isinstance(one, Armed)]
    assert [Armed(0, (1, 2, 3)), Armed(4 * S, (1, 2))] == armed


def test_a_block_is_told_once_until_all_were_free() -> None:
    """The host's button changes nothing about it; the same nose down again, after all were free, does."""
    table = Table(rest=False)
    table.feed(Levels({"nose.2": 1}, 1 * S, "gpio", U), Edge(2 * S, "gpio", "host", 1, U), until(3 * S))
    assert [UnseenChange(2, 1, 1 * S, counts=False), ArmingBlocked(1 * S, (2,))] == table.said
    table.feed(up(2, 4 * S), down(2, 5 * S), until(6 * S))
    assert [ArmingBlocked(1 * S, (2,)), ArmingBlocked(5 * S, (2,))] == [
        one for one in table.said if isinstance(one, ArmingBlocked)
    ]


def test_a_request_may_name_the_seats_of_one_round() -> None:
    """The tape of a single round says who was watched."""
    table = Table(rearm_ns=None)
    assert [Armed(1 * S, (2, 3))] == table.feed(ArmRequest(1 * S, (2, 3)), until(2 * S))


def test_arming_in_the_middle_of_a_round_voids_what_was_pressed() -> None:
    """Without a press it simply begins again."""
    table = Table(rearm_ns=None)
    table.feed(ArmRequest(1 * S), ArmRequest(2 * S), until(3 * S))
    assert [Armed(1 * S, (1, 2, 3)), Armed(2 * S, (1, 2, 3))] == table.said
    table.feed(down(1, 4 * S), up(1, 5 * S), ArmRequest(6 * S), until(7 * S))
    assert ["Judged", "Armed"] == kinds(table.said)[-2:]
    assert (1,) == table.verdict().order
    assert "The next round was armed before this one was decided." == str(table.verdict().void)


# Voiding


def test_a_noisy_line_of_a_watched_seat_voids_the_round_and_is_named() -> None:
    """And until it is quiet it blocks the next one."""
    table = Table()
    chatter = [Edge(2 * S + n * 900 * US, "gpio", "nose.2", (n + 1) % 2, U) for n in range(40)]
    table.feed(down(1, 1 * S), *chatter, until(2 * S + 30 * MS))
    assert [Noisy("nose.2", 2 * S)] == [one for one in table.said if isinstance(one, Noisy)]
    assert (1,) == table.verdict().order
    assert "nose.2 keeps changing: check its button and wires." == str(table.verdict().void)
    table.feed(up(1, 3 * S), until(60 * S))
    assert Armed(6 * S, (1, 2, 3)) == table.said[-1]


def test_a_tape_that_cuts_a_round_off_makes_it_void_and_one_without_a_press_vanishes() -> None:
    """And nothing is armed after the end of the tape."""
    cut, empty = Table(), Table()
    cut.feed(down(1, 1 * S))
    assert ["Armed", "Pressed", "Judged"] == kinds(cut.end())
    assert ("tape ended", (1,)) == (str(cut.verdict().void), cut.verdict().order)
    empty.feed(down(1, 1 * S), down(2, 2 * S), up(1, 3 * S), up(2, 3 * S), Levels({}, 20 * S, "gpio"))
    assert ["Armed", "Pressed", "Pressed", "Judged", "Released", "Released", "Armed"] == kinds(empty.end())
    over = Table()
    over.feed(down(1, 1 * S), down(2, 2 * S), up(1, 3 * S), up(2, 3 * S))
    assert 1 == kinds(over.end()).count("Armed")
    assert (3,) == over.verdict().last


# Gaps


def test_a_gap_of_a_page_is_told_as_a_late_tap() -> None:
    """Nobody needs to know what the page's clock is called."""
    table = Table(sources=["gpio", "page.k3.1"], rest=False)
    table.feed(down(1, 1 * S), Gap(1_500 * MS, 1_800 * MS, "page.k3.1"), down(2, 2 * S))
    table.feed(until(3 * S), until(3 * S, "page.k3.1"))
    said = "A tap on a phone or computer came too late, and it could change the verdict."
    assert said == str(table.verdict().void)


def test_a_gap_of_any_source_concerns_a_nose_that_nobody_has_heard_of() -> None:
    """Which source nose 3 hangs on shows only when it is pressed."""
    table = Table(rest=False)
    table.feed(down(1, 1 * S), Gap(1_500 * MS, 1_800 * MS, "box"), down(2, 2 * S))
    table.feed(until(3 * S), until(3 * S, "box"))
    assert table.verdict().void is not None


def test_a_press_that_came_too_late_leaves_open_who_opened() -> None:
    """Seat 1's came from another source and is lost in 1.9 to 1.95 s: 3 was last, whoever opened."""
    for late in (True, False):
        table = Table(sources=["gpio", "page"])
        table.feed(until(1_950 * MS if late else 1 * S, "page"), down(1, 1_900 * MS, "page"))
        table.feed(down(2, 1_990 * MS), down(3, 1_991 * MS), until(3 * S), until(3 * S, "page"))
        verdict = table.verdict()
        assert ((3,), None) == (verdict.last, verdict.void)
        told = ((2, 3), (1,), None) if late else ((1, 2, 3), (), 1)
        assert told == (verdict.order, verdict.unseen, verdict.opener)


def test_an_edge_that_came_too_late_does_not_undo_newer_ones() -> None:
    """Another page's touch of nose 3 comes late, but it was seen to come up since: it does not block."""
    table = Table(sources=["gpio", "page"])
    table.feed(down(3, 1 * S), up(3, 2 * S), down(1, 3 * S), down(2, 4 * S), up(1, 5 * S), up(2, 5 * S))
    table.feed(
        until(6 * S), until(6 * S, "page"), down(3, 500 * MS, "page"), until(9 * S), until(9 * S, "page")
    )
    assert Armed(8 * S, (1, 2, 3)) == table.said[-1]


def test_a_doubtful_press_is_waited_for_at_its_latest() -> None:
    """The box's 2 (80 ms coarse) may truly have pressed at 2.3 s: then 3 at 2.35 s is a dead heat with it."""
    table = Table(sources=["gpio", "box"])
    table.feed(Levels({"nose.2": 0}, 1, "box", 80 * MS))
    table.feed(down(1, 1 * S), Gap(1_900 * MS, 2_300 * MS, "box"), down(2, 2 * S, "box", 80 * MS))
    table.feed(down(3, 2_350 * MS), until(3 * S), until(3 * S, "box"))
    assert (1, 2, 3) == table.verdict().order
    assert "Edges of box may be lost, and they could change the verdict." == str(table.verdict().void)


def test_a_gap_told_while_the_missing_seat_is_waited_for_prolongs_the_wait() -> None:
    """A box admits its gap only at 2.05 s, when the others had long pressed: seat 3 may have been in it."""
    table = Table(sources=["gpio", "box"])
    table.feed(Levels({"nose.2": 0}, 1, "box", 80 * MS), down(1, 1 * S), down(2, 2 * S, "box", 80 * MS))
    table.feed(until(2_050 * MS), until(2_050 * MS, "box"), Gap(1_900 * MS, 2_300 * MS, "box"))
    table.feed(down(3, 2_350 * MS), until(3 * S), until(3 * S, "box"))
    assert (1, 2, 3) == table.verdict().order
    assert table.verdict().void is not None


# The host, other happenings, appeals


def test_a_short_and_a_long_press_of_the_hosts_button() -> None:
    """Short: told when let go. Long: told once, when held 1 s, and not again when let go."""
    table = Table(seats=())
    host = [
        Edge(t, "gpio", "host", level, U)
        for t, level in [(1 * S, 1), (1_999 * MS, 0), (3 * S, 1), (9 * S, 0)]
    ]
    table.feed(*host, until(10 * S))
    assert [HostPress(1_999 * MS, False), HostPress(4 * S, True)] == table.said


def test_a_cue_comes_out_in_its_place() -> None:
    """A move on a tape at 1.5 s lies between the presses, whenever it was fed."""
    table = Table()
    table.feed(Passthrough(1_500 * MS, "talked"), down(1, 1 * S), down(2, 2 * S), until(3 * S))
    assert ["Armed", "Pressed", "Passthrough", "Pressed", "Judged"] == kinds(table.said)


def test_the_answer_to_a_cue_takes_effect_right_behind_it() -> None:
    """Somebody talked at 1.5 s: the table asks for a void right then, before the press of 2 s."""
    table = Table()
    table.feed(Passthrough(1_500 * MS, "talked"), down(1, 1 * S), down(2, 2 * S))
    table.answer(until(3 * S), Passthrough, lambda: table.referee.take(VoidRequest(1_500 * MS, WHY)))
    assert ["Armed", "Pressed", "Passthrough", "Judged", "Pressed"] == kinds(table.said)
    assert ((1,), WHY) == (table.verdict().order, table.verdict().void)


def test_what_is_told_ends_at_every_happening_that_may_be_answered() -> None:
    """A verdict, a press of the host's button and a cue each come last; then the rest, then nothing."""
    table = Table()
    tap = [Edge(t, "gpio", "host", level, U) for t, level in [(4 * S, 1), (4_100 * MS, 0)]]
    table.feed(Passthrough(1_500 * MS, "talked"), down(1, 1 * S), down(2, 2 * S), *tap, down(3, 5 * S))
    table.referee.take(until(6 * S))
    told = [kinds(table.referee.tell()) for _ in range(5)]
    ends = [
        ["Armed", "Pressed", "Passthrough"],
        ["Pressed", "Judged"],
        ["HostPress"],
        ["Pressed", "Late", "ArmingBlocked"],
    ]
    assert [*ends, []] == told


def test_what_was_not_heard_yet_goes_on_with_the_next_inputs() -> None:
    """Nothing is lost, or told in another order, when the caller takes its time."""
    table = Table()
    table.feed(Passthrough(500 * MS, "dealt"), down(1, 1 * S), down(2, 2 * S))
    table.referee.take(until(3 * S))
    assert ["Armed", "Passthrough"] == kinds(table.referee.tell())
    table.feed(until(4 * S))
    assert ["Pressed", "Pressed", "Judged"] == kinds(table.said)


def test_inputs_of_a_round_end_with_whole_trains() -> None:
    """The host's tap holds the decision up to 2.02 s, amid a glitch of 3: half a train says nothing."""
    table = Table()
    tap = [Edge(2 * S + t, "gpio", "host", level, U) for t, level in ((0, 1), (1_010 * US, 0))]
    glitch = [down(3, 2 * S + 19_500 * US), up(3, 2 * S + 20_300 * US)]
    table.feed(down(1, 1 * S), down(2, 2 * S), *tap, *glitch, until(3 * S))
    judged = next(one for one in table.said if isinstance(one, Judged))
    assert (down(1, 1 * S), tap[0], down(2, 2 * S), tap[1]) == judged.inputs[2:]
    assert judged.verdict == rejudge(judged.inputs, Armed(0, (1, 2, 3)), LINES, Settings())


def test_an_appeal_with_a_longer_confirmation_may_read_a_glitch_out() -> None:
    """Seat 1's press lasted 2 ms: with 5 ms to confirm it is a glitch, and 1 itself is last."""
    table = Table()
    table.feed(down(1, 1 * S), up(1, 1_002 * MS), down(2, 2 * S), down(3, 3 * S), until(4 * S))
    judged = next(one for one in table.said if isinstance(one, Judged))
    armed = table.said[0]
    assert isinstance(armed, Armed)
    assert judged.verdict == rejudge(judged.inputs, armed, LINES, Settings())
    late = next(one for one in table.said if isinstance(one, Late))
    again = rejudge([*judged.inputs, *late.inputs], armed, LINES, Settings(confirm_ns=5 * MS))
    assert ((2, 3), (1,)) == (again.order, again.last)


def test_what_no_round_needs_is_not_kept() -> None:
    """Between two games somebody plays with a nose for hours: at most the last edges are held."""
    table = Table(seats=())
    source = "".join(["gp", "io"])  # a string of its own: every edge that is held holds it
    before = sys.getrefcount(source)
    for n in range(1, 800):
        t_ns = n * 100 * MS
        for edge in (down(1, t_ns, source), up(1, t_ns + 50 * MS, source)):
            for _ in table.referee.feed(edge):
                pass
    for _ in table.referee.feed(until(100 * S, source)):
        pass
    assert sys.getrefcount(source) - before < 1_000


def test_lines_are_bound_only_between_rounds_and_levels_stay() -> None:
    """After a drop another game may have the noses; the one that is held still blocks."""
    table = Table()
    table.feed(down(1, 1 * S), until(2 * S))
    with pytest.raises(ValueError, match="drop"):
        table.referee.bind({"nose.1": 2, "nose.2": 1})
    table.referee.drop()
    table.referee.bind({"nose.1": 2, "nose.2": 1})
    table.referee.watch((1, 2))
    assert [ArmingBlocked(2 * S, (2,))] == table.feed(until(3 * S))


def test_drop_forgets_what_was_asked_for() -> None:
    """Neither an arming nor a voiding that was meant for the dropped game reaches the next one."""
    table = Table(rearm_ns=None)
    table.feed(ArmRequest(5 * S), VoidRequest(6 * S, WHY), Passthrough(7 * S, "told all the same"))
    table.referee.drop()
    table.referee.watch((1, 2))
    assert ["Passthrough"] == kinds(table.feed(until(8 * S)))


def test_it_says_whether_a_round_is_armed() -> None:
    """From the arming to the verdict."""
    table = Table()
    assert not table.referee.armed
    table.feed(down(1, 1 * S), until(2 * S))
    assert table.referee.armed
    table.feed(down(2, 2 * S), until(3 * S))
    assert not table.referee.armed


def test_void_ends_the_round_at_once() -> None:
    """The table need not wait for the stream."""
    table = Table()
    table.feed(down(1, 1 * S), until(2 * S))
    judged = table.referee.void(WHY)
    assert judged is not None
    assert (2 * S, (1,), WHY) == (judged.t_ns, judged.verdict.order, judged.verdict.void)
    assert None is table.referee.void(WHY)


@pytest.mark.parametrize("seats", [(1,), (1, 1), (1, 5)])
def test_one_seat_or_a_seat_without_a_nose_cannot_be_watched(seats: tuple[int, ...]) -> None:
    """Each with a sentence."""
    with pytest.raises(BadInput):
        Table().referee.watch(seats)
    with pytest.raises(BadInput):
        Table().feed(ArmRequest(0, seats))


def test_settings_refuse_negative_times() -> None:
    """By the name of the key."""
    with pytest.raises(BadInput, match="confirm_ns is −1"):
        Settings(confirm_ns=-1)


def test_a_referee_that_is_done_leaves_nothing_to_the_collector_that_looks_for_circles() -> None:
    """A hall judges tens of thousands of rounds again: what they left took a fifth of its time."""
    inputs, armed = (REST, down(1, S), down(2, 2 * S)), Armed(0, (1, 2, 3))
    assert (3,) == rejudge(inputs, armed, LINES, Settings()).last
    gc.collect()
    gc.disable()
    try:
        rejudge(inputs, armed, LINES, Settings())
        assert 0 == gc.collect()
    finally:
        gc.enable()
