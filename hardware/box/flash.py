"""Our files onto a Pico: with mpremote, checked afterwards by the box's own greeting."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from companion.core.errors import DeviceError
from companion.core.text import Text, text
from hardware.box import firmware, protocol
from hardware.box.ports import Port
from hardware.box.protocol import Decoder, Hello

ANSWER_S = 3.0
RESTART_S = 15.0

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]

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


def flash(device: str, open_port: Callable[[], Port], *, run: Run | None = None) -> Hello:
    """Copy the firmware onto the Pico at *device*; return what it says of itself then.

    A box that runs is asked to leave its program first, for it does not heed Ctrl-C. Raise DeviceError.
    """
    port = open_port()
    try:
        if ask_who(port, 1.0) is not None:
            port.write(protocol.leave())
            time.sleep(0.5)
    finally:
        port.close()
    place = firmware.folder()
    files = [str(place / name) for name in firmware.FILES]
    done = (run or _mpremote)(["connect", device, "fs", "cp", *files, ":", "+", "reset"])
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()
        raise DeviceError(
            text(
                "The files could not be copied to {port}: {why}. Is MicroPython on it?",
                port=device,
                why=last[-1] if last else "mpremote",
            )
        )
    return _check(device, open_port)


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


def _mpremote(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        import mpremote  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        raise DeviceError(
            text("The program that copies files to a Pico is missing: pip install mpremote.")
        ) from None
    return subprocess.run(
        [sys.executable, "-m", "mpremote", *arguments], capture_output=True, text=True, check=False
    )
