"""Gaps are closed by edits and additions, each checked; a table that is wrong after it is said to be wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER as TABLES
from verifier.arithmetic.semantics import Semantics
from verifier.errata.tables import Source, read_construction, read_with_errata
from verifier.repair.search import Search, State
from verifier.repair.tables import Table

FOLDER = Path(__file__).parents[3] / "docs" / "examples"


def searched(path: Path, *points: dict[str, int], limit: int = 5000, most: int = 2) -> Search:
    return Search(Table(read_construction(path), points, Semantics(), 1 << 20), limit).run(most=most)


def changed(tmp_path: Path, name: str, *pairs: tuple[str, str]) -> Path:
    text = (FOLDER / f"{name}.toml").read_text()
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def first(made: Search) -> list[str]:
    assert made.found, made.before
    return [str(change) for change in made.found[0].edits]


def test_a_clause_that_is_missing_reads_the_bits_that_are_meant(tmp_path: Path) -> None:
    path = changed(tmp_path, "greater-than", ('[[input]]\ni = "[m + 1 : 2*m]"\nreads = "z[i - m]"\n', ""))
    made = searched(path, {"m": 2}, {"m": 3})
    assert first(made) == ['add [[input]] i = "[m + 1 : 2*m]", reads = "z[i - m]"']
    assert made.found[0].state is State.RIGHT
    assert made.closed, "reading y again also closes the gap"
    assert all(then.state is State.WRONG for _, then in made.closed)


def test_two_gaps_are_closed_one_after_the_other(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "greater-than",
        ('[[input]]\ni = "2*m + 1"\nreads = 0\n', ""),
        ('i = "[m + 1 : 2*m]"\nzero', 'i = "[m + 1 : 2*m - 1]"\nzero'),
    )
    made = searched(path, {"m": 2})
    assert set(first(made)) == {'add [[input]] i = "2*m + 1", reads = "0"', "row.2.i: [m + 1 : 2*m - 1] → [m + 1 : 2*m]"}
    assert made.found[0].state is State.RIGHT


def test_what_no_candidate_closes_has_no_proposal(tmp_path: Path) -> None:
    path = changed(tmp_path, "parity", ('last = "m + 1"', 'last = "m + 7"'))
    made = searched(path, {"m": 1}, limit=100)
    assert made.before.state is State.ILL_FORMED
    assert not made.found


def test_a_right_table_has_nothing_to_mend() -> None:
    made = searched(FOLDER / "parity.toml", {"m": 3})
    assert (made.nothing, made.found, made.considered) == (True, [], 0)


def test_the_limit_ends_it(tmp_path: Path) -> None:
    path = changed(tmp_path, "parity", ('"2 if j % 2 == 0 else -2"', '"3 if j % 2 == 0 else -2"'))
    made = searched(path, {"m": 3}, limit=5)
    assert (made.complete, made.considered) == (False, 5)


def test_a_table_that_breaks_its_expectations_is_mended_too(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "majority",
        ("one = [1, 1]", "one = [1, 2]"),
        ('bias = "-floor(m/2)"', 'bias = "-m"'),
        ('weights = [1]\nbias = "-floor(m/2) - 1"', 'weights = [1]\nbias = "-m - 1"'),
    )
    made = searched(path, {"m": 3})
    assert (made.before.state, made.broken) == (State.RIGHT, ("count",))
    assert not made.found


def test_the_errata_add_the_clause_and_are_named(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = changed(tmp_path, "parity", ('[[input]]\ni = "m + 1"\nreads = 0\n', ""))
    document = json.loads(verify("repair mine.toml --m 3 --format json --output errata.toml").out)
    assert document["repairs"][0]["added"] == [{"i": "m + 1", "reads": 0}]
    errata = tomllib.loads(Path("errata.toml").read_text())
    assert errata["clause"][0]["i"] == "m + 1"
    source: Source = read_with_errata(path, Path("errata.toml"))
    assert source.names == {"added-1"}
    assert len(source.repaired().input) == len(source.repaired(["added-1"]).input) + 1
    assert verify("construction mine.toml --m 3 --errata errata.toml").status == 0


@pytest.mark.campaign
def test_pairs_with_a_gap_are_mended_by_an_addition(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (TABLES / "witness-t0-simple.toml").read_text()
    raw = tomllib.loads(text)
    gone = next(entry for entry in raw["input"] if entry["reads"] == 0)
    old = f'i = "{gone["i"]}"' if isinstance(gone["i"], str) else f"i = {gone['i']}"
    start = text.rindex("[[input]]", 0, text.index(old, text.index("[[input]]")))
    end = text.index("[[", start + 2)
    Path("mine.toml").write_text(text[:start] + text[end:])
    found = verify("repair mine.toml --p 3")
    assert (found.status, "add [[input]]" in found.out) == (0, True), found.out + found.err


@pytest.mark.campaign
def test_a_table_that_is_not_about_pairs_is_mended_by_two_symbols(tmp_path: Path) -> None:
    node = ("weights = [1, -1]\nbias = 0\n\n[[mlp", "weights = [1, -2]\nbias = 1\n\n[[mlp")
    made = searched(changed(tmp_path, "greater-than", node), {"m": 2}, limit=50_000)
    assert (made.complete, made.symbols) == (True, 2)
    assert {"mlp.hidden.1.weights.2: -2 → -1", "mlp.hidden.1.bias: 1 → 0"} in [{str(e) for e in repair.edits} for repair in made.found]
    assert not searched(changed(tmp_path, "greater-than", node), {"m": 2}, most=1).found


@pytest.mark.campaign
def test_what_closes_a_gap_and_is_not_enough_is_wrong(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    clause = ('[[input]]\ni = "[m + 1 : 2*m]"\nreads = "z[i - m]"\n', "")
    changed(tmp_path, "greater-than", clause, ("weights = [1, -1]\nbias = 0\n\n[[mlp", "weights = [1, -3]\nbias = 2\n\n[[mlp"))
    done = verify("repair mine.toml --m 2 --symbols 1 --output errata.toml")
    assert (done.status, "not enough:" in done.out, "then wrong: m = 2: y = " in done.out) == (3, True, True), done.out
    assert "# It is not enough: wrong." in Path("errata.toml").read_text()
