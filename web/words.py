"""The sentences that the scripts of a page say, so that each page gets those and no others.

A script says a sentence with `t("…")`; a page's scripts are its own and whatever they import.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
SAID = re.compile(r'(?<![\w.])t\(\s*"((?:[^"\\]|\\.)*)"')
_IMPORTED = re.compile(r'(?:from|import)\s*\(?\s*"\./([\w-]+\.js)"')


def said_in(script: str) -> tuple[str, ...]:
    """Return what a script says, in its order.

    >>> said_in('put(head, t("Whose hand?")); t("{n} points", { n })')
    ('Whose hand?', '{n} points')
    """
    return tuple(SAID.findall(script))


def scripts_of(page: str) -> frozenset[str]:
    """Return the names of the scripts that *page* may load, also those that come when they are needed."""
    found: set[str] = set()
    ahead = [f"{page}.js"]
    while ahead:
        name = ahead.pop()
        if name not in found and (STATIC / name).is_file():
            found.add(name)
            ahead += _IMPORTED.findall((STATIC / name).read_text("utf-8"))
    return frozenset(found)


@cache
def words_of(page: str) -> tuple[str, ...]:
    """Return the sentences that the scripts of *page* say, sorted."""
    return tuple(
        sorted({said for name in scripts_of(page) for said in said_in((STATIC / name).read_text("utf-8"))})
    )
