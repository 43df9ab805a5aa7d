"""`lastnose run` as a process: how soon it answers, what memory and time it takes."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

from lastnose.companion.core.errors import DeviceError
from lastnose.companion.core.text import text

PROC = Path("/proc")
WITHIN_S = 30.0


class RunningTable:
    """A simulated table that has just been started; ended by `with`. `port` is that of its page."""

    program: tuple[str, ...] = ("-m", "lastnose.companion.cli")

    def __init__(self, folder: Path, *more: str) -> None:
        words = [
            *self.program,
            "run",
            "--source",
            "mock",
            "--port",
            "0",
            "--data",
            str(folder),
            *more,
        ]
        self.process = subprocess.Popen(
            [sys.executable, *words, "--no-lan"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                return
        self.process.communicate(timeout=WITHIN_S)
        raise DeviceError(text("The table did not start: {why}", why="".join(said).strip()))

    def __enter__(self) -> RunningTable:
        """Return the table."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.process.terminate()
        self.process.communicate(timeout=WITHIN_S)

    def first_page(self) -> bytes:
        """Get the page that a browser opens first; raise DeviceError when it is not there."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WITHIN_S)
        try:
            connection.request("GET", "/")
            answer = connection.getresponse()
            page = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise DeviceError(text("The first page was answered with {status}.", status=answer.status))
        return page


def memory_mb(pid: int) -> float:
    """Return the memory of a process (resident), in MB of a million bytes; raise DeviceError."""
    pages = int(_proc(pid, "statm").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has taken, in seconds; raise DeviceError."""
    fields = _proc(pid, "stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_percent(pid: int, during_s: float) -> float:
    """Wait *during_s* and return the share of one core that a process took meanwhile."""
    before_s, start_s = cpu_s(pid), time.monotonic()
    time.sleep(during_s)
    return 100 * (cpu_s(pid) - before_s) / (time.monotonic() - start_s)


def _proc(pid: int, name: str) -> str:
    try:
        return (PROC / str(pid) / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DeviceError(
            text("Memory and processor time are read from /proc, which is not there.")
        ) from None


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
