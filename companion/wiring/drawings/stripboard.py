"""The strip board of the input channels, drawn from the profile: what goes into which hole.

Strips run from left to right and have a letter each, from the top; holes count along them from 1. Two
contacts share a three-way screw terminal of 5.08 mm: one, ground, the other, so every second strip. Between
a contact and its pin lies 1 kΩ over a cut. The strips between two terminals carry 3.3 V behind a cut, for
pull-ups on long cables. Past twelve contacts a second column stands mirrored beside the first, past
twenty-four there is another board. That nets are whole, and apart, proves for any number
`tests/wiring/test_stripboard.py`.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict

import msgspec
from lastnose.companion.core.text import Text, text, texts
from lastnose.companion.wiring.drawings.sheets import (
    A4,
    PULL_UP_OHM,
    Speak,
    must_be_wired,
    title,
    titled_page,
)
from lastnose.companion.wiring.drawings.svg import FAINT, INK, Anchor, Page, Point
from lastnose.companion.wiring.profile import Profile
from lastnose.companion.wiring.wires import (
    BLACK,
    CHANNEL,
    RED,
    TO_GROUND,
    VOLTS,
    Colour,
    Wire,
    part_of,
    wires,
)

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

    >>> from lastnose.companion.wiring.profile import load_profile
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


PITCH = 4 * PITCH_MM  # of a page, whose units are quarter millimetres
COPPER, HOLE, BOARD, CLAY, BLUE, GREEN = "#c9803f", "#ffffff", "#f3e7c9", "#d9c39a", "#2f6fb5", "#2e8b57"
LEFT, TOP, BETWEEN = 104, 128, 92


class Label(TypedDict):
    """How a label stands beside the board: to the left of its place, or to the right."""

    size: float
    anchor: Anchor


HEADINGS = (Text("#"), text("part"), text("for"), text("holes"), text("goes to"))
LONG_CABLES = {
    "capacitor": text("{value}, for long cables", value="1 nF"),
    "pull-up": text("{value}, for long cables", value=PULL_UP_OHM),
}
_KINDS: dict[str, Text] = {
    "link": text("wire"),
    "resistor": Text(CHANNEL),
    "terminal": text("screw terminal, three-way, 5.08 mm"),
    "lead": text("lead"),
    **LONG_CABLES,
}
_LABEL: dict[int, Label] = {1: {"size": 8, "anchor": "start"}, -1: {"size": 8, "anchor": "end"}}
ORDER = ("link", "resistor", "capacitor", "pull-up", "terminal", "lead")  # the lowest parts first


def board_rows(profile: Profile) -> list[tuple[Text | str, ...]]:
    """Return what to do, hole by hole, in the order of HEADINGS: cuts, then parts, the lowest first."""
    must_be_wired(profile)
    by_use = {wire.use: wire for wire in reversed(wires(profile))}
    found: list[tuple[Text | str, ...]] = []
    for name, _, _, piece in board_pieces(profile):
        if isinstance(piece, Hole):
            found.append((name, text("cut"), "", piece.name, ""))
            continue
        holes = " – ".join(hole.name for hole in piece.holes)
        to = _pin(by_use[piece.use]) if piece.kind == "lead" else ""
        found.append((name, _KINDS[piece.kind], _purpose(piece), holes, to))
    return found


def board_pieces(profile: Profile) -> Iterator[tuple[str, str, str, Hole | Soldered]]:
    """Yield what is cut or soldered, in its order: its number, `cut` or the part's kind, its use, itself."""
    for count, board in enumerate(strip_boards(profile), start=1):
        board_name = "" if count == 1 else f"{count}: "
        numbers = (f"{board_name}{number}" for number in itertools.count(1))
        yield from ((next(numbers), "cut", "", hole) for hole in board.cuts)
        for kind in ORDER:
            for part in (part for part in board.parts if part.kind == kind):
                yield next(numbers), kind, part.use, part


def _purpose(part: Soldered) -> Text | str:
    if part.kind == "terminal":
        both = [part_of(use) for use in part.uses if use not in ("", "ground")]
        return both[0] if len(both) == 1 else text("{one}, ground, {other}", one=both[0], other=both[1])
    return {"ground": TO_GROUND, "3V3": VOLTS}.get(part.use) or part_of(part.use)


def _pin(wire: Wire) -> Text:
    return text("{colour} to {name}, pin {n}", colour=wire.colour.name, name=wire.pin, n=wire.physical)


def board_sheets(profile: Profile, speak: Speak) -> list[str]:
    """Return a page of SVG for each strip board of *profile*: print at 100 %, and 40 mm are 40 mm.

    Raise BadInput for one that is wired only in memory.
    """
    must_be_wired(profile)
    boards = strip_boards(profile)
    by_use = {wire.use: wire for wire in reversed(wires(profile))}
    return [
        _sheet(profile, board, by_use, speak, text("board {n} of {all}", n=number, all=len(boards)))
        for number, board in enumerate(boards, start=1)
    ]


def board_picture(profile: Profile, speak: Speak, kinds: Sequence[str], *, copper: bool = False) -> str:
    """Return one side of every board of *profile*, with the parts of *kinds* put in."""
    boards = strip_boards(profile)
    by_use = {wire.use: wire for wire in reversed(wires(profile))}
    sides = [board.places * PITCH for board in boards]
    height = max(board.strips for board in boards) * PITCH + 40
    page = Page(sum(sides) + 2 * LEFT * len(boards), height, speak(title(profile)))
    x: float = LEFT
    for board, side in zip(boards, sides, strict=True):
        with page.moved(x, 24):
            _Side(page, board, mirrored=copper, kinds=kinds).draw(by_use, speak)
        x += side + 2 * LEFT
    return page.svg()


def _sheet(profile: Profile, board: StripBoard, by_use: dict[str, Wire], speak: Speak, which: Text) -> str:
    width, height = board.size_mm
    size = Text("{which}: {w} × {h} mm", {"which": which, "w": width, "h": height})
    page = titled_page(profile, speak, size)
    side = board.places * PITCH
    for mirrored, x in ((False, LEFT), (True, LEFT + side + BETWEEN)):
        told = text("Copper side, mirrored: cut here") if mirrored else text("Parts side")
        page.words(x, TOP - 34, speak(told), size=13, bold=True)
        with page.moved(x, TOP):
            _Side(page, board, mirrored=mirrored).draw(by_use, speak)
    _ruler(page, LEFT, TOP + board.strips * PITCH + 46)
    beside = LEFT + 2 * (side + BETWEEN)
    if beside < 800:
        _steps(page, board, speak, beside, TOP - 34, A4[0] - beside - 30)
    else:
        _steps(page, board, speak, LEFT + 230, TOP + board.strips * PITCH + 40, A4[0] - LEFT - 270)
    return page.svg()


def _ruler(page: Page, x: float, y: float) -> None:
    page.line([(x, y), (x + 160, y)])
    for mm in range(0, 41, 10):
        page.line([(x + 4 * mm, y - 5), (x + 4 * mm, y + 5)])
        page.words(x + 4 * mm, y + 18, f"{mm}", size=9, anchor="middle", fill=FAINT)
    page.words(x + 176, y + 18, "mm", size=9, fill=FAINT)


def steps(board: StripBoard) -> Iterator[Text]:
    """Yield how it is built and checked, a sentence a step."""
    count = {kind: sum(part.kind == kind for part in board.parts) for kind in ORDER}
    ground = next(part for part in board.parts if part.kind == "lead" and part.use == "ground").holes[0]
    yield text("Print its drawing at 100 %: 40 mm of its ruler are 40 mm.")
    yield text(
        "Saw the board to {strips} strips of {holes} holes; smooth the edges.",
        strips=board.strips,
        holes=board.places,
    )
    yield texts(
        "Cut {n} strip where the copper side has a cross: a 4 mm drill, turned by hand.",
        "Cut {n} strips where the copper side has a cross: a 4 mm drill, turned by hand.",
        n=len(board.cuts),
    )
    yield texts(
        "Solder in {n} link of insulated wire.", "Solder in {n} links of insulated wire.", n=count["link"]
    )
    yield texts("Then {n} resistor of 1 kΩ, flat.", "Then {n} resistors of 1 kΩ, flat.", n=count["resistor"])
    yield text("Cables over 1 m: each channel’s 1 nF and 4.7 kΩ too (dashed), on all or on none.")
    yield texts(
        "Then {n} screw terminal, its openings outwards.",
        "Then {n} screw terminals, their openings outwards.",
        n=count["terminal"],
    )
    yield text(
        "Last the leads, in the colours of the wiring: each contact’s, ground, and 3.3 V if it is used."
    )
    yield text(
        "Check: from each screw of a contact to its lead 1 kΩ, from each middle screw to {hole} 0 Ω.",
        hole=ground.name,
    )
    yield text("Check: no neighbouring strips joined, and nothing between 3.3 V and ground.")


def second_leads(profile: Profile) -> Iterator[Text]:
    """Yield where the board's other ground wire goes, unless lamps take it, and how two leads share a pin."""
    last = [wire for wire in wires(profile) if (wire.use, wire.board) == ("ground", profile.board)][-1]
    if profile.board == "pico" or not (profile.pins.leds or profile.pins.lamps):
        yield text("Another ground lead from the same strip, to pin {pin} (ground).", pin=f"{last.physical}")
    if profile.board == "pi":
        yield text("Where two leads want one pin, solder the second to the strip where the first begins.")


def _steps(page: Page, board: StripBoard, speak: Speak, x: float, y: float, width: float) -> None:
    for number, said in enumerate(steps(board), start=1):
        page.words(x, y, f"{number}", size=13, bold=True)
        for line in textwrap.wrap(
            speak(said), int(width / 6.4), break_long_words=False, break_on_hyphens=False
        ):
            page.words(x + 22, y, line, size=11.5)
            y += 16
        y += 6


class _Side:
    """One side of a board, at the origin of a page; the copper side is the parts side seen from below."""

    def __init__(
        self, page: Page, board: StripBoard, *, mirrored: bool, kinds: Sequence[str] = ORDER
    ) -> None:
        self.page, self.board, self.mirrored, self.kinds = page, board, mirrored, kinds

    def draw(self, by_use: dict[str, Wire], speak: Speak) -> None:
        """Draw the board, what names its holes, and what is to be seen from this side."""
        page, board = self.page, self.board
        page.box(0, 0, board.places * PITCH, board.strips * PITCH, fill=BOARD, line=1)
        for strip in range(1, board.strips + 1):
            (x1, y), (x2, _) = self._at(Hole(strip, 1)), self._at(Hole(strip, board.places))
            if self.mirrored:
                page.line([(x1, y), (x2, y)], colour=COPPER, width=7.2)
            page.words(-4, y + 2.6, strip_name(strip), size=7.5, anchor="end", fill=FAINT)
        for place in range(1, board.places + 1):
            x, _ = self._at(Hole(1, place))
            if place == 1 or place % 5 == 0:
                page.words(x, -6, f"{place}", size=7.5, anchor="middle", fill=FAINT)
            for strip in range(1, board.strips + 1):
                page.dot(x, self._at(Hole(strip, place))[1], 1.7, fill=HOLE, stroke=CLAY)
        for cut in board.cuts:
            self._cut(cut)
        if self.mirrored:
            return
        for kind in self.kinds:
            for part in board.parts:
                if part.kind == kind:
                    self._part(part, by_use, speak)

    def _at(self, hole: Hole) -> Point:
        place = self.board.places + 1 - hole.place if self.mirrored else hole.place
        return (place - 0.5) * PITCH, (hole.strip - 0.5) * PITCH

    def _cut(self, hole: Hole) -> None:
        x, y = self._at(hole)
        if self.mirrored:
            self.page.dot(x, y, 4.6, fill=HOLE, stroke=INK)
        colour, by = (INK, 3.2) if self.mirrored else (FAINT, 2.4)
        self.page.line([(x - by, y - by), (x + by, y + by)], colour=colour)
        self.page.line([(x - by, y + by), (x + by, y - by)], colour=colour)

    def _part(self, part: Soldered, by_use: dict[str, Wire], speak: Speak) -> None:
        page, ends = self.page, [self._at(hole) for hole in part.holes]
        (x1, y1), (x2, y2) = ends[0], ends[-1]
        dash = "3 3" if part.optional else ""
        match part.kind:
            case "link":
                page.line(ends, colour=RED.fill if part.use == "3V3" else INK, width=2.2, dash=dash)
            case "resistor":
                page.line(ends, width=1.2)
                page.box(min(x1, x2) + 9, y1 - 3.4, abs(x2 - x1) - 18, 6.8, fill="#e9d2a8", line=1)
            case "capacitor" | "pull-up":
                page.line(ends, colour=BLUE if part.kind == "pull-up" else GREEN, width=2, dash=dash)
            case "terminal":
                outer = -1 if x1 < self.board.places * PITCH / 2 else 1
                left = x1 - 13 if outer < 0 else x1 - 8
                page.box(left, y1 - 8, 21, y2 - y1 + 16, fill="#bfe0c4", line=1)
                for use, (x, y) in zip(part.uses, ends, strict=True):
                    page.dot(x, y, 3.6, fill="#d7dadd", stroke=INK)
                    if use not in ("", "ground"):
                        page.words(*_beside(x + outer * 37, y), speak(part_of(use)), **_LABEL[outer])
            case "lead":
                wire = by_use.get(part.use)
                self._lead(ends[0], wire.colour if wire else BLACK, wire.pin if wire else part.use)
        for x, y in ends if part.kind != "terminal" else ():
            page.dot(x, y, 1.9)

    def _lead(self, at: Point, colour: Colour, pin: str) -> None:
        x, y = at
        alone = self.board.places <= WIDTH
        onward = 1 if alone or x < self.board.places * PITCH / 2 else -1
        length = 18 if alone else 8
        self.page.wire([(x, y), (x + onward * length, y)], colour)
        self.page.words(*_beside(x + onward * (length + 4), y), pin, **_LABEL[onward])


def _beside(x: float, y: float) -> Point:
    return x, y + 2.8
