"""Tests and mutants in, out comes which mutant a test noticed. All tests are collected once; each mutant is
a fork of that process in which the code of one function is exchanged, and needs no import of its own.

What a function's code does not hold (constants, defaults, classes) is changed in a fork from before the
imports instead. A fork that computes ten times as long as its test did without a mistake has noticed too.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib.machinery
import inspect
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from tests.mutants.edits import Mutant

ROOT = Path(__file__).resolve().parents[2]
KILLED, SURVIVED, TIMEOUT, UNREACHED, ELSEWHERE = "killed", "survived", "timeout", "unreached", "elsewhere"
_OFTEN = 30  # calls of a function without a new line: now it is known
_MOST_EXAMPLES = 50  # of one property
_LONGEST_S = 20.0
# Plain: what pytest rewrites (a module whose doctest is asked for, too) is not what `import_with` breaks.
_QUIET = ("-p", "no:cacheprovider", "--assert=plain", "-qqq", "-s", "-x", "--no-header", "--no-summary")


# ---- forks


_born_of: list[int] = []  # the process that forked this one


def side_by_side(
    jobs: Sequence[tuple[Any, Callable[[Path], Any], float]], at_once: int
) -> Iterator[tuple[Any, Any]]:
    """Run jobs (a key, what to do in a fork of its own, and within how many seconds), *at_once* at a time.

    Yield each key with what its fork returned; None for one that did not come back.
    """
    waiting, running = list(reversed(jobs)), {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        while waiting or running:
            while waiting and len(running) < at_once:
                key, work, within_s = waiting.pop()
                folder = Path(tempfile.mkdtemp(dir=scratch))
                running[_fork(work, folder)] = key, folder, time.monotonic() + within_s
            ended = [pid for pid in running if os.waitpid(pid, os.WNOHANG)[0]]
            for pid in [pid for pid in running if pid not in ended and time.monotonic() > running[pid][2]]:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)
            for pid in ended:
                with contextlib.suppress(ProcessLookupError):  # what it has started itself
                    os.killpg(pid, signal.SIGKILL)
                key, folder, _ = running.pop(pid)
                answer = folder / "answer.json"
                yield key, json.loads(answer.read_text()) if answer.exists() else None
                shutil.rmtree(folder, ignore_errors=True)
            if _born_of and os.getppid() != _born_of[-1]:  # stopped: nobody is to be left behind
                for pid in running:
                    os.killpg(pid, signal.SIGKILL)
                sys.exit("The run was stopped.")
            if not ended:
                time.sleep(0.005)


def _fork(work: Callable[[Path], Any], folder: Path) -> int:
    sys.stdout.flush()
    here = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        _born_of.append(here)
        answer = work(folder)
        draft = folder / "draft.json"
        draft.write_text(json.dumps(answer))
        draft.rename(folder / "answer.json")
        status = 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(status)


# ---- the tests


class Session:
    """A plugin that takes over once all tests are collected: `act` gets their items and the configuration."""

    def __init__(self, act: Callable[[list[pytest.Item], pytest.Config], None]) -> None:
        self._act = act
        self.failed: list[str] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        """Know the marker that is asked for, whether or not a test has it."""
        config.addinivalue_line("markers", "heavy: left out here")

    @pytest.hookimpl(trylast=True)
    def pytest_collection(self) -> None:
        """Let properties try the same cases every time, look for no smaller one, and mind no slow machine."""
        from hypothesis import HealthCheck, Phase, settings  # pytest wants to be there before it

        phases = (Phase.explicit, Phase.generate)
        slow_is_fine = list(HealthCheck)
        settings.register_profile(
            "mutants",
            settings(
                settings.default,
                derandomize=True,
                database=None,
                deadline=None,
                phases=phases,
                suppress_health_check=slow_is_fine,
            ),
        )
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run no test but those that `act` runs."""
        gc.unfreeze()  # `living` looks for functions among what can be collected
        session.config.pluginmanager.register(_Noting(self.failed))
        for item in session.items:
            _shorten(item)
        self._act(session.items, session.config)
        return True


def _shorten(item: pytest.Item) -> None:
    """Let a property be content with few examples."""
    test = getattr(item, "obj", None)
    own = getattr(test, "_hypothesis_internal_use_settings", None)
    if own is not None and own.max_examples > _MOST_EXAMPLES:
        shorter = type(own)(own, max_examples=_MOST_EXAMPLES)
        test._hypothesis_internal_use_settings = shorter  # type: ignore[union-attr]


class _Noting:
    def __init__(self, failed: list[str]) -> None:
        self._failed = failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.append(report.nodeid)


def run_items(
    items: Sequence[pytest.Item],
    config: pytest.Config,
    folder: Path,
    failed: list[str],
    limit_s: dict[str, float],
) -> str | None:
    """Run *items* until one fails, and return its name. Each has its own limit of computing time."""
    config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]
    for item, following in zip(items, [*items[1:], None], strict=True):
        seconds = limit_s.get(item.nodeid, 10.0)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 20 * seconds)
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failed:
            return item.nodeid
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return None


# ---- which test goes where


class Lines:
    """Notes which lines of some files run, in functions only: what an import runs is every test's."""

    def __init__(self, files: Sequence[str]) -> None:
        self._files = {str(ROOT / file): file for file in files}
        self._idle: dict[CodeType, int] = {}  # calls since there was a new line in them
        self.seen: set[tuple[str, int]] = set()

    def __enter__(self) -> Lines:
        threading.settrace(self._call)
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def _call(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        file = self._files.get(code.co_filename)
        if file is None or not code.co_flags & inspect.CO_OPTIMIZED:
            return None
        seen = self.seen
        seen.add((file, frame.f_lineno))

        idle = self._idle.get(code, 0)
        if idle > _OFTEN:
            return None
        before = len(seen)

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            seen.add((file, frame.f_lineno))
            if event == "return":
                self._idle[code] = 0 if len(seen) > before else idle + 1
            return line

        return line


def measure(
    items: Sequence[pytest.Item], config: pytest.Config, folder: Path, failed: list[str], files: Sequence[str]
) -> list[tuple[str, float, list[tuple[str, int]]]]:
    """Return of each test that passes its name, its computing time in seconds and the lines that it runs."""
    config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]
    found = []
    signal.signal(signal.SIGPROF, _too_long)
    for item, following in zip(items, [*items[1:], None], strict=True):
        before_s = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _LONGEST_S)
        with Lines(files) as lines:
            config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if not failed:
            found.append((item.nodeid, time.process_time() - before_s, sorted(lines.seen)))
        failed.clear()
    return found


def _too_long(*_: object) -> None:
    pytest.fail("computes for too long to be of use here")


# ---- one mutant


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield *code* and all code in it."""
    yield code
    for held in code.co_consts:
        if isinstance(held, CodeType):
            yield from codes(held)


def living(path: str) -> list[FunctionType]:
    """Return the functions of a file that there are."""
    return [
        one  # by its type: a proxy whose object has gone cannot even be asked for its class
        for one in gc.get_objects()
        if type(one) is FunctionType and one.__code__.co_filename == path
    ]


def exchange(mutant: Mutant) -> bool:
    """Put the mistake into the living functions of its file; return whether it is in one now."""
    path = str(ROOT / mutant.file)
    new = compile(mutant.tree(Path(path).read_text()), path, "exec", dont_inherit=True)
    by_place = {(code.co_qualname, code.co_firstlineno): code for code in codes(new)}
    done = False
    for function in living(path):
        code = by_place.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if code is not None and code != function.__code__:
            if len(code.co_freevars) != len(function.__code__.co_freevars):
                return False
            function.__code__ = code
            done = True
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
    return done


def import_with(mutant: Mutant) -> None:
    """Have the file imported with its mistake from now on."""
    path = str(ROOT / mutant.file)
    real = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: Any, name: str) -> CodeType | None:
        if self.get_filename(name) != path:
            return real(self, name)
        return compile(mutant.tree(Path(path).read_text()), path, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def bound_memory() -> None:
    """Let a mutant that never stops growing fail soon."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 31), resource.RLIM_INFINITY))


def hushed() -> None:
    """Send what this process says to nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def pytest_arguments(tests: Sequence[str]) -> list[str]:
    """Return how pytest is called."""
    return [*_QUIET, "-m", "not heavy", *tests]
