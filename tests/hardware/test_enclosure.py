"""Printed parts: watertight, on the bed, thick enough, with 2 mm over the reed, and pictured as they are."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from tools.enclosure import PARTS, PICTURES, PRINTED, SOURCES, faults, fingerprint, misfits, stl
from tools.mesh import Triangle, crossings, open_edges, read_stl, size, thicknesses, volume

FLOOR_MM = 2.0
no_openscad = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="openscad is missing: sudo apt install openscad"
)


def needs_openscad(test: Callable[..., None]) -> Callable[..., None]:
    """Mark *test*: it makes the parts again, which takes long."""
    return pytest.mark.heavy(no_openscad(test))


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Triangle]]:
    """Every printed part as triangles, made once."""
    folder = tmp_path_factory.mktemp("stl")
    with ThreadPoolExecutor(2) as pool:
        return dict(
            zip(PRINTED, map(read_stl, pool.map(lambda name: stl(name, folder), PRINTED)), strict=True)
        )


def cube(low: float, high: float) -> list[Triangle]:
    """Return a cube between two numbers on every axis."""
    quads = []
    for axis in range(3):
        for side, order in ((low, (0, 1, 2, 3)), (high, (3, 2, 1, 0))):
            ring = [(low, low), (low, high), (high, high), (high, low)]
            quad = [(u, v) for u, v in (ring[place] for place in order)]
            corners = [(*pair[:axis], side, *pair[axis:]) for pair in quad]
            if axis == 1:
                corners.reverse()
            quads.append(corners)
    return [(q[0], q[place], q[place + 1]) for q in quads for place in (1, 2)]  # type: ignore[misc]


def test_a_cube_is_whole_and_has_its_measures() -> None:
    """10 mm a side: 1,000 mm³, 10 mm thick everywhere; with a hole in it it leaks."""
    whole = cube(0, 10)
    assert (0, (10, 10, 10), 1000) == (open_edges(whole), size(whole), pytest.approx(volume(whole)))
    assert {10.0} == {thickness for thickness, _ in thicknesses(whole)}
    assert 3 == open_edges(whole[1:])


def test_a_thin_wall_is_found() -> None:
    """A cube with a cube taken out of it has walls of 1 mm."""
    inner = [(a, c, b) for a, b, c in cube(1, 9)]
    assert 1.0 == min(thickness for thickness, _ in thicknesses([*cube(0, 10), *inner]))


@needs_openscad
@pytest.mark.parametrize("name", PRINTED)
def test_every_part_can_be_printed(parts: dict[str, list[Triangle]], name: str) -> None:
    """Watertight, right side out, on the bed of 220 mm, three lines of a 0.4 mm nozzle thick at least."""
    assert len(parts[name]) > 100
    assert len(list(thicknesses(parts[name]))) > 20
    assert [] == list(faults(name, parts[name]))


@needs_openscad
def test_the_parts_go_together_and_one_that_does_not_is_named(parts: dict[str, list[Triangle]]) -> None:
    """Each in place of another, as if its source had been broken."""
    assert [] == list(misfits(parts))
    for name, other in (
        ("box-body", "pod-base"),
        ("box-lid", "pod-base"),
        ("spoon-cradle-door", "box-lid"),
        ("pod-base", "box-body"),
        ("nose-pod-28", "box-body"),
    ):
        assert any(name in said for said in misfits(parts | {name: parts[other]})), name


def test_a_part_that_cannot_be_printed_is_named() -> None:
    """One that leaks, one inside out, one too large, one in the air, one of thin walls: a sentence each."""
    said = {
        "leaks": "not watertight: 3 edges",
        "turned": "inside out",
        "large": "bed of 220 mm",
        "high": "does not lie on the bed",
        "thin": "a wall of 1.00 mm",
    }
    inner = [(a, c, b) for a, b, c in cube(1, 19)]
    made = {
        "leaks": cube(0, 20)[1:],
        "turned": [(a, c, b) for a, b, c in cube(0, 20)],
        "large": cube(0, 221),
        "high": cube(1, 21),
        "thin": [*cube(0, 20), *inner],
    }
    assert [] == list(faults("good", cube(0, 20)))
    for name, part in made.items():
        assert any(said[name] in fault for fault in faults(name, part)), name


@needs_openscad
def test_reed_has_two_millimetres_of_floor_over_it(parts: dict[str, list[Triangle]]) -> None:
    """Straight up through the middle of the slot: out of the slot, through the floor, into the trough."""
    for name in ("spoon-cradle", "spoon-cradle-door"):
        roof, trough, *more = crossings(parts[name], (-2.0, 0.3, -5.0), (0.0, 0.0, 1.0))
        assert [] == more
        assert FLOOR_MM <= trough - roof < FLOOR_MM + 1


@needs_openscad
def test_a_door_contact_has_its_room(parts: dict[str, list[Triangle]]) -> None:
    """27 by 14 mm and 8 mm high: 9 mm up at each of its corners, and a little beyond, there is nothing."""
    for x in (-14.0, 14.0):
        for y in (-7.2, 7.2):
            assert 9 <= crossings(parts["spoon-cradle-door"], (x, y, -5.0), (0.0, 0.0, 1.0))[0] - 5


@needs_openscad
@pytest.mark.parametrize("name", ["spoon-cradle", "spoon-cradle-door"])
def test_a_cradle_is_screwed_on_where_the_booklet_says(parts: dict[str, list[Triangle]], name: str) -> None:
    """14 mm from an end each: one in the middle, two 14 mm beside it; 6 of 10 mm go in."""
    end = size(parts[name])[0] / 2
    for x, y in ((14 - end, 0.0), (end - 14, 14.0), (end - 14, -14.0)):
        assert 6 < crossings(parts[name], (x + 0.1, y + 0.1, -5.0), (0.0, 0.0, 1.0))[0] - 5
    assert 5 > crossings(parts[name], (end - 4, 14.0, -5.0), (0.0, 0.0, 1.0))[0] - 1, "there is no hole"


@needs_openscad
@pytest.mark.parametrize(("name", "button"), [("nose-pod-28", 28), ("nose-pod-30", 30)])
def test_pod_has_the_hole_that_its_button_needs(
    parts: dict[str, list[Triangle]], name: str, button: float
) -> None:
    """Across the panel at half its height: the button's size and a little room."""
    outer, hole = crossings(parts[name], (-50.0, 0.2, 1.4), (1.0, 0.0, 0.0))[:2]
    assert 18 == pytest.approx(outer, abs=0.1), "the pod's side is 32 mm from its middle"
    assert button <= 2 * (50 - hole) <= button + 0.5


@needs_openscad
def test_the_lid_closes_the_body(parts: dict[str, list[Triangle]]) -> None:
    """As large outside; under each of its holes a post that ends 6.3 mm below the rim, with its own hole.

    The lid's lip is 6 mm deep, so 0.3 mm stay. Rim: 2.4 mm of floor and 60 mm. Of the lid's 9 mm a screw's
    head has 4.4 for itself, so that of 10 mm of screw 10 − 4.6 − 0.3 = 5.1 are in the post.
    """
    assert size(parts["box-lid"])[:2] == pytest.approx(size(parts["box-body"])[:2])
    for x in (-67.0, 67.0):
        for y in (-42.0, 42.0):
            assert [] == crossings(parts["box-lid"], (x + 0.1, y + 0.1, 20.0), (0.0, 0.0, -1.0))
            seat = crossings(parts["box-lid"], (x + 2.9, y + 0.1, -1.0), (0.0, 0.0, 1.0))[0] - 1
            assert 4.4 <= seat < 4.4 + 1.6
            post = crossings(parts["box-body"], (x + 2.9, y + 0.1, 80.0), (0.0, 0.0, -1.0))[0]
            hole = crossings(parts["box-body"], (x + 0.1, y + 0.1, 80.0), (0.0, 0.0, -1.0))[0]
            assert (80 - (62.4 - 6.3), 80 - (62.4 - 20)) == pytest.approx((post, hole))


@needs_openscad
def test_the_host_button_ends_above_the_strip_board(parts: dict[str, list[Triangle]]) -> None:
    """It is 40 mm deep from the lid's outside, 3 mm thick; on its foam the board has terminals of 18 mm."""
    rim, floor = size(parts["box-body"])[2], 2.4
    assert rim + 3 - 40 >= floor + 18


@needs_openscad
def test_a_pi_lies_on_its_posts_and_nothing_else_stands_under_it(parts: dict[str, list[Triangle]]) -> None:
    """Its holes are 49 by 58 mm apart, 3.5 mm from its edges; beside them the floor is free."""
    corner, floor, post = (6.0, -38.5), 60 - 2.4, 60 - 7.4
    for dx in (3.5, 52.5):
        for dy in (3.5, 61.5):
            at = (corner[0] + dx + 2.0, corner[1] + dy + 0.1, 60.0)
            assert post == pytest.approx(crossings(parts["box-body"], at, (0.0, 0.0, -1.0))[0], abs=0.02)
    for dx in (0.2, 14.0, 28.0, 42.0, 55.8):
        for dy in (0.2, 20.0, 40.0, 50.0, 84.8):
            at = (corner[0] + dx, corner[1] + dy, 60.0)
            assert floor == pytest.approx(crossings(parts["box-body"], at, (0.0, 0.0, -1.0))[0])


@needs_openscad
def test_the_pi_s_sockets_look_out_of_the_box(parts: dict[str, list[Triangle]]) -> None:
    """Parts up and its USB sockets to the back, a Pi has its power to the right: there the walls are open.

    Of a Pi 4 the sockets' middles are 11.2, 26, 39.5 and 54 mm from the edge with the card, those behind 9,
    27 and 45.75 mm from the edge with the power. 12 mm above the floor the other walls are closed.
    """
    body, right, back, high = parts["box-body"], 6.0 + 56, -38.5, 2.4 + 12
    for along in (11.2, 26.0, 39.5, 54.0):
        assert [] == crossings(body, (right, back + along, high), (1.0, 0.0, 0.0))
        assert crossings(body, (0.0, back + along, high), (-1.0, 0.0, 0.0))
    for along in (9.0, 27.0, 45.75):
        assert [] == crossings(body, (right - along, 0.3, high), (0.0, 1.0, 0.0))
        assert crossings(body, (right - along, 0.3, high), (0.0, -1.0, 0.0))


@needs_openscad
@pytest.mark.parametrize("name", ["pod-base", "pod-base-flange"])
def test_the_pod_s_screws_go_through_its_base(parts: dict[str, list[Triangle]], name: str) -> None:
    """27 mm from its middle each way: the base is open there, and the pod has its pilot holes."""
    for x in (-27.0, 27.0):
        for y in (-27.0, 27.0):
            assert [] == crossings(parts[name], (x + 0.1, y + 0.1, 20.0), (0.0, 0.0, -1.0))
            deep = crossings(parts["nose-pod-30"], (x + 0.1, y + 0.1, 60.0), (0.0, 0.0, -1.0))[0]
            assert 60 - 3 == pytest.approx(deep, abs=0.01), "open from the rim down to the panel"


@needs_openscad
@pytest.mark.parametrize(
    ("source", "setting"),
    [
        ("box_body", "height=30"),
        ("pod_base", "flange=5"),
        ("spoon_cradle", "floor_over_reed=1.5"),
        ("nose_pod", "button=24"),
    ],
)
def test_a_part_that_could_not_work_is_refused(tmp_path: Path, source: str, setting: str) -> None:
    """The source says why itself."""
    refused = subprocess.run(
        ["openscad", "-D", setting, "-o", str(tmp_path / "x.stl"), f"{SOURCES / source}.scad"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 != refused.returncode
    assert "Assertion" in refused.stderr


@pytest.mark.parametrize("name", PARTS)
def test_every_part_has_its_picture(name: str) -> None:
    """And something is on it."""
    with Image.open(PICTURES / f"{name}.png") as picture:
        assert len(picture.convert("RGB").getcolors(maxcolors=1 << 20) or ()) > 3


def test_pictures_are_of_these_sources() -> None:
    """`make prints` draws them again."""
    assert fingerprint() == (PICTURES / "drawn-from").read_text(encoding="ascii")
