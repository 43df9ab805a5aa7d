"""Moments of a game to draw on the small screen: rows, photo finishes, snapshots and a verdict, by hand."""

from __future__ import annotations

from typing import Any

import msgspec
from lastnose.companion.core.text import Text, text
from lastnose.companion.core.units import duration
from lastnose.companion.games import Advice
from lastnose.companion.views.photo_finish import called
from lastnose.companion.views.snapshot import Budget, Mark, PhotoFinish, PlayerRow, Share, Snapshot

FOUR = ("North", "East", "South", "West")
THIRTEEN = (
    *("Élodie", "Đorđe", "Zoë", "François", "Maximilian", "Ana", "Bob"),
    *("Chloé", "Dragana", "Željko", "Ida", "Noël", "Ågot"),
)
TWENTY_SIX = tuple(f"Player {chr(65 + number)}" for number in range(26))
LONG = ("Bartholomew the Second", "Œdipe-Emmanuel", "Nguyễn Thị Minh Khai", "Αλέξανδρος")


def rows(
    players: tuple[str, ...], word: str = "PIG", **change: dict[int, dict[str, Any]]
) -> tuple[PlayerRow, ...]:
    """Return a row a player, each with a few letters; `by_seat` changes single ones."""
    made = []
    for seat, player in enumerate(players, 1):
        count = (seat * 2 + seat // 3) % len(word) if word else 0
        made.append(
            PlayerRow(
                **{
                    "seat": seat,
                    "player": player,
                    "letters": tuple(word[:count]),
                    "word": tuple(word),
                    "out": False,
                    "score": None,
                    **change.get("by_seat", {}).get(seat, {}),
                }
            )
        )
    return tuple(made)


def finish(
    last: tuple[int, ...], margin_ns: int | None, u_ns: int, *, dead_heat: bool = False
) -> PhotoFinish:
    """Return a photo finish in which *last* were last, or (no margin) had not pressed yet."""
    marks = tuple(
        Mark(seat, "", seat * 1_000_000, u_ns, seat in last)
        for seat in (1, 2, 3, 4)
        if margin_ns is not None or seat not in last
    )
    missing = tuple((seat, "") for seat in last) if margin_ns is None else ()
    return called(PhotoFinish(marks, missing, margin_ns, u_ns, dead_heat))


def weighed(shown: PhotoFinish) -> PhotoFinish:
    """Return a finish whose ± of 20.2 µs is made of 19.8 µs between pins and 0.4 µs of stamps."""
    shares = (
        Share("stamp", text("Stamp"), text("both together"), 400, duration(400)),
        Share("skew", text("Pin to pin"), text("both together"), 19_800, duration(19_800)),
    )
    return msgspec.structs.replace(shown, budget=Budget(20_200, shares, duration(20_200)))


def snapshot(
    phase: str, headline: Text, *proof: Text, players: tuple[PlayerRow, ...] = (), **more: Any
) -> Snapshot:
    """Return a snapshot of the third round."""
    more = {"simulated": True, "round_no": 3, **more}
    return Snapshot(
        version=1, seq=7, evening=1, phase=phase, headline=headline, proof=proof, rows=players, **more
    )


JACKS = Advice(
    sentences=(
        text("South is out."),
        text("Take {cards} away.", cards="4 J"),
        text("{dealer} deals {n} cards each.", dealer="East", n=4),
    ),
    packs=1,
    ranks=("A", "K", "Q"),
    cards=12,
    each=4,
    dealer=2,
)
NEW_G = {3: {"letters": ("P", "I", "G"), "new": True, "out": True}, 1: {"dealer": True}}
NEW_I = {
    3: {"letters": ("P", "I"), "new": True},
    1: {"dealer": True},
    2: {"letters": ("P", "I", "G"), "out": True},
}


def was_last(
    players: tuple[str, ...], word: str, by_seat: dict[int, dict[str, Any]], **more: Any
) -> Snapshot:
    """Return the verdict that seat 3 was last."""
    more = {"finish": finish((3,), 412_000, 20_000), "advice": JACKS, **more}
    return snapshot(
        "verdict",
        text("{player} was last", player=players[2]),
        players=rows(players, word, by_seat=by_seat),
        **more,
    )
