"""Are the locked versions fresh? `python tests/locks.py` says so (exit 1 when not), `--write` renews them.

Fresh means: compiling again, with the pins in place as preferences, changes nothing. `--upgrade` with
`--write` takes the newest versions that pyproject.toml allows.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCKS: dict[str, tuple[str, ...]] = {
    "requirements.lock": ("--group", "build"),
    "requirements-pi.lock": ("--extra", "pi", "-c", "requirements.lock"),
    "requirements-dev.lock": ("--group", "build", "--group", "dev", "-c", "requirements.lock"),
}


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
                    "--universal",
                    "--generate-hashes",
                ),
                *("--no-header", *groups, "pyproject.toml", "-o", lock),
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


def main() -> int:
    """Check or renew the locks; return the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="renew the locks that are stale")
    options.add_argument(
        "--upgrade", action="store_true", help="prefer the newest versions to the pins in place"
    )
    chosen = options.parse_args()
    stale = stale_locks(write=chosen.write, upgrade=chosen.upgrade)
    for name in stale:
        print(f"{name}: {'renewed' if chosen.write else 'stale; type “make lock”'}")
    return 1 if stale and not chosen.write else 0


if __name__ == "__main__":
    sys.exit(main())
