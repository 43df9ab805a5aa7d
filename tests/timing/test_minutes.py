"""Rounds of every kind to the nanosecond: what comes in, and all that the referee tells, in its order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.minutes import written
from tests.support.stream_minutes import FOLDER, StreamMinutes

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_referee_tells_what_its_minutes_have(file: Path) -> None:
    """Every event with its stamps and errors, every verdict with its reason and the inputs behind it."""
    assert file.read_text().splitlines() == written(file, StreamMinutes().does).splitlines()
