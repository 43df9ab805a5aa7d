"""Looking at a machine: a folder stands for it; a chip, a log and a port are real or made here."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from lastnose.companion.config.settings import (
    Calibration,
    Lateness,
    calibration_file,
    machine_name,
    save_calibration,
)
from lastnose.companion.evening.events import RoundArmed, Started
from lastnose.companion.system.doctor import Wanted
from lastnose.companion.system.doctor.facts import LateFacts, Line
from lastnose.companion.system.setup_pi import templates
from lastnose.companion.table.store import Store
from lastnose.companion.wiring.profile import load_profile
from lastnose.hardware import probe
from lastnose.hardware.probe import look

from tests.support.packages import need

MOCK = Wanted("mock", load_profile("mock"))
FILES = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
    "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    "boot/firmware/config.txt": "dtparam=spi=on\n",
    "boot/config.txt": "moved\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter\n",
    "sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n",
    "sys/class/rfkill/rfkill0/type": "wlan\n",
    "sys/class/rfkill/rfkill0/soft": "1\n",
    "dev/i2c-1": "",
    "dev/spidev0.0": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Pi as a folder."""
    for name, says in FILES.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(says)
    return tmp_path / "root"


def test_a_pi_tells_what_it_is(root: Path, tmp_path: Path) -> None:
    """Model, system, config.txt of the newer place, clock, supply and switches."""
    facts = look(MOCK, tmp_path / "data", 0, root=root)
    assert (True, "Raspberry Pi 4 Model B Rev 1.5, Debian GNU/Linux 12 (bookworm)") == (
        facts.pi,
        facts.system,
    )
    assert (str(root / "boot/firmware/config.txt"), "dtparam=spi=on") == (facts.config_path, facts.config_txt)
    clock = facts.clock
    assert ("arch_sys_counter", 0x50005) == (clock.source, clock.throttled)
    assert (1, 64) == (clock.step_ns, facts.bits), "as clock_getres tells it, however slow this machine is"
    assert facts.devices.wifi_blocked
    assert not facts.devices.wifi_protected
    assert [("/dev/i2c-1", True), ("/dev/spidev0.0", True)] == [
        (node.path, node.usable) for node in facts.devices.nodes
    ]
    assert None is facts.service
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("says", "protected"),
    [("mode=ap", True), ("mode=ap\npmf=2", True), ("mode=ap\npmf=1", False), ("mode=infrastructure", False)],
)
def test_an_access_point_that_a_pi_cannot_keep_is_seen(root: Path, says: str, protected: bool) -> None:
    """Ours is none: it says pmf=1."""
    folder = root / "etc/NetworkManager/system-connections"
    folder.mkdir(parents=True)
    (folder / "ours.nmconnection").write_text(templates.connection("Last Nose", "amber-falcon"))
    assert not probe.devices(MOCK, root).wifi_protected
    (folder / "a.nmconnection").write_text(f"[wifi]\n{says}\n")
    assert protected == probe.devices(MOCK, root).wifi_protected


def test_a_machine_that_tells_nothing_is_unknown_and_no_error(tmp_path: Path) -> None:
    """An empty folder."""
    facts = look(MOCK, tmp_path / "data", 0, root=tmp_path / "nowhere")
    assert (False, "Linux", None) == (facts.pi, facts.system, facts.config_txt)
    assert (None, None) == (facts.clock.source, facts.clock.throttled)
    assert () == facts.devices.nodes


@pytest.mark.parametrize(("alarm", "throttled"), [("1", 1), ("0", 0)])
def test_a_sensor_tells_of_a_weak_supply_where_the_firmware_does_not(
    tmp_path: Path, alarm: str, throttled: int
) -> None:
    """As on kernels that are not Raspberry Pi's own."""
    sensor = tmp_path / "sys/class/hwmon/hwmon1"
    sensor.mkdir(parents=True)
    (sensor / "name").write_text("rpi_volt\n")
    (sensor / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert throttled == probe.clock(tmp_path).throttled


def test_a_chip_tells_who_has_which_line() -> None:
    """As libgpiod tells it."""
    used = {3: "w1", 17: "fan"}
    chip = SimpleNamespace(
        get_info=lambda: SimpleNamespace(num_lines=28, label="pinctrl-bcm2711"),
        get_line_info=lambda at: SimpleNamespace(offset=at, used=at in used, consumer=used.get(at, "")),
    )
    found = probe.chip_of(chip, "/dev/gpiochip0")
    assert ("pinctrl-bcm2711", (Line(3, "w1"), Line(17, "fan"))) == (found.label, found.taken)


def test_a_header_that_is_not_there_is_told_with_its_reason(root: Path, tmp_path: Path) -> None:
    """The sentence of the source itself."""
    need("gpiod")
    wanted = Wanted("gpiochip", load_profile("home6"))
    facts = look(wanted, tmp_path, 0, root=root)
    assert facts.devices.chip is None
    assert "A Raspberry Pi’s pins are not here" in str(facts.devices.no_chip)
    # A plain file is no bus: nobody answers on it.
    assert () == facts.devices.oled


def test_the_folder_that_would_be_made_is_judged_where_it_would_be(tmp_path: Path) -> None:
    """The nearest one that exists."""
    found = probe.folder(tmp_path / "a" / "b")
    assert (str(tmp_path), True) == (found.path, found.writable)
    assert found.free_bytes > 0


def test_a_folder_is_called_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """“9000 MB are free in .” says of no folder which it is."""
    monkeypatch.chdir(tmp_path)
    assert str(tmp_path) == probe.folder(Path("evenings")).path


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ("ActiveState=active\nSubState=running\n", "active"),
        ("ActiveState=activating\nSubState=start\n", "activating"),
        ("ActiveState=activating\nSubState=auto-restart\n", "failed"),
        ("ActiveState=inactive\nSubState=dead\n", "inactive"),
        ("", "unknown"),
    ],
)
def test_a_service_that_is_begun_again_and_again_has_failed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str, state: str
) -> None:
    """One that is only starting has not; systemctl is another here."""
    assert probe.service(root) is None
    unit = root / probe.UNIT
    unit.parent.mkdir(parents=True)
    unit.touch()
    systemctl = tmp_path / "bin" / "systemctl"
    systemctl.parent.mkdir()
    systemctl.write_text(f"#!/bin/sh\ncat <<END\n{told}END\n")
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{systemctl.parent}:{os.environ['PATH']}")
    assert state == probe.service(root)


def test_a_port_that_somebody_has_is_told() -> None:
    """And one that is free."""
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        port = other.getsockname()[1]
        assert "in use" in str(probe.page(port).why)
    assert probe.page(port).why is None


# The log.


def store_with_an_open_round(data: Path) -> Store:
    """A log whose table was killed in mid-round."""
    store = Store(data)
    players, lines = ("North", "East", "South"), ("nose.1", "nose.2", "nose.3")
    store.append(Started(by="a", at=0.0, game="pig", players=players, lines=lines, options={}))
    store.append(RoundArmed(by="box", at=1.0, t_ns=0, seats=(1, 2, 3)))
    return store


def test_a_log_that_is_not_there_yet_is_none(tmp_path: Path) -> None:
    """Nothing is made by looking."""
    assert "none" == probe.evening(tmp_path / "data").state
    assert [] == list(tmp_path.iterdir())


def test_looking_at_a_log_changes_nothing(tmp_path: Path) -> None:
    """A round that was cut off is voided by the next start, not by the doctor."""
    store_with_an_open_round(tmp_path).close()
    for _ in range(2):
        evening = probe.evening(tmp_path)
        assert ("sound", None) == (evening.state, evening.held_by)


def test_a_running_table_is_recognised_by_its_lock(tmp_path: Path) -> None:
    """Without touching that lock; and its process is named."""
    store = store_with_an_open_round(tmp_path)
    try:
        assert os.getpid() == probe.evening(tmp_path).held_by
    finally:
        store.close()
    assert probe.evening(tmp_path).held_by is None


@pytest.mark.parametrize("damage", ["no database", "torn page", "torn index", "newer"])
def test_a_log_that_cannot_be_used_says_why(tmp_path: Path, damage: str) -> None:
    """With the file's name."""
    store_with_an_open_round(tmp_path).close()
    file = tmp_path / "lastnose.sqlite"
    if damage == "no database":
        file.write_bytes(b"this is no database, it is a shopping list" * 100)
    elif damage == "newer":
        with sqlite3.connect(file) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
    elif damage == "torn index":
        with sqlite3.connect(file) as db:
            (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'event_by_type'").fetchone()
        db.close()
        raw = bytearray(file.read_bytes())
        raw[(page - 1) * 4096 : page * 4096] = b"\x5a" * 4096
        file.write_bytes(raw)
    else:
        raw = bytearray(file.read_bytes())
        raw[4096 : 4096 + 600] = b"\x5a" * 600
        file.write_bytes(raw)
    evening = probe.evening(tmp_path)
    assert "bad" == evening.state
    assert str(file) in str(evening.why)


def test_a_log_on_a_card_that_only_reads_any_more_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sudo helps nobody there: the log is sound; that nothing can be written is said of the folder."""
    store_with_an_open_round(tmp_path).close()
    may = os.access
    read_only = SimpleNamespace(f_flag=os.ST_RDONLY)
    monkeypatch.setattr(os, "access", lambda path, mode, **how: not mode & os.W_OK and may(path, mode, **how))
    monkeypatch.setattr(os, "statvfs", lambda _: read_only)
    assert "sound" == probe.evening(tmp_path).state


def test_a_log_of_somebody_else_is_closed_and_no_error(tmp_path: Path) -> None:
    """As seen by somebody whom the folder keeps out; root, whom nothing keeps out, becomes nobody for it."""
    data = tmp_path / "data"
    store_with_an_open_round(data).close()
    data.chmod(0)
    script = (
        "import os, sys; from pathlib import Path; from lastnose.hardware import probe;"
        "os.geteuid() or os.seteuid(65534);"
        "print(probe.evening(Path(sys.argv[1])).state)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, str(data)], capture_output=True, text=True, check=False
    )
    data.chmod(0o700)
    assert ("closed\n", "") == (told.stdout, told.stderr)


@pytest.mark.parametrize(
    ("off_ns", "set_ppm", "slewed_ppm"),
    [(-7_600, -38.0, 0.0), (92_400, -38.0, 500.0), (100_000, 500.0, 400.0), (0, 0.0, 0.0)],
)
def test_a_slew_is_what_the_clock_runs_off_beyond_its_crystal(
    off_ns: int, set_ppm: float, slewed_ppm: float
) -> None:
    """Over 0.2 s; a time server that slews by the kernel's frequency is found out too."""
    pairs = [(5, 70), (200_000_005, 200_000_070 + off_ns)]
    assert probe.slew_ppm(pairs, set_ppm) == pytest.approx(slewed_ppm)


def test_the_pace_of_this_machine_can_be_told() -> None:
    """By the kernel, in the units of adjtimex: no crystal and no slew is further off."""
    told = probe.clock(Path("/")).slew_ppm
    assert told is None or abs(told) < 1_100


def test_how_late_interrupt_threads_were_is_read_from_the_calibration(tmp_path: Path) -> None:
    """Measured here, elsewhere, not at all, and in a file that nobody can read."""
    assert probe.lateness(tmp_path, MOCK) is None
    for machine, here in ((machine_name(), True), ("another", False)):
        path = calibration_file(tmp_path, "mock", "mock")
        made = Calibration("mock", "mock", lateness=Lateness(machine, 5_000, 420.0, 840.0))
        assert path == save_calibration(tmp_path, made)
        assert LateFacts(str(path), 840.0, here) == probe.lateness(tmp_path, MOCK)
    path.write_text("{")
    unreadable = probe.lateness(tmp_path, MOCK)
    assert unreadable is not None and "Delete it" in str(unreadable.why)
