"""The outward port, web hooks and Companion: what is told and tried again, and that no table waits for it."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import http.server
import itertools
import json
import threading
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from lastnose.companion.config.neighbours import CompanionSettings, HookSettings
from lastnose.companion.core.ports import NewsKind, TableNews
from lastnose.companion.core.text import Text, text
from lastnose.companion.views.news import news
from lastnose.hardware.outputs import neighbours
from lastnose.hardware.outputs.neighbours import (
    MOST_TRIES,
    MOST_WAITING,
    CompanionOutput,
    HookOutput,
    OutwardPort,
    Unreachable,
    post,
)

from tests.support.documents import fences
from tests.support.fakes import VERDICT
from tests.support.ports import post_server

WITHIN_S = 120
SECOND_NS = 1_000_000_000
SECRET = "sixteen letters!"
HOOK = HookSettings("https://hooks.example/T0/very-secret", SECRET)
COMPANION = CompanionSettings("http://deck.example:8000/", press={"verdict": "1/0/2"})


def told(kind: NewsKind = "verdict", seq: int = 12) -> TableNews:
    """Return news of a verdict: South was last, by 412 µs."""
    shot = msgspec.structs.replace(VERDICT, seq=seq)
    return news(kind, shot, at=100.0, table="T", say=str)


class Idle:
    """A worker without a thread: tests call the steps, and say what time it is."""

    def __init__(self, *_: object) -> None:
        """Start nothing."""

    def wake(self) -> None:
        """Nobody is woken."""

    def close(self) -> None:
        """Nothing ends."""


class Posted:
    """A host elsewhere: keeps what it is sent; answers with the next of *answers*, then always 204."""

    def __init__(self, *answers: int | str, takes_ns: int = 0) -> None:
        self.answers = list(answers)
        self.takes_ns, self.clock_ns = takes_ns, 0
        self.sent: list[tuple[str, bytes, Mapping[str, str]]] = []

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Take a request; a word as an answer is a network that fails."""
        self.sent.append((url, body, headers))
        self.clock_ns += self.takes_ns
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, str):
            raise Unreachable(text(answer))
        return answer


def a_hook(host: Posted, said: list[Text | None], settings: HookSettings = HOOK) -> HookOutput:
    """Return a hook without a thread, whose clock of the day stands at 1,000.9 s."""
    works: Any = Idle
    return HookOutput(
        settings,
        report=said.append,
        post=host,
        wall_s=lambda: 1_000.9,
        clock_ns=lambda: host.clock_ns,
        works=works,
    )


def a_deck(host: Posted, said: list[Text | None]) -> CompanionOutput:
    """Return what tells Companion, without a thread."""
    works: Any = Idle
    return CompanionOutput(
        COMPANION, report=said.append, post=host, clock_ns=lambda: host.clock_ns, works=works
    )


def test_a_hook_is_posted_signed_and_the_signature_is_that_of_its_bytes() -> None:
    """Worked out here by the words of the Standard Webhooks: HMAC-SHA256 of id, time and body."""
    host, said = Posted(), list[Text | None]()
    hook = a_hook(host, said)
    hook.tell(told())
    assert hook.step(0) is None
    ((url, body, headers),) = host.sent
    assert url == "https://hooks.example/T0/very-secret"
    assert json.loads(body)["who"] == ["South"]
    assert (headers["webhook-id"], headers["webhook-timestamp"]) == ("1-12-verdict-100000", "1000")
    signed = hmac.new(SECRET.encode(), b"1-12-verdict-100000.1000." + body, hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(signed).decode()
    assert SECRET not in str(headers)
    assert said == []
    (documented,) = (inside for page, inside in fences("python") if page == "docs/program/hooks.md")
    given: dict[str, Any] = {}
    exec(documented, given)
    assert given["is_ours"](SECRET, headers, body)
    assert not given["is_ours"](SECRET, headers, body + b" ")


def test_a_hook_that_fails_is_tried_again_later_each_time_and_says_so_once() -> None:
    """After 1, 2 and 4 s; what comes behind it keeps its order. Of the address only the host is said."""
    host, said = Posted("refused", 503, 429), list[Text | None]()
    hook = a_hook(host, said)
    hook.tell(told(seq=12))
    hook.tell(told(seq=13))
    assert hook.step(0) == SECOND_NS
    assert hook.step(SECOND_NS // 2) == SECOND_NS  # woken too early
    assert hook.step(SECOND_NS) == 3 * SECOND_NS
    assert hook.step(3 * SECOND_NS) == 7 * SECOND_NS
    assert hook.step(7 * SECOND_NS) is None
    ids = [headers["webhook-id"] for _, _, headers in host.sent]
    assert ids == [*["1-12-verdict-100000"] * 4, "1-13-verdict-100000"]
    assert said[-1] is None
    spoken = " ".join(str(one) for one in said)
    assert "hooks.example" in spoken
    assert "very-secret" not in spoken
    assert len(said) == 4  # refused, 503, 429, well again


def test_who_is_silent_for_five_seconds_is_left_alone_longer_each_time_all_the_same() -> None:
    """Tried at 0 and silent until 5 s: 1 s later again, at 6; silent until 11, at 13; until 18, at 22."""
    host = Posted(*["silent"] * 6, takes_ns=5 * SECOND_NS)
    hook = a_hook(host, [])
    hook.tell(told())
    assert hook.step(0) == 6 * SECOND_NS
    assert hook.step(6 * SECOND_NS) == 13 * SECOND_NS
    assert hook.step(13 * SECOND_NS) == 22 * SECOND_NS
    deck = a_deck(host, [])
    deck.tell(told("standings"))
    assert deck.step(0) == 7 * SECOND_NS
    assert deck.step(7 * SECOND_NS) == 16 * SECOND_NS


def test_a_hook_that_refuses_is_not_asked_again() -> None:
    """404 will be 404; a redirect is not followed with what was signed for another address."""
    for status in (404, 301):
        host, said = Posted(status), list[Text | None]()
        hook = a_hook(host, said)
        hook.tell(told())
        assert hook.step(0) is None
        assert len(host.sent) == 1
        assert str(status) in str(said[0])


def test_a_dead_hook_keeps_only_so_much_and_gives_each_delivery_up_in_the_end() -> None:
    """200 wait, the newest; each is tried eight times."""
    host, said = Posted(*["down"] * MOST_TRIES), list[Text | None]()
    hook = a_hook(host, said)
    for seq in range(MOST_WAITING + 50):
        hook.tell(told(seq=seq))
    due: int | None = 0
    while due is not None:
        due = hook.step(due)
    ids = [headers["webhook-id"] for _, _, headers in host.sent]
    assert ids[: MOST_TRIES + 1] == [*["1-50-verdict-100000"] * MOST_TRIES, "1-51-verdict-100000"]
    assert len({*ids}) == MOST_WAITING


def test_a_hook_hears_only_what_it_asks_for() -> None:
    """The ends of games, say."""
    host = Posted()
    hook = a_hook(host, [], msgspec.structs.replace(HOOK, events=("over",)))
    for kind in ("opened", "touched", "verdict", "standings", "over"):
        hook.tell(told(kind))  # type: ignore[arg-type]
    hook.step(0)
    assert ["1-12-over-100000"] == [headers["webhook-id"] for _, _, headers in host.sent]


def test_companion_gets_what_has_changed_and_one_press() -> None:
    """Custom variables by their names, as its HTTP interface has them; the second time only what is new."""
    host = Posted()
    deck = a_deck(host, [])
    deck.tell(told())
    assert deck.step(0) is None
    at = "http://deck.example:8000/api"
    sent = {url: body for url, body, _ in host.sent}
    assert sent[f"{at}/custom-variable/lastnose_who/value"] == b"South"
    assert sent[f"{at}/custom-variable/lastnose_seat_1_player/value"] == b"North"
    assert f"{at}/location/1/0/2/press" in sent
    host.sent.clear()
    deck.tell(told("standings"))
    deck.step(0)
    assert [f"{at}/custom-variable/lastnose_event/value"] == [url for url, _, _ in host.sent]


def test_a_companion_that_was_away_gets_the_newest_values_and_no_press_of_long_ago() -> None:
    """The first try fails, and is made again 2 s later."""
    host, said = Posted("no route"), list[Text | None]()
    deck = a_deck(host, said)
    deck.tell(told())
    assert deck.step(0) == 2 * SECOND_NS
    assert deck.step(SECOND_NS) == 2 * SECOND_NS
    assert deck.step(2 * SECOND_NS) is None
    assert [] == [url for url, _, _ in host.sent if url.endswith("/press")]
    assert [True, False] == [one is not None for one in said]


def test_a_companion_that_was_away_is_told_again_what_it_knew() -> None:
    """It was started again and knows nothing: what has not changed since is set as well."""
    host = Posted()
    deck = a_deck(host, [])
    deck.tell(told("standings"))
    deck.step(0)
    known = {url: body for url, body, _ in host.sent}
    host.answers, host.sent = ["no route"], []
    deck.tell(told("over"))
    deck.step(0)
    host.sent.clear()
    deck.step(2 * SECOND_NS)
    event = "http://deck.example:8000/api/custom-variable/lastnose_event/value"
    assert {**known, event: b"over"} == {url: body for url, body, _ in host.sent}


class Deaf:
    """An output that breaks, again and again, until it is told to stop."""

    def __init__(self) -> None:
        self.broken = True
        self.heard: list[TableNews] = []
        self.threads: set[str] = set()
        self.news = threading.Condition()
        self.tried = 0

    def tell(self, news: TableNews) -> None:
        """Break, or take it."""
        with self.news:
            self.tried += 1
            self.news.notify_all()
        self.threads.add(threading.current_thread().name)
        if self.broken:
            raise RuntimeError("a mistake of somebody else")
        self.heard.append(news)

    def close(self) -> None:
        """Break as well."""
        raise RuntimeError("at the end, too")

    def wait_for(self, tries: int) -> None:
        """Wait until it was told *tries* times."""
        with self.news:
            assert self.news.wait_for(lambda: self.tried >= tries, WITHIN_S)


def test_an_output_that_breaks_is_said_once_and_hurts_nobody() -> None:
    """The other one hears everything; the table's thread, which hands over, sees nothing of it."""
    said: list[tuple[str, str]] = []
    deaf, well = Deaf(), Deaf()
    well.broken = False
    port = OutwardPort(
        {"deaf": deaf, "well": well},
        VERDICT,
        table="T",
        say=str,
        reporter=lambda name: lambda says: said.append((name, str(says))),
    )
    armed = msgspec.structs.replace(VERDICT, phase="armed", round_no=2, seq=13)
    port.hear(armed)
    well.wait_for(2)
    assert ["standings", "opened"] == [one.event_type for one in well.heard]
    assert [("deaf", "The output deaf does not take what it is told: a mistake of somebody else")] == said
    deaf.broken = False
    port.hear(msgspec.structs.replace(armed, phase="judging"))
    well.wait_for(3)
    port.close()
    assert threading.current_thread().name not in deaf.threads | well.threads
    assert ("deaf", "None") in said


def test_a_real_server_is_posted_to_and_a_redirect_is_not_followed() -> None:
    """What was sent arrives byte for byte; 302 is an answer like any other."""
    arrived: list[tuple[bytes, str | None]] = []

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        arrived.append((body, request.headers["webhook-id"]))
        request.send_response(302)
        request.send_header("Location", "/elsewhere")
        request.send_header("Content-Length", "0")
        request.end_headers()

    with post_server(answer) as url:
        assert post(url, b'{"a":1}', {"webhook-id": "7"}) == 302
    assert [(b'{"a":1}', "7")] == arrived


def test_an_answer_has_to_be_there_in_time_and_not_each_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some 60 KB of a header take eight reads of 8 KB at least, a second each: 5 s are over before."""
    seconds = itertools.count()
    monkeypatch.setattr(neighbours, "_now_s", lambda: next(seconds))

    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        with contextlib.suppress(OSError):
            request.wfile.write(b"HTTP/1.0 200 OK\r\nX-Long: " + b"x" * 60_000 + b"\r\n\r\n")

    with post_server(answer) as url, pytest.raises(Unreachable, match="timed out"):
        post(url, b"", {})


def test_a_server_that_is_not_there_is_unreachable() -> None:
    """Its port was let go a moment ago."""
    with post_server(lambda _: None) as url:
        pass
    with pytest.raises(Unreachable):
        post(url, b"", {})
