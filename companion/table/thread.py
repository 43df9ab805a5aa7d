"""Gives a table its thread: inputs, commands and reports go through one queue, in order."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.model import Input
from lastnose.companion.core.ports import Driver, Report
from lastnose.companion.evening.commands import AnyCommand
from lastnose.companion.table.publisher import Light, Listener
from lastnose.companion.table.table import Table
from lastnose.companion.timing import Request
from lastnose.companion.views.lobby import LobbyView
from lastnose.companion.views.snapshot import HallView, SeatPhone, Snapshot

# What comes in is either for the referee, or to be done on the table's thread.
_Item = Input | Request | Callable[[], object]


class TableThread:
    """Runs *table* on a thread of its own; everything here may be used from any thread.

    `queries` answers about its evening, `lines` are its nose lines. `driver` moves them where they are
    simulated, None where they are real; `profile_name` names the profile of its pins. `retry_s` is how long
    it waits before it tries a full disk again.
    """

    retry_s = 1.0

    def __init__(self, table: Table, *, driver: Driver | None = None, profile_name: str = "") -> None:
        self.driver = driver
        self.profile_name = profile_name
        self.queries = table.queries
        self.lines = table.rounds.lines
        self._table = table
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    @property
    def snapshot(self) -> Snapshot:
        """What every screen shows."""
        return self._table.snapshot

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every new snapshot, on the table's thread; return what ends that."""
        return self._table.subscribe(listener)

    def lights(self, light: Light) -> Callable[[], None]:
        """Call *light*, on the table's thread, with lamps that change before a snapshot tells why."""
        return self._table.publisher.lights(light)

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

    def reporter(self, name: str) -> Report:
        """Return how the device *name* tells its trouble (a Text) or that it is well (None)."""
        return lambda says: self._queue.put(lambda: self._table.report(name, says))

    def tell_phones(self, phones: tuple[SeatPhone, ...]) -> None:
        """Hand over which phones are noses, and how they are."""
        self._queue.put(lambda: self._table.show_phones(phones))

    def tell_hall(self, hall: HallView | None) -> None:
        """Hand over what the hall says."""
        self._queue.put(lambda: self._table.show_hall(hall))

    def tell_lobby(self, lobby: LobbyView) -> None:
        """Hand over who is at the table."""
        self._queue.put(lambda: self._table.show_lobby(lobby))

    def submit(self, command: AnyCommand, by: str) -> Future[Snapshot]:
        """Queue *command*; the future gives the snapshot that shows it, or raises a CompanionError."""
        future: Future[Snapshot] = Future()

        def execute() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(self._table.execute(command, by))
            except CompanionError as problem:
                future.set_exception(problem)
            except Exception as problem:
                future.set_exception(problem)
                raise

        self._queue.put(execute)
        return future

    def answers(self, within_s: float) -> bool:
        """Return whether the table's thread works off its queue: whether it answers *within_s*."""
        felt = threading.Event()
        self._queue.put(felt.set)
        return felt.wait(within_s)

    def _run(self) -> None:
        tried_s = time.monotonic()
        while True:
            # By the clock: a source that promises all the time leaves no pause.
            if self._table.waits_for_disk and time.monotonic() - tried_s >= self.retry_s:
                self._table.retry()
                tried_s = time.monotonic()
            self._table.publish()
            try:
                item = self._queue.get(timeout=self._pause_s())
            except queue.Empty:
                continue
            if not self._work_off(item):
                self._table.let_go()
                return

    def _pause_s(self) -> float | None:
        """Return how long nothing has to be done, None for as long as nothing comes in."""
        if self._table.waits_for_disk:
            return self.retry_s
        return self._table.wakes_in_s()

    def _work_off(self, item: _Item | None) -> bool:
        """Take *item* and what else is queued already; return False when told to stop."""
        while item is not None:
            if callable(item):
                item()
            else:
                self._table.feed(item)
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return True
        return False
