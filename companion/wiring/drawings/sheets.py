"""The pages for a profile: one of A4 up to eight seats, two beyond; and the input channel by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.errors import BadInput
from companion.core.text import Text, text
from companion.wiring.boards import Board
from companion.wiring.drawings import panels
from companion.wiring.drawings.board import BoardDrawing, Speak
from companion.wiring.drawings.svg import FAINT, Page
from companion.wiring.profile import Profile
from companion.wiring.wires import board_name, wires

A4 = (1188, 840)
ONE_PAGE_SEATS = 8
TOP = 84
PANELS_X, PANELS_Y = 806, 22

Panel = tuple[float, Callable[[Page], None]]


def sheets(profile: Profile, speak: Speak) -> list[str]:
    """Return the wiring of *profile* as pages of SVG; raise BadInput for one that is wired only in memory."""
    must_be_wired(profile)
    if len(profile.pins.noses) <= ONE_PAGE_SEATS and profile.board == "pi":
        return [
            _sheet(profile, speak, "pi", [_channel(speak), *_lamps(profile, speak), _mind(profile, speak)])
        ]
    beside = [_channel(speak)] if profile.board == "pico" else [_channel(speak), _mind(profile, speak)]
    first = _sheet(profile, speak, profile.board, beside, number=1)
    return [first, _second(profile, speak)]


def must_be_wired(profile: Profile) -> None:
    """Raise BadInput for a profile that is wired only in memory."""
    if profile.board == "mock":
        raise BadInput(
            text("The profile {name} exists only in memory: there is nothing to wire.", name=profile.name)
        )


def _second(profile: Profile, speak: Speak) -> str:
    """Return the second page: the Pi beside a Pico, or a big table's lamps and list of wires."""
    if profile.board == "pico":
        return _sheet(profile, speak, "pi", [*_lamps(profile, speak), _mind(profile, speak)], number=2)
    return _list_sheet(profile, speak)


def _title(page: Page, profile: Profile, speak: Speak, number: int | None, what: Text) -> None:
    page.words(36, 40, speak(text("Last Nose: wiring of {name}", name=profile.name)), size=20, bold=True)
    page.words(36, 60, speak(what), size=11.5, fill=FAINT)
    if number is not None:
        words = speak(text("page {n} of 2", n=number))
        page.words(PANELS_X - 24, 40, words, anchor="end", fill=FAINT)


def _page(profile: Profile, speak: Speak) -> Page:
    return Page(*A4, speak(text("Last Nose: wiring of {name}", name=profile.name)))


def _sheet(
    profile: Profile, speak: Speak, on: Board, beside: Sequence[Panel], *, number: int | None = None
) -> str:
    """Return a page with a board and its parts, and panels in a column at the right."""
    page = _page(profile, speak)
    what = text(
        "{board} from above. Every contact closes to the ground bus. 3.3 V only.", board=board_name(on)
    )
    _title(page, profile, speak, number, what)
    with page.moved(10, TOP):
        BoardDrawing(page, on, wires(profile), speak).draw()
    _stack(page, beside, PANELS_X, PANELS_Y)
    return page.svg()


def _stack(page: Page, beside: Sequence[Panel], x: float, y: float) -> None:
    for height, draw in beside:
        with page.moved(x, y):
            draw(page)
        y += height + 10


def _channel(speak: Speak) -> Panel:
    return panels.channel_height(speak), lambda page: panels.channel(page, speak)


def _lamps(profile: Profile, speak: Speak) -> list[Panel]:
    seats, pins = len(profile.pins.noses), profile.pins.lamps
    if profile.pins.leds is None and not pins:
        return []
    return [(panels.lamps_height(speak, seats, pins), lambda page: panels.lamps(page, speak, seats, pins))]


def _mind(profile: Profile, speak: Speak) -> Panel:
    """Return what to mind: safety, the colours, config.txt, and the profile's own warnings."""
    said = [text("Wire with the power off. 5 V on a signal pin kills the board.")]
    if profile.oled.driver != "none":
        said.append(text("OLED: VCC to the 3.3 V bus, GND to ground. Read the print on yours: pins differ."))
    if profile.pins.sync is not None:
        said.append(
            text("Sync wire: to the sync pin of every other box, or of the Pi, with a ground wire beside it.")
        )
    if lines := profile.config_lines():
        said.append(text("config.txt: {lines}", lines="  ".join(lines)))
    said += profile.warnings()
    return panels.notes_height(speak, said), lambda page: panels.notes(page, speak, text("Mind"), said)


def _list_sheet(profile: Profile, speak: Speak) -> str:
    """Return a page with the list of wires, and the lamps where there are any."""
    page = _page(profile, speak)
    lamps = profile.pins.leds is not None or bool(profile.pins.lamps)
    about = (
        text("Every wire from pin to part, and the lamps.") if lamps else text("Every wire from pin to part.")
    )
    _title(page, profile, speak, 2, about)
    found = wires(profile)
    half = -(-len(found) // 2)
    for column, part in enumerate((found[:half], found[half:])):
        with page.moved(36 + column * 385, 100):
            for number, wire in enumerate(part):
                y = 40 * number
                page.wire([(92, y), (150, y)], wire.colour)
                page.words(0, y + 4, str(wire.physical), size=12, bold=True)
                page.words(26, y + 4, wire.pin, size=11)
                page.words(158, y, speak(wire.to), size=12, bold=True)
                page.words(158, y + 12, speak(wire.colour.name), size=9, fill=FAINT)
    _stack(page, _lamps(profile, speak), PANELS_X, PANELS_Y)
    return page.svg()


def channel_sheet(speak: Speak) -> str:
    """Return the schematic of one input channel by itself."""
    title = speak(text("Last Nose: one input channel"))
    page = Page(panels.WIDTH + 24, panels.channel_height(speak) + 24, title)
    with page.moved(12, 12):
        panels.channel(page, speak)
    return page.svg()
