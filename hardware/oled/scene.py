"""What a screen is drawn from: the snapshot, its language, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.core.ports import JoinInfo
from companion.core.text import Text, text
from companion.views.snapshot import Snapshot
from hardware.oled import layout
from hardware.oled.layout import Frame
from hardware.oled.text.canvas import Canvas

Translate = Callable[[Text], str]


class ScreenPage(msgspec.Struct, frozen=True):
    """One picture of a phase: its heading, in which width, and what is drawn below it."""

    title: Text
    paint: Callable[[Frame], None]
    dense: bool = False
    width: int | None = None


class Scene(msgspec.Struct, frozen=True):
    """What is to be drawn, where and how."""

    snapshot: Snapshot
    size: tuple[int, int]
    dense: bool
    translate: Translate
    join: JoinInfo | None

    def frame(self, *, dense: bool = False) -> Frame:
        """Return a frame as a page will get it, to count what fits."""
        canvas = Canvas(*self.size)
        return Frame(canvas, layout.heading_height(canvas.height, dense=dense))

    def round_title(self) -> Text:
        """Return the heading while a game is on: the round, or the game's name where there are none."""
        if not self.snapshot.watched and self.snapshot.title is not None:
            return self.snapshot.title
        return text("Round {n}", n=self.snapshot.round_no)

    def home_title(self) -> Text:
        """Return the heading before a game: which table of a hall this is, or what it is."""
        hall = self.snapshot.hall
        return text("Last Nose") if hall is None else text("Table {n}", n=hall.number)

    def say(self, messages: Sequence[Text]) -> list[str]:
        """Return *messages* in the reader's language."""
        return [self.translate(message) for message in messages]
