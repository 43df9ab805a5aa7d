"""A release: `python -m tools.release FOLDER` writes all that is given to people into it.

Wheel, source, Debian packages, the usual card's files, the printed parts, the printed circuits, a booklet of
each kit in each language, the buzzer box's firmware as a UF2 a board, the changelog's section as `NOTES.md`,
and `SHA256SUMS` of all of them.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from lastnose.companion import __version__
from lastnose.companion.i18n import LANGUAGES, translator
from lastnose.companion.wiring.booklet import booklet
from lastnose.companion.wiring.profile import built_in_profiles, load_profile
from lastnose.hardware.box.flash import merge, read_image

from tools import deb
from tools.card import write_zip
from tools.circuits import judge, zip_circuits
from tools.enclosure import make_prints, zip_prints

ROOT = Path(__file__).parent.parent


def section(changelog: str, version: str) -> str:
    """Return what *changelog* says of *version*; raise ValueError when it says nothing.

    >>> section("# Changelog\\n\\n## 0.2.0 (2026-11-22)\\n\\n- New.\\n\\n## 0.1.0\\n\\n- First.\\n", "0.2.0")
    '- New.\\n'
    """
    found = re.search(
        rf"^## {re.escape(version)}(?: [^\n]*)?\n+(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if found is None or not found[1].strip():
        raise ValueError(f"CHANGELOG.md has no section “## {version}”: write what a player notices.")
    return found[1].rstrip() + "\n"


def declared_version(pyproject: str) -> str:
    """Return the version that pyproject.toml gives."""
    found = re.search(r'^version = "(.+)"$', pyproject, re.MULTILINE)
    return found[1] if found else ""


def checksums(folder: Path, names: Sequence[str]) -> str:
    """Return lines as `sha256sum --check` reads them."""
    return "".join(
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in sorted(names)
    )


def make_release(folder: Path, architectures: Sequence[str] = tuple(deb.MACHINES)) -> list[str]:
    """Write the release into *folder* and return its files; raise ValueError for what cannot be released."""
    notes = section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), __version__)
    declared = declared_version((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if declared != __version__:
        raise ValueError(
            f"pyproject.toml says version {declared}, companion/__init__.py {__version__}: one is old."
        )
    folder.mkdir(parents=True, exist_ok=True)
    wheel, source = deb.make_wheel(folder), make_source(folder)
    time_s = deb.commit_time()
    packages = [deb.make_deb(name, wheel, folder, time_s=time_s) for name in architectures]
    packages += [deb.make_hall_deb(name, folder, time_s=time_s) for name in architectures]
    papers = [write_zip(folder), write_prints(folder), write_circuits(folder), write_booklets(folder)]
    papers += write_firmware(folder)
    (folder / "NOTES.md").write_text(notes, encoding="utf-8")
    names = [path.name for path in (wheel, source, *packages, *papers)] + ["NOTES.md"]
    (folder / "SHA256SUMS").write_text(checksums(folder, names), encoding="utf-8")
    return [*names, "SHA256SUMS"]


def write_prints(folder: Path) -> Path:
    """Write the printed parts as one file; raise ValueError when one of them cannot be printed."""
    with tempfile.TemporaryDirectory() as scratch:
        if wrong := make_prints(Path(scratch)):
            raise ValueError("\n".join(wrong))
        return zip_prints(Path(scratch), folder / "prints.zip")


def write_circuits(folder: Path) -> Path:
    """Write the printed circuits that tools/circuit.sh has put into *folder*/circuits as one file.

    Raise ValueError when KiCad has found other nets than the profiles'.
    """
    if wrong := judge(folder / "circuits"):
        raise ValueError("\n".join(wrong))
    return zip_circuits(folder / "circuits", folder / "circuits.zip")


def write_booklets(folder: Path, names: Sequence[str] | None = None) -> Path:
    """Write the booklets of *names* (None: of every kit) in every language as one file."""
    kits = [name for name in built_in_profiles() if name != "mock"] if names is None else names
    target = folder / "booklets.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for name in kits:
            for language in LANGUAGES:
                said = booklet(load_profile(name), translator(language), language)
                archive.writestr(zipfile.ZipInfo(f"{name}-{language}.html"), said, zipfile.ZIP_DEFLATED)
    return target


def write_firmware(folder: Path) -> list[Path]:
    """Write what tools/pico.sh has built into *folder*/pico as files to be flashed, with their licences.

    Each gets a file system with main.py alone: what lay on the board before would be run instead of what is
    frozen, and a frozen main.py instead of one that is flashed later.
    """
    built = folder / "pico"
    main = {"main.py": (ROOT / "firmware" / "main.py").read_bytes()}
    written = []
    for board, name in (("RPI_PICO", "lastnose-pico.uf2"), ("RPI_PICO2", "lastnose-pico2.uf2")):
        if not (built / f"{board}.uf2").exists():
            raise ValueError(f"{built} has no {board}.uf2: say bash tools/pico.sh {built}.")
        (folder / name).write_bytes(merge(read_image((built / f"{board}.uf2").read_bytes()), main))
        written.append(folder / name)
    licences = folder / "lastnose-pico-licences.txt"
    licences.write_bytes((built / "LICENCES.txt").read_bytes())
    return [*written, licences]


def make_source(folder: Path) -> Path:
    """Build our own source archive into *folder* and return it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder / f"lastnose-{__version__}.tar.gz"


def main(words: Sequence[str]) -> int:
    """Write the release; return the exit status."""
    if len(words) != 1:
        print("Say: python -m tools.release FOLDER", file=sys.stderr)
        return 2
    try:
        print("\n".join(make_release(Path(words[0]))))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
