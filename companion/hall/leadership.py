"""Which of several hubs leads an event. Pure: the event's own log says it, not a machine."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.errors import NotNow
from companion.core.text import text
from companion.hall.events import TookOver
from companion.hall.snapshot import HallSnapshot, Role
from companion.hall.state import HallState

SILENT_S = 10  # a hub that leads says so every second: one that was not heard for so long has fallen silent
STEP_S, MINUTE_S = 5, 60  # in such steps it is shown for how long, first and later
HERE = "hall"  # who wishes to lead on this machine's command line


class Leadership:
    """What one hub knows of itself and the others; *now_s* is a clock that only goes forward.

    `key` is its own public key, `watched` that of the hub which let it in to follow ("": it is the first).
    `wish` is who wants it to lead from now on, "" when nobody does.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._heard_s = now_s()  # when the hub that leads was last heard, or we began to listen
        self.wish = ""
        self.key = ""
        self.watched = ""
        self._behind = False  # the message server has entries that are still to be read
        self.apart = 0

    def role(self, state: HallState) -> Role:
        """Return what this hub is in *state*."""
        if self.apart:
            return "parted"
        leads = self.leader(state) == self.key
        return "leads" if leads and not self._behind else "follows"

    def leader(self, state: HallState) -> str:
        """Return the public key of the hub that leads in *state*."""
        return state.leaders[-1] if state.leaders else self.watched or self.key

    def heard(self) -> None:
        """Take that the hub that leads speaks: what the desk wished while it was silent is settled."""
        self._heard_s = self._now_s()
        self.wish = self.wish if self.wish == HERE else ""

    def silent_s(self, state: HallState) -> int:
        """Return for how many seconds this hub, which follows, has not heard the one that leads; 0: it has.

        In steps, so that not every second is news.
        """
        if self.role(state) != "follows":
            self._heard_s = self._now_s()
        silent = int(self._now_s() - self._heard_s)
        step = STEP_S if silent < 2 * MINUTE_S else MINUTE_S
        return silent // step * step if silent >= SILENT_S else 0

    def wish_to_lead(self, view: HallSnapshot, by: str) -> None:
        """Take that *by* wants this hub to lead; raise NotNow when the other one does not need that."""
        if view.role == "leads":
            raise NotNow(text("This hub leads the event."))
        if view.role == "parted":
            raise NotNow(text("This hub has other entries than the one that leads: it cannot take over."))
        if not view.silent_s:
            raise NotNow(text("The hub that leads is heard: end it first, and this one can take over."))
        if view.engine is not None:
            raise NotNow(view.engine)
        self.wish = by

    def compared(self, seq: int, differs_at: int) -> bool:
        """Take that the server's log differs from ours, which goes to *seq*, at an entry (0: it does not).

        One that we lack is read soon; where we have another we have parted for good. Returns whether that
        is news.
        """
        behind = differs_at > seq
        apart = self.apart or (0 if behind else differs_at)
        news = (behind, apart) != (self._behind, self.apart)
        self._behind, self.apart = behind, apart
        return news

    def hubs(self, state: HallState) -> tuple[str, ...]:
        """Return the keys of all hubs that may come in: us, who leads or has led, who was let in."""
        known = (self.key, self.watched, *state.leaders, *state.keys_of("hub"))
        return tuple(dict.fromkeys(one for one in known if one))

    def taking_over(self, state: HallState, at: float) -> TookOver:
        """Return the entry with which this hub leads."""
        return TookOver(by=self.wish or HERE, at=at, key=self.key, before=self.leader(state))
