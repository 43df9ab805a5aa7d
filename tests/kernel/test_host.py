"""Whether the test kernel can run on this machine is said before it is built, in one line."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("gcc") is None, reason="needs Linux and gcc"
)
def test_a_processor_with_more_registers_than_there_is_room_for_is_told_in_one_line(tmp_path: Path) -> None:
    """Asked for room for none: every processor has the 576 bytes at least with which an XSAVE area begins."""
    host = tmp_path / "host"
    subprocess.run(["gcc", "-o", str(host), str(HERE / "host.c")], check=True)
    told = subprocess.run([str(host), "0"], capture_output=True, text=True, check=False)
    assert (1, 1) == (told.returncode, told.stdout.count("\n"))
    assert told.stdout.startswith("The test kernel cannot run on this machine: ")
    size = re.search(r"XSAVE area is (\d+) bytes", told.stdout)
    assert size is None or int(size[1]) >= 576


def test_the_room_that_is_said_is_that_of_the_kernel() -> None:
    """One figure: in the patch of user-mode Linux, and in what asks the machine."""
    patch = (HERE / "uml.patch").read_text(encoding="utf-8")
    asked = (HERE / "host.c").read_text(encoding="utf-8")
    assert re.findall(r"^\+.*HOST_FP_SIZE, (\d+)", patch, re.MULTILINE) == re.findall(r"ROOM (\d+)", asked)
