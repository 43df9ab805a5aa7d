"""Questions about the evening, answered from the log on any thread: history, tapes, appeals, exports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from lastnose.companion.core.csv_file import as_csv
from lastnose.companion.core.errors import BadInput, Missing
from lastnose.companion.core.model import Armed, Edge, Gap, Input, Levels, Verdict, dock_beside
from lastnose.companion.core.text import english, text
from lastnose.companion.evening.commands import Changing
from lastnose.companion.evening.events import (
    RoundArmed,
    RoundJudged,
    VerdictCompleted,
    VerdictContested,
    VerdictWithdrawn,
)
from lastnose.companion.evening.people import told_by
from lastnose.companion.evening.state import (
    Entry,
    Evening,
    Match,
    Seating,
    effective_move,
    find,
    judged_under,
    last_judged,
)
from lastnose.companion.games.rules.variations import Variation
from lastnose.companion.table.memory_store import EveningRecord
from lastnose.companion.timing import Settings, rejudge
from lastnose.companion.timing.tape import ArmRecord, Header, Tape, write_tape
from lastnose.companion.views import sheet_file
from lastnose.companion.views.photo_finish import TapeEdge, tape_edges
from lastnose.companion.views.preview import Foreseen, foreseen
from lastnose.companion.views.scoreboard import round_view, round_views
from lastnose.companion.views.sentences import as_it_counts
from lastnose.companion.views.snapshot import RoundView
from lastnose.companion.views.statistics import Figures, figures

HEAD = (
    "game",
    "round",
    "entry",
    "unix_time",
    "sentence",
    "last",
    "margin_ns",
    "u_ns",
    "at_least_ns",
    "rival",
    "order",
    "status",
    "notes",
    "u_made_of",
    "zero_test",
    "first",
    "opener",
)


class LastGame(msgspec.Struct, frozen=True):
    """How the newest game of all evenings began; `at` is wall time in seconds."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    at: float


def debounce(confirm_ns: int, lockout_ns: int) -> Settings:
    """Return with what to judge a stored round once more; raise BadInput for times that cannot be."""
    if not 0 < confirm_ns <= lockout_ns <= 1_000_000_000:
        raise BadInput(
            text("Confirm must be more than 0 and at most the lockout, and the lockout at most 1 s.")
        )
    return Settings(confirm_ns=confirm_ns, lockout_ns=lockout_ns)


class EveningQueries:
    """What may be asked of a *record*: the evening as it stands, its tapes, its exports.

    `under_way` says whether somebody has touched in a round that is not judged yet.
    """

    def __init__(self, record: EveningRecord, under_way: Callable[[], bool] = lambda: False) -> None:
        self._record, self._under_way = record, under_way

    @property
    def evening(self) -> Evening:
        """The evening as it stands."""
        return self._record.evening

    def known_players(self) -> tuple[str, ...]:
        """Return the names of all evenings, the most recent first."""
        return self._record.store.known_players()

    def last_game(self) -> LastGame | None:
        """Return what was played last, with whom, and when, None when nothing ever was."""
        last = self._record.store.last_game()
        return None if last is None else LastGame(last.game, last.players, last.options, last.at)

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings, by name."""
        return self._record.store.variations()

    def rounds(self) -> tuple[RoundView, ...]:
        """Return this evening's rounds and moves, oldest first."""
        return round_views(self.evening)

    def foreseen(self, wish: Changing, by: str) -> Foreseen:
        """Return what would come of *wish*, as *by* asks it; nothing changes."""
        return foreseen(self.evening, wish, by, under_way=self._under_way())

    def statistics(self) -> Figures:
        """Return the figures of this evening as it stands now."""
        return figures(self.evening)

    @property
    def folder(self) -> Path | None:
        """Return the folder whose log another process can read, None when it is kept in memory (too)."""
        store = self._record.store
        return store.path.parent if store.path is not None and store.adrift is None else None

    def playing(self) -> tuple[str, Any]:
        """Return the name of the game that is played, and its state; raise Missing when there is none."""
        match = self.evening.match
        if match is None:
            raise Missing(text("No game is being played: start one first."))
        return match.game.name, match.state

    def round(self, seq: int) -> RoundView:
        """Return the round with log number *seq*; raise BadInput when there is none."""
        _, match, entry = find(self.evening, seq)
        return round_view(match, match.number, entry)

    def listed_round(self, seq: int) -> RoundView:
        """Return the round or move of this evening that history lists as *seq*; raise Missing."""
        try:
            _, match, entry = find(self.evening, seq)
        except BadInput:
            entry = None
        if entry is None or entry.seq != seq or not entry.listed:
            raise Missing(text("There is no entry {seq} this evening.", seq=seq))
        return round_view(match, match.number, entry)

    def last_judged(self) -> int:
        """Return the log number of the newest judged round, 0 when there is none."""
        return last_judged(self.evening)

    def _judged(self, seq: int) -> tuple[Match, RoundJudged, Armed, tuple[Input, ...]]:
        """Return a judged round's game, event, arming and raw inputs (late ones too)."""
        _, match, entry = find(self.evening, seq)
        judged = self._record.store.event(entry.seq)
        if not isinstance(judged, RoundJudged) or not entry.armed_seq:
            raise Missing(english("Entry {seq} is not a judged round: it has no tape.", seq=seq))
        armed = self._record.store.event(entry.armed_seq)
        assert isinstance(armed, RoundArmed)
        # The verdict as it was judged, and what came too late for it: judged again it is all in time.
        inputs = list(judged.inputs)
        for number in entry.late:
            late = self._record.store.event(number)
            assert isinstance(late, VerdictCompleted | VerdictWithdrawn | VerdictContested)
            inputs += late.inputs
        return match, judged, armed.armed, tuple(inputs)

    def _taped(self, seq: int) -> tuple[Match, RoundJudged, Armed, Seating, tuple[Input, ...]]:
        """Return a judged round's game, event and arming, who sat there, and inputs as tapes name them."""
        match, judged, armed, inputs = self._judged(seq)
        sat = judged_under(self.evening, match, find(self.evening, seq)[2])
        return match, judged, armed, sat, _renamed(inputs, sat.lines, rack=judged.rack is not None)

    def inputs(self, seq: int) -> tuple[Input, ...]:
        """Return the raw inputs of a judged round, in arrival order."""
        return self._judged(seq)[3]

    def tape(self, seq: int) -> str:
        """Return a judged round as a tape (JSON Lines); raise BadInput when it is no judged round."""
        match, judged, armed, sat, lines = self._taped(seq)
        barred = armed.barred if judged.question == "first" else None
        header = Header(game=match.started.game, players=sat.players, options=match.started.options)
        asked_ns = armed.t_ns if armed.since_ns is not None else None
        record = ArmRecord(armed.from_ns, armed.seats, barred, armed.early, armed.rules.teams, asked_ns)
        return "\n".join(write_tape(Tape(header, (record, *lines)))) + "\n"

    def edges(self, seq: int) -> tuple[TapeEdge, ...]:
        """Return a judged round's tape as its page lists it; raise BadInput when it is no judged round."""
        match, judged, armed, sat, lines = self._taped(seq)
        entry = find(self.evening, seq)[2]
        finish = round_view(match, match.number, entry).finish
        return tape_edges(lines, armed.t_ns, sat.players, finish, entry.verdict or judged.verdict)

    def appeal(self, seq: int, confirm_ns: int, lockout_ns: int) -> RoundView:
        """Judge a stored round again with other debounce settings; nothing is stored."""
        settings = msgspec.structs.replace(debounce(confirm_ns, lockout_ns), rearm_ns=None)
        _, match, entry = find(self.evening, seq)
        sat = judged_under(self.evening, match, entry)
        verdict = told_by(self.judged_again(seq, settings), sat.circle, match, self.evening.people)
        return _view_of(match, match.number, entry, verdict)

    def judged_again(self, seq: int, settings: Settings | None = None) -> Verdict:
        """Judge a stored round again from its tape, as it was judged or as *settings* have it.

        Late evidence counts as if in time. By the seats of those who sat there then, as the round's own
        verdict.
        """
        match, judged, armed, inputs = self._judged(seq)
        if settings is None:
            settings = Settings(confirm_ns=judged.confirm_ns, lockout_ns=judged.lockout_ns, rearm_ns=None)
        sat = judged_under(self.evening, match, find(self.evening, seq)[2])
        lines = {line: seat for seat, line in enumerate(sat.lines, 1) if line}
        return rejudge(inputs, armed, lines, settings, judged.hold, judged.rack, judged.question)

    def export_json(self) -> bytes:
        """Return every event of the evening, with its log number, as a JSON document."""
        events = [{"seq": seq, **msgspec.to_builtins(event)} for seq, event in self._record.store.events()]
        document = {"lastnose": 1, "evening": self._record.store.evening, "events": events}
        return msgspec.json.format(msgspec.json.encode(document), indent=1)

    def sheet_json(self) -> bytes:
        """Return the score sheet as a file to be read back in; raise BadInput when it keeps none."""
        return sheet_file.to_json(self.evening)

    def sheet_csv(self) -> str:
        """Return the score sheet of the game as CSV; raise BadInput when it keeps none."""
        return sheet_file.to_csv(self.evening)

    def export_csv(self) -> str:
        """Return a line a round or move, in English: when, who was last, margin, order, notes, budget."""
        rows = [
            _csv_row(match, entry, round_view(match, 0, entry))
            for match in self.evening.matches
            for entry in match.entries
            if entry.listed
        ]
        return as_csv([HEAD, *rows])


def _csv_row(match: Match, entry: Entry, view: RoundView) -> tuple[str | int | float, ...]:
    verdict = entry.verdict or Verdict()
    named = (as_it_counts(entry, match) or verdict).named
    seats = dict.fromkeys([*(seat for seat in verdict.order if seat in named), *named])
    players = [match.player(seat) for seat in seats]
    first, last = (players, []) if view.question == "first" else ([], players)
    status = "undone" if view.undone else "void" if view.void else "amended" if view.amended else "counts"
    status = "contested" if view.contested else "protested" if view.undecided else status
    budget = view.finish.budget if view.finish else None
    shown = view.finish or verdict
    return (
        match.started.game,
        view.number or "",
        view.seq,
        round(view.at, 3),
        str(view.headline),
        " / ".join(last),
        *("" if ns is None else ns for ns in (shown.margin_ns, shown.u_ns, shown.at_least_ns)),
        (view.finish and view.finish.rival) or "",
        " / ".join(match.player(seat) for seat in verdict.order),
        status,
        " ".join(str(line) for line in view.proof),
        " + ".join(f"{share.kind} {share.u_ns}" for share in budget.shares) if budget else "",
        str(budget.zero or "") if budget else "",
        " / ".join(first),
        (view.finish and view.finish.opener) or "",
    )


def _view_of(match: Match, game: int, entry: Entry, verdict: Verdict) -> RoundView:
    """Return *entry* as it would look had it been judged as *verdict* (and never corrected)."""
    changed = msgspec.structs.replace(
        entry,
        verdict=verdict,
        corrections=(),
        stands=True,
        withdrawn=None,
        contest=None,
        protest=None,
        place=0,
    )
    before = match.states[entry.place]
    move = effective_move(changed, match)
    after = before if move is None else match.game.play(before, move)
    alone = msgspec.structs.replace(match, states=(before, after), entries=(changed,))
    return round_view(alone, game, changed)


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
    match item:
        case Edge():
            return msgspec.structs.replace(item, line=names[item.line]) if item.line in names else None
        case Gap(lines=lines) if lines is not None:
            return msgspec.structs.replace(item, lines=tuple(names[line] for line in lines if line in names))
        case Levels():
            levels = {names[line]: level for line, level in item.levels.items() if line in names}
            return msgspec.structs.replace(item, levels=levels)
        case _:
            return item
