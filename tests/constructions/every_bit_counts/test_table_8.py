"""Table 8 (softmax attention): the engine against the definition, its defects as printed, and what T3's tokens hold."""

from functools import partial

import pytest

from constructions.every_bit_counts.mathematics import weights
from tests.outcomes import outcome
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.smallest_failures import failure_without
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate

A4 = NAMED["a4"]
LEMMA = find_claim("every-bit-counts/lemma-c.8")
assert LEMMA.table is not None
SOURCE = LEMMA.table.source
POINT = {"m": 11, "e": 6}


def repaired(*without: str) -> Instance:
    return instantiate(SOURCE.repaired(without), POINT)


judged = partial(outcome, "every-bit-counts")


def test_what_fails_without_an_erratum_is_shown_where_no_logarithm_is_rounded() -> None:
    claim = find_claim("every-bit-counts/lemma-c.8:table-8")
    at = {"m": 15, "e": 6}
    assert claim.not_meant(POINT) is not None
    assert claim.not_meant(at) is None
    assert (failure_without(claim, "t3-mantissa-y") or "").startswith("m = 15, e = 6, t = 5, n = 31: ill-formed")


@pytest.mark.parametrize(("t", "e", "last"), [(3, 3, 7), (4, 3, 11), (6, 2, 19)])
def test_the_last_token_of_t2_that_holds_a_bit_of_z(t: int, e: int, last: int) -> None:
    assert weights.last_token_of_z(Fraction(t), Fraction(e)) == last


def test_a_kind_of_attention_is_that_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged("theorem-c.2:attention", Edition.REPAIRED).verdict is Verdict.VERIFIED
    monkeypatch.setattr(weights, "table_8_divides", lambda: 0)
    assert judged("theorem-c.2:attention", Edition.REPAIRED).verdict is Verdict.REFUTED
