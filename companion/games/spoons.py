"""Spoons: as Pig, but one reaches for a rack with a spoon less than players (SPN-1 to SPN-7)."""

from __future__ import annotations

from companion.core.text import text
from companion.games.pig_family import Family, RackItem

GAME = Family(
    name="spoons",
    title=text("Spoons"),
    summary=text(
        "Pass cards until somebody has four of a kind and takes a spoon from the middle. "
        "Then everybody may, and there is one too few."
    ),
    seats=(3, 26),
    word="SPOON",
    role=text("a spectator"),
    cue=lambda kind: text("The first to have {kind} takes a spoon.", kind=kind),
    emblem="M12 1c3 0 4.5 3 4.5 6s-1.5 5-3.5 5.5V22a1 1 0 0 1-2 0v-9.5C9 12 7.5 10 7.5 7S9 1 12 1z",
    ware=RackItem(many=text("spoons"), one=text("one spoon"), who_has_none=text("Who has no spoon?")),
)
