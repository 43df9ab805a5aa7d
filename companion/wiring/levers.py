"""The way without soldering, from the profile: which end goes into which screw, lever connector and lug.

Each contact has a two-way connector in the box, `3`, between the 1 kΩ in the pin's screw and its cable, and
two more where the cable ends, `3a` and `3b`, for the leads of button or door contact. Grounds meet in
five-way connectors, `G1` and so on: one hole is for the wire to the board, four are for contacts. That every
contact is joined to its pin and to ground, and to nothing else, proves `tests/wiring/test_levers.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from companion.core.text import Text, text
from companion.wiring.boards import LAYOUTS, Board, pin_name
from companion.wiring.profile import Profile
from companion.wiring.wires import CONTACTS_A_CONNECTOR, Wire, part_of, wires

Kind = Literal["ground", "resistor", "cable", "lead", "display"]


class End(NamedTuple):
    """Where an end goes: a `screw` or a `pin` of a board, a hole of a `lever`, a lug of a `part`."""

    place: Literal["screw", "pin", "lever", "part"]
    name: str
    hole: int = 1


class Joined(msgspec.Struct, frozen=True):
    """A piece with two ends and what it is for: a `ground` wire, a `resistor`, a `cable`'s wire, a `lead`.

    `black`: of the two wires of a cable, and of the two leads of a part, the one to ground.
    """

    kind: Kind
    use: str
    ends: tuple[End, End]
    black: bool = False


def connectors(profile: Profile) -> tuple[int, int]:
    """Return how many two-way and five-way lever connectors *profile* takes.

    >>> from companion.wiring.profile import load_profile
    >>> connectors(load_profile("home4-screws")), connectors(load_profile("pico-party-screws"))
    ((24, 2), (75, 7))
    """
    count = len(profile.lines)
    return 3 * count, -(-count // CONTACTS_A_CONNECTOR)


def joints(profile: Profile) -> tuple[Joined, ...]:
    """Return every piece, in the order in which it is put in: grounds, resistors, cables, leads, display."""
    found = wires(profile)
    signals = [wire for wire in found if wire.use in profile.lines]
    return (
        *_grounds([wire for wire in found if wire.use == "ground"]),
        *(_resistor(wire, f"{number}") for number, wire in enumerate(signals, start=1)),
        *(piece for number, wire in enumerate(signals, start=1) for piece in _cable(wire.use, number)),
        *(piece for number, wire in enumerate(signals, start=1) for piece in _leads(wire.use, f"{number}")),
        *_display(profile, [wire for wire in found if wire.use.startswith("oled ")]),
    )


def _screw(wire: Wire) -> End:
    return End("screw", f"{wire.physical}")


def _grounds(found: list[Wire]) -> Iterator[Joined]:
    for number, wire in enumerate(found, start=1):
        yield Joined("ground", "ground", (_screw(wire), End("lever", f"G{number}")), black=True)


def _resistor(wire: Wire, number: str) -> Joined:
    return Joined("resistor", wire.use, (_screw(wire), End("lever", number)))


def _cable(use: str, number: int) -> Iterator[Joined]:
    """Yield the two wires of a contact's cable: from its resistor, and from ground."""
    meets, place = divmod(number - 1, CONTACTS_A_CONNECTOR)
    yield Joined("cable", use, (End("lever", f"{number}", 2), End("lever", f"{number}a")))
    ground = End("lever", f"G{meets + 1}", place + 2)
    yield Joined("cable", use, (ground, End("lever", f"{number}b")), black=True)


def _leads(use: str, number: str) -> Iterator[Joined]:
    yield Joined("lead", use, (End("lever", f"{number}a", 2), End("part", use, 1)))
    yield Joined("lead", use, (End("lever", f"{number}b", 2), End("part", use, 2)), black=True)


def _display(profile: Profile, found: list[Wire]) -> Iterator[Joined]:
    """Yield the leads of the display: under screws, or on the pins of a Pi that has no screw terminals."""
    for wire in found:
        begin = End("screw" if profile.board == "pi" else "pin", f"{wire.physical}")
        yield Joined("display", wire.use, (begin, End("part", wire.use)), black=wire.use == "oled GND")


# ---- In words: what is to be done, piece by piece.

HEADINGS = (text("step"), text("piece"), text("for"), text("from"), text("to"))


def lever_rows(profile: Profile) -> list[tuple[Text | str, ...]]:
    """Return what to do, piece by piece, in the order of HEADINGS."""
    by_use = {wire.use: wire for wire in wires(profile)}
    return [
        (
            f"{step}",
            _piece(piece, by_use),
            text("ground") if piece.use == "ground" else _part(piece.use, by_use),
            *(end_name(end, piece, profile) for end in piece.ends),
        )
        for step, piece in enumerate(joints(profile), start=1)
    ]


def _part(use: str, by_use: dict[str, Wire]) -> Text:
    return by_use[use].to if use in by_use else part_of(use)


def _piece(piece: Joined, by_use: dict[str, Wire]) -> Text:
    match piece.kind:
        case "ground":
            return text("black wire, 15 cm")
        case "resistor":
            return text("1 kΩ")
        case "cable" if piece.black:
            return text("wire of its cable: black")
        case "cable":
            return text("wire of its cable: {colour}", colour=by_use[piece.use].colour.name)
        case "lead":
            return text("lead of the button") if _is_button(piece.use) else text("lead of the door contact")
    return text("lead of the OLED")


def _is_button(use: str) -> bool:
    return use.startswith(("nose.", "host"))


def end_name(end: End, piece: Joined, profile: Profile) -> Text:
    """Return where an end goes, as a builder reads it."""
    match end.place:
        case "lever":
            return text("connector {name}, hole {n}", name=end.name, n=end.hole)
        case "screw":
            return text("screw {n} ({name})", n=end.name, name=printed(end, profile.board))
        case "pin":
            return text("pin {n} of the Pi ({name})", n=end.name, name=printed(end, "pi"))
    if piece.kind == "display":
        return text("its pin {name}", name=end.name.removeprefix("oled "))
    if _is_button(end.name):
        return text("lug COM") if end.hole == 1 else text("lug NO")
    return text("one of its two leads") if end.hole == 1 else text("the other of its two leads")


def printed(end: End, board: Board) -> str:
    """Return what stands at a screw or pin: `GPIO5`, `GND`."""
    what = LAYOUTS[board][int(end.name) - 1]
    return pin_name(board, what) if isinstance(what, int) else what
