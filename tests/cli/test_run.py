"""`lastnose run` as a process: it answers, leaves in time, comes back, and refuses what cannot be."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from lastnose.companion.cli.frame import say_pin
from lastnose.companion.cli.run import tell_link
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import host_clock
from lastnose.companion.table.thread import TableThread
from lastnose.companion.views.hall import NO_LINK_YET
from lastnose.companion.views.snapshot import HallView
from lastnose.web.access import make_token

from tests.support.commands import lastnose
from tests.support.fakes import FakeTable

State = dict[str, Any]
Launch = Callable[..., "Run"]
PATIENT = Path(__file__).parents[1] / "support" / "patient.py"


class Run:
    """A running `lastnose run` with its page, used as a program with an API token uses it."""

    program: tuple[str, ...] = ("-m", "lastnose.companion.cli")

    def __init__(self, data: Path, *arguments: str, source: tuple[str, ...] = ("--source", "mock")) -> None:
        data.mkdir(exist_ok=True)
        self._token = make_token(data, f"test {time.monotonic_ns()}")
        words = [*self.program, "run", *source, "--port", "0", "--data", str(data)]
        self.process = subprocess.Popen(
            [sys.executable, *words, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = self.said = ""
        for line in self.process.stdout:
            self.said += line
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                self.url = found.group()
                break

    def ask(self, path: str, body: Any = None) -> Any:
        """Get *path*, or post *body* to it."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else msgspec.json.encode(body)
        with urllib.request.urlopen(
            urllib.request.Request(self.url + path, data, headers), timeout=120
        ) as answer:
            return msgspec.json.decode(answer.read() or b"null")

    def shows(self, wanted: Callable[[State], bool]) -> State:
        """Follow the live stream until *wanted* holds; a stream's signs of life do not make that longer."""
        until, state = time.monotonic() + 120, {}
        with urllib.request.urlopen(f"{self.url}/events?lang=en", timeout=120) as stream:
            for line in stream:
                if line.startswith(b"data:"):
                    state = msgspec.json.decode(line[5:])
                    if isinstance(state, dict) and wanted(state):  # a sign of life is a number
                        return state
                assert time.monotonic() < until, state
        raise AssertionError("the stream ended")

    def start_pig(self) -> None:
        """Start a game among three and wait until it is armed."""
        self.ask("/api/v1/commands", {"type": "start", "game": "pig", "players": ["N", "E", "S"]})
        self.ask("/api/v1/clock", {"page": "test", "owns": "nose.1"})
        self.arms()

    def arms(self) -> None:
        """Say play, and promise that nothing is tapped until the table is armed."""
        self.ask("/api/v1/commands", {"type": "arm"})
        until = time.monotonic() + 120
        while self.ask("/api/v1/state")["phase"] != "armed":
            self.taps(host_clock.now_ns())
            assert time.monotonic() < until

    def touch(self, *noses: int, level: int = 1) -> None:
        """Touch noses in order, each so long after the other that no page can take them for one."""
        t_ns = 0
        for nose in noses:
            t_ns = max(host_clock.now_ns(), t_ns + 70_000_000)
            passed(t_ns)
            self.taps(t_ns, {"line": f"nose.{nose}", "level": level, "t_ns": t_ns})
        passed(t_ns + 80_000_000)
        self.taps(t_ns + 80_000_000)

    def taps(self, promised_ns: int, *taps: State) -> None:
        """Send *taps*, and the promise that none from before *promised_ns* is still coming."""
        wish = {"page": "test", "clock_u_ns": 0, "taps": taps, "promised_ns": promised_ns}
        self.ask("/api/v1/taps", wish)

    def end(self) -> tuple[str, str]:
        """Kill what is left and return what it had printed."""
        self.process.kill()
        return self.process.communicate()


def passed(t_ns: int) -> None:
    """Wait until the clock, which is the table's too, has passed *t_ns*."""
    while host_clock.now_ns() <= t_ns:
        time.sleep(0.005)


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    """Start tables on simulated noses, by default on the test's own folder; everything started is ended."""
    runs: list[Run] = []

    def start(*arguments: str) -> Run:
        runs.append(Run(tmp_path / "data", *arguments))
        return runs[-1]

    yield start
    for run in runs:
        run.end()


def test_who_looks_at_a_terminal_is_shown_the_pin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A terminal is no log: there the PIN itself stands."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    say_pin("0420", tmp_path)
    assert "PIN for phones that set up and host: 0420\n" == capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.heavy)])
def test_it_leaves_with_a_page_open_and_a_log_has_not_learnt_the_pin(
    launch: Launch, tmp_path: Path, number: signal.Signals
) -> None:
    """A live stream is open, which has no end; the exit status is 0 and nothing is complained about.

    Printed into a pipe, as into the journal of a service, that names the file and no four digits.
    """
    run, access = launch("--lan"), tmp_path / "data" / "access.json"
    with urllib.request.urlopen(f"{run.url}/events", timeout=120) as stream:
        assert stream.readline()
        run.process.send_signal(number)
        assert run.process.stdout is not None
        told = run.process.stdout.read()
        _, err = run.process.communicate(timeout=120)
    assert (run.process.returncode, err) == (0, "")
    assert str(access) in told
    assert not re.search(rf"(?<!\d){msgspec.json.decode(access.read_bytes())['pin']}(?!\d)", told)


def test_a_signal_amid_another_is_taken() -> None:
    """Ctrl-C and SIGTERM at once: wherever the first is being taken when the second comes, both are heard."""
    script = """
import signal, sys
from lastnose.companion.cli.run import told_to_leave

wait_for_signal = told_to_leave()

def interrupt(frame, event, argument):
    signal.raise_signal(signal.SIGTERM)
    return interrupt

sys.settrace(interrupt)
signal.raise_signal(signal.SIGINT)
sys.settrace(None)
print(wait_for_signal() in (signal.SIGINT, signal.SIGTERM))
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert ("True\n", "") == (told.stdout, told.stderr)


def test_a_table_killed_in_mid_round_comes_back_with_the_same_evening(
    launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """kill -9 after a verdict and a further touch: the letter is there, the open round void."""
    monkeypatch.setattr(Run, "program", (str(PATIENT),))
    run = launch()
    run.start_pig()
    run.touch(1, 2, 3)
    decided = run.shows(lambda state: state["phase"] == "verdict")
    run.touch(1, 2, 3, level=0)
    run.arms()
    run.touch(2)
    run.shows(lambda state: state["phase"] == "judging")
    run.process.kill()
    run.process.wait()
    again = launch()
    state = again.ask("/api/v1/state")
    assert [row["letters"] for row in state["rows"]] == [row["letters"] for row in decided["rows"]]
    rounds = again.ask("/api/v1/rounds")["rounds"]
    assert [(r["number"], r["void"]) for r in rounds] == [(1, False), (2, True)]
    assert rounds[-1]["proof"][0] == "The table was switched off in the middle of the round."


@pytest.mark.heavy
def test_a_sheet_goes_on_another_day_where_the_plug_was_pulled(launch: Launch) -> None:
    """kill -9 in mid-hand, after a correction and an undo: all cells are there, and who wrote them."""
    run = launch()
    begun = {"type": "start", "game": "chickenfoot", "players": ["N", "E", "S"], "options": {"set": 6}}
    run.ask("/api/v1/commands", begun)
    for hand, seat, points in ((1, 1, 0), (1, 2, 12), (1, 3, 9), (2, 2, 7), (2, 3, 5)):
        move = {"type": "score", "hand": hand, "seat": seat, "points": points}
        run.ask("/api/v1/commands", {"type": "play", "move": move})
    fixed = {"type": "correct", "hand": 1, "cells": [{"seat": 2, "points": 21}]}
    run.ask("/api/v1/commands", {"type": "undo"})
    before = run.ask("/api/v1/commands", {"type": "play", "move": fixed})["state"]
    run.process.kill()
    run.process.wait()
    again = launch()
    state = again.ask("/api/v1/state")
    assert [0, 28, 9] == state["sheet"]["totals"]
    assert before["sheet"] == state["sheet"]
    assert before["headline"] == state["headline"]
    for seat, points in ((1, 0), (3, 4)):
        move = {"type": "score", "hand": 2, "seat": seat, "points": points}
        state = again.ask("/api/v1/commands", {"type": "play", "move": move})["state"]
    assert "Hand 3: double 4" == state["headline"]


def test_a_second_table_on_the_same_data_is_refused(launch: Launch) -> None:
    """One sentence on stderr, exit status 2; the first goes on."""
    first = launch()
    second = launch()
    out, err = second.process.communicate(timeout=120)
    assert (second.process.returncode, out) == (2, "")
    assert err.startswith("Error: Another lastnose uses ")
    assert err.count("\n") == 1
    assert first.ask("/api/v1/state")["phase"] == "setup"


@pytest.mark.heavy
def test_a_port_that_is_taken_is_said(launch: Launch, tmp_path: Path) -> None:
    """With the option that helps, and the data folder is free again."""
    first = launch()
    port = first.url.rpartition(":")[2]
    other = Run(tmp_path / "other", "--port", port)
    _, err = other.process.communicate(timeout=120)
    assert other.process.returncode == 2
    assert f"port {port}" in err
    assert "--port" in err


def test_a_profile_that_is_not_there_ends_the_process_with_one_sentence(tmp_path: Path) -> None:
    """Exit status 2, no traceback."""
    run = Run(tmp_path / "data", "--profile", "home99")
    _, err = run.end()
    assert run.process.returncode == 2
    assert "There is no profile “home99”" in err
    assert err.count("\n") == 1


def test_a_laptop_starts_with_noses_on_pages_and_phones_and_says_so(tmp_path: Path) -> None:
    """Nothing is simulated; three noses are touched on a page, and whoever has not is last."""
    run = Run(tmp_path / "data", source=())
    try:
        wish = {"type": "start", "game": "pig", "players": ["North", "East", "South"]}
        started = run.ask("/api/v1/commands", wish)["state"]
        assert (False, ["nose.1", "nose.2", "nose.3"]) == (
            started["simulated"],
            [row["line"] for row in started["rows"]],
        )
        assert run.process.stdout is not None
        fair = "".join(next(run.process.stdout) for _ in range(3))
        assert "half to four fifths of all rounds are too close" in fair
        assert "about 7 questions in 100 are too close" in fair
    finally:
        run.process.send_signal(signal.SIGTERM)
        out, err = run.process.communicate(timeout=120)
    assert ("", 0) == (err, run.process.returncode)
    assert "No noses are wired: touch them on the page" in run.said
    assert "SIMULATED" not in run.said + out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rearm", "soon"], "so many seconds"),
        (["--rearm", "0.1"], "0.5 to 60"),
        (["--oled", "crt"], "no display driver “crt”"),
        (["--source", "replay"], "tape"),
    ],
)
def test_what_cannot_be_run_gets_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    """Exit status 2; nothing has been started, nor a log begun."""
    told = lastnose("run", "--source", "mock", "--port", "0", "--data", str(tmp_path / "data"), *arguments)
    assert (2, "", 1) == (told.exit_code, told.stdout, told.stderr.count("\n"))
    assert sentence in told.stderr
    assert not (tmp_path / "data").exists()


def test_neighbours_that_cannot_be_told_are_said_before_anything_begins(tmp_path: Path) -> None:
    """Exit status 2, one sentence, and no log; what stands in the file is not repeated."""
    file = tmp_path / "neighbours.toml"
    file.write_text('[[hook]]\nurl = "https://me:word@hooks.example/"\nsecret = "sixteen letters!"\n')
    data = tmp_path / "data"
    told = lastnose("run", "--source", "mock", "--port", "0", "--data", str(data), "--neighbours", str(file))
    assert (2, "", 1) == (told.exit_code, told.stdout, told.stderr.count("\n"))
    assert "no password stands in an address" in told.stderr
    assert "word@" not in told.stderr
    assert not data.exists()


def test_the_terminal_says_each_trouble_of_the_link_to_the_hall_once_and_when_it_is_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A link that comes without trouble is not said, nor one that is yet to come."""
    table = FakeTable()
    tell_link(cast("TableThread", table))

    def linked(*links: Text | None) -> list[str]:
        for link in links:
            table.show(hall=HallView(1, link=link))
        return capsys.readouterr().out.splitlines()

    assert [] == linked(NO_LINK_YET, None, None)
    assert ["Away."] == linked(text("Away."), text("Away."))
    assert ["The link to the hall is right again."] == linked(None, None)
