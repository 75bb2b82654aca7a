"""Definition A.7: its values, by the definition, by the closed form and in the format of every verdict; rounding into them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, zip_longest

from constructions.every_bit_counts.mathematics import fixed_point
from verifier.arithmetic.formats import Format, free_point
from verifier.arithmetic.numbers import less, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Claim, Query
from verifier.judges import fields
from verifier.judges.declaring import Formula, Reduction, judge
from verifier.judges.evaluation import Reader
from verifier.judges.formula import assignments
from verifier.language import exact
from verifier.language.definitions import with_meanings
from verifier.language.syntax import parse, printed


def _every_precision(claim: Claim, fixed: Mapping[str, int], *, magnitude: str, each: Mapping[str, str]) -> Reduction | None:
    """Definition A.7 for every p: a + 2^-|b| b is the closed form at k = a 2^|b| + b, and each of its k is such a number."""
    if tuple(each) != ("f", "k"):
        return None
    (f_first, f_last), (k_first, k_last) = (fields.members(text) for text in each.values())
    k = "(a*2**f + b)"
    value = printed(with_meanings(parse(magnitude), {"k": parse(k)}))
    said = (
        f"({f_first}) <= f <= ({f_last})",
        f"({k_first}) <= {k} <= ({k_last})",
        f"({value}) == a + 2**-f*b",
        "0 <= g <= p - 1",
        "0 <= i < 2**(p - 1)",
    )
    digits = {"f": "0 <= f <= p - 1", "a": "0 <= a <= 2**(p - 1 - f) - 1", "b": "0 <= b <= 2**f - 1"}
    closed = {"g": f"({f_first}) <= g <= ({f_last})", "i": f"({k_first}) <= i <= ({k_last})"}
    because = "with f = |b|, k = a 2^f + b; each k < 2^(p-1) is such a sum by division with remainder, with a < 2^(p-1-f)"
    return Reduction(said, because, digits | closed)


@judge(for_every=_every_precision)
def same_numbers(query: Query, *, magnitude: Formula, each: dict[str, str]) -> Cases:
    """The definition's numbers of p bits, those of the closed form, and those of the format that verdicts rest on: one list.

    magnitude: the absolute values, in the names of ``each``.
    """
    listed = sorted(fixed_point.numbers(query["p"]))
    form = fields.Formula(holds="1 == 1", each=each)
    magnitudes = {exact.rational(magnitude.text, names) for names in assignments(query, form, Reader({}))}
    closed = sorted(magnitudes | {-x for x in magnitudes})
    yield Over("all values")
    for row in zip_longest(listed, closed, free_point(query["p"]).values()):
        yield len(set(row)) == 1 or dict(zip(("definition", "closed form", "format"), row, strict=True))


@judge
def monotone(query: Query) -> Cases:
    """Rounding keeps order: on the neighbours among the values, the midpoints, points beside both, and some beyond the largest value.

    That is every pair of reals: a rule that compares with the values and their midpoints is constant between neighbouring points.
    """
    machine = query.semantics.machine(query["p"])
    points = probes(machine.form)
    yield Over(f"every two reals, by {len(points):,} points between which rounding is constant")
    for x, y in pairwise(points):
        one, other = machine.round(x), machine.round(y)
        yield not less(other, one) or {"x": x, "y": y, "rounded": f"{show(one)}, {show(other)}"}


def probes(form: Format) -> list[Fraction]:
    """Values, midpoints between them, points just beside both, and some beyond the largest value; ascending."""
    found = sorted([*form.values(), *(side * (form.largest + k) for k in (1, 2) for side in (1, -1))])
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    nudge = min(b - a for a, b in pairwise(found)) / 1024
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})
