"""Counts and identities inside the proofs of Lemmas 14, 20, 25 and 26 and in Section 4.2 (Sections 5.11, 5.15)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.claims.bezout import coprime, scope
from constructions.fixed_point_networks.claims.count import count
from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.mathematics.divisors import coefficients, recipes, small_coefficients
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import REPAIRED, copies, cube_layer, gate_layer, indicator
from constructions.fixed_point_networks.mathematics.samples import tables
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, within_limit
from verifier.arithmetic.numbers import HALF
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

N_AND_X = (Parameter("n", "how many numbers", "n >= 2", "2..3"), Parameter("x", "the largest number tried", "x >= n", "10"))


@claim(
    "lemma-14:gate",
    statement="g of Eq. (24) has weights +-1 only, so that it can be used again",
    place="Section 5.11, first lines",
    checks="the weights of rho_1, rho'_2 and rho_3",
    parameters=(*p_and_s("1..2", "1..3"), dimension("1..2")),
    bounded=False,
)
def gate(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]

    def trials() -> Iterator[Failure]:
        for name, _, normal in tables(grid):
            built = indicator(normal, ((0, 0),) * d, [(grid.s, grid.top, normal.z - 1)], binary=True)
            yield None if built.binary else {"activation": name}

    return decide(scope_of(question, "the weights of g"), trials())


@claim(
    "lemma-20:f-count",
    statement="m_q(12d + 5) + 4 parameters, at most (2s + 1)(12d + 5) + 4, construct F_q",
    place="Section 5.15",
    checks="the neurons of F_q counted (the last, unrounded map counts its weights; read as upper bounds), and m_q as small as can be",
    parameters=(*p_and_s("1..2", "1..3"), dimension("1..2")),
    bounded=False,
)
def f_count(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]

    def trials() -> Iterator[Failure]:
        for name, _, normal in tables(grid):
            m = copies(normal, False)
            shared = count(cube_layer(normal, ((0, 0),) * d), gate_layer(normal, d, REPAIRED, 0, m))
            total, bound = shared + (1 + 2 * m) + 1 + 2, m * (12 * d + 5) + 4
            ok = total <= bound and m <= 2 * grid.s + 1
            yield None if ok else {"activation": name, "parameters": total, "bound": bound, "m_q": m}

    return decide(scope_of(question, "every F_q"), trials())


@claim(
    "lemma-25:count",
    statement="d divides gamma_0, and n = 2 m gamma_0/d is at most s(2^(p+2) - 1) m for gamma_0 <= s(2^(p+1) - 1/2)",
    place="Section 5.15, proof of Lemma 25, last lines",
    checks="every d up to 2^(p+1) - 2, and every sum of two products of a weight and a multiple of d",
    parameters=p_and_s("1..2", "1..3"),
    bounded=False,
)
def term_count(question: Question) -> Finding:
    grid = grid_of(question, 3)
    largest = grid.s * (2 ** (grid.p + 1) - HALF)

    def trials() -> Iterator[Failure]:
        for d in range(1, 2 * grid.top + 1):
            multiples = range(d, 2 * grid.top + 1, d)
            for w, x in product(grid.levels(), multiples):
                yield None if (w * x) % d == 0 else {"d": d, "w": w, "x": x}
            yield None if 2 * largest / d <= grid.s * (2 ** (grid.p + 2) - 1) else {"d": d, "n/m": 2 * largest / d}

    return decide(f"all d, weights and multiples of d {at(question)}", trials())


@claim(
    "lemma-25:coefficients",
    statement="the coefficients that Lemma 26 gives satisfy |c_i| <= max |x_i| <= 2^(p+1) - 2",
    place="Section 5.15, proof of Lemma 25",
    checks="every ascending tuple of up to three positive levels of gaps",
    parameters=p_and_s("2", "1"),
    bounded=False,
)
def bounded(question: Question) -> Finding:
    grid = grid_of(question, 3)
    span = range(1, 2 * grid.top + 1)

    def trials() -> Iterator[Failure]:
        for xs in (xs for n in (1, 2, 3) for xs in product(span, repeat=n) if list(xs) == sorted(set(xs))):
            cs = small_coefficients(xs)[1]
            yield None if max(map(abs, cs)) <= xs[-1] <= 2 ** (grid.p + 1) - 2 else {"x": xs, "c": tuple(cs)}

    return decide(f"all ascending tuples of one, two or three levels {at(question)}", trials())


@claim(
    "lemma-26:choices",
    statement="k_n and every k_j can be picked as the proof asks, and c_1 = b_1 - sum of k_i x_i keeps the sum at 1",
    place="Section 5.15, proof of Lemma 26",
    checks="every coprime tuple, from the coefficients of the Euclidean algorithm: an outcome of the recipe, its k_i and its sum",
    parameters=N_AND_X,
    bounded=False,
)
def choices(question: Question) -> Finding:
    def trials() -> Iterator[Failure]:
        for xs in coprime(question):
            start = coefficients(xs)[1]
            found = list(recipes(xs, start, repaired=False))
            yield None if found else {"x": xs, "outcomes": 0}
            for cs in found:
                moves = [(c - b) // xs[0] for b, c in zip(start[1:], cs[1:], strict=True)]
                whole = all(b + k * xs[0] == c for b, k, c in zip(start[1:], moves, cs[1:], strict=True))
                first = start[0] - sum(k * x for k, x in zip(moves, xs[1:], strict=True))
                ok = whole and first == cs[0] and sum(c * x for c, x in zip(cs, xs, strict=True)) == 1
                yield None if ok else {"x": xs, "c": tuple(cs)}

    return decide(scope(question, "outcomes of the recipe for coprime ascending tuples above 1"), trials())


@claim(
    "lemma-26:last-step",
    statement="1 + x_1 x_n < x_1(1 + x_n) for 1 < x_1, so that |c_1 x_1| <= 1 + x_1 x_n gives |c_1| <= x_n",
    place="Section 5.15, proof of Lemma 26, last line",
    checks="all 1 < x_1 < x_n, and every c_1 with |c_1 x_1| <= 1 + x_1 x_n",
    parameters=(Parameter("x", "the largest number tried", "x >= 3", "12"),),
    bounded=False,
)
def last_step(question: Question) -> Finding:
    top = question["x"]
    within_limit(question, top**3)

    def trials() -> Iterator[Failure]:
        for low, high in ((a, b) for a in range(2, top) for b in range(a + 1, top + 1)):
            ok = 1 + low * high < low * (1 + high) and (1 + low * high) // low <= high
            yield None if ok else {"x_1": low, "x_n": high}

    return decide(f"all 1 < x_1 < x_n <= {top}", trials())


@claim(
    "section-4.2:inputs",
    statement="|Q_(p,s)^d| is at most 2^((p+1)d)",
    place="Section 4.2, last lines; Section 5.16, last line",
    checks="both numbers",
    parameters=(*p_and_s("1..4", "1"), dimension("1..3")),
    bounded=False,
)
def inputs(question: Question) -> Finding:
    grid, d = grid_of(question, 1), question["d"]
    size, bound = len(grid.levels()) ** d, 2 ** ((grid.p + 1) * d)
    return decide(f"the number of inputs {at(question)}", [None if size <= bound else {"inputs": size, "bound": bound}])
