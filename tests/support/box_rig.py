"""A host's session and a pretended box, joined by a line with delays, in a time of its own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lastnose.companion.core.model import Edge, Gap, Input, Levels, Watermark
from lastnose.hardware.box.chip import Chip
from lastnose.hardware.box.session import BoxSession
from lastnose.hardware.box.sync import SyncWire

US, MS, S = 1_000, 1_000_000, 1_000_000_000
STEP_NS = 100 * US
# What a Pico takes, half as much again as measured in an emulator of the chip (firmware/README.md).
POLL_NS, BYTE_NS = 230 * US, 4_300
BEGIN_NS = 1_000 * S


class World:
    """The time that all rigs of a test share."""

    def __init__(self) -> None:
        self.now_ns = BEGIN_NS
        self.rigs: list[Rig] = []

    def run(self, ns: int) -> None:
        """Let time pass."""
        until_ns = self.now_ns + ns
        step_ns = STEP_NS if ns < 2 * S else 5 * STEP_NS
        while self.now_ns < until_ns:
            self.now_ns += step_ns
            for rig in self.rigs:
                rig.step()


class Rig:
    """One box and its session; `told` is what the table was told. *paced*: the box is as slow as a Pico."""

    def __init__(
        self,
        world: World,
        lines: dict[str, int],
        *,
        name: str = "box",
        seed: int = 1,
        ppm: float = 40.0,
        begin_tick: int = 0,
        there_ns: int = 0,
        sync_pin: int | None = None,
        drives: bool = False,
        wire: SyncWire | None = None,
        serial: str = "E66038B713000001",
        paced: bool = False,
    ) -> None:
        self.world = world
        self._paced = paced
        self._free_ns = 0
        self.chip = Chip(lambda: world.now_ns, serial=serial, begin_tick=begin_tick)
        self.chip.sampler.ppm = ppm
        self.session = BoxSession(name, lines, sync_pin=sync_pin, drives=drives, wire=wire)
        self.told: list[Input] = []
        self.plugged = True
        self.lose: Callable[[], bool] = lambda: False
        self._chance = Random(seed)
        self._there_ns = there_ns
        self._to_box: list[tuple[int, bytes]] = []
        self._to_host: list[tuple[int, bytes]] = []
        world.rigs.append(self)
        self.session.connected()

    def step(self) -> None:
        """Let the box and the host do what is due."""
        now_ns = self.world.now_ns
        if not self.plugged:
            self.chip.line.taken()
            return
        while self._to_box and self._to_box[0][0] <= now_ns:
            self.chip.line.to_box += self._to_box.pop(0)[1]
        data = self._serve(now_ns)
        if data and not self.lose():
            self._to_host.append((now_ns + self._chance.randrange(20, 200) * US, data))
        while self._to_host and self._to_host[0][0] <= now_ns:
            self.told += self.session.receive(self._to_host.pop(0)[1], now_ns)
        self.told += self.session.overdue(now_ns)
        out = self.session.outgoing(now_ns)
        if out:
            self._to_box.append((now_ns + self._there_ns + self._chance.randrange(20, 200) * US, out))

    def _serve(self, now_ns: int) -> bytes:
        """Let the box do one round of its loop, if it has done with the one before."""
        if now_ns < self._free_ns:
            return b""
        self.chip.box.poll()
        data = self.chip.line.taken()
        if self._paced:
            self._free_ns = now_ns + POLL_NS + BYTE_NS * len(data)
        return data

    def unplug(self) -> None:
        """Pull the cable: what is under way is gone, and the box has no power."""
        self.plugged = False
        self._to_box.clear()
        self._to_host.clear()

    def plug(self, *, rebooted: bool = True) -> None:
        """Put the cable back."""
        if rebooted:
            self.chip.reboot()
        self.plugged = True
        self.session.connected()

    def edges(self) -> list[Edge]:
        """Return the edges told."""
        return [item for item in self.told if isinstance(item, Edge)]

    def gaps(self) -> list[Gap]:
        """Return the gaps told."""
        return [item for item in self.told if isinstance(item, Gap)]

    def check_promises(self) -> None:
        """Levels come first, and nothing comes that is older than what was promised."""
        assert not self.told or isinstance(self.told[0], Levels)
        mark_ns = -1
        for item in self.told:
            if isinstance(item, Watermark):
                assert item.t_ns >= mark_ns
                mark_ns = item.t_ns
            elif isinstance(item, Edge):
                assert item.t_ns >= mark_ns
