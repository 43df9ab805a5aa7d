"""What one app serves: its table, the encoded views, the clocks of its pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar, TypeVarTuple, Unpack

from flask import current_app
from lastnose.companion.core.errors import StoreError
from lastnose.companion.core.ports import Display
from lastnose.companion.core.text import Text, text
from lastnose.companion.selftest.view import SelfTestView, Word
from lastnose.companion.table.memory_store import names_of
from lastnose.web import auth
from lastnose.web.devices import KnownDevices
from lastnose.web.encoding import Views
from lastnose.web.heavy import asked_of_table
from lastnose.web.language import language
from lastnose.web.lobby import Lobby
from lastnose.web.page_sources import Pages

if TYPE_CHECKING:
    from lastnose.companion.config.settings import Wifi
    from lastnose.companion.evening.commands import AnyCommand
    from lastnose.companion.link.door import HallDoor
    from lastnose.companion.system.workshop import Workshop
    from lastnose.companion.table.thread import TableThread
    from lastnose.companion.views.snapshot import Snapshot

# ---- What the web server needs of a self-test.


class SelfTestLike(Protocol):
    """A self-test under way, for any thread."""

    @property
    def view(self) -> SelfTestView:
        """Return what it shows now."""

    def say(self, word: Word) -> SelfTestView:
        """Answer it, and return what it shows then; raise NotNow when that is no answer now."""

    def report(self, form: Literal["html", "json"], speak: Callable[[Text], str], language: str) -> bytes:
        """Return its report as it stands, in words of *speak*."""


_ANSWER_WITHIN_S = 10.0
_LOOK_EVERY_S = 0.2
_T = TypeVar("_T")
_Args = TypeVarTuple("_Args")


class WebContext:
    """What the views of one app share. `closing` is set when the server is about to stop.

    *join_address* tells the address of `/join` for phones (without PIN), None when they cannot reach us;
    *wifi* is the network that they join before. Heavy work is done in *workshop*, without one here.
    """

    def __init__(
        self,
        table: TableThread,
        *,
        devices: KnownDevices,
        screen: Display | None = None,
        join_address: Callable[[], str | None] = lambda: None,
        wifi: Wifi | None = None,
        selftest: SelfTestLike | None = None,
        workshop: Workshop | None = None,
        door: HallDoor | None = None,
    ) -> None:
        self.table = table
        self.screen = screen
        self._join_address = join_address
        self.wifi = wifi
        self.selftest = selftest
        self.door = door  # None where a tape is played: that comes into no hall
        self._workshop = workshop
        self.views = Views()
        self.pages = Pages(table.driver, tell=table.tell_phones, wires=self.wires, may=devices.may_touch)
        self.lobby = Lobby(table, devices, lambda: self.taps, self._answers)
        self.closing = threading.Event()

    def _answers(self, line: str) -> bool:
        """Return whether the phone that is the nose of *line* can be heard."""
        return any(one.line == line and one.state == "awake" for one in self.pages.phones if not one.shared)

    @property
    def taps(self) -> tuple[str, ...]:
        """Return the lines that pages can touch."""
        return () if self.table.driver is None else self.table.driver.lines()

    @property
    def wires(self) -> tuple[str, ...]:
        """Return the noses that pages cannot touch, at a table at which they can touch any."""
        return tuple(line for line in self.table.lines if line not in self.taps) if self.taps else ()

    @property
    def join_address(self) -> str | None:
        """Return the address of `/join` for phones at this moment, None when they cannot reach us."""
        return self._join_address()

    @staticmethod
    def here() -> WebContext:
        """Return the house of the app that answers this request."""
        found = current_app.extensions["lastnose.house"]
        assert isinstance(found, WebContext)
        return found

    def work(self, work: Callable[[Unpack[_Args]], _T], *args: *_Args) -> _T:
        """Return `work(*args)` (see `web.heavy`), worked out beside the judge where there is a workshop."""
        return work(*args) if self._workshop is None else self._workshop.do(work, *args)

    def look_back(self, kind: str) -> bytes:
        """Return what *kind* names of this evening (see `web.heavy`), in the reader's language."""
        return asked_of_table(self._workshop, self.table, kind, language())

    def known_players(self) -> tuple[str, ...]:
        """Return the names that may be offered to who asks: a stranger learns none of earlier evenings."""
        if auth.visitor().may_control:
            return self.table.queries.known_players()
        return names_of((1, match.started) for match in reversed(self.table.queries.evening.matches))

    def do(self, command: AnyCommand) -> Snapshot:
        """Let the table do what the visitor commands; return the snapshot that shows it, safely stored.

        Raises what the table refuses with, or StoreError when it does not answer in time.
        """
        future = self.table.submit(command, auth.visitor().by)
        deadline = time.monotonic() + _ANSWER_WITHIN_S
        while time.monotonic() < deadline and not self.closing.is_set():
            try:
                return future.result(timeout=_LOOK_EVERY_S)
            except NotYet:
                continue
        raise StoreError(text("The table has not answered yet. Look at what it shows before you try again."))
