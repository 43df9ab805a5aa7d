"""The tick of now from another clock on the same crystal: the microsecond timer. Pure.

What relates the two is constant. It is learnt from ticks that lie between two readings of the timer.
"""

MASK32 = 0xFFFFFFFF
HALF = 1 << 31
MOST_SLACK = 60_000  # what fits a HELLO


class Relation:
    """*ratio* ticks make one count of the timer. Before the first `take` nothing is `known`."""

    def __init__(self, ratio):
        self.known = False
        self._ratio = ratio
        self._near = 0  # tick minus timer, about
        self._low = self._high = 0  # what is to be added to that

    def take(self, tick, t0, t1):
        """Take a tick that was when the timer read from *t0* to *t1*; all 32 bits, and the timer may wrap."""
        ratio = self._ratio
        early = tick - t1 * ratio  # if the tick was as late as can be
        if not self.known:
            self._near = early & MASK32
        ahead = ((early - self._near + HALF) & MASK32) - HALF
        low = ahead - ratio
        high = ahead + ((t1 - t0) & MASK32) * ratio + ratio
        self._low = max(self._low, low) if self.known else low
        self._high = min(self._high, high) if self.known else high
        self.known = True

    def tick(self, t):
        """Return the tick when the timer reads *t*, to `slack`."""
        return (t * self._ratio + self._near + (self._low + self._high) // 2) & MASK32

    @property
    def slack(self):
        """By how many ticks `tick` may be off."""
        if not self.known:
            return MOST_SLACK
        return min(MOST_SLACK, max(self._ratio, abs(self._high - self._low) // 2 + self._ratio + 1))
