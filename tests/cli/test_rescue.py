"""`lastnose rescue`: a damaged log made sound, and a sound one left alone."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner, Result
from lastnose.companion.cli import main
from lastnose.companion.evening.log import Saved
from lastnose.companion.table.store import Store


def run(*words: str) -> Result:
    """Run lastnose."""
    return CliRunner().invoke(main, ["--lang", "en", *words])


def fill(folder: Path) -> None:
    """Keep two hundred entries in *folder*."""
    with closing(Store(folder)) as store:
        store.append(*(Saved(by="host", at=1.0, name=f"v{n}", game="pig", options={}) for n in range(200)))


def test_a_sound_log_is_left_alone(tmp_path: Path) -> None:
    """Status 0, a sentence, and the same file."""
    fill(tmp_path)
    before = (tmp_path / "lastnose.sqlite").read_bytes()
    told = run("rescue", str(tmp_path))
    assert (0, True) == (told.exit_code, "The log of the evenings is sound." in told.stdout)
    assert before == (tmp_path / "lastnose.sqlite").read_bytes()


def test_export_names_the_damage_and_rescue_mends_it(tmp_path: Path) -> None:
    """One sentence and status 2 before; afterwards the rest can be exported."""
    fill(tmp_path)
    file = tmp_path / "lastnose.sqlite"
    raw = bytearray(file.read_bytes())
    page = raw.index(b'"v100"') // 4096  # the table's own page comes before that of any index
    raw[page * 4096 : (page + 1) * 4096] = bytes(4096)
    file.write_bytes(raw)
    refused = run("export", "--data", str(tmp_path), "--json")
    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "lastnose.sqlite is damaged" in refused.stderr
    assert f"run lastnose rescue {tmp_path}" in refused.stderr
    told = json.loads(run("rescue", str(tmp_path), "--json").stdout)
    assert not told["sound"]
    ((first, last),) = told["lost"]
    assert 200 == told["read"] + last - first + 1
    assert Path(told["kept"]).read_bytes() == raw
    document = json.loads(run("export", "--data", str(tmp_path), "--json").stdout)
    assert told["read"] == len(document["events"])
    assert run("rescue", str(tmp_path)).exit_code == 0


def test_a_folder_without_an_evening_is_named(tmp_path: Path) -> None:
    """And nothing is made there."""
    told = run("rescue", str(tmp_path))
    log = tmp_path / "lastnose.sqlite"
    assert (2, f"Error: {log} is not there: is the stick plugged in?\n") == (told.exit_code, told.stderr)
    assert [] == list(tmp_path.iterdir())
