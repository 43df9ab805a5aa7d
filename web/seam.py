"""What the web server needs of the table (companion.table keeps it) and of the small screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Literal, Protocol

from companion.commands import AnyCommand
from companion.games.counsel import Counsel
from companion.games.variations import Variation
from companion.ports import Driver
from companion.selftest.view import SelfTestView, Word
from companion.snapshot import RoundView, Snapshot
from companion.statistics import Figures
from companion.text import Text


class TableLike(Protocol):
    """The running table, for any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the nose lines of the profile."""

    @property
    def driver(self) -> Driver | None:
        """Return what moves simulated noses, None when the noses are real."""

    @property
    def profile_name(self) -> str:
        """Return the name of the profile."""

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call *listener* with every snapshot on the table's thread; return what ends that."""

    def submit(self, command: AnyCommand, by: str) -> Future[Snapshot]:
        """Queue *command*; the future is done when it is durable, or raises CompanionError."""

    def known_players(self) -> tuple[str, ...]:
        """Return the names of earlier evenings."""

    def variations(self) -> tuple[Variation, ...]:
        """Return the saved variations of all evenings."""

    def rounds(self) -> tuple[RoundView, ...]:
        """Return the rounds of this evening."""

    def statistics(self) -> Figures:
        """Return the figures of this evening."""

    def counsel(self, about: str, hand: int | None, pieces: Sequence[str]) -> Counsel:
        """Return what the rules of this game say about *pieces*; raise BadInput when they say nothing."""

    def tape(self, seq: int) -> str:
        """Return the tape of round *seq*; raise BadInput when there is none."""

    def appeal(self, seq: int, confirm_ns: int, lockout_ns: int) -> RoundView:
        """Judge round *seq* again with other settings and store nothing; raise BadInput."""

    def export_json(self) -> bytes:
        """Return the evening as JSON."""

    def sheet_json(self) -> bytes:
        """Return the score sheet as a file to be read back in; raise BadInput when the game keeps none."""

    def sheet_csv(self) -> str:
        """Return the score sheet as CSV; raise BadInput when the game keeps none."""

    def export_csv(self) -> str:
        """Return the evening as CSV."""


class SelfTestLike(Protocol):
    """A self-test under way, for any thread."""

    @property
    def view(self) -> SelfTestView:
        """Return what it shows now."""

    def say(self, word: Word) -> SelfTestView:
        """Answer it, and return what it shows then; raise NotNow when that is no answer now."""

    def report(self, form: Literal["md", "json"], speak: Callable[[Text], str]) -> bytes:
        """Return its report as it stands, in words of *speak*."""


class Screen(Protocol):
    """What shows the small screen as a picture."""

    def png(self) -> bytes:
        """Return what is shown now as a PNG, without PIN and QR."""
