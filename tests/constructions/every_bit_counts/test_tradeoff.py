"""The table of Theorem 2.4: a row for each p and reading, on the screen and in JSON, made of the verdicts that it sums up."""

from __future__ import annotations

import json

from constructions.every_bit_counts.chapter import READINGS
from constructions.every_bit_counts.tradeoff import tradeoff_row
from constructions.every_bit_counts.witnesses import fails_at_once
from tests.command_line import CommandLine
from verifier.statements.papers import find_claim
from verifier.statements.model import Question
from verifier.statements.session import Session
from verifier.semantics import read_semantics
from verifier.verdicts import Edition, Verdict

BOTH = "every-bit-counts/theorem-2.4:both-halves"


def test_a_range_carries_the_table(verify: CommandLine) -> None:
    document = json.loads(verify("theorem-2.4", "--p", "3..4", "--format", "json").out)
    rows = [r for r in document["results"] if r["claim"] == BOTH]
    assert [(r["parameters"]["p"], r["semantics"]) for r in rows] == [(p, s) for p in "34" for s in READINGS]
    at = {(r["parameters"]["p"], r["semantics"]): r for r in rows}
    assert at["3", "narrative"]["verdict"] == "verified"
    assert at["3", "a4"]["verdict"] == "refuted"
    assert at["3", "a4"]["values"]["lower half"] == "refuted"
    assert at["4", "narrative"]["assumptions"] == ["p-bits-per-number"]
    assert at["4", "a4+point=grid"]["values"]["bits by counting"] == "4"


def test_the_screen_shows_a_row_for_each_reading(verify: CommandLine) -> None:
    lines = verify("theorem-2.4", "--p", "3..4").out.splitlines()
    table = lines[lines.index(next(x for x in lines if BOTH in x)) :]
    assert sum("witness-t1.toml" in line for line in table) == 6
    assert [line.split()[:2] for line in table if "narrative" in line] == [["3", "narrative"], ["4", "narrative"]]


def test_one_point_and_one_edition_have_no_table(verify: CommandLine) -> None:
    assert BOTH not in verify("theorem-2.4", "--p", "3").out
    assert BOTH not in verify("theorem-2.4", "--p", "3..4", "--edition", "printed").out


def test_a_row_agrees_with_the_claims_that_it_sums_up() -> None:
    session = Session()
    for name in ("a4", "narrative"):
        semantics = read_semantics(name)
        row = tradeoff_row(session, 8, semantics)
        for claim, edition, verdict in (
            ("lemma-2.5", Edition.STATEMENT, row.lower),
            ("lemma-2.6", Edition.STATEMENT, row.upper),
            ("lemma-2.6:table-6", Edition.PRINTED, row.printed),
            ("lemma-2.6:table-6", Edition.REPAIRED, row.repaired),
        ):
            assert Session().ask(f"every-bit-counts/{claim}", edition, {"p": 8}, semantics).verdict is verdict


def test_a_witness_that_errs_at_once_would_be_refuted_in_full_too() -> None:
    claim = find_claim("every-bit-counts/lemma-2.6:denominator-first")
    for name, fails in (("a4+point=grid", True), ("a4", False)):
        values, semantics = claim.complete({"p": 5}), read_semantics(name)
        session = Session()
        question = Question(find_claim("every-bit-counts/lemma-2.6"), Edition.STATEMENT, values, semantics, session)
        assert fails_at_once(question, claim) is fails
        refuted = session.ask(claim.id, Edition.STATEMENT, values, semantics).verdict is Verdict.REFUTED
        assert refuted is fails
