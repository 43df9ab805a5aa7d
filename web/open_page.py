"""What is known of one page that is open, or was."""

from __future__ import annotations

from collections.abc import Collection

from companion.views.snapshot import PhoneState, Snapshot

OPEN_PHASES = ("armed", "judging")


class OpenPage:
    """An open page: its clock's name at the driver (None: not waited for), and what it has said."""

    def __init__(self, heard_ns: int) -> None:
        self.clock: str | None = None
        self.delay_ns: int | None = -1
        self.rtt_ns = 0
        self.heard_ns = heard_ns
        self.promised_ns = heard_ns
        self.lines: set[str] = set()  # touched in this game
        self.held: set[str] = set()  # touched now
        self.owns = ""
        self.phone = ""
        self.clock_u_ns = 0
        self.silent = False
        self.lost = False  # it fell silent in the round under way, its nose untouched
        self.n = 0

    @property
    def carries(self) -> tuple[str, ...]:
        """Return the lines of the noses that may be touched on it."""
        return tuple(sorted(self.lines | ({self.owns} if self.owns else set())))

    def let_go(self) -> None:
        """Own nothing any more; a nose that a round was lost with stays named until the round ends."""
        if self.lost:
            self.lines.add(self.owns)
        self.owns = ""

    @property
    def state(self) -> PhoneState:
        """Return whether it can be heard."""
        return "silent" if self.silent else "asleep" if self.clock is None else "awake"


def untouched(snapshot: Snapshot) -> frozenset[str]:
    """Return the noses that the round under way waits for; with a rack no nose decides."""
    if snapshot.phase not in OPEN_PHASES or snapshot.rack:
        return frozenset()
    return frozenset(row.line for row in snapshot.rows if not (row.out or row.pressed))


def without_phone(snapshot: Snapshot, known: Collection[str]) -> tuple[str, ...]:
    """Return the noses of the game beside *known*, which are phones or wires: any page may touch them."""
    if not snapshot.watched:
        return ()
    return tuple(row.line for row in snapshot.rows if row.line and row.line not in known)
