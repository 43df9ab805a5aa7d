"""Are the files of hardware/build fresh? `python -m tools.build_files` says; `--write` renews.

Per kit: the drawing, the table of wires, the strip board hole by hole, the printed circuit for KiCad and its
parts, what to buy; and the circuit of one input. They are in English; the commands draw in any language.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from lastnose.companion.wiring import bom
from lastnose.companion.wiring import circuit as printed
from lastnose.companion.wiring.drawings.kicad import as_kicad
from lastnose.companion.wiring.drawings.levers import input_sheets, input_table
from lastnose.companion.wiring.drawings.sheets import channel_sheet, sheets
from lastnose.companion.wiring.profile import built_in_profiles, load_profile
from lastnose.companion.wiring.wires import HEADINGS, as_csv, as_markdown, rows

FOLDER = Path(__file__).parent.parent / "hardware" / "build"


@cache
def wanted(*, circuits: bool = True) -> dict[str, str]:
    """Return what should be there, by its place in the folder; *circuits* take seconds, all else none."""
    files = {"input-channel.svg": channel_sheet(str)}
    for name in built_in_profiles():
        profile = load_profile(name)
        if profile.board == "mock":
            continue
        for what, pages in (
            ("wiring", sheets(profile, str)),
            ("board", input_sheets(profile, str)),
        ):
            for number, page in enumerate(pages, start=1):
                files[f"{name}/{what}{f'-{number}' if number > 1 else ''}.svg"] = page
        files[f"{name}/board.md"] = as_markdown(*input_table(profile), str)
        if profile.soldered and circuits:
            board = printed.circuit(profile)
            files[f"{name}/circuit.kicad_pcb"] = as_kicad(board)
            files[f"{name}/circuit.md"] = as_markdown(printed.HEADINGS, printed.circuit_rows(board), str)
        files[f"{name}/wiring.md"] = as_markdown(HEADINGS, rows(profile), str)
        files[f"{name}/wiring.csv"] = as_csv(HEADINGS, rows(profile), str)
        files[f"{name}/bom.md"] = as_markdown(bom.HEADINGS, bom.rows(bom.bill(profile)), str)
    return files


def stale(*, circuits: bool = True) -> list[str]:
    """Return the files that are missing, different, or there for no reason."""
    files = wanted(circuits=circuits)
    there = {
        str(path.relative_to(FOLDER)): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*")
        if path.is_file() and "enclosure" not in path.parts and (circuits or path.stem != "circuit")
    }
    return sorted(name for name in files.keys() | there.keys() if files.get(name) != there.get(name))


def main() -> int:
    """Check or renew; return the exit status."""
    names, write = stale(), "--write" in sys.argv[1:]
    for name in names:
        if write:
            _renew(name)
        print(f"hardware/build/{name}: {'renewed' if write else 'stale; type “make drawings”'}")
    return 1 if names and not write else 0


def _renew(name: str) -> None:
    """Write the file of that name, or remove it where none should be."""
    path, content = FOLDER / name, wanted().get(name)
    if content is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
