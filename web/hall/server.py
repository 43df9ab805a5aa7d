"""The web server of a hall: its pages, its API and its live stream."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text
from lastnose.companion.i18n import translator
from lastnose.companion.link.hub import Hall
from lastnose.web.access import Access
from lastnose.web.language import language_of
from lastnose.web.server.addresses import listen
from lastnose.web.server.application import Application
from lastnose.web.server.page_server import PageServer
from werkzeug.datastructures import Headers
from werkzeug.sansio.request import Request

PATIENCE_S = 0.5  # a start that takes longer says how far it is
PAGE = """<!DOCTYPE html><html lang="{lang}"><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<meta name="viewport" content="width=device-width"><title>Last Nose</title>
<body style="font:1.5rem system-ui;text-align:center;padding:4rem 1rem">
<p>{says}</p><progress max="100" value="{percent}"></progress>"""


class ReadingPage:
    """What is served at *port* while an event is read: how far that is. `close` makes room for its pages."""

    def __init__(self, port: int, *, lan: bool, now_s: Callable[[], float] = time.monotonic) -> None:
        self._port, self._lan, self._now_s = port, lan, now_s
        self._since_s = now_s()
        self._percent = 0
        self._servers: list[ThreadingHTTPServer] = []

    def told(self, done: int, of: int) -> None:
        """Take that *done* of so many tables have been read."""
        self._percent = 100 * done // max(1, of)
        if not self._servers and self._port and self._now_s() - self._since_s > PATIENCE_S:
            try:
                self._open()
            except DeviceError:  # it is said when the pages themselves are opened
                self._port = 0

    def _open(self) -> None:
        for one in listen(self._port, lan=self._lan):
            made = ThreadingHTTPServer(("", 0), self._handler(), bind_and_activate=False)
            made.socket.close()
            made.socket = one
            threading.Thread(target=made.serve_forever, args=(0.1,), name="reading", daemon=True).start()
            self._servers.append(made)

    def close(self) -> None:
        """End; may be called twice."""
        for one in self._servers:
            one.shutdown()
            one.server_close()
        self._servers = []

    def page(self, spoken: str) -> bytes:
        """Return the page in the language *spoken*."""
        says = translator(spoken)(text("Reading the event: {n} %", n=self._percent))
        return PAGE.format(lang=spoken, says=escape(says), percent=self._percent).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self.page

        class Handler(BaseHTTPRequestHandler):
            timeout = 5  # of who says nothing

            def do_GET(self) -> None:
                body = page(_language(self))
                self.send_response(503)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Retry-After", "1")
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing of single requests."""

        return Handler


def _language(asked: BaseHTTPRequestHandler) -> str:
    """Return the language of who has *asked*, as the pages have it."""
    path, _, query = asked.path.partition("?")
    sent = Headers([*asked.headers.items()])
    return language_of(Request("GET", "http", None, "", path, query.encode("latin-1"), sent, None))


class HallServer(PageServer):
    """Serves *hall*; *engine* tells the message server's address for who reaches us under a host name."""

    def __init__(
        self,
        hall: Hall,
        access: Access,
        *,
        port: int,
        engine: Callable[[str], str],
        names: tuple[str, ...] = (),
    ) -> None:
        super().__init__(access, port=port, names=names)
        self._hall = hall
        self._engine = engine

    @property
    def join_address(self) -> str | None:
        """What a QR code carries so that an organiser's phone may join."""
        address = self._join_address()
        return f"{address}#{self._access.secret}" if address is not None else None

    def _build(self) -> Application:
        from lastnose.web.hall.pages import create_hall_app

        app = create_hall_app(
            self._hall,
            self._access,
            engine=self._engine,
            address=lambda: self.urls[1] if len(self.urls) > 1 else None,
            names=self._names,
            cookie=f"lastnose-hall-{self.port}",
        )
        application = self._application(app, app.extensions["lastnose.hall"])
        stream = self._hub
        assert stream is not None
        self._listening.callback(self._hall.subscribe(stream.publish))
        stream.publish(self._hall.view)
        return application
