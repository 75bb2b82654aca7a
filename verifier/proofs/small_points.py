"""Exact values at the first parameters of a domain: what a proof for all parameters is compared with, and where it is refuted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from verifier.language import exact
from verifier.language.syntax import calls_in, names_in
from verifier.language.tree import Node, Ranged, walk
from verifier.proofs.budget import KNOWN, Effort, Exhausted, steps_at
from verifier.proofs.domain import Domain
from verifier.running.errors import InputError, LimitError

if TYPE_CHECKING:
    from verifier.proofs.certificate import Check, Point

MOST_STEPS = 100_000
"""Steps of all the points of a box together, so that a sum of many terms is compared at few of them."""


@dataclass(frozen=True)
class Box:
    """Parameters near their lower bounds: for one, two, three or more of them how far above, and how many assignments at most."""

    widths: tuple[int, int, int, int]
    most: int

    def width(self, domain: Domain) -> int:
        return self.widths[min(len(domain.parameters), 4) - 1]


NEAR = Box((40, 10, 6, 4), 200)
"""Where a proof is compared with exact values."""
WIDER = Box((120, 24, 12, 6), 100)
"""The same, where the domain has less than eight parameters so near."""
FAR = Box((300, 40, 12, 6), 1500)
"""Where a counterexample is looked for, if there is no proof."""
CALLED, FURTHER = Box((9, 4, 3, 3), 60), Box((120, 24, 12, 6), 12)
"""In place of these, where a function of a paper is called: it may build or list what grows with every parameter."""
TOO_LARGE = "more than"
"""In the message, where exact values are refused for their size alone."""


def calls_functions(conditions: Sequence[Node]) -> bool:
    """Whether a condition calls a function that is none of the language."""
    return any(name not in KNOWN for condition in conditions for name, _ in calls_in(condition))


def within(effort: Effort, check: Check) -> Check:
    """The truth of a condition at a point, as far as work is left for it."""
    plain: dict[Node, int] = {}

    def steps(condition: Node, point: Point) -> int:
        if any(isinstance(node, Ranged) for node in walk(condition)):
            return steps_at(condition, point)
        if condition not in plain:
            plain[condition] = steps_at(condition, point)
        return plain[condition]

    def checked(condition: Node, point: Point) -> bool:
        effort.spend(steps(condition, point))
        return check(condition, point)

    return checked


def belongs(domain: Domain, point: Point, check: Check) -> bool:
    """Whether a point belongs to the domain; what is too large, or has no meaning, does not."""
    try:
        return domain.has(point, check)
    except Exhausted:
        raise
    except InputError:
        return False


@dataclass(frozen=True)
class Compared:
    """Exact values at a sequence of points, up to the first at which something is ``false``: at ``last``.

    ``count``: at how many of them, up to the first that is ``refused``, they agree; ``last`` is that one where nothing is false.
    ``large``: whether it is refused for the size of a number, or for the work.
    """

    count: int
    last: Point
    false: Node | None = None
    refused: str = ""
    large: bool = False


def compared(tried: Sequence[Point], wanted: Sequence[Node], check: Check) -> Compared:
    """The conditions at points, one at least."""
    first: Compared | None = None
    for count, point in enumerate(tried):
        try:
            false = next((c for c in wanted if not check(c, point)), None)
        except (InputError, LimitError) as error:
            large = isinstance(error, LimitError) or TOO_LARGE in str(error)
            first = first or Compared(count, point, refused=str(error), large=large)
            if isinstance(error, Exhausted):
                break
            continue
        if false is not None:
            return Compared(count + 1, point, false)
    return first or Compared(len(tried), tried[-1])


def tried(domain: Domain, wanted: Sequence[Node], check: Check, box: Box) -> Sequence[Point]:
    """The first parameters of the domain in a box, at least the first; they end where the conditions take too many steps."""
    found = list(islice(points(domain, check, box.width(domain)), box.most))
    effort = Effort(MOST_STEPS)
    for count, point in enumerate(found):
        try:
            effort.spend(sum(steps_at(condition, point) for condition in wanted))
        except Exhausted:
            return found[: max(1, count)]
    return found


def points(domain: Domain, check: Check, width: int, point: Point | None = None) -> Iterator[Point]:
    """The assignments of the domain that begin with a point, in lexicographic order, each parameter up to a width above its lower bound.

    They end where the work for finding them does.
    """
    known: set[str] = set()
    decided = []
    for name in domain.names:
        known.add(name)
        decided.append([c for c in domain.conditions if name in names_in(c) and names_in(c) <= known])
    try:
        yield from _points(domain, check, width, point or {}, decided)
    except Exhausted:
        return


def _points(domain: Domain, check: Check, width: int, point: Point, decided: Sequence[Sequence[Node]]) -> Iterator[Point]:
    """``decided``: for each parameter the conditions in it and those before it alone."""
    if len(point) == len(domain.parameters):
        if belongs(domain, point, check):
            yield point
        return
    parameter = domain.parameters[len(point)]
    low = exact.rational(parameter.low, point)
    if low.denominator == 1:
        for value in range(int(low), int(low) + (1 if parameter.fixed else width)):
            more = {**point, parameter.name: value}
            if _all_hold(decided[len(point)], more, check):
                yield from _points(domain, check, width, more, decided)


def _all_hold(conditions: Sequence[Node], point: Mapping[str, int], check: Check) -> bool:
    try:
        return all(check(condition, point) for condition in conditions)
    except Exhausted:
        raise
    except InputError:
        return False
