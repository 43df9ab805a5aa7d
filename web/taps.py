"""Touches: what a page and the table tell each other, so that every touch is accounted for. Pure.

**A page** (`web/static/lib/touches.js`) gives each change of a line that it sees a number, from 1, and
keeps it until the table has answered that number. It sends *words* (`Taps`):

- its touches, each with its number, its time on the host's clock as the page reckons it (`t_ns`), and what
  that may be off by on its own (`u_ns`: the grain of the browser's clock, a jump that it has noticed);
- `clock_u_ns`: what its mapping to the host's clock may be off by, for all of them alike. A mapping never
  moves while touches may still be compared; one that has turned out wrong is given up, and the next has a
  higher `epoch`: to the table that is another clock;
- a *promise*: of all touches after number `upto` none is older than `promised_ns`. A page promises nothing
  beyond a touch that has not been answered, so a mapping is confirmed by the answer to a touch before that
  is vouched for;
- `leaves`: it is hidden or left. What has not been answered goes with that word, once more; the tab keeps
  that word as well, and a page that is opened in it next says it before anything else, under the former
  page's id, with its numbers and its times as they were mapped: it promises nothing by a clock that is gone;
- the host's time that it has heard last (`echo_ns`), and for how long it has held it (`held_ns`): so the
  host measures the way by its own clock. What a page says of its way is never asked for;
- `n`, which grows from word to word: a word that comes after a later one neither wakes a page nor signs it
  off.

A word that gets no answer, or any other than a good one, counts for nothing: the page says the same again,
with the same numbers. Requests may be doubled, overtake each other, or be cut off on the way back.

**The table** (`Account` here, `web.page_sources` around it) answers each number (`Heard.fates`), once and
for all:

- *driven*: the line has moved at that time, within what is claimed;
- *lost*: it came too late to be believed as it stands, or its claim is too wide. Its line has a gap from
  the earliest time at which it can have been. So a page that is mute and then tells of a touch of long ago
  gains nothing, and an honest one is not last for a slow network: the round is void if that could change
  who was;
- *refused*: the nose is another page's, or none of this table. A touch that is refused is lost, too.

A stamp is believed when it is no older than the way explains (`explained_ns`). What counts is the shortest
way there and back that the host has measured of this page since it was opened, and nothing that the page says
of itself. A page that lies about its touches can pretend a slow way only by being slow at all times; what it
could hide by that is then part of its claim (`hidden_ns`). So a lie of up to about 0.1 s is believed, and
none beyond: nobody can tell it from a page that had much to do. One from the future counts as now, and may be
off by as much as the way explains. A number that comes again is answered as it was.

A promise holds when all numbers up to `upto` are accounted for. Those that are not, nobody knows when and
where they were: then every line that may be touched on the page has a gap since its last good promise. A
promise from the future shows a clock that is wrong, and promises nothing.

**Who is waited for.** A page *carries* the nose that it is, and those touched on it in this game. As long
as it carries one and is awake, nothing is judged beyond its promises. If none comes for `PATIENCE_NS` it is
*silent*: a gap without an end. A page that signs off is *asleep*. In all other cases its clock promises by
itself, some time back. Which of these it is follows from what is known of the page, in one place
(`Pages._hear`), after every step.

**The only page** may be loading itself again, and has `ALONE_NS`. The next one in its tab introduces itself
at once, before it knows the clock, and says after which pages it comes: it carries what they carried, is
waited for until it has promised once, and says their last words. What is touched on it is believed as far
back as nobody has touched elsewhere, if its clock is waited for since then: those noses are stamped by one
clock. Should another page tell of a touch before that, the two may be off by as much as the first was late.

**Whose word it is.** A page belongs to the device that opened it. Nobody else speaks for it, and its id is
no secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal, NamedTuple

import msgspec
from lastnose.companion.core.errors import BadInput
from lastnose.companion.core.text import Text, english, text
from lastnose.companion.core.touch import TOUCH_U_NS, TouchKind
from lastnose.companion.core.units import duration

_PAGE = re.compile(r"[A-Za-z0-9_-]{1,40}")
PATIENCE_NS = 3_000_000_000
ALONE_NS = 20_000_000_000
OLDEST_NS = 30_000_000_000
_WORST_CLOCK_NS = 2_000_000_000
_WIDEST_NS = 250_000_000  # a claim beyond that says nothing
_SHORTEST_DELAY_NS = 100_000_000
LONGEST_DELAY_NS = 250_000_000
_VOWED_NS = LONGEST_DELAY_NS  # so far back a clock begins that nobody has waited for
_OFTEN_NS = 1_000_000_000  # a page that carries a nose promises at least so often
_HANDED_NS = 50_000_000  # from a finger's event to the word that tells of it, on a page that has much to do
_LATER_NS = 50_000_000  # by so much a word may take longer than the shortest way
_SLOWEST_NS = 200_000_000  # a way that is longer explains no more
_USUAL_WAY_NS = 20_000_000  # so long a way hides nothing
_MOST_AHEAD = 1_000  # numbers that a page may be ahead of what is accounted for
_MOST_WORDS = 1_000_000  # that a page can have sent in vain
_KEPT_FATES = 256

Number = Annotated[int, msgspec.Meta(ge=0, le=2**40)]
FateName = Literal["driven", "lost", "refused"]


class PageClock(msgspec.Struct, frozen=True):
    """A page introduces itself, or says that it `leaves`.

    `owns` is the line of the nose that it is ("nose.3"), "" for a page that anybody may touch. `phone` is
    what the phone calls itself, the same each time: zero tests count for it. `takes`: somebody has just taken
    that seat on it; without it a phone whose nose another page was given, or took, does not get it back.
    `after`: the pages that were in its tab before, whose last words it says. `echo_ns` and `held_ns` are as
    in `Taps`.
    """

    page: str
    leaves: bool = False
    owns: str = ""
    phone: str = ""
    takes: bool = False
    after: tuple[str, ...] = ()
    echo_ns: int = 0
    held_ns: int = 0


class Tap(msgspec.Struct, frozen=True):
    """One change of a simulated line; `t_ns` is on the host's clock, as the page reckons it.

    `no` is its number; 0 for a program that does not count: it learns by an error what is not taken.
    `u_ns` is what this stamp may be off by beside what a touch and the clock are.
    """

    line: str
    level: int
    t_ns: int
    kind: TouchKind = "touch"
    no: Number = 0
    u_ns: Number = 0


class Taps(msgspec.Struct, frozen=True):
    """A page's word: touches, and what it promises of those that are still to come (see above).

    `answered`: all numbers up to it have been answered to this page, perhaps before the table was started.
    `echo_ns` is the `t_ns` of the answer that the page has heard last, `held_ns` how long ago, by its clock.
    """

    page: str
    clock_u_ns: int
    taps: tuple[Tap, ...]
    promised_ns: int | None = None
    upto: Number = 0
    answered: Number = 0
    leaves: bool = False
    n: Number = 0
    epoch: Number = 0
    echo_ns: int = 0
    held_ns: int = 0


class Fate(msgspec.Struct, frozen=True):
    """What has become of the touch with this number."""

    no: int
    fate: FateName


class Heard(msgspec.Struct, frozen=True):
    """What a page is answered: what became of its touches, the host's clock, how soon it may promise again.

    `replaced`: another page is now the nose that this one was. `said`: why something was refused.
    """

    fates: tuple[Fate, ...]
    t_ns: int
    again_ms: int
    replaced: bool = False
    said: Text | None = None


class Weighed(NamedTuple):
    """A touch as it may count: its time and own error, and from when to when it may have been.

    `late_ns`: how old it was when it came, if it is believed though its way does not explain that.
    `doubt_ns`: what its clock may be off by against others, of which some were believed so.
    """

    tap: Tap
    fate: FateName
    t_ns: int
    u_ns: int
    from_ns: int
    to_ns: int
    late_ns: int = 0
    doubt_ns: int = 0

    def doubted(self, by_ns: int, now_ns: int) -> Weighed:
        """Return it with all times off by *by_ns* more against others."""
        from_ns, to_ns = self.from_ns - by_ns, min(now_ns, self.to_ns + by_ns)
        return self._replace(from_ns=from_ns, to_ns=to_ns, doubt_ns=by_ns)

    def too_late(self, now_ns: int) -> Text | None:
        """Return what to say of a touch that is lost."""
        if self.fate != "lost":
            return None
        age = duration(max(0, now_ns - self.t_ns))
        return text("This tap arrived {age} late and cannot count any more. Is the network slow?", age=age)


class Unaccounted(NamedTuple):
    """Touches between these times are not accounted for."""

    from_ns: int
    to_ns: int


def delay_of(rtt_ns: int) -> int:
    """Return how late edges of a page with this round trip, on which nobody has touched a nose, may arrive.

    0: nobody has measured it.

    >>> delay_of(2_000_000), delay_of(40_000_000), delay_of(9_000_000_000), delay_of(0)
    (100000000, 160000000, 250000000, 250000000)
    """
    return min(max(_SHORTEST_DELAY_NS, 4 * rtt_ns), LONGEST_DELAY_NS) if rtt_ns else LONGEST_DELAY_NS


def explained_ns(way_ns: int, off_ns: int = 0) -> int:
    """Return how old a touch of a page with this shortest way, there and back, may be when it arrives.

    *off_ns* is what it claims that the touch's time may be off by: in that there is room for half of the way.

    >>> explained_ns(2_000_000), explained_ns(9_000_000_000), explained_ns(2_000_000, 17_000_000)
    (102000000, 300000000, 117000000)
    """
    return _HANDED_NS + _LATER_NS + max(min(way_ns, _SLOWEST_NS), off_ns)


def hidden_ns(way_ns: int) -> int:
    """Return by how much a page that always took this way, at the least, may have been slow on purpose.

    >>> hidden_ns(2_000_000), hidden_ns(60_000_000), hidden_ns(9_000_000_000)
    (0, 40000000, 180000000)
    """
    return max(0, min(way_ns, _SLOWEST_NS) - _USUAL_WAY_NS)


def way_of(word: Taps | PageClock, now_ns: int) -> int | None:
    """Return how long *word*, which comes now, and the answer that it echoes were under way, if it tells.

    >>> way_of(Taps("p", 0, (), echo_ns=1_000, held_ns=300), 1_500)
    200
    """
    way_ns = now_ns - word.echo_ns - max(0, word.held_ns)
    # Beyond OLDEST_NS the page's clock stood still.
    return way_ns if word.echo_ns > 0 and 0 <= way_ns <= OLDEST_NS else None


def check_id(page: str) -> None:
    """Raise BadInput when a page may not call itself so."""
    if not _PAGE.fullmatch(page):
        raise BadInput(english("A page’s id is 1 to 40 letters, digits, - or _, not “{id}”.", id=page[:60]))


def check(word: Taps) -> None:
    """Raise BadInput for a word that no page can mean."""
    check_id(word.page)
    if not 0 <= word.clock_u_ns <= _WORST_CLOCK_NS:
        raise BadInput(
            english("The error of a page’s clock is 0 to 2 s, not {time}.", time=duration(word.clock_u_ns))
        )
    for tap in word.taps:
        if tap.level not in (0, 1):
            raise BadInput(english("A tap has level 0 or 1, not {level}.", level=tap.level))


class Account:
    """What one page has told of its touches, and what it was answered.

    `since` are the lines that it has carried since its last good promise, which was up to `promised_ns`.
    `alone_ns`: for so long nobody has touched on another page, and this one may just have been loaded again.
    `oldest_ns`: so old a touch may be that its clock has not promised to tell sooner. `asked_ns`: since then
    the round is under way for which touches are asked.
    """

    def __init__(self, now_ns: int) -> None:
        self.n = self.epoch = 0
        self.settled = 0  # all numbers up to it are accounted for
        self.promised_ns = now_ns - PATIENCE_NS  # it may have been touched before its first word
        self.since: set[str] = set()
        self.alone_ns, self.oldest_ns, self.asked_ns = 0, OLDEST_NS, now_ns
        self._begun = False
        self._fates: dict[int, FateName] = {}

    def vow(self, known_ns: int | None, now_ns: int) -> None:
        """Learn up to when its clock has promised by itself; None: nobody has waited for it by now."""
        self.oldest_ns = _VOWED_NS if known_ns is None else max(_VOWED_NS, now_ns - known_ns)

    def begin(self, word: Taps) -> bool:
        """Take the numbers of *word*; return whether a later one was here before. Raise BadInput."""
        if not self._begun:  # the table may have been started while the page was open
            self._begun, self.n = True, word.n
            self.settled, self.epoch = word.answered, word.epoch
        most = max([word.upto, *(tap.no for tap in word.taps)])
        if most > self.settled + _MOST_AHEAD or word.n > self.n + _MOST_WORDS:
            raise BadInput(text("This page is out of date. Load it again."))
        if word.n < self.n:
            return True
        self.n = word.n
        return False

    def fresh(self, taps: Iterable[Tap]) -> list[Tap]:
        """Return those of *taps* that have not been answered, in the order of their times.

        Those of one line stay in the order of their numbers, also where the page's clock went back meanwhile.
        """
        left = {tap.no: tap for tap in taps if tap.no > self.settled and tap.no not in self._fates}
        made = [(tap.t_ns, 0, tap) for tap in taps if not tap.no]
        newest_ns: dict[str, int] = {}
        for no, tap in sorted(left.items()):
            newest_ns[tap.line] = at_ns = max(tap.t_ns, newest_ns.get(tap.line, tap.t_ns))
            made.append((at_ns, no, tap))
        return [tap for *_, tap in sorted(made, key=lambda one: one[:2])]

    def weigh(self, tap: Tap, word: Taps, now_ns: int, way_ns: int, known_ns: int | None) -> Weighed:
        """Return *tap* as it may count, of a page whose way, there and back, takes *way_ns* at the least.

        *known_ns*: up to then it has told of everything, and since then the others have waited for it: what
        is too old may have been at any time, also if it is said to be of before that, but of the round under
        way. None: it was not waited for.

        >>> account = Account(0)
        >>> word = Taps("p", 2_000_000, ())
        >>> account.weigh(Tap("nose.1", 1, 900_000_000), word, 1_000_000_000, 50_000_000, 0).fate
        'driven'
        >>> account.weigh(Tap("nose.1", 1, 800_000_000), word, 1_000_000_000, 50_000_000, 0)[1:]
        ('lost', 800000000, 8500000, 789500000, 1000000000, 0, 0)
        >>> ahead = Tap("nose.1", 1, 1_400_000_000)
        >>> ahead = account.weigh(ahead, word, 1_000_000_000, 50_000_000, 900_000_000)
        >>> ahead.fate, ahead.t_ns, ahead.u_ns
        ('driven', 1000000000, 158500000)
        """
        off_ns = word.clock_u_ns + tap.u_ns
        late_ns, way_ns = explained_ns(way_ns, off_ns), explained_ns(way_ns)
        own_ns = TOUCH_U_NS[tap.kind] + tap.u_ns
        t_ns, ahead = min(tap.t_ns, now_ns), tap.t_ns > now_ns + off_ns
        if ahead:
            own_ns += way_ns
        first_ns = t_ns - own_ns - word.clock_u_ns
        if ahead and known_ns is not None and now_ns - known_ns > way_ns + _OFTEN_NS:
            return Weighed(tap, "lost", t_ns, own_ns, min(first_ns, known_ns), now_ns)
        last_ns = min(now_ns, t_ns + own_ns + word.clock_u_ns)
        age_ns = now_ns - t_ns
        if off_ns <= _WIDEST_NS and age_ns <= min(self.oldest_ns, max(late_ns, self.alone_ns * bool(tap.no))):
            more_ns = age_ns if age_ns > late_ns else 0
            return Weighed(tap, "driven", t_ns, own_ns, first_ns, last_ns, more_ns)
        if off_ns >= _WORST_CLOCK_NS:  # nobody knows
            first_ns, last_ns = min(first_ns, self.promised_ns), now_ns
        if (
            known_ns is not None
            and age_ns <= max(PATIENCE_NS, now_ns - min(known_ns, self.asked_ns)) + way_ns
        ):
            last_ns = now_ns
        return Weighed(tap, "lost", t_ns, own_ns, first_ns, last_ns)

    def settle(self, no: int, fate: FateName) -> None:
        """Write down what has become of touch *no*."""
        if not no:
            return
        self._fates[no] = fate
        while self.settled + 1 in self._fates:
            self.settled += 1
        for old in [one for one in self._fates if one <= self.settled - _KEPT_FATES]:
            del self._fates[old]

    def fates(self, taps: Iterable[Tap]) -> tuple[Fate, ...]:
        """Return what became of *taps*; what was answered so long ago that it is forgotten was lost."""
        return tuple(Fate(tap.no, self._fates.get(tap.no, "lost")) for tap in taps if tap.no)

    def close(self, upto: int, until_ns: int) -> Unaccounted | None:
        """Account for all numbers up to *upto*; return when those that are missing may have been."""
        if upto <= self.settled:
            return None
        for no in range(self.settled + 1, upto + 1):
            self._fates.setdefault(no, "lost")
        self.settle(upto, self._fates[upto])
        return Unaccounted(self.promised_ns, max(self.promised_ns, until_ns))

    def promise(self, until_ns: int, carries: Iterable[str]) -> None:
        """Take a good promise up to *until_ns*."""
        if until_ns >= self.promised_ns:
            self.promised_ns, self.since = until_ns, set(carries)
