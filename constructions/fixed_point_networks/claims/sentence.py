"""Sentences between the numbered statements that a machine can decide (Sections 1, 2.1, 3.2.1, 3.2.3, 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from constructions.fixed_point_networks.claims.named import NAMED_IN_LEMMA_8, bound_on_s
from constructions.fixed_point_networks.grid import fixed_points
from constructions.fixed_point_networks.sets import images, reach_of_image
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata, within_limit
from constructions.fixed_point_networks.tried import scope_of, tables
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question
from verifier.formulas.exact import truth
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "section-1:zero",
    statement="under Condition 1, if sigma is 0 at some x, then N = Q_(p,s) for some bias if and only if S = Q_(p,s) for some bias",
    place="Section 1, the contribution on necessary and sufficient conditions (the abstract and Lemma 10 have x in Q_(p,s))",
    checks="every set of two or more outputs on Q_(p,s), which a monotone sigma can have (Lemma 4); as printed, sigma may have its zero "
    "between two of its inputs",
    parameters=p_and_s("1..2", "1..2"),
    errata=(
        Erratum(
            printed="there exists x such that sigma(x) = 0",
            repaired="there exists x in Q_(p,s) such that sigma(x) = 0",
            why="a zero between the inputs is not among the outputs; -1/s up to one input and 1/s from the next on, with a zero between, "
            "has N = Q_(p,s), and S never (p = 2, s = 1)",
        ),
    ),
    bounded=False,
)
def zero(question: Question) -> Finding:
    grid = grid_of(question, 1)
    within_limit(question, 2**grid.size)

    def trials() -> Iterator[Failure]:
        for image in sorted(images(grid), key=lambda i: (len(i), sum(map(abs, i)), sorted(i))):
            if len(image) < 2 or (uses_errata(question) and 0 not in image):
                continue
            n, s = (reach_of_image(kind, grid, image).full_bias() is not None for kind in ("N", "S"))
            outputs = [grid.show(v) for v in sorted(image)]
            yield (
                None if n == s else {"outputs on Q_(p,s)": outputs, "N = Q_(p,s)": n, "S = Q_(p,s)": s, "sigma is 0 at": f"1/{2 * grid.s}"}
            )

    return decide(f"every activation with two or more outputs, by its set of outputs, {at(question)}", trials())


@claim(
    "condition-1:interval",
    statement="under Condition 1, where alpha = 1 (-1) the rounded activation has its maximum (minimum) exactly on [z, max Q_(p,s)] for "
    "beta = 1 and on the other interval named for beta = -1",
    place="Section 3.2.1, after Condition 1",
    checks="where each table that satisfies Condition 1 is extremal, for its alpha, beta and z",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="[min Q_(p,s), z]",
            repaired="[min Q_(p,s), -z]",
            why="with sigma(x) = alpha rho(beta x) and beta = -1 the condition x >= z on rho is x <= -z on sigma",
        ),
    ),
    bounded=False,
)
def interval(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for name, table, normal in tables(grid):
            extreme = max(table.levels) if normal.alpha == 1 else min(table.levels)
            found = [k for k in grid.levels() if table(k) == extreme]
            end = -normal.z if uses_errata(question) else normal.z
            named = [k for k in grid.levels() if (k >= normal.z if normal.beta == 1 else k <= end)]
            shown = {"activation": name, "alpha": normal.alpha, "beta": normal.beta, "z": grid.show(normal.z)}
            yield None if found == named else {**shown, "extremal up to": grid.show(found[-1]), "interval up to": grid.show(named[-1])}

    return decide(scope_of(question, "every input"), trials())


@claim(
    "lemma-8:condition-on-s",
    statement="the conditions that Lemma 8 puts on s only ensure 1 in Q_(p,s)",
    place="Section 3.2.3, after Lemma 8",
    checks="every s with 1 in Q_(p,s): whether Lemma 8 admits it, for each of its activations; as repaired, whether S is Q_(p,s) there",
    parameters=(Parameter("p", "magnitude bits", "p >= 3", "3..4"),),
    errata=(
        Erratum(
            printed="For SoftPlus, if p >= 4 or p = 3 and 1 <= s <= 5 (Lemma 8)",
            repaired="For SoftPlus, if p >= 3",
            why="1 is in Q_(3,6) and Q_(3,7), too, and S is everything there (lemma-8:hypotheses)",
        ),
    ),
    bounded=False,
)
def condition_on_s(question: Question) -> Finding:
    p = question["p"]
    if uses_errata(question):
        return question.ask("fixed-point-networks/lemma-8:hypotheses")

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(p):
            for name in NAMED_IN_LEMMA_8:
                admitted = truth(bound_on_s(name), {"p": Fraction(p), "s": Fraction(grid.s)})
                yield None if admitted else {"activation": name, "s": grid.s, "q_max": grid.largest}

    return decide(f"the seven activations of Lemma 8 and every s <= 2^p - 1, {at(question)}", trials())


@claim(
    "lemma-12:weaker",
    statement="what Lemma 12 asks of the outputs follows from what Lemma 2 asks, and BN lies in N for every bias",
    place="Section 3.3, after Lemma 12",
    checks="every r and every set of outputs; BN and N for every bias up to twice q_max",
    parameters=p_and_s("1..2", "1..3"),
    bounded=False,
)
def weaker(question: Question) -> Finding:
    grid = grid_of(question)
    within_limit(question, 2**grid.size * grid.size)

    def trials() -> Iterator[Failure]:
        for image in images(grid):
            n, bn = (reach_of_image(kind, grid, image) for kind in ("N", "BN"))
            for r in range(1, grid.top + 1):
                follows = all(v % r == 0 for v in image) or any(v % (grid.s * r) for v in image)
                yield None if follows else {"outputs": [grid.show(v) for v in sorted(image)], "r": r}
            for beta in range(-2 * grid.top, 2 * grid.top + 1):
                inside = bn.reached(beta) <= n.reached(beta)
                yield None if inside else {"outputs": [grid.show(v) for v in sorted(image)], "b": grid.show(beta)}

    return decide(f"every activation, by its set of outputs, every r <= 2^p - 1 and bias up to 2 q_max, {at(question)}", trials())


@claim(
    "equation-18:values",
    statement="the modulus of continuity has its values in R_(>=0), as Section 2.1 defines that set",
    place="Section 2.1, notations, and Section 4.3, Eq. (18)",
    checks="the modulus of a constant function, which is 0 at every delta",
    errata=(
        Erratum(
            printed="R_(>=0), the set of positive real numbers",
            repaired="R_(>=0), the set of nonnegative real numbers",
            why="0 is the modulus of a constant, and delta = 0 an argument in Eq. (19)",
        ),
    ),
    bounded=False,
)
def modulus_values(question: Question) -> Finding:
    values = [Fraction(1)] * 3
    modulus = max(abs(a - b) for a in values for b in values)
    ok = modulus >= 0 if uses_errata(question) else modulus > 0
    return decide("a constant function", [None if ok else {"f*": "1 everywhere", "omega(delta)": modulus}])
