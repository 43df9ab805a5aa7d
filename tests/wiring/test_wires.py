"""Wires: each pin has one, no two colours are alike, the tables say it, and the generated files are fresh."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result
from lastnose.companion.wiring.bom import bill
from lastnose.companion.wiring.drawings.sheets import sheets
from lastnose.companion.wiring.profile import built_in_profiles, load_profile
from lastnose.companion.wiring.wires import colour_of, wires

from tests.support.commands import lastnose
from tests.support.profiles import read_profile
from tools.build_files import stale

SUPPLIES = {"3V3", "5V", "ground", "oled VCC", "oled GND"}
KITS = [name for name in built_in_profiles() if name != "mock"]


def run(*words: str) -> Result:
    """Run `lastnose` with *words*, in English."""
    return lastnose(*words)


@pytest.mark.parametrize("name", KITS)
def test_every_pin_of_the_profile_has_one_wire(name: str) -> None:
    """And no pin of a board has two."""
    profile = load_profile(name)
    found = wires(profile)
    places = [(wire.board, wire.physical) for wire in found]
    assert len(places) == len(set(places))
    assert {use.name for use in profile.uses()} == {wire.use for wire in found} - SUPPLIES


@pytest.mark.parametrize("name", KITS)
def test_no_two_wires_of_a_board_are_coloured_alike_but_supplies(name: str) -> None:
    """A wire can be found by its colour; red and black are kept for power and ground."""
    signals = [wire for wire in wires(load_profile(name)) if wire.use not in SUPPLIES]
    colours = [(wire.board, str(wire.colour.name)) for wire in signals]
    assert len(colours) == len(set(colours))
    assert not {"red", "black"} & {colour for _, colour in colours}


OWN = """
name = "own"
board = "pi"
[pins]
noses = [5, 6, 12, 13, 19, 16, 26, 20, 21]
lamps = [17, 27, 22, 23, 24, 25, 9, 10, 11]
buzzer = 18
host = 8
[oled]
driver = "ssd1306"
"""


def test_lamps_on_pins_of_their_own_are_wired_through_a_driver_and_bought() -> None:
    """Nine lamps: two ULN2803A and no register; a wire of its own colour each; 5 V for the lamps."""
    own = read_profile(OWN, "own.toml")
    found = {wire.use: wire for wire in wires(own)}
    assert {"ULN2803A"} == {str(found[f"lamp.{n}"].through) for n in range(1, 10)}
    assert ("orange/turquoise", "lamp 2") == (
        str(found["lamp.2"].colour.name),
        str(found["lamp.2"].to),
    )
    signals = [wire for use, wire in found.items() if use not in ("3V3", "5V", "ground")]
    assert len(signals) == len({str(wire.colour.name) for wire in signals})
    assert "5V" in found
    bought = {str(item.part).split(",")[0]: item.needed for item in bill(own)}
    assert (9, 2, 10) == tuple(bought[part] for part in ("lamp: LED", "ULN2803A", "resistor 220 Ω"))
    assert not any("74HC595" in part for part in bought)
    drawn = "".join(sheets(own, str))
    assert "9 lamps on 2 × ULN2803A" in drawn
    # Each pin stands at the header and at its wire, those of the first driver beside that as well.
    assert [*[3] * 8, 2] == [drawn.count(f">GPIO{pin}<") for pin in own.pins.lamps]
    assert "74HC595" not in drawn


def test_after_thirteen_the_colours_begin_again() -> None:
    """A table of twenty noses has seven colours twice."""
    assert colour_of("nose.1") == colour_of("nose.14")
    assert "red" == str(colour_of("dock.1").name).split("/")[-1]


def test_a_mock_has_no_wires() -> None:
    """It exists only in memory."""
    assert () == wires(load_profile("mock:4"))


def test_docks_are_wired_too() -> None:
    """A profile with docks gets a wire for each."""
    toml = 'name="d"\nboard="pi"\n[pins]\nnoses=[5, 6]\ndocks=[12, 13]\n'
    docks = [wire for wire in wires(read_profile(toml, "d.toml")) if wire.use.startswith("dock.")]
    assert [32, 33] == [wire.physical for wire in docks]


def test_command_prints_the_table_or_writes_the_files(tmp_path: Path) -> None:
    """The second page of a big table is called after the first."""
    heading, first, *_ = run("profiles", "wiring", "home4").stdout.splitlines()
    assert ["board", "pin", "name", "wire", "goes", "to", "through"] == heading.split()
    assert first.startswith("Raspberry Pi  29   GPIO5   brown")
    for name in ("a.svg", "b.md", "c.csv"):
        assert 0 == run("profiles", "wiring", "pico-party", "-o", str(tmp_path / name)).exit_code
    assert (
        0 == run("profiles", "wiring", "home4", "--sheet", "channel", "-o", str(tmp_path / "d.svg")).exit_code
    )
    for name in ("e.svg", "e.md"):
        assert (
            0
            == run(
                "profiles", "wiring", "pico-party", "--sheet", "board", "-o", str(tmp_path / name)
            ).exit_code
        )
    assert "B6 – B10" in (tmp_path / "e.md").read_text(encoding="utf-8")
    assert ["a-2.svg", "a.svg", "b.md", "c.csv", "d.svg", "e-2.svg", "e.md", "e.svg"] == sorted(
        path.name for path in tmp_path.iterdir()
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["home4", "-o", "x.pdf"],
            "x.pdf: Draw a profile’s wiring (.svg), tabulate it (.md, .csv), write a booklet",
        ),
        (["home4", "--sheet", "channel", "-o", "x.csv"], "x.csv: Draw a profile’s wiring (.svg)"),
        (
            ["mock:4", "--sheet", "board", "-o", "x.svg"],
            "mock:4 exists only in memory: there is nothing to wire.",
        ),
        (["mock:4", "-o", "x.svg"], "mock:4 exists only in memory: there is nothing to wire."),
        (["mock:4", "-o", "x.csv"], "mock:4 exists only in memory: there is nothing to wire."),
        (["mock"], "mock exists only in memory: there is nothing to wire."),
        (["mock", "--json"], "mock exists only in memory: there is nothing to wire."),
        (["home4", "-o", "no/such/folder.svg"], "cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(words: list[str], sentence: str) -> None:
    """Status 2, and nothing is written."""
    result = run("profiles", "wiring", *words)
    assert (2, "") == (result.exit_code, result.stdout)
    assert sentence in result.stderr


def test_nothing_is_to_be_bought_for_noses_in_memory() -> None:
    """No Raspberry Pi, and no 28 buttons."""
    result = run("profiles", "bom", "mock")
    assert (2, "") == (result.exit_code, result.stdout)
    assert "mock exists only in memory: there is nothing to wire." in result.stderr


@pytest.mark.parametrize("circuits", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_generated_files_are_fresh(circuits: bool) -> None:
    """`make drawings` renews hardware/build after a change of profile or drawing; look at it."""
    assert [] == stale(circuits=circuits)
