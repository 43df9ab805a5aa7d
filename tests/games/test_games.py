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
    Choose,
    ChooseCard,
    ChooseSeat,
    CloseQuestion,
    CorrectHand,
    EndGame,
    EnterScore,
    Keypad,
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
ENDLESS = {"vatra"}  # until the table says so
FEW = settings(max_examples=examples(25), deadline=None)


@pytest.fixture
def pebbles(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Register the toy game for one test."""
    monkeypatch.setattr("lastnose.companion.games.GAMES", GAMES.copy())
    return register(toy.GAME)


def names(count: int) -> tuple[str, ...]:
    """Return *count* different names."""
    return tuple(f"Player {number}" for number in range(1, count + 1))


def any_options(data: st.DataObject, game: Game) -> dict[str, Any]:
    """Draw options as set-up would send them."""
    raw = {}
    for field in game.option_fields():
        values = {"flag": (False, True), "word": (field.default, "Ж"), "number": (field.least, 3)}
        allowed = values.get(field.kind) or tuple(choice.value for choice in field.choices)
        if data.draw(st.booleans()):
            raw[field.key] = data.draw(st.sampled_from(allowed))
    return raw


class Lots:
    """Chance, drawn by the test."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def pick(self, count: int) -> int:
        """Draw a number."""
        return self.data.draw(st.integers(0, count - 1))

    def order(self, count: int) -> tuple[int, ...]:
        """Draw an order."""
        return tuple(self.data.draw(st.permutations(range(count))))


def written(data: st.DataObject, game: Game, state: Any, asks: list[Any], *, tired: bool) -> Any:
    """Draw something that can be written on the sheet: what cannot be is refused, another is drawn.

    Who is *tired* says of the whole hand what can be said, first of all: that it was the last one.
    """
    wishes: list[dict[str, Any]] = []
    for ask in asks:
        made = {"type": ask.move, "hand": ask.hand} if isinstance(ask, EnterScore | MarkHand | Tokens) else {}
        if isinstance(ask, MarkHand):
            wishes.append(made)
        elif isinstance(ask, Tokens):
            wishes += [{**made, "seat": purse.seat} for purse in ask.purses if purse.open]
        elif isinstance(ask, EnterScore):
            some: list[dict[str, Any]] = [{"points": n} for n in (0, 5, 10, 30)]
            some += [{"pieces": list(ask.pieces[-2:])}] if ask.pieces else []
            wishes += [{**made, "seat": seat, **one} for seat in ask.seats for one in some]
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


def any_move(data: st.DataObject, game: Game, state: Any, *, tired: bool = False) -> Any:
    """Draw one of the moves that the game asks for, with what chance adds to it.

    Who is *tired* lays no more cards, and turns none for others to snap at, where something else can be said.
    """
    asks = [ask for ask in game.moment(state).asks if not isinstance(ask, Show | RulesQuery | CorrectHand)]
    rest = [ask for ask in asks if not isinstance(ask, Keypad) and getattr(ask, "question", "") != "first"]
    ask = data.draw(st.sampled_from(rest if tired and rest else asks))
    raw: dict[str, Any] | None = None
    if isinstance(ask, EnterScore | MarkHand | Tokens):
        return written(data, game, state, asks, tired=tired)
    if isinstance(ask, CloseQuestion | EndGame):
        raw = {"type": ask.move}
    elif isinstance(ask, ChooseSeat):
        raw = {"type": ask.move, "seat": data.draw(st.sampled_from(ask.seats))}
    elif isinstance(ask, Choose):
        raw = {"type": ask.move, "value": data.draw(st.sampled_from(ask.choices)).value}
    elif isinstance(ask, ChooseCard):
        raw = {"type": ask.move, "card": str(data.draw(st.sampled_from(ask.cards)))}
    elif isinstance(ask, Keypad):
        key = data.draw(st.sampled_from(ask.keys))
        value = data.draw(st.sampled_from(key.choices)).value
        raw = {"type": ask.move, "seat": ask.seat, "key": key.key, "value": value}
    if raw is not None:
        return game.by_chance(state, game.read_move(raw), Lots(data))
    if ask.rack is not None and ask.rack.confirm == "rack-only":
        return Verdict(order=())
    order = data.draw(st.permutations(ask.seats))
    if ask.question == "first":
        first = tuple(order[: data.draw(st.integers(1, 2))])
        return Verdict(order=tuple(order), first=first, margin_ns=1, u_ns=1, dead_heat=len(first) > 1)
    return Verdict(order=tuple(order), last=tuple(order[-1:]), margin_ns=1, u_ns=1)


@EVERY_GAME
def test_a_game_is_described(game: Game) -> None:
    """A name for tapes, sentences for people, seats, and options that say what they mean."""
    assert game.name == game.name.lower()
    assert str(game.title)
    assert str(game.summary).endswith(".")
    assert 2 <= game.seats[0] <= game.seats[1] <= 26
    keys = [field.key for field in game.option_fields()]
    assert len(keys) == len(set(keys))
    for field in game.option_fields():
        assert field.kind in ("flag", "choice", "word", "number")
        assert str(field.label)
        assert field.explain is None or str(field.explain).endswith(".")
        if field.kind == "choice":
            assert field.default in [choice.value for choice in field.choices]
        if field.kind == "number":
            assert field.least <= field.default <= field.most
        if field.only_if:
            assert field.only_if[0] in keys


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


@EVERY_GAME
@FEW
@given(data=st.data())
def test_a_game_can_be_played_to_its_end(game: Game, data: st.DataObject) -> None:
    """Asks, moves, standings, advice and outcome fit each other at every step."""
    options = game.read_options(any_options(data, game))
    players = data.draw(st.integers(game.seats[0], min(game.seats[1], game.seats[0] + 3)))
    state = game.new(names(players), options)
    for step in range(400):
        check_moment(game, state, players)
        if game.moment(state).outcome is not None:
            break
        assert any(not isinstance(ask, Show) for ask in game.moment(state).asks)
        move, before = any_move(data, game, state, tired=step > 120), state
        state = game.play(state, move)
        assert isinstance(move, Verdict) or str(game.describe(before, move, state) or text("Nothing."))
    assert (game.name in ENDLESS) == (game.moment(state).outcome is None)


def check_moment(game: Game, state: Any, players: int) -> None:
    """Everything that screens ask for can be had, and names only seats there are."""
    seats = set(range(1, players + 1))
    standings = game.moment(state).standings
    assert sorted(seats) == [standing.seat for standing in standings]
    still_in = {standing.seat for standing in standings if not standing.out}
    for ask in game.moment(state).asks:
        check_ask(ask, still_in)
    advice = game.moment(state).advice
    assert advice.dealer is None or advice.dealer in still_in
    assert all(str(sentence) for sentence in (*advice.sentences, *game.moment(state).notes))
    assert hash(state) == hash(msgspec.structs.replace(state))
    ended = game.moment(state).outcome
    if ended is not None:
        assert not any(isinstance(ask, WatchNoses) for ask in game.moment(state).asks)
        assert str(ended.why)
        assert ended.winners or ended.losers
        assert set(ended.winners) | set(ended.losers) <= seats


def check_ask(ask: Any, still_in: set[int]) -> None:
    """Whatever is asked can be answered and drawn."""
    match ask:
        case WatchNoses():
            assert set(ask.seats) <= still_in
            assert len(ask.seats) > (ask.question == "last")  # one alone may be first, never last
            assert ask.rack is None or len(ask.rack.spoons) == len(ask.seats) - 1
        case ChooseSeat():
            assert set(ask.seats) <= still_in
            assert ask.seats
        case Show():
            assert str(ask.title)
            assert all(str(line) for line in ask.lines)
        case Choose():
            assert ask.choices
            assert all(str(choice.label) for choice in ask.choices)
        case Keypad():
            assert ask.seat in still_in
            assert ask.keys
            for key in ask.keys:
                assert key.choices
                assert all(str(choice.label) and str(choice.explain) for choice in key.choices)
        case Tokens():
            assert {purse.seat for purse in ask.purses} <= still_in
            assert all(0 <= purse.left <= purse.of and str(purse.holds) for purse in ask.purses)
        case RulesQuery():
            assert len(set(ask.pieces)) == len(ask.pieces) > 0
            assert 0 < ask.copies <= ask.most
        case ChooseCard():
            assert len(set(ask.cards)) == len(ask.cards) > 0
    if not isinstance(ask, WatchNoses | Show):
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
@FEW
@given(data=st.data())
def test_moves_go_through_json_and_back(game: Game, data: st.DataObject) -> None:
    """The log keeps a move as JSON; playing changes nothing in the state it starts from."""
    state = game.new(names(game.seats[0]), game.read_options(any_options(data, game)))
    for _ in range(6):
        if game.moment(state).outcome is not None:
            break
        move, before = any_move(data, game, state), msgspec.json.encode(state)
        if not isinstance(move, Verdict):
            assert move == game.read_move(json.loads(msgspec.json.encode(move)))
        state, old = game.play(state, move), state
        assert before == msgspec.json.encode(old)


@EVERY_GAME
def test_a_void_round_changes_nothing(game: Game) -> None:
    """Whatever the game; where no noses are watched there are no rounds."""
    state = game.new(names(game.seats[0]), game.read_options({}))
    if not game.watched:
        assert not any(isinstance(ask, WatchNoses) for ask in game.moment(state).asks)
        return
    assert state == game.play(state, Verdict(void=text("it does not count")))


@EVERY_GAME
def test_the_number_of_players_is_checked(game: Game) -> None:
    """For a table and for deck advice alike."""
    options = game.read_options({})
    for players in (game.seats[0] - 1, game.seats[1] + 1):
        with pytest.raises(BadInput):
            game.new(names(players), options)
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
