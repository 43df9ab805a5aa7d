"""What the app of a hall serves: the hall, what its screens show, and who puts a name on its list."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from flask import current_app
from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.text import text
from lastnose.companion.event.screen import HallScreen, Screens, where_screen
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.link.hub import Hall
from lastnose.web.encoding import change_of, to_json
from lastnose.web.heavy import qr_code

DOOR_S, BY_ONE, BY_ALL = 60.0, 6, 100  # in so many seconds so many put themselves on the list, at most
KEPT = 8  # screens: who reads slowly is sent what has changed since one of them, or everything


class HallContext:
    """What the views of one hall's app share, and what its live stream sends (see `Frames`).

    *engine* is the message server's address as tables reach it, *address* returns that of our own pages in
    the network, None when there is none. Nothing is made of a view that nobody watches.
    """

    parts = frozenset({"where"})

    def __init__(self, hall: Hall, engine: Callable[[str], str], address: Callable[[], str | None]) -> None:
        self.hall = hall
        self.engine = engine
        self.address = address
        self._screens = Screens()
        self._lock = threading.Lock()
        self._came: list[tuple[float, str]] = []  # when names came onto the list lately, and from where
        self._made: tuple[tuple[HallSnapshot, HallScreen], ...] = ()  # the newest few
        self._encoding = threading.Lock()
        self._encoded: dict[str, tuple[HallScreen, bytes]] = {}

    @staticmethod
    def here() -> HallContext:
        """Return the hall of the app that answers this request."""
        found = current_app.extensions["lastnose.hall"]
        assert isinstance(found, HallContext)
        return found

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
            found = self._shown(view)
            if found is None:
                found = self._screens.screen(view, self.hall.logs)
                self._made = (*self._made, (view, found))[-KEPT:]
            return found

    def _shown(self, view: HallSnapshot) -> HallScreen | None:
        """Return what was shown of *view*, None when that is long ago: made again it might differ."""
        return next((made for known, made in self._made if known is view), None)

    def state(self, view: HallSnapshot, read_as: str) -> bytes:
        """Return what screens show of *view* as JSON; *read_as* is a language, or a part: "en/where"."""
        return self.encoded(self.screen(view), read_as)

    def change(self, before: HallSnapshot, view: HallSnapshot, read_as: str) -> bytes | None:
        """Return what makes pages that show *before* show *view*; None when that is not known any more."""
        shown = self._shown(before)
        return None if shown is None else change(shown, self.screen(view), read_as)

    def encoded(self, screen: HallScreen, read_as: str) -> bytes:
        """Return *screen*, or its part, as JSON; made once."""
        language, _, part = read_as.partition("/")
        with self._encoding:
            found = self._encoded.get(read_as)
            if found is not None and found[0] is screen:
                return found[1]
            made = to_json(where_screen(screen) if part else screen, language)
            self._encoded[read_as] = screen, made
            return made

    def code(self, path: str) -> str:
        """Return a QR code of the hall's page *path*, "" when no phone can reach it."""
        address = self.address()
        return qr_code(address + path, inline=True).decode() if address is not None else ""


def change(before: HallScreen, screen: HallScreen, read_as: str) -> bytes:
    """Return what makes *screen* of *before*, as JSON: most of a hall stays as it is."""
    language, _, part = read_as.partition("/")
    if part:
        return change_of(where_screen(before), where_screen(screen), language)
    return change_of(before, screen, language, "tables")
