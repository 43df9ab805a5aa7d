"""What undo and redo would do, and for whom: everybody their own entries, the host anybody's. Pure.

A judged round is the box's, and so nobody's: everybody may take back the newest. By its log number anybody
who may write takes back any entry; what later moves rest on is refused (`companion.log`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.authors import BOX, HOST, author
from companion.errors import CompanionError
from companion.log import Evening, Run, effective_move, find, toggled

_MOST_LOOKED_AT = 60  # later moves; what lies further back is for the history


def _standing(run: Run) -> Iterator[tuple[int, str, bool]]:
    """Yield log number and author of what stands, and whether it is nobody else's."""
    for entry in run.entries:
        if not (entry.stands and entry.listed):
            continue
        corrections = [(made.seq, author(made.by)) for made in entry.corrections if made.stands]
        whose = author(entry.by)
        yield entry.seq, whose, all(by == whose for _, by in corrections)
        yield from ((seq, by, True) for seq, by in corrections)


def undoable(evening: Evening, by: str = HOST) -> int:
    """Return the log number of what undo takes back for *by*, 0 when there is nothing.

    Only the newest game counts.
    """
    run, whose = evening.run, author(by)
    if run is None:
        return 0
    numbers = [
        seq for seq, writer, alone in _standing(run) if whose == HOST or (alone and writer in (whose, BOX))
    ]
    return max(numbers, default=0)


def offered(evening: Evening, everybody: Iterable[str]) -> dict[str, int]:
    """Return what undo takes back for each of *everybody* who has something.

    What later moves rest on is not offered; who asks for it all the same is told why not.
    """
    newest = {by: undoable(evening, by) for by in everybody}
    fits = {seq: _fits_without(evening, seq) for seq in {*newest.values()} - {0}}
    return {by: seq for by, seq in newest.items() if fits.get(seq)}


def _fits_without(evening: Evening, seq: int) -> bool:
    """Return whether everything after *seq* still fits when it is taken back, if that is soon told."""
    _, run, entry = find(evening, seq)
    place = run.entries.index(entry)
    later = run.entries[place + 1 :]
    if len(later) > _MOST_LOOKED_AT:
        return False
    state = run.states[place]
    try:
        for one in (toggled(entry, seq, stands=False), *later):
            move = effective_move(one, run)
            state = state if move is None else run.game.play(state, move)
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
    if evening.run is None:
        return ()
    found = {whose for _, whose, _ in _standing(evening.run)} | {author(back.by) for back in evening.undone}
    return tuple(sorted(found - {HOST}))
