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


def places(state: TableState) -> list[tuple[str, TableState]]:
    """Return what stands before each player, and the row: the seat, on a score sheet the rank, best first.

    Equal totals share a rank; there is none before the first hand is complete.

    >>> sheet = {"highest": True, "lines": [{"complete": True}]}
    >>> rows = [{"seat": 1, "score": -5}, {"seat": 2, "score": 30}, {"seat": 3, "score": -5}]
    >>> [(place, row["seat"]) for place, row in places({"sheet": sheet, "rows": rows})]
    [('1', 2), ('2', 1), ('2', 3)]
    """
    rows, sheet = state["rows"], state["sheet"]
    if sheet is None:
        return [(str(row["seat"]), row) for row in rows]
    if not any(line["complete"] for line in sheet["lines"]):
        return [("", row) for row in rows]
    worth = {row["seat"]: (1 if sheet["highest"] else -1) * (row["score"] or 0) for row in rows}
    ranks = {seat: 1 + sum(other > mine for other in worth.values()) for seat, mine in worth.items()}
    return [(str(ranks[row["seat"]]), row) for row in sorted(rows, key=lambda row: ranks[row["seat"]])]


def standings(state: TableState) -> list[str]:
    """Return a line a player: seat or rank, name and standing, in columns however wide a name is."""
    wide = max((cell_len(row["player"]) for row in state["rows"]), default=0)
    lines = [(place, row, " " * (wide - cell_len(row["player"]))) for place, row in places(state)]
    points = max((len(standing(row)) for _, row, _ in lines), default=0) if state["sheet"] is not None else 0
    return [
        f"  {place:>2}  {row['player']}{room}  {standing(row):>{points}}".rstrip()
        for place, row, room in lines
    ]


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
