"""The tool that breaks the code on purpose makes single mistakes, and a test can see them."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import running
from tests.mutants.__main__ import Found, digest, read_equivalents, report
from tests.mutants.edits import mutants

SOURCE = '''
def late(t_ns: int, due_ns: int = 5, *, grace: bool = False) -> bool:
    """Say so."""
    if grace and t_ns == due_ns:
        raise ValueError(text("Not 3 of them."))
    return t_ns > due_ns
'''


def test_each_mutant_is_one_small_mistake() -> None:
    """Boundaries, negations, dropped conditions and statements, defaults; no word and no type is touched."""
    found = {one.now for one in mutants("late.py", SOURCE)}
    assert {
        "def late(t_ns: int, due_ns: int=6, *, grace: bool=False) -> bool:",
        "def late(t_ns: int, due_ns: int=5, *, grace: bool=True) -> bool:",
        "if grace or t_ns == due_ns:",
        "if t_ns == due_ns:",
        "if grace:",
        "if grace and t_ns != due_ns:",
        "if not (grace and t_ns == due_ns):",
        "pass",
        "return t_ns >= due_ns",
        "return t_ns <= due_ns",
    } == found


def test_an_assertion_is_no_logic() -> None:
    """While it holds nothing depends on it, also where it stands in a call."""
    found = {
        one.now for one in mutants("two.py", "def two(a, b):\n    assert a\n    f(*zip(a, b, strict=True))\n")
    }
    assert {"pass"} == found


def test_a_mutants_tree_has_its_mistake_and_no_other() -> None:
    """Written out again, it differs from the source by one line."""
    sound = ast.unparse(ast.parse(SOURCE)).splitlines()
    for one in mutants("late.py", SOURCE):
        broken = ast.unparse(one.tree(SOURCE)).splitlines()
        assert 1 == sum(was != now for was, now in zip(sound, broken, strict=True)), one


def test_what_reads_the_same_is_told_apart() -> None:
    """Two statements alike in one function have names of their own."""
    found = mutants("two.py", "def two(a):\n    a.go()\n    a.go()\n")
    assert [1, 2] == [one.nth for one in found]
    assert 2 == len({one.key for one in found})


@pytest.mark.heavy
def test_the_mistake_is_put_into_a_function_that_lives(tmp_path: Path) -> None:
    """No import is needed; and a default, which is no part of a function's code, is left to one."""
    file = tmp_path / "late.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("late", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.late(5)
    by_now = {one.now: one for one in mutants(str(file), SOURCE)}
    assert not running.exchange(by_now["def late(t_ns: int, due_ns: int=6, *, grace: bool=False) -> bool:"])
    assert running.exchange(by_now["return t_ns >= due_ns"])
    assert module.late(5)


IMPORTED = """
import sys
import pytest
from tests.mutants import edits, running

path = sys.argv[1]
(wrong,) = [one for one in edits.mutants(path, open(path).read()) if one.now == "LIMIT = 6"]
running.import_with(wrong)
sys.exit(pytest.main([*running.pytest_arguments(()), "--doctest-modules", path]))
"""


@pytest.mark.heavy
def test_a_mistake_in_what_an_import_runs_is_seen_by_the_modules_own_doctest(tmp_path: Path) -> None:
    """pytest would import a module that it is asked for in a way of its own."""
    file = tmp_path / "limit.py"
    file.write_text('"""Five.\n\n>>> LIMIT\n5\n"""\n\nLIMIT = 5\n')
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, file], cwd=running.ROOT, capture_output=True, check=False
    )
    assert pytest.ExitCode.TESTS_FAILED == done.returncode, done.stderr


@pytest.mark.filterwarnings(
    "ignore:.*use of fork:DeprecationWarning"
)  # of threads that other tests have left
def test_forks_run_side_by_side_and_one_that_dies_is_told() -> None:
    """What they return comes back under their names."""

    def dies(folder: Path) -> str:
        raise SystemExit(running.hushed())

    jobs = [("a", lambda folder: 1, 60.0), ("b", dies, 60.0), ("c", lambda folder: [2], 60.0)]
    assert {"a": 1, "b": None, "c": [2]} == dict(running.side_by_side(jobs, 2))


def test_nine_of_ten_are_asked_for_and_equivalents_do_not_count(tmp_path: Path) -> None:
    """Of the mutants two survive, one of them no test can tell from the code."""
    file = tmp_path / "late.py"
    file.write_text(SOURCE)
    area = {"late.py": mutants(str(file), SOURCE)}
    keys = [one.key for one in area["late.py"]]
    found = Found.read(tmp_path, fresh=True)
    for n, key in enumerate(keys):
        outcome = "survived" if n < 2 else "timeout" if n == 2 else "killed"
        entry = {"name": f"{file} | {key}", "source": digest(file), "outcome": outcome}
        found.keep("mutants", entry)
    told, good = report(area, Found.read(tmp_path, fresh=False), {keys[0]: "Because.", "gone": "Why?"}, False)
    assert f"| {len(keys)} " in told
    assert "Because." in told
    assert "gone" in told
    assert good == ((len(keys) - 2) / (len(keys) - 1) >= 0.9)


def test_every_equivalent_has_its_reason() -> None:
    """A sentence."""
    assert all(why.endswith(".") for why in read_equivalents().values())


HUNTED = """
import sys
from pathlib import Path
from tests.mutants import __main__, running

sys.path[:0] = [sys.argv[1], str(running.ROOT)]
running.ROOT = __main__.ROOT = Path(sys.argv[1])
sys.exit(__main__.main(["hunted", "--tests", "test_late.py", "--keep", sys.argv[1] + "/kept"]))
"""
LATE = "def late(t_ns, due_ns=5):\n    return t_ns > due_ns\n"
TESTED = """
from hunted import late


def test_late():
    assert late.late(6)
    assert not late.late(4)
"""


@pytest.mark.heavy
def test_a_hunt_tells_who_lives_from_who_dies_and_imports_only_for_a_default(tmp_path: Path) -> None:
    """It goes on below what all tests share, which freezes what there is. What is so at 5 nobody asks."""
    (tmp_path / "hunted").mkdir()
    (tmp_path / "hunted" / "late.py").write_text(LATE)
    (tmp_path / "test_late.py").write_text(TESTED)
    (tmp_path / "conftest.py").write_text("pytest_plugins = ['tests.conftest']\n")
    command = [sys.executable, "-c", HUNTED, tmp_path]
    done = subprocess.run(command, cwd=running.ROOT, capture_output=True, check=False)
    kept = Found.read(tmp_path / "kept", fresh=False).mutants
    assert {key.split(" | ")[3]: (one["outcome"], one["by"]) for key, one in kept.items()} == {
        "def late(t_ns, due_ns=6):": ("killed", "import"),
        "return t_ns >= due_ns": ("survived", ""),
        "return t_ns <= due_ns": ("killed", "test_late.py::test_late"),
    }, done.stderr
