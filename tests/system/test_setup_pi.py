"""Setting up and taking back: the machine is a folder, commands are heard; nothing but bytes is believed."""

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

import msgspec
import pytest
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st
from lastnose import companion
from lastnose.companion.config.settings import Wifi, read_wifi
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text
from lastnose.companion.system.config_txt import missing
from lastnose.companion.system.setup_pi import machine, templates
from lastnose.companion.system.setup_pi.machine import SetupError, apply, look, read_setup
from lastnose.companion.system.setup_pi.plan import (
    Command,
    Place,
    RunCommand,
    Step,
    WriteFile,
    plan,
    undo_plan,
)
from lastnose.companion.system.setup_pi.templates import Wish, renewed

from tests.support.commands import lastnose
from tests.support.examples import examples
from tools.deb import SCRIPTS

HOME6 = Wish("home6", "gpiochip")
LINES = ("dtparam=i2c_arm=on", "dtparam=spi=on")
CONFIG = "boot/firmware/config.txt"
FILES = {
    CONFIG: "#dtparam=i2c_arm=on\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n\n[all]\n",
    "etc/avahi/avahi-daemon.conf": "[server]\n#host-name=foo\nuse-ipv4=yes\n",
    "etc/avahi/services/other.service": "somebody's\n",
    "etc/NetworkManager/system-connections/home.nmconnection": "[wifi]\n",
    "etc/systemd/system/other.service": "[Unit]\n",
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
}
Tree = dict[str, tuple[Any, ...]]


@pytest.fixture(scope="module", autouse=True)
def no_waiting_for_disks() -> Iterator[None]:
    """What a power cut leaves is tried by hand below; hundreds of folders need not reach the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine.os, "fsync", lambda handle: None)
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
    """Return everything below *root*: kind, mode, and what is in it."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        name, mode = str(path.relative_to(root)), path.lstat().st_mode
        found[name] = ("folder", mode) if path.is_dir() else ("file", mode, path.read_bytes())
    return found


class Machine:
    """Hears the commands, and fails at those that begin with *bad*."""

    def __init__(self, bad: tuple[str, ...] = ()) -> None:
        self.bad = bad
        self.heard: list[str] = []

    def run(self, command: Command) -> None:
        """Take note of *command*."""
        line = " ".join(command)
        self.heard.append(line)
        if line.startswith(self.bad) and self.bad:
            raise SetupError(Text("it does not want to"))


def quiet(says: Text) -> None:
    """Say nothing."""


def set_up(root: Path, wish: Wish = HOME6, heard: Machine | None = None) -> tuple[Step, ...]:
    """Set *wish* up below *root* and return what was done for it."""
    place = look(root, LINES if wish.source == "gpiochip" else ())
    steps = plan(wish, place, None if wish.ssid is None else "amber-falcon")
    apply(steps, root, run=(heard or Machine()).run, say=quiet)
    return steps


def take_back(root: Path, heard: Machine | None = None) -> None:
    """Take everything back."""
    apply(undo_plan(look(root)), root, run=(heard or Machine()).run, say=quiet)


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
# A text that ends without a newline gets one with our block, and keeps it.
CONFIGS = st.lists(
    st.sampled_from(["", "[all]", "[pi4]", "dtparam=spi=on", "#dtparam=i2c_arm=on", "arm_boost=1"])
).flatmap(lambda lines: st.sampled_from(["\n".join([*lines, ""]), "\r\n".join([*lines, ""])]))
AVAHI = st.sampled_from(
    ["", "[server]\n", "[server]\n#host-name=foo\n", "a=1\n[server]\nuse-ipv4=yes\n", "[wide]"]
)
MACHINES = st.fixed_dictionaries(
    {f"etc/{folder}/kept": st.just("") for folder in ("systemd/system", "avahi/services")}
    | {"etc/NetworkManager/system-connections/kept": st.just("")},
    optional={CONFIG: CONFIGS, "boot/config.txt": CONFIGS, "etc/avahi/avahi-daemon.conf": AVAHI},
)


@settings(max_examples=examples(60))
@given(MACHINES, st.lists(WISHES, min_size=1, max_size=3))
def test_undo_leaves_every_machine_as_it_was(files: dict[str, str], wishes: list[Wish]) -> None:
    """Byte by byte, mode by mode, whatever was there and however often it was set up differently."""
    with tempfile.TemporaryDirectory() as folder:
        root = make_root(Path(folder), files)
        before = tree(root)
        for wish in wishes:
            set_up(root, wish)
        assert before != tree(root)
        take_back(root)
        assert before == tree(root)
        assert () == undo_plan(look(root))


@contextmanager
def power_cut_after(writes: int) -> Iterator[None]:
    """Let the power fail after so many files have been written; of the next, half a draft is left."""
    count = itertools.count()
    real: Callable[..., None] = machine._replace

    def write(path: Path, content: str, mode: int, *more: Any) -> None:
        if next(count) >= writes:
            if path.parent.is_dir():
                path.with_name(f".{path.name}.lastnose").write_text(content[:5])
            raise KeyboardInterrupt
        real(path, content, mode, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "_replace", write)
        yield


@settings(max_examples=examples(60))
@given(MACHINES, WISHES, st.integers(0, 8))
def test_a_setup_cut_short_goes_back_or_goes_on(files: dict[str, str], wish: Wish, writes: int) -> None:
    """Wherever the power fails: undo gives the machine back; saying it again ends as one would."""
    with tempfile.TemporaryDirectory() as folder:
        whole, back, on = (make_root(Path(folder) / name, files) for name in ("whole", "back", "on"))
        before = tree(back)
        set_up(whole, wish)
        for root in (back, on):
            with power_cut_after(writes), suppress(KeyboardInterrupt):
                set_up(root, wish)
        take_back(back)
        assert before == tree(back)
        again = Machine()
        set_up(on, wish, again)
        assert tree(whole) == tree(on)
        finished = writes >= len(
            [step for step in set_up_from(files, wish) if not isinstance(step, RunCommand)]
        )
        assert finished == ("systemctl restart --no-block lastnose" not in again.heard)


def set_up_from(files: dict[str, str], wish: Wish) -> tuple[Step, ...]:
    """Return what is done for *wish* on a fresh machine with *files*."""
    with tempfile.TemporaryDirectory() as folder:
        return set_up(make_root(Path(folder), files), wish)


def test_what_somebody_changed_since_stays_changed(root: Path) -> None:
    """Only our part goes."""
    set_up(root)
    config = root / CONFIG
    config.write_text(config.read_text().replace("audio=on", "audio=off") + "gpu_mem=64\n")
    take_back(root)
    assert FILES[CONFIG].replace("audio=on", "audio=off") + "gpu_mem=64\n" == config.read_text()


def test_what_the_profile_needs_is_in_config_txt(root: Path) -> None:
    """And goes when another wiring does not need it."""
    set_up(root)
    assert [] == missing((root / CONFIG).read_text(), LINES)
    set_up(root, Wish("mock", "mock"))
    assert FILES[CONFIG] == (root / CONFIG).read_text()


def test_the_wifi_is_taken_back_when_it_is_wanted_no_more(root: Path) -> None:
    """And its files are for root, and for the table, only."""
    set_up(root, Wish("home6", "gpiochip", ssid="Last Nose"))
    connection, wifi = root / templates.CONNECTION.lstrip("/"), root / templates.WIFI.lstrip("/")
    assert (0o600, 0o640) == (connection.stat().st_mode & 0o777, wifi.stat().st_mode & 0o777)
    assert "--wifi" in (root / templates.DROP_IN.lstrip("/")).read_text()
    set_up(root)
    assert (False, False) == (connection.exists(), wifi.exists())
    assert "--wifi" not in (root / templates.DROP_IN.lstrip("/")).read_text()


@pytest.mark.parametrize("path", [templates.DROP_IN, templates.CONNECTION, templates.AVAHI_SERVICE])
def test_a_file_of_somebody_else_is_neither_replaced_nor_taken_away(root: Path, path: str) -> None:
    """One sentence names it."""
    make_root(root, {path.lstrip("/"): "mine\n"})
    before = tree(root)
    with pytest.raises(BadInput, match=re.escape(path)):
        set_up(root)
    take_back(root)
    assert before == tree(root)


# Commands.


def test_commands_are_run_after_the_files_and_the_table_stops_before_them(root: Path) -> None:
    """Each once."""
    heard = Machine()
    set_up(root, Wish("home6", "gpiochip", ssid="Last Nose"), heard)
    reloads = ["nmcli connection reload", "systemctl try-restart avahi-daemon"]
    assert [*reloads, "systemctl daemon-reload", "systemctl restart --no-block lastnose"] == heard.heard
    heard.heard.clear()
    take_back(root, heard)
    assert ["systemctl stop lastnose", "systemctl daemon-reload", *reloads] == heard.heard


def test_no_two_steps_are_said_alike(root: Path) -> None:
    """Several programs read their files again: each is named."""
    done = set_up(root, Wish("home6", "gpiochip", ssid="Last Nose"))
    for steps in (done, undo_plan(look(root))):
        said = [str(step.says) for step in steps]
        assert len(set(said)) == len(said) > 8


def test_a_command_that_fails_stops_there_and_can_be_done_again(root: Path) -> None:
    """Or taken back, where what was never started need not stop."""
    before, heard = tree(root), Machine(bad=("systemctl restart",))
    with pytest.raises(SetupError, match="does not want to"):
        set_up(root, heard=heard)
    heard.bad = ()
    heard.heard.clear()
    set_up(root, heard=heard)
    assert "systemctl restart --no-block lastnose" == heard.heard[-1]
    heard.bad = ("systemctl",)
    take_back(root, heard)
    assert before == tree(root)


def test_a_program_that_does_not_run_need_not_read_its_files_again(root: Path) -> None:
    """It will at its next start."""
    set_up(root, Wish("home6", "gpiochip", ssid="Last Nose"), Machine(bad=("nmcli", "systemctl try-restart")))
    assert read_setup(root) == Wish("home6", "gpiochip", ssid="Last Nose", done=True)


def test_a_command_of_the_machine_fails_with_its_last_words() -> None:
    """Or because it is not there."""
    machine.run_command(("true",))
    with pytest.raises(SetupError, match=r"“sh -c echo a; echo b >&2; exit 3” failed: b\."):
        machine.run_command(("sh", "-c", "echo a; echo b >&2; exit 3"))
    with pytest.raises(SetupError, match="nowhere"):
        machine.run_command(("/nowhere/at-all",))


# The files.


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


def service(wish: Wish, folder: Path) -> Path:
    """Write the package's service with what *wish* adds, as one file, and return it."""
    whole = (SCRIPTS / "lastnose.service").read_text().replace(templates.PROGRAM, shutil.which("true") or "")
    unit = folder / "lastnose.service"
    unit.write_text(whole + templates.drop_in(wish).replace(templates.PROGRAM, shutil.which("true") or ""))
    return unit


@pytest.mark.parametrize(
    "wish",
    [
        HOME6,
        Wish("mock", "mock", port=80, language="fr"),
        Wish("pico-party", "box", own_profile="x", ssid="N", backup="/media/stick"),
    ],
)
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")
def test_systemd_understands_the_service_and_finds_it_well_shut_in(wish: Wish, tmp_path: Path) -> None:
    """Not a word of complaint; its figure for what is exposed is 1.7 of 10 at most, 1.8 on a low port."""
    limit = 18 if wish.port < 1024 else 17  # a low port wants a capability
    unit = service(wish, tmp_path)
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
    found = re.search(r"^LimitNOFILE=(\d+)$", (SCRIPTS / "lastnose.service").read_text(), re.MULTILINE)
    assert found is not None
    assert int(found[1]) >= 2000


def test_the_service_waits_for_what_setup_writes_last() -> None:
    """So that the package alone starts nothing, and an undone one neither."""
    assert f"ConditionPathExists={templates.SETUP}\n" in (SCRIPTS / "lastnose.service").read_text()


def test_the_service_calls_a_command_that_exists() -> None:
    """Every word of it is known to `lastnose run`, in the order that it wants."""
    from lastnose.companion.cli.run import command

    wish = Wish("home6", "gpiochip", own_profile='name="x"', ssid="Last Nose", port=80, backup="/media/x")
    wish = msgspec.structs.replace(wish, neighbours="/etc/lastnose/neighbours.toml")
    words = templates.arguments(wish)
    assert [templates.PROGRAM, "run"] == words[:2]
    known = {name for parameter in command.params for name in parameter.opts + parameter.secondary_opts}
    assert set() == {word for word in words if word.startswith("--")} - known
    assert "AmbientCapabilities=CAP_NET_BIND_SERVICE\n" in templates.drop_in(wish)
    assert "Capabilit" not in templates.drop_in(HOME6)


@pytest.mark.parametrize(
    ("conf", "after"),
    [
        ("[server]\nuse-ipv4=yes\n", "[server]\nhost-name=nose\nuse-ipv4=yes\n"),
        ("a=1\n[server]\n#host-name=foo\nb=2\n", "a=1\n[server]\nhost-name=nose\n#host-name=foo\nb=2\n"),
        ("[server]\nhost-name=nose\n", "[server]\nhost-name=nose\n"),
        ("[wide-area]\n", "[wide-area]\n"),
        ("[server]", "[server]"),
    ],
)
def test_avahi_is_told_the_name_where_there_is_a_place_for_it(conf: str, after: str) -> None:
    """In its own section, between two remarks of ours."""
    named = templates.named(conf, "nose")
    ours = ("# Last Nose needs", "# The end of what")
    assert after == "".join(line for line in named.splitlines(keepends=True) if not line.startswith(ours))


def test_a_name_that_somebody_gave_is_not_taken_away() -> None:
    """It is said, and the way out."""
    with pytest.raises(BadInput, match="use --name box"):
        templates.named("[server]\nhost-name = box\n", "nose")


def test_where_there_is_no_avahi_and_no_config_txt_nothing_is_written_for_them() -> None:
    """The service's own files are."""
    found = [step.path for step in plan(HOME6, Place()) if isinstance(step, WriteFile)]
    assert [templates.SETUP, templates.DROP_IN, templates.SETUP] == found


# The wish.


def test_what_is_not_named_stays_as_it_was(tmp_path: Path) -> None:
    """Also a profile of one's own, whose file may be gone by then."""
    mine = tmp_path / "mine.toml"
    toml = 'name="mine"\nboard="pi"\n[pins]\nnoses=[5, 6, 12]\n'
    mine.write_text(toml, encoding="utf-8-sig")
    kept = tmp_path / "table.toml"
    first, profile = renewed(
        None, kept, pi=True, language="fr", profile=str(mine), port=80, access_point=True, ssid="Nez"
    )
    assert Wish("mine", "gpiochip", toml, 80, "lastnose", "fr", "Nez") == first
    assert 3 == len(profile.pins.noses)
    kept.write_text(toml)
    mine.unlink()
    assert first == renewed(first, kept, pi=True, language="fr")[0]
    later, _ = renewed(first, kept, pi=True, language="en", profile="home6", access_point=False, name="nose")
    assert Wish("home6", "gpiochip", None, 80, "nose", "en", None) == later


def test_copies_are_made_where_it_was_wished_until_they_are_wanted_no_more(tmp_path: Path) -> None:
    """The service may write there, and only there besides its own folder."""
    wish, _ = renewed(None, tmp_path, pi=True, language="en", backup="/media/stick")
    assert "--backup /media/stick" in " ".join(templates.arguments(wish))
    assert "ReadWritePaths=-/media/stick\n" in templates.drop_in(wish)
    assert wish == renewed(wish, tmp_path, pi=True, language="en")[0]
    without, _ = renewed(wish, tmp_path, pi=True, language="en", backup="none")
    assert without.backup is None
    assert "--backup" not in templates.drop_in(without)
    assert "ReadWritePaths" not in templates.drop_in(without)


def test_neighbours_are_told_until_they_are_to_hear_no_more(tmp_path: Path) -> None:
    """The service reads their file; what is not named stays as it was."""
    file = "/etc/lastnose/neighbours.toml"
    wish, _ = renewed(None, tmp_path, pi=True, language="en", neighbours=file)
    assert f"--neighbours {file}" in " ".join(templates.arguments(wish))
    assert wish == renewed(wish, tmp_path, pi=True, language="en")[0]
    without, _ = renewed(wish, tmp_path, pi=True, language="en", neighbours="none")
    assert "--neighbours" not in templates.arguments(without)


def test_neighbours_that_the_service_cannot_read_are_refused_where_they_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would begin again every three seconds. A trial elsewhere asks for no file."""
    file = tmp_path / "neighbours.toml"
    wish = msgspec.structs.replace(HOME6, neighbours=str(file))
    with pytest.raises(
        BadInput, match=r"cannot be read \(Permission denied"
    ):  # /tmp: the service has its own
        machine.must_be_for_the_table(wish, Path("/"))
    monkeypatch.setattr(machine, "HIDDEN", ())
    monkeypatch.setattr(machine, "table_reads", lambda file: True)
    machine.must_be_for_the_table(wish, tmp_path)
    with pytest.raises(BadInput, match=r"cannot be read \(No such file"):
        machine.must_be_for_the_table(wish, Path("/"))
    file.write_text("[mqqt]\n", encoding="utf-8")
    with pytest.raises(BadInput, match="mqqt"):
        machine.must_be_for_the_table(wish, Path("/"))
    file.write_text('name = "Table 4"\n', encoding="utf-8")
    machine.must_be_for_the_table(wish, Path("/"))
    monkeypatch.setattr(machine, "table_reads", lambda file: False)
    with pytest.raises(BadInput, match=r"cannot be read \(Permission denied"):
        machine.must_be_for_the_table(wish, Path("/"))


@pytest.mark.parametrize("place", ["/home/ada/copies", "/tmp/copies", "/run/user/1000/x"])
def test_copies_where_the_service_sees_nothing_are_refused_where_they_are_wished(place: str) -> None:
    """It would say forever that no stick is plugged in; a stick itself may come later."""
    with pytest.raises(BadInput, match=rf"{place} cannot be written \(Permission denied"):
        machine.must_be_for_the_table(msgspec.structs.replace(HOME6, backup=place), Path("/"))
    machine.must_be_for_the_table(msgspec.structs.replace(HOME6, backup="/media/stick/lastnose"), Path("/"))


def test_phones_beside_the_wires_stay_until_they_are_not_wanted(tmp_path: Path) -> None:
    """The service is told of them; 0 takes them back, and leaving them out keeps them."""
    wish, _ = renewed(None, tmp_path, pi=True, language="en", profile="home4", phones=2)
    assert "--profile home4 --port 8080 --phones 2 --lan" in " ".join(templates.arguments(wish))
    kept, _ = renewed(wish, tmp_path, pi=True, language="en")
    assert 2 == kept.phones
    none, _ = renewed(wish, tmp_path, pi=True, language="en", phones=0)
    assert "--phones" not in templates.arguments(none)
    with pytest.raises(BadInput, match="have 27 noses"):
        renewed(wish, tmp_path, pi=True, language="en", phones=23)


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
        ({"boxes": ("a b",)}, "--box a b: The buzzer box, by port or serial number"),
        ({"boxes": ("%n",)}, "--box %n: The buzzer box, by port or serial number"),
        ({"boxes": ("E660",), "source": "mock"}, "--box does not go with --source mock"),
        ({"name": "Last Nose"}, "small letters"),
        ({"name": "-nose"}, "small letters"),
        ({"name": "n" * 64}, "small letters"),
        ({"ssid": "Nose"}, "go with --access-point"),
        ({"backup": "stick"}, "whole path"),
        ({"backup": "/media/my stick"}, "without spaces"),
        ({"backup": "/var/lib/lastnose"}, "The evenings are kept in"),
        ({"backup": "/%n"}, "whole path"),
        ({"neighbours": "neighbours.toml"}, "--neighbours neighbours.toml: give a whole path"),
    ],
)
def test_what_cannot_be_wished_gets_one_sentence(wanted: dict[str, Any], why: str, tmp_path: Path) -> None:
    """With the option's name."""
    with pytest.raises(BadInput) as refused:
        renewed(None, tmp_path / "kept", pi=True, language="en", **wanted)
    assert why in str(refused.value)


# The command.


def run(*words: str) -> Result:
    """Run `lastnose setup-pi` with *words*, in English, with nobody at the keyboard."""
    return lastnose("setup-pi", *words)


def test_from_the_command_line_and_back(root: Path) -> None:
    """What was done, what comes next; and nothing is left."""
    before = tree(root)
    said = run("--root", str(root), "--profile", "home6", "--access-point", "--yes")
    assert (0, "") == (said.exit_code, said.stderr)
    assert "The page is at http://lastnose.local:8080/" in said.stdout
    password = read_wifi(root / templates.WIFI.lstrip("/")).password
    assert f"Wi-Fi Last Nose, password {password}" in said.stdout
    assert 11 == len(password)
    assert "sudo reboot" in said.stdout
    again = run("--root", str(root), "--port", "80")
    assert "The page is at http://lastnose.local/" in again.stdout
    assert password == read_wifi(root / templates.WIFI.lstrip("/")).password
    assert "reboot" not in again.stdout
    assert "There is nothing to do." in run("--root", str(root)).stdout
    back = run("--root", str(root), "--undo")
    assert (0, "") == (back.exit_code, back.stderr)
    assert before == tree(root)
    assert "There is nothing to do." in run("--root", str(root), "--undo").stdout


def test_a_dry_run_shows_every_file_and_command_and_does_nothing(root: Path) -> None:
    """The difference to config.txt among them; of the password, nothing."""
    before = tree(root)
    words = ["--root", str(root), "--access-point", "--password", "amber-falcon", "--dry-run"]
    said = run(*words)
    assert (0, before) == (said.exit_code, tree(root))
    assert "     +dtparam=i2c_arm=on\n" in said.stdout
    assert "     systemctl restart --no-block lastnose\n" in said.stdout
    assert "       ExecStart=/usr/bin/lastnose run" in said.stdout
    as_json = run(*words, "--json")
    assert "amber-falcon" not in said.stdout + as_json.stdout
    assert templates.DROP_IN in [step.get("writes") for step in json.loads(as_json.stdout)]


def test_a_dry_run_of_undo_says_what_it_will_say(root: Path) -> None:
    """Step by step, but for the commands, of which a trial runs none; and nothing is done."""
    assert [] == json.loads(run("--root", str(root), "--undo", "--json").stdout)
    run("--root", str(root), "--yes", "--access-point")
    after = tree(root)
    dry = json.loads(run("--root", str(root), "--undo", "--dry-run", "--json").stdout)
    assert after == tree(root)
    real = run("--root", str(root), "--undo").stdout.splitlines()
    assert [f"· {step['says']}" for step in dry if "runs" not in step] == real


def test_config_txt_is_not_touched_without_a_yes(root: Path) -> None:
    """Nobody is here to ask: one sentence."""
    before = tree(root)
    said = run("--root", str(root))
    assert (2, "") == (said.exit_code, said.stdout)
    assert "use --yes" in said.stderr
    assert before == tree(root)


@pytest.mark.parametrize(("answer", "changed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_somebody_who_is_here_is_asked_with_the_difference(
    root: Path, monkeypatch: pytest.MonkeyPatch, answer: str, changed: bool
) -> None:
    """Enter alone means no; then the lines are named for one's own hand."""
    monkeypatch.setattr("lastnose.companion.cli.setup_pi._somebody_is_here", lambda: True)
    said = lastnose("setup-pi", "--root", str(root), typed=answer)
    assert 0 == said.exit_code
    assert "+dtparam=spi=on" in said.stdout
    assert "Change /boot/firmware/config.txt like this? [y/N]" in said.stdout
    assert changed == (FILES[CONFIG] != (root / CONFIG).read_text())
    by_hand = "Add these lines to /boot/firmware/config.txt yourself:\n  [all]\n  dtparam=i2c_arm=on\n"
    assert changed == (by_hand not in said.stdout)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--profile", "home99"], "There is no profile"),
        (["--source", "box", "--profile", "home6"], "pico-party"),
        (["--profile", "mock"], "mock does not go with --source gpiochip"),
        (["--port", "0"], "1<=x<=65535"),
        (["--port", "65536"], "1<=x<=65535"),
        (["--name", "Tisch 1"], "--name Tisch 1"),
        (["--password", "amber-falcon"], "go with --access-point"),
        (["--access-point", "--password", "short"], "8 to 63"),
        (["--access-point", "--ssid", "n" * 33], "1 to 32 bytes"),
        (["--undo", "--profile", "home6"], "no other option"),
        (["--undo", "--password", "amber-falcon"], "no other option"),
    ],
)
def test_what_cannot_be_set_up_is_refused_before_anything_is_written(
    root: Path, words: list[str], why: str
) -> None:
    """Status 2, one sentence."""
    before = tree(root)
    said = run("--root", str(root), "--yes", *words)
    assert (2, "", 1) == (said.exit_code, said.stdout, said.stderr.count("\n"))
    assert why in said.stderr
    assert before == tree(root)


def test_what_an_older_install_did_is_taken_back_first(root: Path) -> None:
    """By its own program, which lies before ours; taking back is not held up by it."""
    make_root(root, {machine.OLD_JOURNAL.lstrip("/"): "{}"})
    said = run("--root", str(root), "--yes")
    assert (2, True) == (said.exit_code, "sudo /usr/local/bin/lastnose uninstall" in said.stderr)
    assert 0 == run("--root", str(root), "--undo").exit_code


def test_a_32_bit_system_is_told_at_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the machines that will do."""
    monkeypatch.setattr(machine.sys, "maxsize", 2**31 - 1)
    said = run("--root", str(root))
    assert (2, True) == (said.exit_code, "Zero 2 W" in said.stderr)


def test_an_access_point_wants_networkmanager(root: Path) -> None:
    """Older systems have none."""
    shutil.rmtree(root / "etc/NetworkManager")
    said = run("--root", str(root), "--yes", "--access-point")
    assert (2, True) == (said.exit_code, "NetworkManager" in said.stderr)


def test_off_a_pi_the_source_must_be_named(root: Path) -> None:
    """It is to be set up for good; a simulated table needs nothing of the buses."""
    (root / "proc/device-tree/model").unlink()
    said = run("--root", str(root))
    assert (2, True) == (said.exit_code, "--source pages" in said.stderr)
    assert 0 == run("--root", str(root), "--source", "pages").exit_code
    assert 0 == run("--root", str(root), "--port", "8081").exit_code  # said again, the rest stays
    assert 0 == run("--root", str(root), "--source", "mock", "--profile", "mock").exit_code
    assert FILES[CONFIG] == (root / CONFIG).read_text()


def test_a_folder_that_is_not_there_and_a_setup_that_is_torn(root: Path) -> None:
    """One sentence each; what is torn can still be taken back."""
    said = run("--root", str(root / "nowhere"))
    assert (2, True) == (said.exit_code, "does not exist" in said.stderr)
    before = tree(root)
    make_root(root, {templates.SETUP.lstrip("/"): "{"})
    said = run("--root", str(root))
    assert (2, True, 1) == (said.exit_code, "is damaged" in said.stderr, said.stderr.count("\n"))
    assert 0 == run("--root", str(root), "--undo").exit_code
    assert before == tree(root)


@pytest.mark.parametrize(
    ("packaged", "systemd", "euid", "why"),
    [
        (False, True, 0, "did not come as the Debian package"),
        (True, False, 0, "does not start with systemd"),
        (True, True, 1000, "run sudo"),
    ],
)
def test_only_root_sets_up_what_the_package_brought_where_systemd_runs(
    packaged: bool, systemd: bool, euid: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dry run is for everybody."""
    monkeypatch.setattr(machine, "is_packaged", lambda: packaged)
    monkeypatch.setattr(machine, "systemd_runs", lambda: systemd)
    monkeypatch.setattr(machine.os, "geteuid", lambda: euid)
    with pytest.raises(BadInput) as refused:
        machine.must_be_possible(Path("/"), dry=False)
    assert why in str(refused.value)
    machine.must_be_possible(Path("/"), dry=True)


def test_the_program_knows_whether_it_came_as_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """By where it lies."""
    assert not machine.is_packaged()
    monkeypatch.setattr(companion, "__file__", f"{templates.PACKAGE}/common/lastnose/companion/__init__.py")
    assert machine.is_packaged()
