"""Moments of real games, as pages and screens show them: one for each thing that a game can ask or say.

`moments("spoons")` plays that game by lot, always the same way, and keeps what differs in kind.
"""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

from lastnose.companion.core.errors import CompanionError
from lastnose.companion.games.rules.prompts import (
    Choose,
    ChooseCard,
    ChooseSeat,
    EnterScore,
    Keypad,
    MarkHand,
    Tokens,
    WatchNoses,
)
from lastnose.companion.testing.scenario import Scenario
from lastnose.companion.timing import Settings
from lastnose.companion.views.snapshot import Snapshot

PLAYERS = ("Anne-Sophie", "Bob", "Čedomir", "Élodie")
MOVES = 120


def moments(game: str, *, seed: int = 1, moves: int = MOVES, **options: object) -> dict[str, Snapshot]:
    """Return the moments of *game* that differ in kind, each under what it shows."""
    lots = Random(seed)
    table = Scenario(game, PLAYERS, settings=Settings(rearm_ns=None), **options)
    found = {_kind(table.snapshot): table.snapshot}
    for _ in range(moves):
        if not _step(table, lots, found):
            break
        found.setdefault(_kind(table.snapshot), table.snapshot)
    return {f"{game} {number}: {kind}": found[kind] for number, kind in enumerate(found, 1)}


def _kind(shown: Snapshot) -> str:
    """Return what a moment shows, in the kinds of things that pages draw."""
    asked = {type(one).__name__ for one in (*shown.steps, *shown.entries, *shown.acts)}
    return " ".join([shown.phase, *(["sheet"] if shown.sheet else []), *sorted(asked)])


def _step(table: Scenario, lots: Random, found: dict[str, Snapshot]) -> bool:
    """Let the people do one thing that is asked; return False when there is nothing, or the game is over."""
    match = table.table.record.evening.match
    assert match is not None
    if match.finished:
        return False
    asks = list(match.asks)
    lots.shuffle(asks)
    for ask in asks:
        if isinstance(ask, WatchNoses):
            if _round(table, lots, ask, found):
                return True
            continue
        for raw in _wishes(ask, lots):
            try:
                table.move(**raw)
            except CompanionError:
                continue
            return True
    return False


def _wishes(ask: Any, lots: Random) -> list[dict[str, Any]]:
    """Return what could be sent for *ask*, in an order of chance."""
    made: list[dict[str, Any]] = []
    move = {"type": getattr(ask, "move", "")}
    if isinstance(ask, ChooseSeat):
        # What blames somebody out of turn is rarer than a round.
        made = [{**move, "seat": seat} for seat in ask.seats] if lots.random() < 0.2 else []
    elif isinstance(ask, Choose):
        made = [{**move, "value": one.value} for one in ask.choices]
    elif isinstance(ask, ChooseCard):
        made = [{**move, "card": str(one)} for one in ask.cards]
    elif isinstance(ask, Keypad):
        keys = [(key.key, one.value) for key in ask.keys for one in key.choices]
        made = [{**move, "seat": ask.seat, "key": key, "value": value} for key, value in keys]
    elif isinstance(ask, MarkHand):
        made = [{**move, "hand": ask.hand}] if lots.random() < 0.2 else []
    elif isinstance(ask, Tokens):
        made = [{**move, "hand": ask.hand, "seat": one.seat} for one in ask.purses if one.open]
    elif isinstance(ask, EnterScore):
        pairs = itertools.product(ask.seats, (0, 5, 10, 30))
        made = [{**move, "hand": ask.hand, "seat": seat, "points": points} for seat, points in pairs]
    lots.shuffle(made)
    return made


def _round(table: Scenario, lots: Random, ask: WatchNoses, found: dict[str, Snapshot]) -> bool:
    """Let all but one touch (and take spoons); keep the moments on the way."""
    order = [table.players[seat - 1] for seat in ask.seats]
    lots.shuffle(order)
    spoons = [row.number for row in table.snapshot.rack if row.used and not row.lifted]
    try:
        table.arm()
        found.setdefault(_kind(table.snapshot), table.snapshot)
        for number, player in enumerate(order):
            at_us = 1_000 + 180_000 * number + lots.randrange(400)
            if number < len(spoons):
                table.lift(spoons[number], at_us)
            if ask.rack is None or ask.rack.confirm != "rack-only":
                table.press(player, at_us + 700)
            if not number:
                table.wait(0.01)
            found.setdefault(_kind(table.snapshot), table.snapshot)
        table.judge()
    except CompanionError:
        return False
    found.setdefault(_kind(table.snapshot), table.snapshot)
    return True
