"""Something that needs the organiser. Pure."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.text import Text
from lastnose.companion.views.snapshot import PhotoFinish


class Todo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that needs the organiser: at which table, what, why, and the command that its button sends.

    `kind` is "asks" (the table `table` asks to be let in; `other` lets all in that do), "hub", "accounts" (a
    message server has yet to read who may come in), "servers" (one of several is gone), "full" (one keeps
    nothing more), "appeal", "doubtful", "unsigned", "open" (it may get no result), "twice" (two machines have
    sent one), "gone" (people of it have left), "changed" (a round was drawn by other results), "unknown" (a
    game was played for a call that this log does not have), "draw" (what was drawn does not fit any more),
    "slow", "away", "overdue", "idle", "version", "clock" or
    "refused"; `entry` a verdict to look at; `number` is 0 for what concerns many tables, or none. `places` is
    the result that would count, the best first. `other` is a second button, with its command.
    """

    kind: str
    number: int
    says: Text
    why: Text | None = None
    button: Text | None = None
    command: dict[str, Any] | None = None
    round: int = 0
    entry: int = 0
    appeal: int = 0
    table: str = ""
    finish: PhotoFinish | None = None
    places: str = ""
    other: Text | None = None
    other_command: dict[str, Any] | None = None
