"""A coverage-guided fuzzer on what comes from a box, for a bounded time, starting from sound frames."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.box import firmware

HERE = Path(__file__).parent
SECONDS = 4


def test_a_fuzzer_finds_no_error(tmp_path: Path) -> None:
    """Guided by coverage of decoder, session and clock; from a greeting, a pong, events and an overrun."""
    if sys.version_info >= (3, 12):
        return  # atheris has no wheel there; the same properties run under Hypothesis everywhere
    pytest.importorskip("atheris", reason="make dev installs atheris on Linux x86_64")
    frames = firmware.load("frames")
    hello = struct.pack("<IBBBBIIHB", 7, 1, 0, 0, 1, 5_000_000, 0x2001, 9, 255)
    bodies = {
        "hello": struct.pack("<BBHI", 1, 0, 0, 0) + hello,
        "pong": struct.pack("<BBHIII", 4, 0, 1, 1, 1, 500),
        "events": struct.pack("<BBHIII", 2, 1, 2, 0, 1, 500),
        "overrun": struct.pack("<BBHIII", 5, 0, 3, 9, 900, 1),
        "wire": frames.frame(frames.EVENTS, 1, 0, 0, struct.pack("<II", 1, 2)),
    }
    for name, body in bodies.items():
        (tmp_path / name).write_bytes(body)
    done = subprocess.run(
        [sys.executable, HERE / "fuzz_box.py", f"-max_total_time={SECONDS}", "-max_len=400", tmp_path],
        cwd=tmp_path,
        env={"PYTHONPATH": str(HERE.parent)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert 0 == done.returncode, done.stderr[-3000:]
    assert "DONE" in done.stderr or "Done" in done.stderr
