"""Table 8 (softmax attention): the engine against the definition, its defects as printed, and what T3's tokens hold."""

from random import Random

import pytest

from constructions.every_bit_counts.mathematics import weights
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.program import NEITHER, Program
from verifier.errata.smallest_failures import failure_without
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

A4 = NAMED["a4"]
LEMMA = find_claim("every-bit-counts/lemma-c.8")
assert LEMMA.table is not None
SOURCE = LEMMA.table.source
POINT = {"m": 11, "e": 6}


def repaired(*without: str) -> Instance:
    return instantiate(SOURCE.repaired(without), POINT)


def judged(name: str, edition: Edition, **point: int) -> Outcome:
    return Session().outcome(find_claim(f"every-bit-counts/{name}"), edition, point, A4)[0]


@pytest.mark.campaign
@pytest.mark.parametrize("without", [(), ("step-7-value",), ("value-weight",)])
def test_the_engine_is_the_definition_on_samples(without: tuple[str, ...]) -> None:
    execution = Execution(repaired(*without), A4)
    census, program, rng = enumerate_pairs(execution), Program(execution), Random(4)
    assert bool(census.failures) == bool(without)
    pairs = [sorted((rng.randrange(2**11 - 64), rng.randrange(2**11 - 64))) for _ in range(40)]
    pairs += [[y, y] for y in range(0, 1900, 100)]
    pairs += [list(census.smallest)] if census.smallest else []
    for y, z in pairs:
        run = evaluate(execution, y, z)
        answer = int(program.answers(program.lattice.encode(run.attention).reshape(1))[0])
        assert (run.decision.answer if run.decision.answer is not None else NEITHER) == (0 if run.meets_nan else answer)
        assert run.correct or census.failures
    assert census.smallest is None or not evaluate(execution, *census.smallest).correct


def test_what_fails_without_an_erratum_is_shown_where_no_logarithm_is_rounded() -> None:
    claim = find_claim("every-bit-counts/lemma-c.8:table-8")
    at = {"m": 15, "e": 6}
    assert claim.not_meant(POINT) is not None
    assert claim.not_meant(at) is None
    assert (failure_without(claim, "t3-mantissa-y") or "").startswith("m = 15, e = 6, t = 5, n = 31: ill-formed")


@pytest.mark.campaign
def test_a_repaired_table_under_the_printed_promise_is_a_witness() -> None:
    assert judged("lemma-c.8:table-8", Edition.STATEMENT, **POINT).verdict is Verdict.REFUTED
    found = judged("lemma-c.8", Edition.STATEMENT, **POINT)
    assert (found.verdict, found.witness) == (Verdict.VERIFIED, "table-8.toml with its errata")


@pytest.mark.parametrize(("t", "e", "last"), [(3, 3, 7), (4, 3, 11), (6, 2, 19)])
def test_the_last_token_of_t2_that_holds_a_bit_of_z(t: int, e: int, last: int) -> None:
    assert weights.last_token_of_z(Fraction(t), Fraction(e)) == last


def test_a_kind_of_attention_is_that_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged("theorem-c.2:attention", Edition.REPAIRED).verdict is Verdict.VERIFIED
    monkeypatch.setattr(weights, "table_8_divides", lambda: 0)
    assert judged("theorem-c.2:attention", Edition.REPAIRED).verdict is Verdict.REFUTED
