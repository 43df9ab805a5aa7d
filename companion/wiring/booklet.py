"""The booklet of a kit: one HTML file that prints to A4, followed page by page to the first round.

Everything in it is drawn and counted from the profile. First the pages, as large as a sheet each: nothing
flows over. Then the steps: what to do, which pieces go in, a picture of it, what to check before the next.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring import bom
from lastnose.companion.wiring.circuit import INSTEAD
from lastnose.companion.wiring.drawings import levers, stripboard
from lastnose.companion.wiring.drawings.levers import LABELS, RESISTOR_IN, numbers_told
from lastnose.companion.wiring.drawings.sheets import (
    OLED_PRINT,
    POWER_OFF,
    Speak,
    lamps,
    lamps_height,
    meter,
    must_be_wired,
    screen,
    sheets,
    sync_wire,
    title,
)
from lastnose.companion.wiring.drawings.svg import Page
from lastnose.companion.wiring.profile import Profile
from lastnose.companion.wiring.wires import HEADINGS, rows, wires

Cells = Sequence[Text | str]

_FILES = "user-data network-config meta-data lastnose_…_arm64.deb lastnose-hall_…_arm64.deb"
CARD = ("bootfs", *(f"  {name}" for name in _FILES.split()))
ITEMS_A_PAGE, WIRES_A_PAGE, PIECES_A_COLUMN = 15, 22, 14

_STYLE = """
@page { size: A4 landscape; margin: 0 }
* { box-sizing: border-box }
body { margin: 0; font: 11pt/1.35 "DejaVu Sans", Verdana, Arial, sans-serif;
  color: #1a1a1a; background: #fff }
.page { position: relative; width: 297mm; height: 209.8mm; padding: 11mm 14mm 12mm;
  overflow: hidden; break-after: page }
.page:last-child { break-after: auto }
.sheet { padding: 0 }
.sheet > svg { display: block; width: 297mm; height: 209.8mm }
footer { position: absolute; left: 14mm; right: 14mm; bottom: 5mm; display: flex;
  justify-content: space-between; font-size: 8.5pt; color: #5c5c5c }
.sheet footer { bottom: 2mm }
h1 { font-size: 26pt; margin: 0 0 4mm } h2 { font-size: 17pt; margin: 0 0 4mm }
.step { display: grid; grid-template-columns: 148mm 1fr; gap: 9mm; align-items: start }
.picture { display: flex; flex-wrap: wrap; gap: 3mm; justify-content: center; border: 0.3mm solid #b9b9b0;
  border-radius: 2mm; padding: 3mm }
.picture svg { width: 100%; height: auto; max-height: 158mm }
.picture img { width: 67mm } .picture img:only-child { width: 130mm }
ol, ul { margin: 0 0 4mm; padding-left: 6mm } li { margin-bottom: 2mm }
.check ul { list-style: none; margin: 0; padding: 0 }
.check { background: #eef6ee; border: 0.3mm solid #5a8a66; border-radius: 2mm; padding: 3mm 4mm }
.check li { margin: 0 0 1.5mm; padding-left: 7mm; text-indent: -7mm }
.check li::before { content: "☐"; display: inline-block; width: 7mm; text-indent: 0;
  font-size: 13pt; line-height: 1 }
.check strong { display: block; margin-bottom: 1mm }
table { border-collapse: collapse; width: 100%; font-size: 9.5pt; line-height: 1.25 }
th, td { text-align: left; vertical-align: top; padding: 0.9mm 2mm; border-bottom: 0.2mm solid #c9c9c0 }
th { border-bottom: 0.5mm solid #1a1a1a } td.tick { width: 7mm; font-size: 12pt; line-height: 1 }
.halves { display: grid; grid-template-columns: 1fr 1fr; gap: 8mm; align-items: start }
.halves table { font-size: 8pt }
@media screen { body { background: #dcdcd8 }
  .page { margin: 5mm auto; background: #fff; box-shadow: 0 0 2mm #888 } }
"""


def booklet(profile: Profile, speak: Speak, language: str) -> str:
    """Return the booklet of *profile* as one HTML document; raise BadInput for one wired only in memory."""
    must_be_wired(profile)
    pages = list(_pages(profile, speak))
    body = "".join(
        f'<section class="page {kind}">{inside}{_footer(speak, profile, number, len(pages))}</section>\n'
        for number, (kind, inside) in enumerate(pages, start=1)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{escape(speak(title(profile)))}</title>"
        f'<meta name="viewport" content="width=1130"><style>{_STYLE}</style></head>\n'
        f"<body>\n{body}</body></html>\n"
    )


def _footer(speak: Speak, profile: Profile, number: int, count: int) -> str:
    page = speak(text("page {n} of {count}", n=number, count=count))
    return f"<footer><span>Last Nose · {escape(profile.name)}</span><span>{escape(page)}</span></footer>"


def _pages(profile: Profile, speak: Speak) -> Iterator[tuple[str, str]]:
    """Yield each page: its kind, and what is on it."""
    yield "", _cover(profile, speak)
    items = [(*row[:2], row[4], row[5]) for row in bom.rows(bom.bill(profile))]
    headings = (*bom.HEADINGS[:2], *bom.HEADINGS[4:])
    yield from _table(text("What to buy"), headings, items, speak, ITEMS_A_PAGE, ticks=True)
    found = steps(profile, speak)
    for number, step in enumerate(found, start=1):
        if step.wiring:
            yield from _papers(profile, speak)
        yield "", _step(step, number, len(found), speak)


def _papers(profile: Profile, speak: Speak) -> Iterator[tuple[str, str]]:
    """Yield the drawings at their true size, and the tables beside them: what the wiring steps go by."""
    for sheet in sheets(profile, speak):
        yield "sheet", sheet
    yield from _table(text("Every wire at a pin"), HEADINGS, rows(profile), speak, WIRES_A_PAGE)
    for sheet in levers.input_sheets(profile, speak):
        yield "sheet", sheet
    headings, pieces = levers.input_table(profile)
    share = 2 * PIECES_A_COLUMN
    for at in range(0, len(pieces), share):
        halves = (pieces[at : at + PIECES_A_COLUMN], pieces[at + PIECES_A_COLUMN : at + share])
        inside = "".join(_rows(headings, half, speak, ticks=True) for half in halves if half)
        yield "", f'{_heading(text("Piece by piece"), speak)}<div class="halves">{inside}</div>'


def _cover(profile: Profile, speak: Speak) -> str:
    told = "".join(f"<p>{escape(speak(line))}</p>" for line in opening(profile))
    safety = "".join(f"<li>{escape(speak(line))}</li>" for line in SAFETY)
    return f"<h1>{escape(speak(title(profile)))}</h1>{told}{_heading(text('Safety'), speak)}<ul>{safety}</ul>"


def _heading(said: Text, speak: Speak) -> str:
    return f"<h2>{escape(speak(said))}</h2>"


def _table(
    heading: Text, headings: Cells, lines: Sequence[Cells], speak: Speak, share: int, *, ticks: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield pages of a table, *share* rows on each."""
    for at in range(0, len(lines), share):
        yield "", _heading(heading, speak) + _rows(headings, lines[at : at + share], speak, ticks=ticks)


def _rows(headings: Cells, lines: Sequence[Cells], speak: Speak, *, ticks: bool) -> str:
    def cell(what: Text | str) -> str:
        return escape(what if isinstance(what, str) else speak(what))

    box = '<td class="tick">☐</td>' if ticks else ""
    head = ("<th></th>" if ticks else "") + "".join(f"<th>{cell(one)}</th>" for one in headings)
    body = "".join(f"<tr>{box}{''.join(f'<td>{cell(one)}</td>' for one in line)}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _step(step: BuildStep, number: int, count: int, speak: Speak) -> str:
    which = speak(text("Step {n} of {count}", n=number, count=count))
    done = "".join(f"<li>{escape(speak(line))}</li>" for line in step.do)
    checked = "".join(f"<li>{escape(speak(line))}</li>" for line in step.check)
    return (
        f"<h2>{escape(which)} · {escape(speak(step.title))}</h2>"
        f'<div class="step"><div class="picture">{step.picture}</div>'
        f'<div><ol>{done}</ol><div class="check"><strong>{escape(speak(text("Check")))}</strong>'
        f"<ul>{checked}</ul></div></div></div>"
    )


SAFETY = (
    POWER_OFF,
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
    yield bom.tools(profile)
    yield text("Nobody has built this one yet: it follows from data sheets and drawings.")


class BuildStep(msgspec.Struct, frozen=True):
    """A page: title, picture as HTML, what is done, what is checked. `wiring`: it needs drawings."""

    title: Text
    picture: str
    do: tuple[Text, ...]
    check: tuple[Text, ...]
    wiring: bool = False


def steps(profile: Profile, speak: Speak) -> list[BuildStep]:
    """Return the steps in their order, pictures and all in the language of *speak*."""
    return [
        _parts(profile, speak),
        _prints(profile, speak),
        _card(profile, speak),
        *([_pico(speak)] if profile.board == "pico" else []),
        *(_soldered(profile, speak) if profile.soldered else _screwed(profile, speak)),
        *_contacts(profile, speak),
        *([_display(profile, speak)] if profile.oled.driver != "none" else []),
        *([_lamps(profile, speak)] if profile.pins.leds or profile.pins.lamps else []),
        _box(profile, speak),
        _self_test(profile, speak),
        _close(profile),
    ]


# ---- Before anything is wired


def _parts(profile: Profile, speak: Speak) -> BuildStep:
    tick = text(
        "Tick off everything on the list; then try each button and contact, the multimeter set to continuity."
    )
    beeps = text(
        "A button beeps only while it is pressed (of three lugs COM and NO), a spoon’s contact only at its "
        "magnet."
    )
    return BuildStep(text("The parts"), meter(speak), (tick,), (beeps,))


def _prints(profile: Profile, speak: Speak) -> BuildStep:
    pods, spoons = len(profile.pins.noses), len(profile.pins.spoons)
    cradle = "spoon-cradle" if profile.soldered else "spoon-cradle-door"
    count = {"nose-pod-30": pods, "pod-base": pods, cradle: spoons}
    count |= dict.fromkeys(("oled-bezel", "box-body", "box-lid"), 1)
    how = text(
        "Print without supports, 0.2 mm layers, three walls (prints.zip of the release). Instead: "
        "nose-pod-28 for buttons of 28 mm, pod-base-flange to screw a pod down."
    )
    fits = text(
        "A button goes into its pod by hand and sits; a contact lies in its slot without being bent, the "
        "OLED in its bezel."
    )
    pictures = ("nose-pod-30", "pod-base", f"{cradle}-below", "box-body", "box-lid", "oled-bezel")
    return BuildStep(
        text("The printed parts"),
        "".join(map(_image, pictures)),
        (how, *(Text(f"{n} × {part}") for part, n in count.items() if n)),
        (fits,),
    )


def _card(profile: Profile, speak: Speak) -> BuildStep:
    name = "pico-party" if profile.board == "pico" else profile.name
    called = text("The card")
    return BuildStep(
        called,
        screen(CARD, speak(called)),
        (
            text(
                "Write Raspberry Pi OS Lite (64-bit) of Debian 13 to the card; answer no to settings "
                "of your own."
            ),
            text(
                "Take the card out and put it in again: bootfs shows up. Copy the files of "
                "lastnose_…_card.zip and the two packages for arm64 onto it."
            ),
            text("In user-data, put {name} as the profile, and your country.", name=name),
        ),
        (text("All files are there, and their names are those of the picture."),),
    )


def _pico(speak: Speak) -> BuildStep:
    called = text("The Pico")
    return BuildStep(
        called,
        screen(["RPI-RP2", "  lastnose-pico.uf2"], speak(called)),
        (
            text("Take lastnose-pico.uf2 of the release, or lastnose-pico2.uf2 for a Pico 2."),
            text(
                "Hold the Pico’s BOOTSEL button and plug it into the computer: a drive appears. Copy the "
                "file onto it: the Pico restarts by itself, and the drive is gone."
            ),
        ),
        (text("Its LED blinks fast: it waits for a table. (That of a Pico W or 2 W stays dark.)"),),
    )


# ---- The strip board


def _soldered(profile: Profile, speak: Speak) -> Iterator[BuildStep]:
    board, *more = stripboard.strip_boards(profile)
    ruler, saw, cut, links, resistors, long, terminals, leads, through, apart = stripboard.steps(board)
    both = (text("There are {n} boards: the same on each, as it is drawn.", n=len(more) + 1),) if more else ()

    begun = (ruler, *both, saw, cut, *numbers_told(profile, "cut"), INSTEAD)

    def picture(*kinds: str, copper: bool = False) -> str:
        return stripboard.board_picture(profile, speak, kinds, copper=copper)

    yield BuildStep(
        text("The strip board"),
        picture(copper=True),
        begun,
        (text("The meter is silent from one side of each cut to the other."),),
        wiring=True,
    )
    yield BuildStep(
        text("Links"),
        picture("link"),
        (links, *numbers_told(profile, "link")),
        (text("The meter beeps from the first ground strip to the last."),),
    )
    yield BuildStep(
        text("Resistors"),
        picture("link", "resistor", "capacitor", "pull-up"),
        (resistors, long, *numbers_told(profile, "resistor", "capacitor", "pull-up")),
        (text("1 kΩ across each cut that has a resistor over it."),),
    )
    yield BuildStep(
        text("Screw terminals"),
        picture("link", "resistor", "capacitor", "pull-up", "terminal"),
        (terminals, *numbers_told(profile, "terminal")),
        (apart,),
    )
    done = (leads, *numbers_told(profile, "lead"), *stripboard.second_leads(profile))
    yield BuildStep(text("Leads"), picture(*stripboard.ORDER), done, (through, apart))


def _host(profile: Profile) -> tuple[Text, ...]:
    alike = text("The host button the same way; it waits for the lid.")
    return () if profile.pins.host is None else (alike,)


POD = text("Pull the cable through the pod and screw its base on from below, four screws M3 × 10.")


def _soldered_noses(profile: Profile) -> BuildStep:
    return BuildStep(
        text("Noses"),
        _image("nose-pod-30") + _image("pod-base"),
        (
            text(
                "Twist each pair, crimp a spade connector onto each end and push them onto the button’s lugs."
            ),
            POD,
            text("The pair’s other ends go under the screw of its nose and the ground screw beside it."),
            *_host(profile),
        ),
        (text("At the terminal: it beeps while the button is pressed, and not when it is let go."),),
    )


def _contacts(profile: Profile, speak: Speak) -> Iterator[BuildStep]:
    """Yield noses and spoons."""
    yield _soldered_noses(profile) if profile.soldered else _screwed_noses(profile, speak)
    if profile.pins.spoons and profile.soldered:
        push = text(
            "Solder its pair to the contact, push it up to the end of its slot and fix it with hot glue; the "
            "pair’s other ends go under the screw of its spoon and the ground screw beside it."
        )
        yield _spoons((push,), "spoon-cradle-below")
    elif profile.pins.spoons:
        lay = text(
            "Lay the door contact into its pocket, flat against the roof, and fix it with hot glue; "
            "its leads into a and b."
        )
        numbers = numbers_told(profile, "lead", uses=("spoon.", "dock."))
        yield _spoons((lay, *numbers), "spoon-cradle-door-below")


def _spoons(how: tuple[Text, ...], image: str) -> BuildStep:
    return BuildStep(
        text("Spoons"),
        _image(image) + _image(image.removesuffix("-below")),
        (
            *how,
            text(
                "Three holes of 3.5 mm into the board, each 14 mm from an end of the cradle: one on its "
                "middle line, at the other end two, 14 mm to either side of it. Three screws M3 × 10 from "
                "below hold it, its cable out at the side."
            ),
            text("Glue the magnet under the spoon’s handle where it lies over the slot."),
        ),
        (
            text(
                "Across its two wires: it beeps with the spoon in its cradle, and also pushed 5 mm along the "
                "trough, but not lifted 3 cm."
            ),
        ),
    )


# ---- Screws and connectors


def _screwed(profile: Profile, speak: Speak) -> Iterator[BuildStep]:
    yield _grounds(profile, speak)
    yield BuildStep(
        text("Resistors"),
        _until(profile, speak, "resistor"),
        (
            _labelled(len(profile.lines), 2, "1, 2"),
            RESISTOR_IN,
            *numbers_told(profile, "resistor"),
            text("Bend the leads so that none touches its neighbour; over each a piece of insulating tape."),
        ),
        (text("1 kΩ from each screw to its connector; nothing to its neighbours, nor to ground."),),
    )
    yield BuildStep(
        text("Cables"),
        _until(profile, speak, "cable"),
        (
            LABELS,
            text(
                "In the box: the coloured wire into hole 2 of its connector, the black one into ground. At "
                "the other end: coloured into a connector a, black into a connector b."
            ),
            *numbers_told(profile, "cable"),
        ),
        (FAR_END,),
    )


FAR_END = text(
    "From the pin’s screw to ground: 1 kΩ while the far ends touch, or the button is pressed; else nothing."
)


def _labelled(count: int, holes: int, names: str) -> Text:
    return text("Label {n} connectors with {holes} holes: {names} …", n=count, holes=holes, names=names)


def _until(profile: Profile, speak: Speak, kind: str) -> str:
    """Draw what has been put in when the pieces of *kind* are."""
    return levers.lever_picture(profile, speak, levers.KINDS[: levers.KINDS.index(kind) + 1])


def _grounds(profile: Profile, speak: Speak) -> BuildStep:
    plugged = text("Push the board of screw terminals onto the Pi’s header: pin 1 on pin 1.")
    pico = text("Push the Pico into the board of screw terminals: its USB where the board says USB.")
    return BuildStep(
        text("Ground"),
        _until(profile, speak, "ground"),
        (
            plugged if profile.board == "pi" else pico,
            _labelled(levers.connectors(profile)[1], 5, "G1, G2"),
            text("A black wire from hole 1 of each to its ground screw."),
            *numbers_told(profile, "ground"),
        ),
        (
            text(
                "Each ground connector beeps with every other, and none with the screws {names}.",
                names="3V3, 5V" if profile.board == "pi" else "3V3, VSYS, VBUS",
            ),
        ),
        wiring=True,
    )


def _screwed_noses(profile: Profile, speak: Speak) -> BuildStep:
    return BuildStep(
        text("Noses"),
        _until(profile, speak, "lead"),
        (
            text(
                "Push the leads onto the button’s lugs, with three lugs COM and NO; their ends into a and b."
            ),
            POD,
            *_host(profile),
            *numbers_told(profile, "lead", uses=("nose.", "host")),
        ),
        (FAR_END,),
    )


# ---- The rest


def _display(profile: Profile, speak: Speak) -> BuildStep:
    return BuildStep(
        text("The small screen"),
        levers.display_picture(profile, speak),
        (
            OLED_PRINT,
            text(
                "Its leads onto its pins, the other ends to the pins of the picture; cut off the socket of "
                "an end that goes under a screw."
            ),
            *numbers_told(profile, "display"),
            text("Put it into the bezel, its glass to the window; four screws M3 × 10 hold that on the lid."),
        ),
        (text("No beep between VCC and GND."),),
    )


def _lamps(profile: Profile, speak: Speak) -> BuildStep:
    seats, pins = len(profile.pins.noses), profile.pins.lamps
    page = Page(390, lamps_height(speak, seats, pins) + 20, speak(text("Lamps and buzzer")))
    with page.moved(10, 10):
        lamps(page, speak, seats, pins)
    found = [wire for wire in wires(profile) if wire.board == "pi"]
    joined = [wire for wire in found if wire.use.startswith(("lamp", "led ", "buzzer", "5V"))] + found[-1:]
    pins_told = ", ".join(f"{wire.physical} ({speak(wire.to)})" for wire in joined)
    return BuildStep(
        text("Lamps and buzzer"),
        page.svg(),
        (
            text(
                "Solder sockets and resistors onto the perforated board, as the picture joins them; put the "
                "chips in last, the notch of each where pin 1 is."
            ),
            text("It is wired to these pins of the Raspberry Pi: {pins}.", pins=pins_told),
            text(
                "A lamp’s long lead goes to 5 V through its 220 Ω. Drill a hole of 5 mm into each pod beside "
                "the button, and glue the lamp in from inside."
            ),
            text("The buzzer goes to its pin through 220 Ω, its other lead to ground."),
        ),
        (text("No beep between 5 V and ground, nor between 5 V and any pin."),),
    )


def _box(profile: Profile, speak: Speak) -> BuildStep:
    return BuildStep(
        text("Into the box"),
        _image("box-body"),
        (
            text(
                "The Pi onto its four posts, four screws M2.5 × 6, its USB sockets to the opening behind; "
                "the rest beside it on foam tape, each cable into its notch."
            ),
            *_beside(profile, speak),
        ),
        (text("Tug each wire: none comes out. Nothing bare touches anything else."),),
    )


def _beside(profile: Profile, speak: Speak) -> Iterator[Text]:
    if profile.board == "pico":
        yield text("The Pico’s board beside the Pi, its USB cable into one of the Pi’s sockets.")
    elif not profile.soldered:
        yield text("The screw terminals cover the Pi’s screws: pull their board off, then push it back on.")
    if profile.pins.sync is not None:
        yield sync_wire(profile, speak)


def _self_test(profile: Profile, speak: Speak) -> BuildStep:
    source = " --source box" if profile.board == "pico" else ""
    called = text("Power on, and the self-test")
    return BuildStep(
        called,
        screen(
            [
                "$ sudo systemctl stop lastnose",
                f"$ lastnose selftest --profile {profile.name}{source}",
                "…",
                "$ sudo systemctl start lastnose",
            ],
            speak(called),
        ),
        (
            text(
                "The card into the Pi, then the supply. It sets itself up and restarts; allow it "
                "some minutes. The OLED says how to join: scan it with a phone."
            ),
            text(
                "Screen and keyboard on the Pi: it asks once for a name and a password of your own. Type the "
                "lines of the picture, and do what the self-test asks for: each nose, each spoon."
            ),
        ),
        (text("It ends with “All is well: play.” Otherwise it says which wire to move."),),
    )


def _close(profile: Profile) -> BuildStep:
    return BuildStep(
        text("Close it and play"),
        _image("box-lid") + _image("oled-bezel"),
        (
            *([text("The host button into the lid’s hole.")] if profile.pins.host is not None else []),
            text(
                "The lid on, the button above the board beside the Pi; four screws M3 × 10. Rubber feet "
                "under box and pods."
            ),
            text("On a phone: Set the table, three names or more, and play a round."),
        ),
        (
            text(
                "Slap a pod beside its middle: it stays. Otherwise take the base with ears and screw it down."
            ),
        ),
    )


# ---- Pictures


def _image(name: str) -> str:
    """Return the picture of a printed part."""
    data = (files("lastnose.hardware") / "enclosure" / "pictures" / f"{name}.png").read_bytes()
    return f'<img src="data:image/png;base64,{b64encode(data).decode()}" alt="{escape(name)}">'
