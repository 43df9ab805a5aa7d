"""An appeal by link: a tape in an address is judged by whoever gets it, and what is none is said."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from lastnose.companion.core.errors import TapeError
from lastnose.companion.table.replay import MOST_PACKED, packed, replay, unpacked
from lastnose.companion.testing.scenario import Scenario

from tests.support.phones import Phone, make_app

NAMES = ("Ana", "Björn", "Chloé", "Dževad", "Eva", "Farid", "Ines", "Jo", "Kwame", "Léo", "Mia", "Noé", "Zoë")


def tape_of(players: tuple[str, ...]) -> str:
    """Return the tape of a round in which each touches 20 ms and a bit after the one before."""
    table = Scenario("pig", players)
    for number, player in enumerate(players):
        table.press(player, at_us=number * 20_000 + 37 * number * number)
    table.judge()
    return table.table.queries.tape(table.table.queries.last_judged())


def deflated(tape: str) -> str:
    """Return *tape* packed, whatever it says."""
    press = zlib.compressobj(wbits=-15)
    return "1" + urlsafe_b64encode(press.compress(tape.encode()) + press.flush()).decode().rstrip("=")


def test_a_round_of_thirteen_fits_an_address_and_is_judged_the_same() -> None:
    """Zoë comes 20 ms and 851 µs after Noé: (12² − 11²) · 37 = 851."""
    address = packed(tape_of(NAMES))
    assert len(address) <= 1_220
    assert address.replace("-", "").replace("_", "").isalnum()
    (round_,) = replay(unpacked(address)).queries.rounds()
    assert str(round_.headline) == "Zoë was last: P"
    assert round_.finish.margin_ns == 20_851_000


def test_the_round_of_a_table_gives_its_link_and_another_table_judges_it() -> None:
    """Anybody may ask; nothing is kept there."""
    address = packed(tape_of(("Ana", "Björn", "Zoë")))
    phone = Phone(make_app(), address="192.168.1.40")
    answer = phone.post("/api/v1/judge", {"tape": address})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    (found,) = answer.get_json()["rounds"]
    assert found["headline"] == "Zoë was last: P"
    assert [mark["player"] for mark in found["finish"]["marks"]] == ["Ana", "Björn", "Zoë"]
    assert found["finish"]["budget"]["u_ns"] > 0
    shown = phone.get("/appeal")
    assert shown.status_code == 200
    assert "Anyone can write such an address: only the log of the table" in shown.get_data(as_text=True)


GOOD: Any = packed(tape_of(("Ana", "Björn", "Zoë")))


@pytest.mark.parametrize(
    "address",
    [
        "",
        "2" + GOOD[1:],
        GOOD[:-9],
        GOOD + "AAAA",
        "1!!!",
        "1é",
        "1" + "A" * MOST_PACKED,
        deflated('{"tape":1}' + " " * 1_000_000),
        deflated("\x00\x01"),
        "1" + urlsafe_b64encode(zlib.compress(b"{}")).decode(),
    ],
)
def test_what_is_no_tape_is_said_in_a_sentence(address: str) -> None:
    """Cut off, longer than an address, a bomb, another kind of thing: never more than a sentence."""
    with pytest.raises(TapeError) as refused:
        unpacked(address)
    assert str(refused.value).strip()
    answer = Phone(make_app()).post("/api/v1/judge", {"tape": address})
    assert answer.status_code == 422


def test_a_game_that_is_not_there_is_said() -> None:
    """By its name."""
    address = deflated('{"tape":1,"game":"marbles","players":["A","B","C"],"options":{}}\n')
    answer = Phone(make_app()).post("/api/v1/judge", {"tape": address})
    assert answer.status_code == 422
    assert "marbles" in answer.get_data(as_text=True)
