"""The steps of the booklet: what to do, a picture of it, and what to check before the next."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from html import escape
from importlib.resources import files

import msgspec

from companion.core.text import Text, text
from companion.wiring import levers
from companion.wiring.drawings import stripboard
from companion.wiring.drawings.levers import KINDS, display_picture, lever_picture
from companion.wiring.drawings.sheets import lamps, lamps_height
from companion.wiring.drawings.svg import FAINT, INK, Page
from companion.wiring.profile import Profile
from companion.wiring.stripboard import strip_boards

Speak = Callable[[Text], str]


class Step(msgspec.Struct, frozen=True):
    """A page: title, picture as HTML, what is done, what is checked. `wiring`: the first that needs "
    "drawings."""

    title: Text
    picture: str
    do: tuple[Text, ...]
    check: tuple[Text, ...]
    wiring: bool = False


SAFETY = (
    text("3.3 V only. A pin of the Pi or the Pico dies at 5 V."),
    text("Wire with the power off, check with the multimeter, then plug in."),
    text("Nothing here touches the mains. Use a bought supply, and leave it closed."),
    text("Neodymium magnets are not for children, nor for anybody with a pacemaker."),
)


def opening(profile: Profile) -> Iterator[Text]:
    """Yield what the cover says below the title."""
    yield text(
        "{noses} noses, {spoons} spoons and a small screen: a page a step. Go on when its check is good.",
        noses=len(profile.pins.noses),
        spoons=len(profile.pins.spoons),
    )
    if profile.soldered:
        yield text(
            "Tools: soldering iron, side cutters, wire stripper, multimeter, small screwdrivers, and "
            "a 3D printer "
            "or somebody who has one."
        )
    else:
        yield text(
            "Tools: side cutters, wire stripper, multimeter, small screwdrivers, and a 3D printer or "
            "somebody who "
            "has one. No soldering iron."
        )
    yield text("Nobody has built this one yet: it follows from data sheets and drawings.")


def steps(profile: Profile, speak: Speak) -> list[Step]:
    """Return the steps in their order, pictures and all in the language of *speak*."""
    return [
        _parts(profile, speak),
        _prints(profile, speak),
        _card(profile, speak),
        *([_pico(speak)] if profile.board == "pico" else []),
        *(_soldered(profile, speak) if profile.soldered else _screwed(profile, speak)),
        *([_display(profile, speak)] if profile.oled.driver != "none" else []),
        *([_lamps(profile, speak)] if profile.pins.leds or profile.pins.lamps else []),
        _box(profile, speak),
        _self_test(profile, speak),
        _close(speak),
    ]


# ---- Before anything is wired


def _parts(profile: Profile, speak: Speak) -> Step:
    return Step(
        text("The parts"),
        _meter(speak),
        (
            text("Lay everything of the list on the table and tick it off."),
            text("Set the multimeter to continuity and try each button and each contact."),
        ),
        (
            text("A button beeps only while it is pressed. With three lugs: COM and NO."),
            text("A spoon’s contact beeps only at its magnet."),
        ),
    )


def _prints(profile: Profile, speak: Speak) -> Step:
    pins, door = profile.pins, not profile.soldered
    cradle = text("spoon-cradle-door: one a spoon, {n}", n=len(pins.spoons))
    glass = text("spoon-cradle: one a spoon, {n}", n=len(pins.spoons))
    do = [
        text(
            "Print without supports, 0.2 mm layers, three walls. The files are in prints.zip of the release."
        ),
        text("nose-pod-30 or nose-pod-28, as wide as your buttons: one a seat, {n}", n=len(pins.noses)),
        text(
            "pod-base: one a seat, {n}; pod-base-flange where a pod is to be screwed down", n=len(pins.noses)
        ),
        *([cradle if door else glass] if pins.spoons else []),
        text("oled-bezel and box-lid: one each"),
        text("box-body-60: one") if door else text("box-body: one"),
    ]
    names = ["nose-pod-30", "pod-base", "spoon-cradle-door-below" if door else "spoon-cradle-below"]
    return Step(
        text("The printed parts"),
        "".join(map(_image, [*names, "box-body-60" if door else "box-body", "box-lid", "oled-bezel"])),
        tuple(do),
        (
            text("A button goes into its pod by hand and sits."),
            text("A contact lies in its slot without being bent; the OLED lies in its bezel."),
        ),
    )


def _card(profile: Profile, speak: Speak) -> Step:
    name = "pico-party" if profile.board == "pico" else profile.name
    return Step(
        text("The card"),
        _screen(
            speak,
            ["bootfs", "  user-data", "  network-config", "  meta-data", "  lastnose_…_arm64.deb"],
            text("The small partition of the card"),
        ),
        (
            text(
                "Write Raspberry Pi OS Lite (64-bit) of Debian 13 to the card; answer no to settings "
                "of your own."
            ),
            text("Take the card out and put it in again: a partition called bootfs shows up."),
            text("Copy the files of lastnose_…_card.zip and the package for arm64 onto it."),
            text("In user-data, say {name} for the profile, and your country.", name=name),
        ),
        (text("All four files are there, and their names are those of the picture."),),
    )


def _pico(speak: Speak) -> Step:
    return Step(
        text("The Pico"),
        _screen(
            speak,
            ["RPI-RP2", "  lastnose.uf2"],
            text("The drive of the Pico"),
        ),
        (
            text(
                "Get MicroPython’s .uf2 for your board, and type: lastnose box uf2 MICROPYTHON.uf2 "
                "-o lastnose.uf2"
            ),
            text("Hold BOOTSEL and plug the Pico into the computer: a drive appears."),
            text("Copy lastnose.uf2 onto the drive. The Pico restarts by itself, and the drive is gone."),
        ),
        (text("lastnose box list names the Pico with its firmware."),),
    )


# ---- The strip board


def _soldered(profile: Profile, speak: Speak) -> Iterator[Step]:
    board, *more = strip_boards(profile)
    saw, cut, links, resistors, long, terminals, leads, through, apart = stripboard.steps(board)
    both = (text("There are {n} boards: the same on each, as it is drawn.", n=len(more) + 1),) if more else ()

    def picture(*kinds: str, copper: bool = False) -> str:
        return stripboard.board_picture(profile, speak, kinds, copper=copper)

    yield Step(
        text("The strip board"),
        picture(copper=True),
        (text("Print its drawing at 100 %: 40 mm of its ruler are 40 mm."), *both, saw, cut),
        (text("The meter is silent from one side of each cut to the other."),),
        wiring=True,
    )
    yield Step(
        text("Links"),
        picture("link"),
        (links,),
        (text("The meter beeps from the first ground strip to the last."),),
    )
    yield Step(
        text("Resistors"),
        picture("link", "resistor", "capacitor", "pull-up"),
        (resistors, long),
        (text("1 kΩ across each cut that has a resistor over it."),),
    )
    yield Step(
        text("Screw terminals"),
        picture("link", "resistor", "capacitor", "pull-up", "terminal"),
        (terminals,),
        (text("No solder joins two strips: hold the board against the light."),),
    )
    yield Step(text("Leads"), picture(*stripboard.ORDER), (leads,), (through, apart))
    yield Step(
        text("Noses"),
        _image("nose-pod-30") + _image("pod-base"),
        (
            text(
                "Twist each pair, crimp a spade connector onto each end and push them onto the button’s lugs."
            ),
            text("Pull the pair through the pod and screw its base on from below, four screws M3 × 10."),
            text("The pair’s other ends go under the screw of its nose and the ground screw beside it."),
        ),
        (text("At the terminal: it beeps while the button is pressed, and not when it is let go."),),
    )
    if profile.pins.spoons:
        yield _spoons(
            text("Push the contact up to the end of its slot and fix it with hot glue."), "spoon-cradle-below"
        )


def _spoons(how: Text, image: str) -> Step:
    return Step(
        text("Spoons"),
        _image(image) + _image(image.removesuffix("-below")),
        (
            how,
            text(
                "Lead its cable out at the side, and screw the cradle to the table’s board with "
                "three screws M3 × 10."
            ),
            text("Glue the magnet under the spoon’s handle where it lies over the slot."),
        ),
        (
            text("Spoon in its cradle: it beeps. Spoon lifted 3 cm: it does not."),
            text("Pushed 5 mm along the trough it still beeps."),
        ),
    )


# ---- Screws and connectors


def _screwed(profile: Profile, speak: Speak) -> Iterator[Step]:
    pairs, fives = levers.connectors(profile)
    contacts = pairs // 3

    def picture(until: str) -> str:
        return lever_picture(profile, speak, KINDS[: KINDS.index(until) + 1])

    plugged = text("Push the board of screw terminals onto the Pi’s header: pin 1 on pin 1.")
    pico = text("Push the Pico into the board of screw terminals: its USB where the board says USB.")
    yield Step(
        text("Ground"),
        picture("ground"),
        (
            plugged if profile.board == "pi" else pico,
            text("Label {n} connectors with five holes G1, G2 and so on.", n=fives),
            text("A black wire from hole 1 of each to its ground screw."),
        ),
        (
            text("Each ground connector beeps with every other."),
            text("None beeps with the screws 3V3 and 5V.")
            if profile.board == "pi"
            else text("None beeps with the screws 3V3, VSYS and VBUS."),
        ),
        wiring=True,
    )
    yield Step(
        text("Resistors"),
        picture("resistor"),
        (
            text("Label {n} connectors with two holes 1, 2 and so on.", n=contacts),
            text("One lead of a 1 kΩ under the screw of each pin, the other into hole 1 of its connector."),
            text("Bend the leads so that none touches its neighbour; over each a piece of tape."),
        ),
        (text("1 kΩ from each screw to its connector; nothing to its neighbours, nor to ground."),),
    )
    yield Step(
        text("Cables"),
        picture("cable"),
        (
            text("Label both ends of each cable with its number."),
            text("In the box: the coloured wire into hole 2 of its connector, the black one into ground."),
            text("At the other end: the coloured wire into a connector a, the black one into a connector b."),
        ),
        (text("Hold the two far ends together: 1 kΩ from the pin’s screw to ground. Apart: nothing."),),
    )
    yield Step(
        text("Noses"),
        picture("lead"),
        (
            text(
                "Push the leads onto the button’s lugs, with three lugs COM and NO; their ends into a and b."
            ),
            text("Pull the cable through the pod and screw its base on from below, four screws M3 × 10."),
        ),
        (text("At the box, pressed: 1 kΩ from the pin’s screw to ground. Let go: nothing."),),
    )
    if profile.pins.spoons:
        lay = text(
            "Lay the door contact into its pocket, flat against the roof, and fix it with hot glue; "
            "its leads into a and b."
        )
        yield _spoons(lay, "spoon-cradle-door-below")


# ---- The rest


def _display(profile: Profile, speak: Speak) -> Step:
    under = profile.board == "pi" and not profile.soldered
    return Step(
        text("The small screen"),
        display_picture(profile, speak),
        (
            text("Read the print on your OLED: VCC and GND change places between makers."),
            text("Its leads onto its pins; cut the other sockets off and put the ends under their screws.")
            if under
            else text("Its leads onto its pins, and the other ends to the pins of the picture."),
            text(
                "Put it into the bezel, its glass to the window, and screw that onto the lid, four "
                "screws M3 × 10."
            ),
        ),
        (text("No beep between VCC and GND."),),
    )


def _lamps(profile: Profile, speak: Speak) -> Step:
    seats, pins = len(profile.pins.noses), profile.pins.lamps
    page = Page(390, lamps_height(speak, seats, pins) + 20, speak(text("Lamps and buzzer")))
    with page.moved(10, 10):
        lamps(page, speak, seats, pins)
    return Step(
        text("Lamps and buzzer"),
        page.svg(),
        (
            text("Put the chips into their sockets last; the notch of each is where pin 1 is."),
            text("A lamp’s long lead goes to 5 V through its 220 Ω."),
            text("The buzzer hangs on its pin through 220 Ω, its other lead on ground."),
        ),
        (text("No beep between 5 V and ground, nor between 5 V and any pin."),),
    )


def _box(profile: Profile, speak: Speak) -> Step:
    return Step(
        text("Into the box"),
        _image("box-body" if profile.soldered else "box-body-60"),
        (
            text(
                "The Pi onto its four posts, four screws M2.5 × 6, its USB sockets to the opening at "
                "the back."
            ),
            text("The board beside it on pads of foam tape; each cable into its notch.")
            if profile.soldered
            else text("The connectors beside it on pads of foam tape; each cable into its notch."),
            *(
                [text("The Pico’s board beside the Pi, its USB cable into one of the Pi’s sockets.")]
                if profile.board == "pico"
                else []
            ),
        ),
        (text("Pull at each wire: none comes out. Nothing bare touches anything else."),),
    )


def _self_test(profile: Profile, speak: Speak) -> Step:
    source = " --source box" if profile.board == "pico" else ""
    return Step(
        text("Power on, and the self-test"),
        _screen(
            speak,
            [
                "$ sudo systemctl stop lastnose",
                f"$ lastnose selftest --profile {profile.name}{source}",
                "…",
                "$ sudo systemctl start lastnose",
            ],
            text("On the Pi, with screen and keyboard or over the network"),
        ),
        (
            text(
                "The card into the Pi, then the supply. It sets itself up and restarts; allow it "
                "some minutes."
            ),
            text("The OLED says how to join: scan it with a phone."),
            text(
                "Stop the table, run the self-test, and do what it asks for: each nose and each "
                "spoon by its number."
            ),
        ),
        (text("It ends with “All is well: play.” Otherwise it says which wire to move."),),
    )


def _close(speak: Speak) -> Step:
    return Step(
        text("Close it and play"),
        _image("box-lid") + _image("oled-bezel"),
        (
            text("The host button into the lid’s hole, if you have one."),
            text("The lid on, four screws M3 × 10. Rubber feet under box and pods."),
            text("On a phone: Set the table, three names or more, and play."),
        ),
        (
            text(
                "Slap a pod beside its middle: it stays. Otherwise take the base with ears and screw it down."
            ),
            text("Play a round: the screen says who was last."),
        ),
    )


# ---- Pictures


def _image(name: str) -> str:
    """Return the picture of a printed part."""
    data = (files("hardware") / "enclosure" / "pictures" / f"{name}.png").read_bytes()
    return f'<img src="data:image/png;base64,{b64encode(data).decode()}" alt="{escape(name)}">'


def _meter(speak: Speak) -> str:
    """Draw a multimeter whose leads are at the lugs of a button."""
    page = Page(420, 230, speak(text("The parts")))
    page.box(20, 20, 130, 190, fill="#f2c500", round_by=12)
    page.box(38, 38, 94, 46, fill="#e4efe0")
    page.words(85, 69, "0.00 Ω", size=18, anchor="middle", bold=True)
    page.dot(85, 140, 30, fill="#3a3a3a", stroke=INK)
    page.line([(85, 140), (104, 120)], colour="#ffffff", width=4)
    for colour, y, end in (("#d0021b", 178, 106), ("#1a1a1a", 196, 134)):
        page.dot(138, y, 5, fill=colour, stroke=INK)
        page.line([(138, y), (215, y), (265, end), (318, end)], colour=colour, width=3.4)
    page.box(318, 80, 60, 80, fill="#ececec")
    page.dot(378, 120, 34, fill="#d8d8d8", stroke=INK)
    page.dot(378, 120, 22, fill="#d0021b", stroke=INK)
    page.words(322, 110, "NO", size=10)
    page.words(322, 138, "COM", size=10)
    page.words(85, 228, speak(text("continuity")), size=10, anchor="middle", fill=FAINT)
    return page.svg()


def _screen(speak: Speak, lines: Sequence[str], below: Text) -> str:
    """Draw a screen with *lines* on it."""
    page = Page(460, 90 + 24 * len(lines), speak(below))
    page.box(14, 14, 432, 34 + 24 * len(lines), fill="#20242a", round_by=8)
    for number, line in enumerate(lines):
        page.words(32, 46 + 24 * number, line.replace("  ", "\u2003"), size=14, fill="#f4f4f0")
    page.words(230, 76 + 24 * len(lines), speak(below), size=12, anchor="middle", fill=FAINT)
    return page.svg()
