"""A sentence at one input: it fails there exactly where the input is among those that the judge counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.verifier.judges.by_hand import CLAIM, P, along, bits, execution, holds, output
from verifier.arithmetic.numbers import Number, show
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.verdicts import Edition
from verifier.judges.fields import Output, PartialSum
from verifier.judges.one_input import fails_at

SOME = [(0, 0), (0, 1), (5, 9), (9, 9), (12, 31), (31, 31)]
DEFINED = {"quarter": "1/4"}


def at(judge: str, kind: type[Output | PartialSum], fields: Mapping[str, str], y: int, z: int) -> str | None:
    claim = replace(CLAIM, judge=NamedJudge(judge, fields, kind), fields=fields, lets=DEFINED)
    return fails_at(claim, Edition.PRINTED, claim.complete({"p": P}), execution(), y, z)


@pytest.mark.parametrize(
    "fields",
    [
        {"holds": "v == quarter"},
        {"is": "quarter"},
        {"is": "quarter", "on": "yes"},
        {"holds": "v < 0", "on": "no"},
        {"holds": "v != quarter", "on": "no", "otherwise": "v == 1/2"},
    ],
)
def test_an_output_fails_at_the_inputs_of_its_kind_that_contradict_it(fields: dict[str, str]) -> None:
    for y, z in SOME:
        says = fields.get("holds", "v == quarter")
        kind = "yes" if y == z else "no"
        condition = says if fields.get("on", kind) == kind else fields.get("otherwise")
        found: Number = output(y, z, "a4")
        wrong = condition is not None and not holds(condition.replace("quarter", "1/4"), y, z, found)
        expected = f"the output is {show(found)}, {condition} was claimed" if wrong else None
        assert at("verifier.judges.output:judge", Output, fields, y, z) == expected, (y, z)


@pytest.mark.parametrize("when", [None, "y[3] == 0", "y[4] == 0 and z[5] == 1"])
def test_a_sum_fails_at_the_inputs_that_it_speaks_of(when: str | None) -> None:
    """Of steps 4 to 10: what is wrong at one input of some contents is wrong at it."""
    fields = {"of": "numerator", "steps": "4..10", "over": "3 : 5", "is": "quarter", **({"when": when} if when else {})}
    failing = []
    for y, z in SOME:
        value = [v for _, v in along("numerator", range(4, 11), y, z, "a4")][-1]
        wrong = holds(when, y, z) and not holds("v == 1/4", y, z, value)
        expected = f"{show(value)} is found, quarter was claimed" if wrong else None
        assert at("verifier.judges.partial_sum:judge", PartialSum, fields, y, z) == expected, (bits(y), bits(z))
        failing.append(wrong)
    assert 0 < sum(failing) < len(failing) or when is None


@pytest.mark.parametrize("claim", [replace(CLAIM, judge=None), CLAIM], ids=["no judge", "another judge"])
def test_any_other_claim_is_not_judged_at_one_input(claim: Claim) -> None:
    assert fails_at(claim, Edition.PRINTED, claim.complete({"p": P}), execution(), 0, 1) is None
