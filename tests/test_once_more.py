"""A test that fails only in the crowd is tried alone and named; one that is broken stays a failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.heavy  # of use to `make check` alone
ONCE_MORE = Path(__file__).parent / "support/once_more.py"
MOODY = """
from pathlib import Path

def test_moody():
    been = Path(__file__).with_name("been")
    first = not been.exists()
    been.touch()
    assert not first
"""


def tried(folder: Path, tests: str) -> subprocess.CompletedProcess[str]:
    """Return what comes of *tests* in *folder*, with nothing of this project's settings."""
    (folder / "test_it.py").write_text(tests, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    typed = [sys.executable, ONCE_MORE, sys.executable, "-m", "pytest", "-q"]
    return subprocess.run(typed, cwd=folder, capture_output=True, text=True, check=False)


def test_one_that_passes_alone_is_good_and_named(tmp_path: Path) -> None:
    """It has been there before when it is run again."""
    done = tried(tmp_path, MOODY + "\ndef test_good():\n    pass\n")
    assert 0 == done.returncode
    assert "passed alone; make them steadier:\n  test_it.py::test_moody" in done.stdout


@pytest.mark.parametrize(
    ("tests", "code"),
    [
        ("def test_broken():\n    assert 0\n", 1),
        (MOODY + "\ndef test_broken():\n    assert 0\n", 1),
        ("".join(f"{MOODY.replace('moody', f'm{n}').replace('been', f'b{n}')}\n" for n in range(6)), 1),
        ("import nothing_of_that_name\n", 2),
        ("", 5),
    ],
    ids=["broken", "one of two is broken", "six are no chance", "cannot be read", "no test"],
)
def test_what_is_broken_stays_so(tmp_path: Path, tests: str, code: int) -> None:
    """The exit code is pytest's own."""
    assert code == tried(tmp_path, tests).returncode
