"""The pages' scripts held to what Python is held to: one form, no lint, strict types, unit tests on node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tools import api_types

ROOT = Path(__file__).parent.parent
HOME = ROOT / "tests" / "javascript"
SCRIPTS = sorted((ROOT / "web" / "static").rglob("*.js"))
LONGEST_LINE = 120
pytestmark = pytest.mark.node


@pytest.fixture
def modules() -> Path:
    """Return where the locked tools are."""
    found = HOME / "node_modules"
    if shutil.which("node") is None or not found.is_dir():
        pytest.skip("scripts cannot be checked: install node and npm, then npm ci --prefix tests/javascript")
    return found


def run(*command: str | Path) -> str:
    """Return what *command* says at the top of the project; it has to go well."""
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert 0 == done.returncode, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.heavy
def test_scripts_and_styles_have_one_form_and_no_lint(modules: Path) -> None:
    """`make javascript` puts them into it; biome's own package would ask for those of every other machine."""
    biome = next(modules.glob("@biomejs/cli-*/biome"))
    folders = ("web/static", "tests/javascript", "tests/micropython")
    run(biome, "check", f"--config-path={HOME / 'style.json'}", "--error-on-warnings", *folders)


@pytest.mark.heavy
def test_scripts_are_typed_as_strictly_as_python(modules: Path) -> None:
    """No implicit any, no forgotten null; what the API says comes from its description."""
    known = modules / ".cache" / "types.tsbuildinfo"  # of scripts that have not changed since
    run(modules / ".bin" / "tsc", "--project", HOME, "--incremental", "--tsBuildInfoFile", known)


@pytest.mark.usefixtures("modules")
def test_pure_parts_do_what_was_worked_out_by_hand(tmp_path: Path) -> None:
    """Photo finish, pieces, clock and words, on node's own runner; in one process, not one a file.

    Each file is a part of its own: what one does before each of its tests it does before no other's.
    """
    tests = sorted(HOME.glob("*.test.js"))
    assert tests
    every = tmp_path / "every.mjs"
    parts = [f'describe("{test.name}", () => import({json.dumps(test.as_uri())}));' for test in tests]
    every.write_text("\n".join(['import { describe } from "node:test";', *parts]))
    said = run("node", "--import", HOME / "fake-document.js", "--test-reporter=tap", every)
    assert "# fail 0" in said
    assert "# pass 0" not in said


def test_types_of_the_api_are_those_of_its_description() -> None:
    """`make javascript` renews them."""
    assert api_types.TYPES.read_text(encoding="utf-8") == api_types.made()


def test_a_script_asks_for_the_check_and_keeps_its_lines_short() -> None:
    """The first line is for editors; the formatter does not break what is one word to it."""
    assert SCRIPTS
    for script in SCRIPTS:
        lines = script.read_text(encoding="utf-8").splitlines()
        assert "// @ts-check" == lines[0], script
        assert [] == [line for line in lines if len(line) > LONGEST_LINE], script


@pytest.mark.parametrize("folder", ["javascript", "micropython"])
def test_locked_packages_name_no_host_and_have_a_hash(folder: str) -> None:
    """A lock serves whatever registry a machine uses; npm checks every file against it."""
    lock = json.loads((ROOT / "tests" / folder / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    assert [] == [name for name, one in packages.items() if "resolved" in one or "integrity" not in one]
    wanted = json.loads((ROOT / "tests" / folder / "package.json").read_text(encoding="utf-8"))
    exact = {**wanted.get("dependencies", {}), **wanted.get("devDependencies", {})}
    assert exact == {name: packages[f"node_modules/{name}"]["version"] for name in exact}
