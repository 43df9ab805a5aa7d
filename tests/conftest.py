"""What all tests share: compiled translations, and a run in which nothing may be skipped."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

import hatch_build

# Scripts that tests start elsewhere: in the test kernel, in MicroPython, under the fuzzer.
collect_ignore_glob = ["kernel/guest*.py", "micropython/*.py", "fuzz_box.py"]
NO_SKIP = os.environ.get("LASTNOSE_NO_SKIP") == "1"
# A developer's run looks at new cases each time; CI looks at the same ones, so that it says what changed.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("developer", deadline=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "developer")
LOCALE = Path(__file__).parent.parent / "companion" / "locale"


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations that are older than their source."""
    for source in LOCALE.glob("*/LC_MESSAGES/*.po"):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            hatch_build.compile_catalogues(LOCALE)
            return


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that gives the reason."""
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, and LASTNOSE_NO_SKIP=1 allows no skip: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """See every test's report."""
    report = yield
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
