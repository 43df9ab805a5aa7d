"""A store with a disk that fills."""

from __future__ import annotations

from lastnose.companion.core.errors import StoreError
from lastnose.companion.core.text import text
from lastnose.companion.evening.events import AnyEvent, Finished
from lastnose.companion.table.memory_store import MemoryStore


class FullDisk(MemoryStore):
    """Takes as many writes more as it has `room` for; None: as many as come."""

    room: int | None = None

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events*, or raise StoreError where there is no room."""
        self._write()
        return super().append(*events)

    def new_evening(self, *last: Finished) -> int:
        """Begin another evening, or raise StoreError where there is no room."""
        self._write()
        for event in last:
            super().append(event)
        self.evening += 1
        return self.evening

    def _write(self) -> None:
        if self.room is not None:
            if not self.room:
                raise StoreError(text("The disk is full."))
            self.room -= 1
