"""Every one-site change of a module: the mistakes that one makes, each in one place of the syntax tree.

A change is named by the function that it is in and by the expression before and after, never by its line: the name stays while the code
around it moves. What only words a message (f-strings, ``raise``), annotates, asserts (``strict=``) or shows progress is left alone.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

BORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OTHERS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitXor: ast.BitOr,
}
PAIRS = [("min", "max"), ("any", "all"), ("floor", "ceil"), ("minimum", "maximum")]
PAIRS += [("INF", "NEG_INF"), ("ZERO", "ONE"), ("YES", "NO"), ("union", "intersection")]
NAMES = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
LEFT_ALONE = (ast.JoinedStr, ast.Raise, ast.AnnAssign, ast.Import, ast.ImportFrom)
"""An annotated assignment is entered for its value only."""


@dataclass(frozen=True)
class Mutant:
    """One change: the module's path, the function, ``before → after``; text: the module's, of which it is the change of this number."""

    module: str
    function: str
    change: str
    text: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.module} {self.function or 'module'}: {self.change}"

    @property
    def source(self) -> str:
        """The module's text with the change."""
        tree = ast.parse(self.text)
        every = ((place, index, after) for _, *place, index in sites(tree) for _, after in _changes(_get(*place, index)))
        place, index, after = next(islice(every, self.number, None))
        _set(*place, index, after)
        return ast.unparse(tree)


def mutants(module: str, text: str) -> Iterator[Mutant]:
    """Every one-site change of a module's text, in the order of the text."""
    seen = Counter[tuple[str, str]]()
    for number, (function, _, _, title, _) in enumerate(_every(ast.parse(text))):
        seen[function, title] += 1
        again = seen[function, title]
        yield Mutant(module, function, title if again == 1 else f"{title} ({again})", text, number)


def _every(tree: ast.AST) -> Iterator[tuple[str, tuple[ast.AST, str], int | None, str, ast.AST]]:
    """Every change: the function, where the node hangs, the change in words, and what is put there."""
    for function, holder, name, index in sites(tree):
        for title, after in changes(_get(holder, name, index)):
            yield function, (holder, name), index, title, after


Site = tuple[str, ast.AST, str, int | None]
"""The function that a node is in, and where the node hangs: its parent, the field, and the place in it where that is a list."""


def sites(tree: ast.AST, function: str = "") -> Iterator[Site]:
    """Every node that may be changed."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "type_comment", "type_params"):
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or _left_alone(node):
                continue
            inside = f"{function}.{node.name}".lstrip(".") if isinstance(node, ast.FunctionDef | ast.ClassDef) else function
            yield inside, tree, field, index
            yield from sites(node, inside)


def _left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.AnnAssign):
        return node.value is None or _type_alias(node)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.BitOr):
        return isinstance(node.targets[0], ast.Name) and node.targets[0].id[0].isupper()  # a union of types
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("advance", "TypeVar"):
        return True
    return isinstance(node, LEFT_ALONE)


def _type_alias(node: ast.AnnAssign) -> bool:
    return isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"


def _get(holder: ast.AST, field: str, index: int | None) -> ast.AST:
    value = getattr(holder, field)
    found: ast.AST = value if index is None else value[index]
    return found


def _set(holder: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[index] = node


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What is made of one node: (before → after, the node in its place)."""
    for part, after in _changes(node):
        shown = part if isinstance(part, ast.expr) else None
        title = f"{ast.unparse(shown)} → {_unparsed(after)}" if shown else _statement(node, after)
        yield title, after


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | None, ast.AST]]:
    match node:
        case ast.Compare():
            for k, op in enumerate(node.ops):
                yield node, _with(node, ops=[*node.ops[:k], BORDERS[type(op)](), *node.ops[k + 1 :]])
        case ast.BoolOp():
            for k in range(len(node.values)):
                rest = [*node.values[:k], *node.values[k + 1 :]]
                yield node, rest[0] if len(rest) == 1 else _with(node, values=rest)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            yield node, node.left
            yield node, node.right
        case ast.BinOp():
            if type(node.op) in OTHERS:
                yield node, _with(node, op=OTHERS[type(node.op)]())
            if isinstance(node.op, ast.Add | ast.Sub):
                yield node, node.left
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub()):
            yield node, node.operand
        case ast.Constant(value=bool()):
            yield node, ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield node, ast.Constant(node.value + 1)
        case ast.Name(id=name) if name in NAMES:
            yield node, _with(node, id=NAMES[name])
        case ast.Attribute(attr=name) if name in NAMES:
            yield node, _with(node, attr=NAMES[name])
        case ast.If() if not _type_checking(node):
            yield None, _with(node, test=ast.Constant(False))
        case ast.AugAssign(op=ast.Add() | ast.Sub()):
            yield None, _with(node, op=OTHERS[type(node.op)]())
        case ast.For():
            yield None, _with(node, iter=_short(node.iter))
        case ast.comprehension():
            yield None, _with(node, iter=_short(node.iter))
            for k in range(len(node.ifs)):
                yield None, _with(node, ifs=[*node.ifs[:k], *node.ifs[k + 1 :]])
        case ast.IfExp():
            yield node, node.body
            yield node, node.orelse


def _short(iterable: ast.expr) -> ast.expr:
    """All but the last of what a loop visits."""
    every = ast.List([ast.Starred(iterable, ast.Load())], ast.Load())
    return ast.Subscript(every, ast.Slice(None, ast.UnaryOp(ast.USub(), ast.Constant(1))), ast.Load())


def _with(node: ast.AST, **fields: object) -> ast.AST:
    found = copy.copy(node)
    for name, value in fields.items():
        setattr(found, name, value)
    return found


def _type_checking(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _unparsed(node: ast.AST) -> str:
    return ast.unparse(node).strip()


def _statement(before: ast.AST, after: ast.AST) -> str:
    """The head of a statement or of a comprehension's loop."""
    if isinstance(before, ast.If):
        return f"if {ast.unparse(before.test)} → if False"
    return " → ".join(_unparsed(node).splitlines()[0] for node in (before, after))
