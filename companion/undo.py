"""What undo and redo would do, and for whom: everybody their own entries, the host anybody's. Pure.

A judged round is the box's, and so nobody's: everybody may take back the newest. By its log number anybody
who may write takes back any entry; what later moves rest on is refused (`companion.log`).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.authors import BOX, HOST, author
from companion.log import Evening, Run


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
        seq
        for seq, writer, alone in _standing(run)
        if whose == HOST or writer == BOX or (writer == whose and alone)
    ]
    return max(numbers, default=0)


def redoable(evening: Evening, by: str = HOST) -> int:
    """Return the log number of what redo puts back for *by*: the newest that they took back themselves."""
    whose = author(by)
    found = (back.seq for back in reversed(evening.undone) if whose in (HOST, author(back.by)))
    return next(found, 0)


def authors(evening: Evening) -> tuple[str, ...]:
    """Return everybody but the host who has written or taken back something in the newest game."""
    if evening.run is None:
        return ()
    found = {whose for _, whose, _ in _standing(evening.run)} | {author(back.by) for back in evening.undone}
    return tuple(sorted(found - {HOST}))
