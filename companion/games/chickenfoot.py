"""Chickenfoot: a hand for each double of the set, the fewest pips win (CHK-1 to CHK-12). The sheet only.

What can still be played on a double is `companion.games.blocked`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion import dominoes
from companion.dominoes import Tile
from companion.errors import IllegalMove
from companion.games import blocked
from companion.games.asks import Ask, Choice, OfHand
from companion.games.counsel import Counsel
from companion.games.game import Advice, OptionField, Section
from companion.games.setup import check_count
from companion.games.sheet import Held, Mark, Score, SheetGame, State, current
from companion.text import Text, listing, text, texts

MOST_PLAYERS = 26


class Options(msgspec.Struct, frozen=True):
    """How a table plays; fixed for the whole game (CHK-11)."""

    set: int
    double_blank: int
    little_chick: bool
    start: str


class Blocked(msgspec.Struct, frozen=True, tag="blocked", tag_field="type"):
    """`hand` was blocked: nobody went out (CHK-8)."""

    hand: int


class Chickenfoot(SheetGame):
    """The game."""

    name = "chickenfoot"
    title = text("Chickenfoot")
    summary = text("Dominoes on doubles, three toes each. What you hold at the end counts against you.")
    seats = (2, MOST_PLAYERS)
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
                text("What the 0-0 costs who holds it."),
                dominoes.DOUBLE_BLANK_POINTS[0],
                tuple(
                    Choice(
                        points, texts("{n} point", "{n} points", n=points), text("Agreed before the game.")
                    )
                    for points in dominoes.DOUBLE_BLANK_POINTS
                ),
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
            OptionField(
                "start",
                "choice",
                text("Start"),
                text("What happens when nobody holds the double of the hand."),
                "standard",
                (
                    Choice("standard", text("Draw for it"), text("All draw one until it appears.")),
                    Choice("alternative", text("Next lower"), text("The next lower double that is held.")),
                ),
                rule="CHK-3",
            ),
        )

    def new(self, players: tuple[str, ...], options: Options) -> State:
        """Return an empty sheet; raise BadInput when the set has too few tiles for so many."""
        state = super().new(players, options)
        dominoes.tiles_each(options.set, len(state.players))
        return state

    def hands(self, options: Options) -> int:
        """Return a hand a suit (CHK-1)."""
        return options.set + 1

    # ---- the sheet

    def line_title(self, state: State, hand: int) -> Text:
        """Return the preferred double (CHK-1, CHK-3)."""
        return text("double {suit}", suit=dominoes.preferred_double(state.options.set, hand))

    def picture(self, state: State, hand: int) -> str:
        """Return the preferred double as a tile."""
        return str(_double(state, hand))

    def dealer(self, state: State, hand: int) -> None:
        """Return nobody: everybody draws."""

    def starter(self, state: State, hand: int) -> None:
        """Return nobody: whoever holds the double starts."""

    def count(self, state: State, pieces: tuple[str, ...]) -> Held:
        """Count tiles (CHK-9)."""
        tiles = dominoes.read_tiles(pieces)
        dominoes.check_tiles(tiles, state.options.set)
        points = dominoes.hand_points(tiles, state.options.double_blank)
        return Held(points, tuple(map(str, tiles)))

    def pieces(self, options: Options) -> tuple[str, ...]:
        """Return the tiles of the set."""
        return tuple(map(str, dominoes.tiles_of(options.set)))

    def pieces_left(self, state: State, hand: int) -> tuple[str, ...]:
        """Return the tiles that may still be in a hand."""
        return tuple(map(str, _left(state, hand)))

    def least(self, state: State, hand: int) -> int:
        """Return the fewest points that anybody can still have: a tile, once nobody can go out (CHK-8)."""
        return 1 if state.marked("blocked", hand) else super().least(state, hand)

    def most(self, state: State, hand: int) -> int:
        """Return what all tiles that are left add up to."""
        return dominoes.hand_points(_left(state, hand), state.options.double_blank)

    def most_in_any_hand(self, state: State) -> int:
        """Return what the whole set adds up to."""
        return dominoes.hand_points(dominoes.tiles_of(state.options.set), state.options.double_blank)

    def check(self, state: State, hand: int) -> None:
        """Raise IllegalMove for what cannot be (CHK-11)."""
        self.check_winner(state, hand)
        out = self.went_out(state, hand)
        if out and state.marked("blocked", hand):
            raise IllegalMove(
                "CHK-8",
                text("The hand was blocked: {player} holds a tile at least.", player=state.player(out[0])),
            )
        _check_tapped(state, hand)
        _check_numbers(state, hand)
        if not out and None not in state.cells[hand - 1] and not state.marked("blocked", hand):
            raise IllegalMove(
                "CHK-8", text("Nobody has 0: say first that the hand was blocked, or who went out.")
            )

    def marked(self, state: State, move: Any, hand: int) -> Mark:
        """Return the mark of a blocked hand (CHK-8)."""
        if not isinstance(move, Blocked):
            return super().marked(state, move, hand)
        if move.hand != hand:
            raise IllegalMove("CHK-8", text("Hand {hand} is being played.", hand=hand))
        if state.marked("blocked", hand):
            raise IllegalMove("CHK-8", text("The hand is blocked already."))
        out = self.went_out(state, hand)
        if out:
            raise IllegalMove(
                "CHK-8", text("{player} went out: the hand was not blocked.", player=state.player(out[0]))
            )
        return Mark("blocked", hand)

    def hand_marks(self, options: Options) -> tuple[Choice, ...]:
        """Return that a hand was blocked (CHK-8)."""
        return (Choice("blocked", text("Blocked"), text("Nobody went out: all score what they hold.")),)

    def own_asks(self, state: State, hand: int) -> tuple[Ask, ...]:
        """Ask whether the hand was blocked, and offer to work that out (CHK-12)."""
        helper = blocked.consult(hand, state.options.set)
        if state.marked("blocked", hand) or self.went_out(state, hand):
            return (helper,)
        explain = text("Nobody went out and nobody can play: all score what they hold.")
        return (OfHand("blocked", text("Blocked"), explain, hand), helper)

    def counsel(self, state: State, about: str, hand: int | None, pieces: Sequence[str]) -> Counsel:
        """Return whether the double of *hand* can still be completed, given the *pieces* on the table."""
        now = current(state)
        wanted = hand if hand is not None else now or 1
        highest = state.options.set
        suit = dominoes.preferred_double(highest, wanted)
        starting = wanted == now or state.options.start != "standard"
        return blocked.answer(about, suit, pieces, highest, starting=starting)

    def line_notes(self, state: State, hand: int) -> tuple[Text, ...]:
        """Return who won, or that the hand was blocked."""
        if state.marked("blocked", hand):
            return (text("blocked"),)
        out = self.went_out(state, hand)
        return (text("{player} went out", player=state.player(out[0])),) if out else ()

    def said(self, before: Any, move: Any, after: Any) -> Text | None:
        """Return what history says."""
        if isinstance(move, Blocked):
            return text("Hand {hand} was blocked", hand=move.hand)
        return super().said(before, move, after)

    # ---- what to draw, and the rules

    def advice(self, state: State) -> Advice:
        """Return what to draw and which double starts (CHK-1 to CHK-3)."""
        hand, options = current(state), state.options
        sentences = _drawing(len(state.players), options)
        if hand is not None:
            suit = dominoes.preferred_double(options.set, hand)
            sentences = (*sentences, *_starting(suit, options))
        tiles, each = (
            len(dominoes.tiles_of(options.set)),
            dominoes.tiles_each(options.set, len(state.players)),
        )
        return Advice(sentences, packs=0, ranks=(), cards=tiles, each=each, dealer=None)

    def deal(self, players: int, options: Options) -> dict[str, Any]:
        """Return the tiles to draw as data (CHK-2)."""
        check_count(self.title, players, self.seats)
        each = dominoes.tiles_each(options.set, players)
        tiles = len(dominoes.tiles_of(options.set))
        return {
            "packs": 0,
            "ranks": [],
            "cards": tiles,
            "each": each,
            "spoons": None,
            "dealer": None,
            "tiles_each": each,
            "boneyard": tiles - each * players,
            "sentences": [*_drawing(players, options), *_starting(options.set, options)],
        }

    def help(self, options: Options) -> tuple[Section, ...]:
        """Return the rules as this table plays them, and tips."""
        return (
            Section(text("How it goes"), _goes(options)),
            Section(text("Points"), _points(options)),
            Section(
                text("Tips"),
                (
                    text("Get rid of the double blank first; it costs most."),
                    text("To keep the double blank in another’s hand, leave no blank end open."),
                    text("Play a double when somebody has one tile left: they may have to draw."),
                    text("Keep a tile for each double that is not out yet: it saves you a draw."),
                ),
            ),
        )


def starting_double(preferred: int, held: tuple[int, ...], options: Options) -> int | None:
    """Return the suit of the double that starts, None while all must draw one (CHK-3).

    *held* are the suits of the doubles that players hold. In the standard start only the preferred one will
    do; in the alternative the next lower one, or, when only higher ones are held, the highest.

    >>> options = Options(9, 50, False, "alternative")
    >>> [starting_double(6, held, options) for held in ((9, 6), (9, 4, 2), (9, 8), ())]
    [6, 4, 9, None]
    """
    if options.start == "standard":
        return preferred if preferred in held else None
    lower = [suit for suit in held if suit <= preferred]
    return max(lower or held, default=None)


def _set_choice(highest: int) -> Choice:
    tiles = len(dominoes.tiles_of(highest))
    explain = text(
        "{tiles} tiles, {hands} hands; for up to {most} players.",
        tiles=tiles,
        hands=highest + 1,
        most=min(dominoes.most_players(highest), MOST_PLAYERS),
    )
    return Choice(highest, text("double {suit}", suit=highest), explain)


def _double(state: State, hand: int) -> Tile:
    suit = dominoes.preferred_double(state.options.set, hand)
    return dominoes.tile(suit, suit)


def _given(state: State, hand: int) -> dict[Tile, int]:
    """Return who has been given which tile in *hand*; the last one who was."""
    return {
        tile: seat
        for seat, cell in enumerate(state.cells[hand - 1], start=1)
        for tile in dominoes.read_tiles((cell.pieces if cell else None) or ())
    }


def _left(state: State, hand: int) -> tuple[Tile, ...]:
    """Return the tiles that may be in a hand whose tiles are not known."""
    gone: set[Tile] = {*_given(state, hand)}
    if state.options.start == "standard":
        gone.add(_double(state, hand))  # it lies on the table
    return tuple(tile for tile in dominoes.tiles_of(state.options.set) if tile not in gone)


def _check_tapped(state: State, hand: int) -> None:
    """Raise IllegalMove for a tile in two hands, or in one although it started the hand."""
    owner: dict[Tile, int] = {}
    for seat, cell in enumerate(state.cells[hand - 1], start=1):
        for tile in dominoes.read_tiles((cell.pieces if cell else None) or ()):
            if tile in owner:
                both = listing([state.player(owner[tile]), state.player(seat)])
                raise IllegalMove(
                    "CHK-11", text("{players} cannot both hold {tile}.", players=both, tile=str(tile))
                )
            owner[tile] = seat
    double = _double(state, hand)
    if state.options.start == "standard" and double in owner:
        raise IllegalMove(
            "CHK-3", text("The {tile} began this hand: it lies on the table.", tile=str(double))
        )


def _check_numbers(state: State, hand: int) -> None:
    """Raise IllegalMove for numbers that the tiles that are left cannot make."""
    numbers = [cell.points for cell in state.cells[hand - 1] if cell is not None and cell.pieces is None]
    if not any(numbers):
        return
    left, blank = _left(state, hand), state.options.double_blank
    whole = dominoes.hand_points(left, blank)
    if sum(numbers) > whole:
        raise IllegalMove(
            "CHK-11",
            text(
                "{points} points are more than the tiles that are left hold: {most}.",
                points=sum(numbers),
                most=whole,
            ),
        )
    wrong = dominoes.unreachable(left, numbers, blank)
    if wrong is not None:
        raise IllegalMove("CHK-11", text("No tiles that are left add up to {points}.", points=wrong))


def _drawing(players: int, options: Options) -> tuple[Text, ...]:
    each = dominoes.tiles_each(options.set, players)
    draw = texts("Everybody draws {n} tile.", "Everybody draws {n} tiles.", n=each)
    if options.set == dominoes.USUAL_SET:
        return (draw,)
    return (draw, text("For this set that is our own suggestion: draw as many as you like."))


def _starting(suit: int, options: Options) -> tuple[Text, ...]:
    if options.start == "standard":
        return (
            text("Whoever holds the double {suit} starts with it. If nobody does, all draw one.", suit=suit),
        )
    return (
        text("The double {suit} starts, or else the next lower one that somebody holds.", suit=suit),
        text("If only higher ones are held, the highest; if none, all draw one."),
    )


def _goes(options: Options) -> tuple[Text, ...]:
    lines = [
        text("A hand for every double, from the highest down; clockwise."),
        text("The first six plays go on the starting double."),
        text("After that each double must get three tiles before play goes on elsewhere."),
        text("Who cannot play draws one tile and may play it. One may always draw and pass instead."),
        text("With nothing left to draw, one passes."),
        text("Call “Chickenfoot” on a double: a courtesy, and no more."),
        text("A tile may be taken back until the next player has laid one."),
        text("A hand ends when somebody is out, or when it is blocked: nobody can play or draw."),
    ]
    if options.little_chick:
        lines += [
            text("Say “Little chick” with your last tile but one, before the next player has played."),
            text("Caught forgetting: draw one tile. With nothing left to draw, miss a turn."),
        ]
    return tuple(lines)


def _points(options: Options) -> tuple[Text, ...]:
    return (
        text("Who is out has 0; the others count the pips they hold. In a blocked hand everybody counts."),
        text("The double blank costs {points}.", points=options.double_blank),
        text("The lowest total after {n} hands wins; equal is shared.", n=options.set + 1),
    )


GAME = Chickenfoot()
