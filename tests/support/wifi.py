"""A Wi-Fi between a page and its table that can die without a word: connections stay open, nothing comes."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

BYTES = 65536


class SilentWifi:
    """Forwards whatever comes to its own `port` to *server_port* of this machine, until it is `stalled`.

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
        while said := one.recv(BYTES):
            if dead.is_set():
                return
            other.sendall(said)
        other.shutdown(socket.SHUT_WR)
