"""The page of thresholds: its bounds are those of the claims, and move with them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from constructions.every_bit_counts.commands import thresholds
from constructions.every_bit_counts.commands.thresholds import Row, Thresholds, as_markdown
from lowerbounds.alphabets import exclusion
from lowerbounds.last_bits import barriers
from lowerbounds.running_sums import RunningSums
from tests.command_line import CommandLine
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import Outcome, Verdict
from verifier.kernel import coq
from verifier.running.errors import InputError


@pytest.fixture(autouse=True)
def without_coq(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coq, "installed_coq", lambda: None)


def test_the_bounds_of_each_p_are_counted_or_searched() -> None:
    rows = {row.over: row for row in Thresholds().at(range(2, 13))}
    assert (rows["p = 4"].fewest, rows["p = 5"].fewest) == ("4", "4 to 5")
    assert rows["p = 5"].open
    for p in range(2, 13):
        least = int(rows[f"p = {p}"].least)
        assert least <= p
        assert p == 4 or exclusion(read_semantics("narrative"), least - 1, 2 * p - 1).proves
        assert not exclusion(read_semantics("narrative"), least, 2 * p - 1).proves


def test_without_the_search_the_bound_at_four_is_weaker(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Thresholds._asked

    def weaker(self: Thresholds, claim: str, *words: object, **values: object) -> Outcome:
        found = asked(self, claim, *words, **values)  # type: ignore[arg-type]
        return replace(found, verdict=Verdict.OPEN) if claim == "theorem-2.4:one-sum" else found

    monkeypatch.setattr(Thresholds, "_asked", weaker)
    (row,) = Thresholds().at([4])
    assert row.fewest == "3 to 4"


def test_every_reading_has_a_row_and_a_theorem_that_ships_counts() -> None:
    rows = list(Thresholds().rows())
    assert [row.fewest for row in rows] == ["2", "2", "3 to p", "p to p + 1", "p"]
    assert rows[-1].above == "theorem both_halves of SplitTheorem.v (kernel)"
    assert "finitely many sums" in rows[0].above


def test_a_cell_is_open_where_its_bounds_differ() -> None:
    assert not Row("", "", "p", "p", "", "").open
    assert Row("", "", "p", None, "", "").open
    found = Thresholds()
    assert "| token order | p − 1 or p (open) for p = 5; 3 to p (open) for every larger p |" in as_markdown(
        list(found.rows()), list(found.at([5])), list(found.on_a_grid([3]))
    )


def test_the_best_tables_of_searches_are_counted_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (found,) = [each for each in thresholds.searches() if each.table.bits == 3]
    assert (found.states, found.length, found.apart) == (115, 6, 64)
    changed = tmp_path / "searches.toml"
    monkeypatch.setattr(thresholds, "FILE", changed)
    for tokens, apart in ((["0 0 | 0 0"], 1), (["1/4 1/4 | 3/4 1/4"], 2), (["7 1/4 | 3/4 1/4"], 0)):
        changed.write_text(f'[[table]]\nbits = 3\ncoupling = "product"\ntokens = {tokens}\n')
        assert [each.apart for each in thresholds.searches()] == [apart]
    changed.write_text("[[table]]\nbits = 3\ntokens = []\n")
    with pytest.raises(InputError, match="coupling"):
        list(thresholds.searches())


def test_the_page_says_how_far_searches_went() -> None:
    (found,) = [each for each in thresholds.searches() if each.table.bits == 3]
    assert str(found) == "| 6 bits | 3 bits | 115 | 64 | 64 |"
    assert str(found) in as_markdown(list(Thresholds().rows()), [], [], [found])


@pytest.mark.campaign
def test_the_page_says_what_is_excluded_where_it_is_open() -> None:
    """Counted by sets: an edge is two images of a state; whatever pair of maps is excluded has no 32 disjoint edges (Edmonds)."""
    nx = pytest.importorskip("networkx")
    text, sums = thresholds.bounds(), RunningSums(read_semantics("narrative"), 3, "any")
    _, left = barriers(sums, 6, exact=False)
    excluded = sorted({*combinations(sums.maps.values(), 2)} - {*left}, key=str)
    assert f"{len(excluded) + len(left):,} ways. After {len(excluded):,} of these, fewer than 2^6 strings" in text
    known, image = {*sums.states}, {move: [sums.moved(s, move) for s in sums.states] for move in sums.maps.values()}
    for zero, one in Random(6).sample(excluded, 60):
        edges = [(u, v) for u, v in zip(image[zero], image[one], strict=True) if u != v and u in known and v in known]
        assert len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True)) < 32
    levels = sorted(Counter(d for _, d in RunningSums(read_semantics("narrative"), 4, "any").states).values())
    assert sum(levels[-12:]) < 512 <= sum(levels[-13:])
    assert "need at least 13 of the 21 denominators" in text


def test_the_command_writes_the_page(verify: CommandLine, tmp_path: Path) -> None:
    done = verify("show every-bit-counts --thresholds", "--p", "3", "--output", str(tmp_path / "page.md"))
    assert done.status == 3
    assert "token order, free point, p = 3: 3 bits" in done.out
    assert "| token order, fixed splits | every p ≥ 3 | p |" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_the_page_explains_each_kind_of_reason_that_its_cells_name() -> None:
    whole, free, grid = Thresholds().tables(5)
    reasons = [text for row in (*whole, *free, *grid) for cell in (row.below, row.above) for text in cell.split("; ")]
    kinds = {text.partition(":")[0] for text in reasons if ":" in text}
    assert {"counting", "exhaustive search", "every pair", "finitely many sums", "computer algebra"} == kinds
    assert all(f"* *{kind.capitalize()}*" in thresholds._text("about") for kind in kinds)
