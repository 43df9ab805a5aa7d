"""The help of each game against the rules of its source, one by one: none is missing, whatever is chosen.

The rules are numbered as in the games' docstrings. Behind each stands what the help has to say of it, and
with which options; what several games share is asked of one of them and, where it is turned on, of all.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from lastnose.companion import games
from lastnose.companion.i18n import translator
from lastnose.companion.testing.scenario import Scenario

PIG: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "PIG-2",
        {},
        (
            "Collect four of a kind, and never be last",
            "to your left, face down",
            "from the player on your right",
        ),
    ),
    ("PIG-2", {}, ("Never hold more than 4 cards: first put one down", "one card at a time")),
    ("PIG-3", {}, ("deck has four of a kind for each player", "All at once", "no turns")),
    (
        "PIG-4",
        {"stock": True},
        ("whole packs", "the stock, on the dealer’s right", "dealer draws from the stock"),
    ),
    (
        "PIG-4",
        {"stock": True},
        ("on the dealer’s right discards; the discards are the next stock", "as fast as you"),
    ),
    ("PIG-8", {}, ("player drops out, take four of a kind (and .*)?away",)),
    ("PIG-8", {"stock": True}, ("it stays when somebody drops out",)),
    ("PIG-9", {}, ("When two are left, both have won",)),
    ("PIG-10", {"winners": 1}, ("one more deal decides: whoever opens it wins, whatever came before",)),
    (
        "PIG-10",
        {"winners": 1, "dead_heat": "share"},
        ("all of them count as last. Where that decides nothing, the round is played again",),
    ),
    ("PIG-11", {}, ("The deal passes to the left",)),
    (
        "PIG-14",
        {"hand_size": 3},
        ("Collect three of a kind", "more than 3 cards", "deck has three of a kind"),
    ),
    (
        "PIG-14",
        {"hand_size": 5},
        ("Collect four of a kind", "more than 5 cards", "five cards for each player"),
    ),
    ("PIG-15", {}, ("began too early: the table may count them last, or not count the round",)),
)
NOSES = (
    (
        "PIG-5",
        {},
        (
            "touches the nose.\nDo it silently, and stay there. Then",
            "whatever cards they hold. One of you will be",
        ),
    ),
    ("PIG-5", {"hold": True}, ("counts only from its next touch",)),
    ("PIG-6", {"sudden_death": True}, ("Whoever is last is out at once",)),
    ("PIG-11", {"stock": True}, ("Whoever opened a round deals the next",)),
    ("PIG-12", {"no_talking": True}, ("Do not talk to", "whoever does becomes", "They may talk to you")),
)
RACK = (
    ("SPN-1", {}, ("from the middle", "one fewer than there are players")),
    ("SPN-2", {}, ("Then everybody else may take one",)),
    ("SPN-3", {}, ("With three crosses you are out",)),
    ("SPN-3", {"losses": "word"}, ("next letter of",)),
    ("SPN-3", {"sudden_death": True}, ("Whoever is last is out at once",)),
    ("SPN-4", {}, ("drops out, take four of a kind and one (spoon|fork or knife) away",)),
    ("SPN-6", {}, ("touch your own nose: then it counts", "a phantom: it is shown, and does not count")),
    ("SPN-6", {"confirm": "dock"}, ("Lay it in your own dock and leave it there",)),
    ("SPN-6", {"confirm": "rack-only"}, ("When the middle is empty, tell the table who has none",)),
    ("SPN-7", {}, ("within 300 ms, with nothing else touched, was only a feint",)),
)
TURNS = (
    (
        "MAG-1",
        {},
        ("four of a kind for each player", "deals first is drawn by lot", "all cards, four each, clock"),
    ),
    (
        "MAG-2",
        {},
        ("on the dealer’s left starts", "one card to the left, face down", "any card, the new one too"),
    ),
    (
        "MAG-2",
        {},
        ("four cards in their turn and three otherwise, the others five and four", "passes nothing"),
    ),
    ("MAG-3", {}, ("slap your button .* and shout “Vatra!”", "Everybody else must too")),
    ("MAG-4", {}, ("one without the other does not count", "slap in silence")),
    ("MAG-5", {}, ("deal passes to the left after every round",)),
    (
        "MAG-8",
        {"travel_card": True},
        ("the 7♦, or a joker from eight players", "whoever starts, who has five cards"),
    ),
    (
        "MAG-8",
        {"travel_card": True},
        ("shows it to all, then shuffles it", "four cards, and five in their turn"),
    ),
    ("MAG-8", {"travel_card": True}, ("refused unseen; the next one offered must be another, and is taken",)),
    ("MAG-8", {"travel_card": True}, ("with the travel card is not enough: pass the travel card on first",)),
    ("tips", {}, ("reflexes help", "Never break a pair, unless", "See what your left neighbour does")),
    ("tips", {"travel_card": True}, ("hold one card of every rank", "Watch faces", "Refuse: the next card")),
)
RULES: dict[str, tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...]] = {
    "pig": (
        *PIG,
        *NOSES,
        ("PIG-7", {}, ("next letter of PIG. With all 3 you are out: a pig",)),
        ("tips", {}, ("studying",)),
    ),
    "hog": (
        *PIG,
        *NOSES,
        ("PIG-13", {}, ("is the hog of that deal. Be the hog three times", "all 3 you are out")),
    ),
    "donkey": (*PIG, *NOSES, ("PIG-7", {}, ("next letter of DONKEY. With all 6 you are out",))),
    "spoons": (*PIG, *RACK),
    "forks-and-knives": (*PIG, *RACK, ("SPN-5", {}, ("takes one fork or knife",))),
    "magarac": (
        *TURNS,
        ("MAG-6", {}, ("letter of MAGARAC. Nobody leaves", "completes the word; that player alone")),
    ),
    "vatra": (
        *TURNS,
        (
            "MAG-9",
            {},
            ("One player gathers and shuffles the cards; another, usually whoever opened, punishes",),
        ),
        (
            "MAG-9",
            {},
            ("palm on the table, names a card, and says top or bottom", "until the named one appears"),
        ),
        ("MAG-9", {"travel_card": True}, ("names a card .never the travel card.",)),
        (
            "MAG-9",
            {},
            ("♠ .*side of the fist. Never knuckles or fingers", "♣ .*twice across the hand, in a cross"),
        ),
        (
            "MAG-9",
            {},
            ("♦ .*twist of the skin on the back", "♥ .*as for a cat", "named card itself does not punish"),
        ),
        ("MAG-9", {}, ("goes on until you end it",)),
        ("tips", {}, ("Watch the shuffle", "Do not name a heart", "Do not hit too hard")),
    ),
    "pig-10": (
        ("P10-1", {}, ("deal 3 each; the rest is the draw pile",)),
        (
            "P10-2",
            {},
            ("counts to ten fastest starts", "clockwise: play one card, say .* draw back up to three"),
        ),
        ("P10-3", {}, ("first card is worth itself; every other is added",)),
        ("P10-4", {}, ("5 may be added or taken away; the pile never goes below zero",)),
        ("P10-5", {}, ("0 sets the pile to zero, always",)),
        ("P10-6", {}, ("like the one just before, or like the pile, may set the pile to its own value",)),
        (
            "P10-7",
            {},
            ("say PIG 10, win all cards of the pile and lay them in front of you", "on your right, who"),
        ),
        ("P10-7", {}, ("next player begins a new pile",)),
        ("P10-8", {}, ("play on until all hands are empty", "Most cards won wins", "belongs to nobody")),
    ),
    "swedish-gin": (
        ("SGR-1", {}, ("Two packs without jokers", "Eleven cards each, one begins the discard pile")),
        (
            "SGR-2",
            {},
            ("Hand 1: 2 sets of 3", "Hand 14: .* a pair, at least 1 buy", "Hand 15: .* of all the rest"),
        ),
        (
            "SGR-2",
            {},
            ("Hand 12: 5 runs of 3, at least 2 buys", "In hand 15 everything .* without a discard"),
        ),
        (
            "SGR-3",
            {},
            ("cards of one rank. A run has .* cards of one suit in order, .*; the ace comes after the king",),
        ),
        ("SGR-4", {}, ("two is wild for any card. In each meld natural cards outnumber wilds",)),
        ("SGR-4", {}, ("Twos alone are a set, and below its own three a two is natural",)),
        (
            "SGR-5",
            {},
            ("whole contract at once. Only then add to melds, or lay others of three", "pair of hand 14"),
        ),
        (
            "SGR-6",
            {},
            ("dealer’s left starts", "clockwise: draw from the stock or the discard pile, then discard"),
        ),
        ("SGR-6", {}, ("first player to get rid of every card goes out and ends the hand",)),
        (
            "SGR-7",
            {},
            ("3 to 10 cost 5, jack, queen and king 10, an ace 15, a two 25", "out scores 0. The lowest"),
        ),
        ("SGR-8", {}, ("the source says 115; it is 125",)),
        (
            "SGR-9",
            {},
            ("two tokens a hand", "top discard, if another player threw it, with the top of the stock"),
        ),
        (
            "SGR-9",
            {},
            ("at any moment", "own turn ends it, without a discard", "whoever’s turn it is comes first"),
        ),
        (
            "SGR-10",
            {"exact_cut": True},
            ("exactly the right number of cards in one go takes 100 off .* below zero",),
        ),
        ("SGR-11", {}, ("started a hand deals the next. You may stop after any hand",)),
    ),
    "chickenfoot": (
        (
            "CHK-1",
            {},
            ("Each hand has its double, .*: the first the double 9, then down to the double blank",),
        ),
        ("CHK-1", {"set": 12}, ("the first the double 12", "after 13 hands")),
        ("CHK-2", {}, ("2 players 21, 3 players 14, 4 players 11, 5 players 8, 6 players 7, 7 players 6",)),
        ("CHK-2", {"set": 6}, ("5 players 4 and 6 players 4\\. The rest",)),
        ("CHK-2", {"set": 12}, ("10 players 7\\. The rest", "11 players 6, .* and 19 players 4\\. The rest")),
        ("CHK-2", {"set": 15}, ("11 players 9, ", "20 players 5, .* and 26 players 4\\. The rest")),
        (
            "CHK-3",
            {},
            ("whoever holds it plays it. If nobody does, everybody draws one tile, until it turns up",),
        ),
        (
            "CHK-3",
            {"start": "alternative"},
            ("next lower double", "draws one tile; if several draw a double, the high"),
        ),
        ("CHK-3", {"start": "alternative"}, ("has its double, whatever the one before began with",)),
        (
            "CHK-4",
            {},
            ("first six plays go on the starting double", "three tiles, its toes, before play goes on"),
        ),
        (
            "CHK-5",
            {},
            ("draw a tile; you may play it at once. You may always draw and pass", "nothing left to draw"),
        ),
        ("CHK-5", {}, ("only a courtesy", "A double ends the turn like any other tile")),
        ("CHK-6", {}, ("taken back until the next player has played one",)),
        (
            "CHK-7",
            {"little_chick": True},
            ("last tile but one, before the next player", "draw one tile; you may not"),
        ),
        (
            "CHK-7",
            {"little_chick": True},
            ("Call again next time", "you miss your next turn, and one more if"),
        ),
        ("CHK-8", {}, ("goes out scores 0|went out scores 0", "In a blocked hand everybody counts")),
        ("CHK-9", {}, ("count the pips they hold", "double blank costs 50")),
        ("CHK-9", {"double_blank": 25}, ("double blank costs 25",)),
        ("CHK-10", {}, ("Everybody plays alone: the lowest total after 10 hands wins",)),
        ("CHK-12", {}, ("nobody can play or draw. Until then a last tile that fits still wins",)),
        (
            "tips",
            {},
            ("rid of the double blank first", "leave no blank end open", "has one tile left", "each double"),
        ),
    ),
}
SAID = [(name, *rule) for name, rules in RULES.items() for rule in rules]


@pytest.mark.parametrize(
    ("name", "rule", "options", "says"), SAID, ids=[f"{one[0]}-{one[1]}" for one in SAID]
)
def test_the_help_of_a_game_has_every_rule_of_its_source(
    name: str, rule: str, options: dict[str, Any], says: tuple[str, ...]
) -> None:
    """What a table reads aloud is all that it needs to play."""
    game = games.get_game(name)
    sections = game.help(game.read_options(options))
    whole = "\n".join([str(game.summary), *(str(line) for section in sections for line in section.lines)])
    assert [] == [one for one in says if re.search(one, whole) is None]


@pytest.mark.parametrize(
    ("name", "options", "english", "french"),
    [
        (
            "quiz",
            {"limit": 1},
            "Whoever is first to have 1 point has won.",
            "Le premier à 1 point a gagné.",
        ),
        (
            "score-pad",
            {"limit": 1},
            "It is over with the round in which somebody reaches 1 point.",
            "C’est fini avec la manche où quelqu’un atteint 1 point.",
        ),
    ],
)
def test_a_limit_of_one_point_is_one_point(
    name: str, options: dict[str, Any], english: str, french: str
) -> None:
    """And not 1 points, in any language."""
    game = games.get_game(name)
    lines = [line for section in game.help(game.read_options(options)) for line in section.lines]
    assert english in [str(line) for line in lines]
    assert french in [translator("fr")(line) for line in lines]


@pytest.mark.parametrize(("then", "said"), [("rearm", True), ("queue", True), ("close", False)])
def test_half_the_points_are_promised_only_where_somebody_answers_after_a_wrong_answer(
    then: str, said: bool
) -> None:
    """Where a wrong answer ends the question nobody does."""
    quiz = games.get_game("quiz")
    sections = quiz.help(quiz.read_options({"half": True, "then": then}))
    lines = [str(line) for section in sections for line in section.lines]
    assert said == ("After a wrong answer a right one brings half." in lines)


@pytest.mark.parametrize(("confirm", "said"), [("confirm", True), ("dock", True), ("rack-only", False)])
def test_only_who_shows_what_they_have_is_promised_a_question_after_ten_seconds(
    confirm: str, said: bool
) -> None:
    """Where the table says who has none nothing is seen of who took what; the middle has to be empty."""
    spoons = games.get_game("spoons")
    sections = spoons.help(spoons.read_options({"confirm": confirm}))
    lines = [str(line) for section in sections for line in section.lines]
    assert said == any("ten seconds after the last touch the table is asked" in line for line in lines)


def test_where_the_table_says_who_has_none_it_is_asked_once_the_middle_is_empty() -> None:
    """One spoon lies there again, and a minute later nobody has been asked; then it is taken."""
    table = Scenario("spoons", ["North", "East", "South"], confirm="rack-only")
    table.lift(1, at_us=0)
    table.lift(2, at_us=100_000)
    table.put_back(2, at_us=200_000)
    table.wait(60)
    assert ["false-opener"] == [act.move for act in table.snapshot.acts]
    table.lift(2, at_us=62_000_000)
    table.wait(1)
    assert ["no-spoon"] == [act.move for act in table.snapshot.acts]


def test_the_start_of_a_hand_is_no_button_in_set_up() -> None:
    """The option says what it is about; French and Bosnian had the word of the button that begins a game."""
    (field,) = [one for one in games.get_game("chickenfoot").option_fields() if one.key == "start"]
    labels = [translator(language)(field.label) for language in ("en", "fr", "bs")]
    assert ["How a hand starts", "Comment s’ouvre une manche", "Kako počinje partija"] == labels
