"""A sequence that grows at its end and never changes; adding costs the same however long it is. Pure.

What is long past is packed: a long evening's rows and entries, which hardly anybody looks at again, take a
tenth of their room, and are unpacked a block at a time by whoever does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pickle import HIGHEST_PROTOCOL, dumps, loads
from typing import Any, Generic, TypeVar, overload
from zlib import compress, decompress

T = TypeVar("T")
BLOCK = 64  # items that are packed together; as many of the newest, or more, never are
_QUICK = 1  # zlib's level: most of the room for a fraction of the time


class Growing(Sequence[T], Generic[T]):
    """An immutable sequence of what pickle can hold. Those that have grown from each other share their items.

    `plus` belongs to one thread; the sequences that it returned may be read on any.

    >>> one = Growing("ab")
    >>> two, other = one.plus("c"), one.plus("d")
    >>> "".join(one), "".join(two), "".join(other), two[-1], two[1:], two == ("a", "b", "c")
    ('ab', 'abc', 'abd', 'c', ('b', 'c'), True)
    >>> "".join(two.upto(1).plus("e"))
    'ae'
    """

    __slots__ = ("_blocks", "_length", "_tail")

    def __init__(self, items: Iterable[T] = ()) -> None:
        blocks, tail = [], []
        for item in items:
            tail.append(item)
            if len(tail) == 2 * BLOCK:
                blocks.append(_packed(tail[:BLOCK]))
                del tail[:BLOCK]
        self._set(tuple(blocks), tail, len(tail))

    def _set(self, blocks: tuple[bytes, ...], tail: list[T], loose: int) -> None:
        """Be the items in *blocks* and *loose* ones of *tail*, which may have more by now."""
        self._blocks, self._tail, self._length = blocks, tail, len(blocks) * BLOCK + loose

    def plus(self, item: T) -> Growing[T]:
        """Return this sequence with *item* at its end."""
        blocks, loose = self._blocks, self._length - len(self._blocks) * BLOCK
        # Whoever grew from here before has taken the next place: then the tail is no longer shared.
        tail = self._tail if len(self._tail) == loose else self._tail[:loose]
        tail.append(item)
        if len(tail) == 2 * BLOCK:
            blocks, tail = (*blocks, _packed(tail[:BLOCK])), tail[BLOCK:]
        return _of(blocks, tail, len(tail))

    def upto(self, end: int) -> Growing[T]:
        """Return the first *end* items, sharing what is packed."""
        whole, rest = divmod(min(end, self._length), BLOCK)
        if whole >= len(self._blocks):
            loose = min(end, self._length) - len(self._blocks) * BLOCK
            return _of(self._blocks, self._tail[:loose], loose)
        tail: list[T] = list(_unpacked(self._blocks[whole])[:rest])
        return _of(self._blocks[:whole], tail, rest)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...

    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(self[n] for n in range(*at.indices(self._length)))
        place = at + self._length if at < 0 else at
        if not 0 <= place < self._length:
            raise IndexError(at)
        number, rest = divmod(place, BLOCK)
        if number < len(self._blocks):
            item: T = _unpacked(self._blocks[number])[rest]
            return item
        return self._tail[place - len(self._blocks) * BLOCK]

    def __iter__(self) -> Iterator[T]:
        for block in self._blocks:
            yield from _unpack(block)
        yield from islice(self._tail, self._length - len(self._blocks) * BLOCK)

    def __reversed__(self) -> Iterator[T]:
        for place in range(self._length - len(self._blocks) * BLOCK - 1, -1, -1):
            yield self._tail[place]
        for block in reversed(self._blocks):
            yield from reversed(_unpacked(block))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Growing | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel packed: another process unpacks what it looks at."""
        loose = self._length - len(self._blocks) * BLOCK
        return _of, (self._blocks, self._tail[:loose], loose)


def _of(blocks: tuple[bytes, ...], tail: list[T], loose: int) -> Growing[T]:
    made: Growing[T] = Growing.__new__(Growing)
    made._set(blocks, tail, loose)
    return made


def _packed(items: Sequence[Any]) -> bytes:
    return compress(dumps(tuple(items), HIGHEST_PROTOCOL), _QUICK)


def _unpack(block: bytes) -> tuple[Any, ...]:
    items: tuple[Any, ...] = loads(decompress(block))
    return items


_unpacked = lru_cache(maxsize=8)(_unpack)  # for whoever steps from one to the next
