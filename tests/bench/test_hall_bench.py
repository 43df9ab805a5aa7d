"""What the figures of a hall rest on: which version of its page has which entry; a small hall, measured."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.core.text import text
from lastnose.companion.event.pictures import TablePicture
from lastnose.companion.event.screen import HallScreen
from lastnose.web.encoding import to_json

from tests.bench import (
    hall_evening,
    hall_faults,
    hall_links,
    hall_list,
    hall_many,
    hall_pages,
    hall_start,
    measured_hall,
)
from tests.bench.figures import BenchPlan
from tests.bench.viewers import MeasuredViewer
from tests.support.halls import need_server


def shown(version: int, have: int) -> bytes:
    """Return a message of the hall's page: table "abc" has sent *have* entries."""
    table = TablePicture(1, "abc", "playing", there=True, have=have, n=9)
    screen = HallScreen(version, 1, "e", "Cup", text("Welcome"), "wait", text("Welcome"), True, (table,))
    return b"id: 1\ndata: " + to_json(screen, "en") + b"\n\n"


def test_an_entry_is_shown_with_the_first_version_that_has_it() -> None:
    """Entry 5 comes with version 3, however the messages are cut; 8 never comes."""
    viewer = MeasuredViewer.__new__(MeasuredViewer)
    viewer.heard, viewer._rest = [], b""
    witness = hall_pages.Witness(viewer)
    said = shown(2, 4) + shown(3, 6) + shown(4, 7)
    for at_ns in range(len(said)):
        viewer.take(said[at_ns : at_ns + 1], at_ns)
    assert [3, 3, 4, None] == [witness.version("abc", n) for n in (5, 6, 7, 8)]
    assert [2, 3, 4] == [version for version, _ in viewer.heard]


def event(tag: str, **more: Any) -> dict[str, Any]:
    """Return an event as a log has it."""
    return {"type": tag, **more}


def judged(seat: int) -> dict[str, Any]:
    """Return a verdict."""
    return event("judged", verdict={"last": [seat]})


def test_letters_are_counted_from_the_tables_own_entries() -> None:
    """B is out after three; a dead heat, a void and a withdrawn deal take none; then one deal decides."""
    rows = [
        (1, event("started", players=["x"])),  # a game of the table's own
        (2, event("started", call="event.7", players=["A", "B", "C"])),
        (3, judged(2)),
        (4, event("judged", verdict={"last": [1, 3]})),
        (5, event("judged", verdict={"last": [2], "void": "early"})),
        (6, judged(1)),
        (7, event("withdrawn", of=6)),
        (8, judged(2)),
        (9, event("late", of=8, verdict={"last": [2]})),
        (10, judged(2)),
        (11, judged(1)),
    ]
    assert [(7, ["A", "B", "C"], [2, 2, 2, 1], 5)] == hall_list.games(rows)
    assert ["C", "A", "B"] == hall_list.first_to_last(["A", "B", "C"], [2, 2, 2, 1])


def heat(players: str, lasts: list[int]) -> hall_list.HeatTable:
    """Return what a game of these players was worth."""
    return hall_list.heat_of(hall_list.LoggedGame(1, list(players), lasts, len(lasts)))


@pytest.mark.parametrize(
    ("heats", "wanted"),
    [
        # A and D have a point, B and E a half, C and F none; nobody of a pair has met the other. Letters a
        # deal: A 0 of 4, D 1 of 5; C 3 of 4, F 3 of 5. B and E took none, and met people of the same worth.
        (
            [heat("ABC", [3, 3, 3, 2]), heat("DEF", [3, 3, 1, 3, 2])],
            {"A": 1, "D": 2, "B": 3, "E": 3, "F": 5, "C": 6},
        ),
        # A and B have one and a half, and one first place each; B was before A where they met, with letters.
        (
            [heat("ABC", [2, 2, 3, 3, 3, 1]), heat("ADE", [2, 2, 2, 3]), heat("BDE", [3, 3, 3, 1])],
            {"B": 1, "A": 2, "D": 3, "E": 4, "C": 5},
        ),
    ],
)
def test_equal_points_are_put_in_order_as_the_rules_say(
    heats: list[hall_list.HeatTable], wanted: dict[str, int]
) -> None:
    """Worked out by hand."""
    assert wanted == hall_list.places(sorted(wanted), heats, [])


def test_places_that_the_files_do_not_prove_are_counted() -> None:
    """Finalists come first, in the final's order; then the others by their heat."""
    heats = [heat("ABCD", [4, 4, 4, 3, 3, 3, 2])]

    def wrong(*told: tuple[str, int], final: str = "BA") -> int:
        return hall_list.wrong_places([{"name": n, "place": p} for n, p in told], heats, list(final))

    assert 0 == wrong(("B", 1), ("A", 2), ("C", 3), ("D", 4))
    assert 2 == wrong(("A", 1), ("B", 2), ("C", 3), ("D", 4))
    assert 1 == wrong(("B", 1), ("A", 2), ("C", 3), ("D", 3))
    assert 1 == wrong(("D", 1), ("A", 2), ("B", 3), ("C", 4), final="DA"), "D had no place in the final"


def test_the_hall_s_log_says_which_round_was_called() -> None:
    """A draw holds until the next."""
    own = [event("drawn", first=1), event("called", round=1), event("drawn", first=2, kind="final")]
    own.append(event("called", round=2))
    assert {2: "heat", 4: "final"} == hall_list.rounds_of(
        [{"n": n, "event": one} for n, one in enumerate(own, 1)]
    )


def test_a_link_that_is_cut_swallows_everything_and_carries_again() -> None:
    """Whoever was connected meanwhile must connect again."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = hall_links.CutLink(server.getsockname()[1])
        try:
            near = socket.create_connection(("127.0.0.1", link.port))
            far, _ = server.accept()
            near.sendall(b"one")
            assert b"one" == far.recv(3)
            link.cut()
            near.settimeout(60)
            link.restore()
            assert b"" == near.recv(1)
            again = socket.create_connection(("127.0.0.1", link.port))
            far_again, _ = server.accept()
            far_again.sendall(b"two")
            assert b"two" == again.recv(3)
            for one in (near, far, again, far_again):
                one.close()
        finally:
            link.close()


class Stepped:
    """A table whose people have nothing to do *before* their only deal, nor after it."""

    def __init__(self, before: int) -> None:
        self._left = before

    def step(self) -> str:
        """Say what was done."""
        self._left -= 1
        return "played" if self._left == -1 else ""


def test_a_call_is_over_when_the_slowest_table_plays_though_the_others_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A table of a cluster may hear of it when the first has played its game to the end."""
    hall = measured_hall.MeasuredHall.__new__(measured_hall.MeasuredHall)
    monkeypatch.setattr(hall, "order", lambda kind, **wishes: None)
    monkeypatch.setattr("tests.bench.measured_hall.WITHIN_S", 20)
    slow = Stepped(3)
    hall.tables = [Stepped(0), slow]  # type: ignore[list-item]
    hall.call()
    assert -1 == slow._left, "it waits no longer than for the first deal"


@pytest.mark.heavy
def test_a_small_hall_loses_nothing_when_its_parts_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that its tables wrote is there, once, in order: also in a cluster that loses a server."""
    need_server()
    monkeypatch.setattr("tests.bench.measured_hall.WITHIN_S", 300)  # a busy machine takes longer
    (table,) = hall_faults.measure(BenchPlan(tmp_path, quick=True)).tables
    assert ["engine", "hub", "links", "store", "cluster"] == [row.key for row in table.rows]
    for row in table.rows:
        assert row.values()["entries"] > 10
        assert (0, 0) == (row.values()["lost"], row.values()["wrong"]), row.key


@pytest.mark.heavy
def test_fifty_small_tables_lose_nothing(tmp_path: Path) -> None:
    """Five entries each, in one hall."""
    need_server()
    (table,) = hall_many.measure(BenchPlan(tmp_path, quick=True)).tables
    assert (250, 0) == (table.rows[0].values()["entries"], table.rows[0].values()["lost"])


@pytest.mark.heavy
def test_a_small_hall_is_started_again_with_all_its_results(tmp_path: Path) -> None:
    """Twenty tables have played six games each, and all of them count."""
    (table,) = hall_start.measure(BenchPlan(tmp_path, quick=True)).tables
    found = table.rows[0].values()
    assert found["rows"] > 20 * 6 * 5
    assert found["cpu_s"] > 0


@pytest.mark.heavy
def test_the_list_of_a_small_evening_is_what_its_tables_files_prove(tmp_path: Path) -> None:
    """Eight people at two tables, a round and a final, played through the pages of real processes."""
    need_server()
    (table,) = hall_evening.measure(BenchPlan(tmp_path, quick=True)).tables
    found = table.rows[0].values()
    assert found["deals"] > 15
    assert (0, 0) == (found["wrong_points"], found["wrong_places"])
