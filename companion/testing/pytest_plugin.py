"""Fixtures that come with the package: a table on simulated noses, ready for a scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from companion.testing.scenario import Scenario


@pytest.fixture
def new_table() -> Callable[..., Scenario]:
    """Make tables: `new_table("pig", ["North", "East", "South"], word="HOG")`."""
    from companion.testing.scenario import Scenario

    return Scenario


@pytest.fixture
def table(new_table: Callable[..., Scenario]) -> Scenario:
    """A table of Pig with North, East, South and West."""
    return new_table()
