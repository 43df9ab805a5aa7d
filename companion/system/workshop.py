"""Heavy work beside the judge: a process of its own while there is work, one piece at a time.

What is asked again is answered from memory, few may wait, and who comes when the queue is full is told so at
once. Where no second process can be had, the work is done here. Any thread may ask.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple, Unpack

from lastnose.companion.config.plugins import load_games
from lastnose.companion.core.errors import Busy, CompanionError
from lastnose.companion.core.text import text

MOST_WAITING = 4
WITHIN_S = 30.0
IDLE_S = 60.0
_MOST_KEPT, _MOST_KEPT_BYTES = 64, 16_000_000
_NICENESS = 10
_MAIN = "import sys; sys.path[:] = {path!r}; from lastnose.companion.system.workshop import main; main()"
_T = TypeVar("_T")
_Args = TypeVarTuple("_Args")


class Workshop:
    """One worker. *most_waiting* may wait for it; work that takes longer than *within_s* is ended.

    A worker that nobody has needed for *idle_s* ends; the next piece of work begins another.
    """

    def __init__(
        self, *, most_waiting: int = MOST_WAITING, within_s: float = WITHIN_S, idle_s: float = IDLE_S
    ) -> None:
        self._most_waiting = most_waiting
        self._within_s = within_s
        self._idle_s = idle_s
        self._later: threading.Timer | None = None
        self._turn = threading.Lock()
        self._guard = threading.Lock()
        self._inside = 0
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Return the worker's process, None as long as nobody needs it."""
        process = self._process
        return None if process is None else process.pid

    def do(self, work: Callable[[Unpack[_Args]], _T], *args: *_Args) -> _T:
        """Return `work(*args)`, done over there.

        *work* is a function of a module that answers the same for the same *args*. Raises the CompanionError
        that it raises, or Busy.
        """
        asked = pickle.dumps((work, args))
        with self._guard:
            found = self._known(asked)
            if found is None:
                if self._inside > self._most_waiting or self._closed:
                    raise _busy()
                self._inside += 1
        if found is None:
            try:
                found = self._in_turn(asked)
            finally:
                with self._guard:
                    self._inside -= 1
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
            process, self._process = self._process, None
            if self._later is not None:
                self._later.cancel()
        if process is not None:
            _end(process)

    def _end_idle(self) -> None:
        """End the worker, never in the middle of something."""
        with self._turn:
            self._dismiss()

    def _call_after(self, after_s: float, what: Callable[[], None]) -> None:
        """Call *what* after *after_s*, instead of what was to be called later before."""
        with self._guard:
            if self._later is not None:
                self._later.cancel()
            if not self._closed:
                self._later = threading.Timer(after_s, what)
                self._later.daemon = True
                self._later.start()

    def _known(self, asked: bytes) -> bytes | None:
        found = self._kept.get(asked)
        if found is not None:
            self._kept.move_to_end(asked)
        return found

    def _in_turn(self, asked: bytes) -> bytes:
        with self._turn:
            with self._guard:
                found = self._known(asked)
            if found is not None:
                return found  # somebody before us in the queue asked the same
            try:
                found = self._over_there(asked)
            except OSError:
                return done(asked)
            with self._guard:
                self._keep(asked, found)
            return found

    def _keep(self, asked: bytes, found: bytes) -> None:
        self._kept[asked] = found
        while len(self._kept) > _MOST_KEPT or sum(map(len, self._kept.values())) > _MOST_KEPT_BYTES:
            self._kept.popitem(last=False)

    def _over_there(self, asked: bytes) -> bytes:
        """Let the worker do it; raise Busy when it is too much for it, OSError when there is no worker."""
        process = self._worker()
        assert process.stdin is not None
        assert process.stdout is not None
        self._call_after(self._within_s, process.kill)
        try:
            pickle.dump(asked, process.stdin)
            process.stdin.flush()
            found = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError, ValueError) as problem:
            with self._guard:
                self._process = None
            _end(process)
            raise _busy() from problem
        finally:
            self._call_after(self._idle_s, self._end_idle)
        assert isinstance(found, bytes)
        return found

    def _worker(self) -> subprocess.Popen[bytes]:
        with self._guard:
            if self._closed:
                raise _busy()
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _MAIN.format(path=sys.path)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
                )
            return self._process


def _busy() -> Busy:
    return Busy(text("Many ask for this at the moment. Try again in a few seconds."))


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def done(asked: bytes) -> bytes:
    """Return the answer to *asked* as it is sent: whether it went well, and the result or the refusal."""
    work, args = pickle.loads(asked)
    try:
        return pickle.dumps((True, work(*args)))
    except CompanionError as refusal:
        return pickle.dumps((False, refusal))


def main() -> None:
    """Work until whoever started it is gone. What is printed goes where complaints go."""
    load_games()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which then ends the input
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            asked = pickle.load(sys.stdin.buffer)
            pickle.dump(done(asked), answers)
            answers.flush()
        except (EOFError, BrokenPipeError):
            os._exit(0)  # also what could not be answered is nobody's any more
