"""The examples in docstrings, run as they stand."""

from __future__ import annotations

import doctest
import linecache
from importlib import import_module

import pytest

from tests.support.sources import ROOT

ROOMS = ("companion", "web", "hardware", "tools", "tests")
EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for room in ROOMS
    for path in sorted((ROOT / room).rglob("*.py"))
    if "\n    >>> " in path.read_text(encoding="utf-8") or "\n>>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", EXAMPLES)
def test_the_examples_in_a_modules_docstrings_give_what_they_say(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is run under the name by which others import its module."""
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)  # else every source, every time
    ours = module.split(".")[0] in {"companion", "web", "hardware"}
    failed, tried = doctest.testmod(import_module(f"lastnose.{module}" if ours else module), report=True)
    assert tried
    assert not failed
