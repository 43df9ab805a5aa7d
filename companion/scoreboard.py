"""State in, what to show out: one immutable snapshot for OLED, page and projector alike. Pure."""

from __future__ import annotations

import msgspec

from companion.games import Advice
from companion.games.asks import Seats
from companion.text import Text


class Row(msgspec.Struct, frozen=True):
    """A player as shown. `new` marks a letter that landed with the last verdict."""

    seat: int
    player: str
    letters: tuple[str, ...]
    word: tuple[str, ...]
    out: bool
    score: int | None
    new: bool = False
    dealer: bool = False
    winner: bool = False
    loser: bool = False
    held: bool = False
    pressed: bool = False
    line: str = ""


class Mark(msgspec.Struct, frozen=True):
    """A seat's press in the photo finish; `t_ns` counts from the opener's press."""

    seat: int
    player: str
    t_ns: int
    u_ns: int
    last: bool


class Finish(msgspec.Struct, frozen=True):
    """The photo finish of a judged round. `missing` names watched seats that have not pressed."""

    marks: tuple[Mark, ...]
    missing: tuple[tuple[int, str], ...]
    margin_ns: int | None
    u_ns: int | None
    dead_heat: bool


class RoundView(msgspec.Struct, frozen=True):
    """A round of the evening as history shows it. `seq` is the log number of its judgement (0: not judged)."""

    seq: int
    number: int
    game: int
    at: float
    headline: Text
    proof: tuple[Text, ...]
    finish: Finish | None
    void: bool
    amended: bool
    undone: bool


class Step(msgspec.Struct, frozen=True):
    """Something undo or redo would do: the log number it concerns and what it says."""

    seq: int
    says: Text


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that screens show at one moment.

    `phase` is one of: "setup" (no game), "blocked" (a nose is held), "ready" (not armed), "armed",
    "judging" (a nose is down), "verdict", "dead-heat", "void", "won".
    `seq` is the log number it rests on (0 before the first event); `version` grows with every snapshot.
    `headline` is the sentence in the largest type, `proof` the lines under it.
    `rearms_in_ns` is the re-arm delay when the table arms itself, None when it waits for the host.
    """

    version: int
    seq: int
    evening: int
    phase: str
    simulated: bool
    headline: Text
    proof: tuple[Text, ...]
    game: str = ""
    title: Text | None = None
    round_no: int = 0
    rows: tuple[Row, ...] = ()
    finish: Finish | None = None
    advice: Advice | None = None
    notes: tuple[Text, ...] = ()
    acts: tuple[Seats, ...] = ()
    undo: Step | None = None
    redo: Step | None = None
    rearms_in_ns: int | None = None
    binding: int | None = None
    faults: tuple[Text, ...] = ()
