"""The thread of an output: woken by news, called when it is due, ended at the end."""

from __future__ import annotations

import threading

from lastnose.hardware.outputs.worker import Worker

WITHIN_S = 120


def test_a_step_is_taken_at_once_and_with_each_piece_of_news() -> None:
    """News while a step is taken leads to one more."""
    taken: list[int] = []
    stepped = threading.Semaphore(0)
    gate = threading.Event()

    def step(now_ns: int) -> None:
        taken.append(now_ns)
        stepped.release()
        assert gate.wait(WITHIN_S)

    worker = Worker("test", step, lambda: None, clock_ns=lambda: 7)
    assert stepped.acquire(timeout=WITHIN_S)
    for _ in range(3):
        worker.wake()
    gate.set()
    assert stepped.acquire(timeout=WITHIN_S)
    worker.close()
    assert [7, 7] == taken


def test_a_step_is_taken_again_when_it_is_due() -> None:
    """It asks for a time that is over already, twice, then for none."""
    wishes = iter([5, 5, None])
    done = threading.Event()

    def step(now_ns: int) -> int | None:
        wish = next(wishes)
        if wish is None:
            done.set()
        return wish

    worker = Worker("test", step, lambda: None, clock_ns=lambda: 7)
    assert done.wait(WITHIN_S)
    worker.close()


def test_the_end_is_on_the_same_thread_and_comes_once() -> None:
    """A device is closed where it was used."""
    ended: list[str] = []
    worker = Worker("mine", lambda now_ns: None, lambda: ended.append(threading.current_thread().name))
    worker.close()
    worker.close()
    assert ["mine"] == ended
