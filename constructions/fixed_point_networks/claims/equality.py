"""When the necessary condition is the sufficient one: Corollaries 9 and 17, Lemmas 10 and 18 (Sections 3.2.4, 3.3, 5.8).

The sets depend on ⌈σ⌉ only through its image: every nonempty set of levels is tried at p ≤ 3, beyond that every shape (:mod:`..shapes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, product

from constructions.fixed_point_networks.claims.condition import monotone_tables
from constructions.fixed_point_networks.judges.sampling import LISTED, outputs_tried
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.images import divides_its_outputs, step_tables
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import reach, reach_of_image
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, uses_errata
from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

SMALL = p_and_s("1..2", "1")
MEDIUM = p_and_s("1..2", "1..3")


def gaps(image: frozenset[int]) -> set[int]:
    return {a - b for a in image for b in image}


def _equal_sets(question: Question, kinds: tuple[str, str], hypothesis: str) -> Iterator[Failure]:
    grid = grid_of(question, 1)
    found, short, _ = outputs_tried(question, grid)
    for image in found:
        if not (divides_its_outputs(image) if short else 0 in image if hypothesis == "zero" else image & gaps(image)):
            continue
        first, second = (reach_of_image(kind, grid, image) for kind in kinds)
        bias = first.same_for_every_bias(second)
        yield None if bias is None else {"outputs": [grid.show(v) for v in sorted(image)], "b": grid.show(bias)}


def _how(question: Question) -> str:
    return outputs_tried(question, grid_of(question, 1))[2]


def _lemma(name: str, kinds: tuple[str, str], place: str) -> None:
    @claim(
        name,
        statement=f"if some output of the rounded activation is a gap of two outputs, then {kinds[0]} = {kinds[1]} for every bias",
        place=place,
        checks="every set of outputs that a rounded activation can have, and every class of biases",
        parameters=MEDIUM,
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return decide(f"every activation, {_how(question)}, and every bias {at(question)}", _equal_sets(question, kinds, "gap"), "gcd")

    @claim(
        f"{name}:zero",
        statement=f"if the rounded activation is 0 somewhere, then {kinds[0]} = {kinds[1]} for every bias",
        place=place,
        checks="every set of outputs that holds 0, and every class of biases",
        parameters=MEDIUM,
        bounded=False,
    )
    def zero(question: Question) -> Finding:
        return decide(
            f"every activation with an output 0, {_how(question)}, and every bias {at(question)}",
            _equal_sets(question, kinds, "zero"),
            "gcd",
        )

    del judge, zero


_lemma("lemma-10", ("N", "S"), "Section 3.2.4, Lemma 10; proof in 5.8")
_lemma("lemma-18", ("BN", "BS"), "Section 3.3, Lemma 18")


@claim(
    "lemma-10:decomposition",
    statement="if s(x) = s(y) - s(z), then s(w) = (s(w) - s(x)) + (s(y) - s(z)), so every output is a sum of "
    "two gaps; and every gap is a difference of outputs",
    place="Section 5.8",
    checks="every choice of four outputs",
    parameters=SMALL,
    bounded=False,
)
def decomposition(question: Question) -> Finding:
    grid = grid_of(question, 3)

    def trials() -> Iterator[Failure]:
        for y, z, w in product(grid.levels(), repeat=3):
            x = y - z
            if abs(x) <= grid.top:
                yield None if w == (w - x) + (y - z) and {w - x, y - z} <= gaps(frozenset({w, x, y, z})) else {"w": w}

    return decide(f"all outputs x = y - z and w {at(question)}", trials())


@claim(
    "corollary-9",
    statement="under Condition 1 and N = S for every bias: every function is representable if and only if S = Q_(p,s) for some bias",
    place="Section 3.2.4, Corollary 9",
    checks="if: Theorem 6; only if: Theorem 1 gives a bias with N = Q_(p,s), which is S",
    parameters=MEDIUM,
    bounded=False,
)
def corollary_9(question: Question) -> Finding:
    grid = grid_of(question, 1)
    found, _, how = outputs_tried(question, grid)

    def trials() -> Iterator[Failure]:
        for image in found:
            n, s = (reach_of_image(kind, grid, image) for kind in ("N", "S"))
            if n.same_for_every_bias(s) is None:
                agree = n.full_bias() is None if s.full_bias() is None else n.full_bias() is not None
                yield None if agree else {"outputs": [grid.show(v) for v in sorted(image)]}

    return decide(f"every activation, {how}, {at(question)}", trials(), "Theorems 1 and 6; gcd")


BINARY = Erratum(
    printed="sigma quantized networks can universally represent if and only if ...",
    repaired="sigma quantized networks with binary weights can universally represent if and only if ...",
    why="networks with weights in Q_(p,s) can do it although BS is not everything: they have S",
)


@claim(
    "corollary-17",
    statement="under Condition 1 and BN = BS for every bias: every function is representable if and only if BS = Q_(p,s) for some bias",
    place="Section 3.3, Corollary 17",
    checks="every monotone table (Condition 1 holds by Lemma 4) for which BN = BS: representability by "
    "Theorems 6 and 1, with weights as worded",
    parameters=p_and_s("1..2", "1..3"),
    errata=(BINARY,),
    bounded=False,
)
def corollary_17(question: Question) -> Finding:
    grid, repaired = grid_of(question, 2), uses_errata(question)
    listed = grid.p < LISTED
    how = "" if listed else ", by the least output and the gcd of the gaps,"

    def trials() -> Iterator[Failure]:
        for table in sorted(monotone_tables(grid) if listed else step_tables(grid), key=_simplicity):
            yield _converse(grid, table, repaired)

    return decide(
        f"all monotone, non-constant activation tables with BN = BS for every bias{how} {at(question)}",
        trials(),
        "gcd; Theorems 1, 6, 11, 15",
    )


def _simplicity(table: Table) -> tuple[int, int, tuple[int, ...]]:
    return len(table.image), sum(map(abs, table.image)), table.levels


def _runs(values: Iterable[str]) -> list[str]:
    """``-1 (6 times), 0``: from the least input to the greatest."""
    counted = ((value, len(list(same))) for value, same in groupby(values))
    return [value if n == 1 else f"{value} ({n} times)" for value, n in counted]


def _converse(grid: FixedPoint, table: Table, repaired: bool) -> Failure:
    """A failure where every function is representable and BS is never everything, or the other way round.

    Representable are all functions where S is everything (Theorem 6); with weights ±1, as repaired, only where BN is (Theorem 11).
    """
    bn, bs, s = (reach(kind, table) for kind in ("BN", "BS", "S"))
    if bn.same_for_every_bias(bs) is not None or normal_form(table) is None:
        return None
    representable = (bn if repaired else s).full_bias() is not None
    if representable == (bs.full_bias() is not None):
        return None
    missing = bs.missing(0)
    assert missing is not None
    return {
        "rounded activation": _runs(grid.show(v) for v in table.levels),
        "S": f"Q_(p,s) at b = {grid.show(s.full_bias() or 0)}",
        "BS": f"never Q_(p,s); at b = 0 it lacks {grid.show(missing)}",
    }
