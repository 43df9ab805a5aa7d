"""A connection to message servers: one that is gone is not waited for."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import msgspec
import pytest
from lastnose.companion.core.text import Text, text
from lastnose.companion.event import messages
from lastnose.companion.event.messages import Presence, ServersSeen
from lastnose.companion.link import client, engine, keys, uplink
from lastnose.companion.link.client import LoopThread, ServerWatch, connect, let_go, rest
from lastnose.companion.link.membership import Membership
from nats.errors import NoServersError

from tests.support.halls import WITHIN_S, free_port, need_server


def test_servers_that_are_gone_are_given_up_and_the_next_is_tried() -> None:
    """The client itself would try the first of them for two minutes."""

    async def ask() -> None:
        gone = ",".join(f"nats://127.0.0.1:{free_port()}" for _ in range(3))
        async with asyncio.timeout(60):
            await connect(gone, keys.make_seed(), "table")

    with pytest.raises(Exception) as problem:
        asyncio.run(ask())
    assert not isinstance(problem.value, TimeoutError)


@pytest.mark.parametrize(
    ("raised", "before", "says"),
    [
        (NoServersError(), [ssl.SSLError("bad"), ConnectionError("refused")], "refused"),
        (NoServersError(), [], str(NoServersError())),
        (ValueError("odd"), [ConnectionError("refused")], "odd"),
    ],
)
def test_why_there_is_no_connection_is_what_the_server_said_last_and_its_socket_is_closed(
    monkeypatch: pytest.MonkeyPatch, raised: Exception, before: list[Exception], says: str
) -> None:
    """The client raises that there is no server, and tells beside it why. A dead link ends within 15 s."""
    made = AsyncMock(_transport=Mock())

    async def link(address: str, *, error_cb: Any, **how: Any) -> None:
        assert (5 * 3, 3) == (
            how["ping_interval"] * (how["max_outstanding_pings"] + 1),
            how["connect_timeout"],
        )
        assert (False, 1, None) == (how["allow_reconnect"], how["max_reconnect_attempts"], how["tls"])
        for one in before:
            await error_cb(one)
        raise raised

    made.connect = link
    monkeypatch.setattr("nats.aio.client.Client", lambda: made)
    with pytest.raises(type(before[-1] if before and says != "odd" else raised), match=says):
        asyncio.run(client._connect("nats://10.0.0.1", keys.make_seed(), "table", "_INBOX", None))
    made.close.assert_awaited_once()
    made._transport._io_writer.transport.abort.assert_called_once()


def test_why_a_server_refuses_over_tls_is_said_where_nothing_is_left_to_abort(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Debian 12's Python (3.11.2) forgets what it speaks TLS with once it is closed twice."""
    refused = OSError("nats: 'Authorization Violation'")
    made = AsyncMock(_transport=Mock(), connect=AsyncMock(side_effect=refused))
    gone = AttributeError("'NoneType' object has no attribute '_abort'")
    made._transport._io_writer.transport.abort.side_effect = gone
    monkeypatch.setattr("nats.aio.client.Client", lambda: made)
    with pytest.raises(OSError, match="Authorization Violation"):
        asyncio.run(client._connect("tls://10.0.0.1", keys.make_seed(), "table", "_INBOX", None))


def test_a_link_that_rests_is_not_read_meanwhile_and_one_that_is_let_go_has_no_socket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where the rest is cut short, or closing fails; a link that is just being made has no socket."""
    socket, writer = Mock(), Mock()
    writer.transport = socket
    bare, link = (
        SimpleNamespace(_transport=one, close=AsyncMock(side_effect=OSError))
        for one in (None, SimpleNamespace(_io_writer=writer))
    )

    async def sleep(for_s: float) -> None:
        socket.sleep(for_s)
        if for_s == 7:
            raise asyncio.CancelledError

    async def both() -> None:
        for one in (bare, link):
            await rest(one, 5)  # type: ignore[arg-type]
            await let_go(one)  # type: ignore[arg-type]
        await rest(link, 7)  # type: ignore[arg-type]

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(both())
    paused, rested = "pause_reading", "resume_reading"
    did = [(call[0], *call.args) for call in socket.method_calls]
    assert [
        ("sleep", 5),
        (paused,),
        ("sleep", 5),
        (rested,),
        ("abort",),
        (paused,),
        ("sleep", 7),
        (rested,),
    ] == did


def test_servers_are_asked_sooner_while_one_has_yet_to_read_who_may_come_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that is gone is told from one that refuses; nothing is asked before it is known who may."""
    stands: dict[str, Exception | None] = {"a": None, "b": ConnectionError("'Authorization Violation'")}
    seen, pauses, gone = list[ServersSeen](), list[float](), list[object]()

    async def link(address: str, seed: str, name: str) -> object:
        if (problem := stands[address]) is not None:
            raise problem
        return address

    async def close(link: object) -> None:
        gone.append(link)

    async def wait(news: Any, for_s: float) -> None:
        news.close()
        assert not watch._news.is_set()
        pauses.append(for_s)
        if len(pauses) == 1:
            watch.expect(keys.make_seed())
        if len(pauses) == 2:
            stands["b"] = OSError()
        if len(pauses) == 3:
            raise asyncio.CancelledError
        raise TimeoutError

    watch = ServerWatch("a,b", seen.append)
    for where, name, what in (
        (client, "connect", link),
        (client, "let_go", close),
        (asyncio, "wait_for", wait),
    ):
        monkeypatch.setattr(where, name, what)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watch.run())
    assert [{}, {"a": "newest", "b": "older"}, {"a": "newest", "b": "silent"}] == [
        one.servers for one in seen
    ]
    assert ([client.SOON_S, client.SOON_S, client.LOOK_S], ["a", "a"]) == (pauses, gone)


def test_a_loop_works_until_it_is_stopped_and_then_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that fails ends no other; what is asked of it before its start, or after its end, is not done."""
    monkeypatch.setattr("lastnose.companion.link.client.CLOSING_S", 60.0)
    done: Queue[str] = Queue()

    async def fails() -> None:
        raise ValueError

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            done.put("cancelled")

    async def say(what: str) -> None:
        done.put(what)

    loop = LoopThread("loop", fails, waits, closing=lambda: say("closed"))
    loop.stop(0)
    loop.call(lambda: done.put("called before"))
    loop.begin(lambda: say("begun before"))
    loop.start()
    loop.begin(lambda: say("begun"))
    loop.call(lambda: done.put("called"))
    assert {"begun", "called"} == {done.get(timeout=5), done.get(timeout=5)}
    loop.stop(5)
    loop.call(lambda: done.put("called after"))
    assert ["cancelled", "closed"] == [done.get_nowait() for _ in range(done.qsize())]


def test_a_table_says_how_it_is_after_each_change_and_now_and_then_while_there_is_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every third time unasked; what could not be said is said the next time."""
    said: list[tuple[int, int, str]] = []

    class Link:
        is_connected = True

        async def publish(self, subject: str, payload: bytes) -> None:
            found = msgspec.json.decode(payload, type=Presence)
            said.append((len(times), found.n, found.trouble))
            if len(times) == 2:
                raise ConnectionError

    member = Membership("http://hall/", "event", "nats://hall", 1, "table", keys.make_seed())
    n = [7]
    here = uplink.Uplink(
        tmp_path, member, heard=list.append, linked=lambda _: None, presence=lambda: Presence(n=n[0])
    )
    gone = Link()
    gone.is_connected = False
    steps: dict[int, tuple[str, Any]] = {1: ("_nc", gone), 2: ("_nc", Link()), 8: ("_trouble", "full")}
    times: list[float] = []

    async def rests(seconds: float) -> None:
        times.append(seconds)
        if len(times) in steps:
            setattr(here, *steps[len(times)])
        n[0] = 8 if len(times) >= 7 else 7
        if len(times) == 10:
            raise asyncio.CancelledError

    monkeypatch.setattr(uplink, "SOON_S", 1.0)
    monkeypatch.setattr(uplink, "BEAT_S", 3.0)
    monkeypatch.setattr(asyncio, "sleep", rests)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(here._beat())
    assert [(2, 7, ""), (3, 7, ""), (6, 7, ""), (7, 8, ""), (8, 8, "full")] == said
    assert [1.0] * 10 == times


def test_a_table_says_why_there_is_no_link_and_asks_the_desk_only_where_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It connects again after every trouble but where the link is whole, and says how it is all the time."""
    event, table = keys.random_id(keys.EVENT), keys.random_id(keys.TABLE)
    member = Membership("http://hall/", event, "nats://hall", 1, table, keys.make_seed())
    told: list[tuple[str, str, bool, int, float]] = []
    says, asks, begun, gone = list[Text | None](), list[None](), list[str](), list[object]()
    one, other = AsyncMock(is_connected=True), AsyncMock(is_connected=True)
    refused = ConnectionError("nats: 'Authorization Violation'")
    links = iter((engine.NoLink(text("it speaks no TLS.")), refused, OSError(), one, other))
    sends = iter((uplink.NotKept(), uplink.AnotherHistory(3), ConnectionError(), asyncio.CancelledError()))
    here = uplink.Uplink(
        tmp_path,
        member,
        heard=list.append,
        linked=says.append,
        presence=lambda: Presence(n=0),
        shut_out=lambda: asks.append(None),
    )
    really = asyncio.sleep

    async def rests(for_s: float) -> None:
        told.append((str(says[-1])[:41], here._trouble, here._unkept, len(asks), for_s))
        await really(0)

    async def link(*_: object) -> object:
        found = next(links)
        if isinstance(found, Exception):
            raise found
        return found

    async def send() -> None:
        found = next(sends)
        one.is_connected = not isinstance(found, ConnectionError) or isinstance(found, uplink.NotKept)
        raise found

    async def beat() -> None:
        begun.append("beats")
        try:
            await asyncio.Event().wait()
        finally:
            begun.append("ended")

    async def close(client: object) -> None:
        gone.append(client)

    for where, name, what in (
        (asyncio, "sleep", rests),
        (uplink, "connect", link),
        (uplink, "let_go", close),
        (here, "_send_all", send),
        (here, "_beat", beat),
    ):
        monkeypatch.setattr(where, name, what)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(here._live())
    assert [
        ("No link to the hall: it speaks no TLS. Th", "", False, 0, uplink.AGAIN_S),
        ("The hall does not let this table in: it p", "", False, 1, uplink.AGAIN_S),
        ("No link to the hall: the table plays on, ", "", False, 1, uplink.AGAIN_S),
        ("The hall’s message server keeps nothing m", "", True, 1, uplink.AGAIN_S),
        ("The hall can take nothing more of this ta", messages.ANOTHER, False, 1, uplink.BEAT_S),
        ("No link to the hall: the table plays on, ", "", False, 1, uplink.AGAIN_S),
    ] == told
    assert (["beats", "ended"], [one]) == (begun, gone)
    hears = [engine.call_subject(event, who) for who in (table, "all")]
    assert [hears, hears] == [[call.args[0] for call in link.subscribe.mock_calls] for link in (one, other)]


@pytest.mark.heavy
def test_what_comes_while_a_reader_rests_is_read_together_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server has sent all of it; nothing is lost, and its order is kept."""
    need_server()
    seed, event, port = keys.make_seed(), keys.random_id(keys.EVENT), free_port()
    server = engine.Engine(engine.find_server(), tmp_path)
    hub = keys.public_key(seed)
    stream = tmp_path / "stream"
    server.configure(engine.configuration(event, hub, {}, store=stream, host="127.0.0.1", port=port))
    really, heard = asyncio.sleep, []

    async def listen() -> tuple[list[bytes], list[bytes]]:
        reader, writer = [await connect(f"nats://127.0.0.1:{port}", seed, "hub") for _ in range(2)]

        async def hear(message: Any) -> None:
            heard.append(message.data)

        async def speak(for_s: float) -> None:
            assert for_s == 5
            for number in range(9):
                await writer.publish("said", b"%d" % number)
            await writer.flush()
            for _ in range(1_000):  # turns of the loop, in which what had come would be read
                await really(0)
            meanwhile[:] = heard

        meanwhile: list[bytes] = [b"nothing yet"]
        await reader.subscribe("said", cb=hear)
        await reader.publish("said", b"I listen")  # in order behind the subscription, which a ping overtakes
        async with asyncio.timeout(WITHIN_S):
            while not heard:
                await really(0)
        heard.clear()
        monkeypatch.setattr(asyncio, "sleep", speak)
        await rest(reader, 5)
        monkeypatch.setattr(asyncio, "sleep", really)
        async with asyncio.timeout(WITHIN_S):
            while len(heard) < 9:
                await really(0)
        await let_go(reader)
        await let_go(writer)
        return meanwhile, heard

    server.start()
    try:
        assert ([], [b"%d" % number for number in range(9)]) == asyncio.run(listen())
    finally:
        server.stop()
