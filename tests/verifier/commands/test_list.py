"""``verify list`` as a document."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import CommandLine
from verifier.claims.papers import find_claim, papers


def test_the_document_has_every_claim_with_its_steps_behind_it(verify: CommandLine) -> None:
    made = verify("list --steps --format json").document
    assert made["schema"] == "bitreferee/claims/1"
    assert [c["id"] for c in made["claims"]] == [claim.id for paper in papers() for claim in paper]


def test_a_record_says_what_the_file_says(verify: CommandLine) -> None:
    first, *steps = verify("list lemma-2.6 --format json").document["claims"]
    claim = find_claim("every-bit-counts/lemma-2.6")
    assert (first["id"], first["says"], first["role"], first["table"]) == (claim.id, claim.statement, None, "table-6")
    assert [(p["name"], p["typical"], p["default"]) for p in first["parameters"]] == [("p", "1..8", None), ("n", None, "4*p + 2")]
    assert [(c["id"], c["role"]) for c in steps] == [(step.id, step.role) for step in claim.steps]


def test_it_can_be_written_to_a_file(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "claims.json"
    assert verify(f"list slope --format json --output {path}").out == ""
    assert "slope" in path.read_text(encoding="utf-8")
    assert verify(f"list --output {path}").status == 2


def test_one_paper_alone(verify: CommandLine) -> None:
    made = verify("list --paper piecewise-affine --format json").document
    assert {c["id"].partition("/")[0] for c in made["claims"]} == {"piecewise-affine"}
    words = verify("list slope --paper piecewise-affine --format json").document["claims"]
    assert 0 < len(words) < len(verify("list --steps --paper piecewise-affine --format json").document["claims"])
    assert verify("list --paper nobody").status == 2
    assert "every-bit-counts is another paper" in verify("list every-bit-counts --paper piecewise-affine").err
    assert "no paper 'nobody'" in verify("proofs --paper nobody").err
