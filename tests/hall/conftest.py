"""A hall for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from lastnose.companion.event import seating
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore


@pytest.fixture(autouse=True)
def soon_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for better seats a moment only: how well they are found is a matter of `test_seating`."""
    monkeypatch.setattr(seating, "A_SEAT", 1)
    monkeypatch.setattr(seating, "AGAIN", 1)
    monkeypatch.setattr(seating, "ENOUGH", 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    """Return the folder of a new event."""
    made = HallStore(tmp_path)
    yield made
    made.close()


@pytest.fixture
def hall(store: HallStore) -> Hall:
    """Return a hall in which nothing has happened."""
    return Hall(store, random=Random(1))
