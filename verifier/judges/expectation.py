"""Judge an expectation. The expected value of a formula in random entries is compared with a closed form, as polynomials in all that is
fixed.

Where the value is no polynomial because of absolute values of sums, a bound below may still refute: |p| is at least s p for s = 1 or −1,
whatever s depends on. Let s be the sign of the product of some errors that are equally often negative and positive. Then the terms of s p
that contain exactly these errors with odd powers have an expected value other than 0, and the others 0.

An identity of sums over the rows and columns of matrices need be checked for small sizes only. Let both sides be sums over 1 … n and 1 … m
of polynomials in entries whose places are bound names, times powers of n and m. The sides keep their form when rows or columns are renamed,
so a monomial's coefficient depends on the pattern of its places alone: with s different columns it counts the tuples of the L summed
columns that have this pattern, times the powers of m (up to m^e, after multiplying by the largest power m^c that divides). That is a
polynomial in m of degree at most L − s + e + c for m >= s, so that it is 0 for every m if it is for the L − s + e + c + 1 sizes from m = s
on: for all m <= L + e + c if s >= 1, and for one more if s may be 0 (m alone, an expected value), as there is no size 0 to compare at; and
so for rows. A name that the claim itself quantifies (for each i) counts as one more sum: multiply by one more vector of unknowns and add;
then s >= 1. Rows and columns must not be mixed: a matrix has the same kind of index at each place wherever it occurs, and indices are
compared with their own kind; an index that is the same number wherever the matrix occurs makes a vector of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product, repeat
from typing import NoReturn

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Claim, Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.fields import Expectation, members
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.polynomials import NoPolynomialError, Polynomial, Ring, Unknown, value
from verifier.language.syntax import calls_in, names_in, parse, quoted
from verifier.language.tree import Algebra, Call, Choice, Comparison, Logic, Name, Node, Numeral, Operation, Ranged, Signed, fold
from verifier.running.errors import InputError
from verifier.running.printable import assignment

MOST_ENTRIES = 4000
TRIED = (Fraction(1), Fraction(-1), Fraction(2), Fraction(-2))
"""The values besides 0 that are tried for an entry if the sides are not polynomials in it."""


class Sides:
    """Both sides of a claim at one point: the expected value and the closed form, for each assignment of the names of ``each``."""

    def __init__(self, claim: Claim, fields: Expectation, parameters: Mapping[str, Fraction]) -> None:
        self.fields, self.parameters = fields, parameters
        self.of, self.is_ = (inlined_text(text, claim.lets) for text in (fields.of, fields.is_))
        self.ends = {name: _ends(name, text) for name, text in fields.uniform.items()}
        self.positive = {end for _, end in self.ends.values()}
        self.unknowns = list(self._unknowns())
        self.ring = Ring(self.unknowns, self.positive)

    def _unknowns(self) -> Iterator[Unknown]:
        """Every entry that a formula can name, and the free numbers."""
        most = int(max(self.parameters.values(), default=Fraction(1)))
        matrices = sorted({name for side in (self.of, self.is_) for name, _ in calls_in(side)})
        if len(matrices) * most**2 > MOST_ENTRIES:
            raise NoPolynomialError(f"{len(matrices) * most**2:,} entries, at most {MOST_ENTRIES:,} are unknowns of one polynomial")
        numbers = (names_in(self.of) | names_in(self.is_)) - self.parameters.keys() - self.fields.each.keys()
        yield from (Unknown(name) for name in sorted(numbers | self.positive))
        places = range(1, most + 1)
        yield from (Unknown(name, (row, column)) for name in matrices for row in places for column in places)

    def assignments(self) -> Iterator[dict[str, Fraction]]:
        ranges = []
        for text in self.fields.each.values():
            first, last = (exact.integer(end, self.parameters) for end in members(text))
            ranges.append(range(first, last + 1))
        for values in product(*ranges):
            yield dict(zip(self.fields.each, map(Fraction, values), strict=True))

    def at(self, names: Mapping[str, Fraction], given: Mapping[Unknown, Fraction] | None = None) -> tuple[Polynomial, Polynomial]:
        """Both sides, as polynomials in the unknowns that are not ``given``."""
        numbers = {**self.parameters, **names}
        of, is_ = (self.ring.polynomial(side, numbers, given) for side in (self.of, self.is_))
        return self.expected(of), self.ring.normal(is_)

    def few(self, most: int) -> Iterator[dict[Unknown, Fraction]]:
        """Values for every fixed entry, with at most this many of them other than 0; the fewest first."""
        fixed = [u for u in self.unknowns if u.place is not None and u.name not in self.ends]
        for many in range(most + 1):
            for chosen in combinations(fixed, many):
                for values in product(TRIED, repeat=many):
                    yield {**dict.fromkeys(fixed, Fraction(0)), **dict(zip(chosen, values, strict=True))}

    def expected(self, polynomial: Polynomial) -> Polynomial:
        """The expected value, term by term, because entries are independent.

        Uniform between −r and r, x^a |x|^b has the expected value r^(a+b)/(a+b+1) for even a and 0 for odd a; between 0 and r the first.
        """
        found = self.ring.constant(Fraction(0))
        for coefficient, powers in self.ring.terms(polynomial):
            kept = {u: power for u, power in powers.items() if u.name not in self.ends}
            entries = {Unknown(u.name, u.place) for u in powers if u.name in self.ends}
            for entry in entries:
                signed, whole = powers.get(entry, 0), powers.get(Unknown(entry.name, entry.place, True), 0)
                symmetric, end = self.ends[entry.name]
                if symmetric and signed % 2:
                    coefficient = Fraction(0)
                coefficient /= signed + whole + 1
                kept[Unknown(end)] = kept.get(Unknown(end), 0) + signed + whole
            found += self.ring.product(coefficient, kept)
        return found

    def difference(self, names: Mapping[str, Fraction]) -> dict[str, str] | None:
        """An entry that its matrix lacks, or else values at which the sides differ, or None if both sides are one polynomial."""
        self.ring.asked.clear()
        left, right = self.at(names)
        return self._outside(names) or (None if left == right else self.counterexample(names, left, right))

    def _outside(self, names: Mapping[str, Fraction]) -> dict[str, str] | None:
        for name, text in self.fields.shapes.items():
            rows, columns = (exact.integer(size, self.parameters) for size in members(text))
            for entry in sorted((u.place, str(u)) for u in self.ring.asked if u.name == name and u.place is not None):
                (row, column), shown = entry
                if row > rows or column > columns:
                    shape = {"expected": f"a matrix of {rows} x {columns}", "claimed": f"an entry {shown}"}
                    return {k: str(v) for k, v in names.items()} | shape
        return None

    def counterexample(
        self, names: Mapping[str, Fraction], left: Polynomial, right: Polynomial, given: Mapping[Unknown, Fraction] | None = None
    ) -> dict[str, str]:
        """The smallest values at which the sides differ: fewest non-zero entries, then in order; together with the ``given`` values.

        A polynomial in x and |x| of a degree d that is 0 at 0, 1, −1, …, d, −d is 0; one in r > 0 is if it is so at 1, …, d + 1.
        """
        terms = [powers for side in (left, right) for _, powers in self.ring.terms(side)]
        degree = max(sum(powers.values()) for powers in terms)
        used = {Unknown(u.name, u.place) for powers in terms for u in powers}
        entries = [u for u in self.unknowns if u in used and u.name not in self.positive]
        ends = [Unknown(name) for name in sorted(self.positive)]
        whole = [Fraction(size) for size in range(1, degree + 2)]
        tried = [x for size in whole[:-1] for x in (size, -size)]
        supports = [{Unknown(u.name, u.place) for u in powers} for _, powers in self.ring.terms(left - right)]
        for many in range(len(entries) + 1):
            for chosen in combinations(entries, many):
                if not any(support <= {*chosen, *ends} for support in supports):
                    continue  # with the other entries 0 the sides are equal
                for values in product(*repeat(tried, many), *repeat(whole, len(ends))):
                    at = dict(zip((*chosen, *ends), values, strict=True))
                    sides = value(self.ring, left, at), value(self.ring, right, at)
                    if sides[0] != sides[1]:
                        values_of = {**(given or {}), **dict.fromkeys(entries, Fraction(0)), **at}
                        shown = {**names, **{str(u): x for u, x in values_of.items() if u in self.ring.asked or u in ends}}
                        return {k: str(v) for k, v in (shown | {"expected": sides[0], "claimed": sides[1]}).items()}
        raise AssertionError("two polynomials differ and have equal values everywhere")


def _ends(name: str, text: str) -> tuple[bool, str]:
    """``-r .. r`` as (True, r), ``0 .. r`` as (False, r).

    Raises:
        InputError: anything else.
    """
    low, _, high = (part.strip() for part in text.partition(".."))
    if not high.isidentifier() or low not in ("0", f"-{high}"):
        raise InputError(f"uniform {name} = {text!r}; 0 .. r or -r .. r was expected")
    return low != "0", high


Term = tuple[int, Node]


def summands(node: Node, sign: int = 1) -> Iterator[Term]:
    """The terms of a formula, each with its sign."""
    match node:
        case Operation(left, "+" | "-" as op, right):
            yield from summands(left, sign)
            yield from summands(right, sign if op == "+" else -sign)
        case _:
            yield sign, node


def inside(node: Node) -> Node | None:
    """x of |x|, and x y of |x| |y|, because absolute values multiply, or None if a term has another form."""
    match node:
        case Call("abs", (x,)):
            return x
        case Operation(left, "*", right):
            first, second = inside(left), inside(right)
            return None if first is None or second is None else Operation(first, "*", second)
    return None


def least(sides: Sides, names: Mapping[str, Fraction], given: Mapping[Unknown, Fraction]) -> tuple[Fraction, Fraction] | None:
    """A lower bound of the expected value, and the closed form, with ends 1 and the given entries, or None if no bound is known."""
    numbers, at = {**sides.parameters, **names}, {Unknown(end): Fraction(1) for end in sides.positive}
    total = Fraction(0)
    for sign, term in summands(sides.of):
        try:
            total += sign * value(sides.ring, sides.expected(sides.ring.polynomial(term, numbers, given)), at)
        except NoPolynomialError:
            magnitude = inside(term)
            if magnitude is None or sign < 0:
                return None
            total += of_magnitude(sides, sides.ring.polynomial(magnitude, numbers, given))
    return total, value(sides.ring, sides.ring.normal(sides.ring.polynomial(sides.is_, numbers, given)), at)


def of_magnitude(sides: Sides, polynomial: Polynomial) -> Fraction:
    """A lower bound of the expected value of |polynomial|, with ends 1.

    Only magnitudes matter, so all signs may be reversed at once.
    """
    by_signs: dict[frozenset[Unknown], Fraction] = defaultdict(Fraction)
    for coefficient, powers in sides.ring.terms(polynomial):
        odd = []
        for unknown, power in powers.items():
            if unknown.magnitude or unknown.name not in sides.ends | dict.fromkeys(sides.positive):
                return Fraction(0)  # an entry without a value
            if unknown.name in sides.ends:
                coefficient /= power + 1
                odd += [unknown] if sides.ends[unknown.name][0] and power % 2 else []
        by_signs[frozenset(odd)] += coefficient
    return max(map(abs, by_signs.values()), default=Fraction(0))


def judge(query: Query, fields: Expectation) -> Outcome:
    """Whether the expected value is the closed form, at every value of the unknowns."""
    try:
        sides = Sides(query.claim, fields, query.names)
    except NoPolynomialError as error:
        return declined(f"{error} {query.at}".rstrip())
    try:
        return _compared(query, fields, sides)
    except NoPolynomialError as error:
        found = _at_few(query, fields, 1) or _by_bound(query, fields) or _at_few(query, fields, FEW)
        return found or declined(f"{error} {query.at}".rstrip())


FEW = 2
"""The most non-zero entries that are tried if the sides are not polynomials in all entries."""


def _at_few(query: Query, fields: Expectation, most: int) -> Outcome | None:
    """A refutation at weights with few non-zero entries, if both sides are polynomials, or None if none is found."""
    sides = Sides(query.claim, fields, query.names)
    for given in sides.few(most):
        for names in sides.assignments():
            try:
                left, right = sides.at(names, given)
            except NoPolynomialError:
                continue
            if left != right:
                return _refuted(query, fields, sides.counterexample(names, left, right, given))
    return None


def _by_bound(query: Query, fields: Expectation) -> Outcome | None:
    """A refutation by a lower bound of the expected value that exceeds the closed form."""
    sides = Sides(query.claim, fields, query.names)
    for given in sides.few(1):
        for names in sides.assignments():
            found = least(sides, names, given)
            if found is not None and found[0] > found[1]:
                entries = {str(u): str(x) for u, x in given.items() if x}
                ends = dict.fromkeys(sorted(sides.positive), "1")
                sides_of = {"expected": f"at least {found[0]}", "claimed": str(found[1])}
                return _refuted(query, fields, {k: str(v) for k, v in names.items()} | entries | ends | sides_of)
    return None


def _refuted(query: Query, fields: Expectation, found: Mapping[str, str]) -> Outcome:
    point = {k: str(v) for k, v in query.parameters.items()}
    reason = f"the expected value is {found['expected']}, {found['claimed']} was claimed" if fields.uniform else None
    scope = Scope(_scope(fields, query.at), None, "polynomials")
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={**point, **found})


def _compared(query: Query, fields: Expectation, sides: Sides) -> Outcome:
    scope, cases = _scope(fields, query.at), 0
    for names in sides.assignments():
        cases += 1
        if (found := sides.difference(names)) is not None:
            return _refuted(query, fields, found)
    if not cases:
        return declined(f"no case passes the ranges of {', '.join(fields.each)} {query.at}".rstrip())
    return Outcome(Verdict.VERIFIED, Scope(scope, cases, "polynomials"), reason="equal as polynomials in the entries")


def _scope(fields: Expectation, at: str) -> str:
    """``every entry, U uniform in -r .. r independently, …``."""
    law = f"{', '.join(f'{k} uniform in {v}' for k, v in fields.uniform.items())}, independent" if fields.uniform else ""
    each = ", ".join(f"{k} in {v}" for k, v in fields.each.items())
    return " ".join(filter(None, ["every value of the entries", f"({law})" if law else "", f"for {each}" if each else "", at]))


def for_all(claim: Claim, fields: Expectation, fixed: Mapping[str, int]) -> Outcome:
    """Judge for every size, by the sufficient sizes (:mod:`verifier.judges.expectation`), each with polynomials."""
    sizes = [p.name for p in claim.parameters]
    scope = _scope(fields, f"for every {', '.join(name for name in sizes if name not in fixed)}")
    try:
        firsts = {p.name: re.fullmatch(rf"{p.name}>=([1-9]\d*)", p.where.replace(" ", "")) for p in claim.parameters}
        if claim.where is not None or not all(firsts.values()):
            raise InputError("the argument for every size needs parameters whose only condition is a lower bound")
        inside = {name: int(first[1]) for name, first in firsts.items() if first}
        sides = [inlined_text(text, claim.lets) for text in (fields.of, fields.is_)]
        ends = {name: members(text) for name, text in fields.each.items()}
        lasts = {name: parse(last) for name, (first, last) in ends.items() if first.strip() == "1"}
        quantified = {name: last.name for name, last in lasts.items() if isinstance(last, Name)}
        if len(quantified) < len(ends):
            raise InputError("the argument for every size needs ranges from 1 to a size")
        most = {size: sufficient(sides, size, sizes, quantified) for size in sizes if size not in fixed}
        cases = 0
        for values in product(*(range(1, most[s] + 1) if s in most else [int(fixed[s])] for s in sizes)):
            point = dict(zip(sizes, values, strict=True))
            compared = Sides(claim, fields, {k: Fraction(v) for k, v in point.items()})
            for names in compared.assignments():
                cases += 1
                if (found := compared.difference(names)) is not None:
                    if any(size < inside[name] for name, size in point.items()):
                        raise InputError(f"it is false outside the domain, at {assignment(point)}, from which the argument begins")
                    shown = {k: str(v) for k, v in point.items()} | found
                    return Outcome(Verdict.REFUTED, Scope(scope, None, "polynomials"), counterexample=shown)
    except InputError as error:
        return Outcome(Verdict.OPEN, Scope(scope), reason=f"not decided by degrees: {error}")
    bounds = ", ".join(f"{name} <= {least}" for name, least in most.items())
    proof = (
        f"compared as polynomials: every {bounds}, {cases} identities",
        "a monomial's coefficient is a polynomial in each size, of a degree that these sizes exceed (verifier/judges/expectation.py)",
    )
    return Outcome(Verdict.VERIFIED, Scope(scope, None, "degrees"), f"by degrees: enough are {bounds}", proof=proof)


MOST_POWER = 8


@dataclass(frozen=True)
class Degree:
    """over: the most summed indices and powers of the size in one product; under: the largest power of the size that divides."""

    over: int = 0
    under: int = 0

    def __mul__(self, other: Degree) -> Degree:
        return Degree(self.over + other.over, self.under + other.under)

    def __or__(self, other: Degree) -> Degree:
        return Degree(max(self.over, other.over), max(self.under, other.under))


def sufficient(sides: Iterable[Node], size: str, sizes: Iterable[str], quantified: Mapping[str, str]) -> int:
    """The greatest value of ``size`` up to which the sides must be compared to be equal for every value.

    sizes: every parameter that is a size; quantified: the names of the claim's own ranges, each with the size at which it ends.

    Raises:
        InputError: the argument does not cover a part, such as an index n − 1 or a division by n + 1.
    """
    reader, found = _Degrees(size, frozenset(sizes), quantified), Degree()
    for side in sides:
        found |= fold(side, reader)
    ranges = list(quantified.values()).count(size)
    return found.over + found.under + (ranges or 1)


class _Degrees(Algebra[Degree]):
    """``bound``: the names of ranges, each with the size at which it ends; ``places``: the kinds of a matrix's two indices."""

    def __init__(
        self, size: str, sizes: frozenset[str], bound: Mapping[str, str], places: dict[str, tuple[str, str]] | None = None
    ) -> None:
        self.size, self.sizes, self.bound = size, sizes, bound
        self.places = {} if places is None else places

    def outside(self, node: Node) -> Degree:
        return self.refuse(node, "nothing is known of its dependence on the size")

    def numeral(self, node: Numeral) -> Degree:
        return Degree()

    def name(self, node: Name) -> Degree:
        if node.name in self.bound:
            self.refuse(node, "an index outside a place")
        return Degree(1) if node.name == self.size else Degree()

    def signed(self, node: Signed) -> Degree:
        return fold(node.operand, self)

    def operation(self, node: Operation) -> Degree:
        match node:
            case Operation(left, "+" | "-", right):
                return fold(left, self) | fold(right, self)
            case Operation(left, "*", right):
                return fold(left, self) * fold(right, self)
            case Operation(left, "/", right):
                return fold(left, self) * self.divisor(right)
            case Operation(left, "**", Numeral(int() as power)) if 0 <= power <= MOST_POWER:
                each, found = fold(left, self), Degree()
                for _ in range(power):
                    found *= each
                return found
        return self.outside(node)

    def call(self, node: Call) -> Degree:
        match node:
            case Call("abs", (of,)):
                return fold(of, self)
            case Call(name, (row, column)):
                kinds = self.index(row), self.index(column)
                if self.places.setdefault(name, kinds) != kinds:
                    self.refuse(node, "rows and columns are mixed")
                return Degree()
        return self.outside(node)

    def index(self, node: Node) -> str:
        """The size of an index's range. A number is a fixed index, so that its row is a vector."""
        match node:
            case Name(name) if name in self.bound:
                return self.bound[name]
            case Numeral(int() as number):
                return str(number)
        return self.refuse(node, "an index of a sum or a number was expected")

    def choice(self, node: Choice) -> Degree:
        self.of_equal_indices(node.test, self.bound)
        return fold(node.body, self) | fold(node.orelse, self)

    def of_equal_indices(self, condition: Node, bound: Mapping[str, str]) -> None:
        """A condition on entries depends only on the pattern of their indices."""
        match condition:
            case Comparison(Name(one), ("==" | "!=",), (Name(other),)) if bound.get(one) == bound.get(other) is not None:
                pass
            case Logic(_, parts):
                for part in parts:
                    self.of_equal_indices(part, bound)
            case _:
                self.refuse(condition, "u != v or u == v of two rows or two columns was expected")

    def ranged(self, node: Ranged) -> Degree:
        if node.function != "sum":
            return self.outside(node)
        match node.ends:
            case Numeral(1), Name(last) if last in self.sizes:
                bound = {**self.bound, node.name: last}
            case _:
                self.refuse(node, "a sum from 1 to a size was expected")
        for condition in node.tests:
            self.of_equal_indices(condition, bound)
        inside = fold(node.body, _Degrees(self.size, self.sizes, bound, self.places))
        return inside * Degree(1) if last == self.size else inside

    def divisor(self, node: Node) -> Degree:
        match node:
            case Name(name) if name in self.sizes:
                return Degree(0, int(name == self.size))
            case Operation(left, "*", right):
                return self.divisor(left) * self.divisor(right)
            case Operation(Name(name), "**", Numeral(int() as power)) if name in self.sizes:
                return Degree(0, power if name == self.size else 0)
        if names_in(node):
            self.refuse(node, "a power of a size was expected below")
        return Degree()

    @staticmethod
    def refuse(node: Node, why: str) -> NoReturn:
        raise InputError(f"{quoted(node)}: {why}")
