"""A hall, and the browser on its machine, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.store import HallStore

from tests.support.hall_pages import pages_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    """Return the folder of a new event."""
    made = HallStore(tmp_path / "hall")
    yield made
    made.close()


@pytest.fixture
def hall(store: HallStore) -> Hall:
    """Return a hall in which nothing has happened."""
    return Hall(store, random=Random(3))


@pytest.fixture
def client(hall: Hall) -> FlaskClient:
    """Return the browser of the machine that runs the hall."""
    return pages_of(hall).test_client()
