"""What a screen is drawn from: the snapshot and its language, and how a phone joins the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.snapshot import Snapshot
from companion.text import Text, text
from hardware import layout
from hardware.layout import Frame
from hardware.pixels import Canvas

Translate = Callable[[Text], str]


Rows = tuple[tuple[bool, ...], ...]


class WifiInfo(msgspec.Struct, frozen=True):
    """The Wi-Fi that a phone joins first: its name, its password, its QR code."""

    ssid: str
    password: str
    qr: Rows | None = None

    @property
    def modules(self) -> Rows:
        """The QR code without its light border."""
        return modules_of(self.qr)


def modules_of(qr: Rows | None) -> Rows:
    """Return a QR code without the light border that it may have been given, empty when there is none.

    >>> modules_of(((False,) * 3, (False, True, False), (False,) * 3))
    ((True,),)
    """
    rows = qr or ()
    dark = [at for at, row in enumerate(rows) if any(row)]
    return tuple(row[dark[0] : len(row) - dark[0]] for row in rows[dark[0] : dark[-1] + 1]) if dark else ()


class JoinInfo(msgspec.Struct, frozen=True):
    """How a phone finds the table: the page's address, the PIN on a network, a QR code (True is dark)."""

    url: str
    pin: str | None = None
    qr: Rows | None = None
    wifi: WifiInfo | None = None

    @property
    def address(self) -> str:
        """The address as one types it: no scheme, and never a path or fragment, which may carry the PIN.

        >>> JoinInfo("http://192.168.1.20:8080/join#4821").address
        '192.168.1.20:8080'
        """
        rest = self.url.partition("://")[2] or self.url
        return rest.partition("#")[0].partition("/")[0]

    @property
    def modules(self) -> Rows:
        """The QR code without its light border."""
        return modules_of(self.qr)

    def public(self) -> JoinInfo:
        """Return the same without PIN, QR and Wi-Fi.

        >>> JoinInfo("http://192.168.1.20:8080/join#4821", "4821").public()
        JoinInfo(url='http://192.168.1.20:8080', pin=None, qr=None, wifi=None)
        """
        return JoinInfo(f"http://{self.address}")


class Page(msgspec.Struct, frozen=True):
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

    def say(self, messages: Sequence[Text]) -> list[str]:
        """Return *messages* in the reader's language."""
        return [self.translate(message) for message in messages]
