"""What the API gives beside the snapshot: one struct an answer, so that its description knows every field."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.text import Text
from lastnose.companion.event.messages import NearHall
from lastnose.companion.games import OptionField
from lastnose.companion.games.rules.prompts import FormPrompt
from lastnose.companion.games.rules.sheet import Sheet
from lastnose.companion.games.rules.variations import Variation
from lastnose.companion.views.photo_finish import TapeEdge
from lastnose.companion.views.snapshot import RoundView, SeatPhone, Snapshot


class NearHalls(msgspec.Struct, frozen=True):
    """The halls that announce themselves in this network."""

    halls: tuple[NearHall, ...]


class SeatRange(msgspec.Struct, frozen=True):
    """How many can play."""

    fewest: int
    most: int


class GameInfo(msgspec.Struct, frozen=True):
    """A game as set-up needs it; `watched`: noses decide; `crowd`, `on_phones` as `Game` has them."""

    name: str
    title: Text
    summary: Text
    emblem: str
    watched: bool
    seats: SeatRange
    crowd: Text | None
    on_phones: tuple[Text, ...]
    options: tuple[OptionField, ...]


class Games(msgspec.Struct, frozen=True):
    """Every game."""

    games: tuple[GameInfo, ...]


class Variations(msgspec.Struct, frozen=True):
    """The variations that tables have saved."""

    variations: tuple[Variation, ...]


class Players(msgspec.Struct, frozen=True):
    """Names of earlier evenings, the most recent first, and the nose lines of this table.

    Who has not joined is told the names of this evening only.
    """

    players: tuple[str, ...]
    lines: tuple[str, ...]
    profile: str


class Rounds(msgspec.Struct, frozen=True):
    """The rounds of the evening, oldest first."""

    rounds: tuple[RoundView, ...]


class OneRound(msgspec.Struct, frozen=True):
    """One round."""

    round: RoundView


class RoundEdges(msgspec.Struct, frozen=True):
    """The first lines of a round's tape, out of so many; `link` is an address that holds all of it."""

    edges: tuple[TapeEdge, ...]
    of: int
    link: str = ""


class Appealed(msgspec.Struct, frozen=True):
    """A round judged again, and as it is stored."""

    round: RoundView
    stored: RoundView


class State(msgspec.Struct, frozen=True):
    """The table after a command."""

    state: Snapshot


class Pin(msgspec.Struct, frozen=True):
    """What one types to become a host."""

    pin: str


class Joined(msgspec.Struct, frozen=True):
    """The name under which the log knows a phone."""

    phone: str


class OwnSeat(msgspec.Struct, frozen=True):
    """The seat of who asks. `waits`: the game goes on, and they play from the next deal.

    `asks`: the seat is somebody's whose phone is away, and a host is asked to let this one have it.
    """

    id: str = ""
    name: str = ""
    line: str = ""
    waits: bool = False
    asks: bool = False


class DeviceView(msgspec.Struct, frozen=True):
    """A device as hosts see it: `since` wall time in s, `pages` open now, `mine`: the one that asks.

    `seat` is the place of its guest, 0 for none, `rtt_ns` the way to its nose, `silent`: that does not
    answer. `wants`: somebody on it asks for the seat of this guest.
    """

    id: str
    role: str
    name: str
    since: float
    home: bool
    pages: int
    mine: bool
    seat: int = 0
    rtt_ns: int = 0
    silent: bool = False
    wants: str = ""


class DeviceList(msgspec.Struct, frozen=True):
    """Hosts, players by their seats, and watchers."""

    devices: tuple[DeviceView, ...]


class Seats(msgspec.Struct, frozen=True):
    """The phones that own noses."""

    phones: tuple[SeatPhone, ...]


class Named(msgspec.Struct, frozen=True):
    """What the log writes for this phone from now on, and the name in it."""

    phone: str
    name: str


class ClockTime(msgspec.Struct, frozen=True):
    """The host's monotonic clock in ns."""

    t_ns: int


class HandPoints(msgspec.Struct, frozen=True):
    """What a hand costs, and the pieces it was counted from."""

    points: int
    game: str
    pieces: tuple[str, ...]


class SheetNow(msgspec.Struct, frozen=True):
    """The score sheet that is being kept, and what can be entered now.

    `headline` is what the screens say, `version` that of the snapshot.
    """

    version: int
    game: str
    title: Text
    options: dict[str, Any]
    headline: Text
    sheet: Sheet
    entries: tuple[FormPrompt, ...]


class Error(msgspec.Struct, frozen=True):
    """Why not, in one sentence, and the identifier of the rule where there is one."""

    error: Text
    rule: str | None
