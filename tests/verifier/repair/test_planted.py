"""Planted mistakes: a search finds the printed text again, or the file of mistakes says why it does not; a few are sessions, too."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.tables import FOLDER
from verifier.arithmetic.semantics import read_semantics
from verifier.errata.tables import Source, read_construction, read_with_errata
from verifier.judges.own_files import file_points
from verifier.repair.edits import printed_expressions
from verifier.repair.search import MOST_SYMBOLS, Search, State
from verifier.repair.tables import STATES, Table

MISTAKES = tomllib.loads(Path(__file__).with_name("planted.toml").read_text(encoding="utf-8"))["mistake"]


def planted(finding: dict[str, Any], folder: Path) -> tuple[Source, Source]:
    """The right table, and the one with the mistakes."""
    right = FOLDER / f"{finding['table']}.toml"
    text = right.read_text(encoding="utf-8")
    for printed, wrong in finding["changes"]:
        assert printed in text, printed
        text = text.replace(printed, wrong, 1)
    path = folder / "planted.toml"
    path.write_text(text, encoding="utf-8")
    return read_construction(right), read_construction(path)


def subject_at(source: Source, at: str, semantics: str = "a4") -> Table:
    ranges = dict(word.split("=") for word in at.split())
    return Table(source, file_points(source, ranges), read_semantics(semantics), STATES)


def searched(source: Source, at: str, symbols: int = MOST_SYMBOLS, limit: int = 2_000_000) -> Search:
    return Search(subject_at(source, at), limit).run(most=symbols, every=True)


@pytest.mark.campaign
@pytest.mark.parametrize("finding", MISTAKES, ids=[mistake["title"] for mistake in MISTAKES])
def test_a_search_finds_what_was_printed(finding: dict[str, Any], tmp_path: Path) -> None:
    right, wrong = planted(finding, tmp_path)
    before, after = dict(printed_expressions(right.raw)), dict(printed_expressions(wrong.raw))
    undone = {(at, str(before.get(at)), str(text)) for at, text in after.items() if before.get(at) != text}
    state = searched(wrong, finding["at"], finding.get("symbols", MOST_SYMBOLS))
    assert state.before.state not in (State.RIGHT, State.UNDECIDED), "nothing was planted"
    assert state.complete
    mended = any({(e.at, str(e.repaired), str(e.printed)) for e in repair.edits} == undone for repair in state.found)
    assert mended == ("cannot" not in finding), [str(e) for repair in state.found for e in repair.edits]


def without(names: list[str]) -> Source:
    """Table 6 of *Every Bit Counts* with all of our errata but these."""
    whole = read_with_errata(FOLDER / "table-6.toml", FOLDER / "table-6.errata.toml")
    file = whole.repaired(names)
    return Source(file, msgspec.to_builtins(file))


@pytest.mark.campaign
def test_the_errata_of_table_6_are_found_from_the_printed_table() -> None:
    """The two shifts; what is left then is that the precision lacks the output weights of the MLP."""
    subject = subject_at(read_construction(FOLDER / "table-6.toml"), "p=8..9")
    state = Search(subject).run(every=True)
    assert state.complete
    assert all(repair.state is State.LACKING for repair in state.found)
    state.rank([])
    best = state.found[0]
    assert {str(e) for e in best.edits} == {f"row.{step}.zero.2: -(h - 1) → -(h - 2)" for step in (1, 11)}


MLP = ("mlp-weight-2", "mlp-bias-2", "mlp-output-1", "mlp-output-2")


@pytest.mark.campaign
@pytest.mark.parametrize("names", list(combinations(MLP, 2)), ids=" and ".join)
def test_two_errata_of_the_mlp_of_table_6_are_found_in_their_absence(names: tuple[str, str]) -> None:
    """Step by step in matrix order: where one of the two is enough to answer rightly, it leaves entries that the precision lacks."""
    errata = read_with_errata(FOLDER / "table-6.toml", FOLDER / "table-6.errata.toml").errata
    assert errata is not None
    ours = {(e.place, str(e.repaired)) for e in errata.erratum if e.name in names}
    state = Search(subject_at(without(list(names)), "p=8..9")).run()
    assert any({(e.at, str(e.repaired)) for e in repair.edits} == ours for repair in state.found if repair.state is State.RIGHT)
