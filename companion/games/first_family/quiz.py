"""Quiz: whoever is first to buzz answers, and the host says right, wrong or nobody (QUIZ-1 to 8).

Sources: the rules of NAQT, ACF, Science Bowl, University Challenge and Génies en herbe, as their players
write them down; options are what they differ in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove, NotNow
from lastnose.companion.core.model import FirstRules, Verdict
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.first_family import Calls, CallState, Ruled, joined, of_ruling, on_phones
from lastnose.companion.games.first_family.quiz_options import (
    ENDS,
    OPENS,
    THEN,
    QuizOptions,
    option_fields,
    rules,
    signed,
)
from lastnose.companion.games.rules import carried
from lastnose.companion.games.rules.base import Moment, who_was_first
from lastnose.companion.games.rules.carried import Circle, staying
from lastnose.companion.games.rules.game import OptionField, Outcome, Ready, Section, Standing
from lastnose.companion.games.rules.prompts import Choice, Choose, CloseQuestion, EndGame, Prompt, WatchNoses

TEAMS = {"alone": 0, "two": 2, "three": 3, "four": 4}
LOCK_MS, OUT_MS = 250, 3_000  # how long a false start locks, and how long before the opening one shuts out
MOST_DUELS = 3
MOST_EXTRA = 5  # so many more questions for who are equal at the top, then they share


class Closed(msgspec.Struct, frozen=True, tag="closed", tag_field="type"):
    """The host closes the question unanswered: nobody knows."""


class Ended(msgspec.Struct, frozen=True, tag="ended", tag_field="type"):
    """The host says that the last question has been asked."""


class QuizState(CallState[QuizOptions], frozen=True, kw_only=True):
    """Points by side (a team, or somebody alone), and the question that is asked.

    `stage`: "closed" before it is opened, "again" when it is open for the others after a wrong answer, "duel"
    between those who were first together. `shut` are the sides that answered wrongly, or began too early,
    `tied` those of the duel, `duels` how many there were, `wrongs` the buzzes that have brought nothing but
    wrong answers. `team` is the side of each seat. `waiting` are sides that answer next, one after the other,
    as they were first together. `thrown`: questions replaced. `among`: the equal best, who are asked one more
    after the last; `extra`: how many such there were. `written`: who was first together answers in writing.
    `ended`: the host has said that the last question has been asked. `paid` is what this question has brought
    each side by now: a question that is thrown out leaves nothing of it.
    """

    points: tuple[int, ...]
    team: tuple[int, ...]
    question: int = 1
    stage: str = "closed"
    shut: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    duels: int = 0
    wrongs: int = 0
    waiting: tuple[int, ...] = ()
    scored: bool = False
    thrown: int = 0
    among: tuple[int, ...] = ()
    extra: int = 0
    written: bool = False
    ended: bool = False
    paid: tuple[tuple[int, int], ...] = ()


class Quiz(Calls[QuizOptions, QuizState, Closed | Ended]):
    """The game. Sides count from 0."""

    name = "quiz"
    title = text("Quiz")
    summary = text(
        "The host asks. Whoever is first to buzz answers; a wrong answer opens the question for the others. "
        "The most points win."
    )
    seats = (2, 26)
    crowd: Text | None = text("2 players or more; here {most} at most", most=26)
    emblem = (
        "M12 2a7 7 0 0 1 7 7c0 3-1.7 4.6-3.2 5.9C14.5 16 13.8 16.6 13.8 18h-3.6c0-3 1.7-4.5 "
        "3.2-5.8C14.6 11.2 15.4 10.5 15.4 9a3.4 3.4 0 0 0-6.8 0H5a7 7 0 0 1 7-7z"
        "M10 19.5h4V23h-4z"
    )
    options_type = QuizOptions
    move_types = Ruled | Closed | Ended
    comings: Text | None = text(
        "A newcomer starts with what you have chosen. Anyone who comes back has the points they had. In "
        "teams they join the smallest, or their own again. Anyone who leaves is not ranked."
    )
    on_phones = on_phones(reflexes=False)
    by_points = True
    call_rule = "QUIZ-3"
    end_rule = "QUIZ-8"

    # ---- set-up

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return how questions are asked, what they bring, and when it is over."""
        return option_fields()

    def begin(self, players: tuple[str, ...], options: QuizOptions) -> QuizState:
        """Return the state before the first question."""
        count = min(TEAMS[options.teams], len(players)) or len(players)
        team = tuple(seat * count // len(players) for seat in range(len(players)))  # neighbours, evenly
        return QuizState(players=players, options=options, points=(0,) * count, team=team)

    def in_teams(self, state: QuizState, teams: tuple[tuple[int, ...], ...]) -> QuizState:
        """Return the first state in these *teams*; who is in none of them is in one of those left over."""
        seats, most = range(1, len(state.players) + 1), TEAMS[state.options.teams]
        side_of = {seat: side for side, team in enumerate(teams) for seat in team}
        team = tuple(side_of.get(seat, min(len(teams), most - 1)) for seat in seats)
        strange = len(side_of) < sum(map(len, teams)) or not side_of.keys() <= {*seats}
        if strange or len({*team}) < 2 or max(len(teams), *team) > most:
            if not most:
                raise BadInput(english("This quiz is played alone: for teams set its option teams."))
            said = (
                "These teams do not fit: {most} at most, somebody in at least two of them, and each seat of "
                "the game in one at most."
            )
            raise BadInput(english(said, most=most))
        points = (0,) * max(len(state.points), len(teams))  # also of a team that everybody has left
        return msgspec.structs.replace(state, team=team, points=points)

    def brought(self, state: QuizState, sat: Circle) -> dict[str, Any]:
        """Return the question, and everybody's side and points; those who come or go are of the next one."""
        if state.stage != "closed":
            raise NotNow(text("A question is open: end it first."))
        asked = {"question": state.question, "thrown": state.thrown, "extra": state.extra}
        if TEAMS[state.options.teams]:
            team, points = joined(sat, len(state.points)), state.points
            if len(set(team)) < 2:
                raise NotNow(text("Two teams at least need players: else begin another game."))
            still = tuple(side for side in state.among if side in team)
        else:
            here, team = staying(sat), tuple(range(len(sat)))
            gives = carried.latecomer_points(
                state.options.latecomers, [state.points[seat - 1] for seat in here]
            )
            points = tuple(gives if one is None else one.state.points[one.seat - 1] for one in sat)
            still = tuple(sorted(here[side + 1] - 1 for side in state.among if side + 1 in here))
        return {**asked, "points": points, "team": team, "among": still if len(still) > 1 else ()}

    # ---- sides

    def eligible(self, state: QuizState) -> tuple[int, ...]:
        """Return the seats that may buzz now."""
        return _seats_of(state, self._sides(state))

    def _sides(self, state: QuizState) -> tuple[int, ...]:
        """Return the sides that may buzz now: who is left of the question, of a duel, or of a tie."""
        if state.stage == "duel":
            return state.tied
        playing = state.among or tuple(sorted({*state.team}))
        return tuple(side for side in playing if side not in state.shut)

    # ---- moves

    def play(self, state: QuizState, move: Verdict | Ruled | Closed | Ended) -> QuizState:
        """Return the state after *move*; raise IllegalMove naming the rule."""
        if not isinstance(move, Verdict) or move.void is not None:
            return super().play(state, move)
        self._check_going_on(state)
        state = self._early(msgspec.structs.replace(state, begun=True), move)
        if not move.first:
            return _over(state)
        named = _named(state, move)
        for seat in named:
            self.check_playing(state, self.call_rule, seat)
        order = tuple(seat for seat in move.order if 1 <= seat <= len(state.players))
        sides = _sides_of(state, named)
        if len(sides) == 1:
            after = msgspec.structs.replace(state, called=_seats_of(state, sides), order=order)
            if state.stage == "duel" and state.options.then == "queue":
                # Who had buzzed with them is the next, before anybody whom the duel left out.
                ranked = dict.fromkeys([*(state.team[seat - 1] for seat in order), *state.tied])
                rest = tuple(side for side in ranked if side not in sides)
                return msgspec.structs.replace(after, waiting=rest)
            return after
        return self._tied(state, sides, order)

    def _early(self, state: QuizState, verdict: Verdict) -> QuizState:
        """Return *state* with the sides shut out that began too early, where that is played (QUIZ-4)."""
        if state.options.early != "out":
            return state
        early = _sides_of(state, (press.seat for press in verdict.early))
        return msgspec.structs.replace(state, shut=tuple(sorted({*state.shut, *early})))

    def _tied(self, state: QuizState, sides: tuple[int, ...], order: tuple[int, ...]) -> QuizState:
        """Return the state after *sides* were first together (QUIZ-7)."""
        tie = state.options.tie
        if tie == "replace":
            for side, worth in state.paid:
                state = _paid(state, side, -worth)
            return msgspec.structs.replace(_closed(state), thrown=state.thrown + 1)
        if tie == "duel" and state.duels < MOST_DUELS:
            return msgspec.structs.replace(state, stage="duel", tied=sides, duels=state.duels + 1)
        first, *rest = sides
        called = _seats_of(state, (first,))
        return msgspec.structs.replace(state, called=called, order=order, waiting=tuple(rest), written=True)

    def moved(self, state: QuizState, move: Closed | Ended) -> QuizState:
        """Return the state after the host has closed the question unanswered, or ended the quiz (QUIZ-8)."""
        if isinstance(move, Closed):
            return _over(state)
        if state.stage != "closed" or state.question == 1:
            raise IllegalMove(self.end_rule, ENDS)
        if state.among:  # no more of those for the best: they share
            return msgspec.structs.replace(state, among=(), extra=MOST_EXTRA)
        after = msgspec.structs.replace(state, ended=True)
        among = _equals(after)
        return msgspec.structs.replace(after, among=among, extra=after.extra + bool(among))

    def ruled(self, state: QuizState, value: str) -> QuizState:
        """Return the state after the host has said what an answer was worth (QUIZ-3, QUIZ-5)."""
        (side,) = _sides_of(state, state.called)
        options = state.options
        if value == "nobody":
            return _over(state)
        if value == "right":
            worth = options.right // 2 if options.half and state.wrongs else options.right
            state = _paid(msgspec.structs.replace(state, scored=True), side, worth)
        else:
            worth = -(options.wrong_early if value == "cut-in" else options.wrong)
            state = _paid(state, side, worth)
            shut = tuple(sorted({*state.shut, side}))
            both = state.written and state.waiting  # as one answer: neither came after the other
            state = msgspec.structs.replace(state, shut=shut, wrongs=state.wrongs + (not both))
        return state

    def _ruled(self, state: QuizState, move: Ruled) -> QuizState:
        after = super()._ruled(state, move)
        if after.question != state.question:
            return after
        if after.waiting and not (after.scored and not after.written):  # they were first together
            side, *rest = after.waiting
            return msgspec.structs.replace(
                after, called=_seats_of(after, (side,)), order=state.order, waiting=tuple(rest)
            )
        again = msgspec.structs.replace(after, stage="again", tied=(), written=False)
        if after.scored or after.options.then == "close" or not self._sides(again):
            return _over(after)
        return again

    # ---- what is asked

    def asks(self, state: QuizState) -> tuple[Prompt, ...]:
        """Ask who is first, when the host opens; then what the answer was worth; nothing after the end."""
        if self.outcome(state) is not None:
            return ()
        if state.called:
            return (self._ruling(state),)
        again = state.stage == "again"
        seats = self.eligible(state)
        noses = WatchNoses(
            seats,
            question="first",
            rules=self._rules(state),
            by_host=True,
            at_once=again,
            goes_on=again and state.options.then == "queue",
            number=state.question + state.thrown,
        )
        close = CloseQuestion("closed", text("Nobody"), text("The question is closed."))
        if state.stage != "closed" or state.question == 1:
            return (noses, close)
        return (noses, close, EndGame("ended", text("That was the last question"), ENDS))

    def _rules(self, state: QuizState) -> FirstRules:
        """Return the rules of the next opening; a false start is one of a question's first opening only."""
        options, sides = state.options, range(len(state.points))
        teams = TEAMS[options.teams]  # all of them, also who is not asked: each is known by its number
        early = options.early if state.stage == "closed" and options.opens == "after" else "none"
        return FirstRules(
            teams=tuple(_seats_of(state, (side,)) for side in sides) if teams else (),
            lock_ms={"lock": LOCK_MS, "out": OUT_MS}.get(early, 0),
            shuts_out=early == "out",
            skips_held=True,
            within_ms=options.buzz_s * 1_000,
        )

    def choices(self, state: QuizState) -> tuple[Choice, ...]:
        """Return what an answer may have been worth."""
        options = state.options
        worth = options.right // 2 if options.half and state.wrongs else options.right
        found = [
            Choice("right", text("Right"), signed(worth)),
            Choice(
                "wrong", text("Wrong"), signed(-options.wrong) if options.wrong else text("It costs nothing.")
            ),
            Choice("nobody", text("Nobody"), text("The question is closed.")),
        ]
        if options.opens == "reading" and not state.wrongs:
            found.append(Choice("cut-in", text("Wrong, cut in"), signed(-options.wrong_early)))
        return tuple(found)

    def _ruling(self, state: QuizState) -> Choose:
        ruling = super()._ruling(state)
        (side,) = _sides_of(state, state.called)
        label = text("{player} answers.", player=_name_of(state, side))
        within_s = 0 if state.written else state.options.answer_s
        overdue = "time" if within_s and state.options.late == "wrong" else ""
        return msgspec.structs.replace(ruling, label=label, side=side + 1, within_s=within_s, overdue=overdue)

    # ---- what a state means

    def standings(self, state: QuizState) -> tuple[Standing, ...]:
        """Return the points of everybody, those of a team at each of its seats."""
        found = []
        for seat in range(1, len(state.players) + 1):
            (side,) = _sides_of(state, (seat,))
            notes: list[Text] = []
            if TEAMS[state.options.teams]:
                notes.append(_team(side))
            if state.shut and side in state.shut:
                notes.append(text("locked out"))
            team = side + 1 if TEAMS[state.options.teams] else None
            found.append(Standing(seat=seat, score=state.points[side], notes=tuple(notes), side=team))
        return tuple(found)

    def highest(self, state: QuizState) -> bool:
        """Return that points are what one wants."""
        return True

    def outcome(self, state: QuizState) -> Outcome | None:
        """Return who has the most points once the last question is over; equal is shared, or played off."""
        if state.called or state.stage != "closed" or not _asked_all(state) or state.among:
            return None
        best = _best(state)
        winners = tuple(side for side in state.team if state.points[side] == best)
        why = texts("{n} point.", "{n} points.", n=best)
        return Outcome(winners=_seats_of(state, winners), losers=(), why=why)

    def headline(
        self, before: Moment, move: Verdict | Ruled | Closed | Ended, after: Moment, players: tuple[str, ...]
    ) -> Text:
        """Return the sentence of *move*; teams go by their own names."""
        state: QuizState = before.state
        if isinstance(move, Verdict) and move.nobody:
            out = _sides_of(state, (press.seat for press in move.early))
            if state.options.early == "out" and {*out} >= {*_sides_of(state, move.asked)}:
                return text("False start: {players}", players=_names_of(state, out))
            return text("Nobody pressed in time")
        if isinstance(move, Verdict) and move.first:
            sides = _sides_of(state, _named(state, move))
            if len(sides) == 1 and state.stage == "again" and state.options.then == "queue":
                return text("{player} was next", player=_name_of(state, sides[0]))
            if len(sides) == 1 and not TEAMS[state.options.teams]:
                return who_was_first(move, players)
            if len(sides) == 1:
                return text("{player} was first", player=_name_of(state, sides[0]))
            return text("Dead heat: {players}", players=_names_of(state, sides))
        return super().headline(before, move, after, players)

    def describe(self, before: QuizState, move: Ruled | Closed | Ended, after: QuizState) -> Text | None:
        """Return what history says of *move*."""
        if isinstance(move, Closed):
            return text("Nobody")
        if isinstance(move, Ended):
            return text("That was the last question")
        if not before.called:
            return super().describe(before, move, after)
        (side,) = _sides_of(before, before.called)
        named, gained = _name_of(before, side), after.points[side] - before.points[side]
        if move.value == "nobody":
            return text("Nobody")
        said = of_ruling(text("Right") if move.value == "right" else text("Wrong"), named)
        if move.value == "time":
            said = text("Time! {player}", player=named)
        return text("{first}, {next}", first=said, next=signed(gained)) if gained else said

    def ready(self, state: QuizState) -> Ready:
        """Return what the host does next: ask, and open the noses."""
        title = text("A duel") if state.stage == "duel" else text("Question {n}", n=state.question)
        says = OPENS[state.options.opens]
        if state.stage == "again":  # where it has not gone on by itself
            says = THEN[state.options.then]
        elif state.stage == "duel" or state.among:
            says = _only(state, state.tied or state.among)
        return Ready(title, says, text("Open the noses"), text("Question"))

    def armed_text(self, state: QuizState) -> Text:
        """Return what the open noses are for."""
        if state.stage == "again":
            return text("Wrong. Who else?")
        if state.stage == "duel":
            return _only(state, state.tied)
        return text("Buzz!")

    def help(self, options: QuizOptions) -> tuple[Section, ...]:
        """Return the rules as a table with these *options* plays them."""
        return rules(options)


# ---- sides: teams of neighbours, or everybody alone


def _named(state: QuizState, verdict: Verdict) -> tuple[int, ...]:
    """Return the seats that were first, as the teams are now.

    A team that was first may have become several since, as it was corrected who sat where: then it is who
    pressed that counts.
    """
    if verdict.dead_heat or len(_sides_of(state, verdict.first)) == 1:
        return verdict.first
    return tuple(seat for seat in verdict.order if seat in verdict.first)[:1] or verdict.first


def _sides_of(state: QuizState, seats: Iterable[int]) -> tuple[int, ...]:
    """Return the sides of *seats*, ascending."""
    return tuple(sorted({state.team[seat - 1] for seat in seats if 1 <= seat <= len(state.players)}))


def _seats_of(state: QuizState, sides: Iterable[int]) -> tuple[int, ...]:
    wanted = set(sides)
    return tuple(seat for seat, side in enumerate(state.team, start=1) if side in wanted)


def _name_of(state: QuizState, side: int) -> Text | str:
    """Return what a side is called: "Team 2", or the player."""
    if TEAMS[state.options.teams]:
        return _team(side)
    return state.players[side]


def _names_of(state: QuizState, sides: Iterable[int]) -> Text | str:
    return listing([_name_of(state, side) for side in sides])


def _only(state: QuizState, sides: Iterable[int]) -> Text:
    return text("Only {players} may buzz.", players=_names_of(state, sides))


def _team(side: int) -> Text:
    return text("Team {n}", n=side + 1)


def _asked_all(state: QuizState) -> bool:
    """Return whether the last question is over, or somebody has the points that win."""
    options = state.options
    if state.ended or state.question > options.questions:
        return True
    return 0 < options.limit <= _best(state)


def _best(state: QuizState) -> int:
    """Return the most points of a side that has somebody."""
    return max(state.points[side] for side in state.team)


def _equals(state: QuizState) -> tuple[int, ...]:
    """Return the sides that are equal at the top after the last question, where these are asked more."""
    if state.options.equal != "more" or state.extra >= MOST_EXTRA or not _asked_all(state):
        return ()
    best = _best(state)
    top = tuple(side for side in sorted({*state.team}) if state.points[side] == best)
    return top if len(top) > 1 else ()


def _paid(state: QuizState, side: int, worth: int) -> QuizState:
    points = tuple(have + worth * (one == side) for one, have in enumerate(state.points))
    return msgspec.structs.replace(state, points=points, paid=(*state.paid, (side, worth)))


def _over(state: QuizState) -> QuizState:
    """Return the state before the next question; who is equal at the top after the last has one more."""
    after = msgspec.structs.replace(_closed(state), question=state.question + 1)
    among = _equals(after)
    return msgspec.structs.replace(after, among=among, extra=after.extra + bool(among))


def _closed(state: QuizState) -> QuizState:
    nothing: dict[str, Any] = dict.fromkeys(("shut", "tied", "waiting", "called", "order", "paid"), ())
    return msgspec.structs.replace(
        state, stage="closed", duels=0, wrongs=0, written=False, scored=False, **nothing
    )


GAME = Quiz()
