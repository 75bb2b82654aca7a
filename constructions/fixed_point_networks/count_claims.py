"""Lemmas 19, 20, 25 and Section 4.2: how large sums, terms and networks become (Sections 4.2, 5.14, 5.15)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from constructions.fixed_point_networks.activations import Table
from constructions.fixed_point_networks.combination import combination
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.indicator import REPAIRED as SIGNS
from constructions.fixed_point_networks.indicator import cube_layer, gate_layer, indicator
from constructions.fixed_point_networks.indicator_claims import tables, targets, within_limit
from constructions.fixed_point_networks.network import Layer
from constructions.fixed_point_networks.preimages import HALF, preimages
from constructions.fixed_point_networks.representator import representator
from constructions.fixed_point_networks.sets import Reach, images, reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, uses_errata
from verifier.claims.model import Chapter, Erratum, Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

FROM_3 = (Parameter("p", "magnitude bits", "p >= 3", "3"), p_and_s()[1])
SMALL = p_and_s("2", "1..3")


def small_sums(grid: FixedPoint, sets: Reach, beta: int) -> int | None:
    """A level that no sum γ with |γ| ≤ 2q_max + 3/(2s) reaches at bias β; None where all are reached."""
    bound = 4 * grid.top * grid.s + 3 * grid.s
    for q in grid.levels():
        t = sets.sum_for(beta, q)
        if t is None or 2 * abs(t) > bound:
            return q
    return None


def _lemma_19(grid: FixedPoint) -> Iterator[Failure]:
    for step in range(1, 2 * grid.top + 1):
        sets = Reach(grid, step)
        if sets.full_bias() is None:
            continue
        good = any(small_sums(grid, sets, beta) is None for beta in grid.levels())
        yield None if good else {"gcd of the gaps": grid.show(step), "b": grid.show(sets.full_bias() or 0)}


@claim(
    "lemma-19",
    statement="if S = Q_(p,s) for some bias, then for some bias in [-q_max, q_max] the sums of magnitude at "
    "most 2 q_max + 3/(2s) reach everything",
    place="Section 4.2, Lemma 19; proof in 5.14",
    checks="every gcd that the gaps can have, every bias in [-q_max, q_max], and for each value the sum of least magnitude",
    parameters=FROM_3,
    bounded=False,
)
def lemma_19(question: Question) -> Finding:
    return decide(f"every activation, by the gcd of its gaps, {at(question)}", _lemma_19(grid_of(question)), "gcd of the gaps")


@claim(
    "lemma-19:hypotheses",
    statement="whether Lemma 19 needs p >= 3",
    place="Section 4.2, Lemma 19",
    checks="its conclusion at p = 1 and p = 2",
    parameters=(
        Parameter("p", "magnitude bits", "p >= 1 and p <= 2", "1..2"),
        Parameter("s", "scaling factor", "s >= 1 and s <= 2**p - 1", "1"),
    ),
    bounded=False,
)
def lemma_19_hypotheses(question: Question) -> Finding:
    scope = f"every activation, by the gcd of its gaps, {at(question)}"
    return decide(scope, _lemma_19(grid_of(question)), "gcd of the gaps", "the conclusion holds here too: p >= 3 is not needed")


@claim(
    "lemma-19:shift",
    statement="every bias is brought into [-q_max, q_max] by multiples of a nonzero gap, which is at most 2 q_max, and S stays as it is",
    place="Section 5.14, first paragraph",
    checks="every gap and every bias of magnitude up to 4 q_max; S at both biases",
    parameters=FROM_3,
    bounded=False,
)
def shift(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for gap in range(1, 2 * grid.top + 1):
            sets = Reach(grid, gap)
            for beta in range(-4 * grid.top, 4 * grid.top + 1, 3):
                moved = next((b for b in grid.levels() if (b - beta) % gap == 0), None)
                ok = moved is not None and sets.reached(moved) == sets.reached(beta)
                yield None if ok else {"gap": grid.show(gap), "b": grid.show(beta)}

    return decide(f"all gaps, and every third bias of magnitude up to 4 q_max, {at(question)}", trials())


@claim(
    "lemma-19:preimages",
    statement="what rounds to q_max - 1/s is [q_max - 3/(2s), q_max - 1/(2s)), and to q_max - 2/s the same shifted by 1/s",
    place="Section 5.14",
    checks="both preimages, ends included",
    parameters=FROM_3,
    bounded=False,
)
def top_preimages(question: Question) -> Finding:
    grid = grid_of(question)
    found = preimages(grid)

    def trials() -> Iterator[Failure]:
        for k in (1, 2):
            i = found[grid.top - k]
            ok = (i.low, i.high, i.holds_low, i.holds_high) == (grid.top - k - HALF, grid.top - k + HALF, True, False)
            yield None if ok else {"level": grid.show(grid.top - k), "preimage": i}

    return decide(f"both values {at(question)}", trials())


@claim(
    "lemma-19:ends",
    statement="the two sums found at the end of the proof reach q_max and -q_max, the values that are left",
    place="Section 5.14, last lines",
    checks="the values named for gamma_+ and gamma_-",
    parameters=FROM_3,
    errata=(
        Erratum(
            printed="gamma_- with [gamma_- + b'] = q_max",
            repaired="gamma_- with [gamma_- + b'] = -q_max",
            why="q_max is what gamma_+ reaches; -q_max is left to be reached",
        ),
    ),
    bounded=False,
)
def ends(question: Question) -> Finding:
    grid = grid_of(question)
    named = {grid.top, -grid.top if uses_errata(question) else grid.top}
    left = {grid.top, -grid.top} - named
    return decide(f"the two values {at(question)}", [{"not reached": grid.show(left.pop())} if left else None])


def count(*layers: Layer) -> int:
    """Parameters by the definition of Section 2.3: a bias and the weights of each neuron."""
    return sum(1 + len(n.inputs) for layer in layers for n in layer)


@claim(
    "lemma-20:phi",
    statement="at most 12d parameters construct phi, and at most 12d + 5 construct g",
    place="Section 5.15",
    checks="the neurons of Eqs. (23)-(25) counted by the definition in Section 2.3 (the last, unrounded map "
    "counts its weights; read as upper bounds)",
    parameters=(*p_and_s("3", "1"), dimension("1..4")),
    bounded=False,
)
def phi_count(question: Question) -> Finding:
    d = question["d"]
    _, _, normal = next(tables(grid_of(question)))
    first = count(cube_layer(normal, ((0, 0),) * d))
    phi, g = first + 4 * d, first + count(gate_layer(normal, d, SIGNS, 0, 1)) + 2
    return decide(
        f"phi and g {at(question)}",
        [None if phi <= 12 * d else {"phi": phi, "bound": 12 * d}, None if g <= 12 * d + 5 else {"g": g, "bound": 12 * d + 5}],
        witness=f"phi has {phi} = 10d, g has {g} = 10d + 4: a constant neuron has a bias and no weight, where the paper seems to count two",
    )


@claim(
    "lemma-20:copies",
    statement="m_q = 2s + 1 gives m_q q_max ([sigma](q_max) - [sigma](z - 1/s)) > 2 q_max",
    place="Section 5.15",
    checks="the least drop, 1/s, and every larger one",
    parameters=p_and_s(),
    bounded=False,
)
def copies_suffice(question: Question) -> Finding:
    grid = grid_of(question)
    drops = range(1, 2 * grid.top + 1)
    m = 2 * grid.s + 1
    return decide(
        f"every drop {at(question)}",
        (None if m * grid.largest * grid.value(drop) > 2 * grid.largest else {"drop": grid.show(drop)} for drop in drops),
    )


@claim(
    "lemma-20:levels",
    statement="s times the rounded activation lies in the range of integers stated",
    place="Section 5.15",
    checks="the identity on every input",
    parameters=p_and_s("1..2", "1"),
    errata=(
        Erratum(
            printed="{-2^(p-1) + 1, ..., 2^(p-1) - 1}",
            repaired="{-2^p + 1, ..., 2^p - 1}",
            why="Q_(p,s) has levels up to 2^p - 1 (Eq. 4), and the identity takes them all",
        ),
    ),
    bounded=False,
)
def level_range(question: Question) -> Finding:
    grid = grid_of(question)
    bound = 2**grid.p - 1 if uses_errata(question) else 2 ** (grid.p - 1) - 1
    trials = (
        None if abs(k) <= bound else {"activation": "identity", "x": grid.show(k), "s*x": k, "bound": bound}
        for k in sorted(grid.levels(), key=abs)
    )
    return decide(f"every value of Q_(p,s) {at(question)}", trials)


@claim(
    "lemma-20:gaps",
    statement="there are fewer than 2^(p+2) gaps, and so s(2^(p+2) - 1) times their number is at most s 2^(2p+4)",
    place="Section 5.15",
    checks="the largest set of gaps, that of the identity",
    parameters=p_and_s(),
    bounded=False,
)
def gap_count(question: Question) -> Finding:
    grid = grid_of(question)
    gaps = len(Table(grid, tuple(grid.levels())).gaps)
    ok = gaps < 2 ** (grid.p + 2) and grid.s * (2 ** (grid.p + 2) - 1) * gaps <= grid.s * 2 ** (2 * grid.p + 4)
    return decide(f"the largest set of gaps {at(question)}", [None if ok else {"gaps": gaps}], witness=f"{gaps} gaps")


CONSTANT = 1760
"""2nδ with n ≤ 16·2^(2p)·s terms and δ = (2s+1)(12d+5) + 4 ≤ 55sd parameters for each of a term's two F_q."""


@claim(
    "lemma-20",
    statement="the indicator of a point takes O(2^(2p) s^2 d) parameters; read with the constant that the proof gives, 1760",
    place="Section 4.2, Lemma 20; proof in 5.15",
    checks="the proof's product of its bounds, and the networks built for every value of every activation tried",
    parameters=(*p_and_s("3", "1..7"), dimension("1..2")),
    bounded=False,
)
def lemma_20(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    bound = CONSTANT * 4**grid.p * grid.s**2 * d
    delta = (2 * grid.s + 1) * (12 * d + 5) + 4

    def trials() -> Iterator[Failure]:
        product = 2 * grid.s * 2 ** (2 * grid.p + 4) * delta
        yield None if product <= bound else {"2 n delta": product, "bound": bound}
        for name, _, normal in tables(grid):
            bias = reach("S", normal.rho).full_bias()
            if bias is None:
                continue
            for level in grid.levels():
                t = reach("S", normal.rho).sum_for(bias, level)
                terms = combination(normal.rho, t or 0, False)
                size = indicator(normal, ((0, 0),) * d, terms).parameters
                yield None if size <= bound else {"activation": name, "value": grid.show(level), "parameters": size}

    return decide(f"the proof's bound, and every value of the activations tried, {at(question)}", trials())


@claim(
    "section-4.2",
    statement="the universal representator has four layers and O(2^(2p + (p+1)d) s^2 d) parameters; read with the constant of Lemma 20",
    place="Section 4.2",
    checks="the networks built for five targets and every activation tried: layers and parameters",
    parameters=(*p_and_s("2", "1..3"), dimension("1..2")),
    bounded=False,
)
def section_4_2(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    within_limit(question, grid.size ** (2 * d) * 22)
    bound = CONSTANT * 2 ** (2 * grid.p + (grid.p + 1) * d) * grid.s**2 * d
    most = 0

    def trials() -> Iterator[Failure]:
        nonlocal most
        for name, table, normal in tables(grid):
            if reach("S", normal.rho).full_bias() is None:
                continue
            for text, target in targets(grid, d).items():
                network = representator(table, target, d)
                most = max(most, network.parameters)
                ok = network.depth == 4 and network.parameters <= bound
                yield None if ok else {"activation": name, "target": text, "layers": network.depth, "parameters": network.parameters}

    found = list(trials())
    return decide(
        f"five targets and the activations tried {at(question)}", found, witness=f"at most {most:,} parameters; the bound is {bound:,}"
    )


@claim(
    "lemma-25",
    statement="every sum of magnitude at most 2 q_max + 3/(2s) is one of at most s(2^(p+2) - 1) |V| terms",
    place="Section 5.15, Lemma 25",
    checks="every set of outputs, every such sum, and a combination of terms for it, added up again",
    parameters=SMALL,
    bounded=False,
)
def lemma_25(question: Question) -> Finding:
    grid = grid_of(question)
    within_limit(question, 2**grid.size * 8)
    limit = (4 * grid.top + 3) * grid.s // 2
    longest = 0

    def trials() -> Iterator[Failure]:
        nonlocal longest
        for image in images(grid):
            if len(image) < 2:
                continue
            levels = sorted(image)
            table = Table(grid, tuple(levels + levels[-1:] * (grid.size - len(levels))))
            step, bound = reach("S", table).step, grid.s * (2 ** (grid.p + 2) - 1) * len(table.gaps)
            for t in range(step, limit + 1, step):
                terms = combination(table, t, False)
                longest = max(longest, len(terms))
                ok = sum(w * (table(a) - table(b)) for w, a, b in terms) == t and len(terms) <= bound
                yield None if ok else {"outputs": levels, "gamma": Fraction(t, grid.s**2), "terms": len(terms)}

    found = list(trials())
    return decide(
        f"every set of outputs and every positive sum {at(question)}", found, witness=f"{longest} terms are enough for each of them"
    )


@claim(
    "lemma-25:scale",
    statement="with u_1 + u_2 = c/s, the sum of the printed products equals c/s times x/s",
    place="Section 5.15, proof of Lemma 25, first display",
    checks="every c and x of magnitude up to 2^(p+1) - 2",
    parameters=p_and_s("2", "1..3"),
    errata=(
        Erratum(
            printed="the sum of (u_j/s)(x/s); w = u_j/s",
            repaired="the sum of u_j (x/s); w = u_j",
            why="u_j already carries the 1/s of c/s; with a second one the sum is 1/s^3, not 1/s^2, and u_j/s need not be in Q_(p,s)",
        ),
    ),
    bounded=False,
)
def scale(question: Question) -> Finding:
    grid = grid_of(question)
    s, factor = grid.s, Fraction(1) if uses_errata(question) else Fraction(1, grid.s)

    def trials() -> Iterator[Failure]:
        for c in range(1, 2 * grid.top + 1):
            for x in range(1, 2 * grid.top + 1):
                halves = [Fraction(c // 2, s), Fraction(c - c // 2, s)]
                left = sum(u * factor * Fraction(x, s) for u in halves)
                yield None if left == Fraction(c * x, s * s) else {"c": c, "x": x, "left": left, "right": Fraction(c * x, s * s)}

    return decide(f"all c and x {at(question)}", trials())


@claim(
    "lemma-25:halves",
    statement="c/s with |c| <= 2^(p+1) - 2 is a sum of two elements of Q_(p,s)",
    place="Section 5.15, proof of Lemma 25",
    checks="every c",
    parameters=p_and_s(),
    bounded=False,
)
def halves(question: Question) -> Finding:
    grid = grid_of(question)
    span = range(-2 * grid.top, 2 * grid.top + 1)
    return decide(f"all c {at(question)}", (None if max(abs(c // 2), abs(c - c // 2)) <= grid.top else {"c": c} for c in span))


@claim(
    "lemma-25:gamma-bound",
    statement="s^2 |gamma| <= the printed bound = s(2^(p+1) - 1/2), for |gamma| <= 2 q_max + 3/(2s)",
    place="Section 5.15, proof of Lemma 25, last lines",
    checks="the members of the chain at the largest gamma",
    parameters=p_and_s("2", "1..3"),
    errata=(
        Erratum(
            printed="s(2 q_max + 3/2)",
            repaired="s(2 s q_max + 3/2)",
            why="s^2 times 2 q_max + 3/(2s) is s(2 s q_max + 3/2), and s q_max = 2^p - 1 makes it s(2^(p+1) - 1/2)",
        ),
    ),
    bounded=False,
)
def gamma_bound(question: Question) -> Finding:
    grid = grid_of(question)
    largest = grid.s**2 * (2 * grid.largest + Fraction(3, 2 * grid.s))
    middle = grid.s * (2 * grid.largest * (grid.s if uses_errata(question) else 1) + Fraction(3, 2))
    right = grid.s * (2 ** (grid.p + 1) - HALF)
    return decide(
        f"the chain {at(question)}", [None if largest <= middle == right else {"s^2 gamma": largest, "middle": middle, "right": right}]
    )
