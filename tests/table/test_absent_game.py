"""An evening of a game that is not installed any more: it is read, not changed; another game can begin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.evening.commands import Play, Start, Undo
from lastnose.companion.games import GAMES
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from lastnose.companion.testing.scenario import Scenario

from tests.support import toy
from tests.support.phones import Phone, make_app
from tests.support.tables import AnsweringTable

PLAYERS = ("North", "East", "South")
LINES = ("nose.1", "nose.2", "nose.3")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryStore]:
    """Two rounds of Pebbles with a thank you between, kept, and then the game is gone."""
    kept = MemoryStore()
    with monkeypatch.context() as installed:
        installed.setitem(GAMES, toy.GAME.name, toy.GAME)
        table = Scenario("pebbles", PLAYERS, polite=True, store=kept)
        for _ in range(2):
            for at_us, player in ((0, "North"), (300, "East"), (712, "South")):
                table.press(player, at_us=at_us)
            table.judge()
            table.move(type="thanked", seat=3)
    yield kept


def test_its_evening_is_read_as_it_was_judged(store: MemoryStore) -> None:
    """Who was last, by how much; what a move of the table did nobody knows here."""
    table = Table(store, LINES)
    rounds = table.queries.rounds()
    said = [str(one.headline) for one in rounds]
    assert said == [*["South was last", "A move of the table"] * 2, "This round does not count."]
    assert rounds[0].finish is not None
    assert rounds[0].finish.margin_ns == 412_000
    assert "South was last" in table.queries.export_csv()
    assert '"game":"pebbles"' in table.queries.tape(rounds[0].seq)
    assert table.queries.statistics().rounds == 2
    assert "This game is not installed: pebbles." in [str(note) for note in table.snapshot.proof]


def test_it_cannot_be_played_on_and_another_game_can_begin(store: MemoryStore) -> None:
    """Whatever was written now might not fit when its package is there again."""
    table = Table(store, LINES)
    before = len(list(store.events()))
    for command in (Play({"type": "thanked", "seat": 3}), Undo()):
        with pytest.raises(NotNow, match=r"This game is not installed: pebbles\."):
            table.execute(command, "host")
    assert before == len(list(store.events()))
    shown = table.execute(Start("pig", PLAYERS), "host")
    assert shown.game == "pig"


def test_when_its_package_is_there_again_nothing_is_missing(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pebbles, two given back."""
    monkeypatch.setitem(GAMES, toy.GAME.name, toy.GAME)
    assert [0, 0, 0] == [row.score for row in Table(store, LINES).snapshot.rows]


PATHS = ("/", "/history", "/setup", "/statistics", "/board", "/api/v1/state", "/api/v1/rounds")


@pytest.mark.parametrize("path", PATHS)
def test_every_page_shows_it(store: MemoryStore, path: str) -> None:
    """With its name, where the game is named."""
    answer = Phone(make_app(table=AnsweringTable(Table(store, LINES)))).get(path)
    assert answer.status_code == 200
