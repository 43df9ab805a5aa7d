"""Fuzzers that coverage guides, on what comes from a box, for so many runs, starting from sound frames.

Our own small one runs on every Python. Where atheris has a wheel (3.11 on Linux x86_64) it runs besides.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import lastnose.hardware.box.clock
import pytest
from lastnose.hardware.box import protocol, session

from tests.support import fuzz_box_target, guided

HERE = Path(__file__).parent.parent.parent
RUNS = 200
MANY_RUNS = 4_000
MODULES = (protocol, session, lastnose.hardware.box.clock)


def nested(data: bytes) -> None:
    """Fail on four letters in a row; only who is told of every step finds them."""
    for at, letter in enumerate(b"NOSE"):
        if data[at : at + 1] != bytes([letter]):
            break
        steps[at]()
    else:
        raise ValueError("found")


# A line each, so that each is a new arc.
steps = (
    lambda: None,
    lambda: None,
    lambda: None,
    lambda: None,
)


def test_our_fuzzer_is_guided_to_what_chance_would_not_find() -> None:
    """Four letters are one in four thousand million; step by step they take some ten thousand runs."""
    with pytest.raises(ValueError, match="found") as found:
        guided.fuzz(nested, [b"...."], [sys.modules[__name__]], runs=100_000)
    assert "the input was b'NOSE" in found.value.__notes__[0]
    blind = guided.fuzz(nested, [b"...."], [], runs=20_000)
    assert (20_000, 0, 1) == (blind.runs, len(blind.arcs), len(blind.corpus))


@pytest.mark.parametrize("runs", [RUNS, pytest.param(MANY_RUNS, marks=pytest.mark.heavy)])
def test_our_fuzzer_finds_no_error(runs: int) -> None:
    """It comes further than the sound frames alone did: into losses, promises and other firmware."""
    begun = guided.fuzz(fuzz_box_target.one, fuzz_box_target.seeds(), MODULES, runs=0)
    found = guided.fuzz(fuzz_box_target.one, fuzz_box_target.seeds(), MODULES, runs=runs)
    assert begun.runs == len(fuzz_box_target.seeds()) < found.runs
    assert begun.arcs < found.arcs
    assert len(found.corpus) > 10


if sys.version_info < (3, 12) and sys.platform == "linux" and os.uname().machine == "x86_64":

    @pytest.mark.heavy
    def test_atheris_finds_no_error(tmp_path: Path) -> None:
        """Guided by coverage of decoder, session and clock, in libFuzzer."""
        for number, seed in enumerate(fuzz_box_target.seeds()):
            (tmp_path / str(number)).write_bytes(seed)
        done = subprocess.run(
            [
                sys.executable,
                HERE / "support" / "fuzz_box.py",
                f"-runs={MANY_RUNS}",
                "-max_len=400",
                tmp_path,
            ],
            cwd=tmp_path,
            env={"PYTHONPATH": str(HERE.parent)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert 0 == done.returncode, done.stderr[-3000:]
        assert "DONE" in done.stderr or "Done" in done.stderr
