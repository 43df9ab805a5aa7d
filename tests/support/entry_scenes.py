"""What is filled in on phones, as moments to draw on the small screen."""

from __future__ import annotations

from typing import Any

from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.games.chickenfoot.game import GAME as TILES
from lastnose.companion.games.rules.prompts import Choice, Key, Keypad
from lastnose.companion.games.sheet_game.state import Score
from lastnose.companion.games.swedish_gin.game import GAME, DealsFirst, ExactCut
from lastnose.companion.views.snapshot import Snapshot

from tests.support.screen_scenes import FOUR, rows, snapshot

TO_DRAW = texts("{n} card to draw.", "{n} cards to draw.", n=66)


def pad(player: str, sign: Text | str, *proof: Text, laid: tuple[str, ...] = ()) -> Snapshot:
    """Return a moment in which it is *player*'s turn at the pad."""
    label = text("{player}’s turn", player=player)
    keys = (Key(1, "1", (Choice(6, text("6"), text("{value}", value="+1")),)),)
    scores = {seat: {"score": 2 * seat} for seat in range(1, 5)}
    ask = Keypad("lay", label, text("x"), 2, keys, sign, laid)
    return snapshot(
        "playing",
        label,
        *proof,
        TO_DRAW,
        players=rows(FOUR, "", by_seat=scores),
        entries=(ask,),
        watched=False,
        title=text("Pig 10"),
        round_no=0,
    )


def sheet(hand: int, *proof: Text) -> Snapshot:
    """Return a moment of a score sheet whose hands before *hand* are written, with an exact cut in it."""
    state = GAME.play(GAME.new(FOUR, GAME.read_options({"exact_cut": True})), DealsFirst(2))
    for number in range(1, hand):
        for seat in state.seats:
            points = 0 if seat == number % 4 + 1 else 15 * seat
            state = GAME.play(state, Score(number, seat, points=points))
    scores = GAME.totals(GAME.play(state, ExactCut(hand)))
    by_seat = {
        seat: {"score": scores[seat - 1], "dealer": seat == state.dealer(hand)} for seat in state.seats
    }
    return snapshot(
        "playing",
        text("Hand {hand}: {title}", hand=hand, title=GAME.line_title(state, hand)),
        *proof,
        players=rows(FOUR, "", by_seat=by_seat),
        sheet=GAME.moment(state).sheet,
        watched=False,
        title=GAME.title,
        round_no=0,
    )


def doubles(highest: int, hand: int) -> Snapshot:
    """Return a moment of a sheet whose hands are doubles, drawn as tiles."""
    state = TILES.new(FOUR, TILES.read_options({"set": highest}))
    for number in range(1, hand):
        for seat in state.seats:
            state = TILES.play(state, Score(number, seat, points=0 if seat == number % 4 + 1 else 12))
    return snapshot(
        "playing",
        text("Hand {hand}: {title}", hand=hand, title=TILES.line_title(state, hand)),
        LEADS,
        players=rows(FOUR, "", by_seat={seat: {"score": 12} for seat in state.seats}),
        sheet=TILES.sheet(state),
        watched=False,
        title=TILES.title,
        round_no=0,
    )


LEADS = texts("{player} leads by {n} point.", "{player} leads by {n} points.", n=85, player="East")
WORTH = text("The pile is worth {value}.", value=9)
WON = texts("PIG 10! {player} wins {n} card.", "PIG 10! {player} wins {n} cards.", n=4, player="Élodie")
ENTRIES: dict[str, tuple[Snapshot, dict[str, Any]]] = {
    "pad": (pad("Élodie", "9", WORTH), {}),
    "pad-ten": (pad("East", text("PIG 10!"), WON), {}),
    "pad-standings": (pad("East", "9", WORTH), {"page": 1}),
    "sheet": (sheet(1), {}),
    "sheet-both": (sheet(5, LEADS), {}),
    "sheet-five": (sheet(12, LEADS), {}),
    "sheet-pair": (sheet(14, LEADS), {}),
    "sheet-rest": (sheet(15, LEADS), {}),
    "sheet-totals": (sheet(1), {"page": 1}),
    "tile-9": (doubles(9, 1), {}),
    "tile-5": (doubles(6, 2), {}),
    "tile-0": (doubles(6, 7), {}),
    "tile-14": (doubles(15, 2), {}),
}
