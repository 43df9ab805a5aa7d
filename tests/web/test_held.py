"""The end of a hold is never lost: the table waits for no finger that is not there."""

from __future__ import annotations

import pytest
from lastnose.web.taps import PageClock, Tap, Taps

from tests.support.page_table import MS, PageTable


def held_without_network() -> PageTable:
    """Return a table after a round; East's phone holds its nose, has lost its network, and is silent."""
    table = PageTable()
    table.pages.introduce(PageClock("phone", owns="nose.2", phone="east"))
    table.armed("phone", "shared")
    table.send("phone", (2, 1, table.now_ns))
    table.wait(100, "phone", "shared")
    table.touch("shared", 1, 3)
    table.touch("shared", 1, 3, level=0)
    table.wait(4000, "shared")
    assert (4,) == table.verdicts[-1].last
    assert {2} == table.held()
    return table


def test_a_phone_that_is_back_says_that_nothing_is_down() -> None:
    """Its release was waiting all the while: it is lost for the round, and the nose is free."""
    table = held_without_network()
    let_go = Tap("nose.2", 0, table.now_ns - 3000 * MS, no=7)
    table.pages.drive(Taps("phone", MS, (let_go,), table.now_ns - 8 * MS, upto=7, n=1000))
    table.wait(600, "phone", "shared")
    assert set() == table.held()
    assert "armed" == (table.arm() and table.wait(300, "phone", "shared")).phase


@pytest.mark.parametrize("how", ["given away", "loaded again", "another phone", "left"])
def test_a_nose_is_free_when_the_phone_that_held_it_is_that_no_more(how: str) -> None:
    """Nobody can ask a phone that is gone: what it held it does not hold."""
    table = held_without_network()
    if how == "given away":
        table.pages.forget("nose.2")
    elif how == "left":
        table.pages.introduce(PageClock("phone", leaves=True))
    else:
        phone = "east" if how == "loaded again" else "other"
        wish = PageClock("again", owns="nose.2", phone=phone, takes=phone == "other")
        table.pages.introduce(wish)
    table.wait(600, "shared", "again")
    assert set() == table.held()
    assert "armed" == (table.arm() and table.wait(300, "shared", "again")).phase
