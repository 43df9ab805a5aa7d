"""`lastnose watch` at a real table: what it prints, what it draws, and that it finds the table again."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from lastnose.companion.cli.remote import base_of, follow, state_of
from lastnose.companion.cli.watch import (
    Host,
    WatchScreen,
    asked,
    press,
    pretended,
    standings,
)
from lastnose.companion.core.errors import BadInput, DeviceError
from lastnose.companion.core.ports import StampWorth
from lastnose.companion.evening.commands import Arm, Play, Start, Undo, Void
from lastnose.companion.system import host_clock
from rich.console import Console

from tests.support.commands import lastnose
from tests.support.phones import TOKEN
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
    """Game, round, that it is simulated; what was said, what is next, then a line a player in columns."""
    said = lastnose("watch", "--at", table.address, "--once")
    assert (0, "") == (said.exit_code, said.stderr)
    where, first, due, *players = said.stdout.splitlines()
    assert "Last Nose · Pig · round 1 · Verdict  SIMULATED" == where
    assert first.startswith("Zoë was last: P. Everybody else was there; Zoë was not yet.")
    assert "Everybody has 4: play" == due
    assert ["   1  Ana    ···", "   2  Björn  ···", "   3  Zoë    P··"] == players


def test_no_name_turns_a_line_of_the_terminal_around(tmp_path: Path) -> None:
    """Whatever shows it to people; to programs it is told as it was typed."""
    names = ("Ana\u202e", "Björn", "Zoë")
    with served(LINES, tokens=False) as table:
        table.table.submit(Start("pig", names, {}, LINES), "host").result(120)
        said = lastnose("watch", "--at", table.address, "--once")
        told = lastnose("watch", "--at", table.address, "--once", "--json")
    assert "   1  Ana    ···" in said.stdout.splitlines()
    assert "Ana\u202e" == json.loads(told.stdout)["rows"][0]["player"]
    tape = tmp_path / "tape.jsonl"
    lines = [{"tape": 1, "game": "pig", "players": names, "options": {}}]
    tape.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert " 1  Ana " in lastnose("replay", str(tape)).stdout.splitlines()


def test_a_table_of_real_phones_is_not_called_simulated(table: Served) -> None:
    """As the snapshot says it of all screens."""
    state = json.loads(lastnose("watch", "--at", table.address, "--once", "--json").stdout)
    assert ("", "SIMULATED") == (pretended({**state, "all_on_phones": True}), pretended(state))


def test_a_pipe_gets_a_line_a_verdict_and_nothing_else(table: Served) -> None:
    """What is decided already is one; the rest of it is for people who look."""
    words = [sys.executable, "-m", "lastnose.companion.cli", "watch", "--at", table.address]
    with ended(subprocess.Popen(words, stdout=subprocess.PIPE, text=True)) as watching:
        assert watching.stdout is not None
        first = watching.stdout.readline()
        table.table.submit(Void(), "host").result(120)
        second = watching.stdout.readline()
        table.table.submit(Undo(), "host").result(120)
        third = watching.stdout.readline()
    assert first.startswith("Zoë was last: P. Everybody else was there")
    assert second.startswith("This round does not count.")
    assert third == first


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")
@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_in_which_nothing_can_be_drawn_over_gets_how_it_stands_and_then_lines(
    table: Served, term: str
) -> None:
    """That of an editor: it had stayed empty."""
    import pty

    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "lastnose.companion.cli", "watch", "--at", table.address]
    env = {**os.environ, "TERM": term}
    with ended(subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=env)):
        os.close(theirs)
        screen = reading(ours)
        assert eventually(lambda: "Zoë    P··" in screen())
        table.table.submit(Void(), "host").result(120)
        assert eventually(lambda: "This round does not count." in screen())
        table.table.submit(Undo(), "host").result(120)
        assert eventually(lambda: screen().count("Zoë was last: P. Everybody else") == 2)
    os.close(ours)
    assert "\x1b" not in screen()


def test_the_last_are_red_and_nobody_else(table: Served) -> None:
    """The name and the letter, not the verdict."""
    state = state_of(table.address, "en")
    assert [3] == state["last"]
    out = io.StringIO()
    with WatchScreen(Console(file=out, width=80, force_terminal=True, color_system="standard")) as screen:
        screen.show(state)
    assert "\x1b[1;32mEverybody has 4: play" in out.getvalue()
    red = re.findall(r"\x1b\[1;31m(.*?)\x1b\[0m", out.getvalue())
    assert ["Zoë", "P"] == [words.strip() for words in red][-2:]
    assert "\x1b[1mZoë was last: P" in out.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")
def test_keys_arm_void_and_undo_as_the_hosts_buttons_do() -> None:
    """Typed in a terminal, without Enter; what the table says against one is shown, and q ends it with 0."""
    import pty

    with served(LINES) as table:
        table.table.submit(Start("pig", NAMES, {}, LINES), "host").result(120)
        ours, theirs = pty.openpty()
        words = [
            sys.executable,
            "-m",
            "lastnose.companion.cli",
            "watch",
            "--at",
            table.address,
            "--token",
            TOKEN,
        ]
        with ended(subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs)) as watching:
            os.close(theirs)
            screen = reading(ours)

            def types(key: bytes, phase: str) -> None:
                os.write(ours, key)
                assert eventually(lambda: table.table.snapshot.phase == phase), (key, screen())

            assert eventually(lambda: "a arm" in screen())
            os.write(ours, b"u")
            assert eventually(lambda: "There is nothing to take back or to put back." in screen())
            types(b"a", "armed")
            for line in LINES[:2]:
                table.source.drive(line, 1, host_clock.now_ns(), StampWorth(1000))
            assert eventually(lambda: table.table.snapshot.phase == "verdict")
            types(b"v", "void")
            types(b"u", "verdict")
            os.write(ours, b"q")
            assert 0 == watching.wait(120)
        os.close(ours)


def test_a_call_is_asked_about_with_its_keys_and_ruled_by_them() -> None:
    """Björn is first in Snap: n says that it was wrong, as the page's button does; before, x does nothing."""
    with served(LINES) as table:
        table.table.submit(Start("snap", NAMES, {}, LINES), "host").result(120)
        table.table.submit(Arm(), "host").result(120)
        assert eventually(lambda: table.table.snapshot.phase == "armed")
        screen, host = WatchScreen(Console(file=io.StringIO())), Host(table.address, Path(), TOKEN)
        screen.show(state_of(table.address, "en"))
        press("x", host, screen)
        table.source.drive("nose.2", 1, host_clock.now_ns(), StampWorth(1000))
        assert eventually(lambda: table.table.snapshot.ruling is not None)
        state = state_of(table.address, "en")
        assert "Björn: was it right?  y Right · n Wrong · x Too late" == asked(state)
        screen.show(state)
        press("n", host, screen)
        assert "wrong" == table.table.snapshot.ruled
        assert "" == asked(state_of(table.address, "en"))


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """End *process* whatever happens: one that nobody ends would be waited for, and the tests with it."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def reading(handle: int) -> Callable[[], str]:
    """Return what says everything that has been written to the terminal at *handle* so far."""
    said: list[bytes] = []

    def read() -> None:
        with suppress(OSError):  # the other end is closed
            while part := os.read(handle, 4096):
                said.append(part)

    threading.Thread(target=read, daemon=True).start()
    return lambda: b"".join(said).decode(errors="replace")


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
    for words in ("SIMULATED", "Zoë was last: P", "P··", "The table does not answer"):
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
        with pytest.raises(BadInput, match="not the address of a table"):
            base_of(address)
    with pytest.raises(DeviceError, match="lastnose run"):
        state_of("http://127.0.0.1:9", "en")
    said = lastnose("watch", "--at", "127.0.0.1:9")
    assert 2 == said.exit_code
    assert said.stderr.startswith("Error: No table answers at http://127.0.0.1:9 (Connection refused).")


def test_a_table_without_a_link_to_its_hall_says_why_in_the_terminal(table: Served) -> None:
    """As a fault does, below the verdict."""
    out = io.StringIO()
    why = "No link to the hall: its certificate is not for 192.0.2.2."
    with WatchScreen(Console(file=out, width=80, no_color=True)) as screen:
        screen.show({**state_of(table.address, "en"), "hall": {"number": 1, "link": why}})
    assert why in out.getvalue()
