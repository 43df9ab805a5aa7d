"""Boxes, lamps and displays that go, come back and lie; an API client that tries everything: our tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.campaign.figures import Figure

ROOT = Path(__file__).parent.parent.parent


def _tests(what: str, scale: float, paths: Sequence[str], *words: str) -> Figure:
    """Return how the tests in *paths* came out, from *scale* 0.5 on tried as often as in `make check`."""
    profile = "thorough" if scale >= 0.5 else "quick"
    command = [sys.executable, "-m", "pytest", "-q", f"--hypothesis-profile={profile}", *words, *paths]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False)
    found = re.findall(r"(\d+) (passed|failed|error)", run.stdout)
    counts = {kind: int(number) for number, kind in found}
    bad = counts.get("failed", 0) + counts.get("error", 0)
    if run.returncode != 0:
        print(run.stdout[-3000:])
    good = run.returncode == 0 and counts.get("passed", 0) > 0
    return Figure(what, f"{bad} of {bad + counts.get('passed', 0)} failed", "0", good)


def box(scale: float) -> Iterable[Figure]:
    """Unplugged, corrupted, losing frames, rebooted; clocks that drift."""
    folder = "tests/hardware/box"
    files = ("session", "source", "clock", "protocol", "load", "sync", "relation")
    yield _tests(
        "box unplugged, corrupted, losing, rebooted", scale, [f"{folder}/test_{name}.py" for name in files]
    )


def outputs(scale: float) -> Iterable[Figure]:
    """OLED, lamps and buzzer that are missing, or die and come back."""
    yield _tests("OLED missing or dying", scale, ["tests/hardware/oled/test_display.py"])
    yield _tests(
        "lamps and buzzer missing or dying", scale, ["tests/hardware/outputs", "tests/app/test_outputs.py"]
    )


def schemathesis(scale: float) -> Iterable[Figure]:
    """Examples, limits, random data and sequences of calls, with a token."""
    yield _tests(
        "Schemathesis, stateful, with a token", scale, ["tests/web/api/test_openapi.py"], "-m", "heavy"
    )
