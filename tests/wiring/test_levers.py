"""Without soldering: every wire followed from pin to contact to ground, as a continuity tester would."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastnose.companion.wiring.boards import LAYOUTS
from lastnose.companion.wiring.drawings.levers import (
    KINDS,
    Connection,
    connectors,
    input_sheets,
    input_table,
    joints,
    lever_picture,
    lever_rows,
)
from lastnose.companion.wiring.profile import Pins, Profile, built_in_profiles, load_profile

SCREWED = [name for name in built_in_profiles() if not load_profile(name).soldered]
Node = tuple[str, str]


def faults(profile: Profile, pieces: tuple[Connection, ...]) -> list[str]:
    """Return what is wrong with *pieces* for *profile*, a sentence each: it must be nothing.

    A connector is one piece of metal, a resistor parts two; screws and lugs are nodes of their own. What a
    contact must join is said by the profile and the board's layout alone.
    """
    ends = Counter(end for piece in pieces for end in piece.ends)
    said = [f"{end} holds {n} ends" for end, n in ends.items() if n > 1]
    said += [
        f"{end} is no hole"
        for end in ends
        if end.place == "lever" and not 1 <= end.hole <= (5 if end.name.startswith("G") else 2)
    ]
    net = _nets(pieces)
    layout = LAYOUTS[profile.board]
    grounds = {net[node] for node in net if node[0] == "screw" and layout[int(node[1]) - 1] == "GND"}
    through: dict[Node, set[Node]] = defaultdict(set)
    for piece in pieces:
        if piece.kind == "resistor":
            one, other = ((end.place, end.name) for end in piece.ends)
            through[net[one]].add(net[other])
    seen: set[Node] = set()
    for use, pin in profile.lines.items():
        screw = net.get(("screw", f"{layout.index(pin) + 1}"))
        signal, ground = net.get(("part", f"{use}/1")), net.get(("part", f"{use}/2"))
        if screw is None or through[screw] != {signal}:
            said.append(f"{use} is not behind its resistor")
        if ground not in grounds:
            said.append(f"{use} has no ground")
        if signal in grounds or signal in seen or screw in seen:
            said.append(f"{use} touches something else")
        seen |= {node for node in (signal, screw) if node is not None}
    return said


def _nets(pieces: tuple[Connection, ...]) -> dict[Node, Node]:
    """Return, of each screw, connector and lug, which net it is in."""
    above: dict[Node, Node] = {}

    def top(node: Node) -> Node:
        while above.setdefault(node, node) != node:
            node = above[node]
        return node

    for piece in pieces:
        nodes = [
            (end.place, f"{end.name}/{end.hole}" if end.place == "part" else end.name) for end in piece.ends
        ]
        tops = [top(node) for node in nodes]
        if piece.kind != "resistor":
            above[tops[0]] = tops[1]
    return {node: top(node) for node in above}


@pytest.mark.parametrize("name", SCREWED)
def test_every_contact_reaches_its_pin_and_ground_and_nothing_else(name: str) -> None:
    """For each kit without solder; and each has its soldered twin with the same pins."""
    profile = load_profile(name)
    assert [] == faults(profile, joints(profile))
    assert load_profile(name.removesuffix("-screws")).lines == profile.lines


@given(st.integers(1, 23))
def test_any_number_of_contacts_can_be_joined(count: int) -> None:
    """On a Pico, whose seven grounds are enough for all its pins."""
    profile = Profile("any", "pico", Pins(noses=tuple(range(count))), soldered=False)
    assert [] == faults(profile, joints(profile))


def test_a_piece_that_is_missing_or_misplaced_is_found_out() -> None:
    """One mistake at a time, as a person makes them."""
    profile = load_profile("home4-screws")
    pieces = joints(profile)
    contacts = [at for at, piece in enumerate(pieces) if piece.kind != "display"]
    for at in contacts:
        assert faults(profile, pieces[:at] + pieces[at + 1 :]), pieces[at]
        for other in contacts:
            if pieces[other].kind == pieces[at].kind and pieces[other].use != pieces[at].use:
                swapped = msgspec.structs.replace(
                    pieces[at], ends=(pieces[at].ends[0], pieces[other].ends[1])
                )
                assert faults(profile, (*pieces[:at], swapped, *pieces[at + 1 :])), swapped


def test_home4_takes_what_was_counted_by_hand() -> None:
    """Eight contacts: 2 ground wires, 8 resistors, 16 wires of cables, 16 leads, 4 leads of the OLED."""
    profile = load_profile("home4-screws")
    kinds = Counter(piece.kind for piece in joints(profile))
    assert {"ground": 2, "resistor": 8, "cable": 16, "lead": 16, "display": 4} == kinds
    assert (24, 2) == connectors(profile)
    rows = [[str(cell) for cell in row] for row in lever_rows(profile)]
    assert ["1", "black wire 0.5 mm², 15 cm", "ground", "screw 39 (GND)", "connector G1, hole 1"] == rows[0]
    assert ["3", "1 kΩ", "nose 1", "screw 29 (GPIO5)", "connector 1, hole 1"] == rows[2]
    assert ["28", "lead", "nose 1", "connector 1b, hole 2", "NO"] == rows[27]
    assert ["46", "lead", "OLED: GND", "screw 9 (GND)", "OLED: GND"] == rows[-1]


@pytest.mark.parametrize("name", SCREWED)
def test_the_drawing_shows_every_piece(name: str) -> None:
    """A wire is drawn as two strokes at least, and each screw and connector is named; step by step more."""
    profile = load_profile(name)
    (page,) = input_sheets(profile, str)
    for number in range(1, len(profile.lines) + 1):
        for label in (f">{number}<", f">{number}a<", f">{number}b<"):
            assert label in page
    assert len(joints(profile)) == len(input_table(profile)[1])
    grown = [len(lever_picture(profile, str, KINDS[: n + 1])) for n in range(4)]
    assert sorted(set(grown)) == grown


@pytest.mark.parametrize("key", ["leds", "lamps", "buzzer", "sync"])
def test_what_wants_a_soldering_iron_is_refused_without(key: str) -> None:
    """By name, and with what to do."""
    more = {"lamps": (17,), "buzzer": 18, "sync": 28}
    pins = Pins(noses=(5,), **{key: more[key]}) if key in more else None
    if pins is None:
        pins = msgspec.structs.replace(load_profile("home4").pins, buzzer=None)
    said = " ".join(map(str, Profile("mine", "pi", pins, soldered=False).problems()))
    assert f"pins.{key} wants a soldering iron, and soldered is false: leave one of them out." in said
