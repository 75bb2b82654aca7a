"""What counts as yes: every engine answers as the definition does, and a condition that says something else is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bitreferee import Construction, judge
from tests.tables import FOLDER
from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.engines.answer_runs import answer_runs, answers_by, every_state
from verifier.engines.dispatch import decide
from verifier.engines.program import INVALID, NEITHER, NO, YES, program_of
from verifier.networks.acceptance import Acceptance
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
ACCEPTED: list[dict[str, Any]] = [
    {"yes": "out > 1/2"},
    {"yes": "out == 1", "no": "out == 0"},
    {"yes": "out >= 1/4", "no": "out < 1/8"},
    {"yes": "out in (1, 2) or out > 3"},
    {"yes": "out >= 0", "rectified": False},
    {"yes": "not out < -1/4", "no": "out <= -1", "rectified": False},
    {"yes": "0 < out <= 1", "rectified": False},
]


def example(name: str, **changed: Any) -> Construction:
    return Construction.from_dict({**tomllib.loads((EXAMPLES / f"{name}.toml").read_text()), **changed})


@pytest.mark.one_in(4)
@pytest.mark.parametrize("accept", ACCEPTED, ids=lambda a: a["yes"])
def test_every_engine_answers_as_the_definition_does(accept: dict[str, Any]) -> None:
    raw = tomllib.loads((FOLDER / "witness-t0-simple.toml").read_text())
    instance = Construction.from_dict({**raw, "accept": accept}).at(p=3)
    execution = Execution(instance, Semantics())
    size = 1 << instance.m
    wrong = [(y, z) for y in range(size) for z in range(y, size) if not evaluate(execution, y, z).correct]
    for method in ("enumerate", "reachable"):
        found = decide(execution, method)
        assert (found.smallest, getattr(found, "failures", None)) == (min(wrong, default=None), len(wrong)), method
    program = program_of(execution)
    states = every_state(program.lattice)
    said = answers_by(answer_runs(program), states)
    asked = program.answers(states)
    assert np.array_equal(said, np.where(asked == INVALID, said, asked))
    assert {NO, YES, NEITHER, INVALID} >= set(asked.tolist())


def test_a_condition_may_be_wrong_where_another_is_right() -> None:
    assert judge(example("majority-by-sign"), m="1..5").verified
    for accept in ({"yes": "out >= 0", "rectified": False}, {"yes": "out > 1/2"}, {"yes": "out > 0", "no": "out < 0"}):
        assert not judge(example("majority-by-sign", accept=accept), m="1..5").verified, accept
    assert judge(example("parity", accept={"yes": "out > 1/2"}), m="1..4").verified
    assert not judge(example("parity", accept={"yes": "out > 1"}), m="1..4").verified


def test_what_is_no_number_is_no() -> None:
    accept = Acceptance("out < 0", "out > 5", rectified=False)
    assert [accept.answer(x) for x in (NAN, INF, NEG_INF, Fraction(1), Fraction(-1))] == [0, 0, 1, None, 1]
