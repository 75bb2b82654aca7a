"""No result may be conditional on what a claim of ours refutes: such rows are planted, and found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import shelved, the_paper
from tests.verifier.gate.toy import CLAIM, TOY
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import Paper, find_claim
from verifier.claims.records import Part
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.objections import conditional_on_refuted
from verifier.gate.run import run_claims

COUNT, FIRST, PAIRS = "toy/lemma-1:count", "toy/lemma-2:first", "toy/lemma-1:pairs"

PLANTED = [
    ("refuted at the point", Part(COUNT), "which lemma-1:count --p 1 refutes: it has to be open"),
    ("refuted at another point, and silent here", Part(FIRST), "which lemma-2:first --p 2 refutes, and lemma-2:first says nothing here"),
    ("refuted where the parameters lead", Part(FIRST, {"p": "p + 1"}), "which lemma-2:first --p 2 refutes: it has to be open"),
    ("verified", Part(PAIRS), None),
    ("decided by nothing", None, "and no claim decides it"),
]


def toy_with(supports: Mapping[str, Part], holder: str) -> tuple[Paper, Result]:
    """The paper of three statements, of which one names what decides an assumption; and Lemma 1 at p = 1, conditional on it."""
    paper = the_paper("toy")
    read = {s.name: replace(s, supports=dict(supports)) if s.name == holder else s for s in paper.statements()}
    planted = Outcome(Verdict.CONDITIONAL, Scope("planted", 1), assumptions=("even",))
    return Paper(paper.folder, paper.package, paper.raw, read), Result("toy/lemma-1", Edition.REPAIRED, {"p": 1}, None, planted)


@pytest.mark.parametrize(("part", "fault"), [row[1:] for row in PLANTED], ids=[row[0] for row in PLANTED])
@pytest.mark.parametrize("holder", ["lemma-1", "theorem-3"], ids=["named by the claim", "named by another claim"])
def test_a_planted_row_is_found(part: Part | None, fault: str | None, holder: str) -> None:
    with shelved():
        paper, result = toy_with({"even": part} if part else {}, holder)
        results = {**run_claims(paper, errata=False).results, "toy/lemma-1": [result]}
        lines = list(conditional_on_refuted(paper, results))
    assert len(lines) == (fault is not None)
    for line in lines:
        assert line.startswith("toy/lemma-1 --p 1: repaired is conditional on even, ")
        assert fault is not None
        assert fault in line


def test_a_row_of_the_paper_made_conditional_again_is_found() -> None:
    """Lemma 2.5 at p = 5, whose count needs that three bits are 2^3 messages: open as it is."""
    claim, a4 = find_claim("every-bit-counts/lemma-2.5"), read_semantics("a4")
    paper = the_paper("every-bit-counts")
    outcome = Session().outcome(claim, Edition.REPAIRED, {"p": 5}, a4)[0]
    assert outcome.verdict is Verdict.OPEN
    for verdict, assumptions, lines in ((Verdict.OPEN, (), 0), (Verdict.CONDITIONAL, ("p-bits-per-number",), 1)):
        planted = replace(outcome, verdict=verdict, assumptions=assumptions)
        result = Result(claim.id, Edition.REPAIRED, {"p": 5}, "a4", planted)
        found = list(conditional_on_refuted(paper, {claim.id: [result]}))
        assert len(found) == lines
        assert all("p-bits-per-number, which section-a.3:p-bits-per-number --p 4 refutes" in line for line in found)


def test_verify_check_fails(verify: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("verifier.commands.gate.catalogue", lambda: {CLAIM.id: CLAIM})
    papers = {"sound": TOY, "planted": replace(TOY, raw={k: v for k, v in TOY.raw.items() if k != "assumptions"})}
    for name, status in (("sound", 0), ("planted", 1)):
        monkeypatch.setattr("verifier.commands.report.papers", lambda name=name: (papers[name],))
        assert verify("check --update --output", str(tmp_path)).status == status
        done = verify("check --output", str(tmp_path))
        assert done.status == status
        wanted = f"{CLAIM.id} --n 4 --t 9: repaired is conditional on small, and no claim decides it" if status else "up to date"
        assert wanted in done.out
