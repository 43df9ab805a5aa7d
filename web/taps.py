"""Taps on the page, on their way to the simulated noses: checked against the host's clock, then driven.

A page maps its own event times to the host's clock and says how well it can (`clock_u_ns`). It is trusted
with its own noses and no further: nothing from the future, nothing older than two seconds.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable

import msgspec

from companion.errors import BadInput, NotNow
from companion.model import PAGE_SOURCE
from companion.ports import Driver
from companion.text import text
from companion.units import duration

TAP_U_NS = 500_000
OLDEST_NS = 2_000_000_000
_SHORTEST_DELAY_NS = 100_000_000
_LONGEST_DELAY_NS = 250_000_000
_MOST_PAGES = 32
_SILENT_NS = 30 * 60 * 1_000_000_000
_PAGE = re.compile(r"[A-Za-z0-9_-]{1,40}")


class PageClock(msgspec.Struct, frozen=True):
    """A page introduces itself: its id and its slowest recent round trip; or says that it `leaves`."""

    page: str
    rtt_ns: int
    leaves: bool = False


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
    (100000000, 160000000, 250000000)
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


class _Page:
    """An open page: its clock's name at the driver, its delay, and when it was last heard of."""

    def __init__(self, clock: str, delay_ns: int, heard_ns: int) -> None:
        self.clock = clock
        self.delay_ns = delay_ns
        self.heard_ns = heard_ns


class Pages:
    """The clocks of the open pages, as the driver knows them. For any thread.

    A verdict waits for every clock, so a page that leaves, or has not been heard of for half an hour, is let
    go. When it speaks again it gets a clock of another name: the old one has promised that it is done.
    """

    def __init__(self, driver: Driver | None, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._driver = driver
        self._now_ns = now_ns
        self._lock = threading.Lock()
        self._open: dict[str, _Page] = {}
        self._count = 0

    def introduce(self, wish: PageClock) -> None:
        """Announce a page's clock, or its new round trip, or that it leaves; raise BadInput."""
        driver = self._simulated()
        if wish.rtt_ns < 0:
            raise BadInput(text("A round trip cannot take {time}.", time=duration(wish.rtt_ns)))
        with self._lock:
            if wish.leaves:
                self._let_go(driver, wish.page)
            else:
                self._attach(driver, wish.page, delay_of(wish.rtt_ns))

    def drive(self, taps: Taps) -> None:
        """Drive *taps* in the order of their times, all or none; raise BadInput.

        A page that has not announced its clock (the table was restarted) gets the longest delay.
        """
        now_ns = self._now_ns()
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
        with self._lock:
            known = self._open.get(taps.page)
            clock = self._attach(driver, taps.page, known.delay_ns if known else _LONGEST_DELAY_NS)
            for tap in good:
                driver.drive(
                    tap.line, tap.level, tap.t_ns, u_ns=TAP_U_NS, clock=clock, clock_u_ns=taps.clock_u_ns
                )

    def _attach(self, driver: Driver, name: str, delay_ns: int) -> str:
        """Make sure that the driver knows the clock of page *name*; return the clock's name."""
        if not _PAGE.fullmatch(name):
            raise BadInput(text("A page's id is 1 to 40 letters, digits, - or _, not “{id}”.", id=name[:60]))
        now_ns = self._now_ns()
        page = self._open.pop(name, None)
        if page is None:
            self._count += 1
            page = _Page(f"{PAGE_SOURCE}{name}.{self._count}", -1, now_ns)
        if page.delay_ns != delay_ns:
            page.delay_ns = delay_ns
            driver.attach(page.clock, delay_ns)
        page.heard_ns = now_ns
        self._open[name] = page  # the last in order is the last heard of
        for silent in tuple(self._open):
            if len(self._open) <= _MOST_PAGES and now_ns - self._open[silent].heard_ns <= _SILENT_NS:
                break
            self._let_go(driver, silent)
        return page.clock

    def _let_go(self, driver: Driver, name: str) -> None:
        page = self._open.pop(name, None)
        if page is not None:
            driver.detach(page.clock)

    def _simulated(self) -> Driver:
        if self._driver is None:
            raise NotNow(text("The noses of this table are real: press them."))
        return self._driver
