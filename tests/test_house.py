"""The house itself: locked versions, and the two commands a newcomer types."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from locks import LOCKS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _pins(lock: str) -> dict[str, str]:
    return dict(
        re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
    )


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found.group(0)).lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_names_no_host_and_has_a_hash_for_every_version(lock: str) -> None:
    """A lock serves whatever registry a machine uses; pip checks every file against it."""
    written = (ROOT / lock).read_text(encoding="utf-8")
    assert "://" not in written
    assert "--index" not in written
    blocks = re.split(r"^(?=[a-z0-9])", written, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(_pins(lock))
    assert [] == [block for block in blocks if "--hash=sha256:" not in block]


def test_locks_have_every_dependency() -> None:
    """`tests/locks.py` compares them exactly, with a registry at hand; this holds without one."""
    wanted = {
        _name(line) for line in PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["build"]
    }
    developers = {_name(line) for line in PROJECT["dependency-groups"]["dev"]}
    assert set() == wanted - _pins("requirements.lock").keys()
    assert set() == (wanted | developers) - _pins("requirements-dev.lock").keys()


def test_both_locks_agree() -> None:
    """What developers test is what players run."""
    developers = _pins("requirements-dev.lock")
    assert {} == {
        name: (version, developers.get(name))
        for name, version in _pins("requirements.lock").items()
        if developers.get(name) != version
    }


@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("run", "lastnose run --source mock --open"),
        ("test", "-m pytest"),
        ("bench", "lastnose bench"),
        ("check", ".ci/run"),
    ],
)
def test_make_has_the_commands_of_the_readme(target: str, command: str) -> None:
    """`make -n` says what it would do."""
    said = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert command in said


def test_make_help_explains_every_target() -> None:
    """`make` alone lists what can be made, a line each."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    said = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(phony.group(1).split()) == {line.split("\t")[0] for line in said.splitlines()}
