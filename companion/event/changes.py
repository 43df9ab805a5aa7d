"""What it changes that a game has another result after later rounds were called. Pure."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from lastnose.companion.core.text import Text, listing, text
from lastnose.companion.event import commands, formats, seating
from lastnose.companion.event.commands import AnyHallCommand
from lastnose.companion.event.formats import places, what_to_draw
from lastnose.companion.event.snapshot import HallSnapshot
from lastnose.companion.event.state import HallState
from lastnose.companion.event.table_log import HallAppeal
from lastnose.companion.event.tally import BEYOND, TableOutcome, said_of_void

AGAIN = text(
    "It is played again as soon as its table and its people are free, and the list counts it then. "
    "The rounds that were called stay as they are."
)


class OtherHalf(NamedTuple):
    """Round `number` was drawn when other people had gone on in a knock-out.

    By the results of now it would `rest_on` others: who `would` have gone on and did not, and the other way.
    """

    number: int
    rests_on: tuple[int, ...]
    would: tuple[int, ...]
    would_not: tuple[int, ...]


def other_halves(state: HallState, found: tuple[TableOutcome, ...]) -> tuple[OtherHalf, ...]:
    """Return which called rounds of a knock-out rest on results that are others by now."""
    if state.arrangement is None or state.arrangement.format != "knock-out":
        return ()
    open_ = {one.round for one in found if one.open}
    out = []
    for before, one in zip(state.called, state.called[1:], strict=False):
        if before.number in open_ or not one.rests_on:
            continue
        now = formats.better_halves(before.seats, places(found, before.number))
        would, would_not = set(now) - set(one.rests_on), set(one.rests_on) - set(now)
        if would or would_not:
            out.append(OtherHalf(one.number, now, tuple(sorted(would)), tuple(sorted(would_not))))
    return tuple(out)


def said_of_half(state: HallState, other: OtherHalf) -> Text:
    """Return in words what is not as it would be, and that nothing is called again."""
    would = listing([state.shown(one) for one in other.would])
    would_not = listing([state.shown(one) for one in other.would_not])
    return _said_of_others(would, would_not)


def _said_of_others(would: Text | str, would_not: Text | str) -> Text:
    return text(
        "By the results of now, in: {would}; out: {would_not}. The round stays as it was called; to draw it "
        "again, take its call back.",
        would=would or "–",
        would_not=would_not or "–",
    )


class OtherFinal(NamedTuple):
    """Round `number`, a final or a tie before it, was drawn when the list was another.

    By the current list, `kind` would be played by the people that it would `rest_on`.
    """

    number: int
    kind: str
    rests_on: tuple[int, ...]


def other_final(view: HallSnapshot) -> OtherFinal | None:
    """Return the final or tie that was called last if others who were there at its draw would play it."""
    state, one = view.state, view.state.now
    if one is None or one.kind == "heat" or one.made is None:
        return None
    earlier = tuple(outcome for outcome in view.outcomes if outcome.round < one.number)
    if any(outcome.open for outcome in earlier):
        return None
    rounds = state.rounds[: one.number - 1]
    then = msgspec.structs.replace(state, arrangement=one.made, there=one.there, rounds=rounds)
    kind, people = what_to_draw(then, view.heat_lines, earlier)
    now = tuple(sorted(people))
    drawn = tuple(sorted(entrant for table in one.seats for entrant in table))
    return None if now in (drawn, one.rests_on) else OtherFinal(one.number, kind, now)


class DrawChanges(NamedTuple):
    """What would be drawn otherwise by now: rounds of a knock-out, and a final or tie."""

    halves: tuple[OtherHalf, ...]
    final: OtherFinal | None


class ChangeWatch:
    """Works `DrawChanges` out when what they rest on is another, not for every word of a table."""

    def __init__(self) -> None:
        self._known: tuple[tuple[object, ...], DrawChanges] | None = None

    def of(self, view: HallSnapshot) -> DrawChanges:
        """Return those of *view*."""
        rests_on = view.state, view.outcomes, view.heat_lines
        if self._known is None or any(a is not b for a, b in zip(self._known[0], rests_on, strict=True)):
            self._known = rests_on, DrawChanges(other_halves(view.state, view.outcomes), other_final(view))
        return self._known[1]


def changes_to_see(view: HallSnapshot) -> dict[int, tuple[int, ...]]:
    """Return for each called round that would be another by now on whom it would rest."""
    final = other_final(view)
    halves = {one.number: one.rests_on for one in other_halves(view.state, view.outcomes)}
    return halves if final is None else {**halves, final.number: final.rests_on}


def said_of_final(state: HallState, other: OtherFinal) -> Text:
    """Return in words who would play by the current list, and what can be done about it."""
    one = state.rounds[other.number - 1]
    drawn = {entrant for table in one.seats for entrant in table}
    would = listing([state.shown(entrant) for entrant in other.rests_on if entrant not in drawn])
    would_not = listing([state.shown(entrant) for entrant in sorted(drawn) if entrant not in other.rests_on])
    if other.kind != one.kind:
        return text(
            "By the results of now: {round}, {players}. The round stays as it was called; to draw it again, "
            "take its call back.",
            round=formats.said_of(other.kind, other.number),
            players=listing([state.shown(entrant) for entrant in other.rests_on]),
        )
    return _said_of_others(would, would_not)


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
    people = {frozenset(who for table in one.seats for who in table) for one in heats}
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
