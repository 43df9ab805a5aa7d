"""The manual is true: what it links to is there, and what it tells one to type exists."""

from __future__ import annotations

import re
from pathlib import Path

from companion.cli import COMMANDS
from companion.wiring.profile import built_in_profiles
from companion.wiring.wires import SEAT_COLOURS

ROOT = Path(__file__).parent.parent
MANUAL = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")


def test_every_link_leads_somewhere() -> None:
    """Drawings, tables and pictures."""
    links = re.findall(r"\]\(([^)]+)\)", MANUAL)
    assert len(links) > 20
    assert [] == [link for link in links if not (ROOT / "hardware" / link).is_file()]
    sources = re.findall(r"`(enclosure/\w+\.scad)`", MANUAL)
    assert 6 == len(sources)
    assert [] == [source for source in sources if not (ROOT / "hardware" / source).is_file()]


def test_every_command_and_target_exists() -> None:
    """Nothing is promised that cannot be typed."""
    assert set() == set(re.findall(r"(?<!/)lastnose (\w[\w-]*)", MANUAL)) - set(COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)`", MANUAL):
        assert f"\n{target}:" in makefile


def test_every_kit_has_its_row() -> None:
    """A profile that comes along can be built from the manual."""
    rows = re.findall(r"^\| `([\w-]+)` \| ", MANUAL, re.MULTILINE)
    assert sorted(name for name in built_in_profiles() if name != "mock") == sorted(rows)


def test_colours_are_those_of_the_drawing() -> None:
    """Nose 1 is brown, and so on to 8."""
    said = re.search(r"Nose 1 is (\w+), (.*?)\.\n", MANUAL, re.DOTALL)
    assert said
    others = re.findall(r"\d (\w+)", said[2])
    assert [str(name) for name, _ in SEAT_COLOURS[:8]] == [said[1], *others]


def test_steps_are_numbered_and_each_has_a_check() -> None:
    """Twelve of each."""
    steps = re.findall(r"^(\d+)\. \*\*", MANUAL, re.MULTILINE)
    assert [str(number) for number in range(1, 13)] == steps
    by_step = MANUAL[MANUAL.index("## Step by step") : MANUAL.index("## A buzzer box")]
    assert len(steps) == by_step.count("*Check:*")
