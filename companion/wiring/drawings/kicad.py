"""A printed circuit as KiCad 9 reads it: footprints, lettering and copper in one `.kicad_pcb`.

Source: KiCad's file formats, "Printed circuit board file format" (dev-docs.kicad.org).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from lastnose.companion.wiring.circuit import GRID_MM, PADS_MM, VIA_DRILL_MM, VIA_MM, Circuit, Fitting, Track

_LAYERS = (
    (0, "F.Cu", "signal"), (2, "B.Cu", "signal"), (1, "F.Mask", "user"), (3, "B.Mask", "user"),
    (5, "F.SilkS", "user"), (7, "B.SilkS", "user"), (13, "F.Paste", "user"), (15, "B.Paste", "user"),
    (25, "Edge.Cuts", "user"), (27, "Margin", "user"), (29, "B.CrtYd", "user"), (31, "F.CrtYd", "user"),
    (33, "B.Fab", "user"), (35, "F.Fab", "user"),
)  # fmt: skip
CORNER_MM = 50.0  # where the board begins on KiCad's page


def as_kicad(board: Circuit) -> str:
    """Return the board as the text of its file, the same each time."""
    nets = ["", *board.nets]
    number = {net: place for place, net in enumerate(nets)}
    lines = [
        '(kicad_pcb (version 20241229) (generator "lastnose") (generator_version "9.0")',
        '  (general (thickness 1.6) (legacy_teardrops no)) (paper "A4")',
        f"  (title_block (title {_quoted(f'Last Nose: {board.name}')}))",
        "  (layers",
        *(f'    ({place} "{name}" {kind})' for place, name, kind in _LAYERS),
        "  )",
        "  (setup (pad_to_mask_clearance 0) (allow_soldermask_bridges_in_footprints no))",
        *(f"  (net {place} {_quoted(net)})" for place, net in enumerate(nets)),
        *(line for part in board.parts for line in _footprint(part, number)),
        *_lettering(board),
        *_edge(board),
        *(_segment(track, number) for track in board.tracks),
        *(
            f"  (via (at {_xy(*via.at)}) (size {VIA_MM}) (drill {VIA_DRILL_MM}) "
            f'(layers "F.Cu" "B.Cu") (net {number[via.net]}))'
            for via in board.vias
        ),
        ")",
    ]
    return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _xy(x: float, y: float) -> str:
    return f"{_n(CORNER_MM + x)} {_n(CORNER_MM + y)}"


def _segment(track: Track, number: Mapping[str, int]) -> str:
    layer = "F.Cu" if track.front else "B.Cu"
    return (
        f"  (segment (start {_xy(*track.start)}) (end {_xy(*track.end)}) (width {_n(track.width)}) "
        f'(layer "{layer}") (net {number[track.net]}))'
    )


def _edge(board: Circuit) -> Iterator[str]:
    (w, h) = board.size_mm
    corners = ((0, 0), (w, 0), (w, h), (0, h), (0, 0))
    for start, end in pairwise(corners):
        yield (
            f"  (gr_line (start {_xy(*start)}) (end {_xy(*end)}) (stroke (width 0.1) (type solid)) "
            '(layer "Edge.Cuts"))'
        )


def _words(kind: str, said: str, at: str, layer: str, size: float = 0.9, *, left: bool = False) -> str:
    shape = f"(font (size {_n(size)} {_n(size)}) (thickness {_n(size * 0.15)}))"
    font = f"(effects {shape}{' (justify left)' if left else ''})"
    return f'({kind} {_quoted(said)} (at {at} 0) (layer "{layer}") {font})'


def _footprint(part: Fitting, number: Mapping[str, int]) -> Iterator[str]:
    """Yield the lines of one part, its origin at its first pad."""
    x, y = part.pads[0].x * GRID_MM, part.pads[0].y * GRID_MM
    left, top, right, bottom = part.box
    middle = f"{_n((left + right) / 2 - x)} {_n((top + bottom) / 2 - y)}"
    diameter, drill = PADS_MM[part.kind]
    yield f'  (footprint {_quoted(part.value)} (layer "F.Cu") (at {_xy(x, y)}) (attr through_hole)'
    yield "    " + _words('property "Reference"', part.name, middle, "F.Fab")
    yield "    " + _words('property "Value"', part.value, middle, "F.Fab")
    corners = f"(start {_n(left - x)} {_n(top - y)}) (end {_n(right - x)} {_n(bottom - y)})"
    for layer, width in (
        ("F.CrtYd", 0.05),
        ("F.Fab", 0.1),
        *((("F.SilkS", 0.12),) if part.kind != "part" else ()),
    ):
        yield f'    (fp_rect {corners} (stroke (width {width}) (type solid)) (fill no) (layer "{layer}"))'
    for pad in part.pads:
        net = f" (net {number[pad.net]} {_quoted(pad.net)})" if pad.net else ""
        yield (
            f'    (pad "{pad.number}" thru_hole {"rect" if pad.square else "circle"} '
            f"(at {_n(pad.x * GRID_MM - x)} {_n(pad.y * GRID_MM - y)}) (size {diameter} {diameter}) "
            f'(drill {drill}) (layers "*.Cu" "*.Mask"){net})'
        )
    yield "  )"


def _lettering(board: Circuit) -> Iterator[str]:
    """Yield what is printed on the board, clear of its pads."""
    title = f"Last Nose {board.name}"
    for said, x, y, size, left in (
        (title, 1.4, 1.2, 0.9, True),
        *(label for part in board.parts for label in _labels(part)),
    ):
        yield "  " + _words("gr_text", said, _xy(x, y), "F.SilkS", size, left=left)


Label = tuple[str, float, float, float, bool]  # what, where, how high, whether it begins there or is centred


def _labels(part: Fitting) -> Iterator[Label]:
    (x1, y1), (x2, y2) = ((pad.x * GRID_MM, pad.y * GRID_MM) for pad in (part.pads[0], part.pads[-1]))
    if part.kind == "terminal":
        yield "GND", x1 - 5 * GRID_MM, y1 + 4 * GRID_MM, 0.8, False
        uses = part.use.split(", ")
        for use, y in zip(uses, (y1 - 1.9, y1 + 8 * GRID_MM + 1.9), strict=False):
            yield use.replace(".", " "), x1 - 8 * GRID_MM, y, 0.9, False
    elif part.kind == "part":
        aside = 1.3 * GRID_MM * (1 if part.inward > 0 else -1) if part.optional else 0.0
        yield part.value, (x1 + x2) / 2, (y1 + y2) / 2 + aside, 0.8, False
    elif part.use in ("pi", "pico"):
        yield "1", 0.9 if part.use == "pi" else x1 + 2, y1, 0.9, False
        if part.use == "pico":
            yield "USB", 11 * GRID_MM, y1, 1.0, False
    else:
        for pad, said in zip(part.pads, part.use.partition(": ")[2].split(" "), strict=True):
            yield said, (pad.x + 1.3) * GRID_MM, pad.y * GRID_MM, 0.8, True
