"""What the table needs of a store, and the one that forgets: for tapes, scenarios and tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec
from lastnose.companion import __version__
from lastnose.companion.core.errors import BadInput, CompanionError, IllegalMove, StoreError
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening import log
from lastnose.companion.evening.authors import BOX
from lastnose.companion.evening.events import AnyEvent, Finished, NameChanged, RoundJudged, Seated, Started
from lastnose.companion.evening.log import variations
from lastnose.companion.evening.state import Evening
from lastnose.companion.games.rules.variations import Variation
from lastnose.companion.timing import Settings


class EventStore(Protocol):
    """What the table needs of a store. Log numbers count from 1 over all evenings."""

    evening: int
    adrift: Text | None  # why what was appended is in memory only, None while it is durable

    @property
    def path(self) -> Path | None:
        """Return the file of the log, None when it is kept in memory only."""

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events* durably and return their log numbers; raise StoreError and keep none."""

    def newest(self) -> int:
        """Return the log number of the newest event of all evenings, 0 when there is none."""

    def new_evening(self, *last: Finished) -> int:
        """Begin another evening, of which *last* ends the one before, and return its number; or neither."""

    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield this evening's events in order."""

    def event(self, seq: int) -> AnyEvent:
        """Return event *seq*, whole; raise BadInput when there is none."""

    def known_players(self) -> tuple[str, ...]:
        """Return the names of all evenings, the most recent first, each once."""

    def last_game(self) -> Started | None:
        """Return how the newest game of all evenings began, None when none ever did."""

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings, by name."""

    def settle(self) -> None:
        """Try to write what is in memory only; `adrift` says whether that has worked."""

    def close(self) -> None:
        """Let go of the file."""


def names_of(newest_first: Iterable[tuple[int, AnyEvent]]) -> tuple[str, ...]:
    """Return who sat at the table, each once, as they were called last, of (evening, event)."""
    seen: dict[str, str] = {}
    for event in _in_names_of_now(newest_first):
        for player in event.players:
            seen.setdefault(alike(player), player)
    return tuple(seen.values())


def last_begun(newest_first: Iterable[tuple[int, AnyEvent]]) -> Started | None:
    """Return how the newest game began, with those who sat there last; None when none did."""
    circle: Seated | None = None
    for event in _in_names_of_now(newest_first):
        if isinstance(event, Started):
            players = event.players if circle is None else circle.players
            return msgspec.structs.replace(event, players=players)
        circle = circle or event
    return None


def _in_names_of_now(newest_first: Iterable[tuple[int, AnyEvent]]) -> Iterator[Started | Seated]:
    """Yield who sat down, the newest first; who was called otherwise later that evening has that name."""
    of, called = 0, dict[str, str]()
    for evening, event in newest_first:
        if evening != of:
            of, called = evening, {}
        if isinstance(event, NameChanged):
            called[alike(event.was)] = called.get(alike(event.name), event.name)
        elif isinstance(event, Started | Seated):
            players = tuple(called.get(alike(player), player) for player in event.players)
            yield msgspec.structs.replace(event, players=players)


class MemoryStore:
    """A store that forgets: for tapes, scenarios and tests."""

    adrift: Text | None = None
    path: Path | None = None

    def __init__(self) -> None:
        self.evening = 1
        self._kept: list[tuple[int, AnyEvent]] = []

    def append(self, *events: AnyEvent) -> tuple[int, ...]:
        """Keep *events* and return their numbers."""
        first = len(self._kept) + 1
        self._kept.extend((self.evening, event) for event in events)
        return tuple(range(first, len(self._kept) + 1))

    def newest(self) -> int:
        """Return how many there are."""
        return len(self._kept)

    def new_evening(self, *last: Finished) -> int:
        """Begin another evening."""
        if last:
            self.append(*last)
        self.evening += 1
        return self.evening

    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Yield this evening's events."""
        yield from ((n, e) for n, (evening, e) in enumerate(self._kept, 1) if evening == self.evening)

    def event(self, seq: int) -> AnyEvent:
        if not 1 <= seq <= len(self._kept):
            raise BadInput(english("There is no entry {seq} in the log.", seq=seq))
        return self._kept[seq - 1][1]

    def known_players(self) -> tuple[str, ...]:
        """Return the names, the most recent first."""
        return names_of(reversed(self._kept))

    def last_game(self) -> Started | None:
        """Return how the newest game began."""
        return last_begun(reversed(self._kept))

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations."""
        return variations(e for _, e in self._kept)

    def settle(self) -> None:
        """Nothing is to be written."""

    def close(self) -> None:
        """Nothing is held."""


# ---- The evening and the log that keeps it: an event is folded once, kept durably, and only then shown.
#
# One thread appends; any thread reads `evening`.


def refused(log_file: Path, problem: CompanionError) -> StoreError:
    """Return the error for a *log_file* that is as it was written, and that the rules of today refuse."""
    return StoreError(
        text(
            "{file} is sound, but the rules of Last Nose {version} refuse what is in it. Go back to the "
            "version that wrote it, or name another folder with --data. Reason: {why}",
            file=str(log_file),
            version=__version__,
            why=problem.text,
        )
    )


class EveningRecord:
    """The evening of *store* as it stands: what its events fold to, never ahead of the disk.

    Raises StoreError for one that the rules of today refuse.
    """

    def __init__(self, store: EventStore) -> None:
        self.store = store
        try:
            self.evening = log.fold(store.events())
        except StoreError:
            raise
        except CompanionError as problem:
            if store.path is None:
                raise
            raise refused(store.path, problem) from problem

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

    def begin_another(self, *last: Finished) -> None:
        """Begin another evening, in which nothing has happened, once *last* ends this one.

        Raises a CompanionError, and nothing has changed.
        """
        self.after(*last)
        self.store.new_evening(*last)
        self.evening = Evening()


def resume(record: EveningRecord, settings: Settings, at: float) -> Settings:
    """Void a round that a power cut left open; return *settings* with the delay that the game goes on with.

    *at* is the time of day in seconds.
    """
    match = record.evening.playing
    if match is not None:
        settings = msgspec.structs.replace(settings, rearm_ns=match.started.rearm_ns)
    if record.evening.open_round:
        why = text("The table was switched off in the middle of the round.")
        void = RoundJudged(
            by=BOX,
            at=at,
            verdict=Verdict(void=why),
            confirm_ns=settings.confirm_ns,
            lockout_ns=settings.lockout_ns,
        )
        with suppress(BadInput, IllegalMove):  # a game that went on, or ended, without it has no such round
            record.append(void)
    return settings
