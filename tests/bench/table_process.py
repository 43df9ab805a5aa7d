"""A running table in a process of its own, as `tests.bench.pages` starts it.

usage: python -m tests.bench.table_process FOLDER ["first"]. It prints its port; for each line
`ROUNDS PER_S` that it reads it plays that many rounds (of who was first) and prints the presses, and what
they cost, as JSON; it ends with its input.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from lastnose.companion.app.app import App
from lastnose.companion.config.settings import run_settings

from tests.bench.evening import CallingEvening, EndlessEvening, ShownPress
from tests.bench.processes import memory_mb

SEATS = 4
OPENER_LEADS_S = 0.1


def main(folder: Path, question: str = "last") -> None:
    """Run the table until the input ends; Ctrl-C is for whoever started it, who then ends the input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    app = App(run_settings(source="mock", data_dir=folder, port=0, lan=False, oled="none", rearm_s=None))
    (url, *_) = app.start()
    try:
        _print(urlsplit(url).port)
        evening = (CallingEvening if question == "first" else EndlessEvening)(app.table, SEATS)
        for line in sys.stdin:
            rounds, per_s = line.split()
            _print(play(evening, int(rounds), float(per_s)))
    finally:
        app.stop()


def play(evening: EndlessEvening, rounds: int, per_s: float) -> dict[str, Any]:
    """Play *rounds*, at most *per_s* a second; return how every press was shown, and what it all cost."""
    presses: list[ShownPress] = []
    undecided = evening.undecided
    start_s, worked_s = time.monotonic(), time.process_time()
    for number in range(rounds):
        time.sleep(max(0.0, start_s + number / per_s - time.monotonic()))
        presses += evening.play(OPENER_LEADS_S)
    share = (time.process_time() - worked_s) / (time.monotonic() - start_s)
    return {
        "presses": presses,
        "undecided": evening.undecided - undecided,
        "cpu_percent": 100 * share,
        "memory_mb": memory_mb(os.getpid()),
    }


def _print(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
