"""The firmware under 26 inputs at 10 kHz, in a real MicroPython and here: right, or said to be lost."""

from __future__ import annotations

import json
import runpy
import sys
from typing import Any

import pytest
from lastnose.hardware.box import protocol
from lastnose.hardware.box.protocol import Decoder, Events, Heartbeat, Hello, Overrun, Pong

from tests.hardware.box.test_micropython import HOME, in_micropython

LOADS = {
    "26 inputs at 10 kHz": (26, 50_000, 400_000_000),
    "one input at 10 kHz": (1, 50_000, 400_000_000),
    "26 inputs at 500 Hz": (26, 1_000_000, 400_000_000),
    "26 inputs at 50 Hz": (26, 10_000_000, 400_000_000),
}
FAULT = 4
pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def load() -> dict[str, Any]:
    """Return what load.py defines, on this Python."""
    names = ("frames", "ring", "plain", "box")
    before = {name: sys.modules.get(name) for name in names}
    try:
        sys.modules.update({name: protocol.load(name) for name in names})
        return runpy.run_path(str(HOME / "load.py"))
    finally:
        for name, former in before.items():
            if former is None:
                del sys.modules[name]
            else:
                sys.modules[name] = former


@pytest.fixture(scope="module")
def in_the_box() -> dict[str, Any]:
    """Return what the box says under each load in MicroPython."""
    program = (HOME / "load.py").read_text("utf-8") + (
        "\nimport json\nout = {}\n"
        f"for name, (lines, every, lasts) in {LOADS!r}.items():\n"
        "    said, lamp = run(lines, every, lasts)\n"
        "    out[name] = [said.hex(), lamp]\n"
        "print(json.dumps(out))\n"
    )
    told: dict[str, Any] = json.loads(in_micropython(program))
    return told


def check(said: bytes, load: dict[str, Any], lines: int, every_ns: int) -> tuple[int, int]:
    """Return how many events came and how many were said to be lost; fail where one is neither."""
    wanted, came, lost = 0, 0, 0
    for frame in Decoder().feed(said):
        match frame:
            case Events(index, events):
                assert wanted == index
                assert [load["event"](index + n, lines, every_ns) for n in range(len(events))] == list(events)
                came += len(events)
                wanted += len(events)
            case Overrun(index):
                assert wanted < index
                lost += index - wanted
                wanted = index
            case Pong(_, tick, written) | Heartbeat(tick, written):
                # The promise: what happened up to the tick has a number below.
                assert load["event"](written, lines, every_ns)[1] >= tick
            case _:
                assert isinstance(frame, Hello)
    return came, lost


@pytest.mark.heavy
@pytest.mark.parametrize("name", LOADS)
def test_every_event_is_right_or_said_to_be_lost(
    name: str, load: dict[str, Any], in_the_box: dict[str, Any]
) -> None:
    """In MicroPython, at four loads; there the same bytes are said as here."""
    lines, every_ns, lasts_ns = LOADS[name]
    here, lamp = load["run"](lines, every_ns, lasts_ns)
    assert [here.hex(), lamp] == in_the_box[name]
    came, lost = check(here, load, lines, every_ns)
    total = lines * lasts_ns // every_ns
    assert total * 0.96 - 2_000 <= came + lost <= total * 1.02 + lines
    if name == "26 inputs at 10 kHz":
        assert lost > came > 1_000
        assert FAULT == lamp
    elif name != "26 inputs at 500 Hz":
        assert 0 == lost
        assert FAULT != lamp


def test_an_event_out_of_place_would_be_found(load: dict[str, Any]) -> None:
    """A copy that goes on changing in the sender's hands is what this is about."""
    said, _ = load["run"](26, 50_000, 50_000_000)
    check(said, load, 26, 50_000)
    with pytest.raises(AssertionError):
        check(said, load, 26, 50_200)


def test_a_copy_of_the_ring_stays_as_it_was() -> None:
    """The DMA goes on writing; also where the ring begins again."""
    words = [0]
    memory = bytearray(range(64))
    ring = protocol.load("ring").Ring(memoryview(memory), lambda: words[0])
    for first, count in ((0, 4), (6, 4)):
        before = ring.copy(first, count)
        expected = bytes((8 * first + n) % 64 for n in range(8 * count))
        memory[:] = bytes(64)
        assert expected == bytes(before)
        memory[:] = bytes(range(64))


def test_a_ring_counts_from_the_event_it_was_told_to() -> None:
    """What came before does not count; half an event does not count either."""
    words = [0]
    ring = protocol.load("ring").Ring(bytearray(range(64)), lambda: words[0])
    assert (8, 0) == (ring.size, ring.written())
    words[0] = 21
    ring.begin()
    assert 1 == ring.written()
    words[0] = 24
    assert (12, 3) == (ring.all_written(), ring.written())
    assert bytes(range(8, 24)) == bytes(ring.copy(0, 2)), "number 9 of all lies at 1 of 8"
    assert int.from_bytes(bytes(range(12, 16)), "little") == ring.tick_of(9)
