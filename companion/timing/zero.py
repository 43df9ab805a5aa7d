"""The zero test: one plate closes two noses at once, twenty times; how far apart does it seem? Pure.

As in athletics, it shows before an evening that what should be nothing is nothing, within the claim.
"""

from __future__ import annotations

from lastnose.companion.core.model import Press, uncertainty_ns

TIMES = 20
TOGETHER_NS = 250_000_000  # a plate's two contacts are no further apart; what is, was not the plate


_DOUBT = 0.05  # that a share which is told is less after all


def covered(n: int, ends: int) -> float:
    """Return the share of all differences that *n* of them show to be inside their extremes, 95 % surely.

    *ends* is 1 when only the most of them bounds, 2 when the least does, too: that all *n* fall inside what
    holds a share p of all has the chance p**n, that at most one falls outside p**n + n * (1 - p) * p**(n - 1)
    (Wilks 1941). Whatever the differences are like, as long as they are as before.

    >>> round(covered(20, 1), 4), round(covered(20, 2), 4), covered(1, 2)
    (0.8609, 0.7839, 0.0)
    """
    if n < ends:
        return 0.0
    least, most = 0.0, 1.0
    while most - least > 1e-9:
        share = (least + most) / 2
        chance = share**n + (ends - 1) * n * (1 - share) * share ** (n - 1)
        least, most = (share, most) if chance < _DOUBT else (least, share)
    return least


class ZeroTest:
    """Takes presses of two *lines* in the order of time, until `done`.

    `off_ns[i]` is by how much the second line came later than the first; `missed` counts presses of one line
    that the other did not answer, and `alone` is that line when such a press is the newest that is known;
    `u_ns` is the widest `w` of a pair.
    """

    def __init__(self, lines: tuple[str, str]) -> None:
        self.lines = lines
        self.off_ns: tuple[int, ...] = ()
        self.missed = 0
        self.alone = ""
        self.u_ns = 0
        self._waiting: tuple[str, Press] | None = None

    @property
    def done(self) -> bool:
        """Whether there are enough."""
        return len(self.off_ns) >= TIMES

    def take(self, line: str, press: Press) -> bool:
        """Take a press of *line*; return whether anything is known now that was not before."""
        if line not in self.lines or self.done:
            return False
        before, self._waiting = self._waiting, None
        if before is None or before[0] == line or press.t_ns - before[1].t_ns > TOGETHER_NS:
            self._waiting = line, press
            if before is not None:
                self.missed, self.alone = self.missed + 1, before[0]
            return before is not None
        apart_ns = press.t_ns - before[1].t_ns
        self.off_ns = (*self.off_ns, apart_ns if line == self.lines[1] else -apart_ns)
        self.u_ns, self.alone = max(self.u_ns, uncertainty_ns(press, before[1])), ""
        return True
