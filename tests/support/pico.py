"""A pretended Pico: a raw REPL that keeps files in a folder, and the firmware once main.py lies there.

`python pico.py FOLDER` is one at a port of its own, which it prints; it needs Last Nose alone.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import select
import sys
import tempfile
import time
import traceback
import tty
from binascii import crc32
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lastnose.companion.system import host_clock
from lastnose.hardware.box.flash import BANNER
from lastnose.hardware.box.ports import Port, SerialPort
from lastnose.hardware.box.simulated import SimulatedBox


class Restart(BaseException):
    """The program has restarted the board."""


def restart() -> None:
    """Restart the board."""
    raise Restart


class Repl:
    """The raw REPL of a board whose files lie in *folder*: bytes in, bytes out."""

    def __init__(self, folder: Path) -> None:
        self._raw = False
        self._program = bytearray()
        self._names: dict[str, Any] = {"__builtins__": self._builtins(folder)}

    def hear(self, data: bytes) -> bytes:
        """Return the answer to *data*; raise Restart with what was said before."""
        said = b""
        for byte in data:
            if byte == 0x01:
                self._raw = True
                said += b"\r\n" + BANNER
            elif byte in (0x02, 0x03):
                self._raw = self._raw and byte == 0x03
                self._program.clear()
            elif not self._raw:
                said += bytes([byte])  # the friendly one repeats what is typed
            elif byte == 0x04:
                said += b"OK"
                try:
                    said += self._run(bytes(self._program)) + b">"
                except Restart:
                    raise Restart(said) from None
                self._program.clear()
            else:
                self._program.append(byte)
        return said

    def _run(self, program: bytes) -> bytes:
        self._printed = io.StringIO()
        complained = ""
        try:
            exec(compile(program, "<stdin>", "exec"), self._names)
        except Exception:
            complained = traceback.format_exc()
        return f"{self._printed.getvalue()}\x04{complained}\x04".encode()

    def _builtins(self, folder: Path) -> dict[str, Any]:
        modules = {
            "os": SimpleNamespace(rename=lambda old, new: (folder / old).replace(folder / new)),
            "machine": SimpleNamespace(reset=restart),
            "time": SimpleNamespace(sleep_ms=lambda ms: None),
            "binascii": SimpleNamespace(crc32=crc32),
        }
        return {
            **vars(builtins),
            "open": lambda name, mode: (folder / name).open(mode),
            "print": lambda *words: print(*words, file=self._printed),
            "__import__": lambda name, *_: modules[name],
        }


class PtyCable:
    """A simulated box's cable whose host's end, a terminal at the path `name`, any program can open."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lastnose-box-")
        self.name = str(Path(self._folder.name) / "port")
        self._wake_read, self._wake_write = os.pipe()
        self._ends: tuple[int, int] | None = None

    def plug(self) -> None:
        """Put the cable in: a new terminal at the same path."""
        if self._ends is None:
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._ends = master, slave
            Path(self.name).symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        """Pull it."""
        if self._ends is not None:
            Path(self.name).unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def open_port(self) -> Port:
        """Return the host's end; raise DeviceError."""
        return SerialPort(self.name)

    def receive(self) -> bytes:
        """Return what has come from the host."""
        with contextlib.suppress(OSError):  # nothing to read
            if self._ends is not None:
                return os.read(self._ends[0], 4096)
        return b""

    def send(self, data: bytes) -> int:
        """Send as much as there is room for."""
        try:
            return 0 if self._ends is None else os.write(self._ends[0], data)
        except BlockingIOError:
            return 0

    def wait(self, wait_s: float, *, for_room: bool) -> None:
        """Wait for the host, or for `wake`."""
        ends = self._ends
        master = [] if ends is None else [ends[0]]
        heard, stuck = ([], master) if for_room else (master, [])
        try:
            ready, _, _ = select.select([self._wake_read, *heard], stuck, [], wait_s)
        except (OSError, ValueError):
            return  # unplugged meanwhile
        if self._wake_read in ready:
            os.read(self._wake_read, 1024)

    def wake(self) -> None:
        """Let whoever waits go on."""
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b".")

    def close(self) -> None:
        """Pull it for good."""
        self.unplug()
        os.close(self._wake_read)
        os.close(self._wake_write)
        self._folder.cleanup()


class PretendedPico(SimulatedBox):
    """A Pico with MicroPython; with main.py in *folder* it runs our firmware until that is told to leave."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._repl = Repl(folder)
        self._bare = not (folder / "main.py").exists()
        super().__init__(cable=PtyCable())

    def _serve(self) -> bool:
        if not (self._bare or self.chip.box.leaves):
            return super()._serve()
        if not self._send():
            return False
        data = self._cable.receive()
        try:
            self._unsent = self._repl.hear(data)
        except Restart as restarted:
            (self._unsent,) = restarted.args
            self._repl = Repl(self._folder)
            self._bare = not (self._folder / "main.py").exists()
            self.chip.reboot()
        self._stuck_ns = host_clock.now_ns()
        return self._send() and bool(data)


if __name__ == "__main__":
    with PretendedPico(Path(sys.argv[1])) as pico:
        print(os.path.realpath(pico.port), flush=True)
        while True:
            time.sleep(1)
