"""Compile the translations when the project is built or installed, so that no binary file is kept in git."""

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> list[Path]:
    """Write a .mo beside every .po below *root*; return the files written."""
    written = []
    for source in sorted(root.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        # Whoever reads meanwhile reads the whole old file or the whole new one.
        fresh = target.with_suffix(f".{os.getpid()}")
        with source.open("rb") as po, fresh.open("wb") as mo:
            write_mo(mo, read_po(po))
        fresh.replace(target)
        written.append(target)
    return written


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Run before hatchling collects the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile companion/i18n/locale, and let all that is ours be found beneath one name."""
        root = Path(self.root)
        made = root / ".cache" / "lastnose.py"
        made.parent.mkdir(exist_ok=True)
        editable = version == "editable"
        says = f"__path__ = [{str(root)!r}]\n" if editable else ""
        made.write_text('"""Last Nose: `companion`, `web` and `hardware`."""\n' + says, encoding="utf-8")
        build_data["force_include_editable" if editable else "force_include"][str(made)] = (
            "lastnose/__init__.py"
        )
        if not editable:
            build_data["force_include"] |= {
                str(root / ours): f"lastnose/{ours}" for ours in ("companion", "web", "hardware")
            }
        compile_catalogues(Path(self.root) / "companion" / "i18n" / "locale")


if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent / "companion" / "i18n" / "locale")
