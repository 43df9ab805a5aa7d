"""A tape in, its rounds, standings and outcome out: the whole table in the tape's own time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion import log
from companion.commands import AnyCommand, Finish, Play, Redo, Start, Undo, Void
from companion.errors import CompanionError, TapeError
from companion.model import Verdict
from companion.sentences import counted
from companion.store import MemoryStore
from companion.table import Table
from companion.tape import Move, Tape, read_tape
from companion.tape import replay as play_tape
from companion.text import Text, text
from companion.timing import Settings

PEOPLE: dict[Any, type[Undo] | type[Redo] | type[Finish]] = {"undo": Undo, "redo": Redo, "finish": Finish}


def load_tape(path: Path) -> Tape:
    """Return the tape in the file *path*; raise TapeError that names file and line."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            return read_tape(lines)
    except UnicodeDecodeError:
        raise TapeError(text("{file}: this is no tape: it is not text.", file=str(path))) from None
    except OSError as problem:
        raise TapeError(text("{file} cannot be read: {why}", file=str(path), why=str(problem))) from problem
    except TapeError as problem:
        raise TapeError(text("{file}: {why}", file=str(path), why=problem.text)) from problem


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Name the file of a tape whose game, players, options or moves do not fit; raise TapeError."""
    try:
        yield
    except CompanionError as problem:
        raise TapeError(text("{file}: {why}", file=str(path), why=problem.sentence)) from problem


def judge_file(path: Path, settings: Settings | None = None) -> Table:
    """Play the tape in the file *path* and return its table; raise TapeError that names the file."""
    tape = load_tape(path)
    with of_file(path):
        return replay(tape, settings)


class _TapeTable(Table):
    """A table whose first round is armed by the tape, or by the clock of the tape.

    Nothing is left to chance: a tape says what it decided, or seat 1 deals first.
    """

    chance = None

    def _arm_first_round(self) -> None:
        """Leave it to the referee."""


def replay(tape: Tape, settings: Settings | None = None) -> Table:
    """Play *tape* on a table of its own and return that table.

    Raises a CompanionError when the header's game, players or options, or a move, do not fit.
    """
    settings = settings or Settings()
    if not tape.arms_itself:
        settings = msgspec.structs.replace(settings, rearm_ns=None)
    now = [0]
    players = tape.header.players
    lines = tuple(f"nose.{seat}" for seat in range(1, len(players) + 1))
    table = _TapeTable(
        MemoryStore(),
        lines,
        settings=settings,
        simulated=True,
        profile_name="tape",
        clock_ns=lambda: now[0],
        wall_s=lambda: now[0] / 1e9,
        sources=tape.sources,
    )
    table.execute(Start(tape.header.game, players, dict(tape.header.options), lines), "tape")
    for said in play_tape(tape, table.referee):
        if isinstance(said, Move):
            now[0] = said.t_ns
            table.execute(wish(said), "tape")
        else:
            table.take(said)
    table.publish()
    return table


def wish(said: Move) -> AnyCommand:
    """Return the command of a move on a tape: one of the game, or `void`, `undo`, `redo`, `finish`."""
    kind = said.move.get("type")
    if kind == "void":
        return Void(str(said.move.get("reason", "")))
    return PEOPLE[kind]() if kind in PEOPLE else Play(said.move)


def rounds(table: Table) -> list[dict[str, Any]]:
    """Return what `lastnose replay --json` lists: every round that was judged, as it counts."""
    run = table.evening.run
    if run is None:
        return []
    return [_round(run, entry) for entry in run.entries if entry.verdict is not None and entry.listed]


def _round(run: log.Run, entry: log.Entry) -> dict[str, Any]:
    verdict = _restated(run, entry) or counted(entry, run) or Verdict()
    void: Text | str | None = verdict.void
    if log.is_void(entry) and void is None:
        void = str((entry.correction or {}).get("reason") or "void")
    return {
        "order": list(verdict.order),
        "last": list(verdict.last),
        "margin_ns": verdict.margin_ns,
        "u_ns": verdict.u_ns,
        "dead_heat": verdict.dead_heat,
        "void": None if void is None else str(void),
    }


def _restated(run: log.Run, entry: log.Entry) -> Verdict | None:
    """Return the verdict of *entry* as later moves of the table have left it, None when they have not."""
    if log.is_void(entry) or not entry.stands:
        return None
    after = run.entries.index(entry) + 1
    while after < len(run.entries) and not isinstance(log.effective_move(run.entries[after], run), Verdict):
        after += 1
    return run.game.restated(run.states[after])


def standings(table: Table) -> list[dict[str, Any]]:
    """Return where every player stands."""
    run = table.evening.run
    if run is None:
        return []
    return [
        {
            "seat": standing.seat,
            "player": run.player(standing.seat),
            "letters": "".join(standing.letters),
            "out": standing.out,
            "score": standing.score,
        }
        for standing in run.game.standings(run.state)
    ]


def outcome(table: Table) -> dict[str, Any] | None:
    """Return who won and why, None while the game goes on."""
    run = table.evening.run
    ended = run.game.outcome(run.state) if run is not None else None
    if ended is None:
        return None
    return {"winners": list(ended.winners), "losers": list(ended.losers), "why": str(ended.why)}


def report(table: Table) -> dict[str, Any]:
    """Return the whole document of `lastnose replay --json`."""
    return {"rounds": rounds(table), "standings": standings(table), "outcome": outcome(table)}
