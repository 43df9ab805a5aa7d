"""A network that dies without a word, with a page at one end and the table's server at the other."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from lastnose.companion.evening.commands import Start

from tests.support.streams import eventually
from tests.support.tables import served
from tests.web.browser.conftest import PHONE, Visits

WITHIN_S = 120


class SilentWifi:
    """A Wi-Fi that forwards what comes to its own `port` to *server_port* of this machine, until `stall`.

    What was open when it stalled, or was opened since, stays dead, as when a phone changes its network.
    """

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._dead = threading.Event()
        self._open: list[socket.socket] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def stall(self) -> None:
        """Let nothing through any more, and close nothing."""
        self._dead.set()

    def recover(self) -> None:
        """Let through what is opened from now on."""
        self._dead = threading.Event()

    def close(self) -> None:
        """Close everything, also what a phone opens at this very moment."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        for one in (self._listening, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._listening.accept()
                self._open.append(phone)
                table = socket.create_connection(("127.0.0.1", self._server_port))
                self._open.append(table)
                for one, other in ((phone, table), (table, phone)):
                    threading.Thread(target=_pump, args=(one, other, self._dead), daemon=True).start()


def _pump(one: socket.socket, other: socket.socket, dead: threading.Event) -> None:
    """Pass on what *one* says to *other*, as long as the network is not *dead*."""
    with suppress(OSError):
        while said := one.recv(65536):
            if dead.is_set():
                return
            other.sendall(said)
        other.shutdown(socket.SHUT_WR)


def test_a_page_whose_network_died_in_silence_says_so_and_catches_up(visit: Visits) -> None:
    """No error reaches the browser: 12 s after the last sign of life it gives up, and goes on trying."""
    with served(("nose.1", "nose.2", "nose.3")) as evening:
        wifi = SilentWifi(evening.server.port)
        try:
            page = visit("about:blank", may_complain=True, **PHONE).page
            page.clock.install()
            page.goto(f"http://127.0.0.1:{wifi.port}/")
            assert eventually(lambda: 1 == evening.server.viewers)
            lost = page.get_by_text("Not connected. Trying again…")
            wifi.stall()
            page.clock.run_for(13_000)
            lost.wait_for()
            evening.table.submit(Start("pig", ("North", "East", "South")), "test").result(WITHIN_S)
            page.clock.run_for(13_000)  # what was tried meanwhile hangs too
            assert lost.is_visible()
            assert 0 == page.get_by_text("North").count()
            wifi.recover()
            page.clock.run_for(13_000)
            lost.wait_for(state="detached")
            page.get_by_text("North").first.wait_for(state="attached")
        finally:
            visit.close()
            wifi.close()
