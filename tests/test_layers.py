"""The architecture as an executable check: who may import whom, and who stays pure, without exceptions."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "web", "hardware")

# From the bottom up, by name within companion; a package's modules are in its layer.
LAYERS = """
    text authors errors model ports units misfits commands
    timing games tape cards dominoes deal contracts points boards config_txt
    events log undo signed sentences snapshot photo_finish scoreboard cues statistics
    profile wiring selftest drawings bom wifi
    chance store config i18n access records sheet_file keeper loop table replay
    doctor install
    (hardware, web)
    service outputs app selftest_paper selftest_run
    kit pytest_plugin bench kernel_rig cli
"""
HEIGHTS = {
    f"companion.{name}": height
    for height, names in enumerate(LAYERS.strip().splitlines())
    for name in names.split()
}
ADAPTERS = HEIGHTS["companion.app"] - 1
PURE = HEIGHTS["companion.statistics"]
PURE_LIBRARY = """
    __future__ abc bisect collections contextlib dataclasses enum fractions functools heapq itertools json
    math operator re statistics string types typing unicodedata msgspec
"""
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module of the project by its dotted name."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {_module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def _imported_names(tree: ast.Module) -> set[str]:
    """Return the dotted names that *tree* imports, anywhere in it, functions included."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write imports absolutely"
            assert node.module is not None
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _resolve(name: str) -> str | None:
    """Return the module of ours that *name* stands for: itself, or the module it is taken from."""
    if name in modules():
        return name
    parent = name.rpartition(".")[0]
    return parent if parent in modules() else None


def _ours(tree: ast.Module) -> set[str]:
    return {module for name in _imported_names(tree) if (module := _resolve(name))}


def _layer(module: str) -> int | None:
    """Return the layer of *module*, None for one that has not been given any."""
    if module.partition(".")[0] in ("hardware", "web"):
        return ADAPTERS
    if module == "companion":
        return 0
    return HEIGHTS.get(".".join(module.split(".")[:2]))


def test_every_module_has_a_layer() -> None:
    """A new module is given its place on purpose."""
    assert len(modules()) > 10
    assert [] == [module for module in modules() if _layer(module) is None]


def test_layers_import_only_downwards() -> None:
    """No module imports from a layer above its own."""
    upward = [
        f"{module} imports {other}"
        for module, tree in modules().items()
        for other in _ours(tree)
        if (_layer(other) or 0) > (_layer(module) or 0)
    ]
    assert [] == upward


def test_hardware_and_web_do_not_know_each_other() -> None:
    """Pins and pages meet in the app only."""
    across = [
        f"{module} imports {other}"
        for module, tree in modules().items()
        for other in _ours(tree)
        if {module.partition(".")[0], other.partition(".")[0]} == {"hardware", "web"}
    ]
    assert [] == across


def test_nobody_imports_the_command_line() -> None:
    """What a command does can be had without it."""
    users = [
        module
        for module, tree in modules().items()
        if not module.startswith("companion.cli")
        and any(other.startswith("companion.cli") for other in _ours(tree))
    ]
    assert [] == users


def test_there_are_no_import_cycles() -> None:
    """From no module do imports lead back to itself."""
    graph = {module: sorted(_ours(tree) - {module}) for module, tree in modules().items()}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " → ".join((*path[path.index(module) :], module))
        if module not in done:
            for other in graph[module]:
                visit(other, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def test_pure_layers_have_no_clock_thread_file_or_pin() -> None:
    """Up to and including statistics, only pure parts of the standard library and msgspec are used."""
    pure = {module: tree for module, tree in modules().items() if (_layer(module) or 0) <= PURE}
    assert "companion.log" in pure
    assert {} == {module: impure for module, tree in pure.items() if (impure := _impurities(tree))}


def _impurities(tree: ast.Module) -> set[str]:
    """Return the imports and calls of *tree* that a pure module does without."""
    foreign = {name for name in _imported_names(tree) if _resolve(name) is None}
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return {
        name for name in foreign if name.partition(".")[0] not in PURE_LIBRARY.split()
    } | called & IMPURE_CALLS


def test_no_games_name_occurs_in_web_templates_or_hardware() -> None:
    """Page and OLED draw what a game asks, and know no game."""
    from companion.games import GAMES

    assert "pig" in GAMES
    files = [
        *(ROOT / "web").glob("*.py"),
        *(ROOT / "web" / "templates").rglob("*.html"),
        *(ROOT / "web" / "static").glob("*.js"),
        *(ROOT / "hardware").glob("*.py"),
    ]
    assert files
    named = [
        f"{path.relative_to(ROOT)}: {found.group(0)}"
        for path in files
        for found in re.finditer(
            rf"\b({'|'.join(map(re.escape, GAMES))})\b", path.read_text(encoding="utf-8"), flags=re.IGNORECASE
        )
    ]
    assert [] == named
