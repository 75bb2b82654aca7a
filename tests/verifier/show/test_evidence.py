"""The table of evidence says what each statement rests on, and changes with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import shelved
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim, find_paper
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.commands.show import evidence_lines as lines
from verifier.gate.run import Run
from verifier.kernel import answer_cache
from verifier.kernel.checking import Checked
from verifier.kernel.coq import Coq
from verifier.kernel.folders import read_folder
from verifier.show.evidence import Evidence, Table, counts, evidence

COQ = Coq("coqc", "coqchk", "8.16.1")


def paper(name: str, *statements: str) -> Paper:
    """A paper with these of its statements alone."""
    found = find_paper(name)
    assert found is not None
    return replace(found, raw={**found.raw, "section": [{"title": "1", "statements": list(statements)}]}, _read={})


def judged(claim: Claim, *points: dict[str, int]) -> list[Result]:
    session = Session()
    found = [(point, session.outcome(claim, Edition.STATEMENT, point, DEFAULT_SEMANTICS)) for point in points]
    return [Result(claim.id, Edition.STATEMENT, claim.complete(point), "a4", *outcome) for point, outcome in found]


def of(paper: Paper, run: Run) -> dict[str, Evidence]:
    return {each.claim.name: each for each in evidence(paper, run)}


def run_of(paper: Paper, *points: dict[str, int]) -> Run:
    return Run({claim.id: judged(claim, *points) for claim in paper.statements()}, {})


def test_finite_checks_say_why_and_a_refutation_moves_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "installed_coq", lambda: None)
    lemma = paper("every-bit-counts", "section-2.1", "lemma-2.3")
    run = Run({**run_of(paper("every-bit-counts", "lemma-2.3"), {"p": 2}, {"p": 3}).results, "every-bit-counts/section-2.1": []}, {})
    found = of(lemma, run)
    assert list(found) == ["lemma-2.3"]
    assert found["lemma-2.3"].rests == "finite checks"
    assert "at p=2..3" in found["lemma-2.3"].why
    (first, second) = run.results["every-bit-counts/lemma-2.3"]
    changed = replace(second, outcome=replace(second.outcome, verdict=Verdict.REFUTED, reason="changed", witness=None))
    assert of(lemma, Run({**run.results, "every-bit-counts/lemma-2.3": [first, changed]}, {}))["lemma-2.3"].rests == "counterexample"


def test_the_kernel_s_word_decides_whether_a_theorem_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    lemma = paper("every-bit-counts", "lemma-2.6")
    run = run_of(lemma, {"p": 1}, {"p": 2}, {"p": 3})
    monkeypatch.setattr(answer_cache, "installed_coq", lambda: None)
    without = of(lemma, run)["lemma-2.6"]
    assert without.rests == "finite checks"  # p = 1 is not meant
    assert "theorem denominator_first_computes_equality of Proof.v does not count: Coq is not installed" in without.why
    assert "no theorem" not in without.why
    (linked,) = evidence(lemma, run, asks_kernel=False)
    assert linked.rests == "kernel"
    monkeypatch.setattr(answer_cache, "installed_coq", lambda: COQ)
    folder = read_folder(lemma.id, lemma.folder / "proofs")
    answer_cache.keep(folder, COQ, [Checked(theorem, ()) for theorem in folder.listing.theorem])
    found = of(lemma, run)["lemma-2.6"]
    assert found.rests == "kernel"
    assert found == linked
    assert found.evidence[0].startswith("true for every p >= 3 and n >= 4*p + 2 (Coq 8.16.1, theorem denominator_first_computes_equality")
    assert found.evidence[0].endswith("of TwoBitsProof.v); false at p = 1 (degenerate)")
    assert any(line.startswith("Lemma 2.6, denominator first: true for every p >= 3") for line in found.evidence)


def test_a_theorem_against_a_part_leads_the_row_of_the_whole() -> None:
    whole = paper("every-bit-counts", "theorem-2.4", "lemma-2.5", "lemma-2.6")
    run = run_of(whole, {"p": 1}, {"p": 2}, {"p": 3})
    (found,) = (each for each in evidence(whole, run, asks_kernel=False) if each.claim.name == "theorem-2.4")
    assert found.rests == "kernel"
    assert found.evidence[0] == (
        "false for every p >= 3 (Coq 8.16.1, theorem two_bits_compute_equality of TwoBitsProof.v): Lemma 2.5; "
        "true for p = 2; false at p = 1 (degenerate)"
    )
    alone = replace(found.claim, exists="representation")
    assert "false for every" not in Table(run, asks_kernel=False).of(alone).evidence[0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("every-bit-counts/theorem-1.1", None),  # there may be another representation than the one that fails
        ("every-bit-counts/theorem-2.4", "kernel"),  # one half is refuted
        ("fixed-point-networks/equation-13", "kernel"),
        ("fixed-point-networks/lemma-7", "kernel"),
        ("fixed-point-networks/lemma-8:copies", None),
    ],
)
def test_theorems_decide_a_whole_by_all_its_parts(name: str, expected: str | None) -> None:
    assert Table(Run({}, {}), asks_kernel=False).everywhere(find_claim(name)) == expected


def test_a_theorem_about_one_part_does_not_decide_the_whole() -> None:
    table, lemma = Table(Run({}, {}), asks_kernel=False), find_claim("fixed-point-networks/lemma-7")
    (first, *others) = lemma.parts
    without = replace(first, claim="fixed-point-networks/lemma-8:copies")
    assert table.everywhere(replace(lemma, parts=(first, *others))) == "kernel"
    assert table.everywhere(replace(lemma, parts=(without, *others))) is None


def test_a_theorem_decides_the_points_that_a_sample_leaves_open() -> None:
    equation = paper("fixed-point-networks", "equation-10")
    run = run_of(equation, {"p": 1, "s": 1}, {"p": 2, "s": 1})
    assert {result.verdict for results in run.results.values() for result in results} == {Verdict.OPEN}
    (linked,) = evidence(equation, run, asks_kernel=False)
    assert linked.rests == "kernel"
    assert all("open for" not in said for said in linked.evidence)


def test_a_formula_rests_on_symbols() -> None:
    with shelved():
        toy = paper("toy", "lemma-1")
        found = of(toy, run_of(toy, {"p": 1}))
    assert found["lemma-1"].rests == "symbols"
    listed = list(found.values())
    assert sum(number for _, number in counts(listed)) == 1
    assert lines(listed)[-1].startswith("finite checks only (")


def test_an_unknown_paper_is_an_error(verify: CommandLine) -> None:
    assert verify("show", "no-such-paper").status == 2
