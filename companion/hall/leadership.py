"""Which of several hubs leads an event. Pure: the event's own log says it, not a machine."""

from __future__ import annotations

from companion.hall.events import TookOver
from companion.hall.snapshot import Role
from companion.hall.state import HallState


class Leadership:
    """What one hub knows of itself and the others.

    `key` is its own public key, `watched` that of the hub which let it in to follow ("": it is the first).
    """

    def __init__(self) -> None:
        self.key = ""
        self.watched = ""
        self._behind = False  # the message server has entries that are still to be read
        self.apart = 0

    def role(self, state: HallState) -> Role:
        """Return what this hub is in *state*."""
        if self.apart:
            return "parted"
        leads = state.leaders[-1] == self.key if state.leaders else not self.watched
        return "leads" if leads and not self._behind else "follows"

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
        before = state.leaders[-1] if state.leaders else self.watched or self.key
        return TookOver(by="hall", at=at, key=self.key, before=before)
