"""Open pages as sources of taps: who is waited for, what each has promised, who has fallen silent.

What pages and table say to each other is told in `web.taps`. Here is what follows from it for the noses.

Somebody may be last *by absence* only when every page that may carry that nose has promised that nothing is
still coming. A page *carries* noses when it owns one, or when one has been touched on it in this game; then
only its own promises count. Any other page gets a fixed time, and a first touch that comes later contradicts
the verdict. A page that is hidden or left signs off. One that says nothing for `PATIENCE_NS` is a gap for its
noses up to the end of the round, is named, and counts again when it speaks again; the only page there is may
take longer to load itself again (`ALONE_NS`). As long as a phone that owns a nose answers, no other page can
touch it.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import PAGE_SOURCE
from lastnose.companion.core.ports import Driver, StampWorth
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.core.touch import TOUCH_U_NS
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.system import host_clock
from lastnose.companion.timing import FOREVER
from lastnose.companion.views.snapshot import SeatPhone, Snapshot, ZeroView
from lastnose.web.open_page import (
    MOST_OF_NAME,
    OPEN_PHASES,
    Lately,
    OpenPage,
    TakenSeats,
    elsewhere,
    known_u_ns,
    own_taps,
    seat_phones,
    touchable,
    untouched,
    without_phone,
    without_whom,
)
from lastnose.web.phone_claims import PhoneClaims, PhoneWorth
from lastnose.web.taps import (
    ALONE_NS,
    LONGEST_DELAY_NS,
    OLDEST_NS,
    PATIENCE_NS,
    Heard,
    PageClock,
    Taps,
    Weighed,
    check,
    check_id,
    delay_of,
    hidden_ns,
    way_of,
)

LOOK_EVERY_S = 0.25
_AGAIN_MS = 16  # pages that share the table promise so often at most, all together
_ALONE_MS = 8  # the only page
_MOST_PAGES = 64
_MOST_OF_DEVICE = 8
_QUIET_NS = 300_000_000  # so long is a word waited for before it is said whose is missing (F33)
_IDLE_NS = 30 * 60 * 1_000_000_000
_NEWS_NS = 2_000_000  # of a clock's error: less is not told

Tell = Callable[[tuple[SeatPhone, ...]], None]


class Pages:
    """The open pages, as the driver knows them. For any thread.

    A page sets its clock by *now_ns*, whose readings may be behind by *behind_ns*: part of its error. *tell*
    is told whenever the phones that own noses change. *wires* are the noses that no page can touch; beside
    them each phone's lateness is taken off its stamps, losses and promises alike. *may* tells whether a
    device may touch noses: one that lost its seat, or was put out, is waited for no more.
    """

    def __init__(
        self,
        driver: Driver | None,
        now_ns: Callable[[], int] = host_clock.now_ns,
        *,
        behind_ns: int = host_clock.BEHIND_NS,
        tell: Tell = lambda _: None,
        wires: tuple[str, ...] = (),
        may: Callable[[str], bool] = lambda device: True,
    ) -> None:
        self._driver = driver
        self._may = may
        self._now_ns = now_ns
        self._behind_ns = behind_ns
        self._tell = tell
        self._told: tuple[SeatPhone, ...] = ()
        self._lock = threading.RLock()
        self._pages: dict[str, OpenPage] = {}  # the last in order is the last heard of
        # Pages of devices that lost their seat, and those that have signed off.
        self._ended, self._left = (deque[tuple[str, str]](maxlen=_MOST_PAGES) for _ in range(2))
        self._lately = Lately()
        self._count = 0
        self._game: tuple[int, int] = (0, 0)
        self._open_round, self._asked_ns, self._asks_first = False, FOREVER, False
        # The noses without which it goes on, and those that it still waits for.
        self._given_up, self._untouched = frozenset[str](), frozenset[str]()
        self._wires = wires
        self._claims = PhoneClaims(wires)  # while a round is open settled as it was when it was armed
        self._unowned: tuple[str, ...] = ()  # the noses that any page may touch, settled like the claims
        self._expected: tuple[str | None, int, frozenset[str]] = (None, 0, frozenset())
        self._seats = TakenSeats()
        self._tested: dict[str, tuple[int, int]] = {}  # by phone: what its zero test found claimed and left

    # ---- what pages say

    def introduce(self, wish: PageClock, device: str = "") -> None:
        """Announce a page, and whose nose it is, or that it leaves; raise BadInput.

        The page belongs to *device*, whose cookie came with it, from its first word on: raise NotNow for
        another one's. "" is a device as well, that of whoever has none.
        """
        driver = self._driven()
        for name in (wish.page, *wish.after):
            check_id(name)
        if wish.owns:
            self._check_line(wish.owns)
        with self._step():
            self._own(wish.page, device)
            if wish.leaves:
                self._sign_off(driver, wish.page, for_good=True)
                return
            if self._open_round:
                self._seats.check(wish, self._pages)
            page = self._introduced(wish, device)
            page.took(way_of(wish, self._now_ns()), introduces=True)
            page.phone = wish.phone[:MOST_OF_NAME]
            self._seats.take(page, wish, self._pages, armed=self._open_round)
            self._lift(driver, (other for other in self._pages.values() if other is not page), page.owns)
            page.wake(self._now_ns())

    def drive(self, word: Taps, device: str = "", only: str | None = None) -> Heard:
        """Take the *word* of a page of *device*, which may touch *only* this nose; return what became of it.

        Raise BadInput for a word that no page can mean, NotNow when the page is another device's. A program
        that does not count its touches is told by NotNow when one is lost; the others count all the same.
        """
        driver = self._driven()
        check(word)
        for line in {tap.line for tap in word.taps if not tap.no}:
            self._check_line(line)
        now_ns = self._now_ns()
        with self._step():
            self._own(word.page, device)
            page = self._pages.get(word.page)
            done = word.leaves or (word.page, device) in self._ended
            if page is None and done and not word.taps:
                return Heard((), now_ns, _ALONE_MS)
            if page is not None and page.state == "awake" and page.quiet_ns(now_ns) > PATIENCE_NS:
                self._look(driver)  # it has told its people by now that what they touch does not count
            page = self._known(word.page, device)
            page.only = only
            said = self._take(driver, page, word, now_ns)
            fates, replaced = page.account.fates(word.taps), bool(page.replaced)
            waited_for = sum(one.state == "awake" for one in self._pages.values())
        if said is not None and not all(tap.no for tap in word.taps):
            raise NotNow(said)
        again_ms = _AGAIN_MS * waited_for if waited_for > 1 else _ALONE_MS
        return Heard(fates, self._now_ns(), again_ms, replaced, said)

    def _take(self, driver: Driver, page: OpenPage, word: Taps, now_ns: int) -> Text | None:
        """Take what *page* says; return why something of it did not count."""
        account = page.account
        known_ns = page.known_ns if page.state == "awake" else None
        account.alone_ns = 0 if known_ns is None else self._alone_ns(word.page, page, now_ns)
        account.vow(known_ns if page.delay_ns is None else None, now_ns)
        account.asked_ns = self._asked_ns if self._open_round else FOREVER
        page.took(way_of(word, now_ns))
        word = msgspec.structs.replace(word, clock_u_ns=max(word.clock_u_ns, hidden_ns(page.way_ns or 0)))
        overtaken = account.begin(word)
        fresh = account.fresh(word.taps)
        if fresh or not overtaken:
            page.wake(now_ns)
        mine = own_taps(self._pages, word.page, [tap for tap in fresh if self._is_line(tap.line)])
        page.lines |= {tap.line for tap in mine}
        if word.epoch > account.epoch:
            self._begin_again(driver, page, word.epoch, now_ns)
        # From now on the page answers for itself where it carries a nose: before its first edge is driven.
        self._hear(driver, word.page, page)
        if abs(word.clock_u_ns - page.clock_u_ns) > _NEWS_NS:
            page.clock_u_ns = word.clock_u_ns
        newest = {tap.line: tap for tap in fresh}
        tab = self._tab(word.page, page)
        if any(tap.level for tap in fresh):
            self._lately.tell(word.page, now_ns)
        said = []
        for tap in fresh:
            known = known_ns if tap in mine else None
            found = account.weigh(tap, word, now_ns, page.way_ns or 0, known)
            if found.late_ns:
                self._lately.believe(word.page, now_ns, found.late_ns)
            found = found.doubted(self._lately.doubt_ns(tab, found.from_ns), now_ns)
            said.append(self._move(driver, page, word, now_ns, found, tap in mine, newest[tap.line] is tap))
        if page.clock is not None and (word.promised_ns is not None or word.leaves):
            self._vouch(driver, page, word, now_ns)
        page.spoke = True
        if word.leaves and not overtaken:
            self._sign_off(driver, word.page)
        return next((one for one in said if one is not None), None)

    def _move(
        self,
        driver: Driver,
        page: OpenPage,
        word: Taps,
        now_ns: int,
        found: Weighed,
        mine: bool,
        newest: bool,
    ) -> Text | None:
        """Let a touch have its fate, and the line what follows from it; return why it did not count."""
        tap, clock, late_ns = found.tap, page.clock, self._worth(page).late_ns
        assert clock is not None
        page.account.settle(tap.no, found.fate if mine else "refused")
        if not mine:
            if tap.level and self._is_line(tap.line) and page.may(tap.line):
                driver.lose(clock, found.from_ns - late_ns, found.to_ns - late_ns, (tap.line,))
            return elsewhere(page) if tap.level else None
        (page.held.add if tap.level else page.held.discard)(tap.line)
        if found.fate == "lost":
            driver.lose(clock, found.from_ns - late_ns, found.to_ns - late_ns, (tap.line,))
        # Of what is lost only how the line stands in the end is of use.
        at_ns = page.order(tap, found, now_ns)
        if (found.fate == "driven" or newest) and now_ns - at_ns <= OLDEST_NS:
            page.changed_ns[tap.line] = at_ns
            stamp = self._stamp(page, word.clock_u_ns + found.doubt_ns, found.u_ns + at_ns - found.t_ns)
            driver.drive(tap.line, tap.level, at_ns - late_ns, stamp, clock=clock)
        return found.too_late(now_ns) if tap.level else None

    def _stamp(self, page: OpenPage, clock_u_ns: int, u_ns: int) -> StampWorth:
        worth = self._worth(page)
        known_u_ns = clock_u_ns + self._behind_ns
        wire_u_ns = None if worth.wire_ns is None else known_u_ns + worth.wire_ns
        return StampWorth(u_ns, known_u_ns + worth.share_ns, wire_u_ns)

    def _vouch(self, driver: Driver, page: OpenPage, word: Taps, now_ns: int) -> None:
        """Pass on what *page* promises, and what it cannot account for."""
        clock, late_ns = page.clock, self._worth(page).late_ns
        assert clock is not None
        until_ns = now_ns if word.promised_ns is None or word.leaves else word.promised_ns
        missing = page.account.close(word.upto, min(until_ns, now_ns))
        if missing is not None:
            lines = touchable(self._pages, word.page, set(driver.lines()) - {*self._wires})
            doubt_ns = self._lately.doubt_ns(self._tab(word.page, page), missing.from_ns)
            driver.lose(clock, missing.from_ns - doubt_ns - late_ns, missing.to_ns - late_ns, lines)
        if word.promised_ns is not None and word.promised_ns <= now_ns:
            page.account.promise(word.promised_ns, page.carries)
            page.promises = False
            for other in self._pages.values() if not word.leaves else ():
                other.after.discard(word.page)  # who still promises is no page before another
            driver.vouch(clock, word.promised_ns - late_ns)

    def _begin_again(self, driver: Driver, page: OpenPage, epoch: int, now_ns: int) -> None:
        """Take another clock for a page whose own has jumped: since its last good promise nothing is sure."""
        account, late_ns = page.account, self._worth(page).late_ns
        account.epoch = epoch
        if page.clock is None or not page.spoke:  # while it was away it had nothing to tell
            return
        lines = tuple(sorted(account.since | {*page.carries}))
        if lines:
            driver.lose(page.clock, page.known_ns - late_ns, now_ns - late_ns, lines)
        self._detach(driver, page)

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
                self._asked_ns = self._now_ns() - LONGEST_DELAY_NS  # about when it was armed
                self._seats.come_back.clear()
            self._open_round = snapshot.phase in OPEN_PHASES
            self._asks_first = self._open_round and snapshot.question == "first"
            before, self._given_up = self._given_up, without_whom(snapshot)
            self._untouched = untouched(snapshot)
            for page in self._pages.values():
                page.lost = page.lost and self._open_round
            if learnt:
                self._tell_claim(snapshot.zero, before_ns)
            if self._driver is None or (game == self._game and not armed):
                if self._driver is not None and self._given_up - before:
                    self._look(self._driver)
                return
            for page in self._pages.values():
                if game != self._game or page.state == "silent":
                    page.lines.clear()
            self._game = game
            self._look(self._driver)

    def remember(self, tests: Iterable[ZeroTested]) -> None:
        """Take over what the *tests* before the table was started again had made wider."""
        with self._lock:
            self._claims.remember(tests)

    def knows(self, name: str, device: str) -> bool:
        """Return whether the page *name* is open on *device*, or was until that lost its seat."""
        page = self._pages.get(name)
        return (page is not None and page.device == device) or (name, device) in tuple(self._ended)

    def look(self) -> None:
        """Find who has fallen silent, and whose pages may touch no more; to be called now and then."""
        if self._driver is None:
            return
        open_on = {page.device for page in tuple(self._pages.values()) if page.device}
        out = {device for device in open_on if not self._may(device)}
        with self._lock:
            for name, page in tuple(self._pages.items()):
                if page.device in out:
                    self._ended.append((name, page.device))
                    self._drop(self._driver, name)
            self._look(self._driver)

    def forget(self, line: str) -> None:
        """Let *line* be touched on shared pages again: no phone owns it until somebody takes that seat."""
        with self._lock:
            for name, page in self._pages.items():
                if page.owns == line:
                    self._seats.give(name, page)
            if self._driver is not None:
                self._lift(self._driver, self._pages.values(), line)
                self._look(self._driver)
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

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Do something to pages; whoever is waited for afterwards follows from how they are then."""
        driver = self._driven()
        with self._lock:
            try:
                yield
            finally:
                self._look(driver)

    def _look(self, driver: Driver) -> None:
        now_ns = self._now_ns()
        for name, page in tuple(self._pages.items()):
            idle_ns = now_ns - page.heard_ns
            if page.state == "awake" and not page.carries and idle_ns > _IDLE_NS:
                self._drop(driver, name)
            elif page.state == "awake" and (page.carries or page.promises):
                self._miss(driver, name, page, now_ns)
        self._make_room(driver)
        for name, page in self._pages.items():
            self._hear(driver, name, page)
        self._expect(driver)
        self._announce()

    def _miss(self, driver: Driver, name: str, page: OpenPage, now_ns: int) -> None:
        """Find out that a page has fallen silent: what it has carried since its last promise may be lost."""
        quiet_ns, own = page.quiet_ns(now_ns), page.delay_ns is None
        page.late = own and self._asks_first and quiet_ns > self._quiet_ns
        given_up = page.late and self._given_up.issuperset(page.carries)
        silent = quiet_ns > PATIENCE_NS and (quiet_ns > ALONE_NS or not self._is_alone(name, page, now_ns))
        if not page.carries:
            page.promises = not silent
        elif own and (silent or given_up):
            self._silence(driver, page)
            page.lost = page.lost or not self._untouched.isdisjoint(page.carries)

    def _alone_ns(self, name: str, page: OpenPage, now_ns: int) -> int:
        """Return for how long nobody has touched elsewhere than on *page*, or on those of its tab before.

        0 where others are there, or it has fallen silent. The newest count that are forgotten since, too.
        """
        quiet = page.spoke and page.quiet_ns(now_ns) > PATIENCE_NS
        alone = not quiet and self._is_alone(name, page, now_ns)
        return self._lately.alone_ns(self._tab(name, page), now_ns) if alone else 0

    def _tab(self, name: str, page: OpenPage) -> set[str]:
        """Return the names of *page*, of those before it in its tab, and of those after it."""
        return {name, *page.after, *(other for other, one in self._pages.items() if name in one.after)}

    def _is_alone(self, name: str, page: OpenPage, now_ns: int) -> bool:
        """Return whether nobody touches elsewhere while *page* is loaded again.

        The next page of its tab may come before the last word of *page* does, and may take a while to say it.
        """
        others = any(
            (one.state == "awake") + bool(one.carries) + (one.device != page.device) >= 2
            for other, one in self._pages.items()
            if other not in {name, *page.after}
            if name not in one.after or now_ns - one.waited_ns > PATIENCE_NS
        )
        return not (others or page.owns or self._wires)

    @property
    def _quiet_ns(self) -> int:
        """How long a page says nothing until it is told that it is waited for: it promises more often."""
        awake = sum(page.state == "awake" for page in self._pages.values())
        return max(_QUIET_NS, 2 * awake * _AGAIN_MS * 1_000_000)

    def _silence(self, driver: Driver, page: OpenPage) -> None:
        """Say that what *page* has carried since its last good promise may be lost, without an end."""
        lines = tuple(sorted(page.account.since | {*page.carries}))
        if page.clock is not None and lines:
            driver.lose(page.clock, page.known_ns - self._worth(page).late_ns, FOREVER, lines)
        page.state, page.late = "silent", False

    def _hear(self, driver: Driver, name: str, page: OpenPage) -> None:
        """Make the clock of *page* at the driver what it must be now. Nothing else does."""
        account, late_ns = page.account, self._worth(page).late_ns
        account.since |= {*page.carries}
        if page.state != "awake":
            return self._detach(driver, page)
        if page.clock is None:
            self._count += 1
            page.clock, page.delay_ns = f"{PAGE_SOURCE}{name}.{self._count}", -1
        wanted = None if page.carries or page.promises else delay_of(page.rtt_ns) + late_ns
        if page.delay_ns == wanted:
            return None
        now_ns = self._now_ns()
        if wanted is None:  # up to here its clock has promised by itself
            page.waited_ns = now_ns
        elif page.delay_ns is None and account.since:  # what it has not told of by now, nobody will
            lines = tuple(sorted(account.since))
            driver.lose(page.clock, page.known_ns - late_ns, now_ns - late_ns, lines)
        page.delay_ns = wanted
        return driver.attach(page.clock, wanted)

    def _detach(self, driver: Driver, page: OpenPage) -> None:
        if page.clock is not None:
            driver.detach(page.clock)
            page.clock, page.delay_ns = None, -1

    def _expect(self, driver: Driver) -> None:
        """Tell who can touch the noses next that no open page carries: the only page there is, or anybody.

        Somebody who has not touched is then last by one clock's measure, and not by two phones'. A page that
        comes makes that wide again before its first tap is driven; one whose tap is older than its first word
        is late evidence, and undoes a verdict within what two pages may be off by. Beside wires nobody is the
        only one.
        """
        if self._wires:
            return
        awake = [page for page in self._pages.values() if page.state != "asleep"]
        only = awake[0] if len(awake) == 1 and not (awake[0].state == "silent" or awake[0].owns) else None
        clock, worth = (None, self._expected[1]) if only is None else (only.clock, self._clock_u_ns(only))
        carried = {page.owns for page in self._pages.values()} | {
            line for page in awake for line in page.carries
        }
        lines = {line for line in driver.lines() if line.startswith("nose.")} - carried
        known_clock, known_worth, known = self._expected
        if clock != known_clock or (clock is not None and worth != known_worth):
            known = frozenset()
        told = frozenset(lines & known)
        if untold := tuple(sorted(lines - told)):
            told |= {*driver.expect(untold, clock, StampWorth(max(TOUCH_U_NS.values()), worth))}
        self._expected = clock, worth, told

    def _clock_u_ns(self, page: OpenPage) -> int:
        """Return what the clock of *page* may be off by against another page's, also by its next tap."""
        known_u_ns = (page.clock_u_ns or page.rtt_ns or LONGEST_DELAY_NS) + _NEWS_NS + self._behind_ns
        return known_u_ns + self._worth(page).share_ns

    def _own(self, name: str, device: str) -> None:
        """Raise NotNow when the page *name* is another device's."""
        page = self._pages.get(name)
        if page is not None and page.device != device:
            raise NotNow(text("This page is out of date. Load it again."))

    def _known(self, name: str, device: str) -> OpenPage:
        """Return the page *name* of *device*, which has spoken just now."""
        now_ns = self._now_ns()
        page = self._pages.pop(name, None) or OpenPage(now_ns, device)
        page.heard_ns = now_ns
        self._pages[name] = page
        return page

    def _introduced(self, wish: PageClock, device: str) -> OpenPage:
        """Return the page that introduces itself, after those of its tab."""
        new = wish.page not in self._pages
        page = self._known(wish.page, device)
        if new:
            known = {name: self._pages[name] for name in wish.after if name in self._pages}
            there = {name: one for name, one in known.items() if one.device == device}
            page.come(there)
            page.promises = bool(there) or any((name, device) in self._left for name in wish.after)
        return page

    def _make_room(self, driver: Driver) -> None:
        """Let a page of the device go that has most: one that carries nothing, heard of longest ago."""
        while len(self._pages) > min(_MOST_PAGES, _MOST_OF_DEVICE):
            many = Counter(page.device for page in self._pages.values())
            device, most = max(
                many.items(), key=lambda one: (bool(one[0]) and one[1] > _MOST_OF_DEVICE, one[1])
            )
            if len(self._pages) <= _MOST_PAGES and (most <= _MOST_OF_DEVICE or not device):
                return
            names = [name for name, page in self._pages.items() if page.device == device]
            idle = [name for name in names if not self._pages[name].carries]
            self._drop(driver, (idle or names)[0])

    def _drop(self, driver: Driver, name: str) -> None:
        """Forget a page, and wait for it no more."""
        page = self._pages.pop(name)
        if page.state == "awake" and page.carries:
            self._silence(driver, page)
        self._detach(driver, page)
        self._lift(driver, [page])

    def _sign_off(self, driver: Driver, name: str, *, for_good: bool = False) -> None:
        page = self._pages.get(name)
        if page is None:
            return
        page.state, page.promises = "asleep", False
        self._detach(driver, page)
        self._lift(driver, [page])
        if not (page.owns or (page.lines and not for_good)):
            del self._pages[name]
            self._left.append((name, page.device))

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

    def _is_line(self, line: str) -> bool:
        return line in self._driven().lines() and line not in self._wires

    def _check_line(self, line: str) -> None:
        """Raise BadInput when no page can move *line*."""
        if line in self._wires:
            raise BadInput(english("{line} is wired: press it, no page can.", line=line))
        if line not in self._driven().lines():
            raise BadInput(english("This table has no line “{line}”.", line=line[:60]))
