"""Which repairs of Tables 7 and 8 are needed: what is left without one, and what rests on it."""

from __future__ import annotations

import pytest

from constructions.every_bit_counts.judges.repairs import failing_by_design, left_without, number_of
from tests.constructions.every_bit_counts.changed_table import changed
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import INF
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.networks.problems import Problem

A4 = read_semantics("a4")
TABLE_7 = find_claim("every-bit-counts/lemma-c.5:largest-set")
TABLE_8 = find_claim("every-bit-counts/lemma-c.8:key-window")
STATES = 1 << 26


@pytest.mark.long("names3-56 of 2,144 pairs")
@pytest.mark.parametrize(
    ("names", "left"),
    [
        ([], "0 of 2,144 pairs"),
        (["step-4-q-1"], "ill-formed: table-7, erratum step-4-key-1"),
        (["t2-tail"], "ill-formed: input clause 10"),
        (["step-6-value-0"], "56 of 2,144 pairs"),
        (["no-overflow"], "12 of 3,160 pairs"),
    ],
)
def test_what_is_left(names: list[str], left: str) -> None:
    source = TABLE_7.table.source  # type: ignore[union-attr]
    assert str(left_without(source, names, {"t": 4, "e": 3, "n": 15}, A4, STATES)).startswith(left)


def test_the_design_by_hand() -> None:
    problem, machine = Problem("EQ", "y <= z", 6), A4.machine(Digits(3, 3))
    assert number_of(machine, problem, 0b001101, 3, 3) == Fraction(5, 4)  # exponent 3 - q = 0, mantissa 1.01
    assert number_of(machine, problem, 0b101110, 3, 3) == -Fraction(3, 2)
    assert number_of(machine, problem, 0b011100, 3, 3) is INF
    failing = list(failing_by_design(machine, problem, 3, 3))
    assert (0b011100, 0b011100) in failing
    assert (0b001101, 0b001101) not in failing
    assert (0b000100, 0b000101) in failing  # 2^-2 and 2^-2 + 2^-4 differ by less than half of the smallest value 2^-3


def test_a_changed_table_is_seen() -> None:
    claim = changed(TABLE_7, "row.6.one.3", "-(-1)**z_1 * 2**(-(t - 1))", "-(-1)**z_1")
    outcome, _ = Session().outcome(claim, Edition.STATEMENT, {"t": 3, "e": 3}, A4)
    assert outcome.verdict is Verdict.REFUTED


@pytest.mark.campaign
@pytest.mark.parametrize(("m", "e", "window"), [(13, 6, "-9 to -24"), (15, 6, "-11 to -24")])
def test_the_window_moves_with_the_mantissa(m: int, e: int, window: str) -> None:
    outcome, _ = Session().outcome(TABLE_8, Edition.STATEMENT, {"m": m, "e": e}, A4)
    assert outcome.verdict is Verdict.VERIFIED
    assert outcome.values is not None
    right = [name.removeprefix("key ") for name, count in outcome.values.items() if count.startswith("0 ")]
    assert f"{right[0]} to {right[-1]}" == window
