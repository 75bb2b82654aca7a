"""Judges of model, update, kernel and training step (Appendices C, F, G, H, I.4, J): what the proofs use of the definitions, identities and
bounds.

An identity is compared as one of polynomials in weights, data, errors, κ/√m and the patterns, whose values are 0 and 1; where it is
none, exact instances with sums of square roots show it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar, Literal

from constructions.one_bit_scaling.mathematics.quantization import Numbers, Quantized, inner, weights
from constructions.one_bit_scaling.mathematics.training import Change, Neuron, Problem, loss, units
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.square_roots import RootSum, root
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges.declaring import Rational, judge
from verifier.language.polynomials import Ring, Unknown

DRAWN = 30
ONE = Fraction(1)
METHOD = "enumeration, in sums of square roots"
ALL = "all real weights, data, errors and kappa"


@dataclass(frozen=True)
class Instance:
    """A problem, weights before (and any others after), F − y, a step size, a factor of weights, and a split into Sᵢ and the rest."""

    problem: Problem
    before: Sequence[Numbers]
    after: Sequence[Numbers]
    errors: Numbers
    number: int = 0
    eta: Any = Fraction(1, 2)
    times: Any = 3

    @property
    def shown(self) -> dict[str, object]:
        return {"x": self.problem.inputs, "a": self.problem.signs, "kappa": self.problem.kappa, "w": self.before, "F - y": self.errors}

    def neurons(self, later: bool = False, times: Any = 1) -> list[list[Neuron]]:
        """Of the weights before or after, multiplied."""
        return self.problem.neurons([tuple(times * v for v in w) for w in (self.after if later else self.before)])

    def quantization_errors(self) -> list[Numbers]:
        """u(w) of the weights before."""
        return [Quantized.of(w).error for w in self.before]

    def without_errors(self) -> Iterator[Instance]:
        """The instance, if no weights before have a quantization error."""
        if all(v == 0 for u in self.quantization_errors() for v in u):
            yield self

    def kept(self, i: int, r: int) -> Any:
        """Whether r is in Sᵢ."""
        return (self.number >> (i + r) % 4) % 2 == 0

    def changing(self, i: int, r: int) -> Any:
        """Whether r is not in Sᵢ."""
        return 1 - self.kept(i, r)

    def factor(self, scaled: bool) -> Any:
        """κ/√m, or κ where the update rule leaves 1/√m out."""
        return self.problem.factor if scaled else RootSum.of(self.problem.kappa)

    def stepped(self) -> tuple[Instance, list[list[Neuron]]]:
        """The same with errors for which a step leads to rational weights, and the neurons after it."""
        one = replace(self, errors=[root(len(self.before)) * e for e in self.errors])
        moved = [[v.rational for v in map(RootSum.of, w)] for w in one.problem.step(one.before, one.errors, one.eta)]
        return one, one.problem.neurons(moved)


Names = dict[str, object]
Sides = Callable[[Instance], Iterator[tuple[Names, Any, Any]]]
"""What is to be equal in an instance, with names for what a counterexample shows."""


@dataclass(frozen=True, kw_only=True)
class General(Instance):
    """The instance of unknowns: weights w and v, their quantization errors u and t, data x, errors e of F, κ, κ/√m, signs with a² = 1,
    patterns g and h of dq and f of ⟨w, x⟩, and splits s, which are their own squares; exact: whether u is 0.

    Every instance is one of its values, by Lemma C.6, which makes dq of w and u(w): an identity of these polynomials holds in all.
    """

    ring: Ring
    shapes: Mapping[str, tuple[int, int]]
    exact: bool = False

    SIGNS: ClassVar[str] = "a"
    TRUTHS: ClassVar[str] = "ghfs"

    @classmethod
    def of(cls, m: int, n: int, d: int) -> General:
        shapes = {**dict.fromkeys("wvut", (m, d)), **dict.fromkeys(cls.TRUTHS, (m, n)), "x": (n, d), "a": (m, 1), "e": (n, 1)}
        places = [Unknown(name, (r + 1, k + 1)) for name, (rows, columns) in shapes.items() for r in range(rows) for k in range(columns)]
        ring = Ring([*places, *map(Unknown, ("factor", "kappa", "eta", "times"))])
        factor, kappa, eta, times = (ring.generator(Unknown(name)) for name in ("factor", "kappa", "eta", "times"))
        w, v, x, a, e = (_matrix(ring, name, *shapes[name]) for name in "wvxae")
        problem = Problem(x, [each for (each,) in a], factor if m == 1 else kappa, given=factor)
        return cls(problem, w, v, [each for (each,) in e], 0, eta, times, ring=ring, shapes=shapes)

    def matrix(self, name: str) -> list[list[Any]]:
        """The unknowns of one name."""
        return _matrix(self.ring, name, *self.shapes[name])

    def neurons(self, later: bool = False, times: Any = 1) -> list[list[Neuron]]:
        rows, errors = (self.after, self.matrix("t")) if later else (self.before, self.quantization_errors())
        return self._made([[times * v for v in w] for w in rows], [[times * v for v in u] for u in errors], later)

    def _made(self, rows: Sequence[Numbers], errors: Sequence[Numbers], later: bool) -> list[list[Neuron]]:
        """Patterns after a step are those before it where the split keeps them; one number has one pattern, as dq and as ⟨w, x⟩."""
        before, after, of_full, kept = (self.matrix(name) for name in self.TRUTHS)
        found = []
        for r, (w, u) in enumerate(zip(rows, errors, strict=True)):
            row = []
            for x, g, h, f, k in zip(self.problem.inputs, before[r], after[r], of_full[r], kept[r], strict=True):
                full, on = inner(w, x), k * g + (1 - k) * h if later else g
                quantized = full + inner(u, x)
                row.append(Neuron(quantized, full, on, on if quantized == full else f))
            found.append(row)
        return found

    def quantization_errors(self) -> list[Numbers]:
        return [[v * (0 if self.exact else 1) for v in u] for u in self.matrix("u")]

    def without_errors(self) -> Iterator[Instance]:
        yield replace(self, exact=True)

    def kept(self, i: int, r: int) -> Any:
        return self.matrix("s")[r][i]

    def factor(self, scaled: bool) -> Any:
        return self.problem.factor if scaled else self.problem.kappa

    def stepped(self) -> tuple[Instance, list[list[Neuron]]]:
        steps = [self.problem.gradient(r, active, self.errors) for r, active in enumerate(self.matrix("g"))]
        moved = [[v - self.eta * g for v, g in zip(w, step, strict=True)] for w, step in zip(self.before, steps, strict=True)]
        return self, self._made(moved, self.matrix("t"), True)

    def equal(self, left: Any, right: Any) -> bool:
        """Whether both sides are one polynomial, a² being 1 and g² being g."""
        total: dict[tuple[tuple[Unknown, int], ...], Fraction] = {}
        for coefficient, powers in self.ring.terms(left - right + self.problem.factor * 0):
            kept = {
                u: power % 2 if u.name in self.SIGNS else min(power, 1) if u.name in self.TRUTHS else power for u, power in powers.items()
            }
            key = tuple((u, power) for u, power in kept.items() if power)
            total[key] = total.get(key, Fraction(0)) + coefficient
        return not any(total.values())


def _matrix(ring: Ring, name: str, rows: int, columns: int) -> list[list[Any]]:
    return [[ring.generator(Unknown(name, (r + 1, k + 1))) for k in range(columns)] for r in range(rows)]


def identity(query: Query, sides: Sides, of: str = ALL) -> Cases:
    """Whether the sides are equal: as polynomials, or on exact instances, which may show that they are not; of: what they are about."""
    m, n, d = query["m"], query["n"], query["d"]
    if min(m, n, d) < 1:
        raise ValueError(f"m = {m}, n = {n}, d = {d}: a network has a neuron, a datum and a dimension at least")
    general = General.of(m, n, d)
    compared = [general.equal(left, right) for _, left, right in sides(general)]
    if all(compared):
        yield Over(f"{of}, every pattern,", "polynomials")
        yield len(compared)
        return
    yield Over(drawn_or_all(query), METHOD, sample_of=ALL)
    for one in instances(query):
        for names, left, right in sides(one):
            yield left == right or {**one.shown, **names}


def instances(query: Query) -> Iterator[Instance]:
    """For one neuron and one datum all weights with entries −1, 0, 1; else drawn ones, reproducibly (seed: the parameters)."""
    m, n, d = query["m"], query["n"], query["d"]
    inputs = list(units(d))
    if m == n == 1:
        for number, (x, w, v) in enumerate(product(inputs, weights(d, 1), weights(d, 1))):
            yield Instance(Problem([x], [1], Fraction(1, 2)), [w], [v], [Fraction(1, 3)], number)
        return
    chance = random.Random(f"{m} {n} {d}")
    for number in range(DRAWN):
        signs = [chance.choice((-1, 1)) for _ in range(m)]
        before, after = ([tuple(chance.randint(-2, 2) for _ in range(d)) for _ in range(m)] for _ in range(2))
        errors = [Fraction(chance.randint(-4, 4), 3) for _ in range(n)]
        yield Instance(Problem([chance.choice(inputs) for _ in range(n)], signs, Fraction(1, 2)), before, after, errors, number)


def drawn_or_all(query: Query) -> str:
    """What :func:`instances` goes through, in words."""
    single = query["m"] == query["n"] == 1
    return "all weights with entries -1, 0, 1" if single else f"{DRAWN} drawn instances with integer weights"


def _patterns(neurons: Sequence[Sequence[Neuron]]) -> list[list[Any]]:
    return [[n.active for n in row] for row in neurons]


@judge
def gradient(query: Query, *, scaled: bool = True) -> Cases:
    """The update of the rule is the derivative of f_ste, which is linear in each w_rk while the pattern is fixed (F.1, F.3).

    scaled: whether the update rule has the factor 1/√m.
    """

    def sides(one: Instance) -> Iterator[tuple[Names, Any, Any]]:
        problem, active = one.problem, _patterns(one.neurons())
        base = problem.straight_through(one.before, active)
        for r, k in product(range(query["m"]), range(query["d"])):
            moved = [[v + (q == r and j == k) for j, v in enumerate(w)] for q, w in enumerate(one.before)]
            changes = [b - a for a, b in zip(base, problem.straight_through(moved, active), strict=True)]
            slope, said = inner(changes, one.errors), problem.gradient(r, active[r], one.errors, one.factor(scaled))[k]
            yield {"update of w_rk": said, "slope of the loss": slope, "r": r + 1, "k": k + 1}, slope, said

    return identity(query, sides)


@judge
def gram(query: Query, *, scaled: bool = True) -> Cases:
    """H_ij is the sum over r of the inner products of the derivatives at xᵢ and xⱼ (G.1).

    scaled: whether the update rule has the factor 1/√m.
    """

    def sides(one: Instance) -> Iterator[tuple[Names, Any, Any]]:
        problem, neurons = one.problem, one.neurons()
        kernel = problem.kernel(neurons)
        for i, j in product(range(query["n"]), repeat=2):
            alone = [[one.errors[0] * 0 + (k == i) for k in range(query["n"])] for i in (i, j)]
            found = problem.factor * 0
            for r, row in enumerate(_patterns(neurons)):
                left, right = (problem.gradient(r, row, e, one.factor(scaled)) for e in alone)
                found = found + inner(left, right)
            yield {"i": i + 1, "j": j + 1, "H_ij": kernel[i][j], "Gram": found}, found, kernel[i][j]

    return identity(query, sides)


@judge
def decomposition(query: Query, *, terms: list[str]) -> Cases:
    """L(t + 1) = L(t) + C₁ + C₂ + C₃ + C₄, for any weights before and after and any split into Sᵢ and the rest (H.2).

    terms: of Claim H.2, that are added to L(t).
    """

    def sides(one: Instance) -> Iterator[tuple[Names, Any, Any]]:
        change = Change(one.problem, one.neurons(), one.neurons(later=True), one.errors)
        parts = {"C1": change.weights_on(one.kept), "C2": change.weights_on(one.changing), "C3": change.c3, "C4": change.c4}
        before, after = change.losses
        total = sum((parts[name] for name in terms), before)
        yield {"w(t+1)": one.after, "L(t+1)": after, f"L(t) + {' + '.join(terms)}": total}, total, after

    return identity(query, sides)


@judge
def first_term(query: Query, *, sign: int) -> Cases:
    """C₁ = −η eᵀ(H − H^⊥)e for the update of C.8, Sᵢ being any r whose pattern at xᵢ the step keeps (H.3).

    sign: of η eᵀ(H − H^⊥)e.
    """

    def sides(instance: Instance) -> Iterator[tuple[Names, Any, Any]]:
        one, after = instance.stepped()
        before = one.neurons()

        def kept(i: int, r: int) -> Any:
            return one.kept(i, r) if isinstance(one, General) else before[r][i].active == after[r][i].active

        first = Change(one.problem, before, after, one.errors).weights_on(kept)
        form = inner([inner(row, one.errors) for row in one.problem.kernel(before, kept)], one.errors)
        claimed = form * one.eta * sign
        yield {"eta": one.eta, "C1": first, "claimed": claimed}, first, claimed

    return identity(query, sides)


@judge
def size_of_update(query: Query, *, scaled: bool = True, times: Rational = ONE) -> Cases:
    """\\|Δw_rk\\| and ‖Δw_r‖ are at most √(n/m)·‖F − y‖ (I.4); of all patterns.

    scaled: whether the update rule has the factor 1/√m; the bound is ``times`` n/m ‖F − y‖², squared.
    """
    yield Over(f"{drawn_or_all(query)}, every pattern", METHOD, sample_of=ALL)
    for one in instances(query):
        problem, errors = one.problem, one.errors
        limit = Fraction(query["n"], query["m"]) * loss(errors) * 2 * times
        factor = one.factor(scaled)
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
            on = neuron.active if of == "quantized" else neuron.full_active
            values.append(neuron.full * int(on))
            changes.append(neuron.full)
        left, right = abs(values[0] - values[1]), abs(changes[0] - changes[1])
        yield left <= right or {"x": x, "w(t)": w, "w(t+1)": v, "left": left, "right": right}


@judge
def homogeneous(query: Query, *, degree: int = 1) -> Cases:
    """f(x, cW, a) = c^degree·f(x, W, a) for c > 0 (C.5), which has the same signs of w − E(w)1: E(cw) = cE(w), and V(cw) = c²V(w)."""

    def sides(one: Instance) -> Iterator[tuple[Names, Any, Any]]:
        scaled = one.problem.outputs(one.neurons(times=one.times))
        expected = [f * one.times**degree for f in one.problem.outputs(one.neurons())]
        for found, claimed in zip(scaled, expected, strict=True):
            yield {"f(x, 3W, a)": found, "claimed": claimed}, found, claimed

    return identity(query, sides)


@judge
def straight_through(query: Query, *, errors: bool = True) -> Cases:
    """f = f_ste + κ/√m Σ a_r 1{dq ≥ 0}⟨u(w_r), x⟩ (F.1), u(w) being that of D.6.

    errors: whether those of the active neurons are added.
    """

    def sides(one: Instance) -> Iterator[tuple[Names, Any, Any]]:
        neurons = one.neurons()
        found = one.problem.straight_through(one.before, _patterns(neurons))
        rest = one.problem.straight_through(one.quantization_errors(), _patterns(neurons))
        for f, of_weights, of_errors in zip(one.problem.outputs(neurons), found, rest, strict=True):
            claimed = of_weights + of_errors * errors
            yield {"f": f, "claimed": claimed}, f, claimed

    return identity(query, sides)


@judge
def linear_step(query: Query, *, scaled: bool = True) -> Cases:
    """f_ste after a step of C.8, at the patterns before it, is f_ste − ηHe.

    scaled: whether the update rule has the factor 1/√m.
    """

    def sides(one: Instance) -> Iterator[tuple[Names, Any, Any]]:
        problem, neurons = one.problem, one.neurons()
        active = _patterns(neurons)
        steps = [problem.gradient(r, on, one.errors, one.factor(scaled)) for r, on in enumerate(active)]
        moved = [[v - g * one.eta for v, g in zip(w, step, strict=True)] for w, step in zip(one.before, steps, strict=True)]
        before, after = problem.straight_through(one.before, active), problem.straight_through(moved, active)
        for f, found, row in zip(before, after, problem.kernel(neurons), strict=True):
            claimed = f - inner(row, one.errors) * one.eta
            yield {"eta": one.eta, "f_ste after the step": found, "f_ste - eta H e": claimed}, found, claimed

    return identity(query, sides)


@judge
def split_kernel(query: Query, *, both: bool = False, symmetric: bool = False) -> Cases:
    """H − H^⊥ is the sum of G.1 over the r in Sᵢ (G.3, H.3), for any split; or H^⊥ is symmetric.

    both: whether H^⊥_ij is over the r outside Sᵢ and Sⱼ, not Sᵢ alone; symmetric: whether it is asked if H^⊥ is.
    """

    def sides(one: Instance) -> Iterator[tuple[Names, Any, Any]]:
        problem, neurons = one.problem, one.neurons()
        perpendicular = problem.kernel(neurons, one.changing, one.changing) if both else problem.kernel(neurons, one.changing)
        kernel, kept = problem.kernel(neurons), problem.kernel(neurons, one.kept)
        for i, j in product(range(query["n"]), repeat=2):
            split = [[one.changing(i, r) for r in range(query["m"])] for i in range(query["n"])]
            pair: Names = {"r outside S_i": split, "i": i + 1, "j": j + 1}
            if symmetric:
                left, right = perpendicular[i][j], perpendicular[j][i]
                yield {**pair, "H^perp_ij": left, "H^perp_ji": right}, left, right
            else:
                left, right = kernel[i][j] - perpendicular[i][j], kept[i][j]
                yield {**pair, "H_ij - H^perp_ij": left, "over S_i": right}, left, right

    return identity(query, sides)


@judge
def same_without_error(query: Query, *, every: bool = False) -> Cases:
    """f = f′ where u(w_r) = 0 for every r (J.1).

    every: whether weights with a quantization error are gone through as well.
    """

    def sides(instance: Instance) -> Iterator[tuple[Names, Any, Any]]:
        for one in [instance] if every else instance.without_errors():
            neurons = one.neurons()
            for f, full in zip(one.problem.outputs(neurons), one.problem.full_outputs(neurons), strict=True):
                yield {"f": f, "f'": full}, f, full

    return identity(query, sides, ALL if every else ALL.replace("weights", "weights without a quantization error"))
