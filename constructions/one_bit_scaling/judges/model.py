"""Judges of the definitions of model, update and kernel (Appendices C, F, G, J): what the proofs use of each, on exact instances."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice, product
from random import Random
from typing import Any

from constructions.one_bit_scaling.judges.dynamics import METHOD, Instance, drawn_or_all, instances, used_factor
from constructions.one_bit_scaling.mathematics.quantization import Quantized, inner, weights
from constructions.one_bit_scaling.mathematics.training import Problem, units
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import judge


def starts(query: Query) -> Iterator[Instance]:
    """The instances but for the weights after, each once."""
    seen = set()
    for one in instances(query):
        key = (one.problem.inputs[0], *one.before)
        if query["m"] * query["n"] > 1 or key not in seen:
            seen.add(key)
            yield one


@judge
def homogeneous(query: Query, *, degree: int = 1) -> Cases:
    """f(x, 3W, a) = 3^degree·f(x, W, a) (C.5), as f(x, cW, a) = c^degree f(x, W, a) is claimed."""
    yield Over(drawn_or_all(query), METHOD)
    for one in starts(query):
        problem = one.problem
        tripled = problem.outputs(problem.neurons([tuple(3 * v for v in w) for w in one.before]))
        expected = [f * 3**degree for f in problem.outputs(problem.neurons(one.before))]
        yield tripled == expected or {**one.shown, "f(x, 3W, a)": tripled, "claimed": expected}


def _patterns(one: Instance) -> list[list[bool]]:
    return [[n.active for n in row] for row in one.problem.neurons(one.before)]


@judge
def straight_through(query: Query, *, errors: bool = True) -> Cases:
    """f = f_ste + κ/√m Σ a_r 1{dq ≥ 0}⟨u(w_r), x⟩ (F.1), u(w) being that of D.6.

    errors: whether those of the active neurons are added.
    """
    yield Over(drawn_or_all(query), METHOD)
    for one in starts(query):
        problem, active = one.problem, _patterns(one)
        found = problem.straight_through(one.before, active)
        if errors:
            rest = problem.straight_through([Quantized.of(w).error for w in one.before], active)
            found = [a + b for a, b in zip(found, rest, strict=True)]
        outputs = problem.outputs(problem.neurons(one.before))
        yield found == outputs or {**one.shown, "f": outputs, "claimed": found}


@judge
def linear_step(query: Query, *, scaled: bool = True) -> Cases:
    """f_ste after a step of C.8, at the patterns before it, is f_ste − ηHe.

    scaled: whether the update rule has the factor 1/√m.
    """
    eta = Fraction(1, 2)
    yield Over(drawn_or_all(query), METHOD)
    for one in starts(query):
        problem, active = one.problem, _patterns(one)
        factor = used_factor(problem, scaled)
        steps = [problem.gradient(r, active[r], one.errors, factor) for r in range(query["m"])]
        moved = [[v - eta * g for v, g in zip(w, step, strict=True)] for w, step in zip(one.before, steps, strict=True)]
        found = problem.straight_through(moved, active)
        kernel = problem.kernel(problem.neurons(one.before))
        before = problem.straight_through(one.before, active)
        claimed = [f - eta * inner(row, one.errors) for f, row in zip(before, kernel, strict=True)]
        yield found == claimed or {**one.shown, "eta": eta, "f_ste after the step": found, "f_ste - eta H e": claimed}


@judge
def split_kernel(query: Query, *, both: bool = False, symmetric: bool = False) -> Cases:
    """H − H^⊥ is the sum of G.1 over the r in Sᵢ (G.3, H.3), for any split; or H^⊥ is symmetric.

    both: whether H^⊥_ij is over the r outside Sᵢ and Sⱼ, not Sᵢ alone; symmetric: whether it is asked if H^⊥ is.
    """
    n, m = query["n"], query["m"]
    yield Over(f"{drawn_or_all(query)}, split in many ways", METHOD)
    for number, one in enumerate(starts(query)):
        problem = one.problem
        neurons, active = problem.neurons(one.before), _patterns(one)
        outside = [[(number >> (i + 2 * r) % 5) % 2 == 1 for r in range(m)] for i in range(n)]

        def changing(i: int, j: int, one: Instance = one, active: Any = active, outside: Any = outside) -> RootSum:
            """H^⊥_ij."""
            chosen = [r for r in range(m) if outside[i][r] and (outside[j][r] or not both)]
            x, y = one.problem.inputs[i], one.problem.inputs[j]
            share = Fraction(sum(active[r][i] and active[r][j] for r in chosen), m)
            return inner(x, y) * (one.problem.kappa**2 * share)

        kernel = problem.kernel(neurons)
        kept = problem.kernel(neurons, lambda i, r, outside=outside: not outside[i][r])  # type: ignore[misc]
        shown = {**one.shown, "r outside S_i": outside}
        for i, j in product(range(n), repeat=2):
            pair = {**shown, "i": i + 1, "j": j + 1}
            left, right = kernel[i][j] - changing(i, j), kept[i][j]
            if symmetric:
                yield changing(i, j) == changing(j, i) or {**pair, "H^perp_ij": changing(i, j), "H^perp_ji": changing(j, i)}
            else:
                yield left == right or {**pair, "H_ij - H^perp_ij": left, "over S_i": right}


@judge
def same_without_error(query: Query, *, every: bool = False) -> Cases:
    """f = f′ where u(w_r) = 0 for every r (J.1).

    every: whether all weights are gone through, not only those without a quantization error.
    """
    m, d = query["m"], query["d"]
    query.within(5**d)
    exact = [w for w in weights(d, 2) if every or all(u == 0 for u in Quantized.of(w).error)]
    chance = Random(f"{m} {d}")
    which = "all" if every else "the weights without error among all"
    yield Over(f"{which} integer weights up to 2 in magnitude", METHOD)
    for w in exact:
        signs = [chance.choice((-1, 1)) for _ in range(m)]
        problem = Problem(list(islice(cycle(units(d)), query["n"])), signs, Fraction(1, 2))
        neurons = problem.neurons([w, *(chance.choice(exact) for _ in range(m - 1))])
        f, full = problem.outputs(neurons), problem.full_outputs(neurons)
        yield f == full or {"w_1": w, "a": signs, "x": problem.inputs, "f": f, "f'": full}
