"""A table as a process of its own, used over HTTP as a program with a token uses it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
from lastnose.web.access import make_token

WITHIN_S = 60


class TableProcess:
    """`lastnose run` on simulated noses and the folder *data*; ended when the `with` block is left."""

    def __init__(self, data: Path, *words: str, env: dict[str, str] | None = None) -> None:
        data.mkdir(exist_ok=True)
        (data / "tokens.json").unlink(missing_ok=True)
        self.data = data
        self.token = make_token(data, "campaign")
        self._told = data.with_name(f"{data.name}.told")
        command = [
            "-m",
            "lastnose.companion.cli",
            "run",
            "--source",
            "mock",
            "--port",
            "0",
            "--data",
            str(data),
            *words,
        ]
        with self._told.open("wb") as told:
            self.process = subprocess.Popen(
                [sys.executable, *command], stdout=subprocess.PIPE, stderr=told, text=True, env=env
            )
        assert self.process.stdout is not None
        found = None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                break
        assert found is not None, self.errors()
        self.port = int(found[1])

    def errors(self) -> str:
        """Return what it has written to its log."""
        return self._told.read_text(errors="replace")

    def ask(self, path: str, body: Any = None, within_s: float = WITHIN_S) -> Any:
        """Get *path*, or post *body* to it; raise OSError."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else msgspec.json.encode(body)
        wish = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        with urllib.request.urlopen(wish, timeout=within_s) as answer:
            return msgspec.json.decode(answer.read() or b"null")

    def do(self, kind: str, **fields: Any) -> Any:
        """Give a command."""
        return self.ask("/api/v1/commands", {"type": kind, **fields})

    def touch(self, nose: int, level: int = 1, page: str = "campaign") -> None:
        """Touch or let go of a nose, now."""
        t_ns = self.ask("/api/v1/clock")["t_ns"]
        taps = [{"line": f"nose.{nose}", "level": level, "t_ns": t_ns}]
        self.ask("/api/v1/taps", {"page": page, "clock_u_ns": 0, "taps": taps})

    def promise(self, page: str = "campaign") -> None:
        """Promise, as an open page does all the time, that no tap from before now is still coming."""
        t_ns = self.ask("/api/v1/clock")["t_ns"]
        self.ask("/api/v1/taps", {"page": page, "clock_u_ns": 0, "taps": [], "promised_ns": t_ns})

    def memory_mb(self) -> float:
        """Return what it holds of this machine's memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait(WITHIN_S)

    def __enter__(self) -> TableProcess:
        """Go on."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it, politely if it listens."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()
