"""What the code says of itself holds: the nouns, tests and helpers that it names are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from lastnose import companion
from lastnose.companion import timing

import tests.support

TESTS = Path(__file__).parent


@cache
def _named(module: str) -> set[str]:
    """Return the tests in the files of that name, wherever they are."""
    return {
        node.name
        for path in TESTS.rglob(f"{module}.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_test_that_the_theory_of_timing_names_exists() -> None:
    """A rule whose test is gone or renamed is held by nobody."""
    page = timing.__doc__ or ""
    found = re.findall(r"→ (test_\w+)\.(test_\w+)", page)
    assert page.count("→") == len(found) >= 20
    assert [] == [f"{module}.{test}" for module, test in found if test not in _named(module)]


def test_every_rule_of_timing_has_a_test() -> None:
    """Each entry of its lists ends with one, up to what sources send."""
    page = (timing.__doc__ or "").partition("**What a source sends**")[0]
    rules = re.findall(r"^- (.*?)(?=^- |^$|\Z)", page, re.MULTILINE | re.DOTALL)
    assert len(rules) >= 14
    assert [] == [rule for rule in rules if "→" not in rule]


def test_timing_names_every_module_to_read() -> None:
    """The order to read in leaves none out but the settings, which are read with each."""
    reading = (timing.__doc__ or "").rpartition("Read on")[2]
    here = {path.stem for path in Path(timing.__file__).parent.glob("*.py")}
    assert here - {"__init__", "settings"} == {*re.findall(r"`(\w+)`", reading)}


NOUNS = re.findall(r"`([a-z_.]+\.[A-Z]\w+)`", companion.__doc__ or "")


@pytest.mark.parametrize("noun", NOUNS)
def test_every_noun_in_the_list_exists(noun: str) -> None:
    """Where it says, and with a sentence of its own."""
    module, _, name = noun.rpartition(".")
    assert hasattr(import_module(f"lastnose.companion.{module}"), name), noun


def test_every_room_with_a_noun_of_its_own_is_in_the_list() -> None:
    """Each on a line of its own, with what it is."""
    assert len(NOUNS) >= 25
    lines = [line for line in (companion.__doc__ or "").splitlines() if line.startswith("- ")]
    assert [] == [line for line in lines if not re.fullmatch(r"- (`[\w.]+`(, )?)+: \S.*", line)]
    rooms = {
        "core",
        "wiring",
        "timing",
        "games",
        "evening",
        "table",
        "views",
        "event",
        "link",
        "config",
        "app",
        "testing",
    }
    assert rooms == {noun.partition(".")[0] for noun in NOUNS}


def test_every_helper_of_the_tests_is_found_at_once() -> None:
    """`tests/support/__init__.py` lists each once, and what it calls by name is in there."""
    listed = re.findall(r"^- `(\w+)`: (.*)$", tests.support.__doc__ or "", re.MULTILINE)
    here = [path.stem for path in (TESTS / "support").glob("*.py") if path.stem != "__init__"]
    assert sorted(here) == sorted(module for module, _ in listed)
    for module, says in listed:
        for name in re.findall(r"`(\w+)`", says):
            source = (TESTS / "support" / f"{module}.py").read_text(encoding="utf-8")
            assert re.search(rf"^(class|def) {name}\b", source, re.MULTILINE), name
