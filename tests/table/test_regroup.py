"""Somebody comes or goes between two rounds: letters stay, who comes has as many as whoever has most."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadInput, NotNow
from companion.evening.commands import Play, Regroup, Start
from companion.table.memory_store import MemoryStore
from companion.table.table import Table

LINES = tuple(f"nose.{number}" for number in range(1, 7))


def table(game: str, *players: str, **options: Any) -> Table:
    """Return a table at which *game* has begun."""
    made = Table(MemoryStore(), LINES, simulated=True, wall_s=lambda: 1.0)
    made.execute(Start(game, players, options), "host")
    return made


def letters(made: Table) -> dict[str, str]:
    """Return everybody's letters by name."""
    return {row.player: "".join(row.letters) for row in made.snapshot.rows}


def early(made: Table, *seats: int) -> None:
    """Give a letter to each of *seats*, as to whoever touched too early."""
    for seat in seats:
        made.execute(Play({"type": "false-opener", "seat": seat}), "host")


def test_letters_stay_and_a_newcomer_has_as_many_as_whoever_has_most() -> None:
    """Björn (PI) goes, Zoë comes: of who stays Ines has most, a P."""
    made = table("pig", "Ana", "Björn", "Ines", "Dima")
    early(made, 2, 2, 3)
    assert {"Ana": "", "Björn": "PI", "Ines": "P", "Dima": ""} == letters(made)
    made.execute(Regroup(("Ana", "Ines", "Dima", "Zoë")), "host")
    assert {"Ana": "", "Ines": "P", "Dima": "", "Zoë": "P"} == letters(made)
    assert 2 == made.snapshot.game_no
    assert {"Ana": "nose.1", "Ines": "nose.3", "Dima": "nose.4", "Zoë": "nose.2"} == {
        row.player: row.line for row in made.snapshot.rows
    }, "everybody keeps their nose, and who comes takes a free one"


def test_the_deal_goes_on_where_it_was() -> None:
    """Three deals from Ana on: Dima's turn. Dima goes, so Ana deals."""
    made = table("pig", "Ana", "Björn", "Ines", "Dima")
    early(made, 1, 2, 3)
    assert ["Dima"] == [row.player for row in made.snapshot.rows if row.dealer]
    made.execute(Regroup(("Ana", "Björn", "Ines")), "host")
    assert ["Ana"] == [row.player for row in made.snapshot.rows if row.dealer]


def test_who_is_out_stays_out() -> None:
    """And does not count for what a newcomer gets."""
    made = table("pig", "Ana", "Björn", "Ines", "Dima")
    early(made, 1, 1, 1)
    made.execute(Regroup(("Ana", "Björn", "Ines", "Dima", "Zoë")), "host")
    assert {"Ana": "PIG", "Björn": "", "Ines": "", "Dima": "", "Zoë": ""} == letters(made)
    assert ["Ana"] == [row.player for row in made.snapshot.rows if row.out]


def test_letters_brought_along_are_counted_once_in_the_figures() -> None:
    """Two letters before, none after: two."""
    made = table("magarac", "Ana", "Björn", "Ines")
    early(made, 2, 2)
    made.execute(Regroup(("Björn", "Ana", "Ines", "Zoë")), "host")
    assert {"Björn": "MA", "Ana": "", "Ines": "", "Zoë": "MA"} == letters(made)
    folded = made.record.evening
    assert [2, 0] == [
        len(match.game.standings(match.state)[1 if number == 0 else 0].letters)
        - (match.started.carried.marks[0] if match.started.carried else 0)
        for number, match in enumerate(folded.matches)
    ]


def test_a_sheet_belongs_to_who_began_it() -> None:
    """Refused in a sentence that says what to do; nothing has changed."""
    made = table("chickenfoot", "Ana", "Björn", "Ines")
    with pytest.raises(NotNow, match="end this game, or start it again"):
        made.execute(Regroup(("Ana", "Björn")), "host")
    assert 1 == made.snapshot.game_no
    assert not made.snapshot.regroups


def test_too_few_are_refused() -> None:
    """Two are no circle (PIG-1)."""
    made = table("pig", "Ana", "Björn", "Ines")
    with pytest.raises(BadInput, match="3 to 26 players, not 2"):
        made.execute(Regroup(("Ana", "Björn")), "host")
    assert 1 == made.snapshot.game_no
