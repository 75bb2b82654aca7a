"""Formulas read for all values of slacks at once: a condition holds for all of them, for none, or is undecided.

A number is read only where it has one form, and a value, for all slacks for which the facts hold: a divisor is shown to be no 0, an
exponent to be an integer, a range to have no negative length, before it is used.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from .recheck_polynomials import (
    ONE,
    Algebra,
    Polynomial,
    Quotient,
    Undecided,
    antidifference,
    cleared,
    constant,
    is_constant,
    number,
    value_of,
    variable,
)
from .recheck_quantities import AT_LEAST_0, AT_MOST_0, Hints, Quantities
from .recheck_trees import DENIED, RANGED, SIGNS, Node, in_cases

MOST_VALUES, MOST_APART = 64, 2


class Reading(Quantities):
    """Formulas in one case, where ``names`` have values."""

    def __init__(self, algebra: Algebra, hints: Hints, names: dict[str, Quotient], facts: list[Polynomial]) -> None:
        super().__init__(algebra, hints, facts)
        self.names = names

    def at(self, name: str, value: Quotient) -> "Reading":
        return Reading(self.algebra, self.hints, {**self.names, name: value}, self.facts)

    def number(self, node: Node) -> Quotient:
        """The value of a formula.

        Raises:
            Undecided: it has not one form, or not everywhere a value, or there is no reading of it here.
        """
        self.algebra.limits.spend(8)
        if isinstance(node, str):
            if node not in self.names and not node.lstrip("-")[0].isdigit():
                raise Undecided(f"{node} has no value there")
            return self.names[node] if node in self.names else number(Fraction(node))
        operation, *operands = node
        if operation in RANGED[:3]:
            return self.total(node) if operation == "sum" else self.end(node)
        if operation == "if":
            return self.number(operands[1] if self.decided(operands[0]) else operands[2])
        if operation in ("floor", "ceil") and not isinstance(operands[0], str) and operands[0][0] == "log2":
            return self.logarithm(self.number(operands[0][1]), f"{operation}-log2")
        return OPERATIONS[operation](self, *map(self.number, operands))

    def difference(self, left: Node, right: Node) -> Quotient:
        return self.algebra.add(self.number(left), self.number(right), -1)

    def decided(self, test: Node) -> bool:
        found = self.truth(test)
        if found is None:
            raise Undecided("a choice that is not decided")
        return found

    # ranges: [operation, body, name, first, last, tests]

    def ends(self, node: Node) -> tuple[Polynomial, Polynomial]:
        """The first value and the number of values, which may be negative."""
        first, last = (self.algebra.whole(self.number(end)) for end in node[3:5])
        return first, self.algebra.plus(self.algebra.plus(last, first, -1), ONE)

    def each(self, name: str, first: Polynomial, count: int) -> list["Reading"]:
        return [self.at(name, Quotient(self.algebra.plus(first, constant(i)), ONE)) for i in range(count)]

    @contextmanager
    def general(self, name: str, first: Polynomial, count: Polynomial) -> Iterator["Reading"]:
        """The bound name as first + i, where the slack i has its name and is at most count - 1."""
        i = variable(name)
        with self.supposed():
            self.know(self.algebra.plus(self.algebra.plus(count, ONE, -1), i, -1))
            yield self.at(name, Quotient(self.algebra.plus(first, i), ONE))

    def total(self, node: Node, start: "tuple[Polynomial, Polynomial] | None" = None, apart: int = 0) -> Quotient:
        _, body, name, _, _, tests = node
        first, count = start or self.ends(node)
        if is_constant(count) and value_of(count) <= MOST_VALUES:
            found = number(0)
            for inside in self.each(name, first, int(value_of(count))):
                if all(inside.decided(test) for test in tests):
                    found = self.algebra.add(found, inside.number(body))
            return found
        signs = self.sign(count)
        if signs <= AT_MOST_0:
            return number(0)
        if not signs <= AT_LEAST_0:
            raise Undecided("a range whose length may be negative")
        try:
            with self.general(name, first, count) as inside:
                if tests:
                    raise Undecided("a sum with tests")
                term = inside.number(body)
        except Undecided:
            rest = self.algebra.plus(count, ONE, -1)
            if apart == MOST_APART or not self.sign(rest) <= AT_LEAST_0:
                raise
            (inside,) = self.each(name, first, 1)
            taken = inside.number(body) if all(inside.decided(test) for test in tests) else number(0)
            return self.algebra.add(taken, self.total(node, (self.algebra.plus(first, ONE), rest), apart + 1))
        return self.closed(term, name, count)

    def closed(self, term: Quotient, name: str, count: Polynomial) -> Quotient:
        """The sum of a term over i from 0 to count - 1, i being the slack ``name``, for a count >= 0."""
        algebra = self.algebra
        if name in algebra.within(term.below) or 0 in self.sign(term.below):
            raise Undecided("a sum of quotients")
        found: Polynomial = {}
        for monomial, c in term.above.items():
            outside, degree, ratio, at_end = dict(monomial), 0, Fraction(1), ONE
            for atom, e in monomial:
                if name not in algebra.within(variable(atom)):
                    continue
                outside.pop(atom)
                if atom == name:
                    degree = e
                elif algebra.powers.get(atom, (0, ()))[1] == ((name, 1),):
                    base = algebra.powers[atom][0]
                    ratio *= Fraction(base) ** e
                    at_end = algebra.times(at_end, algebra.power(base, {m: k * e for m, k in count.items()}))
                else:
                    raise Undecided("a sum whose terms have no ratio")
            parts = antidifference(degree, ratio)
            last = constant(-parts[0])
            for k, part in enumerate(parts):
                last = algebra.plus(last, algebra.times(at_end, algebra.raised(count, k)), part) if part else last
            found = algebra.plus(found, algebra.times({tuple(sorted(outside.items())): c}, last))
        return algebra.reduced(found, term.below)

    def end(self, node: Node) -> Quotient:
        """The least or greatest of terms that rise or fall throughout."""
        operation, body, name, _, _, tests = node
        first, count = self.ends(node)
        if self.sign(count) != {1} or tests:
            raise Undecided("a range that may be empty")
        rest = self.algebra.plus(count, ONE, -1)
        with self.general(name, first, rest) as inside:
            here = inside.names[name]
            step = self.algebra.add(inside.at(name, self.algebra.add(here, number(1))).number(body), inside.number(body), -1)
            signs = self.signs(step)
        if not signs <= AT_LEAST_0 and not signs <= AT_MOST_0:
            raise Undecided("terms that neither rise nor fall")
        last = (signs <= AT_LEAST_0) == (operation == "greatest")
        return self.at(name, Quotient(self.algebra.plus(first, rest) if last else first, ONE)).number(body)

    # conditions

    def truth(self, node: Node) -> bool | None:
        """Whether a condition holds for all slacks (True), for none (False), or neither is seen (None).

        Raises:
            Undecided: a number in it is not read.
        """
        self.algebra.limits.spend(8)
        operation, *operands = node
        match operation:
            case "not":
                return denied(self.truth(operands[0]))
            case "and":
                return conjunction(self.in_turn(operands))
            case "or":
                return denied(conjunction(self.in_turn([["not", part] for part in operands])))
            case "if":
                return self.by_cases(*operands)
            case "all" | "any":
                return self.every(node, operation == "any")
        try:
            signs = self.signs(self.difference(*operands))
        except Undecided:
            cases = in_cases(node)
            if cases is None:
                raise
            return self.by_cases(*cases)
        wanted = SIGNS[operation]
        return True if signs <= wanted else None if signs & wanted else False

    def in_turn(self, parts: Sequence[Node]) -> list[Callable[[], bool | None]]:
        """The parts of a conjunction, each asked where those before it hold."""
        return [lambda k=k: self.supposing(parts[:k], parts[k]) for k in range(len(parts))]  # type: ignore[misc]

    def supposing(self, given: Sequence[Node], asked: Node) -> bool | None:
        with self.supposed():
            for condition in given:
                self.assume(condition)
            return self.truth(asked)

    def assume(self, node: Node) -> None:
        """Adds what a condition that holds says to the facts, as far as it says that something is >= 0, > 0 or = 0."""
        operation, *operands = node
        if operation == "and" or (operation == "not" and operands[0][0] == "or"):
            for part in operands if operation == "and" else [["not", part] for part in operands[0][1:]]:
                self.assume(part)
        elif operation == "not" and operands[0][0] == "not":
            self.assume(operands[0][1])
        elif operation == "not" and operands[0][0] in DENIED:
            self.assume([DENIED[operands[0][0]], *operands[0][1:]])
        elif operation in SIGNS:
            x = self.difference(*operands)
            if not is_constant(x.above) and self.sign(x.below) == {1}:
                whole = cleared(x.above)
                for side in (1, -1):
                    if -side not in SIGNS[operation]:  # an integer that is not 0 is at least 1
                        strict = constant(int(0 not in SIGNS[operation]))
                        self.know(self.algebra.plus({m: side * c for m, c in whole.items()}, strict, -1))

    def by_cases(self, test: Node, body: Node, orelse: Node) -> bool | None:
        if not isinstance(test, str) and test[0] in ("and", "or"):
            first, rest = test[1], test[2] if len(test) == 3 else [test[0], *test[2:]]
            both = ["if", rest, body, orelse]
            return self.by_cases(first, both, orelse) if test[0] == "and" else self.by_cases(first, body, both)
        found = self.truth(test)
        if found is not None:
            return self.truth(body if found else orelse)
        yes, no = self.supposing([test], body), self.supposing([["not", test]], orelse)
        return yes if yes == no else None

    def every(self, node: Node, negated: bool) -> bool | None:
        """Whether a condition holds for all values of a range that pass its tests; for ``any`` the opposite of whether its denial does."""
        _, body, name, _, _, tests = node
        first, count = self.ends(node)

        def holds(inside: Reading) -> bool | None:
            wanted = ["not", body] if negated else body
            return denied(conjunction([*inside.in_turn(tests), lambda: denied(inside.supposing(tests, wanted))]))

        if is_constant(count) and value_of(count) <= MOST_VALUES:
            several: list[Callable[[], bool | None]] = [
                lambda inside=inside: holds(inside)  # type: ignore[misc]
                for inside in self.each(name, first, int(value_of(count)))
            ]
            found = conjunction(several)
        else:
            signs = self.sign(count)
            if signs <= AT_MOST_0:
                found = True
            else:
                with self.general(name, first, count) as inside:
                    found = holds(inside)
                if signs != {1} and found is False:
                    found = None
        return denied(found) if negated else found


def denied(found: bool | None) -> bool | None:
    return None if found is None else not found


def conjunction(parts: Sequence[Callable[[], bool | None]]) -> bool | None:
    unknown = False
    for part in parts:
        found = part()
        if found is False:
            return False
        unknown = unknown or found is None
    return None if unknown else True


OPERATIONS: dict[str, Callable[..., Quotient]] = {
    "+": lambda r, x, y: r.algebra.add(x, y),
    "-": lambda r, x, y: r.algebra.add(x, y, -1),
    "*": lambda r, x, y: r.algebra.multiply(x, y),
    "/": Quantities.divided,
    "//": lambda r, x, y: r.floor(r.divided(x, y)),
    "%": Quantities.modulo,
    "**": Quantities.power,
    "neg": Quantities.negative,
    "floor": Quantities.floor,
    "ceil": lambda r, x: r.negative(r.floor(r.negative(x))),
    "abs": lambda r, x: r.extreme(1, x, r.negative(x)),
    "max": lambda r, *xs: r.extreme(1, *xs),
    "min": lambda r, *xs: r.extreme(-1, *xs),
    "log2": Quantities.exact_log2,
    "gcd": Quantities.gcd,
    "binom": Quantities.binomial,
    "popcount": lambda r, x: number(r.integer(x, 0).bit_count()),
    "sqrt": Quantities.root,
    "exp": lambda r, x: r.rational(x, 0, 1),
    "log": lambda r, x: r.rational(x, 1, 0),
    "erf": lambda r, x: r.rational(x, 0, 0),
    "tanh": lambda r, x: r.rational(x, 0, 0),
}
