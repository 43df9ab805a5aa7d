"""What the rules say about pieces that somebody holds or has laid, as screens draw it, whatever the game."""

from __future__ import annotations

import msgspec

from companion.core.text import Text


class Piece(msgspec.Struct, frozen=True):
    """A piece by its name ("7S"), and what it stands for where that is something else."""

    name: str
    stands_for: Text | str = ""


class Group(msgspec.Struct, frozen=True):
    """Pieces that belong together, and what they are. `missing`: how many they still want."""

    label: Text
    pieces: tuple[Piece, ...]
    missing: int = 0


class RulesAnswer(msgspec.Struct, frozen=True):
    """Yes or no (`good`), the sentence that `says` so, the `rule` behind it, and what there is to see."""

    good: bool
    says: Text
    rule: str
    lines: tuple[Text, ...] = ()
    groups: tuple[Group, ...] = ()
