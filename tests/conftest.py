"""What all tests share: compiled translations, quick runs and thorough ones, and no skip where all run."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings

import hatch_build
from tests.support.examples import examples
from tests.support.packages import NOT_MADE

# What is imported and collected stays: to look for circles in it again and again takes as long as that.
gc.disable()
# Scripts that tests start elsewhere: in the test kernel, in MicroPython, under the fuzzer.
collect_ignore_glob = ["kernel/guest*.py", "micropython/*.py", "support/fuzz_box.py"]
# "1": no test may be skipped; "but node": those may that need what `npm ci` puts into the checkout.
NO_SKIP = os.environ.get("LASTNOSE_NO_SKIP", "")
# A run tries the same cases each time, so that it says what changed: `make test` some, `make check` more
# than properties ask for. `--hypothesis-profile=search` looks for new ones.
settings.register_profile("quick", max_examples=10, derandomize=True, deadline=None, print_blob=True)
settings.register_profile("thorough", max_examples=100, derandomize=True, deadline=None, print_blob=True)
settings.register_profile("search", max_examples=200, deadline=None, print_blob=True)
settings.load_profile("quick")
# Whatever the machine speaks, tests read English; what they start inherits it.
for _name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(_name, None)
os.environ["LANG"] = "C.UTF-8"
# Whatever terminal they are started in: an editor's is dumb, and some people want no colour anywhere.
os.environ["TERM"] = "xterm"
for _name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES"):
    os.environ.pop(_name, None)
# Whatever the machine says, what one process has compiled the others read: there are a hundred of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
HERE = Path(__file__).parent
LOCALE = HERE.parent / "companion" / "i18n" / "locale"


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations that are older than their source."""
    for source in LOCALE.glob("*/LC_MESSAGES/*.po"):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            hatch_build.compile_catalogues(LOCALE)
            break
    config.pluginmanager.register(LeftOut(config), "left_out")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what may be tried on more cases than in a quick run; Hypothesis marks its own."""
    for item in items:
        if getattr(getattr(item, "module", None), "examples", None) is examples:
            item.add_marker("random")
    # Those with a browser take longest: begun last, they would be waited for by all other processes.
    items.sort(key=lambda item: item.get_closest_marker("journey") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for circles from then on, seldom, and not among what has been collected: most of what there is."""
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Let two processes a core share the tests: there is much to wait for: browsers, disks."""
    return (os.cpu_count() or 1) * 2


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let processes begin to import the tests at different ones: what one compiles the others read."""
    whole = [Path(one).name for one in session.config.args] == session.config.getini("testpaths")
    number, of = (os.environ.get(f"PYTEST_XDIST_WORKER{name}", "") for name in ("", "_COUNT"))
    files = [path for path in sorted(HERE.rglob("test_*.py")) if path.parent.name != "browser"]
    begin = len(files) * int(number.removeprefix("gw") or 0) // int(of or 1)
    for path in files[begin:] if begin and whole else ():
        import_module(".".join(path.relative_to(HERE.parent).with_suffix("").parts))


class LeftOut:
    """At the end say in a line that a run leaves tests out, and how to get them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Say at once what failed: a run that is cut off has told what it knew."""
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and os.environ.get("CI") and reporter is not None:
            reporter.write_line(f"FAILED {report.nodeid} ({report.when})\n{report.longreprtext}")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, None, None]:
        """Say it, below the reasons of what was skipped."""
        yield
        skipped = len(terminalreporter.stats.get("skipped", ()))
        parts = ["heavy tests and most random cases"] if self._config.option.markexpr == "not heavy" else []
        parts += [f"{skipped} that need what is missing here (see above)"] if skipped else []
        if parts:
            terminalreporter.write_line(f"Left out: {', and '.join(parts)}. `make check` runs everything.")


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that gives the reason."""
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        if NOT_MADE in str(reason):
            return
        report.outcome = "failed"
        report.longrepr = f"skipped, and LASTNOSE_NO_SKIP={NO_SKIP} does not allow that: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """See every test's report."""
    report = yield
    if NO_SKIP != "but node" or item.get_closest_marker("node") is None:
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """See the report of a module that skips itself as a whole."""
    report = yield
    _refuse_skip(report)
    return report
