"""One hub leads an event: whoever is started last, and the message server refuses all others."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from lastnose.companion.core.errors import NotNow
from lastnose.companion.event import commands
from lastnose.companion.link import engine, keys, wire
from lastnose.companion.link.client import connect, let_go
from lastnose.companion.link.hub import Hall
from lastnose.companion.link.service import SECRET, Fence, HallService, event_in
from lastnose.companion.link.store import HallStore
from lastnose.companion.link.uplink import AnotherHistory

from tests.support.halls import LiveHall, arranged, live_hall, until
from tests.support.message_server import Server, now


class OtherHub:
    """A hub of the event whose key lies in *folder*, at the message server of *first*."""

    def __init__(self, folder: Path, first: LiveHall) -> None:
        self.store = HallStore(folder)
        if not self.store.setting("event"):
            self.store.keep("event", event_in(folder))
        self.hall = Hall(self.store)
        self.service = HallService(folder, self.store, self.hall, address=first.address)
        self.hall.subscribe(lambda view: self.service.tell_all())
        self.service.start()

    def close(self) -> None:
        """End it."""
        self.service.stop()
        self.store.close()


@contextmanager
def started_beside(folder: Path, first: LiveHall) -> Iterator[OtherHub]:
    """Start another hub in *folder*, and give it once it leads; end it."""
    other = OtherHub(folder, first)
    try:
        until(lambda: other.service.fence.leads, "the other hub to lead")
        yield other
    finally:
        other.close()


@contextmanager
def hub_alone(folder: Path, event: str) -> Iterator[tuple[Hall, Fence]]:
    """Give a hub of *event* in *folder*, without a service, and what tells whether it leads; let go of it."""
    with closing(HallStore(folder)) as store:
        store.keep("event", event)
        hall = Hall(store)
        yield hall, Fence(store, hall)


def logs(hall: Hall) -> list[tuple[int, object]]:
    """Return the hall's own log."""
    return [(seq, event) for seq, event in hall.own()]


def test_a_hub_leads_once_its_mark_is_there_and_until_it_sees_anothers_behind_it(tmp_path: Path) -> None:
    """Whatever is lost meanwhile. Who begins later reads what was written; an older mark fences nobody."""
    server, event = Server(), keys.random_id(keys.EVENT)

    with (
        hub_alone(tmp_path / "first", event) as (first, its),
        hub_alone(tmp_path / "second", event) as others,
    ):
        second, other = others
        now(its._once(server))
        assert (True, 0, [first.run]) == (
            its.leads,
            its.sent,
            [one.headers[wire.MARK] for one in server.stream],
        )
        arranged(first, "Aya,Noor,Tom")
        server.loses, server.after = "answer", 0
        with pytest.raises(TimeoutError):
            now(its._once(server))
        now(its._once(server))
        assert (True, 2, 2) == (its.leads, its.sent, len(server.stream)), "both in one message, once"
        with pytest.raises(AnotherHistory) as found:
            now(other._once(server))
        second.compared(found.value.n)
        assert (2, False) == (found.value.n, other.leads)
        assert "The newest entries of this event are being read." == str(second.view.stopped)
        for one in server.stream:
            assert second.follow(wire.unpacked(one.data, one.headers, evenings=0))
        second.compared(0)
        second.do(commands.Announce("Go on"), "Bea")
        server.loses, server.after = "request", 1  # its mark comes, what it has written does not
        with pytest.raises(TimeoutError):
            now(other._once(server))
        assert (True, 2, second.run) == (other.leads, other.sent, server.stream[-1].headers[wire.MARK])
        now(its._once(server))
        assert (False, True, 3) == (its.leads, first.fenced, len(server.stream))
        one, two = server.stream[:2]
        for older in ([one, two], [one, two, two, two]):  # shorter than what it wrote, and as long
            server.stream = [*older]
            now(other._once(server))
            assert (True, False, 3) == (other.leads, second.fenced, other.sent)
            marks = [first.run] * len(older) + [second.run] * 2
            assert marks == [one.headers[wire.MARK] for one in server.stream]


def test_who_is_started_with_the_events_key_alone_leads_with_all_that_was(tmp_path: Path) -> None:
    """Own log and tables' rows come from the message server; the first is told, and takes no orders."""
    with live_hall(tmp_path) as first:
        arranged(first.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        table = first.add_table()
        first.hall.do(commands.Draw(), "Ann")
        first.hall.do(commands.CallRound(), "Ann")
        first.play()
        until(first.level, "all rows to be here")
        until(lambda: first.service.fence.sent == first.hall.state.seq, "all to be sent")
        spare = tmp_path / "spare"
        spare.mkdir()
        shutil.copy(tmp_path / "hall" / SECRET, spare)
        with started_beside(spare, first) as other:
            until(lambda: logs(other.hall) == logs(first.hall), "the own log to be there")
            mine = table.member.table
            until(lambda: other.hall.view.have.get(mine) == first.hall.view.have[mine], "the rows")
            assert [line.place for line in first.hall.view.lines] == [
                line.place for line in other.hall.view.lines
            ]
            said = "Another hub has been started for this event"
            until(lambda: said in str(first.hall.view.stopped), "the first to be told")
            for refused in (lambda: first.hall.do(commands.Announce("Late"), "Ann"), first.hall.invite):
                with pytest.raises(NotNow, match="Another hub has been started"):
                    refused()
            assert first.hall.call_for(mine) is None, "it calls nobody any more"
            other.hall.do(commands.Announce("Go on"), "Bea")
            until(lambda: first.hall.state.said == "Go on", "the first to show it")
            assert first.hall.fenced
        first.close()
        first.open()
        until(lambda: first.service.fence.leads, "who is started again to lead again")
        first.hall.do(commands.Announce("Back"), "Ann")
        until(lambda: first.service.fence.sent == first.hall.state.seq, "that to be sent")


def test_what_a_hub_wrote_that_no_server_heard_stays_with_it_and_it_says_so(tmp_path: Path) -> None:
    """Cut off it says something; meanwhile another, with a copy of its folder, goes on otherwise."""
    with live_hall(tmp_path) as first:
        arranged(first.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        until(lambda: first.service.fence.sent == 2, "both entries to be sent")
        first.close()
        but = shutil.ignore_patterns("stream", "*.lock")
        shutil.copytree(tmp_path / "hall", tmp_path / "copy", ignore=but)
        alone = HallStore(tmp_path / "hall")
        Hall(alone).do(commands.Announce("Written alone"), "Ann")
        alone.close()
        running = first.service.engine
        running.start()
        with started_beside(tmp_path / "copy", first) as other:
            other.hall.do(commands.Announce("Go on"), "Bea")
            until(lambda: other.service.fence.sent == 3, "that to be sent")
        running.stop()
        first.open()
        until(lambda: first.hall.view.stopped is not None, "the first to be told")
        assert "has other entries from 3 on" in str(first.hall.view.stopped)
        assert "Written alone" == first.hall.state.said
        with pytest.raises(NotNow, match="keep it with Everything"):
            first.hall.do(commands.Announce("Again"), "Ann")


def test_a_hub_whose_disk_was_put_back_reads_its_own_log_from_the_server(tmp_path: Path) -> None:
    """What it had written comes back, and it leads."""
    with live_hall(tmp_path) as live:
        arranged(live.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        until(lambda: live.service.fence.sent == 2, "the server to have both entries")
        live.close()
        kept = (tmp_path / "hall" / "hall.sqlite").read_bytes()
        live.open()
        live.hall.do(commands.Announce("Pizza"), "Ann")
        until(lambda: live.service.fence.sent == 3, "the server to have the third")
        live.close()
        for one in (tmp_path / "hall").glob("hall.sqlite*"):
            one.unlink()
        (tmp_path / "hall" / "hall.sqlite").write_bytes(kept)
        live.open()
        until(lambda: live.hall.state.said == "Pizza" and live.service.fence.leads, "the entry to be back")
        live.hall.do(commands.Announce(""), "Ann")
        assert 4 == live.hall.state.seq


@pytest.mark.heavy
def test_a_server_whose_store_was_put_back_fences_nobody(tmp_path: Path) -> None:
    """It has an older mark, and older entries: the hub that leads sends the rest again."""
    with live_hall(tmp_path) as live:
        arranged(live.hall, "Aya,Noor,Tom", tables=1, rounds=1, final=0)
        until(lambda: live.service.fence.sent == 2, "both entries to be sent")
        live.close()
        kept = tmp_path / "stream"
        shutil.copytree(tmp_path / "hall" / "stream", kept)
        live.open()
        live.hall.do(commands.Announce("Pizza"), "Ann")
        until(lambda: live.service.fence.sent == 3, "the third to be sent")
        running = live.service.engine
        running.stop()
        shutil.rmtree(tmp_path / "hall" / "stream")
        shutil.copytree(kept, tmp_path / "hall" / "stream")
        running.start()
        live.hall.do(commands.Announce("Cake"), "Ann")
        until(lambda: live.service.fence.sent == 4, "all to be sent again")
        assert live.service.fence.leads
        assert live.hall.view.stopped is None


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
            await let_go(nc)
            return refused

        found = asyncio.run(tries())
        assert ["permissions violation" in one for one in found] == [True, True, True]
