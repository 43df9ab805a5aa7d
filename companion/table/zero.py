"""Takes the zero test that somebody asked for: presses go in, its course is shown, its figures are kept."""

from __future__ import annotations

from collections.abc import Callable, Collection

from lastnose.companion.core.errors import StoreError
from lastnose.companion.core.model import PAGE_SOURCE, Press
from lastnose.companion.core.text import Text
from lastnose.companion.evening.authors import BOX
from lastnose.companion.evening.events import ZeroTested
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.table.publisher import Publisher
from lastnose.companion.timing.zero import TIMES, ZeroTest
from lastnose.companion.views.snapshot import SeatPhone, ZeroView
from lastnose.companion.views.zero import (
    again_text,
    asked_text,
    by_hand_text,
    names_of,
    on_screens_text,
    waits_text,
)


class ZeroTester:
    """Keeps a finished test in *record* and tells *publisher* of one that is going on.

    *phones* are lines that no wire moves.
    """

    def __init__(
        self,
        record: EveningRecord,
        publisher: Publisher,
        wall_s: Callable[[], float],
        phones: Collection[str] = (),
    ) -> None:
        self._phones = phones
        self._record = record
        self._publisher = publisher
        self._wall_s = wall_s
        self._test: ZeroTest | None = None
        self._pages: dict[str, str] = {}  # of the phones that take part, by line
        self._devices: dict[str, str] = {}  # those phones, which stay when a page is loaded again
        self._changed: tuple[str, ...] = ()  # the noses with another phone than the test had begun with

    def begin(self, lines: tuple[str, str] | None) -> None:
        """Begin with these lines, or (None) end the test without a trace."""
        self._test = None if lines is None else ZeroTest(lines)
        self._changed = ()
        self._know_phones()
        self._show()

    def follow(self) -> None:
        """Learn that phones have come or gone: the test waits for its own, and begins again with others.

        A phone whose page was loaded again is the same: how late it tells of a touch has not changed, and
        what its new clock may be off by is in its new stamps.
        """
        if self._test is None:
            return
        before = self._devices
        self._know_phones()
        changed = tuple(line for line in self._test.lines if before.get(line) != self._devices.get(line))
        if changed:
            begun, since = bool(self._test.off_ns or self._test.missed), self._changed
            self._test = ZeroTest(self._test.lines)
            self._changed = changed if begun else since
        self._show()

    def _know_phones(self) -> None:
        phones = [] if self._test is None else self._phones_in(self._test.lines)
        self._pages = {phone.line: phone.page for phone in phones}
        self._devices = {phone.line: phone.phone or phone.page for phone in phones}

    def heard(self, line: str, press: Press) -> None:
        """Take a press; one that the disk did not take the figures of tries again with the next."""
        test = self._test
        if test is None or self._passes_over(test, line, press):
            return
        if not (test.take(line, press) or test.done):
            return
        self._changed = ()
        if test.done:
            self._keep(test)
        self._show()

    def _keep(self, test: ZeroTest) -> None:
        kept = ZeroTested(
            by=BOX,
            at=self._wall_s(),
            lines=test.lines,
            off_ns=test.off_ns,
            u_ns=test.u_ns,
            missed=test.missed,
            by_hand=not self._touched(test).isdisjoint(test.lines),
            phones=(self._devices.get(test.lines[0], ""), self._devices.get(test.lines[1], "")),
        )
        try:
            self._record.append(kept)
        except StoreError as problem:
            self._publisher.fault("disk", problem.text)
        else:
            self._test = None

    def _show(self) -> None:
        test = self._test
        if test is None:
            self._publisher.change(zero=None)
            return
        phones = self._touched(test)
        shown = ZeroView(
            test.lines,
            test.off_ns,
            test.u_ns,
            test.missed,
            TIMES,
            says=self._asks(test, phones),
            by_hand=not phones.isdisjoint(test.lines),
        )
        self._publisher.change(zero=shown)

    def _asks(self, test: ZeroTest, phones: frozenset[str]) -> Text:
        """Return what is to be done now, and why from the beginning."""
        asks = self._asks_now(test, phones)
        return again_text(self._changed, names_of(self._record.evening), asks) if self._changed else asks

    def _asks_now(self, test: ZeroTest, phones: frozenset[str]) -> Text:
        names = names_of(self._record.evening)
        away = self._away(test)
        if away:
            return waits_text(away, names)
        owned = self._owned()
        for phone, page in (test.lines, test.lines[::-1]):
            if phone in owned and page in phones - owned:
                return on_screens_text(phone, page, names, len(test.off_ns), TIMES)
        says = by_hand_text(test.lines, phones, names, len(test.off_ns), TIMES)
        if says is not None:
            return says
        return asked_text(test.lines, names, test.off_ns, test.u_ns, TIMES, test.alone)

    def _phones_in(self, lines: tuple[str, str]) -> list[SeatPhone]:
        """Return the phones that are the noses on *lines*."""
        return [one for one in self._publisher.live.phones if one.line in lines and not one.shared]

    def _passes_over(self, test: ZeroTest, line: str, press: Press) -> bool:
        """Return whether *press* is of a page that is not the phone, or while the other phone is away."""
        if not press.source.startswith(PAGE_SOURCE):
            return False
        own = self._pages.get(line)
        mine = own is None or press.source.startswith(f"{PAGE_SOURCE}{own}.")
        return not mine or any(away != line for away in self._away(test))

    def _away(self, test: ZeroTest) -> list[str]:
        """Return the noses of *test* whose phones cannot be heard."""
        return [phone.line for phone in self._phones_in(test.lines) if phone.state != "awake"]

    def _owned(self) -> frozenset[str]:
        """Return the noses that are phones."""
        return frozenset(phone.line for phone in self._publisher.live.phones if not phone.shared)

    def _touched(self, test: ZeroTest) -> frozenset[str]:
        """Return the lines of screens: those beside wires; elsewhere both of *test* when one is a phone."""
        if self._publisher.live.simulated and not self._owned().isdisjoint(test.lines):
            return frozenset(test.lines)
        return frozenset(self._phones)
