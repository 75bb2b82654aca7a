"""Which way imports run, also those inside functions and those for types alone."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("bitreferee", "constructions", "lowerbounds", "verifier")


def modules() -> dict[str, Path]:
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def named(node: ast.AST, package: list[str]) -> list[str]:
    """Every module that an import could mean."""
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    above = package[: len(package) + 1 - node.level] if node.level else []
    module = ".".join([*above, *filter(None, [node.module])])
    return [module, *(f"{module}.{name.name}" for name in node.names)]


def circles(files: dict[str, str], packages: set[str]) -> set[frozenset[str]]:
    """Modules that reach each other. An ``__init__`` counts where it has a name of its own that is asked for."""
    import networkx as nx

    graph = nx.DiGraph()
    for name, text in files.items():
        package = name.split(".") if name in packages else name.split(".")[:-1]
        for node in ast.walk(ast.parse(text)):
            for found in named(node, package):
                if found in files and found not in packages | {name}:
                    graph.add_edge(name, found)
    return {frozenset(each) for each in nx.strongly_connected_components(graph) if len(each) > 1}


def test_no_circle_is_new() -> None:
    found = modules()
    assert len(found) > 300
    packages = {name for name, path in found.items() if path.name == "__init__.py"}
    assert circles({name: path.read_text(encoding="utf-8") for name, path in found.items()}, packages) == set()


def test_circles_are_found_wherever_the_import_stands() -> None:
    texts = {
        "a.one": "from a import two",
        "a.two": "def f():\n    from a.three import x",
        "a.three": "if TYPE_CHECKING:\n    from .one import y",
        "a.four": "import a.one",
    }
    assert circles(texts, {"a"}) == {frozenset({"a.one", "a.two", "a.three"})}
    for cut, _ in pairwise(("a.one", "a.two", "a.three")):
        assert circles({**texts, cut: ""}, {"a"}) == set()
