"""The tables behind pages and API, and the browsers of their own machines."""

from __future__ import annotations

import pytest

from companion.table.memory_store import MemoryStore
from companion.table.table import Table
from tests.support.fakes import FakeTable
from tests.support.phones import TOKENS, Phone, make_access, make_app
from tests.support.tables import AnsweringTable


@pytest.fixture
def table() -> FakeTable:
    """Return a fresh table, that remembers what is asked of it."""
    return FakeTable()


@pytest.fixture
def browser(table: FakeTable) -> Phone:
    """Return the browser of the table's own machine."""
    return Phone(make_app(table))


@pytest.fixture
def scorer() -> Phone:
    """Return the browser of a real table's own machine, to keep a sheet with."""
    table = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3"), simulated=True, wall_s=lambda: 1.0)
    return Phone(make_app(AnsweringTable(table), make_access(lan=True, tokens=TOKENS)))
