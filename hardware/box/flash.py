"""Our files onto a Pico: through its raw REPL, checked afterwards by the box's own greeting."""

from __future__ import annotations

import time
from binascii import crc32
from collections.abc import Callable

from companion.core.errors import DeviceError
from companion.core.text import Text, text
from hardware.box import protocol
from hardware.box.ports import Port
from hardware.box.protocol import Decoder, Hello
from hardware.box.uf2 import MICROPYTHON

# ---- MicroPython's raw REPL at the other end of a port: a program goes in, what it prints comes out.
#
# Every step has its time, after which the port is one that does not answer (docs.micropython.org, “The
# MicroPython Interactive Interpreter Mode”, raw mode).

ENTER_S = 3.0
STEP_S = 10.0  # erasing and writing a block of the Pico's flash takes a tenth of a second
AT_ONCE = 256  # bytes: what an unhurried board takes without losing any
SLICE_S = 0.05
BANNER = b"raw REPL; CTRL-B to exit\r\n>"


class RawRepl:
    """The raw REPL on *port*, which *device* names in sentences. Every call may raise DeviceError."""

    def __init__(self, port: Port, device: str, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._port = port
        self._device = device
        self._clock_s = clock_s
        self._come = b""

    def enter(self) -> None:
        """Interrupt what runs and enter."""
        self._send(b"\r\x03\x03\r\x01")
        self._until(BANNER, ENTER_S)

    def run(self, program: str) -> str:
        """Return what *program* prints; raise DeviceError with the last line of what it complains of."""
        self.send(program)
        printed = self._until(b"\x04", STEP_S)
        complained = self._until(b"\x04>", STEP_S).decode(errors="replace").strip().splitlines()
        if complained:
            raise DeviceError(
                text(
                    "The files could not be copied to {port}: {why}. Is MicroPython on it?",
                    port=self._device,
                    why=complained[-1],
                )
            )
        return printed.decode(errors="replace").strip()

    def send(self, program: str) -> None:
        """Let *program* begin; what it prints may never come, when it restarts the board."""
        self._send(program.encode() + b"\x04")
        self._until(b"OK", STEP_S)

    def _send(self, data: bytes) -> None:
        try:
            for at in range(0, len(data), AT_ONCE):
                self._port.write(data[at : at + AT_ONCE])
        except OSError as problem:
            raise self._silent() from problem

    def _until(self, end: bytes, within_s: float) -> bytes:
        """Return what comes before *end*; what comes after it is kept for the next."""
        until_s = self._clock_s() + within_s
        while end not in self._come:
            if self._clock_s() >= until_s:
                raise self._silent()
            try:
                self._come += self._port.read(SLICE_S)
            except OSError as problem:
                raise self._silent() from problem
        before, _, self._come = self._come.partition(end)
        return before

    def _silent(self) -> DeviceError:
        return DeviceError(
            text(
                "Nothing at {port} answers as MicroPython does: is it the port of a Pico, with MicroPython "
                "on it? Unplug it, plug it in again, and try once more.",
                port=self._device,
            )
        )


ANSWER_S = 3.0
RESTART_S = 15.0
LEAVES_S = 0.5
PIECE = 512  # bytes of a file in a program
NEW = ".new"

# A bare Pico, step by step.
STEPS: tuple[Text, ...] = (
    text(
        "1. Get MicroPython {version} for your board (RPI_PICO or RPI_PICO2) from micropython.org.",
        version=MICROPYTHON,
    ),
    text(
        "2. Type lastnose box uf2 and the name of that file: it writes lastnose.uf2, with our firmware in it."
    ),
    text("3. Hold the Pico’s BOOTSEL button and plug it in; a drive RPI-RP2 (or RP2350) appears."),
    text("4. Copy lastnose.uf2 onto the drive; the Pico restarts by itself, and the drive is gone."),
)


def ask_who(port: Port, wait_s: float = ANSWER_S) -> Hello | None:
    """Return the greeting of the box on *port*, None when nobody answers as one."""
    decoder = Decoder()
    until = time.monotonic() + wait_s
    next_ask = 0.0
    while (now := time.monotonic()) < until:
        if now >= next_ask:
            port.write(protocol.ask())
            next_ask = now + 0.3
        for told in decoder.feed(port.read(0.05)):
            if isinstance(told, Hello):
                return told
    return None


def flash(device: str, open_port: Callable[[], Port]) -> Hello:
    """Copy the firmware onto the Pico at *device*; return what it says of itself then.

    A box that runs is asked to leave its program first, for it does not heed Ctrl-C. A port that does not
    answer is given up within seconds. Raise DeviceError.
    """
    port = open_port()
    try:
        if _runs_ours(port):
            port.write(protocol.leave())
            time.sleep(LEAVES_S)
        repl = RawRepl(port, device)
        copy(repl)
        repl.send("import machine, time\ntime.sleep_ms(100)\nmachine.reset()")
    finally:
        port.close()
    return _check(device, open_port)


def _runs_ours(port: Port) -> bool:
    """Return whether our firmware answers; a port that takes nothing is found out by who asks it next."""
    try:
        return ask_who(port, 1.0) is not None
    except OSError:
        return False


def copy(repl: RawRepl) -> None:
    """Write every file beside the old one, compare, and only then put all in place; raise DeviceError."""
    repl.enter()
    for name in protocol.FILES:
        content = (protocol.folder() / name).read_bytes()
        repl.run(f"f = open({name + NEW!r}, 'wb')")
        for at in range(0, len(content), PIECE):
            repl.run(f"f.write({content[at : at + PIECE]!r})")
        told = repl.run(
            f"f.close()\nfrom binascii import crc32\nf = open({name + NEW!r}, 'rb')\n"
            f"d = f.read()\nf.close()\nprint(len(d), crc32(d))\ndel d"
        )
        if told != f"{len(content)} {crc32(content)}":
            raise DeviceError(
                text("{file} did not arrive whole: try once more, with another cable.", file=name)
            )
    repl.run(f"import os\nfor n in {protocol.FILES!r}: os.rename(n + {NEW!r}, n)")


def _check(device: str, open_port: Callable[[], Port]) -> Hello:
    """Wait until the box is back and says that it has our version."""
    until = time.monotonic() + RESTART_S
    hello: Hello | None = None
    while hello is None and time.monotonic() < until:
        try:
            port = open_port()
        except DeviceError:
            time.sleep(0.3)
            continue
        try:
            hello = ask_who(port)
        finally:
            port.close()
    if hello is None or hello.version != protocol.version():
        raise DeviceError(
            text(
                "The files are on {port}, but it does not answer with firmware {version}: unplug it, "
                "plug it in again and run lastnose box list.",
                port=device,
                version=".".join(map(str, protocol.version())),
            )
        )
    return hello
