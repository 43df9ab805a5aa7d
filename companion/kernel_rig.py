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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.errors import DeviceError
from companion.text import text

ROOT = Path(__file__).parent.parent
RIG = ROOT / "tests" / "kernel"
METHODS = ("gpiochip", "lgpio", "rpigpio", "button")
PARTS = (
    *(f"{method}-{load}" for method in METHODS for load in ("idle", "busy")),
    *("gpiochip-bounce", "lgpio-bounce"),
    *("gpiochip-burst", "gpiochip-stalled-burst", "lgpio-burst", "rpigpio-burst"),
    *("gpiochip-taken", "lgpio-taken", "gpiochip-selftest", "gpiochip-sync"),
    *("lgpio-outputs", "rpigpio-outputs"),
    # Last: the chip that comes back has another number, and lgpio goes by that.
    "gpiochip-unplugged",
)
MEMORY_MB = 512
TIME_LIMIT_S = 240.0
MARK = "RIG "


def find_kernel() -> Path | None:
    """Return the directory of the built test kernel, None when there is none (tests/kernel/build.sh)."""
    script = RIG / "build.sh"
    if not script.exists() or shutil.which("bash") is None:
        return None
    where = subprocess.run(["bash", str(script), "--where"], capture_output=True, text=True, check=True)
    home = Path(where.stdout.strip())
    return home if (home / "linux").exists() and (home / "press").exists() else None


def measure(parts: Iterable[str] = PARTS) -> dict[str, dict[str, Any]]:
    """Boot once, measure *parts* one after the other and return each part's figures, times in nanoseconds.

    Raises DeviceError when there is no kernel, or it ended without telling them all.
    """
    wanted = tuple(parts)
    home = find_kernel()
    if home is None:
        raise DeviceError(text("The test kernel has not been built: say bash tests/kernel/build.sh once."))
    with tempfile.TemporaryDirectory(prefix="lastnose-rig-") as scratch:
        console = _boot(home, Path(scratch), wanted)
    figures = {result.pop("part"): result for result in read_console(console)}
    missing = [part for part in wanted if part not in figures]
    if missing:
        raise DeviceError(
            text(
                "The test kernel told nothing about {parts}. Its last words: {words}",
                parts=", ".join(missing),
                words=console[-2000:].strip(),
            )
        )
    return figures


def read_console(console: str) -> Iterator[dict[str, Any]]:
    """Return the results among what the guest printed.

    >>> list(read_console('booting\\nRIG {"part": "gpiochip-idle", "stamps": 3}\\noff'))
    [{'part': 'gpiochip-idle', 'stamps': 3}]
    """
    for line in console.splitlines():
        _, mark, result = line.partition(MARK)
        if mark and result.startswith("{"):
            yield json.loads(result)


def _boot(home: Path, scratch: Path, parts: tuple[str, ...]) -> str:
    """Run the kernel until it switches itself off; return its console."""
    guest = scratch / "guest"
    guest.mkdir()
    settings = {
        "LASTNOSE_ROOT": str(ROOT),
        "LASTNOSE_PYTHON": sys.executable,
        "LASTNOSE_DRIVER": str(home / "press"),
        "LASTNOSE_PARTS": " ".join(parts),
        "LASTNOSE_SCRATCH": str(guest),
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
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
    )
    try:
        console, _ = process.communicate(timeout=TIME_LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        console, _ = process.communicate()
    except BaseException:  # Ctrl-C does not reach a session of its own
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return console.decode("utf-8", "replace")


def _memory_directory(scratch: Path) -> Path:
    """Return where the guest's memory is kept: in memory, if there is room for it."""
    shared = Path("/dev/shm")
    roomy = shared.is_dir() and shutil.disk_usage(shared).free > (MEMORY_MB + 64) * 1_000_000
    return shared if roomy and os.access(shared, os.W_OK) else scratch
