"""A thread for one output, so that a slow or broken device delays nobody; it is told that there is news."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.system import host_clock

CLOSE_S = 1.0
NEVER_S = threading.TIMEOUT_MAX


class Worker:
    """Call *step* with the time (ns) at once, whenever `wake` is called, and when it asked to be called.

    *step* returns when it wants to be called next, None for not before it is woken. *end* is called last, on
    the same thread.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[int], int | None],
        end: Callable[[], None],
        clock_ns: Callable[[], int] = host_clock.now_ns,
    ) -> None:
        self._step = step
        self._end = end
        self._clock_ns = clock_ns
        self._news = threading.Condition()
        self._woken = True
        self._closed = False
        self._due_ns: int | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Let *step* be called soon; never blocks for long."""
        with self._news:
            self._woken = True
            self._news.notify()

    def close(self) -> None:
        """End the thread within a second; may be called twice."""
        with self._news:
            self._closed = True
            self._news.notify()
        self._thread.join(CLOSE_S)

    def _run(self) -> None:
        while True:
            with self._news:
                if not self._woken and not self._closed:
                    self._news.wait(self._pause_s())
                if self._closed:
                    break
                self._woken = False
            self._due_ns = self._step(self._clock_ns())
        self._end()

    def _pause_s(self) -> float:
        if self._due_ns is None:
            return NEVER_S
        return max(0.0, (self._due_ns - self._clock_ns()) / 1e9)
