"""Three message servers on this machine that keep every entry together, as docs/event/far.md sets them up."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from lastnose.companion.link.engine import find_server

from tests.bench.processes import free_port

NODES = 3
WRITTEN_S = 60.0


class Cluster:
    """Three servers, with what the hall in `hall` says of its tables; a node can be killed and started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports = [free_port() for _ in range(NODES)]
        self._routes = [free_port() for _ in range(NODES)]
        self._nodes: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def address(self) -> str:
        """What `lastnose hall run --engine` takes."""
        return ",".join(f"nats://127.0.0.1:{port}" for port in self._ports)

    def open(self, accounts: Path) -> None:
        """Start all, once the hall has written the *accounts*; do nothing when they run."""
        if self._nodes:
            return
        end_s = time.monotonic() + WRITTEN_S
        while not accounts.exists() and time.monotonic() < end_s:
            time.sleep(0.05)
        for number in range(NODES):
            self._write(number, accounts)
            self.start(number)

    def _write(self, number: int, accounts: Path) -> None:
        made = {
            "server_name": f"node-{number}",
            "listen": f"127.0.0.1:{self._ports[number]}",
            "jetstream": {"store_dir": str(self._folder / f"node-{number}"), "sync_interval": "always"},
            "cluster": {
                "name": "hall",
                "listen": f"127.0.0.1:{self._routes[number]}",
                "routes": [f"nats://127.0.0.1:{port}" for port in self._routes],
            },
        }
        lines = [f"{key}: {json.dumps(value)}" for key, value in made.items()]
        beside = accounts.relative_to(self._folder)  # the server takes it from beside its own file
        text = "\n".join([*lines, f"include {json.dumps(str(beside))}", ""])
        self._config(number).write_text(text, encoding="utf-8")

    def _config(self, number: int) -> Path:
        return self._folder / f"node-{number}.conf"

    def start(self, number: int) -> None:
        """Start node *number*."""
        log = (self._folder / f"node-{number}.log").open("ab")
        with log:
            self._nodes[number] = subprocess.Popen(
                [find_server(), "-c", self._config(number)], stdout=log, stderr=log
            )

    def reload(self) -> None:
        """Let every node read its accounts again."""
        for node in self._nodes.values():
            if node.poll() is None:
                subprocess.run([find_server(), "--signal", f"reload={node.pid}"], check=True, timeout=20)

    def kill(self, number: int) -> None:
        """Kill node *number*, as a power cut does."""
        self._nodes[number].kill()
        self._nodes[number].wait()

    def close(self) -> None:
        """End all."""
        for node in self._nodes.values():
            node.kill()
            node.wait()
