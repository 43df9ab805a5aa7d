"""Flask's answer to a request, worked out on a thread; when the server has ended it goes nowhere."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from a2wsgi.wsgi import WSGIResponder

_MOST_PARTS = 1000  # of an answer that wait to be sent


class FlaskAnswer(WSGIResponder):
    """The answer to one request. To be made on the server's loop."""

    loop: asyncio.AbstractEventLoop

    def __init__(self, flask_app: Any, pool: ThreadPoolExecutor) -> None:
        super().__init__(flask_app, pool, _MOST_PARTS)

    def send(self, message: Any) -> None:
        """Hand a part over to the loop, from the thread; one that has ended would complain at exit."""
        if not self.loop.is_closed():
            super().send(message)
