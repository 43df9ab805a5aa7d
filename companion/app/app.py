"""Wires profile and options to a running table: store, source, judge, display and page, and takes them down.

Nothing here decides anything about a game.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from platform import node
from threading import Thread
from typing import TYPE_CHECKING

from lastnose.companion.app import Running, log_trouble
from lastnose.companion.app.sources import (
    WiredSource,
    make_source,
    open_display,
    open_neighbours,
    open_outputs,
)
from lastnose.companion.config.plugins import load_games
from lastnose.companion.config.settings import RunSettings, Wifi
from lastnose.companion.core.errors import CompanionError, StoreError
from lastnose.companion.core.ports import Display, JoinInfo, Report, WifiInfo
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.commands import Start
from lastnose.companion.i18n import translator
from lastnose.companion.link.door import HallDoor
from lastnose.companion.system.systemd import Every, Watchdog, notifier
from lastnose.companion.table.memory_store import EventStore, MemoryStore
from lastnose.companion.table.replay import load_tape, of_file, wish
from lastnose.companion.table.rescue import Copier, open_store
from lastnose.companion.table.table import SystemChance, Table, rearm_from
from lastnose.companion.table.thread import TableThread
from lastnose.companion.timing import ArmRequest, Settings
from lastnose.companion.timing.tape import ArmRecord, MoveRecord, Tape
from lastnose.companion.views.snapshot import Snapshot
from lastnose.web.access import Access, open_access, renew_pin

if TYPE_CHECKING:
    from lastnose.companion.link.membership import Membership
    from lastnose.web.server.server import Server


def join_info(urls: tuple[str, ...], access: Access, wifi: Wifi | None = None) -> JoinInfo:
    """Return what the display shows a phone: the way to the page, and to the Wi-Fi before it."""
    if not access.lan or len(urls) == 1:  # phones cannot reach the page
        return JoinInfo(urls[0])
    network = None if wifi is None else WifiInfo(wifi.ssid, wifi.password, _dots(wifi.code))
    return JoinInfo(urls[1], access.pin, _dots(f"{urls[1]}join"), network)


def _dots(says: str) -> tuple[tuple[bool, ...], ...]:
    """Return a QR code row by row, True for dark, with a light border."""
    import segno

    rows = segno.make(says, error="l", micro=False).matrix_iter(border=1)
    return tuple(tuple(bool(dot) for dot in row) for row in rows)


# How long a thread may keep Python to itself while another has work: the judge waits that long for the page
# after each call of the disk, while hundreds of viewers are told something.
TURN_S = 0.0005
ADDRESS_S = 5.0  # how often the network is looked at: a router may wake up later than the table

_log = logging.getLogger("lastnose")


class App(Running):
    """A running table. `start` returns the addresses of its page; `stop` releases everything within 2 s.

    With `--backup`, what is new is copied last, for which a slow stick gets up to `copies.LAST_S` more; then
    the copy is given up, and the one before stays.
    """

    def __init__(self, settings: RunSettings) -> None:
        super().__init__()
        self.settings = settings
        self.table: TableThread
        self.access: Access
        self.urls: tuple[str, ...] = ()
        self.door: HallDoor | None = None

    @property
    def host_address(self) -> str | None:
        """What a QR code carries so that a phone hosts, None when phones cannot reach the page.

        The secret stands in the fragment, which a browser never sends.
        """
        return f"{self.urls[1]}host#{self.access.secret}" if self.access.lan and len(self.urls) > 1 else None

    def _start(self) -> tuple[str, ...]:
        sys.setswitchinterval(TURN_S)
        for trouble in load_games():
            _log.warning("%s", translator(self.settings.language)(trouble))
        settings = self.settings
        tape = None if settings.tape is None else load_tape(settings.tape)
        store, rescued = self._open_store(tape)
        self.access = open_access(
            settings.data_dir,
            lan=settings.lan,
            now_s=time.monotonic,
            evening=store.evening if tape is None else None,
            new_pin=settings.new_pin,
        )
        wired = make_source(settings, tape, self._obey)
        table = self._make_table(store, wired)
        self.table = TableThread(table, driver=wired.driver, profile_name=settings.profile.name)
        if settings.backup is not None and tape is None:
            self._start_copies(settings.backup)
        self.table.start()
        self._stack.callback(self.table.stop)
        if rescued is not None:
            self._reporter("rescued")(rescued)
        display = self._start_display()
        self._start_outputs(simulated=wired.source.simulated)
        if tape is not None:
            assert settings.tape is not None
            with of_file(settings.tape):
                self._start_game_of(tape)
        self._start_source(wired)
        if tape is None:
            self._open_hall_door()
        # The page comes last: who starts a game there finds noses that are watched already.
        server = self._start_page(display)
        self._show_way(server, display)
        if settings.lan:
            self._follow_network(server, display)
        self._tell_systemd(server)
        return self.urls

    def _open_store(self, tape: Tape | None) -> tuple[EventStore, Text | None]:
        """Return where events go, and what had to be rescued there.

        A tape is no evening of this table: it leaves no trace in its log.
        """
        store, rescued = (MemoryStore(), None) if tape is not None else open_store(self.settings.data_dir)
        self._stack.callback(store.close)
        return store, rescued

    def _start_source(self, wired: WiredSource) -> None:
        """Let the edges come, and show the source when a round is armed."""
        self._stack.callback(wired.source.close)
        if (show := wired.show_armed) is not None:
            self._stack.callback(self.table.subscribe(lambda snapshot: show(snapshot.phase == "armed")))
        wired.source.start(self.table.emit, self._reporter("source"))

    def _follow_network(self, server: Server, display: Display) -> None:
        """Give each evening its PIN, and show the way again when the address changes."""
        self._at_each_evening(
            lambda evening: Thread(target=self._renew_pin, args=(evening, server, display)).start()
        )
        looking = Every(ADDRESS_S, lambda: self._look_around(server, display), name="addresses")
        looking.start()
        self._stack.callback(looking.stop)

    def _open_hall_door(self) -> None:
        """Keep the table in its hall, or let it come into one."""
        self.door = HallDoor(self.settings.data_dir, node(), self._enter_hall, self._left_hall)
        self._stack.callback(self.door.stop)
        self.door.start()

    def _enter_hall(self, membership: Membership) -> Callable[[], None]:
        """Be in the hall of *membership*; a table alone imports none of it. Returns what ends that."""
        from lastnose.companion.app.hall import InHall

        report = self.table.reporter("hall")
        assert self.door is not None
        inside = InHall(
            self.table,
            self.settings.data_dir,
            membership,
            report,
            self.settings.rearm_s,
            shut_out=self.door.shut_out,
        )
        inside.start()
        return inside.stop

    def _left_hall(self) -> None:
        """Show no hall any more."""
        self.table.reporter("hall")(None)
        self.table.tell_hall(None)

    def _make_table(self, store: EventStore, wired: WiredSource) -> Table:
        settings, timing = self.settings, self.settings.profile.timing
        return Table(
            store,
            settings.noses,
            settings=Settings(
                confirm_ns=timing.confirm_ns,
                lockout_ns=timing.lockout_ns,
                rearm_ns=rearm_from(settings.rearm_s),
            ),
            simulated=wired.source.simulated,
            cradles=len(settings.profile.pins.spoons),
            # Nothing is left to chance on a tape: it says what was drawn.
            chance=SystemChance() if settings.tape is None else None,
            phones=tuple(settings.phone_lines),
            on_pages=() if wired.driver is None else wired.driver.lines(),
        )

    def _start_copies(self, place: Path) -> None:
        """Have the log copied now, after each evening, and when the table has written its last entry."""
        copier = Copier(self.settings.data_dir, place, self._reporter("copies"))
        copier.start()
        self._stack.callback(copier.stop)
        self._at_each_evening(lambda _: copier.ask())

    def _at_each_evening(self, do: Callable[[int], None]) -> None:
        """Let *do* happen, on the table's thread, at each evening that begins from now on."""
        evening = self.table.snapshot.evening

        def look(snapshot: Snapshot) -> None:
            nonlocal evening
            if snapshot.evening != evening:
                evening = snapshot.evening
                do(evening)

        self._stack.callback(self.table.subscribe(look))

    def _renew_pin(self, evening: int, server: Server, display: Display) -> None:
        """Give *evening* a PIN of its own; one that cannot be kept holds until the table stops."""
        try:
            renew_pin(self.settings.data_dir, self.access, evening)
        except StoreError as problem:
            _log.warning("%s", translator(self.settings.language)(problem.text))
        self._show_way(server, display)

    def _start_display(self) -> Display:
        display = open_display(self.settings, self._reporter, self._stack)
        self._stack.callback(self.table.subscribe(display.show))
        display.show(self.table.snapshot)
        return display

    def _start_outputs(self, *, simulated: bool) -> None:
        """Let lamps and buzzer follow the table, and those outside hear of it."""
        now = self.table.snapshot
        show, light = open_outputs(self.settings, self._reporter, self._stack, now, simulated=simulated)
        self._stack.callback(self.table.subscribe(show))
        if light is not None:
            self._stack.callback(self.table.lights(light))
        if (wanted := self.settings.neighbours) is not None:
            tell = open_neighbours(wanted, self.settings.language, self._reporter, self._stack, now)
            self._stack.callback(self.table.subscribe(tell))

    def _reporter(self, name: str) -> Report:
        """Return how the device *name* tells its trouble: once on the screens, and once in the log."""
        show = self.table.reporter(name)

        def report(says: Text | None) -> None:
            log_trouble(name, says, self.settings.language)
            show(says)

        return report

    def _start_page(self, display: Display) -> Server:
        """Return the server of the page, begun."""
        from lastnose.web.server.server import Server

        settings = self.settings
        server = Server(
            self.table,
            self.access,
            port=settings.port,
            screen=display,
            names=settings.names,
            wifi=settings.wifi,
            tls=self._certificate(),
            door=self.door,
        )
        self._stack.callback(server.stop)
        server.start()
        return server

    def _certificate(self) -> tuple[Path, Path] | None:
        """Return the page's certificate and its key, looked at before anybody is let in; raise BadInput."""
        tls = self.settings.tls
        if tls is not None:
            from lastnose.companion.system.certificate import must_be_good

            must_be_good(*tls, time.time())
        return tls

    def _look_around(self, server: Server, display: Display) -> None:
        """Show phones the way again when the network has given this machine another address."""
        if server.urls != self.urls:
            self._show_way(server, display)

    def _show_way(self, server: Server, display: Display) -> None:
        self.urls = server.urls
        display.join(join_info(self.urls, self.access, self.settings.wifi))

    def _tell_systemd(self, server: Server) -> None:
        """Say that the table is ready, and go on saying so while judge and page live."""
        systemd = notifier()
        if systemd is None:
            return
        self._stack.callback(systemd.tell, "STOPPING=1")
        said = translator(self.settings.language)(text("The page is at {url}", url=self.urls[-1]))
        systemd.tell("READY=1", f"STATUS={said}")
        heart = Watchdog(systemd, lambda within_s: server.alive and self.table.answers(within_s))
        heart.start()
        self._stack.callback(heart.stop)

    def _start_game_of(self, tape: Tape) -> None:
        """Start the game of a tape; raise a CompanionError when its header does not fit."""
        header = tape.header
        lines = tuple(f"nose.{seat}" for seat in range(1, len(header.players) + 1))
        rearm_s = self.settings.rearm_s if tape.arms_itself else None
        start = Start(header.game, header.players, dict(header.options), lines, rearm_s, teams=tape.teams)
        self.table.submit(start, "tape").result()

    def _obey(self, entry: ArmRecord | MoveRecord) -> None:
        """Do what a tape tells that people did."""
        if isinstance(entry, ArmRecord):
            barred, early, asked_ns = entry.barred, entry.early, entry.asked_ns
            self.table.emit(
                ArmRequest(entry.t_ns, entry.seats, barred=barred, early=early, asked_ns=asked_ns)
            )
        else:
            self.table.submit(wish(entry), "tape").add_done_callback(self._obeyed)

    def _obeyed(self, done: Future[Snapshot]) -> None:
        """Say of a move of the tape that it did not fit."""
        problem = done.exception()
        if isinstance(problem, CompanionError):
            self._reporter("tape")(problem.text)
