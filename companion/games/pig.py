"""Pig: four of a kind, a silent finger on the nose, and whoever is last gets a letter (PIG-1 to PIG-15)."""

from __future__ import annotations

from companion.core.text import text
from companion.games.pig_family import Family

GAME = Family(
    name="pig",
    title=text("Pig"),
    summary=text(
        "Pass cards to the left until somebody has four of a kind and quietly touches their nose. "
        "Then everybody may. Whoever is last gets a letter."
    ),
    seats=(3, 26),
    word="PIG",
    role=text("a pig"),
    cue=lambda kind: text("The first to have {kind} touches the nose.", kind=kind),
    emblem="M12 5a9 7.5 0 1 0 0 15a9 7.5 0 1 0 0-15zM8.5 10a1.6 2.4 0 1 1 0 4.8a1.6 2.4 0 1 1 0-4.8z"
    "M15.5 10a1.6 2.4 0 1 1 0 4.8a1.6 2.4 0 1 1 0-4.8z",
)
