"""Keeps the inputs that a round rests on, so that it can be judged again (law 6)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from companion.model import Edge, Gap, Input
from companion.timing.sequencer import FOREVER

_IDLE_ITEMS = 512


class Recorder:
    """Holds inputs in stream order, each with its place in the stream."""

    def __init__(self) -> None:
        self._items: list[tuple[int, Input]] = []
        self._fresh: list[Input] = []  # not handed out yet

    def add(self, t_ns: int, item: Input) -> None:
        """Take an input that has its place at *t_ns*, not before the one taken last."""
        self._items.append((t_ns, item))
        self._fresh.append(item)

    def begin(self, armed_ns: int, levels: Iterable[Input], gaps: Iterable[Gap]) -> None:
        """Begin a round: *levels* as they stood, *gaps* that reach into it, and inputs from *armed_ns* on."""
        del self._items[: bisect_left(self._items, armed_ns, key=_place)]
        items = [item for _, item in self._items]
        kept = {id(item) for item in items}
        self._fresh = [*levels, *(gap for gap in gaps if id(gap) not in kept), *items]

    def hand_out(self, open_trains: Mapping[str, int]) -> tuple[Input, ...]:
        """Return what has come since the round began or since this was last asked.

        Trains that are still open, by line with the time of their first edge, wait until they are whole.
        """
        whole: list[Input] = []
        rest: list[Input] = []
        for item in self._fresh:
            is_open = isinstance(item, Edge) and item.t_ns >= open_trains.get(item.line, FOREVER)
            (rest if is_open else whole).append(item)
        self._fresh = rest
        return tuple(whole)

    def forget(self, before_ns: int) -> None:
        """Drop what lies before *before_ns*, now and then: no round needs it."""
        if len(self._items) > _IDLE_ITEMS:
            del self._items[: bisect_left(self._items, before_ns, key=_place)]
            self._fresh = []


def _place(entry: tuple[int, Input]) -> int:
    return entry[0]
