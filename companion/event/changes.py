"""What it changes that a game has another result after later rounds were called. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.event import commands, formats, seating
from lastnose.companion.event.commands import AnyHallCommand
from lastnose.companion.event.formats import Stage, places
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.standings import StandingLine
from lastnose.companion.event.state import HallState
from lastnose.companion.event.table_log import HallAppeal
from lastnose.companion.event.tally import BEYOND, TableOutcome, said_of_void
from msgspec.structs import replace

AGAIN = text(
    "It is played again as soon as its table and its people are free, and the list counts it then. "
    "The rounds that were called stay as they are."
)


class OtherDraw(NamedTuple):
    """Called round `number` was drawn by results that are others by now.

    By those it would rest on the people `rests_on`; `says` is who would play, and what can be done about it.
    """

    number: int
    rests_on: tuple[int, ...]
    says: Text


def other_draws(
    state: HallState, found: tuple[TableOutcome, ...], heat_lines: tuple[StandingLine, ...]
) -> tuple[OtherDraw, ...]:
    """Return which called rounds would be drawn otherwise: of a knock-out, then the final or a tie.

    *heat_lines* are the standings without the final.
    """
    return (*_other_halves(state, found), *_other_final(state, found, heat_lines))


def _other_halves(state: HallState, found: tuple[TableOutcome, ...]) -> Iterator[OtherDraw]:
    """Yield the rounds of a knock-out to which others would have gone on."""
    if state.arrangement is None or state.arrangement.format != "knock-out":
        return
    open_ = {one.round for one in found if one.open}
    for before, one in zip(state.called, state.called[1:], strict=False):
        if before.number in open_ or not one.rests_on:
            continue
        now = formats.better_halves(before.seats, places(found, before.number))
        if set(now) != set(one.rests_on):
            yield OtherDraw(one.number, now, _said_of_others(state, sorted(now), sorted(one.rests_on)))


def _other_final(
    state: HallState, found: tuple[TableOutcome, ...], heat_lines: tuple[StandingLine, ...]
) -> Iterator[OtherDraw]:
    """Yield the final or tie that was called last if others who were there at its draw would play it."""
    one = state.now
    if one is None or one.kind == "heat" or one.made is None:
        return
    earlier = tuple(outcome for outcome in found if outcome.round < one.number)
    if any(outcome.open for outcome in earlier):
        return
    rounds = state.rounds[: one.number - 1]
    then = replace(state, arrangement=one.made, there=one.there, rounds=rounds)
    kind, people = Stage(then, earlier, heat_lines).wanted
    now, drawn = tuple(sorted(people)), tuple(sorted(one.entrants))
    if now in (drawn, one.rests_on):
        return
    says = _said_of_others(state, now, drawn)
    if kind != one.kind:
        says = text(
            "By the results of now: {round}, {players}. The round stays as it was called; to draw it again, "
            "take its call back.",
            round=formats.said_of(kind, one.number),
            players=listing([state.shown(entrant) for entrant in now]),
        )
    yield OtherDraw(one.number, now, says)


def _said_of_others(state: HallState, now: Sequence[int], drawn: Sequence[int]) -> Text:
    """Return who would play by the results of *now* and was not *drawn*, and the other way."""
    return text(
        "By the results of now, in: {would}; out: {would_not}. The round stays as it was called; to draw it "
        "again, take its call back.",
        would=listing([state.shown(one) for one in now if one not in drawn]) or "–",
        would_not=listing([state.shown(one) for one in drawn if one not in now]) or "–",
    )


def said_after(before: HallSnapshot, after: HallSnapshot, command: AnyHallCommand) -> Text | None:
    """Return what an organiser is told who changes the result of a round after which others were called.

    Or who takes a deal out: what becomes of that. None when *command* does nothing of the kind.
    """
    state = after.state
    if isinstance(command, commands.Draw):
        return _said_of_draw(state)
    if isinstance(command, commands.Decide) and command.decision == "void":
        return _said_of_void(after, state.appeals[command.appeal])
    if state.arrangement is None or state.now is None:
        return None
    if state.arrangement.format != "knock-out" and all(one.kind == "heat" for one in state.called):
        return None
    match command:
        case commands.Decide(decision="again") if state.appeals[command.appeal].round < state.now.number:
            return AGAIN
        case commands.PlayAgain() if command.round < state.now.number:
            return AGAIN
        case commands.TypeResult() if command.round < state.now.number and _places(before) != _places(after):
            return text("Places on the list change. The rounds that were called stay as they are.")
    return None


def _said_of_draw(state: HallState) -> Text | None:
    """Return how many meet again by what was drawn, and how few it could be; None of a final or a tie."""
    heats = [one for one in state.rounds if one.kind == "heat"]
    if not heats or heats[-1] is not state.rounds[-1]:
        return None
    again = seating.repeats(one.seats for one in heats)
    people = {one.entrants for one in heats}
    tables = {len(one.seats) for one in heats}
    if not again or len(people) > 1 or len(tables) > 1:
        return text("Second meetings: {n}.", n=again)
    least = seating.bound(len(min(people)), min(tables), len(heats))
    return text("Second meetings: {n}; fewer than {least} cannot be.", n=again, least=least)


def _said_of_void(view: HallSnapshot, appeal: HallAppeal) -> Text | None:
    """Return what becomes of the game of which *appeal* has taken a deal out, None where nothing does."""
    for one in view.outcomes:
        if one.called is None or (one.called.id, one.called.call) != (appeal.table, appeal.call):
            continue
        if one.void and one.open and one.beyond:
            return BEYOND
        if one.void and one.open:
            return said_of_void(one.void)
    return None


def _places(view: HallSnapshot) -> list[tuple[int, int | None]]:
    return [(line.entrant, line.place) for line in view.lines]
