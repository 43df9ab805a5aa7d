"""An evening of a game that is gone or has changed: it is read, and not changed; another game can begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput, GameFailed, IllegalMove, NotNow
from lastnose.companion.core.model import Verdict
from lastnose.companion.core.text import text
from lastnose.companion.evening.commands import Agree, Arm, Finish, Play, Rename, SignOff, Start, Undo
from lastnose.companion.evening.events import RoundJudged, VerdictContested
from lastnose.companion.games import GAMES, guarded
from lastnose.companion.table.memory_store import EveningRecord, MemoryStore
from lastnose.companion.table.replay import replay
from lastnose.companion.table.replay import rounds as told_rounds
from lastnose.companion.table.rescue import rescue
from lastnose.companion.table.store import Store
from lastnose.companion.table.table import Table
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing.tape import read_tape

from tests.support import toy, toy_sheet
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
    assert "pebbles is not here as it was played: install that version, or start another game." in [
        str(note) for note in table.snapshot.proof
    ]


def test_nobody_is_asked_to_decide_about_a_round_of_it(store: MemoryStore) -> None:
    """It is contested, and cannot be kept or voided; neither while it is the newest nor after that."""
    (seq, judged), *_ = ((seq, one) for seq, one in store.events() if isinstance(one, RoundJudged))
    otherwise = msgspec.structs.replace(judged.verdict, last=(1,))
    store.append(VerdictContested(by="box", at=1.0, of=seq, verdict=otherwise))
    table = Table(store, LINES)
    assert table.queries.rounds()[0].contested
    assert table.publish().contest is None
    table.execute(Start("pig", PLAYERS), "host")
    assert table.publish().contest is None


def test_it_cannot_be_played_on_and_another_game_can_begin(store: MemoryStore) -> None:
    """Whatever was written now might not fit when its package is there again."""
    table = Table(store, LINES)
    before = len(list(store.events()))
    for command in (Play({"type": "thanked", "seat": 3}), Undo()):
        with pytest.raises(NotNow, match="pebbles is not here as it was played"):
            table.execute(command, "host")
        assert not (foreseen := table.queries.foreseen(command, "host")).fits
        assert ["pebbles is not here as it was played: install that version, or start another game."] == [
            str(one) for one in foreseen.says
        ]
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


def test_what_only_its_rules_can_take_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other options that were agreed on, and the signature of its result: neither keeps the evening shut."""
    kept = MemoryStore()
    with monkeypatch.context() as installed:
        installed.setitem(GAMES, "berries", toy_sheet.GAME)
        table = Table(kept, ())
        table.execute(Start("berries", PLAYERS, {"ace": 1}), "host")
        table.execute(Agree({"ace": 11}), "host")
        table.execute(Play({"type": "score", "hand": 1, "seat": 2, "points": 7}), "host")
        table.execute(Finish(), "host")
        table.execute(SignOff(), "host")
    opened = Table(kept, ())
    assert ["A move of the table", "The game was ended here."] == [
        str(one.headline) for one in opened.queries.rounds()
    ]
    monkeypatch.setitem(GAMES, "berries", toy_sheet.GAME)
    there_again = EveningRecord(kept).evening.match
    assert there_again is not None
    assert ({"ace": 11}, "host") == (there_again.started.options, there_again.signed_by)


OF_THE_GAME = ("/help", "/help/pebbles", "/help/pig")

# ---- a game that has changed since, so that it refuses what it took then


class Curt(toy.Pebbles):
    """The next version: nobody can be polite."""

    def read_options(self, raw: Mapping[str, Any]) -> toy.Options:
        """Refuse what there was."""
        found = super().read_options(raw)
        if found.polite:
            raise BadInput(text("Nobody is polite any more."))
        return found


class Stricter(toy.Pebbles):
    """The next version: South is never last, and nobody thanks any more."""

    def play(self, state: toy.PebbleState, move: Any) -> toy.PebbleState:
        """Refuse both."""
        if isinstance(move, toy.Thanked) or (isinstance(move, Verdict) and move.last == (3,)):
            raise IllegalMove("PBL-9", text("That cannot be any more."))
        return super().play(state, move)


class Forgetful(toy.Pebbles):
    """The next version: it cannot read its moves of then, nor end."""

    def read_move(self, raw: Mapping[str, Any]) -> Any:
        """Know none."""
        raise BadInput(text("There are no moves."))

    def outcome(self, state: toy.PebbleState) -> None:
        """Go on for ever."""


def round_of(table: Scenario, last: str) -> None:
    """Play a round that *last* loses by 412 µs."""
    others = [player for player in PLAYERS if player != last]
    for at_us, player in zip((0, 300, 712), (*others, last), strict=True):
        table.press(player, at_us=at_us)
    table.judge()


def scores(store: Store) -> list[tuple[str, list[int | None]]]:
    """Return each game of the evening with its scores."""
    evening = EveningRecord(store).evening
    return [(match.game.name, [one.score for one in match.now.standings]) for match in evening.matches]


@pytest.mark.parametrize("update", [Curt, Stricter, Forgetful])
def test_an_evening_opens_though_its_game_refuses_by_now_what_it_took_then(
    update: type[toy.Pebbles], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between two rounds, updated, killed again, and put back: letters and pebbles are all there."""
    monkeypatch.setitem(GAMES, "pebbles", guarded(toy.GAME))
    store = Store(tmp_path)
    table = Scenario("pig", PLAYERS, store=store)
    round_of(table, "East")
    table.table.execute(Start("pebbles", PLAYERS, {"polite": True}), "host")
    table.table.execute(Arm(), "host")
    for last in ("South", "South", "North"):
        round_of(table, last)
    table.move(type="thanked", seat=3)
    table.table.execute(Rename("East", "Easton"), "host")
    before = scores(store)
    assert before == [("pig", [None] * 3), ("pebbles", [1, 0, 1])]
    written = len(list(store.events()))
    store.close()

    monkeypatch.setitem(GAMES, "pebbles", guarded(update()))
    for _ in range(2):
        store = Store(tmp_path)
        opened = Table(store, LINES)
        rounds = opened.queries.rounds()
        said = [str(one.headline) for one in rounds]
        assert said[:2] == ["Easton was last: P", "The game was ended here."]
        assert said[2:6] == ["South was last", "South was last", "North was last", "A move of the table"]
        assert {*said[6:]} == {"This round does not count."}  # what was armed when the plug was pulled
        assert rounds[2].finish is not None
        assert rounds[2].finish.margin_ns == 412_000
        assert "Pebbles is not here as it was played: install that version, or start another game." in [
            str(one) for one in opened.snapshot.proof
        ]
        for command in (Play({"type": "thanked", "seat": 3}), Undo(), Arm()):
            with pytest.raises(NotNow, match="Pebbles is not here as it was played"):
                opened.execute(command, "host")
        page = Phone(make_app(table=AnsweringTable(opened)))
        assert {200} == {page.get(path).status_code for path in (*PATHS, *OF_THE_GAME)}
        assert written + 1 == len(list(store.events()))
        store.close()
    rescued = rescue(tmp_path)
    assert (written + 1, (), ()) == (rescued.read, rescued.lost, rescued.unfit)
    store = Store(tmp_path)
    opened = Table(store, LINES)
    opened.execute(Start("pebbles", PLAYERS), "host")  # by the rules of now
    assert "pebbles" == opened.snapshot.game
    assert [0, 0, 0] == [row.score for row in opened.snapshot.rows]
    store.close()

    monkeypatch.setitem(GAMES, "pebbles", guarded(toy.GAME))
    store = Store(tmp_path)
    assert [*before, ("pebbles", [0, 0, 0])] == scores(store)
    store.close()


class Speechless(toy.Pebbles):
    """Pebbles whose sentences of a verdict and of the end cannot be made."""

    def headline(self, *_: object) -> NoReturn:
        raise ZeroDivisionError

    def ending(self, *_: object) -> NoReturn:
        raise ZeroDivisionError


def test_a_game_whose_sentences_fail_goes_on_under_its_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict counts, and so does the end; where the sentence would be stands the name of the game."""
    monkeypatch.setitem(GAMES, "pebbles", guarded(Speechless()))
    table = Scenario("pebbles", PLAYERS)
    for last in ("North", "North", "North"):
        round_of(table, last)
    assert [3, 0, 0] == [row.score for row in table.snapshot.rows]
    assert {"Pebbles"} == {str(one.headline) for one in table.table.queries.rounds()}


class Incomparable(toy.PebbleState, frozen=True):
    """A state of Pebbles that cannot be compared."""

    def __eq__(self, other: object) -> NoReturn:
        raise ZeroDivisionError


class Unlike(toy.Pebbles):
    """Pebbles with such states."""

    def new(self, players: tuple[str, ...], options: Any) -> Incomparable:
        return Incomparable(*msgspec.structs.astuple(super().new(players, options)))


def test_a_game_whose_states_cannot_be_compared_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As with all that such a game raises, and nothing has begun."""
    monkeypatch.setitem(GAMES, "pebbles", guarded(Unlike()))
    table = Table(MemoryStore(), LINES)
    with pytest.raises(GameFailed, match="Pebbles has failed: ZeroDivisionError"):
        table.execute(Start("pebbles", PLAYERS), "host")
    assert "setup" == table.snapshot.phase


def test_a_verdict_that_its_game_refuses_is_kept_and_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is played, when the evening is opened again, and on its tape; the table goes on."""
    monkeypatch.setitem(GAMES, "pebbles", guarded(Stricter()))
    store = Store(tmp_path)
    table = Scenario("pebbles", PLAYERS, store=store)
    for last in ("North", "South", "North"):
        round_of(table, last)
    before = scores(store)
    assert before == [("pebbles", [2, 0, 0])]
    refused = table.table.queries.rounds()[1]
    assert ["This round does not count.", "That cannot be any more."] == [
        *map(str, (refused.headline, *refused.proof[:1]))
    ]
    tape = read_tape(table.table.queries.tape(refused.seq).splitlines())
    assert ["That cannot be any more."] == [one["void"] for one in told_rounds(replay(tape))]
    store.close()
    store = Store(tmp_path)
    assert before == scores(store)
    store.close()
