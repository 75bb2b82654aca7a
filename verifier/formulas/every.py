"""Conditions for all values of their parameters: a proof that a reader can check, the smallest counterexample, or neither.

A proof covers the domain by cases (:mod:`verifier.formulas.symbolic.cover`): in a case the condition holds by the symbols
(:mod:`verifier.formulas.symbolic.reader`), or the case lies outside the domain, or it is one assignment, which exact values decide.
All agrees with exact values on small parameters, and the certificate is checked there by a program that knows no computer algebra
(:mod:`verifier.formulas.checked`). sympy (0.3 s or more) is imported when a decision is asked for; each decision has a limit of time.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile
from typing import TYPE_CHECKING

from verifier.errors import InputError
from verifier.formulas import checked, exact
from verifier.formulas.effort import Effort, Exhausted
from verifier.formulas.symbolic.domain import Domain, alternatives, conjuncts, domain_of, written_out
from verifier.formulas.syntax import Formula, kind, names_in, range_of

if TYPE_CHECKING:
    from verifier.formulas.symbolic.certificate import Check, Part, Point

FEWEST_POINTS = 8
"""Parameters at which exact values are known before anything is proved, where the domain has so many."""
TOO_LARGE = "more than"
"""In the message, where exact values are refused for their size alone; after any other refusal nothing is proved."""
MOST_TERMS = 2000
MOST_CHECKED = 20
"""Points at which the certificate of each condition is checked."""
COMPARING, PROVING, SEARCHING = 2.0, 8.0, 3.0
"""Seconds at most: of exact values near the border, of the proof, and of exact values further out."""


@dataclass(frozen=True)
class Box:
    """Parameters near their lower bounds: for one, two, three or more of them how far above, and how many assignments at most."""

    widths: tuple[int, int, int, int]
    most: int

    def width(self, domain: Domain) -> int:
        return self.widths[min(len(domain.parameters), 4) - 1]


SHORT = 80
"""Characters of a certificate that is shown in its line."""
NEAR = Box((40, 10, 6, 4), 200)
"""Where a proof is compared with exact values."""
WIDER = Box((120, 24, 12, 6), 100)
"""The same, where the domain has less than eight parameters so near."""
FAR = Box((300, 40, 12, 6), 1500)
"""Where a counterexample is looked for, if there is no proof."""


@dataclass(frozen=True)
class Proof:
    """Conditions that hold on their whole domain.

    ``border``: the first parameters of the domain. ``compared``: at how many, the first in lexicographic order, exact values agree.
    """

    domain: str
    border: Point
    parts: tuple[Part, ...]
    compared: int

    @property
    def points(self) -> tuple[Point, ...]:
        """The parameters that exact values decided."""
        return tuple(part.point for part in self.parts if part.point is not None)

    @property
    def summary(self) -> str:
        """The certificate in a line: its one case, if that is short, or how many there are."""
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
    """Neither: why, and at how many of the first parameters exact values agree with the condition."""

    domain: str
    reason: str
    compared: int


def decide_for_all(
    conditions: Sequence[Formula],
    domain: Mapping[str, Formula],
    lets: Mapping[str, Formula] | None = None,
    where: Formula | None = None,
    check: Check = exact.truth,
    compared: Sequence[Formula] = (),
    share: float = 1,
) -> Proof | Disproof | Undecided:
    """Whether all the conditions hold for all integers of the domain.

    Args:
        conditions: what is to hold, each in the formula language.
        domain: the parameters in their order, each with its condition, of which a part bounds it from below.
        lets: definitions, the later ones over the earlier.
        where: a further condition that restricts the domain.
        check: the truth of a condition at a point, by definition.
        compared: the conditions as exact values are to read them, where that is another text: one that calls functions which are formulas.
        share: of the time that a decision may take.

    Raises:
        InputError: a formula outside the language, an unknown name, or a name that is bound twice.
        AssertionError: a proof that exact values contradict, which is a fault of this program.
    """
    meanings: dict[str, ast.expr] = {}
    for name, formula in (lets or {}).items():
        if name in domain:
            raise InputError(f"{name} is a parameter and a definition")
        meanings[name] = written_out(formula, meanings, domain)
    wanted, defined = ([p for c in cs for p in conjuncts(written_out(c, meanings, domain))] for cs in (conditions, compared or conditions))
    restrictions = [written_out(c, meanings, domain) for c in (*domain.values(), *([] if where is None else [where]))]
    for formula in (*wanted, *restrictions):
        if kind(formula) == "number":
            exact.no_condition(formula)
        if unknown := names_in(formula) - domain.keys():
            raise InputError(f"no name {min(unknown)!r} here; the names are {', '.join((*domain, *meanings))}")
    try:
        choices = alternatives(restrictions)
        found = [_decided(domain_of(domain, atoms), wanted, defined, check, share / len(choices)) for atoms in choices]
    except InputError as error:
        return Undecided(", ".join(map(ast.unparse, restrictions)), str(error), 0)
    return together(found)


def together(found: Sequence[Proof | Disproof | Undecided]) -> Proof | Disproof | Undecided:
    """What is found for the alternatives of a domain, one at least, for the whole of it."""
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


def _within(effort: Effort, check: Check) -> Check:
    """The truth of a condition at a point, while there is time for it."""

    def checked(condition: ast.expr, point: Point) -> bool:
        with effort.one_step():
            return check(condition, point)

    return checked


def _decided(
    domain: Domain, wanted: Sequence[ast.expr], defined: Sequence[ast.expr], asked: Check, share: float
) -> Proof | Disproof | Undecided:
    """What is found for one of the alternatives of a domain, which has this share of the time.

    ``wanted`` is what the symbols read, ``defined`` what exact values are compared by.
    """
    from verifier.formulas.symbolic.certificate import shown
    from verifier.formulas.symbolic.cover import FalseAt, Stuck

    check = _within(Effort(share * COMPARING), asked)
    near = _tried(domain, defined, check, NEAR)
    if len(near) < FEWEST_POINTS:
        near = _tried(domain, defined, check, WIDER)
    if not near:
        return Undecided(str(domain), "no parameters of the domain were found", 0)
    seen = _compared(near, defined, check)
    if seen.false is not None:
        _alarm(domain, seen.false, seen.last, Effort(share * COMPARING))
        return Disproof(str(domain), seen.last, seen.count)
    if seen.refused and (seen.count < FEWEST_POINTS or TOO_LARGE not in seen.refused):
        return Undecided(str(domain), f"at {shown(seen.last)}: {seen.refused}", seen.count)
    try:
        parts = proof(domain, wanted, asked, Effort(share * PROVING), MOST_CHECKED)
        return Proof(str(domain), near[0], parts, seen.count)
    except (Stuck, Exhausted) as stuck:
        reason, hints = str(stuck), []
    except FalseAt as found:
        reason, hints = str(found), [] if found.point is None else [{name: found.point[name] for name in domain.names}]
    check = _within(Effort(share * SEARCHING), asked)
    further = _compared(_tried(domain, defined, check, FAR), defined, check)
    if further.false is None:
        hints = [point for point in hints if _belongs(domain, point, check)]
        further = _compared(hints, defined, check) if hints else further
    if further.false is None:
        return Undecided(str(domain), reason, further.count)
    return Disproof(str(domain), further.last, further.count)


def _alarm(domain: Domain, condition: ast.expr, point: Point, effort: Effort) -> None:
    """Fails where the symbols would prove a condition that is false at a point."""
    from verifier.formulas.symbolic.certificate import shown
    from verifier.formulas.symbolic.cover import Cover

    cover = Cover(domain, condition, exact.truth, effort)
    try:
        proved = cover.outcome(cover.domain.all_cases()).value
    except Exhausted:
        return
    if proved:
        raise AssertionError(f"proved for all parameters, and false at {shown(point)}: {cover.text}")


def proof(
    domain: Domain, wanted: Sequence[ast.expr], check: Check = exact.truth, effort: Effort | None = None, most: int = 0
) -> tuple[Part, ...]:
    """The cases of a proof of all the conditions; the certificate of each is checked at so many of its first points.

    Raises:
        AssertionError: the certificate is wrong.
        Stuck: none is found.
        FalseAt: one of them is false in some case.
        Exhausted: more work than ``effort`` allows.
    """
    from verifier.formulas.symbolic.cover import Cover

    limit = effort or Effort(float("inf"))
    parts: list[Part] = []
    for condition in wanted:
        cover = Cover(domain, condition, _within(limit, check), limit)
        found = list(cover.parts(cover.domain.all_cases()))
        _check(found, islice(points(cover.domain, _within(Effort(COMPARING), check), NEAR.width(cover.domain), {}), most))
        parts += found
    return tuple(parts)


def _check(parts: Sequence[Part], at: Iterable[Point]) -> None:
    """Checks the certificate of one condition."""
    for part in parts:
        checked.check_signs(part)
    for point in at:
        try:
            checked.check(parts, point)
        except InputError as error:  # a number that is too large
            if TOO_LARGE not in str(error):
                raise AssertionError(f"{error}, in a certificate at {point}") from None


def _belongs(domain: Domain, point: Point, check: Check) -> bool:
    """Whether a point belongs to the domain; what is too large, or has no meaning, does not."""
    try:
        return domain.has(point, check)
    except InputError:
        return False


@dataclass(frozen=True)
class _Compared:
    """Exact values at a sequence of points, up to the first at which something is ``false``: at ``last``.

    ``count``: at how many of them, up to the first that is ``refused``, they agree; ``last`` is that one where nothing is false.
    """

    count: int
    last: Point
    false: ast.expr | None = None
    refused: str = ""


def _compared(tried: Sequence[Point], wanted: Sequence[ast.expr], check: Check) -> _Compared:
    first: _Compared | None = None
    for count, point in enumerate(tried):
        try:
            false = next((c for c in wanted if not check(c, point)), None)
        except InputError as error:
            first = first or _Compared(count, point, refused=str(error))
            if isinstance(error, Exhausted):
                break
            continue
        if false is not None:
            return _Compared(count + 1, point, false)
    return first or _Compared(len(tried), tried[-1])


def _tried(domain: Domain, wanted: Sequence[ast.expr], check: Check, box: Box) -> Sequence[Point]:
    """The first parameters of the domain in a box, one at least; they end where ranges come to more than 2,000 values in all."""
    found = list(islice(points(domain, check, box.width(domain), {}), box.most))
    long = [c for c in wanted if any(isinstance(node, ast.GeneratorExp) for node in ast.walk(c))]
    sizes = accumulate(sum(_terms(c, point) for c in long) for point in found)
    return found[: max(1, sum(1 for _ in takewhile(lambda size: size <= MOST_TERMS, sizes)))]


def _terms(tree: ast.AST, point: Point) -> int:
    """About how many values the bound names of a condition take; ranges within a range by their length at its end."""
    match tree:
        case ast.GeneratorExp():
            name, ends = range_of(tree)
            try:
                first, last = (math.floor(exact.rational(end, point)) for end in ends)
            except InputError:
                return 0
            return max(0, last - first + 1) * (1 + _terms(tree.elt, {**point, name: last}))
    return sum(_terms(part, point) for part in ast.iter_child_nodes(tree))


def points(domain: Domain, check: Check, width: int, point: Point) -> Iterator[Point]:
    """The assignments of the domain that begin with a point, in lexicographic order, each parameter up to a width above its lower bound."""
    if len(point) == len(domain.parameters):
        if _belongs(domain, point, check):
            yield point
        return
    parameter = domain.parameters[len(point)]
    low = exact.rational(parameter.low, point)
    if low.denominator == 1:
        for value in range(int(low), int(low) + (1 if parameter.fixed else width)):
            yield from points(domain, check, width, {**point, parameter.name: value})
