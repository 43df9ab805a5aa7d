"""Quiz before it begins: its options, and its rules as a table with these options plays them."""

from __future__ import annotations

import msgspec
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.first_family import fair_play
from lastnose.companion.games.rules import carried
from lastnose.companion.games.rules.game import A_NOSE, OptionField, Section
from lastnose.companion.games.rules.prompts import Choice


class QuizOptions(msgspec.Struct, frozen=True):
    """How a table plays; 0 seconds or points: no end by that."""

    teams: str
    opens: str
    then: str
    early: str
    tie: str
    right: int
    wrong: int
    wrong_early: int
    half: bool
    buzz_s: int
    answer_s: int
    late: str
    questions: int
    limit: int
    equal: str
    latecomers: str = carried.ZERO


def option_fields() -> tuple[OptionField, ...]:
    """Return how questions are asked, what they bring, and when it is over."""
    return (*_asking(), *_scoring(), *_ending())


def rules(options: QuizOptions) -> tuple[Section, ...]:
    """Return the rules as a table with these *options* plays them."""
    return (
        Section(text("Aim"), (A_NOSE, *_wanted(options))),
        Section(text("A question"), (*_course(options), *_fringes(options))),
        Section(text("Points"), _paying(options)),
        fair_play(reflexes=False),
    )


def signed(points: int) -> Text:
    """Return *points* with their sign, in words."""
    if points < 0:
        return texts("− {n} point", "− {n} points", n=-points)
    return texts("+ {n} point", "+ {n} points", n=points)


# What a choice is explained by, and what the rules say of it.
OPENS = {
    "after": text("The host reads the question and opens the noses."),
    "reading": text("The host opens the noses and reads; whoever buzzes stops the reading."),
}
THEN = {
    "rearm": text("Wrong: that side is out of this question, and the noses open for the others at once."),
    "queue": text("Wrong: that side is out of this question, and whoever buzzed next answers."),
    "close": text("Wrong: the question is over."),
}
_EARLY = {
    "lock": text("Whoever buzzes before the opening is locked for 0.25 s."),
    "out": text("Whoever buzzes in the last 3 s before the opening is out of this question."),
    "none": text("A buzz before the opening does not count."),
}
_TIE = {
    "duel": text("Nobody can tell who was first? A duel: the noses open for these players only."),
    "both": text("Nobody can tell who was first? Both answer in writing, and each right answer counts."),
    "replace": text("Nobody can tell who was first? The question is thrown out, and another one asked."),
}
_EQUAL = {
    "share": text("Equal points share the place."),
    "more": text("Equal at the top: one more question for them."),
}
ENDS = text("The host may end the quiz between two questions.")
_TEAMS = text("Neighbours are a team: a buzz, an answer and a lock are the whole team’s.")
_HALF = text("After a wrong answer a right one brings half.")
_NO_LIMIT = text("0: no limit.")


# ---- options


def _asking() -> tuple[OptionField, ...]:
    sides = (
        Choice("alone", text("Alone")),
        *(Choice(value, text("{n} teams", n=n)) for n, value in enumerate(("two", "three", "four"), start=2)),
    )
    opens = (
        Choice("after", text("After the question"), OPENS["after"]),
        Choice("reading", text("While it is read"), OPENS["reading"]),
    )
    return (
        _choice("teams", text("Teams"), sides, _TEAMS, at_hand=True),
        _choice("opens", text("Noses open"), opens, at_hand=True),
        *_doubts(),
        _number("buzz_s", text("Seconds to buzz"), 10, 600, _NO_LIMIT),
        *_answering(),
    )


def _answering() -> tuple[OptionField, ...]:
    """Return how long there is to answer, and what comes when that is over."""
    late = (
        Choice("host", text("The host decides")),
        Choice("wrong", text("It counts as wrong")),
    )
    return (
        _number("answer_s", text("Seconds to answer"), 5, 600, _NO_LIMIT),
        _choice("late", text("No answer in time"), late),
    )


def _doubts() -> tuple[OptionField, ...]:
    """Return what comes after a wrong answer, a buzz that was too early, and two that were first together."""
    then = (
        Choice("rearm", text("Open for the others"), THEN["rearm"]),
        Choice("queue", text("Who was next"), THEN["queue"]),
        Choice("close", text("Another question"), THEN["close"]),
    )
    early = (
        Choice("lock", text("Locked for a moment"), _EARLY["lock"]),
        Choice("out", text("Out of the question"), _EARLY["out"]),
        Choice("none", text("Nothing"), _EARLY["none"]),
    )
    tie = (
        Choice("duel", text("A duel"), _TIE["duel"]),
        Choice("both", text("Both answer"), _TIE["both"]),
        Choice("replace", text("Another question"), _TIE["replace"]),
    )
    too_early = _choice("early", text("A buzz before the opening"), early)
    return (
        _choice("then", text("After a wrong answer"), then),
        msgspec.structs.replace(too_early, only_if=("opens", "after")),
        _choice("tie", text("First together"), tie),
    )


def _scoring() -> tuple[OptionField, ...]:
    wrong_early = _number("wrong_early", text("Points off for a wrong answer that cut in"), 5, 1_000)
    return (
        _number("right", text("Points for a right answer"), 10, 1_000),
        _number("wrong", text("Points off for a wrong answer"), 0, 1_000),
        msgspec.structs.replace(wrong_early, only_if=("opens", "reading")),
        OptionField("half", "flag", text("Half for the next"), _HALF, False),
    )


def _ending() -> tuple[OptionField, ...]:
    equal = (
        Choice("share", text("They share"), _EQUAL["share"]),
        Choice("more", text("Another question"), _EQUAL["more"]),
    )
    comes = carried.latecomers_field(carried.ZERO)
    questions = _number("questions", text("Questions"), 20, 999)
    return (
        msgspec.structs.replace(questions, least=1, at_hand=True),
        _number("limit", text("Points to win"), 0, 100_000, _NO_LIMIT),
        _choice("equal", text("Equal points"), equal),
        msgspec.structs.replace(comes, only_if=("teams", "alone")),
    )


def _choice(
    key: str, label: Text, choices: tuple[Choice, ...], explain: Text | None = None, *, at_hand: bool = False
) -> OptionField:
    """Return a choice whose first is what is usual."""
    return OptionField(key, "choice", label, explain, choices[0].value, choices, at_hand=at_hand)


def _number(key: str, label: Text, usual: int, most: int, explain: Text | None = None) -> OptionField:
    return OptionField(key, "number", label, explain, usual, most=most)


# ---- help


def _wanted(options: QuizOptions) -> tuple[Text, ...]:
    asked = texts(
        "The most points after {n} question.", "The most points after {n} questions.", n=options.questions
    )
    if not options.limit:
        return (asked, ENDS)
    wins = texts(
        "Whoever is first to have {n} point has won.",
        "Whoever is first to have {n} points has won.",
        n=options.limit,
    )
    return (asked, wins, ENDS)


def _course(options: QuizOptions) -> tuple[Text, ...]:
    lines = [OPENS[options.opens], text("The host says: right, wrong, or nobody."), THEN[options.then]]
    if options.teams != "alone":
        lines.append(_TEAMS)
    if options.buzz_s:
        lines.append(
            texts(
                "{n} second to buzz; then the question is closed.",
                "{n} seconds to buzz; then the question is closed.",
                n=options.buzz_s,
            )
        )
    if options.answer_s:
        lines.append(_in_time(options))
    return tuple(lines)


def _in_time(options: QuizOptions) -> Text:
    """Return what the clock does to whoever answers."""
    if options.late == "wrong":
        return texts(
            "{n} second to answer, from the name on; then it counts as wrong.",
            "{n} seconds to answer, from the name on; then it counts as wrong.",
            n=options.answer_s,
        )
    return texts(
        "{n} second to answer, from the name on; then “Time!” is said, and the host rules.",
        "{n} seconds to answer, from the name on; then “Time!” is said, and the host rules.",
        n=options.answer_s,
    )


def _fringes(options: QuizOptions) -> tuple[Text, ...]:
    tie = _TIE[options.tie]
    held = text("A nose that is held down at the opening plays once it is let go, and touched again.")
    return (_EARLY[options.early], held, tie) if options.opens == "after" else (held, tie)


def _paying(options: QuizOptions) -> tuple[Text, ...]:
    lines = [text("Right: {points}.", points=signed(options.right))]
    if options.half and options.then != "close":
        lines.append(_HALF)
    if options.wrong:
        lines.append(text("Wrong: {points}.", points=signed(-options.wrong)))
    if options.opens == "reading" and options.wrong_early:
        cut_in = signed(-options.wrong_early)
        lines.append(text("Wrong, and it cut in: {points}, only for whoever is wrong first.", points=cut_in))
    if options.teams == "alone":
        lines.append(carried.latecomers_begin(options.latecomers))
    return (*lines, _EQUAL[options.equal])
