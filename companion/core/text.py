"""What pure code says: a message and its parameters, put into a language only at the edge.

`id` is the English message itself, with `{name}` fields (str.format). Catalogue tools find the calls of
`text()` and `texts()` in the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter

import msgspec


class Text(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A message to be translated: `id` in English, `plural` its English plural (chosen by `params["n"]`).

    A parameter is a number (a float is shown with the reader's decimal sign), a string that is shown as it is
    (a player's name) or another Text.
    """

    id: str
    params: dict[str, int | float | str | Text] = {}
    plural: str | None = None

    def __str__(self) -> str:
        """Return the message in English."""
        chosen = self.plural if self.plural is not None and self.params.get("n") not in (1, -1) else self.id
        return chosen.format(**{name: _english(value) for name, value in self.params.items()})


def true_minus(number: float) -> str:
    """Return *number* as people read it: with a minus as wide as its plus, not a hyphen.

    >>> true_minus(-7), true_minus(0), true_minus(-1.5)
    ('−7', '0', '−1.5')
    """
    return str(number).replace("-", "−", 1) if number < 0 else str(number)


def text(message: str, /, **params: int | float | str | Text) -> Text:
    """Make a Text from an English message.

    >>> str(text("{player} was last", player="South"))
    'South was last'
    """
    return Text(message, params)


def english(message: str, /, **params: int | float | str | Text) -> Text:
    """Make a Text that no catalogue has: what only a programmer meets, of the API, a tape or a package.

    A Text inside it stays English as well, so that no sentence is in two languages.

    >>> str(english("Send {what}.", what=text("a number")))
    'Send a number.'
    """
    return Text(message, {name: _english(value) for name, value in params.items()})


def texts(singular: str, plural: str, /, *, n: int, **params: int | float | str | Text) -> Text:
    """Make a Text that depends on the number *n*.

    >>> str(texts("{n} card", "{n} cards", n=28))
    '28 cards'
    """
    return Text(singular, {"n": n, **params}, plural)


def listing(items: Sequence[str | Text]) -> Text | str:
    """Return *items* as a sentence lists them.

    >>> str(listing(["North", "East", "South"]))
    'North, East and South'
    """
    if not items:
        return ""
    *rest, last = items
    return text("{first} and {last}", first=_commas(rest), last=last) if rest else last


def must_be_sayable(said: object) -> None:
    """Raise unless each message in *said*, itself or in structs and sequences, can be put into words.

    Every field is a plain `{name}` that it has: no format, no attribute.

    >>> must_be_sayable((1, Text("{player} was last", {"player": "South"})))
    >>> must_be_sayable([Text("{player:>99999}", {"player": "South"})])
    Traceback (most recent call last):
        ...
    ValueError: {player:>99999}
    """
    if isinstance(said, Text):
        _must_be_sayable(said)
    elif isinstance(said, msgspec.Struct):
        must_be_sayable([getattr(said, name) for name in said.__struct_fields__])
    elif isinstance(said, tuple | list):
        for one in said:
            must_be_sayable(one)


def _must_be_sayable(message: Text) -> None:
    for pattern in (message.id, message.plural or ""):
        pattern.encode()  # half a character is none
        if not fields_of(pattern) <= message.params.keys():
            raise ValueError(pattern)
    if message.plural is not None and not isinstance(message.params.get("n"), int):
        raise ValueError(message.plural)
    for value in message.params.values():
        if isinstance(value, Text):
            _must_be_sayable(value)
        elif not isinstance(value, int | float):
            str.encode(value)


def fields_of(pattern: str) -> set[str]:
    """Return the fields of *pattern*; raise ValueError for one that is no plain `{name}`.

    >>> sorted(fields_of("{player} was last: {letter}"))
    ['letter', 'player']
    """
    found = set()
    for _, field, form, conversion in Formatter().parse(pattern):
        if field is not None and (not field.isidentifier() or form or conversion):
            raise ValueError(pattern)
        found |= set() if field is None else {field}
    return found


def _english(value: float | str | Text) -> str:
    return true_minus(value) if isinstance(value, int | float) else str(value)


def _commas(items: Sequence[str | Text]) -> Text | str:
    *rest, last = items
    return text("{first}, {next}", first=_commas(rest), next=last) if rest else last
