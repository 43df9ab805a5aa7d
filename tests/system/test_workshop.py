"""Work in a process of its own: what comes back, who waits, who is turned away."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lastnose.companion.core.errors import Busy, IllegalMove
from lastnose.companion.core.text import text
from lastnose.companion.system.workshop import Workshop


def process_of(_: object) -> int:
    """Return the process that does this."""
    return os.getpid()


def refuse(rule: str) -> None:
    """Refuse as a game does."""
    raise IllegalMove(rule, text("{player} may not.", player="North"))


def wait_for(path: Path) -> str:
    """Note that it has begun, and wait until told to go on."""
    path.with_suffix(".begun").touch()
    while not path.exists():
        time.sleep(0.005)
    with path.with_suffix(".times").open("a") as times:
        times.write("x")
    return path.name


def print_something() -> str:
    """Print where answers go."""
    print("hello")
    return "said"


def die() -> None:
    """End as a process ends that had no memory left."""
    os._exit(9)


def until(path: Path) -> None:
    """Wait, a while, until *path* is there."""
    deadline_s = time.monotonic() + 120
    while not path.exists():
        assert time.monotonic() < deadline_s
        time.sleep(0.005)


@pytest.fixture
def workshop() -> Iterator[Workshop]:
    """Return a workshop where two may wait."""
    made = Workshop(most_waiting=2, within_s=120)
    yield made
    made.close()


def test_nobody_works_before_there_is_work_and_then_one_process_does_it_all(workshop: Workshop) -> None:
    """A table alone stays light; the work is done elsewhere."""
    assert workshop.pid is None
    places = {workshop.do(process_of, number) for number in range(5)}
    assert {workshop.pid} == places
    assert os.getpid() not in places


def test_a_refusal_comes_back_whole(workshop: Workshop) -> None:
    """Its kind, its rule, its sentence; and the worker goes on."""
    for _ in range(2):
        with pytest.raises(IllegalMove) as refused:
            workshop.do(refuse, "CHK-11")
        assert ("CHK-11", "North may not.") == (refused.value.rule, str(refused.value))
        assert "North may not." == str(refused.value)


def test_what_is_printed_over_there_is_no_answer(workshop: Workshop) -> None:
    """It goes where complaints go."""
    assert "said" == workshop.do(print_something)


def test_few_wait_and_the_next_is_told_that_it_is_busy(workshop: Workshop, tmp_path: Path) -> None:
    """One is being worked on, two wait, the fourth is refused at once; afterwards all have their answer."""
    found: list[str] = []
    first = threading.Thread(target=lambda: found.append(workshop.do(wait_for, tmp_path / "go")))
    first.start()
    until(tmp_path / "go.begun")
    more = [
        threading.Thread(target=lambda: found.append(workshop.do(wait_for, tmp_path / "go"))) for _ in "ab"
    ]
    for thread in more:
        thread.start()
    while workshop._places._value:
        time.sleep(0.005)
    with pytest.raises(Busy, match="Try again in a few seconds"):
        workshop.do(process_of, "new")
    (tmp_path / "go").touch()
    for thread in (first, *more):
        thread.join(120)
    assert ["go"] * 3 == found
    assert "x" == (tmp_path / "go.times").read_text(), "the same is worked out once"


def test_the_same_question_is_answered_from_memory_even_while_it_is_busy(
    workshop: Workshop, tmp_path: Path
) -> None:
    """Who asks what is known waits for nobody."""
    there = workshop.do(process_of, "known")
    working = threading.Thread(target=workshop.do, args=(wait_for, tmp_path / "go"))
    working.start()
    until(tmp_path / "go.begun")
    assert there == workshop.do(process_of, "known")
    (tmp_path / "go").touch()
    working.join(120)


def test_a_worker_that_dies_is_replaced(workshop: Workshop) -> None:
    """Who asked is told to try again; the next is answered by another."""
    before = workshop.do(process_of, 1)
    with pytest.raises(Busy):
        workshop.do(die)
    assert before != workshop.do(process_of, 2)


@pytest.mark.heavy
def test_a_worker_that_nobody_needs_any_more_ends_and_another_comes_when_there_is_work() -> None:
    """A table alone becomes light again; what is known is still known."""
    workshop = Workshop(within_s=120, idle_s=0.0)
    known = [workshop.do(process_of, "one")]
    deadline_s = time.monotonic() + 120
    while workshop.pid is not None:
        assert time.monotonic() < deadline_s
        time.sleep(0.005)
    assert known == [workshop.do(process_of, "one")]
    assert workshop.pid is None
    assert known != [workshop.do(process_of, "two")]
    workshop.close()


def test_a_worker_ends_when_nobody_needs_it_whatever_went_wrong_before() -> None:
    """A mistake of ours comes back as it is, and leaves no process behind."""
    workshop = Workshop(within_s=120, idle_s=0.0)
    with pytest.raises(TypeError):
        workshop.do(process_of)  # type: ignore[call-arg]
    deadline_s = time.monotonic() + 120
    while workshop.pid is not None:
        assert time.monotonic() < deadline_s
        time.sleep(0.005)
    workshop.close()


def test_a_worker_at_work_is_not_idle(workshop: Workshop, tmp_path: Path) -> None:
    """Who came at the last moment has the answer all the same."""
    found: list[str] = []
    working = threading.Thread(target=lambda: found.append(workshop.do(wait_for, tmp_path / "go")))
    working.start()
    until(tmp_path / "go.begun")
    ending = threading.Thread(target=workshop._end_idle)
    ending.start()
    assert workshop.pid is not None
    (tmp_path / "go").touch()
    for thread in (working, ending):
        thread.join(120)
    assert (["go"], None) == (found, workshop.pid)


def test_work_without_end_is_ended(tmp_path: Path) -> None:
    """After its time, in which it takes none to begin, the worker is gone, and who asked knows."""
    workshop = Workshop(within_s=0.01)
    with pytest.raises(Busy):
        workshop.do(wait_for, tmp_path / "never")
    assert workshop.pid is None
    workshop.close()


@pytest.mark.parametrize("missing", ["/nowhere/python", "/"])
def test_where_no_process_can_be_had_the_work_is_done_here(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """No program to begin, or one that ends at once: an answer all the same, and the next is asked again."""
    monkeypatch.setattr("multiprocessing.spawn._python_exe", missing.encode())
    assert os.getpid() == workshop.do(process_of, 3)
    assert workshop.pid is None
    monkeypatch.undo()
    assert os.getpid() != workshop.do(process_of, 4)


def test_where_there_is_no_memory_for_another_process_the_work_is_done_here(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the system refuses is no reason to say nothing."""

    def refused(*_: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.util.spawnv_passfds", refused)
    assert os.getpid() == workshop.do(process_of, 3)


def test_a_workshop_that_is_closed_does_nothing_more(workshop: Workshop, tmp_path: Path) -> None:
    """Its worker is gone, also in the middle of something, and nobody is left waiting."""
    refused: list[Busy] = []

    def ask() -> None:
        try:
            workshop.do(wait_for, tmp_path / "never")
        except Busy as busy:
            refused.append(busy)

    asking = threading.Thread(target=ask)
    asking.start()
    until(tmp_path / "never.begun")
    workshop.close()
    workshop.close()
    asking.join(120)
    assert 1 == len(refused)
    with pytest.raises(Busy):
        workshop.do(process_of, 4)


TABLE = """
import sys
from pathlib import Path
from lastnose.companion.system.workshop import Workshop
from tests.system.test_workshop import wait_for

if __name__ == "__main__":
    Workshop(within_s=120).do(wait_for, Path(sys.argv[1]))
"""


def test_a_worker_whose_table_was_killed_meanwhile_ends(tmp_path: Path) -> None:
    """Nobody is there to hear the answer: it does not even finish what it is at."""
    program = tmp_path / "table.py"
    program.write_text(TABLE)
    with subprocess.Popen(
        [sys.executable, program, tmp_path / "never"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as table:
        until(tmp_path / "never.begun")
        table.kill()
        assert table.stderr
        assert "Traceback" not in table.stderr.read().decode(), "which ends with the last of them"
