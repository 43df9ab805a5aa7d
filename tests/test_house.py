"""The house itself: locked versions, and the two commands a newcomer types."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import companion
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


def test_wheel_has_all_that_an_installed_table_needs(tmp_path: Path) -> None:
    """Templates, profiles, fonts, compiled translations and the firmware travel; tests stay at home."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    data = {
        "companion/locale/fr/LC_MESSAGES/messages.mo",
        "companion/firmware/README.md",
        "companion/requirements.lock",
        "companion/requirements-pi.lock",
        *(f"hardware/profiles/{path.name}" for path in (ROOT / "hardware" / "profiles").iterdir()),
        *(f"web/templates/{path.name}" for path in (ROOT / "web" / "templates").iterdir()),
        *(f"web/static/{path.name}" for path in (ROOT / "web" / "static").iterdir()),
    }
    assert set() == data - packed
    assert {"companion", "hardware", "web", f"lastnose-{PROJECT['project']['version']}.dist-info"} == {
        name.partition("/")[0] for name in packed
    }


def test_version_is_written_once_for_people_and_once_for_pip() -> None:
    """`lastnose --version` and the package say the same."""
    assert PROJECT["project"]["version"] == companion.__version__


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
