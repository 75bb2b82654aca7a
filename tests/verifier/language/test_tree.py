"""Our tree beside Python's own: every formula of the project prints as Python prints it, and is read from there again."""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given

from tests.verifier.language.meanings import FORMULAS
from tests.verifier.language.random_formulas import formulas
from verifier.language.definitions import with_meanings
from verifier.language.printer import printed
from verifier.language.syntax import Decimal, parse
from verifier.language.tree import Name, Node
from verifier.running.errors import InputError

ROOT = Path(__file__).parents[3]


def texts_of(entry: object) -> Iterator[str]:
    """Every text of a file that may be a formula."""
    match entry:
        case str():
            yield entry
        case dict():
            for value in entry.values():
                yield from texts_of(value)
        case list():
            for value in entry:
                yield from texts_of(value)


@cache
def formulas_of(folder: Path) -> dict[str, Node]:
    """The formulas that stand in the files of a folder; other texts, such as sentences, are refused by the parser."""
    found = {}
    for file in sorted(folder.rglob("*.toml")):
        for text in texts_of(tomllib.loads(file.read_text(encoding="utf-8"))):
            try:
                found[text] = parse(text)
            except InputError:
                continue
    return found


PAPERS = sorted(folder.parent.name for folder in ROOT.glob("constructions/*/statements"))


@pytest.mark.one_in(2)
@pytest.mark.long("every_bit_counts")
@pytest.mark.parametrize("paper", PAPERS)
def test_every_formula_of_a_paper_prints_as_python_prints_it(paper: str) -> None:
    found = formulas_of(ROOT / "constructions" / paper)
    assert len(found) >= 50
    for text, tree in found.items():
        expected = ast.parse(text.strip(), mode="eval").body
        for node in ast.walk(expected):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                node.value = Decimal(ast.get_source_segment(text.strip(), node) or "")  # type: ignore[assignment]
        assert printed(tree) == ast.unparse(expected)
        assert parse(printed(tree)) == tree


@pytest.mark.parametrize("text", FORMULAS["brackets"])
def test_brackets(text: str) -> None:
    tree = parse(text)
    assert parse(printed(tree)) == tree
    if "." not in text:
        assert printed(tree) == ast.unparse(ast.parse(text, mode="eval"))


@given(formulas())
def test_what_is_printed_is_read_again(text: str) -> None:
    tree = parse(text)
    assert parse(printed(tree)) == tree


def test_a_decimal_is_not_the_integer_of_its_value() -> None:
    """Else a cache would give 1 for 1.0, and with it another text."""
    assert parse("x + 1.0") != parse("x + 1")
    assert printed(parse("x + 1.0")) == "x + 1.0"
    assert printed(parse("x + 1")) == "x + 1"


def test_bits_of_a_defined_name_are_those_of_the_string_that_it_stands_for() -> None:
    assert printed(with_meanings(parse("y[1] + y"), {"y": Name("z")})) == "z[1] + z"
    with pytest.raises(InputError, match=r"'y\[1\]': bits of a string were asked for, and y is 'a \+ 1'"):
        with_meanings(parse("y[1] + y"), {"y": parse("a + 1")})
