"""When a box is asked for its tick, and which answer belongs to which question. No port and no clock.

Often while something happens, since promises rest on the answers, but not so often that they delay the events
they wait for; now and then in bursts: one may be quick.
"""

from __future__ import annotations

from hardware.box import protocol

QUICK_NS, BUSY_NS, IDLE_NS = 5_000_000, 20_000_000, 40_000_000
BURST, BURST_EVERY_NS = 8, 1_000_000_000
LOST_NS = 1_000_000_000


class Pings:
    """The pings of one box that are under way, and when the next is due."""

    def __init__(self) -> None:
        self._sent: dict[int, int] = {}
        self._number = 0
        self._next_ns = 0
        self._burst_ns = 0
        self._in_burst = 0

    def begin(self) -> None:
        """Ping at once; what was asked before is not answered any more."""
        self._sent.clear()
        self._next_ns = 0

    def wait_ns(self, now_ns: int) -> int:
        """Return how long no ping is due."""
        return max(0, self._next_ns - now_ns)

    def send(self, now_ns: int, *, quick: bool, busy: bool = False) -> bytes:
        """Return a ping that counts as sent at *now_ns*; the next follows soon if it is to be *quick*.

        *busy*: events are on their way, and pings yield to them.
        """
        self._number = _after(self._number)
        self._sent[self._number] = now_ns
        for number in [n for n, sent_ns in self._sent.items() if now_ns - sent_ns > LOST_NS]:
            del self._sent[number]
        self._next_ns = now_ns + (BUSY_NS if busy else QUICK_NS if quick else IDLE_NS)
        if busy:
            self._in_burst = 0
        elif now_ns - self._burst_ns >= BURST_EVERY_NS:
            self._burst_ns, self._in_burst = now_ns, BURST
        return protocol.ping(self._number)

    def soon(self, now_ns: int) -> None:
        """Something happened: do not wait for as long as while nothing does."""
        self._next_ns = min(self._next_ns, now_ns + QUICK_NS)

    def answered(self, number: int, now_ns: int) -> int | None:
        """Return when ping *number* was sent, None when it is not awaited; in a burst the next is due now."""
        sent_ns = self._sent.pop(number, None)
        if sent_ns is not None and self._in_burst:
            self._in_burst -= 1
            self._next_ns = now_ns
        return sent_ns


def _after(number: int) -> int:
    """Return the next number, of four bytes none of which is zero."""
    number += 1
    for byte in (0, 8, 16, 24):
        if not number >> byte & 0xFF:
            number += 1 << byte
    return number if number < 1 << 32 else 0x01010101
