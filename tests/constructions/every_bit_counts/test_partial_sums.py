"""Statements inside the proofs: verified on the repaired tables, and refused where one entry of their rows is changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace

import pytest

from constructions.every_bit_counts import denominators_of_lemma_2_6, proof_of_lemma_2_3, proof_of_lemma_2_6
from verifier.statements.model import Claim, Limits, Question, _silent
from verifier.statements.session import Session
from verifier.construction.errata import Source
from verifier.construction.schema import CONSTRUCTION, ConstructionFile, shaped
from verifier.errors import LimitError
from verifier.semantics import NAMED
from verifier.verdicts import Edition, Finding, Verdict

PROOFS = (proof_of_lemma_2_3, proof_of_lemma_2_6, denominators_of_lemma_2_6)
CLAIMS = [claim for proof in PROOFS for claim in proof.chapter.claims]
A4 = NAMED["a4"]


class Neighbour:
    """Stands in for a table: its repaired file is the one given, for every edition."""

    def __init__(self, table: object, file: ConstructionFile) -> None:
        self.file_name = "neighbour.toml"
        self.errata = False
        source: Source = table.source  # type: ignore[attr-defined]
        self.source = replace(source, file=file, errata=None)


def ask(claim: Claim, edition: Edition) -> Finding:
    question = Question(claim, edition, claim.complete({"p": 8}), A4, Session(), Limits(1 << 20), _silent)
    assert claim.judge is not None
    return claim.judge(question)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.name)
def test_repaired_statements_hold(claim: Claim) -> None:
    found = ask(claim, Edition.REPAIRED)
    assert found.verdict is Verdict.VERIFIED, found.reason
    assert found.scope.cases


def one_entry_changed(claim: Claim) -> Iterator[ConstructionFile]:
    """The repaired table with one number of one row changed, in one column or in both, row by row."""
    assert claim.table is not None
    source = claim.table.source
    assert source.errata is not None
    from verifier.construction.errata import _place

    raw = copy.deepcopy(dict(source.raw))
    for entry in source.errata.erratum:
        holder, key = _place(raw, entry, "repaired")
        holder[key] = entry.repaired
    for row in raw["row"]:
        for vectors in (["zero"], ["one"], ["zero", "one"]):
            for position in (1, 2):
                if all(v in row and "N" not in str(row[v][position]) for v in vectors):
                    changed = copy.deepcopy(raw)
                    target = next(r for r in changed["row"] if r["step"] == row["step"])
                    for vector in vectors:
                        target[vector][position] = f"({row[vector][position]}) - 1"
                    yield shaped(changed, ConstructionFile, CONSTRUCTION, "neighbour")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.name)
def test_a_changed_entry_is_refused_for_the_right_reason(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some single changed entry breaks the statement, and the refutation shows the value found and what was claimed."""
    monkeypatch.setattr("verifier.judges.values.edition_file", lambda c, e, g: (c.table.source.file, None))
    monkeypatch.setattr("verifier.statements.model.Question.errata_apply", True)
    refusals = []
    for file in one_entry_changed(claim):
        changed = replace(claim, table=Neighbour(claim.table, file))  # type: ignore[arg-type]
        try:
            found = ask(changed, Edition.REPAIRED)
        except LimitError:
            continue
        if found.verdict is Verdict.REFUTED:
            refusals.append(found)
            break
    assert refusals, "no neighbour was refused"
    (found,) = refusals
    assert found.counterexample is not None
    assert found.counterexample["found"] in (found.reason or "")
    assert "was claimed" in (found.reason or "")


def test_printed_statements_have_the_verdicts_that_their_formulas_ask_for() -> None:
    """Where the printed formula differs from the repaired one, it fails on the repaired table too."""
    differing = [c for c in CLAIMS if c.errata]
    assert differing
    for claim in differing:
        assert ask(claim, Edition.STATEMENT).verdict is Verdict.REFUTED, claim.name
