"""What README and documents tell one to type is tried: run here, or by a test that is named.

That all of it can be typed, in this order and with these options, is held by `tests/test_typed.py`.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from lastnose.companion.evening.events import Started
from lastnose.companion.table.store import Store

from tests.support.commands import lastnose
from tests.support.documents import ROOT, commands, fences, mentioned
from tests.support.ports import free_port

TYPED = commands()
CLUSTER = "nats://A:4222,nats://B:4222,nats://C:4222"
# Run to its end, in a folder with an evening and the tape of the documents: with 0, and each in a moment.
AT_ONCE = {
    "lastnose points chickenfoot 5-5 0-0 3-4",
    "lastnose contract 4 7S 8S 9S 10S 3C 4C 5C 6C KD KH 2D",
    "lastnose deal chickenfoot --players 4 --set 9",
    "lastnose export --output evening.csv",
    "lastnose export --json --output evening.json",
    "lastnose replay round-12.jsonl",
    "lastnose replay round-12.jsonl --doubt",
    "lastnose replay round-12.jsonl --json",
    "lastnose token scoreboard",
}
# Begun, looked at, and left with Ctrl-C; with what a machine without pins and with other ports needs besides.
SERVED = {
    "lastnose run --open": ("--source", "pages"),
    "lastnose run --lan": ("--source", "pages"),
    "lastnose run --source mock --lan --rearm never": (),
    "lastnose run --source replay --tape round-12.jsonl": (),
    "lastnose run --source box --box sim": (),
    "lastnose run --source box --box sim:corrupt=20,lose=20,drift=80": (),
    "lastnose run --source box --box sim:storm=20 --beside mock:4": (),
    "lastnose run --profile party13 --lan --data /srv/evening --rearm never": ("--source", "mock"),
    "lastnose run --profile home4 --phones 2 --lan": ("--source", "mock"),
}
# Done by a test of its own, or by what CI does.
ELSEWHERE = {
    "make run": "tests/support/two_commands.py",
    "make test": "tests/support/two_commands.py",
    "make docs": ".ci/run",
    "make deb": ".ci/run",
    "make bench": "tests/bench/test_bench.py",
    'make bench ARGS="--quick --only edges"': "tests/bench/test_bench.py",
    "make pi": "Makefile",
    "make hall": "Makefile",
    "lastnose run --source mock --neighbours neighbours.toml": "tests/app/test_outputs.py",
    "lastnose setup-pi --neighbours /etc/lastnose/neighbours.toml": "tests/system/test_setup_pi.py",
    "make hall-demo": "Makefile",
    "uvx --from . lastnose run --open": "tests/machines/README.md",
    "pipx install .": "tests/machines/README.md",
    "apt install ./dist/lastnose_0.2.0_amd64.deb": "tests/machines/released.sh",
    "apt install ./lastnose_…_arm64.deb": "tests/machines/released.sh",
    "lastnose setup-pi --profile home6 --dry-run": "tests/system/test_setup_pi.py",
    "lastnose setup-pi --profile home6": "tests/system/test_setup_pi.py",
    "lastnose selftest --source mock": "tests/cli/test_selftest.py",
    "lastnose box flash": "tests/cli/test_box.py",
    "lastnose box uf2 RPI_PICO-….uf2": "tests/hardware/box/test_uf2.py",
    "lastnose profiles wiring home4-screws -o booklet.html --lang fr": "tests/wiring/test_booklet.py",
    "lastnose box watch sim": "tests/cli/test_box.py",
    "lastnose box sync auto auto": "tests/cli/test_box.py",
    "lastnose watch": "tests/cli/test_watch.py",
    "lastnose watch --once": "tests/cli/test_watch.py",
    "lastnose rename Jhon John": "tests/cli/test_rename.py",
    "curl http://127.0.0.1:8080/api/v1/state": "tests/web/api/test_openapi.py",
    "curl http://127.0.0.1:8080/api/v1/rounds/12/tape": "tests/web/api/test_openapi.py",
    "lastnose hall run --tls-cert hall.pem --tls-key hall.key": "tests/hall/test_tls.py",
    f"lastnose hall run --engine {CLUSTER} --replicas 3": "tests/bench/hall_cluster.py",
    "lastnose hall status": "tests/cli/test_hall.py",
    "lastnose hall export event.json": "tests/cli/test_hall.py",
    "lastnose hall export results.html": "tests/hall/test_reports.py",
    "lastnose hall season may.json june.json --points 10,8,6,5,4,3,2,1": "tests/hall/test_reports.py",
    "lastnose hall open event.json --data NEW": "tests/hall/test_archive.py",
    "lastnose hall run --data NEW": "tests/cli/test_hall.py",
}
# For hands, or for what no test machine has: read by the command's own parser, and no more.
BY_HAND = {
    "lastnose run --profile home6": "the pins of a Raspberry Pi",
    "lastnose selftest --profile home6": "the pins of a Raspberry Pi",
    "lastnose run --source box": "a Pico",
    "lastnose box watch": "a Pico",
    "lastnose run --source box --beside my-pins.toml": "a Pico, and a Raspberry Pi",
    "lastnose box sync auto --beside my-pins.toml": "a Pico, and a Raspberry Pi",
    "usermod -aG gpio,i2c,spi $USER": "a Raspberry Pi's groups",
    "install -D -g lastnose -m 640 neighbours.toml /etc/lastnose/neighbours.toml": "the package's group",
}


def test_every_command_is_known_to_be_tried() -> None:
    """Who writes a new one says here how; who takes one out takes it out here."""
    known = [*AT_ONCE, *SERVED, *ELSEWHERE, *BY_HAND]
    assert len(known) == len(set(known))
    unknown = {command: page for command, page in TYPED.items() if command not in known}
    assert {} == {command: page for command, page in unknown.items() if "COMPLETE" not in command}
    assert set() == set(known) - TYPED.keys()
    assert [] == [place for place in ELSEWHERE.values() if not (ROOT / place).is_file()]


def test_every_target_named_can_be_made() -> None:
    """In fences and in sentences."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    made = [*(one for one in TYPED if one.startswith("make ")), *mentioned("make")]
    targets = {word for one in made for word in one.split()[1:] if re.fullmatch(r"[a-z][a-z-]*", word)}
    assert {"run", "test", "docs", "bench", "hall-demo"} <= targets
    assert set() == targets - set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an evening and the tape of the documents, in which one types."""
    with closing(Store(tmp_path / "data")) as store:
        lines = ("nose.1", "nose.2", "nose.3")
        players = ("North", "East", "South")
        store.append(Started(by="host", at=1.0, game="pig", players=players, options={}, lines=lines))
    ((_, tape),) = fences("json")
    (tmp_path / "round-12.jsonl").write_text(tape, encoding="utf-8")
    monkeypatch.setenv("LASTNOSE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@pytest.mark.parametrize("command", sorted(AT_ONCE))
def test_what_ends_by_itself_does_what_it_says(command: str, folder: Path) -> None:
    """In this process."""
    done = lastnose(*shlex.split(command)[1:])
    assert (0, "") == (done.exit_code, done.stderr)
    for written in re.findall(r"--output (\S+)", command):
        assert (folder / written).stat().st_size > 20


@pytest.mark.heavy
@pytest.mark.parametrize("command", sorted(SERVED))
def test_what_serves_a_page_serves_it_and_leaves_with_ctrl_c(command: str, folder: Path) -> None:
    """As a process of its own, for a minute at most."""
    words = [*shlex.split(command)[1:], *SERVED[command], "--port", str(free_port())]
    if "--data" not in words:
        words += ["--data", str(folder / "table")]
    words = [str(folder / "table") if word == "/srv/evening" else word for word in words]
    process = subprocess.Popen(
        [sys.executable, "-m", "lastnose.companion.cli", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "BROWSER": "true", "PYTHONPATH": str(ROOT)},
    )
    watchdog = threading.Timer(120, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            found = re.search(r"http://[\d.]+:\d+", line)
            if found:
                with urllib.request.urlopen(found.group(), timeout=60) as answer:
                    assert b"Last Nose" in answer.read()
                break
        else:
            pytest.fail(f"it named no page: {said}")
        process.send_signal(signal.SIGINT)
        said += process.stdout.read()
        assert "Traceback" not in said
        assert 0 == process.wait(60), said
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
