"""The way without soldering, from the profile: which end goes into which screw, lever connector and lug.

Each contact has a two-way connector in the box, `3`, between the 1 kΩ in the pin's screw and its cable, and
two more where the cable ends, `3a` and `3b`, for the leads of button or door contact. Grounds meet in
five-way connectors, `G1` and so on: one hole is for the wire to the board, four are for contacts. That every
contact is joined to its pin and to ground, and to nothing else, proves `tests/wiring/test_levers.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.boards import LAYOUTS, Board, pin_name
from lastnose.companion.wiring.drawings import stripboard, svg
from lastnose.companion.wiring.drawings.sheets import (
    PANELS_X,
    POWER_OFF,
    Speak,
    must_be_wired,
    notes,
    notes_height,
    title,
    titled_page,
)
from lastnose.companion.wiring.drawings.svg import INK, Page
from lastnose.companion.wiring.profile import Profile
from lastnose.companion.wiring.wires import (
    BLACK,
    CHANNEL,
    CONTACTS_A_CONNECTOR,
    TO_GROUND,
    Wire,
    part_of,
    wires,
)

BUTTONS = ("nose.", "host")  # of all contacts: the others are reeds
Kind = Literal["ground", "resistor", "cable", "lead", "display"]


class End(NamedTuple):
    """Where an end goes: a `screw` or a `pin` of a board, a hole of a `lever`, a lug of a `part`."""

    place: Literal["screw", "pin", "lever", "part"]
    name: str
    hole: int = 1


class Connection(msgspec.Struct, frozen=True):
    """A piece with two ends and what it is for: a `ground` wire, a `resistor`, a `cable`'s wire, a `lead`.

    `black`: of the two wires of a cable, and of the two leads of a part, the one to ground.
    """

    kind: Kind
    use: str
    ends: tuple[End, End]
    black: bool = False


def connectors(profile: Profile) -> tuple[int, int]:
    """Return how many two-way and five-way lever connectors *profile* takes.

    >>> from lastnose.companion.wiring.profile import load_profile
    >>> connectors(load_profile("home4-screws")), connectors(load_profile("pico-party-screws"))
    ((24, 2), (75, 7))
    """
    count = len(profile.lines)
    return 3 * count, -(-count // CONTACTS_A_CONNECTOR)


def joints(profile: Profile) -> tuple[Connection, ...]:
    """Return every piece, in the order in which it is put in: grounds, resistors, cables, leads, display."""
    found = wires(profile)
    signals = [wire for wire in found if wire.use in profile.lines]
    return (
        *_grounds([wire for wire in found if wire.use == "ground"]),
        *(
            Connection("resistor", wire.use, (_screw(wire), End("lever", f"{number}")))
            for number, wire in enumerate(signals, start=1)
        ),
        *(piece for number, wire in enumerate(signals, start=1) for piece in _cable(wire.use, number)),
        *(piece for number, wire in enumerate(signals, start=1) for piece in _leads(wire.use, f"{number}")),
        *_display(profile, [wire for wire in found if wire.use.startswith("oled ")]),
    )


def _screw(wire: Wire) -> End:
    return End("screw", f"{wire.physical}")


def _grounds(found: list[Wire]) -> Iterator[Connection]:
    for number, wire in enumerate(found, start=1):
        yield Connection("ground", "ground", (_screw(wire), End("lever", f"G{number}")), black=True)


def _cable(use: str, number: int) -> Iterator[Connection]:
    """Yield the two wires of a contact's cable: from its resistor, and from ground."""
    meets, place = divmod(number - 1, CONTACTS_A_CONNECTOR)
    yield Connection("cable", use, (End("lever", f"{number}", 2), End("lever", f"{number}a")))
    ground = End("lever", f"G{meets + 1}", place + 2)
    yield Connection("cable", use, (ground, End("lever", f"{number}b")), black=True)


def _leads(use: str, number: str) -> Iterator[Connection]:
    yield Connection("lead", use, (End("lever", f"{number}a", 2), End("part", use, 1)))
    yield Connection("lead", use, (End("lever", f"{number}b", 2), End("part", use, 2)), black=True)


def _display(profile: Profile, found: list[Wire]) -> Iterator[Connection]:
    """Yield the leads of the display: under screws, or on the pins of a Pi that has no screw terminals."""
    for wire in found:
        begin = End("screw" if profile.board == "pi" else "pin", f"{wire.physical}")
        yield Connection("display", wire.use, (begin, End("part", wire.use)), black=wire.use == "oled GND")


# ---- In words: what is to be done, piece by piece.

HEADINGS = (Text("#"), text("part"), text("for"), text("from"), text("goes to"))


def lever_rows(profile: Profile) -> list[tuple[Text | str, ...]]:
    """Return what to do, piece by piece, in the order of HEADINGS."""
    by_use = {wire.use: wire for wire in wires(profile)}
    return [
        (
            f"{step}",
            _piece(piece, by_use),
            TO_GROUND if piece.use == "ground" else part_of(piece.use),
            *(end_name(end, piece, profile) for end in piece.ends),
        )
        for step, piece in enumerate(joints(profile), start=1)
    ]


def _piece(piece: Connection, by_use: dict[str, Wire]) -> Text:
    match piece.kind:
        case "ground":
            return text("black wire 0.5 mm², 15 cm")
        case "resistor":
            return Text(CHANNEL)
        case "cable":
            colour = BLACK if piece.black else by_use[piece.use].colour
            return text("wire of its cable: {colour}", colour=colour.name)
    return text("lead")


def end_name(end: End, piece: Connection, profile: Profile) -> Text:
    """Return where an end goes, as a builder reads it."""
    match end.place:
        case "lever":
            return text("connector {name}, hole {n}", name=end.name, n=end.hole)
        case "screw":
            return text("screw {n} ({name})", n=end.name, name=printed(end, profile.board))
        case "pin":
            return text("pin {n} of the Pi ({name})", n=end.name, name=printed(end, "pi"))
    if end.name.startswith(BUTTONS):
        return Text("COM") if end.hole == 1 else Text("NO")
    return part_of(end.name)


def printed(end: End, board: Board) -> str:
    """Return what stands at a screw or pin: `GPIO5`, `GND`."""
    what = LAYOUTS[board][int(end.name) - 1]
    return pin_name(board, what) if isinstance(what, int) else what


Table = tuple[tuple[Text, ...], list[tuple[Text | str, ...]]]

KINDS = ("ground", "resistor", "cable", "lead", "display")  # in the order of building
LEVER, METAL = "#f6d9b0", "#d7dadd"
GROUND_X, SCREW_X, RESISTOR_X, PAIR_X, AT_PART_X, PART_X = 6, 60, 206, 246, 490, 600
WIDTH, ROOM, HIGHEST = 770, 730, 46  # of the drawing, of all its rows, and of one


def input_sheets(profile: Profile, speak: Speak) -> list[str]:
    """Return the pages of how contacts are joined to the board: strip boards, or connectors."""
    return stripboard.board_sheets(profile, speak) if profile.soldered else [lever_sheet(profile, speak)]


def input_table(profile: Profile) -> Table:
    """Return the same as a table, a piece a row: its headings and its rows."""
    must_be_wired(profile)
    if profile.soldered:
        return stripboard.HEADINGS, stripboard.board_rows(profile)
    return HEADINGS, lever_rows(profile)


def input_pieces(profile: Profile) -> list[tuple[str, str, str]]:
    """Return of each row of that table its number, what kind of piece it is, and what for."""
    if profile.soldered:
        return [(number, kind, use) for number, kind, use, _ in stripboard.board_pieces(profile)]
    return [(f"{number}", piece.kind, piece.use) for number, piece in enumerate(joints(profile), start=1)]


def numbers_told(profile: Profile, *kinds: str, uses: tuple[str, ...] = ("",)) -> tuple[Text, ...]:
    """Return the sentence that says which pieces of the list a step puts in: those of *kinds* for *uses*."""
    runs: list[list[str]] = []
    before = None
    for at, (number, kind, use) in enumerate(input_pieces(profile)):
        if kind not in kinds or not use.startswith(uses):
            continue
        if before != at - 1 or number.endswith(": 1"):
            runs.append([])
        runs[-1].append(number)
        before = at
    told = ", ".join(run[0] if len(run) == 1 else f"{run[0]}–{run[-1].split(': ')[-1]}" for run in runs)
    return (text("Of “Piece by piece”: {numbers}.", numbers=told),) if runs else ()


def lever_picture(profile: Profile, speak: Speak, kinds: Collection[str] = KINDS) -> str:
    """Return the drawing alone, with the pieces of *kinds* put in."""
    rows = _Rows(profile)
    page = Page(WIDTH, rows.height + 20, speak(title(profile)))
    with page.moved(0, 10):
        rows.draw(page, speak, kinds)
    return page.svg()


def lever_sheet(profile: Profile, speak: Speak) -> str:
    """Return the drawing as a page of A4, with what to mind; raise BadInput where nothing is to be wired."""
    must_be_wired(profile)
    about = text("Screws of the board on the left, in the box; what a cable ends in on the right.")
    page = titled_page(profile, speak, about)
    with page.moved(30, 84):
        _Rows(profile).draw(page, speak, KINDS)
    with page.moved(PANELS_X, 84):
        notes(page, speak, text("Mind"), MIND)
    if profile.oled.driver == "none":
        return page.svg()
    with page.moved(PANELS_X, 84 + notes_height(speak, MIND) + 10):
        display(page, profile, speak)
    return page.svg()


RESISTOR_IN = text("One lead of a 1 kΩ under the screw of each pin, the other into hole 1 of its connector.")
LABELS = text("Label both ends of each cable with its number.")
MIND = (
    POWER_OFF,
    text("One wire to a screw, one to a hole: two under one screw come loose."),
    RESISTOR_IN,
    text("Bare 6 mm of a wire for a screw, 11 mm for a lever connector; pull at each."),
    LABELS,
    text("Button with three lugs: COM and NO, never NC."),
)


class _Rows:
    """A row a contact, in groups that share a ground connector; above each group its wire to ground."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.pieces = [piece for piece in joints(profile) if piece.kind != "display"]
        self.contacts = [piece.use for piece in self.pieces if piece.kind == "resistor"]
        self.by_use = {wire.use: wire for wire in wires(profile)}
        count = len(self.contacts) + -(-len(self.contacts) // CONTACTS_A_CONNECTOR)
        self.pitch = min(HIGHEST, ROOM / count)
        self.height = count * self.pitch

    def _y(self, contact: int) -> float:
        """Return the middle of the row of a contact, counted from 0."""
        return (contact + contact // CONTACTS_A_CONNECTOR + 1.5) * self.pitch

    def draw(self, page: Page, speak: Speak, kinds: Collection[str]) -> None:
        """Draw the pieces of *kinds*, then all connectors that they end in."""
        shown = [piece for piece in self.pieces if piece.kind in kinds]
        for piece in shown:
            self._piece(page, piece)
        levers = (end.name for piece in shown for end in piece.ends if end.place == "lever")
        for name in dict.fromkeys(levers):
            self._lever(page, name)
        for piece in shown:
            for end in piece.ends:
                self._end(page, end)
        for number, use in enumerate(self.contacts):
            self._contact(page, speak, number, use, kinds)

    def _at(self, end: End) -> tuple[float, float]:
        """Return where an end is drawn."""
        up, down = -0.2 * self.pitch, 0.26 * self.pitch
        if end.place == "part":
            return PART_X, self._y(self.contacts.index(end.name)) + (up if end.hole == 1 else down)
        if end.place == "screw":
            use = next(piece.use for piece in self.pieces if end in piece.ends)
            if use == "ground":
                group = [piece.ends[0] for piece in self.pieces if piece.use == "ground"].index(end)
                return SCREW_X, self._y(group * CONTACTS_A_CONNECTOR) - self.pitch
            return SCREW_X + 110, self._y(self.contacts.index(use)) + up
        if end.name.startswith("G"):
            first = (int(end.name[1:]) - 1) * CONTACTS_A_CONNECTOR
            if end.hole == 1:
                return GROUND_X + 30, self._y(first) - self.pitch
            return GROUND_X + 30, self._y(first + end.hole - 2) + down
        number = int(end.name.rstrip("ab")) - 1
        begin = AT_PART_X if end.name[-1] in "ab" else PAIR_X
        return begin + 30 * (end.hole - 1), self._y(number) + (down if end.name.endswith("b") else up)

    def _piece(self, page: Page, piece: Connection) -> None:
        begin, end = (self._at(one) for one in piece.ends)
        if piece.kind == "resistor":
            page.line([begin, end], width=1.6)
            half = min(7.5, 0.2 * self.pitch)
            page.box(RESISTOR_X - 18, begin[1] - half, 36, 2 * half, round_by=0)
            page.words(RESISTOR_X, begin[1] + 0.7 * half, "1 kΩ", size=min(10, 1.5 * half), anchor="middle")
        else:
            page.wire([begin, end], BLACK if piece.black else self.by_use[piece.use].colour)

    def _lever(self, page: Page, name: str) -> None:
        size = min(10.0, 0.38 * self.pitch)
        if name.startswith("G"):
            (x, top), (_, bottom) = self._at(End("lever", name)), self._at(self._last(name))
            page.box(x - 28, top - 0.3 * self.pitch, 34, bottom - top + 0.6 * self.pitch, fill=LEVER)
            page.words(x - 16, (top + bottom) / 2 + 4, name, size=12, anchor="middle", bold=True)
            return
        x, y = self._at(End("lever", name))
        half = min(8, 0.2 * self.pitch)
        page.box(x - 5, y - half, 40, 2 * half, fill=LEVER)
        page.words(x + 15, y + 0.35 * size, name, size=size, anchor="middle", bold=True)

    def _last(self, name: str) -> End:
        holes = (end for piece in self.pieces for end in piece.ends if end.name == name)
        return max(holes, key=lambda end: end.hole)

    def _end(self, page: Page, end: End) -> None:
        x, y = self._at(end)
        if end.place == "screw":
            half = min(9, 0.22 * self.pitch)
            page.box(x - 110 if x > SCREW_X else x, y - half, 110, 2 * half, fill="#dcefe0")
            label = f"{end.name}  {printed(end, self.profile.board)}"
            left = x - 102 if x > SCREW_X else x + 8
            page.words(left, y + 0.6 * half, label, size=min(11, 1.7 * half), bold=True)
        page.dot(x, y, 2.6, fill=METAL, stroke=INK)

    def _contact(self, page: Page, speak: Speak, number: int, use: str, kinds: Collection[str]) -> None:
        y, size = self._y(number), min(11.0, 0.46 * self.pitch)
        x = (AT_PART_X if "cable" in kinds else PAIR_X) + 50
        if "lead" in kinds:
            x = PART_X + 30
            sign = svg.button if use.startswith(BUTTONS) else svg.reed
            if self.pitch > 22:
                sign(page, PART_X + 16, y)
            else:
                page.box(PART_X, y - 0.34 * self.pitch, 26, 0.68 * self.pitch, fill="#f6f6f2")
        page.words(x, y + 0.35 * size, speak(self.by_use[use].to), size=size, bold=True)


def display_picture(profile: Profile, speak: Speak) -> str:
    """Return the leads of the display alone."""
    page = Page(390, 60 + 26 * len(_display_wires(profile)), "OLED")
    with page.moved(10, 10):
        display(page, profile, speak)
    return page.svg()


def _display_wires(profile: Profile) -> list[Wire]:
    """Return the wires that end at the display; where a table is soldered two of them are of the buses."""
    on_the_pi = [wire for wire in wires(profile) if wire.board == "pi"]
    own = [wire for wire in on_the_pi if wire.use.startswith("oled ")]
    return own + [wire for wire in on_the_pi if profile.soldered and wire.use in ("3V3", "ground")][:2]


def display(page: Page, profile: Profile, speak: Speak) -> None:
    """Draw the leads of the display below one another, each from its pin."""
    found = _display_wires(profile)
    page.box(0, 0, 370, 34 + 26 * len(found), fill="#fdfdfb", stroke="#b9b9b0", round_by=6)
    page.words(12, 20, "OLED", size=12, bold=True)
    for row, wire in enumerate(found):
        y = 44 + 26 * row
        page.box(14, y - 9, 96, 18, fill="#dcefe0")
        page.words(20, y + 4, f"{wire.physical}  {wire.pin}", size=10.5, bold=True)
        page.wire([(110, y), (200, y)], wire.colour)
        to = {"3V3": part_of("oled VCC"), "ground": part_of("oled GND")}.get(wire.use, wire.to)
        page.words(208, y + 4, speak(to), size=10.5, bold=True)
