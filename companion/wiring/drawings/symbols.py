"""The signs of circuits that our drawings need: resistor, capacitor, contact, lamp, supply, ground."""

from __future__ import annotations

from companion.wiring.drawings.svg import INK, PAPER, Page
from companion.wiring.wires import RED


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
