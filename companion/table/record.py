"""The evening and the log that keeps it: an event is folded once, kept durably, and only then shown.

One thread appends; any thread reads `evening`.
"""

from __future__ import annotations

from companion.core.text import Text
from companion.evening import log
from companion.evening.events import AnyEvent
from companion.evening.state import Evening
from companion.table.memory_store import EventStore


class EveningRecord:
    """The evening of *store* as it stands: what its events fold to, never ahead of the disk."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.evening = log.fold(store.events())

    def after(self, *events: AnyEvent) -> Evening:
        """Return the evening as *events* would leave it; raise a CompanionError when they do not fit."""
        evening = self.evening
        for seq, event in enumerate(events, self.store.newest() + 1):
            evening = log.apply(evening, seq, event)
        return evening

    def append(self, *events: AnyEvent) -> None:
        """Keep *events* and take the evening on; raise a CompanionError, and nothing has changed."""
        self.keep(self.after(*events), *events)

    def keep(self, after: Evening, *events: AnyEvent) -> None:
        """Keep *events*, which lead to *after* (as `after` has just said); raise StoreError."""
        numbers = self.store.append(*events)
        if numbers and numbers[-1] != after.seq:
            after = log.fold_on(self.evening, zip(numbers, events, strict=True))
        self.evening = after

    @property
    def adrift(self) -> Text | None:
        """Why the evening is in memory only, None while it is durable."""
        return self.store.adrift

    def settle(self) -> None:
        """Try to write what is in memory only."""
        self.store.settle()

    def begin_another(self) -> None:
        """Begin another evening, in which nothing has happened; raise StoreError."""
        self.store.new_evening()
        self.evening = Evening()
