"""Conditions for all values of their parameters: a proof that a reader can check, the smallest counterexample, or neither.

A proof covers the domain by cases (:mod:`verifier.proofs.cover`): in a case the condition holds by the symbols
(:mod:`verifier.proofs.reader`), or the case lies outside the domain, or it is one assignment, which exact values decide.
All results agree with exact values on small parameters, and a program without computer algebra checks the certificate there
(:mod:`verifier.proofs.certificate_check`). sympy (0.3 s) is imported at the first decision; each decision has a limit of work
(:mod:`verifier.proofs.budget`), the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from verifier.language import exact
from verifier.language.operands import unknown_name
from verifier.language.printer import printed
from verifier.language.syntax import Formula, calls_in, kind, names_in, no_condition, tree_of
from verifier.language.tree import Node, Ranged, walk
from verifier.proofs import certificate_check as checked
from verifier.proofs.budget import KNOWN, Effort, Exhausted, steps_at
from verifier.proofs.domain import Domain, alternatives, conjuncts, domain_of
from verifier.running.errors import BeyondError, InputError, LimitError
from verifier.running.printable import assignment

if TYPE_CHECKING:
    from verifier.proofs.certificate import Check, Point

MOST_STEPS = 100_000
"""Steps of all the points of a box together, so that a sum of many terms is compared at few of them."""


@dataclass(frozen=True)
class Box:
    """Parameters near their lower bounds: for one, two, three or more of them, the distance above the bound, and the largest number of
    assignments."""

    widths: tuple[int, int, int, int]
    most: int

    def width(self, domain: Domain) -> int:
        return self.widths[min(len(domain.parameters), 4) - 1]


NEAR = Box((40, 10, 6, 4), 200)
"""The points at which a proof is compared with exact values."""
WIDER = Box((120, 24, 12, 6), 100)
"""The same, where the domain has less than eight parameters so near."""
FAR = Box((300, 40, 12, 6), 1500)
"""The points that are searched for a counterexample if no proof is found."""
CALLED, FURTHER = Box((9, 4, 3, 3), 60), Box((120, 24, 12, 6), 12)
"""The smaller limits if a formula calls a function of a paper, which may build objects that grow with every parameter."""


def calls_functions(conditions: Sequence[Node]) -> bool:
    """Whether a condition calls a function outside the language."""
    return any(name not in KNOWN for condition in conditions for name, _ in calls_in(condition))


def within(effort: Effort, check: Check) -> Check:
    """The truth of a condition at a point, within the remaining work."""
    plain: dict[Node, int | None] = {}  # None: a condition with a range, whose length the point decides

    def steps(condition: Node, point: Point) -> int:
        if condition not in plain:
            with_range = any(isinstance(node, Ranged) for node in walk(condition))
            plain[condition] = None if with_range else steps_at(condition, point)
        known = plain[condition]
        return steps_at(condition, point) if known is None else known

    def checked(condition: Node, point: Point) -> bool:
        effort.spend(steps(condition, point))
        return check(condition, point)

    return checked


def belongs(domain: Domain, point: Point, check: Check) -> bool:
    """Whether a point belongs to the domain; a point with too large values, or without a meaning, does not."""
    try:
        return domain.has(point, check)
    except Exhausted:
        raise
    except InputError:
        return False


@dataclass(frozen=True)
class Compared:
    """Exact values at a sequence of points, up to the first point, ``last``, at which a condition is ``false``.

    ``count``: the number of points that agree, up to the first that is ``refused``; without a false one, ``last`` is that point.
    ``large``: whether the point is refused because of the size of a number, or of the work.
    """

    count: int
    last: Point
    false: Node | None = None
    refused: str = ""
    large: bool = False


def compared(tried: Sequence[Point], wanted: Sequence[Node], check: Check) -> Compared:
    """Compare the conditions at points, at least one."""
    first: Compared | None = None
    for count, point in enumerate(tried):
        try:
            false = next((c for c in wanted if not check(c, point)), None)
        except (InputError, LimitError) as error:
            large = isinstance(error, LimitError | BeyondError)
            first = first or Compared(count, point, refused=str(error), large=large)
            if isinstance(error, Exhausted):
                break
            continue
        if false is not None:
            return Compared(count + 1, point, false)
    return first or Compared(len(tried), tried[-1])


def tried(domain: Domain, wanted: Sequence[Node], check: Check, box: Box) -> Sequence[Point]:
    """The first parameters of the domain in a box, at least one; they end when the conditions take too many steps."""
    found = list(islice(points(domain, check, box.width(domain)), box.most))
    effort = Effort(MOST_STEPS)
    for count, point in enumerate(found):
        try:
            effort.spend(sum(steps_at(condition, point) for condition in wanted))
        except Exhausted:
            return found[: max(1, count)]
    return found


def points(domain: Domain, check: Check, width: int) -> Iterator[Point]:
    """The assignments of the domain, in lexicographic order, each parameter up to a width above its lower bound.

    The points end when the work for finding them is used up.
    """
    known: set[str] = set()
    decided = []
    for name in domain.names:
        known.add(name)
        decided.append([c for c in domain.conditions if name in names_in(c) and names_in(c) <= known])
    try:
        yield from _points(domain, check, width, {}, decided)
    except Exhausted:
        return


def _points(domain: Domain, check: Check, width: int, point: Point, decided: Sequence[Sequence[Node]]) -> Iterator[Point]:
    """``decided``: for each parameter, the conditions on it and on those before it only."""
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


if TYPE_CHECKING:
    from verifier.proofs.certificate import Check, Part, Point

FEWEST_POINTS = 8
"""Parameters at which exact values are known before anything is proved, where the domain has so many."""
MOST_CHECKED = 20
"""Points at which the certificate of each condition is checked."""
FINDING, COMPARING, PROVING, CHECKING, SEARCHING = 200_000, 400_000, 4_000_000, 20_000, 800_000
"""Steps at most: for points of the domain, exact values there, the proof, its certificate at points, exact values further out."""


SHORT = 80
"""The most characters of a certificate that is shown in the line of its result."""


@dataclass(frozen=True)
class Proof:
    """Conditions that hold on their whole domain.

    ``border``: the first parameters of the domain. ``compared``: the number of points, the first in lexicographic order, at which exact
    values agree.
    """

    domain: str
    border: Point
    parts: tuple[Part, ...]
    compared: int

    @property
    def points(self) -> tuple[Point, ...]:
        """The parameters decided by exact values."""
        return tuple(part.point for part in self.parts if part.point is not None)

    @property
    def summary(self) -> str:
        """The certificate in a line: its one case, if that is short, or the number of cases."""
        shortest = "; ".join(map(str, self.parts))
        if len(self.parts) == 1 and len(shortest) <= SHORT:
            return shortest
        conditions, single = len({part.condition for part in self.parts}), len(self.points)
        cases = f"{len(self.parts)} case{'s' * (len(self.parts) > 1)}"
        by_points = f", {single} of them decided by exact values" if single else ""
        return f"{cases}{f' of {conditions} conditions' if conditions > 1 else ''}{by_points}; --verbose shows the certificate"

    @property
    def certificate(self) -> str:
        """A line for each condition and under it one for each case."""
        of = {part.condition: [p for p in self.parts if p.condition == part.condition] for part in self.parts}
        return "\n".join("\n".join([condition, *(f"  {part}" for part in parts)]) for condition, parts in of.items())


@dataclass(frozen=True)
class Disproof:
    """A condition that is false at ``point``, the smallest of the ``tried`` parameters in lexicographic order."""

    domain: str
    point: Point
    tried: int


@dataclass(frozen=True)
class Undecided:
    """Neither a proof nor a counterexample: the reason, and the number of first parameters at which exact values agree with the
    condition."""

    domain: str
    reason: str
    compared: int


def decide_for_all(
    conditions: Sequence[Formula],
    domain: Mapping[str, Formula],
    where: Formula | None = None,
    check: Check = exact.truth,
    called: Sequence[Formula] = (),
    share: float = 1,
) -> Proof | Disproof | Undecided:
    """Whether all the conditions hold for all integers of the domain.

    Args:
        conditions: the conditions to prove, each in the formula language.
        domain: the parameters in their order, each with its condition, a part of which bounds it from below.
        where: a further condition that restricts the domain.
        check: the truth of a condition at a point, by definition.
        called: the conditions in the form for exact values, if that differs: with calls of functions that are formulas.
        share: the share of the work allowed for a decision.

    Raises:
        InputError: a formula is outside the language, has an unknown name, or binds a name twice.
        AssertionError: exact values contradict a proof, which is a fault of this program.
    """
    wanted, defined = (
        [part for condition in each for part in conjuncts(_read(condition, domain))] for each in (conditions, called or conditions)
    )
    restrictions = [_read(condition, domain) for condition in (*domain.values(), *([] if where is None else [where]))]
    try:
        domains = [domain_of(domain, atoms) for atoms in alternatives(restrictions)]
        found = [_decided(each, wanted, defined, check, share / len(domains)) for each in domains]
    except InputError as error:
        return Undecided(", ".join(map(printed, restrictions)), str(error), 0)
    return together(found)


def _read(formula: Formula, domain: Mapping[str, Formula]) -> Node:
    """A condition in names of the domain alone.

    Raises:
        InputError: another name occurs; a quantifier or sum binds one of the domain's.
    """
    tree = tree_of(formula)
    if twice := {node.name for node in walk(tree) if isinstance(node, Ranged)} & domain.keys():
        raise InputError(f"{printed(tree)} binds {', '.join(sorted(twice))}, which has a meaning already")
    if kind(tree) == "number":
        no_condition(tree)
    if unknown := names_in(tree) - domain.keys():
        raise unknown_name(unknown, list(domain))
    return tree


def together(found: Sequence[Proof | Disproof | Undecided]) -> Proof | Disproof | Undecided:
    """The result for the whole domain, from the results for its alternatives, at least one."""
    if len(found) == 1:
        return found[0]
    domains = dict.fromkeys(each.domain for each in found)
    domain = " or ".join(f"({each})" for each in domains) if len(domains) > 1 else found[0].domain
    false = [each for each in found if isinstance(each, Disproof)]
    if false:
        return Disproof(domain, min((each.point for each in false), key=lambda p: tuple(p.values())), sum(each.tried for each in false))
    for each in found:
        if isinstance(each, Undecided):
            return Undecided(domain, f"{each.domain}: {each.reason}", each.compared)
    proofs = [each for each in found if isinstance(each, Proof)]
    border = min((each.border for each in proofs), key=lambda p: tuple(p.values()))
    return Proof(domain, border, tuple(part for each in proofs for part in each.parts), sum(each.compared for each in proofs))


def _decided(domain: Domain, wanted: Sequence[Node], defined: Sequence[Node], asked: Check, share: float) -> Proof | Disproof | Undecided:
    """The result for one of the alternatives of a domain, with this share of the work.

    ``wanted`` is the form for symbols, ``defined`` the form for exact values.
    """
    from verifier.proofs.cover import FalseAt, Stuck

    boxes = (CALLED, FURTHER, CALLED) if calls_functions(defined) else (NEAR, WIDER, FAR)
    check = within(Effort(share * COMPARING), asked)
    near = tried(domain, defined, within(Effort(share * FINDING), asked), boxes[0])
    if len(near) < FEWEST_POINTS:
        near = tried(domain, defined, within(Effort(share * FINDING), asked), boxes[1])
    if not near:
        return Undecided(str(domain), "no parameters of the domain were found", 0)
    seen = compared(near, defined, check)
    if seen.false is not None:
        _alarm(domain, seen.false, seen.last, Effort(share * COMPARING))
        return Disproof(str(domain), seen.last, seen.count)
    if seen.refused and (seen.count < FEWEST_POINTS or not seen.large):
        return Undecided(str(domain), f"at {assignment(seen.last)}: {seen.refused}", seen.count)
    try:
        parts = proof(domain, wanted, asked, Effort(share * PROVING), MOST_CHECKED)
        return Proof(str(domain), near[0], parts, seen.count)
    except (Stuck, Exhausted) as stuck:
        reason, hints = str(stuck), []
    except FalseAt as found:
        reason, hints = str(found), [] if found.point is None else [{name: found.point[name] for name in domain.names}]
    check = within(Effort(share * SEARCHING), asked)
    further = compared(tried(domain, defined, within(Effort(share * FINDING), asked), boxes[2]) or near, defined, check)
    if further.false is None:
        check = within(Effort(share * SEARCHING), asked)
        hints = [point for point in hints if belongs(domain, point, check)]
        further = compared(hints, defined, check) if hints else further
    if further.false is None:
        return Undecided(str(domain), reason, further.count)
    return Disproof(str(domain), further.last, further.count)


def _alarm(domain: Domain, condition: Node, point: Point, effort: Effort) -> None:
    """Fail if the symbols would prove a condition that is false at a point."""
    from verifier.proofs.cover import Cover

    cover = Cover(domain, condition, exact.truth, effort)
    try:
        proved = cover.outcome(cover.domain.all_cases()).value
    except Exhausted:
        return
    if proved:
        raise AssertionError(f"proved for all parameters, and false at {assignment(point)}: {cover.text}")


def proof(
    domain: Domain, wanted: Sequence[Node], check: Check = exact.truth, effort: Effort | None = None, most: int = 0
) -> tuple[Part, ...]:
    """The cases of a proof of all the conditions; the certificate of each is checked at some of its first points.

    Raises:
        AssertionError: the certificate is wrong.
        Stuck: no proof is found.
        FalseAt: one of the conditions is false in some case.
        Exhausted: more work than ``effort`` allows.
    """
    from verifier.proofs.cover import Cover

    limit = effort or Effort()
    parts: list[Part] = []
    for condition in wanted:
        cover = Cover(domain, condition, within(limit, check), limit)
        found = list(cover.parts(cover.domain.all_cases()))
        _check(found, condition, islice(points(cover.domain, within(Effort(FINDING), check), NEAR.width(cover.domain)), most))
        parts += found
    return tuple(parts)


def _check(parts: Sequence[Part], condition: Node, at: Iterable[Point]) -> None:
    """Check the certificate of one condition at points, within :data:`CHECKING` steps."""
    effort = Effort(CHECKING)
    for part in parts:
        checked.check_signs(part)
    for point in at:
        try:
            effort.spend(steps_at(condition, point))
            checked.check(parts, point)
        except Exhausted:
            return
        except BeyondError:
            continue
        except InputError as error:
            raise AssertionError(f"{error}, in a certificate at {point}") from None
