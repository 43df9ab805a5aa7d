"""What a terminal says of a table: the verdict as a line, a player's standing in a word."""

from __future__ import annotations

from rich.cells import cell_len

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


def where(state: TableState) -> str:
    """Return which game and round it is."""
    words = [
        "Last Nose",
        state["title"] or "",
        speak(text("round {n}", n=state["round_no"])) if state["round_no"] else "",
    ]
    return " · ".join(word for word in words if word)


def pretended(state: TableState) -> str:
    """Return that the noses are simulated, nothing when they are real."""
    return speak(text("Simulated")).upper() if state["simulated"] else ""


def standings(rows: list[TableState]) -> list[str]:
    """Return a line a player: seat, name and standing below each other, however wide a name's letters are."""
    wide = max((cell_len(row["player"]) for row in rows), default=0)
    lines = [(row, " " * (wide - cell_len(row["player"]))) for row in rows]
    return [f"  {row['seat']:>2}  {row['player']}{room}  {standing(row)}".rstrip() for row, room in lines]


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
