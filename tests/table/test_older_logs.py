"""Logs of older versions, which took what is refused now: they open, and history says what does not count."""

from __future__ import annotations

from typing import Any

from lastnose.companion.core.model import Verdict
from lastnose.companion.evening.commands import Play, Undo
from lastnose.companion.evening.events import AnyEvent, Played, RoundJudged, Started
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table

LINES = ("nose.1", "nose.2", "nose.3")


def opened(game: str, *events: AnyEvent) -> Table:
    """Return a table that finds *events* of three players in its log."""
    store = MemoryStore()
    lines = ("", "", "") if game == "chickenfoot" else LINES
    store.append(
        Started(by="host", at=1.0, game=game, players=("A", "B", "C"), options={}, lines=lines), *events
    )
    made = Table(store, LINES, simulated=True, wall_s=lambda: 1.0)
    made.publish()
    return made


def played(**move: Any) -> Played:
    """The table made a move."""
    return Played(by="host", at=2.0, move=move)


def test_a_card_that_is_in_no_deck_is_passed_over() -> None:
    """MAG-9: of three players' deck four hearts were turned; three are counted, and the game goes on."""
    verdict = Verdict(order=(1, 2), last=(3,))
    judged = RoundJudged(by="box", at=1.0, verdict=verdict, confirm_ns=1, lockout_ns=1)
    turned = [played(type="turned", value=one) for one in ("H", "H", "H", "H", "appeared")]
    made = opened(
        "vatra", judged, played(type="name-card", card="QS"), played(type="from-end", value="top"), *turned
    )
    assert [[], [], ["♠ 0  ♥ 3  ♦ 0  ♣ 0"]] == [
        [str(note) for note in row.notes] for row in made.snapshot.rows
    ]
    match = made.queries.evening.match
    assert match is not None
    unfit = [str(entry.unfit) for entry in match.entries if entry.unfit is not None]
    assert ["No other ♥ is left in this deck: look again."] == unfit
    made.execute(Play({"type": "false-opener", "seat": 1}), "host")


def test_a_blocked_hand_that_cannot_be_still_gives_what_it_gave() -> None:
    """CHK-8: the last cell counts all the same, and says so; so does the hand that was played after it."""
    hands = (["9-8", "7-6"], ["5-4", "3-2"], ["1-0"])
    cells = [played(type="score", hand=1, seat=seat, pieces=held) for seat, held in enumerate(hands, start=1)]
    behind = [
        played(type="score", hand=2, seat=seat, points=points) for seat, points in ((1, 0), (2, 9), (3, 4))
    ]
    made = opened("chickenfoot", played(type="blocked", hand=1), *cells, *behind)
    assert [30, 23, 5] == [row.score for row in made.snapshot.rows]
    sheet = made.snapshot.sheet
    assert sheet is not None
    assert ["all the same: CHK-8"] == [str(note) for note in sheet.lines[0].cells[2].notes]
    assert all(one.unfit is None for one in made.queries.evening.matches[0].entries)
    made.execute(Undo(), "host")
    assert [30, 23, 1] == [row.score for row in made.snapshot.rows]
    again = {"type": "correct", "hand": 1, "cells": [{"seat": 3, "pieces": ["1-1"]}]}
    made.execute(Play(again), "host")
    assert [30, 23, 2] == [row.score for row in made.snapshot.rows]
