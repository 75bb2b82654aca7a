"""Judges about the sets N, S, BN, BS: when they are everything, when two of them are equal (Sections 3.1–3.3).

N and BN depend on σ only through the gcd of its outputs, S and BS through the gcd of their gaps; so *every activation* is every set of
outputs, or every gcd, with every class of biases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, groupby, pairwise, product

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import chosen, grid_of
from constructions.fixed_point_networks.judges.sampling import LISTED, outputs_tried
from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form, threshold
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.images import divides_its_outputs, images, step_tables
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach, reach_of_image
from verifier.formulas import exact
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question
from verifier.verdicts import Finding


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the sets N, S, BN, BS."""

    set: str


class TwoKinds(Struct, frozen=True, forbid_unknown_fields=True):
    """Two of the sets, of which something is said together; among: the activations, where not every one is meant."""

    sets: list[str]
    among: list[str] = []


class OneToOne(Struct, frozen=True, forbid_unknown_fields=True):
    bijective: bool


def swap_target(grid: FixedPoint, level: int) -> int:
    """Section 5.1's f as a function of x₁: i + 1 for odd i, i − 1 for even i, and 2^p − 1 at 2^p − 1."""
    if level == grid.top:
        return grid.top
    return level + 1 if level % 2 else level - 1


def target_out_of_reach(question: Question, given: Kind) -> Finding:
    """Theorems 1 and 11: where no bias makes the set everything, the proof's target is computed by no network.

    Of more than one layer: each bias misses a value, which the target takes (it is onto). Of one layer: x₁ ↦ ⌈wx₁ + b⌉ is monotone, which
    the target is not.
    """
    grid, binary = grid_of(question), given.set.startswith("B")
    values = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(values)]

    def trials() -> Iterator[Failure]:
        yield None if max(steps) > 0 > min(steps) else {"target": values, "steps": steps}
        for gcd in range(grid.top + 1):
            sets = Reach(grid, gcd * (grid.s if binary else 1))
            if sets.full_bias() is None:
                for beta in range(sets.classes):
                    missing = sets.missing(beta)
                    taken = missing is not None and missing in values
                    yield None if taken else {"gcd of outputs": grid.show(gcd), "b": grid.show(beta), "target": values}

    what = f"every gcd of the outputs for which {given.set} is never everything, every class of biases, and the proof's target"
    return decide(question, what, trials(), "gcd of the outputs, and monotony")


def target_is_onto(question: Question, given: OneToOne) -> Finding:
    """The proof's target on Q_(p,s)^d is onto Q_(p,s), and, where ``bijective``, takes no value twice."""
    grid, d = grid_of(question), question["d"]
    question.within(grid.size**d, "inputs")

    def trials() -> Iterator[Failure]:
        seen: dict[int, tuple[int, ...]] = {}
        for x in product(grid.levels(), repeat=d):
            value = swap_target(grid, x[0])
            same = seen.setdefault(value, x)
            clash = same != x and given.bijective
            yield {"x": grid.show_all(same), "x'": grid.show_all(x), "f": grid.show(value)} if clash else None
        yield None if set(seen) == set(grid.levels()) else {"missing": sorted(set(grid.levels()) - set(seen))}

    return decide(question, "all inputs", trials())


class Divisors(Struct, frozen=True, forbid_unknown_fields=True):
    """set: N or BN; divisors: the condition on r, in r, p and s; multiple: what divides every output, in levels, in r and s."""

    set: str
    divisors: str
    multiple: str


def moduli(question: Question, condition: str) -> list[int]:
    """The r ≤ 2^p − 1 that satisfy the condition, or the one that was asked for."""
    only, top = chosen(question, "r"), grid_of(question).top
    return [r for r in ([only] if only else range(1, top + 1)) if exact.truth(condition, {**question.names, "r": Fraction(r)})]


def never_everything(question: Question, given: Divisors) -> Finding:
    """Lemmas 2 and 12: outputs that are all multiples of something leave N (BN) short of everything, whatever the bias."""
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for r in moduli(question, given.divisors):
            unit = exact.integer(given.multiple, {**question.names, "r": Fraction(r)})
            for gcd in (0, *range(unit, grid.top + 1, unit)):
                bias = Reach(grid, gcd * (grid.s if given.set == "BN" else 1)).full_bias()
                yield None if bias is None else {"r": r, "gcd of outputs": grid.show(gcd), "b": grid.show(bias)}

    which = f"r = {chosen(question, 'r')}" if chosen(question, "r") else "every r"
    return decide(question, f"{which}, every activation and every bias", trials(), "gcd of the outputs")


class Hardtanh(Struct, frozen=True, forbid_unknown_fields=True):
    """set: N or BN; factor: σ = factor·Hardtanh, in s; multiple: what divides every output, in levels."""

    set: str
    factor: str
    multiple: str


def scaled_hardtanh_never_everything(question: Question, given: Hardtanh) -> Finding:
    """Corollaries 3 and 13: N (BN) of factor·Hardtanh is never everything, and its outputs are the multiples named."""
    grid = grid_of(question)
    table = rounded(scaled_hardtanh(exact.integer(given.factor, question.names)), grid)
    unit = exact.integer(given.multiple, question.names)

    def trials() -> Iterator[Failure]:
        for k in grid.levels():
            yield None if table(k) % unit == 0 else {"x": grid.show(k), "rounded": grid.show(table(k))}
        bias = reach(given.set, table).full_bias()
        yield None if bias is None else {"b": grid.show(bias)}

    return decide(question, "every input and every bias", trials(), "gcd of the outputs")


def gaps(image: Iterable[int]) -> set[int]:
    """Every difference of two outputs."""
    outputs = set(image)
    return {a - b for a in outputs for b in outputs}


HYPOTHESES: Mapping[str, Callable[[frozenset[int]], bool]] = {
    "zero-output": lambda image: 0 in image,
    "output-is-gap": lambda image: bool(image & gaps(image)),
}
"""The hypotheses of Lemmas 10 and 18 on the outputs."""


def equal_sets(question: Question, given: TwoKinds) -> Finding:
    """Lemmas 10 and 18: the two sets are equal for every bias, for every set of outputs that keeps the hypotheses."""
    grid = grid_of(question)
    found, short, how = outputs_tried(question, grid)

    def trials() -> Iterator[Failure]:
        for image in found:
            kept = all(divides_its_outputs(image) if short else HYPOTHESES[name](image) for name in question.assuming)
            if kept:
                first, second = (reach_of_image(kind, grid, image) for kind in given.sets)
                bias = first.same_for_every_bias(second)
                yield None if bias is None else {"outputs": [grid.show(v) for v in sorted(image)], "b": grid.show(bias)}

    return decide(question, f"every activation that keeps the hypotheses, {how}, and every bias", trials(), "gcd")


def zero_output(question: Question, given: TwoKinds) -> Finding:
    """The sentence after Lemma 10: an output 0 makes the two sets equal for every bias."""
    grid = grid_of(question)
    found, short, how = outputs_tried(question, grid)

    def trials() -> Iterator[Failure]:
        for image in found:
            if divides_its_outputs(image) if short else 0 in image:
                first, second = (reach_of_image(kind, grid, image) for kind in given.sets)
                bias = first.same_for_every_bias(second)
                yield None if bias is None else {"outputs": [grid.show(v) for v in sorted(image)], "b": grid.show(bias)}

    return decide(question, f"every activation with an output 0, {how}, and every bias", trials(), "gcd")


def sums_of_gaps(question: Question) -> Finding:
    """Section 5.8: where an output x is a gap y − z, every output is a sum of two gaps, and every gap a difference of two outputs."""
    grid = grid_of(question)
    question.within(2**grid.size, "sets of outputs")

    def trials() -> Iterator[Failure]:
        for image in images(grid):
            found = gaps(image)
            if image & found:
                sums = {a + b for a in found for b in found}
                yield None if image <= sums else {"outputs": sorted(image), "no sum of two gaps": min(image - sums)}
                differences = {a - b for a in image for b in image}
                yield None if found <= differences else {"outputs": sorted(image), "no difference": min(found - differences)}

    return decide(question, "every set of outputs with an output that is a gap", trials())


class Converse(Struct, frozen=True, forbid_unknown_fields=True):
    """Corollaries 9 and 17. necessary: the set that representability makes everything for some bias, sufficient: that suffices for it;
    represent: the set of the networks that the sentence speaks of (S: weights in Q_(p,s), BS: weights ±1)."""

    necessary: str
    sufficient: str
    represent: str


def equivalent(question: Question, given: Converse) -> Finding:
    """Where the hypotheses hold: every function is representable if and only if ``sufficient`` is everything for some bias.

    Representable are all functions if (Theorems 6, 15) the set of the networks named is everything for some bias, and only if
    (Theorems 1, 11) its wider set is; where the two differ the sentence is not decided and the activation is no counterexample.
    """
    grid = grid_of(question)
    listed = grid.p < LISTED
    wider = {"S": "N", "BS": "BN"}[given.represent]

    def trials() -> Iterator[Failure]:
        for table in sorted(monotone_tables(grid) if listed else step_tables(grid), key=_simplicity):
            sets = {kind: reach(kind, table) for kind in ("N", "S", "BN", "BS")}
            if "equal-sets" in question.assuming and sets[given.necessary].same_for_every_bias(sets[given.sufficient]) is not None:
                continue
            if "condition-1" in question.assuming and normal_form(table) is None:
                continue
            full = {kind: sets[kind].full_bias() is not None for kind in sets}
            says = full[given.sufficient]
            wrong = (full[given.represent] and not says) or (says and not full[wider])
            yield _counterexample(grid, table, sets, given) if wrong else None

    how = "" if listed else ", by the least output and the gcd of the gaps,"
    scope = f"all monotone, non-constant activation tables with {given.necessary} = {given.sufficient} for every bias{how}"
    return decide(question, scope, trials(), "gcd; Theorems 1, 6, 11, 15")


def _counterexample(grid: FixedPoint, table: Table, sets: Mapping[str, Reach], given: Converse) -> Failure:
    missing = sets[given.sufficient].missing(0)
    return {
        "rounded activation": _runs(grid.show(v) for v in table.levels),
        given.represent: f"Q_(p,s) at b = {grid.show(sets[given.represent].full_bias() or 0)}",
        given.sufficient: f"never Q_(p,s); at b = 0 it lacks {grid.show(missing or 0)}",
    }


def _simplicity(table: Table) -> tuple[int, int, tuple[int, ...]]:
    return len(table.image), sum(map(abs, table.image)), table.levels


def _runs(values: Iterable[str]) -> list[str]:
    """``-1 (6 times), 0``: from the least input to the greatest."""
    counted = ((value, len(list(same))) for value, same in groupby(values))
    return [value if n == 1 else f"{value} ({n} times)" for value, n in counted]


def monotone_tables(grid: FixedPoint) -> Iterator[Table]:
    """Every monotone, non-constant ⌈σ⌉."""
    for levels in combinations_with_replacement(grid.levels(), grid.size):
        if levels[0] != levels[-1]:
            yield Table(grid, levels)
            yield Table(grid, levels[::-1])


def monotone_has_condition_1(question: Question) -> Finding:
    """Lemma 4, by every table; where they are too many, by which inputs share the last value (an upper interval)."""
    grid = grid_of(question)
    if grid.p <= 2 and "monotone" in question.assuming:
        trials = (None if normal_form(t) else {"table": t.levels} for t in monotone_tables(grid))
        return decide(question, "all monotone, non-constant activation tables", trials)
    if "monotone" not in question.assuming:
        question.within(grid.size**grid.size, "tables")
        every = (Table(grid, levels) for levels in product(grid.levels(), repeat=grid.size))
        found = (t for t in every if len(t.image) > 1)
        return decide(question, "all non-constant activation tables", (None if normal_form(t) else {"table": t.levels} for t in found))

    def by_last_value() -> Iterator[Failure]:
        for z in range(-grid.top + 1, grid.top + 1):
            levels = tuple(1 if k >= z else 0 for k in grid.levels())
            found = (threshold(Table(grid, levels)), normal_form(Table(grid, tuple(-v for v in levels))))
            yield None if found[0] == z and found[1] else {"z": grid.show(z)}

    what = "all monotone, non-constant activations, by the first input with the last value,"
    return decide(question, what, by_last_value(), "case split on z")


class Somewhere(Struct, frozen=True, forbid_unknown_fields=True):
    """zero_among_outputs: whether the zero of σ is asked for at one of its inputs in Q_(p,s), or anywhere."""

    zero_among_outputs: bool


def everything_together(question: Question, given: Somewhere) -> Finding:
    """Section 1: with a zero of σ, N is everything for some bias if and only if S is. A zero between two inputs is no output."""
    grid = grid_of(question)
    question.within(2**grid.size, "sets of outputs")

    def trials() -> Iterator[Failure]:
        for image in sorted(images(grid), key=lambda i: (len(i), sum(map(abs, i)), sorted(i))):
            if len(image) < 2 or (given.zero_among_outputs and 0 not in image):
                continue
            n, s = (reach_of_image(kind, grid, image).full_bias() is not None for kind in ("N", "S"))
            shown = {"outputs on Q_(p,s)": [grid.show(v) for v in sorted(image)], "N = Q_(p,s)": n, "S = Q_(p,s)": s}
            yield None if n == s else {**shown, "sigma is 0 at": f"1/{2 * grid.s}"}

    return decide(question, "every activation with two or more outputs, by its set of outputs,", trials())


def weaker_than_lemma_2(question: Question) -> Finding:
    """The sentence after Lemma 12: what it asks of the outputs follows from what Lemma 2 asks, and BN lies in N for every bias."""
    grid = grid_of(question)
    question.within(2**grid.size * grid.size, "sets of outputs and biases")

    def trials() -> Iterator[Failure]:
        for image in images(grid):
            n, bn = (reach_of_image(kind, grid, image) for kind in ("N", "BN"))
            outputs = [grid.show(v) for v in sorted(image)]
            for r in range(1, grid.top + 1):
                follows = all(v % r == 0 for v in image) or any(v % (grid.s * r) for v in image)
                yield None if follows else {"outputs": outputs, "r": r}
            for beta in range(-2 * grid.top, 2 * grid.top + 1):
                yield None if bn.reached(beta) <= n.reached(beta) else {"outputs": outputs, "b": grid.show(beta)}

    return decide(question, "every activation, by its set of outputs, every r <= 2^p - 1 and bias up to 2 q_max,", trials())
