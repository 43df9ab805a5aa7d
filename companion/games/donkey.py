"""Donkey: Pig with six lives, a letter of DONKEY each (PIG-7)."""

from __future__ import annotations

from companion.core.text import text
from companion.games.pig_family import Family

GAME = Family(
    name="donkey",
    title=text("Donkey"),
    summary=text("Pig with six lives: a longer evening, and nobody is a donkey at once."),
    seats=(3, 26),
    word="DONKEY",
    role=text("a donkey"),
    cue=lambda kind: text("The first to have {kind} touches the nose.", kind=kind),
    emblem="M7 1c2 2 3 5 3 8h4c0-3 1-6 3-8c1.5 3 1.5 7 0 10v5c0 4-2 7-5 7s-5-3-5-7v-5c-1.5-3-1.5-7 0-10z"
    "M9.5 18.5h1.5v1.5h-1.5zM13 18.5h1.5v1.5H13z",
)
