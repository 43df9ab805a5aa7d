"""How the hall gathers what its stream brings: no entry waits long, and many share a transaction."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from lastnose.companion.evening.events import SignedOff
from lastnose.companion.event import messages
from lastnose.companion.link import engine, keys, reader, wire
from lastnose.companion.link.reader import Gathered, Silence, StartAgain, StreamReader
from lastnose.companion.link.store import HallStore
from lastnose.companion.table.log_file import LogRow

from tests.support.halls import rows

if TYPE_CHECKING:
    from nats.aio.msg import Msg


def test_the_first_is_taken_at_once_and_what_comes_while_the_reader_rests_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rest follows each batch; none follows one that is full, and none a long silence."""
    happened: list[object] = []
    comes = iter(("bc", "defghi", ""))

    async def rest(after: int) -> None:
        happened.append(after)
        for one in next(comes):
            await gathered.put(one)

    gathered: Gathered[str] = Gathered(rest)

    async def take() -> None:
        happened.append(await gathered.next())

    async def read() -> None:
        await gathered.put("a")
        for _ in range(4):
            await take()
        monkeypatch.setattr(reader, "LOOK_S", 0)
        await take()
        await gathered.put("j")
        monkeypatch.setattr(reader, "LOOK_S", 60)
        await take()

    monkeypatch.setattr(reader, "BATCH", 4)
    asyncio.run(read())
    together = [["a"], 1, ["b", "c"], 2, ["d", "e", "f", "g"], ["h", "i"]]
    assert [*together, 2, None, ["j"]] == happened


def test_a_consumer_is_silent_only_when_it_was_behind_twice_and_nothing_came_between() -> None:
    """What has just been written, and is still on its way, is no silence; nor is a slow machine."""
    silence = Silence()
    assert [False, False, False] == [silence.is_sure(*one) for one in ((8, 8), (10, 8), (10, 10))]
    assert not silence.is_sure(12, 10)
    silence.came()
    assert [False, True] == [silence.is_sure(*one) for one in ((13, 11), (13, 11))]


def message(event: str, table: str, number: int, payload: bytes, headers: dict[str, str]) -> Msg:
    """Return message *number* of the stream, of the log of *table*."""
    reply, subject = f"$JS.ACK.S.c.1.{number}.{number}.0.0", engine.log_subject(event, table)
    made = SimpleNamespace(subject=subject, data=payload, headers=headers, reply=reply)
    return cast("Msg", made)


def test_all_is_read_again_for_a_hole_of_a_table_only_once(store: HallStore) -> None:
    """Who has its key may make one after the other: each is said, and what follows the rows here is taken."""
    event, table = keys.random_id(keys.EVENT), keys.random_id(keys.TABLE)
    found = rows(tuple(SignedOff(by="host", at=0, of=n) for n in range(4)))
    said: list[str] = []
    taken: list[int] = []
    read = StreamReader(
        event,
        store,
        lambda fresh: taken.extend(row.seq for _, row in fresh),
        lambda table, why: said.append(why),
    )

    def take(*sent: LogRow) -> None:
        made = (wire.packed([row], 0, table) for row in sent)
        read._take([message(event, table, at, *one) for at, one in enumerate(made, 1)])

    first, second, third, fourth = found
    with pytest.raises(StartAgain):
        take(first, third)
    take(first, third, second, fourth, third)
    assert ([1, 2, 3], [messages.HOLE, messages.ANOTHER, "", messages.ANOTHER, ""]) == (taken, said)
    assert (3, 5) == (len(store.rows(table)), store.cursor.seq)


def test_of_what_cannot_be_read_of_a_table_the_first_is_written_down(
    store: HallStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever has its key may send a thousand a second; after rows that follow it is news again."""
    event, table = keys.random_id(keys.EVENT), keys.random_id(keys.TABLE)
    read = StreamReader(event, store, lambda fresh: None, lambda table, why: None)
    payload, headers = wire.packed(rows((SignedOff(by="host", at=0, of=1),)), 0, table)
    sent = [(b"junk", {}), (b"junk", {}), (payload, headers), (b"junk", {}), (b"junk", {})]
    read._take([message(event, table, at, *one) for at, one in enumerate(sent, 1)])
    assert ["message 1", "message 4"] == [one.getMessage()[:9] for one in caplog.records]


def test_a_table_under_whose_name_comes_far_too_much_of_nothing_is_told_once_and_no_other(
    store: HallStore,
) -> None:
    """Junk and another history count, rows and what has come before do not."""
    event = keys.random_id(keys.EVENT)
    table, honest = (keys.random_id(keys.TABLE) for _ in range(2))
    told: list[str] = []
    read = StreamReader(event, store, lambda fresh: None, lambda table, why: None, flooded=told.append)
    found = rows(tuple(SignedOff(by="x" * 100_000, at=0, of=n) for n in range(20)))
    for _ in range(6):  # twelve megabytes
        read._take(
            [message(event, honest, at, *wire.packed([row], 0, honest)) for at, row in enumerate(found, 1)]
        )
    junk = [message(event, table, at, b"x" * 1_000_000, {}) for at in range(1, 13)]
    read._take(junk[:8])
    assert [] == told
    read._take(junk[8:])
    assert [table] == told


def test_a_table_is_put_out_for_new_junk_also_after_it_was_let_in_again_and_never_for_old_junk_read_again(
    store: HallStore,
) -> None:
    """The stream keeps what it has; who reads that again, or is begun again, counts only what is new."""
    event, table = keys.random_id(keys.EVENT), keys.random_id(keys.TABLE)
    told: list[str] = []

    def begun() -> StreamReader:
        return StreamReader(event, store, lambda fresh: None, lambda table, why: None, flooded=told.append)

    read = begun()
    junk = [message(event, table, at, b"x" * 1_000_000, {}) for at in range(1, 19)]
    read._take(junk[:8])
    for _ in range(3):
        read._take(junk[:8])
    assert [] == told, "eight megabytes have come, and no more"
    read._take(junk[8:9])
    assert [table] == told
    again = begun()
    for one in (read, again):
        one._take(junk[:9])
    assert [table] == told, "nothing has come since"
    again._take(junk[9:])
    assert [table] * 2 == told, "nine more"


def test_a_table_that_writes_more_than_any_does_is_put_out_once(
    store: HallStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By bytes or by entries; what comes a second time is not counted."""
    event = keys.random_id(keys.EVENT)
    large, many, honest = (keys.random_id(keys.TABLE) for _ in range(3))
    told: list[str] = []
    read = StreamReader(event, store, lambda fresh: None, lambda table, why: None, flooded=told.append)
    monkeypatch.setattr(reader, "QUOTA", 10_000)
    monkeypatch.setattr(reader, "ENTRIES", 12)

    def send(table: str, count: int, size: int) -> None:
        found = rows(tuple(SignedOff(by="x" * size, at=0, of=n) for n in range(count)))
        for at, row in enumerate(found, 1):
            read._take([message(event, table, at, *wire.packed([row], 0, table))])

    for _ in range(3):
        send(honest, 12, 700)
    assert [] == told
    send(large, 4, 4_000)
    send(many, 20, 10)
    assert [large, many] == told
