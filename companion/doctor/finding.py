"""What the doctor says of one thing."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.text import Text

State = Literal["fine", "note", "care", "wrong"]
Area = Literal[
    "machine", "python", "wiring", "pins", "buses", "display", "box",
    "clock", "power", "memory", "disk", "evening", "page", "service",
]  # fmt: skip


class Finding(msgspec.Struct, frozen=True):
    """One finding: `name` stays the same for programs, `says` is for people, `do` what helps."""

    name: str
    area: Area
    state: State
    says: Text
    do: Text | None = None


def fine(area: Area, says: Text) -> Finding:
    """Return that all is well."""
    return Finding("fine", area, "fine", says)


def note(name: str, area: Area, says: Text, do: Text | None = None) -> Finding:
    """Return what is worth knowing."""
    return Finding(name, area, "note", says, do)


def care(name: str, area: Area, says: Text, do: Text | None = None) -> Finding:
    """Return what works, but not as well as it could."""
    return Finding(name, area, "care", says, do)


def wrong(name: str, area: Area, says: Text, do: Text) -> Finding:
    """Return what keeps the table from working."""
    return Finding(name, area, "wrong", says, do)
