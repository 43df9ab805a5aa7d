"""Hog: Pig as in Australia; the loser of a deal is the hog, three times hog makes a pig (PIG-13)."""

from __future__ import annotations

from companion.core.text import text
from companion.games.pig_family import Family

GAME = Family(
    name="hog",
    title=text("Hog"),
    summary=text(
        "Pig from Australia: whoever is last is the hog of that deal. Three times hog, and one is a pig."
    ),
    seats=(3, 26),
    word="HOG",
    role=text("a pig"),
    loser=text("the hog"),
    cue=lambda kind: text("The first to have {kind} touches the nose.", kind=kind),
    emblem="M12 6a8 7 0 1 0 0 14a8 7 0 1 0 0-14zM9 11a1.5 2.2 0 1 1 0 4.4a1.5 2.2 0 1 1 0-4.4z"
    "M15 11a1.5 2.2 0 1 1 0 4.4a1.5 2.2 0 1 1 0-4.4zM3.6 13L1 6l3.5 4zM20.4 13L23 6l-3.5 4z",
)
