"""What is said of a round, of a move and of the end, where a game has no words of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.model import Verdict
from companion.core.text import Text, listing, text, texts
from companion.games.rules.game import Outcome, Standing


def ending(outcome: Outcome | None, players: Sequence[str]) -> Text:
    """Return who has won, or was last of all."""
    if outcome is None or not (outcome.winners or outcome.losers):
        return text("The game is over.")
    names = [players[seat - 1] for seat in outcome.winners or outcome.losers]
    if not outcome.winners:
        return texts(
            "{players} was last of all.", "{players} were last of all.", n=len(names), players=listing(names)
        )
    if len(names) == 1:
        return text("{player} wins!", player=names[0])
    return text("{players} win!", players=listing(names))


def of_move(
    standings: Sequence[Standing], letters: Sequence[int], out: Sequence[int], players: Sequence[str]
) -> Text:
    """Return what a move of the table has come to: who has got *letters* with it, who is *out*."""
    if len(letters) == 1 and not out:
        letter = standings[letters[0] - 1].letters[-1]
        return text("{player} gets a letter: {letter}", player=players[letters[0] - 1], letter=letter)
    if len(out) == 1:
        return text("{player} is out", player=players[out[0] - 1])
    return text("A move of the table")


def who_was_first(verdict: Verdict, players: Sequence[str]) -> Text:
    """Return who was first in a round, or between whom nobody can tell."""
    if len(verdict.first) > 1:
        return text("Dead heat: {players}", players=listing([players[seat - 1] for seat in verdict.first]))
    return text("{player} was first", player=players[verdict.first[0] - 1])


def who_was_last(
    verdict: Verdict,
    standings: Sequence[Standing],
    letters: Sequence[int],
    out: Sequence[int],
    players: Sequence[str],
    called: tuple[Text | None, Text | None],
) -> Text:
    """Return who was last in a round, and what that has brought them: *letters*, or they are *out*.

    *called*: what whoever was last is, and whoever is out, where the game has names for it.
    """
    if len(verdict.last) > 1:
        return text("Dead heat: {players}", players=listing([players[seat - 1] for seat in verdict.last]))
    if not verdict.last:
        if verdict.presses or verdict.phantoms:  # who touched was watched as well, and it is open
            return text("Nobody can tell: who has none?")
        return text("The rack is empty: who has none?")
    seat = verdict.last[0]
    said: dict[str, Any] = {"player": players[seat - 1]}
    if seat not in letters:
        return (
            text("{player} was last and is out", **said) if seat in out else text("{player} was last", **said)
        )
    said["letter"] = standings[seat - 1].letters[-1]
    loser, role = called
    if loser is None:
        return text("{player} was last: {letter}", **said)
    if role is None or seat not in out:
        return text("{player} is {called}: {letter}", called=loser, **said)
    return text("{player} is {called}: {letter}, and {role}", called=loser, role=role, **said)
