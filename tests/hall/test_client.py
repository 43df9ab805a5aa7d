"""A connection to message servers: one that is gone is not waited for."""

from __future__ import annotations

import asyncio

import pytest

from companion.hall import keys
from companion.hall.client import connect
from tests.support.halls import free_port


def test_servers_that_are_gone_are_given_up_and_the_next_is_tried() -> None:
    """The client itself would try the first of them for two minutes."""

    async def ask() -> None:
        gone = ",".join(f"nats://127.0.0.1:{free_port()}" for _ in range(3))
        async with asyncio.timeout(60):
            await connect(gone, keys.make_seed(), "table")

    with pytest.raises(Exception) as problem:
        asyncio.run(ask())
    assert not isinstance(problem.value, TimeoutError)
