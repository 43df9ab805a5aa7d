"""`lastnose zero`: plates are asked for in words, kept in the log, told as a sentence, JSON, a status."""

from __future__ import annotations

import json
from collections import deque

import pytest
from lastnose.companion.cli.zero import make, say_result
from lastnose.companion.core.errors import BadInput
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.selftest.plan import read_pair
from lastnose.companion.views.snapshot import Snapshot, ZeroView

from tests.support.commands import lastnose
from tests.support.tables import AnsweringTable
from tests.table.test_table import Box

PAIR = ("nose.1", "nose.2")


class Plate:
    """News of a table, to be waited for: whoever waits makes the hand press the plate, *times* at most."""

    def __init__(self, box: Box, times: int) -> None:
        self._box, self._left = box, times
        self._waiting: deque[Snapshot | None] = deque()

    def put(self, item: Snapshot | None) -> None:
        """Add one."""
        self._waiting.append(item)

    def get(self) -> Snapshot | None:
        """Take the oldest one, or press the plate."""
        while not self._waiting:
            self._left -= 1
            if self._left < 0:
                return None
            for level in (1, 0):
                for number in (1, 2):
                    self._box.edge(number, level)
                self._box.wait(300)
            self._box.table.publish()
        return self._waiting.popleft()


def made(times: int) -> tuple[Box, ZeroView | None]:
    """Make the test at a table whose plate is pressed so often."""
    box = Box()
    return box, make(AnsweringTable(box.table), PAIR, Plate(box, times), quiet=False)


def test_twenty_plates_end_it_and_each_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    """Half a millisecond between two contacts is outside ± 2 µs: none is inside, and the status says no."""
    box, zero = made(25)
    assert zero is not None
    (kept,) = [event for _, event in box.store.events() if isinstance(event, ZeroTested)]
    assert kept.off_ns == zero.off_ns == (500_000,) * 20
    told = capsys.readouterr().out.splitlines()
    assert "Close both noses at once with one plate, 20 times: Nose 1 and Nose 2." == told[0]
    assert "19 of 20: 500 µs apart, outside ± 2 µs. Is the plate flat on both?" == told[-1]
    assert 20 == len(told)
    assert 1 == say_result(zero, as_json=False)
    assert "Zero test: 0 of 20 inside ± 2 µs; at most 500 µs apart.\n" == capsys.readouterr().out


def test_who_leaves_before_the_end_keeps_nothing() -> None:
    """Neither in the log nor on a screen."""
    box, zero = made(3)
    assert (None, None) == (zero, box.table.publish().zero)
    assert [] == [event for _, event in box.store.events() if isinstance(event, ZeroTested)]


def test_what_lies_inside_is_counted_and_the_status_says_yes(capsys: pytest.CaptureFixture[str]) -> None:
    """The edge of the claim is inside; one beyond it makes it a no."""
    zero = ZeroView(PAIR, (20_000, -4_000), 20_000, 1, 3, at=1.0)
    assert 0 == say_result(zero, as_json=True)
    assert {
        "lines": list(PAIR),
        "off_ns": [20_000, -4_000],
        "u_ns": 20_000,
        "inside": 2,
        "missed": 1,
    } == json.loads(capsys.readouterr().out)
    assert 1 == say_result(ZeroView(PAIR, (20_001,), 20_000, 0, 1, at=1.0), as_json=True)


@pytest.mark.parametrize("words", ["nose.1", "nose.1,nose.1", "nose.1,spoon.1", "nose.1,nose.9", ""])
def test_two_noses_of_this_table_are_to_be_named(words: str) -> None:
    """Anything else is refused with an example of what is meant."""
    with pytest.raises(BadInput, match=r"as in nose\.1,nose\.2"):
        read_pair(words, ("nose.1", "nose.2", "nose.3"), what=words)
    assert ("nose.3", "nose.1") == read_pair(" nose.3, nose.1", ("nose.1", "nose.2", "nose.3"), what="")


def test_the_command_refuses_before_it_starts_anything() -> None:
    """One sentence, status 2."""
    result = lastnose("zero", "nose.1,nose.99", "--source", "mock", "--lang", "en")
    assert (2, "") == (result.exit_code, result.stdout)
    assert (
        "Error: nose.1,nose.99: Name two lines of this table, as in nose.1,nose.2. "
        "Try lastnose zero --help for help.\n" == result.stderr
    )
