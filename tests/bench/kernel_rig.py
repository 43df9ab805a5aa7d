"""The test kernel: boots a Linux with simulated GPIO lines as a process and returns what was measured in it.

The product's own sources and judge run inside, on the kernel's real GPIO device, while another process moves
the lines; see tests/kernel/.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text

ROOT = Path(__file__).parent.parent.parent
RIG = ROOT / "tests" / "kernel"
METHODS = ("gpiochip", "lgpio", "rpigpio", "button")
PARTS = (
    *(f"{method}-{load}" for method in METHODS for load in ("idle", "busy")),
    *("gpiochip-bounce", "lgpio-bounce"),
    *("gpiochip-burst", "gpiochip-stalled-burst", "lgpio-burst", "rpigpio-burst"),
    *("gpiochip-taken", "lgpio-taken", "gpiochip-selftest", "gpiochip-sync"),
    "gpiochip-outputs",
    # Last: the chip that comes back has another number, and lgpio goes by that.
    "gpiochip-unplugged",
)
MEMORY_MB = 512
SILENT_S = 60.0  # a kernel that tells of no further part for so long hangs; a part takes 12
BUSIEST = 3.0  # so many times as long it may take on a machine that is busy otherwise
BOOTS = 8  # lgpio hangs in a burst of edges, now and then
LOOK_S = 0.1


def find_kernel() -> Path | None:
    """Return the directory of the built test kernel, None when there is none (tests/kernel/build.sh)."""
    script = RIG / "build.sh"
    if not script.exists() or shutil.which("bash") is None:
        return None
    where = subprocess.run(["bash", str(script), "--where"], capture_output=True, text=True, check=True)
    home = Path(where.stdout.strip())
    return home if (home / "linux").exists() and (home / "press").exists() else None


def measure(parts: Iterable[str] = PARTS) -> dict[str, dict[str, Any]]:
    """Boot, measure *parts* one after the other and return each part's figures, times in nanoseconds.

    On a busy machine a driver inside may hang: what was not told is measured by another kernel, up to `BOOTS`
    in all. Raises DeviceError when there is no kernel, or the last one ended without telling them all.
    """
    wanted = tuple(parts)
    home = find_kernel()
    if home is None:
        raise DeviceError(text("The test kernel has not been built: say bash tests/kernel/build.sh once."))
    figures: dict[str, dict[str, Any]] = {}
    console, missing = "", wanted
    for _ in range(BOOTS):
        with tempfile.TemporaryDirectory(prefix="lastnose-rig-", ignore_cleanup_errors=True) as scratch:
            console = _boot(home, Path(scratch), missing)
            for told in Path(scratch, "told").glob("*.json"):
                figures[told.stem] = json.loads(told.read_text("utf-8"))
        missing = tuple(part for part in wanted if part not in figures)
        if not missing:
            break
        missing = (*missing[1:], missing[0])  # the one that hung comes last: the others are told meanwhile
    if missing:
        raise DeviceError(
            text(
                "The test kernel told nothing about {parts}. Its last words: {words}",
                parts=", ".join(missing),
                words=console[-2000:].strip(),
            )
        )
    return figures


def _boot(home: Path, scratch: Path, parts: tuple[str, ...]) -> str:
    """Run the kernel until it switches itself off; return its console.

    The guest leaves its figures, a file a part, in the folder `told` of *scratch*: on the console a word of
    the kernel's own may fall into any line.
    """
    guest, told = scratch / "guest", scratch / "told"
    guest.mkdir()
    told.mkdir()
    settings = {
        "LASTNOSE_ROOT": str(ROOT),
        "LASTNOSE_PYTHON": sys.executable,
        "LASTNOSE_DRIVER": str(home / "press"),
        "LASTNOSE_PARTS": " ".join(parts),
        "LASTNOSE_SCRATCH": str(guest),
        "LASTNOSE_TOLD": str(told),
    }
    exports = "\n".join(f"export {name}={shlex.quote(value)}" for name, value in settings.items())
    init = scratch / "init"
    init.write_text(f"#!/bin/sh\n{exports}\n. {shlex.quote(str(RIG / 'guest.sh'))}\n", encoding="utf-8")
    init.chmod(0o755)
    command = [
        str(home / "linux"),
        f"mem={MEMORY_MB}M",
        *("root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "quiet", "con=null", "con0=null,fd:1"),
        f"init={init}",
    ]
    environment = {**os.environ, "TMPDIR": str(_memory_directory(scratch)), "HOME": str(scratch)}
    return _until_off(command, environment, told)


def _until_off(command: list[str], environment: dict[str, str], told: Path) -> str:
    """Run *command* in a session of its own until it ends or tells nothing more; return what it printed."""
    with tempfile.TemporaryFile() as console:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        try:
            known, since_s = -1, 0.0
            while process.poll() is None:
                count = sum(1 for _ in told.iterdir())
                if count != known:
                    known, since_s = count, time.monotonic()
                busy = os.getloadavg()[0] / (os.cpu_count() or 1)
                if time.monotonic() - since_s > SILENT_S * min(BUSIEST, max(1.0, busy)):
                    break
                time.sleep(LOOK_S)
        finally:  # Ctrl-C does not reach a session of its own
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        console.seek(0)
        return console.read().decode("utf-8", "replace")


def _memory_directory(scratch: Path) -> Path:
    """Return where the guest's memory is kept: in memory, if there is room for it."""
    shared = Path("/dev/shm")
    roomy = shared.is_dir() and shutil.disk_usage(shared).free > (MEMORY_MB + 64) * 1_000_000
    return shared if roomy and os.access(shared, os.W_OK) else scratch
