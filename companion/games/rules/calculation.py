"""What a game can work out for anybody, without a table; the API asks it, and knows no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec


class Calculation(msgspec.Struct, frozen=True):
    """One question to a game's rules.

    `name` is what it goes by, unlike that of any other game's; `says` describes it in a sentence. `takes` is
    the struct that holds what is asked, `gives` the one that answers; `answer` makes one of the other and
    raises BadInput for what cannot be. `example` is something to ask, by the fields of `takes`.
    """

    name: str
    says: str
    takes: type[msgspec.Struct]
    gives: type[msgspec.Struct]
    answer: Callable[[Any], msgspec.Struct]
    example: Mapping[str, Any]
