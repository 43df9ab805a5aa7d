"""What a terminal says of a table: the verdict as a line, a player's standing in a word."""

from __future__ import annotations

from companion.cli.frame import speak
from companion.cli.live_table import TableState
from companion.core.text import text, true_minus

_DECIDED = ("verdict", "dead-heat", "void", "won")


def decided(state: TableState) -> tuple[object, ...] | None:
    """Return what tells one decision from another, None when nothing is decided."""
    if state["phase"] not in _DECIDED:
        return None
    return state["evening"], state["game_no"], state["round_no"], state["phase"], state["headline"]


def said(state: TableState) -> str:
    """Return the sentence of *state* and its proof as one line."""
    return " ".join([_whole(state["headline"]), *state["proof"]])


def _whole(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."


def standing(row: TableState) -> str:
    """Return the letters or points of a player, and that one is out.

    >>> standing({"score": None, "letters": ["P"], "word": ["P", "I", "G"], "out": False})
    'P··'
    """
    if row["score"] is not None:
        return true_minus(row["score"])
    letters = "".join(row["letters"]) + "·" * (len(row["word"]) - len(row["letters"]))
    return f"{letters}  {speak(text('out'))}" if row["out"] else letters
