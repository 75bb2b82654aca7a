"""Judges of model, update, kernel and training step (Appendices C, F, G, H, I.4, J): what the proofs use of the definitions, identities and
bounds, on exact instances, with sums of square roots.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product
from random import Random
from typing import Any, Literal

from constructions.one_bit_scaling.mathematics.quantization import Quantized, inner, weights
from constructions.one_bit_scaling.mathematics.training import Change, Problem, loss, units
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Rational, judge

DRAWN = 30
ONE = Fraction(1)
METHOD = "enumeration, in sums of square roots"


@dataclass(frozen=True)
class Instance:
    """A problem, weights before (and any others after), and F − y."""

    problem: Problem
    before: list[tuple[int, ...]]
    after: list[tuple[int, ...]]
    errors: list[Fraction]

    @property
    def shown(self) -> dict[str, object]:
        return {"x": self.problem.inputs, "a": self.problem.signs, "kappa": self.problem.kappa, "w": self.before, "F - y": self.errors}


def instances(query: Query) -> Iterator[Instance]:
    """For one neuron and one datum all weights with entries −1, 0, 1; else drawn ones, reproducibly (seed: the parameters)."""
    m, n, d = query["m"], query["n"], query["d"]
    if min(m, n, d) < 1:
        raise ValueError(f"m = {m}, n = {n}, d = {d}: a network has a neuron, a datum and a dimension at least")
    inputs = list(units(d))
    if m == n == 1:
        for x, w, v in product(inputs, weights(d, 1), weights(d, 1)):
            yield Instance(Problem([x], [1], Fraction(1, 2)), [w], [v], [Fraction(1, 3)])
        return
    chance = random.Random(f"{m} {n} {d}")
    for _ in range(DRAWN):
        signs = [chance.choice((-1, 1)) for _ in range(m)]
        before, after = ([tuple(chance.randint(-2, 2) for _ in range(d)) for _ in range(m)] for _ in range(2))
        errors = [Fraction(chance.randint(-4, 4), 3) for _ in range(n)]
        yield Instance(Problem([chance.choice(inputs) for _ in range(n)], signs, Fraction(1, 2)), before, after, errors)


def used_factor(problem: Problem, scaled: bool) -> RootSum:
    """κ/√m, or κ where the update rule leaves 1/√m out."""
    return problem.factor if scaled else RootSum.of(problem.kappa)


def drawn_or_all(query: Query) -> str:
    """What :func:`instances` goes through, in words."""
    single = query["m"] == query["n"] == 1
    return "all weights with entries -1, 0, 1" if single else f"{DRAWN} drawn instances with integer weights"


@judge
def gradient(query: Query, *, scaled: bool = True) -> Cases:
    """The update of the rule is the derivative of f_ste, which is linear in each w_rk while the pattern is fixed (F.1, F.3).

    scaled: whether the update rule has the factor 1/√m.
    """
    yield Over(drawn_or_all(query), METHOD)
    for one in instances(query):
        problem, d = one.problem, query["d"]
        active = [[n.active for n in row] for row in problem.neurons(one.before)]

        base = problem.straight_through(one.before, active)
        for r, k in product(range(query["m"]), range(d)):
            moved = [[v + (q == r and j == k) for j, v in enumerate(w)] for q, w in enumerate(one.before)]
            slope = sum(((b - a) * e for a, b, e in zip(base, problem.straight_through(moved, active), one.errors, strict=True)), RootSum())
            said = problem.gradient(r, active[r], one.errors, used_factor(problem, scaled))[k]
            yield slope == said or {**one.shown, "update of w_rk": said, "slope of the loss": slope, "r": r + 1, "k": k + 1}


@judge
def gram(query: Query, *, scaled: bool = True) -> Cases:
    """H_ij is the sum over r of the inner products of the derivatives at xᵢ and xⱼ (G.1).

    scaled: whether the update rule has the factor 1/√m.
    """
    yield Over(drawn_or_all(query), METHOD)
    for one in instances(query):
        problem = one.problem
        neurons = problem.neurons(one.before)
        kernel = problem.kernel(neurons)
        for i, j in product(range(query["n"]), repeat=2):
            alone = [[Fraction(int(k == i)) for k in range(query["n"])] for i in (i, j)]
            found = RootSum()
            for r, row in enumerate(neurons):
                left, right = (problem.gradient(r, [n.active for n in row], e, used_factor(problem, scaled)) for e in alone)
                found += inner(left, right)
            shown = {**one.shown, "i": i + 1, "j": j + 1, "H_ij": kernel[i][j], "Gram": found}
            yield found == kernel[i][j] or shown


@judge
def decomposition(query: Query, *, terms: list[str]) -> Cases:
    """L(t + 1) = L(t) + C₁ + C₂ + C₃ + C₄, for any weights before and after and any split into Sᵢ and the rest (H.2).

    terms: of Claim H.2, that are added to L(t).
    """
    yield Over(f"{drawn_or_all(query)}, before and after", METHOD)
    for number, one in enumerate(instances(query)):
        problem = one.problem
        change = Change(problem, problem.neurons(one.before), problem.neurons(one.after), one.errors)

        def kept(i: int, r: int, number: int = number) -> bool:
            return (number >> (i + r) % 4) % 2 == 0

        parts = {
            "C1": change.weights_on(kept),
            "C2": change.weights_on(lambda i, r, kept=kept: not kept(i, r)),  # type: ignore[misc]
            "C3": change.c3,
            "C4": change.c4,
        }
        before, after = change.losses
        total = sum((parts[name] for name in terms), before)
        shown = {**one.shown, "w(t+1)": one.after, "L(t+1)": after, f"L(t) + {' + '.join(terms)}": total}
        yield total == after or shown


@judge
def first_term(query: Query, *, sign: int) -> Cases:
    """C₁ = −η eᵀ(H − H^⊥)e for the update of C.8, Sᵢ being the r whose pattern at xᵢ the step keeps (H.3).

    sign: of η eᵀ(H − H^⊥)e.
    """
    eta = Fraction(1, 2)
    yield Over(drawn_or_all(query), METHOD)
    for one in instances(query):
        problem = one.problem
        errors = [root(query["m"]) * e for e in one.errors]  # so that the weights stay rational
        before = problem.neurons(one.before)
        moved = [[v.rational for v in map(RootSum.of, w)] for w in problem.step(one.before, errors, eta)]
        after = problem.neurons(moved)

        def kept(i: int, r: int, before: Any = before, after: Any = after) -> bool:
            return bool(before[r][i].active == after[r][i].active)

        first = Change(problem, before, after, errors).weights_on(kept)
        kernel = problem.kernel(before, kept)
        form = sum((kernel[i][j] * (errors[i] * errors[j]) for i in range(len(errors)) for j in range(len(errors))), RootSum())
        claimed = form * (eta * sign)
        yield first == claimed or {**one.shown, "eta": eta, "C1": first, "claimed": claimed}


@judge
def size_of_update(query: Query, *, scaled: bool = True, times: Rational = ONE) -> Cases:
    """\\|Δw_rk\\| and ‖Δw_r‖ are at most √(n/m)·‖F − y‖ (I.4); of all patterns.

    scaled: whether the update rule has the factor 1/√m; the bound is ``times`` n/m ‖F − y‖², squared.
    """
    yield Over(f"{drawn_or_all(query)}, every pattern", METHOD)
    for one in instances(query):
        problem, errors = one.problem, one.errors
        limit = Fraction(query["n"], query["m"]) * loss(errors) * 2 * times
        factor = used_factor(problem, scaled)
        for active in product((False, True), repeat=query["n"]):
            step = problem.gradient(0, active, errors, factor)
            length = inner(step, step)
            yield length <= limit or {**one.shown, "||dw||^2": length, "bound^2": limit}


@judge
def pattern_times_weight(query: Query, *, of: Literal["quantized", "full"]) -> Cases:
    """\\|1{·}⟨v, x⟩ − 1{·}⟨w, x⟩\\| <= \\|⟨v − w, x⟩\\| (H.4, third step); v is w with one entry moved.

    of: what is active when: dq(⟨w̃, x⟩) ≥ 0 or ⟨w, x⟩ ≥ 0.
    """
    d = query["d"]
    yield Over("all weights up to 2 in magnitude, one entry moved by 1/2, 1/8, 1/32", METHOD)
    for x, w, k, j in product(units(d), weights(d, 2), (2, 8, 32), range(d)):
        problem = Problem([x], [1], Fraction(1))
        v = tuple(e + (Fraction(1, k) if i == j else 0) for i, e in enumerate(w))
        values, changes = [], []
        for each in (w, v):
            neuron = problem.neuron(each, x)
            on = neuron.active if of == "quantized" else neuron.full.sign >= 0 if isinstance(neuron.full, RootSum) else neuron.full >= 0
            values.append(neuron.full * int(on))
            changes.append(neuron.full)
        left, right = abs(values[0] - values[1]), abs(changes[0] - changes[1])
        yield left <= right or {"x": x, "w(t)": w, "w(t+1)": v, "left": left, "right": right}


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
