"""The events of an evening, as they are kept. Nothing is ever changed or deleted."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.model import NO_RULES, Armed, FirstRules, Input, Press, Question, Rack, Verdict
from lastnose.companion.core.names import call_game_as_today


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True, gc=False):
    """Something that happened: `by` whom (a phone, "box" or "host"), `at` wall time in seconds."""

    by: str
    at: float


class Started(Event, frozen=True, tag="started"):
    """A game began. `lines[i]` is the nose line of seat i + 1 ("": none); `rearm_ns` as in Settings.

    `call` is the round of a hall that it is played for, empty for a game of the table's own.
    `teams`: the seats of each team, where the game did not deal them itself.
    `carried`: in older logs the game before goes on with this circle, as `Seated` says today; what is in it
    was a sum, and is not read.
    """

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    lines: tuple[str, ...]
    rearm_ns: int | None = None
    call: str = ""
    teams: tuple[tuple[int, ...], ...] = ()
    carried: Any = None

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)


class Seated(Event, frozen=True, tag="seated"):
    """From here on these *players* sit there, by seats, with these nose `lines`: somebody came or went.

    A name that is known this evening is that person. `rearm_ns` as in Started.
    """

    players: tuple[str, ...]
    lines: tuple[str, ...]
    rearm_ns: int | None = None


class NameChanged(Event, frozen=True, tag="renamed"):
    """The person who is called `was` this evening is called `name`, and has been all along."""

    was: str
    name: str


class RoundArmed(Event, frozen=True, tag="armed"):
    """A round was armed at `t_ns` for `seats`; durable, so that a killed round is known.

    The rest is of rounds that ask who is first, as in `companion.core.model.Armed`.
    """

    t_ns: int
    seats: tuple[int, ...]
    rules: FirstRules = NO_RULES
    barred: tuple[tuple[int, int], ...] = ()
    early: tuple[Press, ...] = ()
    since_ns: int | None = None

    @property
    def armed(self) -> Armed:
        """How it was armed, to judge it again."""
        return Armed(self.t_ns, self.seats, self.rules, self.barred, self.early, self.since_ns)


class RoundDropped(Event, frozen=True, tag="dropped"):
    """The armed round was let go of: before anybody had touched, the table wanted something else."""


class RoundJudged(Event, frozen=True, tag="judged"):
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
    question: Question = "last"


class VerdictCompleted(Event, frozen=True, tag="late"):
    """More is known of round `of`, whose name stands: a late press, or late evidence, moved the rest."""

    of: int
    verdict: Verdict
    inputs: tuple[Input, ...] = ()


class VerdictWithdrawn(Event, frozen=True, tag="withdrawn"):
    """Evidence came too late and contradicts the verdict of round `of`: it is void and played again.

    `inputs` are those since the round or its Late, the late evidence among them.
    """

    of: int
    verdict: Verdict
    inputs: tuple[Input, ...] = ()


class VerdictContested(Event, frozen=True, tag="contested"):
    """Evidence came after the next arming and says that round `of` should have been judged as `verdict`."""

    of: int
    verdict: Verdict
    inputs: tuple[Input, ...] = ()


class Kept(Event, frozen=True, tag="kept"):
    """The table keeps round `of`, contested or protested, as it was judged, for `reason`."""

    of: int
    reason: str = ""


class Protested(Event, frozen=True, tag="protested"):
    """Verdict `of` was protested, for `reason`, and its tape judged again: `verdict` is what came of it."""

    of: int
    verdict: Verdict
    reason: str = ""


class ZeroTested(Event, frozen=True, tag="zero"):
    """One plate closed two noses at once, again and again: `off_ns[i]` is by how much `lines[1]` came later.

    `u_ns` is what order was sure to, `missed` how often only one was heard. `by_hand`: one was a phone, and
    two fingers touched both. `phones` are those of the noses, as they call themselves, "" for none.
    """

    lines: tuple[str, str]
    off_ns: tuple[int, ...]
    u_ns: int
    missed: int = 0
    by_hand: bool = False
    phones: tuple[str, str] = ("", "")


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
    """Entry `of` was corrected to `move` (see `companion.evening.commands.Amend`)."""

    of: int
    move: dict[str, Any]


class Finished(Event, frozen=True, tag="finished"):
    """The table ended the game before its rules did."""


class SignedOff(Event, frozen=True, tag="signed-off"):
    """The table's host has signed off the result of the game that began with entry `of`."""

    of: int


class Saved(Event, frozen=True, tag="saved"):
    """A table saved its variation of a game; it outlives the evening."""

    name: str
    game: str
    options: dict[str, Any]

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)


class Forgotten(Event, frozen=True, tag="forgotten"):
    """The saved variation `name` was deleted."""

    name: str


AnyEvent = (
    Started
    | Seated
    | NameChanged
    | RoundArmed
    | RoundDropped
    | RoundJudged
    | VerdictCompleted
    | VerdictWithdrawn
    | VerdictContested
    | Kept
    | Protested
    | ZeroTested
    | Played
    | Agreed
    | Undone
    | Redone
    | Amended
    | Finished
    | SignedOff
    | Saved
    | Forgotten
)
DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
ENCODER = msgspec.json.Encoder()
