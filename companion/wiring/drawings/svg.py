"""A page of SVG, built shape by shape. Lengths are quarter millimetres, so that an A4 page is 1188 by 840."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from companion.wiring.wires import Colour

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
