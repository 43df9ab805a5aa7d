"""What somebody may have meant who typed a name that is not there."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 60


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the one of *names* that looks most like *name*, None when none does.

    >>> nearest("donky", ["pig", "donkey"]), nearest("bridge", ["pig", "donkey"])
    ('donkey', None)
    """
    found = get_close_matches(name[:LONGEST].lower(), list(names), n=1)
    return found[0] if found else None
