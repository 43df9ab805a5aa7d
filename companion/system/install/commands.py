"""Looks at the machine on which to install, as it would be without us; runs commands on it."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import companion
from companion.core.errors import BadInput
from companion.core.text import text
from companion.system.doctor.system import ONLY_64_BIT
from companion.system.install import templates
from companion.system.install.builder import InstallError
from companion.system.install.journal import current
from companion.system.install.plan import Place
from companion.system.install.request import USER, Before
from companion.system.install.steps import Command, Record

CONFIG_TXT = ("/boot/firmware/config.txt", "/boot/config.txt")
HOMES = ("/home/", "/root/")
SOURCES = ("companion", "web", "hardware", "firmware")
PROJECT_FILES = ("pyproject.toml", "hatch_build.py", "requirements.lock", "requirements-pi.lock")
COMMAND_S = 1800.0  # wheels come slowly over a hall's Wi-Fi

_NO_SYSTEMD = text("This machine does not start with systemd, so no service can be set up: say lastnose run.")


def must_be_possible(root: Path, *, dry: bool, environ: Mapping[str, str] = os.environ) -> None:
    """Raise BadInput when nothing can be installed (or taken back) on this machine, or not by this user."""
    if sys.platform == "win32":  # its paths are of another kind: not even a trial says anything there
        raise BadInput(_NO_SYSTEMD)
    if not root.is_dir():
        raise BadInput(text("--root {folder}: there is no such folder.", folder=str(root)))
    if sys.maxsize < 2**32:
        raise BadInput(ONLY_64_BIT)
    if root != Path("/") or dry:
        return
    if sys.platform != "linux" or not Path("/run/systemd/system").is_dir():
        raise BadInput(_NO_SYSTEMD)
    if os.geteuid() != 0:
        raise BadInput(text("This changes the system: say sudo {program} …", program=sys.argv[0]))


def before(root: Path, environ: Mapping[str, str] = os.environ) -> Before:
    """Return which groups and users there are, before anything is made."""
    groups = [line.split(":") for line in (current(root, "/etc/group", None) or "").splitlines()]
    users = [line.partition(":")[0] for line in (current(root, "/etc/passwd", None) or "").splitlines()]
    person = environ.get("SUDO_USER")
    if person not in users or person == "root":
        person = None
    mine = tuple(sorted(line[0] for line in groups if len(line) == 4 and person in line[3].split(",")))
    return Before(tuple(line[0] for line in groups), USER in users, person, mine if person else ())


def look(root: Path, record: Record, *, python: str | None, config_lines: tuple[str, ...]) -> Place:
    """Return what the machine is like; raise BadInput for a Python that a service could not use."""
    config_path = next((path for path in CONFIG_TXT if current(root, path, None) is not None), None)
    project = project_folder()
    packaged = is_packaged()
    if project is None and not packaged and not os.path.lexists(root / templates.PROGRAM.lstrip("/")):
        raise BadInput(
            text(
                "This lastnose came from pip, pipx or uvx. A service is set up from the Debian package "
                "(make deb, then sudo apt install ./dist/lastnose_….deb), or from a checkout: git clone it, "
                "make pi there, then sudo .venv/bin/lastnose install."
            )
        )
    chosen = python or _own_python()
    return Place(
        before=record.before,
        python=chosen,
        python_version=_version(chosen) if project is not None else sys.version_info[:2],
        project=str(project) if project is not None else None,
        fingerprint=f"{chosen} {_fingerprint(project)}" if project is not None else companion.__version__,
        packaged=packaged,
        config_path=config_path,
        config_txt=current(root, config_path, record) if config_path is not None else None,
        config_lines=config_lines,
        avahi_conf=current(root, templates.AVAHI_CONF, record),
    )


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


def project_folder() -> Path | None:
    """Return the folder that was cloned; None in an installed program, which stays as it is."""
    folder = Path(companion.__file__).resolve().parent.parent
    return folder if all((folder / name).is_file() for name in PROJECT_FILES) else None


def is_packaged() -> bool:
    """Whether this program came as the Debian package, which has set up what does not depend on the table."""
    return Path(companion.__file__).is_relative_to(templates.PACKAGE)


def _own_python() -> str:
    """Return the Python of which this environment was made."""
    return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}")


def _version(python: str) -> tuple[int, int]:
    """Return the version of *python*; raise BadInput when it cannot serve a service."""
    real = str(Path(python).resolve())
    if real.startswith(HOMES):
        raise BadInput(
            text(
                "{python} lies in somebody’s home, where the service must not look: name another with "
                "--python, such as /usr/bin/python3.",
                python=real,
            )
        )
    try:
        told = subprocess.run(
            [python, "-c", "import sys, ensurepip, venv; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        ).stdout.split()
    except (OSError, subprocess.SubprocessError):
        raise BadInput(
            text(
                "{python} cannot make an environment: is it there? On Debian: sudo apt install python3-venv.",
                python=python,
            )
        ) from None
    version = (int(told[0]), int(told[1]))
    if not (3, 11) <= version <= (3, 15):
        raise BadInput(
            text(
                "{python} is Python {version}; Last Nose needs 3.11 to 3.15. Name another with --python.",
                python=python,
                version=".".join(told),
            )
        )
    return version


def _fingerprint(project: Path) -> str:
    """Return a checksum over all that is installed."""
    found = [project / name for name in PROJECT_FILES]
    for folder in SOURCES:
        found += sorted(path for path in (project / folder).rglob("*") if path.is_file())
    whole = hashlib.sha256()
    for path in found:
        if path.suffix not in (".pyc", ".mo"):
            whole.update(str(path.relative_to(project)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def run_command(command: Command) -> None:
    """Run *command* on this machine; raise InstallError with its last words when it fails."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=COMMAND_S, env=environ, cwd="/"
        )
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()
        why = None if done.returncode == 0 else (words[-1] if words else f"status {done.returncode}")
    except (OSError, subprocess.TimeoutExpired) as error:
        why = str(error)
    if why is not None:
        raise InstallError(
            text(
                "“{command}” failed: {why}. Mend that and say it again; or lastnose uninstall.",
                command=re.sub(r"\s+", " ", " ".join(command)),
                why=why.rstrip("."),
            )
        )
