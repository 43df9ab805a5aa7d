"""The evening as it stands: its matches, and their entries with all that was said of them since."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.growing import Growing
from companion.core.model import Verdict
from companion.evening.events import (
    Started,
    ZeroTested,
)
from companion.games import AnyGame, get_game
from companion.games.rules.prompts import Prompt


class Correction(msgspec.Struct, frozen=True):
    """An amendment of an entry, by whom, and whether it stands."""

    seq: int
    by: str
    move: dict[str, Any]
    stands: bool = True


class TakenBack(msgspec.Struct, frozen=True):
    """What could be put back: the log number of an entry or amendment, and who took it back."""

    seq: int
    by: str


class LodgedProtest(msgspec.Struct, frozen=True):
    """A protest against a verdict: by whom, why, and what judging the tape again has said."""

    by: str
    at: float
    reason: str
    verdict: Verdict

    def upholds(self, judged: Verdict) -> bool:
        """Return whether the tape says again what was *judged*."""
        return (self.verdict.last, self.verdict.void is None) == (judged.last, judged.void is None)


class Entry(msgspec.Struct, frozen=True):
    """A judged round, a move or an early finish, as it stands now.

    `verdict` is what was judged (completed by late presses), `move` what the table played; both None for a
    finish. `number` counts the listed rounds of the game, 0 for what is no round; `late` are the log
    numbers of its late presses and of what came later still. `withdrawn` is a verdict that did not stand,
    `contest` what late evidence, or a protest, says instead, `kept` whether the table kept the verdict all
    the same and `kept_why` its reason, and `protest` the newest one against it. `place` is its index among
    the entries of its game. `taped` is False for a round that a power cut ended: nothing is known of it.
    `regrouped` are the players with whom the game goes on in the next match: somebody came or went.
    `seats` are those that a round was armed for, empty where nobody knows, and `zero` is the zero test that
    held then.
    """

    seq: int
    by: str
    at: float
    number: int = 0
    verdict: Verdict | None = None
    move: dict[str, Any] | None = None
    armed_seq: int = 0
    late: tuple[int, ...] = ()
    listed: bool = True
    stands: bool = True
    corrections: tuple[Correction, ...] = ()
    withdrawn: Verdict | None = None
    contest: Verdict | None = None
    kept: bool = False
    kept_why: str = ""
    protest: LodgedProtest | None = None
    place: int = 0
    taped: bool = True
    regrouped: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    zero: ZeroTested | None = None

    @property
    def contested(self) -> bool:
        """Whether late evidence says otherwise, and the table has not decided."""
        return self.contest is not None and self._undecided

    @property
    def protested(self) -> bool:
        """Whether it was protested, and the table has not decided."""
        return self.protest is not None and self._undecided

    @property
    def _undecided(self) -> bool:
        return self.stands and not self.kept and self.correction is None

    @property
    def ends(self) -> bool:
        """Whether this is an early finish."""
        return self.verdict is None and self.move is None

    @property
    def correction(self) -> dict[str, Any] | None:
        """The amendment that holds now."""
        held = self.held
        return None if held is None else held.move

    @property
    def held(self) -> Correction | None:
        """The amendment that holds now, with who made it."""
        return next((c for c in reversed(self.corrections) if c.stands), None)


class Match(msgspec.Struct, frozen=True):
    """One game of the evening: how it began, its entries, and the game's state before them and after each.

    So that a long evening costs no more than a short one, `writers` are the authors of what stands, and
    `special` the entries, by their places, that are more than a round or a move: ends, what was corrected,
    contested or protested. `signed_by` has signed the result off, for a hall. `number` counts the games of
    the evening; where somebody came or went the same game goes on in another match, after `rounds_before`
    rounds with the players `circle_before`. `was` is the state that stood before what has been taken back or
    corrected since the last round: cards lie on the table as it had them.
    """

    seq: int
    started: Started
    states: Growing[Any]
    entries: Growing[Entry] = Growing()
    writers: frozenset[str] = frozenset()
    special: dict[int, Entry] = {}
    signed_by: str = ""
    number: int = 1
    rounds_before: int = 0
    circle_before: tuple[str, ...] = ()
    was: Any = None

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return get_game(self.started.game)

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.states[-1]

    @property
    def ended(self) -> bool:
        """Whether the table ended it."""
        return any(entry.stands and entry.ends for entry in self.special.values())

    @property
    def parting(self) -> Entry | None:
        """The entry with which it went on in another match, if it did."""
        found = (entry for entry in self.special.values() if entry.stands and entry.regrouped)
        return next(found, None)

    @property
    def rounds(self) -> int:
        """How many rounds of the game are listed so far, those before somebody came or went too."""
        return next((e.number for e in reversed(self.entries) if e.number), self.rounds_before)

    @property
    def finished(self) -> bool:
        """Whether the table ended it, or its rules did."""
        return self.ended or self.game.outcome(self.state) is not None

    @property
    def asks(self) -> tuple[Prompt, ...]:
        """What the table is asked now; when the rules have ended the game, what may still change that."""
        return () if self.ended else self.game.asks(self.state)

    def player(self, seat: int) -> str:
        """Return the name of the player in *seat*."""
        return self.started.players[seat - 1]


class Evening(msgspec.Struct, frozen=True):
    """All that has happened since the evening began.

    `open_round` is the log number of a `RoundArmed` not judged yet, 0 when there is none; `open_seats` are
    those it waits for. `undone` lists what can be put back, the newest last; a new round empties it, a new
    entry takes out what its author took back and what does not fit any more. `parted` are matches that were
    taken back (nobody came or went after all), by the log number of the entry that had led to them.
    `zeros` are the zero tests, the newest last.
    """

    seq: int = 0
    matches: tuple[Match, ...] = ()
    open_round: int = 0
    open_seats: tuple[int, ...] = ()
    undone: tuple[TakenBack, ...] = ()
    zeros: tuple[ZeroTested, ...] = ()
    parted: dict[int, Match] = {}

    @property
    def zero(self) -> ZeroTested | None:
        """The newest zero test, which holds for the rounds after it."""
        return self.zeros[-1] if self.zeros else None

    @property
    def match(self) -> Match | None:
        """The newest game."""
        return self.matches[-1] if self.matches else None
