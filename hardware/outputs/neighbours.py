"""The outward port: whoever listens outside hears what screens show, and never delays or hurts the table.

What belongs to the table's thread is one entry in a bounded list; all else is done on threads that there are
only where somebody listens. By HTTP listen signed web hooks, and the variables and buttons of Bitfocus
Companion. Of an address only the host is ever said: the rest of it may be a secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from io import BufferedReader, IOBase, RawIOBase
from socket import socket
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

import msgspec
from lastnose.companion import __version__
from lastnose.companion.config.neighbours import CompanionSettings, HookSettings
from lastnose.companion.core.errors import CompanionError, reason
from lastnose.companion.core.ports import Output, Report, TableNews
from lastnose.companion.core.text import Text, text
from lastnose.companion.system import host_clock
from lastnose.companion.views.news import is_corrected, kinds, news, values
from lastnose.companion.views.snapshot import Snapshot
from lastnose.hardware.outputs.worker import SECOND_NS, Worker

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST_HEARD = 500  # snapshots that wait to be told; of more than that the oldest are passed over


class OutwardPort:
    """Tells *outputs* (by name) what happens at the table called *table*, from the snapshot *now* on.

    *say* puts texts into the table's language; *reporter* says how an output tells its trouble. An output
    that raises has had that news: it is told the next one, and what is wrong is said once.
    """

    def __init__(
        self,
        outputs: Mapping[str, Output],
        now: Snapshot,
        *,
        table: str,
        say: Callable[[Text], str],
        reporter: Callable[[str], Report],
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        self._outputs = outputs
        self._table, self._say, self._wall_s = table, say, wall_s
        self._reports = {name: reporter(name) for name in outputs}
        self._failed: dict[str, Text] = {}
        self._before: Snapshot | None = None
        self._heard: deque[tuple[float, Snapshot]] = deque(maxlen=MOST_HEARD)
        self._heard.append((wall_s(), now))
        self._worker = Worker("neighbours", self._step, self._end)

    def hear(self, snapshot: Snapshot) -> None:
        """Take what the table shows now; called on the table's thread."""
        self._heard.append((self._wall_s(), snapshot))
        self._worker.wake()

    def close(self) -> None:
        """Tell nobody any more, and let the outputs go."""
        self._worker.close()

    def _step(self, _: int) -> None:
        while self._heard:
            at, now = self._heard.popleft()
            before, self._before = self._before, now
            for kind in ("standings",) if before is None else kinds(before, now):
                corrected = kind == "verdict" and before is not None and is_corrected(before, now)
                told = news(kind, now, at=at, table=self._table, say=self._say, corrected=corrected)
                for name, output in self._outputs.items():
                    self._tell(name, partial(output.tell, told))

    def _end(self) -> None:
        for name, output in self._outputs.items():
            self._tell(name, output.close)

    def _tell(self, name: str, do: Callable[[], None]) -> None:
        """Do it, whatever another package's output may raise: the table has to go on."""
        try:
            do()
        except Exception as error:
            why = error.text if isinstance(error, CompanionError) else reason(error)
            says = text("The output {name} does not take what it is told: {why}", name=name, why=why)
            if self._failed.get(name) != says:
                self._failed[name] = says
                self._reports[name](says)
        else:
            if self._failed.pop(name, None) is not None:
                self._reports[name](None)


# ---- by HTTP

ANSWER_S = 5.0
PIECE_BYTES = 8192  # so much at most is read at once, under one look at the clock
MOST_WAITING = 200  # deliveries of a hook; of more than that the oldest are given up
MOST_TRIES = 8  # of one delivery, 1, 2, 4 … s apart: about two minutes
MOST_PRESSES = 20
OVERLOADED = (408, 425, 429)  # answers after which the same is tried again, as after each 5xx

_now_s = time.monotonic

Post = Callable[[str, bytes, Mapping[str, str]], int]
WorkerMaker = Callable[[str, Callable[[int], int | None], Callable[[], None]], Worker]


class _NoRedirect(HTTPRedirectHandler):
    """What is signed for one address is not carried to another."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


class _InTime(RawIOBase):
    """What comes through *sock*, which *closes* with it, until the time for an answer is over."""

    def __init__(self, sock: socket, closes: IOBase) -> None:
        self._sock, self._closes, self._until_s = sock, closes, _now_s() + ANSWER_S

    def readable(self) -> bool:
        """It is only read."""
        return True

    def readinto(self, into: WriteableBuffer) -> int:
        """Read what has come, and wait for it; raise TimeoutError."""
        left_s = self._until_s - _now_s()
        if left_s <= 0:
            raise TimeoutError("timed out")
        self._sock.settimeout(left_s)
        return self._sock.recv_into(into)

    def close(self) -> None:
        """Let the socket go."""
        self._closes.close()
        super().close()


class _Answer(HTTPResponse):
    """One that has to be there in time, not each byte of it: a host that trickles holds nobody up."""

    def __init__(self, sock: socket, *about: Any, **more: Any) -> None:
        super().__init__(sock, *about, **more)
        self.fp = BufferedReader(_InTime(sock, self.fp), PIECE_BYTES)


class _Http(HTTPConnection):
    response_class = _Answer


class _Https(HTTPSConnection):
    response_class = _Answer


class _HttpHandler(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_Http, req)


class _HttpsHandler(HTTPSHandler):
    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_Https, req)


_OPENER = build_opener(_NoRedirect, _HttpHandler, _HttpsHandler)


class Unreachable(CompanionError):
    """Nobody answered, or nobody is let in; `text` says why, as part of a sentence."""


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post *body* to *url* and return the status of the answer; raise Unreachable without one."""
    asks = Request(url, body, {"User-Agent": f"lastnose/{__version__}", **headers})
    try:
        with _OPENER.open(asks, timeout=ANSWER_S) as answer:
            return int(answer.status)
    except HTTPError as refusal:
        refusal.close()
        return refusal.code
    except (OSError, HTTPException, ValueError) as problem:
        why = getattr(problem, "reason", problem)
        said = reason(why) if isinstance(why, Exception) else str(why)
        raise Unreachable(Text("{why}", {"why": said})) from None


def signature(secret: str, identity: str, at_s: int, body: bytes) -> str:
    """Return what proves that *body* is ours: HMAC-SHA256 as the Standard Webhooks have it.

    A secret with `whsec_` in front is base64, any other is taken as it is written.

    >>> signature("sixteen letters!", "7-verdict", 1_800_000_000, b"{}")
    'v1,4ISEYuQaC23IVkwd7mjBxvyDtH3dsT/N6yPufu5ExYY='
    """
    bare = secret.removeprefix("whsec_")
    key = secret.encode() if bare == secret else base64.b64decode(bare)
    digest = hmac.digest(key, f"{identity}.{at_s}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


class _Delivery(NamedTuple):
    identity: str
    body: bytes
    tries: int = 0


class HookOutput:
    """Posts news to a web hook, in order, each until it is taken, refused or given up; an `Output`.

    Its *number* is its place in the file of neighbours: two may be of one host.
    """

    def __init__(
        self,
        settings: HookSettings,
        *,
        report: Report,
        number: int = 1,
        post: Post = post,
        wall_s: Callable[[], float] = time.time,
        clock_ns: Callable[[], int] = host_clock.now_ns,
        works: WorkerMaker = Worker,
    ) -> None:
        self._settings, self._report, self._post, self._wall_s = settings, report, post, wall_s
        self._clock_ns = clock_ns
        self._name = f"Webhook {number} ({urlsplit(settings.url).hostname or ''})"
        self._waiting: deque[_Delivery] = deque(maxlen=MOST_WAITING)
        self._due_ns = 0
        self._said: Text | None = None
        self._worker = works("hook", self.step, lambda: None)

    def tell(self, news: TableNews) -> None:
        """Queue *news* if the hook asks for its kind."""
        if news.event_type in self._settings.events:
            self._waiting.append(_Delivery(news.id, msgspec.json.encode(news)))
            self._worker.wake()

    def close(self) -> None:
        """Deliver nothing any more."""
        self._worker.close()

    def step(self, now_ns: int) -> int | None:
        """Deliver what is due; return when to come again, None for when there is more."""
        if now_ns < self._due_ns:
            return self._due_ns
        began_ns = self._clock_ns()
        while self._waiting:
            one = self._waiting.popleft()
            trouble, again = self._delivered(one)
            self._tell_of(trouble)
            if trouble is None or not again or one.tries + 1 == MOST_TRIES:
                continue
            if len(self._waiting) < MOST_WAITING:  # else it is the oldest of too many
                self._waiting.appendleft(one._replace(tries=one.tries + 1))
            # From now on: who does not answer has taken seconds already.
            self._due_ns = now_ns + self._clock_ns() - began_ns + 2**one.tries * SECOND_NS
            return self._due_ns
        return None

    def _delivered(self, one: _Delivery) -> tuple[Text | None, bool]:
        """Try to deliver *one*; return what was wrong, None for nothing, and whether to try again."""
        at_s = int(self._wall_s())
        headers = {
            **self._settings.headers,
            "Content-Type": "application/json",
            "webhook-id": one.identity,
            "webhook-timestamp": str(at_s),
            "webhook-signature": signature(self._settings.secret, one.identity, at_s, one.body),
        }
        try:
            status = self._post(self._settings.url, one.body, headers)
        except Unreachable as problem:
            return self._unreachable(problem.text), True
        if 200 <= status < 300:
            return None, False
        says = self._unreachable(text("it answers {status}", status=status))
        return says, status >= 500 or status in OVERLOADED

    def _unreachable(self, why: Text | str) -> Text:
        return text("{host} cannot be reached: {why}.", host=self._name, why=why)

    def _tell_of(self, trouble: Text | None) -> None:
        if trouble != self._said:
            self._said = trouble
            self._report(trouble)


class CompanionOutput:
    """Sets Companion's custom variables to what the table shows, and presses its buttons; an `Output`.

    A variable that Companion does not have is one that nobody wants. Values wait until they can be had, the
    newest wins; a press is tried once: later it would be a surprise.
    """

    def __init__(
        self,
        settings: CompanionSettings,
        *,
        report: Report,
        post: Post = post,
        clock_ns: Callable[[], int] = host_clock.now_ns,
        works: WorkerMaker = Worker,
    ) -> None:
        self._settings, self._report, self._post = settings, report, post
        self._clock_ns = clock_ns
        self._base = settings.url.rstrip("/")
        self._host = urlsplit(settings.url).hostname or ""
        self._wanted: dict[str, str] = {}
        self._shown: dict[str, str | None] = {}  # None: it may have begun again meanwhile, and have none
        self._presses: deque[str] = deque(maxlen=MOST_PRESSES)
        self._tries = 0
        self._due_ns = 0
        self._said: Text | None = None
        self._worker = works("companion", self.step, lambda: None)

    def tell(self, news: TableNews) -> None:
        """Take the values of *news*, and the button that it presses."""
        self._wanted = {name.replace("/", "_"): value for name, value in values(news).items()}
        self._wanted["event"] = news.event_type
        place = self._settings.press.get(news.event_type)
        if place is not None:
            self._presses.append(place)
        self._worker.wake()

    def close(self) -> None:
        """Set nothing any more."""
        self._worker.close()

    def step(self, now_ns: int) -> int | None:
        """Set what has changed, then press; return when to come again, None for when there is more."""
        presses = [self._presses.popleft() for _ in range(len(self._presses))]
        if now_ns < self._due_ns and not presses:
            return self._due_ns
        began_ns = self._clock_ns()
        try:
            self._set(dict(self._wanted))
            for place in presses:
                self._check(self._post(f"{self._base}/api/location/{place}/press", b"", {}))
        except Unreachable as problem:
            self._tell_of(
                text("{host} cannot be reached: {why}.", host=f"Companion ({self._host})", why=problem.text)
            )
            self._shown = dict.fromkeys(self._shown)
            self._tries += 1
            self._due_ns = now_ns + self._clock_ns() - began_ns + 2 ** min(self._tries, 6) * SECOND_NS
            return self._due_ns
        self._tries, self._due_ns = 0, 0
        self._tell_of(None)
        return None

    def _set(self, wanted: dict[str, str]) -> None:
        for name in self._shown.keys() - wanted.keys():
            wanted[name] = ""  # a seat that nobody has any more
        for name, value in wanted.items():
            if self._shown.get(name) != value:
                url = f"{self._base}/api/custom-variable/{self._settings.prefix}{name}/value"
                self._check(self._post(url, value.encode(), {"Content-Type": "text/plain; charset=utf-8"}))
                self._shown[name] = value

    def _check(self, status: int) -> None:
        """Raise Unreachable for an answer that lets nothing in; 404 is a variable that nobody made."""
        if status == 403:
            raise Unreachable(text("HTTP is off in its settings"))
        if status >= 500:
            raise Unreachable(text("it answers {status}", status=status))

    def _tell_of(self, trouble: Text | None) -> None:
        if trouble != self._said:
            self._said = trouble
            self._report(trouble)
