"""A tape in, its rounds, standings and outcome out: the whole table in the tape's own time.

A tape of one round, packed, fits an address: an appeal is a link.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.core.errors import CompanionError, TapeError, unreadable
from lastnose.companion.core.model import Passthrough, Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.commands import AnyCommand, Finish, Play, Redo, Start, Undo, Void
from lastnose.companion.evening.state import Entry, Match, effective_move, is_void
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.timing import Settings
from lastnose.companion.timing.tape import MoveRecord, Tape, read_tape, stream
from lastnose.companion.views.photo_finish import finish_of
from lastnose.companion.views.sentences import counted

PEOPLE: dict[Any, type[Undo] | type[Redo] | type[Finish]] = {"undo": Undo, "redo": Redo, "finish": Finish}


def load_tape(path: Path) -> Tape:
    """Return the tape in the file *path*; raise TapeError that names file and line."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            return read_tape(lines)
    except (OSError, UnicodeDecodeError) as problem:
        raise TapeError(unreadable(path, problem)) from problem
    except TapeError as problem:
        raise TapeError(text("{what}: {says}", what=str(path), says=problem.text)) from problem


PACKED = "1"  # how an address begins that holds a tape packed in this way
MOST_PACKED = 16_000  # letters; 13 seats take about 1,200
MOST_UNPACKED = 200_000


def packed(tape: str) -> str:
    """Return *tape* (JSON Lines) as it stands in an address: deflated, in letters that need no escape.

    >>> unpacked(packed('{"tape":1,"game":"pig","players":["A","B","C"],"options":{}}\\n')).header.players
    ('A', 'B', 'C')
    """
    press = zlib.compressobj(9, wbits=-15)
    squeezed = press.compress(tape.encode()) + press.flush()
    return PACKED + urlsafe_b64encode(squeezed).decode().rstrip("=")


def unpacked(address: str) -> Tape:
    """Return the tape that *address* holds, as `packed` writes it; raise TapeError for what is none."""
    no_tape = TapeError(text("This address holds no tape: copy all of it, to its last letter."))
    letters = address[len(PACKED) :]
    if not address.startswith(PACKED) or len(address) > MOST_PACKED or not address.isascii():
        raise no_tape
    try:
        squeezed = urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        opened = zlib.decompressobj(wbits=-15)
        tape = opened.decompress(squeezed, MOST_UNPACKED)
        if not opened.eof or opened.unused_data:
            raise no_tape
        return read_tape(tape.decode().splitlines())
    except (ValueError, zlib.error):
        raise no_tape from None


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Name the file of a tape whose game, players, options or moves do not fit; raise TapeError."""
    try:
        yield
    except CompanionError as problem:
        raise TapeError(text("{what}: {says}", what=str(path), says=problem.text)) from problem


def judge_file(path: Path, settings: Settings | None = None) -> Table:
    """Play the tape in the file *path* and return its table; raise TapeError that names the file."""
    tape = load_tape(path)
    with of_file(path):
        return replay(tape, settings)


class _TapePlayer:
    """Plays *tape* on a table of its own, whose clock is the tape's.

    Rounds are armed as the tape says, and nothing is left to chance: a tape says what it decided, or seat 1
    deals first.
    """

    def __init__(self, tape: Tape, settings: Settings) -> None:
        self._now_ns = 0
        players = tape.header.players
        lines = tuple(f"nose.{seat}" for seat in range(1, len(players) + 1))
        self.table = Table(
            MemoryStore(),
            lines,
            settings=settings,
            simulated=True,
            sources=tape.sources,
            chance=None,
            arms_first=False,
            clock_ns=lambda: self._now_ns,
            wall_s=lambda: self._now_ns / 1e9,
        )
        header = tape.header
        begins = Start(header.game, players, dict(header.options), lines, teams=tape.teams)
        self.table.execute(begins, "tape")

    def play(self, tape: Tape) -> None:
        """Play *tape* to its end."""
        for item in stream(tape):
            # One by one: a move that stands between two edges must be made between them, or it would be
            # judged otherwise than it was at the table.
            self.table.rounds.take(item)
            self._work_off()
        self.table.rounds.close()
        self._work_off()
        self.table.publish()

    def _work_off(self) -> None:
        """Make the moves of the tape where they stand among its edges."""
        while (asked := self.table.rounds.work_off()) is not None:
            if isinstance(asked, Passthrough) and isinstance(asked.what, MoveRecord):
                self._now_ns = asked.t_ns
                self.table.obey(wish(asked.what), "tape")
            else:
                self.table.answer(asked)


def replay(tape: Tape, settings: Settings | None = None) -> Table:
    """Play *tape* on a table of its own and return that table.

    Raises a CompanionError when the header's game, players or options, or a move, do not fit.
    """
    settings = settings or Settings()
    if not tape.arms_itself:
        # It says itself when its rounds were armed: armed again beside that, there would be rounds that
        # nobody played.
        settings = msgspec.structs.replace(settings, rearm_ns=None)
    player = _TapePlayer(tape, settings)
    player.play(tape)
    return player.table


def wish(said: MoveRecord) -> AnyCommand:
    """Return the command of a move on a tape: one of the game, or `void`, `undo`, `redo`, `finish`."""
    kind = said.move.get("type")
    if kind == "void":
        return Void(str(said.move.get("reason", "")))
    return PEOPLE[kind]() if kind in PEOPLE else Play(said.move)


def rounds(table: Table, *, doubt: bool = False) -> list[dict[str, Any]]:
    """Return what `lastnose replay --json` lists: every round that was judged, as it counts.

    Its `u_ns` is what the order of its last two is sure to; a margin comes with `span_ns`, the least and the
    most that it may be, null where there is no most. With *doubt* each has who was surely first and last but
    one, None where nobody can know, and its budget: the shares of its ±, by kind, None where there is no ±.
    """
    match = table.record.evening.match
    if match is None:
        return []
    judged = [entry for entry in match.entries if entry.verdict is not None and entry.listed]
    return [_round(match, entry) | (_doubt(match, entry) if doubt else {}) for entry in judged]


def _round(match: Match, entry: Entry) -> dict[str, Any]:
    verdict = _restated(match, entry) or counted(entry, match) or Verdict()
    void: Text | str | None = verdict.void
    if is_void(entry) and void is None:
        void = str((entry.correction or {}).get("reason") or "void")
    return {
        "order": list(verdict.order),
        "last": list(verdict.last),
        **({"first": list(verdict.first)} if entry.question == "first" else {}),
        **({"nobody": True} if verdict.nobody else {}),
        "margin_ns": verdict.margin_ns,
        "u_ns": verdict.u_ns,
        **({} if verdict.margin_ns is None else {"span_ns": verdict.span_ns}),
        "dead_heat": verdict.dead_heat,
        "void": None if void is None else str(void),
        **({} if verdict.at_least_ns is None else {"at_least_ns": verdict.at_least_ns}),
    }


def _doubt(match: Match, entry: Entry) -> dict[str, Any]:
    verdict = _restated(match, entry) or counted(entry, match) or Verdict()
    span = {"opener": verdict.opener, "rival": verdict.rival, "span_ns": verdict.span_ns}
    return span | {"budget": _budget(match, entry)}


def _budget(match: Match, entry: Entry) -> list[dict[str, Any]] | None:
    finish = finish_of(match, entry)
    if finish is None or finish.budget is None:
        return None
    return [{"kind": share.kind, "u_ns": share.u_ns} for share in finish.budget.shares]


def _restated(match: Match, entry: Entry) -> Verdict | None:
    """Return the verdict of *entry* as later moves of the table have left it, None when they have not."""
    if is_void(entry) or not entry.stands:
        return None
    after = entry.place + 1
    # A reversal comes as a move right behind its verdict; the next verdict ends what can be about this one.
    while after < len(match.entries) and not isinstance(effective_move(match.entries[after], match), Verdict):
        after += 1
    return match.moment(after).revised


def standings(table: Table) -> list[dict[str, Any]]:
    """Return where every player stands."""
    match = table.record.evening.match
    if match is None:
        return []
    return [
        {
            "seat": standing.seat,
            "player": match.player(standing.seat),
            "letters": "".join(standing.letters),
            "out": standing.out,
            "score": standing.score,
        }
        for standing in match.now.standings
    ]


def outcome(table: Table) -> dict[str, Any] | None:
    """Return who won and why, None while the game goes on."""
    match = table.record.evening.match
    ended = match.now.outcome if match is not None else None
    if ended is None:
        return None
    return {"winners": list(ended.winners), "losers": list(ended.losers), "why": str(ended.why)}


def report(table: Table, *, doubt: bool = False) -> dict[str, Any]:
    """Return the whole document of `lastnose replay --json`; *doubt* as in `rounds`."""
    return {"rounds": rounds(table, doubt=doubt), "standings": standings(table), "outcome": outcome(table)}
