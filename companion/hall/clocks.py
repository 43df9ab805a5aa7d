"""What is said of wall clocks that differ: nothing rests on a table's but the times that it prints. Pure."""

from __future__ import annotations

from collections.abc import Callable

from lastnose.companion.core.text import Text, text, texts

OFF_S = 120.0  # from how much on a clock is said to be wrong: what is told of it may be long on its way
STEP_S = 60.0  # from how much on the hall's own was set, and has not just gone a little faster
_UNITS_S = 86_400, 3_600, 60


class ClockWatch:
    """Sees that a wall clock was set: one of a machine that has slept did not move against *elapsed_s*."""

    def __init__(self, wall_s: Callable[[], float], elapsed_s: Callable[[], float]) -> None:
        self._wall_s, self._elapsed_s = wall_s, elapsed_s
        self._apart_s = wall_s() - elapsed_s()

    def set_by_s(self) -> float:
        """Return by how much it was put forward since this was asked last, 0 for what may be drift."""
        apart_s = self._wall_s() - self._elapsed_s()
        by_s, self._apart_s = apart_s - self._apart_s, apart_s
        return by_s if abs(by_s) >= STEP_S else 0.0


def ahead_of(own_s: float, hall_s: float) -> int:
    """Return by how many seconds a table's clock is ahead of the hall's, to the minute; 0: as good as none.

    >>> ahead_of(1_000_000.0, 1_000_100.0), ahead_of(1_000_000.0, 4_456_000.0)
    (0, -3456000)
    """
    ahead_s = own_s - hall_s
    return 60 * round(ahead_s / 60) if abs(ahead_s) >= OFF_S else 0


def apart(ahead_s: int) -> Text:
    """Return in words how long that is, in its largest sensible unit.

    >>> [str(apart(s)) for s in (-40 * 86_400, 86_400, 7_200, -5_430)]
    ['40 days', '24 hours', '2 hours', '90 minutes']
    """
    day_s, hour_s, minute_s = _UNITS_S
    if abs(ahead_s) >= 2 * day_s:
        return texts("{n} day", "{n} days", n=round(abs(ahead_s) / day_s))
    if abs(ahead_s) >= 2 * hour_s:
        return texts("{n} hour", "{n} hours", n=round(abs(ahead_s) / hour_s))
    return texts("{n} minute", "{n} minutes", n=round(abs(ahead_s) / minute_s))


def said_at_the_table(ahead_s: int) -> Text | None:
    """Return what a table says of its own clock, None of one that is right."""
    if not ahead_s:
        return None
    if ahead_s > 0:
        return text(
            "This table’s clock is {time} ahead of the hall’s: set it. Its results are right all the same.",
            time=apart(ahead_s),
        )
    return text(
        "This table’s clock is {time} behind the hall’s: set it. Its results are right all the same.",
        time=apart(ahead_s),
    )


def said_in_the_hall(ahead_s: int) -> Text:
    """Return what the organiser is told of a table's clock."""
    if ahead_s > 0:
        return text("Its clock is {time} ahead of the hall’s.", time=apart(ahead_s))
    return text("Its clock is {time} behind the hall’s.", time=apart(ahead_s))
