"""Names as people write them down: one, or a list of any length. Pure."""

from __future__ import annotations

import re

_BETWEEN = re.compile(r"[,;\t\r\n]")


def tidy(name: str) -> str:
    """Return *name* with one space between its words, and none around them."""
    return " ".join(name.split())


def listed(written: str) -> tuple[str, ...]:
    """Return the names in *written*, a list with commas, semicolons, tabs or lines between them.

    >>> listed("Eva,  Farid Ali;\\nZoë,")
    ('Eva', 'Farid Ali', 'Zoë')
    """
    return tuple(name for name in map(tidy, _BETWEEN.split(written)) if name)
