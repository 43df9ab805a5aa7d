"""Who sits where before a game begins: the nose line of each seat, and the rack that the game wants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.errors import BadInput
from companion.core.model import Rack
from companion.core.names import listed, tidy
from companion.core.text import text, texts
from companion.evening.events import Started
from companion.games import AnyGame


def rack_of(
    game: AnyGame, players: tuple[str, ...], options: Mapping[str, Any], cradles: int | None
) -> Rack | None:
    """Return the rack that the game wants for all its players, None when it wants none.

    Raises BadInput when it cannot be played so, or the table's rack of *cradles* is too small.
    """
    noses = game.moment(game.new(players, game.read_options(options))).noses
    rack = None if noses is None else noses.rack
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
