"""A page's scripts as one script, its styles as one style: joined by the server when it is asked.

What lies in `static` are ES modules that a browser could load one by one. A page needs thirty of them, and
on a phone each costs a way there and back. Joined, each module is a function that runs when it is needed
first, so `import(…)` still runs late; a line stays a line, and a source map names the file it came from.

What an import gives must not change later (`export let`), and modules must not import each other in a circle:
`tests/web/test_bundle.py` holds ours to it.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

STATIC = Path(__file__).parent / "static"

_BLOCK = re.compile(r"^[ \t]*/\*.*?\*/", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_BEHIND = re.compile(r"[ \t]+// [^\"'`\n]*$", re.MULTILINE)  # what stands in a string has its end behind it
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_IMPORT = re.compile(r'^import\s*(?:(\{[^}]*\}|\* as \w+)\s*from\s*)?"(\.{1,2}/[^"]+)";', re.MULTILINE)
_LATER = re.compile(r'\bimport\(\s*"(\.{1,2}/[^"]+)"\s*\)')
_EXPORT = re.compile(r"^export (?=(?:const|class|function\*?|async function)\s+(\w+|\$+))", re.MULTILINE)
_AS = re.compile(r"\bas\b")
_STYLE = re.compile(r'^@import "(\.{1,2}/[^"]+)";', re.MULTILINE)
_NEED = (
    "const __need = (name) => (__made[name] ??= __all[name]()); const __later = async (name) => __need(name);"
)
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Module(msgspec.Struct, frozen=True):
    """A script as the body of a function, and the modules that it needs at once and perhaps."""

    body: str
    at_once: tuple[str, ...]
    perhaps: tuple[str, ...]


def squeezed(source: str, kind: str) -> str:
    """Return a script (".js") or style (".css") without comments, and without indentation.

    Behind code a comment goes that a script has, and that quotes nothing.

    Every line stays the line it was, so that a browser's complaint names the right one. Not for sources with
    a string over several lines; ours have none (`tests/web/test_delivery.py`).

    >>> squeezed('// Why.\\n  /** @param {any} a */\\n  /** @type {any} */ (a).b("c // d"); // e\\n', ".js")
    '\\n\\n(a).b("c // d");\\n'
    >>> squeezed("/* Ink:\\n   black. */\\na {\\n  color: #000;\\n}\\n", ".css")
    '\\n\\na {\\ncolor: #000;\\n}\\n'
    """
    found = _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), source)
    if kind == ".js":
        found = _BEHIND.sub("", _LINE.sub("", found))
    return _INDENT.sub("", found)


def module(source: str, name: str) -> Module:
    """Return the script *source*, which lies at *name* in `static`, as a module of a bundle.

    >>> made = module('import { a as b } from "./x.js";\\nexport const c = b;', "lib/y.js")
    >>> print(made.body)
    const { a : b } = __need("lib/x.js");
    const c = b;
    return { c };
    """
    at_once: list[str] = []
    perhaps: list[str] = []

    def path(given: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), given))

    def imported(found: re.Match[str]) -> str:
        at_once.append(path(found[2]))
        need = f'__need("{at_once[-1]}");'
        if found[1] is None:
            return need
        return f"const {_AS.sub(':', found[1].removeprefix('* as '))} = {need}"

    def later(found: re.Match[str]) -> str:
        perhaps.append(path(found[1]))
        return f'__later("{perhaps[-1]}")'

    text = squeezed(source, ".js")
    exports = [found[1] for found in _EXPORT.finditer(text)]
    body = _EXPORT.sub("", _LATER.sub(later, _IMPORT.sub(imported, text))).rstrip("\n")
    return Module(f"{body}\nreturn {{ {', '.join(exports)} }};", tuple(at_once), tuple(perhaps))


@lru_cache(maxsize=512)
def _read(name: str, changed_ns: int) -> Module:
    """Return the module *name* as it lies in `static`; *changed_ns* reads it again when it has changed."""
    return module((STATIC / name).read_text("utf-8"), name)


def scripts(first: str) -> dict[str, Module]:
    """Return the module *first* and all that it may ever load, each before those that need it at once."""
    found: dict[str, Module] = {}
    ahead = [first]
    while ahead:
        name = ahead.pop()
        if name not in found and (STATIC / name).is_file():
            found[name] = _read(name, (STATIC / name).stat().st_mtime_ns)
            ahead += [*found[name].at_once, *found[name].perhaps]
    return dict(sorted(found.items()))


def script(first: str, map_url: str) -> tuple[str, str]:
    """Return the module *first* with all that it may load as one script, and its source map."""
    modules = scripts(first)
    lines = ["const __made = {};", _NEED, "const __all = {"]
    origins: list[tuple[int, int] | None] = [None] * len(lines)
    for index, (name, each) in enumerate(modules.items()):
        body = each.body.split("\n")
        lines += [f'"{name}"() {{', *body, "},"]
        origins += [None, *((index, number) for number in range(len(body) - 1)), None, None]
    lines += ["};", f'__need("{first}");', f"//# sourceMappingURL={map_url}", ""]
    made = {"version": 3, "sourceRoot": "/static/", "sources": list(modules), "mappings": mappings(origins)}
    return "\n".join(lines), json.dumps(made)


def mappings(origins: list[tuple[int, int] | None]) -> str:
    """Return the "mappings" of a source map whose lines come from these (source, line), or from nowhere.

    >>> mappings([None, (0, 0), (0, 1), (1, 0)])
    ';AAAA;AACA;ACDA'
    """
    before = (0, 0)
    said: list[str] = []
    for origin in origins:
        if origin is None:
            said.append("")
            continue
        steps = (0, origin[0] - before[0], origin[1] - before[1], 0)
        said.append("".join(map(_vlq, steps)))
        before = origin
    return ";".join(said)


def _vlq(number: int) -> str:
    """Return *number* in the digits of a source map (base 64, variable length, sign last).

    >>> _vlq(0), _vlq(-1), _vlq(16)
    ('A', 'D', 'gB')
    """
    left = -number << 1 | 1 if number < 0 else number << 1
    said = ""
    while True:
        left, digit = left >> 5, left & 31
        said += _DIGITS[digit | 32 if left else digit]
        if not left:
            return said


def style(*names: str) -> str:
    """Return the styles *names*, with what they import in its place, as one."""
    return "\n".join(part for name in names for part in _styles(name, set()))


def _styles(name: str, seen: set[str]) -> Iterator[str]:
    if name in seen or not (STATIC / name).is_file():
        return
    seen.add(name)
    text = squeezed((STATIC / name).read_text("utf-8"), ".css")
    for given in _STYLE.findall(text):
        yield from _styles(posixpath.normpath(posixpath.join(posixpath.dirname(name), given)), seen)
    yield _STYLE.sub("", text)
