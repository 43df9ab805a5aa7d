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


# What is claimed of time, in ns, ppm or seconds: where the code has it, and as its row says it.
BOUNDS: dict[str, dict[str, tuple[float, str]]] = {
    "hardware.sources.gpiochip": {"U_NS": (10_000, "10 µs")},
    "hardware.sources.pins": {"KERNEL_U_NS": (10_000, "10 µs"), "SAMPLE_NS": (2_000_000, "2 ms")},
    "hardware.sources.stream": {"LATE_NS": (5_000_000, "5 ms, or as measured")},
    "hardware.box.boxes": {"PINS_U_NS": (10_000, "10 µs")},
    "hardware.box.session": {"BLIND_TICKS": (3, "half of three ticks")},
    "companion.core.model": {"RATE_ERROR_PPM": (550, "550 ppm"), "TIMELINE_PPM": (700, "700 ppm")},
    "hardware.box.clock": {
        "NOMINAL_PPM": (150, "150 and 50 ppm"),
        "HOST_PPM": (50, "150 and 50 ppm"),
        "DRIFT_PPM_PER_S": (0.25, "0.25 ppm a second"),
    },
    "hardware.sources.mock": {"CLOCK_U_NS": (10_000_000, "10 ms")},
    "hardware.box.sync": {
        "UNREAD_NS": (5_000_000, "5 ms (`UNREAD_NS`"),
        "PULSE_U_NS": (300, "300 ns, 1 µs"),
        "HOST_PULSE_U_NS": (1_000, "300 ns, 1 µs"),
        "MOST_PPM": (1_100, "1,100 ppm"),
    },
    "companion.core.touch": {"LATENCY_U_NS": (25_000_000, "25, 50 ms"), "LATE_NS": (50_000_000, "25, 50 ms")},
    "web.phone_claims": {"FINGERS_NS": (20_000_000, "20 ms")},
    "web.taps": {"_HANDED_NS": (50_000_000, "50 and 50 ms"), "_SLOWEST_NS": (200_000_000, "200 at most")},
    "companion.timing.arming": {"SETTLE_NS": (150_000_000, "150 ms")},
}
IN_A_PAGE = {
    "DRIFT = 200e-6": "200 ppm",
    "WALL_NS = 2e6": "2 ms + 0.1 %",
    "UNKNOWN_NS = 2e9": "2 s (`UNKNOWN_NS`",
}


def test_the_table_of_bounds_has_the_figures_of_the_code() -> None:
    """A claim that is changed in one place only is found here; so is a new one that looks like them."""
    table = (timing.__doc__ or "").partition("| bound | what it is")[2].partition("Read on")[0]
    for name, figures in BOUNDS.items():
        module = import_module(f"lastnose.{name}")
        assert {one: figure for one, (figure, _) in figures.items()} == {
            one: getattr(module, one) for one in figures
        }
        assert [] == [said for _, said in figures.values() if said not in table]
        claimed = {one for one in vars(module) if re.fullmatch(r"[A-Z_]*(_U_NS|_PPM|PPM_PER_S)|U_NS", one)}
        assert claimed - OTHERWISE <= {*figures, *_named_elsewhere(module)}, name
    clock = (COMPANION.parent / "web/static/lib/clock.js").read_text(encoding="utf-8")
    assert [] == [one for one in IN_A_PAGE if f"const {one};" not in clock]
    assert [] == [said for said in IN_A_PAGE.values() if said not in table]


# Paces at which an estimate is approached, and by kind of touch 8.5 and 4 ms, which the same row has.
OTHERWISE = {"SLEW_PPM", "CALM_PPM", "TOUCH_U_NS", "LATE_U_NS"}
COMPANION = Path(companion.__file__).parent


def _named_elsewhere(module: object) -> set[str]:
    """Return the constants that *module* has from another."""
    return {one for name, figures in BOUNDS.items() if name not in str(module) for one in figures}


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
