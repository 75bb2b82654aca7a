"""Spans of equal answers against the quotient of every numerator by every denominator."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from verifier.arithmetic.arrays import INFINITE, NOT_A_NUMBER, States, vectorised
from verifier.arithmetic.formats import Format, fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.engines.answer_runs import Run
from verifier.engines.block_products import STRIDE, column_sums, row_sums, spans

RULES = [RoundingRule(), RoundingRule(ties="away", overflow="before"), RoundingRule("truncate", overflow="saturate")]
SPECIAL = [-INFINITE, INFINITE, NOT_A_NUMBER]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("form", [free_point(4), fixed_grid(5), floating_point(3, 3)], ids=str)
@pytest.mark.parametrize("rows", [5, 3 * STRIDE + 2])
def test_every_combination_that_is_not_answered_with_no_is_in_one_span(form: Format, rule: RoundingRule, rows: int) -> None:
    rng, lattice = Random(f"{form} {rule} {rows}"), vectorised(Machine(form, rule))

    def states(count: int) -> States:
        finite = [int(lattice.encode(rng.choice(values))) for _ in range(count)]
        return np.array([*finite, *rng.sample(SPECIAL, 2), 0], dtype=np.int64)

    values = list(form.values())
    numerators, denominators = states(rows), states(9)
    ends = sorted(rng.sample([*states(40).tolist(), *SPECIAL], 6))
    runs = [Run(1, int(ends[0]), int(ends[1])), Run(2, int(ends[1]) + 1, int(ends[3])), Run(1, int(ends[4]) + 1, int(ends[5]))]
    runs = [run for run in runs if run.first <= run.last]
    quotients = lattice.divide(numerators[:, None], denominators[None, :])
    expected = np.zeros(quotients.shape, dtype=np.int64)
    for run in runs:
        expected[(quotients >= run.first) & (quotients <= run.last)] = run.answer
    found, times = np.zeros_like(expected), np.zeros_like(expected)
    weights = np.array([rng.randrange(1, 9) for _ in range(len(denominators))]), np.array([rng.randrange(1, 9) for _ in numerators])
    for span in spans(lattice, runs, numerators, denominators):
        own = np.zeros_like(expected)
        for row, low, high in zip(span.rows, span.low, span.high, strict=True):
            own[row, span.columns[low:high]] = 1
        assert own.any()
        assert row_sums(span, weights[0]).tolist() == (own @ weights[0])[span.rows].tolist()
        assert column_sums(span, weights[1]).tolist() == (weights[1] @ own)[span.columns].tolist()
        found += span.answer * own
        times += own
    assert times.max(initial=0) <= 1
    assert (found == expected).all()
