"""The printed circuit, read back from its file: copper is measured, every wire followed through it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import hypot
from pathlib import Path

import msgspec
import pytest
from lastnose.companion.core.errors import BadInput
from lastnose.companion.wiring.circuit import Circuit, circuit, circuit_rows
from lastnose.companion.wiring.drawings.kicad import as_kicad
from lastnose.companion.wiring.profile import Leds, Pins, Profile, load_profile

from tests.support.commands import lastnose
from tools.build_files import FOLDER
from tools.circuits import Nets, faults, judge, kits, read_ipc, zip_circuits

Tree = list["Tree | str"]
# A piece of copper: its pad's name or "", its sides, from, to, half its width.
Shape = tuple[str, frozenset[str], tuple[float, float], tuple[float, float], float]
FRONT, BACK = "F.Cu", "B.Cu"


def read_tree(content: str) -> Tree:
    """Return an S-expression as lists of words and lists."""
    stack: list[Tree] = [[]]
    for word in re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()]+', content):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word.strip('"'))
    (tree,) = stack[0]
    assert isinstance(tree, list)
    return tree


def parts(tree: Tree, name: str) -> Iterator[Tree]:
    """Yield the lists in *tree* that begin with *name*."""
    yield from (one for one in tree if isinstance(one, list) and one[0] == name)


def numbers(tree: Tree, name: str) -> tuple[float, ...]:
    """Return the numbers behind the first *name* in *tree*."""
    return tuple(float(str(word)) for word in next(parts(tree, name))[1:])


def shapes(tree: Tree) -> Iterator[Shape]:
    """Yield the copper of a board, whatever net the file says that it belongs to."""
    both = frozenset((FRONT, BACK))
    for footprint in parts(tree, "footprint"):
        x, y = numbers(footprint, "at")[:2]
        name = next(str(one[2]) for one in parts(footprint, "property") if one[1] == "Reference")
        for pad in parts(footprint, "pad"):
            dx, dy = numbers(pad, "at")[:2]
            at = x + dx, y + dy
            half = numbers(pad, "size")[0] / 2
            if pad[3] == "rect":  # as two bars: never larger than it is, and never smaller where tracks end
                yield f"{name}-{pad[1]}", both, (at[0] - half, at[1]), (at[0] + half, at[1]), 0.001
            yield f"{name}-{pad[1]}", both, at, at, half
    for track in parts(tree, "segment"):
        side = frozenset((str(next(parts(track, "layer"))[1]),))
        yield "", side, numbers(track, "start")[:2], numbers(track, "end")[:2], numbers(track, "width")[0] / 2  # type: ignore[misc]
    for via in parts(tree, "via"):
        at = numbers(via, "at")[:2]
        yield "", both, at, at, numbers(via, "size")[0] / 2  # type: ignore[misc]


def gap(one: Shape, other: Shape) -> float:
    """Return how far apart two pieces are that run along the board or across it; below 0 they are one."""
    (_, _, a, b, r), (_, _, c, d, s) = one, other
    apart = [max(min(c[k], d[k]) - max(a[k], b[k]), min(a[k], b[k]) - max(c[k], d[k]), 0.0) for k in (0, 1)]
    return hypot(*apart) - r - s


def outline(tree: Tree) -> tuple[tuple[float, ...], ...]:
    """Return the corners of a board that lie nearest to its origin and farthest from it."""
    edges = [numbers(line, end)[:2] for line in parts(tree, "gr_line") for end in ("start", "end")]
    return tuple(tuple(f(at[k] for at in edges) for k in (0, 1)) for f in (min, max))


class Copper:
    """The copper of a board, joined where it touches, and how near to each other what is not joined comes."""

    def __init__(self, content: str) -> None:
        tree = read_tree(content)
        self.all = list(shapes(tree))
        self.above = list(range(len(self.all)))
        near = [
            (i, j, apart)
            for i, one in enumerate(self.all)
            for j, other in enumerate(self.all[:i])
            if one[1] & other[1] and (apart := gap(one, other)) < 0.5
        ]
        for i, j, apart in near:
            if apart < 0:
                self.above[self.top(i)] = self.top(j)
        self.nearest = min(apart for i, j, apart in near if self.top(i) != self.top(j))
        self.low, self.high = outline(tree)

    def top(self, place: int) -> int:
        """Return the piece that stands for all that are joined with that one."""
        while self.above[place] != place:
            self.above[place] = self.above[self.above[place]]
            place = self.above[place]
        return place

    def nets(self) -> Nets:
        """Return which pads are joined; one that no copper reaches is in none."""
        found: dict[int, set[str]] = {}
        for place, shape in enumerate(self.all):
            if shape[0]:
                found.setdefault(self.top(place), set()).add(shape[0])
        return [frozenset(pads) for pads in found.values() if len(pads) > 1]

    def margin(self) -> float:
        """Return how near to the edge any copper comes."""
        return min(
            min(end[k] - half - self.low[k], self.high[k] - end[k] - half)
            for _, _, start, stop, half in self.all
            for end in (start, stop)
            for k in (0, 1)
        )


board_of = cache(lambda name: circuit(load_profile(name)))


def lone(board: Circuit) -> int:
    """Return how many nets have one pad: the free screw of an odd terminal has none."""
    return sum(len(pads) == 1 for pads in board.nets.values())


@cache
def committed(name: str) -> str:
    """Return the file of a kit as it lies in hardware/build, which another test holds to the generator."""
    return (FOLDER / name / "circuit.kicad_pcb").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "home4" else pytest.mark.heavy) for name in kits()]
)
def test_the_copper_of_each_kit_joins_what_its_wires_join_and_nothing_else(name: str) -> None:
    """From the file alone: pieces that touch are one, all others are 0.2 mm apart and 0.5 mm off the edge."""
    profile, board = load_profile(name), board_of(name)
    copper = Copper(committed(name))
    assert 0 == lone(board)
    assert [] == list(faults(profile, board, copper.nets()))
    assert copper.nearest >= 0.2 - 1e-6
    assert copper.margin() >= 0.5


@pytest.mark.parametrize(
    "profile",
    [
        Profile("one", "pi", Pins(noses=(5,))),
        Profile("lamps", "pi", Pins(noses=(5, 6, 12), lamps=(17, 27, 22), sync=26)),
        pytest.param(Profile("pico", "pico", Pins(noses=tuple(range(14)), sync=28)), marks=pytest.mark.heavy),
        Profile("docks", "pi", Pins(noses=(5, 6), docks=(13, 19), leds=Leds(10, 11, 8), buzzer=18)),
    ],
    ids=("one", "lamps", "pico", "docks"),
)
def test_a_profile_of_ones_own_gets_a_board_that_holds_as_well(profile: Profile) -> None:
    """An odd number of contacts, lamps on pins of their own, a Pico, a sync wire."""
    board = circuit(profile)
    copper = Copper(as_kicad(board))
    assert [] == list(faults(profile, board, copper.nets()))
    assert copper.nearest >= 0.2 - 1e-6


def test_the_boards_of_the_kits_on_a_pi_fit_the_box_beside_it() -> None:
    """The box leaves 67 mm between the Pi and the far posts, and 75 mm from post to post; 94 mm beside them.

    box_body.scad: 150 × 100 inside, the Pi's left edge at 6, posts of 9 mm at ± 67, ± 42.
    """
    corners = {name: outline(read_tree(committed(name))) for name in kits()}
    sizes = {
        name: tuple(round(high - low, 2) for low, high in zip(*both, strict=True))
        for name, both in corners.items()
    }
    assert {"home4": (48.26, 63.5), "home6": (48.26, 93.98), "home8": (71.12, 63.5)}.items() <= sizes.items()
    for name in ("home4", "home6", "home8"):
        width, height = sizes[name]
        beside_posts = -4 + width <= 67 - 4.5 and height <= 100 - 6
        between_posts = -4 + width <= 75 - 6 and height <= 2 * (42 - 4.5)
        assert beside_posts or between_posts, name
    assert all(width <= 150 - 2 * 9 and height <= 100 - 6 for width, height in sizes.values())


def test_a_board_that_is_wrong_is_found_out() -> None:
    """One mistake at a time: a track gone, a track too much, a wire to the wrong pin."""
    profile, board = load_profile("home4"), board_of("home4")
    cut = msgspec.structs.replace(board, tracks=board.tracks[1:])
    assert list(faults(profile, board, Copper(as_kicad(cut)).nets()))
    one = next(track for track in board.tracks if track.net == "nose.1")
    short = msgspec.structs.replace(one, start=(5.08, 8.0), end=(5.08, 55.0))
    joined = Copper(as_kicad(msgspec.structs.replace(board, tracks=(*board.tracks, short))))
    assert list(faults(profile, board, joined.nets()))
    moved = msgspec.structs.replace(profile, pins=msgspec.structs.replace(profile.pins, noses=(5, 6, 12, 16)))
    said = list(faults(moved, board, Copper(as_kicad(board)).nets()))
    assert ["home4: the wire for nose.4, from pin 36, ends nowhere."] == said


def test_the_table_names_every_part_once(tmp_path: Path) -> None:
    """As the command prints it; the drawing of it is KiCad's."""
    board = board_of("home4")
    rows = [[str(cell) for cell in row] for row in circuit_rows(board)]
    assert sorted(part.name for part in board.parts) == sorted(row[0] for row in rows)
    assert ["R2", "resistor 1 kΩ, ¼ W", "nose 1"] in rows
    assert ["J5", "screw terminal, three-way, 5.08 mm", "nose 1, ground, nose 2"] in rows
    assert ["J2", "pin header, 4 pins, 2.54 mm", "OLED: GND VCC SCL SDA"] in rows
    file = tmp_path / "mine.kicad_pcb"
    assert f"{file}\n" == lastnose("profiles", "wiring", "home4", "-o", str(file)).output
    assert committed("home4") == file.read_text(encoding="utf-8")
    refused = lastnose("profiles", "wiring", "home4", "--sheet", "circuit", "-o", str(tmp_path / "x.svg"))
    assert (2, True) == (refused.exit_code, ".kicad_pcb" in refused.output)


def test_what_is_not_soldered_has_no_printed_circuit() -> None:
    """A sentence says so."""
    with pytest.raises(BadInput, match="without soldering"):
        circuit(load_profile("home4-screws"))


def test_the_nets_that_kicad_exports_are_read_as_its_standard_says(tmp_path: Path) -> None:
    """IPC-D-356: net in columns 4 to 17, part 21 to 26, pin 28 to 31; vias and free pads are no ends."""
    line = "317{:<17}{:<6}-{:<4}  D0394PA00X+021685Y-022685X0669Y0000R000S0"
    content = "\n".join(
        [
            "P  CODE 00",
            line.format("NOSE.1", "J1", "29"),
            line.format("NOSE.1", "R2", "1"),
            line.format("N/C", "J1", "7"),
            line.format("NOSE.1", "VIA", "").replace("-", " ", 1),
            line.format("GND", "J1", "6"),
        ]
    )
    assert {frozenset(("J1-29", "R2-1")), frozenset(("J1-6",))} == set(read_ipc(content))
    assert judge(tmp_path)[0].endswith(f"is missing: say bash tools/circuit.sh {tmp_path}.")


@pytest.mark.heavy
def test_what_is_sent_to_a_maker_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    """A folder a kit, with the list of parts in each language."""
    (tmp_path / "home4").mkdir()
    (tmp_path / "home4" / "home4-F_Cu.gtl").write_text("G04*")
    one, two = (zip_circuits(tmp_path, tmp_path / name, ["home4"]).read_bytes() for name in ("1", "2"))
    assert one == two
    assert b"home4/parts-fr.md" in one
