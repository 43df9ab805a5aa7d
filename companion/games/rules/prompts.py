"""What a game asks of the table now: a closed union that page and OLED draw without knowing any game."""

from __future__ import annotations

from typing import Literal, TypeGuard

import msgspec
from lastnose.companion.core.model import NO_RULES, FirstRules, Question, Rack
from lastnose.companion.core.text import Text
from lastnose.companion.games.pieces.cards import Card

__all__ = [
    "Choice",
    "Choose",
    "ChooseCard",
    "ChooseSeat",
    "CloseQuestion",
    "CorrectHand",
    "EndGame",
    "EnterScore",
    "FormPrompt",
    "Key",
    "Keypad",
    "MarkHand",
    "Prompt",
    "Rack",
    "RulesQuery",
    "Show",
    "Step",
    "TokenCount",
    "Tokens",
    "WatchNoses",
]


class Choice(msgspec.Struct, frozen=True):
    """One value to choose, with its name, and a sentence where that does not say it all."""

    value: int | str | bool
    label: Text
    explain: Text | None = None


class WatchNoses(msgspec.Struct, frozen=True):
    """Watch `seats`; with `hold` a nose let go before the verdict counts from its next touch.

    Without a `rack` it is their noses that decide; with one, who is left without a spoon. The `question`
    "first" is about who presses first: then `Verdict.first` names that, and one seat may be alone; `rules`
    are the game's for it. `by_host`: nothing arms it but the host. `at_once`: the move that has brought it
    about arms it; and with `goes_on` the question that was just judged goes on among these seats.
    `after_ms`: once it is asked for, chance says how long it is (from, to) until it opens with a signal, and
    what is touched meanwhile is a false start; (0, 0): at once. What is armed for another
    `number` is not this.
    """

    seats: tuple[int, ...]
    hold: bool = False
    rack: Rack | None = None
    question: Question = "last"
    rules: FirstRules = NO_RULES
    by_host: bool = False
    at_once: bool = False
    goes_on: bool = False
    after_ms: tuple[int, int] = (0, 0)
    number: int | None = None


class CloseQuestion(msgspec.Struct, frozen=True):
    """Let the host close what the noses are open for, unanswered: sends the move `{"type": move}`."""

    move: str
    label: Text
    explain: Text


class EndGame(msgspec.Struct, frozen=True):
    """Let the host end the game between two questions, with its ranking: sends the move `{"type": move}`."""

    move: str
    label: Text
    explain: Text


class ChooseSeat(msgspec.Struct, frozen=True):
    """Let the table name one of `seats`: sends the move `{"type": move, "seat": n}`.

    `label` is the button, `explain` says what it will do. With `instead` it may also replace a judged round
    (it says what the round should have been). With a `prompt`, which says how long it can be answered, it is
    asked beside the verdict, one button a seat, rather than kept among what the host may do; `within_s`
    seconds after the verdict (0: as long as it is here) it is asked no more, and the host may still say it.
    Screens are told in `within_s` what is left of them.
    """

    move: str
    label: Text
    explain: Text
    seats: tuple[int, ...]
    instead: bool = False
    prompt: Text | None = None
    within_s: int = 0


class Show(msgspec.Struct, frozen=True, tag="show", tag_field="ask"):
    """Show this above what is asked: a title, lines, and the cards turned so far, the newest last."""

    title: Text
    lines: tuple[Text, ...] = ()
    cards: tuple[Card, ...] = ()


class Choose(msgspec.Struct, frozen=True, tag="choose", tag_field="ask"):
    """Let the table take one of `choices`: sends the move `{"type": move, "value": choice.value}`.

    A `quick` one is a ruling on the round just judged, by large keys beside its verdict: the first of
    `choices` is also Y, → and the host button pressed shortly, the second N, ← and that button held, the
    third X. `side` is the number of the team, or seat, that it is about, which has a tone of its own. Within
    `within_s` of the verdict it should be answered (0: no end): a clock says so, and when that is over the
    box itself answers `overdue`, where that is not "".
    """

    move: str
    label: Text
    explain: Text | None
    choices: tuple[Choice, ...]
    quick: bool = False
    side: int = 0
    within_s: int = 0
    overdue: str = ""


def is_ruling(ask: object) -> TypeGuard[Choose]:
    """Return whether *ask* is about whoever was first just now, to be answered by large keys."""
    return isinstance(ask, Choose) and ask.quick


def is_timed(ask: object) -> TypeGuard[Choose | ChooseSeat]:
    """Return whether *ask* is asked beside a verdict for so many seconds only."""
    return isinstance(ask, Choose | ChooseSeat) and ask.within_s > 0


class ChooseCard(msgspec.Struct, frozen=True, tag="cards", tag_field="ask"):
    """Let the table name one of `cards`: sends the move `{"type": move, "card": "7D"}` (`str(card)`)."""

    move: str
    label: Text
    explain: Text
    cards: tuple[Card, ...]


class Key(msgspec.Struct, frozen=True):
    """A key of a pad, and what may come of it: one choice is taken at once, of several one is asked."""

    key: int | str
    label: Text | str
    choices: tuple[Choice, ...]


class Keypad(msgspec.Struct, frozen=True, tag="pad", tag_field="ask"):
    """Let the player of `seat`, whose turn it is, press one of `keys`.

    `sign` stands in the largest type above them: what the cards in `laid`, the newest last, come to.
    Sends the move `{"type": move, "seat": seat, "key": key.key, "value": choice.value}`.
    """

    move: str
    label: Text
    explain: Text
    seat: int
    keys: tuple[Key, ...]
    sign: Text | str = ""
    laid: tuple[str, ...] = ()


class EnterScore(msgspec.Struct, frozen=True, tag="points", tag_field="ask"):
    """Let the table enter what each of `seats` has left at the end of `hand`, in any order, on any phone.

    Sends `{"type": move, "hand": hand, "seat": n}` with either `"points": n`, from `least` to `most` in steps
    of `step`, or `"pieces": ["5-5", …]`, taken from `pieces`, each as often as it is still there; `worth`
    says what each costs. `drawn` says how they look: "tiles" or "cards". `noted`: with a `"note"`, too.
    """

    move: str
    label: Text
    explain: Text
    hand: int
    seats: tuple[int, ...]
    least: int
    most: int
    step: int
    drawn: Literal["tiles", "cards"]
    pieces: tuple[str, ...]
    worth: tuple[int, ...] = ()
    noted: bool = False


class MarkHand(msgspec.Struct, frozen=True, tag="of-hand", tag_field="ask"):
    """Let the table say something of `hand` as a whole: sends `{"type": move, "hand": hand}`."""

    move: str
    label: Text
    explain: Text
    hand: int


class TokenCount(msgspec.Struct, frozen=True):
    """What `seat` has `left` of its `of` tokens, and `holds` therefore; `open`: one can still be spent."""

    seat: int
    left: int
    of: int
    holds: Text
    open: bool


class Tokens(msgspec.Struct, frozen=True, tag="tokens", tag_field="ask"):
    """Let the table say that somebody spent a token in `hand`.

    Sends `{"type": move, "hand": hand, "seat": n}`.
    """

    move: str
    label: Text
    explain: Text
    hand: int
    purses: tuple[TokenCount, ...]


class RulesQuery(msgspec.Struct, frozen=True, tag="rules-query", tag_field="ask"):
    """Let anybody ask the rules about pieces that they tap. Nothing is written, and nobody else sees it.

    The game's `answer_query` answers, given `about`, a `hand` (this one, if no other is chosen) and the
    pieces: `most` of them at once, each of `pieces` at most `copies` times. With `by_hand` each hand has
    pieces of its own. With `lying`, their name, it may also be said what groups of pieces lie on the table.
    """

    about: str
    label: Text
    explain: Text
    hand: int
    drawn: Literal["tiles", "cards"]
    pieces: tuple[str, ...]
    copies: int
    most: int
    by_hand: tuple[tuple[str, ...], ...] = ()
    lying: Text | None = None


class CorrectHand(msgspec.Struct, frozen=True, tag="correct-hand", tag_field="ask"):
    """Let the table correct what is written of one of `hands`, several cells at once.

    Sends `{"type": move, "hand": n, "cells": [{"seat": n, "points": n}, …], "marks": ["…", …]}`: the cells
    that were wrong (without points: empty), and which of the `marks` hold of the whole hand. Points go from
    `least` in steps of `step`; instead of them a cell may have `"pieces"` out of `pieces`, all there are,
    each `copies` times; `worth` and `drawn` are as for Points.
    """

    move: str
    label: Text
    explain: Text
    hands: tuple[int, ...]
    least: int
    step: int
    drawn: Literal["tiles", "cards"]
    pieces: tuple[str, ...]
    worth: tuple[int, ...]
    copies: int = 1
    marks: tuple[Choice, ...] = ()


Step = Show | Choose | ChooseCard
FormPrompt = Keypad | EnterScore | MarkHand | Tokens | CorrectHand
Prompt = WatchNoses | CloseQuestion | EndGame | ChooseSeat | Step | FormPrompt | RulesQuery
