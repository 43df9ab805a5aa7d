"""The printed circuit of a kit, from its profile: parts, nets, tracks, and the file that KiCad 9 reads.

It takes the strip board's place: the same channels, and every wire that ends on the board with the contacts.
Two contacts share a three-way terminal, openings to the right; a ribbon goes to the Pi, a Pico sits on it.
Everything lies on a grid of 1.27 mm, tracks on half of it, so that neighbours on the grid are never too
close. A maze router finds the tracks: in front along the board, behind across it, whichever is cheaper; a
net that finds no way is routed first the next time. That nets are whole, and apart, is proven by
`tests/wiring/test_circuit.py` from the file alone, and by KiCad in `tools/circuit.sh`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import ceil, hypot

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, text
from lastnose.companion.wiring.boards import LAYOUTS, Board
from lastnose.companion.wiring.drawings.sheets import must_be_wired
from lastnose.companion.wiring.drawings.stripboard import LONG_CABLES
from lastnose.companion.wiring.profile import Profile
from lastnose.companion.wiring.wires import Wire, part_of, wires

GRID_MM, STEP_MM = 1.27, 0.635
TRACK_MM, CLEARANCE_MM, VIA_MM, VIA_DRILL_MM, EDGE_MM = 0.25, 0.2, 0.6, 0.3, 1.0
POWER_MM = (0.8, 0.6, 0.4)  # what is tried for a track of ground or a supply, the widest first
GROUND, POWER = "GND", ("GND", "3V3", "5V")
PADS_MM = {"header": (1.7, 1.0), "terminal": (2.5, 1.3), "part": (1.6, 0.8)}  # diameter, drill
TERMINALS_A_ROW, CHANNELS, ROW = 6, 12, 18  # in a row; how far apart terminals and rows are

BOX_HEADER, SOCKETS = "box header 2x20, 2.54 mm", "two sockets 1x20, 2.54 mm"

INSTEAD = text(
    "Or have circuits.zip of the release made as a printed circuit: solder in what its list says, and go on "
    "behind the leads."
)
Place = tuple[float, float]


class Pad(msgspec.Struct, frozen=True):
    """A pad through the board: its number in its part, where it is on the grid, what it is joined to."""

    number: str
    x: int
    y: int
    net: str = ""
    square: bool = False


class Fitting(msgspec.Struct, frozen=True):
    """A part: `name` as R3, its value, what it is for, its pads; `box` is around it, in mm."""

    name: str
    value: str
    use: str
    kind: str
    pads: tuple[Pad, ...]
    box: tuple[float, float, float, float]
    optional: bool = False
    inward: int = 0  # on which side of it the middle of its terminal is


class Track(msgspec.Struct, frozen=True):
    """A straight piece of copper, in mm; `front` is the side of the parts."""

    net: str
    start: Place
    end: Place
    front: bool
    width: float = TRACK_MM


class Via(msgspec.Struct, frozen=True):
    """A plated hole that joins both sides, in mm."""

    net: str
    at: Place


class Circuit(msgspec.Struct, frozen=True):
    """A board: its size on the grid, what is soldered in, its copper."""

    name: str
    width: int
    height: int
    parts: tuple[Fitting, ...]
    tracks: tuple[Track, ...] = ()
    vias: tuple[Via, ...] = ()

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return round(self.width * GRID_MM, 2), round(self.height * GRID_MM, 2)

    @property
    def nets(self) -> dict[str, list[Pad]]:
        """The pads of each net, in the order of the parts."""
        found: dict[str, list[Pad]] = {}
        for part in self.parts:
            for pad in part.pads:
                if pad.net:
                    found.setdefault(pad.net, []).append(pad)
        return found


def circuit(profile: Profile) -> Circuit:
    """Return the board of *profile*, its tracks found; raise BadInput for one that has no contacts to solder.

    >>> from lastnose.companion.wiring.profile import load_profile
    >>> circuit(load_profile("home4")).size_mm
    (48.26, 63.5)
    """
    must_be_wired(profile)
    if not profile.soldered:
        raise BadInput(
            text("{name} is wired without soldering: no printed circuit belongs to it.", name=profile.name)
        )
    for room in range(8, 40, 2):
        placed = _placed(profile, room)
        if routed := _routed(placed):
            return routed
    raise BadInput(text("No way was found for the tracks of {name}.", name=profile.name))


def net_of(wire: Wire) -> str:
    """Return the net that a wire ends on: ground and supplies are one each."""
    return GROUND if wire.use == "ground" else wire.use


# ---- Where the parts lie


def _main(profile: Profile) -> Board:
    return "pico" if profile.board == "pico" else "pi"


def _placed(profile: Profile, room: int) -> Circuit:
    """Return the parts in their places, with *room* on the grid for tracks between header and channels."""
    modules, column = _modules(profile), _Column()
    across = 22 if _main(profile) == "pico" else 11
    for module in modules:
        column.put(module, across)
    pairs = [tuple(profile.lines)[at : at + 2] for at in range(0, len(profile.lines), 2)]
    rows = ceil(len(pairs) / TERMINALS_A_ROW)
    a_row = ceil(len(pairs) / rows)
    height = max(CHANNELS * a_row + 2, column.bottom + 2, 44 if _main(profile) == "pico" else 50)
    left = across + (2 if modules else -2) + room
    width = left + ROW * (rows - 1) + 12 + 5
    used = {net_of(wire) for wire in wires(profile) if wire.board == _main(profile)}
    pull_ups = {"3V3", GROUND} if profile.lines else set()
    parts = [_header(profile, height, used | pull_ups), *column.parts]
    top = (height - CHANNELS * a_row + 4) // 2
    for number, pair in enumerate(pairs):
        row, place = divmod(number, a_row)
        parts += _terminal(pair, left + ROW * (rows - 1 - row) + 12, top + CHANNELS * place)
    return Circuit(profile.name, width, height, tuple(_named(parts)))


def _header(profile: Profile, height: int, used: set[str]) -> Fitting:
    """Return the Pi's 40 pins, or a Pico's two edges."""
    board = _main(profile)
    by_pin = {wire.physical: net_of(wire) for wire in wires(profile) if wire.board == board}
    pads = []
    for pin, what in enumerate(LAYOUTS[board], start=1):
        net = by_pin.get(pin, what if what in POWER and what in used else "")
        if board == "pi":
            x, y = 4 + 2 * (1 - pin % 2), (height - 38) // 2 + 2 * ((pin - 1) // 2)
        else:
            x, y = (4, 3 + 2 * (pin - 1)) if pin <= 20 else (18, 3 + 2 * (40 - pin))
        pads.append(Pad(str(pin), x, y, str(net), square=pin == 1))
    middle = (pads[0].y + 19) * GRID_MM
    if board == "pi":
        box, value = (1.75, middle - 29.3, 10.95, middle + 29.3), BOX_HEADER
    else:
        box, value = (3.4, middle - 25.6, 24.5, middle + 25.6), SOCKETS
    return Fitting("J", value, board, "header", tuple(pads), box)


def _modules(profile: Profile) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what hangs on leads of its own: its name, and label and net of each pin; a resistor has two."""
    here = {net_of(wire): wire for wire in wires(profile) if wire.board == _main(profile)}
    found: list[tuple[str, list[tuple[str, str]]]] = []
    oled = [(_OLED[use], use) for use in _OLED if use in here]
    if oled:
        found.append(("OLED", [("GND", GROUND), ("VCC", "3V3"), *oled]))
    for use, value in (("buzzer", "220"), ("sync", "1k")):
        if use in here:
            found.append((use, [(use, f"{use} out"), ("GND", GROUND)]))
            found.append((value, [("1", use), ("2", f"{use} out")]))
    if "led data" in here:
        chain = (("SER", "led data"), ("SRCLK", "led clock"), ("RCLK", "led latch"))
        found.append(("lamps", [("5V", "5V"), ("3V3", "3V3"), ("GND", GROUND), *chain]))
    lamps = [use for use in here if use.startswith("lamp.")]
    if lamps:
        found.append(
            ("lamps", [("5V", "5V"), ("GND", GROUND), *((use.partition(".")[2], use) for use in lamps)])
        )
    return found


_OLED = {
    "oled SCL": "SCL",
    "oled SDA": "SDA",
    "oled clock": "CLK",
    "oled MOSI": "MOSI",
    "oled reset": "RES",
    "oled data/command": "DC",
    "oled select": "CS",
}


class _Column:
    """What is plugged on beside the header, from the top down."""

    def __init__(self) -> None:
        self.parts: list[Fitting] = []
        self.bottom = 3

    def put(self, module: tuple[str, list[tuple[str, str]]], x: int) -> None:
        """Put a row of pins, or a resistor, below what is there."""
        name, pins = module
        resistor = name in ("220", "1k")
        step = 6 if resistor else 2
        pads = tuple(
            Pad(str(number), x, self.bottom + step * (number - 1), net, square=number == 1 and not resistor)
            for number, (_, net) in enumerate(pins, start=1)
        )
        last = self.bottom + step * (len(pins) - 1)
        box = _around(x, self.bottom, x, last, 1.2)
        value = name if resistor else f"1x{len(pins)} pin header, 2.54 mm"
        labels = "" if resistor else " ".join(label for label, _ in pins)
        self.parts.append(
            Fitting(
                "R" if resistor else "J",
                value,
                f"{name}: {labels}" if labels else self.parts[-1].use.partition(":")[0],
                "part" if resistor else "header",
                pads,
                box,
            )
        )
        self.bottom = last + 3


def _around(x1: int, y1: int, x2: int, y2: int, by_mm: float) -> tuple[float, float, float, float]:
    return x1 * GRID_MM - by_mm, y1 * GRID_MM - by_mm, x2 * GRID_MM + by_mm, y2 * GRID_MM + by_mm


def _terminal(pair: tuple[str, ...], x: int, y: int) -> Iterator[Fitting]:
    """Yield a terminal with its pins at *x*, *y* and below, and its one or two channels to the left."""
    ends = (pair[0], GROUND, pair[1] if len(pair) > 1 else "")
    nets = [net if net in ("", GROUND) else f"{net} cable" for net in ends]
    pads = tuple(Pad(str(n + 1), x, y + 4 * n, net) for n, net in enumerate(nets))
    left, top = x * GRID_MM, y * GRID_MM
    box = (left - 4.7, top - 2.4, left + 5.2, top + 12.56)
    yield Fitting("J", "screw terminal 3-way, 5.08 mm", ", ".join(pair), "terminal", pads, box)
    for use, line, inward in zip(pair, (y, y + 8), (2, -2), strict=False):
        beside = line + inward
        for name, value, (x1, one), (x2, other), at in (
            ("R", "1k", (x - 12, use), (x - 6, f"{use} cable"), line),
            ("R", "4k7", (x - 12, use), (x - 10, "3V3"), beside),
            ("C", "1n", (x - 8, use), (x - 6, GROUND), beside),
        ):
            both = (Pad("1", x1, at, one), Pad("2", x2, at, other))
            yield Fitting(
                name, value, use, "part", both, _around(x1, at, x2, at, 1.15), value != "1k", inward
            )


def _named(parts: Iterable[Fitting]) -> Iterator[Fitting]:
    """Yield the parts with a number behind each letter."""
    count: dict[str, int] = {}
    for part in parts:
        count[part.name] = count.get(part.name, 0) + 1
        yield msgspec.structs.replace(part, name=f"{part.name}{count[part.name]}")


# ---- Tracks

_MOST_TRIES, _ALONG, _ACROSS, _THROUGH = 12, 2, 3, 14
_BLOCKED = -1


def _routed(placed: Circuit) -> Circuit | None:
    """Return the board with its tracks, or None when some net finds no way."""
    nets = placed.nets
    order = sorted(
        (net for net in nets if len(nets[net]) > 1),
        key=lambda net: (net in POWER, _spread(nets[net]), net),
    )
    for _ in range(_MOST_TRIES):
        maze = _Maze(placed)
        stuck = next((net for net in order if not maze.route(net)), None)
        if stuck is None:
            return msgspec.structs.replace(placed, tracks=_widened(placed, maze), vias=tuple(maze.vias))
        order = [stuck, *(net for net in order if net != stuck)]
    return None


def _spread(pads: Sequence[Pad]) -> int:
    xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
    return max(xs) - min(xs) + max(ys) - min(ys)


class _Maze:
    """The board as a maze of steps: two sides, whose nodes belong to a net, to none, or to nobody."""

    def __init__(self, board: Circuit) -> None:
        self.nets = board.nets
        self.wide, self.high = 2 * board.width + 1, 2 * board.height + 1
        self.size = self.wide * self.high
        self.number = {net: place for place, net in enumerate(self.nets, start=1)}
        self.owner = [0] * (2 * self.size)
        self.no_via = bytearray(self.size)
        self.tracks: list[Track] = []
        self.vias: list[Via] = []
        margin = ceil(EDGE_MM / STEP_MM)
        for at in range(self.size):
            y, x = divmod(at, self.wide)
            if not (margin <= x < self.wide - margin and margin <= y < self.high - margin):
                self._own(at, _BLOCKED)
                self.no_via[at] = 1
        for part in board.parts:
            for pad in part.pads:
                self._around(pad, PADS_MM[part.kind][0] / 2)

    def _own(self, at: int, number: int) -> None:
        for node in (at, at + self.size):
            mine = self.owner[node]
            self.owner[node] = number if mine in (0, number) else _BLOCKED

    def _around(self, pad: Pad, radius: float) -> None:
        """Keep tracks and vias of others away from a pad."""
        corner = radius * 2**0.5 if pad.square else radius
        number = self.number.get(pad.net, _BLOCKED)
        for dx in range(-4, 5):
            for dy in range(-4, 5):
                x, y = 2 * pad.x + dx, 2 * pad.y + dy
                if not (0 <= x < self.wide and 0 <= y < self.high):
                    continue
                gap = hypot(dx, dy) * STEP_MM - corner - CLEARANCE_MM
                if gap < TRACK_MM / 2 - 1e-9:
                    self._own(y * self.wide + x, number)
                if gap < VIA_MM / 2 - 1e-9:
                    self.no_via[y * self.wide + x] = 1

    def route(self, net: str) -> bool:
        """Join the pads of *net*; return whether all were reached."""
        number = self.number[net]
        goals = {self._node(pad) for pad in self.nets[net]}
        first = self._node(self.nets[net][0])
        tree = {first, first + self.size}
        goals.discard(first)
        while goals:
            path = self._way(tree, goals, number)
            if path is None:
                return False
            self._lay(net, number, path)
            tree.update(path)
            end = path[-1] % self.size
            tree.update((end, end + self.size))
            goals.discard(end)
        return True

    def _node(self, pad: Pad) -> int:
        return 2 * pad.y * self.wide + 2 * pad.x

    def _way(self, tree: set[int], goals: set[int], number: int) -> list[int] | None:
        """Return the cheapest way from *tree* to a goal, node by node."""
        never = 1 << 60
        cost = [never] * len(self.owner)
        for node in tree:
            cost[node] = 0
        came: dict[int, int] = {}
        heap = [(0, node) for node in sorted(tree)]
        size, owner, no_via = self.size, self.owner, self.no_via
        steps = (((1, _ALONG), (-1, _ALONG), (self.wide, _ACROSS), (-self.wide, _ACROSS)),
                 ((1, _ACROSS), (-1, _ACROSS), (self.wide, _ALONG), (-self.wide, _ALONG)))  # fmt: skip
        while heap:
            spent, node = heappop(heap)
            if spent > cost[node]:
                continue
            at = node % size
            if at in goals:
                return _walked(came, node)
            behind = node >= size
            for step, price in steps[behind]:
                to = node + step
                if spent + price < cost[to] and (not owner[to] or owner[to] == number):
                    cost[to] = spent + price
                    came[to] = node
                    heappush(heap, (spent + price, to))
            other = node - size if behind else node + size
            if not no_via[at] and spent + _THROUGH < cost[other] and owner[other] in (0, number):
                cost[other] = spent + _THROUGH
                came[other] = node
                heappush(heap, (spent + _THROUGH, other))
        return None

    def _lay(self, net: str, number: int, path: list[int]) -> None:
        """Take the nodes of *path*, and note its straight pieces and vias."""
        start = path[0]
        for before, node, after in zip(path, path[1:], [*path[2:], None], strict=False):
            self.owner[node] = self.owner[before] = number
            if abs(node - before) == self.size:
                self.vias.append(Via(net, self._mm(node)))
                self._keep_vias_off(node % self.size, number)
                start = node
            elif after is None or after - node != node - before:
                self.tracks.append(Track(net, self._mm(start), self._mm(node), node < self.size))
                start = node

    def _keep_vias_off(self, at: int, number: int) -> None:
        self._own(at, number)
        for step in (0, 1, -1, self.wide, -self.wide):
            self.no_via[at + step] = 1

    def _mm(self, node: int) -> Place:
        y, x = divmod(node % self.size, self.wide)
        return round(x * STEP_MM, 3), round(y * STEP_MM, 3)


def _walked(came: Mapping[int, int], node: int) -> list[int]:
    path = [node]
    while node in came:
        node = came[node]
        path.append(node)
    return path[::-1]


def _widened(board: Circuit, maze: _Maze) -> tuple[Track, ...]:
    """Return the tracks, those of ground and supplies as wide as what lies beside them allows."""
    tracks = list(maze.tracks)
    shapes = [(via.net, None, via.at, via.at, VIA_MM / 2) for via in maze.vias]
    for part in board.parts:
        radius = PADS_MM[part.kind][0] / 2
        for pad in part.pads:
            at = pad.x * GRID_MM, pad.y * GRID_MM
            shapes.append((pad.net, None, at, at, radius * (2**0.5 if pad.square else 1)))
    for place, track in enumerate(tracks):
        if track.net not in POWER:
            continue
        others = [(t.net, t.front, t.start, t.end, t.width / 2) for t in tracks]
        room = min(
            (
                _apart(track.start, track.end, start, end) - radius
                for net, front, start, end, radius in (*shapes, *others)
                if net != track.net and front in (None, track.front)
            ),
            default=1.0,
        )
        width = next((wide for wide in POWER_MM if wide / 2 + CLEARANCE_MM <= room + 1e-9), TRACK_MM)
        tracks[place] = msgspec.structs.replace(track, width=width)
    return tuple(tracks)


def _apart(a1: Place, a2: Place, b1: Place, b2: Place) -> float:
    """Return how far apart two pieces are that run along the board or across it: as boxes are."""
    gaps = [
        max(min(b1[k], b2[k]) - max(a1[k], a2[k]), min(a1[k], a2[k]) - max(b1[k], b2[k]), 0.0) for k in (0, 1)
    ]
    return hypot(*gaps)


# ---- As a table

HEADINGS = (text("name"), text("part"), text("for"))
_VALUES = {
    "1k": text("resistor {value}, ¼ W", value="1 kΩ"),
    "220": text("resistor {value}, ¼ W", value="220 Ω"),
    "4k7": LONG_CABLES["pull-up"],
    "1n": LONG_CABLES["capacitor"],
    "screw terminal 3-way, 5.08 mm": text("screw terminal, three-way, 5.08 mm"),
    BOX_HEADER: text("box header, 2 × 20 pins, 2.54 mm"),
    SOCKETS: text("two sockets of 20 pins, 2.54 mm"),
}


def circuit_rows(board: Circuit) -> list[tuple[Text | str, ...]]:
    """Return what is soldered in, in the order of HEADINGS: the lowest parts first."""
    values = dict.fromkeys(
        part.value for kind in ("part", "header", "terminal") for part in board.parts if part.kind == kind
    )
    return [
        (
            part.name,
            _VALUES.get(value) or text("pin header, {n} pins, 2.54 mm", n=len(part.pads)),
            _purpose(part),
        )
        for value in values
        for part in board.parts
        if part.value == value
    ]


def _purpose(part: Fitting) -> Text | str:
    if part.kind == "terminal":
        both = [part_of(use) for use in part.use.split(", ")]
        return both[0] if len(both) == 1 else text("{one}, ground, {other}", one=both[0], other=both[1])
    if part.use == "pi":
        return text("ribbon of 40 wires to the Pi, its red edge at 1")
    if part.use == "pico":
        return text("the Pico, its USB socket at the edge")
    name = part.use.partition(":")[0]
    named = {"OLED": Text("OLED"), "lamps": text("lamps")}.get(name) or part_of(name)
    return (
        named if part.kind == "part" else text("{what}: {says}", what=named, says=part.use.partition(": ")[2])
    )
