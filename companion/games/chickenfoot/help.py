"""The rules of Chickenfoot in the product's own words: what to draw, how a hand starts, the help page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from lastnose.companion.core.text import Text, listing, text, texts
from lastnose.companion.games.pieces import dominoes
from lastnose.companion.games.rules.game import Diagram, Section

MOST_PLAYERS = 26

# ---- a starting double and a double with its claws, drawn for the help page (CHK-4)


def foot(says: Text) -> Diagram:
    """Return a starting double with six tiles around it, and a double with its three claws."""
    six = [_tile(110, 75, 0, 5, 5)]
    six += [
        _tile(110 + x, 75 + y, turn, 5, n)
        for n, (x, y, turn) in zip((0, 1, 2, 3, 4, 6), _AROUND, strict=True)
    ]
    claws = [_tile(330, 40, 90, 3, 3)]
    claws += [_tile(330 + x, 86, turn, 3, n) for n, (x, turn) in enumerate(((-32, 30), (0, 0), (32, -30)))]
    return Diagram(says, 400, 150, "".join((*six, *claws)))


_AROUND = ((-28, -44, 155), (0, -52, 180), (28, -44, 205), (-28, 44, 25), (0, 52, 0), (28, 44, -25))


def _tile(x: float, y: float, turn: float, high: int, low: int) -> str:
    """Return a tile around its middle, the half with *high* pips on top before it is turned by degrees."""
    pips = [*_pips(high, -10), *_pips(low, 10)]
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        '<rect class="dg-face" x="-10" y="-20" width="20" height="40" rx="4"/>'
        '<path class="dg-line" d="M-8 0H8"/>'
        f"{''.join(pips)}</g>"
    )


_PLACES = {
    0: (),
    1: ((0, 0),),
    2: ((-4, -4), (4, 4)),
    3: ((-4, -4), (0, 0), (4, 4)),
    4: ((-4, -4), (4, -4), (-4, 4), (4, 4)),
    5: ((-4, -4), (4, -4), (0, 0), (-4, 4), (4, 4)),
    6: ((-4, -5), (4, -5), (-4, 0), (4, 0), (-4, 5), (4, 5)),
}


def _pips(n: int, middle: int) -> Iterable[str]:
    return (f'<circle class="dg-mark" cx="{x}" cy="{middle + y}" r="1.7"/>' for x, y in _PLACES[n])


# ---- the words


class AgreedOptions(Protocol):
    """What a table has agreed on, of all that the words depend on."""

    @property
    def set(self) -> int:
        """The highest double."""

    @property
    def double_blank(self) -> int:
        """What the 0-0 costs."""

    @property
    def little_chick(self) -> bool:
        """Whether the last tile is announced."""

    @property
    def start(self) -> str:
        """The standard start, or the alternative one."""


def drawing(players: int, options: AgreedOptions) -> tuple[Text, ...]:
    """Return how many tiles everybody draws (CHK-2)."""
    each = dominoes.tiles_each(options.set, players)
    draw = texts("Everybody draws {n} tile.", "Everybody draws {n} tiles.", n=each)
    if options.set == dominoes.USUAL_SET:
        return (draw,)
    return (draw, _SUGGESTED)


_SUGGESTED = text("For this set that is our own suggestion: draw as many as you like.")


def starting(suit: int, options: AgreedOptions) -> tuple[Text, ...]:
    """Return which double starts (CHK-3)."""
    first = text("The double {suit} starts.", suit=suit)
    return (first, DRAW_FOR_IT) if options.start == "standard" else (first, NEXT_LOWER)


DRAW_FOR_IT = text(
    "Look well: whoever holds it plays it. If nobody does, everybody draws one tile, until it turns up."
)
ENDS = text(
    "A hand ends when somebody goes out, or when it is blocked: nobody can play or draw. Until then a last "
    "tile that fits still wins."
)
NEXT_LOWER = text(
    "If nobody holds it, the next lower double in anyone’s hand starts, or else the highest. If nobody "
    "holds a double, everybody draws one tile; if several draw a double, the highest starts."
)


def sections(options: AgreedOptions) -> tuple[Section, ...]:
    """Return the rules as a table with these *options* plays them, and tips."""
    picture = foot(
        text("A starting double with three tiles on either side; beside it a double with its three toes.")
    )
    suggested = () if options.set == dominoes.USUAL_SET else (_SUGGESTED,)
    return (
        Section(text("How a hand starts"), (*_tiles_to_draw(options), *suggested, *_starts(options))),
        Section(text("How to play"), _goes(options), picture),
        Section(text("Points"), _points(options)),
        Section(text("Tips"), _TIPS),
    )


def _tiles_to_draw(options: AgreedOptions) -> tuple[Text, ...]:
    """Return it for each number of players that the set has tiles for, nine of them a sentence."""
    most = min(MOST_PLAYERS, dominoes.most_players(options.set))
    each = [
        text("{players} players {tiles}", players=players, tiles=dominoes.tiles_each(options.set, players))
        for players in range(2, most + 1)
    ]
    return tuple(
        text(
            "Everybody draws, face down: {tiles}. The rest is the boneyard.", tiles=listing(each[at : at + 9])
        )
        for at in range(0, len(each), 9)
    )


def _starts(options: AgreedOptions) -> tuple[Text, ...]:
    first = text(
        "Each hand has its double, whatever the one before began with: the first the double {suit}, then "
        "down to the double blank.",
        suit=options.set,
    )
    if options.start == "standard":
        return (first, DRAW_FOR_IT)
    return (
        first,
        NEXT_LOWER,
        text("The next hand begins with its own double, whatever this one began with."),
    )


def _goes(options: AgreedOptions) -> tuple[Text, ...]:
    lines = [
        text(
            "In turn, clockwise: play one tile where one of its numbers meets the same number. It may be "
            "taken back until the next player has played one."
        ),
        text(
            "The first six plays go on the starting double. After that each double must get three tiles, "
            "its toes, before play goes on elsewhere."
        ),
        text(
            "If you can’t play, draw a tile; you may play it at once. You may always draw and pass instead. "
            "With nothing left to draw, you pass."
        ),
        text(
            "Call “Chickenfoot” when you play a double. It’s only a courtesy. A double ends the turn like "
            "any other tile."
        ),
        ENDS,
    ]
    if options.little_chick:
        lines += [
            text(
                "Say “Little chick” with your last tile but one, before the next player has played. If "
                "you’re caught forgetting, draw one tile; you may not play it. Call again next time."
            ),
            text(
                "With nothing left to draw you miss your next turn, and one more if you have not called by "
                "the time your left neighbour plays."
            ),
        ]
    return tuple(lines)


def _points(options: AgreedOptions) -> tuple[Text, ...]:
    return (
        text(
            "Whoever went out scores 0; the others count the pips they hold. In a blocked hand "
            "everybody counts."
        ),
        blank_costs(options.double_blank),
        text(
            "Everybody plays alone: the lowest total after {n} hands wins; a tie is shared.",
            n=options.set + 1,
        ),
    )


def blank_costs(points: int) -> Text:
    """Return what the 0-0 costs (CHK-9)."""
    return text("The double blank costs {points}.", points=points)


_TIPS = (
    text(
        "Get rid of the double blank first; it costs most. To keep it in another’s hand, leave no blank end "
        "open."
    ),
    text(
        "Play a double when somebody has one tile left: they may have to draw. Keep a tile for each double "
        "that is not out yet: it saves you a draw."
    ),
)
