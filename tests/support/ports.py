"""A port that the system gives to nobody else meanwhile, and a server that takes what is posted to it."""

from __future__ import annotations

import http.server
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RANGE = (20_000, 32_000)  # below what Linux gives to whoever asks for any port


def free_port() -> int:
    """Return a port that nobody listens on."""
    while True:
        number = random.SystemRandom().randint(*RANGE)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", number))
            except OSError:
                continue
            return number


@contextmanager
def post_server(answer: Callable[[http.server.BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """Serve POST with *answer* on this machine; give the address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{made.server_port}/hook"
        finally:
            made.shutdown()
            thread.join()
