"""Heavy work beside the judge: a process of its own while there is work, one piece at a time.

What is asked again is answered from memory, few may wait, and who comes when the queue is full is told so at
once. Where no second process can be had, the work is done here. Any thread may ask.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import TypeVar, TypeVarTuple, Unpack

from lastnose.companion.config.plugins import load_games
from lastnose.companion.core.errors import Busy, CompanionError
from lastnose.companion.core.text import text

MOST_WAITING = 4
WITHIN_S = 30.0
IDLE_S = 60.0
_MOST_KEPT, _MOST_KEPT_BYTES = 64, 16_000_000
_NICENESS = 10
_T = TypeVar("_T")
_Args = TypeVarTuple("_Args")


class Workshop:
    """One worker. *most_waiting* may wait for it; work that takes longer than *within_s* is ended.

    A worker that nobody has needed for *idle_s* ends; the next piece of work begins another.
    """

    def __init__(
        self, *, most_waiting: int = MOST_WAITING, within_s: float = WITHIN_S, idle_s: float = IDLE_S
    ) -> None:
        self._within_s = within_s
        self._idle_s = idle_s
        self._places = threading.Semaphore(1 + most_waiting)
        self._turn = threading.Lock()
        self._guard = threading.Lock()
        self._later: threading.Timer | None = None
        self._kept: dict[bytes, bytes] = {}
        self._worker: tuple[ProcessPoolExecutor, int] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Return the worker's process, None as long as nobody needs it."""
        worker = self._worker
        return None if worker is None else worker[1]

    def do(self, work: Callable[[Unpack[_Args]], _T], *args: *_Args) -> _T:
        """Return `work(*args)`, done over there.

        *work* is a function of a module that answers the same for the same *args*. Raises the CompanionError
        that it raises, or Busy.
        """
        asked = pickle.dumps((work, args))
        found = self._kept.get(asked)
        if found is None:
            if not self._places.acquire(blocking=False):
                raise _busy()
            try:
                with self._turn:
                    # Somebody before us in the queue may have asked the same.
                    found = self._kept.get(asked) or self._over_there(asked)
            finally:
                self._places.release()
        good, value = pickle.loads(found)
        if not good:
            raise value
        return value  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the worker, whatever it does; may be called twice."""
        with self._guard:
            self._closed = True
        self._dismiss()

    def _dismiss(self) -> None:
        """End the worker if there is one."""
        with self._guard:
            worker, self._worker = self._worker, None
            if self._later is not None:
                self._later.cancel()
        if worker is not None:
            pool, pid = worker
            with contextlib.suppress(OSError):
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            pool.shutdown()

    def _end_idle(self) -> None:
        """End the worker, never in the middle of something."""
        with self._turn:
            self._dismiss()

    def _over_there(self, asked: bytes) -> bytes:
        """Let the worker do it; raise Busy when it is too much for it."""
        pool = self._begun()
        if pool is None:
            return done(asked)
        try:
            found = pool.submit(done, asked).result(self._within_s)
        except (TimeoutError, BrokenExecutor) as problem:
            self._dismiss()
            raise _busy() from problem
        finally:
            self._end_later()
        self._kept[asked] = found
        while len(self._kept) > _MOST_KEPT or sum(map(len, self._kept.values())) > _MOST_KEPT_BYTES:
            del self._kept[next(iter(self._kept))]
        return found

    def _end_later(self) -> None:
        """End the worker in a while, unless it is needed before."""
        with self._guard:
            if self._worker is not None:
                self._later = threading.Timer(self._idle_s, self._end_idle)
                self._later.daemon = True
                self._later.start()

    def _begun(self) -> ProcessPoolExecutor | None:
        """Return the worker, which is begun where there is none; None where no process can be had."""
        with self._guard:
            if self._closed:
                raise _busy()
            if self._later is not None:
                self._later.cancel()
            if self._worker is None:
                try:
                    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin)
                    self._worker = pool, pool.submit(os.getpid).result()
                except (OSError, ImportError, NotImplementedError, BrokenExecutor):
                    return None
            return self._worker[0]


def _busy() -> Busy:
    return Busy(text("Many ask for this at the moment. Try again in a few seconds."))


def done(asked: bytes) -> bytes:
    """Return the answer to *asked* as it is sent: whether it went well, and the result or the refusal."""
    work, args = pickle.loads(asked)
    try:
        return pickle.dumps((True, work(*args)))
    except CompanionError as refusal:
        return pickle.dumps((False, refusal))


def _begin() -> None:
    """Make this process the worker of whoever started it. What is printed goes where complaints go."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which then ends the worker
    threading.Thread(target=_end_with_the_table, daemon=True).start()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    os.dup2(2, 1)
    load_games()


def _end_with_the_table() -> None:
    """End this process as soon as the one that started it has: nobody is there to hear an answer."""
    table = multiprocessing.parent_process()
    assert table is not None
    table.join()
    os._exit(0)
