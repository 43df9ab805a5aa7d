"""What a correction, an undo, a redo or a move would change, told before it is done. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from lastnose.companion.core.errors import CompanionError, NotNow
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening import commands, events, log
from lastnose.companion.evening.authors import HOST
from lastnose.companion.evening.state import Entry, Evening, Match, find
from lastnose.companion.evening.undo import UNDER_WAY, others_sit, redoable, undoable
from lastnose.companion.games import Absent, Standing
from lastnose.companion.views.sentences import headline

MOST = 6  # lines of a kind: who reads on has seen that it is much


class Foreseen(msgspec.Struct, frozen=True):
    """What would come of a change: whether it fits, and what `says` so, a line a round or a player.

    Where it does not fit the lines say why, each with its round.
    """

    fits: bool
    says: tuple[Text, ...]
    more: int = 0


def foreseen(
    evening: Evening, wish: commands.Changing, by: str = HOST, *, under_way: bool = False
) -> Foreseen:
    """Return what would come of *wish*, as *by* asks it; nothing changes.

    While a round is *under_way* nobody can come or go, by an undo neither.

    Raises a CompanionError when there is no such entry.
    """
    if isinstance(wish, commands.Play):
        index, of = len(evening.matches) - 1, evening.seq + 1
        if index < 0:
            raise NotNow(text("No game is being played: start one first."))
    else:
        asked = wish.seq or (undoable if isinstance(wish, commands.Undo) else redoable)(evening, by)
        if not asked:
            raise NotNow(text("There is nothing to take back or to put back."))
        index, _, entry = find(evening, asked)
        of = entry.seq
    try:
        after = _changed(evening, wish, by, index)
    except CompanionError as problem:
        return Foreseen(fits=False, says=(problem.text,))
    game = evening.game_at(index)
    before = [evening.matches[at] for at in game]
    made = [match for match in after.matches if match.number == before[0].number]
    broken = tuple(_broken(before, made))
    if broken:
        return Foreseen(fits=False, says=broken[:MOST], more=max(0, len(broken) - MOST))
    if under_way and others_sit(evening, after):
        return Foreseen(fits=False, says=(UNDER_WAY,))
    rounds = tuple(_rounds(before, made, of))
    more = max(0, len(rounds) - MOST)
    return Foreseen(fits=True, says=(*rounds[:MOST], *_ends(before[-1], made[-1])), more=more)


def _changed(evening: Evening, wish: commands.Changing, by: str, passing: int) -> Evening:
    """Return *evening* after *wish*; what would not fit in match *passing* or behind it is passed over."""
    seq = evening.seq + 1
    if isinstance(game := evening.matches[passing].game, Absent):
        raise NotNow(game.summary)  # as the table will
    match wish:
        case commands.Amend():
            event = events.Amended(by=by, at=0.0, of=wish.seq, move=dict(wish.move))
            return log.amend(evening, seq, event, passing=passing)
        case commands.Play():
            return log.apply(evening, seq, events.Played(by=by, at=0.0, move=dict(wish.move)))
        case commands.Undo():
            of = wish.seq or undoable(evening, by)
            return log.toggle(evening, of, by, stands=False, passing=passing)
        case commands.Redo():
            of = wish.seq or redoable(evening, by)
            return log.toggle(evening, of, by, stands=True, passing=passing)


def _told(matches: list[Match]) -> Iterator[tuple[Match, Entry]]:
    """Yield what history lists."""
    for match in matches:
        for entry in match.entries:
            if entry.listed:
                yield match, entry


def _broken(before: list[Match], made: list[Match]) -> Iterator[Text]:
    """Yield why entries would no longer fit that do now."""
    fitted = {entry.seq for _, entry in _told(before) if entry.unfit is None}
    for match, entry in _told(made):
        idle = entry.written.idle  # who is not there takes nothing from it
        if entry.unfit is not None and not idle and entry.seq in fitted:
            yield _at(match, entry, entry.unfit)


def _at(match: Match, entry: Entry, says: Text) -> Text:
    if match.game.watched and entry.number:
        return text("Round {n}: {why}", n=entry.number, why=says)
    return says


def _rounds(before: list[Match], made: list[Match], of: int) -> Iterator[Text]:
    """Yield what would be said otherwise of what came behind entry *of*."""
    said = {entry.seq: headline(match, entry) for match, entry in _told(before)}
    for match, entry in _told(made):
        says = headline(match, entry)
        if of < entry.seq and entry.seq in said and entry.stands and said[entry.seq] != says:
            yield _at(match, entry, says)


def _ends(before: Match, after: Match) -> Iterator[Text]:
    """Yield who would have something else, and whether the game would be over."""
    had = dict(zip(before.circle, before.now.standings, strict=True))
    for person, has in zip(after.circle, after.now.standings, strict=True):
        was, player = had.get(person), after.player(has.seat)
        if was is None or _stood(was) != _stood(has):
            now = _words(has)
            yield (
                text("{what}: {says}", what=player, says=now)
                if was is None
                else text("{player}: {now}, and not {was}", player=player, now=now, was=_words(was))
            )
    if after.finished and not before.finished:
        yield text("The game would be over.")
        if after.now.outcome is not None:
            yield after.now.ending(after.started.players)
    elif before.finished and not after.finished:
        yield text("The game would not be over.")


def _stood(one: Standing) -> tuple[tuple[str, ...], bool, int | None]:
    return one.letters, one.out, one.score


def _words(one: Standing) -> Text | str | int:
    """Return what somebody has, as a sentence has it."""
    if one.score is not None:
        return one.score
    has = "".join(one.letters)
    out = text("out")
    if one.out:
        return Text("{letters}, {out}", {"letters": has, "out": out}) if has else out
    return has or text("nothing")
