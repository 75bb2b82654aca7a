"""Lemmas 2.3 and 2.6: what their proofs say depends on Tables 5 and 6, entry by entry; our witnesses depend on theirs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.constructions.every_bit_counts.changed_table import changed, judged
from tests.papers_of_tests import the_paper
from tests.rows import tables
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.records import Table
from verifier.claims.verdicts import Edition, Verdict
from verifier.engines.blocks import of_two_blocks
from verifier.engines.dispatch import decide
from verifier.engines.program import Program
from verifier.networks.instantiate import instantiate
from verifier.show.judged import read_letter
from verifier.transformers.tables import Execution

LEMMA = find_claim("every-bit-counts/lemma-2.3")
A4 = read_semantics("a4")
STATEMENT, PRINTED, REPAIRED = Edition

CHANGES = tables(__file__, "changes.toml")


def step(name: str) -> Claim:
    return find_claim(f"every-bit-counts/{name}")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "at", "before", "after", "found"), CHANGES["steps"], ids=[c[0] for c in CHANGES["steps"]])
def test_what_the_proof_says_depends_on_the_table(name: str, at: str, before: str | int, after: str | int, found: str) -> None:
    made = judged(changed(step(name), at, before, after), p=8)
    assert made.verdict is Verdict.REFUTED, made.reason
    assert made.counterexample is not None
    assert made.counterexample["found"] == found


@pytest.mark.parametrize(("name", "at", "before", "after", "x", "answer"), CHANGES["mlp"], ids=[row[0] for row in CHANGES["mlp"]])
def test_what_the_mlp_answers_depends_on_its_weights(name: str, at: str, before: str | int, after: str | int, x: str, answer: str) -> None:
    made = judged(changed(step(name), at, before, after), p=8)
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample is not None
    assert (made.counterexample["input"], made.counterexample["output"]) == (x, answer)


def test_engines_agree_on_the_repaired_table() -> None:
    assert LEMMA.table is not None
    execution = Execution(instantiate(LEMMA.table.source.repaired(), {"p": 8}), A4)
    by_sets, by_pairs = decide(execution), of_two_blocks(Program(execution), 1 << 40, criterion=Program.faults)
    assert (by_sets.cases, by_sets.failures, by_sets.smallest) == (by_pairs.cases, by_pairs.failures, by_pairs.smallest)
    assert by_pairs.cases == 2 ** (13 - 1) * (2**13 + 1)


def with_others(*names: str) -> Claim:
    assert isinstance(LEMMA.judge, NamedJudge)
    return replace(LEMMA, judge=replace(LEMMA.judge, fields={"others": list(names)}), proofs=())


def test_existence_needs_evidence() -> None:
    without, beside = with_others(), with_others("lemma-2.3:denominator-first")
    assert [judged(without, Edition.STATEMENT, p=p).verdict for p in (5, 8)] == [Verdict.OPEN, Verdict.VERIFIED]
    assert judged(beside, Edition.STATEMENT, p=5).witness == "witness-t0-simple.toml"
    assert judged(beside, Edition.PRINTED, p=5).verdict is Verdict.REFUTED


def test_no_transformer_where_no_number_is_1() -> None:
    """Table 6 at p = 1 has numbers of one bit: 0 alone."""
    assert LEMMA.table is not None
    free = replace(LEMMA, parameters=tuple(replace(p, where="1 == 1") for p in LEMMA.parameters))
    made = judged(
        replace(free, table=Table(LEMMA.table.folder, "table-6", claim=LEMMA.table.claim)), Edition.STATEMENT, "narrative", p=1, n=6
    )
    assert made.verdict is Verdict.REFUTED
    assert made.counterexample == {"p": "1", "n": "6", "y": "0", "z": "0", "expected": "1"}


@pytest.mark.parametrize(("witness", "p", "at", "before", "after"), CHANGES["witnesses"])
def test_a_neighbour_of_each_witness_fails(witness: str, p: int, at: str, before: str | int, after: str | int) -> None:
    assert judged(step(witness), STATEMENT, p=p).verdict is Verdict.VERIFIED
    assert judged(changed(step(witness), at, before, after), STATEMENT, p=p).verdict is Verdict.REFUTED


@pytest.mark.parametrize(("p", "counted"), [(9, True), (16, False)])
def test_errors_of_an_ill_formed_table_are_counted_where_that_is_quick(p: int, counted: bool) -> None:
    """At p = 16 the two halves have 2^30 pairs, and the verdict is known already."""
    found = judged(find_claim("every-bit-counts/lemma-2.3:table-5"), PRINTED, p=p, n=4 * p + 1)
    assert found.verdict is Verdict.REFUTED
    assert found.reason is not None
    assert (bool(found.values), "counted only where that takes at most 4,194,304 states" in found.reason) == (counted, not counted)


def test_the_letter_names_the_precisions_at_which_a_rounded_ln_2_matters() -> None:
    said = " ".join(sentence.says for sentence in read_letter(the_paper("every-bit-counts")).holds)
    told = re.search(r"the corrected Table 6 fails for (p = .*); the upper bound is open in token order for (p = [0-9.]*)\.\)", said)
    lemma, table = find_claim("every-bit-counts/lemma-2.6"), step("lemma-2.6:table-6")
    fails, others = [], []
    for p in range(3, 9):
        corrected = [judged(table, REPAIRED, f"{reading}+ln2=rounded", p=p).verdict for reading in ("a4", "narrative")]
        assert corrected == [Verdict.REFUTED if p >= 7 else Verdict.DECLINED] * 2
        fails += [p] if Verdict.REFUTED in corrected else []
        others += [p] if judged(lemma, STATEMENT, "narrative+ln2=rounded", p=p).verdict is Verdict.OPEN else []
        assert judged(lemma, STATEMENT, "a4+ln2=rounded", p=p).verdict is Verdict.VERIFIED
    assert told is not None
    assert told.groups() == (f"p = {fails[0]}..{fails[-1]}", f"p = {others[0]}..{others[-1]}")
