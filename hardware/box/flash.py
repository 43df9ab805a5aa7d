"""Our files onto a Pico: through its raw REPL, checked afterwards by the box's own greeting."""

from __future__ import annotations

import time
from binascii import crc32
from collections.abc import Callable

from companion.core.errors import DeviceError
from companion.core.text import Text, text
from hardware.box import firmware, protocol
from hardware.box.ports import Port
from hardware.box.protocol import Decoder, Hello
from hardware.box.raw_repl import RawRepl

ANSWER_S = 3.0
RESTART_S = 15.0
LEAVES_S = 0.5
PIECE = 512  # bytes of a file in a program
NEW = ".new"

# A bare Pico, step by step.
STEPS: tuple[Text, ...] = (
    text("1. Hold the Pico’s BOOTSEL button and plug it in; a drive RPI-RP2 (or RP2350) appears."),
    text("2. Get MicroPython 1.24 or newer for your board (RPI_PICO or RPI_PICO2) from micropython.org."),
    text("3. Copy that .uf2 file onto the drive; the Pico restarts by itself, and the drive is gone."),
    text("4. Say lastnose box flash again."),
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
    for name in firmware.FILES:
        content = (firmware.folder() / name).read_bytes()
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
    repl.run(f"import os\nfor n in {firmware.FILES!r}: os.rename(n + {NEW!r}, n)")


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
    if hello is None or hello.version != firmware.version():
        raise DeviceError(
            text(
                "The files are on {port}, but it does not answer with firmware {version}: "
                "unplug it, plug it in again and say lastnose box list.",
                port=device,
                version=".".join(map(str, firmware.version())),
            )
        )
    return hello
