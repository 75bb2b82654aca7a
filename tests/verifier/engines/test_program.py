"""What each token adds, and the sums over some rows or all, by the scalar definition of one token's terms."""

from __future__ import annotations

from random import Random

import pytest

from tests.artificial import KINDS, random_reading
from verifier.arithmetic.numbers import ZERO, Number
from verifier.engines.program import DENOMINATOR, Program
from verifier.networks.indices import Bit


@pytest.mark.parametrize("attention", ["softmax", "linear"])
@pytest.mark.parametrize("kind", KINDS)
def test_sums_are_over_the_rows_that_are_asked_for(kind: str, attention: str) -> None:
    rng = Random(f"program {kind}")
    for steps in (None, range(2, 4), range(99, 100)):
        execution = random_reading(kind, rng, attention)
        program, m, machine = Program(execution, steps), execution.instance.m, execution.machine
        tokens = [token for token in execution.instance.tokens if steps is None or token.step in steps]
        assert len(program.by_token()) == len(tokens)
        assert (DENOMINATOR in program.sums) == (attention == "softmax")
        for y, z in [(rng.randrange(1 << m), rng.randrange(1 << m)) for _ in range(5)]:
            given = {Bit(name, k): x >> m - k & 1 for name, x in (("y", y), ("z", z)) for k in range(1, m + 1)}
            terms = [execution.term(token, token.pattern(y, z, m)) for token in tokens]
            for column, (name, total) in enumerate(program.sums.items()):
                expected = [term.weight if name == DENOMINATOR else term.products[column] for term in terms]
                found = [
                    each[name].table[tuple(given[bit] for bit in each[name].reads)] if name in each else 0 for each in program.by_token()
                ]
                assert [program.lattice.decode(state) for state in found] == expected
                of_sum: Number = ZERO
                for value in expected:
                    of_sum = machine.add(of_sum, value)
                by_addends: Number = ZERO
                for addend in total.addends:
                    value = program.lattice.decode(addend.table[tuple(given[bit] for bit in addend.reads)])
                    by_addends = machine.add(by_addends, value)
                assert by_addends == of_sum
