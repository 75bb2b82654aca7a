"""Examples A.8 and A.9 by hand, and the readings that their conventions depend on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from constructions.every_bit_counts.judges import formats
from tests.constructions.every_bit_counts.changed_table import judged
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.running.errors import InputError


def test_sums_and_products_by_hand() -> None:
    """1.8125 + 2.875 = 4.6875, 1.625 · 2.75 = 4.46875."""
    assert formats.binary("1.1101") + formats.binary("10.111") == Fraction(75, 16)
    assert formats.binary("1.101") * formats.binary("10.11") == Fraction(143, 32)


@pytest.mark.parametrize("text", ["1.2", "2", "1.1 - 1.0", "1.1/10", "x + 1.1"])
def test_what_is_no_sum_or_product_of_binary_numbers_is_refused(text: str) -> None:
    claim = with_fields(find_claim("every-bit-counts/example-a.8:exact-sum"), of=text)
    with pytest.raises(InputError):
        judged(claim, Edition.STATEMENT)


def with_fields(claim: Claim, **fields: object) -> Claim:
    assert isinstance(claim.judge, NamedJudge)
    return replace(claim, judge=replace(claim.judge, fields={**claim.judge.fields, **fields}))


def test_the_printed_sums_of_example_a_9_come_by_truncation() -> None:
    """Where digits are cut off, not rounded, both of its sums are as printed, and differ."""
    owner, *sums = (find_claim(f"every-bit-counts/example-a.9{part}") for part in ("", ":left", ":right"))
    for claim in (owner, *sums):
        assert judged(claim, Edition.PRINTED, "rounding=truncate").verdict is Verdict.VERIFIED
    assert judged(owner, Edition.PRINTED).verdict is Verdict.REFUTED
    assert judged(owner, Edition.PRINTED).reason == "both orders give 101"


def test_where_the_sign_is_counted_three_bits_hold_neither_sum_of_example_a_9() -> None:
    made = judged(with_fields(find_claim("every-bit-counts/example-a.9"), digits=2), Edition.PRINTED)
    assert made.reason == "both orders give inf"


def test_on_integers_the_products_of_example_a_8_lose_their_digits() -> None:
    claim = find_claim("every-bit-counts/example-a.8:rounded-product")
    assert judged(claim, Edition.PRINTED, "point=grid").verdict is Verdict.REFUTED
    assert judged(find_claim("every-bit-counts/example-a.8:sign-counted"), Edition.PRINTED, "point=grid").verdict is Verdict.REFUTED
