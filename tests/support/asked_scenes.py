"""What a table is asked, and racks, as moments to draw on the small screen."""

from __future__ import annotations

from typing import Any

from lastnose.companion.core.text import text
from lastnose.companion.games.pieces.cards import JOKER, Card, shown
from lastnose.companion.games.rules.prompts import Choice, Choose, ChooseCard, ChooseSeat, Show, Step
from lastnose.companion.views.snapshot import Cradle, Due, Snapshot

from tests.support.screen_scenes import FOUR, NEW_I, THIRTEEN, rows, snapshot, was_last

COUNTS = text("♠ {spades}  ♥ {hearts}  ♦ {diamonds}  ♣ {clubs}", spades=2, hearts=0, diamonds=11, clubs=3)
SHOWN = text("{player} was last", player="Élodie")
QUEEN = shown(Card("Q", "S"))
UNTIL = text("Until {card} appears.", card=QUEEN)
TOP = text("From the top")
NAMING = (
    Show(
        SHOWN,
        (
            text("One player gathers and shuffles the cards; another, usually whoever opened, punishes."),
            text("{player} punishes, as the cards say.", player="Đorđe"),
            text("Palm on the table. Do not hit too hard: whoever hits hard is hit hard one day."),
        ),
    ),
    ChooseCard(
        "name-card",
        text("{player}, name a card", player="Élodie"),
        text(
            "Cards are turned until the named one appears. Each before it punishes by its suit; the named "
            "card itself does not punish, and neither does a joker."
        ),
        (Card("A", "S"), Card("Q", "S")),
    ),
    Choose(
        "mercy",
        text("Or without these steps"),
        text("Mercy is not counted."),
        (Choice("mercy", text("Mercy")),),
    ),
)
SUITS_TO_TAP = Choose(
    "turned",
    text("What was turned?"),
    None,
    tuple(
        Choice(number, label, text("x"))
        for number, label in enumerate(
            (text("♠ Hammer"), text("♣ Cross"), text("♦ Twist"), text("♥ Pat"), text("The card!"))
        )
    ),
)
TURN = Choose(
    "turn",
    text("Turn the deck"),
    None,
    (Choice("next", text("Next card")), Choice("all", text("All of them"))),
)
TURNED = (Card("7", "H"), Card("10", "C"), Card("K", "S"), Card("A", "D"), JOKER, Card("Q", "H"))
MANY = tuple(Card(rank, suit) for rank in ("A", "K", "J") for suit in "SHDC")
SILENT = ChooseSeat(
    "did-not-shout",
    text("Did not shout"),
    text("A slap without a shout does not count: the round is judged again without it."),
    (1, 2, 4),
    prompt=text("Can be said until the next round is judged."),
)
FORFEIT = Choose(
    "forfeit",
    text("A forfeit"),
    None,
    (Choice("done", text("Done")), Choice("draw", text("Another one"))),
)


def asked(*steps: Step, waits: bool = True, **more: Any) -> Snapshot:
    """Return a verdict after which the table is asked *steps*."""
    return was_last(FOUR, "PIG", NEW_I, steps=steps, waits=waits, **more)


def racked(confirm: bool, lifted: tuple[int, ...], spoons: int = 5, **by_seat: dict[str, Any]) -> Snapshot:
    """Return a round in which spoons go from a rack of *spoons*, one of which has been retired."""
    rack = tuple(
        Cradle(number, f"spoon.{number}", number < spoons, number in lifted)
        for number in range(1, spoons + 1)
    )
    changes = {int(seat.removeprefix("s")): change for seat, change in by_seat.items()}
    taken = text("Taken: {n} of {of}", n=len(lifted), of=spoons - 1)
    proof = (text("Confirmed: {n} of {of}", n=1, of=spoons - 1),) if confirm else ()
    names = THIRTEEN[:spoons]
    return snapshot("judging", taken, *proof, players=rows(names, by_seat=changes), rack=rack)


def with_notes(*seats: int) -> dict[int, dict[str, Any]]:
    """Return what is to be said more about *seats*."""
    return {seat: {"notes": (COUNTS,), "score": 16} for seat in seats}


ASKED: dict[str, tuple[Snapshot, dict[str, Any]]] = {
    "asked-above": (asked(*NAMING), {}),
    "asked-card": (asked(*NAMING), {"page": 1}),
    "asked-suit": (asked(Show(SHOWN, (UNTIL, TOP, COUNTS)), SUITS_TO_TAP), {}),
    "asked-turned": (asked(Show(SHOWN, (UNTIL, TOP, COUNTS), TURNED), TURN), {}),
    "asked-turn": (asked(Show(SHOWN, (UNTIL, TOP, COUNTS), TURNED), TURN), {"page": 1}),
    "asked-many": (asked(Show(SHOWN, (UNTIL, TOP, COUNTS), MANY), TURN), {}),
    "asked-over": (
        asked(
            Show(
                SHOWN, (text("{card} appeared: it is over.", card=QUEEN), COUNTS), (*MANY[:3], Card("Q", "S"))
            ),
            waits=False,
        ),
        {},
    ),
    "asked-forfeit": (
        asked(Show(SHOWN, (text("Sing the last thing you said."),)), FORFEIT, waits=False),
        {"page": 1},
    ),
    "asked-beside": (was_last(FOUR, "PIG", NEW_I, acts=(SILENT,)), {"page": 1}),
    "asked-nothing-shown": (asked(TURN), {}),
    "notes": (
        snapshot(
            "armed",
            text("Play!"),
            players=rows(("Élodie", "Bob", "Zoë", "Ana"), "", by_seat=with_notes(1, 3)),
        ),
        {},
    ),
    "rack": (racked(True, (1, 3), s1={"phantom": True}, s2={"pressed": True}), {}),
    "rack-thirteen": (
        racked(True, (2, 3, 7), 13, s4={"pressed": True}, s5={"phantom": True}, s9={"pressed": True}),
        {},
    ),
    "rack-alone": (racked(False, (1, 3)), {}),
    "rack-missing": (
        snapshot(
            "blocked",
            text("Let go first: {players}", players="East"),
            players=rows(FOUR, by_seat={2: {"held": True}}),
            rack=(Cradle(1, "spoon.1", True, False), Cradle(2, "spoon.2", True, True)),
            due=Due(
                "lay", text("Lay them all back: {n} of {of} are there. It goes on by itself.", n=1, of=2)
            ),
        ),
        {},
    ),
}
