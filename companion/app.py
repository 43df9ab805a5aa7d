"""Wires profile and options to a running table: store, source, judge, display and page, and takes them down.

Nothing here decides anything about a game.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from companion import tape
from companion.access import Access, open_access
from companion.commands import Arm, Play, Void
from companion.config import RunSettings
from companion.i18n import translator
from companion.loop import LiveTable
from companion.ports import Driver
from companion.replay import load_tape
from companion.store import Store
from companion.table import rearm_from
from companion.timing import Settings


class App:
    """A running table. `start` returns the addresses of its page; `stop` releases everything within 2 s."""

    def __init__(self, settings: RunSettings) -> None:
        self.settings = settings
        self._stack = ExitStack()
        self.table: LiveTable
        self.access: Access
        self.urls: tuple[str, ...] = ()

    def start(self) -> tuple[str, ...]:
        """Open everything; raise a CompanionError, with nothing left open, when something cannot be had."""
        try:
            return self._start()
        except BaseException:
            self.stop()
            raise

    @property
    def join_address(self) -> str | None:
        """What a QR code carries so that a phone may join (see `join_address`)."""
        return join_address(self.urls, self.access)

    def stop(self) -> None:
        """Close everything in the opposite order; may be called twice."""
        self._stack.close()

    def _start(self) -> tuple[str, ...]:
        settings = self.settings
        store = Store(settings.data_dir)
        self._stack.callback(store.close)
        self.access = open_access(settings.data_dir, lan=settings.lan, now_s=time.monotonic, wall_s=time.time)
        source = make_source(settings, lambda entry: self._obey(entry))
        driver: Driver | None = source if hasattr(source, "drive") else None
        timing = settings.profile.timing
        self.table = LiveTable(
            store,
            tuple(line for line in settings.profile.lines if line.startswith("nose.")),
            settings=Settings(
                confirm_ns=timing.confirm_ns,
                lockout_ns=timing.lockout_ns,
                rearm_ns=rearm_from(settings.rearm_s),
            ),
            simulated=source.simulated,
            driver=driver,
            profile_name=settings.profile.name,
        )
        self.table.start()
        self._stack.callback(self.table.stop)
        display = self._start_display()
        self.urls = urls = self._start_page(display)
        display.join(join_info(urls, self.access))
        self._stack.callback(source.close)
        source.start(self.table.emit, self.table.reporter("source"))
        return urls

    def _start_display(self) -> Any:
        from hardware.oled import Oled

        display = Oled(
            self.settings.oled,
            translate=translator(self.settings.language),
            report=self.table.reporter("oled"),
        )
        self._stack.callback(display.close)
        self._stack.callback(self.table.subscribe(display.show))
        display.show(self.table.snapshot)
        return display

    def _start_page(self, display: Any) -> tuple[str, ...]:
        from web.server import Server

        server = Server(self.table, self.access, port=self.settings.port, screen=display)
        self._stack.callback(server.stop)
        return server.start()

    def _obey(self, entry: Any) -> None:
        """Do what a tape tells of: arm, or make a move; what does not fit is shown as a fault of the tape."""
        if isinstance(entry, tape.Arm):
            self.table.submit(Arm(), "tape")
            return
        kind = entry.move.get("type")
        wish = Void(str(entry.move.get("reason", ""))) if kind == "void" else Play(entry.move)
        self.table.submit(wish, "tape")


def join_address(urls: tuple[str, ...], access: Access) -> str | None:
    """Return what a QR code carries so that a phone may join, None when phones cannot reach the page.

    The PIN stands in the fragment, which a browser never sends.
    """
    return f"{urls[1]}join#{access.pin}" if access.lan and len(urls) > 1 else None


def join_info(urls: tuple[str, ...], access: Access) -> Any:
    """Return what the display shows a phone: address, PIN and QR code (`hardware.screens.JoinInfo`)."""
    from hardware.screens import JoinInfo

    address = join_address(urls, access)
    if address is None:
        return JoinInfo(urls[0])
    import segno

    rows = segno.make(address, error="l", micro=False).matrix_iter(border=1)
    return JoinInfo(urls[1], access.pin, tuple(tuple(bool(dot) for dot in row) for row in rows))


def make_source(settings: RunSettings, obey: Callable[[Any], None]) -> Any:
    """Return the source that *settings* name, not started; *obey* takes the moves of a tape."""
    profile = settings.profile
    lines = profile.lines
    match settings.source:
        case "gpiochip":
            from hardware.gpiochip import GpioChip

            return GpioChip(lines, u_ns=profile.timing.u_ns or 10_000)
        case "pins":
            from hardware.factories import wants_mock
            from hardware.mock import Mock
            from hardware.pins import Pins

            # gpiozero set to its mock factory is a wish, not a fallback: the table says SIMULATED.
            return Mock(lines) if wants_mock(None) else Pins(lines, u_ns=profile.timing.u_ns)
        case "mock":
            from hardware.mock import Mock

            return Mock(lines)
        case _:
            from hardware.replay import Replay

            assert settings.tape is not None
            return Replay(load_tape(settings.tape), command=obey)
