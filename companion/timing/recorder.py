"""Keeps the inputs that a round rests on, so that it can be judged again (law 6)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from companion.model import Gap, Input

_IDLE_ITEMS = 512


class Recorder:
    """Holds inputs in stream order, each with its place in the stream."""

    def __init__(self) -> None:
        self._items: list[tuple[int, Input]] = []
        self._before: list[Input] = []
        self._handed = 0

    def add(self, t_ns: int, item: Input) -> None:
        """Take an input that has its place at *t_ns*, not before the one taken last."""
        self._items.append((t_ns, item))

    def begin(self, armed_ns: int, levels: Iterable[Input], gaps: Iterable[Gap]) -> None:
        """Begin a round: *levels* as they stood, *gaps* that reach into it, and inputs from *armed_ns* on."""
        del self._items[: bisect_left(self._items, armed_ns, key=_place)]
        kept = {id(item) for _, item in self._items}
        self._before = [*levels, *(gap for gap in gaps if id(gap) not in kept)]
        self._handed = 0

    def hand_out(self) -> tuple[Input, ...]:
        """Return what has come since the round began or since this was last asked."""
        fresh = (*self._before, *(item for _, item in self._items[self._handed :]))
        self._before, self._handed = [], len(self._items)
        return fresh

    def forget(self, before_ns: int) -> None:
        """Drop what lies before *before_ns*, now and then: no round needs it."""
        if len(self._items) > _IDLE_ITEMS:
            count = bisect_left(self._items, before_ns, key=_place)
            del self._items[:count]
            self._handed = max(0, self._handed - count)


def _place(entry: tuple[int, Input]) -> int:
    return entry[0]
