"""What is known of one page that is open, or was."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from companion.core.text import Text, text
from companion.views.snapshot import PhoneState, Snapshot
from web.taps import PageClock, Tap

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
        self.replaced = ""  # the nose that it was, until the host let another page be it
        self.phone = ""
        self.clock_u_ns = 0
        self.silent = False
        self.lost = False  # it fell silent in the round under way, its nose untouched
        self.n = 0

    @property
    def carries(self) -> tuple[str, ...]:
        """Return the lines of the noses that may be touched on it."""
        return tuple(sorted(self.lines | ({self.owns} if self.owns else set())))

    @property
    def named(self) -> set[str]:
        """Return the noses to name when it is away: also one given away in the round that it has lost."""
        return self.lines | ({self.replaced} if self.lost and self.replaced else set())

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


class TakenSeats:
    """Who has taken a nose by hand, and from which phones the host took one.

    `come_back`: noses that a phone has become again by itself in the round under way.
    """

    def __init__(self) -> None:
        self._given: set[str] = set()
        self.come_back: set[str] = set()

    def take(self, page: OpenPage, wish: PageClock, pages: Iterable[OpenPage], *, armed: bool) -> None:
        """Let *page* alone of all *pages* be the nose it wishes, if the host took none from that phone.

        What somebody takes by hand is theirs. The one before may be the same phone, loaded again. *armed*: a
        round is open.
        """
        who, before = page.phone or wish.page, page.owns
        if wish.takes:
            self._given.discard(who)
        page.replaced = wish.owns if who in self._given and before != wish.owns else ""
        page.owns = "" if page.replaced else wish.owns
        if not page.owns:
            return
        others = [other for other in pages if other is not page and other.owns == page.owns]
        for other in others:
            other.owns = ""
        known = before == page.owns or any(other.phone and other.phone == page.phone for other in others)
        if armed and not (wish.takes or known):
            self.come_back.add(page.owns)

    def give(self, name: str, page: OpenPage) -> None:
        """Let other pages be the nose that *page* is, which calls itself *name*."""
        self._given.add(page.phone or name)
        page.lines.discard(page.owns)
        page.owns, page.replaced = "", page.owns


def own_taps(pages: Mapping[str, OpenPage], name: str, taps: list[Tap]) -> list[Tap]:
    """Return those of *taps* that the page *name* may make: it lets go what it held when a phone came."""
    answering = {page.owns for other, page in pages.items() if other != name and page.state == "awake"}
    page = pages.get(name)
    held = set(page.held) if page else set()
    mine = []
    for tap in taps:
        elsewhere = tap.line in answering or (page is not None and tap.line == page.replaced)
        if elsewhere and not (tap.level == 0 and tap.line in held):
            continue
        mine.append(tap)
        (held.add if tap.level else held.discard)(tap.line)
    return mine


def elsewhere(page: OpenPage | None) -> Text:
    """Return what to say of a touch that *page* may not make."""
    if page is not None and page.replaced:
        return text("The host lets another page be this nose: take the seat again.")
    return text("This nose is on a phone: touch it there.")
