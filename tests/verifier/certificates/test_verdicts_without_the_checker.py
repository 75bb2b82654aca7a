"""No verdict leans on the checker: with every function of it replaced by a constant, each answer stays the same."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from importlib import import_module
from io import BytesIO, TextIOWrapper
from multiprocessing import get_context
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from verifier import certificates
from verifier.commands.main import run
from verifier.commands.new import first_network

ROOT = Path(__file__).parents[3]
CHECKER = [each.name for each in pkgutil.iter_modules(certificates.__path__) if each.name.startswith("recheck")]
TABLE = str(ROOT / "constructions" / "every_bit_counts" / "tables" / "table-6.toml")
ASKED = [
    "precision {majority} --n 40..41 --arithmetic float16+sums=pairwise+division=output",
    f"construction {ROOT / 'tests' / 'good.toml'} --p 6",
    "precision gallery/parity --n 1..6 --arithmetic float16,e4m3",
    "precision gallery/lookup-hash --n 3..4 --arithmetic float32+sums=split:4,exact",
    f"construction {TABLE} --p 5",
]
RECHECKED = "recheck {certificate}"


def answered(line: str) -> tuple[int, str]:
    """The status and the screen of a command, without its times."""
    written = BytesIO()
    screen = TextIOWrapper(written, "utf-8", write_through=True)
    with redirect_stdout(screen):
        status = run(line.split())
    screen.detach()
    words = written.getvalue().decode().split()
    return status, " ".join(word for word in words if not word.replace(".", "").isdecimal() and word not in ("ms", "s"))


def functions() -> list[tuple[Any, str]]:
    """Every function and method of the checker: where it is, and its name there."""
    found: list[tuple[Any, str]] = []
    for name in CHECKER:
        module = import_module(f"verifier.certificates.{name}")
        owners = [module, *(each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__)]
        found += [(owner, key) for owner in owners for key, each in vars(owner).items() if isinstance(each, FunctionType)]
    return [(owner, key) for owner, key in found if key != "__init__"]


def answered_by_a_mutant(constant: Any, lines: list[str]) -> tuple[int, list[tuple[int, str]]]:
    """How many functions return the constant then, and the answers."""
    places = functions()
    changed: Callable[..., Any] = lambda *given, **named: constant  # noqa: E731
    for owner, key in places:
        setattr(owner, key, changed)
    return len(places), [answered(line) for line in lines]


def answered_by_mutants(line: str) -> list[tuple[int, str]]:
    """The answers with each of twenty functions in turn returning nothing."""
    places = functions()
    found = []
    for owner, key in places[:: len(places) // 20][:20]:
        before = getattr(owner, key)
        setattr(owner, key, lambda *given, **named: None)
        found.append(answered(line))
        setattr(owner, key, before)
    return found


TABLE_LINE = f"construction {ROOT / 'tests' / 'good.toml'} --p 4"
OTHER_LINES = [
    "precision gallery/first --n 1..2 --arithmetic e4m3",
    "precision gallery/parity --n 1..9 --arithmetic e4m3",
    "lemma-b.1 --m 3",
]


@pytest.mark.parametrize("line", [TABLE_LINE, *(pytest.param(line, marks=pytest.mark.campaign) for line in OTHER_LINES)])
def test_no_one_of_twenty_changes_of_the_checker_changes_a_verdict(line: str) -> None:
    """Of a right table; and of networks, one of them wrong, and of a fooling set."""
    with ProcessPoolExecutor(1, get_context("fork")) as other:
        found = other.submit(answered_by_mutants, line).result()
    assert found == [answered(line)] * 20


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("constant", "asked"), [(0, ASKED[:2]), *(pytest.param(x, ASKED, marks=pytest.mark.campaign) for x in (0, "", True))]
)
def test_a_mutant_of_the_checker_changes_no_verdict(constant: Any, asked: list[str], tmp_path: Path) -> None:
    (tmp_path / "majority.toml").write_text(first_network("mine"), encoding="utf-8")
    places = {"majority": tmp_path / "majority.toml", "certificate": tmp_path / "first.json"}
    lines = [line.format(**places) for line in (*asked, RECHECKED)]
    assert run(f"precision gallery/first --n 1..2 --arithmetic float16 --certificate {places['certificate']}".split()) == 0
    with ProcessPoolExecutor(1, get_context("fork")) as other:
        count, found = other.submit(answered_by_a_mutant, constant, lines).result()
    expected = [answered(line) for line in lines]
    assert count > 200
    assert found[:-1] == expected[:-1]
    assert found[-1] != expected[-1], "the checker was not changed"
    assert {0, 3} <= {status for status, _ in expected}
