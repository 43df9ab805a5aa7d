"""How the hall gathers what its stream brings: no entry waits long, and many share a transaction."""

from __future__ import annotations

import asyncio

import pytest

from companion.hall import reader
from companion.hall.reader import Gathered, Silence


def test_the_first_is_taken_at_once_and_what_comes_while_the_reader_rests_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rest follows each batch; none follows one that is full, and none a long silence."""
    happened: list[object] = []
    comes = iter(("bc", "defghi", ""))

    async def rest() -> None:
        happened.append("rest")
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
    together = [["a"], "rest", ["b", "c"], "rest", ["d", "e", "f", "g"], ["h", "i"]]
    assert [*together, "rest", None, ["j"]] == happened


def test_a_consumer_is_silent_only_when_it_was_behind_twice_and_nothing_came_between() -> None:
    """What has just been written, and is still on its way, is no silence; nor is a slow machine."""
    silence = Silence()
    assert [False, False, False] == [silence.is_sure(*one) for one in ((8, 8), (10, 8), (10, 10))]
    assert not silence.is_sure(12, 10)
    silence.came()
    assert [False, True] == [silence.is_sure(*one) for one in ((13, 11), (13, 11))]
