"""The contract that every registered game keeps, and a game in one file that needs nothing else."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput, IllegalMove
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import Text, text
from lastnose.companion.games import GAMES, Game, deal, get_game, register
from lastnose.companion.games.rules.prompts import (
    ChooseSeat,
    EndGame,
    EnterScore,
    MarkHand,
    RulesQuery,
    Show,
    Tokens,
    WatchNoses,
)

from tests.support import toy
from tests.support.commands import lastnose
from tests.support.examples import examples

EVERY_GAME = pytest.mark.parametrize("game", [*GAMES.values(), toy.GAME], ids=lambda game: game.name)
FEW = settings(max_examples=examples(25), deadline=None)


@pytest.fixture
def pebbles(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Register the toy game for one test."""
    monkeypatch.setattr("lastnose.companion.games.GAMES", GAMES.copy())
    return register(toy.GAME)


def names(count: int) -> tuple[str, ...]:
    """Return *count* different names."""
    return tuple(f"Player {number}" for number in range(1, count + 1))


def keeps_a_sheet(game: Game) -> bool:
    """Return whether people write points into it."""
    return game.moment(game.new(names(game.seats[0]), game.read_options({}))).sheet is not None


SHEETS = [game for game in GAMES.values() if keeps_a_sheet(game)]


def any_options(data: st.DataObject, game: Game) -> dict[str, Any]:
    """Draw options as set-up would send them."""
    raw = {}
    for field in game.option_fields():
        values = {"flag": (False, True), "word": (field.default, "Ж"), "number": (field.least, 3)}
        allowed = values.get(field.kind) or tuple(choice.value for choice in field.choices)
        if data.draw(st.booleans()):
            raw[field.key] = data.draw(st.sampled_from(allowed))
    return raw


def any_entry(data: st.DataObject, game: Game, state: Any, *, tired: bool) -> Any:
    """Draw something that can be written on the sheet: what cannot be is refused, another is drawn.

    Who is *tired* says of the whole hand what can be said, first of all: that it was the last one.
    """
    wishes: list[dict[str, Any]] = []
    for ask in game.moment(state).asks:
        made = {"type": ask.move, "hand": ask.hand} if isinstance(ask, EnterScore | MarkHand | Tokens) else {}
        if isinstance(ask, MarkHand):
            wishes.append(made)
        elif isinstance(ask, Tokens):
            wishes += [{**made, "seat": purse.seat} for purse in ask.purses if purse.open]
        elif isinstance(ask, EnterScore):
            some: list[dict[str, Any]] = [{"points": n} for n in (0, 5, 10, 30)]
            some += [{"pieces": list(ask.pieces[-2:])}] if ask.pieces else []
            wishes += [{**made, "seat": seat, **one} for seat in ask.seats for one in some]
        elif isinstance(ask, EndGame):
            wishes.append({"type": ask.move})
    drawn = data.draw(st.permutations(wishes))
    for raw in sorted(drawn, key=lambda wish: "seat" in wish) if tired else drawn:
        move = game.read_move(raw)
        try:
            game.play(state, move)
        except IllegalMove as refused:
            assert str(refused).endswith(".")
        else:
            return move
    raise AssertionError("nothing can be written")


@EVERY_GAME
@FEW
@given(data=st.data())
def test_options_go_through_json_and_back(game: Game, data: st.DataObject) -> None:
    """What the log stores is what the table plays; unknown options are refused."""
    raw = any_options(data, game)
    options = game.read_options(raw)
    stored = json.loads(msgspec.json.encode(options))
    assert {field.key for field in game.option_fields()} == set(stored)
    assert options == game.read_options(stored)
    assert raw == {key: stored[key] for key in raw}
    with pytest.raises(BadInput):
        game.read_options({**raw, "nobody has this": True})


@pytest.mark.parametrize("game", SHEETS, ids=lambda game: game.name)
@FEW
@given(data=st.data())
def test_a_score_sheet_can_be_filled_to_its_end(game: Game, data: st.DataObject) -> None:
    """Asks, moves, standings and outcome fit each other at every step; moves go through JSON and back.

    Games without a sheet are played to their ends by the contract (`tests/testing/test_contract.py`).
    """
    options = game.read_options(any_options(data, game))
    players = data.draw(st.integers(game.seats[0], min(game.seats[1], game.seats[0] + 3)))
    state = game.new(names(players), options)
    for step in range(400):
        check_moment(game, state, players)
        if game.moment(state).outcome is not None:
            break
        assert any(not isinstance(ask, Show) for ask in game.moment(state).asks)
        move, before = any_entry(data, game, state, tired=step > 120), msgspec.json.encode(state)
        assert move == game.read_move(json.loads(msgspec.json.encode(move)))
        state, old = game.play(state, move), state
        assert state == game.play(old, move), "the same move leads to the same state"
        assert before == msgspec.json.encode(old), "a state is never changed, a new one is made"
        assert str(game.describe(old, move, state) or text("Nothing."))
    assert game.moment(state).outcome is not None


def check_moment(game: Game, state: Any, players: int) -> None:
    """Everything that screens ask for can be had, and names only seats there are."""
    seats = set(range(1, players + 1))
    standings = game.moment(state).standings
    assert sorted(seats) == [standing.seat for standing in standings]
    for ask in game.moment(state).asks:
        check_ask(ask, seats)
    advice = game.moment(state).advice
    assert advice.dealer is None or advice.dealer in seats
    assert all(str(sentence) for sentence in (*advice.sentences, *game.moment(state).notes))
    assert hash(state) == hash(msgspec.structs.replace(state))
    ended = game.moment(state).outcome
    if ended is not None:
        assert str(ended.why)
        assert ended.winners or ended.losers
        assert not {*ended.winners} & {*ended.losers}
        assert set(ended.winners) | set(ended.losers) <= seats


def check_ask(ask: Any, seats: set[int]) -> None:
    """Whatever is asked can be answered and drawn."""
    match ask:
        case Show():
            assert str(ask.title)
            assert all(str(line) for line in ask.lines)
            return
        case ChooseSeat():
            assert ask.seats
            assert set(ask.seats) <= seats
        case Tokens():
            assert {purse.seat for purse in ask.purses} <= seats
            assert all(0 <= purse.left <= purse.of and str(purse.holds) for purse in ask.purses)
        case RulesQuery():
            assert len(set(ask.pieces)) == len(ask.pieces) > 0
            assert 0 < ask.copies <= ask.most
    assert str(ask.label)
    assert ask.explain is None or str(ask.explain).endswith((".", "?"))


@EVERY_GAME
@FEW
@given(data=st.data())
def test_help_is_short_enough_to_read_aloud(game: Game, data: st.DataObject) -> None:
    """With any options: titled sections of a few whole sentences each."""
    sections = game.help(game.read_options(any_options(data, game)))
    assert sections
    for section in sections:
        assert str(section.title)
        assert 1 <= len(section.lines) <= 12
        for line in section.lines:
            assert str(line)[-1] in ".!?”"
            assert len(str(line)) <= 220


@EVERY_GAME
def test_a_game_has_a_picture_and_a_cue(game: Game) -> None:
    """The cue is a sentence; the picture is one SVG path, or none."""
    players = ("North", "East", "South", "West")[: game.seats[1]]
    assert str(game.armed_text(game.new(players, game.read_options({})))).endswith((".", "!"))
    assert set(game.emblem) <= set("MmLlHhVvCcSsAaZz0123456789.- ,")


def test_no_two_games_have_the_same_picture() -> None:
    """Set-up shows them side by side."""
    pictures = [game.emblem for game in GAMES.values()]
    assert len(pictures) == len({*pictures})


@EVERY_GAME
def test_a_void_round_changes_nothing(game: Game) -> None:
    """Whatever the game; where no noses are watched there are no rounds."""
    state = game.new(names(game.seats[0]), game.read_options({}))
    if not game.watched:
        assert not any(isinstance(ask, WatchNoses) for ask in game.moment(state).asks)
        return
    assert state == game.play(state, Verdict(void=text("it does not count")))


@EVERY_GAME
def test_the_number_of_players_is_checked_for_deck_advice(game: Game) -> None:
    """For a table the contract says so."""
    options = game.read_options({})
    for players in (game.seats[0] - 1, game.seats[1] + 1):
        with pytest.raises(BadInput):
            deal(game, players, options)


@EVERY_GAME
@FEW
@given(data=st.data())
def test_deck_advice_is_the_advice_at_the_start(game: Game, data: st.DataObject) -> None:
    """`lastnose deal` and the table say the same; its keys are stable."""
    options = game.read_options(any_options(data, game))
    players = data.draw(st.integers(*game.seats))
    try:
        state = game.new(names(players), options)
    except BadInput:  # too many for these options
        with pytest.raises(BadInput):
            deal(game, players, options)
        return
    dealt, advice = deal(game, players, options), game.moment(state).advice
    assert ["packs", "ranks", "cards", "each", "spoons", "dealer"] == list(dealt)[:6]
    assert (advice.packs, list(advice.ranks), advice.cards, advice.each) == (
        dealt["packs"],
        dealt["ranks"],
        dealt["cards"],
        dealt["each"],
    )
    assert all(isinstance(sentence, Text) for sentence in dealt["sentences"])


def test_a_game_in_one_file_is_found_and_listed(pebbles: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Registering is all it takes."""
    assert pebbles is get_game("pebbles")
    monkeypatch.setattr("lastnose.companion.cli.games.GAMES", {"pebbles": pebbles})
    result = lastnose("games", "--json")
    listed = json.loads(result.stdout)
    assert [("pebbles", [2, 8], ["polite"])] == [
        (game["name"], game["players"], [option["key"] for option in game["options"]]) for game in listed
    ]
    refused = lastnose("deal", "pebbles", "--players", "3", "--stock")
    assert (
        2,
        "Error: Pebbles has no option “stock”; it has: polite. Try lastnose deal --help for help.\n",
    ) == (refused.exit_code, refused.stderr)


def test_a_name_is_taken_once(pebbles: Game) -> None:
    """Two games of one name would share tapes."""
    with pytest.raises(ValueError, match="pebbles"):
        register(pebbles)


def test_an_unknown_game_is_answered_with_the_list() -> None:
    """So that one can choose."""
    with pytest.raises(BadInput, match=r"There is no game “ludo”\. Choose one of: pig"):
        get_game("ludo")


def test_games_are_listed_for_people() -> None:
    """Name, title, players, summary, and a line an option."""
    out = lastnose("games").stdout
    assert "pig: Pig, 3 players or more; here 26 at most" in out
    assert "magarac: Magarac, 3 to 13 players" in out
    assert "hand_size=4|3|5  Cards each" in out


def test_an_illegal_move_names_its_rule() -> None:
    """The contract of the error, on the toy."""
    state = toy.GAME.new(names(2), toy.GAME.read_options({"polite": True}))
    with pytest.raises(IllegalMove) as caught:
        toy.GAME.play(state, toy.Thanked(1))
    assert "PBL-1" == caught.value.rule


def test_every_diagram_is_a_drawing_with_words() -> None:
    """Well-formed, coloured by the style sheet alone, and said in words for who cannot see it."""
    seen = 0
    for game in GAMES.values():
        for section in game.help(game.read_options({})):
            if (drawn := section.diagram) is None:
                continue
            seen += 1
            root = ElementTree.fromstring(f"<svg>{drawn.inside}</svg>")
            assert str(drawn.says).endswith(".")
            assert {"class"} <= {name for element in root.iter() for name in element.attrib}
            for element in root.iter():
                assert not {"fill", "stroke", "style", "id"} & set(element.attrib)
                if element.tag in ("rect", "circle", "path", "text"):
                    assert any("dg-" in part for part in element.get("class", "").split())
    assert seen >= 8  # the family's round table, in both kinds, a foot, and two pages of contracts
