"""The strip board of the input channels, drawn from the profile: what goes into which hole.

Strips run from left to right and have a letter each, from the top; holes count along them from 1. Two
contacts share a three-way screw terminal of 5.08 mm: one, ground, the other, so every second strip. Between
a contact and its pin lies 1 kΩ over a cut. The strips between two terminals carry 3.3 V behind a cut, for
pull-ups on long cables. Past twelve contacts a second column stands mirrored beside the first, past
twenty-four there is another board. That nets are whole, and apart, proves for any number
`tests/wiring/test_stripboard.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from companion.wiring.profile import Profile

PITCH_MM = 2.54
STRIPS_A_TERMINAL, CONTACTS_A_COLUMN, COLUMNS_A_BOARD = 6, 12, 2
WIDTH, MIDDLE = 20, 8  # holes of one column, and between two
SCREW, ONE_KILOHM, CUT, CAPACITOR, PULL_UP, LEAD = 2, (6, 10), 8, 12, 13, 19
LINKS: Mapping[str, tuple[int, int]] = {"ground": (15, 16), "3V3": (17, 18)}  # in turn: one wire a hole
_OFFSETS = (1, 5)  # of the strips of a terminal's contacts; ground is between them, at 3


class Hole(NamedTuple):
    """A hole: its strip from the top, and its place along it, both from 1."""

    strip: int
    place: int

    @property
    def name(self) -> str:
        """How people call it.

        >>> Hole(3, 15).name, Hole(27, 2).name
        ('C15', 'AA2')
        """
        return f"{strip_name(self.strip)}{self.place}"


def strip_name(strip: int) -> str:
    """Return the letters of a strip: A to Z, then AA, AB and so on."""
    rounds, letter = divmod(strip - 1, 26)
    return ("" if rounds == 0 else chr(64 + rounds)) + chr(65 + letter)


class Soldered(msgspec.Struct, frozen=True):
    """A part on the board: its kind, what it is for (`nose.3`, `ground`, `3V3`), a hole for each end.

    Kinds: `terminal` (its ends are a contact, ground, the other contact), `resistor` (1 kΩ), `link` (wire),
    `lead` (to the pin), and for long cables `pull-up` (4.7 kΩ) and `capacitor` (1 nF).
    """

    kind: str
    use: str
    holes: tuple[Hole, ...]
    uses: tuple[str, ...] = ()  # of a terminal's ends

    @property
    def optional(self) -> bool:
        """Whether it may be left out, on every channel alike."""
        return self.kind in ("pull-up", "capacitor") or self.use == "3V3"


class StripBoard(msgspec.Struct, frozen=True):
    """A board: how many strips and holes it has, where strips are cut, what is soldered in."""

    strips: int
    places: int
    cuts: tuple[Hole, ...]
    parts: tuple[Soldered, ...]

    @property
    def size_mm(self) -> tuple[int, int]:
        """Width and height to saw, in whole millimetres, rounded up."""
        return -int(-self.places * PITCH_MM // 1), -int(-self.strips * PITCH_MM // 1)


def strip_boards(profile: Profile) -> tuple[StripBoard, ...]:
    """Return the boards for the contacts of *profile*, in the order of its lines.

    >>> from companion.wiring.profile import load_profile
    >>> [(board.strips, board.places, board.size_mm) for board in strip_boards(load_profile("home6"))]
    [(37, 20, (51, 94))]
    """
    uses = tuple(profile.lines)
    count = -(-len(uses) // (CONTACTS_A_COLUMN * COLUMNS_A_BOARD))
    size = -(-len(uses) // max(count, 1))
    return tuple(_board(uses[at : at + size]) for at in range(0, len(uses), max(size, 1)))


def _board(uses: tuple[str, ...]) -> StripBoard:
    columns = 1 if len(uses) <= CONTACTS_A_COLUMN else COLUMNS_A_BOARD
    terminals = -(-len(uses) // (2 * columns))
    places = columns * WIDTH + (columns - 1) * MIDDLE
    share = 2 * terminals
    cuts: list[Hole] = []
    parts: list[Soldered] = []
    for column in range(columns):
        some = uses[column * share : (column + 1) * share]
        found_cuts, found = _column(some, 1 + column * terminals, first=column == 0)
        turned = places + 1 if column else 0
        cuts += (_turned(hole, turned) for hole in found_cuts)
        parts += (
            msgspec.structs.replace(part, holes=tuple(_turned(hole, turned) for hole in part.holes))
            for part in found
        )
    strips = terminals * STRIPS_A_TERMINAL + 1
    if columns > 1:  # what two columns share of a strip is parted between them, but for ground and 3.3 V
        shared = {strip for strip in range(1, strips + 1) if (strip - 1) % STRIPS_A_TERMINAL in _OFFSETS}
        cuts += (Hole(strip, WIDTH + MIDDLE // 2) for strip in sorted(shared))
    return StripBoard(strips, places, tuple(cuts), tuple(parts))


def _turned(hole: Hole, mirror: int) -> Hole:
    return Hole(hole.strip, mirror - hole.place) if mirror else hole


def _column(uses: tuple[str, ...], terminal: int, *, first: bool) -> tuple[list[Hole], list[Soldered]]:
    """Return cuts and parts of one column, its terminals at the left."""
    terminals = -(-len(uses) // 2)
    parts: list[Soldered] = []
    cuts = [Hole(1 + STRIPS_A_TERMINAL * number, CUT) for number in range(terminals + 1)]
    for number in range(terminals):
        top = 1 + STRIPS_A_TERMINAL * number
        pair = uses[2 * number : 2 * number + 2]
        ends = (pair[0], "ground", pair[1] if len(pair) > 1 else "")
        strips = (top + _OFFSETS[0], top + 3, top + _OFFSETS[1])
        parts.append(
            Soldered("terminal", f"{terminal + number}", tuple(Hole(strip, SCREW) for strip in strips), ends)
        )
        for use, strip, power in zip(pair, strips[::2], (top, top + STRIPS_A_TERMINAL), strict=False):
            cuts.append(Hole(strip, CUT))
            second = strip < power  # of its terminal: it takes the next place on the strips that both use
            parts += (
                Soldered("resistor", use, (Hole(strip, ONE_KILOHM[0]), Hole(strip, ONE_KILOHM[1]))),
                Soldered(
                    "capacitor", use, (Hole(strip, CAPACITOR - second), Hole(top + 3, CAPACITOR - second))
                ),
                Soldered("pull-up", use, (Hole(strip, PULL_UP + second), Hole(power, PULL_UP + second))),
                Soldered("lead", use, (Hole(strip, LEAD),)),
            )
    for use, at in (("ground", 4), ("3V3", 1)):
        last = terminals if use == "3V3" else terminals - 1
        if not first:  # its strips of ground and 3.3 V are those of the first column
            continue
        parts.append(Soldered("lead", use, (Hole(at, LEAD),)))
        for number in range(last):
            place = LINKS[use][number % 2]
            here = at + STRIPS_A_TERMINAL * number
            parts.append(Soldered("link", use, (Hole(here, place), Hole(here + STRIPS_A_TERMINAL, place))))
    return sorted(cuts), parts
