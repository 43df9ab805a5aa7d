"""A running table in a hall: starts the games that it is called for, and says who has come to their seat.

Nothing here decides anything: what the hall calls is a command like any other, and the log says who gave it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path

from lastnose.companion.core.errors import CompanionError, StoreError
from lastnose.companion.core.ports import Report
from lastnose.companion.core.text import Text, text
from lastnose.companion.evening.commands import Rearm, Start
from lastnose.companion.event.calls import said_of_call
from lastnose.companion.event.formats import said_of
from lastnose.companion.event.messages import HallCall, Presence, ahead_of, said_of_clock
from lastnose.companion.link.membership import Membership
from lastnose.companion.link.uplink import Uplink
from lastnose.companion.system import host_clock
from lastnose.companion.table.thread import TableThread
from lastnose.companion.views.hall import NO_LINK_YET, gathering
from lastnose.companion.views.snapshot import HallView, Snapshot

AGAIN_S = 2.0  # how long after the disk refused a game it is asked for again
HALL = "hall"  # under this name the log keeps what the hall has made the table do
_log = logging.getLogger("lastnose.hall")


class InHall:
    """Keeps *table*, with its log in *folder*, in the hall of *membership*; `report` tells its trouble.

    A called game begins as soon as no other is being played. It arms itself, after `rearm_s`, once everybody
    has touched their nose or its first deal is over; the host may arm it before. `shut_out` is called when
    the hall lets it in no more.
    """

    def __init__(
        self,
        table: TableThread,
        folder: Path,
        membership: Membership,
        report: Report,
        rearm_s: float | None,
        *,
        shut_out: Callable[[], None] = lambda: None,
        wall_s: Callable[[], float] = time.time,
        now_s: Callable[[], float] = host_clock.elapsed_s,
    ) -> None:
        self._table = table
        self._report = report
        self._rearm_s = rearm_s
        self._wall_s, self._now_s = wall_s, now_s
        self._hall_s: float | None = None  # by how much the hall's wall clock is ahead of our steady one
        self._ahead_s = 0
        self._lock = threading.Lock()
        self._call = HallCall(0, membership.event, membership.number)
        self._link: Text | None = NO_LINK_YET
        self._here: frozenset[int] = frozenset()
        self._asked = ""  # the call whose game was asked for
        self._armed = ""  # the call whose game arms itself
        self._cannot: Text | None = None  # why it does not begin
        self._again_s: float | None = None  # when it is asked for again, after the disk did not take it
        self._simulated = table.snapshot.simulated
        self._uplink = Uplink(
            folder,
            membership,
            heard=self._hear,
            linked=self._linked,
            presence=self._presence,
            shut_out=shut_out,
        )
        self._leave = table.subscribe(self._follow)

    def start(self) -> None:
        """Begin."""
        self._show()
        self._uplink.start()

    def stop(self) -> None:
        """Leave: the table plays on alone."""
        self._leave()
        self._uplink.stop()

    # ---- on the uplink's thread

    def _hear(self, call: HallCall) -> None:
        with self._lock:
            if call.rev < self._call.rev and (call.event, call.run) == (self._call.event, self._call.run):
                return  # overtaken on the way
            if call.at:
                self._hall_s = call.at - self._now_s()
            if call.call != self._call.call:
                self._here, self._asked, self._armed, self._again_s = frozenset(), "", "", None
                self._cannot = None
            self._call = call
        self._show()
        self._follow(self._table.snapshot)

    def _linked(self, trouble: Text | None) -> None:
        if trouble != self._link:
            self._link = trouble
            self._show()

    def _mind_the_clock(self) -> None:
        """See how far our wall clock is from the hall's; it may be set at any time."""
        if self._hall_s is None:
            return
        ahead_s = ahead_of(self._wall_s(), self._hall_s + self._now_s())
        if ahead_s != self._ahead_s:
            self._ahead_s = ahead_s
            self._show()

    def _ask_again(self) -> None:
        """Ask once more for the game that the disk did not take: there may be room by now."""
        with self._lock:
            if self._again_s is None or self._now_s() < self._again_s:
                return
            self._asked, self._again_s = "", None
        self._follow(self._table.snapshot)

    def _presence(self) -> Presence:
        self._mind_the_clock()
        self._ask_again()
        snapshot, call = self._table.snapshot, self._call
        return Presence(
            n=snapshot.seq,
            rev=call.rev,
            call=call.call,
            here=tuple(sorted(self._here)),
            phase=snapshot.phase,
            says=str(snapshot.headline),
            simulated=self._simulated,
            ahead_s=self._ahead_s,
            heard=call.mark,
            cannot=self._cannot or "",
        )

    # ---- on the table's thread

    def _follow(self, snapshot: Snapshot) -> None:
        """Begin the game of the call, and note who is at their seat."""
        self._uplink.changed()
        with self._lock:
            call = self._call
            if not call.call or snapshot.hall is None or snapshot.hall.call != call.call:
                return  # nothing is called, or the table has yet to see whether it was begun
            if not snapshot.hall.begun:
                self._begin(call, snapshot)
                return
            self._refuse(None)
            if not snapshot.hall.match or snapshot.phase == "won":
                return
            touched: set[int] = set()
            if gathering(snapshot.phase, snapshot.round_no):
                touched = {row.seat for row in snapshot.rows if row.held or row.pressed} - self._here
                self._here |= touched
            # The first deal may be over, after a restart too: nobody says again that they are here.
            dealt = snapshot.round_no > 1 or snapshot.phase in ("verdict", "dead-heat", "void")
            arms = self._armed != call.call and (dealt or len(self._here) == len(snapshot.rows))
            self._armed = call.call if arms else self._armed
        if touched:
            self._show()
        if arms and self._rearm_s is not None:
            self._table.submit(Rearm(self._rearm_s), HALL)

    def _begin(self, call: HallCall, snapshot: Snapshot) -> None:
        if self._asked == call.call:
            return
        if snapshot.phase not in ("setup", "won") and not (
            snapshot.phase == "ready" and snapshot.round_no <= 1
        ):
            self._refuse(text("The hall calls this table: end the game that is being played first."))
            return
        self._asked = call.call
        start = Start(call.game, call.players, dict(call.options), None, None, call.call)
        self._table.submit(start, HALL).add_done_callback(partial(self._begun, call))

    def _begun(self, call: HallCall, done: Future[Snapshot]) -> None:
        problem = done.exception()
        if isinstance(problem, StoreError):
            with self._lock:
                if call.call == self._asked:
                    self._again_s = self._now_s() + AGAIN_S
        if isinstance(problem, CompanionError) and call.call == self._asked:
            self._refuse(text("The hall’s game cannot be played here: {why}", why=problem.text))

    def _refuse(self, why: Text | None) -> None:
        """Say, here and in the hall, why the called game does not begin; None: it has begun."""
        self._cannot = why
        self._report(why)

    def _show(self) -> None:
        call = self._call
        view = HallView(
            number=call.number,
            title=said_of(call.kind, call.round) if call.call or call.by_hand else None,
            call=call.call,
            players=call.players,
            here=tuple(sorted(self._here)),
            says=call.says,
            settles=call.by_hand,
            stuck=said_of_call(call),
            typed=call.typed,
            link=self._link or (said_of_clock(self._ahead_s) if self._ahead_s else None),
        )
        self._table.tell_hall(view)
