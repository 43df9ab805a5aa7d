"""What undo and redo would do, and for whom: everybody their own entries, the host anybody's. Pure.

A judged round is the box's, and so nobody's: everybody may take back the newest. By its log number anybody
who may write takes back any entry; what later moves rest on is refused (`companion.evening.log`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.errors import CompanionError
from companion.evening.authors import BOX, HOST, author
from companion.evening.entries import effective_move, find, toggled
from companion.evening.state import Entry, Evening, Match

_MOST_LOOKED_AT = 60  # later moves; what lies further back is for the history


def _standing(entries: Iterable[Entry]) -> Iterator[tuple[int, str, bool]]:
    """Yield log number and author of what stands, and whether it is nobody else's."""
    for entry in entries:
        if not (entry.stands and entry.listed):
            continue
        corrections = [(made.seq, author(made.by)) for made in entry.corrections if made.stands]
        whose = author(entry.by)
        yield entry.seq, whose, all(by == whose for _, by in corrections)
        yield from ((seq, by, True) for seq, by in corrections)


def _newest(match: Match, whose: str) -> int:
    """Return the newest log number that *whose* undo concerns: an entry's, or an amendment's of any entry."""

    def numbers(entries: Iterable[Entry]) -> Iterator[int]:
        for seq, writer, alone in _standing(entries):
            if whose == HOST or (alone and writer in (whose, BOX)):
                yield seq

    amended = max(numbers(match.special.values()), default=0)
    return max(amended, next(numbers(reversed(match.entries)), 0))


def undoable(evening: Evening, by: str = HOST) -> int:
    """Return the log number of what undo takes back for *by*, 0 when there is nothing.

    Only the newest game counts.
    """
    match, whose = evening.match, author(by)
    if match is None:
        return 0
    return _newest(match, whose) or _parting(evening, whose)


def _parting(evening: Evening, whose: str) -> int:
    """Return the entry by which somebody came or went, if *whose* it is and nothing has happened since."""
    match = evening.match
    if match is None or not match.circle_before or any(_standing(reversed(match.entries))):
        return 0
    ending = evening.matches[-2].parting
    return ending.seq if ending is not None and whose in (HOST, author(ending.by)) else 0


def offered(evening: Evening, everybody: Iterable[str]) -> dict[str, int]:
    """Return what undo takes back for each of *everybody* who has something.

    What later moves rest on is not offered; who asks for it all the same is told why not.
    """
    newest = {by: undoable(evening, by) for by in everybody}
    fits = {seq: _fits_without(evening, seq) for seq in {*newest.values()} - {0}}
    return {by: seq for by, seq in newest.items() if fits.get(seq)}


def _fits_without(evening: Evening, seq: int) -> bool:
    """Return whether everything after *seq* still fits when it is taken back, if that is soon told."""
    _, match, entry = find(evening, seq)
    if len(match.entries) - 1 - entry.place > _MOST_LOOKED_AT:
        return False
    later = match.entries[entry.place + 1 :]
    state = match.states[entry.place]
    try:
        for one in (toggled(entry, seq, stands=False), *later):
            move = effective_move(one, match)
            state = state if move is None else match.game.play(state, move)
    except CompanionError:
        return False
    return True


def redoable(evening: Evening, by: str = HOST) -> int:
    """Return the log number of what redo puts back for *by*: the newest that they took back themselves."""
    whose = author(by)
    found = (back.seq for back in reversed(evening.undone) if whose in (HOST, author(back.by)))
    return next(found, 0)


def redoables(evening: Evening, everybody: Iterable[str]) -> dict[str, int]:
    """Return what redo puts back for each of *everybody* who has something."""
    return {by: seq for by in everybody if (seq := redoable(evening, by))}


def authors(evening: Evening) -> tuple[str, ...]:
    """Return everybody but the host who has written or taken back something in the newest game."""
    if evening.match is None:
        return ()
    found = evening.match.writers | {author(back.by) for back in evening.undone}
    if evening.match.circle_before:
        found |= {author(evening.match.started.by)}
    return tuple(sorted(found - {HOST}))
