"""`lastnose watch`: standings and verdicts in the terminal, for whoever hosts over SSH."""

from __future__ import annotations

import _thread
import json
import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click
from lastnose.companion.cli.frame import data_option, define, json_option, language, option, speak
from lastnose.companion.cli.remote import (
    HERE,
    TableState,
    at_option,
    base_of,
    command_table,
    follow,
    is_here,
    plain,
    state_of,
    token_option,
)
from lastnose.companion.core.errors import CompanionError
from lastnose.companion.core.text import text, true_minus
from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text as Words


@define(
    "watch",
    examples=[
        "lastnose watch",
        "lastnose watch --at http://lastnose.local/ --token lastnose_…",
        "lastnose watch --once --json",
    ],
)
@at_option(HERE)
@option("--once", is_flag=True, help=text("Show the current state, and exit."))
@data_option
@token_option
@json_option
def command(address: str, once: bool, data_dir: Path | None, token: str | None, as_json: bool) -> None:
    """Show the table until it is enough."""
    from lastnose.companion.config.settings import default_data_dir

    base, spoken = base_of(address), language()
    now = state_of(base, spoken)
    later: Iterator[TableState | None] = iter(()) if once else follow(base, spoken)
    with suppress(KeyboardInterrupt):
        if as_json:
            _as_json(now, later)
            return
        now, later = plain(now), map(plain, later)
        if once:
            _as_it_stands(now)
        elif not sys.stdout.isatty():
            _as_lines(chain((now,), later))
        elif Console().is_dumb_terminal:  # TERM=dumb, as in an editor: nothing can be drawn over
            _as_it_stands(now)
            _as_lines(later, decided(now))
        else:
            _as_screen(now, later, Host(base, data_dir or default_data_dir(), token))


def _as_json(now: TableState, later: Iterator[TableState | None]) -> None:
    """Print *now*, and what follows it, as a document a line."""
    _print(now)
    for state in later:
        if state is not None and state["version"] != now["version"]:
            _print(state)


def _print(state: TableState) -> None:
    click.echo(json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode())


def _as_it_stands(now: TableState) -> None:
    """Print game and round, what was said, what is done next, and a line a player."""
    click.echo("  ".join(word for word in (where(now), pretended(now)) if word))
    for line in (said(now), due(now), asked(now), *standings(now)):
        if line:
            click.echo(line)


def _as_lines(states: Iterator[TableState | None], before: tuple[object, ...] | None = None) -> None:
    """Print a line whenever something else than *before* is decided; on stderr that the table is away."""
    away = False
    for state in states:
        if state is None:
            if not away:
                click.echo(speak(AWAY), err=True)
            away = True
            continue
        away, found = False, decided(state)
        if found is not None and found != before:
            click.echo(said(state))
        before = found or before


def _as_screen(now: TableState, later: Iterator[TableState | None], host: Host) -> None:
    """Draw what comes, and let keys do what the host may, until q or Ctrl-C."""
    with (
        WatchScreen(keys=host.may and sys.stdin.isatty()) as screen,
        typed(lambda key: press(key, host, screen)),
    ):
        screen.show(now)
        for state in later:
            screen.show(state)


# ---- keys: what the host's buttons do


AWAY = text("The table does not answer")
ACTS = {"a": "arm", "v": "void", "u": "undo"}
RULINGS = "ynx4567890"  # right, wrong, nobody or too late, then what else a game may say
LOOK_UP_S = 0.2


class Host(NamedTuple):
    """Who commands the table at `base`: whoever has its data `folder`, or a `token` of it."""

    base: str
    folder: Path
    token: str | None

    @property
    def may(self) -> bool:
        """Whether commands can be sent at all."""
        return self.token is not None or is_here(self.base)

    def do(self, act: TableState) -> str:
        """Send the command *act*; return what the table says against it, "" for nothing."""
        try:
            command_table(self.base, self.folder, self.token, act)
        except CompanionError as refusal:
            return speak(refusal.text)
        return ""


def press(key: str, host: Host, screen: WatchScreen) -> None:
    """Do what *key* stands for, and show what the table says against it."""
    if key == "q":
        _end()
    elif key in ACTS and host.may:
        screen.tell(host.do({"type": ACTS[key]}))
    elif host.may and key == "w" and (act := going_on(screen.state)):
        screen.tell(host.do(act))
    elif host.may and (move := ruled_by(key, screen.state)):
        seen = screen.state["seq"] if screen.state else None
        screen.tell(host.do({"type": "play", "move": move, "seq": seen}))


def going_on(state: TableState | None) -> TableState | None:
    """Return the command that goes on without the phone that is waited for, None when none is.

    >>> rows = [{"seat": 1, "aside": True}, {"seat": 2, "aside": False}]
    >>> going_on({"phase": "judging", "rows": rows, "duty": {"seat": 2, "without": "Without Zoë"}})
    {'type': 'leave-out', 'seats': [1, 2]}
    """
    duty = None if state is None or state.get("phase") not in ("armed", "judging") else state.get("duty")
    if state is None or not duty or not duty["without"]:
        return None
    return {
        "type": "leave-out",
        "seats": [*(row["seat"] for row in state["rows"] if row["aside"]), duty["seat"]],
    }


def ruled_by(key: str, state: TableState | None) -> TableState | None:
    """Return the move that *key* stands for where the table is asked what a call was worth, else None.

    >>> ruling = {"move": "ruled", "choices": [{"value": "right"}, {"value": "wrong"}]}
    >>> ruled_by("n", {"ruling": ruling}), ruled_by("x", {"ruling": ruling})
    ({'type': 'ruled', 'value': 'wrong'}, None)
    >>> ruled_by("x", {"ruling": None, "phase": "armed", "closing": {"move": "closed"}})
    {'type': 'closed'}
    """
    if state is None:
        return None
    if given := state.get("ruling"):
        answers = dict(zip(RULINGS, given["choices"], strict=False))
        return {"type": given["move"], "value": answers[key]["value"]} if key in answers else None
    closing = state.get("closing")
    return {"type": closing["move"]} if closing and key == "x" and state["phase"] == "armed" else None


def _end() -> None:
    """Do what Ctrl-C does: wake the main thread, which waits for the table."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@contextmanager
def typed(take: Callable[[str], None]) -> Iterator[None]:
    """Hand each key to *take*, from a thread and without waiting for Enter; nothing where nobody types."""
    if not sys.stdin.isatty():
        yield
        return
    ended = threading.Event()
    with _without_enter() as read:
        reader = threading.Thread(target=_hand_on, args=(read, take, ended), daemon=True)
        reader.start()
        try:
            yield
        finally:
            ended.set()
            reader.join()


def _hand_on(read: Callable[[], str], take: Callable[[str], None], ended: threading.Event) -> None:
    while not ended.is_set():
        for key in read():
            take(key.lower())


if sys.platform == "win32":

    @contextmanager
    def _without_enter() -> Iterator[Callable[[], str]]:
        """Yield what returns the keys typed lately."""
        import msvcrt

        def read() -> str:
            time.sleep(LOOK_UP_S)
            return msvcrt.getwch() if msvcrt.kbhit() else ""

        yield read

else:

    @contextmanager
    def _without_enter() -> Iterator[Callable[[], str]]:
        """Yield what returns the keys typed lately; the terminal is left as it was."""
        import termios
        import tty

        handle = sys.stdin.fileno()
        before = termios.tcgetattr(handle)

        def read() -> str:
            ready, _, _ = select.select([handle], [], [], LOOK_UP_S)
            return os.read(handle, 64).decode(errors="ignore") if ready else ""

        tty.setcbreak(handle)
        try:
            yield read
        finally:
            termios.tcsetattr(handle, termios.TCSADRAIN, before)


# ---- screen


_KEPT = 8
_MANY = 13


class WatchScreen:
    """Shows states until it is left; NO_COLOR and small terminals are rich's business."""

    def __init__(self, console: Console | None = None, *, keys: bool = False) -> None:
        self._keys = keys
        self._says = ""
        self._drawing = threading.RLock()
        self._console = console or Console()
        self._live = Live(console=self._console, auto_refresh=False, screen=self._console.is_terminal)
        self._before: deque[tuple[object, str]] = deque(maxlen=_KEPT)
        self.state: TableState | None = None  # what it shows, None before anything came

    def __enter__(self) -> WatchScreen:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, state: TableState | None) -> None:
        """Show *state*; None: the table is away, and what it showed last stays."""
        with self._drawing:
            if state is not None:
                self.state, self._says = state, ""
                key = decided(state)
                if key is not None and (not self._before or self._before[-1][0] != key):
                    self._before.append((key, said(state)))
            self._live.update(self.drawn(away=state is None), refresh=True)

    def tell(self, says: str) -> None:
        """Show what the table *says* against a key, until it shows something else; "" for nothing."""
        with self._drawing:
            self._says = says or self._says
            self._live.update(self.drawn(away=False), refresh=True)

    def drawn(self, *, away: bool) -> Group:
        """Return what stands in the terminal."""
        state = self.state
        if state is None:
            return Group(Words(speak(AWAY), style="yellow"))
        parts: list[Words | Table] = [_where(state)]
        if away:
            parts.append(Words(speak(AWAY), style="bold yellow"))
        parts += [Words(), Words(state["headline"], style="bold")]
        parts += [Words(line) for line in state["proof"]]
        if state.get("early"):
            parts.append(Words(state["early"], style="bold"))
        if says := due(state):
            parts.append(Words(says, style="bold green"))
        if says := asked(state):
            parts.append(Words(says, style="bold green"))
        link = (state.get("hall") or {}).get("link")
        parts += [Words(line, style="yellow") for line in (*state["faults"], *([link] if link else []))]
        if state["rows"]:
            parts += [Words(), _standings(places(state), state.get("last", []), state.get("stage", ""))]
        earlier = [line for key, line in list(self._before)[:-1]]
        if earlier:
            parts.append(Words())
            parts += [
                Words(line, style="dim", no_wrap=True, overflow="ellipsis") for line in reversed(earlier)
            ]
        if self._says:
            parts += [Words(), Words(self._says, style="yellow")]
        if self._keys:
            parts += [Words(), Words(speak(text("Keys: a arm · v void · u undo · q quit")), style="dim")]
        return Group(*parts)


def _where(state: TableState) -> Words:
    """Return which game and round it is, and whether it is pretended."""
    line = Words(where(state), style="dim")
    if says := pretended(state):
        line.append(f"  {says}", style="bold yellow")
    return line


def _standings(rows: list[tuple[str, TableState]], last: list[int], stage: str) -> Table:
    """Return the players in one column, or in two where they are many."""
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
            cells += _cells(number, row, stage, last=row["seat"] in last)
        table.add_row(*cells)
    return table


def nose(row: TableState, stage: str) -> str:
    """Return the nose of *row* as every screen draws it: hollow, filled while it counts, flat when touched.

    >>> [nose({"line": "nose.1", "pressed": n == 2, "held": False, "out": False}, "on") for n in (1, 2)]
    ['●', '▬']
    """
    if not row["line"]:
        return " "
    counts = stage in ("on", "running") and not row["out"]
    return "▬" if row["pressed"] or row["held"] else "●" if counts else "○"


def _cells(number: str, row: TableState, stage: str, *, last: bool) -> list[Words]:
    style = "dim" if row["out"] and not row["winner"] else "bold" if row["winner"] else ""
    letters = Words(standing(row), style=style)
    if row["new"] and row["letters"]:
        letters.stylize("bold red", len("".join(row["letters"][:-1])), len("".join(row["letters"])))
    return [
        Words(number),
        Words(nose(row, stage)),
        Words(row["player"], style="bold red" if last else style),
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


def due(state: TableState) -> str:
    """Return what is done next, "" where nothing is or the headline says it.

    >>> due({"headline": "Zoë was last: P", "due": {"kind": "play", "says": "Everybody has four: play"}})
    'Everybody has four: play'
    """
    says = (state.get("due") or {}).get("says", "")
    return "" if says == state["headline"] else says


def asked(state: TableState) -> str:
    """Return what the table is asked about a call, each answer with its key; "" where it is not.

    >>> ruling = {"label": "Was it right?", "choices": [{"label": "Right"}, {"label": "Wrong"}]}
    >>> asked({"ruling": ruling})
    'Was it right?  y Right · n Wrong'
    """
    if going_on(state):
        return f"w {state['duty']['without']}"
    if given := state.get("ruling"):
        answers = zip(RULINGS, given["choices"], strict=False)
        return f"{given['label']}  " + " · ".join(f"{key} {one['label']}" for key, one in answers)
    closing = state.get("closing")
    return f"x {closing['label']}" if closing and state["phase"] == "armed" else ""


def where(state: TableState) -> str:
    """Return which game and round it is, and where that round is."""
    words = [
        "Last Nose",
        state["title"] or "",
        speak(text("round {n}", n=state["round_no"])) if state["round_no"] else "",
        state.get("stage_says") or "",
        (state.get("clock") or {}).get("says", ""),
    ]
    return " · ".join(word for word in words if word)


def pretended(state: TableState) -> str:
    """Return that the noses are simulated, nothing when they are real, as phones are, or not needed."""
    sheet = state.get("title") is not None and not state.get("watched", True)
    real = sheet or state.get("all_on_phones", False)
    return speak(text("Simulated")).upper() if state["simulated"] and not real else ""


def places(state: TableState) -> list[tuple[str, TableState]]:
    """Return what stands before each player, and the row: the seat, on a score sheet the rank, best first.

    There is none before the first hand is complete.

    >>> ranks = [{"seat": 2, "place": 1, "total": 5}, {"seat": 1, "place": 2, "total": 30}]
    >>> rows = [{"seat": 1, "score": 30}, {"seat": 2, "score": 5}]
    >>> sheet = {"leaders": [2], "ranks": ranks}
    >>> [(place, row["seat"]) for place, row in places({"sheet": sheet, "rows": rows})]
    [('1', 2), ('2', 1)]
    """
    rows, sheet = state["rows"], state["sheet"]
    if sheet is None:
        return [(str(row["seat"]), row) for row in rows]
    if not sheet["leaders"]:
        return [("", row) for row in rows]
    seats = {row["seat"]: row for row in rows}
    return [(str(one["place"]), {**seats[one["seat"]], "score": one["total"]}) for one in sheet["ranks"]]


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
