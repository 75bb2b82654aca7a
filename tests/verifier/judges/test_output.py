"""Conditions on the output, against the evaluation of every promised pair."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verifier.judges.by_hand import PAIRS, agrees, asked, bits, holds, output, promising
from verifier.arithmetic.numbers import show
from verifier.arithmetic.rationals import Fraction as F
from verifier.claims.verdicts import Verdict
from verifier.judges.fields import Output
from verifier.judges.output import judge


@pytest.mark.one_in(3)
@pytest.mark.parametrize("few", [0, 1 << 20], ids=["reachable", "pair by pair"])
@pytest.mark.parametrize("semantics", ["a4", "a4+ties=away"])
@pytest.mark.parametrize(
    ("condition", "on", "otherwise"),
    [
        ("v == 1/4", "yes", None),
        ("v != 1/4", "no", None),
        ("v <= 0", "no", None),
        ("v <= p", "all", None),
        ("v > 0", "all", None),
        ("v == 1/4", "yes", "v != 1/4"),
        ("v == 1/4", "yes", "v < 0"),
        ("v < 1/4", "no", "v == 0"),
        ("v != 1/4", "no", "v == 1/4"),
        ("0 < v and not v >= 1/3", "yes", "v <= 1/7 or p == 2"),
    ],
)
def test_every_promised_pair_by_hand(
    condition: str, on: str, otherwise: str | None, semantics: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.judges.output.FEW_PAIRS", few)
    asked_of = {"all": PAIRS, "yes": [p for p in PAIRS if p[0] == p[1]], "no": [p for p in PAIRS if p[0] != p[1]]}[on]
    wrong = [(y, z) for y, z in asked_of if not holds(condition, y, z, output(y, z, semantics))]
    if otherwise is not None:
        others = [p for p in PAIRS if p not in set(asked_of)]
        wrong = sorted(wrong + [(y, z) for y, z in others if not holds(otherwise, y, z, output(y, z, semantics))])
    found = asked(judge, Output(holds=condition, on=on, otherwise=otherwise), semantics)
    claimed = condition if otherwise is None else f"{condition} on {on.upper()} inputs, else {otherwise}"
    shown = {}
    if wrong:
        y, z = wrong[0]
        shown = {"y": bits(y), "z": bits(z), "found": show(output(y, z, semantics)), "claimed": claimed}
    assert found.scope.method == ("enumeration" if few else "reachable-sets")
    assert agrees(found, len(asked_of) if otherwise is None else len(PAIRS), len(wrong), shown)
    kind = "" if on == "all" or otherwise else f"{on.upper()} "
    assert found.scope.statement == f"all {found.scope.cases} {kind}inputs at p = 3, n = 14, m = 5: {claimed}"


def test_what_the_output_is_said_to_be_is_what_was_claimed() -> None:
    wrong = [pair for pair in PAIRS if output(*pair, "a4") != F(1, 4)]
    (y, z), claimed = wrong[0], {"claimed": "1/4"}
    shown = {"y": bits(y), "z": bits(z), "found": show(output(y, z, "a4"))} | claimed
    assert agrees(asked(judge, Output(is_="1/4")), len(PAIRS), len(wrong), shown)


@pytest.mark.parametrize(
    ("promise", "yes", "no"),
    [("y <= z and y[1:5] > 30", 1, 0), ("y[1:5] == 3 and z[1:2] == 0", 1, 7), ("y[1] == 1 and z[1:3] < 4", 0, 256)],
)
def test_where_there_are_no_inputs_of_a_kind_it_is_declined(promise: str, yes: int, no: int, tmp_path: Path) -> None:
    table = promising(promise, tmp_path)
    for on, cases in (("yes", yes), ("no", no)):
        found = asked(judge, Output(holds="v == v", on=on), table=table)
        if cases:
            assert agrees(found, cases, 0, {})
        else:
            assert (found.verdict, found.reason) == (Verdict.DECLINED, f"there are no {on.upper()} inputs at p = 3, n = 14, m = 5")
