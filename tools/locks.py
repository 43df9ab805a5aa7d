"""Are the locked versions fresh? `python -m tools.locks` says (exit 1: no), `--write` renews them.

Fresh means: compiling again, with the pins in place as preferences, changes nothing. `--upgrade` with
`--write` takes the newest versions that pyproject.toml allows. `--wheels` asks instead whether every locked
version has a wheel for each Python and machine that we support; what the package registry has said is kept
for the next time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCKS: dict[str, tuple[str, ...]] = {
    "requirements.lock": ("--group", "build"),
    "requirements-pi.lock": ("--extra", "pi", "-c", "requirements.lock"),
    "requirements-hall.lock": ("--extra", "hall", "-c", "requirements.lock"),
    "requirements-mqtt.lock": ("--extra", "mqtt", "-c", "requirements.lock"),
    "requirements-test.lock": ("--group", "build", "--group", "test", "-c", "requirements.lock"),
    "requirements-dev.lock": ("--group", "build", "--group", "dev", "-c", "requirements-test.lock"),
    "requirements-docs.lock": ("--group", "build", "--group", "docs", "-c", "requirements-dev.lock"),
}

PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
# Debian 12 has glibc 2.36, and so have Raspberry Pi OS and all that is newer.
# On Linux all locks are used, on other laptops the table's own only. For 3.15 PyYAML, which developers' tools
# and the documents need, has no wheel yet: table and tests run there, `make check` and `make docs` do not.
CHECKED = ("3.11", "3.12", "3.13", "3.14")
NOT_YET = ("requirements-dev.lock", "requirements-docs.lock")
MACHINES: dict[str, tuple[str, ...]] = {
    "x86_64-manylinux_2_36": tuple(LOCKS),
    "aarch64-manylinux_2_36": tuple(LOCKS),
    "x86_64-pc-windows-msvc": ("requirements.lock",),
    "aarch64-apple-darwin": ("requirements.lock",),
}


def locks_for(python: str, machine: str) -> tuple[str, ...]:
    """Return the locks that are to have wheels there."""
    return tuple(lock for lock in MACHINES[machine] if python in CHECKED or lock not in NOT_YET)


def missing_wheels(python: str, machine: str) -> str | None:
    """Return what *python* on *machine* lacks of the wheels of its locks, None if it has all."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"),
            *("--only-binary", ":all:", "--python-version", python, "--python-platform", machine),
            *(*locks_for(python, machine), "-o", os.devnull),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return None if done.returncode == 0 else done.stderr.strip()


def compile_into(folder: Path, *, upgrade: bool = False) -> None:
    """Compile every lock in *folder*, which holds pyproject.toml and the locks so far."""
    for lock, groups in LOCKS.items():
        subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "uv",
                    "pip",
                    "compile",
                    "--quiet",
                    "--no-header",
                    "--generate-hashes",
                ),
                *("--universal", "--python-version", PYTHONS[0]),  # not from the Python on that runs this
                *(*groups, "pyproject.toml", "-o", lock),
                *(("--upgrade",) if upgrade else ()),
            ],
            cwd=folder,
            check=True,
        )


def stale_locks(*, write: bool = False, upgrade: bool = False) -> list[str]:
    """Return the locks that compiling again changes; with *write*, put the new ones in place."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name in ("pyproject.toml", *LOCKS):
            shutil.copy(ROOT / name, folder)
        compile_into(folder, upgrade=upgrade)
        stale = [name for name in LOCKS if (folder / name).read_text() != (ROOT / name).read_text()]
        for name in stale if write else ():
            shutil.copy(folder / name, ROOT)
    return stale


def check_wheels() -> int:
    """Say where the locks cannot be installed, and in how many cases they can; return the exit status."""
    cases = [(python, machine) for machine in MACHINES for python in PYTHONS]
    with ThreadPoolExecutor(8) as pool:  # most of it is waiting for the registry
        told = list(pool.map(lambda case: missing_wheels(*case), cases))
    for (python, machine), says in zip(cases, told, strict=True):
        if says is not None:
            print(f"Python {python} on {machine} ({', '.join(locks_for(python, machine))}):\n{says}")
    print(f"{told.count(None)} of {len(cases)} cases (Python, machine) have all wheels.")
    return 0 if told.count(None) == len(cases) else 1


def main() -> int:
    """Check or renew the locks; return the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="renew the locks that are stale")
    options.add_argument(
        "--upgrade", action="store_true", help="prefer the newest versions to the pins in place"
    )
    options.add_argument("--wheels", action="store_true", help="ask for a wheel of each for every machine")
    chosen = options.parse_args()
    if chosen.wheels:
        return check_wheels()
    stale = stale_locks(write=chosen.write, upgrade=chosen.upgrade)
    for name in stale:
        print(f"{name}: {'renewed' if chosen.write else 'stale; type “make lock”'}")
    return 1 if stale and not chosen.write else 0


if __name__ == "__main__":
    sys.exit(main())
