"""Definition A.7: its values, by the definition, by the closed form and in the format of every verdict; rounding into them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, zip_longest

from msgspec import Struct

from constructions.every_bit_counts.mathematics import fixed_point
from verifier.arithmetic.formats import Format, FreePoint
from verifier.arithmetic.numbers import less, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Trial, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome
from verifier.judges.evaluation import Reader
from verifier.judges.fields import Formula
from verifier.judges.formula import assignments
from verifier.language import exact


class ClosedForm(Struct, frozen=True, forbid_unknown_fields=True):
    """magnitude: the absolute values, a formula in the names of ``each``."""

    magnitude: str
    each: dict[str, str]


def same_numbers(query: Query, given: ClosedForm) -> Outcome:
    """The definition's numbers of p bits, those of the closed form, and those of the format that verdicts rest on: one list."""
    listed = sorted(fixed_point.numbers(query["p"]))
    form = Formula(holds="1 == 1", each=given.each)
    magnitudes = {exact.rational(given.magnitude, names) for names in assignments(query, form, Reader({}))}
    closed = sorted(magnitudes | {-x for x in magnitudes})

    def trials() -> Iterator[Trial]:
        for row in zip_longest(listed, closed, FreePoint(query["p"]).values()):
            yield None if len(set(row)) == 1 else dict(zip(("definition", "closed form", "format"), row, strict=True))

    return decide(query, "all values", trials())


def monotone(query: Query) -> Outcome:
    """Rounding keeps order: on the neighbours among the values, the midpoints, points beside both, and some beyond the largest value."""
    machine = query.semantics.machine(query["p"])
    points = probes(machine.form)

    def trial(pair: tuple[Fraction, Fraction]) -> Trial:
        x, y = map(machine.round, pair)
        return {"x": pair[0], "y": pair[1], "rounded": f"{show(x)}, {show(y)}"} if less(y, x) else None

    return decide(query, f"all neighbouring pairs of {len(points):,} probe points", map(trial, pairwise(points)))


def probes(form: Format) -> list[Fraction]:
    """Values, midpoints between them, points just beside both, and some beyond the largest value; ascending."""
    found = sorted([*form.values(), *(side * (form.largest + k) for k in (1, 2) for side in (1, -1))])
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    nudge = min(b - a for a, b in pairwise(found)) / 1024
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})
