"""Keeps all cores of the machine busy for a while: what is measured under load is measured so."""

from __future__ import annotations

import os
import subprocess
import sys

_WORK = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"


class BusyCores:
    """As many processes as there are cores, from `begin` to `end`; they do not outlive this one."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def going_on(self) -> bool:
        """Whether the machine is being kept busy."""
        return bool(self._processes)

    def begin(self) -> None:
        """Begin, unless it has begun."""
        if not self._processes:
            words = [sys.executable, "-I", "-S", "-c", _WORK]
            self._processes = [subprocess.Popen(words) for _ in range(os.cpu_count() or 1)]

    def end(self) -> None:
        """End it and wait for that; may be called twice."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        self._processes = []
