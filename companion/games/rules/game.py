"""The values a game speaks in: options, standings, how it ended, what to do with the deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Any, Protocol, TypeVar

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.games.pieces.cards import Card
from lastnose.companion.games.rules.prompts import Choice

A_NOSE = text(
    "A nose is the button in front of you; without buttons, your own phone or your place on the page."
)  # with it begins the help of every game in which noses are touched


class OptionField(msgspec.Struct, frozen=True):
    """An option of a game as set-up shows it.

    `kind` is "flag" (bool), "choice" (one of `choices`), "word" (1 to 12 letters) or "number" (a whole one,
    from `least` to `most`). `explain` is None where the label says it all.
    `only_if` names another option and the value it must have for this one to be shown; `rule` is the rule
    that says what it can be (`CHK-9`), empty where none does. `at_hand`: shown without opening the house
    rules, for what the rules leave to each table.
    """

    key: str
    kind: str
    label: Text
    explain: Text | None
    default: int | str | bool
    choices: tuple[Choice, ...] = ()
    only_if: tuple[str, int | str | bool] | None = None
    rule: str = ""
    at_hand: bool = False
    least: int = 0
    most: int = 0


class Standing(msgspec.Struct, frozen=True, gc=False):
    """Where a player stands: letters of `word` so far (one string a letter), out or not, or a score.

    `notes` say more about it, short (what has been counted besides). `side` is the team whose score that is,
    from 1; None for whoever plays alone.
    """

    seat: int
    letters: tuple[str, ...] = ()
    word: tuple[str, ...] = ()
    out: bool = False
    score: int | None = None
    notes: tuple[Text, ...] = ()
    side: int | None = None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The game has ended: who won, who (alone) lost, and why."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    why: Text


class Advice(msgspec.Struct, frozen=True):
    """What to do with the deck before the next deal.

    `sentences` in the order to read them aloud; `remove` the cards to take out now; `ranks` what stays or is
    taken, from the ace down; `dealer` the seat that deals; `title` the shortest sentence of what
    to do first, for the largest type, None where the first of `sentences` is short enough.
    """

    sentences: tuple[Text, ...]
    packs: int
    ranks: tuple[str, ...]
    cards: int
    each: int
    dealer: int | None
    remove: tuple[Card, ...] = ()
    title: Text | None = None


class Ready(msgspec.Struct, frozen=True):
    """What is done before noses count: a title, a sentence, the button for then.

    `stage` is what that state of the round is called where no cards are dealt.
    """

    title: Text
    says: Text
    button: Text
    stage: Text | None = None


class Section(msgspec.Struct, frozen=True):
    """A short piece of a help page: a title, sentences to read aloud, and perhaps a drawing beside them."""

    title: Text
    lines: tuple[Text, ...]
    diagram: Diagram | None = None


class Counted(msgspec.Struct, frozen=True):
    """What a hand costs, and the pieces it was counted from, as data writes them."""

    points: int
    pieces: tuple[str, ...]


class DealAdvice(msgspec.Struct, frozen=True):
    """What `deal` says in every game; more is a game's own (`stock`, `tiles_each`)."""

    packs: int
    ranks: tuple[str, ...]
    cards: int
    each: int
    spoons: int | None
    dealer: int | None
    sentences: tuple[Text, ...]


class Chance(Protocol):
    """What decides where no person does. Fair, and never part of a game's own functions' results."""

    def pick(self, count: int) -> int:
        """Return one of the numbers from 0 to *count* - 1, each as likely."""

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers from 0 to *count* - 1, each order as likely."""


OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


# ---- what the rules say about pieces that somebody holds or has laid, as screens draw it, whatever the game


class Piece(msgspec.Struct, frozen=True):
    """A piece by its name ("7S"), and what it stands for where that is something else."""

    name: str
    stands_for: Text | str = ""


class Group(msgspec.Struct, frozen=True):
    """Pieces that belong together, and what they are. `missing`: how many they still want."""

    label: Text
    pieces: tuple[Piece, ...]
    missing: int = 0


class RulesAnswer(msgspec.Struct, frozen=True):
    """Yes or no (`good`), the sentence that `says` so, the `rule` behind it, and what there is to see."""

    good: bool
    says: Text
    rule: str
    lines: tuple[Text, ...] = ()
    groups: tuple[Group, ...] = ()


# ---- what a game can work out for anybody, without a table; the API asks it, and knows no game


class Calculation(msgspec.Struct, frozen=True):
    """One question to a game's rules.

    `name` is what it goes by, unlike that of any other game's; `says` describes it in a sentence. `takes` is
    the struct that holds what is asked, `gives` the one that answers; `answer` makes one of the other and
    raises BadInput for what cannot be. `example` is something to ask, by the fields of `takes`.
    """

    name: str
    says: str
    takes: type[msgspec.Struct]
    gives: type[msgspec.Struct]
    answer: Callable[[Any], msgspec.Struct]
    example: Mapping[str, Any]


# ---- what people do now, in order: before cards go round, and while they do. Screens number the steps


class GuideStep(msgspec.Struct, frozen=True):
    """One thing to do: `says` it in a sentence, `short` in a word or two.

    `cards` are the ones it speaks of, `more` a line beside them; with `stacks` each stands for its rank.
    """

    says: Text
    short: Text
    cards: tuple[Card, ...] = ()
    more: Text | None = None
    stacks: bool = False


class Guide(msgspec.Struct, frozen=True):
    """The steps `before` cards go round and those `then`; `ready` is what to press between them.

    `now` is the sentence while cards go round, `proof` the lines under it.
    """

    before: tuple[GuideStep, ...]
    then: tuple[GuideStep, ...]
    ready: Text
    now: Text
    proof: tuple[Text, ...]


# ---- small drawings for the help pages, in SVG that styles give colour

# Classes: `dg-face` is a card or a tile, `dg-mark` what is printed on it, `dg-go` where something goes,
# `dg-later` what comes after, `dg-open` what may go on.


class Diagram(msgspec.Struct, frozen=True):
    """A drawing: what it shows in words, its size, and what is inside the `svg` element."""

    says: Text
    width: int
    height: int
    inside: str


def round_table(says: Text, *, at_once: bool, seats: int = 6) -> Diagram:
    """Return a table from above, a card going from each seat to its left; in turn, only the first one's."""
    parts = ['<circle class="dg-table" cx="100" cy="100" r="48"/>']
    for seat in range(seats):
        here, there = _at(seat, seats, 78), _at(seat + 0.5, seats, 78)
        parts.append(f'<circle class="dg-seat" cx="{here[0]}" cy="{here[1]}" r="13"/>')
        kind = "dg-way" if at_once or seat == 0 else "dg-way dg-later"
        turn = round(360 * (seat + 0.5) / seats)
        parts.append(
            f'<g class="{kind}" transform="translate({there[0]} {there[1]}) rotate({turn})">'
            '<rect class="dg-face" x="-6" y="-8" width="12" height="16" rx="2"/>'
            '<path class="dg-go" d="M-4 -13H8M4 -17L9 -13L4 -9"/></g>'
        )
    return Diagram(says, 200, 200, "".join(parts))


def _at(seat: float, seats: int, radius: int) -> tuple[float, float]:
    """Return where *seat* sits: the first on top, on to the left of each, which is clockwise from above."""
    angle = 2 * pi * seat / seats - pi / 2
    return round(100 + radius * cos(angle), 1), round(100 + radius * sin(angle), 1)
