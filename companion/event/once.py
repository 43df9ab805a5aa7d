"""What follows from something is made once, as long as that is the same object. Pure."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_not
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Once(Generic[P, T]):
    """Calls *make* again only when one of its arguments is another object than before; on any thread."""

    def __init__(self, make: Callable[P, T]) -> None:
        self._make = make
        self._known: tuple[tuple[object, ...], T] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what *make* makes of its arguments."""
        of, known = (*args, *kwargs.values()), self._known
        if known is None or any(map(is_not, known[0], of)):
            known = self._known = of, self._make(*args, **kwargs)
        return known[1]
