"""What the doctor says of one thing."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.text import Text

State = Literal["fine", "note", "care", "wrong"]
Area = Literal[
    "machine", "wiring", "clock", "power", "pins", "buses", "box", "wifi", "evening", "page", "phones"
]  # fmt: skip


class DoctorFinding(msgspec.Struct, frozen=True):
    """One finding: `name` stays the same for programs, `says` is for people, `do` what helps."""

    name: str
    area: Area
    state: State
    says: Text
    do: Text | None = None


def fine(area: Area, says: Text) -> DoctorFinding:
    """Return that all is well."""
    return DoctorFinding("fine", area, "fine", says)


def note(name: str, area: Area, says: Text, do: Text | None = None) -> DoctorFinding:
    """Return what is worth knowing."""
    return DoctorFinding(name, area, "note", says, do)


def care(name: str, area: Area, says: Text, do: Text | None = None) -> DoctorFinding:
    """Return what works, but not as well as it could."""
    return DoctorFinding(name, area, "care", says, do)


def wrong(name: str, area: Area, says: Text, do: Text) -> DoctorFinding:
    """Return what keeps the table from working."""
    return DoctorFinding(name, area, "wrong", says, do)
