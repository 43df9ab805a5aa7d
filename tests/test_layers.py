"""The architecture as an executable check: who may import whom, and who stays pure, without exceptions."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

from lastnose.companion.games import GAMES

from tests.support.sources import ROOT, Source, sources

PACKAGES = ("companion", "web", "hardware")

# The floors of the house from the ground up. A room is a folder of companion, or web, or hardware, with
# all that is in it; it imports from lower floors only, never from a room beside it.
FLOORS = """
    core
    i18n wiring games timing
    config selftest evening
    system views
    table event
    link
    web hardware
    app testing
    cli
"""
HEIGHTS = {room: height for height, rooms in enumerate(FLOORS.strip().splitlines()) for room in rooms.split()}
PURE = ("core", "timing", "games", "evening", "views", "event")
PURE_LIBRARY = """
    __future__ abc bisect collections contextlib dataclasses difflib enum fractions functools heapq itertools
    json math operator re statistics string tomllib types typing unicodedata msgspec regex csv io.StringIO
    html.escape zlib array.array random.Random sys.intern
"""
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Source]:
    """Return every module of the project by its dotted name."""
    return {
        _module_name(path): source
        for path, source in sources().items()
        if path.relative_to(ROOT).parts[0] in PACKAGES
    }


def _resolve(name: str) -> str | None:
    """Return the module of ours that *name* stands for: itself, or the module it is taken from."""
    if name in modules():
        return name
    parent = name.rpartition(".")[0]
    return parent if parent in modules() else None


def _ours(source: Source) -> set[str]:
    return {module for name in source.imports if (module := _resolve(name))}


def _room(module: str) -> str:
    """Return the room of *module*, empty for the package that says the version.

    >>> _room("companion.games.rules.game"), _room("hardware.box.clock"), _room("companion")
    ('games', 'hardware', '')
    """
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] if package == "companion" else package


def arrows() -> dict[tuple[str, str], list[str]]:
    """Return which room imports which, with the imports that do it."""
    found: dict[tuple[str, str], list[str]] = {}
    for module, source in modules().items():
        for other in sorted(_ours(source)):
            ends = _room(module), _room(other)
            if ends[0] != ends[1] and ends[1]:
                found.setdefault(ends, []).append(f"{module} imports {other}")
    return found


def test_every_module_is_in_a_room_with_a_floor() -> None:
    """A new room is given its floor on purpose, and one that is gone leaves no name behind."""
    assert {*HEIGHTS} == {_room(module) for module in modules()} - {""}


def test_rooms_import_only_from_lower_floors() -> None:
    """No room imports from its own floor or above; so no circle of rooms can be."""
    ends = arrows()
    assert ("cli", "app") in ends
    assert [] == [
        line for (room, other), lines in ends.items() if HEIGHTS[other] >= HEIGHTS[room] for line in lines
    ]


def test_hardware_and_web_do_not_know_each_other() -> None:
    """Pins and pages meet in the app only."""
    assert not {("hardware", "web"), ("web", "hardware")} & arrows().keys()


def test_nobody_imports_the_command_line() -> None:
    """What a command does can be had without it."""
    assert [] == [line for (_, other), lines in arrows().items() if other == "cli" for line in lines]


def test_there_are_no_import_cycles() -> None:
    """From no module do imports lead back to itself."""
    graph = {module: sorted(_ours(source) - {module}) for module, source in modules().items()}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " → ".join((*path[path.index(module) :], module))
        if module not in done:
            for other in graph[module]:
                visit(other, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


# So many modules there may be, and so many that only one other imports: both are to shrink, never to grow.
MOST_MODULES, MOST_LONELY = 319, 44
REGISTRY = "companion.games"  # which alone knows the games


def test_doors_are_few() -> None:
    """What is only read together stands together: a module that one other imports is mostly a part of it."""
    users = Counter(name for module, source in modules().items() for name in _ours(source) - {module})
    files = {_module_name(path) for path in sources() if path.name != "__init__.py"}
    games = {name for name in _ours(modules()[REGISTRY]) if users[name] == 1}  # each is a door of its own
    lonely = sorted(name for name, many in users.items() if many == 1 and name in files - games)
    assert len(modules()) <= MOST_MODULES
    assert len(lonely) <= MOST_LONELY, lonely


def test_what_is_ours_is_imported_and_found_beneath_one_name() -> None:
    """An environment has `lastnose` alone; in a checkout the folders themselves would answer, here only."""
    bare = re.compile(
        r"^\s*(?:from|import) (?:companion|web|hardware)\b"
        r"|(?:Flask|PackageLoader|files|import_module|getLogger)\(\"(?:companion|web|hardware)\b",
        re.MULTILINE,
    )
    assert [] == [module for module, source in modules().items() if bare.search(source.text)]


def test_pure_rooms_have_no_clock_thread_file_or_pin() -> None:
    """They use only pure parts of the standard library, msgspec and regex, in their subfolders too."""
    pure = {module: source for module, source in modules().items() if _room(module) in PURE}
    assert {"companion.evening.log", "companion.timing.rack.round"} <= pure.keys()
    assert {} == {module: impure for module, source in pure.items() if (impure := _impurities(source))}


def _impurities(source: Source) -> set[str]:
    """Return the imports and calls of *source* that a pure module does without."""
    foreign = {name for name in source.imports if _resolve(name) is None}
    library = {*PURE_LIBRARY.split()}
    impure = {name for name in foreign if not {name, name.partition(".")[0]} & library}
    return impure | source.called & IMPURE_CALLS


def games_named_in(text: str) -> list[str]:
    """Return the games that *text* names, as words of their own or as part of a name with underscores.

    >>> games_named_in("import swedish_gin; spigot = Pig10_card, pigment, 'forks and knives', from_vatra")
    ['swedish_gin', 'Pig10', 'forks and knives', 'vatra']
    """
    names = "|".join(
        re.escape(name).replace(r"\-", "[-_ ]?") for name in sorted(GAMES, key=len, reverse=True)
    )
    whole = re.compile(rf"(?<![a-z0-9])({names})(?![a-z0-9])", re.IGNORECASE)
    return [found.group(1) for found in whole.finditer(text)]


def test_no_games_name_occurs_in_web_or_hardware() -> None:
    """Page and OLED draw what a game asks, and no module, template or script of theirs knows one."""
    files = [
        path
        for folder in ("web", "hardware")
        for ending in ("py", "html", "js", "css")
        for path in sorted((ROOT / folder).rglob(f"*.{ending}"))
    ]
    assert {".py", ".html", ".js", ".css"} == {path.suffix for path in files}
    named = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in games_named_in(path.read_text(encoding="utf-8"))
    ]
    assert [] == named
