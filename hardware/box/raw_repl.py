"""MicroPython's raw REPL at the other end of a port: a program goes in, what it prints comes out.

Every step has its time, after which the port is one that does not answer (docs.micropython.org, “The
MicroPython Interactive Interpreter Mode”, raw mode).
"""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.core.errors import DeviceError
from companion.core.text import text
from hardware.box.ports import Port

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
