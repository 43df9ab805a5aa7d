"""Taps on the page, on their way to the simulated noses: checked against the host's clock, then driven.

A page maps its own event times to the host's clock and says how well it can (`clock_u_ns`). It is trusted
with its own noses and no further: nothing from the future, nothing older than half a minute.
"""

from __future__ import annotations

import re

import msgspec

from companion.core.errors import BadInput
from companion.core.text import text
from companion.core.touch import TouchKind
from companion.core.units import duration

_PAGE = re.compile(r"[A-Za-z0-9_-]{1,40}")
OLDEST_NS = 30_000_000_000
_WORST_CLOCK_NS = 2_000_000_000
_SHORTEST_DELAY_NS = 100_000_000
LONGEST_DELAY_NS = 250_000_000


class PageClock(msgspec.Struct, frozen=True):
    """A page introduces itself: its id and its slowest recent round trip; or says that it `leaves`.

    `owns` is the line of the nose that it is ("nose.3"), "" for a page that anybody may touch. `phone` is
    what the phone calls itself, the same each time: zero tests count for it. `takes`: somebody has just taken
    that seat on it; without it a phone whose nose another page was given, or took, does not get it back.
    """

    page: str
    rtt_ns: int
    leaves: bool = False
    owns: str = ""
    phone: str = ""
    takes: bool = False


class Tap(msgspec.Struct, frozen=True):
    """One change of a simulated line; `t_ns` is on the host's clock, as the page reckons it."""

    line: str
    level: int
    t_ns: int
    kind: TouchKind = "touch"


class Taps(msgspec.Struct, frozen=True):
    """What happened on a page at once: `clock_u_ns` is the error of its mapping to the host's clock.

    With it the page promises that no tap from before `promised_ns` is still coming. `lost_ns`: taps since
    then did not get through and never will. `leaves`: it is hidden, or closed, and sends no more.
    `n` counts what the page sends: a promise that comes after a later word is not heard.
    """

    page: str
    clock_u_ns: int
    taps: tuple[Tap, ...]
    promised_ns: int | None = None
    lost_ns: int | None = None
    leaves: bool = False
    n: int = 0


class Heard(msgspec.Struct, frozen=True):
    """What a page is answered: how many taps were taken, the host's clock, how soon it may promise again.

    `replaced`: another page is now the nose that this one was.
    """

    taps: int
    t_ns: int
    again_ms: int
    replaced: bool = False


def delay_of(rtt_ns: int) -> int:
    """Return how late edges of a page with this round trip, on which nobody has touched a nose, may arrive.

    >>> delay_of(2_000_000), delay_of(40_000_000), delay_of(9_000_000_000)
    (100000000, 160000000, 250000000)
    """
    return min(max(_SHORTEST_DELAY_NS, 4 * rtt_ns), LONGEST_DELAY_NS)


def check_id(page: str) -> None:
    """Raise BadInput when a page may not call itself so."""
    if not _PAGE.fullmatch(page):
        raise BadInput(text("A page’s id is 1 to 40 letters, digits, - or _, not “{id}”.", id=page[:60]))


def check(taps: Taps, lines: tuple[str, ...], now_ns: int) -> list[Tap]:
    """Return the good taps by time; raise BadInput, for all of them, when one cannot be."""
    if not 0 <= taps.clock_u_ns <= _WORST_CLOCK_NS:
        raise BadInput(
            text("The error of a page’s clock is 0 to 2 s, not {time}.", time=duration(taps.clock_u_ns))
        )
    for tap in taps.taps:
        if tap.line not in lines:
            raise BadInput(text("This table has no line “{line}”.", line=tap.line[:60]))
    return sorted((settled(tap, taps.clock_u_ns, now_ns) for tap in taps.taps), key=lambda tap: tap.t_ns)


def settled(tap: Tap, clock_u_ns: int, now_ns: int) -> Tap:
    """Return *tap* with a time that can be: not after *now_ns*; raise BadInput for one that cannot.

    A tap may seem to come from the future by no more than the error of the page's clock: it counts as now.
    """
    if tap.level not in (0, 1):
        raise BadInput(text("A tap has level 0 or 1, not {level}.", level=tap.level))
    if tap.t_ns > now_ns + clock_u_ns:
        ahead = duration(tap.t_ns - now_ns)
        raise BadInput(
            text("This tap comes from the future, by {ahead}. Reload the page to set its clock.", ahead=ahead)
        )
    if now_ns - tap.t_ns > OLDEST_NS:
        age = duration(now_ns - tap.t_ns)
        raise BadInput(
            text("This tap arrived {age} late and cannot count any more. Is the network slow?", age=age)
        )
    return msgspec.structs.replace(tap, t_ns=min(tap.t_ns, now_ns))
