"""What is wrong with a machine, and what to do: facts in, findings out. Pure.

`hardware.probe` gathers the facts. A finding is fine, a note (worth knowing), care (it works, but could do
better) or wrong (a table that is started like this will not work).
"""

from __future__ import annotations

from lastnose.companion.system.doctor import checks
from lastnose.companion.system.doctor.facts import DoctorFinding, Facts, Wanted

__all__ = ["DoctorFinding", "Facts", "Wanted", "examine"]


def examine(facts: Facts, wanted: Wanted) -> tuple[DoctorFinding, ...]:
    """Return what there is to say of a machine with these *facts* on which *wanted* is to run, in order."""
    return (
        *checks.system_findings(facts, wanted),
        *checks.devices_findings(facts, wanted),
        *checks.storage_findings(facts),
        *checks.phones_findings(facts, wanted),
    )
