"""How a running table comes into a hall and leaves it: by a code at once, or by asking the desk.

A table alone imports nothing of the hall's message server: that comes when somebody joins one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from lastnose.companion.core.errors import BadInput, CompanionError, NotNow
from lastnose.companion.core.text import Text, text
from lastnose.companion.link import MEMBERSHIP
from lastnose.companion.system.systemd import Every

if TYPE_CHECKING:
    from lastnose.companion.link.membership import Membership

ASK_S = 2.0  # how often a table asks whether it was let in
AGAIN_S = 10.0  # how soon after it was in again a table that is not let in asks once more


class DoorView(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a table is: "out", "asks" or "in"; its `hall` and its `number` there.

    `check` are six letters that the desk shows beside what asks: it is this table. `says`: why it did not
    come in.
    """

    stands: str
    hall: str = ""
    number: int = 0
    check: str = ""
    says: Text | None = None


class _Asking:
    """One wish to come in, until it is answered or given up; `waits` once the desk is to answer."""

    def __init__(self, hall: str, table: str, seed: str) -> None:
        self.hall, self.waits = hall, True
        self.every: Every | None = None
        self.name(table, seed)

    def name(self, table: str, seed: str) -> None:
        from lastnose.companion.link import keys

        self.table, self.seed, self.check = table, seed, keys.check(keys.public_key(seed))


class HallDoor:
    """The door between the table with its data in *folder*, called *name*, and halls.

    *enter* lets it be in the hall of a membership, and returns what ends that; *left* is called when it has
    gone. A table that the hall puts out asks its desk again. For any thread.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        enter: Callable[[Membership], Callable[[], None]],
        left: Callable[[], None],
        *,
        ask_s: float = ASK_S,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now_s = now_s
        self._in_s = -AGAIN_S  # when it was found to be in, though the message server says otherwise
        self._folder, self._name = folder, name
        self._enter, self._left, self._ask_s = enter, left, ask_s
        self._lock = threading.RLock()
        self._member: Membership | None = None
        self._leave: Callable[[], None] | None = None
        self._asking: _Asking | None = None
        self._says: Text | None = None

    def start(self) -> None:
        """Be in the hall that was joined before, if one was; raise BadInput."""
        if not (self._folder / MEMBERSHIP).exists():
            return
        from lastnose.companion.link.membership import load

        found = load(self._folder)
        if found is not None:
            with self._lock:
                self._come_in(found)

    def stop(self) -> None:
        """End; what was joined is joined again at the next start."""
        asking = self._no_more()
        if asking is not None and asking.every is not None:
            asking.every.stop()
        with self._lock:
            self._go_out()

    @property
    def view(self) -> DoorView:
        """Where the table is now."""
        with self._lock:
            if self._member is not None and not (self._asking is not None and self._asking.waits):
                return DoorView("in", self._member.hall, self._member.number)
            if self._asking is not None:
                return DoorView("asks", self._asking.hall, check=self._asking.check, says=self._says)
            return DoorView("out", says=self._says)

    def come(self, address: str) -> DoorView:
        """Come into the hall at *address*; without a code behind # ask its desk. Raise BadInput or NotNow.

        A code alone is that of a hall near.
        """
        from lastnose.companion.link import membership
        from lastnose.companion.link.engine import must_have_parts

        must_have_parts(server=False)
        with self._lock:
            if self._member is not None:
                raise NotNow(text("This table is in a hall already: leave that first."))
        wanted = membership.invitations(address)
        hall, code = membership.address_of(wanted[0])
        if code:
            self._no_more()
            found = membership.come_in(self._folder, wanted, self._name)
            with self._lock:
                self._come_in(found)
            return self.view
        asking = _Asking(hall, *membership.identity(self._folder))
        with self._lock:
            self._asking, self._says = asking, None
        try:
            self._ask(asking)
        except BaseException:
            with self._lock:
                self._asking = None if self._asking is asking else self._asking
            raise
        self._go_on(asking)
        return self.view

    def shut_out(self) -> None:
        """Ask the desk again: the hall's message server does not let this table in any more. Never waits."""
        if not self._lock.acquire(blocking=False):
            return  # it comes or goes this moment
        try:
            member = self._member
            if member is None or self._asking is not None or not member.hall:
                return
            if self._now_s() - self._in_s < AGAIN_S:
                return
            asking = self._asking = _Asking(member.hall, member.table, member.seed)
            asking.waits, self._says = False, None
            self._go_on(asking)
        finally:
            self._lock.release()

    def _go_on(self, asking: _Asking) -> None:
        """Ask until there is an answer."""
        with self._lock:
            if self._asking is asking:
                asking.every = Every(self._ask_s, lambda: self._ask_again(asking), name="hall-door")
                asking.every.start()

    def leave(self) -> DoorView:
        """Leave the hall, or ask no more; the table plays on alone."""
        from lastnose.companion.link import membership

        self._no_more()
        membership.leave(self._folder)
        with self._lock:
            self._go_out()
        self._left()
        return self.view

    def _no_more(self) -> _Asking | None:
        with self._lock:
            asking, self._asking, self._says = self._asking, None, None
            return asking

    def _go_out(self) -> None:
        if self._leave is not None:
            self._leave()
        self._leave = self._member = None

    def _come_in(self, found: Membership) -> None:
        self._asking, self._says, self._member = None, None, found
        self._leave = self._enter(found)

    def _ask(self, asking: _Asking) -> None:
        """Ask the desk once, and come in once it has said yes; raise BadInput.

        Who has given up meanwhile stays out.
        """
        from lastnose.companion.link import keys, membership

        try:
            found = membership.ask_in(asking.hall, asking.table, asking.seed, self._name)
        except membership.NeedsNewName:
            asking.name(keys.random_id(keys.TABLE), keys.make_seed())
            found = membership.ask_in(asking.hall, asking.table, asking.seed, self._name)
        with self._lock:
            if self._asking is not asking:
                return
            asking.waits = found is None
            if found is not None and found == self._member:  # its message server has yet to know
                self._asking, self._in_s = None, self._now_s()
            elif found is not None:
                membership.keep(self._folder, found)
                self._go_out()
                self._come_in(found)

    def _ask_again(self, asking: _Asking) -> None:
        """Ask once more, on the thread that asks; that ends when there is nothing to ask for any more."""
        if self._asking is asking:
            try:
                self._ask(asking)
                self._says = None
            except BadInput as problem:
                self._says = problem.text
            except CompanionError as problem:  # what was answered cannot be kept: a person decides
                self._no_more()
                self._says = problem.text
        if self._asking is not asking and asking.every is not None:
            with suppress(RuntimeError):  # this is the thread that ends
                asking.every.stop()
