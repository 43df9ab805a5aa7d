"""A simulated box with the host's side of it, as tests listen to them."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lastnose.companion.core.model import Edge, Input, Watermark
from lastnose.companion.core.text import Text
from lastnose.hardware.box.boxes import BoxSource
from lastnose.hardware.box.ports import Port
from lastnose.hardware.box.simulated import SimulatedBox

WITHIN_S = 120


class Heard:
    """What a started source tells and reports."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.inputs: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.reports: queue.SimpleQueue[Text | None] = queue.SimpleQueue()
        self.told: list[Input] = []

    def start(self) -> Heard:
        """Start it and wait for its first promise."""
        self.source.start(self.inputs.put, self.reports.put)
        self.until(lambda item: isinstance(item, Watermark))
        return self

    def until(self, wanted: Callable[[Input], bool]) -> Input:
        """Return the next input that is wanted."""
        while True:
            item = self.inputs.get(timeout=WITHIN_S)
            self.told.append(item)
            if wanted(item):
                return item

    def edge(self) -> Edge:
        """Return the next edge."""
        found = self.until(lambda item: isinstance(item, Edge))
        assert isinstance(found, Edge)
        return found


@contextmanager
def listening(
    simulated: SimulatedBox, lines: dict[str, int], open_port: Callable[[], Port] | None = None
) -> Iterator[Heard]:
    """Start a source on *simulated* (or on another *open_port*), and close it in the end."""
    source = BoxSource(open_port or simulated.open_port, lines, simulated=True)
    try:
        yield Heard(source).start()
    finally:
        source.close()
