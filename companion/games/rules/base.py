"""What a game is: `Game`, which all else knows; what a state of it means, and a base for games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Protocol

import msgspec
from lastnose.companion.core.errors import BadInput, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, listing, text, texts
from lastnose.companion.games.rules.carried import Circle
from lastnose.companion.games.rules.game import (
    A_NOSE,
    Advice,
    Calculation,
    Chance,
    Counted,
    Guide,
    MoveT,
    OptionField,
    OptionsT,
    Outcome,
    Ready,
    RulesAnswer,
    Section,
    Standing,
    StateT,
)
from lastnose.companion.games.rules.prompts import Prompt, WatchNoses
from lastnose.companion.games.rules.sheet import Sheet


class Moment:
    """What a state means, said once: all that screens, history, files, hall and API read of a game.

    Each part is worked out when it is first asked for, and kept. `lies` is the state for which the cards lie
    on the table where that is not the one before: the state itself after a round that has changed nothing,
    or what stood before an undo or a correction.
    """

    def __init__(self, game: Plain[Any, Any, Any], state: Any, lies: Any = None) -> None:
        self.state = state
        self._game, self._lies = game, lies
        self._again = lies is not None and bool(lies == state)

    def of(self, game: Plain[Any, Any, Any]) -> Moment:
        """Return it, its parts asked of *game* from now on."""
        self._game = game
        return self

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

    @property
    def waits(self) -> bool:
        """Whether no round can be armed before the table has answered."""
        return bool(self.asks) and self.noses is None

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

    @cached_property
    def notes(self) -> tuple[Text, ...]:
        """What the rules say about the present moment (who may talk, one deal decides)."""
        return self._game.notes(self.state)

    @cached_property
    def armed_text(self) -> Text:
        """What the armed table is told: who touches first."""
        return self._game.armed_text(self.state)

    @cached_property
    def ready(self) -> Ready | None:
        """What is done before noses count, None where cards are dealt."""
        return self._game.ready(self.state)

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
        """The place of each seat by its points, shared by equals; 0 where the game counts none."""
        points = [one.score for one in self.standings if one.score is not None]
        best = sorted(points, reverse=bool(points) and self.highest)
        return tuple(0 if one.score is None else 1 + best.index(one.score) for one in self.standings)

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


class Game(Protocol[OptionsT, StateT, MoveT]):
    """A game, pure: frozen options, frozen state, moves, and functions from state to state.

    Options, state and moves are frozen structs of the game's own. The table stores a move as JSON and
    gets it back through `read_move`. In that JSON `seat` and `seats`, at any depth, are seats (0: the whole
    table), and so is the number that ends a `value` such as "right-3"; nothing else is: where people turn out
    to have sat elsewhere, they are changed. A judged round reaches `play` as a
    `companion.core.model.Verdict`.
    `agreed` is the rule that options are settled before the game (`CHK-11`), empty where none says so.
    `emblem` is the game's picture: the `d` of an SVG path in a 24 by 24 box, filled. `watched`: noses
    decide; where they do not, there is nothing to arm. `comings`: what it does when people come or go between
    rounds, None where nobody can. `loser`: what whoever was last is called ("the hog"),
    None where that has no name. `role`: what whoever is out is called ("a pig"), likewise. `crowd`: how many
    can play, in words, where `seats` are our own limit and no rule; None where they are the rule's.
    `on_phones`: how often phones cannot tell who was first, to be said before one chooses them; nothing
    where that is not asked. `by_points`: points rank everybody, also without a sheet. `calculations` can be
    asked without a table. What most games need not say,
    `Plain` says.
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
    on_phones: tuple[Text, ...]
    by_points: bool

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options, in the order set-up shows them."""

    def read_options(self, raw: Mapping[str, Any]) -> OptionsT:
        """Check *raw* and return the game's frozen options; raise BadInput naming the option."""

    def read_move(self, raw: Mapping[str, Any]) -> MoveT:
        """Check *raw* (`{"type": ..., ...}`) and return the game's move; raise BadInput."""

    def new(self, players: tuple[str, ...], options: OptionsT) -> StateT:
        """Return the first state; raise BadInput when the players are too few, too many or alike."""

    def in_teams(self, state: StateT, teams: tuple[tuple[int, ...], ...]) -> StateT:
        """Return the first *state* with the seats of each of *teams* together; raise BadInput."""

    def play(self, state: StateT, move: Verdict | MoveT) -> StateT:
        """Return the state after *move* (a Verdict or the game's own); raise IllegalMove naming the rule."""

    def moot(self, state: StateT, move: MoveT) -> bool:
        """Return whether *move* answered a round that has been voided since: it counts no more, by itself."""

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

    def dealt(self, players: int, options: OptionsT) -> dict[str, Any]:
        """Return what `companion.games.deal` says besides the advice at the start.

        `sentences` are in it where that advice names people.
        """

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


class Plain(Generic[OptionsT, StateT, MoveT]):
    """A base for games. `standings`, `outcome` and `asks` are theirs to say; the rest may be said otherwise.

    The parts of a `Moment` are asked for by that, and by nobody else.
    """

    summary: Text
    agreed: str = ""
    loser: Text | None = None
    role: Text | None = None
    crowd: Text | None = None
    on_phones: tuple[Text, ...] = ()
    by_points: bool = False
    emblem: str = ""
    watched: bool = True
    comings: Text | None = None
    calculations: tuple[Calculation, ...] = ()

    def moment(self, state: StateT, lies: StateT | None = None) -> Moment:
        """Return what *state* means, each part worked out when it is asked for."""
        return Moment(self, state, lies)

    def by_chance(self, state: StateT, move: MoveT | None, chance: Chance) -> MoveT | None:
        """Return *move*: nothing is left to chance, neither before the first deal nor in a move."""
        return move

    def in_teams(self, state: StateT, teams: tuple[tuple[int, ...], ...]) -> StateT:
        """Refuse: nobody answers for anybody else."""
        raise BadInput(english("This game has no teams."))

    # ---- the parts of a moment

    def standings(self, state: StateT) -> tuple[Standing, ...]:
        """Return one Standing a seat, by seat."""
        raise NotImplementedError

    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game ended, None while it goes on."""
        raise NotImplementedError

    def asks(self, state: StateT) -> tuple[Prompt, ...]:
        """Return what the table is to be asked now; when the game has ended, no `WatchNoses`."""
        raise NotImplementedError

    def advice(self, state: StateT) -> Advice:
        """Return nothing to do before a deal: the table knows what it plays with."""
        return Advice((), packs=0, ranks=(), cards=0, each=0, dealer=None)

    def dealt(self, players: int, options: OptionsT) -> dict[str, Any]:
        """Return nothing more than the advice at the start says."""
        return {}

    def notes(self, state: StateT) -> tuple[Text, ...]:
        """Return nothing to be told about the present moment."""
        return ()

    def highest(self, state: StateT) -> bool:
        """Return whether the highest score wins: points are paid, mostly."""
        return False

    def headline(
        self, before: Moment, move: Verdict | MoveT, after: Moment, players: tuple[str, ...]
    ) -> Text:
        """Return the sentence of *move*, by which *before* became *after*."""
        out, letters = after.newly_out(before), after.gained(before)
        if isinstance(move, Verdict) and (move.first or move.nobody):
            return who_was_first(move, players)
        if isinstance(move, Verdict):
            return who_was_last(move, after.standings, letters, out, players, (self.loser, self.role))
        said = self.describe(before.state, move, after.state)
        return said or of_move(after.standings, letters, out, players)

    def ending(self, outcome: Outcome | None, players: tuple[str, ...]) -> Text:
        """Return the sentence of the end: who has won, or was last of all."""
        if outcome is None or not (outcome.winners or outcome.losers):
            return text("The game is over.")
        names = [players[seat - 1] for seat in outcome.winners or outcome.losers]
        if not outcome.winners:
            return texts("{players} loses.", "{players} lose.", n=len(names), players=listing(names))
        if len(names) == 1:
            return text("{player} wins!", player=names[0])
        return text("{players} win!", players=listing(names))

    def describe(self, before: StateT, move: MoveT, after: StateT) -> Text | None:
        """Return nothing: the standings tell it."""
        return None

    def armed_text(self, state: StateT) -> Text:
        return text("Play!")

    def ready(self, state: StateT) -> Ready | None:
        """Return nothing of its own: cards are dealt."""
        return None

    def dealt_again(self, state: StateT) -> StateT:
        """Return *state*: the advice speaks of no deck that changes."""
        return state

    def guide(self, state: StateT, was: StateT | None = None) -> Guide | None:
        """Return no steps: the advice says what to do."""
        return None

    def moot(self, state: StateT, move: MoveT) -> bool:
        """Return False: a move stands on its own."""
        return False

    def gone_on(self, state: StateT, players: tuple[str, ...], sat: Circle) -> StateT:
        """Refuse: what is written belongs to the people it began with."""
        raise NotNow(text("Here nobody can come or go in the middle: end this game, or start it again."))

    def revised_verdict(self, state: StateT) -> Verdict | None:
        """Return nothing: a round stands as it was judged."""
        return None

    def sheet(self, state: StateT) -> Sheet | None:
        """Return nothing: the standings are all there is."""
        return None

    def count_hand(self, written: Sequence[str], options: OptionsT) -> Counted | None:
        """Return nothing: hands are not counted."""
        return None

    def answer_query(
        self,
        state: StateT,
        about: str,
        hand: int | None,
        pieces: Sequence[str],
        table: Sequence[str] = (),
    ) -> RulesAnswer:
        """Raise BadInput: nothing can be asked here."""
        raise BadInput(english("In this game the rules are not asked about single hands."))

    def help(self, options: OptionsT) -> tuple[Section, ...]:
        """Return what the game says about itself."""
        return (Section(text("How to play"), (A_NOSE, self.summary) if self.watched else (self.summary,)),)


# ---- what is said of a round and of a move, where a game has no words of its own


def of_move(
    standings: Sequence[Standing], letters: Sequence[int], out: Sequence[int], players: Sequence[str]
) -> Text:
    """Return what a move of the table has come to: who has got *letters* with it, or who is *out*."""
    if len(letters) == 1 and {*out} <= {*letters}:
        letter = standings[letters[0] - 1].letters[-1]
        return text("{player} gets a letter: {letter}", player=players[letters[0] - 1], letter=letter)
    if len(out) == 1:
        return text("{player} is out", player=players[out[0] - 1])
    return text("A move of the table")


def who_was_first(verdict: Verdict, players: Sequence[str]) -> Text:
    """Return who was first in a round, alone or as a team, or between whom nobody can tell."""
    if verdict.nobody:
        return text("Nobody pressed in time")
    who = listing([players[seat - 1] for seat in verdict.first])
    if verdict.dead_heat:
        return text("Dead heat: {players}", players=who)
    if len(verdict.first) > 1:
        return text("{players} were first", players=who)
    return text("{player} was first", player=who)


def who_was_last(
    verdict: Verdict,
    standings: Sequence[Standing],
    letters: Sequence[int],
    out: Sequence[int],
    players: Sequence[str],
    called: tuple[Text | None, Text | None],
) -> Text:
    """Return who was last in a round, and what that has brought them: *letters*, or they are *out*.

    *called*: what whoever was last is, and whoever is out, where the game has names for it.
    """
    if len(verdict.last) > 1:
        return text("Dead heat: {players}", players=listing([players[seat - 1] for seat in verdict.last]))
    if not verdict.last:
        return text("Who has none?")
    seat = verdict.last[0]
    said: dict[str, Any] = {"player": players[seat - 1]}
    if seat not in letters:
        return (
            text("{player} was last and is out", **said) if seat in out else text("{player} was last", **said)
        )
    said["letter"] = standings[seat - 1].letters[-1]
    loser, role = called
    if loser is None:
        return text("{player} was last: {letter}", **said)
    if role is None or seat not in out:
        return text("{player} is {called}: {letter}", called=loser, **said)
    return text("{player} is {called}: {letter}, and {role}", called=loser, role=role, **said)
