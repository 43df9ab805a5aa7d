"""A tape: a header, then what lines, host and people did, as JSON Lines in arrival order. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

import msgspec
from lastnose.companion.core.decode import decode_json, fit
from lastnose.companion.core.errors import Malformed, TapeError
from lastnose.companion.core.model import Edge, Gap, Input, Levels, Passthrough, Press, Watermark
from lastnose.companion.core.names import call_game_as_today
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.timing import ArmRequest, Request

TAPE_VERSION = 1


class Header(msgspec.Struct, frozen=True):
    """Whose tape it is: the game with its options, and the players by seat."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any] = {}
    tape: int = TAPE_VERSION

    def __post_init__(self) -> None:
        """Know the game by its name of today."""
        call_game_as_today(self, self.game)


class ArmRecord(msgspec.Struct, frozen=True):
    """The round was armed at `t_ns`; `seats`: only these were watched (None: whom the game asks for).

    `barred` and `early`, where it asked who is first, as in `Armed`; None: as the tape shows noses then.
    `teams`: the seats of each team, where there were any; none: as the game deals them. `asked_ns`: the
    question was open before, and only from then on was it asked among these seats.
    """

    t_ns: int
    seats: tuple[int, ...] | None = None
    barred: tuple[tuple[int, int], ...] | None = None
    early: tuple[Press, ...] = ()
    teams: tuple[tuple[int, ...], ...] = ()
    asked_ns: int | None = None


class MoveRecord(msgspec.Struct, frozen=True):
    """The people made a move of the game (`{"type": "talked", "seat": 2}`)."""

    move: dict[str, Any]
    t_ns: int


Entry = Input | ArmRecord | MoveRecord


class Tape(msgspec.Struct, frozen=True):
    """A header and its entries, in arrival order."""

    header: Header
    entries: tuple[Entry, ...] = ()

    @property
    def arms_itself(self) -> bool:
        """Whether no entry says when to arm, so that it is done by the clock."""
        return not any(isinstance(entry, ArmRecord) for entry in self.entries)

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team, as the first round says that has teams; none: as the game deals them."""
        said = (entry.teams for entry in self.entries if isinstance(entry, ArmRecord) and entry.teams)
        return next(said, ())

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources on the tape, by name."""
        return tuple(
            sorted(
                {entry.source for entry in self.entries if isinstance(entry, Edge | Levels | Gap | Watermark)}
            )
        )


def read_tape(lines: Iterable[str]) -> Tape:
    """Read a tape; raise TapeError that names the line and what was expected there. Empty lines are skipped.

    >>> tape = read_tape(['{"tape":1,"game":"pig","players":["North","East","South"]}',
    ...                   '{"t_ns":0,"source":"gpio","line":"nose.1","level":1,"u_ns":1000}'])
    >>> tape.entries[0].line
    'nose.1'
    """
    header: Header | None = None
    entries: list[Entry] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        raw = _object(line, number)
        if header is None:
            header = _header(raw, number)
        else:
            entries.append(_entry(raw, number, len(header.players)))
    if header is None:
        raise TapeError(
            english("The tape is empty: its first line must be {expected}.", expected=_HEADER_SHAPE)
        )
    return Tape(header, tuple(entries))


def write_tape(tape: Tape) -> Iterator[str]:
    """Yield the lines of a tape, without line ends; `read_tape` reads them back."""
    header = tape.header
    yield _json(
        {"tape": header.tape, "game": header.game, "players": header.players, "options": header.options}
    )
    for entry in tape.entries:
        yield _json(_raw(entry))


def with_watermarks(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the entries with promises for every source that made none, as if its watermarks always followed.

    Such a source promises, before its first entry and after each, the earliest time that it still has on the
    tape; at its end, the latest time on the whole tape.

    >>> edge = Edge(t_ns=5, source="gpio", line="nose.1", level=1, u_ns=0)
    >>> [(type(one).__name__, one.t_ns) for one in with_watermarks([edge])]
    [('Watermark', 5), ('Edge', 5), ('Watermark', 5)]
    """
    promising = {entry.source for entry in entries if isinstance(entry, Watermark)}
    end_ns = max((_time_ns(entry) for entry in entries), default=0)
    promises: dict[int, int] = {}
    ahead: dict[str, int] = {}
    for index in range(len(entries) - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, Edge | Levels | Gap) and entry.source not in promising:
            promises[index] = ahead.get(entry.source, end_ns)
            ahead[entry.source] = min(promises[index], _time_ns(entry))
    for source, t_ns in ahead.items():
        yield Watermark(t_ns, source)
    for index, entry in enumerate(entries):
        yield entry
        if index in promises and isinstance(entry, Edge | Levels | Gap):
            yield Watermark(promises[index], entry.source)


def stream(tape: Tape) -> Iterator[Input | Request]:
    """Yield what a referee is to be fed to play a tape; `Referee.end` then tells the rest.

    The referee should know `tape.sources`, and arm only when told unless `tape.arms_itself`. Moves come out
    of it as Cues, in their place in the stream.
    """
    for entry in tape.entries:
        if isinstance(entry, ArmRecord):
            barred, early, asked_ns = entry.barred, entry.early, entry.asked_ns
            yield ArmRequest(entry.t_ns, entry.seats, barred=barred, early=early, asked_ns=asked_ns)
        elif isinstance(entry, MoveRecord):
            yield Passthrough(entry.t_ns, entry)
    for entry in with_watermarks(tape.entries):
        if not isinstance(entry, ArmRecord | MoveRecord):
            yield entry


# Reading and writing one line

_Time = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)]
_End = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**63 - 1)]  # of a gap whose end nobody knows: FOREVER
_Name = Annotated[str, msgspec.Meta(min_length=1)]
_LineName = Annotated[str, msgspec.Meta(pattern=r"^((nose|spoon|dock)\.[1-9][0-9]*|host)$")]
_Level = Annotated[int, msgspec.Meta(ge=0, le=1)]
_Worth = Annotated[int, msgspec.Meta(ge=0, le=2**62)]


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    tape: int
    game: _Name
    players: Annotated[tuple[_Name, ...], msgspec.Meta(min_length=2)]
    options: dict[str, Any] = {}


class _Edge(msgspec.Struct, forbid_unknown_fields=True):
    t_ns: _Time
    source: _Name
    line: _LineName
    level: _Level
    u_ns: _Worth
    clock_u_ns: _Worth = 0
    skew_u_ns: _Worth = 0
    contact_u_ns: _Worth = 0
    button_u_ns: _Worth = 0
    wire_u_ns: _Worth | None = None


class _Levels(msgspec.Struct, forbid_unknown_fields=True):
    levels: dict[_LineName, _Level]
    t_ns: _Time
    source: _Name
    u_ns: _Worth | None = None
    clock_u_ns: _Worth = 0
    wire_u_ns: _Worth | None = None
    late_ns: _Time | None = None
    expected: bool = False


class _Gap(msgspec.Struct, forbid_unknown_fields=True):
    gap: tuple[_Time, _End]
    source: _Name
    lines: tuple[_LineName, ...] | None = None
    late_ns: _Time | None = None


class _Watermark(msgspec.Struct, forbid_unknown_fields=True):
    watermark: _Time
    source: _Name


class _Arm(msgspec.Struct, forbid_unknown_fields=True):
    arm: _Time
    seats: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)] | None = None
    barred: tuple[tuple[int, int], ...] | None = None
    early: tuple[Press, ...] = ()
    teams: tuple[tuple[int, ...], ...] = ()
    asked_ns: _Time | None = None


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    move: dict[str, Any]
    t_ns: _Time


_HEADER_SHAPE = '{"tape":1,"game":"…","players":["…","…"],"options":{…}}'
# Which entry a line is, by the key that only it has, and how such a line looks.
_SHAPES: tuple[tuple[str, type[msgspec.Struct], str], ...] = (
    ("line", _Edge, '{"t_ns":…,"source":"…","line":"nose.1","level":1,"u_ns":…}'),
    ("levels", _Levels, '{"levels":{"nose.1":0},"t_ns":…,"source":"…"}'),
    ("gap", _Gap, '{"gap":[from_ns,to_ns],"source":"…"}'),
    ("watermark", _Watermark, '{"watermark":…,"source":"…"}'),
    ("arm", _Arm, '{"arm":t_ns}'),
    ("move", _Move, '{"move":{"type":"…"},"t_ns":…}'),
)


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        return decode_json(line, dict[str, Any])
    except Malformed as error:
        raise TapeError(
            english(
                "Line {line} of the tape is not a JSON object ({reason}).", line=number, reason=error.text
            )
        ) from error


def _read(raw: dict[str, Any], shape: type[msgspec.Struct], example: str, number: int) -> Any:
    try:
        return fit(raw, shape)
    except Malformed as error:
        raise _unreadable(number, example, error.text) from error


def _unreadable(number: int, example: str, reason: str | Text) -> TapeError:
    return TapeError(
        english(
            "Line {line} of the tape cannot be read ({reason}). Expected {expected}.",
            line=number,
            reason=reason,
            expected=example,
        )
    )


def _header(raw: dict[str, Any], number: int) -> Header:
    version = raw.get("tape")
    if version is None:
        raise TapeError(
            english(
                "Line {line} of the tape must be its header: {expected}.", line=number, expected=_HEADER_SHAPE
            )
        )
    if type(version) is int and version != TAPE_VERSION:
        raise TapeError(
            text(
                "This has format {found}; this Last Nose reads {known}. Update Last Nose first.",
                found=version,
                known=TAPE_VERSION,
            )
        )
    read = _read(raw, _Header, _HEADER_SHAPE, number)
    return Header(read.game, read.players, read.options)


def _entry(raw: dict[str, Any], number: int, players: int) -> Entry:
    for key, shape, example in _SHAPES:
        if key in raw:
            read = _read(raw, shape, example, number)
            break
    else:
        raise TapeError(
            english(
                "Line {line} of the tape is none of: {expected}.",
                line=number,
                expected=", ".join(example for _, _, example in _SHAPES),
            )
        )
    if isinstance(read, _Gap):
        if read.gap[0] > read.gap[1]:
            raise _unreadable(number, example, english("the gap ends before it begins"))
        return Gap(*read.gap, read.source, read.lines, read.late_ns)
    if isinstance(read, _Arm):
        strangers = [seat for seat in read.seats or () if not 1 <= seat <= players]
        if strangers or len(set(read.seats or ())) < len(read.seats or ()):
            seats = english("its seats must be from 1 to {players}, each once", players=players)
            raise _unreadable(number, example, seats)
        return ArmRecord(read.arm, read.seats, read.barred, read.early, read.teams, read.asked_ns)
    if isinstance(read, _Watermark):
        return Watermark(read.watermark, read.source)
    if isinstance(read, _Move):
        if not isinstance(read.move.get("type"), str):
            raise _unreadable(number, example, english("the type of a move is a text"))
        return MoveRecord(read.move, read.t_ns)
    fields = msgspec.structs.asdict(read)
    return Edge(**fields) if isinstance(read, _Edge) else Levels(**fields)


def _time_ns(entry: Entry) -> int:
    return entry.from_ns if isinstance(entry, Gap) else entry.t_ns


def _raw(entry: Entry) -> Any:
    """Return an entry as its line shows it."""
    if isinstance(entry, Watermark):
        return {"watermark": entry.t_ns, "source": entry.source}
    if isinstance(entry, Gap):
        lines = {} if entry.lines is None else {"lines": entry.lines}
        late = {} if entry.late_ns is None else {"late_ns": entry.late_ns}
        return {"gap": [entry.from_ns, entry.to_ns], "source": entry.source} | lines | late
    if isinstance(entry, ArmRecord):
        seats = {} if entry.seats is None else {"seats": entry.seats}
        early = {"early": msgspec.to_builtins(entry.early)} if entry.early else {}
        barred = {} if entry.barred is None else {"barred": entry.barred}
        teams = {"teams": entry.teams} if entry.teams else {}
        asked = {} if entry.asked_ns is None else {"asked_ns": entry.asked_ns}
        return {"arm": entry.t_ns} | seats | barred | early | teams | asked
    return {key: value for key, value in msgspec.to_builtins(entry).items() if key != "type"}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
