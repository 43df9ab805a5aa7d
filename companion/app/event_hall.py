"""Wires a hall together: its store, the hub, the message server, the pages."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import msgspec

from companion.hall.engine import PORT, is_number, must_be_safe_to_join, must_not_be_open
from companion.hall.hub import Hall
from companion.hall.service import HallService, event_of
from companion.hall.store import HallStore
from web.access import Access
from web.access_files import open_access
from web.hall.server import HallServer
from web.server.addresses import interface_addresses


class HallSettings(msgspec.Struct, frozen=True):
    """Everything that `lastnose hall run` was asked for.

    `engine` is a message server that runs already, None to run one on `engine_port`; `tls` certificate and
    key for that.
    """

    folder: Path
    port: int = 8100
    lan: bool = True
    engine: str | None = None
    engine_port: int = PORT
    replicas: int = 1
    tls: tuple[Path, Path] | None = None
    names: tuple[str, ...] = ()


class HallApp:
    """A running hall. `start` returns the addresses of its pages; `stop` releases everything."""

    def __init__(self, settings: HallSettings) -> None:
        self.settings = settings
        self._stack = ExitStack()
        self.hall: Hall
        self.access: Access
        self.server: HallServer
        self.service: HallService

    def start(self) -> tuple[str, ...]:
        """Open everything; raise a CompanionError, with nothing left open, when something cannot be had."""
        try:
            return self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Close everything in the opposite order; may be called twice."""
        self._stack.close()

    def _start(self) -> tuple[str, ...]:
        made = self.settings
        if made.lan and made.engine is None and made.tls is None:
            must_not_be_open(interface_addresses())
        store = HallStore(made.folder)
        self._stack.callback(store.close)
        if not store.setting("event") and (event := event_of(made.folder)):
            store.keep("event", event)  # with its key alone: all else is in the message server
        self.access = open_access(made.folder, lan=made.lan, now_s=time.monotonic)
        self.hall = Hall(store)
        self.service = HallService(
            made.folder,
            store,
            self.hall,
            address=made.engine,
            host="0.0.0.0" if made.lan else "127.0.0.1",
            port=made.engine_port,
            replicas=made.replicas,
            tls=made.tls,
        )
        self._stack.callback(self.service.stop)
        self.service.start()
        self._stack.callback(self.hall.subscribe(lambda view: self.service.tell_all()))
        self.server = HallServer(
            self.hall, self.access, port=made.port, engine=self.engine_for, names=made.names
        )
        self._stack.callback(self.server.stop)
        return self.server.start()

    def engine_for(self, host: str) -> str:
        """Return the message server's address for a table that reaches our pages under the name *host*.

        Raises BadInput for a number from beyond private addresses when there is no TLS; a name may mean
        another machine there than here.
        """
        made = self.settings
        if made.engine is not None:
            return made.engine
        found = f"{'tls' if made.tls else 'nats'}://{host}:{made.engine_port}"
        if is_number(host):
            must_be_safe_to_join(found)
        return found
