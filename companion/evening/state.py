"""The evening as it stands: its matches, and their entries with all that was said of them since.

Behind them the questions about entries that everybody asks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import Question, Verdict
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.evening.events import Started, ZeroTested
from lastnose.companion.games import AnyGame, Standing, game_named
from lastnose.companion.games.rules.base import Moment
from lastnose.companion.games.rules.prompts import Prompt


class Seating(msgspec.Struct, frozen=True, gc=False):
    """Who sits where from an entry on: `circle` are the persons by seats, `players` as they are called.

    `seq` is the log number by which what was judged there knows it, `lines` are the noses by seats, `stood`
    is what everybody had when it was written.
    """

    seq: int
    circle: tuple[int, ...]
    players: tuple[str, ...]
    lines: tuple[str, ...]
    rearm_ns: int | None = None
    stood: tuple[Standing, ...] = ()


class Correction(msgspec.Struct, frozen=True, gc=False):
    """An amendment of an entry, by whom, and whether it stands.

    Its seats are those of `circle`, the persons who sat there as far as was known then. One of who sat where
    says so in `seated`.
    """

    seq: int
    by: str
    move: dict[str, Any]
    stands: bool = True
    circle: tuple[int, ...] = ()
    seated: Seating | None = None


class Amending(NamedTuple):
    """Of which entry a correction is, by whom, and whether it stands."""

    of: int
    by: str
    stands: bool = True


class TakenBack(msgspec.Struct, frozen=True, gc=False):
    """What could be put back: the log number of an entry or amendment, and who took it back."""

    seq: int
    by: str


class LodgedProtest(msgspec.Struct, frozen=True, gc=False):
    """A protest against a verdict: by whom, why, and what judging the tape again has said."""

    by: str
    at: float
    reason: str
    verdict: Verdict

    def upholds(self, judged: Verdict) -> bool:
        """Return whether the tape says again what was *judged*."""
        return (self.verdict.named, self.verdict.void is None) == (judged.named, judged.void is None)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A judged round, a move or an early finish, as it stands now.

    `verdict` is what was judged (completed by late presses), `move` what the table played; both None for a
    finish. `number` counts the listed rounds of the game, 0 for what is no round; `late` are the log
    numbers of its late presses and of what came later still. `withdrawn` is a verdict that did not stand,
    `contest` what late evidence, or a protest, says instead, `kept` whether the table kept the verdict all
    the same and `kept_why` its reason, and `protest` the newest one against it. `place` is its index among
    the entries of its game. `taped` is False for a round that a power cut ended: nothing is known of it.
    `seats` are those that a round was armed for, empty where nobody knows, `left_out` those without whom it
    then went on, `question` what it asked, and `zero` is the zero test that held then.

    `seated`: somebody came or went, and the next match begins with this. Noses are judged at the seats of
    the seating `under`, which has this log number; people speak of persons, who had the seats of `circle`.
    Where by now another circle is known to have sat there, the entry is told by its seats, and `origin` is
    what was written. `unfit`: why it does not count since something before it was corrected, in a log of an
    older version, or why it could not be put back; its seats mean nobody then. `otherwise`: those who sat
    down have something else by now than what they had then.
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
    seats: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    zero: ZeroTested | None = None
    seated: Seating | None = None
    under: int = 0
    circle: tuple[int, ...] = ()
    origin: Entry | None = None
    unfit: Text | None = None
    otherwise: bool = False
    question: Question = "last"

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
    def idle(self) -> bool:
        """Whether nobody has anything by it, whoever sat there: it was taken back, or is a void round."""
        if (held := self.correction) is not None:
            return not self.stands or held.get("type") == "void"
        return not self.stands or (self.verdict is not None and self.verdict.void is not None)

    @property
    def ends(self) -> bool:
        """Whether this is an early finish."""
        return self.verdict is None and self.move is None and self.seated is None

    @property
    def seating(self) -> Seating | None:
        """Who sits where from here on, as it is known now."""
        held = self.held
        return self.seated if held is None else held.seated

    @property
    def parts(self) -> bool:
        """Whether the game goes on in another match after it."""
        return self.seated is not None and self.stands and self.unfit is None

    @property
    def written(self) -> Entry:
        """What was written, by the seats of then."""
        return self.origin or self

    @property
    def correction(self) -> dict[str, Any] | None:
        """The amendment that holds now."""
        held = self.held
        return None if held is None else held.move

    @property
    def held(self) -> Correction | None:
        """The amendment that holds now, with who made it."""
        return next((c for c in reversed(self.corrections) if c.stands), None)


@lru_cache(maxsize=256)
def _moment(game: Any, state: Any) -> Moment:
    """Return what *state* means; who goes through a history asks for each state twice."""
    found: Moment = game.moment(state)
    return found


class Match(msgspec.Struct, frozen=True, dict=True):
    """A stretch of the evening between two changes of who sits where, with the game's state at its beginning
    and after each of its entries. But for those, nothing in it is more than what follows from them.

    So that a long evening costs no more than a short one, `writers` are the authors of what stands, and
    `special` the entries, by their places, that are more than a round or a move: ends, seatings, what was
    corrected, contested or protested. `signed_by` has signed the result off, for a hall. `number` counts the
    games of the evening; where somebody came or went the same game goes on in another match, after
    `rounds_before` rounds with the players `circle_before`. `circle` are the persons by seats, and `seating`
    is the entry by which they sat down; that of a game's beginning is in no match's entries. `was` is the
    state that stood before what has been taken back or corrected since the last round: cards lie on the
    table as it had them. `changed`: the rules have changed since, so that they refuse what is in the log.
    """

    seq: int
    started: Started
    states: tuple[Any, ...]
    entries: tuple[Entry, ...] = ()
    writers: frozenset[str] = frozenset()
    special: dict[int, Entry] = {}
    signed_by: str = ""
    number: int = 1
    rounds_before: int = 0
    circle_before: tuple[str, ...] = ()
    was: Any = None
    circle: tuple[int, ...] = ()
    seating: Entry | None = None
    changed: bool = False

    @cached_property
    def game(self) -> AnyGame:
        """The rules."""
        return game_named(self.started.game, self.changed)

    @cached_property
    def now(self) -> Moment:
        """What the game's state means."""
        return self.moment(-1)

    def moment(self, place: int) -> Moment:
        """Return what the state number *place* means: 0 was the first, and entry n led to n + 1."""
        game: Any = self.game  # one object, so it can be hashed: a protocol does not say so
        return _moment(game, self.states[place])

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.states[-1]

    @cached_property
    def ended(self) -> bool:
        """Whether the table ended it."""
        return any(entry.stands and entry.ends for entry in self.special.values())

    @property
    def parting(self) -> Entry | None:
        """The entry with which it went on in another match, if it did."""
        return self.entries[-1] if self.entries and self.entries[-1].parts else None

    @property
    def rounds(self) -> int:
        """How many rounds of the game are listed so far, those before somebody came or went too."""
        return next((e.number for e in reversed(self.entries) if e.number), self.rounds_before)

    @property
    def finished(self) -> bool:
        """Whether the table ended it, or its rules did."""
        return self.ended or self.now.outcome is not None

    @property
    def asks(self) -> tuple[Prompt, ...]:
        """What the table is asked now; when the rules have ended the game, what may still change that."""
        return () if self.ended else self.now.asks

    def player(self, seat: int) -> str:
        """Return the name of the player in *seat*."""
        return self.started.players[seat - 1]


class Evening(msgspec.Struct, frozen=True):
    """All that has happened since the evening began.

    `open_round` is the log number of a `RoundArmed` not judged yet, 0 when there is none; `open_seats` are
    those it waits for, `open_left` those without whom it went on. `undone` lists what can be put back, the
    newest last; a new round empties it, a new
    entry takes out what its author took back and what does not fit any more. `zeros` are the zero tests, the
    newest last. `people` are the persons of the evening: number n is called `people[n - 1]`, and no two are
    called alike, and `formerly` the persons who were called otherwise before, by those names as `alike` has
    them. `amended` are all corrections, by their log numbers. `revised` is the log number by which something
    of the newest game was last taken back, put back or corrected, 0 before.
    """

    seq: int = 0
    matches: tuple[Match, ...] = ()
    open_round: int = 0
    open_seats: tuple[int, ...] = ()
    open_left: tuple[int, ...] = ()
    undone: tuple[TakenBack, ...] = ()
    zeros: tuple[ZeroTested, ...] = ()
    people: tuple[str, ...] = ()
    formerly: dict[str, int] = {}
    amended: dict[int, Amending] = {}
    revised: int = 0

    @property
    def zero(self) -> ZeroTested | None:
        """The newest zero test, which holds for the rounds after it."""
        return self.zeros[-1] if self.zeros else None

    @property
    def match(self) -> Match | None:
        """The newest game."""
        return self.matches[-1] if self.matches else None

    @property
    def playing(self) -> Match | None:
        """The game that is played, None before the first and when it is over."""
        match = self.match
        return None if match is None or match.finished else match

    def game_at(self, index: int) -> range:
        """Return the indexes of the matches of the game that match *index* belongs to."""
        number, first, end = self.matches[index].number, index, index + 1
        while first and self.matches[first - 1].number == number:
            first -= 1
        while end < len(self.matches) and self.matches[end].number == number:
            end += 1
        return range(first, end)


# ---- what an entry does to its game, which one a log number is, what may be said of it


_seq = attrgetter("seq")


def effective_move(entry: Entry, match: Match) -> Any:
    """Return what *entry* does to the game now, or None when it does nothing.

    Raises BadInput when an amendment is not a move of the game.
    """
    if not entry.stands or entry.unfit is not None or entry.seated is not None:
        return None
    correction = entry.correction
    if correction is not None:
        return corrected(entry, correction, match)
    if entry.verdict is not None:
        return None if entry.verdict.void is not None else entry.verdict
    return None if entry.move is None else match.game.read_move(entry.move)


def corrected(entry: Entry, move: Mapping[str, Any], match: Match) -> Any:
    """Return the move that an amendment stands for; None when the entry is not to count."""
    kind = move.get("type")
    if kind == "void":
        return None
    if kind != "last":
        return match.game.read_move(move)
    seats = move.get("seats")
    known = range(1, len(match.started.players) + 1)
    if not isinstance(seats, list | tuple) or any(s not in known for s in seats):
        raise BadInput(
            english("Say which seats were last, as numbers from 1 to {n}.", n=len(match.started.players))
        )
    judged, first = entry.verdict or Verdict(), entry.question == "first"
    named = tuple(sorted(set(seats)))
    order = (*(s for s in judged.order if s not in seats), *(s for s in judged.order if s in seats))
    if first:
        order = (*(s for s in judged.order if s in seats), *(s for s in judged.order if s not in seats))
    return Verdict(
        order=order,
        last=() if first else named,
        first=named if first else (),
        dead_heat=len(set(seats)) > 1,
        presses=judged.presses,
        unseen=judged.unseen,
        early=judged.early,  # who was first is corrected, not who began too early
    )


def toggled(entry: Entry, of: int, *, stands: bool) -> Entry:
    """Return *entry* with itself, or its amendment with log number *of*, taken back or put back."""
    if entry.seq == of:
        return msgspec.structs.replace(entry, stands=stands)
    corrections = tuple(
        msgspec.structs.replace(made, stands=stands) if made.seq == of else made for made in entry.corrections
    )
    return msgspec.structs.replace(entry, corrections=corrections)


def find(evening: Evening, seq: int) -> tuple[int, Match, Entry]:
    """Return the match (its index and itself) and the entry that *seq* is, or is an amendment of.

    The beginning of a game is an entry at place -1: who sat where.
    """
    if seq in evening.amended:
        return find(evening, evening.amended[seq].of)
    index = bisect_right(evening.matches, seq, key=_seq) - 1
    if index >= 0:
        match = evening.matches[index]
        if match.seq == seq and match.seating is not None:
            return _seating(evening, index, match.seating)
        place = bisect_left(match.entries, seq, key=_seq)
        if place < len(match.entries) and match.entries[place].seq == seq:
            return index, match, match.entries[place]
    raise BadInput(text("There is no entry {seq} this evening.", seq=seq))


def _seating(evening: Evening, index: int, entry: Entry) -> tuple[int, Match, Entry]:
    """Return where the *entry* is by which people sat down to match *index*: in the one before, if in any."""
    if entry.place < 0:
        return index, evening.matches[index], entry
    return index - 1, evening.matches[index - 1], entry


def judged_under(evening: Evening, match: Match, entry: Entry) -> Seating:
    """Return who sat where when *entry* of *match* was judged, as it is known now: its noses are theirs."""
    of = entry.written.under
    seating = match.seating if of in (0, match.seq) else find(evening, of)[2]
    assert seating is not None
    assert seating.seating is not None
    return seating.seating


def running(evening: Evening) -> Match:
    """Return the game that is played; raise NotNow without one."""
    match = evening.playing
    if match is None:
        raise NotNow(text("No game is being played: start one first."))
    return match


def last_judged(evening: Evening) -> int:
    """Return the log number of the newest judged round of the game, 0 when there is none."""
    match = evening.match
    judged = (e.seq for e in reversed(match.entries) if e.verdict is not None) if match else iter(())
    return next(judged, 0)


def is_void(entry: Entry) -> bool:
    """Return whether *entry* is a judged round that does not count."""
    correction = entry.correction
    if correction is not None:
        return correction.get("type") == "void"
    return entry.verdict is not None and entry.verdict.void is not None


def undecided(match: Match) -> Entry | None:
    """Return the newest round of *match* that is contested or protested and not decided yet."""
    found = (match.special[place] for place in sorted(match.special, reverse=True))
    return next((entry for entry in found if entry.contested or entry.protested), None)


def protestable(match: Match) -> Entry | None:
    """Return the newest judged round of *match* while nothing has been written after it; else None.

    A round without a tape, which a power cut ended, is passed over: there is nothing to judge again.
    """
    newest = next((one for one in reversed(match.entries) if one.listed and one.taped), None)
    return newest if newest is not None and newest.verdict is not None and newest.stands else None


def voidable(match: Match) -> Entry | None:
    """Return the newest round of *match* if it can be taken out of the count: it counts, and there is one."""
    judged = (one for one in reversed(match.entries) if one.verdict is not None and one.listed and one.stands)
    newest = next(judged, None)
    return None if newest is None or is_void(newest) else newest
