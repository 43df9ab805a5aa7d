"""The printed parts: `python -m tools.enclosure FOLDER` writes STLs and checks them, `--pictures` draws them.

Needs OpenSCAD; for pictures also xvfb. What is checked: that each is watertight and right side out, lies on
the bed and fits it, is nowhere too thin, and that the parts fit one another.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.mesh import Triangle, crossings, open_edges, read_stl, size, thicknesses, volume

SOURCES = Path(__file__).parent.parent / "hardware" / "enclosure"
PICTURES = SOURCES / "pictures"
# Each part: its source, what is set otherwise, and from where it is looked at (rotation of the camera).
PARTS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "spoon-cradle": ("spoon_cradle", (), "60,0,30"),
    "spoon-cradle-below": ("spoon_cradle", (), "125,0,30"),
    "spoon-cradle-door": ("spoon_cradle", ("door=1",), "60,0,30"),
    "spoon-cradle-door-below": ("spoon_cradle", ("door=1",), "125,0,30"),
    "nose-pod-28": ("nose_pod", ("button=28",), "125,0,30"),
    "nose-pod-30": ("nose_pod", ("button=30",), "55,0,30"),
    "oled-bezel": ("oled_bezel", (), "50,0,30"),
    "box-lid": ("box_lid", (), "50,0,30"),
    "box-body": ("box_body", (), "50,0,30"),
    "pod-base": ("pod_base", (), "125,0,30"),
    "pod-base-flange": ("pod_base", ("flange=12",), "50,0,30"),
}
PRINTED = tuple(name for name in PARTS if not name.endswith("-below"))


def stl(name: str, folder: Path) -> Path:
    """Write the STL of a part into *folder* and return it."""
    target = folder / f"{name}.stl"
    _openscad(name, target)
    return target


def picture(name: str) -> None:
    """Draw the picture of a part again."""
    PICTURES.mkdir(exist_ok=True)
    look = PARTS[name][2]
    camera = (f"--camera=0,0,0,{look},300", "--viewall", "--autocenter", "--imgsize=900,640")
    _openscad(
        name,
        PICTURES / f"{name}.png",
        *camera,
        "--colorscheme=Tomorrow",
        "--render",
        before=("xvfb-run", "-a"),
    )


def _openscad(name: str, target: Path, *more: str, before: tuple[str, ...] = ()) -> None:
    source, settings, _ = PARTS[name]
    define = [word for setting in settings for word in ("-D", setting)]
    command = [
        *before,
        "openscad",
        "--hardwarnings",
        *more,
        *define,
        "-o",
        str(target),
        f"{SOURCES / source}.scad",
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


# ---- Checks

BED_MM, LEAST_WALL_MM, FLOOR_MM = 220, 1.2, 2.0
PLA_G_MM3 = 0.00124
_DOWN, _UP = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def faults(name: str, part: list[Triangle]) -> Iterator[str]:
    """Yield why a part cannot be printed, a sentence each."""
    if leaks := open_edges(part):
        yield f"{name} is not watertight: {leaks} edges are open."
    if volume(part) < 1_000:
        yield f"{name} holds nothing: it is empty, or inside out."
    if max(size(part)) > BED_MM:
        yield f"{name} does not fit on a bed of {BED_MM} mm."
    if abs(min(corner[2] for triangle in part for corner in triangle)) > 0.001:
        yield f"{name} does not lie on the bed."
    thin = [(thick, where) for thick, where in thicknesses(part) if thick < LEAST_WALL_MM]
    if thin:
        yield f"{name} has a wall of {thin[0][0]:.2f} mm at {thin[0][1]}: {LEAST_WALL_MM} are wanted."


def misfits(parts: Mapping[str, list[Triangle]]) -> Iterator[str]:
    """Yield which of the parts do not go together, a sentence each: screws, lid, floors over the contacts."""
    for x, y in ((27.0 * sx, 27.0 * sy) for sx, sy in _CORNERS):
        pods = [name for name in ("nose-pod-28", "nose-pod-30") if not _deep(parts[name], x, y, 3)]
        bases = [name for name in ("pod-base", "pod-base-flange") if _above(parts[name], x, y)]
        for name in pods + bases:
            yield f"{name} has no hole for the pod's screw at {x:.0f}, {y:.0f}."
    body, lid = parts["box-body"], parts["box-lid"]
    if any(abs(a - b) > 0.01 for a, b in zip(size(body)[:2], size(lid), strict=False)):
        yield "box-body and box-lid are not of one size."
    rim = size(body)[2]
    for x, y in ((67.0 * sx, 42.0 * sy) for sx, sy in _CORNERS):
        if _above(lid, x, y) or not _deep(body, x, y, rim - 20):
            yield f"box-body and box-lid have no common hole for a screw at {x:.0f}, {y:.0f}."
        if not _deep(body, x + 2.8, y, rim - 6.3):
            yield "box-body has a post that box-lid's lip of 6 mm does not pass."
    for cradle in ("spoon-cradle", "spoon-cradle-door"):
        hits = crossings(parts[cradle], (-2.0, 0.3, -5.0), _UP)
        if len(hits) != 2 or not FLOOR_MM <= hits[1] - hits[0] < FLOOR_MM + 1:
            yield f"{cradle} has no floor of {FLOOR_MM} to {FLOOR_MM + 1} mm over the contact."


def _above(part: list[Triangle], x: float, y: float) -> list[float]:
    """Return at which distances below 100 mm of height a ray down meets the part."""
    return crossings(part, (x + 0.1, y + 0.1, 100.0), _DOWN)


def _deep(part: list[Triangle], x: float, y: float, to: float) -> bool:
    """Return whether a hole is open from above down to a height of *to* mm, and no further."""
    hits = _above(part, x, y)
    return bool(hits) and abs(hits[0] - (100 - to)) < 0.02


# ---- The parts of a release

_HOW_MANY = {
    "spoon-cradle": "one a spoon",
    "spoon-cradle-door": "one a spoon, instead, without soldering",
    "nose-pod-28": "one a seat, for buttons of 28 mm",
    "nose-pod-30": "one a seat, for buttons of 30 mm",
    "oled-bezel": "one",
    "box-lid": "one",
    "box-body": "one",
    "pod-base": "one a seat",
    "pod-base-flange": "one a seat, instead, to be screwed down",
}


def make_prints(folder: Path) -> list[str]:
    """Write an STL of each part and a table into *folder*; return what is wrong: nothing if all is well."""
    if shutil.which("openscad") is None:
        raise ValueError("OpenSCAD is missing: sudo apt install openscad.")
    folder.mkdir(parents=True, exist_ok=True)
    parts = {name: read_stl(stl(name, folder)) for name in PRINTED}
    lines = ["| part | how many | cm³ | grams of PLA, at most |", "| --- | --- | --- | --- |"]
    for name, part in parts.items():
        held = volume(part)
        lines.append(f"| {name} | {_HOW_MANY[name]} | {held / 1000:.0f} | {held * PLA_G_MM3:.0f} |")
    (folder / "parts.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    wrong = [fault for name, part in parts.items() for fault in faults(name, part)]
    return wrong or list(misfits(parts))


def zip_prints(prints: Path, target: Path) -> Path:
    """Write what `make_prints` has put into *prints* as one file, the same bytes each time, and return it."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(prints.iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return target


def fingerprint() -> str:
    """Return a mark of all sources, kept beside the pictures to know when they are old."""
    sources = b"".join(path.read_bytes() for path in sorted(SOURCES.glob("*.scad")))
    return hashlib.sha256(sources + repr(PARTS).encode()).hexdigest() + "\n"


def main() -> int:
    """Write STLs and check them, or renew the pictures; return the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    what = options.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", type=Path, nargs="?", help="where the parts to print go")
    what.add_argument("--pictures", action="store_true", help="draw the pictures again instead")
    wish = options.parse_args()
    if wish.pictures:
        for name in PARTS:
            picture(name)
        (PICTURES / "drawn-from").write_text(fingerprint(), encoding="ascii")
        return 0
    try:
        wrong = make_prints(wish.folder)
    except ValueError as problem:
        wrong = [str(problem)]
    print("\n".join(wrong or (f"{len(PRINTED)} parts are in {wish.folder}, and can be printed.",)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
