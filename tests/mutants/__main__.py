"""`python -m mutants AREA...`: break each area (a package or a file) on purpose and say what no test noticed.

What has been found out is kept in .cache/mutants, so that a run goes on where the last one stopped; mutants
that survived are tried again once there are other tests. The table is in .cache/mutants/table.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.mutants import running
from tests.mutants.edits import Mutant, mutants
from tests.mutants.running import ELSEWHERE, KILLED, ROOT, SURVIVED, TIMEOUT, UNREACHED

EQUIVALENTS = Path(__file__).parent / "equivalents.toml"


def digest(*paths: Path) -> str:
    """Return a digest of files."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def read_equivalents() -> dict[str, str]:
    """Return the reasons why mutants cannot be told from the code, by what they are called."""
    entries = tomllib.loads(EQUIVALENTS.read_text()).get("mutant", [])
    return {f"{one['in']} | {one['was']} | {one['now']} | {one.get('nth', 1)}": one["why"] for one in entries}


def files_of(area: str) -> list[str]:
    """Return the files of a package, or a file itself, from the top folder."""
    path = ROOT / area
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [str(file.relative_to(ROOT)) for file in files]


def chosen(area: str, sample: int, seed: int) -> list[Mutant]:
    """Return an area's mutants, or a sample of them that another change of the code leaves much as it is."""
    found = [one for file in files_of(area) for one in mutants(file, (ROOT / file).read_text())]
    if sample and sample < len(found):
        found.sort(key=lambda one: hashlib.sha256(f"{seed}{Path(one.file).name}{one.key}".encode()).digest())
        found = sorted(found[:sample], key=lambda one: (one.file, one.number))
    return found


@dataclass
class Found:
    """What is known so far: of mutants by name, and of tests (seconds and lines, by test file and test)."""

    folder: Path
    mutants: dict[str, dict[str, Any]]
    tests: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, folder: Path, *, fresh: bool) -> Found:
        """Read what earlier runs have kept in *folder*; with *fresh* begin again."""
        folder.mkdir(parents=True, exist_ok=True)
        found = cls(folder, {}, {})
        if fresh:
            for file in folder.glob("*.jsonl"):
                file.unlink()
        for name, held in (("mutants", found.mutants), ("tests", found.tests)):
            file = folder / f"{name}.jsonl"
            for line in file.read_text().splitlines() if file.exists() else []:
                entry = json.loads(line)
                held[entry["name"]] = entry
        return found

    def outcome(self, mutant: Mutant) -> str:
        """Return what has become of *mutant*, if its file is still as it was."""
        known = self.mutants.get(f"{mutant.file} | {mutant.key}")
        if known is None or known["source"] != digest(ROOT / mutant.file):
            return "not tried"
        return str(known["outcome"])

    def keep(self, kind: str, entry: dict[str, Any]) -> None:
        """Remember *entry*, on disk at once."""
        held = self.mutants if kind == "mutants" else self.tests
        held[entry["name"]] = entry
        with (self.folder / f"{kind}.jsonl").open("a") as file:
            file.write(json.dumps(entry) + "\n")


class Hunt:
    """Runs the tests against the mutants."""

    def __init__(self, wanted: argparse.Namespace, found: Found, hunted: dict[str, list[Mutant]]) -> None:
        self._wanted = wanted
        self._found = found
        self._mutants = {f"{one.file} | {one.key}": one for area in hunted.values() for one in area}
        self._files = sorted(file for area in hunted for file in files_of(area))
        self._sources = {file: digest(ROOT / file) for file in self._files}
        self._by_line: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._by_file: dict[str, set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = {}
        self._test_file: dict[str, str] = {}

    def run(self) -> None:
        """Try every mutant that is not known yet."""
        tests = running.pytest_arguments(self._wanted.tests)
        for _, came_back in running.side_by_side([("", lambda _: self._collected(tests), 1e9)], 1):
            if not came_back:
                sys.exit("The tests cannot be collected: run them first.")
        self._found = Found.read(self._found.folder, fresh=False)
        self._learn()
        elsewhere = [
            name
            for name in self._mutants
            if self._found.mutants.get(name, {}).get("outcome") == ELSEWHERE or self._outside(name)
        ]
        self._hunt([name for name in elsewhere if self._open(name)], self._imported)

    # Before any import, and after it

    def _collected(self, tests: list[str]) -> bool:
        """Collect all tests, see where they go, and try what needs no import."""
        session = running.Session(self._act)
        self._failed = session.failed
        os.chdir(ROOT)
        return pytest.main(tests, plugins=[session]) == pytest.ExitCode.OK

    def _act(self, items: list[pytest.Item], config: pytest.Config) -> None:
        self._items = {item.nodeid: item for item in items}
        self._config = config
        self._measure()
        self._learn()
        self._hunt(
            [name for name in self._mutants if self._open(name) and not self._outside(name)], self._forked
        )

    def _measure(self) -> None:
        by_file: dict[Path, list[pytest.Item]] = defaultdict(list)
        for item in self._items.values():
            by_file[item.path].append(item)
        jobs = []
        for path, items in by_file.items():
            name = str(path.relative_to(ROOT))
            state, known = digest(path), self._found.tests.get(name, {})
            if known.get("state") != state or not self._sources.items() <= known["sources"].items():
                jobs.append(((name, state), self._measuring(items), 1200.0))
        said = Progress("test files measured", len(jobs))
        for (name, state), tests in running.side_by_side(jobs, self._wanted.workers):
            if tests is None:
                print(f"\n{name} did not come to an end and is not used")
            entry = {"name": name, "state": state, "sources": self._sources, "tests": tests or []}
            self._found.keep("tests", entry)
            said.step()

    def _measuring(self, items: list[pytest.Item]) -> Any:
        def work(folder: Path) -> Any:
            running.hushed()
            return running.measure(items, self._config, folder, self._failed, self._files)

        return work

    def _learn(self) -> None:
        for file, entry in self._found.tests.items():
            for test, seconds, lines in entry["tests"]:
                self._seconds[test], self._test_file[test] = seconds, file
                for where, line in lines:
                    self._by_line[where, line].add(test)
                    self._by_file[where].add(test)

    # Mutants

    def _outside(self, name: str) -> bool:
        """Return whether its code is run by imports alone: games are made once, when they are imported."""
        one = self._mutants[name]
        return not one.scope or not self._by_line[one.file, one.line]

    def _tests(self, name: str) -> list[str]:
        """Return the tests that run the changed line, the quickest first, as many as the time allows.

        For what an import runs: those that go through its file, then those that stand beside them.
        """
        one = self._mutants[name]
        found, beside = self._by_line[one.file, one.line] if one.scope else set(), set[str]()
        if not found:
            stem = Path(one.file).stem
            found = self._by_file[one.file] or (set() if one.scope else set(self._seconds))
            files = {self._test_file[test] for test in found}
            beside = {
                test
                for test, file in self._test_file.items()
                if stem in Path(file).stem or (file in files and not one.scope)
            }
        ordered = sorted(found | beside, key=lambda test: (test not in found, self._seconds[test]))
        chosen, spent_s = [], 0.0
        for test in ordered:
            spent_s += self._seconds[test]
            if chosen and spent_s > self._wanted.budget:
                break
            chosen.append(test)
        return chosen

    def _state(self, name: str) -> str:
        """Return what a survivor's fate rests on."""
        whole = hashlib.sha256()
        for test in self._tests(name):
            state = self._found.tests[self._test_file[test]]["state"]
            whole.update(f"{test} {state}\n".encode())
        return whole.hexdigest()[:16]

    def _open(self, name: str) -> bool:
        known = self._found.mutants.get(name)
        if known is None or known["source"] != self._sources[self._mutants[name].file]:
            return True
        if known["outcome"] in (KILLED, TIMEOUT):
            return False
        return known["outcome"] == ELSEWHERE or bool(known["state"] != self._state(name))

    def _hunt(self, names: list[str], how: Any) -> None:
        jobs = []
        for name in names:
            tests = self._tests(name)
            if not tests:
                self._note(name, {"outcome": UNREACHED, "by": ""})
                continue
            jobs.append((name, how(self._mutants[name], tests), 300.0))
        said = Progress("mutants tried", len(jobs))
        for name, answer in running.side_by_side(jobs, self._wanted.workers):
            self._note(name, answer or {"outcome": TIMEOUT, "by": ""})
            said.step()

    def _note(self, name: str, answer: dict[str, str]) -> None:
        source = self._sources[self._mutants[name].file]
        self._found.keep("mutants", {"name": name, "source": source, "state": self._state(name), **answer})

    def _limits(self, tests: Sequence[str]) -> dict[str, float]:
        return {test: 3.0 + 10 * self._seconds[test] for test in tests}

    def _forked(self, mutant: Mutant, tests: list[str]) -> Any:
        items = [self._items[test] for test in tests if test in self._items]

        def work(folder: Path) -> dict[str, str]:
            running.hushed()
            if not running.exchange(mutant):
                return {"outcome": ELSEWHERE, "by": ""}
            running.bound_memory()
            by = running.run_items(items, self._config, folder, self._failed, self._limits(tests))
            return {"outcome": SURVIVED if by is None else KILLED, "by": by or ""}

        return work

    def _imported(self, mutant: Mutant, tests: list[str]) -> Any:
        def work(folder: Path) -> dict[str, str]:
            running.hushed()
            os.chdir(ROOT)
            running.import_with(mutant)
            running.bound_memory()
            by: list[str | None] = []

            def act(items: list[pytest.Item], config: pytest.Config) -> None:
                quickest = sorted(items, key=lambda item: self._seconds.get(item.nodeid, 0.0))
                limits = self._limits(tests)
                by.append(running.run_items(quickest, config, folder, session.failed, limits))

            session = running.Session(act)
            status = pytest.main([*running.pytest_arguments(()), *tests], plugins=[session])
            if not by or status != pytest.ExitCode.OK:
                return {"outcome": KILLED, "by": "import"}
            return {"outcome": SURVIVED if by[0] is None else KILLED, "by": by[0] or ""}

        return work


class Progress:
    """Says now and then how far it is."""

    def __init__(self, what: str, of: int) -> None:
        self._what, self._of, self._done = what, of, 0

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        if self._done % 50 == 0 or self._done == self._of:
            print(f"{self._done} of {self._of} {self._what}", flush=True)


HEAD = (
    "area",
    "mutants",
    "killed",
    "of them by time",
    "survived",
    "not reached",
    "equivalent",
    "not tried",
    "share",
)
ASKED_FOR = 0.9


def report(
    areas: dict[str, list[Mutant]], found: Found, equivalents: dict[str, str], sampled: bool
) -> tuple[str, bool]:
    """Return what is told of each area, and whether all reach what is asked for."""
    rows, alive, same, good = [list(HEAD)], [], [], True
    for area, hunted in areas.items():
        count: Counter[str] = Counter()
        for one in hunted:
            outcome = found.outcome(one)
            lives = outcome in (SURVIVED, UNREACHED)
            place = f"- {one.file}:{one.line} {one.scope}"
            if lives and one.key in equivalents:
                outcome = "equivalent"
                same.append(f"{place}: `{one.now}`. {equivalents[one.key]}")
            elif lives:
                nth = f" ({one.nth})" if one.nth > 1 else ""
                alive.append(f"{place} {outcome}{nth}\n\n      {one.was}\n      {one.now}\n")
            count[outcome] += 1
        killed = count[KILLED] + count[TIMEOUT]
        share = killed / max(1, len(hunted) - count["equivalent"] - count["not tried"])
        good &= share >= ASKED_FOR and not count["not tried"]
        others = (count[TIMEOUT], count[SURVIVED], count[UNREACHED], count["equivalent"], count["not tried"])
        rows.append([area, *map(str, (len(hunted), killed, *others)), f"{share:.1%}"])
    if not sampled:
        there = {one.key for hunted in areas.values() for one in hunted}
        same += [f"- There is no such mutant (any more): {key}" for key in equivalents.keys() - there]
    which = "A sample of each area." if sampled else "All mutants."
    parts = [_table(rows), "", which, "", "Nobody noticed:\n", *alive, "\nNobody could notice:\n", *same]
    return "\n".join(parts) + "\n", good


def _table(rows: list[list[str]]) -> str:
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    lines = [rows[0], ["-" * width for width in widths], *rows[1:]]
    padded = ([f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)] for row in lines)
    return "\n".join("| " + " | ".join(row) + " |" for row in padded)


def main(arguments: Sequence[str] | None = None) -> int:
    """Hunt, and return 0 when every area has nine of ten mutants killed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("areas", nargs="+", help="packages or files to break")
    parser.add_argument("--only", help="just the files whose path has this in it")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants of each area; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--tests", nargs="+", default=["tests", "companion"], help="where to look for tests")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="so many at once")
    parser.add_argument("--budget", type=float, default=40.0, help="seconds of tests for one mutant")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs have found")
    parser.add_argument("--known", action="store_true", help="try nothing, show what is known")
    parser.add_argument("--keep", type=Path, default=ROOT / ".cache" / "mutants", help="where to keep it")
    wanted = parser.parse_args(arguments)
    areas = {area: chosen(area, wanted.sample, wanted.seed) for area in wanted.areas}
    if wanted.only:
        areas = {area: [one for one in hunted if wanted.only in one.file] for area, hunted in areas.items()}
    found = Found.read(wanted.keep, fresh=wanted.fresh)
    if not wanted.known:
        Hunt(wanted, found, areas).run()
        found = Found.read(wanted.keep, fresh=False)
    told, good = report(areas, found, read_equivalents(), bool(wanted.sample or wanted.only))
    (wanted.keep / "table.md").write_text(told)
    print(told)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
