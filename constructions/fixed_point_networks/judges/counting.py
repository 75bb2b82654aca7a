"""Judges of counts: sums that are small enough, their terms, Bézout coefficients, and parameters of indicators (Sections 4.2, 5.14, 5.15).

The sums of S° depend on σ through the gcd of its gaps alone, so *every activation* is every gcd."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor, gcd, lcm
from typing import Literal

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import Tried, grid_of, number
from constructions.fixed_point_networks.mathematics.divisors import Numbers, numbers, outcomes, within
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import cubes, indicator, show_cube
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import Reach, reach, with_everything
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question
from verifier.statements.papers import find_claim
from verifier.verdicts import Finding

FULL_BIAS = "every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,"


class SmallSums(Struct, frozen=True, forbid_unknown_fields=True):
    """furthest: the greatest magnitude of a sum; in_q: only sums that are in Q_(p,s); full_bias: only where S = Q_(p,s) for some bias."""

    furthest: str
    in_q: bool = False
    full_bias: bool = True


def small_sums_suffice(question: Question, given: SmallSums) -> Finding:
    """Lemma 19: from some bias in [−q_max, q_max] the sums of S° up to ``furthest`` reach every value."""
    grid, furthest = grid_of(question), number(question, given.furthest)

    def trials() -> Iterator[Failure]:
        for gap in range(1, 2 * grid.top + 1):
            bias = Reach(grid, gap).full_bias()
            if given.full_bias and bias is None:
                continue
            sums = Reach(grid, lcm(gap, grid.s) if given.in_q else gap)
            good = any(sums.missing_within(beta, furthest) is None for beta in grid.levels())
            missed = sums.missing_within(0, furthest)
            yield None if good else {"gcd of the gaps": grid.show(gap), "at b' = 0 missed": grid.show(missed or 0)}

    return decide(question, FULL_BIAS if given.full_bias else "every activation, by the gcd of its gaps,", trials(), "gcd of the gaps")


class Sums(Struct, frozen=True, forbid_unknown_fields=True):
    """rounded: whether a value v is to be ⌈b′ + γ⌉ for some γ in S° and one b′, or to be in S° itself."""

    rounded: bool


def values_are_sums(question: Question, given: Sums) -> Finding:
    """Every value of Q_(p,s) is a sum of S°, as it is or rounded after the bias for which S = Q_(p,s)."""
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for sums in with_everything(grid):
            bias, unit = sums.full_bias() or 0, Fraction(sums.step, grid.s**2)
            for q in grid.levels():
                taken = sums.sum_for(bias, q) is not None if given.rounded else grid.s * q % sums.step == 0
                yield None if taken else {"gcd of the gaps": grid.show(sums.step), "S° is the multiples of": unit, "q": grid.show(q)}

    return decide(question, f"{FULL_BIAS} and every value", trials(), "gcd of the gaps")


class Lemma(Struct, frozen=True, forbid_unknown_fields=True):
    """of: the statement that is used."""

    of: str


def applies(question: Question, given: Lemma) -> Finding:
    """Whether the parameters are in the domain of the statement that is used, as its own file has it."""
    used = find_claim(f"{question.claim.paper}/{given.of}")
    outside = used.outside({p.name: question[p.name] for p in used.parameters})
    return decide(question, f"the domain of {given.of}", [None if outside is None else {"outside": outside}])


class Intervals(Struct, frozen=True, forbid_unknown_fields=True):
    """intervals: a level, and the ends of what rounds to it, in levels; the lower end belongs to it, the upper where ``closed``."""

    intervals: list[tuple[str, str, str]]
    closed: bool = False


def rounding_intervals(question: Question, given: Intervals) -> Finding:
    """The reals that round to each of the levels named are those of its interval, ends included."""
    grid = grid_of(question)
    found = preimages(grid)

    def trials() -> Iterator[Failure]:
        for row in given.intervals:
            level, low, high = (number(question, text) for text in row)
            i = found[int(level)]
            same = (i.low, i.high, i.holds_low, i.holds_high) == (low, high, True, given.closed)
            yield None if same else {"level": grid.show(int(level)), "preimage": i}

    return decide(question, "each value named", trials())


def show_outputs(grid: FixedPoint, image: frozenset[int]) -> list[str]:
    return [grid.show(v) for v in sorted(image)]


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """at_most: how many terms γ may take, in |V|, here ``gaps``; furthest: the greatest magnitude of γ, if there is one.

    sums_only: whether γ is in S°, and not any multiple of 1/s².
    """

    at_most: str
    furthest: str | None = None
    sums_only: bool = True


def few_terms(question: Question, given: Terms) -> Finding:
    """Lemma 25: each γ > 0 is a sum of at most so many products of a weight and a gap; the sums found are added up again."""
    grid = grid_of(question)
    question.within(2**grid.size, "sets of outputs")
    limit = int(number(question, given.furthest or "0") * grid.s**2)

    def trials() -> Iterator[Failure]:
        for image in images(grid):
            if len(image) < 2:
                continue
            levels = sorted(image)
            table = Table(grid, tuple(levels + levels[-1:] * (grid.size - len(levels))))
            step, most = reach("S", table).step, int(number(question, given.at_most, gaps=len(table.gaps)))
            shown = {"outputs": show_outputs(grid, image)}
            if step > 1 and not given.sums_only:
                yield {**shown, "gamma": Fraction(1, grid.s**2), "S° is the multiples of": Fraction(step, grid.s**2)}
            for t in range(step, limit + 1, step):
                terms = combination(table, t, False)
                ok = sum(w * (table(a) - table(b)) for w, a, b in terms) == t and len(terms) <= most
                yield None if ok else {**shown, "gamma": Fraction(t, grid.s**2), "terms": len(terms), "bound": most}
            if given.furthest is None:
                yield _too_many_terms(table, step, most)

    which = "one sum too large for the bound" if given.furthest is None else f"every positive sum up to {Fraction(limit, grid.s**2)}"
    return decide(question, f"every set of two or more outputs and {which}", trials())


def _too_many_terms(table: Table, step: int, most: int) -> Failure:
    """A γ that takes more terms, each product being at most q_max times the greatest gap."""
    grid, largest = table.grid, table.grid.top * max(table.gaps)
    gamma = (most * largest // step + 1) * step
    terms = -(-gamma // largest)
    shown = {"outputs": show_outputs(grid, table.image), "gamma": Fraction(gamma, grid.s**2)}
    return None if terms <= most else {**shown, "terms at least": terms, "bound": most}


class GapLevels(Struct, frozen=True, forbid_unknown_fields=True):
    """positive_only: whether the x_i are the positive levels among the gaps, or all of them."""

    positive_only: bool


def gaps_as_numbers(question: Question, given: GapLevels) -> Finding:
    """The levels of V to which Lemma 26 is applied are natural numbers, distinct, with the gcd of all of V."""
    grid = grid_of(question)
    question.within(2**grid.size, "sets of outputs")

    def trials() -> Iterator[Failure]:
        for image in sorted(images(grid), key=lambda i: (len(i), sorted(map(abs, i)), sorted(i))):
            if len(image) > 1:
                gaps = sorted({a - b for a in image for b in image})
                used = [x for x in gaps if x > 0 or not given.positive_only]
                natural = bool(used) and min(used) > 0 and gcd(*used) == gcd(*gaps)
                yield None if natural else {"outputs": show_outputs(grid, image), "x": used}

    return decide(question, "every set of two or more outputs", trials())


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """bound: of the parameters; terms and each: the proof's bounds of the terms of γ, and of the parameters of F_q, two for a term.

    furthest: the greatest magnitude of γ, if there is one.
    """

    bound: str
    terms: str
    each: str
    furthest: str | None = None


def indicator_size(question: Question, given: Size) -> Finding:
    """Lemma 20: the product of the proof's bounds, and the networks built for every γ > 0 of S° up to ``furthest``, keep ``bound``."""
    grid, d, tried = grid_of(question), question["d"], Tried(question)
    bound = int(number(question, given.bound))
    furthest = None if given.furthest is None else int(number(question, given.furthest) * grid.s**2)

    def trials() -> Iterator[Failure]:
        product = 2 * number(question, given.terms) * number(question, given.each)
        yield None if product <= bound else {"2 n delta": product, "bound": bound}
        if furthest is None:
            gamma = (bound + 1) * grid.top**2
            yield {"activation": "identity", "gamma": Fraction(gamma, grid.s**2), "inputs of the last map at least": gamma // grid.top**2}
            return
        for name, _, normal in tried:
            step = reach("S", normal.rho).step
            for t in range(step, furthest + 1, step):
                network = indicator(normal, ((0, 0),) * d, combination(normal.rho, t, False))
                shown = {"activation": name, "gamma": Fraction(t, grid.s**2)}
                ok = network.parameters <= bound and network.quantized
                yield None if ok else {**shown, "parameters": network.parameters, "weights in Q_(p,s)": network.quantized}

    return decide(question, tried.scope("the proof's bound, and every gamma > 0 of S°"), trials())


class Subject(Struct, frozen=True, forbid_unknown_fields=True):
    """points: whether only cubes that are points are spoken of."""

    points: bool


def as_large_as_for_a_point(question: Question, given: Subject) -> Finding:
    """The proof's indicator of each cube has as many parameters as that of a point, among the cubes that are spoken of."""
    grid, d, tried = grid_of(question), question["d"], Tried(question)
    question.within((grid.size * (grid.size + 1) // 2) ** d, "cubes")

    def trials() -> Iterator[Failure]:
        for name, _, normal in tried:
            term = [(grid.top, normal.z, normal.z - 1)]
            point = indicator(normal, ((0, 0),) * d, term).parameters
            for cube in cubes(grid, d):
                same = indicator(normal, cube, term).parameters == point
                spoken_of = not given.points or all(a == b for a, b in cube)
                shown = {"activation": name, "cube": show_cube(grid, cube), "parameters as for a point": same}
                yield None if same and spoken_of else shown

    return decide(question, tried.scope("every cube"), trials())


class Bounds(Struct, frozen=True, forbid_unknown_fields=True):
    """lengths: how many numbers; largest: the greatest tried; first, rest: bounds of |c₁| and of the others, in x1, xn and d, the gcd.

    numbers: ``ascending`` naturals, in other orders (``unordered``), with ``repetitions``, or ``integers`` in ascending order.
    """

    lengths: list[str]
    largest: str
    first: str
    rest: str
    numbers: Literal["ascending", "unordered", "repetitions", "integers"] = "ascending"


def bounded(question: Question, given: Bounds) -> Finding:
    """Lemma 26: some integers c have Σ cᵢxᵢ = d within the bounds: by the repaired recipe, or, where that gives none, by search."""
    largest = int(number(question, given.largest))

    def trials() -> Iterator[Failure]:
        for n in (int(number(question, text)) for text in given.lengths):
            for xs in numbers(given.numbers, n, largest) if n else ():
                names = {"x1": xs[0], "xn": xs[-1], "d": gcd(*xs)}
                first, rest = (floor(number(question, text, **names)) for text in (given.first, given.rest))
                yield None if within(xs, first, rest) else {"x": xs, "d": gcd(*xs), "|c_1| at most": first, "|c_i| at most": rest}

    lengths = ", ".join(given.lengths)
    return decide(question, f"all {given.numbers} tuples of {lengths} numbers up to {largest}", trials())


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """sign_of: what the sign of the next choice must differ from that of: ``next``, the coefficient c_(j+1), or ``sum``, of all so far.

    sums, first: bounds of |Σ_(i≥j) cᵢxᵢ| for j ≥ 2, and of |c₁|, in x1 and xn.
    """

    sign_of: Literal["next", "sum"]
    sums: str
    first: str


class Choices(Struct, frozen=True, forbid_unknown_fields=True):
    """sign_of: as for a recipe; c1: what the first coefficient is, in b1 and moved = Σ kᵢxᵢ."""

    sign_of: Literal["next", "sum"]
    c1: str


OUTCOMES = "outcomes of the recipe, from Euclidean coefficients, for coprime ascending tuples above 1"


def recipe_bounds(question: Question, given: Recipe) -> Finding:
    """Whatever the recipe picks, the sums of the later terms and the first coefficient stay within the bounds."""

    def trials() -> Iterator[Failure]:
        for xs, _, picked in outcomes(question["n"], question["x"], given.sign_of == "sum"):
            sums, first = (number(question, text, x1=xs[0], xn=xs[-1]) for text in (given.sums, given.first))
            for cs in picked:
                yield _beyond(xs, cs, floor(sums), floor(first))

    return decide(question, f"all {OUTCOMES}", trials())


def _beyond(xs: Numbers, cs: list[int], sums: int, first: int) -> Failure:
    for j in range(1, len(xs)):
        total = sum(c * x for c, x in zip(cs[j:], xs[j:], strict=True))
        if abs(total) > sums:
            return {"x": xs, "c": tuple(cs), "j": j + 1, "sum": total, "bound": sums}
    return None if abs(cs[0]) <= first else {"x": xs, "c": tuple(cs), "|c_1|": abs(cs[0]), "bound": first}


def recipe_choices(question: Question, given: Choices) -> Finding:
    """The kᵢ can be picked as asked, and the first coefficient as given keeps the sum at 1."""

    def trials() -> Iterator[Failure]:
        for xs, b, picked in outcomes(question["n"], question["x"], given.sign_of == "sum"):
            yield None if picked else {"x": xs, "outcomes": 0}
            for cs in picked:
                whole = all((new - old) % xs[0] == 0 for old, new in zip(b[1:], cs[1:], strict=True))
                moved = sum((new - old) // xs[0] * x for old, new, x in zip(b[1:], cs[1:], xs[1:], strict=True))
                c1 = number(question, given.c1, b1=b[0], moved=moved)
                total = c1 * xs[0] + sum(c * x for c, x in zip(cs[1:], xs[1:], strict=True))
                yield None if whole and total == 1 else {"x": xs, "b": tuple(b), "c": (c1, *cs[1:]), "sum": total}

    return decide(question, f"all {OUTCOMES}", trials())
