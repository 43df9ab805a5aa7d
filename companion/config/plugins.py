"""Games, sources and outputs of other packages, found by the entry points that these declare.

`lastnose.games` name a game (a `companion.games.Game`), `lastnose.sources` what makes a `core.ports.Source`
of the lines to watch, `lastnose.outputs` what makes a `core.ports.Output` of its table in the file of
neighbours. What is broken is named and left out, and so are two of one name: nobody could say which is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from lastnose.companion.config import SOURCES
from lastnose.companion.core.errors import BadInput, CompanionError
from lastnose.companion.core.ports import Emit, Output, Report, Source
from lastnose.companion.core.text import Text, english, must_be_sayable
from lastnose.companion.i18n import LANGUAGES, add_catalogue

if TYPE_CHECKING:
    from lastnose.companion.games import AnyGame

OUTPUTS = ("mqtt", "hook", "companion")  # what the file of neighbours calls our own
GROUPS = ("lastnose.games", "lastnose.sources", "lastnose.outputs")
MOST_SEATS = 26
LONGEST_REASON = 200
_NAME = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
_T = TypeVar("_T")


@cache
def load_games() -> tuple[Text, ...]:
    """Let the table know the games of other packages, once a process; return what was left out, and why."""
    wrong: list[Text] = []
    declared = _declared("lastnose.games")
    if not declared:
        return ()  # most machines: nothing more is imported for it
    from lastnose.companion.games import GAMES, guarded, register

    for name, found in declared.items():
        try:
            game = _only(name, found, GAMES).load()
            _check_game(name, game)
            _add_catalogues(found[0])
        except (Exception, SystemExit) as problem:
            wrong.append(_left_out(english("The game {name} is left out", name=name), problem))
        else:
            register(guarded(game))
    return tuple(wrong)


def source_names() -> tuple[str, ...]:
    """Return the sources of other packages that can be asked for by name."""
    return tuple(name for name in _declared("lastnose.sources") if name not in SOURCES)


def make_source(name: str, lines: Mapping[str, int]) -> Source:
    """Return the source called *name*, not started, for *lines*; raise BadInput when it cannot be had."""
    source: Source = _made("lastnose.sources", name, lambda make: make(dict(lines)), SOURCES)
    if not all(hasattr(source, part) for part in ("name", "simulated", "start", "close")):
        raise BadInput(english("{name} is not what a source is: see companion.core.ports.Source.", name=name))
    return _OthersSource(source)


class _OthersSource:
    """A source of another package: what it raises as it begins or ends is a sentence."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.name, self.simulated = source.name, source.simulated

    def start(self, emit: Emit, report: Report) -> None:
        """Begin; raise BadInput."""
        _tried(self.name, lambda: self._source.start(emit, report))

    def close(self) -> None:
        """End; raise BadInput."""
        _tried(self.name, self._source.close)


def output_names() -> tuple[str, ...]:
    """Return the outputs of other packages."""
    return tuple(name for name in _declared("lastnose.outputs") if name not in OUTPUTS)


def make_output(name: str, given: Mapping[str, Any]) -> Output:
    """Return the output called *name* with what the file of neighbours has *given* it; raise BadInput."""
    output: Output = _made("lastnose.outputs", name, lambda make: make(dict(given)), OUTPUTS)
    if not all(callable(getattr(output, part, None)) for part in ("tell", "close")):
        raise BadInput(
            english("{name} is not what an output is: see companion.core.ports.Output.", name=name)
        )
    return output


def _declared(group: str) -> dict[str, list[EntryPoint]]:
    """Return what is declared, by name, in the order of the alphabet: the same on every machine."""
    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=group):
        found.setdefault(entry.name, []).append(entry)
    return dict(sorted(found.items()))


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.module


def _only(
    name: str, found: list[EntryPoint], ours: Mapping[str, object] | tuple[str, ...] = ()
) -> EntryPoint:
    """Return the one that is called *name*; raise BadInput when it is not the only one."""
    if name in ours:
        raise BadInput(
            english("{package} calls it as one of Last Nose’s own is called", package=_package(found[0]))
        )
    if not found:
        raise BadInput(english("no package that is installed here has it"))
    if len(found) > 1:
        both = sorted(map(_package, found))
        raise BadInput(english("both {one} and {other} have one of this name", one=both[0], other=both[1]))
    return found[0]


def _made(group: str, name: str, make: Callable[[Any], _T], ours: tuple[str, ...] = ()) -> _T:
    found = _declared(group).get(name, [])
    return _tried(name, lambda: make(_only(name, found, ours).load()))


def _tried(name: str, do: Callable[[], _T]) -> _T:
    try:
        return do()
    except (Exception, SystemExit) as problem:
        raise BadInput(_left_out(english("{name} cannot be used", name=name), problem)) from problem


def _left_out(what: Text, problem: BaseException) -> Text:
    """Return a sentence that says *what* cannot be had, and why: in our words, or in those of its maker."""
    why: Text | str
    if isinstance(problem, CompanionError):
        why = problem.text
    else:
        why = " ".join(f"{type(problem).__name__} {problem}".split())[:LONGEST_REASON]
    return english("{what}: {why}.", what=what, why=why)


def _check_game(name: str, game: AnyGame) -> None:
    """Raise what is wrong with *game*, as far as its first moment shows; the contract test shows the rest."""
    if isinstance(game, type) or not hasattr(game, "moment"):
        raise BadInput(english("its entry point names no game; it ends with “:GAME”, which is one"))
    if not re.fullmatch(_NAME, name) or getattr(game, "name", "") != name:
        raise BadInput(english("its name and that of its entry point are to be one, in small letters"))
    least, most = game.seats
    if not 1 < least <= most <= MOST_SEATS:
        raise BadInput(english("a game is for 2 to {most} players", most=MOST_SEATS))
    if game.calculations:
        raise BadInput(english("only Last Nose’s own games can have calculations"))
    options = game.read_options({})
    now = game.moment(game.new(tuple(f"Player {seat}" for seat in range(1, least + 1)), options))
    must_be_sayable((game.title, game.summary, game.comings, game.crowd, game.loser, game.role))
    must_be_sayable((game.on_phones, game.option_fields(), game.help(options), now.armed_text, now.notes))
    if len(now.standings) != least or now.outcome is not None or not now.asks or len(now.places) != least:
        raise BadInput(english("its first moment is none that can be played"))
    now.advice, now.guide, now.sheet  # noqa: B018 - each may raise


def _add_catalogues(entry: EntryPoint) -> None:
    """Let texts be translated by `locale` in the entry's package, for each language that is there."""
    package = import_module(entry.module.partition(".")[0])
    if not hasattr(package, "__path__"):
        return  # a single file has no folder
    folder = files(package) / "locale"
    for language in LANGUAGES:
        file = folder / language / "LC_MESSAGES" / "messages.po"
        if file.is_file():
            add_catalogue(language, file.read_bytes())
