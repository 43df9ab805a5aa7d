"""Letters, deal, deck and end of every game with noses, as an umpire with pen and paper has them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose.companion.games import AnyGame, deal, get_game
from lastnose.companion.games.rules.carried import Sat
from lastnose.companion.games.rules.prompts import Keypad

from tests.support.examples import examples
from tests.support.minutes import FOLDER, Minutes
from tests.support.umpire import FAMILY, Umpire
from tests.support.umpire_moves import PileUmpire
from tests.support.umpire_sheets import SheetUmpire

AnyUmpire = Umpire | SheetUmpire | PileUmpire

WATCHED = (*FAMILY, "magarac", "vatra")
NOSES = ("pig", "spoons", "magarac", "vatra")
PILE = "pig-10"
SHEETS = ("score-pad", "chickenfoot", "swedish-gin")


def figures(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return what the game counts, as an umpire does."""
    now = game.moment(state)
    standings, outcome, advice = now.standings, now.outcome, now.advice
    found: dict[str, Any] = {
        "letters": [one.score if game.name == "vatra" else len(one.letters) for one in standings],
        "out": [one.seat for one in standings if one.out],
        "dealer": advice.dealer,
        "winners": [] if outcome is None else sorted(outcome.winners),
        "losers": [] if outcome is None or game.name in FAMILY else list(outcome.losers),
    }
    found |= {"cards": advice.cards, "ranks": list(advice.ranks), "each": advice.each}
    if game.name in ("magarac", "vatra"):
        again = game.revised_verdict(state)
        found["revised"] = None if again is None else ([*again.order], [*again.last])
    if game.name in FAMILY:
        found["remove"] = sorted(card.rank + card.suit for card in advice.remove)
    return found


def sheet_figures(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return what a sheet counts, as an umpire does."""
    sheet, outcome = game.moment(state).sheet, game.moment(state).outcome
    assert sheet is not None
    assert [*sheet.totals] == [one.score for one in game.moment(state).standings]
    return {
        "totals": [*sheet.totals],
        "leaders": [*sheet.leaders],
        "behind": [*sheet.behind],
        "sums": {row.hand: [cell.total for cell in row.cells] for row in sheet.lines if row.complete},
        "written": {
            row.hand: [cell.points for cell in row.cells]
            for row in sheet.lines
            if any(cell.points is not None for cell in row.cells)
        },
        "deals": next((row.dealer for row in sheet.lines if row.current), None),
        "winners": [] if outcome is None else sorted(outcome.winners),
    }


def pile_figures(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return what Pig 10 counts, as an umpire does."""
    outcome = game.moment(state).outcome
    pads = [one for one in game.moment(state).asks if isinstance(one, Keypad)]
    keys = {key.key: sorted(one.value for one in key.choices) for pad in pads for key in pad.keys}
    return {
        "won": [one.score for one in game.moment(state).standings],
        "turn": sum(pad.seat for pad in pads),
        "keys": dict(sorted(keys.items())),
        "winners": [] if outcome is None else sorted(outcome.winners),
    }


def umpire_of(line: str) -> AnyUmpire:
    """Return the umpire of a new table."""
    _, game, *words = line.split(" ")
    options: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            options[key] = json.loads(value) if value in ("true", "false") or value.isdigit() else value
    umpire = Umpire if game in WATCHED else PileUmpire if game == PILE else SheetUmpire
    return umpire(game, [word for word in words if "=" not in word], options)


def agree(umpire: AnyUmpire, minutes: Minutes, done: str) -> None:
    """Compare all figures."""
    game, state = minutes.table
    if isinstance(umpire, Umpire):
        assert umpire.figures() == figures(game, state), done
        return
    if isinstance(umpire, PileUmpire):
        assert umpire.figures() == pile_figures(game, state), done
        return
    his, found = umpire.figures(), sheet_figures(game, state)
    if found["deals"] is None:  # nobody deals, or the last hand is written
        del his["deals"], found["deals"]
    assert his == found, done


@pytest.mark.parametrize("name", [*NOSES, *SHEETS, PILE])
def test_every_figure_in_the_minutes_is_the_umpires(name: str) -> None:
    """After each thing that is done; what the game refuses he does not write down."""
    minutes, umpire = Minutes(), None
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        done = line.removeprefix("$ ")
        if done == line or done.split(" ")[0] in ("options", "help", "deal", "ask", "count", "calculate"):
            continue
        said = minutes.does(done)
        if done.startswith("table "):
            umpire = umpire_of(done)
        assert umpire is not None
        if said and said[0].startswith("refused"):
            continue
        umpire.does(done)
        agree(umpire, minutes, done)
        if isinstance(umpire, Umpire) and done.startswith("people "):  # it is asked, not done
            names = done.split(" ")[1:]
            game, state = minutes.table
            seats = {one: seat for seat, one in enumerate(state.players, start=1)}
            sat = tuple(Sat(state, seats[one]) if one in seats else None for one in names)
            after = game.gone_on(state, tuple(names), sat)
            stands = game.moment(after).standings
            marks, out = [len(one.letters) for one in stands], [one.seat for one in stands if one.out]
            if name == "vatra":
                marks = [*after.marks]
            assert umpire.carried(names) == (marks, out, after.dealer)


OPTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "pig": {
        "stock": st.booleans(),
        "hand_size": st.sampled_from([3, 4, 5]),
        "word": st.sampled_from(["PIG", "AB", "Z"]),
        "sudden_death": st.booleans(),
        "no_talking": st.booleans(),
        "winners": st.sampled_from([1, 2]),
        "dead_heat": st.sampled_from(["replay", "share"]),
    },
    "magarac": {"word": st.sampled_from(["AB", "Z"]), "dead_heat": st.sampled_from(["replay", "share"])},
}
OPTIONS["vatra"] = {"dead_heat": st.sampled_from(["replay", "share"])}
OPTIONS["hog"] = OPTIONS["donkey"] = {"winners": st.sampled_from([1, 2]), "stock": st.booleans()}
OPTIONS["spoons"] = {
    "stock": st.booleans(),
    "hand_size": st.sampled_from([3, 4, 5]),
    "losses": st.sampled_from(["three", "word"]),
    "word": st.just("AB"),
    "winners": st.sampled_from([1, 2]),
    "dead_heat": st.sampled_from(["replay", "share"]),
}


def anything(data: st.DataObject, umpire: Umpire, silent: list[int]) -> str:
    """Return something that people may do now: mostly a round, touched by all or by all but the last."""
    order = data.draw(st.permutations(umpire.seats))
    kinds = ["round"] * 5 + ["heat", "void", "false"]
    if umpire.options.get("no_talking") and umpire.out:
        kinds.append("talked")
    if umpire.due:
        kinds += ["punished"] * 3
    if umpire.game in ("magarac", "vatra") and not umpire.closed and len(umpire.heard[0]) - len(silent) > 1:
        kinds += ["silent"] * 2
    match data.draw(st.sampled_from(kinds)):
        case "round":
            touched = order[: data.draw(st.sampled_from([len(order) - 1, len(order)]))]
            return f"last {order[-1]} of {' '.join(map(str, touched))}"
        case "heat":
            last = order[-data.draw(st.integers(2, len(order))) :]
            return f"last {' '.join(map(str, sorted(last)))} of {' '.join(map(str, order))}"
        case "false":
            return json.dumps({"type": "false-opener", "seat": order[0]})
        case "talked":
            return json.dumps({"type": "talked", "seat": order[0]})
        case "punished":
            return json.dumps({"type": "mercy", "value": data.draw(st.sampled_from(["mercy", "done"]))})
        case "silent":
            flagged = data.draw(st.sampled_from([seat for seat in umpire.heard[0] if seat not in silent]))
            return json.dumps({"type": "did-not-shout", "seat": flagged})
    return "void"


@pytest.mark.parametrize("name", sorted(OPTIONS))
@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_any_evening_has_the_figures_of_the_umpire(name: str, data: st.DataObject) -> None:
    """Any options, rounds, heats, false openers and whispers; nothing that he allows is refused."""
    begins = new_table(name, data)
    minutes, umpire = Minutes(), umpire_of(begins)
    assert isinstance(umpire, Umpire)
    for done in [begins, *[""] * 14]:
        if umpire.won or umpire.lost:
            break
        both_do(umpire, minutes, done or anything(data, umpire, umpire.heard[2]))


@pytest.mark.parametrize("name", sorted(OPTIONS))
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_who_comes_and_who_goes_play_on_as_the_umpire_has_it(name: str, data: st.DataObject) -> None:
    """Twice some leave, some come, all sit again: letters, who is out, the deal and the deck go with them."""
    begins = new_table(name, data)
    minutes, umpire = Minutes(), umpire_of(begins)
    assert isinstance(umpire, Umpire)
    both_do(umpire, minutes, begins)
    for newcomers in (["Eva", "Fred"], ["Gina"]):
        for _ in range(data.draw(st.integers(0, 5))):
            if not (umpire.won or umpire.lost):
                both_do(umpire, minutes, anything(data, umpire, umpire.heard[2]))
        if umpire.won or umpire.lost:
            break
        away = data.draw(st.sets(st.sampled_from(umpire.names), max_size=3))
        come = data.draw(st.permutations([name for name in umpire.names if name not in away] + newcomers))
        circle = come[: 13 if name in ("magarac", "vatra") else 26]
        if sum(umpire.names.index(name) + 1 in umpire.seats for name in circle if name in umpire.names) > 2:
            both_do(umpire, minutes, f"circle {' '.join(circle)}")
    if not (umpire.won or umpire.lost):
        both_do(umpire, minutes, anything(data, umpire, umpire.heard[2]))


def new_table(name: str, data: st.DataObject) -> str:
    """Return how a table of any size begins, with any options."""
    players = data.draw(st.integers(3, 13 if name in ("magarac", "vatra") else 26))
    options = data.draw(st.fixed_dictionaries({}, optional=OPTIONS[name]))
    written = [f"{key}={json.dumps(one) if isinstance(one, bool) else one}" for key, one in options.items()]
    return " ".join(["table", name, *(f"P{seat}" for seat in range(1, players + 1)), *written])


def both_do(umpire: Umpire, minutes: Minutes, line: str) -> None:
    """Let the game and the umpire do the same, which is not refused, and compare."""
    said = minutes.does(line)
    assert not (said and said[0].startswith("refused")), (line, said[0])
    umpire.does(line)
    agree(umpire, minutes, line)


SHEET_OPTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "score-pad": {
        "wins": st.sampled_from(["lowest", "highest"]),
        "rounds": st.integers(0, 4),
        "limit": st.sampled_from([0, 20, 100]),
    },
    "chickenfoot": {"set": st.just(6), "double_blank": st.sampled_from([25, 50])},
    "swedish-gin": {"exact_cut": st.booleans()},
}


@pytest.mark.parametrize("name", SHEETS)
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_any_sheet_adds_up_as_the_umpire_does(name: str, data: st.DataObject) -> None:
    """Hands filled in any order of players, corrected here and there, to the end or not."""
    players = data.draw(st.integers(2, 5))
    options = data.draw(st.fixed_dictionaries({}, optional=SHEET_OPTIONS[name]))
    written = [f"{key}={json.dumps(one) if isinstance(one, bool) else one}" for key, one in options.items()]
    table = " ".join(["table", name, *(f"P{seat}" for seat in range(1, players + 1)), *written])
    minutes, umpire = Minutes(), umpire_of(table)
    assert isinstance(umpire, SheetUmpire)
    minutes.does(table)
    for hand in range(1, min(umpire.hands, data.draw(st.integers(1, 8))) + 1):
        lines = [f"score {hand} {one} {points}" for one, points in filled(name, players, data)]
        if options.get("exact_cut") and data.draw(st.booleans()):
            lines.insert(0, json.dumps({"type": "exact-cut", "hand": hand}))
        if data.draw(st.integers(0, 3)) == 0:
            seat = data.draw(st.integers(1, players))
            cell = {"seat": seat} | ({"points": 35} if umpire.points.get((1, seat)) else {})
            lines.append(json.dumps({"type": "correct", "hand": 1, "cells": [cell]}))
        for line in lines:
            said = minutes.does(line)
            if said and said[0].startswith("refused"):
                continue
            umpire.does(line)
            agree(umpire, minutes, line)
    assert umpire.points


def filled(name: str, players: int, data: st.DataObject) -> list[tuple[int, int]]:
    """Return seats in any order with points that may be: where somebody goes out, exactly one has 0."""
    least = -30 if name == "score-pad" else 1
    seats = data.draw(st.permutations(range(1, players + 1)))
    points = [5 * data.draw(st.integers(least, 4 + players)) for _ in seats]
    return list(zip(seats, points if name == "score-pad" else [0, *points[1:]], strict=True))


@settings(max_examples=examples(20), deadline=None)
@given(data=st.data())
def test_any_game_of_pig_10_goes_as_the_umpire_says(data: st.DataObject) -> None:
    """Whatever is laid, to the last card; nothing that he allows is refused."""
    players = data.draw(st.integers(2, 8))
    table = " ".join(["table pig-10", *(f"P{seat}" for seat in range(1, players + 1))])
    minutes, umpire = Minutes(), umpire_of(table)
    assert isinstance(umpire, PileUmpire)
    minutes.does(table)
    move = {"type": "starts", "seat": data.draw(st.integers(1, players))}
    rng = data.draw(st.randoms(use_true_random=False))
    while move:
        line = json.dumps(move)
        said = minutes.does(line)
        assert not said[0].startswith("refused"), (line, said[0])
        umpire.does(line)
        agree(umpire, minutes, line)
        now = umpire.figures()
        card, move = rng.choice([*now["keys"]]) if now["keys"] else 0, {}
        if now["keys"]:
            value = rng.choice(now["keys"][card])
            move = {"type": "lay", "seat": now["turn"], "key": card, "value": value}


@pytest.mark.parametrize("stock", [False, True])
@pytest.mark.parametrize("each", [3, 4, 5])
@pytest.mark.parametrize("players", [3, 4, 7, 10, 11, 12, 13, 14, 17, 18, 25, 26])
def test_what_to_take_from_the_box_is_what_the_umpire_deals(players: int, each: int, stock: bool) -> None:
    """The first cards of sorted packs: whole ranks, odd cards, packs that are opened, and what is left."""
    umpire = Umpire("pig", [""] * players, {"hand_size": each, "stock": stock})
    deck = umpire.deck()
    of_a_rank = 3 if each == 3 and not stock else 4
    game = get_game("pig")
    dealt = deal(game, players, game.read_options({"hand_size": each, "stock": stock}))
    expected = {
        "packs": -(-len(deck) // (13 * of_a_rank)),
        "ranks": umpire.figures()["ranks"],
        "cards": len(deck),
        "each": each,
        "dealer": 1,
        "stock": len(deck) - players * each if stock else 0,
        "odd": [] if stock else deck[len(deck) // of_a_rank * of_a_rank :],
    }
    assert expected == {key: dealt[key] for key in expected}
    spoons = get_game("spoons")
    assert players - 1 == deal(spoons, players, spoons.read_options({}))["spoons"]
