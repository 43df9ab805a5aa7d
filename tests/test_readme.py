"""What the README says is true: its example runs, its pins are the profiles’, its commands exist."""

import re
from pathlib import Path

import pytest

from companion.cli import COMMANDS
from companion.config.settings import load_profile

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_scenario_runs() -> None:
    """Its assertions are part of it."""
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})


@pytest.mark.parametrize("name", ["home4", "home6", "home8"])
def test_the_pins_are_those_of_the_profile(name: str) -> None:
    """Noses in the order of the seats, and the host button."""
    found = re.search(rf"`{name}` \| ([\d ]+) \| (\d+) \|", README)
    assert found is not None
    profile = load_profile(name)
    assert tuple(int(pin) for pin in found.group(1).split()) == profile.pins.noses
    assert int(found.group(2)) == profile.pins.host
    cradles = re.search(rf"`{name}`: ([\d ]+)", README)
    assert cradles is not None
    assert tuple(int(pin) for pin in cradles.group(1).split()) == profile.pins.spoons


def test_every_command_is_listed_once() -> None:
    """In the table, and none that does not exist."""
    listed = re.findall(r"^\| `lastnose ([\w-]+)", README, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


def test_every_picture_and_file_named_is_there() -> None:
    """Paths in links and in backticks that look like ours."""
    paths = re.findall(r"\]\(([^)#:]+)\)", README)
    paths += re.findall(r"`((?:companion|hardware|tests|web)/[\w./-]+)`", README)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
