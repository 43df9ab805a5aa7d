"""README.md, CONTRIBUTING.md and what lies in `docs`, read: `PAGES`, its `fences`, the `commands` in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES: dict[str, str] = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")))
}
BROKEN_OFF = re.compile(r"\s+")


def fences(language: str) -> list[tuple[str, str]]:
    """Return what stands in fences of *language*, each with its page."""
    found = []
    for page, written in PAGES.items():
        for margin, inside in re.findall(
            rf"^( *)```{language}\n(.*?)^ *```", written, re.DOTALL | re.MULTILINE
        ):
            found.append((page, re.sub(rf"^{margin}", "", inside, flags=re.MULTILINE)))
    return found


def commands() -> dict[str, str]:
    """Return each command that a reader may type as it stands, with the first page that has it.

    Without what is said about it, and without the ways to find `lastnose`: `sudo`, `.venv/bin/`.
    """
    found: dict[str, str] = {}
    for page, inside in fences("sh"):
        for line in inside.splitlines():
            bare = re.sub(r"\s+# .*", "", line).strip().removeprefix("sudo ").removeprefix(".venv/bin/")
            found.setdefault(bare, page)
    return found


def mentioned(program: str) -> dict[str, str]:
    """Return the commands of *program* that sentences name in backticks, with the first page of each."""
    found: dict[str, str] = {}
    for page, written in PAGES.items():
        plain = re.sub(r"```.*?```", "", written, flags=re.DOTALL)
        for inside in re.findall(rf"`(?:sudo )?(?:\.venv/bin/)?({program} [^`]*)`", plain):
            found.setdefault(BROKEN_OFF.sub(" ", inside), page)
    return found
