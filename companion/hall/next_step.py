"""What the organiser can do next, and why it waits. Pure."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from companion.core.errors import CompanionError, NotNow
from companion.core.text import Text, text, texts
from companion.games import get_game
from companion.hall import formats
from companion.hall.events import Drawn
from companion.hall.formats import DrawField
from companion.hall.seating import Seats
from companion.hall.standings import StandingLine
from companion.hall.state import HallRound, HallState, needed
from companion.hall.tally import TableOutcome


class NextStep(msgspec.Struct, frozen=True):
    """What comes next: `kind` is "arrange", "draw", "call", "wait" or "over", `says` its button or reason."""

    kind: str
    says: Text
    ready: bool = True


def next_step(state: HallState, found: tuple[TableOutcome, ...], lines: tuple[StandingLine, ...]) -> NextStep:
    """Return what comes next."""
    if state.arrangement is None:
        return NextStep("arrange", text("Set up the event"))
    drawn = next((one for one in state.rounds if not one.called), None)
    open_ = [one for one in found if one.open]
    if open_:
        called = formats.said_of(_kind(state, open_[0].round), open_[0].round)
        return NextStep(
            "wait",
            texts(
                "{round}: {n} table has no result yet",
                "{round}: {n} tables have no result yet",
                n=sum(1 for one in open_ if one.round == open_[0].round),
                round=called,
            ),
            ready=False,
        )
    if drawn is not None and not _stale(state, drawn, lines, found):
        return NextStep("call", text("Call: {round}", round=formats.said_of(drawn.kind, drawn.number)))
    if over(state, lines, found):
        return NextStep("over", text("All is played."), ready=False)
    kind, _ = what_to_draw(state, lines, found)
    number = len(state.called) + 1
    return NextStep("draw", text("Draw: {round}", round=formats.said_of(kind, number)))


def drawing(percent: int) -> NextStep:
    """Return what is said while a draw is being made."""
    return NextStep("wait", text("Drawing: {percent} %", percent=percent), ready=False)


def _kind(state: HallState, number: int) -> str:
    return state.rounds[number - 1].kind


def _stale(
    state: HallState, drawn: HallRound, lines: tuple[StandingLine, ...], found: tuple[TableOutcome, ...]
) -> bool:
    """Return whether others would be drawn now; a knock-out goes on with those who are left."""
    people = {one for table in drawn.seats for one in table}
    if needed(state).format == "knock-out" and state.called:
        return people != set(_going_on(state, lines, found))
    if drawn.kind == "heat":
        now = formats.rests_on(needed(state).format, field_of(state, lines, found)) if drawn.rests_on else ()
        return people != state.there or drawn.rests_on != now
    kind, others = what_to_draw(state, lines, found)
    return (kind, set(others)) != (drawn.kind, people)


def _going_on(
    state: HallState, lines: tuple[StandingLine, ...], found: tuple[TableOutcome, ...]
) -> list[int]:
    """Return who plays on in a knock-out, nobody when it is over."""
    try:
        return formats.goes_on(field_of(state, lines, found))[0]
    except NotNow:
        return []


def over(state: HallState, lines: tuple[StandingLine, ...], found: tuple[TableOutcome, ...]) -> bool:
    """Return whether nothing is left to play."""
    made = needed(state)
    heats = sum(1 for one in state.called if one.kind == "heat")
    if made.format == "free":
        return False
    if made.format == "knock-out":
        return bool(state.called) and not _going_on(state, lines, found)
    if heats < made.rounds:
        return False
    return not made.final or any(one.kind == "final" for one in state.called) or len(lines) < 2


def what_to_draw(
    state: HallState, lines: tuple[StandingLine, ...], found: tuple[TableOutcome, ...]
) -> tuple[str, tuple[int, ...]]:
    """Return the kind of the next round and, for a final or a tie before it, who plays.

    Who is still level after a tie plays another: a seat in the final is never drawn by lot.
    """
    made = needed(state)
    heats = sum(1 for one in state.called if one.kind == "heat")
    if made.format in ("knock-out", "free") or heats < made.rounds or not made.final:
        return "heat", ()
    safe, tied, seats = formats.finalists(lines, state.there, made.final)
    for tie in (one.number for one in state.called if one.kind == "tie"):
        through, tied, seats = formats.settled(tied, _places(found, tie), seats)
        safe += through
    if len(tied) < get_game(made.game).seats[0]:
        return "final", safe + tied  # too few for a game among them: then all of them are in
    return "tie", tied


def draw(
    state: HallState,
    lines: tuple[StandingLine, ...],
    found: tuple[TableOutcome, ...],
    random: Random,
    progress: Callable[[int, int], None] | None = None,
) -> Drawn:
    """Return what is played next, as an event without author; raise NotNow when nothing is.

    *progress* is told how much there was to mend in the seating, and how much is left.
    """
    made = needed(state)
    if any(one.open for one in found):
        raise NotNow(text("A round is being played: the next is drawn when all tables have a result."))
    if over(state, lines, found):
        raise NotNow(text("All is played: nothing is left to draw."))
    kind, people = what_to_draw(state, lines, found)
    first = len(state.called) + 1
    field = field_of(state, lines, found)
    if kind == "heat":
        left = made.rounds - sum(1 for one in state.called if one.kind == "heat")
        if made.format == "mixed":
            drawn: tuple[Seats, ...] = formats.draw_heats(field, max(1, left), random, progress)
        else:
            drawn = (formats.draw_next(made.format, field, random),)
        rests_on = formats.rests_on(made.format, field)
        return Drawn(by="", at=0, first=first, rounds=drawn, rests_on=rests_on)
    rounds = _beside_heats(kind, people, field, random)
    return Drawn(by="", at=0, first=first, rounds=rounds, kind=kind)


def _beside_heats(kind: str, people: tuple[int, ...], field: DrawField, random: Random) -> tuple[Seats, ...]:
    """Return the round of a final, at one table, or of a tie before it; raise NotNow for too many."""
    if kind == "tie" and len(people) > field.most:
        return formats.draw_heats(msgspec.structs.replace(field, entrants=people), 1, random)
    if len(people) > field.most:
        raise NotNow(
            text(
                "{n} people are in the final: too few are level for its last seat to play for it. "
                "Let {n} sit at a table (Set up…).",
                n=len(people),
            )
        )
    order = list(people)
    random.shuffle(order)
    return ((tuple(order),),)


def _places(found: tuple[TableOutcome, ...], number: int) -> dict[int, int]:
    """Return the place that each has taken at their table in round *number*."""
    return {
        entrant: placing.place
        for one in found
        if one.round == number and one.result is not None
        for entrant, placing in one.result.placings
    }


def field_of(state: HallState, lines: tuple[StandingLine, ...], found: tuple[TableOutcome, ...]) -> DrawField:
    """Return what a draw starts from."""
    made = needed(state)
    heats = [one for one in state.called if one.kind == "heat"]
    newest = heats[-1].number if heats else 0
    return DrawField(
        entrants=tuple(sorted(state.there)),
        people=state.people,
        lines=lines,
        before=tuple(one.seats for one in heats),
        lasts=_places(found, newest),
        tables=made.tables,
        most=made.most,
        least=get_game(made.game).seats[0],
    )


def usual_options(game: str) -> dict[str, Any]:
    """Return what is usual in a hall and not alone: *game* is played on to one winner, if it can be."""
    fields = get_game(game).option_fields()
    return {
        one.key: 1 for one in fields if one.key == "winners" and 1 in [choice.value for choice in one.choices]
    }


def options_of(state: HallState, kind: str) -> dict[str, Any]:
    """Return the options that a round of *kind* is played with: a tie is settled with one letter."""
    made = needed(state)
    options = {**usual_options(made.game), **made.options}
    options |= made.final_options if kind == "final" else {}
    if kind == "tie":
        game = get_game(made.game)
        for field in game.option_fields():
            if field.kind == "word":
                shorter = {**options, field.key: str(options.get(field.key, field.default))[:1]}
                try:
                    game.read_options(shorter)
                except CompanionError:
                    continue
                return shorter
    return options
