"""Before the deal: what is touched opens nothing, and a phone that nobody hears is settled first."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.evening.commands import Arm, LeaveOut, Rearm, Start, Undo, Void
from lastnose.companion.evening.events import RoundArmed
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.views.snapshot import HallView, SeatPhone

from tests.table.test_table import FOUR, NOSES, Box

WIRED, PHONE = NOSES[:4], NOSES[4]
SILENT = SeatPhone("nose.2", "silent", page="b", phone="b")
AWAKE = SeatPhone("nose.2", "awake", page="b", phone="b")


@pytest.fixture
def box() -> Box:
    """Pig among four whose noses are touched on pages."""
    made = Box(on_pages=NOSES)
    made.do(Start("pig", FOUR))
    made.wait(10)
    return made


def early(box: Box) -> str | None:
    """What is said of a touch that came too early."""
    says = box.table.publish().early
    return None if says is None else str(says)


def armed_for(store: MemoryStore) -> list[tuple[int, ...]]:
    """For whom rounds were armed."""
    return [event.seats for _, event in store.events() if isinstance(event, RoundArmed)]


def test_on_pages_a_touch_before_the_hosts_play_opens_nothing_and_is_told(
    box: Box,
) -> None:
    """Key 1 while cards go round: no round, a sentence for 4 s, and it is as if nothing had been."""
    assert ("ready", "Ready to deal") == box.shown()
    assert box.table.publish().rearms_in_ns is None
    box.edge(1, 1)
    box.wait(50)
    assert "ready" == box.shown()[0]
    assert "Not yet, North: the noses are off." == early(box)
    assert [True, False, False, False] == [row.early for row in box.table.publish().rows]
    box.edge(1, 0)
    box.wait(3900)
    assert early(box) is not None
    box.wait(200)
    assert early(box) is None
    assert ["Started"] == box.kinds()
    box.do(Arm())
    box.wait(10)
    assert ("armed", "Play!") == box.shown()
    box.round(2, 1, 4, 3)
    assert "P" == box.letters()[2]


def test_on_pages_no_round_is_armed_after_a_verdict_until_the_host_says_play(box: Box) -> None:
    """A minute later nothing counts still, and North, who touches, is told."""
    box.do(Arm())
    box.wait(10)
    box.round(2, 1, 4, 3)
    box.wait(60_000)
    assert "verdict" == box.shown()[0]
    box.edge(1, 1)
    box.wait(50)
    assert "Not yet, North: the noses are off." == early(box)
    assert 1 == box.kinds().count("RoundArmed")
    box.edge(1, 0)
    box.do(Arm())
    box.wait(1000)
    assert early(box) is None, "now it counts"
    assert "armed" == box.shown()[0]


def test_a_late_last_touch_and_a_second_bang_right_after_the_verdict_are_not_early(
    box: Box,
) -> None:
    """Seat 3 completes the verdict 3 s after it; seat 1 bangs twice."""
    box.do(Arm())
    box.wait(10)
    for seat in (2, 1, 4):
        box.edge(seat, 1)
    box.wait(200)
    box.edge(1, 0)
    box.wait(50)
    box.edge(1, 1)
    box.wait(100)
    assert "verdict" == box.shown()[0]
    assert early(box) is None
    box.wait(3000)
    box.edge(3, 1)
    box.wait(100)
    assert early(box) is None
    margin_ns = box.table.publish().finish
    assert margin_ns is not None
    assert margin_ns.margin_ns is not None, "it completed the verdict"
    box.edge(3, 0)
    box.wait(100)
    box.edge(3, 1)
    box.wait(100)
    assert "Not yet, South: the noses are off." == early(box)


def test_who_holds_a_nose_too_early_is_told_as_long_as_they_do(box: Box) -> None:
    """Ten seconds, and then no more."""
    box.edge(4, 1)
    box.edge(2, 1)
    box.wait(10_000)
    assert "Not yet, East and West: the noses are off." == early(box)
    box.edge(4, 0)
    box.edge(2, 0)
    box.wait(100)
    assert early(box) is None


def test_in_a_hall_a_touch_before_the_first_deal_says_that_somebody_is_here(box: Box) -> None:
    """It is asked for: nobody is told that it came too early."""
    box.do(Start("pig", FOUR, call="1"))
    box.table.show_hall(HallView(7, call="1", players=FOUR))
    box.edge(1, 1)
    box.wait(50)
    assert early(box) is None


def test_one_nose_on_a_phone_is_enough_to_wait_for_the_host_and_wires_alone_arm_themselves() -> None:
    """What people have asked for stays, for the next game of wires alone."""
    box = Box(on_pages=(PHONE,))
    box.do(Start("pig", FOUR, lines=(*WIRED[:3], PHONE)))
    box.wait(5000)
    assert "ready" == box.shown()[0]
    with pytest.raises(NotNow, match="only wired ones arm themselves"):
        box.do(Rearm(2.0))
    box.do(Start("pig", FOUR, lines=WIRED))
    box.wait(10)
    assert ("armed", "Noses on: deal, then play!") == box.shown()
    assert 3_000_000_000 == box.table.publish().rearms_in_ns


def test_after_a_stop_the_noses_of_pages_still_wait_for_the_host(box: Box) -> None:
    """The game is there, and nothing arms by itself."""
    again = Box(box.store, on_pages=NOSES)
    again.wait(10_000)
    assert "ready" == again.shown()[0]
    assert ["Started"] == again.kinds()


def test_what_is_taken_back_under_an_armed_round_waits_for_the_host_again(box: Box) -> None:
    """East was out; with the round taken back somebody else has to be watched: the host says play again."""
    box.do(Start("pig", FOUR, {"sudden_death": True}))
    box.do(Arm())
    box.wait(10)
    box.round(1, 3, 4, 2)
    box.wait(100)
    box.do(Arm())
    box.wait(1000)
    assert "armed" == box.shown()[0]
    box.do(Undo())
    box.wait(10_000)
    assert "ready" == box.shown()[0]
    assert not box.table.publish().dealt


@pytest.mark.parametrize(
    ("phone", "says"),
    [
        (SILENT, "East’s phone has fallen silent: is it in the network?"),
        (
            msgspec.structs.replace(SILENT, state="asleep"),
            "East’s phone is asleep: wake it, or touch that nose on another page.",
        ),
        (SeatPhone("nose.2", "missing", shared=True), "East has no phone yet: open My nose on one."),
    ],
)
def test_a_phone_that_nobody_hears_stops_the_deal_until_settled(box: Box, phone: Any, says: str) -> None:
    """Who says play all the same is told what to do; the phone that comes back settles it."""
    box.table.show_phones((phone,))
    shown = box.table.publish()
    assert shown.duty is not None
    assert (2, "nose.2", says) == (shown.duty.seat, shown.duty.line, str(shown.duty.says))
    assert "Play this round without East" == str(shown.duty.without)
    assert (shown.duty.use is None) == (phone.state == "missing")
    with pytest.raises(NotNow) as told:
        box.do(Arm())
    assert says == str(told.value)
    assert ["Started"] == box.kinds()
    box.table.show_phones((AWAKE,))
    assert box.table.publish().duty is None
    box.do(Arm())
    box.wait(10)
    assert "armed" == box.shown()[0]


def test_a_shared_page_that_fell_silent_is_no_duty_as_any_other_does_as_well(box: Box) -> None:
    """And once a round is under way there is none either: the round goes on."""
    box.table.show_phones((msgspec.structs.replace(SILENT, shared=True),))
    assert box.table.publish().duty is None
    box.do(Arm())
    box.wait(10)
    box.table.show_phones((SILENT,))
    assert box.table.publish().duty is None


def test_a_round_is_dealt_without_the_one_whose_phone_is_silent(box: Box) -> None:
    """The other three play, West is last; East has no letter, and is asked for again before the next deal."""
    box.table.show_phones((SILENT,))
    box.do(LeaveOut((2,)))
    shown = box.table.publish()
    assert shown.duty is None
    assert shown.faults == ()
    assert [False, True, False, False] == [row.aside for row in shown.rows]
    assert [
        "East sits this round out.",
        "Put the four cards of one rank aside for it.",
    ] == [str(one) for one in shown.notes[:2]]
    box.do(Arm())
    box.wait(10)
    assert [(1, 3, 4)] == armed_for(box.store)
    box.edge(1, 1)
    box.wait(10)
    assert ("judging", "Noses: 1 of 3") == box.shown()
    assert ["on", "off", "blink", "blink"] == [lamp.light for lamp in box.table.publish().lamps]
    box.edge(3, 1)
    box.edge(4, 1)
    box.wait(100)
    assert ["", "", "", "P"] == box.letters()
    assert not any(row.aside for row in box.table.publish().rows)
    assert box.table.publish().duty is not None


def test_a_round_that_nobody_has_touched_is_armed_again_for_the_same(box: Box) -> None:
    """Cards stay in hand: East has none."""
    box.do(LeaveOut((2,)))
    box.do(Arm())
    box.wait(10)
    box.do(Void(under_way=True))
    box.wait(1000)
    assert [(1, 3, 4), (1, 3, 4)] == armed_for(box.store)


def test_two_have_to_play_and_spoons_are_for_everybody(box: Box) -> None:
    """Whoever is left out comes back with another word; during a round it is too late."""
    with pytest.raises(NotNow, match="too few to play"):
        box.do(LeaveOut((1, 2, 3)))
    with pytest.raises(BadInput, match="Seat 9"):
        box.do(LeaveOut((9,)))
    box.do(LeaveOut((2, 3)))
    box.do(LeaveOut(()))
    assert not any(row.aside for row in box.table.publish().rows)
    box.do(Arm())
    box.wait(10)
    with pytest.raises(NotNow, match="A round is under way"):
        box.do(LeaveOut((2,)))
    spoons = Box(on_pages=NOSES)
    spoons.do(Start("spoons", FOUR))
    with pytest.raises(NotNow, match="spoons are for everybody"):
        spoons.do(LeaveOut((2,)))


def test_two_who_are_left_cannot_do_without_one(box: Box) -> None:
    """The duty has one remedy then."""
    box.do(LeaveOut((1, 4)))
    box.table.show_phones((SILENT,))
    duty = box.table.publish().duty
    assert duty is not None
    assert duty.without is None
    assert "Play East’s nose on this page" == str(duty.use)
