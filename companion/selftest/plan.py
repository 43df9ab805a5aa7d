"""What a self-test has to go through: every contact of the profiles, where its wire is, and the outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.model import rest_level
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.boards import (
    CONSOLE,
    EEPROM,
    FIXED_PULL_UPS,
    LAYOUTS,
    Board,
    physical_pin,
    pin_name,
)
from lastnose.companion.wiring.profile import Profile, ProfileTiming
from lastnose.companion.wiring.wires import Colour, colour_of, part_of

SPARE = "spare."
SPI_PINS = (7, 8, 9, 10, 11)


class Contact(msgspec.Struct, frozen=True):
    """A line to test: its name (`nose.3`), its pin (GPIO12), that and where it is on the board, its wire.

    A spare one (`spare.14`) is a pin on which nothing should be: a wire that went there is found.
    """

    line: str
    label: Text
    pin: str
    where: Text
    colour: Colour | None = None

    @property
    def rest(self) -> int:
        """The level at which it rests: noses open, spoons and docks closed."""
        return rest_level(self.line)

    @property
    def kind(self) -> str:
        """What it is: nose, spoon, dock, host or spare."""
        return self.line.partition(".")[0]


class TestPlan(msgspec.Struct, frozen=True):
    """A self-test. `tied` are two lines on one wire; `wired` is an output pin and the lines it goes to.

    The output makes so many `changes`. `measured_only`: contacts, lamps, screen and sounds are left out.
    """

    profile: str
    contacts: tuple[Contact, ...]
    spares: tuple[Contact, ...] = ()
    timing: ProfileTiming = ProfileTiming()
    lamps: int = 0
    screen: bool = False
    buzzer: bool = False
    tied: tuple[str, str] | None = None
    wired: tuple[int, tuple[str, ...]] | None = None
    changes: int = 1_000
    measured_only: bool = False

    def find(self, line: str) -> Contact:
        """Return the contact of *line*; raise KeyError when there is none."""
        return self.lines[line]

    @property
    def lines(self) -> dict[str, Contact]:
        """Every line that is listened to."""
        return {contact.line: contact for contact in (*self.contacts, *self.spares)}


def contacts_of(profile: Profile, lines: Mapping[str, int]) -> tuple[Contact, ...]:
    """Return the contacts on the board of *profile*, of which *lines* has the names at the table.

    The second of two boxes is wired as the first: its nose 14 is the box's own nose 1, in brown.
    """
    own = {pin: line for line, pin in profile.lines.items()}
    return tuple(
        Contact(
            line,
            part_of(line),
            pin_name(profile.board, pin),
            _where(profile.board, pin),
            colour_of(own[pin]),
        )
        for line, pin in lines.items()
    )


def _where(board: Board, pin: int) -> Text:
    """Return a pin, and its place on the board where it has one."""
    name, place = pin_name(board, pin), physical_pin(board, pin)
    if place is None:
        return Text("{pin}", {"pin": name})
    return text("{pin} (pin {place})", pin=name, place=place)


def spare_pins(profile: Profile) -> dict[str, int]:
    """Return pins of the contacts' board on which nothing is, as lines: a wrong wire may have gone there.

    Console, EEPROM and the pins of buses that are switched on are left alone.

    >>> from lastnose.companion.wiring.profile import load_profile
    >>> sorted(spare_pins(load_profile("home6")).values())
    [4, 17, 20, 26]
    """
    board: Board = "pi" if profile.board == "mock" else profile.board
    taken = {use.pin for use in profile.uses() if use.board == profile.board}
    if board == "pi":
        taken |= {*CONSOLE, *EEPROM, *FIXED_PULL_UPS}
        if any(line.startswith("dtparam=spi=on") for line in profile.config_lines()):
            taken |= set(SPI_PINS)
    if profile.board == "mock" and len(profile.lines) > len(LAYOUTS["pi"]) // 2:
        return {}
    pins = sorted(pin for pin in LAYOUTS[board] if isinstance(pin, int) and pin not in taken)
    return {f"{SPARE}{pin}": pin for pin in pins}


def spares_of(profile: Profile, pins: Mapping[str, int]) -> tuple[Contact, ...]:
    """Return the spare pins as lines to listen to."""
    board: Board = "pi" if profile.board == "mock" else profile.board
    return tuple(
        Contact(
            line,
            text("free pin {pin}", pin=pin_name(board, pin)),
            pin_name(board, pin),
            _where(board, pin),
        )
        for line, pin in pins.items()
    )


TWO_LINES = text("Name two lines of this table, as in nose.1,nose.2.")
WIRED = text(
    "A free pin that you wire to lines, as 17:nose.1, 17:nose.1,nose.2 or 17:all, to move them: it measures "
    "latency and jitter, at rest and with the machine busy, and how late interrupts are, which the table "
    "then counts on."
)


def read_pair(words: str, lines: Sequence[str], *, what: str) -> tuple[str, str]:
    """Return the two lines of `nose.1,nose.2`; raise BadInput, about *what*, for any but two of *lines*."""
    one, _, other = (word.strip() for word in words.partition(","))
    if one not in lines or other not in lines or one == other:
        raise BadInput(text("{what}: {says}", what=what, says=TWO_LINES))
    return one, other


def read_wired(words: str, lines: Sequence[str], taken: Sequence[int]) -> tuple[int, tuple[str, ...]]:
    """Return pin and lines of `17:nose.1`, `17:nose.1,nose.2` or `17:all`; raise BadInput."""
    pin, _, rest = (word.strip() for word in words.partition(":"))
    named = tuple(dict.fromkeys(lines if rest == "all" else (word.strip() for word in rest.split(","))))
    if not pin.isdigit() or int(pin) in taken or not set(named) <= set(lines):
        raise BadInput(text("{what}: {says}", what=f"--wired {words}", says=WIRED))
    return int(pin), named
