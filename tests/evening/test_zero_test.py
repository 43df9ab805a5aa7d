"""The zero test: a plate closes two noses at once; its figures are in the log and beside every verdict."""

from __future__ import annotations

import csv
import io

import pytest
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import Press
from lastnose.companion.evening import events, log
from lastnose.companion.evening.commands import Finish, Start, TestZero
from lastnose.companion.timing.zero import TOGETHER_NS, ZeroTest
from lastnose.companion.views.snapshot import SeatPhone
from lastnose.companion.views.zero import asked_text

from tests.table.test_table import FOUR, Box


def plates(box: Box, times: int, more_ms: float = 0) -> None:
    """Press noses 1 and 2 by one plate, 0.5 ms apart (`Box.edge`); the second is first every other time.

    Or *more_ms* further apart.
    """
    for turn in range(times):
        pair = (1, 2) if turn % 2 else (2, 1)
        for level in (1, 0):
            for number in pair:
                box.edge(number, level)
                box.wait(more_ms)
            box.wait(300)


def zero_of(box: Box) -> str:
    """What the details of the newest verdict say of the zero test."""
    finish = box.table.publish().finish
    assert finish is not None
    assert finish.budget is not None
    return str(finish.budget.zero)


def test_twenty_plates_are_kept_in_the_log_and_told_beside_every_verdict() -> None:
    """0.5 ms apart is outside ± 2 µs, and that is said."""
    box = Box()
    box.do(TestZero(("nose.1", "nose.2")))
    plates(box, 19)
    going = box.table.publish().zero
    assert going is not None
    assert (19, 20, 0.0) == (len(going.off_ns), going.of, going.at)
    plates(box, 2)
    kept = [event for _, event in box.store.events() if isinstance(event, events.ZeroTested)]
    assert [20] == [len(event.off_ns) for event in kept]
    assert {500_000, -500_000} == set(kept[0].off_ns)
    assert (2_000, 0) == (kept[0].u_ns, kept[0].missed)
    shown = box.table.publish().zero
    assert shown is not None
    assert "Zero test: 0 of 20 inside ± 2 µs; at most 500 µs apart." == str(shown.says)
    box.do(Start("pig", FOUR))
    box.wait(10)
    box.round(1, 2, 3, 4)
    assert str(shown.says) == zero_of(box)
    (view,) = box.table.queries.rounds()
    assert view.finish is not None
    assert view.finish.budget is not None
    assert view == box.table.queries.round(view.seq) == box.table.queries.listed_round(view.seq)
    assert log.fold(box.store.events()).zero == kept[0]
    (row,) = csv.DictReader(io.StringIO(box.table.queries.export_csv()))
    assert str(shown.says) == row["zero_test"]
    assert sum(int(part.split()[1]) for part in row["u_made_of"].split(" + ")) == view.finish.u_ns


def test_an_evening_without_one_says_so_in_the_details() -> None:
    """Nobody has to guess."""
    box = Box()
    box.do(Start("pig", FOUR))
    box.wait(10)
    box.round(1, 2, 3, 4)
    assert "No zero test was made before this round." == zero_of(box)


def test_each_round_names_the_zero_test_that_held_when_it_was_armed() -> None:
    """A round before any test, one after a test 0.5 ms apart, one after a test 10.5 ms apart."""
    box = Box()
    for apart_ms in (None, 0, 10):
        if apart_ms is not None:
            box.do(TestZero(("nose.1", "nose.2")))
            plates(box, 20, apart_ms)
        box.do(Start("pig", FOUR))
        box.wait(10)
        box.round(1, 2, 3, 4)
        box.do(Finish())
    assert [
        "No zero test was made before this round.",
        "Zero test: 0 of 20 inside ± 2 µs; at most 500 µs apart.",
        "Zero test: 0 of 20 inside ± 2 µs; at most 10.5 ms apart.",
    ] == [row["zero_test"] for row in rows_of(box)]


def test_an_export_has_the_whole_of_what_is_shown_with_the_margin() -> None:
    """2 µs of stamps, and 550 millionths of the at most 0.502 ms for the pace of the clock: 277 ns."""
    box = Box()
    box.do(Start("pig", FOUR))
    box.wait(10)
    box.round(1, 2, 3, 4)
    (row,) = rows_of(box)
    assert (row["margin_ns"], row["u_ns"]) == ("500000", "2277")


def rows_of(box: Box) -> list[dict[str, str]]:
    """The lines of the export that are rounds."""
    every = csv.DictReader(io.StringIO(box.table.queries.export_csv()))
    return [row for row in every if row["round"]]


def test_a_zero_test_wants_two_noses_and_no_game() -> None:
    """And can be ended without a trace."""
    box = Box()
    with pytest.raises(BadInput):
        box.do(TestZero(("nose.1", "nose.99")))
    with pytest.raises(BadInput):
        box.do(TestZero(("nose.1", "nose.1")))
    box.do(TestZero(("nose.1", "nose.2")))
    plates(box, 3)
    box.do(TestZero(None))
    plates(box, 20)
    assert None is box.table.publish().zero
    box.do(Start("pig", FOUR))
    with pytest.raises(NotNow):
        box.do(TestZero(("nose.1", "nose.2")))


def test_a_nose_that_is_heard_alone_is_counted_as_missed() -> None:
    """Three presses of one, then a pair: two were missed, the third was answered 3 µs later."""
    zero = ZeroTest(("nose.1", "nose.2"))
    for t_ns in (0, 10**9, 2 * 10**9):
        zero.take("nose.1", Press(1, t_ns, 10_000, "gpio"))
    assert not zero.take("nose.3", Press(3, 2 * 10**9, 10_000, "gpio"))
    zero.take("nose.2", Press(2, 2 * 10**9 + 3_000, 10_000, "gpio"))
    assert ((3_000,), 2, 20_000, "") == (zero.off_ns, zero.missed, zero.u_ns, zero.alone)


def test_presses_a_quarter_of_a_second_apart_are_of_one_plate_and_a_nanosecond_later_of_none() -> None:
    """As long as a plate can take at the most; then the first was heard alone."""
    for late_ns, found in ((0, ((TOGETHER_NS,), 0)), (1, ((), 1))):
        zero = ZeroTest(("nose.1", "nose.2"))
        zero.take("nose.1", Press(1, 0, 10_000, "gpio"))
        zero.take("nose.2", Press(2, TOGETHER_NS + late_ns, 10_000, "gpio"))
        assert found == (zero.off_ns, zero.missed)


def test_a_zero_test_says_what_to_do_and_what_came_of_each_press() -> None:
    """Nothing yet; half a millisecond apart, which ± 2 µs does not cover; nose 2 alone; and close enough."""
    box = Box()

    def says() -> str:
        zero = box.table.publish().zero
        assert zero is not None
        return str(zero.says)

    box.do(TestZero(("nose.1", "nose.2")))
    assert "Close both noses at once with one plate, 20 times: Nose 1 and Nose 2." == says()
    plates(box, 1)
    assert "1 of 20: 500 µs apart, outside ± 2 µs. Is the plate flat on both?" == says()
    for level in (1, 0, 1):
        box.edge(2, level)
        box.wait(300)
    assert "1 of 20: only one nose was heard, Nose 2. Press the plate on both." == says()
    near = asked_text(("nose.3", "nose.4"), {}, (500_000, -11_000), 20_000, 20, "")
    assert "2 of 20: 11 µs apart. Again, with one plate on both noses: Nose 3 and Nose 4." == str(near)


def test_a_plate_lies_on_the_noses_of_people_where_they_are_known() -> None:
    """Zoë had the third nose at the first seat; a nose that nobody had has its number."""
    box = Box()
    box.do(Start("pig", ("Zoë", "Ana", "Bea"), {}, ("nose.3", "nose.1", "nose.2")))
    box.do(Finish())

    def says(*lines: str) -> str:
        return str(box.do(TestZero(lines)).zero.says)

    assert "Close both noses at once with one plate, 20 times: Zoë and Nose 4." == says("nose.3", "nose.4")
    assert "Close both noses at once with one plate, 20 times: Zoë and Ana." == says("nose.3", "nose.1")
    for level in (1, 0, 1):
        box.edge(1, level)
        box.wait(300)
    shown = box.table.publish().zero
    assert shown is not None
    assert "0 of 20: only one nose was heard, Ana. Press the plate on both." == str(shown.says)


def test_two_noses_that_phones_have_taken_are_touched_by_hand_at_any_table() -> None:
    """Where every nose can be a phone, too; one of them alone is touched together with the shared page."""
    box = Box()
    box.table.show_phones((SeatPhone("nose.1", "awake"), SeatPhone("nose.2", "awake")))

    def says(*lines: str) -> str:
        zero = box.do(TestZero(lines)).zero
        assert zero.by_hand == ("nose.1" in lines)
        return str(zero.says)

    both = "0 of 20: touch both at once, with two fingers of one hand: phone 1 and phone 2."
    assert both == says("nose.1", "nose.2")
    page = "0 of 20: touch both at once, with two fingers of one hand: phone 1 and the shared page, Nose 3."
    assert page == says("nose.1", "nose.3") == says("nose.3", "nose.1")
    assert "Close both noses at once with one plate, 20 times: Nose 3 and Nose 4." == says("nose.3", "nose.4")
    box.do(TestZero(None))
    box.do(Start("pig", ("Zoë", "Ana", "Bea"), {}, ("nose.3", "nose.1", "nose.2")))
    box.do(Finish())
    named = "0 of 20: touch both at once, with two fingers of one hand: Ana and the shared page, Zoë."
    assert named == says("nose.3", "nose.1")


def test_beside_wires_a_nose_that_no_phone_has_taken_is_one_of_the_shared_page() -> None:
    """Noses 4 and 5 are no wires; 4 is a phone, and 5 is touched on a page."""
    box = Box(phones=("nose.4", "nose.5"))
    box.table.show_phones((SeatPhone("nose.4", "awake"),))
    zero = box.do(TestZero(("nose.4", "nose.5"))).zero
    page = "touch both at once, with two fingers of one hand: phone 4 and the shared page, Nose 5."
    assert f"0 of 20: {page}" == str(zero.says)


def test_a_phone_is_touched_by_hand_and_no_plate_is_asked_for() -> None:
    """Beside a wire, whichever is named first; two phones; and two wires have a plate at the same table."""
    box = Box(phones=("nose.4", "nose.5"))

    def says(*lines: str) -> str:
        zero = box.do(TestZero(lines)).zero
        return str(zero.says)

    by_hand = "touch both at once, with two fingers of one hand:"
    assert f"0 of 20: {by_hand} Nose 1 and phone 4." == says("nose.1", "nose.4")
    assert f"0 of 20: {by_hand} phone 5 and Nose 2." == says("nose.5", "nose.2")
    both = "0 of 20: touch both at once, with two fingers of one hand: phone 4 and phone 5."
    assert both == says("nose.4", "nose.5")
    assert "Close both noses at once with one plate, 20 times: Nose 1 and Nose 2." == says("nose.1", "nose.2")
    box.do(TestZero(("nose.2", "nose.4")))
    for number, level in ((2, 1), (4, 1), (2, 0), (4, 0)):
        box.edge(number, level)
    zero = box.table.publish().zero
    assert zero is not None
    assert f"1 of 20: {by_hand} Nose 2 and phone 4." == str(zero.says)
