"""State in, what to show out: one immutable snapshot for OLED, page and projector alike. Pure."""

from __future__ import annotations

import msgspec

from companion.authors import BOX, HOST, signature
from companion.games import Standing
from companion.games.asks import Ask, Cards, Choose, Consult, Pad, Points, Seats, Show, Watch
from companion.games.asks import Entry as Asked
from companion.log import Entry, Evening, Run, find, voidable
from companion.model import Verdict
from companion.photo_finish import finish_now, finish_of
from companion.sentences import (
    counted,
    gained,
    headline,
    judged_again,
    judging_rack,
    missing_spoons,
    newly_out,
    proof,
    spoken,
)
from companion.signed import signed_sheet
from companion.snapshot import Cradle, Live, RoundView, Row, Snapshot, Step
from companion.text import Text, listing, text, texts
from companion.undo import authors, offered, redoables


def make(evening: Evening, live: Live) -> Snapshot:
    """Return what to show of *evening* now."""
    run = evening.run
    if run is None:
        return _snapshot(evening, live, "setup", text("Who plays?"), ())
    last = _last_entry(run) if run.game.watched else None
    phase, sentence, lines = _moment(run, live, last)
    asks, everybody = run.asks, (HOST, BOX, *authors(evening))
    undos = _steps(evening, offered(evening, everybody))
    redos = _steps(evening, redoables(evening, everybody))
    return msgspec.structs.replace(
        _snapshot(evening, live, phase, sentence, lines),
        game=run.started.game,
        title=run.game.title,
        game_no=len(evening.runs),
        round_no=_round_no(run, phase) if run.game.watched else 0,
        rows=_rows(run, live, last),
        finish=finish_now(run, last) if last else None,
        advice=None if run.finished else run.game.advice(run.state),
        notes=run.game.notes(run.state) if run.game.watched and not run.finished else (),
        acts=tuple(ask for ask in asks if isinstance(ask, Seats)),
        steps=tuple(ask for ask in asks if isinstance(ask, Show | Choose | Cards)),
        entries=tuple(ask for ask in asks if isinstance(ask, Asked)),
        consults=tuple(ask for ask in asks if isinstance(ask, Consult)),
        sheet=signed_sheet(run),
        watched=run.game.watched,
        touched=run.game.watched and not _rack_only(run),
        voidable=live.opened or (not run.finished and voidable(run) is not None),
        waits=run.game.watched and not run.finished and not any(isinstance(ask, Watch) for ask in asks),
        rack=_rack(run, live) if run.game.watched and not run.finished else (),
        emblem=run.game.emblem,
        options=run.started.options,
        undo=undos.pop(HOST, None),
        redo=redos.pop(HOST, None),
        undos=undos,
        redos=redos,
    )


def _snapshot(evening: Evening, live: Live, phase: str, sentence: Text, lines: tuple[Text, ...]) -> Snapshot:
    return Snapshot(
        version=live.version,
        seq=evening.seq,
        evening=live.evening,
        phase=phase,
        simulated=live.simulated,
        headline=sentence,
        proof=lines,
        rearms_in_ns=live.rearm_ns,
        binding=live.binding,
        bindings=live.bindings,
        faults=live.faults,
    )


def _last_entry(run: Run) -> Entry | None:
    """Return what the screens speak of: the newest round or move; a step has a screen of its own."""
    shown = (e for e in reversed(run.entries) if e.stands and e.listed and not e.ends)
    return next((e for e in shown if not _is_step(run, e)), None)


def _is_step(run: Run, entry: Entry) -> bool:
    """Return whether *entry* answered what was asked in steps."""
    if entry.move is None:
        return False
    asked = run.game.asks(run.states[run.entries.index(entry)])
    answers = [ask.move for ask in asked if isinstance(ask, Choose | Cards | Asked)]
    return entry.move.get("type") in answers


def _round_no(run: Run, phase: str) -> int:
    judged = max((e.number for e in run.entries if e.stands), default=0)
    return judged if phase in ("verdict", "dead-heat", "void", "won") else judged + 1


def _moment(run: Run, live: Live, last: Entry | None) -> tuple[str, Text, tuple[Text, ...]]:
    """Return the phase, its sentence and its lines."""
    if run.finished:
        return _end(run, last)
    if not run.game.watched:
        return "playing", *_playing(run)
    who = listing(tuple(run.player(seat) for seat in live.blocked))
    if (who or live.blocked_lines) and (live.asked or last is None):
        return "blocked", *_blocked(live, who)
    if live.opened and live.rack is not None:
        taken = text("Taken: {n} of {of}", n=len(live.lifted), of=len(live.rack.spoons))
        return "judging", taken, judging_rack(run, live.rack, live.pressed, live.phantoms)
    if live.opened:
        watched = sum(1 for s in run.game.standings(run.state) if not s.out)
        return "judging", text("Noses: {n} of {of}", n=len(live.pressed), of=watched), ()
    before = (text("Before: {sentence}", sentence=spoken(run, last)),) if last else ()
    if live.armed:
        return "armed", text("Play!"), (run.game.cue(run.state), *before)
    if last is None or _round_no(run, "verdict") == 0:
        said = (headline(run, last),) if last else ()
        return "ready", text("Ready to deal"), (*said, text("“Next round” arms the noses."))
    verdict = judged_again(run, last) or counted(last, run)
    return _kind(verdict, last), spoken(run, last), (*proof(run, last), *_waits(live, who))


def _playing(run: Run) -> tuple[Text, tuple[Text, ...]]:
    """Return what a game without noses is at: whose turn it is, or what happened last, and its own notes."""
    notes = run.game.notes(run.state)
    turn = next((ask.label for ask in run.asks if isinstance(ask, Pad | Points)), None)
    if turn is not None:
        return turn, notes
    made = next((entry for entry in reversed(run.entries) if entry.stands), None)
    return (headline(run, made) if made else text("Ready to deal")), notes


def _blocked(live: Live, who: Text | str) -> tuple[Text, tuple[Text, ...]]:
    """Return what holds up the arming, and what to do about it: first the noses, then the spoons."""
    spoons = missing_spoons(live.blocked_lines)
    if not who:
        return spoons[0], spoons[1:]
    free = text("The round is armed as soon as the nose is free.")
    return text("Let go first: {players}", players=who), spoons or (free,)


def _waits(live: Live, who: Text | str) -> tuple[Text, ...]:
    """Return the lines that say what holds up the next arming; no names while most are still there."""
    count = len(live.blocked)
    if live.blocked_lines:
        return (text("The next round is armed once all let go and the rack is full again."),)
    if count > 2:
        return (text("The next round is armed once all let go."),)
    return (
        (text("The next round is armed once these noses are free: {players}.", players=who),) if count else ()
    )


def _kind(verdict: Verdict | None, entry: Entry) -> str:
    if verdict is None:
        return "verdict" if entry.correction is None or entry.correction.get("type") != "void" else "void"
    if verdict.void is not None:
        return "void"
    return "dead-heat" if verdict.dead_heat else "verdict"


def _end(run: Run, last: Entry | None) -> tuple[str, Text, tuple[Text, ...]]:
    outcome = run.game.outcome(run.state)
    before = (spoken(run, last), *proof(run, last)) if last else ()
    if outcome is None:
        return "won", text("The game was ended here."), before
    winners = tuple(run.player(seat) for seat in outcome.winners)
    if len(winners) == 1:
        return "won", text("{player} wins!", player=winners[0]), (outcome.why, *before)
    if winners:
        return "won", text("{players} win!", players=listing(winners)), (outcome.why, *before)
    if outcome.losers:
        losers = listing(tuple(run.player(seat) for seat in outcome.losers))
        says = texts(
            "{players} was last of all.", "{players} were last of all.", n=len(outcome.losers), players=losers
        )
        return "won", says, (outcome.why, *before)
    return "won", text("The game is over."), (outcome.why, *before)


def _rows(run: Run, live: Live, last: Entry | None) -> tuple[Row, ...]:
    outcome = run.game.outcome(run.state)
    dealer = None if run.finished else run.game.advice(run.state).dealer
    fresh = (gained(run, last) or newly_out(run, last)) if last else ()

    def row(standing: Standing) -> Row:
        line = run.started.lines[standing.seat - 1]
        return Row(
            seat=standing.seat,
            player=run.player(standing.seat),
            letters=standing.letters,
            word=standing.word,
            out=standing.out,
            score=standing.score,
            new=standing.seat in fresh,
            dealer=standing.seat == dealer,
            winner=outcome is not None and standing.seat in outcome.winners,
            loser=outcome is not None and standing.seat in outcome.losers,
            held=line in live.down,
            pressed=standing.seat in live.pressed,
            phantom=standing.seat in live.phantoms,
            line=line,
            notes=standing.notes,
        )

    return tuple(row(standing) for standing in run.game.standings(run.state))


def _rack(run: Run, live: Live) -> tuple[Cradle, ...]:
    """Return every cradle that the game began with; while the table is asked, those of the round before."""
    asked = (run.game.asks(state) for state in reversed(run.states))
    used = next((spoons for asks in asked if (spoons := _spoons(asks))), ())
    empty = {f"spoon.{number}" for number in live.lifted} | set(live.blocked_lines)
    began = _spoons(run.game.asks(run.states[0]))
    lines = {number: f"spoon.{number}" for number in began}
    return tuple(Cradle(number, line, number in used, line in empty) for number, line in lines.items())


def _rack_only(run: Run) -> bool:
    """Return whether the rack tells nothing but that it is empty, and nobody touches a nose (SPN-6)."""
    racks = [ask.rack for ask in run.game.asks(run.states[0]) if isinstance(ask, Watch) and ask.rack]
    return any(rack.confirm == "rack-only" for rack in racks)


def _spoons(asks: tuple[Ask, ...]) -> tuple[int, ...]:
    racks = [ask.rack.spoons for ask in asks if isinstance(ask, Watch) and ask.rack is not None]
    return racks[0] if racks else ()


def _step(evening: Evening, seq: int) -> Step:
    """Return what it is to take back, or put back, the entry or amendment with log number *seq*."""
    _, run, entry = find(evening, seq)
    if entry.seq != seq:
        return Step(seq, text("the correction of round {number}", number=entry.number))
    if entry.number:
        return Step(seq, text("round {number}: {what}", number=entry.number, what=headline(run, entry)))
    return Step(seq, headline(run, entry))


def _steps(evening: Evening, numbers: dict[str, int]) -> dict[str, Step]:
    """Return the step for each author of *numbers* (log numbers)."""
    steps = {seq: _step(evening, seq) for seq in {*numbers.values()}}
    return {by: steps[seq] for by, seq in numbers.items()}


def round_view(run: Run, game: int, entry: Entry) -> RoundView:
    """Return a judged round, or a move of the table, as history shows it."""
    verdict = counted(entry, run)
    said = headline(run, entry)
    return RoundView(
        seq=entry.seq,
        number=entry.number,
        game=game,
        at=entry.at,
        headline=said,
        proof=tuple(spoken(run, entry) if line == said else line for line in proof(run, entry)),
        finish=finish_of(run, entry),
        void=_kind(verdict, entry) == "void",
        amended=entry.correction is not None,
        undone=not entry.stands,
        title=run.game.title,
        step=_is_step(run, entry),
        judged=entry.verdict is not None,
        by=None if entry.verdict is not None else signature(entry.by),
    )


def round_views(evening: Evening) -> tuple[RoundView, ...]:
    """Return everything of the evening that history lists, oldest first."""
    return tuple(
        round_view(run, number, entry)
        for number, run in enumerate(evening.runs, 1)
        for entry in run.entries
        if entry.listed
    )
