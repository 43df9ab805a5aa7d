"""What is known of one page that is open, or was."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
from lastnose.companion.core.errors import NotNow
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.touch import TOUCH_U_NS
from lastnose.companion.views.snapshot import PhoneState, SeatPhone, Snapshot
from lastnose.web.phone_claims import PhoneClaims
from lastnose.web.taps import ALONE_NS, LONGEST_DELAY_NS, OLDEST_NS, Account, PageClock, Tap, Weighed

OPEN_PHASES = ("armed", "judging")
_SLOWER_NS = 2_000_000
MOST_OF_NAME = 40  # of what a phone calls itself


class OpenPage:
    """An open page: whose it is, what it has said, its clock's name at the driver (None: not waited for)."""

    def __init__(self, heard_ns: int, device: str = "") -> None:
        self.device = device  # whose it is: nobody else speaks for it
        self.only: str | None = None  # the only nose that its device may touch; None: any
        self.account = Account(heard_ns)
        self.state: PhoneState = "asleep"
        self.clock: str | None = None
        self.delay_ns: int | None = -1  # which the driver knows
        self.way_ns: int | None = None  # the shortest way there and back, as the host has measured it
        self.rtt_ns = 0  # its slowest of late, 0 before the first; what is hardly slower is not news
        self._slowest_ns = 0  # since the page introduced itself last
        self.heard_ns = heard_ns
        self.waited_ns = heard_ns  # since when it is waited for
        self.spoke = False  # since then
        self.after: set[str] = set()  # the pages that were in its tab before
        self.promises = False  # it comes after another one: waited for until it has promised once
        self.lines: set[str] = set()  # touched in this game
        self.held: set[str] = set()  # touched now
        self.changed_ns: dict[str, int] = {}  # by line: when it was driven last
        self.owns = ""
        self.replaced = ""  # the nose that it was, until another page became it
        self.phone = ""
        self.clock_u_ns = 0
        self.late = False  # it has promised nothing for a while, where the first is asked for
        self.lost = False  # it fell silent in the round under way, its nose untouched

    def wake(self, now_ns: int) -> None:
        """Wait for it again, if it was away."""
        if self.state != "awake":
            self.state, self.waited_ns, self.spoke = "awake", now_ns, False

    def come(self, after: Mapping[str, OpenPage]) -> None:
        """Come *after* those pages in the same tab, of the same device: what they carried, it carries."""
        self.after |= after.keys()
        self.lines |= {line for page in after.values() for line in page.lines}

    def took(self, way_ns: int | None, *, introduces: bool = False) -> None:
        """Note how long a word took there and back; a page that *introduces* itself begins to count again."""
        if way_ns is None:
            return
        self.way_ns = way_ns if self.way_ns is None else min(self.way_ns, way_ns)
        self._slowest_ns = max(self._slowest_ns, way_ns)
        if introduces or self._slowest_ns > self.rtt_ns + max(_SLOWER_NS, self.rtt_ns // 4):
            self.rtt_ns = self._slowest_ns
        if introduces:
            self._slowest_ns = 0

    def order(self, tap: Tap, found: Weighed, now_ns: int) -> int:
        """Return when *tap* is to be driven: never before what its line did before.

        A page's clock may have gone back meanwhile. Who has let go, and nobody knows when, did so after all
        that is promised: else the nose would stay held.
        """
        at_ns = found.t_ns if not tap.no else max(found.t_ns, self.changed_ns.get(tap.line, found.t_ns))
        if found.fate == "lost" and not tap.level:
            at_ns = max(at_ns, self.account.promised_ns, now_ns - OLDEST_NS)
        return min(at_ns, now_ns)

    @property
    def known_ns(self) -> int:
        """Return up to when all that was touched on it is known: it has promised, or was not waited for."""
        return max(self.account.promised_ns, self.waited_ns - LONGEST_DELAY_NS)

    def quiet_ns(self, now_ns: int) -> int:
        """Return for how long it has promised nothing."""
        return now_ns - max(self.account.promised_ns, self.waited_ns)

    @property
    def carries(self) -> tuple[str, ...]:
        """Return the lines of the noses that may be touched on it."""
        lines = self.lines | {self.owns} if self.owns else self.lines
        return tuple(sorted(lines)) if len(lines) > 1 else tuple(lines)

    def may(self, line: str) -> bool:
        """Return whether its device may touch the nose on *line*."""
        return self.only in (None, line)

    @property
    def missed(self) -> bool:
        """Whether its word is missing, or was in the round under way."""
        return self.state == "silent" or self.lost or self.late

    @property
    def named(self) -> set[str]:
        """Return the noses to name when it is away: also one given away in the round that it has lost."""
        return self.lines | ({self.replaced} if self.lost and self.replaced else set())


class Lately:
    """Who has told of touches lately, pages that are gone since too; and which of those were believed late.

    *mine* are names of pages that one finger cannot touch at once: a page, and those of its tab before.
    """

    def __init__(self) -> None:
        self._told_ns: dict[str, int] = {}  # by page: when it told of a touch last
        self._believed: list[tuple[str, int, int]] = []  # by whom, when it was told, and how late

    def tell(self, name: str, now_ns: int) -> None:
        """Note that *name* tells of touches."""
        recent = {one: at_ns for one, at_ns in self._told_ns.items() if now_ns - at_ns < ALONE_NS}
        self._told_ns = recent | {name: now_ns}
        self._believed = [one for one in self._believed if now_ns - one[1] < ALONE_NS]

    def believe(self, name: str, now_ns: int, late_ns: int) -> None:
        """Note that a touch of *name* is believed though it comes so late, as nobody else was there."""
        self._believed.append((name, now_ns, late_ns))

    def alone_ns(self, mine: Collection[str], now_ns: int) -> int:
        """Return for how long nobody else has touched anything; what they told may be a little older."""
        others_ns = (at_ns for one, at_ns in self._told_ns.items() if one not in mine)
        return max(0, min(ALONE_NS, now_ns - LONGEST_DELAY_NS - max(others_ns, default=0)))

    def doubt_ns(self, mine: Collection[str], t_ns: int) -> int:
        """Return what a touch at *t_ns* may be off by against those of others that were believed late.

        Where it was not later than all of that, it is not known which came before which.
        """
        others = (one for one in self._believed if one[0] not in mine)
        return max((late_ns for _, at_ns, late_ns in others if t_ns <= at_ns), default=0)


def untouched(snapshot: Snapshot) -> frozenset[str]:
    """Return the noses that the round under way waits for; with a rack no nose decides."""
    if snapshot.phase not in OPEN_PHASES or snapshot.rack:
        return frozenset()
    return frozenset(row.line for row in snapshot.rows if not (row.out or row.aside or row.pressed))


def without_whom(snapshot: Snapshot) -> frozenset[str]:
    """Return the noses without which the round under way is played."""
    if snapshot.phase not in OPEN_PHASES:
        return frozenset()
    return frozenset(row.line for row in snapshot.rows if row.aside)


def without_phone(snapshot: Snapshot, known: Collection[str]) -> tuple[str, ...]:
    """Return the noses of the game beside *known*, which are phones or wires: any page may touch them."""
    if not snapshot.watched:
        return ()
    return tuple(row.line for row in snapshot.rows if row.line and row.line not in known)


def _same(wish: PageClock, name: str, other: OpenPage) -> bool:
    """Return whether *other*, which calls itself *name*, is on the phone of *wish*."""
    return name == wish.page or bool(other.phone and other.phone == wish.phone[:MOST_OF_NAME])


class TakenSeats:
    """Who has taken a nose by hand, and from which phones one was taken, by the host or for another phone.

    `come_back`: noses that a phone has become again by itself in the round under way.
    """

    def __init__(self) -> None:
        self._given: set[str] = set()
        self.come_back: set[str] = set()

    def check(self, wish: PageClock, pages: Mapping[str, OpenPage]) -> None:
        """Raise NotNow when somebody takes, while a round is open, a nose that another phone answers for."""
        if wish.takes and wish.owns and self._answering(wish, pages):
            raise NotNow(text("This nose is a phone that answers: take it when the round is over."))

    def take(self, page: OpenPage, wish: PageClock, pages: Mapping[str, OpenPage], *, armed: bool) -> None:
        """Let *page* alone of all *pages* be the nose it wishes, if nobody took it from that phone by hand.

        What somebody takes by hand is theirs. The one before may be the same phone, loaded again. *armed*: a
        round is open, in which no phone becomes by itself what another one answers for.
        """
        who, before = page.phone or wish.page, page.owns
        if wish.takes:
            self._given.discard(who)
        theirs = who in self._given or (armed and not wish.takes and self._answering(wish, pages))
        page.replaced = wish.owns if theirs and before != wish.owns else ""
        page.owns = "" if page.replaced else wish.owns
        if not page.owns:
            return
        known = before == page.owns
        for name, other in pages.items():
            if other is page or other.owns != page.owns:
                continue
            same = _same(wish, name, other)
            known, other.owns = known or same, ""
            if same or wish.takes:
                other.replaced = page.owns
            if wish.takes and not same:
                self._given.add(other.phone or name)
        if armed and not (wish.takes or known):
            self.come_back.add(page.owns)

    def _answering(self, wish: PageClock, pages: Mapping[str, OpenPage]) -> bool:
        """Return whether another phone is the nose wished for, and answers."""
        return any(
            other.owns == wish.owns and other.state == "awake" and not _same(wish, name, other)
            for name, other in pages.items()
        )

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
        elsewhere = tap.line in answering
        elsewhere |= page is not None and (tap.line == page.replaced or not page.may(tap.line))
        if elsewhere and not (tap.level == 0 and tap.line in held):
            continue
        mine.append(tap)
        (held.add if tap.level else held.discard)(tap.line)
    return mine


def touchable(pages: Mapping[str, OpenPage], name: str, lines: Collection[str]) -> tuple[str, ...]:
    """Return which of *lines* may be touched on the page *name*, as far as that is known."""
    page = pages[name]
    if page.owns:
        return tuple(sorted(page.account.since | {*page.carries}))
    theirs = {one.owns for other, one in pages.items() if other != name and one.state == "awake"}
    return tuple(sorted({line for line in lines if page.may(line)} - theirs))


def elsewhere(page: OpenPage | None) -> Text:
    """Return what to say of a touch that *page* may not make."""
    if page is not None and page.replaced:
        return text("Another page is this nose now: take a seat again.")
    return text("This nose is on a phone: touch it there.")


# ---- the phones that are noses, as the table shows them: whose can be heard, and what a touch is worth


def known_u_ns(page: OpenPage, apart_ns: int | None, behind_ns: int) -> int:
    """Return what a touch on *page* may be off by, *apart_ns* for its device; 0: there is no other."""
    known_ns = TOUCH_U_NS["touch"] + page.clock_u_ns + behind_ns
    return 0 if apart_ns is None else known_ns + apart_ns


def seat_phones(
    pages: Mapping[str, OpenPage],
    claims: PhoneClaims,
    tested: Mapping[str, tuple[int, int]],
    unowned: tuple[str, ...],
    behind_ns: int,
    beside_wires: Collection[str],
) -> tuple[SeatPhone, ...]:
    """Return the phones that own noses, by line, and the shared pages that are away.

    Of the lines *beside_wires*, which no wire moves, each is told that has no phone and no page.
    """
    owners = {page.owns: page.phone for page in pages.values() if page.owns}
    owned = [
        SeatPhone(
            page.owns,
            page.state,
            page.rtt_ns,
            page=name,
            u_ns=known_u_ns(page, (worth := claims.worth(page.phone)).share_ns, behind_ns),
            wire_u_ns=known_u_ns(page, worth.wire_ns, behind_ns),
            late=page.late,
            tested=tested.get(page.phone or name),
            lost=page.lost,
            untested=unowned if (page.phone or name) in tested else (),
            untied=claims.untied(page.phone, owners),
            phone=page.phone,
            refused_ns=claims.refused_ns(page.phone),
            clock_u_ns=page.clock_u_ns,
        )
        for name, page in pages.items()
        if page.owns
    ]
    away = sorted((one for one in pages.values() if one.missed), key=lambda page: page.lost)
    shared = {line: page for page in away if not page.owns for line in page.named - owners.keys()}
    silent = [_shared(line, page) for line, page in shared.items()]
    open_to_all = any(page.state == "awake" and not page.owns for page in pages.values())
    nothing = () if open_to_all else {*beside_wires} - owners.keys() - shared.keys()
    missing = [SeatPhone(line, "missing", shared=True) for line in nothing]
    return tuple(sorted([*_weighed(owned), *silent, *missing], key=lambda phone: phone.line))


def _weighed(phones: Sequence[SeatPhone]) -> list[SeatPhone]:
    """Return *phones* with what a touch on each is sure to beside the others."""
    return [msgspec.structs.replace(one, sure_ns=_sure_ns(one, phones)) for one in phones]


def _sure_ns(phone: SeatPhone, phones: Sequence[SeatPhone]) -> int:
    """Return what a touch on *phone* is sure to beside the least sure of *phones*, in whole milliseconds.

    >>> one, other = (SeatPhone("nose.1", "awake", u_ns=u_ns) for u_ns in (30_200_000, 40_000_000))
    >>> [_sure_ns(one, phones) // 1_000_000 for phones in ([one, other], [one])]
    [71, 61]
    """
    others = [one.u_ns for one in phones if one is not phone]
    alone_ns = phone.wire_u_ns or 2 * phone.u_ns  # beside wires, or beside a phone just like this one
    sure_ns = phone.u_ns + max(others) if others else alone_ns
    return -(-sure_ns // 1_000_000) * 1_000_000 if phone.u_ns else 0


def _shared(line: str, page: OpenPage) -> SeatPhone:
    state: PhoneState = "silent" if page.state == "silent" else "awake"
    return SeatPhone(line, state, shared=True, lost=page.lost, late=page.late)
