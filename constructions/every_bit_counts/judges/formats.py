"""Definition A.7: its values, by the definition, by the closed form and in the format of every verdict; rounding into them."""

from __future__ import annotations

from itertools import pairwise, zip_longest

from constructions.every_bit_counts.mathematics import fixed_point
from verifier.arithmetic.formats import Format, FreePoint
from verifier.arithmetic.numbers import less, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query
from verifier.judges import fields
from verifier.judges.declaring import Formula, judge
from verifier.judges.evaluation import Reader
from verifier.judges.formula import assignments
from verifier.language import exact


@judge
def same_numbers(query: Query, *, magnitude: Formula, each: dict[str, str]) -> Cases:
    """The definition's numbers of p bits, those of the closed form, and those of the format that verdicts rest on: one list.

    magnitude: the absolute values, in the names of ``each``.
    """
    listed = sorted(fixed_point.numbers(query["p"]))
    form = fields.Formula(holds="1 == 1", each=each)
    magnitudes = {exact.rational(magnitude.text, names) for names in assignments(query, form, Reader({}))}
    closed = sorted(magnitudes | {-x for x in magnitudes})
    yield Over("all values")
    for row in zip_longest(listed, closed, FreePoint(query["p"]).values()):
        yield len(set(row)) == 1 or dict(zip(("definition", "closed form", "format"), row, strict=True))


@judge
def monotone(query: Query) -> Cases:
    """Rounding keeps order: on the neighbours among the values, the midpoints, points beside both, and some beyond the largest value."""
    machine = query.semantics.machine(query["p"])
    points = probes(machine.form)
    yield Over(f"all neighbouring pairs of {len(points):,} probe points")
    for x, y in pairwise(points):
        one, other = machine.round(x), machine.round(y)
        yield not less(other, one) or {"x": x, "y": y, "rounded": f"{show(one)}, {show(other)}"}


def probes(form: Format) -> list[Fraction]:
    """Values, midpoints between them, points just beside both, and some beyond the largest value; ascending."""
    found = sorted([*form.values(), *(side * (form.largest + k) for k in (1, 2) for side in (1, -1))])
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    nudge = min(b - a for a, b in pairwise(found)) / 1024
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})
