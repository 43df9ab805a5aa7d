"""The events of an evening, as they are kept. Nothing is ever changed or deleted."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.model import Input, Rack, Verdict


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Something that happened: `by` whom (a phone, "box" or "host"), `at` wall time in seconds."""

    by: str
    at: float


class Started(Event, frozen=True, tag="started"):
    """A game began. `lines[i]` is the nose line of seat i + 1 ("": none); `rearm_ns` as in Settings."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    lines: tuple[str, ...]
    rearm_ns: int | None = None


class Armed(Event, frozen=True, tag="armed"):
    """A round was armed at `t_ns` for `seats`; durable, so that a killed round is known."""

    t_ns: int
    seats: tuple[int, ...]


class Judged(Event, frozen=True, tag="judged"):
    """The armed round was judged with these debounce settings; `inputs` are its raw edges.

    `opened` is False for a round that ended before anybody pressed: it is not listed.
    """

    verdict: Verdict
    confirm_ns: int
    lockout_ns: int
    hold: bool = False
    opened: bool = True
    rack: Rack | None = None
    inputs: tuple[Input, ...] = ()


class Late(Event, frozen=True, tag="late"):
    """A press after the verdict completed the order of round `of`."""

    of: int
    verdict: Verdict
    inputs: tuple[Input, ...] = ()


class Played(Event, frozen=True, tag="played"):
    """The table made a move of the game."""

    move: dict[str, Any]


class Agreed(Event, frozen=True, tag="agreed"):
    """The game is played with these options from its beginning on."""

    options: dict[str, Any]


class Undone(Event, frozen=True, tag="undone"):
    """Entry `of` was taken back."""

    of: int


class Redone(Event, frozen=True, tag="redone"):
    """Entry `of` was put back."""

    of: int


class Amended(Event, frozen=True, tag="amended"):
    """Entry `of` was corrected to `move` (see `companion.commands.Amend`)."""

    of: int
    move: dict[str, Any]


class Finished(Event, frozen=True, tag="finished"):
    """The table ended the game before its rules did."""


class Saved(Event, frozen=True, tag="saved"):
    """A table saved its variation of a game; it outlives the evening."""

    name: str
    game: str
    options: dict[str, Any]


class Forgotten(Event, frozen=True, tag="forgotten"):
    """The saved variation `name` was deleted."""

    name: str


AnyEvent = (
    Started
    | Armed
    | Judged
    | Late
    | Played
    | Agreed
    | Undone
    | Redone
    | Amended
    | Finished
    | Saved
    | Forgotten
)
DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
ENCODER = msgspec.json.Encoder()
