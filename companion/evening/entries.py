"""Questions about entries: what one does to its game, which one a log number is, what may be said of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import english, text
from lastnose.companion.evening.state import Entry, Evening, Match, Seating

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
