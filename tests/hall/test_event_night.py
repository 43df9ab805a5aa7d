"""Whole evenings with a real message server: nothing is lost, nothing counts twice, whoever is killed."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from random import Random

import pytest
from lastnose.companion.app.event_hall import SimulatedTable
from lastnose.companion.core.text import Text
from lastnose.companion.evening.commands import Start
from lastnose.companion.link import engine
from lastnose.companion.link.client import connect, let_go
from lastnose.companion.table import log_file

from tests.support.halls import arranged, call_round, live_hall, until


@pytest.mark.heavy
def test_nothing_is_lost_when_server_and_hub_are_killed(tmp_path: Path) -> None:
    """The server is killed twice in a round, the hall begun again: every row is there once, in order."""
    with live_hall(tmp_path) as live:
        table = live.add_table()
        arranged(live.hall, "Aya,Noor,Tom", tables=1, final=0, rounds=1)
        call_round(live.hall)
        until(lambda: table.thread.snapshot.hall and table.thread.snapshot.hall.match, "the game to begin")

        def server_pid() -> int | None:
            return live.service.engine.pid if live.service.engine is not None else None

        for _ in range(2):
            table.step()
            until(server_pid, "the server to run")
            os.kill(server_pid() or 0, signal.SIGKILL)
            table.step()
        live.close()
        table.step()
        live.open()
        live.play()
        until(live.level, "the hall to have everything")
        theirs = live.store.rows(table.member.table)
        db = log_file.connect(tmp_path / "table-1" / log_file.NAME, "ro")
        ours = list(log_file.rows(db))
        db.close()
        assert ours == theirs
        assert [*range(1, len(ours) + 1)] == [row.seq for row in theirs]


@pytest.mark.heavy
def test_a_table_with_another_log_is_told_apart_and_sends_nothing(tmp_path: Path) -> None:
    """Its card was put back to an image: the hall keeps what it has, and says so."""
    with live_hall(tmp_path) as live:
        table = live.add_table()
        arranged(live.hall, "Aya,Noor,Tom", tables=1, final=0, rounds=1)
        call_round(live.hall)
        until(lambda: table.thread.snapshot.hall and table.thread.snapshot.hall.match, "the game to begin")
        until(live.level, "the hall to have everything")
        kept = live.store.rows(table.member.table)
        table.close()
        live.tables.clear()
        folder = tmp_path / "other"
        folder.mkdir()
        other = SimulatedTable(folder, table.member, Random(1), 6)
        live.tables.append(other)
        other.thread.submit(Start("pig", ("X", "Y", "Z")), "host").result()

        def linked() -> Text | None:
            hall = other.thread.snapshot.hall
            return hall.link if hall is not None else None

        until(lambda: "can take nothing more" in str(linked()), "the table to say so")
        assert kept == live.store.rows(table.member.table)


@pytest.mark.heavy
def test_a_table_may_not_write_for_another_nor_read_it(tmp_path: Path) -> None:
    """The server itself refuses: a forged row, another table's newest row, the calls of others."""
    with live_hall(tmp_path) as live:
        one, other = live.add_table(), live.add_table()
        event = live.hall.event
        before = live.store.heads()

        async def attack() -> list[str]:
            client = await connect(live.address, one.member.seed, "thief", f"_INBOX.{one.member.table}")
            got = []
            theirs, stream = engine.log_subject(event, other.member.table), engine.stream_of(event)
            for subject in (
                theirs,
                f"$JS.API.DIRECT.GET.{stream}.{theirs}",
                f"$JS.API.STREAM.PURGE.{stream}",
            ):
                try:
                    await client.request(subject, b"{}", timeout=0.5)
                except Exception as problem:
                    got.append(type(problem).__name__)
            await let_go(client)
            return got

        assert ["TimeoutError"] * 3 == asyncio.run(attack())
        assert before == live.store.heads()


@pytest.mark.heavy
def test_the_server_of_a_hall_that_was_killed_is_ended_by_the_next(tmp_path: Path) -> None:
    """It is an orphan with the port and an old list of tables; a table that comes in afterwards is let in."""
    with live_hall(tmp_path) as live:
        old = live.service.engine
        orphan = old.pid
        assert orphan is not None
        child, old._child = old._child, None  # as after kill -9: nobody ends it
        live.close()
        assert child.poll() is None
        live.open()
        assert child.wait(timeout=120) is not None
        live.add_table()
        until(live.level, "the hall to have everything")
