"""What so many samples support, and no more: bounds by order statistics, whatever the shape. Pure.

Of *n* independent samples of the same thing, the largest exceeds the share *p* of all values with confidence
1 − p^n (Wilks 1941): 59 are needed to speak of 95 of 100 with 95 % confidence, 299 of 99 of 100. GUM figures
(JCGM 100:2008): a standard deviation (type A) and half a rectangular bound by √3 (type B), in quadrature.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, sqrt
from statistics import stdev

SHARE, CONFIDENCE = 0.95, 0.95
COVERAGE_FACTOR = 2  # GUM's k


def supported_share(n: int) -> float:
    """Return the share of all values that the largest of *n* samples exceeds, with 95 % confidence.

    >>> [round(supported_share(n), 4) for n in (0, 20, 59, 299, 10_000)]
    [0.0, 0.8609, 0.9505, 0.99, 0.9997]
    """
    return (1 - CONFIDENCE) ** (1 / n) if n else 0.0


def upper_bound(values: Sequence[int]) -> int | None:
    """Return the smallest sample that 95 of 100 values stay within, with 95 % confidence; None: too few.

    It is the largest but j, j being the most for which j samples or fewer of n lie beyond the 95th
    percentile with a probability of 5 % at most: Σ C(n,i) 0.05^i 0.95^(n−i) over i ≤ j.

    >>> [upper_bound(range(n)) for n in (58, 59, 93, 1_000, 10_000)]
    [None, 58, 91, 961, 9536]
    """
    n = len(values)
    beyond, below = 0.0, -1
    for i in range(n):
        ways = lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1)
        beyond += exp(ways + i * log(1 - SHARE) + (n - i) * log(SHARE))
        if beyond > 1 - CONFIDENCE:
            break
        below = i
    return sorted(values)[n - 1 - below] if below >= 0 else None


def standard_uncertainty(values: Sequence[int], within: int) -> float | None:
    """Return GUM's u of one value: the spread of *values*, and half of an interval *within* which each is.

    >>> standard_uncertainty([1, 2, 3, 4], 0), standard_uncertainty([5, 5], 6)
    (1.2909944487358056, 1.7320508075688772)
    """
    if len(values) < 2:
        return None
    return sqrt(stdev(values) ** 2 + (within / 2) ** 2 / 3)
