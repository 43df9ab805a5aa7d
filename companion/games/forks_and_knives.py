"""Forks and Knives: Spoons with sharper tableware (SPN-5)."""

from __future__ import annotations

from companion.core.text import text
from companion.games.pig_family import Family, RackItem

GAME = Family(
    name="forks-and-knives",
    title=text("Forks and Knives"),
    summary=text(
        "Spoons for people who trust each other: what lies in the middle is sharper. Reach with care, "
        "handles outwards."
    ),
    seats=(3, 26),
    word="KNIFE",
    role=text("a spectator"),
    cue=lambda kind: text("The first to have {kind} takes a fork or a knife.", kind=kind),
    emblem="M4 1h1.5v6h1V1H8v6h1V1h1.5v8c0 1.5-1 2.5-2 3v10a1 1 0 0 1-2.5 0V12c-1-.5-2-1.5-2-3z"
    "M15 1c3 1 5 5 5 9v4h-2.5v8a1.2 1.2 0 0 1-2.5 0z",
    ware=RackItem(
        many=text("forks and knives"),
        one=text("one fork or knife"),
        who_has_none=text("Who has neither fork nor knife?"),
    ),
)
