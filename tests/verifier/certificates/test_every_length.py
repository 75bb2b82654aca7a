"""Certificates of strings of every length: accepted, and each neighbour with one place changed refused for its reason."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import pytest

from constructions.every_bit_counts.judges.invariants import certificate_of_every_length, certificate_of_floating_every_length
from tests.verifier.certificates.samples import Change, put
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import show
from verifier.arithmetic.semantics import read_semantics
from verifier.certificates import recheck
from verifier.certificates.catalogue import attribution
from verifier.certificates.every_length import every_length_facts
from verifier.certificates.recheck_arithmetic import FloatingPoint
from verifier.certificates.recheck_reading import Limits, Rejected, TooMuch, Unknown
from verifier.certificates.statement import Subject, sealed, semantics_data
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.engines.columns import Invariant
from verifier.judges.editions import edition_instance
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

CLAIM = "every-bit-counts/lemma-2.5:every-length"
FLOATING = "every-bit-counts/lemma-c.4:every-length"


@lru_cache(maxsize=4)
def _good(reading: str) -> str:
    facts = certificate_of_every_length({}, read_semantics(reading))
    return json.dumps(sealed({**Subject(CLAIM, "statement", {}).header("every-length"), **facts}))


def good(reading: str = "a4") -> Any:
    return json.loads(_good(reading))


@lru_cache(maxsize=4)
def _floating(reading: str) -> str:
    facts = certificate_of_floating_every_length({}, read_semantics(reading))
    return json.dumps(sealed({**Subject(FLOATING, "statement", {}).header("every-length"), **facts}))


def floating(reading: str = "a4") -> Any:
    return json.loads(_floating(reading))


@pytest.mark.parametrize("reading", ["a4", "a4+overflow=saturate"])
def test_floats_with_linear_attention_are_read(reading: str) -> None:
    line = recheck.recheck(floating(reading))
    assert line.startswith(f"every length: EQ of two strings of any length, in floats of precision (1, 2), 3 bits, semantics {reading}: ")
    assert attribution(floating(reading))[0]


@pytest.mark.parametrize(("reading", "states"), [("a4", 5), ("a4+point=grid", 3)])
def test_a_good_one_says_what_it_proves_and_is_the_catalogue_s(reading: str, states: int) -> None:
    line = recheck.recheck(good(reading))
    assert line.startswith(f"every length: EQ of two strings of any length, in 2 bits, semantics {reading}: {states} states")
    assert attribution(good(reading))[0]


FORGED: list[tuple[str, Change, str]] = [
    ("a state left out", put("states", value=lambda s: s[1:]), "which is not listed"),
    ("the first state left out", put("states", value=lambda s: [x for x in s if x[0] != "0"]), "of the empty strings is not listed"),
    ("a state twice", put("states", value=lambda s: [*s, s[0]]), "a state is listed twice"),
    ("a state that is answered wrongly", put("states", value=lambda s: [*s, ["0", "different"]]), "is not answered with 0"),
    ("no denominator", put("denominators", value=[]), "the denominator .* is reached, but not listed"),
    ("another denominator", put("denominators", value=["1/2"]), "the denominator .* is reached, but not listed"),
    ("a denominator that breaks an answer", put("denominators", value=lambda d: [*d, "0"]), "is not answered with|is reached"),
    ("an assumption", put("assumptions", value=["exact-entries"]), "assumptions has"),
    ("another order", put("semantics", "order", value="products"), "summed with order ax alone"),
    ("a position that no token reads", put("construction", "problem", "length", value="4"), "a position of the strings has no column"),
    ("a final MLP without its bias", put("construction", "mlp", "output", "bias", value="0"), "is not answered with"),
    ("a weight of W^V", put("construction", "value", "rows", -1, value=["0"]), "do not have the same columns|has no column|not listed"),
]


OF_FLOATS: list[tuple[str, Change, str]] = [
    ("a state left out", put("states", value=lambda s: s[1:]), "which is not listed|of the empty strings"),
    ("another denominator", put("denominators", value=["2"]), "divided by nothing"),
    ("a second denominator", put("denominators", value=["1", "2"]), "divided by nothing"),
    ("a weight of W^V", put("construction", "value", "rows", -1, value=["1"]), "do not have the same columns|not listed"),
    ("one bit more, which the numbers do not overflow with", put("construction", "precision", "e", value="3"), "not listed|assumptions"),
    ("a bit that is not read", put("construction", "tokens", 0, "vectors", -1, -1, value="0"), "not have the same columns|positions"),
]
UNREAD: list[tuple[str, Change]] = [
    ("softmax with floats", put("construction", "attention", value="softmax")),
    ("a fixed grid", put("semantics", "point", value="grid")),
    ("too large an exponent", put("construction", "precision", "e", value="8")),
    ("no mantissa", put("construction", "precision", "t", value="0")),
]


@pytest.mark.parametrize(("change", "reason"), [case[1:] for case in OF_FLOATS], ids=[case[0] for case in OF_FLOATS])
def test_a_neighbour_with_floats_is_refused(change: Change, reason: str) -> None:
    forged = sealed({k: v for k, v in change(floating()).items() if k != "digest"})
    with pytest.raises(Rejected, match=reason):
        recheck.recheck(forged)


@pytest.mark.parametrize("change", [case[1] for case in UNREAD], ids=[case[0] for case in UNREAD])
def test_other_floats_are_not_read(change: Change) -> None:
    with pytest.raises(Unknown):
        recheck.recheck(sealed({k: v for k, v in change(floating()).items() if k != "digest"}))


def test_floats_are_read_for_strings_of_every_length_alone() -> None:
    verified = {**floating(), "kind": "verified", "cases": "1", "blocks": []}
    with pytest.raises(Unknown, match="no bits"):
        recheck.recheck(sealed({k: v for k, v in verified.items() if k not in ("digest", "states", "denominators")}))


@pytest.mark.parametrize("digits", [(1, 2), (2, 2), (3, 3), (2, 1)])
@pytest.mark.parametrize("reading", ["a4", "a4+underflow=subnormals+ties=even", "a4+overflow=saturate+ties=away", "a4+rounding=truncate"])
def test_the_checker_s_floats_are_the_program_s(digits: tuple[int, int], reading: str) -> None:
    semantics = read_semantics(reading)
    ours = semantics.machine(Digits(*digits))
    checker = FloatingPoint(*digits, semantics_data(semantics), Limits())
    values = list(ours.form.values())
    assert [checker.value(checker.state(Fraction(str(x)))) for x in values] == values
    assert all(checker.holds(Fraction(str(x))) for x in values)
    for x, y in product(values[:: 1 + len(values) // 40], repeat=2):
        a, b = checker.state(Fraction(str(x))), checker.state(Fraction(str(y)))
        for theirs, own in (
            (checker.add(a, b), ours.add(x, y)),
            (checker.times(Fraction(str(x)), Fraction(str(y))), ours.multiply(x, y)),
            (checker.divide(a, b), ours.divide(x, y)),
        ):
            assert str(checker.value(theirs)) == show(own), (x, y)


@pytest.mark.parametrize(("change", "reason"), [case[1:] for case in FORGED], ids=[case[0] for case in FORGED])
def test_a_neighbour_is_refused(change: Change, reason: str) -> None:
    forged = sealed({k: v for k, v in change(good()).items() if k != "digest"})
    with pytest.raises(Rejected, match=reason):
        recheck.recheck(forged)


def test_a_file_that_was_not_sealed_again_is_refused() -> None:
    with pytest.raises(Rejected, match="digest"):
        recheck.recheck(put("construction", "mlp", "output", "bias", value="0")(good()))


def test_the_work_is_bounded() -> None:
    with pytest.raises(TooMuch):
        recheck.recheck(good(), Limits(work=500))
    many = sealed({**good(), "denominators": [*good()["denominators"], *map(str, range(200_000))]})
    with pytest.raises((TooMuch, Rejected)):
        recheck.recheck(many, Limits(work=1 << 18))


def test_an_honest_construction_of_another_kind_has_positions_that_differ() -> None:
    claim = find_claim("every-bit-counts/lemma-2.6:denominator-first")
    execution = Execution(edition_instance(claim, Edition.PRINTED, {"p": 3, "n": 14}), read_semantics("a4"))
    facts = every_length_facts(execution, Invariant(frozenset(), frozenset(), None))
    with pytest.raises(Rejected, match=r"positions|columns"):
        recheck.recheck(sealed({**Subject("x", "statement", {}).header("every-length"), **facts}))


def test_token_order_has_no_certificate() -> None:
    with pytest.raises(InputError, match="no variant"):
        certificate_of_every_length({}, read_semantics("narrative"))
