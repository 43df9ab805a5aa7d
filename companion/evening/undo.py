"""What undo and redo would do, and for whom: everybody their own entries, the host anybody's. Pure.

A judged round is the box's, and so nobody's: everybody may take back the newest. By its log number anybody
who may write takes back any entry; what later moves rest on is refused (`companion.evening.log`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import islice

from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.text import text
from lastnose.companion.evening.authors import BOX, HOST, author
from lastnose.companion.evening.replay import check
from lastnose.companion.evening.state import Amending, Entry, Evening, find, toggled

UNDER_WAY = text("A round is under way: let it end first.")
_MOST_LOOKED_AT = 60  # later moves; what lies further back is for the history


def _of_game(evening: Evening) -> Iterator[Entry]:
    """Yield what was done in the newest game, the newest first, through all its circles."""
    for match in reversed(evening.matches):
        if match.number != evening.matches[-1].number:
            return
        yield from reversed(match.entries)


def undoable(evening: Evening, by: str = HOST) -> int:
    """Return the log number of what undo takes back for *by*, 0 when there is nothing.

    That is an entry of the newest game, or what was corrected since it began, of whatever game.
    """
    return _newest(evening, author(by), _of_game(evening))


def _newest(evening: Evening, whose: str, entries: Iterable[Entry]) -> int:
    """Return the newest log number that *whose* undo concerns, an entry's or an amendment's."""
    mine = (whose, BOX)
    newest = 0
    for seq, made in _amended_since(evening):
        if made.stands and (whose == HOST or made.by in mine) and find(evening, made.of)[2].stands:
            newest = seq
            break
    for entry in entries:
        if entry.seq < newest:
            break
        if entry.stands and entry.listed and (whose == HOST or _is_of(entry, mine)):
            return entry.seq
    return newest


def _is_of(entry: Entry, mine: Container[str]) -> bool:
    """Return whether *entry* is one of *mine*, and nobody else has corrected it."""
    whose = author(entry.by)
    return whose in mine and all(author(one.by) == whose for one in entry.corrections if one.stands)


def _amended_since(evening: Evening) -> Iterator[tuple[int, Amending]]:
    """Yield what was corrected since the newest game began, of whatever game, the newest first."""
    if evening.match is None:
        return
    began = evening.matches[evening.game_at(len(evening.matches) - 1).start].seq
    for seq in reversed(evening.amended):
        if seq < began:
            return
        yield seq, evening.amended[seq]


def offered(evening: Evening, everybody: Iterable[str]) -> dict[str, int]:
    """Return what undo takes back for each of *everybody* who has something.

    What later moves rest on is not offered, nor what lies far back; who asks for it all the same is told why
    not.
    """
    newest = {
        by: _newest(evening, author(by), islice(_of_game(evening), _MOST_LOOKED_AT + 1)) for by in everybody
    }
    fits = {seq: _fits_without(evening, seq) for seq in {*newest.values()} - {0}}
    return {by: seq for by, seq in newest.items() if fits.get(seq)}


def _fits_without(evening: Evening, seq: int) -> bool:
    """Return whether everything after *seq* still fits when it is taken back, if that is soon told."""
    index, _, entry = find(evening, seq)
    game = evening.game_at(index)
    behind = sum(len(evening.matches[at].entries) for at in range(index, game.stop)) - 1 - entry.place
    if behind > _MOST_LOOKED_AT:
        return False
    if not behind and seq == entry.seq:  # after nearly every round: nothing rests on the newest
        return True
    try:
        check(evening, index, toggled(entry.written, seq, stands=False))
    except CompanionError:
        return False
    return True


def others_sit(now: Evening, after: Evening) -> bool:
    """Return whether people sit at the table otherwise *after* a change: then noses get other seats."""
    before, match = now.match, after.match
    if before is None or match is None:
        return False
    return (before.seq, before.circle) != (match.seq, match.circle)


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
    game = evening.game_at(len(evening.matches) - 1)
    found = frozenset(author(back.by) for back in evening.undone)
    found = found.union(*(evening.matches[at].writers for at in game))
    found |= {made.by for _, made in _amended_since(evening) if made.stands}
    return tuple(sorted(found - {HOST}))
