"""Times as people read them: in everyday figures, or at the step of what they may be wrong by."""

from __future__ import annotations

import math
from typing import NamedTuple

from lastnose.companion.core.text import Text, text


def _rounded(value: float, figures: int) -> int | float:
    """Round *value* to so many significant *figures*; whole numbers come as int."""
    rounded = float(f"{value:.{figures}g}")
    return int(rounded) if rounded == int(rounded) else rounded


def duration(ns: int, figures: int = 3) -> Text:
    """Return the time *ns* in its largest sensible unit, to so many significant *figures*.

    >>> [str(duration(ns)) for ns in (0, 400, 20_000, 412_000, 1_234_567, 246_000_000, 1_250_000_000)]
    ['0 µs', '0.4 µs', '20 µs', '412 µs', '1.23 ms', '246 ms', '1.25 s']
    """
    limit = 1_000 - 5 / 10 ** (figures - 2)
    if ns < limit * 1_000:
        return text("{amount} µs", amount=_rounded(ns / 1_000, figures))
    if ns < limit * 1_000_000:
        return text("{amount} ms", amount=_rounded(ns / 1_000_000, figures))
    return text("{amount} s", amount=_rounded(ns / 1_000_000_000, figures))


def uncertainty(ns: int) -> Text:
    """Return how sure a time is, as it stands behind ± alone: two significant figures, rounded up.

    >>> [str(uncertainty(ns)) for ns in (1_000, 20_227, 277_000, 994_000, 996_000, 1_011_000, 60_100_000)]
    ['1 µs', '21 µs', '280 µs', '1 ms', '1 ms', '1.1 ms', '61 ms']
    """
    return duration(rounded(ns), 2)


def rounded(ns: int) -> int:
    """Return *ns* rounded up to two significant figures: a bound stays one.

    >>> [rounded(ns) for ns in (7, 20_227, 8_019_000, 8_000_000, 996_000)]
    [7, 21000, 8100000, 8000000, 1000000]
    """
    step_ns = step(ns)
    return -(-ns // step_ns) * step_ns


def step(ns: int) -> int:
    """Return what the second significant figure of *ns* counts in."""
    return int(10 ** max(0, len(str(ns)) - 2))


class Measured(NamedTuple):
    """A time and what it may be wrong by, in one unit and to one step: `time` ± `sure`."""

    time: Text
    sure: Text


def measured(ns: int, u_ns: int) -> Measured:
    """Return the time *ns*, known to ± *u_ns*, at the step of its ±, which has two figures (GUM 7.2.6).

    It has no more digits than are known, and no fewer than its ± needs. What is printed holds all that may
    be: the ± is rounded up, with what the time lost or won by its own rounding.

    >>> some = (123_456_000, 87_500), (412_345, 20_227), (3, 40)
    >>> [" ± ".join(map(str, measured(*one))) for one in some]
    ['123.456 ms ± 0.088 ms', '412 µs ± 21 µs', '0.003 µs ± 0.040 µs']
    >>> [" ± ".join(map(str, measured(*one))) for one in ((10**9, 60_100_000), (4 * 10**6, 6 * 10**7))]
    ['1.000 s ± 0.061 s', '4 ms ± 60 ms']
    """
    shown_ns, sure_ns, step_ns = around(ns, u_ns)
    size_ns = _unit_ns(max(abs(shown_ns), sure_ns), step_ns)
    return Measured(*(_in_unit(one, size_ns, step_ns) for one in (shown_ns, sure_ns)))


def figures(value: float, u: float) -> tuple[Text | int, Text | int]:
    """Return *value*, known to ± *u* in its own unit, and that ±: both at the step of the ±, as `measured`.

    >>> [str(one) for one in figures(12.3004, 0.301)], figures(-150.2, 20.2)
    (['12.30', '0.31'], (-150, 21))
    """
    shown, sure, step_size = around(round(value * 1_000_000), math.ceil(u * 1_000_000))
    places = max(0, 7 - len(str(step_size)))
    return _decimal(shown // 10 ** (6 - places), places), _decimal(sure // 10 ** (6 - places), places)


def around(ns: int, u_ns: int) -> tuple[int, int, int]:
    """Return *ns* rounded to a step, whole steps around it that hold all of *ns* ± *u_ns*, and that step.

    >>> around(412_345, 20_227), around(412_345, 99_800)
    ((412000, 21000, 1000), (410000, 110000, 10000))
    """
    step_ns = step(u_ns)
    while True:
        shown_ns = round(ns / step_ns) * step_ns
        sure_ns = -(-(u_ns + abs(ns - shown_ns)) // step_ns) * step_ns
        if sure_ns < 100 * step_ns:
            return shown_ns, sure_ns, step_ns
        step_ns *= 10


def _unit_ns(size_ns: int, step_ns: int) -> int:
    """Return the unit for what is *size_ns* large and written to *step_ns*: with three decimals at most."""
    units = (unit for unit in (1_000_000_000, 1_000_000) if size_ns >= unit and step_ns * 1_000 >= unit)
    return next(units, 1_000)


def _in_unit(ns: int, unit_ns: int, step_ns: int) -> Text:
    """Return *ns*, which is whole steps, in a unit, with as many decimals as the step has."""
    places = len(str(unit_ns // step_ns)) - 1 if step_ns < unit_ns else 0
    amount = _decimal(ns // (unit_ns // 10**places), places)
    if unit_ns == 1_000_000_000:
        return text("{amount} s", amount=amount)
    return text("{amount} ms", amount=amount) if unit_ns == 1_000_000 else text("{amount} µs", amount=amount)


def _decimal(count: int, places: int) -> Text | int:
    """Return *count* of the last of so many decimal *places* as people write it, zeros at the end and all.

    >>> str(_decimal(-1_250, 3)), _decimal(12, 0)
    ('−1.250', 12)
    """
    if not places:
        return count
    whole, part = divmod(abs(count), 10**places)
    sign = "−" if count < 0 else ""
    return text("{whole}.{part}", whole=f"{sign}{whole}", part=f"{part:0{places}}")


def everyday(ns: int) -> Text:
    """Return the time *ns* as one says it: tenths of a second, below that milliseconds, one figure below 1.

    >>> [str(everyday(ns)) for ns in (1_340_000_000, 412_000_000, 99_600_000, 12_400_000, 960_000, 41_000)]
    ['1.3 s', '0.4 s', '0.1 s', '12 ms', '1 ms', '0.04 ms']
    """
    if ns >= 99_500_000:
        return text("{amount} s", amount=_tenths(round(ns / 100_000_000)))
    if ns < 1_000:
        return duration(ns, 1)
    return text("{amount} ms", amount=_rounded(ns / 1_000_000, 1 if ns < 9_500_000 else 2))


def at_least(ns: int) -> Text:
    """Return the time *ns* as one says it, rounded down: what is at least so long is at least that.

    >>> [str(at_least(ns)) for ns in (1_390_000_000, 299_000_000, 99_600_000, 12_900_000, 960_000, 600)]
    ['1.3 s', '0.2 s', '99 ms', '12 ms', '0.9 ms', '0.6 µs']
    """
    step_ns = 100_000_000 if ns >= 100_000_000 else int(10 ** (len(str(ns)) - (2 if ns >= 10_000_000 else 1)))
    return everyday(ns // step_ns * step_ns)


def _tenths(count: int) -> float | int:
    return count // 10 if count % 10 == 0 else count / 10
