"""Taps on the page, on their way to the simulated noses: checked against the host's clock, then driven.

A page maps its own event times to the host's clock and says how well it can (`clock_u_ns`). It is trusted
with its own noses and no further: nothing from the future, nothing older than two seconds.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict

import msgspec

from companion.errors import BadInput
from companion.ports import Driver
from companion.text import text
from companion.units import duration

TAP_U_NS = 500_000
OLDEST_NS = 2_000_000_000
_SHORTEST_DELAY_NS = 60_000_000
_LONGEST_DELAY_NS = 250_000_000
_MOST_PAGES = 200
_PAGE = re.compile(r"[A-Za-z0-9_-]{1,40}")


class PageClock(msgspec.Struct, frozen=True):
    """A page introduces itself: its id and the round trip of its best ping."""

    page: str
    rtt_ns: int


class Tap(msgspec.Struct, frozen=True):
    """One change of a simulated line; `t_ns` is on the host's clock, as the page reckons it."""

    line: str
    level: int
    t_ns: int


class Taps(msgspec.Struct, frozen=True):
    """What happened on a page at once: `clock_u_ns` is the error of its mapping to the host's clock."""

    page: str
    clock_u_ns: int
    taps: tuple[Tap, ...]


def delay_of(rtt_ns: int) -> int:
    """Return how late edges of a page with this round trip may arrive.

    >>> delay_of(2_000_000), delay_of(40_000_000), delay_of(9_000_000_000)
    (60000000, 160000000, 250000000)
    """
    return min(max(_SHORTEST_DELAY_NS, 4 * rtt_ns), _LONGEST_DELAY_NS)


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


class Pages:
    """The clocks of the open pages, as the driver knows them. For any thread."""

    def __init__(self, driver: Driver | None) -> None:
        self._driver = driver
        self._lock = threading.Lock()
        self._known: OrderedDict[str, int] = OrderedDict()

    def attach(self, page: str, rtt_ns: int) -> None:
        """Announce a page's clock, or its new round trip; raise BadInput."""
        if rtt_ns < 0:
            raise BadInput(text("A round trip cannot take {time}.", time=duration(rtt_ns)))
        self._attach(page, delay_of(rtt_ns))

    def _attach(self, page: str, delay_ns: int) -> None:
        driver = self._simulated()
        if not _PAGE.fullmatch(page):
            raise BadInput(text("A page's id is 1 to 40 letters, digits, - or _, not “{id}”.", id=page[:60]))
        with self._lock:
            if self._known.get(page) == delay_ns:
                return
            self._known[page] = delay_ns
            self._known.move_to_end(page)
            if len(self._known) > _MOST_PAGES:
                self._known.popitem(last=False)
            driver.attach(page, delay_ns)

    def drive(self, taps: Taps, now_ns: int) -> None:
        """Drive *taps* in the order of their times, all or none; raise BadInput.

        A page that has not announced its clock (the table was restarted) gets the longest delay.
        """
        driver = self._simulated()
        if not 0 <= taps.clock_u_ns <= OLDEST_NS:
            raise BadInput(
                text("The error of a page's clock is 0 to 2 s, not {time}.", time=duration(taps.clock_u_ns))
            )
        lines = driver.lines()
        for tap in taps.taps:
            if tap.line not in lines:
                raise BadInput(text("This table has no line “{line}”.", line=tap.line[:60]))
        good = sorted((settled(tap, taps.clock_u_ns, now_ns) for tap in taps.taps), key=lambda tap: tap.t_ns)
        if taps.page not in self._known:
            self._attach(taps.page, _LONGEST_DELAY_NS)
        for tap in good:
            driver.drive(
                tap.line, tap.level, tap.t_ns, u_ns=TAP_U_NS, clock=taps.page, clock_u_ns=taps.clock_u_ns
            )

    def _simulated(self) -> Driver:
        if self._driver is None:
            raise BadInput(text("The noses of this table are real: press them."))
        return self._driver
