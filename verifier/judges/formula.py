"""Judge a condition on numbers at one point or at every assignment of some names, in fractions or in balls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Claim, Query, declined
from verifier.claims.verdicts import SYMBOLIC, Outcome, Scope, Verdict
from verifier.judges.evaluation import Names, Reader
from verifier.judges.fields import Formula, members
from verifier.language.definitions import inlined_text, with_meanings, written_out
from verifier.language.exact import Given
from verifier.language.syntax import names_in
from verifier.language.tree import Comparison, Logic, Node
from verifier.running.errors import InputError, LimitError
from verifier.running.printable import assignment


def conditions(query: Query, fields: Formula) -> list[Node]:
    """The conditions with the claim's definitions in their place."""
    texts = [fields.holds] if isinstance(fields.holds, str) else fields.holds
    return [inlined_text(text, query.claim.lets) for text in texts]


def judge(query: Query, fields: Formula) -> Outcome:
    """Judge whether all conditions hold at every assignment; the first that fails is the counterexample."""
    asked = conditions(query, fields)
    when = inlined_text(fields.when, query.claim.lets) if fields.when else None
    reader = Reader(query.claim.functions)
    cases = 0
    for some in _batches(assignments(query, fields, reader), query):
        kept, wrong = reader.first_wrong(asked, when, some, tuple(fields.each))
        cases += kept
        query.within(cases)
        if wrong is not None:
            return _refuted(query, fields, *wrong, reader)
    if cases == 0:
        return declined(f"no case passes {fields.when or 'the ranges of ' + ', '.join(fields.each)} {query.at}".rstrip())
    return Outcome(Verdict.VERIFIED, Scope(scope_text(query, fields, cases), cases, reader.method))


MOST_LISTED = 64
"""Assignments of listed values that are decided for all parameters, one by one."""
MOST_IN_A_RANGE = 4
"""Values of a range that count as listed."""


def for_all(claim: Claim, fields: Formula, fixed: Mapping[str, int]) -> Outcome:
    """Judge the condition by symbols for every value of the names of ``each`` and of the parameters, except the fixed ones.

    A proof is compared with exact values, and its certificate checked (:mod:`verifier.proofs.for_all`). Listed values, which may be
    fractions, are inserted one by one.
    """
    from verifier.proofs.for_all import Disproof, Proof, decide_for_all, together

    asked = _asked(claim, fields, fixed)
    reader, assigned = asked.reader, asked.assigned
    scope = f"every {', '.join(asked.domain)}"
    if len(assigned) > MOST_LISTED:
        return Outcome(Verdict.OPEN, Scope(scope), reason=f"{len(assigned)} listed values, at most {MOST_LISTED} were expected")
    try:
        each_asked = (asked.for_symbols(values) for values in assigned)
        share = 1 / len(assigned)
        found = together([decide_for_all(s, limits, within, reader.truth, exact, share) for s, limits, within, exact in each_asked])
    except (InputError, LimitError) as error:
        return Outcome(Verdict.OPEN, Scope(scope), reason=f"not decided by symbols: {error}")
    each = "".join(f", {name} in ({fields.each[name]})" for name in asked.listed)
    scope = f"{scope} with {found.domain}{each}: {' and '.join(asked.holds)}"
    if isinstance(found, Proof):
        agree = f"exact values agree at the first {found.compared} points, from {_point(found.border)} on"
        agree += reader.read_as_formulas(asked.conditions)
        proof = tuple(found.certificate.split("\n"))
        return Outcome(Verdict.VERIFIED, Scope(scope, None, SYMBOLIC), f"symbolic proof, {found.summary}", reason=agree, proof=proof)
    if isinstance(found, Disproof):
        point = {k: str(v) for k, v in found.point.items()}
        return Outcome(Verdict.REFUTED, Scope(scope, None, "algebra"), reason=f"false at {_point(found.point)}", counterexample=point)
    return Outcome(Verdict.OPEN, Scope(scope), reason=f"not decided by symbols: {found.reason}")


@dataclass(frozen=True)
class _Asked:
    """A condition for every value, with its domain. Each choice of the listed values is judged separately."""

    domain: Mapping[str, Node]
    holds: Sequence[str]
    conditions: Sequence[Node]
    restriction: Node | None
    listed: Mapping[str, Sequence[Node]]
    reader: Reader

    @cached_property
    def assigned(self) -> list[dict[str, Node]]:
        return [dict(zip(self.listed, values, strict=True)) for values in product(*self.listed.values())]

    def for_symbols(self, values: Mapping[str, Node]) -> tuple[list[Node], dict[str, Node], Node | None, list[Node]]:
        """The conditions for symbols, the conditions on the parameters, the restriction, and the conditions for exact values."""
        written = self.reader.written
        meanings: dict[str, Node] = {}
        for name, value in values.items():
            meanings[name] = with_meanings(value, meanings)
        asked = [with_meanings(tree, meanings) for tree in self.conditions]
        within = None if self.restriction is None else written_out(with_meanings(self.restriction, meanings), written)
        limits = {name: written_out(with_meanings(tree, meanings), written) for name, tree in self.domain.items()}
        return [written_out(tree, written) for tree in asked], limits, within, asked


def _asked(claim: Claim, fields: Formula, fixed: Mapping[str, int]) -> _Asked:
    texts = claim.domain(fixed)
    listed: dict[str, list[Node]] = {}
    for name, text in fields.each.items():
        ends = members(text)
        if ".." not in text or (few := _few(*ends)):
            listed[name] = [inlined_text(value, claim.lets) for value in (ends if ".." not in text else few)]
        else:
            texts[name] = f"({ends[0]}) <= {name} <= ({ends[1]})"
    holds = [fields.holds] if isinstance(fields.holds, str) else fields.holds
    where = " and ".join(f"({text})" for text in (claim.where, fields.when) if text)
    domain = {name: inlined_text(text, claim.lets) for name, text in texts.items()}
    conditions = [inlined_text(text, claim.lets) for text in holds]
    restriction = inlined_text(where, claim.lets) if where else None
    reader = Reader(claim.functions)
    varying = [tree for tree in conditions if names_in(tree) or not reader.truth(tree, {})]  # of numbers alone balls may decide
    return _Asked(domain, holds, varying or conditions, restriction, listed, reader)


def _few(first: str, last: str) -> list[str]:
    """The values of a range between two explicit numbers, at most :data:`MOST_IN_A_RANGE` of them, or else none."""
    if not all(text.strip().lstrip("-").isdigit() for text in (first, last)):
        return []
    values = range(int(first), int(last) + 1)
    return list(map(str, values)) if len(values) <= MOST_IN_A_RANGE else []


def _point(values: Mapping[str, Given]) -> str:
    return assignment(values) or "the one point"


FEW_NAMES = 8
"""An assignment of more names counts once for each of them."""
BATCH = 1 << 14
"""The number of assignments in one array."""


def _batches(every: Iterator[dict[str, Given]], query: Query) -> Iterator[list[dict[str, Given]]]:
    """The assignments in their order, in batches; each counts against the limit before it is built."""
    made = 0
    while some := list(islice(every, BATCH)):
        made += len(some) * (1 if len(some[0]) <= FEW_NAMES else len(some[0]))
        query.within(made // 8, "assignments")
        yield some


def scope_text(query: Query, fields: Formula, cases: int) -> str:
    """``all 12 assignments of a, b at p = 3: …``."""
    holds = fields.holds if isinstance(fields.holds, str) else " and ".join(fields.holds)
    if not fields.each:
        return f"{holds} {query.at}".rstrip()
    ranges = ", ".join(f"{name} in {text}" for name, text in fields.each.items())
    count = "the 1 case" if cases == 1 else f"all {cases:,} cases"
    return f"{count} of {ranges}{' with ' + fields.when if fields.when else ''} {query.at}: {holds}".replace("  ", " ")


def assignments(query: Query, fields: Formula, reader: Reader) -> Iterator[dict[str, Given]]:
    """The parameters with every assignment of the names of ``each``, the first name slowest."""

    def extend(names: dict[str, Given], rest: list[tuple[str, str]]) -> Iterator[dict[str, Given]]:
        if not rest:
            yield names
            return
        (name, text), *others = rest
        for value in reader.range(text, names, query.claim.lets):
            yield from extend({**names, name: Fraction(value)}, others)

    yield from extend(dict(query.names), list(fields.each.items()))


def _refuted(query: Query, fields: Formula, condition: Node, names: Names, reader: Reader) -> Outcome:
    """A refutation whose counterexample names the assignment, the values to show, and both sides of the comparison that fails."""
    found = {k: str(names[k]) for k in fields.each}
    for name in fields.shows:
        found[name] = reader.shown(inlined_text(name, query.claim.lets), names)
    failing = _failing(condition, names, reader)
    if isinstance(failing, Comparison):
        found |= {"left": reader.shown(failing.left, names), "right": reader.shown(failing.others[0], names)}
    point = {k: str(v) for k, v in query.parameters.items()}
    holds = fields.holds if isinstance(fields.holds, str) else " and ".join(fields.holds)
    scope = Scope(f"{holds} {query.at}".rstrip(), None, reader.method)
    return Outcome(Verdict.REFUTED, scope, counterexample={**point, **found})


def _failing(condition: Node, names: Names, reader: Reader) -> Node:
    """The part of a conjunction or chain that fails."""
    if isinstance(condition, Logic) and condition.operator == "and":
        return _failing(next(part for part in condition.parts if not reader.truth(part, names)), names, reader)
    if isinstance(condition, Comparison):
        return next(p for p in condition.links() if not reader.truth(p, names))
    return condition
