"""What every game promises beside the contract and `test_games`; one that breaks its word is caught.

Each sabotage of the toy game breaks one thing; the contract as a whole must notice it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lastnose.companion.core.errors import BadInput, CompanionError, IllegalMove, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import text
from lastnose.companion.games import GAMES, Game, deal
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.games.rules.game import Counted, OptionField
from lastnose.companion.games.sheet_game.game import SheetGame
from lastnose.companion.testing.pytest_plugin import GameContract

from tests.games import test_games as known
from tests.games.test_games import EVERY_GAME, FEW, any_entry, any_options, names
from tests.support import toy, toy_sheet
from tests.support.commands import lastnose


def begun(data: st.DataObject, game: Game) -> tuple[Any, tuple[str, ...]]:
    """Return the first state of a game with any options that its players can play, and who they are."""
    options = game.read_options(any_options(data, game))
    players = names(data.draw(st.integers(game.seats[0], min(game.seats[1], game.seats[0] + 3))))
    return game.new(players, options), players


def any_move(data: st.DataObject, chance: Random, game: Game, state: Any, *, tired: bool = False) -> Any:
    """Return one of the moves that the game asks for; who is *tired* of a sheet ends it first of all."""
    if game.moment(state).sheet is not None:
        return any_entry(data, game, state, tired=tired)
    held: Any = type("Held", (GameContract,), {"game": game})()
    return held._move(chance, game.moment(state), state)


@EVERY_GAME
@FEW
@given(data=st.data())
def test_people_come_and_go_where_the_game_says_so_and_nowhere_else(game: Game, data: st.DataObject) -> None:
    """Whoever stays keeps their standing; who comes has one, and the game goes on."""
    state, players = begun(data, game)
    chance = Random(data.draw(st.integers(0, 999)))
    for _ in range(data.draw(st.integers(0, 6))):
        if game.moment(state).outcome is None:
            state = game.play(state, any_move(data, chance, game, state))
    others = (*players[1:], "Somebody new")
    sat = (*(Sat(state, seat) for seat in range(2, len(players) + 1)), None)
    if game.comings is None:
        with pytest.raises(NotNow):
            game.gone_on(state, others, sat)
        return
    with suppress(NotNow, IllegalMove):  # as when it is over
        after = game.gone_on(state, others, sat)
        assert [one.seat for one in game.moment(after).standings] == [*range(1, len(others) + 1)]
        before = dict(zip(players, game.moment(state).standings, strict=True))
        for name, one in zip(others, game.moment(after).standings, strict=True):
            assert name not in before or before[name].letters == one.letters
        assert game.moment(after).outcome is not None or game.moment(after).asks


@EVERY_GAME
@FEW
@given(data=st.data())
def test_counting_pieces_never_fails_for_nothing(game: Game, data: st.DataObject) -> None:
    """No pieces are no points, or are not counted; what is no piece at all is refused in a sentence."""
    options = game.read_options(any_options(data, game))
    nothing = game.count_hand((), options)
    assert nothing is None or (0, ()) == (nothing.points, nothing.pieces)
    with suppress(BadInput):
        odd = game.count_hand(("🐷",), options)
        assert odd is None


def faces(game: Game, state: Any, players: int) -> str:
    """Return everything that a moment of a game shows, and the rules that it is played by."""
    said = (
        [(str(part.title), [*map(str, part.lines)]) for part in game.help(state.options)],
        [
            (one.letters, one.word, one.out, one.score, [*map(str, one.notes)])
            for one in game.moment(state).standings
        ],
        game.moment(state).asks,
        game.moment(state).advice,
        game.moment(state).notes,
        deal(game, players, state.options),
        game.moment(state).sheet,
        game.moment(state).outcome,
    )
    return str(said)


def other_values(field: OptionField) -> tuple[Any, ...]:
    """Return what *field* can be instead of its default."""
    numbers = (min(field.least + 1, field.most), field.most)
    values = {"flag": (False, True), "word": ("Ж",), "number": numbers}.get(field.kind)
    found = values or tuple(choice.value for choice in field.choices)
    return tuple(value for value in found if value != field.default)


def joined(game: Game, state: Any, players: int) -> str:
    """Return what is shown when the last seat is somebody else’s now; nothing where that cannot be."""
    others = (*names(players)[:-1], "Somebody new")
    sat = (*(Sat(state, seat) for seat in range(1, players)), None)
    try:
        return faces(game, game.gone_on(state, others, sat), players)
    except (NotNow, IllegalMove):
        return ""


def differs(data: st.DataObject, chance: Random, game: Game, one: Any, other: Any, players: int) -> bool:
    """Play the same with two options; return whether anybody can tell the difference."""
    for step in range(60):
        if faces(game, one, players) != faces(game, other, players):
            return True
        if step % 10 == 0 and joined(game, one, players) != joined(game, other, players):
            return True
        if game.moment(one).outcome is not None:
            return False
        move = any_move(data, chance, game, one, tired=step > 40)
        one = game.play(one, move)
        try:
            other = game.play(other, move)
        except IllegalMove:
            return True
    return False


@EVERY_GAME
@settings(max_examples=1, deadline=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck])
@given(data=st.data())
def test_every_option_changes_something(game: Game, data: st.DataObject) -> None:
    """Of each value that set-up offers somebody can tell that it was chosen: by the rules or in play."""
    count = min(max(game.seats[0], 4), game.seats[1])
    players = names(count)
    chosen_again = ((field, value) for field in game.option_fields() for value in other_values(field))
    for field, value in chosen_again:
        base = dict([field.only_if]) if field.only_if else {}
        with suppress(BadInput):  # too many players for it
            options = game.read_options(base), game.read_options({**base, field.key: value})
            one, other = (game.new(players, chosen) for chosen in options)
            tried = (differs(data, Random(n), game, one, other, count) for n in range(5))
            assert any(tried), (field.key, value)


# ---- sabotage


class Deaf(toy.Pebbles):
    """Has an option without effect."""

    def new(self, players: tuple[str, ...], options: Any) -> Any:
        return super().new(players, msgspec.structs.replace(options, polite=False))


class Choosy(toy.Pebbles):
    """Refuses to count nothing."""

    def count_hand(self, written: Any, options: Any) -> Counted | None:
        raise BadInput(text("This game counts no pieces."))


class Closed(toy.Pebbles):
    """Says that people can come, and lets nobody in."""

    comings = text("Pebbles stay.")

    def gone_on(self, state: Any, players: Any, sat: Any) -> Any:
        raise KeyError(players)


class Moody(toy.Pebbles):
    """Counts void rounds."""

    def play(self, state: Any, move: Any) -> Any:
        if isinstance(move, Verdict) and move.void:
            return self._given(state, 1, 1)
        return super().play(state, move)


# Each with the promise that it breaks.
SABOTAGES: dict[type[toy.Pebbles], Callable[..., None]] = {
    Deaf: test_every_option_changes_something,
    Choosy: test_counting_pieces_never_fails_for_nothing,
    Closed: test_people_come_and_go_where_the_game_says_so_and_nowhere_else,
    Moody: known.test_a_void_round_changes_nothing,
}
CONTRACT: list[Callable[..., None]] = [
    check
    for module in (known, sys.modules[__name__])
    for check in vars(module).values()
    if EVERY_GAME.mark in getattr(check, "pytestmark", ())
]


def keeps(game: Game, check: Callable[..., None]) -> None:
    """Hold *game* to one part of the contract; what does not hold is not made small."""
    drawn = getattr(check, "hypothesis", None)
    if drawn is not None:

        @settings(FEW, phases=[Phase.generate], suppress_health_check=[*HealthCheck])
        @given(data=st.data())
        def once(data: st.DataObject) -> None:
            drawn.inner_test(game=game, data=data)

        once()
        return
    check(game=game)


@pytest.mark.parametrize("kind", SABOTAGES, ids=lambda kind: kind.__name__)
def test_a_game_that_breaks_its_word_is_caught(kind: type[toy.Pebbles]) -> None:
    """One thing at a time; the toy itself keeps it (see `test_games`)."""
    assert SABOTAGES[kind] in CONTRACT
    with pytest.raises((AssertionError, CompanionError, KeyError, pytest.fail.Exception)):
        keeps(kind(), SABOTAGES[kind])


def test_a_copy_of_the_toy_under_another_name_keeps_the_contract() -> None:
    """That is how a contributor begins: also the package, which imports the copy, is in no circle with it."""
    for begun in (toy, toy_sheet):
        assert "from lastnose.companion.games import" not in Path(begun.__file__).read_text(encoding="utf-8")
    source = Path(toy.__file__).read_text(encoding="utf-8").replace('"pebbles"', '"stones"')
    copy = ModuleType("stones")
    sys.modules["stones"] = copy
    try:
        exec(compile(source, "stones.py", "exec"), copy.__dict__)
        assert "stones" == copy.GAME.name
        for check in CONTRACT:
            keeps(copy.GAME, check)
    finally:
        del sys.modules["stones"]


class Tally(SheetGame[Any, Any]):
    """A sheet with the least that a sheet needs: no pieces, no deal, no rule of its own."""

    name = "tally"
    title = text("Tally")
    summary = text("Three hands, whoever has the fewest points wins.")
    seats = (2, 6)
    options_type = toy_sheet.Options
    drawn = "cards"
    once = "TLY-1"
    option_fields = toy_sheet.Berries.option_fields

    def hands(self, options: Any) -> int:
        """Return three."""
        return 3

    def line_title(self, state: Any, hand: int) -> Any:
        """Return its number."""
        return text("Hand {n}", n=hand)


def test_a_sheet_without_pieces_needs_no_stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points are written, pieces refused in a sentence, and it counts no hands."""
    game: Any = Tally()
    state = game.new(names(2), game.read_options({}))
    state = game.play(state, game.read_move({"type": "score", "hand": 1, "seat": 1, "points": 0}))
    state = game.play(state, game.read_move({"type": "score", "hand": 1, "seat": 2, "points": 7}))
    assert [0, 7] == [one.score for one in game.moment(state).standings]
    with pytest.raises(BadInput, match="say the points"):
        game.play(state, game.read_move({"type": "score", "hand": 2, "seat": 1, "pieces": ["AH"]}))
    assert game.count_hand((), state.options) is None
    assert game.moment(state).sheet is not None
    assert 0 == deal(game, 2, state.options)["cards"]


@pytest.mark.parametrize("strange", [Choosy(), Tally()], ids=lambda game: game.name)
def test_nothing_of_one_game_breaks_a_command_for_another(
    strange: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a game refuses, the others are listed, dealt and counted."""
    monkeypatch.setitem(GAMES, strange.name, strange)
    for words, status in (
        (("games",), 0),
        (("deal", "pig", "--players", "4"), 0),
        (("points", "chickenfoot", "5-5"), 0),
        (("points", "pig", "AH"), 2),
        (("points", strange.name, "AH"), 2),
    ):
        done = lastnose(*words)
        assert (status, True) == (done.exit_code, status == 0 or done.stderr.count("\n") == 1), done.output
    assert "no hand points" in lastnose("points", "pig", "AH").stderr
