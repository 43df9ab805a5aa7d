"""What is wrong with a machine, and what to do: facts in, findings out. Pure.

`hardware.machine` gathers the facts. A finding is fine, a note (worth knowing), care (it works, but could do
better) or wrong (a table that is started like this will not work).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.doctor import devices, keeping, system
from companion.doctor.facts import Facts, Wanted
from companion.doctor.finding import Finding

__all__ = ["Facts", "Finding", "Wanted", "examine"]


def examine(facts: Facts, wanted: Wanted) -> tuple[Finding, ...]:
    """Return what there is to say of a machine with these *facts* on which *wanted* is to run, in order."""
    return tuple(_all(facts, wanted))


def _all(facts: Facts, wanted: Wanted) -> Iterator[Finding]:
    yield from system.findings(facts, wanted)
    yield from devices.findings(facts, wanted)
    yield from keeping.findings(facts)
