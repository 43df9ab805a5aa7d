"""The options of a game on the command line: some have a flag of their own, any can be said as NAME=VALUE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.cli.frame import option
from companion.core.decode import decode_json
from companion.core.errors import BadInput, Malformed
from companion.core.text import text

F = TypeVar("F", bound=Callable[..., Any])


def set_option() -> Callable[[F], F]:
    """Add `--set`, the dominoes on the table; it arrives as `highest`."""
    return option(
        "--set",
        "highest",
        type=int,
        help=text("The dominoes’ highest double: 6, 9, 12 or 15; 9 if not said."),
    )


def any_option() -> Callable[[F], F]:
    """Add `--option NAME=VALUE`, as often as wanted; it arrives as `more`."""
    return option(
        "--option",
        "more",
        multiple=True,
        metavar="NAME=VALUE",
        help=text("Any option of the game, as `lastnose games` lists them."),
    )


def gathered(flags: Mapping[str, Any], more: Sequence[str]) -> dict[str, Any]:
    """Return the options that were said: *flags* that are not None, and *more* written as NAME=VALUE.

    Raises BadInput for one that is not written so.

    >>> gathered({"set": 6, "stock": None}, ["little_chick=true", "start=alternative"])
    {'set': 6, 'little_chick': True, 'start': 'alternative'}
    """
    said = {name: value for name, value in flags.items() if value is not None}
    for written in more:
        name, sign, value = written.partition("=")
        if not sign:
            raise BadInput(text("Write an option as NAME=VALUE, not “{written}”.", written=written))
        said[name] = _read(value)
    return said


def _read(value: str) -> Any:
    """Return *value* as a number or a truth if it is one, else as it stands."""
    try:
        return decode_json(value)
    except Malformed:
        return value
