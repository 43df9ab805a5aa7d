"""What the figures of a hall rest on: which version of its page has which entry; a small hall, measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bench import hall
from companion.bench.figures import BenchPlan
from companion.bench.viewers import MeasuredViewer
from companion.core.text import text
from companion.hall.pictures import TablePicture
from companion.hall.screen import HallScreen
from tests.support.halls import need_server
from web.encoding import to_json


def shown(version: int, have: int) -> bytes:
    """Return a message of the hall's page: table "abc" has sent *have* entries."""
    table = TablePicture(1, "abc", "playing", there=True, have=have, n=9)
    screen = HallScreen(version, 1, "e", "Cup", text("Welcome"), "wait", text("Welcome"), True, (table,))
    return b"id: 1\ndata: " + to_json(screen, "en") + b"\n\n"


def test_an_entry_is_shown_with_the_first_version_that_has_it() -> None:
    """Entry 5 comes with version 3, however the messages are cut; 8 never comes."""
    viewer = MeasuredViewer.__new__(MeasuredViewer)
    viewer.heard, viewer._rest = [], b""
    witness = hall.Witness(viewer)
    said = shown(2, 4) + shown(3, 6) + shown(4, 7)
    for at_ns in range(len(said)):
        viewer.take(said[at_ns : at_ns + 1], at_ns)
    assert [3, 3, 4, None] == [witness.version("abc", n) for n in (5, 6, 7, 8)]
    assert [2, 3, 4] == [version for version, _ in viewer.heard]


@pytest.mark.heavy
def test_a_small_hall_loses_nothing_when_its_parts_are_killed(tmp_path: Path) -> None:
    """Everything that its tables wrote is there, once, in order."""
    need_server()
    _, killed = hall.measure(BenchPlan(tmp_path, quick=True)).tables
    (row,) = killed.rows
    assert row.values()["entries"] > 100
    assert (0, 0) == (row.values()["lost"], row.values()["wrong"])
