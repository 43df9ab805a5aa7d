"""What a self-test says to people: what to do now, how it goes, and what they can answer. Pure."""

from __future__ import annotations

from companion.core.text import Text, listing, text
from companion.selftest.contact import Trial
from companion.selftest.plan import Contact, TestPlan
from companion.selftest.skew import ENOUGH
from companion.selftest.view import Reply, Step, Word

_NOTHING = Reply("nothing", text("Nothing happens"), "n")
_SKIP = Reply("skip", text("Leave it out"), "s")
_BACK = Reply("back", text("One back"), "b")
_YES = Reply("yes", text("Yes"), "y")
_NO = Reply("no", text("No"), "n")
_STOP = Reply("stop", text("Stop here"), "q")
_LEAVE = Reply("leave", text("Finish"), "q")

_CHOICES: dict[Step, tuple[Reply, ...]] = {
    "rest": (_STOP,),
    "contact": (_NOTHING, _SKIP, _BACK, _STOP),
    "tied": (_SKIP, _BACK, _STOP),
    "wired": (_SKIP, _BACK, _STOP),
    "spread": (_SKIP, _BACK, _STOP),
    "lamps": (_YES, _NO, _SKIP, _BACK, _STOP),
    "screen": (_YES, _NO, _SKIP, _BACK, _STOP),
    "sounds": (_YES, _NO, _SKIP, _BACK, _STOP),
    "done": (_LEAVE,),
}


def choices(step: Step) -> tuple[Reply, ...]:
    """Return what can be answered in *step*."""
    return _CHOICES[step]


def not_now(word: Word) -> Text:
    """Return the refusal of a word that does not fit the step."""
    return text("“{word}” is no answer to what is asked now. Look at the page again.", word=word)


def prompt(step: Step, plan: TestPlan, contact: Contact | None, *, passed: bool, stopped: bool) -> Text:
    """Return what to do now, as one sentence."""
    if step == "spread" and contact is not None:
        return text(
            "Lay one bar across {a} and {b}, and press both with it, {n} times.",
            a=contact.label,
            b=plan.find(plan.spread[contact.line]).label,
            n=plan.presses,
        )
    if contact is not None:
        return _TOUCH[contact.kind](contact)
    match step:
        case "rest":
            return text("Hands off everything, and every spoon in its cradle.")
        case "tied":
            assert plan.tied is not None
            one, other = (plan.find(line) for line in plan.tied)
            return text(
                "Tie the terminals of {a} and {b} together, and press {a} {n} times.",
                a=one.label,
                b=other.label,
                n=ENOUGH,
            )
        case "wired":
            assert plan.wired is not None
            pin, lines = plan.wired
            moved = listing([plan.find(line).label for line in lines])
            return text("GPIO{pin} moves {line} now: hands off.", pin=pin, line=moved)
        case "lamps":
            return text("Do the lamps light one after the other, from 1 to {n}?", n=plan.lamps)
        case "screen":
            return text("Does the small screen show a frame along all four edges, and an even chessboard?")
        case "sounds":
            return text("Does the buzzer play five short tunes, one after the other?")
    if stopped:
        return text("Stopped before the end.")
    return text("All is well: play.") if passed else text("Not all is well yet.")


_TOUCH = {
    "nose": lambda contact: text("Touch {a}, and let go.", a=contact.label),
    "spoon": lambda contact: text("Take {a} out, and lay it back.", a=contact.label),
    "dock": lambda contact: text("Lay a spoon into {a}, and take it out again.", a=contact.label),
    "host": lambda contact: text("Press the host button, and let go."),
}


def hints(step: Step, plan: TestPlan, trial: Trial | None, progress: tuple[int, int]) -> tuple[Text, ...]:
    """Return what helps with it: the wire and the pin, what was heard instead, how far it is."""
    if trial is not None:
        return _about(plan, trial)
    if step == "tied":
        return (text("{n} of {of} changes seen.", n=progress[0], of=progress[1]),)
    if step == "spread":
        return (text("{n} of {of} presses seen.", n=progress[0], of=progress[1]),)
    if step == "wired":
        n, of = progress[0] // 20 * 20, progress[1]
        busy = (text("The machine is kept busy meanwhile."),) if progress[0] >= of // 2 else ()
        return (text("{n} of {of} changes made.", n=n, of=of), *busy)
    if step == "lamps":
        return (text("Now lamp {n}.", n=progress[0]),)
    return ()


def _about(plan: TestPlan, trial: Trial) -> tuple[Text, ...]:
    contact = trial.contact
    assert contact.colour is not None
    said = [text("Its wire is {colour}, at {own}.", colour=contact.colour.name, own=contact.where)]
    if trial.blocked:
        said.append(
            text("It is closed already: let go of it.")
            if contact.rest == 0
            else text("It is open already: is the spoon in its cradle?")
        )
    if trial.wrong is not None:
        other = plan.find(trial.wrong)
        said.append(
            text("That was {pin}, where nothing should be. Once more: {a}.", pin=other.where, a=contact.label)
            if other.kind == "spare"
            else text(
                "That was {b}, at {pin}. Once more: {a}.", b=other.label, pin=other.where, a=contact.label
            )
        )
    if trial.weak:
        said.append(text("That was very short. Once more, and hold it a moment."))
    return tuple(said)
