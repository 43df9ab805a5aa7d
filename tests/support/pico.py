"""A pretended Pico: a raw REPL that keeps files in a folder, and the firmware once main.py lies there.

`python pico.py FOLDER` is one at a port of its own, which it prints; it needs Last Nose alone.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
import time
import traceback
from binascii import crc32
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from lastnose.companion.system import host_clock
from lastnose.hardware.box.flash import BANNER
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


class PretendedPico(SimulatedBox):
    """A Pico with MicroPython; with main.py in *folder* it runs our firmware until that is told to leave."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._repl = Repl(folder)
        self._bare = not (folder / "main.py").exists()
        super().__init__()

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
