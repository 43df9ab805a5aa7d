"""The firmware's pure files in a real MicroPython, its bytes read by the host and the host's read by it."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
from binascii import crc32
from pathlib import Path
from typing import Any

import pytest
from lastnose.companion.core.errors import DeviceError
from lastnose.hardware.box import flash, protocol
from lastnose.hardware.box.flash import RawRepl, copy
from lastnose.hardware.box.protocol import Decoder, Events, Hello, Pong, Told

HOME = Path(__file__).parent.parent.parent / "micropython"
PROGRAM = """
import json, sys
import frames, box, relation

out = {"implementation": sys.implementation.name}

# what `frames` makes of each payload, and what its splitter makes of commands cut everywhere
out["frames"] = [
    frames.frame(kind, count, seq, index, bytes(payload)).hex() for kind, count, seq, index, payload in GIVEN
]
wire = bytes(WIRE)
cuts = []
for cut in range(len(wire) + 1):
    splitter = frames.Splitter()
    told = splitter.feed(wire[:cut]) + splitter.feed(wire[cut:])
    cuts.append([[k, i, list(p)] for k, _, _, i, p in told])
out["same"] = all(one == cuts[0] for one in cuts)
out["commands"] = cuts[0]
learnt = relation.Relation(5)
for tick, t0, t1 in TICKS:
    learnt.take(tick, t0, t1)
out["now"] = [learnt.tick(t) for t in (0, 0xFFFFFFFF, 77)] + [learnt.slack]
out["noise"] = len(frames.Splitter().feed(bytes((n * 7919) % 256 for n in range(5000))))


class Port:
    def __init__(self):
        self.came, self.sent = b"", b""

    def read(self):
        came, self.came = self.came, b""
        return came

    def write(self, data):
        self.sent += data


class Sampler:
    hz, slack, size = 5000000, 5, 1024

    def __init__(self):
        self.mask = self.mask_before = 0
        self.tick = 0xFFFFFFF0

    def start(self, mask, pulse_pin):
        self.mask = self.mask_before = mask

    def stop(self):
        self.mask = 0

    def now(self):
        self.tick = (self.tick + 7) & 0xFFFFFFFF
        return self.tick

    def written(self):
        return 40

    def copy(self, first, count):
        numbers = range(first, first + count)
        return b"".join(bytes([n & 255, 0, 0, 128, n & 255, 1, 2, 255]) for n in numbers)

    def time(self):
        return 5

    def pins(self):
        return 0x80000001

    def stalled(self):
        return False


port = Port()
served = box.Box(port, Sampler(), 0xFFFFFFFE, bytes(range(8)))
port.came = wire
for _ in range(8):
    served.poll()
out["said"] = port.sent.hex()
print(json.dumps(out))
"""
GIVEN = [
    (1, 0, 65_535, 0, bytes(30)),
    (2, 28, 0, 2**32 - 1, bytes(range(224))),
    (2, 28, 7, 5, b"\xff" * 224),
    (4, 0, 1, 9, b"\0\1\0\2" * 2),
    (6, 0, 2, 0, b""),
]
TICKS = [(0xFFFFFFF0, 0xFFFFFFFA, 3), (90, 15, 30), (4_000_000_000, 800_000_000, 800_000_010)]
COMMANDS = [
    protocol.setup(0x80000FFF),
    protocol.ping(2**32 - 1),
    protocol.resend(2**31),
    protocol.lamp("armed"),
]
pytestmark = pytest.mark.node


def must_be_there() -> None:
    """Skip without the MicroPython that runs in node."""
    if shutil.which("node") is None or not (HOME / "node_modules").is_dir():
        pytest.skip("there is no MicroPython: install node and npm, then npm ci --prefix tests/micropython")


def in_micropython(program: str) -> str:
    """Return what *program* prints in MicroPython, the firmware's pure files beside it."""
    must_be_there()
    done = subprocess.run(
        ["node", "run.mjs", str(protocol.folder())],
        cwd=HOME,
        input=program,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def micropython() -> dict[str, Any]:
    """Run the program above once and return what it printed."""
    given = [(*head, list(payload)) for *head, payload in GIVEN]
    program = f"TICKS = {TICKS!r}\nGIVEN = {given!r}\nWIRE = {list(b''.join(COMMANDS))!r}\n{PROGRAM}"
    told: dict[str, Any] = json.loads(in_micropython(program))
    assert "micropython" == told["implementation"]
    return told


def test_frames_are_the_same_bytes_as_on_this_python(micropython: dict[str, Any]) -> None:
    """Numbers at their ends, payloads without and full of zeros, a block of 254."""
    frames = protocol.load("frames")
    assert [frames.frame(*given).hex() for given in GIVEN] == micropython["frames"]


def test_commands_are_understood_wherever_they_are_cut(micropython: dict[str, Any]) -> None:
    """All 32 bits of mask, number and index."""
    assert micropython["same"]
    expected = [
        [0x82, 0, [0xFF, 0x0F, 0, 0x80, 255]],
        [0x83, 2**32 - 1, [255, 255, 255, 255]],
        [0x84, 2**31, []],
        [0x85, 0, [2]],
    ]
    assert expected == micropython["commands"]


def test_the_tick_of_now_is_the_same_as_on_this_python(micropython: dict[str, Any]) -> None:
    """Over the ends of 32 bits, of a chip whose small integers have 31."""
    learnt = protocol.load("relation").Relation(5)
    for tick, t0, t1 in TICKS:
        learnt.take(tick, t0, t1)
    assert [*(learnt.tick(t) for t in (0, 0xFFFFFFFF, 77)), learnt.slack] == micropython["now"]


def test_noise_is_no_command(micropython: dict[str, Any]) -> None:
    """And no error."""
    assert 0 == micropython["noise"]


def test_the_box_answers_and_tells_its_events(micropython: dict[str, Any]) -> None:
    """What MicroPython says, read by the host's decoder cut at every byte."""
    wire = bytes.fromhex(micropython["said"])
    whole: list[Told] = list(Decoder().feed(wire))
    hello, *others = whole
    events = [one for one in others if isinstance(one, Events)]
    (pong,) = (one for one in others if not isinstance(one, Events))
    assert isinstance(hello, Hello)
    assert (0x80000FFF, "0001020304050607", protocol.version()) == (hello.mask, hello.serial, hello.version)
    assert hello.boot == 0xFFFFFFFF
    assert isinstance(pong, Pong)
    assert (2**32 - 1, 40) == (pong.id, pong.written)
    assert [(0, 28), (28, 12)] == [(one.index, len(one.events)) for one in events]
    last = events[-1]
    assert (0x80000027, 0xFF020127) == last.events[-1]
    for cut in range(len(wire)):
        decoder = Decoder()
        assert whole == [*decoder.feed(wire[:cut]), *decoder.feed(wire[cut:])]


class NodePort:
    """A real MicroPython's terminal, as a port."""

    def __init__(self) -> None:
        self._node = subprocess.Popen(
            ["node", "repl.mjs"], cwd=HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )

    def read(self, wait_s: float) -> bytes:
        """Return what it has said."""
        assert self._node.stdout is not None
        ready, _, _ = select.select([self._node.stdout], [], [], wait_s)
        return os.read(self._node.stdout.fileno(), 4096) if ready else b""

    def write(self, data: bytes) -> None:
        """Type *data*."""
        assert self._node.stdin is not None
        self._node.stdin.write(data)

    def close(self) -> None:
        """End it."""
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.close()
        self._node.stdout.close()
        self._node.wait()


def test_the_firmwares_files_go_through_the_raw_repl_of_a_real_micropython(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Typed, compared by length and CRC and put in place there; and what it complains of is its last line."""
    must_be_there()
    monkeypatch.setattr(flash, "ENTER_S", 120.0)  # node has to begin first
    port = NodePort()
    try:
        repl = RawRepl(port, "node")
        copy(repl)
        for name in protocol.FILES:
            content = (protocol.folder() / name).read_bytes()
            assert f"{len(content)} {crc32(content)}" == repl.run(
                f"from binascii import crc32\nd = open({name!r}, 'rb').read()\nprint(len(d), crc32(d))"
            )
        with pytest.raises(DeviceError, match=r"could not be copied to node \(OSError: 44\)"):
            repl.run("open('nothing')")
        assert "2" == repl.run("print(1 + 1)")
    finally:
        port.close()
