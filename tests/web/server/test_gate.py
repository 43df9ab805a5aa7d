"""One request at a time, in turn by address; whoever is too many waits and is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from lastnose.web.server.application import Breath, Gate, heavy_paths


class Visits:
    """Requests to a gate, in the order in which they get through; each stays inside until told to go."""

    def __init__(self, **breath: Any) -> None:
        self.gate = Gate(Breath(**{"rest_s": 0.0, "slow_s": 0.0, "patience_s": 3600.0, **breath}))
        self.passed: list[str] = []
        self.refused: list[str] = []
        self.go = asyncio.Event()
        self.inside = 0
        self.most_inside = 0

    async def visit(self, name: str, address: str = "192.0.2.1") -> None:
        """Go through the gate."""
        async with self.gate.passing(address) as may:
            if not may:
                self.refused.append(name)
                return
            self.inside += 1
            self.most_inside = max(self.most_inside, self.inside)
            self.passed.append(name)
            await self.go.wait()
            self.inside -= 1

    async def arrive(self, *visits: tuple[str, str]) -> list[asyncio.Task[None]]:
        """Let *visits* (a name and an address each) come one after the other, up to the gate."""
        tasks = []
        for name, address in visits:
            tasks.append(asyncio.create_task(self.visit(name, address)))
            for _ in range(3):
                await asyncio.sleep(0)
        return tasks


def run(scene: Coroutine[Any, Any, None]) -> None:
    """Play *scene* to its end."""
    asyncio.run(asyncio.wait_for(scene, 30))


def test_addresses_take_turns_however_many_one_of_them_sends() -> None:
    """Never two at a time; a phone that asks once comes second, not behind the loop of another."""

    async def scene() -> None:
        visits = Visits()
        a, b = "192.0.2.1", "192.0.2.2"
        tasks = await visits.arrive(("a1", a), ("a2", a), ("a3", a), ("a4", a), ("b1", b))
        visits.go.set()
        await asyncio.gather(*tasks)
        assert ["a1", "a2", "b1", "a3", "a4"] == visits.passed
        assert 1 == visits.most_inside
        await asyncio.sleep(0.001)
        assert not visits.gate._taken

    run(scene())


def test_one_address_waits_with_few_and_all_with_more() -> None:
    """Beyond two of one address, and beyond three in all, they are refused; this machine has no limit."""

    async def scene() -> None:
        visits = Visits(most_of_one=2, most=5)
        a, b, own = "192.0.2.1", "192.0.2.2", "127.0.0.1"
        names = [("a1", a), ("a2", a), ("a3", a), ("a4", a), ("b1", b), ("o1", own), ("o2", own), ("o3", own)]
        tasks = await visits.arrive(*names)
        await asyncio.sleep(0.001)
        assert (["a4", "o3"], 5) == (visits.refused, visits.gate.waiting)
        visits.go.set()
        await asyncio.gather(*tasks)

    run(scene())


def test_who_waits_too_long_is_refused_and_leaves_no_trace() -> None:
    """Its place in the queue is free again."""

    async def scene() -> None:
        visits = Visits(patience_s=0.001)
        tasks = await visits.arrive(("a1", "192.0.2.1"), ("b1", "192.0.2.2"))
        await tasks[1]
        assert (["b1"], 0) == (visits.refused, visits.gate.waiting)
        visits.go.set()
        await tasks[0]

    run(scene())


def test_who_goes_away_while_waiting_or_just_let_in_holds_nobody_up() -> None:
    """A phone that closes the page."""

    async def scene() -> None:
        visits = Visits()
        first, second, third, fourth = await visits.arrive(
            *((name, f"192.0.2.{number}") for number, name in enumerate("abcd", 1))
        )
        second.cancel()
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        await asyncio.sleep(0.001)
        assert ["a", "c"] == visits.passed
        visits.gate._open()  # fourth is let in, and goes at that very moment
        fourth.cancel()
        await asyncio.gather(fourth, return_exceptions=True)
        visits.go.set()
        await third
        await visits.visit("e")
        assert ["a", "c", "e"] == visits.passed

    run(scene())


@pytest.mark.parametrize(
    ("path", "heavy"),
    [
        ("/api/v1/sheet/rules-query", True),
        ("/api/v1/export.csv", True),
        ("/api/v1/contract", True),
        ("/api/v1/rounds", True),
        ("/api/v1/rounds/7/tape", True),
        ("/statistics", True),
        ("/history", True),
        ("/oled.png", True),
        ("/api/v1/commands", False),
        ("/api/v1/taps", False),
        ("/api/v1/clock", False),
        ("/api/v1/sheet", False),
        ("/api/v1/join", False),
        ("/static/pages/statistics.js", False),
        ("/", False),
    ],
)
def test_only_what_takes_long_goes_through_the_gate(path: str, heavy: bool) -> None:
    """What people do at the table never waits behind it."""
    assert heavy == bool(heavy_paths().match(path))
