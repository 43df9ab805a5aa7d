"""What is played next: mixed heats, knock-out by tables or free play, and the final. Pure.

And what the organiser can do next, and why it waits: `NextStep`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, CompanionError, NotNow
from lastnose.companion.core.names import alike
from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.event import seating
from lastnose.companion.event.events import Arrangement, Drawn
from lastnose.companion.event.roster import Person
from lastnose.companion.event.seating import Seats
from lastnose.companion.event.standings import StandingLine
from lastnose.companion.event.state import HallRound, HallState, needed
from lastnose.companion.event.tally import TableOutcome, closing
from lastnose.companion.games import get_game
from msgspec.structs import replace

FAMILY, CLUB = seating.APART, 1  # how many repeated meetings it is worth that two of them do not meet
FORMATS = {
    "mixed": text("Mixed heats and a final"),
    "knock-out": text("Knock-out by tables"),
    "free": text("Free play"),
}
ALL_PLAYED = text("All is played.")
EXPLAINED = {
    "mixed": text("Everybody meets as many others as possible; the best of the list play a final."),
    "knock-out": text("The better half of each table goes on, until one table is left."),
    "free": text("Whoever is there plays at any table; the list counts what was played."),
}


def named(format_: str) -> Text:
    """Return what *format_* is called, also one of an older event that is drawn no more."""
    return FORMATS.get(format_) or text("A format no longer on offer ({name})", name=format_)


class DrawField(msgspec.Struct, frozen=True):
    """What a draw starts from.

    `entrants` are those who are there; `people` all by number, `lines` the standings, `before` the rounds so
    far with who was drawn to them, `lasts` the places (by entrant) of the newest round. `least` to `most`
    people play at a table.
    """

    entrants: tuple[int, ...]
    people: Mapping[int, Person]
    lines: tuple[StandingLine, ...]
    before: tuple[Seats, ...]
    lasts: Mapping[int, int]
    tables: int
    most: int
    least: int


def tables_for(people: int, tables: int, most: int, least: int) -> int:
    """Return how many tables *people* fill: all, but none with fewer than three if it can be helped.

    Raises BadInput when they do not fit, at tables of *least* to *most*.
    """
    if people < least:
        raise BadInput(text("At least {n} people must be there to draw a round.", n=least))
    found = max(1, min(tables, people // 3), -(-people // most))
    if people > tables * most or people // found < least:
        raise BadInput(
            texts(
                "{people} people do not fit at {n} table of {least} to {most}: give more or larger tables.",
                "{people} people do not fit at {n} tables of {least} to {most}: give more or larger tables.",
                n=tables,
                people=people,
                least=least,
                most=most,
            )
        )
    return found


def apart(people: Mapping[int, Person]) -> dict[tuple[int, int], int]:
    """Return which pairs should not meet, and how much that is worth."""
    found: dict[tuple[int, int], int] = {}
    for part, weight in (("club", CLUB), ("family", FAMILY)):
        groups: dict[str, list[int]] = {}
        for number, person in people.items():
            if name := getattr(person, part):
                groups.setdefault(alike(name), []).append(number)
        for group in groups.values():
            for pair in combinations(sorted(group), 2):
                found[pair] = found.get(pair, 0) + weight
    return found


def kin_since(drawn: HallRound, people: Mapping[int, Person]) -> set[int]:
    """Return who sits with somebody of their family by *drawn*, and was not of it yet when that was drawn."""
    if drawn.people is people:
        return set()

    def family(one: int, known: Mapping[int, Person] = people) -> str:
        return alike(known[one].family) if one in known else ""

    rewritten = {one for one, person in people.items() if person is not drawn.people.get(one)}
    fresh = {one for one in rewritten if family(one) not in ("", family(one, drawn.people))}
    found: set[int] = set()
    for table in drawn.seats if fresh else ():
        for one in fresh.intersection(table):
            near = {other for other in table if family(other) == family(one)}
            found |= near if len(near) > 1 else set()
    return found


def draw_heats(
    field: DrawField,
    rounds: int,
    random: Random,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Seats, ...]:
    """Return *rounds* mixed rounds."""
    tables = tables_for(len(field.entrants), field.tables, field.most, field.least)
    return seating.draw(
        field.entrants,
        tables,
        rounds,
        random=random,
        before=field.before,
        apart=apart({one: field.people[one] for one in field.entrants}),
        progress=progress,
    )


def amended(drawn: tuple[Seats, ...], field: DrawField) -> tuple[Seats, ...]:
    """Return the rounds *drawn* for who is there now: see `seating.amended`."""
    weights = Counter(apart({one: field.people[one] for one in field.entrants}))
    weights.update(seating.meetings(field.before))
    return seating.amended(drawn, field.entrants, weights)


def draw_next(kind: str, field: DrawField, random: Random) -> Seats:
    """Return the next round of a format that is drawn round by round; raise NotNow when there is none."""
    if not field.before or kind == "free":
        return draw_heats(field, 1, random)[0]
    through, tables = goes_on(field)
    keep = apart({one: field.people[one] for one in through})
    return seating.draw(through, tables, 1, random=random, before=field.before, apart=keep)[0]


def rests_on(kind: str, field: DrawField) -> tuple[int, ...]:
    """Return by whom a round of *kind* is drawn: in a knock-out who has gone on, else nobody."""
    if not field.before or kind != "knock-out":
        return ()
    return better_halves(field.before[-1], field.lasts)


def _in_order(field: DrawField) -> list[int]:
    there = set(field.entrants)
    ranked = [line.entrant for line in field.lines if line.entrant in there]
    return ranked + [one for one in field.entrants if one not in set(ranked)]


def goes_on(field: DrawField) -> tuple[list[int], int]:
    """Return who plays on in a knock-out, and at how many tables; raise NotNow when it is over.

    It is the better half of each table, and who is level with its last; one table is the last. A table that
    would be too small for a game is filled up, or the best fill one table fewer.
    """
    if len(field.before[-1]) == 1:
        raise NotNow(ALL_PLAYED)
    there = set(field.entrants)
    sat = {one for table in field.before[-1] for one in table if one in there}
    through = [one for one in better_halves(field.before[-1], field.lasts) if one in there]
    n = len(through)
    tables = 1 if n <= field.most else max(-(-n // field.most), min(field.tables, n // 3))
    filled = _filled(field, through, [one for one in _in_order(field) if one in sat - set(through)], tables)
    nobody_out = n < len(filled) == len(sat)
    if len(filled) < tables * field.least or (nobody_out and tables > 1):
        tables -= 1
        pool = through if n >= tables * field.least else filled
        filled = [one for one in _in_order(field) if one in pool][: tables * field.most]
    if not tables:
        raise NotNow(ALL_PLAYED)
    return filled, tables


def better_halves(seats: Seats, places: Mapping[int, int]) -> tuple[int, ...]:
    """Return the better half of each table by its *places*, with who is level with the last of it."""
    out: list[int] = []
    worst = max(places.values(), default=0) + 1
    for table in seats:
        last = sorted(places.get(one, worst) for one in table)[(len(table) - 1) // 2]
        out += [one for one in table if places.get(one, worst) <= last]
    return tuple(out)


def _filled(field: DrawField, through: list[int], out: list[int], tables: int) -> list[int]:
    """Return *through* with the first of *out*, if *tables* would else be too small for a game."""
    short = tables * field.least - len(through)
    if short <= 0 or not out:
        return through
    place = {line.entrant: line.place for line in field.lines}
    edge = place.get(out[min(short, len(out)) - 1])
    level = [one for n, one in enumerate(out) if n < short or (edge is not None and place.get(one) == edge)]
    room = tables * field.most - len(through)
    return through + (level if len(level) <= room else out[:short])


def finalists(
    lines: Sequence[StandingLine], there: frozenset[int], size: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return who is in the final of *size*, who must play for its last seats, and how many those are.

    Who shares a place across the cut is neither drawn by lot nor by time: they play a deal of one letter.
    """
    places = {line.entrant: line.place for line in lines if line.place is not None and line.entrant in there}
    return settled(tuple(places), places, size)


def settled(
    tied: tuple[int, ...], places: Mapping[int, int], seats: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return who of *tied* got one of *seats* by their *places*, who is still level, and for how many seats.

    Who did not play for a seat comes after those who did.
    """
    last = max(places.values(), default=0) + 1
    order = sorted(tied, key=lambda one: places.get(one, last))
    if len(order) <= seats:
        return tuple(order), (), 0
    edge = places.get(order[seats - 1], last) if seats else 0
    if not seats or places.get(order[seats], last) != edge:
        return tuple(order[:seats]), (), 0
    through = tuple(one for one in order if places.get(one, last) < edge)
    return through, tuple(one for one in order if places.get(one, last) == edge), seats - len(through)


def said_of(kind: str, number: int) -> Text:
    """Return what a round is called."""
    if kind == "final":
        return text("The final")
    return text("For the final’s last seats") if kind == "tie" else text("Round {n}", n=number)


def title_of(state: HallState, number: int) -> Text:
    """Return what round *number* is called."""
    return said_of(next((one.kind for one in state.rounds if one.number == number), "heat"), number)


def said_of_open(title: Text, n: int) -> Text:
    """Return that *n* tables of the round *title* are awaited."""
    return texts(
        "{round}: {n} table has no result yet", "{round}: {n} tables have no result yet", n=n, round=title
    )


class NextStep(msgspec.Struct, frozen=True):
    """What comes next: `kind` is "arrange", "draw", "call", "wait" or "over", `says` its button or reason.

    `why`: why what was drawn already has to be drawn once more, None when nothing was.
    """

    kind: str
    says: Text
    ready: bool = True
    why: Text | None = None


@dataclass(frozen=True)
class Stage:
    """Where an event is when the next round is looked for: its state, outcomes, and standings by those."""

    state: HallState
    found: tuple[TableOutcome, ...]
    lines: tuple[StandingLine, ...]

    def next_step(self) -> NextStep:
        """Return what comes next."""
        state = self.state
        if state.arrangement is None:
            return NextStep("arrange", text("Set up the event"))
        open_ = [one.round for one in self.found if one.open]
        if open_:
            says = said_of_open(title_of(state, open_[0]), open_.count(open_[0]))
            return NextStep("wait", says, ready=False)
        if self.over:
            return NextStep("over", self._over_says(), ready=False)
        if self._must_be_set_up_again:
            return NextStep("arrange", text("Set up the event"))
        drawn = next(iter(state.ahead), None)
        if drawn is not None and not self._is_stale(drawn):
            return NextStep("call", text("Call: {round}", round=said_of(drawn.kind, drawn.number)))
        title = said_of(self.wanted[0], len(state.called) + 1)
        if drawn is None:
            return NextStep("draw", text("Draw: {round}", round=title))
        if self.kept:
            if drawn.entrants == state.there:
                names = listing([state.shown(one) for one in self._kin])
                says = text("Family: who should not sit at one table")
                why = Text("{says} ({names})", {"says": says, "names": names})
            else:
                why = texts(
                    "{n} person has come or gone since the draw.",
                    "{n} people have come or gone since the draw.",
                    n=len(drawn.entrants ^ state.there),
                )
            return NextStep("draw", text("Amend the draw: {round}", round=title), why=why)
        why = text("What was drawn does not fit any more: everybody is reseated.")
        return NextStep("draw", text("Draw: {round}", round=title), why=why)

    def draw(self, random: Random, progress: Callable[[int, int], None] | None = None) -> Drawn:
        """Return what is played next, as an event without author; raise NotNow when nothing is.

        *progress* is told how much there was to improve in the seating, and how much is left.
        """
        made = self._made
        if any(one.open for one in self.found):
            raise NotNow(self.next_step().says)
        if self.over:
            raise NotNow(ALL_PLAYED)
        if self._must_be_set_up_again:
            raise NotNow(named(made.format))
        (kind, people), field = self.wanted, self._field
        first = len(self.state.called) + 1
        if kind != "heat":
            rounds = _beside_heats(kind, people, field, random)
            return Drawn(by="", at=0, first=first, rounds=rounds, kind=kind)
        if self.kept:
            drawn = amended(self.kept, field)
        elif made.format == "mixed":
            drawn = draw_heats(field, max(1, made.rounds - len(self.state.heats)), random, progress)
        else:
            drawn = (draw_next(made.format, field, random),)
        return Drawn(by="", at=0, first=first, rounds=drawn, rests_on=rests_on(made.format, field))

    @property
    def over(self) -> bool:
        """Whether nothing is left to play: not even a final, when too few are there for one."""
        made, state = self._made, self.state
        if made.format == "free":
            return False
        if made.format == "knock-out":
            return bool(state.called) and not self._going_on[0]
        if len(state.heats) < made.rounds:
            return False
        able = sum(1 for one in self.lines if one.place is not None and one.entrant in state.there)
        return not made.final or self._final_called or able < _least(made)

    @cached_property
    def wanted(self) -> tuple[str, tuple[int, ...]]:
        """The kind of the next round and, for a final or a tie before it, who plays.

        Who is still level after a tie plays another. Too few for a game among them are all in the final,
        where there is room for them at its table; else they settle it by hand (`by_hand`).
        """
        made, state = self._made, self.state
        if made.format in ("knock-out", "free") or len(state.heats) < made.rounds or not made.final:
            return "heat", ()
        safe, tied, seats = finalists(self.lines, state.there, made.final)
        for tie in (one.number for one in closing(state) if one.kind == "tie"):
            through, tied, seats = settled(tied, places(self.found, tie), seats)
            safe += through
        if len(tied) < _least(made) and len(safe) + len(tied) <= made.most:
            return "final", safe + tied
        return "tie", tied

    @property
    def _made(self) -> Arrangement:
        """What was arranged; raise BadInput when nothing was."""
        return needed(self.state)

    @cached_property
    def _field(self) -> DrawField:
        """What a draw starts from."""
        made, heats = self._made, self.state.heats
        return DrawField(
            entrants=tuple(sorted(self.state.there)),
            people=self.state.people,
            lines=self.lines,
            before=tuple(one.seats for one in heats),
            lasts=places(self.found, heats[-1].number if heats else 0),
            tables=made.tables,
            most=made.most,
            least=_least(made),
        )

    @property
    def _must_be_set_up_again(self) -> bool:
        """Whether no heat can be drawn in the format of an older event."""
        return self._made.format not in FORMATS and self.wanted[0] == "heat"

    @cached_property
    def kept(self) -> tuple[Seats, ...]:
        """The rounds drawn ahead in which only some people are others than are there now, or new families.

        Nothing when all are the same, or when their tables, number or order would be others, too.
        """
        made, state = self._made, self.state
        heats = made.rounds - len(state.heats) if made.format == "mixed" else 1
        if len(state.ahead) != max(1, heats) or rests_on(made.format, self._field):
            return ()
        for one in state.ahead:
            format_ = (one.made or made).format
            if (one.kind, one.rests_on, format_) != ("heat", (), made.format):
                return ()
            if one.entrants == state.there and not self._kin:
                return ()
            if len(one.seats) != self._tables:
                return ()
        return tuple(one.seats for one in state.ahead)

    @cached_property
    def _kin(self) -> list[int]:
        """Who sits by a draw with somebody who has become their family since."""
        state = self.state
        return sorted({who for one in state.ahead for who in kin_since(one, state.people)})

    def _is_stale(self, drawn: HallRound) -> bool:
        """Return whether others would be drawn now, or they would sit at more or fewer tables.

        A knock-out goes on with those who are left. What was drawn ahead, and fits what is arranged now,
        stays.
        """
        made, people = self._made, drawn.entrants
        kind, others = self.wanted
        if drawn.kind != "heat" or kind != "heat":
            most = _most_in_tie(made.most) if kind == "tie" else made.most
            return (kind, frozenset(others)) != (drawn.kind, people) or max(map(len, drawn.seats)) > most
        if self.state.called and (drawn.made or made).format != made.format:
            return True
        now = rests_on(made.format, self._field) if drawn.rests_on else ()
        going, tables = self.state.there, self._tables
        if made.format == "knock-out" and self.state.called:
            going, tables = frozenset(self._going_on[0]), self._going_on[1]
        return drawn.rests_on != now or (people, len(drawn.seats)) != (going, tables) or bool(self._kin)

    @property
    def _tables(self) -> int:
        """How many tables those who are there fill, 0 if they fit at none."""
        made = self._made
        try:
            return tables_for(len(self.state.there), made.tables, made.most, _least(made))
        except BadInput:
            return 0

    @cached_property
    def _going_on(self) -> tuple[list[int], int]:
        """Who plays on in a knock-out and at how many tables, nobody when it is over."""
        try:
            return goes_on(self._field)
        except NotNow:
            return [], 0

    @property
    def _final_called(self) -> bool:
        return any(one.kind == "final" for one in closing(self.state))

    def _over_says(self) -> Text:
        """Return that all is played, and why without the final that was arranged."""
        made = self._made
        if made.format == "knock-out" or not made.final or self._final_called:
            return ALL_PLAYED
        return text("All is played: fewer than {n} are there for a final.", n=_least(made))


def drawing(percent: int) -> NextStep:
    """Return what is said while a draw is being made."""
    return NextStep("wait", text("Drawing: {percent} %", percent=percent), ready=False)


def _least(made: Arrangement) -> int:
    """Return how many people the game needs."""
    return get_game(made.game).seats[0]


def _most_in_tie(most: int) -> int:
    """Return how many may sit at a table of a tie: three who are level make no tables of two."""
    return max(most, 3)


def _beside_heats(kind: str, people: tuple[int, ...], field: DrawField, random: Random) -> tuple[Seats, ...]:
    """Return the round of a final, at one table, or of a tie before it, at tables of two or more."""
    if kind == "tie" and len(people) > field.most:
        at = replace(field, entrants=people, least=2, most=_most_in_tie(field.most))
        return draw_heats(at, 1, random)
    order = list(people)
    random.shuffle(order)
    return ((tuple(order),),)


def places(found: tuple[TableOutcome, ...], number: int) -> dict[int, int]:
    """Return the place that each has taken at their table in round *number*."""
    return {
        entrant: placing.place
        for one in found
        if one.round == number and one.result is not None
        for entrant, placing in one.result.placings
    }


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
                shorter |= dict((field.only_if,)) if field.only_if is not None else {}
                try:
                    game.read_options(shorter)
                except CompanionError:
                    continue
                return shorter
    return options
