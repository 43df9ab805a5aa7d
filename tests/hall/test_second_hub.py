"""A second hub follows the first through the message server, and takes over; the first is told."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from companion.app.event_hall import HallApp, HallSettings, join_as_second_hub
from companion.core.errors import BadInput, NotNow
from companion.core.text import text
from companion.hall import commands, engine, keys, wire
from companion.hall.client import connect
from companion.hall.events import TookOver
from companion.hall.hub import Hall
from companion.hall.membership import load_key
from companion.hall.screen import Screens
from companion.hall.service import HallService, keep_seed
from companion.hall.store import HallStore
from companion.hall.todo import Todo
from tests.support.halls import LiveHall, arranged, live_hall, need_server, until
from tests.support.ports import free_port


class SecondHub:
    """A second hub of *first* in a folder of its own."""

    def __init__(self, folder: Path, first: LiveHall) -> None:
        self.folder, self.address = folder, first.address
        self.later_s = 0.0  # its clock is so far ahead
        seed = keys.make_seed()
        code = first.hall.invite("hub")
        first.hall.admit_key(code, "hub", keys.random_id(keys.TABLE), keys.public_key(seed), "spare")
        keep_seed(folder, seed, watches=first.hall.leadership.key)
        store = HallStore(folder)
        store.keep("event", first.hall.event)
        store.close()
        self.open()

    def open(self, *, take_over: bool = False) -> None:
        """Begin, or begin again."""
        self.store = HallStore(self.folder)
        self.hall = Hall(self.store, now_s=lambda: time.monotonic() + self.later_s)
        self.service = HallService(
            self.folder, self.store, self.hall, address=self.address, take_over=take_over
        )
        self.hall.subscribe(lambda view: self.service.tell_all())
        self.service.start()

    def close(self) -> None:
        """End it."""
        self.service.stop()
        self.store.close()


@contextmanager
def two_hubs(folder: Path) -> Iterator[tuple[LiveHall, SecondHub]]:
    """Give a hall, and a second hub that follows it."""
    with live_hall(folder) as first:
        second = SecondHub(folder / "second", first)
        try:
            yield first, second
        finally:
            second.close()


def logs(hall: LiveHall | SecondHub) -> list[object]:
    """Return the rows of the hall's own log, with their chain."""
    return list(hall.store.own_rows(0, 10_000))


def test_a_second_hub_shows_what_the_first_does_and_changes_nothing(tmp_path: Path) -> None:
    """Both logs arrive, entry for entry; what an organiser asks of it is refused in a sentence."""
    with two_hubs(tmp_path) as (first, second):
        table = first.add_table()
        arranged(first.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        first.hall.do(commands.Draw(), "Ann")
        until(lambda: logs(second) == logs(first), "the second hub to have the first one's log")
        assert second.hall.view.state == first.hall.view.state
        assert (second.hall.view.role, first.hall.view.role) == ("follows", "leads")
        until(lambda: second.hall.view.have == first.hall.view.have, "the table's rows")
        with pytest.raises(NotNow, match="Another hub leads"):
            second.hall.do(commands.CallRound(), "Bea")
        with pytest.raises(NotNow, match="Another hub leads"):
            second.hall.invite()
        assert second.hall.call_for(table.member.table) is None


def test_a_second_hub_takes_over_and_the_evening_ends_there(tmp_path: Path) -> None:
    """The first falls silent in a round; the table's game goes on, counts once, and the first one is told."""
    with two_hubs(tmp_path) as (first, second):
        table = first.add_table()
        arranged(first.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        first.hall.do(commands.Draw(), "Ann")
        first.hall.do(commands.CallRound(), "Ann")
        until(lambda: table.thread.snapshot.hall and table.thread.snapshot.hall.match, "the game to begin")
        until(lambda: logs(second) == logs(first), "the second hub to have the first one's log")
        second.close()
        second.open(take_over=True)
        until(lambda: second.hall.view.role == "leads", "the second hub to lead")
        until(lambda: first.hall.view.role == "follows", "the first hub to be told")
        with pytest.raises(NotNow, match="Another hub leads"):
            first.hall.do(commands.Announce("I am the first"), "Ann")

        def counts() -> bool:
            table.step()
            return [one.state for one in second.hall.view.outcomes] in (["counts"], ["doubtful"])

        until(counts, "the table's result at the second hub")
        until(lambda: table.thread.snapshot.seq == second.hall.view.have.get(table.member.table), "all rows")
        until(
            lambda: second.store.rows(table.member.table) == first.store.rows(table.member.table),
            "the first hub to have what the second one has",
        )
        second.hall.do(commands.Announce("Thank you"), "Bea")
        until(lambda: logs(second) == logs(first), "the first to follow")
        numbers = [row.seq for row in second.store.own_rows(0, 10_000)]
        assert [*range(1, len(numbers) + 1)] == numbers
        assert "Thank you" == first.hall.state.said


def hub_todo(hall: Hall) -> Todo:
    """Return what the desk of *hall* says of the hub that leads."""
    (found,) = (one for one in Screens().screen(hall.view, hall.logs).todos if one.kind == "hub")
    return found


def test_the_desk_says_at_once_that_the_leading_hub_is_silent_and_leads_from_there(tmp_path: Path) -> None:
    """It dies, its message server lives: how long ago is said, and one touch of the second desk is enough."""
    with two_hubs(tmp_path) as (first, second):
        arranged(first.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        until(lambda: logs(second) == logs(first), "the second hub to have the first one's log")
        with pytest.raises(NotNow, match="The hub that leads is heard"):
            second.hall.do(commands.Lead(), "Bea")
        assert hub_todo(second.hall).command is None
        first.close()
        running = first.service.engine
        assert running is not None
        running.start()
        try:
            second.later_s = 42
            until(lambda: second.hall.view.silent_s >= 40, "the silence to be noticed")
            until(lambda: second.hall.view.engine is None, "the link to be back")
            found = hub_todo(second.hall)
            n = second.hall.view.silent_s
            assert f"The hub that leads this event has not been heard for {n} s." == str(found.says)
            assert "Its entries are here up to 3:" in str(found.why)
            assert ("Lead from here", {"type": "lead"}) == (str(found.button), found.command)
            second.hall.do(commands.Lead(), "Bea", seen=3)
            until(lambda: second.hall.view.role == "leads", "the second hub to lead")
        finally:
            running.stop()
            first.open()
        assert (4, TookOver) == (second.hall.own()[-1][0], type(second.hall.own()[-1][1]))
        assert "Bea" == second.hall.own()[-1][1].by
        until(lambda: first.hall.view.role == "follows", "the first hub to be told")
        assert not second.hall.view.silent_s


def test_a_hub_that_speaks_again_is_not_taken_over_and_silence_has_its_length(tmp_path: Path) -> None:
    """From 10 s on in steps of 5 s, after two minutes in minutes; another hub's word is not the leader's."""
    now_s = [100.0]
    store = HallStore(tmp_path)
    try:
        hall = Hall(store, now_s=lambda: now_s[0])
        hall.identify("ME", watched="FIRST")
        said = []
        for at_s in (109, 110, 114, 119, 219, 220, 279, 280):
            now_s[0] = at_s
            hall.look_at_tables()
            hall.tick()
            said.append(hall.view.silent_s)
        assert [0, 10, 10, 15, 115, 120, 120, 180] == said
        assert "has not been heard for 3 min" in str(hub_todo(hall).says)
        hall.do(commands.Lead(), "Bea")
        assert hub_todo(hall).command is None
        hall.heard_leader("ANOTHER")
        hall.tick()
        assert (180, "Bea") == (hall.view.silent_s, hall.leadership.wish)
        hall.heard_leader("FIRST")
        hall.tick()
        assert (0, "") == (hall.view.silent_s, hall.leadership.wish)
        with pytest.raises(NotNow, match="is heard"):
            hall.do(commands.Lead(), "Bea")
        now_s[0] += 60
        hall.engine_trouble(text("The message server does not answer."))
        assert "as soon as a message server answers" in str(hub_todo(hall).why)
        with pytest.raises(NotNow, match="does not answer"):
            hall.do(commands.Lead(), "Bea")
    finally:
        store.close()


@pytest.mark.heavy
def test_a_first_hub_that_wrote_alone_is_refused_told_and_loses_no_entry_of_its_own(tmp_path: Path) -> None:
    """Cut off from the server it says something; meanwhile the second takes over. It keeps what it wrote."""
    with two_hubs(tmp_path) as (first, second):
        arranged(first.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        until(lambda: logs(second) == logs(first), "the second hub to have the first one's log")
        common = len(logs(first))
        first.close()
        alone = HallStore(tmp_path / "hall")
        Hall(alone).do(commands.Announce("Written alone"), "Ann")
        alone.close()
        running = first.service.engine
        assert running is not None
        running.start()
        second.close()
        second.open(take_over=True)
        until(lambda: second.hall.view.role == "leads", "the second hub to lead")
        running.stop()
        first.open()
        until(lambda: first.hall.view.role == "parted", "the first hub to be told")
        assert (common + 1, "Written alone") == (first.hall.view.apart, first.hall.state.said)
        with pytest.raises(NotNow, match="Another hub leads"):
            first.hall.do(commands.Announce("Again"), "Ann")
        until(lambda: second.service.sent == common + 1, "the second to be level")
        second.hall.do(commands.Announce("Go on"), "Bea")
        until(lambda: second.service.sent == common + 2, "the second to have sent it")
        assert "Go on" == second.hall.state.said
        assert logs(first)[:common] == logs(second)[:common]


def test_a_hub_whose_disk_was_put_back_reads_its_own_log_from_the_server(tmp_path: Path) -> None:
    """What it had written comes back, and it leads again by itself."""
    with live_hall(tmp_path) as live:
        arranged(live.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        until(lambda: live.service.sent == 2, "the server to have both entries")
        live.close()
        kept = (tmp_path / "hall" / "hall.sqlite").read_bytes()
        live.open()
        live.hall.do(commands.Announce("Pizza"), "Ann")
        until(lambda: live.service.sent == 3, "the server to have the third")
        live.close()
        for one in (tmp_path / "hall").glob("hall.sqlite*"):
            one.unlink()
        (tmp_path / "hall" / "hall.sqlite").write_bytes(kept)
        live.open()
        until(
            lambda: live.hall.state.said == "Pizza" and live.hall.view.role == "leads", "the entry to be back"
        )
        live.hall.do(commands.Announce(""), "Ann")
        assert 4 == live.hall.state.seq


@pytest.mark.heavy
def test_only_hubs_write_the_halls_own_log_and_no_table_reads_it(tmp_path: Path) -> None:
    """With the key of a table: publishing there is refused, and so is asking for its newest entry."""
    with live_hall(tmp_path) as live:
        member = live.add_table().member

        async def tries() -> list[str]:
            refused: list[str] = []
            nc = await connect(member.engine, member.seed, "table", f"_INBOX.{member.table}")

            async def noted(problem: Exception) -> None:
                refused.append(str(problem).lower())

            nc._error_cb = noted
            subject = engine.own_subject(live.hall.event)
            await nc.publish(subject, b"{}", headers={wire.EXPECTED: "0"})
            await nc.publish(f"$JS.API.DIRECT.GET.{engine.stream_of(live.hall.event)}.{subject}", b"")
            await nc.subscribe(subject)
            async with asyncio.timeout(60):
                while len(refused) < 3:
                    await nc.flush()
                    await asyncio.sleep(0.01)
            await nc.close()
            return refused

        found = asyncio.run(tries())
        assert ["permissions violation" in one for one in found] == [True, True, True]


CHILD = """
import sys
from pathlib import Path
from companion.app.event_hall import HallApp, HallSettings
from companion.hall import commands
from tests.support.halls import arranged
folder, port, wish = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
app = HallApp(HallSettings(folder, port=0, lan=False, engine_port=port))
url = app.start()[0]
if wish == "new":
    arranged(app.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
    print(url + "#" + app.hall.invite("hub"), flush=True)
for line in sys.stdin:
    if line.startswith("say "):
        app.hall.do(commands.Announce(line[4:]), "Ann")
        print(app.hall.state.seq, flush=True)
    else:
        print(app.hall.view.role, flush=True)
app.stop()
"""


class FirstHub:
    """A hall as a process of its own, to be killed."""

    def __init__(self, folder: Path, port: int, wish: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(folder), str(port), wish],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def line(self, asked: str = "") -> str:
        """Return the next line that it says, after *asked*."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if asked:
            self._process.stdin.write(asked + "\n")
            self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def kill(self) -> None:
        """End it with SIGKILL: its message server stays."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._gone()

    def end(self) -> None:
        """End it in order, and its message server with it."""
        self._gone()

    def _gone(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()
        self._process.wait()


@pytest.mark.heavy
def test_a_hub_that_is_killed_is_followed_by_the_second_and_told_when_it_is_back(tmp_path: Path) -> None:
    """kill -9; the second has every entry once, leads, and the first comes back to follow: nothing twice."""
    need_server()
    port = free_port()
    first = FirstHub(tmp_path / "first", port, "new")
    app = None
    try:
        join_as_second_hub(tmp_path / "second", first.line(), "spare")
        for n in range(5):
            assert str(4 + n) == first.line(f"say {n}")  # set up, people, the second hub
        known = load_key(tmp_path / "second")
        assert known is not None
        settings = HallSettings(tmp_path / "second", port=0, lan=False, engine=known.engine)
        app = HallApp(settings)
        app.start()
        following = app
        until(lambda: following.hall.state.said == "4", "the second to have the newest entry")
        app.stop()
        first.kill()
        app = HallApp(msgspec.structs.replace(settings, take_over=True))
        app.start()
        leading = app
        until(lambda: leading.hall.view.role == "leads", "the second to lead")
        assert [*range(1, 10)] == [seq for seq, _ in leading.hall.own()]
        leading.hall.do(commands.Announce("Go on"), "Bea")
        until(lambda: leading.service.sent == 10, "that to be sent")
        first = FirstHub(tmp_path / "first", port, "again")
        until(lambda: first.line("role") == "follows", "the first to be told")
        until(lambda: leading.service.engine is None and not leading.hall.view.engine, "the link to be back")
    finally:
        if app is not None:
            app.stop()
        first.end()
    store, other = HallStore(tmp_path / "first"), HallStore(tmp_path / "second")
    try:
        assert list(store.own_rows(0, 100)) == list(other.own_rows(0, 100))
        assert 10 == store.own_head()[0]
    finally:
        store.close()
        other.close()


def test_a_folder_with_an_event_does_not_follow_another(tmp_path: Path) -> None:
    """It would mix two evenings: refused before anybody is asked."""
    store = HallStore(tmp_path)
    Hall(store)
    store.close()
    with pytest.raises(BadInput, match="has an event already"):
        join_as_second_hub(tmp_path, "http://192.0.2.1:8100/#abcdefghjk", "spare")
