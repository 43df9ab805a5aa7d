"""How the hall gathers what its stream brings: no entry waits long, and many share a transaction."""

from __future__ import annotations

import asyncio

import pytest

from companion.hall import reader
from companion.hall.reader import Gathered


def test_the_first_is_taken_at_once_and_what_comes_while_the_reader_rests_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rest of 20 ms follows each batch; none follows one that is full, and none a long silence."""
    gathered: Gathered[str] = Gathered()
    happened: list[object] = []
    comes = iter(("bc", "defghi", ""))

    async def rest(for_s: float) -> None:
        happened.append(for_s)
        for one in next(comes):
            await gathered.put(one)

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
    monkeypatch.setattr(asyncio, "sleep", rest)
    asyncio.run(read())
    together = [["a"], 0.02, ["b", "c"], 0.02, ["d", "e", "f", "g"], ["h", "i"]]
    assert [*together, 0.02, None, ["j"]] == happened
