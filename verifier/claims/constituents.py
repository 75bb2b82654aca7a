"""The claims that another is built of, each at its point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL
from verifier.claims.points import Point, Values, step_points
from verifier.claims.records import Part
from verifier.claims.rules import arguments
from verifier.language.exact import integer
from verifier.language.syntax import names_in


def part_points(parts: tuple[Part, ...], values: Values) -> Iterator[Point]:
    """The parts of a claim with their parameters at the whole's point."""
    names: Mapping[str, Fraction] = {k: Fraction(v) for k, v in values.items()}
    for part in parts:
        found = find_claim(part.claim)
        known = [p.name for p in found.parameters]
        given = {k: v for k, v in values.items() if k in known}
        whole = {k for k, v in values.items() if v is ALL}
        given |= {name: integer(text, names) if whole.isdisjoint(names_in(text)) else ALL for name, text in part.parameters.items()}
        yield Point.of(found, given)


def constituents(asked: Claim, claim: Claim, values: Values) -> Iterator[Point]:
    """The parts of a claim as asked, or where it has none the argument steps of its proof, each at its points."""
    if asked.parts:
        return part_points(asked.parts, values)
    return (point for step in arguments(claim) for point in step_points(step, values))
