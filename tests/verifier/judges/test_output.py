"""Conditions on the output, against the evaluation of every promised pair."""

from __future__ import annotations

import pytest

from tests.verifier.judges.by_hand import PAIRS, agrees, asked, bits, holds, output
from verifier.arithmetic.numbers import show
from verifier.judges.fields import Output
from verifier.judges.output import judge


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
    ],
)
def test_every_promised_pair_by_hand(condition: str, on: str, otherwise: str | None, semantics: str) -> None:
    asked_of = {"all": PAIRS, "yes": [p for p in PAIRS if p[0] == p[1]], "no": [p for p in PAIRS if p[0] != p[1]]}[on]
    wrong = [(y, z) for y, z in asked_of if not holds(condition, y, z, output(y, z, semantics))]
    if otherwise is not None:
        others = [p for p in PAIRS if p not in set(asked_of)]
        wrong = sorted(wrong + [(y, z) for y, z in others if not holds(otherwise, y, z, output(y, z, semantics))])
    found = asked(judge, Output(holds=condition, on=on, otherwise=otherwise), semantics)
    shown = {"y": bits(wrong[0][0]), "z": bits(wrong[0][1]), "found": show(output(*wrong[0], semantics))} if wrong else {}
    assert agrees(found, len(asked_of) if otherwise is None else len(PAIRS), len(wrong), shown)
