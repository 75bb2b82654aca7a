"""Ranges of parameters, and the points that a run goes through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL, MOST_VALUES, SHORTER, parse_values
from verifier.claims.records import Part
from verifier.claims.verdicts import Edition
from verifier.language.exact import integer
from verifier.language.syntax import names_in
from verifier.running.errors import InputError, LimitError

Values = Mapping[str, int]


@dataclass(frozen=True)
class Point:
    """A claim at values of all its parameters, with the test whether these lie in its domain; computed once.

    outside: a sentence if the values lie outside the claim's domain, or else None.
    """

    claim: Claim
    values: Values
    outside: str | None

    @classmethod
    def of(cls, claim: Claim, given: Values) -> Point:
        """The claim at the given values and the defaults that depend on them.

        Raises:
            InputError: a parameter is missing or unknown.
        """
        values = claim.complete(given)
        return cls(claim, values, claim.outside(values))

    def of_edition(self, edition: Edition) -> Point:
        """The point of the claim in an edition, whose domain may differ."""
        changed = self.claim.of_edition(edition)
        if changed is self.claim:
            return self
        domain = "repaired" if edition is Edition.REPAIRED else "claim's"
        return Point(changed, self.values, changed.outside(self.values, domain))

    @cached_property
    def not_meant(self) -> str | None:
        """A sentence if the values lie in the domain but outside what the authors intend, or else None."""
        return self.claim.not_meant(self.values)

    @property
    def of_all(self) -> bool:
        """Whether a parameter is asked for as a whole."""
        return ALL in self.values.values()

    @property
    def key(self) -> tuple[tuple[str, int], ...]:
        return tuple(self.values.items())

    def __str__(self) -> str:
        """The name and the words of the command line: ``lemma-2.6 --p 5 --n 22``."""
        return " ".join([self.claim.name, *parameter_words(self.values)])


def points(claim: Claim, given: Mapping[str, str]) -> Iterator[dict[str, int]]:
    """The values of the parameters at the points of a run (:func:`asked_points`)."""
    return (dict(point.values) for point in asked_points(claim, given))


def asked_points(claim: Claim, given: Mapping[str, str]) -> Iterator[Point]:
    """The parameter points of a run: the product of the ranges, the first parameter slowest.

    A parameter that is not given takes its typical range, or its default at each point; if another is asked for as a whole, it is as well.
    Of a typical range only the points inside the claim's domain are run; if no such point remains, the first point is run, so that every
    request is answered.

    Raises:
        InputError: an unknown parameter, a bad range, or a parameter that has neither.
        LimitError: more than :data:`MOST_VALUES` points.
    """
    known = [p.name for p in claim.parameters]
    for name in given:
        if name not in known:
            raise InputError(f"{claim.name} has no parameter {name!r}; it takes {', '.join(known) or 'none'}")

    def extend(done: dict[str, int], rest: list[str]) -> Iterator[Point]:
        if not rest:
            yield Point.of(claim, done)
            return
        parameter = next(p for p in claim.parameters if p.name == rest[0])
        text = given.get(parameter.name, parameter.typical if parameter.default is None else None)
        if text is None:
            yield from extend(done, rest[1:])
            return
        for value in parse_values(text, parameter):
            yield from extend({**done, parameter.name: value}, rest[1:])

    asked = [name for name in known if name in given]
    if any(text == "all" for text in given.values()):
        yield from _whole(claim, given)
        return
    every = list(islice(extend({}, known), MOST_VALUES + 1))
    if len(every) > MOST_VALUES:
        raise LimitError(f"{claim.name}: the ranges have more than {MOST_VALUES:,} points, the limit for one run", SHORTER)
    inside = {_asked(point, asked) for point in every if point.outside is None}
    for point in every:
        key = _asked(point, asked)
        if point.outside is None or key not in inside:
            inside.add(key)
            yield point


def _whole(claim: Claim, given: Mapping[str, str]) -> Iterator[Point]:
    """The points of a run that asks for all values of a parameter.

    Parameters that are not given are then also asked for as a whole, unless their values have names.
    """
    made: list[dict[str, int]] = [{}]
    for p in claim.parameters:
        values = parse_values(given[p.name], p) if p.name in given else [int(p.default)] if p.names and p.default is not None else [ALL]
        made = [{**point, p.name: p.value(value)} for point in made for value in values]
    every = [Point(claim, values, claim.outside(values)) for values in made]
    inside = [point for point in every if point.outside is None]
    yield from inside or every[:1]


def _asked(point: Point, names: list[str]) -> tuple[int, ...]:
    return tuple(point.values[name] for name in names)


def step_points(step: Claim, owner: Values) -> Iterator[Point]:
    """The points of a step at a point of its statement. A parameter that only the step has takes its typical values."""
    known = {p.name for p in step.parameters}
    given = {k: str(v) for k, v in owner.items() if k in known}
    return (point for point in asked_points(step, given) if point.outside is None)


def parameter_words(values: Values) -> list[str]:
    """``--p 5 --n 22``."""
    return [word for name, value in values.items() for word in (f"--{name}", str(value))]


def part_points(parts: tuple[Part, ...], values: Values) -> Iterator[Point]:
    """The parts of a claim at the point of the whole, with their parameters."""
    names: Mapping[str, Fraction] = {k: Fraction(v) for k, v in values.items()}
    for part in parts:
        found = find_claim(part.claim)
        known = [p.name for p in found.parameters]
        given = {k: v for k, v in values.items() if k in known}
        whole = {k for k, v in values.items() if v is ALL}
        given |= {name: integer(text, names) if whole.isdisjoint(names_in(text)) else ALL for name, text in part.parameters.items()}
        yield Point.of(found, given)


def constituents(asked: Claim, claim: Claim, values: Values) -> Iterator[Point]:
    """The parts of a claim at this point, or without parts the argument steps of its proof, each at its points."""
    if asked.parts:
        return part_points(asked.parts, values)
    return (point for step in claim.arguments for point in step_points(step, values))
