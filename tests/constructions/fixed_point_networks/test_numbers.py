"""Bézout coefficients, combinations and ranges against brute force, each with a neighbour that is refused."""

from fractions import Fraction
from itertools import combinations, product
from math import gcd

import pytest

from constructions.fixed_point_networks.claims.slope_hypothesis import CONDITIONS, LEMMAS, Ramp, smallest_without
from constructions.fixed_point_networks.claims.table import ENTRIES, TABLE_1, interval
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.divisors import coefficients, recipes, small_coefficients, within_bounds
from constructions.fixed_point_networks.mathematics.enclosures import at_point, escape, four_digits, open_range
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import closure
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from verifier.arithmetic.preimages import spread


def exists(xs: tuple[int, ...], first: int, rest: int) -> bool:
    """Brute force: coefficients with |c₁| ≤ first and |cᵢ| ≤ rest."""
    d = gcd(*xs)
    for cs in product(range(-rest, rest + 1), repeat=len(xs) - 1):
        left = d - sum(c * x for c, x in zip(cs, xs[1:], strict=True))
        if left % xs[0] == 0 and abs(left // xs[0]) <= first:
            return True
    return False


def test_lemma_26_by_brute_force() -> None:
    for n in (2, 3):
        for xs in combinations(range(1, 10), n):
            d, cs = small_coefficients(xs)
            assert exists(xs, xs[-1] // d, xs[0] // d)
            assert within_bounds(xs, cs)


def test_smaller_bounds_would_be_too_small_for_some() -> None:
    assert not exists((4, 6, 9), 0, 0)
    assert not within_bounds((2, 3, 4, 5), [7, -1, 0, -2])
    assert not within_bounds((2, 3), [1, 1])


def test_the_recipe_as_repaired_always_works_and_as_printed_does_not() -> None:
    failures = []
    for xs in combinations(range(2, 9), 4):
        if gcd(*xs) == 1:
            start = coefficients(xs)[1]
            assert all(within_bounds(xs, cs) for cs in recipes(xs, start, repaired=True))
            failures += [xs for cs in recipes(xs, start, repaired=False) if not within_bounds(xs, cs)]
    assert failures[0] == (2, 3, 4, 5)


@pytest.mark.parametrize("binary", [False, True])
def test_combinations_add_up(binary: bool) -> None:
    table = Table(FixedPoint(2, 2), (-3, -1, 1, 1, 1, 1, 1))
    unit = 4 if binary else 2
    for t in range(-20, 21):
        if t % unit:
            with pytest.raises(ValueError, match="not a sum"):
                combination(table, t, binary)
        else:
            terms = combination(table, t, binary)
            assert sum(w * (table(a) - table(b)) for w, a, b in terms) == t
            assert all(abs(w) == 2 if binary else abs(w) <= 3 for w, _, _ in terms)


@pytest.mark.parametrize("name", list(ENTRIES))
def test_a_narrower_entry_is_refused(name: str) -> None:
    for i in range(6):
        domain = interval(TABLE_1[i // 2])
        true = open_range(NAMED[name], i % 2, *domain)
        low, high = true.infimum[0], true.supremum[1]
        hair = (high - low) / 100
        assert escape(NAMED[name], i % 2, domain, (low - hair, high + hair)) is None
        for narrower in ((low + hair, high + hair), (low - hair, high - hair)):
            found = escape(NAMED[name], i % 2, domain, narrower)
            assert found is not None
            first, second = at_point(NAMED[name], i % 2, found.x)
            assert second <= narrower[0] or first >= narrower[1]


def test_an_end_that_is_not_attained_may_be_the_end_of_the_entry() -> None:
    half, one = Fraction(1, 2), Fraction(1)
    assert escape(NAMED["softplus"], 1, (Fraction(0), one), (half, one)) is None
    found = escape(NAMED["sigmoid"], 1, (-one, one), (Fraction(0), Fraction(1, 4)))
    assert found is not None
    assert (found.x, found.value) == (0, "1/4")


def test_four_digits_and_too_wide() -> None:
    assert four_digits(Fraction(-1, 3), Fraction(-1, 3)) == "-0.3333"
    with pytest.raises(ArithmeticError, match="too wide"):
        four_digits(Fraction(0), Fraction(1))


def test_other_tie_rules_break_lemma_22() -> None:
    for ties, lemma in (("away", True), ("zero", False), ("even", False)):
        intervals = preimages(FixedPoint(3, 1), ties).values()  # type: ignore[arg-type]
        assert lemma == (not any(spread(i, i).can_be_at_least(1) for i in intervals))


def test_ramps_that_keep_the_hypotheses_give_everything() -> None:
    grid = FixedPoint(2, 1)

    def ramp(low: Fraction, high: Fraction, steps: int) -> Ramp:
        return Ramp(grid, steps, low, high, low, high)

    for kind in ("S", "BS"):
        assert ramp(Fraction(0), Fraction(1), 1).short(kind) is None
        assert ramp(Fraction(-3, 4), Fraction(3, 4), 2).short(kind) is None
        assert ramp(Fraction(-1, 2), Fraction(1, 2), 1).short(kind) is not None
    assert ramp(Fraction(-3, 4), Fraction(3, 4), 2).levels() == [-1, 0, 1]
    assert all(holds(ramp(Fraction(-3, 4), Fraction(3, 4), 2)) for _, holds in CONDITIONS["(A1)"])


def test_the_smallest_ramp_without_a_hypothesis_misses_a_value_by_brute_force() -> None:
    for lemma, condition in [(each, text) for each in LEMMAS for text in each.conditions]:
        for name, _ in lemma.conditions[condition]:
            found = smallest_without(lemma, condition, name, max(2, lemma.from_p))
            if (condition, name) == ("(A3)", "sigma' <= 2"):
                assert found is None
                continue
            assert found is not None
            levels = found.levels()
            table = Table(found.grid, tuple(levels + levels[-1:] * (found.grid.size - len(levels))))
            bias = found.short(lemma.kind)
            assert bias is not None
            assert len(closure(lemma.kind, table, bias, 200)) < found.grid.size
