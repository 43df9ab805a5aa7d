"""What a game is: the protocol that page, OLED and log know, and the values it speaks in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from companion.core.model import Verdict
from companion.core.text import Text
from companion.games.pieces.cards import Card
from companion.games.rules.answer import RulesAnswer
from companion.games.rules.calculation import Calculation
from companion.games.rules.carried import Circle
from companion.games.rules.diagram import Diagram
from companion.games.rules.guide import Guide
from companion.games.rules.prompts import Choice, Prompt, WatchNoses
from companion.games.rules.sheet import Sheet

if TYPE_CHECKING:
    from companion.games.rules.base import Plain


class OptionField(msgspec.Struct, frozen=True):
    """An option of a game as set-up shows it.

    `kind` is "flag" (bool), "choice" (one of `choices`), "word" (1 to 12 letters) or "number" (a whole one,
    from `least` to `most`).
    `only_if` names another option and the value it must have for this one to be shown; `rule` is the rule
    that says what it can be (`CHK-9`), empty where none does. `at_hand`: shown without opening the house
    rules, for what the rules leave to each table.
    """

    key: str
    kind: str
    label: Text
    explain: Text
    default: int | str | bool
    choices: tuple[Choice, ...] = ()
    only_if: tuple[str, int | str | bool] | None = None
    rule: str = ""
    at_hand: bool = False
    least: int = 0
    most: int = 0


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


class Moment:
    """What a state means, said once: all that screens, history, files, hall and API read of a game.

    Each part is worked out when it is first asked for, and kept. `lies` is the state for which the cards lie
    on the table where that is not the one before: the state itself after a round that has changed nothing,
    or what stood before an undo or a correction.
    """

    def __init__(self, game: Plain[Any, Any, Any], state: Any, lies: Any = None) -> None:
        self.state = state
        self._game, self._lies = game, lies

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """One Standing a seat, by seat."""
        return self._game.standings(self.state)

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The seats that are not out."""
        return tuple(one.seat for one in self.standings if not one.out)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self._game.outcome(self.state)

    @cached_property
    def asks(self) -> tuple[Prompt, ...]:
        """What the table is to be asked now; when the game has ended, no `WatchNoses`."""
        return self._game.asks(self.state)

    @cached_property
    def noses(self) -> WatchNoses | None:
        """What is watched in the next round, None when none can be armed."""
        return next((ask for ask in self.asks if isinstance(ask, WatchNoses)), None)

    @cached_property
    def advice(self) -> Advice:
        """What to do before the next deal; what was to be done with the deck is said once."""
        return self._game.advice(self._game.dealt_again(self.state) if self._again else self.state)

    @cached_property
    def guide(self) -> Guide | None:
        """The steps from here to the next verdict, only the deal when a round has changed nothing.

        None when the advice says all there is to do.
        """
        if not self._again:
            return self._game.guide(self.state, self._lies)
        found = self._game.guide(self.state)
        return found and msgspec.structs.replace(found, before=found.before[-1:])

    @property
    def _again(self) -> bool:
        return self._lies is not None and bool(self._lies == self.state)

    @cached_property
    def notes(self) -> tuple[Text, ...]:
        """What the rules say about the present moment (who may talk, one deal decides)."""
        return self._game.notes(self.state)

    @cached_property
    def armed_text(self) -> Text:
        """What the armed table is told: who touches first."""
        return self._game.armed_text(self.state)

    @cached_property
    def revised(self) -> Verdict | None:
        """The last round's verdict when moves of the table have changed it since, else None."""
        return self._game.revised_verdict(self.state)

    @cached_property
    def sheet(self) -> Sheet | None:
        """The score sheet, None when the game keeps none."""
        return self._game.sheet(self.state)

    @cached_property
    def highest(self) -> bool:
        """Whether the highest score wins, not the lowest."""
        return self._game.highest(self.state)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each seat on a sheet by its total, shared by equals; without a sheet none."""
        if self.sheet is None:
            return (0,) * len(self.standings)
        sign = 1 if self.highest else -1
        worth = [sign * (one.score or 0) for one in self.standings]
        return tuple(1 + sum(other > mine for other in worth) for mine in worth)

    def gained(self, before: Moment) -> tuple[int, ...]:
        """Return the seats that have got a letter since *before*."""
        both = zip(before.standings, self.standings, strict=True)
        return tuple(after.seat for was, after in both if len(after.letters) > len(was.letters))

    def newly_out(self, before: Moment) -> tuple[int, ...]:
        """Return the seats that are out since *before*."""
        both = zip(before.standings, self.standings, strict=True)
        return tuple(after.seat for was, after in both if after.out and not was.out)

    def said(self, before: Moment, move: Any) -> Text | None:
        """Return what the game itself says of a *move* of the table, None where the standings tell it."""
        return self._game.describe(before.state, move, self.state)

    def headline(self, before: Moment, move: Any, players: tuple[str, ...]) -> Text:
        """Return the sentence of *move* (a Verdict or the game's own), by which *before* became this."""
        return self._game.headline(before, move, self, players)

    def ending(self, players: tuple[str, ...]) -> Text:
        """Return the sentence of the end: who has won, or was last of all."""
        return self._game.ending(self.outcome, players)


class Chance(Protocol):
    """What decides where no person does. Fair, and never part of a game's own functions' results."""

    def pick(self, count: int) -> int:
        """Return one of the numbers from 0 to *count* - 1, each as likely."""

    def order(self, count: int) -> tuple[int, ...]:
        """Return the numbers from 0 to *count* - 1, each order as likely."""


OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


class Game(Protocol[OptionsT, StateT, MoveT]):
    """A game, pure: frozen options, frozen state, moves, and functions from state to state.

    Options, state and moves are frozen structs of the game's own. The table stores a move as JSON and
    gets it back through `read_move`. In that JSON `seat` and `seats`, at any depth, are seats (0: the whole
    table), and nothing else is: where people turn out to have sat elsewhere, they are changed. A judged round
    reaches `play` as a `companion.core.model.Verdict`.
    `agreed` is the rule that options are settled before the game (`CHK-11`), empty where none says so.
    `emblem` is the game's picture: the `d` of an SVG path in a 24 by 24 box, filled. `watched`: noses
    decide; where they do not, there is nothing to arm. `comings`: what it does when people come or go between
    rounds, None where nobody can. `loser`: what whoever was last is called ("the hog"),
    None where that has no name. `role`: what whoever is out is called ("a pig"), likewise. `crowd`: how many
    can play, in words, where `seats` are our own limit and no rule; None where they are the rule's.
    `calculations` can be asked without a table. What most games need not say,
    `companion.games.rules.base.Plain` says.
    """

    name: str
    title: Text
    summary: Text
    seats: tuple[int, int]
    agreed: str
    emblem: str
    watched: bool
    comings: Text | None
    calculations: tuple[Calculation, ...]
    loser: Text | None
    role: Text | None
    crowd: Text | None

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""

    def read_options(self, raw: Mapping[str, Any]) -> OptionsT:
        """Check *raw* and return the game's frozen options; raise BadInput naming the option."""

    def read_move(self, raw: Mapping[str, Any]) -> MoveT:
        """Check *raw* (`{"type": ..., ...}`) and return the game's move; raise BadInput."""

    def new(self, players: tuple[str, ...], options: OptionsT) -> StateT:
        """Return the first state; raise BadInput when the players are too few, too many or alike."""

    def play(self, state: StateT, move: Verdict | MoveT) -> StateT:
        """Return the state after *move* (a Verdict or the game's own); raise IllegalMove naming the rule."""

    def gone_on(self, state: StateT, players: tuple[str, ...], sat: Circle) -> StateT:
        """Return the first state in which *players* play on from *state*, by the seats they take now.

        `sat[i]`: where whoever takes seat i + 1 sat last in this game, None for who is new. Raises NotNow
        when nobody can come or go; where somebody can, `comings` says so.
        """

    def moment(self, state: StateT, lies: StateT | None = None) -> Moment:
        """Return what *state* means; *lies*: the one for which the cards lie on the table (see `Moment`)."""

    def by_chance(self, state: StateT, move: MoveT | None, chance: Chance) -> MoveT | None:
        """Return *move* with what chance decides in it, for the log to hold; *move* itself if nothing.

        For None the move that chance makes before the first deal, None when there is none.
        """

    def deal(self, players: int, options: OptionsT) -> dict[str, Any]:
        """Return what to deal as data: the fields of DealAdvice, and the game's own."""

    def count_hand(self, written: Sequence[str], options: OptionsT) -> Counted | None:
        """Return what the cards or tiles *written* cost at the end, None when hands are not counted.

        Raises BadInput, naming the rule, for a piece that cannot be.
        """

    def answer_query(
        self,
        state: StateT,
        about: str,
        hand: int | None,
        pieces: Sequence[str],
        table: Sequence[str] = (),
    ) -> RulesAnswer:
        """Return what the rules say `about` *pieces*, as a `RulesQuery` asks it; raise BadInput.

        *hand*: None for the one that is being played. *table*: the pieces that lie there, a group each.
        """

    def help(self, options: OptionsT) -> tuple[Section, ...]:
        """Return the rules as this table plays them, short enough to read aloud."""


AnyGame = Game[Any, Any, Any]
"""A game as the registry hands it out: its options, states and moves go back to nobody but itself."""
