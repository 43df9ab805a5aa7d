"""Times as people read them: three figures in the largest sensible unit."""

from __future__ import annotations

from companion.text import Text, text


def _three_figures(value: float) -> int | float:
    """Round *value* to three figures; whole numbers come as int."""
    rounded = float(f"{value:.3g}")
    return int(rounded) if rounded == int(rounded) else rounded


def duration(ns: int) -> Text:
    """Return the time *ns* in its largest sensible unit.

    >>> [str(duration(ns)) for ns in (0, 400, 20_000, 412_000, 1_234_567, 246_000_000, 1_250_000_000)]
    ['0 µs', '0.4 µs', '20 µs', '412 µs', '1.23 ms', '246 ms', '1.25 s']
    """
    if ns < 999_500:
        return text("{amount} µs", amount=_three_figures(ns / 1_000))
    if ns < 999_500_000:
        return text("{amount} ms", amount=_three_figures(ns / 1_000_000))
    return text("{amount} s", amount=_three_figures(ns / 1_000_000_000))
