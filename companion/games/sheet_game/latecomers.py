"""Who comes to a sheet, who goes, who comes back: columns by the new seats, points for hands they missed.

Who leaves is out of the ranking, and what they had stays beside it: hands that they played are still theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from lastnose.companion.core.errors import IllegalMove, NotNow
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.rules.carried import (
    AVERAGE,
    GIVEN,
    KEY,
    SOMEBODY_STAYS,
    WORST,
    ZERO,
    Circle,
    Sat,
    latecomers_field,
    passed_on,
    staying,
)
from lastnose.companion.games.rules.game import OptionField
from lastnose.companion.games.sheet_game.state import (
    WHOLE_GAME,
    Correct,
    HandMark,
    HandScore,
    Leaver,
    Places,
    SheetState,
    Stretch,
    current,
    until,
    with_cell,
)

if TYPE_CHECKING:
    from lastnose.companion.games.sheet_game.hooks import AnySheetGame


def field() -> OptionField:
    """Return the option what somebody begins with who comes when hands have been played."""
    return latecomers_field()


def given(state: SheetState) -> str:
    """Return what the table gives for hands that somebody missed."""
    return str(getattr(state.options, KEY, AVERAGE))


def gone_on(game: AnySheetGame, state: SheetState, begun: SheetState, sat: Circle) -> SheetState:
    """Return the sheet of *state* with the columns of those who sit there by *sat*, in *begun*.

    Raises NotNow while a hand is half written, and where nobody stays.
    """
    hand = current(state)
    if hand is None:
        raise IllegalMove(game.once, text("The game is over."))
    if any(state.cells[hand - 1]):
        raise NotNow(game.said.half_written(hand))
    if not staying(sat):
        raise NotNow(SOMEBODY_STAYS)
    circle = tuple(None if one is None else (len(one.state.earlier), one.seat) for one in sat)
    stretch = Stretch(msgspec.structs.replace(state, earlier=()), circle)
    made = _since(game, [*(one.state for one in state.earlier), stretch.state], begun, circle)
    return msgspec.structs.replace(made, earlier=(*state.earlier, stretch))


def _since(
    game: AnySheetGame,
    stretches: Sequence[SheetState],
    begun: SheetState,
    circle: Places,
) -> SheetState:
    """Return the sheet that goes on after all *stretches*, in *begun*, with who sits there by *circle*."""
    state = stretches[-1]
    newest = len(stretches) - 1
    sat = [None if one is None else Sat(stretches[one[0]], one[1], one[0] == newest) for one in circle]
    here = staying(sat)
    played = (current(state) or 0) - 1
    columns = [_column(one, played) for one in sat]
    brought = _brought(game, state, [seat for seat in state.seats if seat in here], played)
    for column in columns:
        _fill(game, state, column, brought)
    empty = len(state.cells) - played
    back = [_leaver(game, one) for one in sat if one is not None and not one.here]
    gone = [Sat(state, seat) for seat in state.seats if seat not in here]
    return msgspec.structs.replace(
        begun,
        cells=tuple(zip(*columns, strict=True)) + ((None,) * len(sat),) * empty,
        marks=(*_moved(state.marks, here), *_brought_back(sat)),
        first=passed_on(state.dealer(played + 1), len(state.players), here, range(1, len(sat) + 1))
        if state.first or played
        else 0,
        dealt=tuple(
            here.get(state.dealer(one), 0) or _dealt_before(sat, one) for one in range(1, played + 1)
        ),
        left=(*_without(state.left, back), *(_leaver(game, one) for one in gone)),
    )


def played_again(game: AnySheetGame, before: SheetState, state: SheetState, move: Correct) -> SheetState:
    """Return *state*, of which a hand was corrected by *move*, with all that follows for who came later.

    What latecomers begin with is worked out again. The correction is written where each of its people played
    the hand, or came after it, and from there on everybody comes and goes as they did. What people said
    themselves in place of a given start stays.
    """
    stretches = [*(one.state for one in state.earlier), msgspec.structs.replace(state, earlier=())]
    circles = [one.sat for one in state.earlier]
    touched = {len(circles)}
    for seat in (cell.seat for cell in move.cells):
        at, place = _written(stretches, circles, move.hand, seat)
        stretches[at] = with_cell(stretches[at], move.hand, place, state.cell(move.hand, seat))
        touched.add(at)
    for mark in {*before.marks} ^ {*state.marks}:
        at, place = _written(stretches, circles, move.hand, mark.seat)
        marks = [one for one in stretches[at].marks if one != HandMark(mark.what, move.hand, place)]
        marks += [HandMark(mark.what, move.hand, place)] * (mark in state.marks)
        stretches[at] = msgspec.structs.replace(stretches[at], marks=tuple(marks))
        touched.add(at)
    for at in range(min(touched) + 1, len(stretches)):
        stretches[at] = _again(game, stretches[:at], stretches[at], circles[at - 1])
    return msgspec.structs.replace(stretches[-1], earlier=tuple(map(Stretch, stretches, circles)))


def _written(
    stretches: Sequence[SheetState], circles: Sequence[Places], hand: int, seat: int
) -> tuple[int, int]:
    """Return in which stretch the person of the newest *seat* (0: the table) played *hand*, and where.

    If they did not play it, that in which they came, or came back, after it.
    """
    at = len(circles)
    while at and hand <= len(stretches[at].dealt):
        before = circles[at - 1][seat - 1] if seat else (at - 1, 0)
        if before is None or hand > len(stretches[before[0] + 1].dealt):
            break
        at, seat = before
    return at, seat


def _again(game: AnySheetGame, before: Sequence[SheetState], state: SheetState, circle: Places) -> SheetState:
    """Return *state* as it goes on after the stretches *before* it, now that those say something else."""
    played = len(state.dealt)
    made = _since(game, before, state, circle)
    rows = tuple(
        tuple(
            was if new and new.missed and not new.said and was and was.said else new
            for was, new in zip(*both, strict=True)
        )
        for both in zip(state.cells[:played], made.cells[:played], strict=True)
    )
    marks = [mark for mark in made.marks if mark.hand <= played]
    marks += [mark for mark in state.marks if mark.hand == WHOLE_GAME or mark.hand > played]
    cells = (*rows, *state.cells[played:])
    return msgspec.structs.replace(state, cells=cells, marks=tuple(marks), left=made.left)


def _column(one: Sat | None, played: int) -> list[HandScore | None]:
    """Return what somebody had in the hands *played* so far, None where they were not there."""
    if one is None:
        return [None] * played
    sheet: SheetState = one.state
    known = [sheet.cell(hand, one.seat) for hand in range(1, min(played, len(sheet.cells)) + 1)]
    return [*known, *[None] * (played - len(known))]


def _brought(game: AnySheetGame, state: SheetState, seats: Sequence[int], played: int) -> list[list[int]]:
    """Return what each hand brought to each of *seats*, with what marks brought them."""
    sums = [[game.totals(until(state, hand))[seat - 1] for seat in seats] for hand in range(played + 1)]
    return [[b - a for a, b in zip(sums[at], sums[at + 1], strict=True)] for at in range(played)]


def _fill(
    game: AnySheetGame, state: SheetState, column: list[HandScore | None], brought: list[list[int]]
) -> None:
    """Give points for the hands missing in *column*; *brought* is what each hand brought to the others."""
    missing = [at for at, cell in enumerate(column) if cell is None]
    if not missing:
        return
    sums = [sum(brought[at][other] for at in missing) for other in range(len(brought[0]))]
    worst = sums.index(min(sums) if game.highest(state) else max(sums))
    whole, before = 0, 0
    for at in missing:
        whole += sum(brought[at])
        average = (2 * whole + len(sums)) // (2 * len(sums))  # of all so far, halves up
        points = {AVERAGE: average - before, WORST: brought[at][worst], ZERO: 0}[given(state)]
        column[at] = HandScore(points, missed=True)
        before = average


def _leaver(game: AnySheetGame, one: Sat) -> Leaver:
    """Return who left as the sheet keeps them."""
    sheet: SheetState = one.state
    cells = tuple(row[one.seat - 1] for row in sheet.cells)
    return Leaver(sheet.player(one.seat), game.totals(sheet)[one.seat - 1], cells)


def _without(left: Sequence[Leaver], back: Sequence[Leaver]) -> list[Leaver]:
    """Return who *left* and has not come *back*."""
    rest = list(left)
    for one in back:
        found = next((leaver for leaver in rest if _same(leaver, one)), None)
        if found is not None:
            rest.remove(found)
    return rest


def _same(leaver: Leaver, one: Leaver) -> bool:
    """Return whether two columns are one: by then more empty hands may stand below."""
    return (leaver.name, *filter(None, leaver.cells)) == (one.name, *filter(None, one.cells))


def _moved(marks: Sequence[HandMark], here: dict[int, int]) -> list[HandMark]:
    """Return *marks* by the new seats, without those of who left."""
    whole = {0: 0, **here}
    return [HandMark(mark.what, mark.hand, whole[mark.seat]) for mark in marks if mark.seat in whole]


def _dealt_before(sat: Circle, hand: int) -> int:
    """Return the new seat of who comes back and dealt *hand* before they left; 0 for nobody."""
    return next(
        (
            seat
            for seat, one in enumerate(sat, start=1)
            if one is not None and not one.here
            if hand < (current(one.state) or 0) and one.state.dealer(hand) == one.seat
        ),
        0,
    )


def _brought_back(sat: Circle) -> list[HandMark]:
    """Return what is marked of those who come back, in hands that they played."""
    return [
        HandMark(mark.what, mark.hand, seat)
        for seat, one in enumerate(sat, start=1)
        if one is not None and not one.here
        for mark in one.state.marks
        if mark.seat == one.seat and one.state.cell(mark.hand, one.seat) is not None
    ]


def missed_note(state: SheetState, cell: HandScore) -> Text:
    """Return that somebody was not there, and what the table gave for it, if anything."""
    missed, gives = text("not here"), given(state)
    if cell.said or gives == ZERO:
        return missed
    return text("{what}: {says}", what=missed, says=GIVEN[gives])


def row_notes(state: SheetState, hand: int) -> tuple[Text, ...]:
    """Return who left after *hand*, and with how many points."""
    last = [
        (one, max((at for at, cell in enumerate(one.cells, 1) if cell is not None), default=1))
        for one in state.left
    ]
    return tuple(
        texts("{player} left with {n} point", "{player} left with {n} points", n=one.points, player=one.name)
        for one, at in last
        if at == hand
    )


def beside(state: SheetState) -> tuple[Text, ...]:
    """Return who has left, with their points, out of the ranking."""
    if not state.left:
        return ()
    gone = [text("{player} {points}", player=one.name, points=one.points) for one in state.left]
    return (text("No longer here, and out of the ranking: {players}.", players=listing(gone)),)


def fewer(state: SheetState, seat: int) -> tuple[Text, ...]:
    """Return how many hands fewer *seat* has played, where nothing is given for them."""
    column = [row[seat - 1] for row in state.cells]
    missed = sum(cell is not None and cell.missed for cell in column)
    if not missed or given(state) != ZERO:
        return ()
    return (texts("{n} hand fewer", "{n} hands fewer", n=missed),)
