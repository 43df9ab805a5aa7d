"""`lastnose hall`: what the commands start."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.event_hall import HallSettings
from companion.cli import hall


def test_a_simulated_hall_has_a_folder_of_its_own_and_stays_on_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight tables, unless another number is asked for; none is no number."""
    begun: list[tuple[HallSettings, int]] = []
    monkeypatch.setattr(hall, "_serve", lambda settings, tables: begun.append((settings, tables)))
    monkeypatch.setattr("companion.config.settings.default_data_dir", lambda: tmp_path)
    for words in (["simulate"], ["simulate", "--tables", "20", "--port", "8200"]):
        assert 0 == CliRunner().invoke(hall.command, words).exit_code
    assert [(tmp_path / "rehearsal", 8100, 8), (tmp_path / "rehearsal", 8200, 20)] == [
        (settings.folder, settings.port, tables) for settings, tables in begun
    ]
    assert [False, False] == [settings.lan for settings, _ in begun]
    assert 2 == CliRunner().invoke(hall.command, ["simulate", "--tables", "0"]).exit_code
