"""Screens of other machines: what they see, what they may not, and what they say when nothing comes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from companion.core.errors import BadInput
from companion.core.text import text
from companion.hall import commands, engine, keys
from companion.hall.attendance import AWAY_S
from companion.hall.client import connect
from companion.hall.hub import Hall
from companion.hall.membership import KeyMembership
from companion.hall.relay import ScreenLink, for_screens, from_hall
from companion.hall.screen import HallScreen, Screens
from companion.hall.store import HallStore
from tests.support.halls import arranged, judged_game, let_in, live_hall, rows, seated, take, until


def shown(hall: Hall) -> HallScreen:
    """Return what the hall's own pages show."""
    return Screens().screen(hall.view, hall.logs)


def a_screen(hall: Hall, address: str) -> KeyMembership:
    """Let a screen in."""
    seed, given = keys.make_seed(), keys.random_id(keys.TABLE)
    hall.admit_key(hall.invite("screen"), "screen", given, keys.public_key(seed), "projector")
    return KeyMembership("http://hall/", hall.event, address, "screen", given, seed)


def played(store: HallStore) -> Hall:
    """Return a hall with a photo finish, an open appeal, and families."""
    hall = Hall(store)
    member = let_in(hall)
    arranged(hall, "name,family\nAya,Alpha\nNoor,Beta\nTom,Gamma\n", tables=1, rounds=1, final=0)
    hall.do(commands.Draw(), "Ann")
    hall.do(commands.CallRound(), "Ann")
    names, call = seated(hall)
    take(hall, store, member, rows(judged_game(names, call, 0)))
    hall.do(commands.Object(1, 3, "too late"), "Ann")
    hall.do(commands.Announce("Pizza at nine"), "Ann")
    return hall


def test_a_screen_gets_what_is_shown_but_nothing_that_only_organisers_need(store: HallStore) -> None:
    """Tables, standings and photo finish arrive as they are; appeals and families do not."""
    own = shown(played(store))
    assert own.todos and own.newest is not None
    assert {"Alpha", "Beta", "Gamma"} == {one.family for one in own.people}
    sent = for_screens(own)
    got = from_hall(sent)
    assert (own.tables, own.standings, own.newest, own.says) == (
        got.tables,
        got.standings,
        got.newest,
        got.says,
    )
    assert ([one.name for one in own.people], ()) == ([one.name for one in got.people], got.todos)
    for secret in (b"Alpha", b"too late"):
        assert secret not in sent


def test_a_screen_that_hears_nothing_shows_the_last_and_says_so() -> None:
    """Until the first message, and again when the hall has been silent for as long as makes a table away."""
    member = KeyMembership(
        "http://hall/", "abcdefgh", "nats://127.0.0.1", "screen", "abcdefghjk", keys.make_seed()
    )
    clock, seen = [100.0], []
    link = ScreenLink(member, seen.append, lambda: clock[0])
    assert link.newest.away is not None
    hall = msgspec.structs.replace(link.newest, headline=text("Round 1"), away=None)
    link.heard(for_screens(hall))
    assert [hall] == seen
    clock[0] += AWAY_S - 1
    link.look()
    assert [hall] == seen
    clock[0] += 1
    link.look()
    assert (str(seen[-1].headline), seen[-1].away is None) == ("Round 1", False)
    link.heard(for_screens(hall))
    assert hall == seen[-1]


@pytest.mark.parametrize("payload", [b"", b"{}", b"not zlib", b'{"version": "new"}'])
def test_what_no_hall_has_shown_is_said_and_changes_nothing(payload: bytes) -> None:
    """A hall of another version: the screen keeps what it had, and says to update."""
    with pytest.raises(BadInput, match="update it"):
        from_hall(payload)
    member = KeyMembership(
        "http://hall/", "abcdefgh", "nats://127.0.0.1", "screen", "abcdefghjk", keys.make_seed()
    )
    link = ScreenLink(member, lambda screen: None)
    link.heard(payload)
    assert (str(link.newest.headline), "update it" in str(link.newest.away)) == ("Welcome", True)


@pytest.mark.parametrize("kind", ["screen", "hub"])
def test_a_code_lets_in_only_what_it_was_given_for(store: HallStore, kind: str) -> None:
    """The code of a table opens no door for a screen, nor that of a screen for a second hub."""
    hall = Hall(store)
    key, given = keys.public_key(keys.make_seed()), keys.random_id(keys.TABLE)
    with pytest.raises(BadInput, match="used up"):
        hall.admit_key(hall.invite("table"), kind, given, key)
    with pytest.raises(BadInput, match="used up"):
        hall.admit_key(hall.invite({"screen": "hub", "hub": "screen"}[kind]), kind, given, key)
    with pytest.raises(BadInput, match="used up"):
        hall.admit(hall.invite(kind), given, key)
    code = hall.invite(kind)
    hall.admit_key(code, kind, given, key)
    assert (key,) == hall.state.keys_of(kind)
    with pytest.raises(BadInput, match="used up"):
        hall.admit_key(code, kind, given, key)


@pytest.mark.heavy
def test_a_screen_sees_the_hall_and_may_neither_read_logs_nor_write_anything(tmp_path: Path) -> None:
    """With a real server: its key hears `screen`; logs and calls are refused, and whatever it says."""
    with live_hall(tmp_path) as live:
        member = a_screen(live.hall, live.address)
        seen: list[HallScreen] = []
        link = ScreenLink(member, seen.append)
        link.start()
        try:
            arranged(live.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
            until(lambda: seen and seen[-1].away is None and seen[-1].name == "Pig Cup", "the event's name")
            live.hall.do(commands.Announce("Pizza at nine"), "Ann")
            until(lambda: seen[-1].says == "Pizza at nine", "the announcement")
            assert {"Aya", "Noor", "Tom"} == {one.name for one in seen[-1].people}
            assert asyncio.run(refusals(member)) == [
                "subscribe ln.E.*.log",
                "subscribe ln.E.hub.own",
                "subscribe ln.E.>",
                "subscribe ln.E.*.now",
                "subscribe ln.E.to.all",
                "publish ln.E.screen.hall",
                "publish ln.E.hub.own",
                "publish ln.E.to.all",
                "publish $JS.API.STREAM.INFO.TABLES-E",
            ]
            live.hall.do(commands.PutKeyOut(member.id), "Ann")
            until(lambda: seen[-1].away is not None, "the screen to notice that it is out")
        finally:
            link.stop()


async def refusals(member: KeyMembership) -> list[str]:
    """Try with the key of *member* all that a screen may not; return what the server refused."""
    event, refused, done = member.event, [], asyncio.Event()

    async def noted(problem: Exception) -> None:
        said = str(problem).lower()
        assert "permissions violation" in said
        refused.append(said)
        done.set()

    tried = [
        ("subscribe", engine.log_subject(event, "*")),
        ("subscribe", engine.own_subject(event)),
        ("subscribe", f"ln.{event}.>"),
        ("subscribe", engine.now_subject(event, "*")),
        ("subscribe", engine.call_subject(event)),
        ("publish", engine.screen_subject(event)),
        ("publish", engine.own_subject(event)),
        ("publish", engine.call_subject(event)),
        ("publish", f"$JS.API.STREAM.INFO.{engine.stream_of(event)}"),
    ]
    nc = await connect(member.engine, member.seed, "screen")
    nc._error_cb = noted
    out = []
    try:
        for what, subject in tried:
            done.clear()
            if what == "subscribe":
                await nc.subscribe(subject)
            else:
                await nc.publish(subject, b"{}")
            await nc.flush()
            async with asyncio.timeout(60):
                await done.wait()
            assert subject.lower() in refused[-1]
            out.append(f"{what} {subject.replace(event, 'E')}")
    finally:
        await nc.close()
    return out
