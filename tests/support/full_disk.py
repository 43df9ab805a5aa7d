"""A store with a disk that fills."""

from __future__ import annotations

from lastnose.companion.core.errors import StoreError
from lastnose.companion.core.text import text
from lastnose.companion.evening.events import AnyEvent
from lastnose.companion.table.memory_store import MemoryStore


class FullDisk(MemoryStore):
    """Takes as many writes more as it has `room` for; None: as many as come."""

    room: int | None = None

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events*, or raise StoreError where there is no room."""
        if self.room is not None:
            if not self.room:
                raise StoreError(text("The disk is full."))
            self.room -= 1
        return super().append(*events)
