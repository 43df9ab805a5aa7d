"""The list of an evening worked out again, by a code that shares nothing with the hall's.

It counts letters in the tables' own files. Who has equal points is put in order as the rules of the event
say: points at common tables, where all of them have met; first places; letters a deal; how strong those were
whom one has met. Whoever is equal in all of it shares a place.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from lastnose.companion.table import log_file

from tests.bench.figures import Figure

LETTERS = 3  # of PIG


class LoggedGame(NamedTuple):
    """A called game as a table's file has it: who was last, deal by deal, of `deals` that counted."""

    call: int
    players: list[str]
    lasts: list[int]
    deals: int


class HeatTable(NamedTuple):
    """What a heat's game was worth: points and letters by name, in so many deals."""

    points: dict[str, Fraction]
    letters: Counter[str]
    deals: int


def compare(document: dict[str, Any], folders: list[Path]) -> dict[str, Figure]:
    """Return how many people have other points, or another place, than the tables' files prove."""
    rounds = rounds_of(document["hall"])
    heats: list[HeatTable] = []
    final: list[str] = []
    deals = entries = 0
    for folder in folders:
        rows = logged(folder)
        entries += len(rows)
        for game in games(rows):
            deals += len(game.lasts)
            if rounds[game.call] == "final":
                final = first_to_last(game.players, game.lasts)
            elif rounds[game.call] == "heat":
                heats.append(heat_of(game))
    told = document["standings"]
    points = {one["name"]: total(heats, one["name"]) for one in told}
    wrong = sum(Fraction(one["points"]) != points[one["name"]] for one in told)
    return {
        "deals": Figure(deals),
        "entries": Figure(entries),
        "wrong_points": Figure(wrong, 0),
        "wrong_places": Figure(wrong_places(told, heats, final), 0),
    }


def wrong_places(told: list[dict[str, Any]], heats: list[HeatTable], final: list[str]) -> int:
    """Return how many do not stand where final and heats put them, or should not have played the final."""
    proved = places([one["name"] for one in told], heats, final)
    wrong: int = sum(one["place"] != proved[one["name"]] for one in told)
    rest = [total(heats, name) for name in proved if name not in final]
    return wrong + sum(total(heats, name) < max(rest, default=Fraction(0)) for name in final)


def places(names: list[str], heats: list[HeatTable], final: list[str]) -> dict[str, int]:
    """Return everybody's place: the finalists as the final ended, then the others by their heats."""
    groups = [list(names)]
    deciders: tuple[Callable[[list[HeatTable], list[str], str], Fraction], ...] = (
        lambda tables, group, name: total(tables, name),
        common,
        lambda tables, group, name: Fraction(sum(table.points.get(name) == 1 for table in tables)),
        lambda tables, group, name: -letters_a_deal(tables, name),
        lambda tables, group, name: strength(tables, name),
    )
    for decide in deciders:
        finer: list[list[str]] = []
        for group in groups:
            worth = {name: decide(heats, group, name) for name in group}
            finer += [[n for n in group if worth[n] == one] for one in sorted(set(worth.values()))[::-1]]
        groups = finer
    found = {name: place for place, name in enumerate(final, 1)}
    for group in groups:
        place = len(found) + 1 + sum(name not in found for name in final)
        found |= {name: place for name in group if name not in final}
    return found


def total(heats: list[HeatTable], name: str) -> Fraction:
    """Return the points of *name*."""
    return sum((table.points.get(name, Fraction(0)) for table in heats), Fraction(0))


def common(heats: list[HeatTable], group: list[str], name: str) -> Fraction:
    """Return the points a table of *name* where others of *group* sat, 0 unless all of them have met."""
    for pair in combinations(group, 2):
        if not any(set(pair) <= table.points.keys() for table in heats):
            return Fraction(0)
    met = [t.points for t in heats if name in t.points and len(t.points.keys() & set(group)) > 1]
    return sum((points[name] for points in met), Fraction(0)) / max(1, len(met))


def letters_a_deal(heats: list[HeatTable], name: str) -> Fraction:
    """Return how many letters *name* took in a deal."""
    sat = [table for table in heats if name in table.points]
    return Fraction(sum(table.letters[name] for table in sat), max(1, sum(table.deals for table in sat)))


def strength(heats: list[HeatTable], name: str) -> Fraction:
    """Return the mean of the points a round of all whom *name* has met, each as often as they met."""
    means = []
    for table in heats:
        for other in table.points if name in table.points else ():
            sat = sum(other in one.points for one in heats)
            if other != name:
                means.append(total(heats, other) / sat)
    return sum(means, Fraction(0)) / max(1, len(means))


def heat_of(game: LoggedGame) -> HeatTable:
    """Return what *game* was worth."""
    order = first_to_last(game.players, game.lasts)
    n = len(order)
    points = {name: Fraction(n - 1 - place, n - 1) for place, name in enumerate(order)}
    # Between the last two one deal decides, and is no letter.
    return HeatTable(points, Counter(game.players[seat - 1] for seat in game.lasts[:-1]), game.deals)


def rounds_of(own: list[dict[str, Any]]) -> dict[int, str]:
    """Return the kind of round that each entry of the hall's log called: "heat", "tie" or "final"."""
    kinds: dict[int, str] = {}
    calls: dict[int, str] = {}
    for entry in own:
        event = entry["event"]
        if event["type"] == "drawn":
            kinds |= dict.fromkeys(range(event["first"], event["first"] + 50), event.get("kind", "heat"))
        elif event["type"] == "called":
            calls[entry["n"]] = kinds[event["round"]]
    return calls


def logged(folder: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the events in a table's own file, with their numbers."""
    with closing(sqlite3.connect(folder / log_file.NAME)) as db:
        found = db.execute("SELECT seq, json FROM event ORDER BY seq")
        return [(seq, json.loads(raw)) for seq, raw in found]


def games(rows: list[tuple[int, dict[str, Any]]]) -> list[LoggedGame]:
    """Return the called games of a log."""
    verdicts: dict[int, dict[str, Any]] = {}  # as each round came out in the end, by its entry
    for seq, event in rows:
        if event["type"] in ("judged", "late"):
            verdicts[event.get("of", seq)] = event["verdict"]
        elif event["type"] == "withdrawn":
            verdicts[event["of"]] = {"void": "withdrawn"}
    found: list[LoggedGame] = []
    for seq, event in rows:
        if event["type"] == "started":
            call = event.get("call", "").partition(".")[2].partition(".")[0]  # of EVENT.ENTRY.NONCE
            found.append(LoggedGame(int(call or 0), event["players"], [], 0))
        elif found and seq in verdicts and not verdicts[seq].get("void"):
            newest, last = found[-1], verdicts[seq]["last"]
            lasts = [*newest.lasts, *last] if len(last) == 1 else newest.lasts  # several: played again
            found[-1] = newest._replace(lasts=lasts, deals=newest.deals + 1)
    return [one for one in found if one.call]


def first_to_last(players: list[str], lasts: list[int]) -> list[str]:
    """Return *players* from the winner to who was out first, by counting letters."""
    taken: Counter[int] = Counter()
    out: list[int] = []
    for seat in lasts:
        taken[seat] += 1
        if taken[seat] == LETTERS or len(players) - len(out) == 2:  # with two left, one deal decides
            out.append(seat)
    left = [seat for seat in range(1, len(players) + 1) if seat not in out]
    return [players[seat - 1] for seat in [*left, *reversed(out)]]
