"""Rows of one table that can be decoded, and that no table writes: its own pages suffer, nobody else's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient
from lastnose.companion.core.errors import BadInput, Missing
from lastnose.companion.evening.events import ENCODER
from lastnose.companion.evening.state import Match
from lastnose.companion.event import commands, table_log
from lastnose.companion.event.standings import placings
from lastnose.companion.link import engine, hub
from lastnose.companion.link.copies import Copies
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.membership import Membership
from lastnose.companion.link.service import HallService, look
from lastnose.companion.link.store import Cursor, HallStore
from lastnose.companion.link.wire import presence_of
from lastnose.companion.table.log_file import NO_HEAD, LogRow, chained

from tests.support.hall_pages import pages_of
from tests.support.halls import begun, judged_game, rows, seated, take

BIG = 10**400
Event = dict[str, Any]
PAGES = ("/", "/board", "/where", "/standings", "/overlay/tables", "/print/cards", "/print/certificates")


def written(hall: Hall) -> list[Event]:
    """Return the game of the first table as it would be written: begun, armed, judged, ended, signed."""
    return [json.loads(ENCODER.encode(event)) for event in judged_game(*seated(hall), 0)]


def as_rows(events: list[Event]) -> list[LogRow]:
    """Return *events* as rows, whatever is in them: there is no number so large in our own encoder."""
    head, out = NO_HEAD, []
    for n, event in enumerate(events, 1):
        raw = json.dumps(event, separators=(",", ":")).encode()
        head = chained(head, n, 1, raw)
        out.append(LogRow(n, 1, event["type"], raw, head))
    return out


def sent(hall: Hall, member: Membership, events: list[Event]) -> None:
    """Let the rows of *events* come one after another."""
    for row in as_rows(events):
        take(hall, member, [row])


def judged(**odd: object) -> Callable[[list[Event]], None]:
    """Return what puts *odd* into the verdict, which is the third row."""
    return lambda events: events[2]["verdict"].update(odd)


def pressed(**odd: object) -> Callable[[list[Event]], None]:
    """Return what puts *odd* into each press of the verdict."""

    def spoil(events: list[Event]) -> None:
        for press in events[2]["verdict"]["presses"]:
            press.update(odd)

    return spoil


def zeroed(**odd: object) -> Callable[[list[Event]], None]:
    """Return what puts a zero test behind the beginning, and *odd* into it: it is the second row."""
    plain = {"type": "zero", "by": "x", "at": 0, "lines": ["nose.1", "nose.2"], "off_ns": [1, 2], "u_ns": 5}
    return lambda events: events.insert(1, plain | odd)


def void(message: str, **params: object) -> Callable[[list[Event]], None]:
    """Return what says why the verdict is void, in words of the row's own."""
    return judged(void={"id": message, "params": params})


LARGE = "a number in it is too large"
ODD: dict[str, tuple[Callable[[list[Event]], None], int, str]] = {
    "claim": (judged(u_ns=BIG), 3, LARGE),
    "margin": (judged(margin_ns=-BIG), 3, LARGE),
    "claim of a press": (pressed(u_ns=BIG), 3, LARGE),
    "just too large": (judged(u_ns=2**63), 3, LARGE),
    "zero test": (zeroed(off_ns=[BIG, BIG]), 2, LARGE),
    "claim of a zero test": (zeroed(u_ns=-BIG), 2, LARGE),
    "presses of nobody": (pressed(seat=99), 3, "something in it does not fit: tuple index out of range"),
    "words without their field": (void("{x}"), 3, "something in it does not fit: {x}"),
    "words a gigabyte wide": (void("{x:>999999999}", x=1), 3, "something in it does not fit: {x:>999999999}"),
    "words from within": (void("{x.__class__}", x="a"), 3, "something in it does not fit: {x.__class__}"),
}
ODD_WORDS = "cannot be read (something in it does not fit: tuple index out of range)."
odd_rows = pytest.mark.parametrize(("spoil", "entry", "why"), ODD.values(), ids=ODD)


def refused(hall: Hall) -> dict[int, str]:
    """Return what is said of rows that were not taken, by table."""
    tables = hall.state.tables
    return {tables[one].number: str(seen.refused) for one, seen in hall.view.seen.items() if seen.refused}


def all_shown(hall: Hall) -> str:
    """Ask for all pages in all languages, and return what the desk says of the first table."""
    pages = pages_of(hall)
    client = pages.test_client()
    for path, language in (*((path, "en") for path in PAGES), ("/", "fr"), ("/", "bs")):
        assert 200 == client.get(path, headers={"Accept-Language": language}).status_code, path
    assert hub.everything(hall)
    assert hub.standings_csv(hall.view)
    todos = json.loads(client.get("/api/v1/hall/state").data)["todos"]
    return next(str(one["why"]) for one in todos if one["kind"] == "refused" and one["number"] == 1)


@odd_rows
def test_an_odd_row_is_said_of_its_table_and_all_others_go_on(
    hall: Hall, store: HallStore, tmp_path: Path, spoil: Callable[[list[Event]], None], entry: int, why: str
) -> None:
    """Pages, commands, the tick, appeals and a restart; what came before and after it stays."""
    members = begun(hall, "Ann,Ben,Cy,Di,Ed,Flo,Gus,Hal,Ida", tables=3)
    for number in (2, 3):
        take(hall, members[number - 1], rows(judged_game(*seated(hall, number), 0)))
    events = written(hall)
    spoil(events)
    sent(hall, members[0], events)
    says = f"Entry {entry} cannot be read ({why})."
    assert says == all_shown(hall)
    hall.do(commands.Announce("Pizza"), "Ann")
    with pytest.raises(Missing, match="cannot be read"):
        look(hall, members[0].table, entry)
    before = hall.view.outcomes
    assert ["doubtful", "doubtful"] == [one.state for one in before[1:]]
    assert ("pig", True) == (before[0].called.match.started.game, before[0].called.finished)
    store.close()
    with closing(HallStore(tmp_path / "hall")) as kept:
        again = Hall(kept, random=Random(1))
        assert says == all_shown(again)
        assert {1: says} == refused(again)
        assert before == again.view.outcomes
        again.do(commands.Announce("Coffee"), "Ann")


def test_rows_behind_an_odd_one_that_came_with_it_are_taken(hall: Hall, store: HallStore) -> None:
    """The verdict of nobody, the newest that is shown, is left out; the end of the game behind it counts."""
    (member,) = begun(hall, "Ann,Ben,Cy", tables=1, final=0, rounds=1)
    events = written(hall)
    odd = json.loads(json.dumps(events[1:3]))
    for press in odd[1]["verdict"]["presses"]:
        press["seat"] = 99
    store.take([(member.table, row) for row in as_rows([*events[:3], *odd, events[3]])], Cursor("", 0))
    hall.took([(member.table, row) for row in store.rows(member.table)])
    hall.tick()
    assert f"Entry 5 {ODD_WORDS}" == all_shown(hall)
    found = hall.view.outcomes[0].called
    assert [3, 6] == [one.seq for one in found.match.entries]


def test_an_odd_row_is_found_also_behind_a_good_one_that_is_shown(hall: Hall, store: HallStore) -> None:
    """A page of all rounds has met it: screens show the newest alone."""
    (member,) = begun(hall, "Ann,Ben,Cy", tables=1, final=0, rounds=1)
    *events, _, _ = written(hall)
    odd = json.loads(json.dumps(events[1:3]))
    for press in odd[1]["verdict"]["presses"]:
        press["seat"] = 99
    store.take([(member.table, row) for row in as_rows([*events, *odd, *events[1:3]])], Cursor())
    hall.took([(member.table, row) for row in store.rows(member.table)])
    assert [True, False] == [hall._copies.doubt() for _ in range(2)]
    hall.tick()
    assert {1: f"Entry 5 {ODD_WORDS}"} == refused(hall)
    assert [3, 7] == [one.seq for one in hall.view.outcomes[0].called.match.entries]


def test_a_result_that_cannot_be_worked_out_is_its_tables_alone_also_after_a_restart(
    hall: Hall, store: HallStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No such row is known: a rule that gives up over one player stands in for it."""
    members = begun(hall, "Ann,Ben,Cy,Di,Ed,Flo,Gus,Hal,Ida", tables=3)
    (whose, *_), _ = seated(hall, 2)

    def odd(match: Match) -> object:
        if match.finished and whose in match.started.players:
            raise OverflowError("much too large")
        return placings(match)

    monkeypatch.setattr(table_log, "placings", odd)
    for number in (1, 2, 3):
        take(hall, members[number - 1], rows(judged_game(*seated(hall, number), 0)[:4]))
    says = {2: "Entry 4 cannot be read (something in it does not fit: much too large)."}
    states = ["unsigned", "playing", "unsigned"]
    for one in (hall, Hall(store, random=Random(1))):
        assert (says, states) == (refused(one), [outcome.state for outcome in one.view.outcomes])
        assert 200 == pages_of(one).test_client().get("/").status_code


def test_only_what_cannot_be_shown_is_looked_into_and_that_once(
    hall: Hall, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Good tables cost nothing; a table that was odd once has its rows tried, each once."""
    tried: list[tuple[str, int]] = []
    real = Copies._try

    def noted(copies: Copies, log: Any, before: Any) -> None:
        tried.append((log.id, log.evening.seq))
        real(copies, log, before)

    monkeypatch.setattr(Copies, "_try", noted)
    odd, good = begun(hall, "Ann,Ben,Cy,Di,Ed,Flo", tables=2)
    take(hall, good, rows(judged_game(*seated(hall, 2), 0)))
    client.get("/")
    assert [] == tried
    events = written(hall)
    pressed(seat=99)(events)
    sent(hall, odd, events[:3])
    client.get("/")
    # All of its log; then its three rows, one after another.
    assert [(odd.table, 3), (odd.table, 1), (odd.table, 2), (odd.table, 3)] == tried
    del tried[:]
    for _ in range(3):
        hall.do(commands.Announce("Pizza"), "Ann")
        client.get("/board")
    assert [] == tried
    take(hall, odd, as_rows(events)[3:4])
    client.get("/")
    assert [(odd.table, 4)] == tried


def test_what_is_nobodys_row_is_raised_and_looked_into_once(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake of our own is no table's: nothing is left out, and nothing is looked for again and again."""
    (member,) = begun(hall, "Ann,Ben,Cy", tables=1)
    take(hall, member, rows(judged_game(*seated(hall), 0)))
    tried: list[str] = []
    monkeypatch.setattr(Copies, "_try", lambda copies, log, before: tried.append(log.id))
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            hall.made(lambda view: 1 // 0)
    assert ([member.table], {}) == (tried, refused(hall))


@pytest.mark.parametrize("ahead", [BIG, -BIG, 2**63])
def test_a_presence_with_a_number_that_nobody_counts_to_is_refused_as_it_comes(ahead: int) -> None:
    """As is one that is none at all."""
    assert 60 == presence_of(b'{"n":3,"ahead_s":60}').ahead_s
    with pytest.raises(BadInput, match=LARGE):
        presence_of(b'{"n":3,"ahead_s":%d}' % ahead)
    with pytest.raises(BadInput, match="not valid JSON"):
        presence_of(b"{")


def test_a_presence_that_is_refused_changes_nothing_and_the_next_is_taken(
    hall: Hall, store: HallStore, client: FlaskClient, tmp_path: Path
) -> None:
    """The pages are there all the while."""
    service = HallService(tmp_path / "hall", store, hall, address="nats://127.0.0.1:4222")
    (member,) = begun(hall, "Ann,Ben,Cy", tables=1)
    subject = engine.now_subject(hall.event, member.table)
    for said, ahead in ((b"9" * 400, 0), (b"600", 600)):
        payload = b'{"n":0,"ahead_s":' + said + b"}"
        asyncio.run(service._hear(SimpleNamespace(subject=subject, data=payload)))
        hall.tick()
        assert ahead == hall.view.seen[member.table].presence.ahead_s
        assert 200 == client.get("/").status_code


def test_the_hall_goes_on_showing_after_an_error_of_its_own(
    hall: Hall,
    store: HallStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What could not be shown is shown with the next news, and the log says what it was."""
    service = HallService(tmp_path / "hall", store, hall, address="nats://127.0.0.1:4222")
    (member,) = begun(hall, "Ann,Ben,Cy", tables=1)
    real, broken = Copies.made, [True]

    def once(copies: Copies, make: Callable[[], Any]) -> Any:
        if broken.pop() if broken else False:
            raise ArithmeticError("not today")
        return real(copies, make)

    monkeypatch.setattr(Copies, "made", once)
    monkeypatch.setattr("lastnose.companion.link.service.REST_S", 0.0)
    monkeypatch.setattr("lastnose.companion.link.service.SHARE", 0)
    found = rows(judged_game(*seated(hall), 0))
    store.take([(member.table, row) for row in found], Cursor("", 0))
    hall.took([(member.table, row) for row in found])

    async def ticks() -> None:
        task = asyncio.create_task(service._tick())
        for _ in range(2):
            service._news.set()
            for _ in range(5):
                await asyncio.sleep(0)
        assert not task.done()
        task.cancel()

    asyncio.run(ticks())
    assert "not today" in caplog.text
    assert 5 == hall.view.have[member.table]
