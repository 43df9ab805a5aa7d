"""Source in, small mistakes out: each edit of its syntax tree is one that a tired programmer could make.

What is said to people, types, docstrings and decorators are left alone: a mistake there is none of logic; so
are assertions (`assert`, zip's `strict`), which change nothing while they hold.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "iter"}
# In statements for the database.
IN_STRINGS = {
    "= FULL": "= OFF",
    "= WAL": "= DELETE",
    " DESC": " ASC",
    "max(": "min(",
    " = ?": " <> ?",
    "BEGIN IMMEDIATE": "BEGIN",
    "COMMIT": "ROLLBACK",
    " ORDER BY seq": "",
    "LIMIT 200": "LIMIT 1",
    "mode=rwc": "mode=ro",
}
SAID = {"text", "texts", "_", "ngettext", "N_", "t", "listing", "cast", "TypeVar", "getLogger"}
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_NOT_LOGIC = (ast.Import, ast.ImportFrom, ast.Assert, ast.Global, ast.Nonlocal)
# Fields that say what is a type, or what decorates.
_LEFT_ALONE = ("annotation", "returns", "decorator_list", "type_params", "pattern", "exc", "cause")


@dataclass(frozen=True)
class Edit:
    """One change: `apply` makes it in the tree and returns what takes it back."""

    line: int
    scope: str  # the function's qualified name; "" outside of all
    was: str
    now: str
    apply: Callable[[], Callable[[], None]]


def edits(tree: ast.Module) -> list[Edit]:
    """Return every edit of *tree*, in the order of the source."""
    return list(_Finder().block(tree, "", ""))


class _Finder:
    """Walks a tree; `scope` is the outermost function around, `name` the names of all around."""

    def block(self, node: ast.AST, name: str, scope: str) -> Iterator[Edit]:
        """Yield the edits of the statements in *node*."""
        for field in _BLOCKS:
            held = getattr(node, field, None)
            for index, stmt in enumerate(held if isinstance(held, list) else []):
                is_text = isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
                if is_text or isinstance(stmt, _NOT_LOGIC):
                    continue
                yield from self.statement(node, field, index, stmt, name, scope)

    def statement(
        self, holder: ast.AST, field: str, index: int, stmt: Any, name: str, scope: str
    ) -> Iterator[Edit]:
        """Yield the edits of one statement, of what is in it and of those below it."""
        if isinstance(stmt, ast.ClassDef):
            if "Protocol" not in {ast.unparse(base) for base in stmt.bases}:
                yield from self.block(stmt, _join(name, stmt.name), scope)
            return
        if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef):
            here = _join(name, stmt.name)
            for part in ("defaults", "kw_defaults"):
                yield from self.parts(stmt.args, part, stmt, here, scope)
            yield from self.block(stmt, here, scope or here)
            return
        if isinstance(stmt, ast.If) and ast.unparse(stmt.test) in {"TYPE_CHECKING", "__name__ == '__main__'"}:
            return
        yield from self._dropped(holder, field, index, stmt, scope)
        for new in _instead(stmt):
            yield self._edit_statement(holder, field, index, stmt, ast.copy_location(new, stmt), scope)
        for part, value in ast.iter_fields(stmt):
            if part not in _BLOCKS and part not in _LEFT_ALONE and isinstance(value, ast.AST | list):
                yield from self.parts(stmt, part, stmt, name, scope)
        if isinstance(stmt, ast.If | ast.While):
            yield from self._turned(stmt, stmt, scope)
        yield from self.block(stmt, name, scope)

    def parts(self, node: Any, field: str, stmt: Any, name: str, scope: str) -> Iterator[Edit]:
        """Yield the edits of the expressions in a field of *node*."""
        held = getattr(node, field)
        for index, part in enumerate(held) if isinstance(held, list) else [(None, held)]:
            if isinstance(part, ast.AST):
                yield from self.expression(_Place(node, field, index), part, stmt, name, scope)

    def expression(self, place: _Place, node: ast.AST, stmt: Any, name: str, scope: str) -> Iterator[Edit]:
        """Yield the edits of an expression and of what is in it."""
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in SAID:
            return
        for new in _instead(node):
            there = new if hasattr(new, "lineno") else ast.copy_location(new, node)
            yield self._edit(place.put(there), node, stmt, scope)
        if isinstance(node, ast.comprehension):
            for index in range(len(node.ifs)):
                yield self._edit(_without(node.ifs, index), node.ifs[index], stmt, scope)
        if isinstance(node, ast.IfExp):
            yield from self._turned(node, stmt, scope)
        if isinstance(node, ast.keyword) and node.arg == "strict":  # of zip: as much an assertion as `assert`
            return
        for field, value in ast.iter_fields(node):
            if field not in _LEFT_ALONE and isinstance(value, ast.AST | list):
                yield from self.parts(node, field, stmt, name, scope)

    def _turned(self, node: Any, stmt: Any, scope: str) -> Iterator[Edit]:
        """Yield the test turned round, where comparing otherwise does not do it already."""
        test = node.test
        if not isinstance(test, ast.Compare | ast.UnaryOp | ast.Constant):
            new = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
            yield self._edit(_Place(node, "test", None).put(new), test, stmt, scope)

    def _dropped(self, holder: Any, field: str, index: int, stmt: Any, scope: str) -> Iterator[Edit]:
        """Yield the statement left out, where nothing else would stumble over that at once."""
        kept = None
        if isinstance(stmt, ast.Expr | ast.Raise | ast.Delete | ast.AugAssign) or (
            isinstance(stmt, ast.Assign)
            and all(isinstance(target, ast.Attribute | ast.Subscript) for target in stmt.targets)
        ):
            kept = ast.Pass()
        elif isinstance(stmt, ast.Continue):
            kept = ast.Break()
        elif isinstance(stmt, ast.Break):
            kept = ast.Continue()
        abstract = isinstance(stmt, ast.Raise) and "NotImplementedError" in ast.unparse(stmt)
        if kept is not None and not abstract:
            new = ast.copy_location(kept, stmt)
            place = _Place(holder, field, index)
            was = _header(stmt)
            yield Edit(_line(stmt, stmt), scope, was, ast.unparse(new), place.put(new))

    def _edit_statement(self, holder: Any, field: str, index: int, stmt: Any, new: Any, scope: str) -> Edit:
        apply = _Place(holder, field, index).put(new)
        return Edit(stmt.lineno, scope, _header(stmt), _header(new), apply)

    def _edit(self, apply: Callable[[], Callable[[], None]], node: Any, stmt: Any, scope: str) -> Edit:
        was = _header(stmt)
        undo = apply()
        now = _header(stmt)
        undo()
        return Edit(_line(node, stmt), scope, was, now, apply)


@dataclass(frozen=True)
class _Place:
    """Where an expression or statement stands."""

    node: Any
    field: str
    index: int | None

    def put(self, new: ast.AST) -> Callable[[], Callable[[], None]]:
        """Return what puts *new* here."""

        def apply() -> Callable[[], None]:
            ast.fix_missing_locations(new)
            if self.index is None:
                old = getattr(self.node, self.field)
                setattr(self.node, self.field, new)
                return lambda: setattr(self.node, self.field, old)
            held = getattr(self.node, self.field)
            old = held[self.index]
            held[self.index] = new
            return lambda: held.__setitem__(self.index, old)

        return apply


def _without(held: list[Any], index: int) -> Callable[[], Callable[[], None]]:
    def apply() -> Callable[[], None]:
        old = held.pop(index)
        return lambda: held.insert(index, old)

    return apply


def _instead(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what could stand instead of *node*."""
    match node:
        case ast.Compare(left, ops, others):
            for n, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    yield ast.Compare(left, [*ops[:n], other(), *ops[n + 1 :]], others)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
            for n in range(len(values)):
                rest = [*values[:n], *values[n + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(left, op, right):
            if not _is_string(left) and not _is_string(right) and type(op) in CALCULATED:
                yield ast.BinOp(left, CALCULATED[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in CALCULATED:
            yield ast.AugAssign(target, CALCULATED[type(op)](), value)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(str() as value):
            yield from (
                ast.Constant(value.replace(old, new)) for old, new in IN_STRINGS.items() if old in value
            )
        case ast.Call(ast.Name(called), args, keywords) if called in CALLED:
            if called != "sorted" or not keywords:
                yield ast.Call(ast.Name(CALLED[called], ast.Load()), args, keywords)


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _header(stmt: Any) -> str:
    """Return a statement's text without the statements in it."""
    if isinstance(stmt, ast.match_case):
        guard = f" if {ast.unparse(stmt.guard)}" if stmt.guard else ""
        return f"case {ast.unparse(stmt.pattern)}{guard}:"
    if not hasattr(stmt, "body"):
        return ast.unparse(stmt)
    held = {field: getattr(stmt, field) for field in _BLOCKS if hasattr(stmt, field)}
    decorated = getattr(stmt, "decorator_list", None)
    try:
        for field in held:
            setattr(stmt, field, [])
        if decorated:
            stmt.decorator_list = []
        return ast.unparse(stmt).strip()
    finally:
        for field, value in held.items():
            setattr(stmt, field, value)
        if decorated:
            stmt.decorator_list = decorated


def _line(node: Any, stmt: Any) -> int:
    """Return where a node stands; a case stands where its pattern does."""
    for place in (node, stmt, getattr(stmt, "pattern", None)):
        if hasattr(place, "lineno"):
            return int(place.lineno)
    return 0


def _join(name: str, inner: str) -> str:
    return f"{name}.{inner}" if name else inner


@dataclass(frozen=True)
class Mutant:
    """One edit of one file. `nth` tells apart what reads the same; `number` counts the file's edits."""

    file: str
    number: int
    line: int
    scope: str
    was: str
    now: str
    nth: int

    @property
    def key(self) -> str:
        """What it is called in every list; the file's name is not in it, so that it may move."""
        return f"{self.scope} | {self.was} | {self.now} | {self.nth}"

    def tree(self, source: str) -> ast.Module:
        """Return the file's tree with this one mistake."""
        tree = ast.parse(source)
        edits(tree)[self.number].apply()
        return tree


def mutants(file: str, source: str) -> list[Mutant]:
    """Return all mutants of a file."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for number, edit in enumerate(edits(ast.parse(source))):
        same = (edit.scope, edit.was, edit.now)
        seen[same] += 1
        if edit.was != edit.now:
            found.append(Mutant(file, number, edit.line, edit.scope, edit.was, edit.now, seen[same]))
    return found
