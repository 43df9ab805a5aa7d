"""What a game asks of the table now: a closed union that page and OLED draw without knowing any game."""

from __future__ import annotations

import msgspec

from companion.text import Text


class Watch(msgspec.Struct, frozen=True):
    """Watch the noses of `seats`; with `hold` a nose let go before the verdict counts from its next touch."""

    seats: tuple[int, ...]
    hold: bool = False


class Seats(msgspec.Struct, frozen=True):
    """Let the table name one of `seats`: sends the move `{"type": move, "seat": n}`.

    `label` is the button, `explain` says what it will do. With `instead` it may also replace a judged round
    (it says what the round should have been).
    """

    move: str
    label: Text
    explain: Text
    seats: tuple[int, ...]
    instead: bool = False


Ask = Watch | Seats
