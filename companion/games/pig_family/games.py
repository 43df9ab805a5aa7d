"""The games of the family: Pig, and what else is four of a kind and one who is last (PIG, SPN)."""

from __future__ import annotations

from lastnose.companion.core.text import text
from lastnose.companion.games.pig_family import Family, RackItem

# Four of a kind, a silent finger on the nose, and whoever is last gets a letter (PIG-1 to PIG-15).
PIG = Family(
    name="pig",
    title=text("Pig"),
    summary=text(
        "Pass cards to the left until somebody has four of a kind and quietly touches their "
        "nose. Then everybody else does the same. Whoever is last gets a letter."
    ),
    seats=(3, 26),
    word="PIG",
    role=text("a pig"),
    emblem="M12 5a9 7.5 0 1 0 0 15a9 7.5 0 1 0 0-15zM8.5 10a1.6 2.4 0 1 1 0 4.8a1.6 2.4 0 1 1 0-4.8z"
    "M15.5 10a1.6 2.4 0 1 1 0 4.8a1.6 2.4 0 1 1 0-4.8z",
)

# Pig as in Australia; the loser of a deal is the hog, three times hog makes a pig (PIG-13).
HOG = Family(
    name="hog",
    title=text("Hog"),
    summary=text(
        "Pig from Australia: whoever is last is the hog of that deal. Be the hog three times and "
        "you’re a pig."
    ),
    seats=(3, 26),
    word="HOG",
    role=text("a pig"),
    loser=text("the hog"),
    emblem="M12 6a8 7 0 1 0 0 14a8 7 0 1 0 0-14zM9 11a1.5 2.2 0 1 1 0 4.4a1.5 2.2 0 1 1 0-4.4z"
    "M15 11a1.5 2.2 0 1 1 0 4.4a1.5 2.2 0 1 1 0-4.4zM3.6 13L1 6l3.5 4zM20.4 13L23 6l-3.5 4z",
)

# Pig with six lives, a letter of DONKEY each (PIG-7).
DONKEY = Family(
    name="donkey",
    title=text("Donkey"),
    summary=text("Pig with six lives: a longer evening, and nobody is a donkey straight away."),
    seats=(3, 26),
    word="DONKEY",
    role=text("a donkey"),
    emblem="M7 1c2 2 3 5 3 8h4c0-3 1-6 3-8c1.5 3 1.5 7 0 10v5c0 4-2 7-5 7s-5-3-5-7v-5c-1.5-3-1.5-7 0-10z"
    "M9.5 18.5h1.5v1.5h-1.5zM13 18.5h1.5v1.5H13z",
)

# As Pig, but one reaches for a rack with a spoon less than players (SPN-1 to SPN-7).
SPOONS = Family(
    name="spoons",
    title=text("Spoons"),
    summary=text(
        "Pass cards until somebody has four of a kind and takes a spoon from the middle. Then "
        "everybody else may, and there is one too few."
    ),
    seats=(3, 26),
    word="SPOON",
    role=text("a spectator"),
    emblem="M12 1c3 0 4.5 3 4.5 6s-1.5 5-3.5 5.5V22a1 1 0 0 1-2 0v-9.5C9 12 7.5 10 7.5 7S9 1 12 1z",
    ware=RackItem(many=text("spoons"), one=text("one spoon"), who_has_none=text("Who has no spoon?")),
)

# Spoons with sharper tableware (SPN-5).
FORKS_AND_KNIVES = Family(
    name="forks-and-knives",
    title=text("Forks and Knives"),
    summary=text(
        "Spoons for people who trust each other: what lies in the middle is sharper. Reach with care, "
        "handles outwards."
    ),
    seats=(3, 26),
    word="KNIFE",
    role=text("a spectator"),
    emblem="M4 1h1.5v6h1V1H8v6h1V1h1.5v8c0 1.5-1 2.5-2 3v10a1 1 0 0 1-2.5 0V12c-1-.5-2-1.5-2-3z"
    "M15 1c3 1 5 5 5 9v4h-2.5v8a1.2 1.2 0 0 1-2.5 0z",
    ware=RackItem(
        many=text("forks and knives"),
        one=text("one fork or knife"),
        who_has_none=text("Who has neither fork nor knife?"),
    ),
)
