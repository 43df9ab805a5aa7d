"""The printed parts: `python tools/enclosure.py FOLDER` writes STLs, `--pictures` their pictures.

Needs OpenSCAD; for pictures also xvfb.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "hardware" / "enclosure"
PICTURES = SOURCES / "pictures"
# Each part: its source, what is set otherwise, and from where it is looked at (rotation of the camera).
PARTS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "spoon-cradle": ("spoon_cradle", (), "60,0,30"),
    "spoon-cradle-below": ("spoon_cradle", (), "125,0,30"),
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


def fingerprint() -> str:
    """Return a mark of all sources, kept beside the pictures to know when they are old."""
    sources = b"".join(path.read_bytes() for path in sorted(SOURCES.glob("*.scad")))
    return hashlib.sha256(sources + repr(PARTS).encode()).hexdigest() + "\n"


def main() -> None:
    """Write STLs, or renew the pictures."""
    if "--pictures" in sys.argv[1:]:
        for name in PARTS:
            picture(name)
        (PICTURES / "drawn-from").write_text(fingerprint(), encoding="ascii")
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in PRINTED:
        print(stl(name, folder))


if __name__ == "__main__":
    main()
