"""The sentences that the scripts of a page say, so that each page gets those and no others.

A script says a sentence with `t("…")`; a page's scripts are its own and whatever they import.
"""

from __future__ import annotations

import re
from functools import cache

from web.bundle import STATIC, scripts

SAID = re.compile(r'(?<![\w.])t\(\s*"((?:[^"\\]|\\.)*)"')


def said_in(script: str) -> tuple[str, ...]:
    """Return what a script says, in its order.

    >>> said_in('put(head, t("Whose hand?")); t("{n} points", { n })')
    ('Whose hand?', '{n} points')
    """
    return tuple(SAID.findall(script))


def scripts_of(page: str) -> frozenset[str]:
    """Return the paths of the scripts that *page* may load, also of those that come when they are needed."""
    return frozenset(scripts(f"pages/{page}.js"))


@cache
def words_of(page: str) -> tuple[str, ...]:
    """Return the sentences that the scripts of *page* say, sorted."""
    return tuple(
        sorted({said for name in scripts_of(page) for said in said_in((STATIC / name).read_text("utf-8"))})
    )
