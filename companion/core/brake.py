"""What slows down who guesses a PIN or a code."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

_FORGET_S = 3600
_MOST_ADDRESSES = 1000


class _Brake(msgspec.Struct):
    """Wrong tries so far, the time of the last, and from when on the next is looked at."""

    wrongs: int = 0
    until_s: float = 0.0
    last_s: float = 0.0


class Brakes(msgspec.Struct):
    """A brake for each address: after *free* wrong tries waits that double. Times in seconds of one clock.

    Of a thousand addresses at most something is known; after an hour it is forgotten.

    >>> brakes = Brakes(free=2, first_wait_s=5, longest_wait_s=60)
    >>> [brakes.wrong("192.0.2.1", now_s=0.0) or brakes.wait_s("192.0.2.1", 0.0) for _ in range(6)]
    [0, 5, 10, 20, 40, 60]
    >>> brakes.wait_s("192.0.2.2", 0.0), brakes.wait_s("192.0.2.1", 59.5), brakes.wait_s("192.0.2.1", 60.0)
    (0, 1, 0)
    """

    free: int
    first_wait_s: int
    longest_wait_s: int
    _known: OrderedDict[str, _Brake] = msgspec.field(default_factory=OrderedDict)

    def wait_s(self, where: str, now_s: float) -> int:
        """Return how many whole seconds are left before the next try is looked at, rounded up."""
        brake = self._known.get(where)
        return 0 if brake is None else max(0, -int((now_s - brake.until_s) // 1))

    def wrong(self, where: str, now_s: float) -> None:
        """Count a wrong try of *where* at *now_s*."""
        brake = self._known.pop(where, None)
        if brake is None or (now_s - brake.last_s > _FORGET_S and now_s >= brake.until_s):
            brake = _Brake()
        brake.wrongs += 1
        brake.last_s = now_s
        if brake.wrongs >= self.free:
            doublings = min(brake.wrongs - self.free, 20)
            brake.until_s = now_s + min(self.first_wait_s * 2**doublings, self.longest_wait_s)
        self._known[where] = brake
        while len(self._known) > _MOST_ADDRESSES:
            self._known.popitem(last=False)

    def right(self, where: str) -> None:
        """Forget what *where* has tried in vain."""
        self._known.pop(where, None)
