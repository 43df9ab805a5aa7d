"""The product's Python as tests look at it: a file is parsed once, and of its tree is kept what is asked."""

from __future__ import annotations

import ast
import contextlib
import os
import pickle
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
_KEY = sha256(sys.version.encode() + Path(__file__).read_bytes()).hexdigest()[:16]
KNOWN = ROOT / ".cache" / f"sources-{_KEY}.pickle"
ROOMS = ("companion", "web", "hardware", "firmware")
# The functions whose first arguments are messages, and how many of them.
SAYS = {"text": 1, "texts": 2, "_": 1, "ngettext": 2}


class Function(NamedTuple):
    """Where a function stands. `body`: the line of its first statement."""

    name: str
    line: int
    body: int
    end: int


class Source(NamedTuple):
    """What a file says. Imports are dotted names; `at_once` are those that it needs to be imported itself."""

    text: str
    imports: frozenset[str]
    at_once: frozenset[str]
    called: frozenset[str]
    attributes: frozenset[str]
    classes: tuple[tuple[str, int], ...]
    functions: tuple[Function, ...]
    says: tuple[ast.Call, ...]


@cache
def sources() -> Mapping[Path, Source]:
    """Return every Python file of the product, by its path, in order; what one has parsed others know."""
    known: dict[str, Source] = {}
    with contextlib.suppress(Exception):  # there is none, or it is of no use: then all is parsed
        known = pickle.loads(KNOWN.read_bytes())
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    found = {path: known[text] if text in known else _read(text) for path, text in texts.items()}
    if {*texts.values()} - known.keys():
        with contextlib.suppress(OSError):  # nothing can be written, or another process reads it just now
            KNOWN.parent.mkdir(exist_ok=True)
            draft = KNOWN.with_suffix(f".{os.getpid()}")
            draft.write_bytes(pickle.dumps({one.text: one for one in found.values()}))
            draft.replace(KNOWN)
    return found


def _read(text: str) -> Source:
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    named = [one for one in nodes if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    names = [one.func.id for one in named if isinstance(one.func, ast.Name)]
    return Source(
        text,
        imports=frozenset(name.removeprefix("lastnose.") for one in nodes for name in _imported(one)),
        at_once=frozenset(_at_once(tree)),
        called=frozenset(names),
        attributes=frozenset(one.attr for one in nodes if isinstance(one, ast.Attribute)),
        classes=tuple((one.name, one.lineno) for one in nodes if isinstance(one, ast.ClassDef)),
        functions=tuple(
            Function(one.name, one.lineno, one.body[0].lineno, one.end_lineno or 0)
            for one in nodes
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        ),
        says=tuple(one for one, name in zip(named, names, strict=True) if name in SAYS),
    )


def _imported(node: ast.AST) -> list[str]:
    """Return the dotted names that *node* imports, if it does."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "write imports absolutely"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def _at_once(tree: ast.Module) -> set[str]:
    """Return the modules that are imported as soon as *tree* is: not in functions."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
        waiting += ast.iter_child_nodes(node)
    return names
