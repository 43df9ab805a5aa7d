"""What to buy for a profile: how many of each part, how many to spare, and what may replace it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.drawings.levers import connectors
from lastnose.companion.wiring.drawings.stripboard import strip_boards
from lastnose.companion.wiring.profile import Profile

CABLE_M = 3


class Item(msgspec.Struct, frozen=True):
    """A part. `each`: what one is for; `needed` without spares, `spare` besides; `instead` may replace it."""

    part: Text
    each: Text
    needed: int
    spare: int = 0
    instead: Text | None = None

    @property
    def buy(self) -> int:
        """How many to buy, spares included."""
        return self.needed + self.spare


HEADINGS = (
    text("part"),
    text("for"),
    text("needed"),
    text("to spare"),
    text("buy"),
    text("may be replaced by"),
)

_TABLE, _SEAT, _SPOON = text("the table"), text("a seat"), text("a spoon")
_CONTACT, _EIGHT_LAMPS = text("a nose, spoon, dock or host button"), text("eight lamps")


def bill(profile: Profile) -> tuple[Item, ...]:
    """Return every part for a table wired as *profile*, in the order in which it is built.

    >>> from lastnose.companion.wiring.profile import load_profile
    >>> [item.buy for item in bill(load_profile("home6")) if str(item.part).startswith("arcade button")]
    [8]
    """
    return (
        *_brains(profile),
        *_contacts(profile),
        *(_channels(profile) if profile.soldered else _connectors(profile)),
        *_modules(profile),
        *_sync(profile),
        *_prints(profile),
    )


def rows(items: tuple[Item, ...]) -> list[tuple[Text | str, ...]]:
    """Return the bill as a table, in the order of HEADINGS."""
    return [
        (item.part, item.each, str(item.needed), str(item.spare), str(item.buy), item.instead or "")
        for item in items
    ]


def _spares(needed: int, share: int) -> int:
    """Return one spare for every *share* parts that are begun.

    >>> _spares(0, 5), _spares(5, 5), _spares(6, 5)
    (0, 1, 2)
    """
    return -(-needed // share)


def _brains(profile: Profile) -> Iterator[Item]:
    pi = text("Raspberry Pi with a 40-pin header (3B+ or newer)")
    small = text("a Zero 2 W with a header, on foam tape and not on the box’s posts")
    yield Item(pi, _TABLE, 1, 0, text("a Zero 2 W; a laptop with a buzzer box") if _pico(profile) else small)
    yield Item(text("power supply for that Pi"), _TABLE, 1)
    yield Item(text("microSD card, 16 GB"), _TABLE, 1, 1)
    if not profile.soldered:
        yield _screw_board(profile)
    if _pico(profile):
        yield Item(text("Raspberry Pi Pico with headers"), _TABLE, 1, 0, text("Pico 2, Pico W, Pico 2 W"))
        yield Item(text("USB cable that carries data, for the Pico"), _TABLE, 1, 1)


def _pico(profile: Profile) -> bool:
    return profile.board == "pico"


def _contacts(profile: Profile) -> Iterator[Item]:
    pins = profile.pins
    noses = len(pins.noses)
    yield Item(
        text("arcade button, 28 or 30 mm, with a switch that closes"),
        _SEAT if pins.host is None else text("a seat, and the host"),
        noses + (pins.host is not None),
        1,
        text("any button that closes; the pod is printed for 28 or 30 mm"),
    )
    yield from _reeds(profile)
    contacts = len(profile.lines)
    yield Item(
        text("twisted pair, {m} m", m=CABLE_M),
        _CONTACT,
        contacts,
        1,
        text("a pair of a network cable: four contacts to a cable"),
    )
    yield from _lugs(profile, noses + (pins.host is not None))


def _reeds(profile: Profile) -> Iterator[Item]:
    """Yield what closes while a spoon lies in its place."""
    pins = profile.pins
    reeds = len(pins.spoons) + len(pins.docks)
    if reeds and not profile.soldered:
        yield Item(
            text("door contact with leads, 27 × 14 × 8 mm (MC-38), and its magnet"),
            text("a spoon or dock"),
            reeds,
            _spares(reeds, 5),
            text("one that closes at its magnet: measure it"),
        )
    elif reeds:
        yield Item(
            text("reed contact, 14 mm, closes at a magnet"),
            text("a spoon or dock"),
            reeds,
            _spares(reeds, 5),
            text("a microswitch under the spoon; never a sleeping Hall switch"),
        )
        yield Item(
            text("neodymium magnet, 8 × 3 mm"), _SPOON, max(len(pins.spoons), 1), _spares(reeds, 5), None
        )


def _lugs(profile: Profile, buttons: int) -> Iterator[Item]:
    """Yield what goes onto the lugs of *buttons*."""
    lugs = 2 * buttons
    if not profile.soldered:
        yield Item(
            text("pair of ready-made leads for a button, as wide as its lugs (2.8 or 4.8 mm)"),
            text("a button"),
            buttons,
            1,
            text("two-pin leads of a joystick encoder, their plug cut off"),
        )
        return
    yield Item(
        text("spade connector, insulated, as wide as the button’s lugs (2.8 or 4.8 mm)"),
        text("two for each button"),
        lugs,
        _spares(lugs, 5),
        text("ready-made leads for arcade buttons"),
    )


def _channels(profile: Profile) -> Iterator[Item]:
    contacts = len(profile.lines)
    spare = _spares(contacts, 5)
    yield Item(text("resistor 1 kΩ, ¼ W"), _CONTACT, contacts, spare, text("820 Ω to 1.2 kΩ, all alike"))
    optional = text("none with cables under 1 m, on every channel alike")
    yield Item(text("resistor 4.7 kΩ, ¼ W"), _CONTACT, contacts, spare, optional)
    yield Item(text("capacitor 1 nF, C0G"), _CONTACT, contacts, spare, text("none; never a larger one"))
    boards = strip_boards(profile)
    terminals = sum(part.kind == "terminal" for board in boards for part in board.parts)
    yield Item(
        text("strip board, 100 × 160 mm, holes 2.54 mm apart"),
        text("twenty-four channels"),
        len(boards),
        0,
        text("the printed circuit of the release (circuits.zip), with the parts of its list; perfboard"),
    )
    yield Item(text("screw terminal, three-way, 5.08 mm"), text("two contacts"), terminals, 1)
    yield Item(text("insulated wire 0.5 mm², for links, ground and 5 V, 1 m"), _TABLE, 1, 1)
    yield Item(text("solder 0.8 mm, with flux; heat-shrink; cable ties"), _TABLE, 1)
    yield Item(text("ribbon or 40-pin socket with leads"), _TABLE, 1, 0, text("jumper wires, female to male"))


def _screw_board(profile: Profile) -> Item:
    """Return the board of screw terminals; an LED at a pin would keep its line from rising."""
    if _pico(profile):
        name = text("board of screw terminals for a Pico, with two 20-way sockets")
        return Item(name, _TABLE, 1, 0, text("any without LEDs, buttons or buzzer on GP0 to GP28"))
    name = text("board of 40 screw terminals for the Raspberry Pi, its header fitted")
    return Item(name, _TABLE, 1, 0, text("any without LEDs at its pins"))


def _connectors(profile: Profile) -> Iterator[Item]:
    """Yield what joins contacts to pins where nothing is soldered."""
    contacts = len(profile.lines)
    pairs, grounds = connectors(profile)
    alike = text("820 Ω to 1.2 kΩ, all alike")
    yield Item(text("resistor 1 kΩ, ¼ W"), _CONTACT, contacts, _spares(contacts, 5), alike)
    longer = text("two fewer for each contact whose own leads reach the box")
    yield Item(
        text("lever connector with two holes, 0.2 to 4 mm²"), _CONTACT, pairs, _spares(pairs, 10), longer
    )
    yield Item(
        text("lever connector with five holes, 0.2 to 4 mm²"),
        text("four contacts, to ground"),
        grounds,
        1,
        text("a ground bar with screws"),
    )
    yield Item(text("black wire 0.5 mm², 15 cm"), text("a connector with five holes"), grounds, 1)
    ends = text("both ends of each cable, each connector in the box")
    yield Item(text("numbered flags, or tape and a pen"), ends, 3 * contacts + grounds)


def _modules(profile: Profile) -> Iterator[Item]:
    pins, seats = profile.pins, len(profile.pins.noses)
    lit = pins.leds is not None or bool(pins.lamps)
    resistors = (seats if lit else 0) + (pins.buzzer is not None)
    chips = -(-seats // 8)
    if lit:
        yield Item(text("lamp: LED, 5 mm, red"), _SEAT, seats, _spares(seats, 5), text("any colour"))
        pair = text("the other pairs of the nose’s network cable")
        yield Item(text("cable of two wires, {m} m, for a lamp", m=CABLE_M), _SEAT, seats, 0, pair)
        yield Item(
            text("perforated board, 70 × 90 mm"), text("sixteen lamps, and the buzzer"), -(-seats // 16)
        )
    if pins.leds is not None:
        yield Item(
            text("74HC595, DIP-16, with socket"), _EIGHT_LAMPS, chips, 1, text("74AHC595; no 74HCT595")
        )
    if lit:
        yield Item(text("ULN2803A, DIP-18, with socket"), _EIGHT_LAMPS, chips, 1, text("TBD62083A"))
    if pins.leds is not None:
        yield Item(text("capacitor 100 nF, for the chips only"), text("a chip"), 2 * chips, 1)
    if resistors:
        yield Item(
            text("resistor 220 Ω, ¼ W"), text("a lamp, and the buzzer"), resistors, _spares(resistors, 5)
        )
    if pins.buzzer is not None:
        yield Item(text("piezo buzzer without electronics"), _TABLE, 1, 0, text("none: the page has sound"))
    if profile.oled.driver != "none":
        size = f"{profile.oled.width} × {profile.oled.height}"
        oled = text("OLED {driver}, {size}", driver=profile.oled.driver.upper(), size=size)
        yield Item(oled, _TABLE, 1, 0, text("SH1106 or SSD1309: name it in the profile"))
        yield Item(
            text("lead for the OLED, 20 cm, with a socket for its pin"),
            text("the OLED"),
            2 + len(profile.oled.pins()),
            1,
        )


def _sync(profile: Profile) -> Iterator[Item]:
    """Yield what the sync wire takes; only a table of several boxes, or with the Pi's own pins, has one."""
    if profile.pins.sync is None:
        return
    alone = text("left out with one box and no other noses")
    yield Item(
        text("two-core cable with plugs: sync wire and ground"), text("another box, or the Pi"), 1, 0, alone
    )
    yield Item(text("resistor 1 kΩ at the sync pin"), _TABLE, 1, 1, alone)


def _prints(profile: Profile) -> Iterator[Item]:
    pods = len(profile.pins.noses)
    spoons, bezels = len(profile.pins.spoons), int(profile.oled.driver != "none")
    yield Item(text("printed: nose pod"), _SEAT, pods, 0, text("a box with a hole of 28 or 30 mm"))
    yield Item(text("printed: pod base"), _SEAT, pods, 0, text("a board 4 to 6 mm thick"))
    if spoons:
        door = text("printed: spoon cradle for a door contact")
        cradle = text("printed: spoon cradle") if profile.soldered else door
        yield Item(cradle, _SPOON, spoons, 0, text("wood, with 2 mm over the reed"))
        yield Item(text("spoon"), text("a spoon cradle"), spoons)
        size = f"13 × {5 * spoons + 1}"
        board = text("board of plywood, 4 mm thick, {size} cm", size=size)
        yield Item(
            board, text("the spoon cradles"), 1, 0, text("a table top up to 5 mm thick that may have holes")
        )
    if bezels:
        yield Item(text("printed: OLED bezel"), _TABLE, 1)
    tall = text("printed: box, 60 mm high inside, and lid")
    box = text("printed: box and lid") if profile.soldered else tall
    yield Item(box, _TABLE, 1, 0, text("any box that is not metal"))
    screws = 4 * pods + 3 * spoons + 4 * bezels + 4
    yield Item(
        text("screw M3 × 10, self-cutting"), text("pods, cradles, bezel, lid"), screws, _spares(screws, 10)
    )
    yield Item(text("screw M2.5 × 6"), text("the Pi"), 4, 1)
    yield Item(text("hot glue; foam tape, 5 cm; insulating tape"), text("reeds, boards, bare leads"), 1)
    yield Item(
        text("rubber foot, 10 mm"),
        text("four for each pod, and the box"),
        4 * (pods + 1),
        4,
        text("felt; screws through the ears"),
    )


def tools(profile: Profile) -> Text:
    """Return what one works with."""
    if profile.soldered:
        return text(
            "Tools: soldering iron, hot glue gun, side cutters, wire stripper, crimping pliers, multimeter, "
            "small screwdrivers, a drill with bits of 3.5, 4 and 5 mm, a computer that writes microSD cards, "
            "a screen and a keyboard for the Pi, and a 3D printer or somebody who has one."
        )
    return text(
        "Tools: hot glue gun, side cutters, wire stripper, multimeter, small screwdrivers, a drill with "
        "a bit of 3.5 mm, a computer that writes microSD cards, a screen and a keyboard for the Pi, and a 3D "
        "printer or somebody who has one. No soldering iron."
    )
