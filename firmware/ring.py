"""The ring that the DMA fills: how many events there are, and their bytes. Pure.

An event is two words, pins and tick. What was written last overwrites what was written *size* events before.
"""

EVENT_BYTES = 8


class Ring:
    """Events in *memory*, of which *words* (called) were written so far, whole or not.

    The first `skipped` do not count.
    """

    def __init__(self, memory, words):
        self.size = len(memory) // EVENT_BYTES
        self._memory = memory
        self._words = words
        self.skipped = 0

    def all_written(self):
        """Return how many whole events were ever written."""
        return self._words() // 2

    def begin(self):
        """Count from the latest event on: it tells how the pins are."""
        self.skipped = max(0, self.all_written() - 1)

    def written(self):
        """Return how many events there are, of those that count."""
        return self.all_written() - self.skipped

    def copy(self, first, count):
        """Return the bytes of *count* events from *first* on, as they are now.

        A view would go on changing in the hands of who sends it.
        """
        size = len(self._memory)
        start = (first + self.skipped) * EVENT_BYTES % size
        end = start + count * EVENT_BYTES
        if end <= size:
            return bytes(self._memory[start:end])
        return bytes(self._memory[start:]) + bytes(self._memory[: end - size])

    def tick_of(self, number):
        """Return the tick of event *number*, counted from the very first."""
        at = number * EVENT_BYTES % len(self._memory) + 4
        return int.from_bytes(bytes(self._memory[at : at + 4]), "little")
