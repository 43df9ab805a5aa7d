"""Installing and taking back: the machine is a folder, commands are heard; nothing but bytes is believed."""

from __future__ import annotations

import configparser
import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config.wifi import Wifi, read_wifi
from companion.core.errors import BadInput
from companion.core.text import Text
from companion.system.config_txt import missing
from companion.system.install import builder as build
from companion.system.install import commands, templates
from companion.system.install.builder import Builder, InstallError
from companion.system.install.journal import JOURNAL, current, read_record
from companion.system.install.plan import DEVICES, Place, plan
from companion.system.install.request import GROUPS, Before, Wish, renewed
from companion.system.install.steps import Command, Do, Record, Step, WriteFile
from tests.support.commands import lastnose
from tests.support.examples import examples

HOME6 = Wish("home6", "gpiochip")
LINES = ("dtparam=i2c_arm=on", "dtparam=spi=on")
CONFIG = "boot/firmware/config.txt"
FILES = {
    CONFIG: "#dtparam=i2c_arm=on\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n\n[all]\n",
    "etc/avahi/avahi-daemon.conf": "[server]\n#host-name=foo\nuse-ipv4=yes\n",
    "etc/group": "root:x:0:\ngpio:x:997:pi\ni2c:x:998:pi\n",
    "etc/passwd": "root:x:0:0::/root:/bin/sh\npi:x:1000:1000::/home/pi:/bin/bash\n",
    "etc/NetworkManager/NetworkManager.conf": "[main]\n",
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
}
Tree = dict[str, tuple[Any, ...]]


@pytest.fixture(scope="module", autouse=True)
def no_waiting_for_disks() -> Iterator[None]:
    """What a power cut leaves is tried by hand below; hundreds of folders need not reach the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build.os, "fsync", lambda handle: None)
        yield


def make_root(folder: Path, files: dict[str, str]) -> Path:
    """Return *folder* as a machine with *files*."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Pi as it comes."""
    return make_root(tmp_path / "root", FILES)


def tree(root: Path) -> Tree:
    """Return everything below *root*: kind, mode, and what is in it or where it leads."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        told = path.lstat()
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", str(path.readlink()))
        elif path.is_dir():
            found[name] = ("folder", told.st_mode)
        else:
            found[name] = ("file", told.st_mode, told.st_mtime_ns, path.read_bytes())
    return found


class Machine:
    """Hears the commands, and fails at those that begin with *bad*."""

    def __init__(self, bad: tuple[str, ...] = ()) -> None:
        self.bad = bad
        self.heard: list[str] = []
        self.said: list[str] = []

    def run(self, command: Command) -> None:
        """Take note of *command*."""
        line = " ".join(command)
        self.heard.append(line)
        if line.startswith(self.bad) and self.bad:
            raise InstallError(Text("it does not want to"))

    def say(self, says: Text) -> None:
        """Take note of a sentence."""
        self.said.append(str(says))


def look(root: Path, wish: Wish, record: Record) -> Place:
    """Return the machine below *root*, with a program to install."""
    config = next((path for path in commands.CONFIG_TXT if current(root, path, None) is not None), None)
    return Place(
        before=record.before,
        project="/src",
        fingerprint="1",
        config_path=config,
        config_txt=None if config is None else current(root, config, record),
        config_lines=LINES if wish.source == "gpiochip" else (),
        avahi_conf=current(root, templates.AVAHI_CONF, record),
    )


def installed(root: Path, wish: Wish = HOME6, machine: Machine | None = None) -> frozenset[str]:
    """Install *wish* below *root*; without a *machine* no command is run."""
    old = read_record(root)
    record = Record(wish, Before(("gpio", "i2c"), False, "pi", ("gpio", "i2c")))
    if old is not None:
        record = Record(wish, old.before, old.done, old.folders)
    steps = plan(wish, look(root, wish, record), None if wish.ssid is None else "amber-falcon")
    heard = machine or Machine()
    return Builder(root, record, run=machine.run if machine else None, say=heard.say).install(steps)


def uninstalled(root: Path, machine: Machine | None = None) -> list[str]:
    """Take everything back; return what could not be."""
    record = read_record(root)
    assert record is not None
    heard = machine or Machine()
    builder = Builder(root, record, run=machine.run if machine else None, say=heard.say)
    return [str(problem) for problem in builder.uninstall()]


# Taking back.

WISHES = st.builds(
    Wish,
    profile=st.sampled_from(["home4", "home6"]),
    source=st.sampled_from(["gpiochip", "mock"]),
    own_profile=st.sampled_from([None, 'name="mine"\n']),
    port=st.sampled_from([80, 8080]),
    name=st.sampled_from(["lastnose", "table-2"]),
    ssid=st.sampled_from([None, "Last Nose"]),
)
CONFIGS = st.lists(
    st.sampled_from(["", "[all]", "[pi4]", "dtparam=spi=on", "#dtparam=i2c_arm=on", "arm_boost=1"])
).flatmap(lambda lines: st.sampled_from(["\n".join(lines), "\r\n".join([*lines, ""])]))
MACHINES = st.fixed_dictionaries(
    {},
    optional={
        CONFIG: CONFIGS,
        "boot/config.txt": CONFIGS,
        "etc/avahi/avahi-daemon.conf": st.sampled_from(
            [
                "",
                "[server]\n",
                "[server]\n#host-name=foo\n",
                "[server]\nhost-name=box\nuse-ipv4=yes\n",
                "[wide]",
            ]
        ),
        "etc/avahi/services/lastnose.service": st.just("somebody's own\n"),
        "usr/local/bin/lastnose": st.just("#!/bin/sh\necho mine\n"),
        "etc/modules-load.d/lastnose.conf": st.just("mine\n"),
        "opt/other/file": st.just("x"),
    },
)


@settings(max_examples=examples(60))
@given(MACHINES, st.lists(WISHES, min_size=1, max_size=3))
def test_uninstall_leaves_every_machine_as_it_was(files: dict[str, str], wishes: list[Wish]) -> None:
    """Byte by byte, mode by mode, whatever was there and however often it was installed differently."""
    with tempfile.TemporaryDirectory() as folder:
        root = make_root(Path(folder), files)
        before = tree(root)
        for wish in wishes:
            installed(root, wish)
        assert before != tree(root)
        assert [] == uninstalled(root)
        assert before == tree(root)


@contextmanager
def power_cut_after(writes: int) -> Iterator[None]:
    """Let the power fail after so many files have been written; the next is not."""
    count = itertools.count()
    real: Callable[[Path, bytes, int], None] = build._replace
    real_copy = shutil.copy2

    def write(path: Path, content: bytes, mode: int) -> None:
        if next(count) >= writes:
            if path.parent.is_dir():
                build._draft(path).write_bytes(content[:5])
            raise KeyboardInterrupt
        real(path, content, mode)

    def copy(path: Path, draft: Path, *, follow_symlinks: bool) -> None:
        if next(count) >= writes:
            draft.write_text("half of it")
            raise KeyboardInterrupt
        real_copy(path, draft, follow_symlinks=follow_symlinks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_replace", write)
        patch.setattr(build.shutil, "copy2", copy)
        yield


@settings(max_examples=examples(60))
@given(MACHINES, WISHES, st.integers(1, 60))
def test_an_installation_cut_short_goes_back_or_goes_on(
    files: dict[str, str], wish: Wish, writes: int
) -> None:
    """Wherever the power fails: uninstall gives the machine back; a second installation ends as one would."""
    with tempfile.TemporaryDirectory() as folder:
        whole, back, on = (make_root(Path(folder) / name, files) for name in ("whole", "back", "on"))
        for root in (whole, back, on):
            root.mkdir(exist_ok=True)
        before = tree(back)
        installed(whole, wish)
        for root in (back, on):
            with power_cut_after(writes), suppress(KeyboardInterrupt):
                installed(root, wish)
        assert [] == uninstalled(back)
        assert before == tree(back)
        installed(on, wish)
        journal = JOURNAL.lstrip("/")
        without_times = [
            {name: (told[0], told[1], told[-1]) for name, told in tree(root).items() if name != journal}
            for root in (whole, on)
        ]
        assert without_times[0] == without_times[1]


def test_a_second_time_does_nothing(root: Path) -> None:
    """Not one file is written, but for the journal, which says the same."""
    assert installed(root)
    once = tree(root)
    journal = JOURNAL.lstrip("/")
    assert frozenset() == installed(root)
    again = tree(root)
    assert once.pop(journal)[-1] == again.pop(journal)[-1]
    assert once == again


def test_what_somebody_changed_since_stays_changed(root: Path) -> None:
    """Only our part goes; the copy goes with it."""
    installed(root)
    config = root / CONFIG
    config.write_text(config.read_text().replace("audio=on", "audio=off") + "gpu_mem=64\n")
    assert [] == uninstalled(root)
    assert FILES[CONFIG].replace("audio=on", "audio=off") + "gpu_mem=64\n" == config.read_text()
    assert {CONFIG} == {name for name in tree(root) if name.startswith("boot") and (root / name).is_file()}


def test_a_copy_of_config_txt_lies_beside_it(root: Path) -> None:
    """Whoever reads the card in another machine finds it."""
    installed(root)
    assert FILES[CONFIG] == (root / f"{CONFIG}.before-lastnose").read_text()
    assert [] == missing((root / CONFIG).read_text(), LINES)


def test_the_wifi_is_taken_back_when_it_is_wanted_no_more(root: Path) -> None:
    """And its files are for root, and for the table, only."""
    installed(root, Wish("home6", "gpiochip", ssid="Last Nose"))
    connection, wifi = root / templates.CONNECTION.lstrip("/"), root / templates.WIFI.lstrip("/")
    assert (0o600, 0o640) == (connection.stat().st_mode & 0o777, wifi.stat().st_mode & 0o777)
    assert "--wifi" in (root / templates.UNIT.lstrip("/")).read_text()
    installed(root)
    assert (False, False) == (connection.exists(), wifi.exists())
    assert "--wifi" not in (root / templates.UNIT.lstrip("/")).read_text()


# Commands.


def test_commands_are_run_in_order_and_undone_from_the_last(root: Path) -> None:
    """Each once, while nothing changes."""
    machine = Machine()
    installed(root, machine=machine)
    heads = [line.partition(" ")[0] + " " + line.rpartition(" ")[2] for line in machine.heard]
    assert [
        *("groupadd spi", "groupadd dialout", "useradd lastnose", "usermod pi"),
        "/usr/bin/python3 /opt/lastnose/venv",
        *(
            "/opt/lastnose/venv/bin/python " + what
            for what in ("/src/requirements.lock", "/src/requirements-pi.lock", "/src")
        ),
        *("udevadm --reload", "udevadm --subsystem-match=tty"),
        *("systemctl avahi-daemon", "systemctl daemon-reload", "systemctl lastnose"),
    ] == heads
    machine.heard.clear()
    installed(root, machine=machine)
    assert [] == machine.heard
    assert [] == uninstalled(root, machine)
    assert [
        *("systemctl stop lastnose", "systemctl daemon-reload", "systemctl try-restart avahi-daemon"),
        "udevadm control --reload",
        "udevadm trigger --action=change " + " ".join(f"--subsystem-match={name}" for name in DEVICES),
        *("gpasswd --delete pi spi", "gpasswd --delete pi dialout"),
        *("userdel lastnose", "groupdel dialout", "groupdel spi"),
    ] == machine.heard


def test_a_command_that_fails_stops_there_and_can_be_done_again(root: Path) -> None:
    """Or taken back, where what was never finished need not be there."""
    machine = Machine(bad=("/opt/lastnose/venv/bin/python",))
    with pytest.raises(InstallError, match="does not want to"):
        installed(root, machine=machine)
    assert not (root / templates.UNIT.lstrip("/")).exists()
    machine.bad = ()
    machine.heard.clear()
    installed(root, machine=machine)
    assert "/usr/bin/python3 -m venv --clear /opt/lastnose/venv" == machine.heard[0]
    machine.bad = ("systemctl restart",)
    shutil.rmtree(root)
    make_root(root, FILES)
    before = tree(root)
    with pytest.raises(InstallError):
        installed(root, machine=machine)
    machine.bad = ("systemctl stop",)  # it never ran
    assert [] == uninstalled(root, machine)
    assert before == tree(root)


def test_a_program_that_does_not_run_need_not_read_its_files_again(root: Path) -> None:
    """It will at its next start; an own Wi-Fi comes and goes without NetworkManager running by then."""
    before = tree(root)
    machine = Machine(bad=("nmcli",))
    installed(root, Wish("home6", "gpiochip", ssid="Last Nose"), machine=machine)
    assert "nmcli connection reload" in machine.heard
    installed(root, machine=machine)
    assert not (root / templates.CONNECTION.lstrip("/")).exists()
    assert [] == uninstalled(root, machine)
    assert before == tree(root)


def test_what_cannot_be_taken_back_is_said_and_stays_in_the_journal(root: Path) -> None:
    """All else is taken back; saying it again tries the rest again."""
    before = tree(root)
    machine = Machine()
    installed(root, machine=machine)
    machine.bad = ("userdel",)
    assert ["it does not want to"] == uninstalled(root, machine)
    record = read_record(root)
    assert record is not None
    assert ["do user"] == [done.key for done in record.done]
    machine.bad = ()
    assert [] == uninstalled(root, machine)
    assert before == tree(root)


def test_the_environment_goes_with_what_is_in_it(root: Path) -> None:
    """Whatever pip has put there."""
    before = tree(root)
    machine = Machine()
    installed(root, machine=machine)
    make_root(root, {"opt/lastnose/venv/bin/lastnose": "#!", "opt/lastnose/venv/lib/a/b.py": ""})
    uninstalled(root, machine)
    assert before == tree(root)


# The plan.


def steps_for(wish: Wish = HOME6, **machine: Any) -> dict[str, Step]:
    """Return the plan by key, on a Pi with everything."""
    usual: dict[str, Any] = {
        "before": Before(("gpio", "i2c", "spi", "dialout"), True, "pi", ("gpio", "i2c", "spi", "dialout")),
        "project": "/src",
        "config_path": "/boot/firmware/config.txt",
        "config_txt": "",
        "config_lines": LINES,
        "avahi_conf": FILES["etc/avahi/avahi-daemon.conf"],
    }
    return {step.key: step for step in plan(wish, Place(**{**usual, **machine}), "amber-falcon")}


def test_what_is_there_already_is_not_done() -> None:
    """Groups, user, lines of config.txt, a name, no Avahi, no I²C, no project."""
    steps = steps_for(config_txt="\n".join(LINES))
    assert [] == [
        key for key in steps if key.startswith(("do group", "do user", "do person", "change /boot"))
    ]
    assert {"change /etc/avahi/avahi-daemon.conf"} == {key for key in steps if key.startswith("change")}
    assert "file /etc/modules-load.d/lastnose.conf" in steps
    bare = steps_for(config_lines=(), avahi_conf=None, project=None, config_path=None, config_txt=None)
    assert ["do program", f"link {'/usr/local/bin/lastnose'}"] == list(bare)[:2]
    assert not isinstance(bare["do program"], Do)
    assert not [key for key in bare if "avahi" in key or "modules" in key or key.startswith("change")]


@pytest.mark.parametrize(("version", "system"), [((3, 11), False), ((3, 12), False), ((3, 13), True)])
def test_where_there_is_no_lgpio_to_download_the_systems_own_is_seen(
    version: tuple[int, int], system: bool
) -> None:
    """From Python 3.13 on; and everything else comes from the locks, checked by their hashes."""
    program = steps_for(python_version=version)["do program"]
    assert isinstance(program, Do)
    make, *pips = program.run
    assert system == ("--system-site-packages" in make)
    assert [True, True, False] == ["--require-hashes" in pip for pip in pips]
    assert "--no-deps" in pips[-1]


def content(steps: dict[str, Step], path: str) -> str:
    """Return what a step writes."""
    step = steps[f"file {path}"]
    assert isinstance(step, WriteFile)
    return step.content


@pytest.mark.parametrize(
    ("ssid", "password"), [("Last Nose", "amber-falcon"), (" L'été; \\o/", 'a"b\\c;d e#f')]
)
def test_the_wifi_says_the_same_to_networkmanager_and_to_the_table(
    ssid: str, password: str, tmp_path: Path
) -> None:
    """Whatever signs are in it."""
    file = tmp_path / "wifi.toml"
    file.write_text(templates.wifi(ssid, password), encoding="utf-8")
    assert Wifi(ssid, password, templates.AP_ADDRESS) == read_wifi(file)
    found = configparser.RawConfigParser(delimiters=("=",), comment_prefixes=("#",), strict=True)
    found.read_string(templates.connection(ssid, password))

    def plain(value: str) -> str:
        return value.replace("\\s", " ").replace("\\\\", "\\")

    assert password == plain(found["wifi-security"]["psk"])
    assert ssid == plain(found["wifi"]["ssid"].replace("\\;", ";"))
    assert ("ap", "shared") == (found["wifi"]["mode"], found["ipv4"]["method"])


def test_the_announcement_is_xml_with_the_port() -> None:
    """As Avahi reads it."""
    told = ElementTree.fromstring(templates.avahi_service(Wish("home6", "gpiochip", port=80)))
    assert ("_http._tcp", "80") == (told.findtext("service/type"), told.findtext("service/port"))


@pytest.mark.parametrize(
    "wish",
    [
        HOME6,
        Wish("mock", "mock", port=80, language="fr"),
        Wish("pico-party", "box", own_profile="x", ssid="N", backup="/media/stick"),
    ],
)
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")
def test_systemd_understands_the_unit_and_finds_it_well_shut_in(wish: Wish, tmp_path: Path) -> None:
    """Not a word of complaint; its figure for what is exposed is 1.7 of 10 at most, 1.8 on a low port."""
    limit = 18 if wish.port < 1024 else 17  # a low port wants a capability
    unit = tmp_path / "lastnose.service"
    unit.write_text(templates.unit(wish).replace(templates.PROGRAM, shutil.which("true") or ""))
    verified = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    complaints = [line for line in verified.stderr.splitlines() if unit.name in line]
    assert (0, []) == (verified.returncode, complaints)
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", f"--threshold={limit}", "--no-pager", unit],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_EMOJI": "0"},
    )
    assert 0 == rated.returncode, rated.stdout


def test_the_service_may_open_as_many_files_as_the_page_has_room_for() -> None:
    """1,500 connections, the few that are told there is no room, and the table's own files."""
    found = re.search(r"^LimitNOFILE=(\d+)$", templates.unit(HOME6), re.MULTILINE)
    assert found is not None
    assert int(found[1]) >= 2000


def test_the_service_calls_a_command_that_exists() -> None:
    """Every word of it is known to `lastnose run`, in the order that it wants."""
    from companion.cli.run import command

    wish = Wish("home6", "gpiochip", own_profile='name="x"', ssid="Last Nose", port=80, backup="/media/x")
    words = templates.arguments(wish)
    assert [templates.PROGRAM, "run"] == words[:2]
    known = {name for parameter in command.params for name in parameter.opts + parameter.secondary_opts}
    assert set() == {word for word in words if word.startswith("--")} - known
    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE\n" in templates.unit(wish)
    assert "AmbientCapabilities=\n" in templates.unit(HOME6)


@pytest.mark.parametrize(
    ("conf", "after"),
    [
        ("[server]\nuse-ipv4=yes\n", "[server]\nhost-name=nose\nuse-ipv4=yes\n"),
        ("a=1\n[server]\n#host-name=foo\nb=2\n", "a=1\n[server]\n#host-name=foo\nhost-name=nose\nb=2\n"),
        ("[server]\nhost-name = box\n", "[server]\nhost-name=nose\n"),
        ("[server]\nhost-name=nose\n", None),
        ("[wide-area]\n", None),
        ("[server]", None),
    ],
)
def test_avahi_is_told_the_name_where_there_is_a_place_for_it(conf: str, after: str | None) -> None:
    """In its own section."""
    found = templates.avahi_name(conf, "nose")
    assert after == (None if found is None else conf.replace(*found, 1))


# The wish.


def test_what_is_not_named_stays_as_it_was(tmp_path: Path) -> None:
    """Also a profile of one's own, whose file may be gone by then."""
    mine = tmp_path / "mine.toml"
    mine.write_text('name="mine"\nboard="pi"\n[pins]\nnoses=[5, 6, 12]\n')
    kept = tmp_path / "table.toml"
    first, profile = renewed(
        None, kept, pi=True, language="fr", profile=str(mine), port=80, access_point=True, ssid="Nez"
    )
    assert Wish("mine", "gpiochip", mine.read_text(), 80, "lastnose", "fr", "Nez") == first
    assert 3 == len(profile.pins.noses)
    kept.write_text(mine.read_text())
    mine.unlink()
    assert first == renewed(first, kept, pi=True, language="fr")[0]
    later, _ = renewed(first, kept, pi=True, language="en", profile="home6", access_point=False, name="nose")
    assert Wish("home6", "gpiochip", None, 80, "nose", "en", None) == later


def test_copies_are_made_where_it_was_wished_until_they_are_wanted_no_more(tmp_path: Path) -> None:
    """The service may write there, and only there besides its own folder."""
    wish, _ = renewed(None, tmp_path, pi=True, language="en", backup="/media/stick")
    assert "--backup /media/stick" in " ".join(templates.arguments(wish))
    assert "ReadWritePaths=-/media/stick\n" in templates.unit(wish)
    assert wish == renewed(wish, tmp_path, pi=True, language="en")[0]
    without, _ = renewed(wish, tmp_path, pi=True, language="en", backup="none")
    assert without.backup is None
    assert "--backup" not in templates.unit(without)
    assert "ReadWritePaths" not in templates.unit(without)


def test_boxes_are_called_by_name_as_long_as_they_are_wanted(tmp_path: Path) -> None:
    """Naming one means --source box; another source forgets them."""
    wish, profile = renewed(None, tmp_path, pi=True, language="en", boxes=("E660", "/dev/ttyACM1"))
    assert ("box", "pico-party", ("E660", "/dev/ttyACM1")) == (wish.source, profile.name, wish.boxes)
    assert "--box E660 --box /dev/ttyACM1" in " ".join(templates.arguments(wish))
    assert wish == renewed(wish, tmp_path, pi=True, language="en")[0]
    own, _ = renewed(wish, tmp_path, pi=True, language="en", source="gpiochip", profile="home4")
    assert ((), "gpiochip") == (own.boxes, own.source)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"boxes": ("a b",)}, "neither a port nor a serial number"),
        ({"boxes": ("%n",)}, "neither a port nor a serial number"),
        ({"boxes": ("E660",), "source": "mock"}, "go with --source box"),
        ({"name": "Last Nose"}, "small letters"),
        ({"name": "-nose"}, "small letters"),
        ({"name": "n" * 64}, "small letters"),
        ({"port": 0}, "1 to 65535"),
        ({"port": 65536}, "1 to 65535"),
        ({"ssid": "Nose"}, "go with --access-point"),
        ({"backup": "stick"}, "whole path"),
        ({"backup": "/media/my stick"}, "without spaces"),
        ({"backup": "/%n"}, "whole path"),
    ],
)
def test_what_cannot_be_wished_gets_one_sentence(wanted: dict[str, Any], why: str, tmp_path: Path) -> None:
    """With the option's name."""
    with pytest.raises(BadInput) as refused:
        renewed(None, tmp_path / "kept", pi=True, language="en", **wanted)
    assert why in str(refused.value)


# The commands.


@pytest.fixture
def any_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the Python of the tests serve, wherever it lies."""
    monkeypatch.setattr(commands, "HOMES", ())
    monkeypatch.delenv("SUDO_USER", raising=False)


def run(*words: str) -> Result:
    """Run `lastnose` with *words*, in English, with nobody at the keyboard."""
    return lastnose(*words)


@pytest.mark.usefixtures("any_python")
def test_from_the_command_line_and_back(root: Path) -> None:
    """What was done, what comes next; and nothing is left."""
    before = tree(root)
    said = run("install", "--root", str(root), "--profile", "home6", "--access-point", "--yes")
    assert (0, "") == (said.exit_code, said.stderr)
    assert "The page is at http://lastnose.local:8080/" in said.stdout
    password = read_wifi(root / templates.WIFI.lstrip("/")).password
    assert f"Wi-Fi Last Nose, password {password}" in said.stdout
    assert 11 == len(password)
    assert "sudo reboot" in said.stdout
    again = run("install", "--root", str(root), "--port", "80")
    assert "The page is at http://lastnose.local/" in again.stdout
    assert password == read_wifi(root / templates.WIFI.lstrip("/")).password
    assert "reboot" not in again.stdout
    assert "All of it was done already." in run("install", "--root", str(root)).stdout
    back = run("uninstall", "--root", str(root))
    assert (0, "") == (back.exit_code, back.stderr)
    assert before == tree(root)
    assert "Nothing is installed here.\n" == run("uninstall", "--root", str(root)).stdout


@pytest.mark.usefixtures("any_python")
def test_a_dry_run_shows_every_file_and_command_and_does_nothing(root: Path) -> None:
    """The difference to config.txt among them; of the password, nothing."""
    before = tree(root)
    words = ["install", "--root", str(root), "--access-point", "--password", "amber-falcon", "--dry-run"]
    said = run(*words)
    assert (0, before) == (said.exit_code, tree(root))
    assert "     +dtparam=i2c_arm=on\n" in said.stdout
    assert "     systemctl restart --no-block lastnose\n" in said.stdout
    assert "       Type=notify\n" in said.stdout
    assert "amber-falcon" not in said.stdout
    as_json = run(
        "install", "--root", str(root), "--access-point", "--password", "amber-falcon", "--dry-run", "--json"
    )
    assert "amber-falcon" not in as_json.stdout
    assert "file /etc/systemd/system/lastnose.service" in [
        step["step"] for step in json.loads(as_json.stdout)
    ]


@pytest.mark.usefixtures("any_python")
def test_a_dry_run_of_uninstall_says_what_it_will_say(root: Path) -> None:
    """Step by step, the last first; and nothing is done. Where nothing is installed there is no step."""
    assert {"steps": [], "problems": []} == json.loads(run("uninstall", "--root", str(root), "--json").stdout)
    run("install", "--root", str(root), "--yes", "--access-point")
    after = tree(root)
    dry = run("uninstall", "--root", str(root), "--dry-run").stdout.splitlines()
    assert after == tree(root)
    assert "1. Stop the table." == dry[0]
    real = run("uninstall", "--root", str(root)).stdout.replace(str(root), "").splitlines()
    assert [line.partition(". ")[2] for line in dry] == [line.removeprefix("· ") for line in real]


@pytest.mark.usefixtures("any_python")
def test_config_txt_is_not_touched_without_a_yes(root: Path) -> None:
    """Nobody is here to ask: one sentence. With --keep-config, the lines are named instead."""
    before = tree(root)
    said = run("install", "--root", str(root))
    assert (2, "") == (said.exit_code, said.stdout)
    assert "--keep-config" in said.stderr
    assert before == tree(root)
    kept = run("install", "--root", str(root), "--keep-config")
    assert 0 == kept.exit_code
    assert "Add these lines to /boot/firmware/config.txt yourself:" in kept.stdout
    assert "\n  dtparam=i2c_arm=on\n" in kept.stdout
    assert "uninstall" not in kept.stdout
    assert FILES[CONFIG] == (root / CONFIG).read_text()


@pytest.mark.usefixtures("any_python")
@pytest.mark.parametrize(("answer", "changed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_somebody_who_is_here_is_asked_with_the_difference(
    root: Path, monkeypatch: pytest.MonkeyPatch, answer: str, changed: bool
) -> None:
    """Enter alone means no."""
    monkeypatch.setattr("companion.cli.install._somebody_is_here", lambda: True)
    said = lastnose("install", "--root", str(root), typed=answer)
    assert 0 == said.exit_code
    assert "+dtparam=spi=on" in said.stdout
    assert "Change /boot/firmware/config.txt like this? A copy is kept. [y/N]" in said.stdout
    assert changed == (FILES[CONFIG] != (root / CONFIG).read_text())


@pytest.mark.usefixtures("any_python")
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--profile", "home99"], "There is no profile"),
        (["--source", "box", "--profile", "home6"], "pico-party"),
        (["--profile", "mock"], "real pins"),
        (["--port", "0"], "--port 0"),
        (["--name", "Tisch 1"], "--name Tisch 1"),
        (["--password", "amber-falcon"], "go with --access-point"),
        (["--access-point", "--password", "short"], "8 to 63"),
        (["--access-point", "--ssid", "n" * 33], "1 to 32 bytes"),
        (["--python", "/nowhere/python3"], "/nowhere/python3 cannot make an environment"),
    ],
)
def test_what_cannot_be_installed_is_refused_before_anything_is_written(
    root: Path, words: list[str], why: str
) -> None:
    """Status 2, one sentence."""
    before = tree(root)
    said = run("install", "--root", str(root), "--yes", *words)
    assert (2, "", 1) == (said.exit_code, said.stdout, said.stderr.count("\n"))
    assert why in said.stderr
    assert before == tree(root)


def test_without_a_checkout_nothing_is_set_up_and_nothing_promised(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From pip, pipx or uvx there is nothing to copy; what has been copied before may be set anew."""
    monkeypatch.setattr(commands, "project_folder", lambda: None)
    before = tree(root)
    said = run("install", "--root", str(root), "--yes")
    assert (2, "", True) == (said.exit_code, said.stdout, "git clone" in said.stderr)
    assert before == tree(root)
    make_root(root, {templates.PROGRAM.lstrip("/"): "#!"})
    assert 0 == run("install", "--root", str(root), "--yes").exit_code


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_32_bit_system_is_told_at_once(command: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the machines that will do."""
    monkeypatch.setattr(commands.sys, "maxsize", 2**31 - 1)
    said = run(command, "--root", str(root))
    assert (2, True) == (said.exit_code, "Zero 2 W" in said.stderr)


def test_devices_belong_to_their_groups_also_where_the_system_gives_them_to_root(root: Path) -> None:
    """As Raspberry Pi OS has it; every group in the rules is one that is made."""
    rules = content(steps_for(), templates.RULES)
    assert set(GROUPS) == set(re.findall(r'GROUP="(\w+)"', rules))
    assert 4 == rules.count('MODE="0660"')


@pytest.mark.usefixtures("any_python")
def test_an_access_point_wants_networkmanager(root: Path) -> None:
    """Older systems have none."""
    shutil.rmtree(root / "etc/NetworkManager")
    said = run("install", "--root", str(root), "--yes", "--access-point")
    assert (2, True) == (said.exit_code, "NetworkManager" in said.stderr)


@pytest.mark.usefixtures("any_python")
def test_off_a_pi_the_source_must_be_named(root: Path) -> None:
    """As for run; a simulated table needs nothing of the buses."""
    (root / "proc/device-tree/model").unlink()
    said = run("install", "--root", str(root))
    assert (2, True) == (said.exit_code, "--source mock" in said.stderr)
    assert 0 == run("install", "--root", str(root), "--source", "mock").exit_code
    assert FILES[CONFIG] == (root / CONFIG).read_text()


def test_a_python_in_somebodys_home_cannot_serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service does not look there."""
    monkeypatch.setattr(commands, "HOMES", (str(tmp_path),))
    (tmp_path / "python3").touch()
    with pytest.raises(BadInput, match="somebody’s home"):
        commands._version(str(tmp_path / "python3"))


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_folder_that_is_not_there_and_a_journal_that_is_torn(command: str, root: Path) -> None:
    """One sentence each."""
    said = run(command, "--root", str(root / "nowhere"))
    assert (2, True) == (said.exit_code, "no such folder" in said.stderr)
    make_root(root, {JOURNAL.lstrip("/"): "{"})
    said = run(command, "--root", str(root))
    assert (2, True, 1) == (said.exit_code, "is damaged" in said.stderr, said.stderr.count("\n"))


@pytest.mark.parametrize(
    ("platform", "systemd", "euid", "why"),
    [
        ("darwin", True, 0, "does not start with systemd"),
        ("linux", False, 0, "does not start with systemd"),
        ("linux", True, 1000, "say sudo"),
    ],
)
def test_only_root_installs_and_only_where_systemd_runs(
    platform: str, systemd: bool, euid: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dry run is for everybody whose machine it could be."""
    monkeypatch.setattr(commands.sys, "platform", platform)
    monkeypatch.setattr(commands.os, "geteuid", lambda: euid)
    real = Path.is_dir
    monkeypatch.setattr(
        Path, "is_dir", lambda self: systemd if str(self) == "/run/systemd/system" else real(self)
    )
    with pytest.raises(BadInput) as refused:
        commands.must_be_possible(Path("/"), dry=False)
    assert why in str(refused.value)
    if platform == "linux":
        commands.must_be_possible(Path("/"), dry=True)


@pytest.mark.usefixtures("any_python")
def test_the_evenings_stay_unless_they_are_to_go(root: Path) -> None:
    """Said either way."""
    evening = {"var/lib/lastnose/lastnose.sqlite": "letters"}
    make_root(root, evening)
    for words, stays in (((), True), (("--delete-evenings",), False)):
        run("install", "--root", str(root), "--yes")
        said = run("uninstall", "--root", str(root), *words)
        assert stays == (root / "var/lib/lastnose/lastnose.sqlite").exists()
        assert ("The evenings stay" in said.stdout, "Delete the evenings" in said.stdout) == (
            stays,
            not stays,
        )


def test_who_calls_sudo_and_which_groups_there_are_is_read_from_the_machine(root: Path) -> None:
    """Nobody is put into a group who is not there; root needs none."""
    found = commands.before(root, {"SUDO_USER": "pi"})
    assert Before(("root", "gpio", "i2c"), False, "pi", ("gpio", "i2c")) == found
    assert commands.before(root, {"SUDO_USER": "nobody-here"}).person is None
    assert commands.before(root, {"SUDO_USER": "root"}).person is None
    assert commands.before(root, {}).person is None


def test_a_command_of_the_machine_fails_with_its_last_words() -> None:
    """Or because it is not there."""
    commands.run_command(("true",))
    with pytest.raises(InstallError, match=r"“sh -c echo a; echo b >&2; exit 3” failed: b\."):
        commands.run_command(("sh", "-c", "echo a; echo b >&2; exit 3"))
    with pytest.raises(InstallError, match="nowhere"):
        commands.run_command(("/nowhere/at-all",))
