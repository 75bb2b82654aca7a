"""Cover a domain with cases in each of which a condition is decided, by symbols or by exact values at a point.

If symbols do not decide a case, it is split: by the remainders of a parameter under a floor, or by its least values, as many as make the
rest decidable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.language import exact
from verifier.language.tree import Node, Ranged, words_in
from verifier.proofs.budget import Effort
from verifier.proofs.certificate import Check, Judgement, Line, Part, Point, Where, above, at_point, text
from verifier.proofs.domain import Case, Domain, Slack
from verifier.proofs.nonnegative import Expr, Quantities, Symbol, Unread
from verifier.proofs.reader import Reader
from verifier.proofs.signs import Form
from verifier.running.errors import InputError
from verifier.running.printable import assignment

RUNGS = (1, 2, 4, 8, 16, 32, 64, 128)
"""The most values of a parameter that may be split off from its least one on. Fewer are split off if they suffice."""
JOINT_RUNGS = (1, 2, 4, 8)
MOST_ATTEMPTS = 150
MOST_STEP = 64


class Stuck(Exception):  # noqa: N818  # no mistake of anyone's
    """No method decides a case; the message says where the symbols stop."""


class FalseAt(Exception):  # noqa: N818
    """The condition is false throughout a case. ``point``: the first assignment of the case, which may lie outside the domain."""

    def __init__(self, point: Point | None) -> None:
        super().__init__(point)
        self.point = point

    def __str__(self) -> str:
        return f"false at {assignment(self.point)}" if self.point else "false in a case without integers"


@dataclass(frozen=True)
class CaseTruth:
    """The symbols' verdict on a case. If it is undecided, ``wants`` names parameters and moduli that would help."""

    value: bool | None
    where: Where
    lines: tuple[Line, ...] = ()
    reason: str = ""
    wants: tuple[tuple[str, int], ...] = ()

    @property
    def helps(self) -> bool:
        """Whether the case is decided, or will be after a split by remainders."""
        return self.value is not None or any(modulus > 1 for _, modulus in self.wants)


VACUOUS = Line("1", Form(frozenset({1}), "1"))
"""The line of a condition without a comparison of numbers, such as one on an empty range. A case without a line lies outside the domain."""


class Cover:
    """A condition on a domain, and the cases in which it was checked. An outer ``all`` gives the domain its bound name."""

    def __init__(self, domain: Domain, condition: Node, check: Check, effort: Effort | None = None) -> None:
        self.text = text(condition)
        while (terms := _quantified(condition)) and terms.name not in domain.names:
            domain, condition = domain.with_bound_name(terms), terms.body
        self.domain, self.condition, self.check, self.effort = domain, condition, check, effort or Effort()
        self._outcomes: dict[tuple[Slack, ...], CaseTruth] = {}

    def parts(self, case: Case) -> Iterator[Part]:
        """The parts that cover a case.

        Raises:
            Stuck: none is found.
            FalseAt: the condition is false in a case.
        """
        free = [name for name, slack in case.items() if slack.step]
        if not free:
            yield self._at_point(case)
            return
        outcome = self.outcome(case)
        if outcome.value is False:
            raise FalseAt(self._first(case))
        if outcome.value is not None:
            yield Part(self.text, outcome.where, outcome.lines)
            return
        for part in self._split(case, outcome, free):
            yield from self.parts(part)

    def _split(self, case: Case, outcome: CaseTruth, free: list[str]) -> list[Case]:
        for name, modulus in outcome.wants:
            if modulus > 1 and case[name].step * modulus <= MOST_STEP:
                return [{**case, name: slack} for slack in case[name].remainders(modulus)]
        names = list(dict.fromkeys([*(name for name, _ in outcome.wants), *free]))
        for times in RUNGS:
            for name in names:
                if self._helps(case, name, times):
                    least = next(n for n in range(times // 2 + 1, times + 1) if self._helps(case, name, n))
                    return _without_least(case, name, least)
        for times in JOINT_RUNGS if len(free) > 1 else ():
            if self.outcome({**case, **{name: case[name].above(times) for name in free}}).helps:
                return _without_least(case, names[0], times)
        raise Stuck(f"{outcome.where.text}: {outcome.reason}")

    def _helps(self, case: Case, name: str, times: int) -> bool:
        return self.outcome({**case, name: case[name].above(times)}).helps

    # One case by exact values

    def _first(self, case: Case) -> Point | None:
        """The least values of a case, or None if one of them is not an integer."""
        point: dict[str, int] = {}
        for parameter in self.domain.parameters:
            low = exact.rational(parameter.low, point)
            if low.denominator != 1:
                return None
            point[parameter.name] = int(low) + case[parameter.name].offset
        return point

    def _at_point(self, case: Case) -> Part:
        try:
            point = self._first(case)
            if point is None or not self.domain.has(point, self.check):
                return Part(self.text, at_point(point or {}))
            if not self.check(self.condition, point):
                raise FalseAt(point)
        except InputError as error:
            raise Stuck(str(error)) from None
        return Part(self.text, at_point(point), point=point)

    # One case by symbols

    def outcome(self, case: Case) -> CaseTruth:
        """The symbols' verdict on a case, without splitting it."""
        key = tuple(case.values())
        if key not in self._outcomes:
            if len(self._outcomes) >= MOST_ATTEMPTS:
                raise Stuck(f"{MOST_ATTEMPTS} cases were tried")
            self._outcomes[key] = self._read(case)
        return self._outcomes[key]

    def _read(self, case: Case) -> CaseTruth:
        trees = (self.condition, *self.domain.conditions, *(tree for bound in self.domain.ranges for tree in (*bound.ends, *bound.tests)))
        taken = [*self.domain.names, *(word for tree in trees for word in words_in(tree))]
        quantities = Quantities(taken, self.effort)
        reader = Reader(quantities, {}, [])
        owners: dict[Symbol, str] = {}
        wants: list[tuple[Symbol, int]] = []
        where = Where()
        try:
            for parameter in self.domain.parameters:
                low = quantities.whole(reader.number(parameter.low))
                reader.names[parameter.name] = self._value(parameter.name, low, case[parameter.name], quantities, owners)
            where = _where(reader)
            for condition in self.domain.conditions:
                found = _asked(reader, condition)
                if found.value is False:
                    return CaseTruth(True, where)
                wants += found.wants
            for bound in self.domain.ranges:
                for end in bound.ends:
                    quantities.whole(reader.number(end))
                for test in (*bound.within, *bound.tests):
                    found = reader.truth(test)
                    if found.value is False:
                        return CaseTruth(True, where)
                    if found.value is None:
                        wants += found.wants
                        reader.assume(test)
            found = reader.truth(self.condition)
        except Unread as unread:
            found = Judgement(None, (), str(unread), unread.wants)
        if found.value is not None:
            shown_before = {str(line): line for line in reader.lines}
            return CaseTruth(found.value, where, (*shown_before.values(), *found.lines) or (VACUOUS,))
        return CaseTruth(None, where, (), found.reason, tuple((owners[s], m) for s, m in (*found.wants, *wants) if s in owners))

    @staticmethod
    def _value(name: str, low: Expr, slack: Slack, quantities: Quantities, owners: dict[Symbol, str]) -> Expr:
        """low + offset + step·k."""
        start = quantities.expand(low + slack.offset)
        if not slack.step:
            return start
        more = above(name, start, quantities)
        k = quantities.slack(more if slack.step == 1 else f"({more})/{slack.step}", start)
        owners[k] = name
        return quantities.expand(start + slack.step * k)


def _asked(reader: Reader, condition: Node) -> Judgement:
    """Decide a condition of the domain. If it is undecided and readable, it becomes a known fact."""
    try:
        found = reader.truth(condition)
        if found.value is None:
            reader.assume(condition)
    except Unread as unread:
        return Judgement(None, (), str(unread), unread.wants)
    return found


def _quantified(condition: Node) -> Ranged | None:
    return condition if isinstance(condition, Ranged) and condition.function == "all" else None


def _without_least(case: Case, name: str, times: int) -> list[Case]:
    """The ``times`` least values of a parameter separately, and the case of the others."""
    return [*({**case, name: case[name].above(i).least()} for i in range(times)), {**case, name: case[name].above(times)}]


def _where(reader: Reader) -> Where:
    """``p = 3``, ``p >= 6``, or ``m = 2*k + 3`` with an integer k ≥ 0."""
    quantities = reader.quantities
    texts = []
    for name, value in reader.names.items():
        least = value.subs(dict.fromkeys(value.free_symbols, 0))
        texts.append(f"{name} >= {least}" if value - least in quantities.slacks else f"{name} = {quantities.shown(value)}")
    values = {name: quantities.shown(value) for name, value in reader.names.items()}
    return Where(", ".join(texts), values, {str(slack): meaning for slack, meaning in quantities.slacks.items()})
