"""Definitions A.7 and A.10: judges that see a number, a format or a rounding changed."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from constructions.every_bit_counts.judges import formats
from constructions.every_bit_counts.judges.formats import numbers
from tests.outcomes import outcome
from verifier.arithmetic.formats import Format
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.rationals import Fraction
from verifier.claims.verdicts import Edition, Verdict

judged = partial(outcome, "every-bit-counts", edition=Edition.REPAIRED, theorems=False)
literal, values, straight = numbers(4), Format.values, Machine.round
LACKING = {"definition": "7/8", "closed form": "3/4", "format": "3/4"}
CHANGED: list[tuple[str, dict[str, int], object, str, Any, dict[str, str]]] = [
    ("definition-a.7", {"p": 4}, formats, "numbers", lambda p: literal - {Fraction(3, 4)}, LACKING),
    ("definition-a.7:value-count", {"p": 4}, formats, "numbers", lambda p: literal - {Fraction(3, 4)}, {}),
    ("definition-a.7:range", {"p": 4}, formats, "numbers", lambda p: literal - {Fraction(-7)}, {}),
    (
        "definition-a.7:monotone-rounding",
        {"p": 3},
        Machine,
        "round",
        lambda m, x: Fraction(0) if x == 1 / 2 else straight(m, x),
        {"y": "1/2"},
    ),
    ("definition-a.10:monotone-rounding", {"t": 2, "e": 2}, Machine, "round", lambda m, x: straight(m, -x if x == 1 else x), {"y": "1"}),
    (
        "definition-a.10",
        {"t": 3, "e": 2},
        Format,
        "values",
        lambda form: (x for x in values(form) if x != form.largest),
        {"definition": "7/2", "format": "None"},
    ),
]


@pytest.mark.parametrize(("name", "point", "place", "attribute", "other", "shown"), CHANGED, ids=[each[0] for each in CHANGED])
def test_a_changed_definition_is_refused(
    name: str, point: dict[str, int], place: object, attribute: str, other: Any, shown: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(name, **point).verdict is Verdict.VERIFIED
    monkeypatch.setattr(place, attribute, other)
    found = judged(name, **point)
    assert found.verdict is Verdict.REFUTED
    assert shown.items() <= (found.counterexample or {}).items()


def test_a_definition_with_fewer_numbers_fits_p_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "section-a.3:p-bits-per-number"
    assert judged(name, edition=Edition.PRINTED, p=4).verdict is Verdict.REFUTED
    monkeypatch.setattr(formats, "numbers", lambda p: frozenset(map(Fraction, range(16))))
    assert judged(name, edition=Edition.PRINTED, p=4).verdict is Verdict.VERIFIED


def test_floating_numbers_have_as_many_bits_as_digits() -> None:
    """Zero takes a code of those that ±0 leaves free; infinities are no numbers here, as for fixed point (Appendix A.3)."""
    assert all(judged("definition-a.10:p-bits-per-number", t=t, e=3).verdict is Verdict.VERIFIED for t in (1, 2, 3))
