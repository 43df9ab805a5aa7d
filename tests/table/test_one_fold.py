"""What people tap is worked out once: the state that was checked is the one that is shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lastnose.companion.core.errors import IllegalMove, StoreError
from lastnose.companion.evening import log
from lastnose.companion.evening.commands import Play, Start, Undo
from lastnose.companion.games import GAMES
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

from tests.support import toy
from tests.support.full_disk import FullDisk

PLAYERS = ("North", "East", "South")
THANKS = Play({"type": "thanked", "seat": 2})


class Counting(toy.Pebbles):
    """A game that counts how often it is played; East and South begin with two pebbles."""

    def __init__(self) -> None:
        self.played = 0

    def new(self, players: tuple[str, ...], options: toy.Options) -> toy.PebbleState:
        """Return the state to give pebbles back in."""
        return toy.PebbleState(options, (0, 2, 2))

    def play(self, state: toy.PebbleState, move: object) -> toy.PebbleState:
        """Play *move*, and count that."""
        self.played += 1
        return super().play(state, move)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    """Let the table know the counting game, for one test."""
    made = Counting()
    monkeypatch.setitem(GAMES, made.name, made)
    yield made


def begun(store: MemoryStore | None = None) -> Table:
    """Return a table on which the game has begun, politely."""
    table = Table(store or MemoryStore(), ("nose.1", "nose.2", "nose.3"), clock_ns=lambda: 0)
    table.execute(Start("pebbles", PLAYERS, {"polite": True}), "host")
    return table


def test_a_tap_plays_the_move_once(game: Counting) -> None:
    """To begin plays nothing; a move plays once, whether it is taken or refused."""
    table = begun()
    assert 0 == game.played
    for taps in (1, 2):
        table.execute(THANKS, "host")
        assert taps == game.played
    with pytest.raises(IllegalMove):
        table.execute(Play({"type": "thanked", "seat": 1}), "host")
    assert 3 == game.played


def test_to_take_back_plays_only_what_came_after(game: Counting) -> None:
    """Three thanks, the first taken back: the two behind it are played again, each once."""
    table = begun()
    for seat in (2, 3, 2):
        table.execute(Play({"type": "thanked", "seat": seat}), "host")
    first = table.queries.rounds()[0].seq
    before = game.played
    table.execute(Undo(first), "host")
    assert before + 2 == game.played


def test_the_state_that_was_checked_is_the_one_that_is_kept(game: Counting) -> None:
    """And it is what the log folds to."""
    table = begun()
    table.execute(THANKS, "host")
    run = table.record.evening.match
    assert run is not None
    played = game.played
    assert run.state == log.fold(table.record.store.events()).matches[-1].state
    assert played + 1 == game.played


def test_what_the_disk_does_not_take_has_not_happened(game: Counting) -> None:
    """The move was worked out before; the evening is as it was, and so is what is shown."""
    store = FullDisk()
    table = begun(store)
    before = table.record.evening
    shown = table.snapshot
    store.room = 0
    with pytest.raises(StoreError):
        table.execute(THANKS, "host")
    assert before is table.record.evening
    assert shown is table.publish()
    store.room = None
    table.execute(THANKS, "host")
    assert 1 == len(table.queries.rounds())
