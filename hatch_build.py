"""What a build adds: compiled translations, which git does not keep, and README as a registry shows it."""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

OURS = ("companion", "web", "hardware")
# Other people's environments see one name, whatever lies in it; the checkout's folders stay where they are.
ONE_NAME = '"""Last Nose: `companion`, `web` and `hardware`."""\n'
# A registry shows README alone: what a link leads to is not there, and pictures in it (data:) are left out.
BESIDE = "The files and folders named here, `make` and all pictures are in the source package."


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


def link_for_types(root: Path, named: Path) -> None:
    """Show *root*'s folders in *named* to a type checker, which reads no `__path__`."""
    for ours in OURS:
        with suppress(OSError):
            (named / ours).symlink_to(root / ours, target_is_directory=True)


def told_alone(readme: str) -> str:
    """Return *readme* as a registry shows it: without pictures, each link as its words and its file."""
    bare = re.sub(r"!\[[^]]*\]\([^)]*\)\n+", "", readme)
    bare = re.sub(r"\[([^]]*)\]\(\1\)", r"`\1`", bare)
    bare = re.sub(r"\[([^]]*)\]\(([^)#]*)[^)]*\)", r"\1 (`\2`)", bare)
    title, _, rest = bare.partition("\n")
    return f"{title}\n\n{BESIDE}\n{rest}"


class CustomMetadataHook(MetadataHookInterface):
    """Run when hatchling asks what the project says of itself."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Give the long description of wheel and source package."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": told_alone(readme)}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Run before hatchling collects the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile companion/i18n/locale, and let all that is ours be found beneath the one name."""
        root = Path(self.root)
        compile_catalogues(root / "companion" / "i18n" / "locale")
        named = root / ".hatch" / "lastnose"  # below what hatchling never packs
        named.mkdir(parents=True, exist_ok=True)
        begin = named / "__init__.py"
        if version == "editable":
            begin.write_text(f"{ONE_NAME}__path__ = [{str(root)!r}]\n", encoding="utf-8")
            build_data["force_include_editable"][str(begin)] = "lastnose/__init__.py"
            link_for_types(root, named)
        else:
            begin.write_text(ONE_NAME, encoding="utf-8")
            build_data["force_include"] |= {str(root / ours): f"lastnose/{ours}" for ours in OURS}
            build_data["force_include"][str(begin)] = "lastnose/__init__.py"


if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent / "companion" / "i18n" / "locale")
