"""State in, what to show out: one immutable snapshot for OLED, page and projector alike. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec
from lastnose.companion.core.model import Rack, Verdict
from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.evening.authors import BOX, HOST, signature
from lastnose.companion.evening.state import Entry, Evening, Match, find, protestable, undecided, voidable
from lastnose.companion.evening.undo import authors, offered, redoables
from lastnose.companion.games import TIE_BREAK, Absent
from lastnose.companion.games.rules.base import Moment
from lastnose.companion.games.rules.prompts import (
    Choose,
    ChooseCard,
    ChooseSeat,
    CloseQuestion,
    EndGame,
    EnterScore,
    FormPrompt,
    Keypad,
    RulesQuery,
    Show,
    WatchNoses,
    is_ruling,
    is_timed,
)
from lastnose.companion.games.rules.prompts import Step as StepPrompt
from lastnose.companion.timing import KEPT_ROUNDS
from lastnose.companion.views.hall import gathering, hall_lines, hall_view
from lastnose.companion.views.lobby import with_touched
from lastnose.companion.views.phones import duty, left_out, phone_faults
from lastnose.companion.views.photo_finish import finish_now, finish_of
from lastnose.companion.views.sentences import (
    around,
    circle_change,
    correction_said,
    counted,
    headline,
    is_moot,
    judged_again,
    judging_rack,
    missing_spoons,
    newcomers,
    proof,
    ruling_of,
    spoken,
)
from lastnose.companion.views.sheet_file import signed_sheet
from lastnose.companion.views.snapshot import (
    Clock,
    Cradle,
    Due,
    Live,
    PlayerRow,
    RoundSaid,
    RoundView,
    Snapshot,
    Step,
    TieBreak,
)
from lastnose.companion.views.zero import zero_view

_BETWEEN = ("ready", "blocked", "verdict", "dead-heat", "void")  # no nose counts


class Lasting:
    """What screens show of *evening* until more is written, whatever happens at the table; said once."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening

    @cached_property
    def last(self) -> Entry | None:
        """What the screens speak of: the newest round or move, None in a game without noses.

        A step has a screen of its own. While a ruling is asked, it is about a round that counts, also one
        that was untouched and void at first.
        """
        match = self.evening.match
        if match is None or not match.game.watched:
            return None
        entries = (e for e in reversed(match.entries) if e.stands and not e.ends)
        ruling = any(map(is_ruling, match.asks))
        shown = (e for e in entries if (not e.idle if ruling else e.listed))
        return next(
            (e for e in shown if e.move is None or not (_is_step(match, e) or is_moot(match, e))), None
        )

    @cached_property
    def last_round(self) -> RoundSaid | None:
        """What was said last, before a round is under way: of a round, or that somebody came or went."""
        match, last = self.evening.match, self.last
        if match is not None and last is not None:
            verdict = judged_again(match, last) or counted(last, match)
            return RoundSaid(_kind(verdict, last), spoken(match, last), proof(match, last))
        if match is None or not match.circle_before:
            return None
        says = circle_change(match.circle_before, match.started.players)
        return RoundSaid("ready", says, newcomers(match))

    @cached_property
    def rack(self) -> Rack | None:
        """The rack that the game began with."""
        match = self.evening.match
        noses = None if match is None or not match.game.watched else match.moment(0).noses
        return None if noses is None else noses.rack

    @cached_property
    def shown(self) -> Snapshot:
        """The snapshot as far as it lasts; for the rest that of a table at which nobody has sat down."""
        match, asked = self.evening.match, None
        if match is not None and match.game.watched:  # after a verdict it may ask nothing of the noses
            asked = match.now.noses or match.moment(0).noses
        return Snapshot(
            version=0,
            seq=self.evening.seq,
            evening=1,
            phase="setup",
            simulated=False,
            headline=text("Who plays?"),
            proof=(),
            question=asked.question if asked is not None else "last",
            highest=bool(match and match.now.standings[0].score is not None and match.now.highest),
            **({} if match is None else self._shows(match)),
        )

    def _shows(self, match: Match) -> dict[str, Any]:
        """Return what lasts of a snapshot of *match*."""
        over, dealing, watching = match.finished, _dealing(match), match.game.watched and not match.finished
        asks, own, guide = match.asks, match.now.ready, dealing.guide
        lately = self.evening.matches[-KEPT_ROUNDS:]
        ready = own.button if own else (guide and guide.ready) or text("Next round")
        return {
            "game": match.started.game,
            "title": match.game.title,
            "game_no": match.number,
            "rows": _rows(match, self.last),
            "finish": finish_now(match, self.last) if self.last else None,
            "advice": None if over else dealing.advice,
            "notes": match.now.notes if watching else (),
            "guide": None if over else guide,
            "comings": None if over else match.game.comings,
            "sheet": None if match.now.sheet is None else signed_sheet(self.evening),
            "watched": match.game.watched,
            # Where the rack tells nothing but that it is empty nobody touches a nose (SPN-6).
            "touched": match.game.watched and (self.rack is None or self.rack.confirm != "rack-only"),
            "protestable": 0 if (one := protestable(match)) is None else one.seq,
            "voidable": not over and voidable(match) is not None,
            "contest": _contest(lately) if any(one.special for one in lately) else None,
            "acts": tuple(ask for ask in asks if isinstance(ask, ChooseSeat)),
            "steps": tuple(ask for ask in asks if isinstance(ask, StepPrompt) and not is_ruling(ask)),
            "ruling": next(filter(is_ruling, asks), None),
            "ruled": "" if (choice := ruling_of(match, self.last)) is None else str(choice.value),
            "closing": next((ask for ask in asks if isinstance(ask, CloseQuestion)), None),
            "ending": next((ask for ask in asks if isinstance(ask, EndGame)), None),
            "ties": _ties(match) if match.finished else (),
            "ready": ready if watching else None,
            "stage_word": None if over or own is None else own.stage,
            "entries": tuple(ask for ask in asks if isinstance(ask, FormPrompt)),
            "rules_queries": tuple(ask for ask in asks if isinstance(ask, RulesQuery)),
            "waits": watching and match.now.noses is None,
            "on_phones": match.game.on_phones,
            "emblem": match.game.emblem,
            "options": match.started.options,
            **_undone(self.evening),
        }


def make(evening: Evening, live: Live, lasting: Lasting | None = None) -> Snapshot:
    """Return what to show of *evening* now; *lasting* is what is known of the same evening already."""
    known = lasting or Lasting(evening)
    match = evening.match
    if match is None:
        return _at_table(known.shown, evening, live, proof=hall_lines(live.hall, "setup", 0))
    phase, sentence, lines = _phase(match, live, known)
    round_no = _round_no(match, phase)
    if live.hall is not None:
        lines = (*hall_lines(hall_view(evening, live.hall), phase, round_no), *lines)
    lasts, watching = known.shown, match.game.watched and not match.finished
    before = known.last_round if phase in ("armed", "blocked") else None
    shown = _at_table(
        lasts,
        evening,
        live,
        phase=phase,
        headline=sentence,
        proof=lines,
        round_no=round_no,
        rows=tuple(_now(row, live, match.now.noses) for row in lasts.rows),
        notes=(*left_out(match, live), *lasts.notes) if live.aside and watching else lasts.notes,
        dealing=phase == "armed" and _dealing_still(match, live),
        early=_early(match, live, phase) if live.early else None,
        duty=duty(match, live) if live.phones else None,
        hushed=live.asked and _hushed(match, live),
        clock=live.clock,
        last_round=before,
        told=before,
        rack=_rack(match, live, known.rack) if watching and known.rack is not None else (),
    )
    if live.phones:
        shown = msgspec.structs.replace(shown, faults=(*live.faults, *phone_faults(match, live)))
    if live.clock is not None and live.clock.kind == "prompt":
        shown = msgspec.structs.replace(shown, clock=None, acts=_running_down(shown.acts, live.clock))
    if live.opened:
        shown = msgspec.structs.replace(shown, comings=None, protestable=0, voidable=True)
    since = evening.matches[evening.game_at(len(evening.matches) - 1).start].seq if shown.contest else 0
    return msgspec.structs.replace(shown, due=due(shown, since))


def _running_down(acts: tuple[ChooseSeat, ...], clock: Clock) -> tuple[ChooseSeat, ...]:
    """Return *acts* with what *clock*, that of a prompt, has left to them; over, they have none."""
    left = {"within_s": clock.left_s} if clock.left_s else {"prompt": None}
    return tuple(msgspec.structs.replace(act, **left) if is_timed(act) else act for act in acts)


def due(shown: Snapshot, since: int = 0) -> Due | None:
    """Return what people do next at the table that *shown* is of, in the order in which it has to be done.

    *since* is the log number by which its game began: what is contested of an older one keeps nobody from it.
    """
    between = shown.phase in _BETWEEN and shown.watched and not (shown.waits or shown.hushed)
    if between and shown.duty:
        return Due("settle", shown.duty.says)
    if shown.contest and (shown.phase == "won" or (between and shown.contest.seq > since)):
        return Due("decide", shown.contest.says)
    if not between:
        return None
    used = [one for one in shown.rack if one.used]
    there = sum(not one.lifted for one in used)
    if there < len(used) and (shown.simulated or shown.phase == "blocked"):
        lay = text("Lay them all back: {n} of {of} are there. It goes on by itself.", n=there, of=len(used))
        return Due("lay", lay)
    if shown.phase == "blocked":
        return Due("free", shown.headline)
    question = next((ask for ask in shown.steps if not isinstance(ask, Show)), None)
    if question:
        return Due("answer", question.label)
    return None if shown.ready is None else Due("play", shown.ready)


def _ties(match: Match) -> tuple[TieBreak, ...]:
    """Return what those may play who have won together, or share a place of the first three below.

    In a hall its own rules decide. Points of a team are no tie of its people.
    """
    outcome = match.now.outcome if match.finished else None
    standings = match.now.standings
    if outcome is None or match.started.call or any(one.side for one in standings):
        return ()
    shared = {1: outcome.winners}
    if match.now.sheet is not None or match.game.by_points:
        scored = {one.seat: one.score for one in standings if one.score is not None}
        worth = scored if match.now.highest else {seat: -score for seat, score in scored.items()}
        for seat in worth.keys() - {*outcome.winners}:
            place = 1 + sum(other > worth[seat] for other in worth.values())
            shared[place] = (*shared.get(place, ()), seat)
    return tuple(
        _tie(match, place, sorted(seats))
        for place, seats in sorted(shared.items())
        if place <= 3 and len(seats) > 1
    )


def _tie(match: Match, place: int, seats: Sequence[int]) -> TieBreak:
    """Return the duel of *seats*, who share *place*."""
    players = tuple(map(match.player, seats))
    lines = tuple(match.started.lines[seat - 1] for seat in seats)
    says = text("A duel for place {n}: {players}", n=place, players=listing(players))
    return TieBreak(TIE_BREAK, players, lines if all(lines) else (), says)


def _undone(evening: Evening) -> dict[str, Any]:
    """Return what everybody may take back and put back."""
    everybody = (HOST, BOX, *authors(evening))
    offers = offered(evening, everybody), redoables(evening, everybody) if evening.undone else {}
    steps = {seq: _step(evening, seq) for found in offers for seq in {*found.values()}}
    undos, redos = ({by: steps[seq] for by, seq in found.items()} for found in offers)
    return {"undo": undos.pop(HOST, None), "redo": redos.pop(HOST, None), "undos": undos, "redos": redos}


def _at_table(lasts: Snapshot, evening: Evening, live: Live, **now: Any) -> Snapshot:
    """Return the snapshot that *lasts* with what is so *now*, and what is shown without a game, too."""
    zero = live.zero
    if zero is None and evening.zero is not None:
        zero = zero_view(evening, evening.zero, live.phones)
    return msgspec.structs.replace(
        lasts,
        version=live.version,
        evening=live.evening,
        simulated=live.simulated,
        rearms_in_ns=live.rearm_ns,
        question=live.question if live.armed else lasts.question,
        binding=live.binding,
        bindings=live.bindings,
        phones=live.phones,
        dealt=live.dealt,
        zero=zero,
        hall=None if live.hall is None else hall_view(evening, live.hall),
        lobby=with_touched(live.lobby, live.down) if live.lobby.guests else live.lobby,
        faults=live.faults,
        **now,
    )


def _dealing(match: Match) -> Moment:
    """Return what the state means for the cards as they lie.

    They lie as it has them when a round was played that has changed nothing.
    """
    played = any(one.verdict is not None for one in match.entries if one.stands)
    known = match.now if match.was is None else match.game.moment(match.state, match.was)
    if not played or match.states[-2] != match.state or known.guide != match.now.guide:
        return known
    return match.game.moment(match.state, match.state)


def _is_step(match: Match, entry: Entry) -> bool:
    """Return whether *entry*, a move, answered what was asked in steps."""
    asked = match.moment(entry.place).asks
    answers = [
        ask.move for ask in asked if isinstance(ask, Choose | ChooseCard | FormPrompt) and not is_ruling(ask)
    ]
    return (entry.move or {}).get("type") in answers


def _round_no(match: Match, phase: str) -> int:
    if not match.game.watched:
        return 0
    judged = next((e.number for e in reversed(match.entries) if e.stands and e.number), match.rounds_before)
    return judged if phase in ("verdict", "dead-heat", "void", "won") else judged + 1


def _phase(match: Match, live: Live, known: Lasting) -> tuple[str, Text, tuple[Text, ...]]:
    """Return the phase, its sentence and its lines."""
    last, newest = known.last, known.last_round
    if match.finished:
        return _end(match, last)
    if not match.game.watched:
        return "playing", *_playing(match)
    if live.asked and _hushed(match, live):
        return "ready", text("Wait for the signal…"), ()
    held_up = bool(live.blocked or live.blocked_lines)
    if held_up and (live.asked or last is None):
        return "blocked", *_blocked(match, live)
    if live.opened and live.rack is not None:
        return "judging", *judging_rack(match, live.rack, live)
    if live.opened and live.question == "first":
        return "judging", text("Stop! Somebody has pressed"), ()
    if live.opened:
        watched = sum(seat not in live.aside for seat in match.now.playing)
        return "judging", text("Noses: {n} of {of}", n=len(live.pressed), of=watched), ()
    ready = match.now.ready
    if live.armed and ready is not None:
        return "armed", *_open(match, live, _before(match, last))
    if live.armed:
        says = text("Noses on: deal, then play!") if _dealing_still(match, live) else text("Play!")
        return "armed", says, (match.now.armed_text, *_before(match, last))
    if last is None or (last.verdict is None and _round_no(match, "verdict") == 0):
        said = (headline(match, last),) if last else _before(match, last)
        if ready is not None:
            return "ready", ready.title, (*said, ready.says)
        return "ready", text("Ready to deal"), (*said, text("Deal first: no nose counts yet."))
    assert newest is not None
    waits = (_waits_for(match, live),) if held_up else ()
    return newest.phase, newest.headline, (*newest.proof, *waits)


def _open(match: Match, live: Live, before: tuple[Text, ...]) -> tuple[Text, tuple[Text, ...]]:
    """Return what is said of a question while it is open, and nobody has pressed; *before*: of the last."""
    says = match.now.armed_text
    lines = (*_locked(match, live), *before)
    if live.unlisted:
        lines = (text("Whoever had buzzed buzzes again."), *lines)
    if live.recalled:
        return text("That press did not count: go on!"), (says, *lines)
    return says, lines


def _locked(match: Match, live: Live) -> tuple[Text, ...]:
    """Return who was too early for the question that is open, and is locked."""
    if not live.early:
        return ()
    return (
        text(
            "Too early, locked: {players}", players=listing([match.player(one) for one in sorted(live.early)])
        ),
    )


def _hushed(match: Match, live: Live) -> bool:
    """Return whether the signal that was asked for is on its way, which opens the round."""
    noses = match.now.noses
    return noses is not None and noses.after_ms[1] > 0 and not live.armed


def _dealing_still(match: Match, live: Live) -> bool:
    """Return whether people deal while noses count already: nobody has said that all have cards."""
    return not live.dealt and match.now.guide is not None


def _early(match: Match, live: Live, phase: str) -> Text | None:
    """Return who has touched a nose while nothing counts; in a hall that says at first that they are here."""
    if phase not in ("ready", "verdict", "dead-heat", "void"):
        return None
    if live.hall is not None and gathering(phase, _round_no(match, phase)):
        return None
    players = listing(tuple(match.player(seat) for seat in sorted(live.early)))
    return text("Not yet, {players}: the noses are off.", players=players)


def _before(match: Match, last: Entry | None) -> tuple[Text, ...]:
    """Return what the last round came to, of one that does not count also why; or who came and went since."""
    if last is None:
        circle = match.circle_before
        return (circle_change(circle, match.started.players),) if circle else ()
    said, verdict = spoken(match, last), counted(last, match)
    if verdict is not None and verdict.void is not None:
        said = Text("{sentence} {why}", {"sentence": said, "why": verdict.void})
    return (text("Before: {sentence}", sentence=said),)


def _playing(match: Match) -> tuple[Text, tuple[Text, ...]]:
    """Return what a game without noses is at: whose turn it is, or what happened last, and its own notes."""
    notes = match.now.notes
    turn = next((ask.label for ask in match.asks if isinstance(ask, Keypad | EnterScore)), None)
    if turn is not None:
        return turn, notes
    made = next((entry for entry in reversed(match.entries) if entry.stands), None)
    return (headline(match, made) if made else text("Ready to deal")), notes


def _blocked(match: Match, live: Live) -> tuple[Text, tuple[Text, ...]]:
    """Return what holds up the arming, and what to do about it: first the noses, then the spoons."""
    spoons = missing_spoons(live.blocked_lines)
    if not live.blocked:
        return spoons[0], spoons[1:]
    return _let_go(match, live), spoons


def _waits_for(match: Match, live: Live) -> Text:
    """Return what holds up the next arming; no names while most are still there."""
    if live.blocked_lines:
        return text("The next round is armed once all let go and the rack is full again.")
    if len(live.blocked) > 2:
        return text("The next round is armed once all let go.")
    return _let_go(match, live)


def _let_go(match: Match, live: Live) -> Text:
    return text("Let go first: {players}", players=listing([match.player(seat) for seat in live.blocked]))


def _kind(verdict: Verdict | None, entry: Entry) -> str:
    if verdict is None:
        return "verdict" if entry.correction is None or entry.correction.get("type") != "void" else "void"
    if verdict.void is not None:
        return "void"
    return "dead-heat" if verdict.dead_heat else "verdict"


def _end(match: Match, last: Entry | None) -> tuple[str, Text, tuple[Text, ...]]:
    outcome = match.now.outcome
    before = (spoken(match, last), *proof(match, last)) if last else ()
    if not match.game.watched:
        before = (*before, *match.now.notes)
    if outcome is None:
        return "won", text("The game was ended here."), before
    return "won", match.now.ending(match.started.players), (outcome.why, *before)


def _rows(match: Match, last: Entry | None) -> tuple[PlayerRow, ...]:
    outcome, dealer = match.now.outcome, None if match.finished else match.now.advice.dealer
    fresh: tuple[int, ...] = ()
    if last is not None:
        before, after = around(match, last)
        fresh = after.gained(before) or after.newly_out(before)
    return tuple(
        PlayerRow(
            seat=one.seat,
            player=match.player(one.seat),
            letters=one.letters,
            word=one.word,
            out=one.out,
            score=one.score,
            place=place,
            new=one.seat in fresh,
            dealer=one.seat == dealer,
            winner=outcome is not None and one.seat in outcome.winners,
            loser=outcome is not None and one.seat in outcome.losers,
            line=match.started.lines[one.seat - 1],
            notes=one.notes,
        )
        for one, place in zip(match.now.standings, match.now.places, strict=True)
    )


def _now(row: PlayerRow, live: Live, noses: WatchNoses | None) -> PlayerRow:
    """Return *row* with what is seen of its nose now; *noses*: whom the game asks."""
    asks_first = live.armed and live.question == "first" and noses is not None
    plays = noses.seats if noses is not None else ()
    return msgspec.structs.replace(
        row,
        held=row.line in live.down,
        pressed=row.seat in live.pressed,
        phantom=row.seat in live.phantoms,
        early=row.seat in live.early,
        locked=asks_first and (row.seat in live.locked or row.seat not in plays),
        aside=row.seat in live.aside,
    )


def _rack(match: Match, live: Live, began: Rack) -> tuple[Cradle, ...]:
    """Return every cradle that the game *began* with; while the table is asked, those of the round before."""
    past = (match.moment(place).noses for place in range(len(match.states) - 1, -1, -1))
    used = next((noses.rack.spoons for noses in past if noses is not None and noses.rack is not None), ())
    empty = {f"spoon.{number}" for number in live.lifted} | set(live.blocked_lines)
    lines = {number: f"spoon.{number}" for number in began.spoons}
    return tuple(Cradle(number, line, number in used, line in empty) for number, line in lines.items())


def _contest(matches: Sequence[Match]) -> Step | None:
    """Return the newest round that the host has to decide about, by its game where that is over."""
    for match in reversed(matches):
        # Of a game whose rules are not here nothing can be decided.
        entry = undecided(match) if match.special and not isinstance(match.game, Absent) else None
        if entry is not None:
            says = text("Round {n} is contested: keep it, or void it.", n=entry.number)
            if match.number != matches[-1].number:
                says = text("{what}: {says}", what=match.game.title, says=says)
            return Step(entry.seq, says)
    return None


def _step(evening: Evening, seq: int) -> Step:
    """Return what it is to take back, or put back, the entry or amendment with log number *seq*."""
    _, match, entry = find(evening, seq)
    if entry.seq != seq:
        return Step(seq, correction_said(match, entry))
    says = headline(match, entry)
    return Step(seq, text("Round {n}: {why}", n=entry.number, why=says) if entry.number else says)


def round_view(match: Match, game: int, entry: Entry) -> RoundView:
    """Return a judged round, or a move of the table, as history shows it."""
    verdict, said = counted(entry, match), headline(match, entry)
    return RoundView(
        seq=entry.seq,
        number=entry.number,
        game=game,
        at=entry.at,
        headline=said,
        proof=tuple(spoken(match, entry) if line == said else line for line in proof(match, entry)),
        finish=finish_of(match, entry),
        void=_kind(verdict, entry) == "void",
        amended=entry.held is not None,
        held=entry.held.seq if entry.held else 0,
        undone=not entry.stands,
        title=match.game.title,
        step=entry.move is not None and _is_step(match, entry),
        judged=entry.verdict is not None,
        contested=entry.contested,
        protested=entry.protest is not None,
        undecided=entry.contested or entry.protested,
        by=None if entry.verdict is not None else signature(entry.by),
        players=match.started.players,
        seated=match.seating.seq if match.seating is not None else 0,
        typed=_typed(entry),
        question=entry.question,
    )


def _typed(entry: Entry) -> dict[str, Any] | None:
    """Return the move by which *entry* has written points down, for one seat."""
    move = entry.move if entry.correction is None else entry.correction
    if entry.move is None or move is None or "seat" not in move:
        return None
    return {**move} if "points" in move or "pieces" in move else None


def round_views(evening: Evening) -> tuple[RoundView, ...]:
    """Return everything of the evening that history lists, oldest first."""
    return tuple(view for match in evening.matches for view in _views(match))


def _views(match: Match) -> tuple[RoundView, ...]:
    """Return what history lists of *match*, with who has won it in the last that stands."""
    views = tuple(round_view(match, match.number, entry) for entry in match.entries if entry.listed)
    outcome = match.now.outcome
    last = next((view.seq for view in reversed(views) if not view.undone), None)
    if outcome is None or last is None:
        return views
    winners = tuple(match.player(seat) for seat in outcome.winners)
    return tuple(
        msgspec.structs.replace(view, winners=winners) if view.seq == last else view for view in views
    )
