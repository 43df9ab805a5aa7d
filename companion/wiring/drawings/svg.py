"""A page of SVG, built shape by shape. Lengths are quarter millimetres, so that an A4 page is 1188 by 840."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from lastnose.companion.wiring.wires import RED, Colour

INK, FAINT, PAPER = "#1a1a1a", "#6d6d6d", "#ffffff"
FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class Page:
    """Shapes in the order in which they are drawn. Coordinates are relative to the innermost `moved`."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._parts: list[str] = []

    def line(self, points: Sequence[Point], *, colour: str = INK, width: float = 1.6, dash: str = "") -> None:
        """Draw a line through *points*."""
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{_number(width)}"'
            f' stroke-linejoin="round"{dashes}/>'
        )

    def wire(self, points: Sequence[Point], colour: Colour) -> None:
        """Draw a wire with its stripe; the dark edge keeps white and yellow visible on paper."""
        self.line(points, colour="#3a3a3a", width=5.6)
        self.line(points, colour=colour.fill, width=4)
        if colour.stripe is not None:
            self.line(points, colour=colour.stripe, width=4, dash="4 10")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = PAPER,
        stroke: str = INK,
        round_by: float = 3,
        line: float = 1.4,
    ) -> None:
        """Draw a rectangle from its upper left corner."""
        self._parts.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
            f' rx="{_number(round_by)}" fill="{fill}" stroke="{stroke}" stroke-width="{_number(line)}"/>'
        )

    def dot(self, x: float, y: float, radius: float = 3, *, fill: str = INK, stroke: str = "none") -> None:
        """Draw a filled circle around its middle."""
        self._parts.append(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="{fill}"'
            f' stroke="{stroke}" stroke-width="1.2"/>'
        )

    def words(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 11,
        anchor: Anchor = "start",
        fill: str = INK,
        bold: bool = False,
        upright: bool = False,
    ) -> None:
        """Write on the line at *y*; *upright* turns it to be read from the right."""
        weight = ' font-weight="bold"' if bold else ""
        turn = f' transform="rotate(-90 {_number(x)} {_number(y)})"' if upright else ""
        self._parts.append(
            f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" text-anchor="{anchor}"'
            f' fill="{fill}"{weight}{turn}>{escape(words)}</text>'
        )

    @contextmanager
    def moved(self, x: float, y: float) -> Iterator[None]:
        """Draw what follows as if the page began at *x*, *y*."""
        self._parts.append(f'<g transform="translate({_number(x)} {_number(y)})">')
        yield
        self._parts.append("</g>")

    def svg(self) -> str:
        """Return the page as an SVG document with a title for those who do not see it."""
        width, height = _number(self.width), _number(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(self.width / 4)}mm"'
            f' height="{_number(self.height / 4)}mm" viewBox="0 0 {width} {height}" role="img"'
            f" aria-label={quoteattr(self.title)} font-family={quoteattr(FONT)}>"
        )
        ground = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", ground, *self._parts, "</svg>", ""])


# ---- The signs of circuits that our drawings need: resistor, capacitor, contact, lamp, supply, ground.


def resistor(page: Page, x: float, y: float, value: str, *, upright: bool = False) -> None:
    """Draw a resistor around its middle, 40 long, with its value inside or beside."""
    if upright:
        page.box(x - 6, y - 18, 12, 36, round_by=0)
        page.words(x + 11, y + 4, value)
    else:
        page.box(x - 20, y - 7.5, 40, 15, round_by=0)
        page.words(x, y + 3.7, value, size=10, anchor="middle")


def capacitor(page: Page, x: float, y: float, value: str) -> None:
    """Draw an upright capacitor around its middle, its value beside."""
    page.line([(x, y - 18), (x, y - 3.5)])
    page.line([(x - 11, y - 3.5), (x + 11, y - 3.5)], width=2.4)
    page.line([(x - 11, y + 3.5), (x + 11, y + 3.5)], width=2.4)
    page.line([(x, y + 3.5), (x, y + 18)])
    page.words(x + 15, y + 4, value)


def ground(page: Page, x: float, y: float) -> None:
    """Draw the sign for ground below a line that ends at *x*, *y*."""
    for half, down in ((11, 0), (7, 4), (3, 8)):
        page.line([(x - half, y + down), (x + half, y + down)], width=2)


def supply(page: Page, x: float, y: float, name: str) -> None:
    """Draw a supply above a line that begins at *x*, *y*."""
    page.line([(x - 10, y), (x + 10, y)], colour=RED.fill, width=2.6)
    page.words(x, y - 5, name, size=10, anchor="middle", fill=RED.fill, bold=True)


def button(page: Page, x: float, y: float) -> None:
    """Draw an arcade button from above, around its middle."""
    page.dot(x, y, 8.5, fill="#d8d8d8", stroke=INK)
    page.dot(x, y, 5.8, fill=RED.fill, stroke=INK)


def reed(page: Page, x: float, y: float) -> None:
    """Draw a reed contact in its glass, around its middle."""
    page.box(x - 11, y - 5, 22, 10, fill="#e8f3f8", round_by=5, line=1.2)
    page.line([(x - 11, y + 1), (x + 3, y - 1)], width=1.4)
    page.line([(x - 3, y + 1.5), (x + 11, y + 1)], width=1.4)


def piezo(page: Page, x: float, y: float) -> None:
    """Draw a piezo disc, around its middle."""
    page.dot(x, y, 8.5, fill="#d9b45b", stroke=INK)
    page.dot(x, y, 5, fill=PAPER, stroke=INK)


def driver(page: Page, x: float, y: float, name: str) -> None:
    """Draw a piece of a driver chip that a wire goes through, around its middle."""
    page.box(x - 17, y - 8, 34, 16, fill="#ececf4", round_by=2)
    page.words(x, y + 4, name, size=10, anchor="middle", bold=True)


def contact(page: Page, x: float, y: float) -> None:
    """Draw an open contact that closes downwards: two ends, 40 apart, one above the other."""
    page.dot(x, y)
    page.dot(x, y + 40)
    page.line([(x, y + 40), (x + 13, y + 6)], width=2)


def lamp(page: Page, x: float, y: float) -> None:
    """Draw an LED that lies along the line, its plus at the right."""
    page.line([(x + 7, y - 6.5), (x + 7, y + 6.5), (x - 6, y), (x + 7, y - 6.5)], width=1.4)
    page.line([(x - 6, y - 6.5), (x - 6, y + 6.5)], width=2)
