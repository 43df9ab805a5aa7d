"""What people do now, in order: before cards go round, and while they do. Screens number the steps."""

from __future__ import annotations

import msgspec

from companion.core.text import Text
from companion.games.pieces.cards import Card


class GuideStep(msgspec.Struct, frozen=True):
    """One thing to do: `says` it in a sentence, `short` in a word or two.

    `cards` are the ones it speaks of, `more` a line beside them; with `stacks` each stands for its rank.
    """

    says: Text
    short: Text
    cards: tuple[Card, ...] = ()
    more: Text | None = None
    stacks: bool = False


class Guide(msgspec.Struct, frozen=True):
    """The steps `before` cards go round and those `then`; `ready` is what to press between them.

    `now` is the sentence while cards go round, `proof` the lines under it.
    """

    before: tuple[GuideStep, ...]
    then: tuple[GuideStep, ...]
    ready: Text
    now: Text
    proof: tuple[Text, ...]
