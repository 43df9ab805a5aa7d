"""`lastnose watch` at a real table: what it prints, what it draws, and that it finds the table again."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
from rich.console import Console

from companion.cli.watch import WatchScreen, base_of, follow, standings, state_of
from companion.core.errors import BadInput, DeviceError
from companion.core.ports import StampWorth
from companion.evening.commands import Arm, Play, Start
from companion.system import host_clock
from tests.support.commands import lastnose
from tests.support.streams import eventually
from tests.support.tables import Served, served

LINES = ("nose.1", "nose.2", "nose.3")
NAMES = ("Ana", "Björn", "Zoë")


@pytest.fixture(scope="module")
def table() -> Iterator[Served]:
    """Serve a table on which Zoë was last once."""
    with served(LINES, tokens=False) as table:
        table.table.submit(Start("pig", NAMES, {}, LINES), "host").result(120)
        table.table.submit(Arm(), "host").result(120)
        assert eventually(lambda: table.table.snapshot.phase == "armed")
        for line in LINES[:2]:
            table.source.drive(line, 1, host_clock.now_ns(), StampWorth(1000))
        assert eventually(lambda: table.table.snapshot.phase == "verdict")
        yield table


def test_once_says_the_verdict_and_the_standings(table: Served) -> None:
    """Game and round, and that it is simulated; a line for what was said, then a line a player in columns."""
    said = lastnose("watch", "--at", table.address, "--once")
    assert (0, "") == (said.exit_code, said.stderr)
    where, first, *players = said.stdout.splitlines()
    assert "Last Nose · Pig · round 1 · Verdict  SIMULATED" == where
    assert first.startswith("Zoë was last: P. Everybody else was there; Zoë was not yet.")
    assert ["   1  Ana    ···", "   2  Björn  ···", "   3  Zoë    P··"] == players


def test_letters_stand_below_each_other_beside_names_of_wide_signs() -> None:
    """小雨 takes four columns of a terminal, as Anna does."""
    rows = [
        {"seat": seat, "player": name, "score": 7, "letters": [], "word": [], "out": False}
        for seat, name in enumerate(("小雨", "Anna", "Bo"), 1)
    ]
    assert ["   1  小雨  7", "   2  Anna  7", "   3  Bo    7"] == standings({"rows": rows, "sheet": None})


def test_a_game_with_a_sheet_shows_ranks_names_and_points_the_best_first() -> None:
    """Nobody has a rank before the first round; then equal totals share one, and seats are not told."""
    pad = Start("score-pad", ("Ana", "Björn", "Zoë"), {"rounds": 2}, ("", "", ""))
    with served(LINES, tokens=False) as sheet:
        sheet.table.submit(pad, "host").result(120)
        before = lastnose("watch", "--at", sheet.address, "--once").stdout.splitlines()
        for seat, points in ((1, -10), (2, 120), (3, -10)):
            move = {"type": "score", "hand": 1, "seat": seat, "points": points}
            sheet.table.submit(Play(move), "host").result(120)
        after = lastnose("watch", "--at", sheet.address, "--once").stdout.splitlines()
        out = io.StringIO()
        with WatchScreen(Console(file=out, width=80, no_color=True)) as screen:
            screen.show(state_of(sheet.address, "en"))
    assert ["      Ana    0", "      Björn  0", "      Zoë    0"] == before[-3:]
    assert ["   1  Björn  120", "   2  Ana    −10", "   2  Zoë    −10"] == after[-3:]
    drawn = [line.split() for line in out.getvalue().splitlines()]
    assert [["1", "Björn", "120"], ["2", "Ana", "−10"], ["2", "Zoë", "−10"]] == drawn[-3:]


def test_json_is_the_snapshot_on_one_line_in_ones_language(table: Served) -> None:
    """As the API has it."""
    said = lastnose("watch", "--at", table.address, "--once", "--json", "--lang", "fr")
    assert 1 == len(said.stdout.splitlines())
    state = json.loads(said.stdout)
    assert ["P"] == state["rows"][2]["letters"]
    assert state == state_of(table.address, "fr")


def test_what_is_drawn_fits_a_terminal_of_eighty_columns(table: Served) -> None:
    """No colour where there is none wanted; a table that is away is said above what it showed last."""
    out = io.StringIO()
    with WatchScreen(Console(file=out, width=80, no_color=True)) as screen:
        screen.show(state_of(table.address, "en"))
        screen.show(None)
    drawn = out.getvalue()
    assert "\x1b[3" not in drawn
    assert max(map(len, drawn.splitlines())) <= 80
    for words in ("SIMULATED", "Zoë was last: P", "P··", "The table is away"):
        assert words in drawn, words


def test_a_stream_that_ends_is_taken_up_again() -> None:
    """None while the table is away, then the new table's snapshot: on the same port, from the beginning."""
    pauses: list[float] = []
    with served(LINES, tokens=False) as first:
        stream = follow(first.address, "en", sleep=pauses.append)
        assert "setup" == (next(stream) or {})["phase"]
    assert next(one for one in stream if one is None) is None
    assert next(stream) is None
    assert pauses


def test_no_table_and_no_address_are_one_sentence_each() -> None:
    """What to do is in it."""
    for address in ("ftp://x", "", "http://", "http://[x"):
        with pytest.raises(BadInput, match="no address of a table"):
            base_of(address)
    with pytest.raises(DeviceError, match="lastnose run"):
        state_of("http://127.0.0.1:9", "en")
    said = lastnose("watch", "--at", "127.0.0.1:9")
    assert 2 == said.exit_code
    assert said.stderr.startswith("Error: No table answers at http://127.0.0.1:9 (")


def test_a_table_without_a_link_to_its_hall_says_why_in_the_terminal(table: Served) -> None:
    """As a fault does, below the verdict."""
    out = io.StringIO()
    why = "No link to the hall: its certificate is not for 192.0.2.2."
    with WatchScreen(Console(file=out, width=80, no_color=True)) as screen:
        screen.show({**state_of(table.address, "en"), "hall": {"number": 1, "link": why}})
    assert why in out.getvalue()
