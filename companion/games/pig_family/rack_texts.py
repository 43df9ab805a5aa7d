"""What lies in the middle of the table, in sentences: one piece less than players (SPN-1, SPN-4)."""

from __future__ import annotations

import msgspec

from companion.core.text import Text, text, texts


class RackItem(msgspec.Struct, frozen=True):
    """What is on the rack: `many` of them ("spoons"), `one` ("one spoon"), and the question who has none."""

    many: Text
    one: Text
    who_has_none: Text


def laid_out(ware: RackItem, count: int) -> Text:
    """Return how to lay the rack for the first deal."""
    return texts(
        "Lay {one} in the middle, in cradle 1: one less than players.",
        "Lay {n} {many} in the middle, in cradles 1 to {n}: one less than players.",
        n=count,
        one=ware.one,
        many=ware.many,
    )


def laid_back(ware: RackItem, count: int) -> Text:
    """Return that the *count* pieces of the round before go back into their cradles."""
    return texts("Lay {one} back.", "Lay the {n} {many} back.", n=count, one=ware.one, many=ware.many)


def retired(ware: RackItem, count: int, gone: int) -> Text:
    """Return which cradles stay empty when *gone* players have left and *count* pieces stay."""
    if gone == 1:
        return text("Take {one} away: cradle {last} stays empty.", one=ware.one, last=count + 1)
    return text(
        "Take {gone} {many} away: cradles {first} to {last} stay empty.",
        gone=gone,
        many=ware.many,
        first=count + 1,
        last=count + gone,
    )
