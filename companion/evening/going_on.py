"""What people take along when somebody comes or goes, also after a correction of what was before. Pure."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from companion.core.errors import CompanionError
from companion.core.growing import Growing
from companion.core.names import tidy
from companion.evening.entries import replayed
from companion.evening.state import Evening, Match
from companion.games.rules.carried import Carried


def taken_along(evening: Evening, players: tuple[str, ...]) -> Carried:
    """Return what *players* go on with after the newest match: who comes back has what they had in this game.

    Raises what the game raises when nobody can go on.
    """
    now = evening.matches[-1]
    carried = now.game.carried(now.state, players)
    had: dict[str, tuple[int, bool]] = {}
    for match in evening.matches:
        if match.number == now.number and match is not now:
            with suppress(CompanionError):  # corrected since, to what nobody could have gone on from
                kept = match.game.carried(match.state, match.started.players)
                seats = enumerate(zip(match.started.players, kept.marks, strict=True), 1)
                had |= {tidy(name).casefold(): (marks, seat in kept.out) for seat, (name, marks) in seats}
    sitting = {name.casefold() for name in now.started.players}
    back = {
        seat: had[name.casefold()]
        for seat, name in enumerate(players, 1)
        if name.casefold() in had and name.casefold() not in sitting
    }
    marks = tuple(back[seat][0] if seat in back else of for seat, of in enumerate(carried.marks, 1))
    out = tuple(
        seat for seat in range(1, len(players) + 1) if seat in carried.out or back.get(seat, (0, 0))[1]
    )
    return msgspec.structs.replace(carried, marks=marks, out=out)


def gone_on(evening: Evening, index: int, before: Match) -> Evening:
    """Return *evening* with what follows match *index*, which was *before*, counted again.

    Where people came or went after it, they go on with what they have by now. What does not fit what was
    played then (by now the game would have been over) stays as it was; and so does what an older version had
    people take along by other rules.
    """
    matches = evening.matches
    if index + 1 >= len(matches) or matches[index].state == before.state or not matches[index].parting:
        return evening
    after = matches[index + 1]
    started, game = after.started, after.game

    def along(match: Match) -> Carried:
        so_far = msgspec.structs.replace(evening, matches=(*matches[:index], match))
        return taken_along(so_far, started.players)

    try:
        if along(before) != started.carried or (carried := along(matches[index])) == started.carried:
            return evening
        state = game.taken_up(game.new(started.players, game.read_options(started.options)), carried)
        started = msgspec.structs.replace(started, carried=carried)
        begun = msgspec.structs.replace(after, started=started, states=Growing((state,)))
        made = replayed(begun, after.entries)
    except CompanionError:
        return evening
    anew = (*matches[: index + 1], made, *matches[index + 2 :])
    return gone_on(msgspec.structs.replace(evening, matches=anew), index + 1, after)
