"""What is wrong with a machine, and what to do: facts in, findings out. Pure.

`hardware.probe` gathers the facts. A finding is fine, a note (worth knowing), care (it works, but could do
better) or wrong (a table that is started like this will not work).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.system.doctor import devices, phones, storage, system
from companion.system.doctor.facts import Facts, Wanted
from companion.system.doctor.finding import DoctorFinding

__all__ = ["DoctorFinding", "Facts", "Wanted", "examine"]


def examine(facts: Facts, wanted: Wanted) -> tuple[DoctorFinding, ...]:
    """Return what there is to say of a machine with these *facts* on which *wanted* is to run, in order."""
    return tuple(_all(facts, wanted))


def _all(facts: Facts, wanted: Wanted) -> Iterator[DoctorFinding]:
    yield from system.findings(facts, wanted)
    yield from devices.findings(facts, wanted)
    yield from storage.findings(facts)
    yield from phones.findings(facts, wanted)
