"""What a game is: the protocol that page, OLED and log know, and the values it speaks in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from companion.cards import Card
from companion.games.asks import Ask, Choice
from companion.games.counsel import Counsel
from companion.games.score_sheet import Sheet
from companion.model import Verdict
from companion.text import Text


class OptionField(msgspec.Struct, frozen=True):
    """An option of a game as set-up shows it.

    `kind` is "flag" (bool), "choice" (one of `choices`) or "word" (1 to 12 letters).
    `only_if` names another option and the value it must have for this one to be shown; `rule` is the rule
    that says what it can be (`CHK-9`), empty where none does.
    """

    key: str
    kind: str
    label: Text
    explain: Text
    default: int | str | bool
    choices: tuple[Choice, ...] = ()
    only_if: tuple[str, int | str | bool] | None = None
    rule: str = ""


class Standing(msgspec.Struct, frozen=True):
    """Where a player stands: letters of `word` so far (one string a letter), out or not, or a score.

    `notes` say more about it, short (what has been counted besides).
    """

    seat: int
    letters: tuple[str, ...] = ()
    word: tuple[str, ...] = ()
    out: bool = False
    score: int | None = None
    notes: tuple[Text, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """The game has ended: who won, who (alone) lost, and why."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    why: Text


class Advice(msgspec.Struct, frozen=True):
    """What to do with the deck before the next deal.

    `sentences` in the order to read them aloud; `remove` the cards to take out now; `ranks` what stays or is
    taken, from the ace down; `dealer` the seat that deals.
    """

    sentences: tuple[Text, ...]
    packs: int
    ranks: tuple[str, ...]
    cards: int
    each: int
    dealer: int | None
    remove: tuple[Card, ...] = ()


class Section(msgspec.Struct, frozen=True):
    """A short piece of a help page: a title, and sentences to read aloud."""

    title: Text
    lines: tuple[Text, ...]


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


class Game(Protocol):
    """A game, pure: frozen options, frozen state, moves, and functions from state to state.

    `State`, `Options` and moves are frozen structs of the game's own. The table stores a move as JSON and
    gets it back through `read_move`. A judged round reaches `play` as a `companion.model.Verdict`.
    `agreed` is the rule that options are settled before the game (`CHK-11`), empty where none says so.
    `emblem` is the game's picture: the `d` of an SVG path in a 24 by 24 box, filled. `watched`: noses
    decide; where they do not, there is nothing to arm. What most games need not say,
    `companion.games.plain.Plain` says.
    """

    name: str
    title: Text
    summary: Text
    seats: tuple[int, int]
    agreed: str
    emblem: str
    watched: bool

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""

    def read_options(self, raw: Mapping[str, Any]) -> Any:
        """Check *raw* and return the game's frozen options; raise BadInput naming the option."""

    def read_move(self, raw: Mapping[str, Any]) -> Any:
        """Check *raw* (`{"type": ..., ...}`) and return the game's move; raise BadInput."""

    def new(self, players: tuple[str, ...], options: Any) -> Any:
        """Return the first state; raise BadInput when the players are too few, too many or alike."""

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after *move* (a Verdict or the game's own); raise IllegalMove naming the rule."""

    def standings(self, state: Any) -> tuple[Standing, ...]:
        """Return one Standing a seat, by seat."""

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended, None while it goes on."""

    def asks(self, state: Any) -> tuple[Ask, ...]:
        """Return what the table is to be asked now; when the game has ended, no Watch."""

    def advice(self, state: Any) -> Advice:
        """Return what to do before the next deal, given what changed with the last move."""

    def cue(self, state: Any) -> Text:
        """Return what the armed table is told: who touches first."""

    def notes(self, state: Any) -> tuple[Text, ...]:
        """Return sentences that the rules say about the present moment (who may talk, one deal decides)."""

    def deal(self, players: int, options: Any) -> dict[str, Any]:
        """Return what to deal as data: the fields of DealAdvice, and the game's own."""

    def opening(self, state: Any, chance: Chance) -> Any:
        """Return the move that chance makes before the first deal, None when there is none."""

    def completed(self, state: Any, move: Any, chance: Chance) -> Any:
        """Return *move* with what chance decides in it, for the log to hold; *move* itself if nothing."""

    def said(self, before: Any, move: Any, after: Any) -> Text | None:
        """Return what history says of a move of the table, None where the standings tell it."""

    def restated(self, state: Any) -> Verdict | None:
        """Return the last round's verdict when moves of the table have changed it since, else None."""

    def sheet(self, state: Any) -> Sheet | None:
        """Return the score sheet, None when the game keeps none."""

    def count_hand(self, written: Sequence[str], options: Any) -> Counted | None:
        """Return what the cards or tiles *written* cost at the end, None when hands are not counted.

        Raises BadInput, naming the rule, for a piece that cannot be.
        """

    def counsel(self, state: Any, about: str, hand: int | None, pieces: Sequence[str]) -> Counsel:
        """Return what the rules say `about` *pieces*, as a `Consult` asks it; raise BadInput.

        *hand*: None for the one that is being played.
        """

    def help(self, options: Any) -> tuple[Section, ...]:
        """Return the rules as this table plays them, short enough to read aloud."""
