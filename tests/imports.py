"""What a module of the program imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.running.results import ROOT


def imported(module: str, seen: set[str] | None = None) -> set[str]:
    """The modules of the program that a module imports, at its top or in a function, but for types, and what these import."""
    found = set() if seen is None else seen
    place = ROOT / module.replace(".", "/")
    path = next((each for each in (place.parent / f"{place.name}.py", place / "__init__.py") if each.is_file()), None)
    if module in found or path is None:
        return found
    found.add(module)
    for name in _names(ast.parse(path.read_text(encoding="utf-8"))):
        imported(name, found)
    return found


def _names(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.ImportFrom) and child.module:
            yield from (child.module, *(f"{child.module}.{each.name}" for each in child.names))
        yield from _names(child)


def outside(module: str, parts: tuple[str, ...]) -> list[str]:
    """The files that a module imports and that begin with none of these."""
    files = (f"{name.replace('.', '/')}.py" for name in imported(module) if not (ROOT / name.replace(".", "/")).is_dir())
    return sorted(file for file in files if not file.startswith(parts))
