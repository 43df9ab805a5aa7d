"""The table in a terminal: what was said, who stands where, what was decided before. Drawn by rich."""

from __future__ import annotations

from collections import deque
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text as Words

from companion.cli.frame import speak
from companion.cli.live_table import TableState
from companion.cli.watch_words import decided, places, pretended, said, standing, where
from companion.core.text import text

_KEPT = 8
_MANY = 13


class WatchScreen:
    """Shows states until it is left; NO_COLOR and small terminals are rich's business."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console()
        self._live = Live(console=self._console, auto_refresh=False, screen=self._console.is_terminal)
        self._before: deque[tuple[object, str]] = deque(maxlen=_KEPT)
        self._state: TableState | None = None

    def __enter__(self) -> WatchScreen:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, state: TableState | None) -> None:
        """Show *state*; None: the table is away, and what it showed last stays."""
        if state is not None:
            self._state = state
            key = decided(state)
            if key is not None and (not self._before or self._before[-1][0] != key):
                self._before.append((key, said(state)))
        self._live.update(self.drawn(away=state is None), refresh=True)

    def drawn(self, *, away: bool) -> Group:
        """Return what stands in the terminal."""
        state = self._state
        if state is None:
            return Group(Words(speak(text("The table is away. Trying again…")), style="yellow"))
        parts: list[Words | Table] = [_where(state)]
        if away:
            parts.append(Words(speak(text("The table is away. Trying again…")), style="bold yellow"))
        last = state["phase"] in ("verdict", "won")
        parts += [Words(), Words(state["headline"], style="bold red" if last else "bold")]
        parts += [Words(line) for line in state["proof"]]
        if state.get("early"):
            parts.append(Words(state["early"], style="bold"))
        link = (state.get("hall") or {}).get("link")
        parts += [Words(line, style="yellow") for line in (*state["faults"], *([link] if link else []))]
        if state["rows"]:
            parts += [Words(), _standings(places(state))]
        earlier = [line for key, line in list(self._before)[:-1]]
        if earlier:
            parts += [Words(), Words(speak(text("Before")), style="dim")]
            parts += [
                Words(line, style="dim", no_wrap=True, overflow="ellipsis") for line in reversed(earlier)
            ]
        return Group(*parts)


def _where(state: TableState) -> Words:
    """Return which game and round it is, and whether it is pretended."""
    line = Words(where(state), style="dim")
    if says := pretended(state):
        line.append(f"  {says}", style="bold yellow")
    return line


def _standings(rows: list[tuple[str, TableState]]) -> Table:
    """Return the players in one column, or in two where they are many; a full nose has touched."""
    side_by_side = 2 if len(rows) > _MANY else 1
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    for _ in range(side_by_side):
        table.add_column(justify="right", style="dim")
        table.add_column()
        table.add_column(max_width=24, overflow="ellipsis", no_wrap=True)
        table.add_column(no_wrap=True)
    half = -(-len(rows) // side_by_side)
    for place in range(half):
        cells: list[Words] = []
        for number, row in rows[place::half]:
            cells += _cells(number, row)
        table.add_row(*cells)
    return table


def _cells(number: str, row: TableState) -> list[Words]:
    style = "dim" if row["out"] and not row["winner"] else "bold" if row["winner"] else ""
    nose = "●" if row["pressed"] or row["held"] else "○"
    letters = Words(standing(row), style=style)
    if row["new"] and row["letters"]:
        letters.stylize("bold red", len("".join(row["letters"][:-1])), len("".join(row["letters"])))
    return [
        Words(number),
        Words(nose if row["line"] else " "),
        Words(row["player"], style=style),
        letters,
    ]
