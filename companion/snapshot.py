"""What screens show at one moment, as immutable values; the page's JSON has the same shapes. Pure."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games import Advice
from companion.games.asks import Cards, Choose, Consult, Seats, Show
from companion.games.asks import Entry as Asked
from companion.games.sheet import Sheet
from companion.model import Rack
from companion.ports import Lamp, Signal
from companion.text import Text


class Row(msgspec.Struct, frozen=True):
    """A player as shown. `new` marks a letter that landed with the last verdict; `notes` say more.

    `phantom`: in the round under way the player has touched without a spoon.
    """

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
    phantom: bool = False
    line: str = ""
    notes: tuple[Text, ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """A seat's press in the photo finish; `t_ns` counts from the opener: the first press or lift."""

    seat: int
    player: str
    t_ns: int
    u_ns: int
    last: bool


class Aside(msgspec.Struct, frozen=True):
    """What else the photo finish shows of a rack, on the axis of its marks.

    `kind` is "lift", "feint" (a spoon back at once; both have a `cradle`) or "phantom" (a touch of `player`
    without a spoon).
    """

    kind: str
    t_ns: int
    u_ns: int
    cradle: int = 0
    seat: int = 0
    player: str = ""


class Finish(msgspec.Struct, frozen=True):
    """The photo finish of a judged round. `missing` names watched seats that have not pressed.

    With a rack the presses are confirmations, and `asides` what does not decide.
    """

    marks: tuple[Mark, ...]
    missing: tuple[tuple[int, str], ...]
    margin_ns: int | None
    u_ns: int | None
    dead_heat: bool
    asides: tuple[Aside, ...] = ()


class Cradle(msgspec.Struct, frozen=True):
    """A place on the rack: its number and line, whether it is in use still, and whether its spoon is gone."""

    number: int
    line: str
    used: bool
    lifted: bool


class RoundView(msgspec.Struct, frozen=True):
    """A round or a move of the evening as history shows it. `seq` is its log number, `at` wall time in s.

    `game` counts the games of the evening, `title` is its name. A `step` is one of several that belong
    together. `judged` is a round that the box judged, and has a tape; else `by` says who made the entry.
    """

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
    title: Text | None = None
    step: bool = False
    judged: bool = True
    by: Text | None = None


class Step(msgspec.Struct, frozen=True):
    """Something undo or redo would do: the log number it concerns and what it says."""

    seq: int
    says: Text


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that screens show at one moment.

    `phase` is one of: "setup" (no game), "blocked" (a nose is held), "ready" (not armed), "armed",
    "judging" (a nose is down), "verdict", "dead-heat", "void", "won"; "playing" in a game that watches no
    noses (`watched` is false): no round is armed or judged there.
    `seq` is the log number it rests on (0 before the first event); `version` grows with every snapshot.
    `headline` is the sentence in the largest type, `proof` the lines under it. `game_no` counts the games of
    the evening, `round_no` the rounds of the game.
    `rearms_in_ns` is the re-arm delay when the table arms itself, None when it waits for the host.
    `binding` is the player whose nose is waited for in set-up, `bindings` the lines bound so far.
    `acts` name a seat; `steps` is a screen of its own, in order: what to show and what to choose.
    `undo` and `redo` are the host's, `undos` and `redos` each author's; "box" is for who wrote nothing yet.
    `entries` are filled in on any phone: the pad of whose turn it is, points, tokens.
    `consults` are what anybody can ask the rules.
    `sheet` is the score sheet of a game that keeps one.
    `touched`: noses are touched in it, or docks; not where the rack alone is watched.
    `voidable`: the round under way, or the newest one, can be taken out of the count.
    `waits`: no round can be armed before the table has answered one of them.
    `rack` has the cradles of a game that is played with one.
    `emblem` is the game's picture, the path of an SVG in a 24 by 24 box; `options` are those of the game.
    `lamps` are those of the seats; `signals` are to be heard once by whoever comes to see `signalled` (the
    version that brought them) grow.
    `faults` are sentences about devices and the disk, to be shown until they are mended.
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
    game_no: int = 0
    round_no: int = 0
    rows: tuple[Row, ...] = ()
    finish: Finish | None = None
    advice: Advice | None = None
    notes: tuple[Text, ...] = ()
    acts: tuple[Seats, ...] = ()
    steps: tuple[Show | Choose | Cards, ...] = ()
    entries: tuple[Asked, ...] = ()
    consults: tuple[Consult, ...] = ()
    sheet: Sheet | None = None
    watched: bool = True
    waits: bool = False
    voidable: bool = False
    touched: bool = True
    rack: tuple[Cradle, ...] = ()
    emblem: str = ""
    options: dict[str, Any] = {}
    lamps: tuple[Lamp, ...] = ()
    signals: tuple[Signal, ...] = ()
    signalled: int = 0
    undo: Step | None = None
    redo: Step | None = None
    undos: dict[str, Step] = {}
    redos: dict[str, Step] = {}
    rearms_in_ns: int | None = None
    binding: int | None = None
    bindings: dict[int, str] = {}
    faults: tuple[Text, ...] = ()


class Live(msgspec.Struct, frozen=True):
    """What the log does not hold: the state of the round in progress and of the devices.

    `down` are the lines held now, `pressed` the seats that have pressed in this round, `blocked` who holds up
    the arming, `asked` whether somebody (or the start of the game) asked for it rather than the clock.
    With a `rack` in the round, `lifted` are the cradles that are empty, `pressed` the seats that have
    confirmed a spoon and `phantoms` those that touched without one.
    """

    version: int = 0
    evening: int = 1
    simulated: bool = False
    armed: bool = False
    opened: bool = False
    asked: bool = False
    blocked: tuple[int, ...] = ()
    blocked_lines: tuple[str, ...] = ()
    down: frozenset[str] = frozenset()
    pressed: frozenset[int] = frozenset()
    rack: Rack | None = None
    lifted: frozenset[int] = frozenset()
    phantoms: frozenset[int] = frozenset()
    rearm_ns: int | None = None
    binding: int | None = None
    bindings: dict[int, str] = {}
    faults: tuple[Text, ...] = ()
