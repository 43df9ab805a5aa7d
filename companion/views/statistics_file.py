"""Figures in, a table for spreadsheets out: a line a player, in English. Pure."""

from __future__ import annotations

from companion.core.csv_file import as_csv
from companion.views.statistics import Figures, PlayerFigures

HEAD = (
    "player",
    "games",
    "won",
    "rounds",
    "was_last",
    "share_last",
    "letters",
    "opened",
    "dead_heats",
    "median_ns",
    "median_u_ns",
    "best_ns",
    "best_u_ns",
)


def to_csv(figures: Figures) -> str:
    """Return *figures* as CSV, by how often players were last of their rounds; who played none comes last."""
    players = sorted(figures.players, key=lambda one: -one.lost / one.rounds if one.rounds else 1)
    return as_csv([HEAD, *map(_row, players)])


def _row(one: PlayerFigures) -> tuple[str | int | float, ...]:
    best = one.best
    return (
        one.player,
        one.games,
        one.won,
        one.rounds,
        one.lost,
        round(one.lost / one.rounds, 4) if one.rounds else "",
        one.letters,
        one.openings,
        one.dead_heats,
        "" if one.median_ns is None else one.median_ns,
        "" if one.median_u_ns is None else one.median_u_ns,
        "" if best is None else best.after_ns,
        "" if best is None else best.u_ns,
    )
