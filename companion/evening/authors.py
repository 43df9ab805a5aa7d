"""Who wrote what: the name under which the log keeps a phone, and how people are told of it. Pure.

The log writes "box", "host", "phone 3f9a" or "token board"; behind host and phone may stand the name that its
owner gave it ("phone 3f9a East"). The *author* is what stays when that name changes.
"""

from __future__ import annotations

from lastnose.companion.core.names import shown
from lastnose.companion.core.text import Text, text

BOX = "box"
HOST = "host"
WATCHER = "watcher"  # whoever looks on: nobody in particular
MOST_SIGNS = 20  # of a name that a phone is given


def author(by: str) -> str:
    """Return whose *by* is, without the name that its owner gave it.

    >>> author("phone 3f9a East"), author("host"), author("token big screen")
    ('phone 3f9a', 'host', 'token big screen')
    """
    kind, *rest = by.split(" ")
    if kind == HOST:
        return HOST
    return " ".join([kind, *rest[:1]]) if kind == "phone" else by


def given_name(by: str) -> str:
    """Return the name that its owner gave it, "" when there is none.

    >>> given_name("phone 3f9a Élodie P."), given_name("host")
    ('Élodie P.', '')
    """
    return by.removeprefix(author(by)).strip()


def named(whose: str, name: str) -> str:
    """Return what the log writes for the author *whose* whose owner goes by *name*, cut to a decent length.

    >>> named("phone 3f9a", "  East   Wind "), named("host", "")
    ('phone 3f9a East Wind', 'host')
    """
    tidy = " ".join(shown(name).split())[:MOST_SIGNS]
    return f"{whose} {tidy}".rstrip()


def signature(by: str) -> Text:
    """Return how a person is told who *by* is, short enough for a cell of a sheet.

    >>> [str(signature(by)) for by in ("host", "phone 3f9a", "phone 3f9a East", "token board", "box")]
    ['host', 'phone 3f9a', 'East', 'board', 'box']
    """
    name = given_name(by)
    if name:
        return Text("{name}", {"name": name})
    kind, _, rest = by.partition(" ")
    if kind == "phone":
        return text("phone {id}", id=rest)
    if kind == "token":
        return Text("{name}", {"name": rest})
    return {HOST: text("host"), BOX: text("box")}.get(by, Text("{name}", {"name": by}))
