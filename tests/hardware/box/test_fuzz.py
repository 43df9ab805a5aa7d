"""Whatever comes from a box, beginning from sound frames: Hypothesis changes them.

Where atheris has a wheel (3.11 on Linux x86_64) it changes them too, guided by coverage.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import fuzz_box_target
from tests.support.examples import examples

HERE = Path(__file__).parent.parent.parent
MANY_RUNS = 4_000
SEEDS = fuzz_box_target.seeds()


@st.composite
def nearly_sound(draw: st.DrawFn) -> bytes:
    """Return some of what a box says, a few bytes of it changed."""
    data = bytearray()
    for part in draw(st.lists(st.sampled_from(SEEDS), min_size=1, max_size=5)):
        said = bytearray(part)
        for at in draw(st.lists(st.integers(0, len(said) - 1), max_size=2)):
            said[at] = draw(st.integers(0, 255) | st.sampled_from((0, 1, 127, 128, 255)))
        data += said
    return bytes(data)


@settings(max_examples=examples(800), deadline=None)
@given(nearly_sound())
def test_whatever_a_box_says_is_no_error(data: bytes) -> None:
    """Losses, promises that are broken, other firmware, noise: no event comes of a wrong CRC."""
    fuzz_box_target.one(data)


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
