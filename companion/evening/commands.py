"""What people can ask of the table: one frozen struct a command, tagged by `type` in JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.names import call_game_as_today


class Command(msgspec.Struct, frozen=True, tag_field="type"):
    """A wish of a phone, the box or the command line."""


class Start(Command, frozen=True, tag="start"):
    """Start a game.

    `lines` binds a nose line to each player in order; None: the bindings made so far, else nose.1, nose.2, …

    `rearm_s`: how long after a verdict, with all noses free, the table arms itself; None: only when told;
    unset: as it was.
    `call`: the round of a hall that it is played for.
    `teams`: the seats of each team, where the game has teams and is not to deal them itself.
    `seq` is the log number of the state that it answers: refused when another game has been begun since, or
    people have come or gone. None: it answers whatever is shown now.
    """

    game: str
    players: tuple[str, ...]
    options: dict[str, Any] = {}
    lines: tuple[str, ...] | None = None
    rearm_s: float | msgspec.UnsetType | None = msgspec.UNSET
    call: str = ""
    teams: tuple[tuple[int, ...], ...] = ()
    seq: int | None = None

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)


class Regroup(Command, frozen=True, tag="regroup"):
    """Go on with the game, with these players from the next round on, in this order around the table.

    Who is not named leaves; who is new joins, and may be written as a list: "Eva, Farid" are two. Games that
    cannot go on so refuse. `seq` is as for Start.
    """

    players: tuple[str, ...]
    seq: int | None = None


class Import(Command, frozen=True, tag="import"):
    """Take up a game from its score sheet (what `sheet.json` holds), with everything written on it."""

    sheet: dict[str, Any]


class Arm(Command, frozen=True, tag="arm"):
    """Everybody has cards: arm the next round now, if it is not armed, and let all pages show the noses.

    `seq` is the log number of the state that it answers: the table does nothing when a round has been judged
    since, or another game begun. None: it answers whatever is shown now.
    """

    seq: int | None = None


class LeaveOut(Command, frozen=True, tag="leave-out"):
    """Deal the next round without these seats, whose noses cannot be touched; () brings everybody back.

    It holds until that round is decided. Two have to be left, and spoons in a rack are for all. While it is
    asked who was first, those can be left out whose phones are waited for: what they touched does not count.
    `seq` is the log number of the state that it answers: refused when people have come or gone since, or a
    round has been judged. None: it answers whatever is shown now.
    """

    seats: tuple[int, ...]
    seq: int | None = None


class Void(Command, frozen=True, tag="void"):
    """The round in progress, or else the last judged one, does not count.

    `under_way`: only the round that is armed; one that nobody has touched is armed again at once.
    `seq` is the log number of the state that it answers, in which no round was in progress: refused when one
    has begun since. None: it answers whatever is shown now.
    """

    reason: str = ""
    under_way: bool = False
    seq: int | None = None


class Protest(Command, frozen=True, tag="protest"):
    """Protest the newest verdict (number `seq` in the log): judge its tape again, and keep the decision."""

    reason: str = ""
    seq: int | None = None


class TestZero(Command, frozen=True, tag="test-zero"):
    """Begin a zero test of two nose lines, before a game; None: end it, nothing is kept."""

    __test__ = False  # no test of pytest's

    lines: tuple[str, str] | None


class Keep(Command, frozen=True, tag="keep"):
    """Keep the round with log number `seq`, contested or protested, as it was judged; say why if you like."""

    seq: int
    reason: str = ""


class Play(Command, frozen=True, tag="play"):
    """Make a move of the game (`{"type": "talked", "seat": 2}`).

    `seq` is the log number of the state that it answers: the table does nothing when something of the game
    has been judged, played, taken back, put back or corrected since. What is written on a score sheet is
    refused only when somebody has come or gone since. None: it answers whatever is shown now.
    """

    move: dict[str, Any]
    seq: int | None = None


class Agree(Command, frozen=True, tag="agree"):
    """Play the game that has begun with these options, until its first hand is scored; others stay."""

    options: dict[str, Any]


class Undo(Command, frozen=True, tag="undo"):
    """Take back the entry or amendment with log number `seq`.

    Without it the newest of who asks, or of the box; the host takes back the newest of anybody.
    """

    seq: int | None = None


class Redo(Command, frozen=True, tag="redo"):
    """Put back the entry or amendment with log number `seq`; without it the one that who asks took back last.

    The host puts back what anybody took back last.
    """

    seq: int | None = None


class Amend(Command, frozen=True, tag="amend"):
    """Correct entry `seq`: what should have been judged or played.

    `move` is a move of the game, `{"type": "last", "seats": [n]}` (these were last; more than one in a dead
    heat, nobody with none) or `{"type": "void", "reason": "…"}` (it does not count). Of who sat where, which
    has the log number `seated` of a round, it is `{"type": "seats", "players": ["Ana", …]}`: what the noses
    of these seats did was theirs; what people said of somebody stays with whom they named. `over` is the
    correction that held when this was begun (`held` of the round; 0: none): where another holds since,
    nothing is done. None: whatever holds.
    """

    seq: int
    move: dict[str, Any]
    over: int | None = None


class Finish(Command, frozen=True, tag="finish"):
    """End the game here, without a winner. `seq` is as for Start."""

    seq: int | None = None


class SignOff(Command, frozen=True, tag="sign-off"):
    """Sign the result of the game that is over off: from now on it counts in the hall."""


class NewEvening(Command, frozen=True, tag="new-evening"):
    """Close this evening and begin another with an empty history.

    Refused when `evening` is another by now. None: it closes whichever it is.
    """

    evening: int | None = None


class Bind(Command, frozen=True, tag="bind"):
    """In set-up: bind the next nose pressed to the player with this number (from 1); None stops waiting."""

    player: int | None


class Rearm(Command, frozen=True, tag="rearm"):
    """Set the re-arm delay in seconds; None: only when told."""

    seconds: float | None


class SaveVariation(Command, frozen=True, tag="save-variation"):
    """Save a game with options under a name; one of that name is replaced."""

    name: str
    game: str
    options: dict[str, Any] = {}

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)


class DeleteVariation(Command, frozen=True, tag="delete-variation"):
    """Delete the saved variation of this name."""

    name: str


class Rename(Command, frozen=True, tag="rename"):
    """Call the person who is called `player` this evening `name`, in all of it."""

    player: str
    name: str


Changing = Amend | Undo | Redo | Play  # what `companion.views.preview` foresees

AnyCommand = (
    Start
    | Regroup
    | Rename
    | Import
    | Arm
    | LeaveOut
    | Void
    | Keep
    | Protest
    | TestZero
    | Play
    | Agree
    | Undo
    | Redo
    | Amend
    | Finish
    | SignOff
    | NewEvening
    | Bind
    | Rearm
    | SaveVariation
    | DeleteVariation
)
