"""Open pages as sources of taps: who is waited for, what each has promised, who has fallen silent.

Somebody may be last *by absence* only when every page that may carry that nose has promised that nothing is
still coming. A page *carries* noses when it owns one, or when one has been touched on it in this game; then
only its own promises count. Any other page gets a fixed time, and a first touch that comes later contradicts
the verdict. A page that is hidden or left signs off. One that says nothing for `PATIENCE_NS` is a gap for its
noses up to the end of the round, is named, and counts again when it speaks again. As long as a phone that
owns a nose answers, no other page can touch it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from companion.core.errors import BadInput, NotNow
from companion.core.model import PAGE_SOURCE
from companion.core.ports import Driver, StampWorth
from companion.core.text import text
from companion.core.touch import TOUCH_U_NS
from companion.core.units import duration
from companion.evening.events import ZeroTested
from companion.system import host_clock
from companion.timing import FOREVER
from companion.views.snapshot import SeatPhone, Snapshot, ZeroView
from web.open_page import (
    MOST_OF_NAME,
    OPEN_PHASES,
    OpenPage,
    TakenSeats,
    elsewhere,
    own_taps,
    untouched,
    without_phone,
)
from web.phone_claims import PhoneClaims, PhoneWorth
from web.seat_phones import known_u_ns, seat_phones
from web.taps import LONGEST_DELAY_NS, Heard, PageClock, Tap, Taps, check, check_id, delay_of

PATIENCE_NS = 3_000_000_000
LOOK_EVERY_S = 0.25
_AGAIN_MS = 16  # pages that share the table promise so often at most, all together
_ALONE_MS = 8  # the only page
_MOST_PAGES = 32
_IDLE_NS = 30 * 60 * 1_000_000_000
_NEWS_NS = 2_000_000  # of a clock's error: less is not told

Tell = Callable[[tuple[SeatPhone, ...]], None]


class Pages:
    """The open pages, as the driver knows them. For any thread.

    A page sets its clock by *now_ns*, whose readings may be behind by *behind_ns*: part of its error. *tell*
    is told whenever the phones that own noses change. *wires* are the noses that no page can touch; beside
    them each phone's lateness is taken off its stamps, losses and promises alike.
    """

    def __init__(
        self,
        driver: Driver | None,
        now_ns: Callable[[], int] = host_clock.now_ns,
        *,
        behind_ns: int = host_clock.BEHIND_NS,
        tell: Tell = lambda _: None,
        wires: tuple[str, ...] = (),
    ) -> None:
        self._driver = driver
        self._now_ns = now_ns
        self._behind_ns = behind_ns
        self._tell = tell
        self._told: tuple[SeatPhone, ...] = ()
        self._lock = threading.RLock()
        self._pages: dict[str, OpenPage] = {}  # the last in order is the last heard of
        self._count = 0
        self._game: tuple[int, int] = (0, 0)
        self._open_round = False
        self._untouched: frozenset[str] = frozenset()  # the noses that the round under way still waits for
        self._wires = wires
        self._claims = PhoneClaims(wires)  # while a round is open settled as it was when it was armed
        self._unowned: tuple[str, ...] = ()  # the noses that any page may touch, settled like the claims
        self._expected: tuple[str | None, int, frozenset[str]] = (None, 0, frozenset())
        self._seats = TakenSeats()
        self._tested: dict[str, tuple[int, int]] = {}  # by phone: what its zero test found claimed and left

    # ---- what pages say

    def introduce(self, wish: PageClock, device: str = "") -> None:
        """Announce a page's clock, or its new round trip, or that it leaves; raise BadInput.

        The page belongs to *device*, whose cookie came with it, from its first word on: raise NotNow for
        another one's. "" is a device as well, that of whoever has none.
        """
        driver = self._driven()
        if wish.rtt_ns < 0:
            raise BadInput(text("A round trip cannot take {time}.", time=duration(wish.rtt_ns)))
        self._check_wires([wish.owns])
        if wish.owns and wish.owns not in driver.lines():
            raise BadInput(text("This table has no line “{line}”.", line=wish.owns[:60]))
        with self._lock:
            self._own(wish.page, device)
            if wish.leaves:
                self._sign_off(driver, wish.page, for_good=True)
            else:
                if self._open_round:
                    self._seats.check(wish, self._pages)
                page = self._known(wish.page, device)
                page.rtt_ns, page.phone = wish.rtt_ns, wish.phone[:MOST_OF_NAME]
                self._seats.take(page, wish, self._pages, armed=self._open_round)
                self._lift(driver, (other for other in self._pages.values() if other is not page), page.owns)
                self._wake(driver, wish.page, page, delay_of(wish.rtt_ns))
            self._look(driver)

    def drive(self, taps: Taps, device: str = "") -> Heard:
        """Drive *taps* in the order of their times, all or none, and pass on the promise; raise BadInput.

        They come from *device*: raise NotNow when the page is another one's.

        A page that has not announced its clock (the table was restarted) gets the longest delay. Raise NotNow
        when a nose was touched that is another phone's: the other taps count all the same.
        """
        now_ns = self._now_ns()
        driver = self._driven()
        self._check_wires(tap.line for tap in taps.taps)
        good = check(taps, driver.lines(), now_ns)
        with self._lock:
            self._own(taps.page, device)
            page = self._pages.get(taps.page)
            if page is not None and page.clock is not None and now_ns - page.promised_ns > PATIENCE_NS:
                self._look(driver)  # it has told its people by now that what they touch does not count
            mine = own_taps(self._pages, taps.page, good)
            refused = [tap for tap in good if tap.level and tap not in mine]
            self._doubt(driver, taps, refused, now_ns)
            if mine or not taps.leaves or taps.page in self._pages:
                self._take(driver, taps, mine, now_ns, device)
            self._look(driver)
            waited_for = sum(page.clock is not None for page in self._pages.values())
        if refused:
            raise NotNow(elsewhere(page))
        again_ms = _AGAIN_MS * waited_for if waited_for > 1 else _ALONE_MS
        return Heard(len(good), self._now_ns(), again_ms, bool(page and page.replaced))

    def _doubt(self, driver: Driver, taps: Taps, refused: Iterable[Tap], now_ns: int) -> None:
        """Let the round do without a nose that was touched where it was, until another page became it."""
        for tap in refused:
            owner = next((page for page in self._pages.values() if page.owns == tap.line), None)
            page = self._pages.get(taps.page)
            if page is not None and page.replaced == tap.line:
                clock = self._wake(driver, taps.page, page, delay_of(page.rtt_ns))
                late_ns = self._worth(page).late_ns
            elif owner is not None and owner.clock is not None and tap.line in self._seats.come_back:
                clock, late_ns = owner.clock, self._worth(owner).late_ns
            else:
                continue
            t_ns, off_ns = tap.t_ns - late_ns, taps.clock_u_ns + TOUCH_U_NS[tap.kind]
            driver.lose(clock, t_ns - off_ns, min(now_ns, t_ns + off_ns), (tap.line,))

    def _take(self, driver: Driver, taps: Taps, good: list[Tap], now_ns: int, device: str) -> None:
        page = self._known(taps.page, device)
        if taps.n < page.n and not good:
            return
        page.n = max(taps.n, page.n)
        if good:
            page.lines |= {tap.line for tap in good}
        for tap in good:
            (page.held.add if tap.level else page.held.discard)(tap.line)
        # Only from now on does the page answer for itself: before its first edge is driven.
        clock = self._wake(
            driver, taps.page, page, delay_of(page.rtt_ns) if page.rtt_ns else LONGEST_DELAY_NS
        )
        if abs(taps.clock_u_ns - page.clock_u_ns) > _NEWS_NS:
            page.clock_u_ns = taps.clock_u_ns
        worth = self._worth(page)
        known_u_ns = taps.clock_u_ns + self._behind_ns
        wire_u_ns = None if worth.wire_ns is None else known_u_ns + worth.wire_ns
        for tap in good:
            stamp = StampWorth(TOUCH_U_NS[tap.kind], known_u_ns + worth.share_ns, wire_u_ns)
            driver.drive(tap.line, tap.level, tap.t_ns - worth.late_ns, stamp, clock=clock)
        if taps.lost_ns is not None and taps.lost_ns < now_ns:
            lines = tuple({*page.carries, page.replaced} - {""})
            driver.lose(clock, taps.lost_ns - worth.late_ns, now_ns - worth.late_ns, lines)
        if taps.promised_ns is not None:
            promised_ns = min(taps.promised_ns, now_ns)
            if promised_ns > page.promised_ns:
                page.promised_ns = promised_ns
            driver.vouch(clock, promised_ns - worth.late_ns)
        if taps.leaves:
            self._sign_off(driver, taps.page)

    # ---- what the table says

    def follow(self, snapshot: Snapshot) -> None:
        """Learn which game is played, whether a round is open, and what a zero test has measured."""
        with self._lock:
            owners = {page.owns: page.phone for page in self._pages.values() if page.owns}
            before_ns = self._together_ns(snapshot.zero)
            learnt = self._claims.learn(snapshot.evening, snapshot.zero, owners)
            game = snapshot.evening, snapshot.game_no
            armed = snapshot.phase in OPEN_PHASES and not self._open_round
            if snapshot.phase not in OPEN_PHASES or not self._open_round:
                self._settle(snapshot, owners)
            if armed:
                self._seats.come_back.clear()
            self._open_round = snapshot.phase in OPEN_PHASES
            self._untouched = untouched(snapshot)
            for page in self._pages.values():
                page.lost = page.lost and self._open_round
            if learnt:
                self._tell_claim(snapshot.zero, before_ns)
            if self._driver is None or (game == self._game and not armed):
                return
            for name, page in tuple(self._pages.items()):
                if game != self._game or (page.silent and page.clock is None):
                    page.lines.clear()
                    if page.clock is not None and not page.owns:
                        self._wake(self._driver, name, page, delay_of(page.rtt_ns))
            self._game = game
            self._look(self._driver)

    def remember(self, tests: Iterable[ZeroTested]) -> None:
        """Take over what the *tests* before the table was started again had made wider."""
        with self._lock:
            self._claims.remember(tests)

    def look(self) -> None:
        """Find who has fallen silent; to be called now and then."""
        if self._driver is not None:
            with self._lock:
                self._look(self._driver)

    def forget(self, line: str) -> None:
        """Let *line* be touched on shared pages again: no phone owns it until somebody takes that seat."""
        with self._lock:
            for name, page in self._pages.items():
                if page.owns == line:
                    self._seats.give(name, page)
            if self._driver is not None:
                self._lift(self._driver, self._pages.values(), line)
            self._announce()

    @property
    def phones(self) -> tuple[SeatPhone, ...]:
        """Return the phones that own noses, by line."""
        with self._lock:
            return self._phones()

    # ---- inside

    def _worth(self, page: OpenPage) -> PhoneWorth:
        return self._claims.worth(page.phone)

    def _settle(self, snapshot: Snapshot, owners: Collection[str]) -> None:
        """Settle what the phones that play are worth, beside an untested one where any page may touch one."""
        self._unowned = without_phone(snapshot, {*owners, *self._wires})
        playing = {page.phone for page in self._pages.values() if page.carries or self._unowned}
        self._claims.settle(playing | {""} if self._unowned else playing)

    def _tell_claim(self, zero: ZeroView | None, before_ns: int) -> None:
        """Tell what *zero* has made of the claim of its phones, which was *before_ns*."""
        tested = before_ns, self._together_ns(zero)
        lines = zero.lines if zero is not None else ()
        mine = {page.phone or name for name, page in self._pages.items() if page.owns in lines}
        self._tested |= dict.fromkeys(mine, tested)
        self._announce()

    def _together_ns(self, zero: ZeroView | None) -> int:
        """Return what both noses of *zero* may be off by together: two phones, or a phone and a wire."""
        lines = zero.lines if zero is not None else ()
        pages = [page for page in self._pages.values() if page.owns in lines]
        if len(pages) == 1:
            return self._u_ns(pages[0], self._worth(pages[0]).wire_ns)
        return sum(self._u_ns(page, self._worth(page).share_ns) for page in pages)

    def _look(self, driver: Driver) -> None:
        now_ns = self._now_ns()
        for name, page in tuple(self._pages.items()):
            if page.clock is None:
                continue
            if not page.carries:
                self._pass_on(driver, name, page, now_ns)
            elif now_ns - page.promised_ns > PATIENCE_NS:
                page.silent = True
                page.lost = page.lost or not self._untouched.isdisjoint(page.carries)
                lost_ns = page.promised_ns - self._worth(page).late_ns
                driver.lose(page.clock, lost_ns, FOREVER, page.carries)
                self._let_go(driver, page)
        self._expect(driver)
        self._announce()

    def _expect(self, driver: Driver) -> None:
        """Tell who can touch the noses next that no open page carries: the only page there is, or anybody.

        Somebody who has not touched is then last by one clock's measure, and not by two phones'. A page that
        comes makes that wide again before its first tap is driven; one whose tap is older than its first word
        is late evidence, and undoes a verdict within what two pages may be off by. Beside wires nobody is the
        only one.
        """
        if self._wires:
            return
        awake = [page for page in self._pages.values() if page.clock is not None or page.silent]
        only = awake[0] if len(awake) == 1 and not (awake[0].silent or awake[0].owns) else None
        clock, worth = (None, self._expected[1]) if only is None else (only.clock, self._clock_u_ns(only))
        carried = {page.owns for page in self._pages.values()} | {
            line for page in awake for line in page.carries
        }
        lines = {line for line in driver.lines() if line.startswith("nose.")} - carried
        known_clock, known_worth, known = self._expected
        if clock == known_clock and (clock is None or (worth == known_worth and lines <= known)):
            return
        self._expected = clock, worth, frozenset(lines)
        driver.expect(tuple(sorted(lines)), clock, StampWorth(max(TOUCH_U_NS.values()), worth))

    def _clock_u_ns(self, page: OpenPage) -> int:
        """Return what the clock of *page* may be off by against another page's, also by its next tap."""
        known_u_ns = (page.clock_u_ns or page.rtt_ns) + _NEWS_NS + self._behind_ns
        return known_u_ns + self._worth(page).share_ns

    def _pass_on(self, driver: Driver, name: str, page: OpenPage, now_ns: int) -> None:
        """Let go a page that carries nothing and has not been heard of for long."""
        if now_ns - page.heard_ns > _IDLE_NS:
            self._let_go(driver, page)
            self._lift(driver, [page])
            del self._pages[name]

    def _own(self, name: str, device: str) -> None:
        """Raise NotNow when the page *name* is another device's."""
        page = self._pages.get(name)
        if page is not None and page.device != device:
            raise NotNow(text("This page was opened on another device. Load it again."))

    def _known(self, name: str, device: str) -> OpenPage:
        """Return the page *name* of *device*, which has spoken just now."""
        check_id(name)
        now_ns = self._now_ns()
        page = self._pages.pop(name, None) or OpenPage(now_ns, device)
        page.heard_ns = now_ns
        self._pages[name] = page
        return page

    def _wake(self, driver: Driver, name: str, page: OpenPage, delay_ns: int) -> str:
        """Make sure that the driver knows the page's clock, and waits for it as it must; return its name."""
        if page.clock is None:
            self._count += 1
            page.clock = f"{PAGE_SOURCE}{name}.{self._count}"
            page.delay_ns = -1
        if page.silent or page.delay_ns == -1:
            page.promised_ns = self._now_ns()
            page.silent = False
        wanted = None if page.carries else delay_ns
        if page.delay_ns != wanted:
            if wanted is None:
                page.promised_ns = self._now_ns()
            page.delay_ns = wanted
            driver.attach(page.clock, None if wanted is None else wanted + self._worth(page).late_ns)
        self._make_room(driver)
        self._expect(driver)
        return page.clock

    def _make_room(self, driver: Driver) -> None:
        """Let a page of the device go that has most: one that carries nothing, heard of longest ago."""
        while len(self._pages) > _MOST_PAGES:
            ((device, _),) = Counter(page.device for page in self._pages.values()).most_common(1)
            names = [name for name, page in self._pages.items() if page.device == device]
            idle = [name for name in names if not self._pages[name].carries]
            name = (idle or names)[0]
            page = self._pages.pop(name)
            self._let_go(driver, page)
            self._lift(driver, [page])

    def _sign_off(self, driver: Driver, name: str, *, for_good: bool = False) -> None:
        page = self._pages.get(name)
        if page is None:
            return
        self._let_go(driver, page)
        self._lift(driver, [page])
        if not (page.owns or (page.lines and not for_good)):
            del self._pages[name]

    def _let_go(self, driver: Driver, page: OpenPage) -> None:
        if page.clock is not None:
            driver.detach(page.clock)
            page.clock = None

    def _lift(self, driver: Driver, pages: Iterable[OpenPage], line: str | None = None) -> None:
        """Let go what was held on *pages*, of *line* or of all: they are left, or no such nose any more."""
        for page in pages:
            for held in tuple(page.held if line is None else page.held & {line}):
                page.held.discard(held)
                stamp = StampWorth(
                    max(TOUCH_U_NS.values()), self._clock_u_ns(page), self._worth(page).wire_ns
                )
                driver.drive(held, 0, self._now_ns(), stamp)

    def _phones(self) -> tuple[SeatPhone, ...]:
        lines = self._driver.lines() if self._wires and self._driver is not None else ()
        return seat_phones(self._pages, self._claims, self._tested, self._unowned, self._behind_ns, lines)

    def _u_ns(self, page: OpenPage, apart_ns: int | None) -> int:
        return known_u_ns(page, apart_ns, self._behind_ns)

    def _announce(self) -> None:
        now = self._phones()
        if now != self._told:
            self._told = now
            self._tell(now)

    def _driven(self) -> Driver:
        if self._driver is None:
            raise NotNow(text("The noses of this table are real: press them."))
        return self._driver

    def _check_wires(self, lines: Iterable[str]) -> None:
        """Raise BadInput when one of *lines* is moved by a wire."""
        wired = next((line for line in lines if line in self._wires), None)
        if wired is not None:
            raise BadInput(text("{line} is wired: press it, no page can.", line=wired))
