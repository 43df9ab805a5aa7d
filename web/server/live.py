"""The live stream: one ASGI endpoint, the newest snapshot wins.

Every message is a whole snapshot or, where the page can put that together, what has changed since the one
before. A viewer who reads slowly skips to the newest snapshot, so nothing piles up; one who has stopped
reading is dropped after a while and finds the newest when it comes back.

A message is put into its form once for all, and handed out some viewers at a time, so that a tap that comes
meanwhile is read in between. All methods but `publish` and `tell_standings` belong to the loop's thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any, NamedTuple, Protocol

import msgspec
from lastnose.companion.core.text import text
from lastnose.companion.i18n import translator
from lastnose.web.hosts import HEADERS
from lastnose.web.language import language_of
from lastnose.web.server.connections import RESERVE, Outlet, Pace
from werkzeug.datastructures import Headers
from werkzeug.sansio.request import Request

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MOST_VIEWERS = 900
AT_ONCE = 25
BUSY = text("Too many ask at once. Try again in a few seconds.")
_FULL_PAGE = (
    '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    '<meta http-equiv="refresh" content="10"><title>Last Nose</title><p>{says}</p>'
)
_GUARD = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    *_GUARD,
]


LookIn = Callable[[Scope, dict[str, str]], AbstractContextManager[Callable[[], str]]]


class StreamMessage(NamedTuple):
    """A message of the stream, as it is, and as a chunk of an answer by HTTP/1.1 (RFC 9112, 7.1)."""

    plain: bytes
    chunk: bytes


def framed(plain: bytes) -> StreamMessage:
    """Return a message in both forms.

    >>> framed(b"data: 0123456789\\n\\n").chunk
    b'12\\r\\ndata: 0123456789\\n\\n\\r\\n'
    """
    return StreamMessage(plain, b"%x\r\n%b\r\n" % (len(plain), plain))


_HELLO = b"retry: 1000\n\n"


class Viewer:
    """One open stream: what it has been shown, and whether it waits for something newer."""

    def __init__(
        self,
        language: str,
        outlet: Outlet | None,
        *,
        chunked: bool,
        plays: bool,
        now_s: float,
        standing: Callable[[], str] = str,
    ) -> None:
        self.language = language
        self.outlet = outlet
        self.chunked = chunked
        self.plays = plays
        self.news = asyncio.Event()
        self.waits = False
        self.shown: Shown | None = None
        self.standing = standing
        self.told = ""
        self.sent_at_s = now_s
        self.share = 0.8 + 0.2 * random.random()  # of the time between two signs of life: not all at once
        self.writing_since_s: float | None = None
        self.gone = False

    def wake(self) -> None:
        """Tell the viewer that there is something newer."""
        self.news.set()

    @property
    def takes(self) -> bool:
        """Return whether a message can be handed over now, between two of its own."""
        return self.waits and not self.gone and self.outlet is not None and self.outlet.free

    def hand(self, frame: StreamMessage) -> None:
        """Write *frame*; only who `takes` something."""
        assert self.outlet is not None
        self.outlet.push(frame.chunk if self.chunked else frame.plain)
        self.sent_at_s = time.monotonic()


class Shown(Protocol):
    """What is streamed: everything that a page shows, with the log number it rests on."""

    @property
    def seq(self) -> int:
        """Return that number, 0 before the first event."""


class Frames(Protocol):
    """Encodes what is streamed.

    One with `parts` streams each of these alone, too, to who asks for it: its language is then "en/part".
    """

    def state(self, snapshot: Any, language: str) -> bytes:
        """Return *snapshot* as JSON in *language*."""

    def change(self, before: Any, snapshot: Any, language: str) -> bytes | None:
        """Return what makes *snapshot* of *before*, as JSON in *language*; None: it is to be sent whole."""


class Hub:
    """Every open stream, and the newest snapshot for all of them.

    *look_in* is entered as long as a page is open; it gives what tells what that page may do. *outlet* finds
    the connection that a request's `client` names. *most* may watch, and `RESERVE` more of those that
    *at_home* says belong to the table.
    """

    def __init__(
        self,
        views: Frames,
        outlet: Callable[[object], Outlet | None],
        *,
        pace: Pace | None = None,
        most: int = MOST_VIEWERS,
        at_home: Callable[[Scope, dict[str, str]], bool] = lambda scope, headers: False,
        look_in: LookIn = lambda scope, headers: nullcontext(str),
    ) -> None:
        self._views = views
        self._outlet = outlet
        self._pace = pace or Pace()
        self._most = most
        self._at_home = at_home
        self._look_in = look_in
        self._loop: asyncio.AbstractEventLoop | None = None
        self._latest: Shown | None = None
        self._viewers: set[Viewer] = set()
        self._due: dict[Viewer, None] = {}
        self._frames: dict[str, tuple[Shown, StreamMessage]] = {}
        self._changes: dict[str, tuple[Shown, Shown, StreamMessage]] = {}
        self._closing = False

    @property
    def viewers(self) -> int:
        """Return how many streams are open."""
        return len(self._viewers)

    def publish(self, snapshot: Shown) -> None:
        """Show *snapshot* to everybody soon. For any thread; never waits."""
        # The table's thread must never wait for a viewer: it leaves the newest here, and the loop takes it
        # when it can. Two that come before it does are one message, of the later.
        self._latest = snapshot
        self.tell_standings()

    def tell_standings(self) -> None:
        """Tell every page what it may do now, if that has changed. For any thread; never waits."""
        if self._loop is not None:
            # The loop may close at this very moment: then nobody is left to see it.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._show_all)

    async def run(self) -> None:
        """Keep the streams alive until cancelled."""
        self._loop = asyncio.get_running_loop()
        self._show_all()
        while True:
            await asyncio.sleep(self._pace.tick_s)
            self._look_after()

    def close(self) -> None:
        """End every stream."""
        self._closing = True
        for viewer in tuple(self._viewers):
            self._end(viewer)

    def _show_all(self) -> None:
        """Begin to show everybody what is new, those who play first."""
        # Who still waited for the one before gets this one in its place.
        under_way = bool(self._due)
        self._due = dict.fromkeys(sorted(self._viewers, key=lambda viewer: not viewer.plays))
        if not under_way:
            self._show_some()

    def _show_some(self) -> None:
        """Show some what is new, and let the others wait until what came in meanwhile has been read."""
        for viewer in tuple(islice(self._due, AT_ONCE)):
            del self._due[viewer]
            self._show(viewer)
        if self._due:
            # Behind whatever the loop has to read already: nine hundred writes in one go would hold up a
            # player's tap.
            asyncio.get_running_loop().call_soon(self._show_some)

    def _show(self, viewer: Viewer) -> None:
        """Hand over what is new, or, where that has to wait, let the viewer's own task do it."""
        # A reader whose socket is full, or who is being written to by its own task, is not written to from
        # here as well: two writers would mix their bytes. Its task finds the newest when it gets on, and
        # skips what was between.
        if not viewer.takes:
            viewer.wake()
            return
        while (frame := self._next(viewer)) is not None:
            viewer.hand(frame)

    def _look_after(self) -> None:
        """Drop who has stopped reading; send a sign of life to who has heard nothing for long."""
        now_s = time.monotonic()
        for viewer in tuple(self._viewers):
            writing_since_s = viewer.writing_since_s
            if writing_since_s is not None:
                # One write that does not end: a phone that was carried out of reach still has a connection
                # for a quarter of an hour, as far as TCP knows.
                if now_s - writing_since_s > self._pace.patience_s:
                    self._end(viewer)
            elif self._is_due(viewer):
                self._show(viewer)

    def _is_due(self, viewer: Viewer) -> bool:
        """Return whether *viewer* has heard nothing for so long that it gets a sign of life."""
        return time.monotonic() - viewer.sent_at_s > self._pace.heartbeat_s * viewer.share

    def _end(self, viewer: Viewer) -> None:
        viewer.gone = True
        viewer.wake()
        # Its task hangs in a write and hears nothing of `gone`: only the end of its connection lets it go.
        if viewer.writing_since_s is not None and viewer.outlet is not None:
            viewer.outlet.end()

    def _frame(self, snapshot: Shown, language: str) -> StreamMessage:
        # By identity: a snapshot is never changed, and most viewers of a language are sent the same bytes.
        found = self._frames.get(language)
        if found is None or found[0] is not snapshot:
            number = b"id: %d\n" % snapshot.seq if snapshot.seq else b""
            found = snapshot, framed(number + b"data: " + self._views.state(snapshot, language) + b"\n\n")
            self._frames[language] = found
        return found[1]

    def _change(self, before: Shown | None, snapshot: Shown, language: str) -> StreamMessage:
        """Return the message for who has *before*: what has changed since, or everything."""
        if before is None:
            return self._frame(snapshot, language)
        # Nearly all have the same one before; whoever lags has another, gets one of its own, and the next in
        # line has it made again: rare, and cheaper than to keep them all.
        found = self._changes.get(language)
        if found is None or found[0] is not before or found[1] is not snapshot:
            changed = self._views.change(before, snapshot, language)
            if changed is None:
                return self._frame(snapshot, language)
            found = before, snapshot, framed(b"event: change\ndata: " + changed + b"\n\n")
            self._changes[language] = found
        return found[2]

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for `/events`: stream until the reader goes, or is dropped, or the hub closes."""
        headers = headers_of(scope)
        if scope["method"] != "GET":
            await plain_answer(send, 405)
        elif self._closing or not self._has_room(scope, headers):
            await busy_answer(scope, send)
        else:
            with self._look_in(scope, headers) as standing:
                viewer = Viewer(
                    self._read_as(request_of(scope)),
                    self._outlet(scope["client"]),
                    chunked=scope["http_version"] == "1.1",
                    plays=self._at_home(scope, headers),
                    now_s=time.monotonic(),
                    standing=standing,
                )
                await self._stream(viewer, receive, send)

    def _read_as(self, asking: Request) -> str:
        """Return the language of who asks, with the part of what is shown that alone they want to have."""
        part = asking.args.get("part", "")
        found = language_of(asking)
        return f"{found}/{part}" if part in getattr(self._views, "parts", ()) else found

    def _has_room(self, scope: Scope, headers: dict[str, str]) -> bool:
        watching = len(self._viewers)
        return watching < self._most or (watching < self._most + RESERVE and self._at_home(scope, headers))

    async def _stream(self, viewer: Viewer, receive: Receive, send: Send) -> None:
        self._viewers.add(viewer)
        watch = asyncio.create_task(_until_gone(viewer, receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await self._feed(viewer, send)
        finally:
            self._viewers.discard(viewer)
            self._due.pop(viewer, None)
            watch.cancel()

    async def _feed(self, viewer: Viewer, send: Send) -> None:
        await self._write(viewer, send, _HELLO + _beat())
        while not viewer.gone:
            frame = self._next(viewer)
            if frame is not None:
                await self._write(viewer, send, frame.plain)
            else:
                viewer.waits = True
                await viewer.news.wait()
                viewer.waits = False
                viewer.news.clear()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _next(self, viewer: Viewer) -> StreamMessage | None:
        """Return what *viewer* is to be sent now, and note that it was; None: it has everything."""
        latest, before = self._latest, viewer.shown
        if latest is not None and latest is not before:
            viewer.shown = latest
            return self._change(before, latest, viewer.language)
        # After the snapshot, never before: what a page may do is about what it shows.
        if (standing := viewer.standing()) != viewer.told:
            viewer.told = standing
            return framed(b"event: you\ndata: %s\n\n" % standing.encode())
        return framed(_beat()) if self._is_due(viewer) else None

    async def _write(self, viewer: Viewer, send: Send, body: bytes) -> None:
        viewer.writing_since_s = time.monotonic()
        await send({"type": "http.response.body", "body": body, "more_body": True})
        viewer.writing_since_s = None
        viewer.sent_at_s = time.monotonic()


def _beat() -> bytes:
    """Return a sign of life with our wall time in ms; an event of its own: a page does not see comments."""
    return b"event: beat\ndata: %d\n\n" % round(time.time() * 1000)


async def _until_gone(viewer: Viewer, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.gone = True
    viewer.wake()


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers of an ASGI request, names in lower case."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def request_of(scope: Scope) -> Request:
    """Return an ASGI request, but for its body, as werkzeug reads it."""
    headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]])
    path, query = scope["path"], scope["query_string"]
    return Request(scope["method"], scope["scheme"], scope["server"], "", path, query, headers, None)


async def busy_answer(scope: Scope, send: Send) -> None:
    """Say that there is no room for one more, in the reader's language, and end the connection."""
    headers = headers_of(scope)
    says = translator(language_of(request_of(scope)))(BUSY)
    if scope["path"].startswith("/api/"):
        body, kind = msgspec.json.encode({"error": says, "rule": None}), b"application/json"
    elif "text/html" in headers.get("accept", ""):
        body, kind = _FULL_PAGE.format(says=says).encode(), b"text/html; charset=utf-8"
    else:
        body, kind = says.encode() + b"\n", b"text/plain; charset=utf-8"
    await plain_answer(send, 503, body, kind, ((b"retry-after", b"10"), (b"connection", b"close")))


async def plain_answer(
    send: Send,
    status: int,
    body: bytes = b"",
    content_type: bytes = b"text/plain; charset=utf-8",
    more: tuple[tuple[bytes, bytes], ...] = (),
) -> None:
    """Send a whole small answer, with *more* headers."""
    headers = [
        *more,
        (b"content-type", content_type),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        *_GUARD,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
