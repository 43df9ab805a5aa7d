"""The settings of a run. A source of edges is named here, and made in `companion.app.sources`."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, TypeVar

from lastnose.companion.core.decode import decode_toml, fit
from lastnose.companion.core.errors import BadInput, Malformed, unreadable
from lastnose.companion.core.text import Text, text

TAPE = "replay"
PAGES = "pages"  # noses on pages and phones, and none of wood
SOURCES = ("gpiochip", "pins", "box", PAGES, "mock", TAPE)


class Described(Protocol):
    """What a file of settings describes."""

    def problem(self) -> Text | None:
        """Return what cannot be, None when all can."""


DescribedT = TypeVar("DescribedT", bound=Described)


def described(path: Path, kind: type[DescribedT]) -> DescribedT:
    """Return what the TOML file describes; raise BadInput that names the file and what is wrong."""
    try:
        found = fit(decode_toml(path.read_bytes()), kind)
    except OSError as error:
        raise BadInput(unreadable(path, error)) from None
    except Malformed as error:
        raise refused(path, error.text) from None
    problem = found.problem()
    if problem is not None:
        raise refused(path, problem)
    return found


def refused(path: Path, why: Text | str) -> BadInput:
    """Return the error that a file of settings cannot be used."""
    return BadInput(text("{what}: {why}.", what=str(path), why=why))
