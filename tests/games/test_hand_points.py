"""What a hand costs, and the commands `points` and `contract`."""

from __future__ import annotations

import json
import shlex

import pytest
from click.testing import Result
from lastnose.companion.games import GAMES, count_hand, counts
from lastnose.companion.games.pieces.cards import RANKS, Card, read_cards
from lastnose.companion.games.swedish_gin.contracts.melds import card_points, hand_points

from tests.support.commands import lastnose


def run(line: str) -> Result:
    """Run `lastnose` with *line*."""
    return lastnose(*shlex.split(line))


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("7♠ 7♣ 7♥ 7♦ 5♠ 6♠ 8♠ 9♠ J♥ J♥ 4♣", 65),
        ("9♦ 10♦ Q♦ 6♥", 25),
        ("3♥ 3♥ 3♠ K♥ K♦ 10♣ J♣ Q♣ K♣ A♣ 8♠ K♠ 2♦", 125),
        ("3♡ 3♡ 3♠ R♡ R♢ 10♣ V♣ D♣ R♣ As♣ 8♠ R♠ 2♢", 125),
    ],
)
def test_worked_examples_of_the_cards(cards: str, points: int) -> None:
    """SGR-8; the third has six figures: the printed 115 forgets one."""
    assert points == hand_points(read_cards([cards]))


def test_every_rank_has_its_points() -> None:
    """SGR-7."""
    assert [15, 10, 10, 10, 5, 5, 5, 5, 5, 5, 5, 5, 25] == [card_points(Card(rank, "S")) for rank in RANKS]


def test_points_of_a_command_line() -> None:
    """The lines of the help, in words and as JSON."""
    assert "65 points\n" == run("points chickenfoot 5-5 1-0 0-0 3-1").stdout
    assert "40 points\n" == run("points chickenfoot 5-5 1-0 0-0 3-1 --double-blank 25").stdout
    result = run("points swedish-gin 7S 7C 7H 7D 5S 6S 8S 9S JH JH 4C --json")
    assert 0 == result.exit_code
    assert (65, 11) == ((said := json.loads(result.stdout))["points"], len(said["pieces"]))
    assert 24 == json.loads(run("points chickenfoot 12-12 --set 12 --json").stdout)["points"]


def test_a_hand_of_nothing_costs_nothing() -> None:
    """Who went out scores 0."""
    assert "0 points\n" == run("points swedish-gin").stdout


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("points pig KS", "Pig has no hand points; these have: swedish-gin"),
        ("points whist KS", "There is no game “whist”."),
        ("points chickenfoot 5-5 12-1", "A double-9 set has every tile once, up to 9-9: look at 12-1 again."),
        ("points chickenfoot 5-5 5-5", "A double-9 set has every tile once, up to 9-9: look at 5-5 again."),
        (
            "points chickenfoot 5-5 --double-blank 30",
            "Chickenfoot: the option “double_blank” is 50 or 25, not 30.",
        ),
        ("points chickenfoot 5-5 --set 8", "Chickenfoot: the option “set” is 6, 9, 12 or 15, not 8."),
        ("points chickenfoot 5-5 --option set", "set: Any option of the game as NAME=VALUE;"),
        ("points chickenfoot KS", "“KS” is not a tile."),
        ("points swedish-gin 5-5", "“5-5” is not a card."),
        ("points swedish-gin 5S 5S 5S", "5♠ is there 3 times; two packs have it twice."),
        (
            "points swedish-gin 5S --double-blank 25",
            "Swedish Gin Rummy has no option “double_blank”; it has: ",
        ),
        ("points swedish-gin 5S --set 9", "Swedish Gin Rummy has no option “set”; it has: "),
        ("contract 16 3S", "Invalid value for 'NUMBER': 16 is not in the range 1<=x<=15."),
        ("contract 1 8K", "“8K” is not a card."),
        ("contract 1 ,", "Say which cards: 7S 10H KD 2C."),
        ("contract 1", "Missing argument 'CARDS...'."),
        ("contract one 3S", "Invalid value for 'NUMBER': 'one' is not a valid whole number."),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(line: str, sentence: str) -> None:
    """Nothing on stdout."""
    result = run(line)
    assert (2, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith(f"Error: {sentence}")
    assert 1 == result.stderr.count("\n")


def test_a_hand_that_lays_is_status_0_with_its_melds() -> None:
    """The JSON that programs read."""
    result = run("contract 4 3S 4S 5S 6S 8H 9H 10H 2C KD KS 9D 4C --json")
    assert 0 == result.exit_code
    said = json.loads(result.stdout)
    assert said["discard"] in ("KS", "KD")
    said["left"].remove("KD" if said["discard"] == "KS" else "KS")
    assert {
        "lays": True,
        "melds": [["3S", "4S", "5S", "6S"], ["8H", "9H", "10H", "2C"]],
        "points_left": 20,
        "short": 0,
        "left": ["4C", "9D"],
        "draws": [],
    } == {key: value for key, value in said.items() if key != "discard"}


def test_a_hand_that_does_not_lay_is_status_1_with_its_json_all_the_same() -> None:
    """And with the cards that would complete it."""
    result = run("contract 1 7♠ 7♥ 7♦ K♠ K♥ 3♦ 4♦ 9♣ --json")
    said = json.loads(result.stdout)
    assert (1, False, [], None, 1) == (
        result.exit_code,
        said["lays"],
        said["melds"],
        said["discard"],
        said["short"],
    )
    assert ["2S", "2H", "2D", "2C", "KS", "KH", "KD", "KC"] == said["draws"]


def test_contract_is_told_in_words() -> None:
    """A line for each meld; short hands say what they have and what would do."""
    assert (
        "Contract 14: 1 set of 5, 1 run of 5 and a pair.\n"
        "You can lay down.\n"
        "A set: 3♠ 3♠ 3♥ 3♦ 3♣\n"
        "A run: 5♥ 6♥ 7♥ 8♥ 9♥\n"
        "A pair: K♠ K♦\n"
        "Discard: Q♣\n"
        "Left in hand: 4♣\n"
        "5 points stay in hand.\n"
    ) == run("contract 14 3S 3H 3D 3C 3S 5H 6H 7H 8H 9H KS KD QC 4C").stdout
    assert (
        "Contract 1: 2 sets of 3.\n"
        "You cannot lay down yet: 1 card short.\n"
        "So far: 7♠ 7♥ 7♦ and K♠ K♠\n"
        "Any of these would do: 2♠ 2♥ 2♦ 2♣ K♥ K♦ K♣\n"
    ) == run("contract 1 7S 7H 7D KS KS 3D 4H 9C JD 5S 8D 10H").stdout


def test_a_card_that_is_still_drawn_is_told() -> None:
    """Eleven cards are between turns: whatever is drawn contract 1 lies, and nothing closes the hand yet."""
    eleven = "3S 3H 3D 7S 7H 7D 4C 5C 6C 7C KS"
    said = run(f"contract 1 {eleven}").stdout
    assert "You can lay down once you have drawn.\n" in said
    assert "Left, with the card you draw: K♠\n" in said
    assert "closes" not in said
    told = json.loads(run(f"contract 1 {eleven} --json").stdout)
    assert (True, True, 93, 93) == (told["lays"], told["drawing"], told["lets"], told["unseen"])
    fifteen = run("contract 15 3S 3H 3D 7S 7H 7D 4C 5C 6C 7C 8C")
    assert 1 == fifteen.exit_code
    assert "12 of the 93 cards that you may draw let you lay down." in fifteen.stdout


def test_what_can_be_added_to_the_table_is_told() -> None:
    """Once the contract lies; nothing to add is a no."""
    said = run('contract 1 --laid --table "5S 6S 7S" --table "KS KH KC" 8S KD 4C')
    assert (
        "Contract 1: 2 sets of 3.\nTo 5♠ 6♠ 7♠: 8♠\nTo K♠ K♥ K♣: K♦\nDiscard: 4♣\n"
        "Nothing is left: that closes the hand.\n"
    ) == said.stdout
    assert 1 == run('contract 1 --laid --table "5S 6S 7S" 9H KD 4C').exit_code


def test_house_rule_lets_further_sets_wait() -> None:
    """Ruling 6, as an option."""
    cards = "3S 3H 3D KS KH KD QS QH QC 4C 5H"
    assert 5 == json.loads(run(f"contract 1 {cards} --json").stdout)["points_left"]
    assert 20 == json.loads(run(f"contract 1 {cards} --json --no-extras").stdout)["points_left"]


def test_each_game_with_points_counts_a_hand_of_nothing() -> None:
    """Whatever game offers hand points."""
    counting = [name for name, game in GAMES.items() if counts(game)]
    assert {0} == {count_hand(name, [], {}).points for name in counting}
    assert "chickenfoot" in counting
    assert "pig" not in counting
