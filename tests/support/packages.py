"""Packages of pins, which are not made for every Python: a test that needs one is left out there.

That is the one reason for which `make check` lets a test be skipped: nothing could be installed against it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

NOT_MADE = "is not made for this Python"
_UNTIL = {"gpiod": (3, 15), "lgpio": (3, 13)}  # the first Python without it, as in pyproject.toml


def need(package: str) -> None:
    """Skip the test that calls this where *package* is missing."""
    if find_spec(package) is None:
        pytest.skip(f"{package} {NOT_MADE if sys.version_info >= _UNTIL[package] else 'is missing'}")
