"""What most games need not say: no picture, nothing left to chance, no words of their own for a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.errors import BadInput
from companion.games.counsel import Counsel
from companion.games.game import Chance, Counted, Section
from companion.games.score_sheet import Sheet
from companion.model import Verdict
from companion.text import Text, text


class Plain:
    """A base for games; everything in it may be said differently."""

    summary: Text
    agreed: str = ""
    emblem: str = ""
    watched: bool = True

    def opening(self, state: Any, chance: Chance) -> Any:
        """Return no move: nothing is decided by chance before the first deal."""
        return None

    def completed(self, state: Any, move: Any, chance: Chance) -> Any:
        """Return *move*: nothing in it is left to chance."""
        return move

    def said(self, before: Any, move: Any, after: Any) -> Text | None:
        """Return nothing: the standings tell it."""
        return None

    def cue(self, state: Any) -> Text:
        """Return nothing of its own."""
        return text("Play!")

    def restated(self, state: Any) -> Verdict | None:
        """Return nothing: a round stands as it was judged."""
        return None

    def sheet(self, state: Any) -> Sheet | None:
        """Return nothing: the standings are all there is."""
        return None

    def count_hand(self, written: Sequence[str], options: Any) -> Counted | None:
        """Return nothing: hands are not counted."""
        return None

    def counsel(self, state: Any, about: str, hand: int | None, pieces: Sequence[str]) -> Counsel:
        """Raise BadInput: nothing can be asked here."""
        raise BadInput(text("In this game the rules are not asked about single hands."))

    def help(self, options: Any) -> tuple[Section, ...]:
        """Return what the game says about itself."""
        return (Section(text("How it goes"), (self.summary,)),)
