"""Whether Lemmas 10 and 18 need their hypothesis, that some output of ⌈σ⌉ is a gap of two outputs (Sections 3.2.4, 3.3).

The sets depend on ⌈σ⌉ only through its outputs, so every set of outputs without the hypothesis is tried, p and s first, then few outputs
before many and small before large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from constructions.fixed_point_networks.claims.equality import gaps
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.images import images
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import closure, reach_of_image
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, decide, within_limit
from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

Kinds = tuple[str, str]


@dataclass(frozen=True)
class Instance:
    """Outputs without the hypothesis, and a bias at which the two sets differ (None: they never do)."""

    grid: FixedPoint
    outputs: frozenset[int]
    bias: int | None

    @property
    def table(self) -> Table:
        levels = sorted(self.outputs)
        return Table(self.grid, tuple(levels + levels[-1:] * (self.grid.size - len(levels))))

    def __str__(self) -> str:
        where = f"p = {self.grid.p}, s = {self.grid.s}, outputs {{{self.grid.show_all(sorted(self.outputs))}}}"
        return where if self.bias is None else f"{where}, b = {self.grid.show(self.bias)}"


def without_hypothesis(grid: FixedPoint, kinds: Kinds) -> Iterator[Instance]:
    """Every set of outputs of which none is a gap, and what becomes of the conclusion."""
    for image in sorted(images(grid), key=lambda i: (len(i), [abs(v) for v in sorted(i)], sorted(i))):
        if not image & gaps(image):
            first, second = (reach_of_image(kind, grid, image) for kind in kinds)
            yield Instance(grid, image, first.same_for_every_bias(second))


def differ_by_brute_force(instance: Instance, kinds: Kinds) -> bool:
    """Whether walking the sums themselves gives two different sets at the bias, and none of the outputs as a difference of two."""
    grid, bias = instance.grid, instance.bias or 0
    furthest = 8 * grid.top * max(grid.s, grid.top) + grid.s * abs(bias)
    first, second = (closure(kind, instance.table, bias, furthest) for kind in kinds)
    gap = any(a == b - c for a in instance.outputs for b in instance.outputs for c in instance.outputs)
    return first != second and not gap


WANTED: dict[str, Callable[[Instance], bool]] = {
    "the sets differ": lambda i: i.bias is not None,
    "the sets differ, sigma not constant": lambda i: i.bias is not None and len(i.outputs) > 1,
    "the sets are equal all the same": lambda i: i.bias is None,
}


def _claim(name: str, kinds: Kinds, place: str) -> None:
    @claim(
        f"{name}:hypotheses",
        statement=f"{kinds[0]} = {kinds[1]} for every bias needs the hypothesis, which is not a necessary condition all the same",
        place=place,
        checks="every set of outputs without it: the smallest for which the two sets differ, checked by walking the sums, and the smallest "
        "for which they are equal; and at which p and s they are equal for all",
        parameters=(Parameter("p", "the largest p tried", "p >= 2", "2"),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        p = question["p"]
        within_limit(question, 2 ** (2 ** (p + 1)))
        instances = [i for q in range(1, p + 1) for grid in fixed_points(q) for i in without_hypothesis(grid, kinds)]
        found = {text: next((i for i in instances if wanted(i)), None) for text, wanted in WANTED.items()}

        def trials() -> Iterator[Failure]:
            for text, instance in found.items():
                yield None if instance is not None else {"no instance": text, "tried": len(instances)}
                if instance is not None and instance.bias is not None:
                    yield None if differ_by_brute_force(instance, kinds) else {"not by brute force": instance}

        differ = {i.grid for i in instances if i.bias is not None}
        equal = sorted({(i.grid.p, i.grid.s) for i in instances if i.grid not in differ})
        shown = "; ".join(f"{text}: {instance}" for text, instance in found.items())
        nowhere = f"It can be dropped at (p, s) = {', '.join(map(str, equal))}" if equal else "It can be dropped at no (p, s) tried"
        return decide(
            f"all {len(instances):,} sets of outputs without the hypothesis at p <= {p}, s <= 2^p - 1",
            trials(),
            "gcd of outputs and gaps; the sums themselves where the sets differ",
            f"smallest instances: {shown}. {nowhere}",
        )

    del judge


_claim("lemma-10", ("N", "S"), "Section 3.2.4, Lemma 10")
_claim("lemma-18", ("BN", "BS"), "Section 3.3, Lemma 18")
