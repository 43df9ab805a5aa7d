"""`lastnose watch`: standings and verdicts in the terminal, for whoever hosts over SSH."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPException
from types import TracebackType
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click
from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text as Words

from companion.cli.frame import command as define
from companion.cli.frame import json_option, language, option, speak
from companion.core.errors import BadInput, DeviceError
from companion.core.text import text, true_minus
from companion.views.snapshot import STAGES

# ---- A table's live stream for programs in a terminal: snapshots as they come, None while it is away.

SILENCE_S = 15.0  # the table gives a sign of life every 5 s
AGAIN_S = 1.0

TableState = dict[str, Any]


def base_of(address: str) -> str:
    """Return *address* as it begins every request; raise BadInput.

    >>> base_of("127.0.0.1:8080"), base_of("http://lastnose.local/")
    ('http://127.0.0.1:8080', 'http://lastnose.local')
    """
    full = address if "://" in address else f"http://{address}"
    try:
        host = urlsplit(full).netloc
    except ValueError:  # as of a bracket that is not closed
        host = ""
    if not full.startswith(("http://", "https://")) or not host or any(sign.isspace() for sign in full):
        raise BadInput(
            text(
                "“{address}” is no address of a table or hall. One looks like {example}.",
                address=address[:80],
                example="http://127.0.0.1:8080/",
            )
        )
    return full.rstrip("/")


def state_of(base: str, language: str) -> TableState:
    """Return what the table at *base* shows now; raise DeviceError when there is none."""
    try:
        with urlopen(f"{base}/api/v1/state?lang={language}", timeout=SILENCE_S) as answer:
            found = json.load(answer)
    except (OSError, HTTPException, ValueError) as problem:
        raise no_table(base, problem) from None
    if not isinstance(found, dict) or "headline" not in found:
        raise no_table(base, None)
    return found


def no_table(base: str, problem: Exception | None) -> DeviceError:
    """Return the error that no table answers at *base*."""
    why = problem.reason if isinstance(problem, URLError) and not isinstance(problem, HTTPError) else problem
    return DeviceError(
        text(
            "No table answers at {address} ({why}). Start one with lastnose run, or name another with --at.",
            address=base,
            why=str(why) if why is not None else "?",
        )
    )


def messages(lines: Iterator[bytes]) -> Iterator[TableState]:
    """Return the snapshots of a stream of Server-Sent Events; other events are passed over.

    >>> said = [b"retry: 1\\n", b"\\n", b"event: beat\\n", b"data: 1\\n", b"\\n", b'data: {"a":1}\\n', b"\\n"]
    >>> list(messages(iter(said)))
    [{'a': 1}]
    """
    name, data = "message", b""
    for line in lines:
        field, _, value = line.rstrip(b"\r\n").partition(b": ")
        if field == b"event":
            name = value.decode()
        elif field == b"data":
            data += value
        elif not field:
            if data and name == "message":
                yield json.loads(data)
            name, data = "message", b""


def follow(
    base: str, language: str, sleep: Callable[[float], object] = time.sleep
) -> Iterator[TableState | None]:
    """Give the table's snapshots for ever, None whenever it has gone; it is asked again by itself."""
    while True:
        request = Request(f"{base}/events?lang={language}", headers={"Accept": "text/event-stream"})
        try:
            with urlopen(request, timeout=SILENCE_S) as stream:
                yield from messages(stream)
        except (OSError, HTTPException, ValueError):
            pass  # it is said by the None below, and tried again
        yield None
        sleep(AGAIN_S)


@define(
    "watch",
    help=text(
        "Show standings and verdicts in the terminal, live, until Ctrl-C. Into a pipe: a line a verdict, or "
        "a JSON document a line."
    ),
    examples=[
        "lastnose watch",
        "lastnose watch --at http://lastnose.local/",
        "lastnose watch --once --json",
    ],
)
@option(
    "--at",
    "address",
    metavar="ADDRESS",
    default="http://127.0.0.1:8080/",
    help=text("The table’s address, as its terminal shows it; otherwise http://127.0.0.1:8080/."),
)
@option("--once", is_flag=True, help=text("Show how it stands now, and end."))
@json_option()
def command(address: str, once: bool, as_json: bool) -> None:
    """Show the table until it is enough."""
    base, spoken = base_of(address), language()
    now = state_of(base, spoken)
    later: Iterator[TableState | None] = iter(()) if once else follow(base, spoken)
    with suppress(KeyboardInterrupt):
        if as_json:
            _as_json(now, later)
        elif once or not sys.stdout.isatty():
            _as_lines(now, later)
        else:
            _as_screen(now, later)


def _as_json(now: TableState, later: Iterator[TableState | None]) -> None:
    """Print *now*, and what follows it, as a document a line."""
    _print(now)
    for state in later:
        if state is not None and state["version"] != now["version"]:
            _print(state)


def _print(state: TableState) -> None:
    click.echo(json.dumps(state, ensure_ascii=False, separators=(",", ":")))


def _as_lines(now: TableState, later: Iterator[TableState | None]) -> None:
    """Print how it stands, then a line whenever something new is decided, or the table goes or comes."""
    click.echo("  ".join(word for word in (where(now), pretended(now)) if word))
    for line in (said(now), *standings(now)):
        click.echo(line)
    before, away = decided(now), False
    for state in later:
        if state is None:
            if not away:
                click.echo(speak(text("The table is away. Trying again…")))
            away = True
            continue
        away, found = False, decided(state)
        if found is not None and found != before:
            click.echo(said(state))
        before = found or before


def _as_screen(now: TableState, later: Iterator[TableState | None]) -> None:
    with WatchScreen() as screen:
        screen.show(now)
        for state in later:
            screen.show(state)


# ---- screen


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
        last = state["phase"] == "verdict"
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


# ---- words


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
    """Return which game and round it is, and where that round is."""
    words = [
        "Last Nose",
        state["title"] or "",
        speak(text("round {n}", n=state["round_no"])) if state["round_no"] else "",
        speak(STAGES[stage]) if (stage := state.get("stage")) else "",
    ]
    return " · ".join(word for word in words if word)


def pretended(state: TableState) -> str:
    """Return that the noses are simulated, nothing when they are real."""
    return speak(text("Simulated")).upper() if state["simulated"] else ""


def places(state: TableState) -> list[tuple[str, TableState]]:
    """Return what stands before each player, and the row: the seat, on a score sheet the rank, best first.

    There is none before the first hand is complete.

    >>> rows = [{"seat": 1, "place": 2}, {"seat": 2, "place": 1}, {"seat": 3, "place": 2}]
    >>> [(place, row["seat"]) for place, row in places({"sheet": {"leaders": [2]}, "rows": rows})]
    [('1', 2), ('2', 1), ('2', 3)]
    """
    rows, sheet = state["rows"], state["sheet"]
    if sheet is None:
        return [(str(row["seat"]), row) for row in rows]
    if not sheet["leaders"]:
        return [("", row) for row in rows]
    return [(str(row["place"]), row) for row in sorted(rows, key=lambda row: row["place"])]


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
