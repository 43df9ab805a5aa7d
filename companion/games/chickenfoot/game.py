"""Chickenfoot: a hand for each double of the set, the fewest pips win (CHK-1 to CHK-12). The sheet only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, english, text, texts
from lastnose.companion.games.chickenfoot import help, tiles
from lastnose.companion.games.pieces import dominoes
from lastnose.companion.games.pieces.dominoes import FEET, STARTING_FEET, Feet, Tile
from lastnose.companion.games.rules.carried import AVERAGE
from lastnose.companion.games.rules.checks import CHANGED
from lastnose.companion.games.rules.game import Advice, Group, OptionField, Piece, RulesAnswer, Section
from lastnose.companion.games.rules.prompts import Choice, MarkHand, Prompt, RulesQuery
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.games.sheet_game.latecomers import field as latecomers_field
from lastnose.companion.games.sheet_game.state import (
    Correct,
    HandMark,
    HandScore,
    Score,
    SheetState,
    current,
    sure,
)

# ---- the blocked-hand helper: what can still be played on a double, from what lies on the table (CHK-12)

BLOCKED = "blocked"


def blocked_query(hand: int, highest: int) -> RulesQuery:
    """Return the question that can be asked while *hand* is played; each hand stands for its double."""
    by_hand = _by_hand(highest)
    return RulesQuery(
        BLOCKED,
        text("Is it blocked?"),
        text("Choose a double, and tap every tile with its number that is on the table."),
        hand,
        "tiles",
        by_hand[hand - 1],
        1,
        highest,
        by_hand,
    )


def blocked_answer(
    about: str, suit: int, pieces: Sequence[str], highest: int, *, starting: bool
) -> RulesAnswer:
    """Return what can still be played on the double *suit*; raise BadInput for what cannot lie there.

    *starting*: the hand began with it, or may have: it takes six tiles instead of three (CHK-4).
    """
    if about != BLOCKED:
        raise BadInput(english("Ask about “{blocked}”.", blocked=BLOCKED))
    seen = dominoes.read_tiles(pieces)
    found = dominoes.feet(highest, suit, seen, starting=starting)
    groups = (Group(text("Not on the table yet"), tuple(Piece(str(each)) for each in found.left)),)
    return RulesAnswer(not found.pending, _says(found), "CHK-12", _lines(found), groups if found.left else ())


@cache
def _by_hand(highest: int) -> tuple[tuple[str, ...], ...]:
    """Return the tiles beside the double of each hand, as data writes them."""
    suits = [dominoes.preferred_double(highest, number) for number in range(1, highest + 2)]
    return tuple(tuple(map(str, _others(suit, highest))) for suit in suits)


def _others(suit: int, highest: int) -> tuple[Tile, ...]:
    """Return the tiles of *suit* but its double, which lies there anyway."""
    return tuple(each for each in dominoes.suit_of(suit, highest) if not each.double)


def _says(found: Feet) -> Text:
    if not found.pending:
        return text("It can be completed.")
    if not found.left:
        return text("If it still needs any tile, nobody can complete it.")
    return texts(
        "If it still needs more than {n} tile, nobody can complete it.",
        "If it still needs more than {n} tiles, nobody can complete it.",
        n=len(found.left),
    )


def _lines(found: Feet) -> tuple[Text, ...]:
    takes = text(
        "A double takes {feet} tiles, the one that begins the hand {first}.", feet=FEET, first=STARTING_FEET
    )
    return (takes, help.ENDS) if found.pending else (takes,)


# ---- the game


class Options(msgspec.Struct, frozen=True):
    """How a table plays; fixed for the whole game (CHK-11)."""

    set: int
    double_blank: int
    little_chick: bool
    start: str
    latecomers: str = AVERAGE


_BLANKS = tuple(
    Choice(points, texts("{n} point", "{n} points", n=points), help.blank_costs(points))
    for points in dominoes.DOUBLE_BLANK_POINTS
)
_STARTS = (
    Choice("standard", text("Draw for it"), help.DRAW_FOR_IT),
    Choice("alternative", text("Next lower"), help.NEXT_LOWER),
)
_START = OptionField(
    "start",
    "choice",
    text("How a hand starts"),
    text("What happens when nobody holds the double of the hand."),
    "standard",
    _STARTS,
    rule="CHK-3",
)


_ALL_COUNT = text("Nobody went out and nobody can play: all score what they hold.")


class Blocked(msgspec.Struct, frozen=True, tag="blocked", tag_field="type"):
    """`hand` was blocked: nobody went out (CHK-8)."""

    hand: int


class Chickenfoot(SheetGame[Options, Blocked]):
    name = "chickenfoot"
    title = text("Chickenfoot")
    summary = text("Dominoes on doubles, three toes each. What you hold at the end counts against you.")
    seats = (2, help.MOST_PLAYERS)
    crowd: Text | None = text("2 players or more; here {most} at most", most=help.MOST_PLAYERS)
    emblem = "M11 22v-8L4 6l1.5-1.5L11 11V2h2v9l5.5-6.5L20 6l-7 8v8z"
    options_type = Options
    move_types = Score | Blocked
    drawn = "tiles"
    once = "CHK-11"
    agreed = "CHK-11"

    # ---- set-up

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the options (CHK-1, CHK-3, CHK-7, CHK-9)."""
        sets = tuple(_set_choice(highest) for highest in dominoes.SETS)
        return (
            OptionField(
                "set",
                "choice",
                text("Set"),
                text("The dominoes on the table."),
                dominoes.USUAL_SET,
                sets,
                rule="CHK-1",
            ),
            OptionField(
                "double_blank",
                "choice",
                text("Double blank"),
                text("What the 0-0 costs whoever holds it."),
                dominoes.DOUBLE_BLANK_POINTS[0],
                _BLANKS,
                rule="CHK-9",
            ),
            OptionField(
                "little_chick",
                "flag",
                text("Little chick"),
                text("Announce your last tile, or draw one."),
                False,
                rule="CHK-7",
            ),
            _START,
            latecomers_field(),
        )

    def new(self, players: tuple[str, ...], options: Options) -> SheetState:
        """Return an empty sheet; raise BadInput when the set has too few tiles for so many."""
        state = super().new(players, options)
        dominoes.tiles_each(options.set, len(state.players))
        return state

    def hands(self, options: Options) -> int:
        """Return a hand a suit (CHK-1)."""
        return options.set + 1

    # ---- the sheet

    def line_title(self, state: SheetState, hand: int) -> Text:
        """Return the preferred double (CHK-1, CHK-3)."""
        return text("double {suit}", suit=dominoes.preferred_double(state.options.set, hand))

    def picture(self, state: SheetState, hand: int) -> str:
        """Return the preferred double as a tile."""
        return str(tiles.double(state, hand))

    def dealer(self, state: SheetState, hand: int) -> None:
        """Return nobody: everybody draws."""

    def starter(self, state: SheetState, hand: int) -> None:
        """Return nobody: whoever holds the double starts."""

    def count(self, state: SheetState, pieces: tuple[str, ...]) -> HandScore:
        """Count tiles (CHK-9)."""
        tiles = dominoes.read_tiles(pieces)
        dominoes.check_tiles(tiles, state.options.set)
        points = dominoes.hand_points(tiles, state.options.double_blank)
        return HandScore(points, dominoes.written(tiles))

    def pieces(self, options: Options) -> tuple[str, ...]:
        """Return the tiles of the set."""
        return dominoes.written(dominoes.tiles_of(options.set))

    def pieces_left(self, state: SheetState, hand: int) -> tuple[str, ...]:
        """Return the tiles that may still be in a hand."""
        return dominoes.written(tiles.left(state, hand))

    def least(self, state: SheetState, hand: int) -> int:
        """Return the fewest points that anybody can still have: a tile, once nobody can go out (CHK-8)."""
        return 1 if state.marked("blocked", hand) else super().least(state, hand)

    def most(self, state: SheetState, hand: int) -> int:
        """Return what all tiles that are left add up to."""
        return dominoes.hand_points(tiles.left(state, hand), state.options.double_blank)

    def most_in_any_hand(self, state: SheetState) -> int:
        """Return what the whole set adds up to."""
        return dominoes.hand_points(dominoes.tiles_of(state.options.set), state.options.double_blank)

    def check(self, state: SheetState, hand: int) -> None:
        """Raise IllegalMove for what cannot be (CHK-11)."""
        self.check_winner(state, hand)
        out = self.went_out(state, hand)
        if out and state.marked("blocked", hand):
            raise _not_blocked(state, out)
        tiles.check_tapped(state, hand)
        tiles.check_won(state, hand, out)
        tiles.check_numbers(state, hand, out)
        if state.marked("blocked", hand):
            tiles.check_blocked(state, hand)
        if not out and None not in state.cells[hand - 1] and not state.marked("blocked", hand):
            raise IllegalMove(
                "CHK-8", text("Nobody has 0: say first that the hand was blocked, or who went out.")
            )

    def marked(self, state: SheetState, move: Verdict | Blocked, hand: int) -> HandMark:
        """Return the mark of a blocked hand (CHK-8)."""
        if not isinstance(move, Blocked):
            return super().marked(state, move, hand)
        if move.hand != hand:
            raise IllegalMove("CHK-8", CHANGED)
        if state.marked("blocked", hand):
            raise IllegalMove("CHK-8", CHANGED)
        out = self.went_out(state, hand)
        if out:
            raise _not_blocked(state, out)
        tiles.check_blocked(sure(state, hand), hand)
        return HandMark("blocked", hand)

    def hand_marks(self, options: Options) -> tuple[Choice, ...]:
        """Return that a hand was blocked (CHK-8)."""
        return (Choice("blocked", text("Blocked"), _ALL_COUNT),)

    def own_asks(self, state: SheetState, hand: int) -> tuple[Prompt, ...]:
        """Ask whether the hand was blocked, and offer to work that out (CHK-12)."""
        helper = blocked_query(hand, state.options.set)
        if state.marked("blocked", hand) or self.went_out(state, hand):
            return (helper,)
        return (MarkHand("blocked", text("Blocked"), _ALL_COUNT, hand), helper)

    def answer_query(
        self,
        state: SheetState,
        about: str,
        hand: int | None,
        pieces: Sequence[str],
        table: Sequence[str] = (),
    ) -> RulesAnswer:
        """Return whether the double of *hand* can still be completed, given the *pieces* on the table."""
        now = current(state)
        wanted = hand if hand is not None else now or 1
        highest = state.options.set
        suit = dominoes.preferred_double(highest, wanted)
        starting = wanted == now or state.options.start != "standard"
        return blocked_answer(about, suit, pieces, highest, starting=starting)

    def line_notes(self, state: SheetState, hand: int) -> tuple[Text, ...]:
        """Return who won, or that the hand was blocked."""
        if state.marked("blocked", hand):
            return (text("Blocked"),)
        out = self.went_out(state, hand)
        if not out:
            return ()
        said = text("{player} went out", player=state.player(out[0]))
        return (said, *tiles.doubts(state, hand, out[0]))

    def describe(self, before: SheetState, move: Score | Correct | Blocked, after: SheetState) -> Text | None:
        """Return what history says."""
        if isinstance(move, Blocked):
            return text("Hand {hand}: {title}", hand=move.hand, title=text("Blocked"))
        return super().describe(before, move, after)

    # ---- what to draw, and the rules

    def advice(self, state: SheetState) -> Advice:
        """Return what to draw and which double starts (CHK-1 to CHK-3)."""
        hand, options = current(state), state.options
        sentences = help.drawing(len(state.players), options)
        if hand is not None:
            suit = dominoes.preferred_double(options.set, hand)
            sentences = (*sentences, *help.starting(suit, options))
        each = dominoes.tiles_each(options.set, len(state.players))
        cards = len(dominoes.tiles_of(options.set))
        return Advice(sentences, packs=0, ranks=(), cards=cards, each=each, dealer=None)

    def dealt(self, players: int, options: Options) -> dict[str, Any]:
        """Return how many tiles everybody draws, and how many are left (CHK-2)."""
        each = dominoes.tiles_each(options.set, players)
        return {"tiles_each": each, "boneyard": len(dominoes.tiles_of(options.set)) - each * players}

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return the rules as this table plays them, and tips."""
        return help.sections(options)


def _not_blocked(state: SheetState, out: Sequence[int]) -> IllegalMove:
    says = text(
        "In a blocked hand nobody has 0: {player} holds at least one tile, or it was not blocked.",
        player=state.player(out[0]),
    )
    return IllegalMove("CHK-8", says)


def _set_choice(highest: int) -> Choice:
    explain = text(
        "{tiles} tiles, {hands} hands, {most} players at most.",
        tiles=len(dominoes.tiles_of(highest)),
        hands=highest + 1,
        most=min(dominoes.most_players(highest), help.MOST_PLAYERS),
    )
    return Choice(highest, text("double {suit}", suit=highest), explain)


GAME = Chickenfoot()
