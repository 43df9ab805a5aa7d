"""Questions about the evening, answered from the log on any thread: history, tapes, appeals, exports."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import msgspec

from companion import log, sheet_file
from companion.errors import BadInput, Missing
from companion.games.counsel import Counsel
from companion.games.variations import Variation
from companion.model import Armed, Input, Verdict, dock_beside
from companion.scoreboard import round_view, round_views
from companion.snapshot import RoundView
from companion.statistics import Figures, figures
from companion.store import EventStore
from companion.tape import Arm, Header, Tape, write_tape
from companion.text import Text, text
from companion.timing import Settings, rejudge


class Records:
    """The evening and its store, to be asked."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.evening = log.Evening()

    def known_players(self) -> tuple[str, ...]:
        """Return the names of all evenings, the most recent first."""
        return self.store.known_players()

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings, by name."""
        return self.store.variations()

    def rounds(self) -> tuple[RoundView, ...]:
        """Return this evening's rounds and moves, oldest first."""
        return round_views(self.evening)

    def statistics(self) -> Figures:
        """Return the figures of this evening as it stands now."""
        return figures(self.evening)

    def counsel(self, about: str, hand: int | None, pieces: Sequence[str]) -> Counsel:
        """Return what the rules of this game say about *pieces*; raise BadInput when they say nothing."""
        run = self.evening.run
        if run is None:
            raise Missing(text("No game has been started yet."))
        return run.game.counsel(run.state, about, hand, pieces)

    def round(self, seq: int) -> RoundView:
        """Return the round with log number *seq*; raise BadInput when there is none."""
        index, run, entry = log.find(self.evening, seq)
        return round_view(run, index + 1, entry)

    def last_judged(self) -> int:
        """Return the log number of the newest judged round, 0 when there is none."""
        run = self.evening.run
        return max((e.seq for e in run.entries if e.verdict is not None), default=0) if run else 0

    def _judged(self, seq: int) -> tuple[log.Run, log.Judged, Armed, tuple[Input, ...]]:
        """Return a judged round's game, event, arming and raw inputs (late ones too)."""
        _, run, entry = log.find(self.evening, seq)
        judged = self.store.event(entry.seq)
        if not isinstance(judged, log.Judged) or not entry.armed_seq:
            raise Missing(text("Entry {seq} is not a judged round: it has no tape.", seq=seq))
        armed = self.store.event(entry.armed_seq)
        assert isinstance(armed, log.Armed)
        inputs = list(judged.inputs)
        for number in entry.late:
            late = self.store.event(number)
            assert isinstance(late, log.Late)
            inputs += late.inputs
        return run, judged, Armed(armed.t_ns, armed.seats), tuple(inputs)

    def inputs(self, seq: int) -> tuple[Input, ...]:
        """Return the raw inputs of a judged round, in arrival order."""
        return self._judged(seq)[3]

    def tape(self, seq: int) -> str:
        """Return a judged round as a tape (JSON Lines); raise BadInput when it is no judged round."""
        run, judged, armed, inputs = self._judged(seq)
        lines = _renamed(inputs, run.started.lines, rack=judged.rack is not None)
        header = Header(game=run.started.game, players=run.started.players, options=run.started.options)
        return "\n".join(write_tape(Tape(header, (Arm(armed.t_ns, armed.seats), *lines)))) + "\n"

    def appeal(self, seq: int, confirm_ns: int, lockout_ns: int) -> RoundView:
        """Judge a stored round again with other debounce settings; nothing is stored."""
        if not 0 < confirm_ns <= lockout_ns <= 1_000_000_000:
            raise BadInput(
                text("Confirm must be more than 0 and at most the lockout, and the lockout at most 1 s.")
            )
        index, run, entry = log.find(self.evening, seq)
        _, judged, armed, inputs = self._judged(seq)
        lines = {line: seat for seat, line in enumerate(run.started.lines, 1) if line}
        settings = Settings(confirm_ns=confirm_ns, lockout_ns=lockout_ns, rearm_ns=None)
        verdict = rejudge(inputs, armed, lines, settings, judged.hold, judged.rack)
        return _view_of(run, index + 1, entry, verdict)

    def export_json(self) -> bytes:
        """Return every event of the evening, with its log number, as a JSON document."""
        events = [{"seq": seq, **msgspec.to_builtins(event)} for seq, event in self.store.events()]
        document = {"lastnose": 1, "evening": self.store.evening, "events": events}
        return msgspec.json.format(msgspec.json.encode(document), indent=1)

    def sheet_json(self) -> bytes:
        """Return the score sheet as a file to be read back in; raise BadInput when it keeps none."""
        return sheet_file.to_json(self.evening.run)

    def sheet_csv(self) -> str:
        """Return the score sheet of the game as CSV; raise BadInput when it keeps none."""
        return sheet_file.to_csv(self.evening.run)

    def export_csv(self) -> str:
        """Return a line a round or move, in English: when, who was last, margin, order, notes."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(
            (
                "game",
                "round",
                "entry",
                "unix_time",
                "sentence",
                "last",
                "margin_ns",
                "u_ns",
                "order",
                "status",
                "notes",
            )
        )
        for run in self.evening.runs:
            for entry in run.entries:
                if entry.listed:
                    writer.writerow(_csv_row(run, entry, round_view(run, 0, entry)))
        return out.getvalue()


def _csv_row(run: log.Run, entry: log.Entry, view: RoundView) -> tuple[Any, ...]:
    verdict = entry.verdict or Verdict()
    last = [m.player for m in view.finish.marks if m.last] if view.finish else []
    last += [name for _, name in view.finish.missing] if view.finish else []
    status = "undone" if view.undone else "void" if view.void else "amended" if view.amended else "counts"
    return (
        run.started.game,
        view.number or "",
        view.seq,
        round(view.at, 3),
        _plain(view.headline),
        _plain(" / ".join(last)),
        verdict.margin_ns if verdict.margin_ns is not None else "",
        verdict.u_ns if verdict.u_ns is not None else "",
        _plain(" / ".join(run.player(seat) for seat in verdict.order)),
        status,
        _plain(" ".join(str(line) for line in view.proof)),
    )


def _plain(cell: Text | str) -> str:
    """Return *cell* so that a spreadsheet does not take a player's name for a formula."""
    shown = str(cell)
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@", "\t", "\r") else shown


def _view_of(run: log.Run, game: int, entry: log.Entry, verdict: Verdict) -> RoundView:
    """Return *entry* as it would look had it been judged as *verdict* (and never corrected)."""
    changed = msgspec.structs.replace(entry, verdict=verdict, corrections=(), stands=True)
    before = run.states[run.entries.index(entry)]
    alone = msgspec.structs.replace(run, states=(before,), entries=())
    return round_view(log.replayed(alone, (changed,)), game, changed)


def _renamed(inputs: tuple[Input, ...], lines: tuple[str, ...], *, rack: bool) -> tuple[Input, ...]:
    """Name each seat's line `nose.<seat>`, as a tape does, and with a *rack* its dock `dock.<seat>`.

    Spoons keep their names; other lines are left out.
    """
    names = {line: f"nose.{seat}" for seat, line in enumerate(lines, 1)}
    if rack:
        names |= {dock_beside(line): f"dock.{seat}" for seat, line in enumerate(lines, 1)}
        names |= {f"spoon.{cradle}": f"spoon.{cradle}" for cradle in range(1, len(lines))}
    return tuple(renamed for item in inputs if (renamed := _with_names(item, names)) is not None)


def _with_names(item: Input, names: dict[str, str]) -> Input | None:
    if hasattr(item, "line"):
        return msgspec.structs.replace(item, line=names[item.line]) if item.line in names else None
    if hasattr(item, "levels"):
        levels = {names[line]: level for line, level in item.levels.items() if line in names}
        return msgspec.structs.replace(item, levels=levels)
    return item
