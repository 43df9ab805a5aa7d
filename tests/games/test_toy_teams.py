"""A game of quick reactions between two teams, whole in this file: it plays everywhere, nothing names it.

It is no game of ours. What page, OLED, log and tape need of a game is all here; to become one of ours it
would move to `companion/games`, into the registry, and its texts into the catalogues.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.errors import BadInput, IllegalMove
from companion.core.model import Edge, Levels, Verdict, Watermark
from companion.core.text import Text, text
from companion.games import GAMES, Advice, OptionField, Outcome, Standing, register
from companion.games.rules.base import Plain
from companion.games.rules.checks import check_options, check_players
from companion.games.rules.prompts import Choice, ChooseSeat, Prompt, WatchNoses
from companion.table.memory_store import MemoryStore
from companion.table.replay import load_tape, replay, report
from companion.table.table import Table
from companion.testing.scenario import Scenario
from hardware.oled.screens import count_pages
from tests.support.phones import Phone, make_app
from tests.support.pictures import assert_as_in_picture, every_page
from tests.support.tables import AnsweringTable
from tests.web.test_pages import data_of

ROOT = Path(__file__).parent.parent.parent
PICTURE = Path(__file__).parent / "toy_teams.png"
PLAYERS = ["North", "East", "South", "West"]
MS = 1_000_000
TEAMS = (text("Red"), text("Blue"))


class Options(msgspec.Struct, frozen=True):
    """How many sparks win."""

    goal: int


class FalseStart(msgspec.Struct, frozen=True, tag="false-start", tag_field="type"):
    """The player of `seat` touched before the call: a spark goes to the other team."""

    seat: int


class State(msgspec.Struct, frozen=True):
    """How many sparks each team has; odd seats are the first team."""

    players: tuple[str, ...]
    options: Options
    sparks: tuple[int, int] = (0, 0)
    rounds: int = 0


class Sparks(Plain[Options, State, FalseStart]):
    """Whoever touches first wins a spark for the team."""

    name = "sparks"
    title = text("Sparks")
    summary = text("Two teams. Somebody calls; whoever touches first wins a spark for the team.")
    seats = (4, 8)
    emblem = "M13 2L5 14h5l-1 8 9-13h-6z"

    def option_fields(self) -> tuple[OptionField, ...]:
        """Return the goal."""
        goals = tuple(Choice(count, text("{n} sparks", n=count), text("They win.")) for count in (2, 3, 5))
        return (OptionField("goal", "choice", text("Goal"), text("So many sparks win."), 3, goals),)

    def read_options(self, raw: Mapping[str, Any]) -> Options:
        """Check the goal."""
        return Options(**check_options(self.title, self.option_fields(), raw))

    def read_move(self, raw: Mapping[str, Any]) -> FalseStart:
        """Check the one move."""
        try:
            return msgspec.convert(raw, FalseStart)
        except msgspec.ValidationError:
            raise BadInput(text("Sparks has the move “false-start”, with a seat.")) from None

    def new(self, players: tuple[str, ...], options: Options) -> State:
        """Return the state before the first call; raise BadInput where a team would be one short."""
        names = check_players(self.title, players, self.seats)
        if len(names) % 2:
            raise BadInput(text("Two teams want an even number of players, not {n}.", n=len(names)))
        return State(names, options)

    def play(self, state: State, move: Verdict | FalseStart) -> State:
        """Give a spark to the team of whoever was first, or to the other team after a false start."""
        if isinstance(move, Verdict) and (move.void is not None or not move.order):
            return state
        if self.outcome(state) is not None:
            raise IllegalMove("SPK-2", text("The game is over: start another one."))
        if isinstance(move, Verdict):
            return _with_spark(state, (move.order[0] - 1) % 2)
        if not 1 <= move.seat <= len(state.players):
            raise IllegalMove("SPK-1", text("There is no seat {seat} in this game.", seat=move.seat))
        return _with_spark(state, move.seat % 2)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Return the team's sparks for each of its players, and which team that is."""
        return tuple(
            Standing(seat=seat, score=state.sparks[(seat - 1) % 2], notes=(TEAMS[(seat - 1) % 2],))
            for seat in range(1, len(state.players) + 1)
        )

    def outcome(self, state: State) -> Outcome | None:
        """Return the team that has enough sparks."""
        for team, count in enumerate(state.sparks):
            if count >= state.options.goal:
                winners = tuple(range(team + 1, len(state.players) + 1, 2))
                losers = tuple(range(2 - team, len(state.players) + 1, 2))
                return Outcome(winners, losers, text("{team}: {n} sparks.", team=TEAMS[team], n=count))
        return None

    def asks(self, state: State) -> tuple[Prompt, ...]:
        """Watch everybody; a false start may be said at any time."""
        if self.outcome(state) is not None:
            return ()
        seats = tuple(range(1, len(state.players) + 1))
        explain = text("Touched before the call: the other team gets the spark.")
        return (WatchNoses(seats), ChooseSeat("false-start", text("False start"), explain, seats))

    def advice(self, state: State) -> Advice:
        """Say that nothing is dealt."""
        return Advice((text("Somebody calls."),), packs=0, ranks=(), cards=0, each=0, dealer=None)

    def notes(self, state: State) -> tuple[Text, ...]:
        """Say how it stands."""
        return (text("Red {a} : {b} Blue", a=state.sparks[0], b=state.sparks[1]),)

    def describe(self, before: State, move: FalseStart, after: State) -> Text | None:
        """Return who could not wait."""
        return text("{player} started too early", player=before.players[move.seat - 1])


def _with_spark(state: State, team: int) -> State:
    red, blue = state.sparks
    sparks = (red + 1, blue) if team == 0 else (red, blue + 1)
    return msgspec.structs.replace(state, sparks=sparks, rounds=state.rounds + 1)


GAME = Sparks()


@pytest.fixture(autouse=True)
def sparks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the game, for one test: that is all it takes."""
    monkeypatch.setattr("companion.games.GAMES", GAMES)
    monkeypatch.setitem(GAMES, "sparks", GAME)
    del GAMES["sparks"]
    register(GAME)
    yield


def touched(table: Scenario, *order: str) -> None:
    """Let all touch in this *order*, 1 ms apart, and the round be judged."""
    for number, player in enumerate(order):
        table.press(player, at_us=1_000 * number)
    table.judge()


def scores(table: Scenario) -> list[int | None]:
    """Return what each row shows."""
    return [row.score for row in table.snapshot.rows]


def test_whoever_is_first_wins_a_spark_for_the_team() -> None:
    """North and South are Red: North is first, then West; then East starts too early, and takes it back."""
    table = Scenario("sparks", PLAYERS)
    touched(table, "North", "East", "West", "South")
    assert [1, 0, 1, 0] == scores(table)
    touched(table, "West", "South", "North", "East")
    assert [1, 1, 1, 1] == scores(table)
    table.play("false-start", "East")
    assert [2, 1, 2, 1] == scores(table)
    assert "East started too early" in [str(view.headline) for view in table.table.queries.rounds()]
    table.undo()
    assert [1, 1, 1, 1] == scores(table)


def test_a_team_wins_together() -> None:
    """Two sparks for Blue: East and West win, the others lose; then nothing is watched or asked."""
    table = Scenario("sparks", PLAYERS, goal=2)
    for first in ("East", "West"):
        others = [player for player in PLAYERS if player != first]
        touched(table, first, *others)
    ended = table.table.queries.statistics().games[0]
    assert ("won", ("East", "West"), ("North", "South")) == (
        table.snapshot.phase,
        ended.winners,
        ended.losers,
    )
    assert () == table.snapshot.acts


def test_three_cannot_be_two_teams() -> None:
    """Nor five; the sentence says why."""
    with pytest.raises(BadInput, match="an even number of players, not 5"):
        Scenario("sparks", [*PLAYERS, "Rose"])


def test_it_plays_from_a_tape(tmp_path: Path) -> None:
    """East first, then a false start of East: one spark each."""
    lines: list[object] = [{"tape": 1, "game": "sparks", "players": PLAYERS, "options": {"goal": 3}}]
    start = 1_000 * MS
    edges = [(start + at * MS, f"nose.{seat}") for at, seat in enumerate("2134")]
    for level, after in ((1, 0), (0, 1_000 * MS)):
        lines += [
            {"t_ns": t + after, "source": "gpio", "line": line, "level": level, "u_ns": 1000}
            for t, line in edges
        ]
    lines.append({"move": {"type": "false-start", "seat": 2}, "t_ns": start + 3_000 * MS})
    tape = tmp_path / "sparks.jsonl"
    tape.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    found = report(replay(load_tape(tape)))
    assert [[2, 1, 3, 4]] == [one["order"] for one in found["rounds"]]
    assert [1, 1, 1, 1] == [one["score"] for one in found["standings"]]
    assert found["outcome"] is None


def test_it_is_played_over_the_api() -> None:
    """Begun, touched, a false start named and taken back: what a page sees and sends."""
    noses = tuple(f"nose.{seat}" for seat in range(1, 5))
    table = Table(MemoryStore(), noses, simulated=True, clock_ns=lambda: 0, wall_s=lambda: 1.0)
    browser = Phone(make_app(AnsweringTable(table)))
    table.feed(Levels({}, 0, "gpio"))
    begin = {"type": "start", "game": "sparks", "players": PLAYERS, "options": {"goal": 2}}
    assert 200 == browser.post("/api/v1/commands", begin).status_code
    table.feed(Watermark(100 * MS, "gpio"))
    for number, seat in enumerate((3, 2, 1, 4)):
        table.feed(Edge((200 + 5 * number) * MS, "gpio", f"nose.{seat}", 1, 1_000))
    table.feed(Watermark(700 * MS, "gpio"))
    table.publish()
    now = browser.get("/api/v1/state").json
    assert ([1, 0, 1, 0], ["false-start"]) == (
        [row["score"] for row in now["rows"]],
        [act["move"] for act in now["acts"]],
    )
    assert "Red" in now["rows"][0]["notes"]
    early = {"type": "play", "move": {"type": "false-start", "seat": 4}}
    assert "won" == browser.post("/api/v1/commands", early).json["state"]["phase"]
    assert "won" != browser.post("/api/v1/commands", {"type": "undo"}).json["state"]["phase"]
    refused = browser.post("/api/v1/commands", {"type": "play", "move": {"type": "false-start", "seat": 9}})
    assert (409, "There is no seat 9 in this game.") == (refused.status_code, refused.json["error"])


def test_it_is_drawn_on_the_oled() -> None:
    """The verdict, then the sparks; the picture is compared pixel by pixel."""
    table = Scenario("sparks", PLAYERS)
    for number, player in enumerate(PLAYERS):
        table.press(player, at_us=1_000 * number)
    table.wait(1)
    assert count_pages(table.snapshot, (128, 64)) >= 2
    assert_as_in_picture(every_page(table.snapshot), PICTURE)


def test_set_up_and_help_have_it() -> None:
    """With its option and its picture; the rules are what it says of itself."""
    browser = Phone(make_app())
    games = data_of(browser.get("/setup").get_data(as_text=True), "games")
    found = next(game for game in games if game["name"] == "sparks")
    assert (["goal"], GAME.emblem) == ([field["key"] for field in found["options"]], GAME.emblem)
    assert "wins a spark for the team" in browser.get("/help/sparks").get_data(as_text=True)


def test_nothing_of_ours_names_it() -> None:
    """No module, template or script says its name, move or rules: it came in by the registry alone."""
    ours = [
        path
        for room in ("companion", "web", "hardware")
        for path in (ROOT / room).rglob("*")
        if path.suffix in {".py", ".js", ".html", ".css"}
    ]
    assert len(ours) > 300
    named = [
        str(path)
        for path in ours
        for word in ('"sparks"', "false-start", "SPK-")
        if word in path.read_text(encoding="utf-8")
    ]
    assert [] == named
