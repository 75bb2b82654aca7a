"""What the checker concludes at the end, from sets of final states, against every combination taken one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from itertools import chain, product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.verifier.certificates.random_constructions import random_case
from tests.verifier.certificates.samples import small, transformer
from verifier.arithmetic.semantics import NAMED, read_semantics
from verifier.certificates import recheck_blocks, recheck_construction, recheck_rounding, recheck_verified
from verifier.certificates.recheck_reading import Limits, Rejected, Unknown
from verifier.certificates.recheck_rounding import INF, NAN
from verifier.networks.instance import Node
from verifier.running.errors import InputError

PARTS, CASES = range(4), 150

POINTS = [F(x) for x in ("0", "1", "-1", "1/2", "-2", "3/4", "2")]


def peak(at: F, slope: F) -> dict[str, Any]:
    """The MLP 1 − slope·|x − at|: 1 at one point, neither beside it, 0 from there on."""
    return {"hidden": (Node((F(1),), -at), Node((F(-1),), at)), "output": Node((-slope, -slope), F(1))}


def random_transformer(seed: int) -> recheck_construction.Transformer | None:
    """One of a few bits, its MLP at random or a peak; None where the construction is in error."""
    rng = Random(seed)
    instance, semantics = random_case(f"ends {seed}")
    instance = replace(instance, precision=rng.randint(1, 5), **(peak(rng.choice(POINTS), F(rng.choice([1, 2, 8]))) if seed % 4 else {}))
    try:
        return transformer(instance, semantics)
    except (Unknown, InputError):
        return None


def every_state(t: recheck_construction.Transformer) -> list[int]:
    """All states of the format, and those that are no numbers."""
    m = t.machine
    lattice = {m.rounded(units) for units in range(-m.largest, m.largest + 1)}
    return [*sorted(lattice), m.state("inf"), m.state("-inf"), recheck_rounding.NAN]


def wrong(t: recheck_construction.Transformer, names: list[list[int]], sets: list[set[recheck_blocks.Row]], wanted: int) -> bool:
    """Whether some combination is not answered with ``wanted``: each is divided, and put through the MLP."""
    for rows in product(*sets):
        sums = dict(zip(chain(*names), (state for row in rows for state in row[:-1]), strict=True))
        top = t.numerator([t.weighted(k, sums[k]) for k in range(t.sums)])
        if t.answer(t.machine.divide(top, sums[t.sums])) != wanted:
            return True
    return False


@pytest.mark.one_in(len(PARTS))
@pytest.mark.parametrize("part", PARTS)
def test_every_combination_of_final_states_counts(part: int) -> None:
    seen = Counter[tuple[int, int, bool]]()
    for seed in range(part * CASES, (part + 1) * CASES):
        t = random_transformer(seed)
        if t is None:
            continue
        rng, states = Random(seed), every_state(t)
        numbers = list(range(t.sums + 1))
        rng.shuffle(numbers)
        cut = rng.randint(1, t.sums) if t.sums and rng.random() < 0.6 else None
        names = [numbers[:cut], numbers[cut:]] if cut else [numbers]
        ends = recheck_verified.Ends(t, [SimpleNamespace(sums=each) for each in names])  # type: ignore[misc]
        for size in (1, 1, 2, 6):
            near = rng.sample(states, min(len(states), 12))
            sets = [{(*rng.choices(near, k=len(each)), 0) for _ in range(size)} for each in names]
            for wanted in (0, 1):
                expected = wrong(t, names, sets, wanted)
                try:
                    ends.check(sets, wanted, "at the end")
                    found = False
                except Rejected:
                    found = True
                assert found == expected, f"seed {seed}, {names}, {sets}, wanted {wanted}"
                seen[len(names), wanted, found] += 1
    assert len(seen) == 8, seen
    assert min(seen.values()) > 0, seen


@pytest.mark.one_in(len(PARTS))
@pytest.mark.parametrize("part", PARTS)
def test_the_values_that_are_not_answered_with_0(part: int) -> None:
    """The runs that halving finds are the states whose answer is not 0, each taken one by one."""
    compared = 0
    for seed in range(part * CASES, (part + 1) * CASES, 3):
        t = random_transformer(seed)
        if t is not None:
            wanted = {state for state in every_state(t) if t.answer(state) != 0}
            found = {state for low, high in recheck_verified.live_runs(t) for state in every_state(t) if low <= state <= high}
            assert found == wanted, f"seed {seed}"
            compared += 0 < len(wanted) < len(every_state(t))
    assert compared > CASES / 12


@pytest.mark.parametrize("point", ["free", "grid"])
def test_where_every_value_is_answered_with_1_the_runs_are_all_values(point: str) -> None:
    """From the largest negative state to the largest; 0, the infinities and NaN are separate. With one bit 0 is the only number."""
    for bits in range(1, 6):
        t = transformer(replace(small(bits), hidden=(), output=Node((), F(1))), read_semantics(f"a4+point={point}"))
        largest = max(every_state(t)[:-3])
        numbers = [(-largest, -1), (0, 0), (1, largest)] if bits > 1 else [(0, 0)]
        assert recheck_verified.live_runs(t) == [(x, x) for x in (-recheck_rounding.INF,)] + numbers + [
            (x, x) for x in (recheck_rounding.INF, recheck_rounding.NAN)
        ]


def test_of_half_a_million_values_few_are_tried() -> None:
    """1 − 2^13·|x − 1| in 16 bits is not 0 within 4 units of 1, which are 2^-15: one apart below it, two above. Each costs 96."""
    t = transformer(replace(small(16), **peak(F(1), F(1 << 13))), NAMED["a4"])
    t.limits = Limits(work=96 << 10)
    one = 1 << 15
    assert recheck_verified.live_runs(t) == [(x, x) for x in (one - 3, one - 2, one - 1, one, one + 2)]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("quotient", [F(1), F(1, 2), F(1, 4), F(1, 8)])
def test_one_denominator_of_many_is_enough(quotient: F, sign: int) -> None:
    """1 over 1, 2, 4 and 8 and over their negatives, where the MLP accepts one quotient: neither all are answered with 0 nor all with 1."""
    t = transformer(replace(small(5), **peak(sign * quotient, F(8))), NAMED["a4"])
    ends = recheck_verified.Ends(t, [SimpleNamespace(sums=[0, 1])])  # type: ignore[list-item]
    top, denominators = t.machine.state(F(1)), [t.machine.state(F(sign * d)) for d in (1, 2, 4, 8)]
    rows: set[recheck_blocks.Row] = {(top, bottom, 0) for bottom in denominators}
    (accepted,) = [row for row in rows if t.machine.divide(top, row[1]) == t.machine.state(sign * quotient)]
    ends.check([{accepted}], 1, "that one")
    ends.check([rows - {accepted}], 0, "the others")
    for wanted in (0, 1):
        with pytest.raises(Rejected, match=f"all: .* is not answered with {wanted}"):
            ends.check([rows], wanted, "all")


@pytest.mark.parametrize("seed", range(20))
def test_denominators_of_one_sign_stay_together(seed: int) -> None:
    rng = Random(seed)
    special = {-INF, INF, NAN, 0}
    given = {*rng.sample(range(-9, 10), rng.randrange(12)), *rng.sample(sorted(special), rng.randrange(5))}
    found = recheck_verified.signs(given)
    assert sorted(x for each in found for x in each) == sorted(given)
    assert all(each == sorted(each) for each in found)
    whole = [[x for x in sorted(given - special) if (x < 0) == negative] for negative in (True, False)]
    assert sorted(found) == sorted([each for each in whole if each] + [[x] for x in given & special])
