"""Gives a table its thread: inputs, commands and reports go through one queue, in order."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from typing import Any

from companion.commands import AnyCommand
from companion.errors import CompanionError
from companion.model import Input
from companion.snapshot import Snapshot
from companion.table import Table
from companion.text import Text
from companion.timing import Request


class _Wish:
    def __init__(self, command: AnyCommand, by: str) -> None:
        self.command = command
        self.by = by
        self.future: Future[Snapshot] = Future()


class _Report:
    def __init__(self, name: str, says: Text | None) -> None:
        self.name = name
        self.says = says


class _Pulse:
    def __init__(self) -> None:
        self.felt = threading.Event()


_Item = Input | Request | _Wish | _Report | _Pulse


class LiveTable(Table):
    """A table on a thread of its own. `emit`, `submit` and `reporter` may be called from any thread.

    `retry_s` is how long it waits before it tries a full disk again.
    """

    retry_s = 1.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self) -> None:
        """Finish what is queued and end the thread."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join(timeout=2)

    def emit(self, item: Input | Request) -> None:
        """Hand over an input of a source, or a request to the referee."""
        self._queue.put(item)

    def reporter(self, name: str) -> Any:
        """Return how the device *name* tells its trouble (a Text) or that it is well (None)."""
        return lambda says: self._queue.put(_Report(name, says))

    def submit(self, command: AnyCommand, by: str) -> Future[Snapshot]:
        """Queue *command*; the future gives the snapshot that shows it, or raises a CompanionError."""
        wish = _Wish(command, by)
        self._queue.put(wish)
        return wish.future

    def answers(self, within_s: float) -> bool:
        """Return whether the table's thread works off its queue: whether it answers *within_s*."""
        pulse = _Pulse()
        self._queue.put(pulse)
        return pulse.felt.wait(within_s)

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=self.retry_s if self.waits_for_disk else None)
            except queue.Empty:
                self.retry()
            else:
                if not self._work_off(item):
                    return
            self.publish()

    def _work_off(self, item: _Item | None) -> bool:
        """Take *item* and what else is queued already; return False when told to stop."""
        while item is not None:
            self._take(item)
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return True
        return False

    def _take(self, item: _Item) -> None:
        match item:
            case _Wish():
                if not item.future.set_running_or_notify_cancel():
                    return
                try:
                    item.future.set_result(self.execute(item.command, item.by))
                except CompanionError as problem:
                    item.future.set_exception(problem)
                except Exception as problem:
                    item.future.set_exception(problem)
                    raise
            case _Report():
                self.report(item.name, item.says)
            case _Pulse():
                item.felt.set()
            case _:
                self.feed(item)
