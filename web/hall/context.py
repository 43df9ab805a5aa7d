"""What the app of a hall serves: the hall, what its screens show, how tables come in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from flask import current_app
from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.text import Text, text
from lastnose.companion.event.formats import said_of
from lastnose.companion.event.screen import HallScreen, Screens
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.link.hub import Hall
from lastnose.web.hall.shown import ShownHall

SeatsByRound = list[tuple[Text, dict[int, tuple[int, int, int]]]]
DOOR_S, BY_ONE, BY_ALL = 60.0, 6, 100  # in so many seconds so many put themselves on the list, at most
KEPT = 8  # screens: who reads slowly is sent what has changed since one of them, or everything


class HallContext(ShownHall):
    """What the views of one hall's app share. *engine* is the message server's address as tables reach it."""

    def __init__(self, hall: Hall, engine: Callable[[str], str], address: Callable[[], str | None]) -> None:
        super().__init__()
        self.hall = hall
        self.engine = engine
        self._address = address
        self._screens = Screens()
        self._lock = threading.Lock()
        self._came: list[tuple[float, str]] = []  # when names came onto the list lately, and from where
        self._made: tuple[tuple[HallSnapshot, HallScreen], ...] = ()  # the newest few

    @staticmethod
    def here() -> HallContext:
        """Return the hall of the app that answers this request."""
        found = current_app.extensions["lastnose.hall"]
        assert isinstance(found, HallContext)
        return found

    def address(self) -> str | None:
        """Return the address of our own pages in the network, None when there is none."""
        return self._address()

    def at_the_door(self, address: str) -> None:
        """Take that somebody at *address* puts a name on the list; raise NotNow for too many at once."""
        with self._lock:
            now_s = time.monotonic()
            self._came = [(at_s, who) for at_s, who in self._came if now_s - at_s < DOOR_S]
            if len(self._came) >= BY_ALL or sum(who == address for _, who in self._came) >= BY_ONE:
                raise NotNow(text("Too many names at once: wait a minute, or ask at the desk, please."))
            self._came.append((now_s, address))

    def screen(self, view: HallSnapshot | None = None) -> HallScreen:
        """Return what screens show of *view*, or now; made once."""
        return self.hall.made(self._screen, view)

    def _screen(self, view: HallSnapshot) -> HallScreen:
        with self._lock:
            found = self.shown(view)
            if found is None:
                found = self._screens.screen(view, self.hall.logs)
                self._made = (*self._made, (view, found))[-KEPT:]
            return found

    def shown(self, view: HallSnapshot) -> HallScreen | None:
        """Return what was shown of *view*, None when that is long ago: made again it might differ."""
        return next((made for known, made in self._made if known is view), None)

    def seats(self) -> SeatsByRound:
        """Return for each drawn round its name, and table, seat and size of the table by entrant."""
        out = []
        for one in self.hall.state.planned:
            numbers = one.numbers or tuple(range(1, len(one.seats) + 1))
            found = {
                entrant: (number, seat, len(table))
                for number, table in zip(numbers, one.seats, strict=True)
                for seat, entrant in enumerate(table, 1)
            }
            out.append((said_of(one.kind, one.number), found))
        return out


class HallFrames:
    """What the live stream of a hall's pages sends; nothing is made of a view that nobody watches."""

    parts = frozenset({"where"})

    def __init__(self, here: HallContext) -> None:
        self._here = here

    def state(self, view: HallSnapshot, language: str) -> bytes:
        """Return what pages show of *view* as JSON in *language*."""
        return self._here.state(self._here.screen(view), language)

    def change(self, before: HallSnapshot, view: HallSnapshot, language: str) -> bytes | None:
        """Return what makes pages that show *before* show *view*; None when that is not known any more."""
        shown = self._here.shown(before)
        return None if shown is None else self._here.change(shown, self._here.screen(view), language)
