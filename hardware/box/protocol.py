"""The host's side of the wire: bytes in, frames and faults out; commands in, bytes out. No port and no clock.

What a frame is, in bytes, is the firmware's own `frames.py`; what its payload says is read here. No event is
ever taken from a frame whose CRC is wrong.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from lastnose import companion
from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import Text, english, text

# ---- The files for the Pico, and their pure ones as modules: the simulated box runs the real firmware.

FILES = (
    "frames.py",
    "program.py",
    "ring.py",
    "relation.py",
    "plain.py",
    "quick.py",
    "box.py",
    "sampler.py",
    "main.py",
)


def folder() -> Path:
    """Return the folder with the firmware, of a checkout or of an installed package; raise DeviceError."""
    package = Path(companion.__file__).parent
    for place in (package.parent / "firmware", package / "firmware"):
        if (place / "box.py").exists():
            return place
    raise DeviceError(english("The firmware’s files are not where they belong: install Last Nose again."))


@cache
def load(name: str) -> Any:
    """Return the pure firmware module *name* (`frames`, `box`, `ring` and so on) as it runs on the Pico."""
    return load_with(name, {}, {})


def load_with(name: str, modules: Mapping[str, ModuleType], names: Mapping[str, object]) -> Any:
    """Return firmware module *name*, run with *modules* to import from and *names* as if built in."""
    path = folder() / f"{name}.py"
    source = path.read_text(encoding="utf-8")
    module = ModuleType(f"firmware_{name}")
    needs = [other for other in ("frames", "program", "plain") if f"\nimport {other}\n" in source]
    given = {**modules, **{other: load(other) for other in needs}}
    before = {other: sys.modules.get(other) for other in given}
    module.__dict__.update(names)
    try:
        sys.modules.update(given)
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    finally:
        for other, former in before.items():
            if former is None:
                del sys.modules[other]
            else:
                sys.modules[other] = former
    return module


def version() -> tuple[int, int, int]:
    """Return the version of the firmware that comes with this package."""
    major, minor, patch = load("box").VERSION
    return major, minor, patch


_wire: Any = load("frames")
PROTOCOL: int = _wire.PROTOCOL
OLDEST = 1  # its PONG has one tick: understood, and worth less
NO_PIN = 255
_HELLO_BODY = struct.Struct("<IBBBBIIHB")
_WORD, _PAIR, _BEAT = struct.Struct("<I"), struct.Struct("<II"), struct.Struct("<IIII")
_TRIPLE = struct.Struct("<III")
_WAKE = bytes(25)  # longer than a block that a box waits for: it goes on after a frame that was cut off

LAMP_STATES = {"dark": 0, "idle": 1, "armed": 2}


class Hello(msgspec.Struct, frozen=True):
    """Who the box is. `boot` changes whenever its ticks begin again; `slack`: what Pong.tick may be off."""

    boot: int
    version: tuple[int, int, int]
    protocol: int
    tick_hz: int
    mask: int
    slack: int
    pulse_pin: int
    serial: str


class Events(msgspec.Struct, frozen=True, gc=False):
    """Changes from number `index` on, each as (pins, tick), both 32 bits."""

    index: int
    events: tuple[tuple[int, int], ...]


class Heartbeat(msgspec.Struct, frozen=True):
    """At `tick` there were `written` events; `pins` are as they are a little later."""

    tick: int
    written: int
    pins: int
    overruns: int
    stalls: int


class Pong(msgspec.Struct, frozen=True, gc=False):
    """The answer to ping `id`, written at `tick`, when there were at least the `written` events up to it.

    The ping had been there for `held` ticks: seen, but not yet answered.
    """

    id: int
    tick: int
    written: int
    held: int = 0


class Overrun(msgspec.Struct, frozen=True):
    """The events before number `index` that have not been told are gone; at `tick` the pins were `pins`."""

    index: int
    tick: int
    pins: int


class Bye(msgspec.Struct, frozen=True):
    """The box leaves its program, as it was asked to."""


class Fault(msgspec.Struct, frozen=True):
    """Something on the wire was not as it should be: `damaged`, `unknown` or `skipped` (`count` frames)."""

    what: str
    count: int = 1


Frame = Hello | Events | Heartbeat | Pong | Overrun | Bye
Told = Frame | Fault


class Decoder:
    """What comes from a box, cut anywhere, as frames and faults in their order."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._skips = False
        self._seq: int | None = None

    def feed(self, data: bytes) -> Iterator[Told]:
        """Take bytes and return what is whole now."""
        *whole, rest = data.split(b"\0")
        for part in whole:
            self._hold(part)
            if self._skips:
                yield Fault("damaged")
            elif self._held:
                yield from self._frame(bytes(self._held))
            self._held.clear()
            self._skips = False
        self._hold(rest)

    def _hold(self, part: bytes) -> None:
        if len(self._held) + len(part) > _wire.MAX_FRAME:
            self._skips = True
        if not self._skips:
            self._held += part

    def _frame(self, data: bytes) -> Iterator[Told]:
        told = _wire.unframe(data)
        if told is None:
            yield Fault("damaged")
            return
        kind, count, seq, index, payload = told
        skipped = 0 if self._seq is None else (seq - self._seq) & 0xFFFF
        if 0 < skipped < 0x8000:  # beyond that it goes back: the box has begun again
            yield Fault("skipped", skipped)
        self._seq = (seq + 1) & 0xFFFF
        frame = _read(kind, count, index, payload)
        yield Fault("unknown") if frame is None else frame


def _read(kind: int, count: int, index: int, payload: bytes) -> Frame | None:
    """Return the frame, None when its length is not that of its type or the type is not known."""
    size = len(payload)
    if kind == _wire.EVENTS and size == 8 * count and count:
        return Events(index, tuple(_PAIR.iter_unpack(payload)))
    if kind == _wire.PONG and size == 8:
        number, tick = _PAIR.unpack(payload)
        return Pong(number, tick, index)
    if kind == _wire.PONG and size == 12:
        number, seen, tick = _TRIPLE.unpack(payload)
        return Pong(number, tick, index, (tick - seen) & 0xFFFF_FFFF)
    if kind == _wire.HEARTBEAT and size == 16:
        tick, pins, overruns, stalls = _BEAT.unpack(payload)
        return Heartbeat(tick, index, pins, overruns, stalls)
    if kind == _wire.OVERRUN and size == 8:
        tick, pins = _PAIR.unpack(payload)
        return Overrun(index, tick, pins)
    if kind == _wire.HELLO and size >= _HELLO_BODY.size:
        boot, major, minor, patch, protocol, tick_hz, mask, slack, pulse_pin = _HELLO_BODY.unpack_from(
            payload
        )
        serial = payload[_HELLO_BODY.size :].hex().upper()
        return Hello(boot, (major, minor, patch), protocol, tick_hz, mask, slack, pulse_pin, serial)
    return Bye() if kind == _wire.BYE and size == 0 else None


def ask() -> bytes:
    """Ask the box who it is."""
    return _WAKE + _command(_wire.ASK)


def setup(mask: int, pulse_pin: int | None = None) -> bytes:
    """Tell the box which pins to watch, and which of them to drive with the sync pulse."""
    return _command(_wire.SETUP, payload=struct.pack("<IB", mask, NO_PIN if pulse_pin is None else pulse_pin))


def ping(number: int) -> bytes:
    """Ask for the tick of now. What is not used is no zero: the box reads from zero to zero."""
    return _command(_wire.PING, 0xFFFF_FFFF, _WORD.pack(number & 0xFFFF_FFFF), fill=0xFF)


def resend(index: int) -> bytes:
    """Ask for the events from number *index* on again."""
    return _command(_wire.RESEND, index)


def lamp(state: str) -> bytes:
    """Tell the box what its LED is to say (a key of LAMP_STATES)."""
    return _command(_wire.LAMP, payload=bytes([LAMP_STATES[state]]))


def leave() -> bytes:
    """Tell the box to leave its program, so that new files can be copied onto it."""
    return _command(_wire.LEAVE)


def other_firmware(hello: Hello, ours: tuple[int, int, int]) -> Text:
    """Return the sentence for a box that speaks another protocol; *ours*: the firmware that we have."""
    return text(
        "The box has firmware {theirs}, and this Last Nose wants {ours}: run lastnose box flash, or update "
        "Last Nose if the box’s is newer.",
        theirs=".".join(map(str, hello.version)),
        ours=".".join(map(str, ours)),
    )


def _command(kind: int, index: int = 0, payload: bytes = b"", *, fill: int = 0) -> bytes:
    return bytes(_wire.frame(kind, fill, fill * 0x101, index, payload))
