"""Looks at the machine that is to be a table, and does the steps of a plan on it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from lastnose import companion
from lastnose.companion.config.neighbours import read_neighbours
from lastnose.companion.core.errors import BadInput, CompanionError, unreadable, unwritable
from lastnose.companion.core.text import Text, text
from lastnose.companion.system.doctor.checks import ONLY_64_BIT
from lastnose.companion.system.setup_pi import templates
from lastnose.companion.system.setup_pi.plan import (
    OWN_FILES,
    Command,
    EditFile,
    Place,
    RemoveFile,
    RunCommand,
    Step,
    WriteFile,
)
from lastnose.companion.system.setup_pi.templates import Wish

CONFIG_TXT = ("/boot/firmware/config.txt", "/boot/config.txt")
OLD_JOURNAL = "/opt/lastnose/installed.json"
OWN_FOLDERS = ("/etc/lastnose", "/etc/systemd/system/lastnose.service.d")
USER = "lastnose"
HIDDEN = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")  # from the service: ProtectHome=, PrivateTmp=
ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}
COMMAND_S = 120.0

Runner = Callable[[Command], None]
Say = Callable[[Text], None]


class SetupError(CompanionError):
    """A step that failed; saying the command again goes on from there."""


def must_be_possible(root: Path, *, dry: bool, undo: bool = False) -> None:
    """Raise BadInput when nothing can be set up (or taken back) on this machine, or not by this user."""
    no_systemd = text(
        "This machine does not start with systemd, so no table starts by itself: run lastnose run."
    )
    if sys.platform == "win32":  # its paths are of another kind: not even a trial says anything there
        raise BadInput(no_systemd)
    if sys.maxsize < 2**32:
        raise BadInput(ONLY_64_BIT)
    if not undo and below(root, OLD_JOURNAL).exists():
        raise BadInput(
            text(
                "An older lastnose install set this machine up. Take that back first "
                "(sudo /usr/local/bin/lastnose uninstall), then install the package again."
            )
        )
    if root != Path("/") or dry:
        return
    if not undo and not is_packaged():
        raise BadInput(
            text(
                "This lastnose did not come as the Debian package, which brings service, user and rights: "
                "make deb, then sudo apt install ./dist/lastnose_….deb. By hand, lastnose run starts a table."
            )
        )
    if not undo and not systemd_runs():
        raise BadInput(no_systemd)
    if os.geteuid() != 0:
        raise BadInput(text("This changes the system: run sudo {program} …", program=sys.argv[0]))


def systemd_runs() -> bool:
    """Whether this machine was started by systemd."""
    return sys.platform == "linux" and Path("/run/systemd/system").is_dir()


def is_packaged() -> bool:
    """Whether this program came as the Debian package."""
    return Path(companion.__file__).is_relative_to(templates.PACKAGE)


def must_have_network_manager(root: Path) -> None:
    """Raise BadInput where no access point can be made, because NetworkManager is missing or does not run."""
    here = (root / "etc/NetworkManager").is_dir()
    if here and root == Path("/"):
        asked = ("systemctl", "is-active", "--quiet", "NetworkManager")
        here = subprocess.run(asked, check=False, timeout=20).returncode == 0
    if not here:
        raise BadInput(
            text(
                "--access-point needs NetworkManager, as Raspberry Pi OS runs it from Bookworm on; "
                "here it does not run."
            )
        )


def must_be_for_the_table(wish: Wish, root: Path) -> None:
    """Raise BadInput where the service could not read who its neighbours are, or never write its copies.

    A stick for copies may be plugged in later, and has its own rights: of that the table itself tells.
    """
    denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    for path, says in ((wish.neighbours, unreadable), (wish.backup, unwritable)):
        if path is not None and any(Path(path).is_relative_to(one) for one in HIDDEN):
            raise BadInput(says(path, denied))
    if wish.neighbours is None:
        return
    file = below(root, wish.neighbours)
    if root != Path("/") or (os.access(file, os.F_OK) and not os.access(file, os.R_OK)):
        return  # a trial, elsewhere or of somebody who may not look
    read_neighbours(file)
    if not table_reads(file):
        raise BadInput(unreadable(file, denied))


def table_reads(file: Path) -> bool:
    """Return whether the service's own user may read *file*, as far as root can find that out."""
    import pwd

    try:
        user = pwd.getpwnam(USER)
    except KeyError:
        return True
    if os.geteuid() != 0:
        return True
    groups = os.getgrouplist(USER, user.pw_gid)
    asked = ("test", "-r", str(file))
    done = subprocess.run(
        asked, check=False, timeout=20, user=user.pw_uid, group=user.pw_gid, extra_groups=groups, cwd="/"
    )
    return done.returncode == 0


def read_setup(root: Path) -> Wish | None:
    """Return what was chosen last, None where nothing was; raise BadInput for a damaged file."""
    content = _content(root, templates.SETUP)
    try:
        return None if content is None else msgspec.json.decode(content.encode(**ENCODING), type=Wish)
    except msgspec.MsgspecError as error:
        raise BadInput(
            text(
                "{file} is damaged ({why}): put it right by hand.",
                file=str(below(root, templates.SETUP)),
                why=str(error),
            )
        ) from None


def look(root: Path, config_lines: Sequence[str] = ()) -> Place:
    """Return what the machine is like; *config_lines* are what its profile needs of config.txt."""
    config_path = next((path for path in CONFIG_TXT if _content(root, path) is not None), None)
    files = {path: _content(root, path) for path in OWN_FILES}
    return Place(
        config_path=config_path,
        config_txt=None if config_path is None else _content(root, config_path),
        config_lines=tuple(config_lines),
        avahi_conf=_content(root, templates.AVAHI_CONF),
        files={path: content for path, content in files.items() if content is not None},
    )


def apply(steps: Sequence[Step], root: Path, *, run: Runner | None, say: Say) -> None:
    """Do *steps* below *root*, in order; None runs no commands. Raise SetupError at the first that fails.

    What an earlier time that was cut short has left goes first.
    """
    for path in (*OWN_FILES, *CONFIG_TXT, templates.AVAHI_CONF):
        _draft(below(root, path)).unlink(missing_ok=True)
    for step in steps:
        if not isinstance(step, RunCommand) or run is not None:
            say(step.says)
        match step:
            case RunCommand(command=command, may_fail=may_fail):
                with contextlib.suppress(*((SetupError,) if may_fail else ())):
                    if run is not None:
                        run(command)
            case RemoveFile(path=path):
                below(root, path).unlink(missing_ok=True)
            case EditFile(path=path, after=after):
                file = below(root, path)
                _replace(file, after, stat.S_IMODE(file.stat().st_mode))
            case WriteFile():
                table_reads = step.path == templates.WIFI
                mode = (0o640 if table_reads else 0o600) if step.secret else 0o644
                _replace(below(root, step.path), step.content, mode, table_reads and root == Path("/"))
    for folder in OWN_FOLDERS:
        with contextlib.suppress(OSError):  # something is still in it
            below(root, folder).rmdir()


def run_command(command: Command) -> None:
    """Run *command* on this machine; raise SetupError with its last words when it fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=COMMAND_S, cwd="/"
        )
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()
        why = None if done.returncode == 0 else (words[-1] if words else f"status {done.returncode}")
    except (OSError, subprocess.TimeoutExpired) as error:
        why = str(error)
    if why is not None:
        raise SetupError(
            text(
                "“{command}” failed: {why}. Fix that and run it again.",
                command=re.sub(r"\s+", " ", " ".join(command)),
                why=why.rstrip("."),
            )
        )


def below(root: Path, path: str) -> Path:
    """Return where *path* of the machine lies below *root*."""
    return root / path.lstrip("/")


def _content(root: Path, path: str) -> str | None:
    """Return the text of a file, None when there is none that we may read."""
    try:
        return below(root, path).read_bytes().decode(**ENCODING)
    except OSError:
        return None


def _draft(path: Path) -> Path:
    """Return where a file is written before it takes its place: what a power cut leaves has a known name."""
    return path.with_name(f".{path.name}.lastnose")


def _replace(path: Path, content: str, mode: int, for_the_table: bool = False) -> None:
    """Put *content* at *path* at one stroke, so that a power cut leaves the old or the new."""
    draft = _draft(path)
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content.encode(**ENCODING))
            file.flush()
            os.fsync(file.fileno())
        if for_the_table:
            shutil.chown(draft, group=USER)
        with contextlib.suppress(PermissionError):  # FAT, on which config.txt lies, has no modes
            draft.chmod(mode)
        draft.replace(path)
    except (OSError, LookupError) as error:  # there may be no group of ours
        with contextlib.suppress(OSError):
            draft.unlink()
        raise SetupError(unwritable(path, error)) from error
