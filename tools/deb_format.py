"""A Debian package as bytes: an ar archive of two tar archives (deb(5), deb-control(5)).

The same folder gives the same bytes: everything belongs to root, is in order, and has one time.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path


def package(root: Path, control: Mapping[str, str], time_s: int) -> bytes:
    """Return the package of all that is below *root*; *control* has the file `control` and the scripts."""
    files = dict(control) | {"md5sums": checksums(root)}
    scripts = [
        (f"./{name}", text.encode(), 0o644 if name in ("control", "md5sums") else 0o755)
        for name, text in sorted(files.items())
    ]
    members = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": _control_tar(scripts, time_s),
        "data.tar.xz": _data_tar(root, time_s),
    }
    return ar(members, time_s)


def ar(members: Mapping[str, bytes], time_s: int) -> bytes:
    """Return an ar archive (ar(5), as dpkg reads it).

    >>> ar({"debian-binary": b"2.0\\n"}, 0)[:24]
    b'!<arch>\\ndebian-binary   '
    """
    whole = [b"!<arch>\n"]
    for name, content in members.items():
        head = f"{name:<16}{time_s:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n"
        whole += [head.encode("ascii"), content, b"\n" if len(content) % 2 else b""]
    return b"".join(whole)


def checksums(root: Path) -> str:
    """Return a line a file, as `dpkg --verify` reads them."""
    return "".join(
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n"
        for path in _everything(root)
        if path.is_file() and not path.is_symlink()
    )


def installed_kib(root: Path) -> int:
    """Return the size for the control file: each file in whole KiB, each folder and link as one."""
    plain = [
        path.lstat().st_size if path.is_file() and not path.is_symlink() else 1 for path in _everything(root)
    ]
    return sum((size + 1023) // 1024 for size in plain)


def _everything(root: Path) -> list[Path]:
    return sorted(root.rglob("*"))


def _control_tar(files: Iterable[tuple[str, bytes, int]], time_s: int) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:xz", format=tarfile.GNU_FORMAT) as tar:
        for name, content, mode in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, time_s
            entry.uname = entry.gname = "root"
            tar.addfile(entry, io.BytesIO(content))
    return whole.getvalue()


def _data_tar(root: Path, time_s: int) -> bytes:
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = time_s
        run = entry.isdir() or entry.mode & 0o100
        entry.mode = 0o777 if entry.issym() else 0o755 if run else 0o644
        return entry

    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:xz", format=tarfile.GNU_FORMAT, preset=6) as tar:
        for path in (root, *_everything(root)):
            name = "./" if path == root else f"./{path.relative_to(root)}"
            tar.add(path, name, recursive=False, filter=plain)
    return whole.getvalue()
