"""The hub's folder is put back to an older copy together with that of its message server."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.halls import arranged, call_round, live_hall, until


@pytest.mark.heavy
def test_tables_begin_what_a_hub_calls_whose_folder_was_put_back_with_its_message_server(
    tmp_path: Path,
) -> None:
    """Its log has fewer entries than the tables have heard of; they are told by another run of the hub."""
    with live_hall(tmp_path) as live:
        table = live.add_table()
        arranged(live.hall, "Aya,Noor,Tom", tables=1, rounds=2, final=0, format="free")
        live.close()
        shutil.copytree(tmp_path / "hall", tmp_path / "older")
        live.open()
        call_round(live.hall)
        live.play()
        first = live.hall.view.outcomes[0].called
        live.close()
        shutil.rmtree(tmp_path / "hall")
        shutil.copytree(tmp_path / "older", tmp_path / "hall")
        live.open()
        until(live.level, "the table to have sent all again")
        call_round(live.hall)
        live.play()
        again = live.hall.view.outcomes[0].called
        assert (first.call, first.id) == (again.call, again.id)
        assert (first.nonce, first.began) != (again.nonce, again.began)
        assert table.member.table == again.id
