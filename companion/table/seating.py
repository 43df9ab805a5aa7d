"""Who sits where before a game begins: the nose line of each seat, and the rack that the game wants."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from companion.core.errors import BadInput, CompanionError
from companion.core.model import Rack
from companion.core.names import listed, tidy
from companion.core.text import text, texts
from companion.evening.events import Started
from companion.evening.state import Evening
from companion.games import AnyGame
from companion.games.rules.carried import Carried
from companion.games.rules.prompts import WatchNoses


def rack_of(
    game: AnyGame, players: tuple[str, ...], options: Mapping[str, Any], cradles: int | None
) -> Rack | None:
    """Return the rack that the game wants for all its players, None when it wants none.

    Raises BadInput when it cannot be played so, or the table's rack of *cradles* is too small.
    """
    asked = game.asks(game.new(players, game.read_options(options)))
    rack = next((ask.rack for ask in asked if isinstance(ask, WatchNoses)), None)
    if rack is not None and cradles is not None and max(rack.spoons) > cradles:
        raise BadInput(
            texts(
                "The rack of this table has {n} cradle: that is too few for {players} players.",
                "The rack of this table has {n} cradles: that is too few for {players} players.",
                n=cradles,
                players=len(players),
            )
        )
    return rack


def bound_lines(lines: tuple[str, ...], bindings: Mapping[int, str], players: int) -> tuple[str, ...]:
    """Return a line for each of *players*: as bound in set-up, else the free ones in order, "" for none."""
    bound = {number: line for number, line in bindings.items() if number <= players}
    free = iter(line for line in lines if line not in bound.values())
    return tuple(bound.get(number) or next(free, "") for number in range(1, players + 1))


def kept_lines(started: Started, players: tuple[str, ...], lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return a line for each of *players*: their own of the game before, a free one for who is new."""
    own = dict(zip(started.players, started.lines, strict=True))
    taken = {own[name] for name in players if name in own}
    free = iter(line for line in lines if line not in taken)
    return tuple(own[name] if name in own else next(free, "") for name in players)


def circle(wanted: tuple[str, ...], sitting: tuple[str, ...]) -> tuple[str, ...]:
    """Return who is *wanted* around the table, one name each: who is not *sitting* may be written as a list.

    An entry without any name stays, for the game to refuse.
    """
    names = ((tidy(one),) if tidy(one) in sitting else listed(one) or ("",) for one in wanted)
    return tuple(name for several in names for name in several)


def with_returned(evening: Evening, players: tuple[str, ...], carried: Carried) -> Carried:
    """Return *carried* with what those of *players* had who have left this game before, and come back."""
    now = evening.matches[-1]
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


def check_lines(wanted: tuple[str, ...], lines: tuple[str, ...], players: int, rack: Rack | None) -> None:
    """Raise BadInput unless each of *players* has one of *lines* of their own.

    Where only the *rack* is watched a player may be without.
    """
    spare = rack is not None and rack.confirm == "rack-only"
    if len(wanted) != players or ("" in wanted and not spare):
        raise BadInput(
            text(
                "This table has {noses} noses: that is too few for {players} players.",
                noses=len(lines),
                players=players,
            )
        )
    for number, line in enumerate(wanted):
        if spare and not line:
            continue
        if line not in lines:
            raise BadInput(text("There is no nose “{line}” at this table.", line=line))
        if line in wanted[:number]:
            raise BadInput(
                text(
                    "Seats {a} and {b} have the same nose, {line}: give each seat its own.",
                    a=wanted.index(line) + 1,
                    b=number + 1,
                    line=line,
                )
            )
