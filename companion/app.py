"""Wires profile and options to a running table: store, source, judge, display and page, and takes them down.

Nothing here decides anything about a game.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any

from companion.access import Access, open_access
from companion.commands import Start
from companion.config import RunSettings
from companion.errors import CompanionError
from companion.i18n import translator
from companion.loop import LiveTable
from companion.outputs import open_outputs
from companion.ports import Driver, Report
from companion.replay import load_tape, of_file, wish
from companion.service import Every, Heartbeat, notifier
from companion.snapshot import Snapshot
from companion.store import EventStore, MemoryStore, Store
from companion.table import rearm_from
from companion.tape import Arm, Move, Tape
from companion.text import Text, text
from companion.timing import ArmRequest, Settings
from companion.wifi import Wifi

ADDRESS_S = 5.0  # how often the network is looked at: a router may wake up later than the table

_log = logging.getLogger("lastnose")
BACK = {
    "source": text("The noses are back."),
    "oled": text("The small screen is back."),
    "lamps": text("The lamps are back."),
    "buzzer": text("The buzzer is back."),
}


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
        tape = None if settings.tape is None else load_tape(settings.tape)
        # A tape is no evening of this table: it leaves no trace in its log.
        store: EventStore = Store(settings.data_dir) if tape is None else MemoryStore()
        self._stack.callback(store.close)
        self.access = open_access(settings.data_dir, lan=settings.lan, now_s=time.monotonic, wall_s=time.time)
        source = make_source(settings, tape, self._obey)
        driver: Driver | None = source if hasattr(source, "drive") else None
        timing = settings.profile.timing
        self.table = LiveTable(
            store,
            settings.noses,
            settings=Settings(
                confirm_ns=timing.confirm_ns,
                lockout_ns=timing.lockout_ns,
                rearm_ns=rearm_from(settings.rearm_s),
            ),
            simulated=source.simulated,
            driver=driver,
            profile_name=settings.profile.name,
            cradles=len(settings.profile.pins.spoons),
        )
        self.table.start()
        self._stack.callback(self.table.stop)
        display = self._start_display()
        self._start_outputs(simulated=source.simulated)
        if tape is not None:
            assert settings.tape is not None
            with of_file(settings.tape):
                self._start_game_of(tape)
        self._stack.callback(source.close)
        if hasattr(source, "show_armed"):
            show = source.show_armed
            self._stack.callback(self.table.subscribe(lambda snapshot: show(snapshot.phase == "armed")))
        source.start(self.table.emit, self._reporter("source"))
        # The page comes last: who starts a game there finds noses that are watched already.
        server = self._start_page(display)
        self._show_way(server, display)
        if settings.lan:
            looking = Every(ADDRESS_S, lambda: self._look_around(server, display), name="addresses")
            looking.start()
            self._stack.callback(looking.stop)
        self._tell_systemd(server)
        return self.urls

    def _start_display(self) -> Any:
        from hardware.oled import Oled

        display = Oled(
            self.settings.oled,
            translate=translator(self.settings.language),
            report=self._reporter("oled"),
        )
        self._stack.callback(display.close)
        self._stack.callback(self.table.subscribe(display.show))
        display.show(self.table.snapshot)
        return display

    def _start_outputs(self, *, simulated: bool) -> None:
        """Let lamps and buzzer follow the table."""
        now = self.table.snapshot
        show = open_outputs(self.settings, self._reporter, self._stack, now, simulated=simulated)
        self._stack.callback(self.table.subscribe(show))

    def _reporter(self, name: str) -> Report:
        """Return how the device *name* tells its trouble: once on the screens, and once in the log."""
        show = self.table.reporter(name)
        speak = translator(self.settings.language)

        def report(says: Text | None) -> None:
            _log.warning("%s", speak(BACK[name] if says is None else says))
            show(says)

        return report

    def _start_page(self, display: Any) -> Any:
        """Return the server of the page, begun."""
        from web.server import Server

        settings = self.settings
        server = Server(
            self.table,
            self.access,
            port=settings.port,
            screen=display,
            names=settings.names,
            wifi=settings.wifi,
        )
        self._stack.callback(server.stop)
        server.start()
        return server

    def _look_around(self, server: Any, display: Any) -> None:
        """Show phones the way anew when the network has given this machine another address."""
        if server.urls != self.urls:
            self._show_way(server, display)

    def _show_way(self, server: Any, display: Any) -> None:
        self.urls = server.urls
        display.join(join_info(self.urls, self.access, self.settings.wifi))

    def _tell_systemd(self, server: Any) -> None:
        """Say that the table is ready, and go on saying so while judge and page live."""
        systemd = notifier()
        if systemd is None:
            return
        self._stack.callback(systemd.tell, "STOPPING=1")
        said = translator(self.settings.language)(text("The page is at {url}", url=self.urls[-1]))
        systemd.tell("READY=1", f"STATUS={said}")
        heart = Heartbeat(systemd, lambda within_s: server.alive and self.table.answers(within_s))
        heart.start()
        self._stack.callback(heart.stop)

    def _start_game_of(self, tape: Tape) -> None:
        """Start the game of a tape; raise a CompanionError when its header does not fit.

        Nothing is left to chance: the tape says what was drawn.
        """
        self.table.chance = None
        header = tape.header
        lines = tuple(f"nose.{seat}" for seat in range(1, len(header.players) + 1))
        rearm_s = self.settings.rearm_s if tape.arms_itself else None
        start = Start(header.game, header.players, dict(header.options), lines, rearm_s)
        self.table.submit(start, "tape").result()

    def _obey(self, entry: Arm | Move) -> None:
        """Do what a tape tells that people did."""
        if isinstance(entry, Arm):
            self.table.emit(ArmRequest(entry.t_ns, entry.seats))
        else:
            self.table.submit(wish(entry), "tape").add_done_callback(self._obeyed)

    def _obeyed(self, done: Future[Snapshot]) -> None:
        """Say of a move of the tape that it did not fit."""
        problem = done.exception()
        if isinstance(problem, CompanionError):
            self._reporter("tape")(problem.text)


def join_address(urls: tuple[str, ...], access: Access) -> str | None:
    """Return what a QR code carries so that a phone may join, None when phones cannot reach the page.

    The PIN stands in the fragment, which a browser never sends.
    """
    return f"{urls[1]}join#{access.pin}" if access.lan and len(urls) > 1 else None


def join_info(urls: tuple[str, ...], access: Access, wifi: Wifi | None = None) -> Any:
    """Return what the display shows a phone: the way to the page, and to the Wi-Fi before it."""
    from hardware.screens import JoinInfo, WifiInfo

    address = join_address(urls, access)
    if address is None:
        return JoinInfo(urls[0])
    network = None if wifi is None else WifiInfo(wifi.ssid, wifi.password, _dots(wifi.code))
    return JoinInfo(urls[1], access.pin, _dots(address), network)


def _dots(says: str) -> tuple[tuple[bool, ...], ...]:
    """Return a QR code row by row, True for dark, with a light border."""
    import segno

    rows = segno.make(says, error="l", micro=False).matrix_iter(border=1)
    return tuple(tuple(bool(dot) for dot in row) for row in rows)


def make_source(
    settings: RunSettings,
    tape: Tape | None,
    obey: Callable[[Arm | Move], None],
    spares: Mapping[str, int] | None = None,
) -> Any:
    """Return the source that *settings* name, not started; *obey* takes the moves of *tape*.

    *spares* are pins beside those of the profile that are listened to as well.
    """
    profile = settings.profile
    lines = {**profile.lines, **(spares or {})}
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
        case "box":
            return _boxes(settings)
        case _:
            from hardware.replay import Replay

            assert tape is not None
            return Replay(tape, command=obey, speed=settings.speed or None)


def _boxes(settings: RunSettings) -> Any:
    """Return the boxes of a table, with the Pi's own pins beside them if they are wanted."""
    from hardware.box.simulated import PREFIX
    from hardware.box.table import Boxes, PretendBoxes

    wirings, sync_pin = settings.wirings, settings.profile.pins.sync
    if settings.beside is None:
        make = PretendBoxes if all(port.startswith(PREFIX) for port in settings.boxes) else Boxes
        return make(settings.boxes, wirings, sync_pin=sync_pin)
    sync = {} if sync_pin is None else settings.beside.sync_line
    hears = next(iter(sync), None)
    if settings.beside.board == "mock":
        from hardware.mock import Mock

        pins = Mock(wirings[-1] | sync)
        return PretendBoxes(settings.boxes, wirings[:-1], sync_pin=sync_pin, beside=pins, hears=hears)
    from hardware.gpiochip import GpioChip

    header = GpioChip(wirings[-1] | sync, u_ns=settings.beside.timing.u_ns or 10_000)
    return Boxes(settings.boxes, wirings[:-1], sync_pin=sync_pin, beside=header, hears=hears)
