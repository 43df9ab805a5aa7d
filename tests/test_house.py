"""The house itself: locked versions, and the two commands a newcomer types."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
from lastnose import companion

from tests.support.sources import ROOT, Function, sources
from tools.locks import LOCKS

LONGEST_FUNCTION, LONGEST_FILE = 40, 600
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
    """`tools/locks.py` compares them exactly, with a registry at hand; this holds without one."""
    wanted = {
        _name(line) for line in PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["build"]
    }
    testers, developers = (
        {_name(line) for line in PROJECT["dependency-groups"][group] if isinstance(line, str)}
        for group in ("test", "dev")
    )
    assert set() == wanted - _pins("requirements.lock").keys()
    assert set() == (wanted | testers) - _pins("requirements-test.lock").keys()
    assert set() == (wanted | testers | developers) - _pins("requirements-dev.lock").keys()


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [("requirements.lock", "requirements-test.lock"), ("requirements-test.lock", "requirements-dev.lock")],
)
def test_a_larger_lock_holds_the_smaller_one(smaller: str, larger: str) -> None:
    """What is tested is what players run; `make` fills a fresh .venv from one lock."""
    held = _pins(larger)
    assert {} == {
        name: (version, held.get(name))
        for name, version in _pins(smaller).items()
        if held.get(name) != version
    }


def _lines_of(function: Function, path: Path) -> int:
    """Return how long *function* is. A command's options stand in its signature: what counts is its body."""
    first = function.body if ROOT / "companion" / "cli" in path.parents else function.line
    return function.end - first + 1


def test_functions_and_files_stay_short_enough_to_be_read_at_once() -> None:
    """40 lines and 600, a story that is told in one place; what has grown past that is two by now."""
    functions = {
        f"{path.relative_to(ROOT)}:{function.line} {function.name}": _lines_of(function, path)
        for path, source in sources().items()
        for function in source.functions
    }
    assert len(functions) >= 3000
    assert {} == {name: lines for name, lines in functions.items() if lines > LONGEST_FUNCTION}
    files = {path.relative_to(ROOT): source.text.count("\n") for path, source in sources().items()}
    assert {} == {path: lines for path, lines in files.items() if lines > LONGEST_FILE}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (found,) = folder.glob("*.whl")
    return zipfile.ZipFile(found)


@pytest.mark.heavy
def test_wheel_has_all_that_an_installed_table_needs(wheel: zipfile.ZipFile) -> None:
    """Templates, profiles, fonts, compiled translations and the firmware travel; tests stay at home."""
    packed = set(wheel.namelist())
    data = {
        "companion/i18n/locale/fr/LC_MESSAGES/messages.mo",
        "companion/firmware/README.md",
        "companion/firmware/BRING-UP.md",
        "companion/requirements.lock",
        "companion/requirements-pi.lock",
        *(f"hardware/profiles/{path.name}" for path in (ROOT / "hardware" / "profiles").iterdir()),
        *(path.relative_to(ROOT).as_posix() for path in (ROOT / "web" / "templates").rglob("*.html")),
        *(str(path.relative_to(ROOT)) for path in (ROOT / "web" / "static").rglob("*") if path.is_file()),
    }
    assert set() == {f"lastnose/{name}" for name in data} - packed
    assert {"lastnose", f"lastnose-{PROJECT['project']['version']}.dist-info"} == {
        name.partition("/")[0] for name in packed
    }
    assert {"companion", "hardware", "web", "__init__.py"} == {
        name.split("/")[1] for name in packed if name.startswith("lastnose/")
    }
    assert not [name for name in packed if "__pycache__" in name or name.startswith("lastnose/.")]


@pytest.mark.heavy
def test_readme_holds_where_nothing_lies_beside_it(wheel: zipfile.ZipFile) -> None:
    """A registry shows it alone: no picture and no link; all its other words, and which files it means."""
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    told = message_from_string(wheel.read(metadata).decode())
    assert "text/markdown" == told["Description-Content-Type"]
    shown, readme = told.get_payload(), (ROOT / "README.md").read_text(encoding="utf-8")
    assert isinstance(shown, str)
    assert [] == re.findall(r"\]\(|\]:|<[a-z]+[^>]*(?:src|href)", shown)
    led = re.findall(r"(?<!!)\[([^]]*)\]\(([^)#]*)", readme)
    assert len(led) >= 20
    assert [] == [file for words, file in led if f"`{file}`" not in shown or words not in shown]
    assert "The files and folders named here, `make` and all pictures are in the source package." in shown

    def words(text: str) -> set[str]:
        return set(re.findall(r"[^\W\d_]+", re.sub(r"!\[.*?\)", "", text)))

    assert set() == words(readme) - words(shown)


def test_version_is_written_once_for_people_and_once_for_pip() -> None:
    """`lastnose --version` and the package say the same."""
    assert PROJECT["project"]["version"] == companion.__version__


def make(*words: str) -> str:
    """Return what `make` says to somebody who types it, also where `make` runs these tests."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *words], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("run", "lastnose run --source mock --open"),
        ("test", "-m pytest"),
        ("bench", "-m tests.bench"),
        ("check", ".ci/run"),
    ],
)
def test_make_has_the_commands_of_the_readme(target: str, command: str) -> None:
    """`make -n` says what it would do."""
    assert command in make("-n", target)


def test_make_help_explains_every_target() -> None:
    """`make` alone lists what can be made, a line each."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    said = make()
    assert set(phony.group(1).split()) == {line.split("\t")[0] for line in said.splitlines()}
