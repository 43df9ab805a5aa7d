"""What is whole of an archive that was cut: a copy that broke off, a disk that was full. Pure."""

from __future__ import annotations

import re

_SIGNS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)
# Where a comma ends something whole: an entry of the hall's log, a row of a table's, a table, a part of all.
_BETWEEN = (b"{[", b"{{{[", b"{{", b"{")
_CLOSED_BY = {b"{": b"}", b"[": b"]"}


def whole_part(document: bytes) -> bytes | None:
    """Return *document*, the beginning of JSON, up to what is whole, and closed; None if it is no such one.

    >>> whole_part(b'{"hall": [{"n": 1}, {"n": 2}, {"n"')
    b'{"hall": [{"n": 1}, {"n": 2}]}'
    >>> whole_part(b"[]"), whole_part(b'{"hall": "')
    (None, None)
    """
    open_ = kept = b""
    end = 0
    for found in _SIGNS.finditer(document):
        sign = found[0]
        if sign in _CLOSED_BY:
            open_ += sign
        elif sign in (b"]", b"}"):
            open_ = open_[:-1]
        elif sign == b"," and open_ in _BETWEEN:
            end, kept = found.start(), open_
    if not open_ or not end:
        return None
    return document[:end] + b"".join(_CLOSED_BY[bytes([one])] for one in reversed(kept))
