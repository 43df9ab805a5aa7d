"""What to buy for a profile: how many of each part, how many to spare, and what may replace it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.drawings.levers import connectors
from lastnose.companion.wiring.drawings.sheets import PULL_UP_OHM
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

_TABLE, _SEAT = text("the table"), text("a seat")
_BUTTONS, _SPOONS, _CONTACTS = text("buttons"), text("spoons and docks"), text("buttons, spoons, docks")
_LAMPS = text("lamps and buzzer")


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
    small = text("a Zero 2 W with a header, on foam tape and not on the box’s posts")
    pi = text("Raspberry Pi with a 40-pin header (3B+ or newer)")
    yield Item(pi, _TABLE, 1, 0, text("a Zero 2 W; a laptop with a buzzer box") if _pico(profile) else small)
    yield Item(text("power supply for that Pi"), _TABLE, 1)
    yield Item(text("microSD card, 16 GB"), _TABLE, 1, 1)
    if not profile.soldered:
        yield _screw_board(profile)
    if _pico(profile):
        yield Item(text("Raspberry Pi Pico with headers"), _TABLE, 1, 0, Text("Pico 2, Pico W, Pico 2 W"))
        yield Item(text("USB cable that carries data, for the Pico"), _TABLE, 1, 1)


def _pico(profile: Profile) -> bool:
    return profile.board == "pico"


def _contacts(profile: Profile) -> Iterator[Item]:
    pins = profile.pins
    buttons = len(pins.noses) + (pins.host is not None)
    yield Item(text("arcade button, 28 or 30 mm, with a switch that closes"), _BUTTONS, buttons, 1)
    yield from _reeds(profile)
    pair = text("twisted pair, {m} m", m=CABLE_M)
    yield Item(pair, _CONTACTS, len(profile.lines), 1, _network_cable())
    yield from _lugs(profile, buttons)


def _network_cable() -> Text:
    return text("a pair of a network cable")


def _reeds(profile: Profile) -> Iterator[Item]:
    """Yield what closes while a spoon lies in its place."""
    pins = profile.pins
    reeds = len(pins.spoons) + len(pins.docks)
    spare = _spares(reeds, 5)
    if reeds and not profile.soldered:
        door = text("door contact that closes at its magnet, 27 × 14 × 8 mm (MC-38), with leads and magnet")
        yield Item(door, _SPOONS, reeds, spare)
    elif reeds:
        switch = text("a microswitch under the spoon; never a sleeping Hall switch")
        yield Item(text("reed contact, 14 mm, closes at a magnet"), _SPOONS, reeds, spare, switch)
        yield Item(text("neodymium magnet, 8 × 3 mm"), _SPOONS, max(len(pins.spoons), 1), spare)


def _lugs(profile: Profile, buttons: int) -> Iterator[Item]:
    """Yield what goes onto the lugs of *buttons*."""
    lugs = 2 * buttons
    leads = text("pair of ready-made leads for a button, as wide as its lugs (2.8 or 4.8 mm)")
    if not profile.soldered:
        yield Item(leads, _BUTTONS, buttons, 1)
        return
    spade = text("spade connector, insulated, as wide as the button’s lugs (2.8 or 4.8 mm)")
    yield Item(spade, _BUTTONS, lugs, _spares(lugs, 5), leads)


def _resistors(value: str | Text, each: Text, needed: int, spare: int, instead: Text | None = None) -> Item:
    return Item(text("resistor {value}, ¼ W", value=value), each, needed, spare, instead)


def _kilohms(contacts: int) -> Item:
    alike = text("820 Ω to 1.2 kΩ, all alike")
    return _resistors("1 kΩ", _CONTACTS, contacts, _spares(contacts, 5), alike)


def _channels(profile: Profile) -> Iterator[Item]:
    contacts = len(profile.lines)
    spare = _spares(contacts, 5)
    yield _kilohms(contacts)
    optional = text("none with cables under 1 m, on all or on none; never a larger capacitor")
    yield _resistors(PULL_UP_OHM, _CONTACTS, contacts, spare, optional)
    yield Item(text("capacitor {value}", value="1 nF, C0G"), _CONTACTS, contacts, spare, optional)
    boards = strip_boards(profile)
    terminals = sum(part.kind == "terminal" for board in boards for part in board.parts)
    yield Item(
        text("strip board, 100 × 160 mm, holes 2.54 mm apart"),
        _CONTACTS,
        len(boards),
        0,
        text("the printed circuit of the release (circuits.zip), with the parts of its list; perfboard"),
    )
    yield Item(text("screw terminal, three-way, 5.08 mm"), _CONTACTS, terminals, 1)
    yield Item(text("insulated wire 0.5 mm², for links, ground and 5 V, 1 m"), _TABLE, 1, 1)
    yield Item(text("solder 0.8 mm, with flux; heat-shrink; cable ties"), _TABLE, 1)
    yield Item(text("ribbon, 40-pin socket with leads, or jumper wires"), _TABLE, 1)


def _screw_board(profile: Profile) -> Item:
    """Return the board of screw terminals; an LED at a pin would keep its line from rising."""
    dark = text("any without LEDs, buttons or buzzer at its pins")
    if _pico(profile):
        name = text("board of screw terminals for a Pico, with two 20-way sockets")
    else:
        name = text("board of 40 screw terminals for the Raspberry Pi, its header fitted")
    return Item(name, _TABLE, 1, 0, dark)


def _connectors(profile: Profile) -> Iterator[Item]:
    """Yield what joins contacts to pins where nothing is soldered."""
    contacts = len(profile.lines)
    pairs, grounds = connectors(profile)
    yield _kilohms(contacts)
    longer = text("two fewer for each contact whose own leads reach the box")
    yield _lever(2, pairs, _spares(pairs, 10), longer)
    yield _lever(5, grounds, 1)
    yield Item(text("black wire 0.5 mm², 15 cm"), _CONTACTS, grounds, 1)
    yield Item(text("numbered flags, or tape and a pen"), _CONTACTS, 3 * contacts + grounds)


def _lever(holes: int, needed: int, spare: int, instead: Text | None = None) -> Item:
    return Item(text("{n}-hole lever connector, 0.2 to 4 mm²", n=holes), _CONTACTS, needed, spare, instead)


def _modules(profile: Profile) -> Iterator[Item]:
    pins, seats = profile.pins, len(profile.pins.noses)
    lit = pins.leds is not None or bool(pins.lamps)
    resistors = (seats if lit else 0) + (pins.buzzer is not None)
    if lit:
        yield Item(text("lamp: LED, 5 mm, any colour"), _LAMPS, seats, _spares(seats, 5))
        cable = text("cable of two wires, {m} m, for a lamp", m=CABLE_M)
        yield Item(cable, _LAMPS, seats, 0, _network_cable())
        yield Item(text("perforated board, 70 × 90 mm"), _LAMPS, -(-seats // 16))
        yield from _chips(-(-seats // 8), chained=pins.leds is not None)
    if resistors:
        yield _resistors("220 Ω", _LAMPS, resistors, _spares(resistors, 5))
    if pins.buzzer is not None:
        yield Item(text("piezo buzzer without electronics"), _LAMPS, 1)
    if profile.oled.driver != "none":
        size = f"{profile.oled.width} × {profile.oled.height}"
        oled = Text(f"OLED {profile.oled.driver.upper()}, {size}")
        lead = text("lead for the OLED, 20 cm, with a socket for its pin")
        yield Item(oled, _TABLE, 1, 0, text("SH1106 or SSD1309: name it in the profile"))
        yield Item(lead, Text("OLED"), 2 + len(profile.oled.pins()), 1)


def _chips(count: int, *, chained: bool) -> Iterator[Item]:
    """Yield what drives eight lamps each."""
    if chained:
        yield _chip("74HC595", text("74AHC595; no 74HCT595"), count)
    yield _chip("ULN2803A", Text("TBD62083A"), count)
    if chained:
        yield Item(text("capacitor {value}", value="100 nF"), Text("74HC595, ULN2803A"), 2 * count, 1)


def _chip(name: str, instead: Text, count: int) -> Item:
    return Item(text("{chip}, with socket", chip=name), _LAMPS, count, 1, instead)


def _sync(profile: Profile) -> Iterator[Item]:
    """Yield what the sync wire takes; only a table of several boxes, or with the Pi's own pins, has one."""
    if profile.pins.sync is None:
        return
    alone, wire = text("left out with one box and no other noses"), text("sync wire")
    yield Item(text("two-core cable with plugs"), wire, 1, 0, alone)
    yield _resistors("1 kΩ (sync)", wire, 1, 1, alone)


def _prints(profile: Profile) -> Iterator[Item]:
    pods, spoons = len(profile.pins.noses), len(profile.pins.spoons)
    bezels = int(profile.oled.driver != "none")
    pod = text("a box with a hole of 28 or 30 mm")
    yield _printed("nose-pod", _SEAT, pods, pod)
    yield _printed("pod-base", _SEAT, pods, pod)
    if spoons:
        cradle = "spoon-cradle" if profile.soldered else "spoon-cradle-door"
        yield _printed(cradle, _SPOONS, spoons, text("wood, with 2 mm over the reed"))
        yield Item(text("spoon"), _SPOONS, spoons)
        size = f"13 × {5 * spoons + 1}"
        yield Item(text("board of plywood, 4 mm thick, {size} cm", size=size), _SPOONS, 1)
    if bezels:
        yield _printed("oled-bezel", _TABLE, 1)
    yield _printed("box-body, box-lid", _TABLE, 1, text("any box that is not metal"))
    screws = 4 * pods + 3 * spoons + 4 * bezels + 4
    yield Item(text("screw M3 × 10, self-cutting"), _TABLE, screws, _spares(screws, 10))
    yield Item(text("screw M2.5 × 6"), Text("Raspberry Pi"), 4, 1)
    yield Item(text("hot glue; foam tape, 5 cm; insulating tape"), _TABLE, 1)
    yield Item(text("rubber foot, 10 mm"), _TABLE, 4 * (pods + 1), 4)


def _printed(part: str, each: Text, needed: int, instead: Text | None = None) -> Item:
    return Item(text("printed: {part}", part=part), each, needed, 0, instead)


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
