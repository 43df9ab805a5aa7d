"""The printed circuits as KiCad understands them, held to the profiles: `python -m tools.circuits FOLDER`.

FOLDER is what `tools/circuit.sh` has filled. The nets that KiCad exports (IPC-D-356) are compared, pad by
pad, with what was meant, and every wire of the profile is followed from its pin to where its cable goes.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lastnose.companion.i18n import LANGUAGES, translator
from lastnose.companion.wiring.circuit import HEADINGS, Circuit, circuit, circuit_rows, net_of
from lastnose.companion.wiring.profile import Profile, built_in_profiles, load_profile
from lastnose.companion.wiring.wires import as_markdown, wires

Nets = list[frozenset[str]]  # the pads that are joined, as J1-12


def kits() -> list[str]:
    """Return the kits that have a printed circuit: those that are soldered."""
    found = (load_profile(name) for name in built_in_profiles())
    return [profile.name for profile in found if profile.soldered and profile.board != "mock"]


def read_ipc(content: str) -> Nets:
    """Return the nets of an IPC-D-356 file; a pad that is joined to nothing is in none."""
    found: dict[str, set[str]] = {}
    for line in content.splitlines():
        net, part, pin = line[3:17].strip(), line[20:26].strip(), line[27:31].strip()
        if line.startswith(("317", "327")) and net != "N/C" and part != "VIA":
            found.setdefault(net, set()).add(f"{part}-{pin}")
    return [frozenset(pads) for pads in found.values()]


def faults(profile: Profile, board: Circuit, found: Nets) -> Iterator[str]:
    """Yield what is wrong with the nets that were *found* on the board of *profile*, a sentence each."""
    meant: dict[str, set[str]] = {}
    for part in board.parts:
        for pad in part.pads:
            if pad.net:
                meant.setdefault(pad.net, set()).add(f"{part.name}-{pad.number}")
    for net, pads in meant.items():
        if frozenset(pads) not in found:
            yield f"{profile.name}: {net} is not what was meant."
    if len(found) != len(meant):
        yield f"{profile.name}: {len(found)} nets, and {len(meant)} were meant."
    yield from _lost_wires(profile, board, found)


def _lost_wires(profile: Profile, board: Circuit, found: Nets) -> Iterator[str]:
    """Yield the wires that do not come through: each from its pin, and over a resistor where it wants one."""
    net_at = {pad: net for net in found for pad in net}
    resistors = [part for part in board.parts if part.name.startswith("R") and not part.optional]
    main = "pico" if profile.board == "pico" else "pi"
    for wire in (wire for wire in wires(profile) if wire.board == main):
        here = net_at.get(f"J1-{wire.physical}", frozenset())
        contact = wire.use in profile.lines
        if contact or wire.use in ("buzzer", "sync"):
            value = "220" if wire.use == "buzzer" else "1k"
            over = [part for part in resistors if f"{part.name}-1" in here and part.value == value]
            ends = [net_at.get(f"{part.name}-2", frozenset()) for part in over]
            here = ends[0] if len(ends) == 1 else frozenset()
        plugs = {pad.partition("-")[0] for pad in here if not pad.startswith("J1-")}
        wanted = {part.name for part in board.parts if _serves(part.use, wire.use, net_of(wire))}
        if not plugs & wanted:
            yield f"{profile.name}: the wire for {wire.use}, from pin {wire.physical}, ends nowhere."


def _serves(use: str, wire: str, net: str) -> bool:
    """Return whether a part for *use* is where that wire goes: OLED, lamps, a screw, or anywhere."""
    kind = wire.partition(" ")[0].partition(".")[0]
    by_kind = {"oled": "OLED", "led": "lamps", "lamp": "lamps", "buzzer": "buzzer", "sync": "sync"}
    if net in ("GND", "3V3", "5V"):
        return True
    return use.startswith(by_kind[kind] + ":") if kind in by_kind else wire in use.split(", ")


def judge(folder: Path) -> list[str]:
    """Return what is wrong with the boards in *folder*, a sentence each; nothing if all is well."""
    wrong = []
    for name in kits():
        file = folder / name / f"{name}.d356"
        if not file.is_file():
            wrong.append(f"{file} is missing: say bash tools/circuit.sh {folder}.")
            continue
        profile = load_profile(name)
        wrong += faults(profile, circuit(profile), read_ipc(file.read_text(encoding="ascii")))
    return wrong


def zip_circuits(folder: Path, target: Path, names: Iterable[str] | None = None) -> Path:
    """Write what a maker of boards wants, a folder a kit, as one file, the same bytes each time."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in kits() if names is None else names:
            board = circuit(load_profile(name))
            for path in sorted((folder / name).iterdir()):
                archive.writestr(
                    zipfile.ZipInfo(f"{name}/{path.name}"), path.read_bytes(), zipfile.ZIP_DEFLATED
                )
            for language in LANGUAGES:
                said = as_markdown(HEADINGS, circuit_rows(board), translator(language))
                archive.writestr(zipfile.ZipInfo(f"{name}/parts-{language}.md"), said, zipfile.ZIP_DEFLATED)
    return target


def main(words: Sequence[str]) -> int:
    """Judge and say so; return the exit status."""
    if len(words) != 1:
        print("Say: python -m tools.circuits FOLDER", file=sys.stderr)
        return 2
    wrong = judge(Path(words[0]))
    print("\n".join(wrong or [f"{len(kits())} boards: every net and every wire is what the profile says."]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
