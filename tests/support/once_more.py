"""Tries tests that failed among all others once more, alone, and names them. Run by .ci/run.

Browsers and real ports have a rest of chance in them on two cores that six thousand tests share. What is
broken fails alone as well; what only failed in the crowd is told by its name, and wants to be made steadier.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MOST = 5  # more than that is no chance


def failed(folder: Path) -> list[str]:
    """Return the names of what failed in the last run in *folder*; raise OSError where none are kept."""
    kept = json.loads((folder / ".pytest_cache/v/cache/lastfailed").read_text(encoding="utf-8"))
    return sorted(kept)


def good_alone(again: list[str] | str, folder: Path, env: dict[str, str] | None = None) -> bool:
    """Return whether the few that failed in *folder* pass when *again* is typed, which runs them alone."""
    try:
        names = failed(folder)
    except (OSError, ValueError):
        return False
    if not 0 < len(names) <= MOST:
        return False
    print("\nOnce more, alone:", *names, sep="\n  ", flush=True)
    if subprocess.run(again, shell=isinstance(again, str), cwd=folder, env=env, check=False).returncode:
        return False
    print("\nFailed among all others, passed alone; make them steadier:", *names, sep="\n  ", flush=True)
    return True


def main(pytest: list[str]) -> int:
    """Run *pytest*, a command; where few failed, run those alone. Return its exit code, 0 where they pass."""
    code = subprocess.run(pytest, check=False).returncode
    if code != 1:  # ended early, or nothing to try again
        return code
    return 0 if good_alone([*pytest, "--last-failed", "-n", "0"], Path.cwd()) else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
