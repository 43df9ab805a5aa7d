"""`lastnose token` and what it is good for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lastnose.web.access import make_token, open_access

from tests.support.commands import lastnose
from tests.support.phones import Clock, Phone, make_app


def test_a_token_from_the_command_line_commands_the_table(tmp_path: Path) -> None:
    """Printed alone, so that a script can keep it; good at once for a table that is already running."""
    access = open_access(tmp_path, lan=True, now_s=Clock())
    phone = Phone.in_network(make_app(access=access))
    made = lastnose("token", "lamp", "--data", str(tmp_path))
    wish = {"path": "/api/v1/commands", "body": {"type": "arm"}, "csrf": False}
    assert 200 == phone.post(**wish, Authorization=f"Bearer {made.output.strip()}").status_code
    assert 403 == phone.post(**wish).status_code


def test_a_token_that_root_makes_belongs_to_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that runs as somebody else must be able to read it: the folder's owner gets it."""
    given: list[tuple[int, int]] = []
    system = "lastnose.companion.system.private_file.os"
    monkeypatch.setattr(f"{system}.geteuid", lambda: 0)
    monkeypatch.setattr(f"{system}.chown", lambda path, user, group: given.append((user, group)))
    make_token(tmp_path, "board")
    owner = tmp_path.stat()
    assert [(owner.st_uid, owner.st_gid)] == given


def test_json_names_the_token(tmp_path: Path) -> None:
    """Name and token, nothing else."""
    made = lastnose("token", " lamp ", "--data", str(tmp_path), "--json")
    shown = json.loads(made.output)
    assert ({"name", "token"}, "lamp") == (set(shown), shown["name"])
