"""A message server that is a list, which loses what it is told to lose; `now` asks it without a loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import msgspec
from lastnose.companion.link import wire
from lastnose.companion.link.uplink import WRONG_LAST


class Server:
    """A message server with one stream, as far as a table's sender and the hub's reader ask for anything."""

    def __init__(self) -> None:
        self.created, self.number = "1", 1
        self.stream: list[Any] = []  # with None for what was dropped
        self.loses = ""  # "request" or "answer", of the next messages but so many
        self.after = 0
        self.upto = 0  # how many messages the reader gets before its connection breaks
        self.skips = 0  # which of them is lost on its way
        self.is_connected = False  # it breaks as soon as there is nothing more
        self._deliver: Callable[[Any], Awaitable[None]]

    def begun_again(self) -> None:
        """Another stream is there, with nothing in it."""
        self.number += 1
        self.created, self.stream = str(self.number), []

    def newest(self, subject: str) -> int:
        """Return the number of the newest message of *subject*, 0 for none."""
        there = (n for n in range(len(self.stream), 0, -1) if self.stream[n - 1] is not None)
        return next((n for n in there if self.stream[n - 1].subject == subject), 0)

    def keep(self, subject: str, payload: bytes, headers: dict[str, str]) -> int:
        """Keep a message, and return its number."""
        self.stream.append(SimpleNamespace(subject=subject, data=payload, headers=headers))
        return len(self.stream)

    async def request(
        self, subject: str, payload: bytes, timeout: float, headers: dict[str, str] | None = None
    ) -> Any:
        """Answer as the server does."""
        if ".DIRECT.GET." in subject:
            n = self.newest(subject.split(".", 5)[5])
            if not n:
                return SimpleNamespace(headers={"Status": "404"}, data=b"")
            found = self.stream[n - 1]
            return SimpleNamespace(headers={**found.headers, "Nats-Sequence": str(n)}, data=found.data)
        if ".STREAM.INFO." in subject:
            return self._says({"created": self.created, "state": {"last_seq": len(self.stream)}})
        if ".CONSUMER.CREATE." in subject:
            await self._send(msgspec.json.decode(payload)["config"]["opt_start_seq"])
            return self._says({})
        assert headers is not None
        return self._take(subject, payload, headers)

    def _take(self, subject: str, payload: bytes, headers: dict[str, str]) -> Any:
        loses = self.loses if not self.after else ""
        self.after -= 1
        if loses == "request":
            raise TimeoutError
        if str(self.newest(subject)) != headers[wire.EXPECTED]:
            return self._says({"error": {"err_code": WRONG_LAST}})
        n = self.keep(subject, payload, headers)
        if loses == "answer":
            raise TimeoutError
        return self._says({"seq": n})

    def _says(self, what: dict[str, Any]) -> Any:
        return SimpleNamespace(data=msgspec.json.encode(what))

    async def _send(self, start: int) -> None:
        sent = [n for n in range(start, len(self.stream) + 1) if self.stream[n - 1] is not None]
        for at, n in enumerate(sent[: self.upto], 1):
            if at != self.skips:
                reply = f"$JS.ACK.S.c.1.{n}.{at}.0.0"
                await self._deliver(SimpleNamespace(**vars(self.stream[n - 1]), reply=reply))

    def new_inbox(self) -> str:
        """Return where the reader is sent to."""
        return "inbox"

    async def subscribe(self, inbox: str, cb: Callable[[Any], Awaitable[None]]) -> None:
        """Send to *cb*."""
        self._deliver = cb


def now(asked: Any) -> Any:
    """Return what comes of *asked*, for which nothing has to be waited."""
    try:
        asked.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


async def at_once(*wanted: object) -> None:
    """Rest for no time."""
