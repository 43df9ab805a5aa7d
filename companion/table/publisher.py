"""What the table shows: the evening, the round in progress and the faults, as snapshots for whoever listens.

One thread changes and publishes; any thread reads `snapshot`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import msgspec
from lastnose.companion.core.text import Text
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.views.scoreboard import Lasting, cued, make
from lastnose.companion.views.snapshot import Live, LiveChanges, Snapshot

Listener = Callable[[Snapshot], None]


class Publisher:
    """Shows the evening of *record*, and what no log holds: `live`, and the `faults` by their names."""

    def __init__(self, record: EveningRecord, live: Live) -> None:
        self.live = live
        self.faults: dict[str, Text] = {}
        self.snapshot = cued(None, make(record.evening, live))
        self._record = record
        self._shown = Lasting(record.evening)
        self._changed = False
        self._listeners: list[Listener] = []

    def change(self, **changes: Unpack[LiveChanges]) -> None:
        """Show these *changes* with the next snapshot."""
        self.live = msgspec.structs.replace(self.live, **changes)
        self._changed = True

    def fault(self, name: str, says: Text | None) -> None:
        """Show *says* as the fault of *name* until it is None again."""
        if self.faults.get(name) == says:
            return
        if says is None:
            del self.faults[name]
        else:
            self.faults[name] = says
        self.change(faults=tuple(self.faults.values()))

    def publish(self) -> Snapshot:
        """Make the snapshot anew if anything changed, and hand it to every listener."""
        self.fault("log", self._record.adrift)
        evening = self._record.evening
        if self._shown.evening is not evening:
            self._shown, self._changed = Lasting(evening), True
        if self._changed:
            self._changed = False
            self.live = msgspec.structs.replace(self.live, version=self.live.version + 1)
            self.snapshot = cued(self.snapshot, make(evening, self.live, self._shown))
            for listener in tuple(self._listeners):
                listener(self.snapshot)
        return self.snapshot

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every new snapshot, on the table's thread; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
