"""What the web server needs of a self-test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from companion.core.text import Text
from companion.selftest.view import SelfTestView, Word


class SelfTestLike(Protocol):
    """A self-test under way, for any thread."""

    @property
    def view(self) -> SelfTestView:
        """Return what it shows now."""

    def say(self, word: Word) -> SelfTestView:
        """Answer it, and return what it shows then; raise NotNow when that is no answer now."""

    def report(self, form: Literal["html", "json"], speak: Callable[[Text], str], language: str) -> bytes:
        """Return its report as it stands, in words of *speak*."""
