"""A thread for one output, so that a slow or broken device delays nobody; it is told that there is news."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from lastnose.companion.core.errors import CompanionError, DeviceError
from lastnose.companion.core.ports import Report
from lastnose.companion.core.text import Text
from lastnose.companion.system import host_clock

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


# ---- A device that may be missing or fail: opened when it is wanted, said once, tried again after a rest.
#
# No thread and no clock in here; time is an argument.

SECOND_NS = 1_000_000_000
FIRST_RETRY_NS = SECOND_NS
LONGEST_RETRY_NS = 8 * SECOND_NS

D = TypeVar("D")


class Retrying(Generic[D]):
    """One device of a kind: *make* opens it, *release* lets it go.

    Both, and what is done with the device, may raise one of *failures*. *report* is called once a failure,
    with what *explain* makes of its reason, and once with None when it is over.
    """

    def __init__(
        self,
        make: Callable[[], D],
        release: Callable[[D], None],
        explain: Callable[[Text | str], Text],
        report: Report,
        failures: Callable[[], tuple[type[Exception], ...]] = lambda: (OSError, CompanionError),
    ) -> None:
        self._make = make
        self._release = release
        self._explain = explain
        self._report = report
        self._failures = failures
        self._device: D | None = None
        self._said: Text | None = None
        self._retry_ns = FIRST_RETRY_NS
        self.retry_at_ns: int | None = None

    @property
    def open(self) -> bool:
        """Whether the device is open."""
        return self._device is not None

    def use(self, work: Callable[[D], None], now_ns: int) -> bool:
        """Do *work* with the device, opened if need be; return False when it failed or rests after that."""
        if self.retry_at_ns is not None and now_ns < self.retry_at_ns:
            return False
        try:
            if self._device is None:
                self._device = self._make()
            work(self._device)
        except self._failures() as error:
            self._fail(error, now_ns)
            return False
        if self._said is not None:
            self._said = None
            self._report(None)
        self._retry_ns, self.retry_at_ns = FIRST_RETRY_NS, None
        return True

    def close(self) -> None:
        """Let the device go; may be called twice."""
        device, self._device = self._device, None
        if device is not None:
            with contextlib.suppress(*self._failures()):
                self._release(device)

    def _fail(self, error: Exception, now_ns: int) -> None:
        self.close()
        self.retry_at_ns = now_ns + self._retry_ns
        self._retry_ns = min(2 * self._retry_ns, LONGEST_RETRY_NS)
        why = error.text if isinstance(error, CompanionError) else str(error) or type(error).__name__
        says = self._explain(why)
        if says != self._said:
            self._said = says
            self._report(says)


@contextlib.contextmanager
def as_device_error() -> Iterator[None]:
    """Make whatever a pin library raises a DeviceError: those libraries have no common base for "gone"."""
    try:
        yield
    except CompanionError:
        raise
    except Exception as error:
        raise DeviceError(Text("{why}", {"why": str(error).strip("'") or type(error).__name__})) from error
