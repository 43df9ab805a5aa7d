"""Times as people read them: three figures in the largest sensible unit; two say how sure one is."""

from __future__ import annotations

from companion.core.text import Text, text


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
    """Return how sure a time is, as it stands behind ±: two significant figures (GUM 7.2.6).

    >>> [str(uncertainty(ns)) for ns in (1_000, 20_227, 277_000, 994_000, 996_000, 1_011_000, 60_100_000)]
    ['1 µs', '20 µs', '280 µs', '990 µs', '1 ms', '1 ms', '60 ms']
    """
    return duration(rounded(ns), 2)


def rounded(ns: int) -> int:
    """Return *ns* to two significant figures.

    >>> [rounded(ns) for ns in (7, 20_227, 8_019_000, 8_050_000, 996_000)]
    [7, 20000, 8000000, 8000000, 1000000]
    """
    step_ns = step(ns)
    return round(ns / step_ns) * step_ns


def step(ns: int) -> int:
    """Return what the second significant figure of *ns* counts in."""
    return int(10 ** max(0, len(str(ns)) - 2))
