"""What people may ask of the pages themselves, beside the commands to the table."""

from __future__ import annotations

import msgspec


class PinTry(msgspec.Struct, frozen=True):
    """A phone wants to join."""

    pin: str


class LetIn(msgspec.Struct, frozen=True):
    """The phone that is held off is to be let in."""

    phone: str


class PhoneName(msgspec.Struct, frozen=True):
    """A phone is to go by this name in what the log writes; "": by none."""

    name: str


class FreedNose(msgspec.Struct, frozen=True):
    """The nose on `line` goes on with the pages that everybody touches: its phone is away."""

    line: str


class Appeal(msgspec.Struct, frozen=True):
    """Judge a round again with these debounce settings, in microseconds."""

    confirm_us: int
    lockout_us: int
