"""What a part of the campaign found: a figure, what was wanted of it, and whether that holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Figure(NamedTuple):
    """One line of the table."""

    what: str
    found: str
    wanted: str
    good: bool


Part = Callable[[float], Iterable[Figure]]


def none_of(what: str, found: int, of: int) -> Figure:
    """Return the figure of something that must not happen in *of* tries; no try at all is no success."""
    return Figure(what, f"{found} of {of}", "0", found == 0 and of > 0)


def at_most(what: str, found: float, most: float, unit: str) -> Figure:
    """Return the figure of something that has a bound."""
    return Figure(what, f"{found:.1f} {unit}", f"≤ {most:g} {unit}", found <= most)


def times(scale: float, whole: int, least: int = 1) -> int:
    """Return how often something is done at *scale*, where *whole* is the full campaign."""
    return max(least, round(scale * whole))
