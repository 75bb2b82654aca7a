"""Formulas read as symbols: numbers become rational functions of slacks and powers, conditions are decided for all slacks at once.

A number is read only where the formula has one form, and a value, for all slacks for which the facts hold: a divisor is shown to be
nonzero, an exponent to be an integer, a range to have terms, before anything is simplified. Nothing here evaluates a text.

A range is written out where it has few values, or else its bound name is first + i with an integer i, 0 ≤ i ≤ count − 1. No closed form is
used before count ≥ 0 is shown, and conclusions from i ≤ count − 1 are forgotten afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from verifier.arithmetic.rationals import Fraction
from verifier.language.operations import APPLIED
from verifier.language.syntax import DENIED, SIGNS
from verifier.language.tree import (
    Algebra,
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Name,
    Node,
    Numeral,
    Operation,
    Ranged,
    Signed,
    comparison,
    denial,
    fold,
    negative,
    rebuilt,
)
from verifier.proofs.certificate import (
    TRUE,
    Asked,
    Judgement,
    Line,
    above,
    conjunction,
    count,
    denied,
    difference,
    disjunction,
    listed,
    text,
)
from verifier.proofs.nonnegative import LARGEST, MOST_DEGREE, Expr, Quantities, Symbol, Unread, terms_of
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import borders, sign, signs_of
from verifier.running.errors import InputError


def opaque_power(quantities: Quantities, base: Expr, exponent: Expr) -> Expr:
    """base^exponent for an integer base ≥ 1 of any form and exponent ≥ 0: a new integer P + 1, between powers of 2 if the base is."""
    key = (base, exponent)
    if key not in quantities.opaque:
        quantities.whole(base)
        if not signs_of(base - 1, quantities) <= {0, 1} or not signs_of(exponent, quantities) <= {0, 1}:
            raise Unread(f"{quantities.shown(base)} to a power that varies", borders(base, quantities))
        found = quantities.slack(f"({quantities.shown(base)})**({quantities.shown(exponent)}) - 1", base + exponent, "P")
        quantities.opaque[key] = found
        for suggested in suggested_exponents(quantities, base):
            side = quantities.power(sympy.Integer(2), suggested)
            signs = signs_of(side - base, quantities)
            between = quantities.power(sympy.Integer(2), quantities.expand(suggested * exponent)) - found - 1
            if signs <= {0, 1}:
                quantities.assume(between)
            elif signs <= {-1, 0}:
                quantities.assume(-between)
    return quantities.opaque[key] + 1


def opaque_quotient(quantities: Quantities, above: Expr, below: Expr, unread: Unread) -> Expr:
    """⌊n/d⌋ for integers n ≥ 0 and d ≥ 1: a new integer Q ≥ 0 with d·Q ≤ n < d·(Q + 1), and so Q·(the least d) ≤ n.

    Raises:
        Unread: n or d is not shown to be an integer, or d not shown to be positive.
    """
    n, d = (quantities.whole(quantities.expand(side)) for side in (above, below))
    if signs_of(d, quantities) != {1}:
        raise unread
    if (n, 1 / d) not in quantities.opaque:
        found = quantities.slack(f"floor(({quantities.shown(n)})/({quantities.shown(d)}))", n + d, "Q")
        quantities.opaque[n, 1 / d] = found
        for fact in (n - d * found, d * (found + 1) - n - 1):
            quantities.assume(fact)
        least = d.subs(dict.fromkeys(d.free_symbols, 0))
        if least >= 1 and signs_of(d - least, quantities) <= {0, 1}:
            quantities.assume(n - least * found)
    return quantities.opaque[n, 1 / d]


def suggested_exponents(quantities: Quantities, x: Expr) -> Iterator[Expr]:
    """Exponents e for which x may lie between 2^e and 2^(e + 1), by the terms of x with powers of 2."""
    for monomial, coefficient in quantities.expand(x).as_coefficients_dict().items():
        _, exponent = scaled_power(quantities, monomial)
        if exponent is not None and not exponent.is_Rational and coefficient >= 1:
            least = int(sympy.floor(coefficient)).bit_length() - 1
            yield from (quantities.expand(exponent + e) for e in (least, least - 1, least + 1))


def scaled_power(quantities: Quantities, x: Expr) -> tuple[Expr, Expr | None]:
    """c and E with x = c·2^E; E is None if x has another form."""
    coefficient, factors = x.as_coeff_Mul()
    exponent = sympy.Integer(0)
    for symbol, degree in factors.as_powers_dict().items():
        base, inner = quantities.powers.get(symbol, (0, None))
        if base != 2 and symbol != 1:
            return coefficient, None
        exponent += degree * inner if base == 2 else 0
    return coefficient, exponent


def power(quantities: Quantities, base: Expr, exponent: Expr) -> Expr:
    """base^exponent for an integer polynomial as the exponent: of any base to a number, and of numbers and powers to what varies."""
    quantities.whole(exponent)
    if exponent.is_Integer:
        return _constant_power(quantities, base, exponent)
    if base == 0:
        if signs_of(exponent, quantities) == {1}:
            return sympy.Integer(0)
        raise Unread("a power of 0", borders(exponent, quantities))
    coefficient, factors = base.as_coeff_Mul()
    found = quantities.power(abs(coefficient), exponent) * (_alternating(quantities, exponent) if coefficient < 0 else 1)
    for symbol, degree in factors.as_powers_dict().items():
        if symbol in quantities.powers:
            prime, inner = quantities.powers[symbol]
            found *= quantities.power(sympy.Integer(prime), quantities.expand(inner * degree * exponent))
        elif symbol != 1:
            return opaque_power(quantities, base, exponent)
    return found


def _constant_power(quantities: Quantities, base: Expr, exponent: Expr) -> Expr:
    if base.is_Rational and abs(exponent) * max(abs(int(base.p)), int(base.q)).bit_length() > LARGEST:
        raise Unread(f"a power has more than {LARGEST} bits")
    if not base.is_Rational and abs(exponent) * max(map(sympy.total_degree, sympy.fraction(quantities.cancel(base)))) > MOST_DEGREE:
        raise Unread(f"{quantities.shown(base)} to the power {exponent}")
    if exponent >= 0:
        return quantities.expand(base**exponent)
    if 0 in signs_of(base, quantities):
        raise Unread(f"{quantities.shown(base)} may be 0", borders(base, quantities))
    return quantities.cancel(base**exponent)


def _alternating(quantities: Quantities, exponent: Expr) -> Expr:
    """(−1)^exponent, if the exponent is even for all slacks, or odd for all."""
    remainder = exponent.subs(dict.fromkeys(exponent.free_symbols, 0)) % 2
    quantities.whole((exponent - remainder) / 2)
    return sympy.Integer(-1) ** remainder


def floor(quantities: Quantities, x: Expr) -> Expr:
    """⌊x⌋: the terms with integer coefficients, and the integer part of the rest if it is one of −2 … 1 for all slacks.

    Introduce a new integer for a quotient of two varying integers, each of one sign for all slacks.
    """
    numerator, denominator = sympy.fraction(quantities.cancel(x))
    quotient, remainder = sympy.div(numerator, denominator, *sorted(x.free_symbols, key=str), domain="QQ") if x.free_symbols else (x, 0)
    whole, rest = sympy.Integer(0), remainder / denominator
    for monomial, coefficient in quantities.expand(quotient).as_coefficients_dict().items():
        whole += sympy.floor(coefficient) * monomial
        rest += (coefficient - sympy.floor(coefficient)) * monomial
    for d in (0, -1, 1, -2):
        if signs_of(rest - d, quantities) <= {0, 1} and signs_of(d + 1 - rest, quantities) == {1}:
            return quantities.expand(whole + d)
    unread = quantities.split(f"floor({quantities.shown(x)})", rest)
    if any(modulus > 1 for _, modulus in unread.wants) or not denominator.free_symbols:
        raise unread
    signs = signs_of(x, quantities)
    if signs <= {0, 1}:
        return opaque_quotient(quantities, numerator, denominator, unread)
    if signs <= {-1, 0}:
        return -opaque_quotient(quantities, quantities.expand(denominator - numerator - 1), denominator, unread)  # −⌈−x⌉
    raise unread


def ceil(quantities: Quantities, x: Expr) -> Expr:
    """⌈x⌉ = −⌊−x⌋."""
    return quantities.expand(-floor(quantities, -x))


def rounded_log2(quantities: Quantities, x: Expr, up: bool) -> Expr:
    """⌈log₂ x⌉ or ⌊log₂ x⌋.

    It is exact for c·2^E, and if x lies between neighbouring powers that one of its terms suggests, or else, for an integer x ≥ 1, it is a
    new integer L ≥ 0 with x ≤ 2^L < 2x, or 2^L ≤ x < 2^(L+1).
    """
    coefficient, exponent = scaled_power(quantities, x)
    if exponent is not None and coefficient > 0:
        k = int(coefficient.p).bit_length() - int(coefficient.q).bit_length() - 1
        while sympy.Integer(2) ** (k + 1) <= coefficient:
            k += 1
        return quantities.expand(exponent + (k + 1 if up and sympy.Integer(2) ** k != coefficient else k))
    quantities.whole(x)
    if not signs_of(x - 1, quantities) <= {0, 1}:
        raise Unread(f"log2({quantities.shown(x)}) of a number that may be less than 1", borders(x, quantities))
    for suggested in suggested_exponents(quantities, x):
        below, above = (quantities.power(sympy.Integer(2), e) for e in (suggested, suggested + 1))
        if up and signs_of(x - below, quantities) == {1} and signs_of(above - x, quantities) <= {0, 1}:
            return suggested + 1
        if not up and signs_of(x - below, quantities) <= {0, 1} and signs_of(above - x, quantities) == {1}:
            return suggested
    if (x, up) not in quantities.logarithms:
        found = quantities.slack(f"{'ceil' if up else 'floor'}(log2({quantities.shown(x)}))", x, "L")
        nearest = quantities.power(sympy.Integer(2), found)
        for fact in (nearest - x, 2 * x - nearest - 1) if up else (x - nearest, 2 * nearest - x - 1):
            quantities.assume(quantities.expand(fact))
        quantities.logarithms[x, up] = found
    return quantities.logarithms[x, up]


def log2(quantities: Quantities, x: Expr) -> Expr:
    """log₂ of 2^E."""
    coefficient, exponent = scaled_power(quantities, x)
    primes = sympy.factorrat(coefficient) if coefficient > 0 else {}
    if exponent is None or coefficient <= 0 or set(primes) - {2}:
        raise Unread(f"log2({quantities.shown(x)}) is not shown to be an integer")
    return quantities.expand(exponent + primes.get(2, 0))


def extreme(quantities: Quantities, *numbers: Expr, wanted: int) -> Expr:
    """The greatest (``wanted`` 1) or least (−1) of several numbers, if their order is the same for all slacks."""
    best, *others = numbers
    for other in others:
        signs = {wanted * s for s in signs_of(best - other, quantities)}
        if not signs <= {0, 1} and not signs <= {-1, 0}:
            which = " and ".join(map(quantities.shown, (best, other)))
            raise Unread(f"{which}: either may be larger", borders(best - other, quantities))
        best = best if signs <= {0, 1} else other
    return best


def absolute(quantities: Quantities, x: Expr) -> Expr:
    return extreme(quantities, x, -x, wanted=1)


def gcd(quantities: Quantities, *numbers: Expr) -> Expr:
    """The greatest common divisor of integers, if it reduces to numbers: gcd(a, n) by the remainder of a, gcd(c·b + n, b)."""
    first, *others = map(quantities.whole, numbers)
    for other in others:
        a, b = (first, other) if other.is_Integer else (other, first)
        if not b.is_Integer:
            a, b = b, quantities.expand(a - _leading(a) // _leading(b) * b)
        if not b.is_Integer or b == 0:
            raise Unread("a greatest common divisor of two numbers that vary")
        remainder = quantities.expand(a - b * sympy.Add(*(c // b * m for m, c in a.as_coefficients_dict().items())))
        if not remainder.is_Integer:
            raise quantities.split(f"gcd({quantities.shown(a)}, {b})", quantities.expand(a / b))
        first = sympy.gcd(remainder, b)
    return first


def _leading(x: Expr) -> int:
    """The coefficient of a monomial of the highest degree."""
    return int(max(x.as_coefficients_dict().items(), key=lambda term: (sympy.total_degree(term[0]), str(term[0])))[1])


def binom(quantities: Quantities, top: Expr, bottom: Expr) -> Expr:
    """C(n, k) = n·(n − 1)⋯(n − k + 1)/k! for n ≥ 0 and a number k ≥ 0, or C(n, n − k) if n − k is a number."""
    n, k = quantities.whole(top), quantities.whole(bottom)
    if not signs_of(n, quantities) <= {0, 1}:
        raise Unread(f"binom of {quantities.shown(n)}, which may be negative", borders(n, quantities))
    for few in (k, quantities.expand(n - k)):
        if few.is_Integer and 0 <= few <= MOST_DEGREE:
            return quantities.expand(sympy.ff(n, few) / sympy.factorial(few))
    raise Unread("a binomial coefficient of two numbers that vary")


FUNCTIONS: dict[str, Callable[..., Expr]] = {
    "floor": floor,
    "ceil": ceil,
    "abs": absolute,
    "min": partial(extreme, wanted=-1),
    "max": partial(extreme, wanted=1),
    "log2": log2,
    "gcd": gcd,
    "binom": binom,
    "value": lambda quantities, x: x,
}
"""The functions that have a reading as symbols."""
EXACT = ("exp", "log", "erf", "tanh", "sqrt", "popcount")
"""The functions that are read only at numbers at which their values are rational."""


def at_number(name: str, x: Expr) -> Expr:
    """The rational value of a function at a number."""
    if not x.is_Rational:
        raise Unread(f"{name} of a number that varies")
    try:
        value = APPLIED[name](Fraction(int(x.p), int(x.q)))
    except InputError as error:
        raise Unread(str(error)) from None
    assert isinstance(value, Fraction)
    return sympy.Rational(value.numerator, value.denominator)


MOST_SUMMED = 12
"""The degree of a term of a sum in the bound name."""


def antidifference(degree: int, ratio: Expr, index: Symbol) -> Expr:
    """P with ratio·P(i + 1) − P(i) = i^degree, for a rational ratio ≠ 0."""
    same = ratio == 1
    top = degree + 1 if same else degree
    known: dict[int, Expr] = {0: sympy.Integer(0)} if same else {}
    for power in range(degree, -1, -1):
        # The coefficient of i^power: (ratio − 1)·p_power + ratio·Σ_{k > power} C(k, power)·p_k = [power = degree].
        rest = ratio * sympy.Add(*(sympy.binomial(k, power) * known[k] for k in known if k > power + same))
        wanted = sympy.Integer(int(power == degree)) - rest
        known[power + same] = wanted / (ratio * (power + 1)) if same else wanted / (ratio - 1)
    found = sympy.Add(*(known[k] * index**k for k in range(top + 1)))
    assert sympy.expand(ratio * found.subs(index, index + 1) - found - index**degree) == 0
    return found


def closed_sum(term: Expr, index: Symbol, count: Expr, quantities: Quantities) -> Expr | None:
    """Σ_{i=0}^{count−1} term, for count ≥ 0 an integer polynomial in slacks.

    The result is None if the term has another form, or a divisor that may be 0.
    """
    powers = quantities.powers_with(index, term)
    if any(quantities.powers[s][1] != index for s in powers):
        return None  # 2^(i·k): the ratio of neighbouring terms is not a number
    numerator, denominator = sympy.fraction(quantities.cancel(term))
    below = sympy.Poly(denominator, index, *powers)
    if len(below.terms()) != 1 or below.degree(index) > 0:
        return None
    shift, divisor = below.terms()[0]
    if 0 in signs_of(divisor, quantities):
        return None
    total = sympy.Integer(0)
    for degrees, coefficient in sympy.Poly(numerator, index, *powers).terms():
        if degrees[0] > MOST_SUMMED:
            return None
        exponents = [up - down for up, down in zip(degrees[1:], shift[1:], strict=True)]
        bases = [sympy.Integer(quantities.powers[s][0]) for s in powers]
        ratio = sympy.Mul(*(b**e for b, e in zip(bases, exponents, strict=True)))
        found = antidifference(degrees[0], ratio, index)
        last = sympy.Mul(*(quantities.power(b, e * count) for b, e in zip(bases, exponents, strict=True)))
        total += coefficient / divisor * (last * found.subs(index, count) - found.subs(index, 0))
    return quantities.cancel(total)


MOST_CHOICES = 8
"""The most numbers in a comparison that are distinguished by cases, one after the other."""


def in_cases(condition: Comparison | Membership) -> tuple[Node, Node, Node] | None:
    """Split a test at the first number with several forms: the test, the comparison if it holds, and the comparison if it fails.

    Choices are conditional numbers, ``max`` and ``min`` of numbers, and ``abs``. The result is None if the formula has no choice, or too
    many.
    """
    choices = list(_choices(condition))
    if not 0 < len(choices) <= MOST_CHOICES:
        return None
    test, body, orelse = _alternatives(choices[0])
    return test, _replaced(condition, choices[0], body), _replaced(condition, choices[0], orelse)


def _choices(node: Node) -> Iterator[Node]:
    """The choices outside the ranges of bound names, the outermost first."""
    match node:
        case Ranged():
            return
        case Choice() | Call("abs") | Call("max" | "min"):
            yield node
    for child in node.children:
        yield from _choices(child)


def _alternatives(choice: Node) -> tuple[Node, Node, Node]:
    match choice:
        case Choice(test, body, orelse):
            return test, body, orelse
        case Call("abs", (x,)):
            return comparison(x, ">=", Numeral(0)), x, negative(x)
        case Call(name, (x, y, *others)):
            test = comparison(x, ">=" if name == "max" else "<=", y)
            x, y = (Call(name, (each, *others)) if others else each for each in (x, y))
            return test, x, y
    raise TypeError(f"{choice!r} is not a choice")


def _replaced(tree: Node, old: Node, new: Node) -> Node:
    """The tree with one part of it replaced."""
    return new if tree is old else rebuilt(tree, lambda part: _replaced(part, old, new))


def joined(test: Node) -> tuple[str, Node, Node] | None:
    """The operator by which a condition joins others (``and`` for a chain of comparisons), the first of them, and the rest. The result is
    None if the condition joins none.
    """
    match test:
        case Logic("and" | "or" as operator, (first, *others)):
            return operator, first, others[0] if len(others) == 1 else Logic(operator, tuple(others))
        case Comparison(left, (operator, *more), (right, *rights)) if more:
            return "and", comparison(left, operator, right), Comparison(right, tuple(more), tuple(rights))
    return None


class Numbers(Algebra[Expr]):
    """The values of formulas, for :meth:`Reader.number`."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.quantities = reader, reader.quantities

    def outside(self, node: Node) -> Expr:
        raise Unread(f"{text(node)} has no reading as symbols")

    def numeral(self, node: Numeral) -> Expr:
        return sympy.Rational(*node.value.as_integer_ratio())

    def name(self, node: Name) -> Expr:
        return self.reader.names[node.name] if node.name in self.reader.names else self.outside(node)

    def signed(self, node: Signed) -> Expr:
        found = self.reader.number(node.operand)
        return -found if node.sign == "-" else found

    def operation(self, node: Operation) -> Expr:
        x, y = self.reader.number(node.left), self.reader.number(node.right)
        match node.operator:
            case "+":
                return self.quantities.expand(x + y)
            case "-":
                return self.quantities.expand(x - y)
            case "*":
                return self.quantities.expand(x * y)
            case "**":
                return power(self.quantities, x, y)
        self._divides(y, node.right)
        match node.operator:
            case "//":
                return floor(self.quantities, x / y)
            case "%":
                return self.quantities.expand(x - y * floor(self.quantities, x / y))
        return self.quantities.cancel(x / y)

    def _divides(self, divisor: Expr, node: Node) -> None:
        """Show that a divisor is not 0."""
        form = sign(divisor, self.quantities, SIGNS["!="])
        if 0 in form.signs:
            raise Unread(f"{text(node)} = {form.text} may be 0", borders(divisor, self.quantities))
        if not divisor.is_Rational:
            self.reader.lines.append(Line(text(node), form))

    def choice(self, node: Choice) -> Expr:
        return self.reader.number(node.body if self.reader.decided(node.test) else node.orelse)

    def ranged(self, node: Ranged) -> Expr:
        match node.function:
            case "sum":
                return total(node, self.reader)
            case "min" | "max":
                return end(node, self.reader, greatest=node.function == "max")
        return self.outside(node)

    def call(self, node: Call) -> Expr:
        number = self.reader.number
        match node:
            case Call("floor" | "ceil" as name, (Call("log2", (x,)),)):
                return rounded_log2(self.quantities, number(x), up=name == "ceil")
            case Call(name, arguments) if name in FUNCTIONS:
                return FUNCTIONS[name](self.quantities, *map(number, arguments))
            case Call(name, (of,)) if name in EXACT:
                return at_number(name, number(of))
        return self.outside(node)


class Conditions(Algebra[Judgement]):
    """The truth of formulas, for :meth:`Reader.truth`."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.quantities = reader, reader.quantities

    def outside(self, node: Node) -> Judgement:
        raise Unread(f"{text(node)} has no reading as symbols")

    def membership(self, node: Membership) -> Judgement:
        found = self._among(node)
        return found if node.inside else denied(found)

    def comparison(self, node: Comparison) -> Judgement:
        return conjunction([partial(self._two_numbers, link) for link in node.links()])

    def logic(self, node: Logic) -> Judgement:
        if node.operator == "not":
            return denied(self.reader.truth(node.parts[0]))
        joins = conjunction if node.operator == "and" else disjunction
        return joins(self.reader.in_turn(node.parts, node.operator))

    def choice(self, node: Choice) -> Judgement:
        return self.by_cases(node.test, node.body, node.orelse)

    def ranged(self, node: Ranged) -> Judgement:
        match node.function:
            case "all":
                return every(node, self.reader)
            case "any":
                return denied(every(node, self.reader, negated=True))
        return self.outside(node)

    def by_cases(self, test: Node, body: Node, orelse: Node) -> Judgement:
        """Decide a condition by cases, one for the slacks for which the test holds and one for the rest.

        A test that joins others is split into them, so that each, or its negation, becomes a fact; a chain of comparisons only if all its
        numbers are read, because it has a meaning only then.
        """
        chain = [test.left, *test.others] if isinstance(test, Comparison) else []
        if (parts := joined(test)) and self._is_read(chain):
            op, first, others = parts
            if op == "and":
                return self.by_cases(first, Choice(others, body, orelse), orelse)
            return self.by_cases(first, body, Choice(others, body, orelse))
        found = self.reader.truth(test)
        if found.value is not None:
            self.reader.lines.extend(found.lines)
            return self.reader.truth(body if found.value else orelse)
        sides = [self.reader.supposing([test], body), self.reader.supposing([denial(test)], orelse)]
        if sides[0].value is not None and sides[0].value == sides[1].value:
            return Judgement(sides[0].value, (*sides[0].lines, *sides[1].lines))
        unknown = next((side for side in sides if side.value is None), found)
        return Judgement(None, (), unknown.reason, (*unknown.wants, *found.wants))

    def _is_read(self, numbers: Sequence[Node]) -> bool:
        """Whether numbers have one form each."""
        try:
            for node in numbers:
                self.reader.number(node)
        except Unread:
            return False
        return True

    def _among(self, node: Membership) -> Judgement:
        """Whether a number belongs to a list. If its form differs from case to case, each case is decided by itself."""
        known = len(self.reader.lines)
        found = disjunction([partial(self._two_numbers, comparison(node.left, "==", value)) for value in node.values])
        cases = in_cases(Membership(node.left, node.values)) if found.value is None else None
        if cases is None:
            return found
        del self.reader.lines[known:]
        return self.by_cases(*cases)

    def _two_numbers(self, node: Comparison) -> Judgement:
        """A comparison of two numbers. If a number has several forms, each case is compared by itself."""
        known = len(self.reader.lines)
        try:
            return self._compared(node)
        except Unread:
            cases = in_cases(node)
            if cases is None:
                raise
            del self.reader.lines[known:]
        return self.by_cases(*cases)

    def _compared(self, node: Comparison) -> Judgement:
        left, (operator,), (right,) = node.left, node.operators, node.others
        value = self.reader.number(left) - self.reader.number(right)
        wanted = SIGNS[operator]
        form = sign(value, self.quantities, wanted)
        line = Line(difference(left, right), form)
        if form.signs <= wanted or not form.signs & wanted:
            return Judgement(form.signs <= wanted, (line,))
        return Judgement(None, (), f"{line} may have either sign", borders(value, self.quantities))


class Reader:
    """The reading of formulas over named expressions, in one case. ``lines``: the lines shown during the reading."""

    def __init__(self, quantities: Quantities, names: dict[str, Expr], lines: list[Line]) -> None:
        self.quantities, self.names, self.lines = quantities, names, lines
        self._numbers, self._conditions = Numbers(self), Conditions(self)

    def where(self, name: str, value: Expr) -> Reader:
        """The reader with a value for one more name."""
        return Reader(self.quantities, self.names | {name: value}, self.lines)

    def number(self, node: Node) -> Expr:
        """The value of a formula.

        Raises:
            Unread: it has no single form, no value for some slacks, or no symbolic reading.
        """
        return fold(node, self._numbers)

    def decided(self, test: Node) -> bool:
        """A condition that must be decided before the reading continues.

        Raises:
            Unread: it is not.
        """
        found = self.truth(test)
        if found.value is None:
            raise Unread(found.reason, found.wants)
        self.lines.extend(found.lines)
        return found.value

    def truth(self, node: Node) -> Judgement:
        """Whether a condition holds for all slacks.

        Raises:
            Unread: a number that it needs for some slacks is not read.
        """
        return fold(node, self._conditions)

    def in_turn(self, parts: Sequence[Node], op: str) -> list[Asked]:
        """The parts of a conjunction (disjunction), each evaluated under the assumption that those before it hold (fail)."""
        before = [part if op == "and" else denial(part) for part in parts]
        return [partial(self.supposing, before[:k], part) for k, part in enumerate(parts)]

    def supposing(self, given: Sequence[Node], asked: Node) -> Judgement:
        """Whether a condition holds for all slacks for which the given conditions do; these have been read."""
        known = len(self.lines)
        with self.quantities.supposed():
            for condition in given:
                self.assume(condition)
            found = self.truth(asked)
        supposed = tuple(text(condition) for condition in given)
        self.lines[known:] = [replace(line, given=(*supposed, *line.given)) for line in self.lines[known:]]
        return replace(found, lines=tuple(replace(line, given=(*supposed, *line.given)) for line in found.lines))

    def assume(self, condition: Node) -> None:
        """Add the consequences of a condition of the form >= 0, > 0 or = 0 to the facts."""
        match condition:
            case Logic("and", parts):
                for part in parts:
                    self.assume(part)
            case Logic("not", (Logic("or", parts),)):
                for part in parts:
                    self.assume(denial(part))
            case Logic("not", (Logic("not", (part,)),)):
                self.assume(part)
            case Logic("not", (Comparison(left, (op,), (right,)),)):
                self.assume(comparison(left, DENIED[op], right))
            case Comparison(_, (_, _, *_)):
                for link in condition.links():
                    self.assume(link)
            case Comparison(left, (op,), (right,)):
                above, below = sympy.fraction(self.quantities.cancel(self.number(left) - self.number(right)))
                if above.free_symbols and signs_of(below, self.quantities) == {1}:
                    whole = terms_of(above).clear_denoms(convert=True)[1].as_expr()
                    signs = SIGNS[op]
                    for side in (1, -1):
                        if -side not in signs:
                            self.quantities.assume(self.quantities.expand(side * whole) - int(0 not in signs))  # if not 0, it is 1 at least


MOST_TERMS = 64
"""Values of a bound name that are written out."""
MOST_APART = 2
"""The most terms that are taken out of a sum."""


@dataclass(frozen=True)
class Range:
    """The values of a bound name: ``count`` values from ``first`` on; count may be negative; ``tests`` select among them.

    ``apart``: the number of values of the formula's range before them.
    """

    terms: Ranged
    reader: Reader
    first: Expr
    count: Expr
    apart: int = 0

    @staticmethod
    def of(terms: Ranged, reader: Reader) -> Range:
        if terms.name in reader.names:
            raise Unread(f"{listed(terms)} binds {terms.name} twice")
        first, last = (reader.quantities.whole(reader.number(end)) for end in terms.ends)
        return Range(terms, reader, first, reader.quantities.expand(last - first + 1))

    @property
    def tests(self) -> Sequence[Node]:
        return self.terms.tests

    @property
    def few(self) -> bool:
        """Whether the values can be written out."""
        return bool(self.count.is_Integer and self.count <= MOST_TERMS)

    def without_first(self) -> Range | None:
        """The range from its second value on, if it is shown to have a first one."""
        rest = self.reader.quantities.expand(self.count - 1)
        form = sign(rest, self.reader.quantities, frozenset({0, 1}))
        return replace(self, first=self.first + 1, count=rest, apart=self.apart + 1) if form.signs <= {0, 1} else None

    def signs(self) -> frozenset[int]:
        """The signs that the count can have; a line of the certificate if these are not all three."""
        form = sign(self.count, self.reader.quantities)
        if form.signs <= {0, 1} or form.signs <= {-1, 0}:
            self.reader.lines.append(Line(count(*self.terms.ends, self.apart), form))
        return form.signs

    def unknown(self) -> Unread:
        quantities = self.reader.quantities
        return Unread(f"a range of {quantities.shown(self.count)} values, which may be negative", borders(self.count, quantities))

    def at(self, value: Expr) -> Reader:
        """The reader with this value of the bound name."""
        return self.reader.where(self.terms.name, value)

    def each(self) -> list[Reader]:
        return [self.at(self.first + i) for i in range(int(self.count))]

    @contextmanager
    def general(self, count: Expr) -> Iterator[tuple[Symbol, Reader]]:
        """i with 0 ≤ i ≤ count − 1, and the reader for which the bound name is first + i."""
        quantities = self.reader.quantities
        index = quantities.slack(above(self.terms.name, self.first, quantities), self.first, "i")
        with quantities.supposed():
            quantities.assume(count - 1 - index)
            yield index, self.at(self.first + index)


def total(terms: Ranged, reader: Reader, rest: Range | None = None) -> Expr:
    """A sum over a range, or over the ``rest`` of it if the first terms differ in form from the others.

    Raises:
        Unread: its terms have no closed form, or their number may be negative.
    """
    over = rest or Range.of(terms, reader)
    if over.few:
        values = [inside.number(terms.body) for inside in over.each() if all(map(inside.decided, over.tests))]
        return reader.quantities.expand(sympy.Add(*values))
    signs = over.signs()
    if signs <= {-1, 0}:
        return sympy.Integer(0)
    if not signs <= {0, 1}:
        raise over.unknown()
    known = len(reader.lines)
    try:
        with over.general(over.count) as (index, inside):
            term = None if over.tests else inside.number(terms.body)
    except Unread:
        rest = None if over.apart == MOST_APART else over.without_first()
        if rest is None:
            raise
        del reader.lines[known:]
        first = over.at(over.first)
        taken = first.number(terms.body) if all(map(first.decided, over.tests)) else sympy.Integer(0)
        return reader.quantities.expand(taken + total(terms, reader, rest))
    # A divisor that is known to be nonzero for the terms only may be 0 where there are none.
    found = None if term is None else closed_sum(term, index, over.count, reader.quantities)
    if found is None:
        raise Unread(f"{listed(terms)} has no closed form here", borders(over.count, reader.quantities))
    return found


def end(terms: Ranged, reader: Reader, greatest: bool) -> Expr:
    """The least or greatest of the terms over a range, if they rise or fall throughout: the term at one end."""
    over = Range.of(terms, reader)
    if over.signs() != {1} or over.tests:
        raise Unread(f"{listed(terms)} may have no term", borders(over.count, reader.quantities))
    with over.general(over.count - 1) as (index, inside):
        step = over.at(over.first + index + 1).number(terms.body) - inside.number(terms.body)
        signs = signs_of(step, reader.quantities)
    if not signs <= {0, 1} and not signs <= {-1, 0}:
        raise Unread(f"{listed(terms)} neither rises nor falls throughout", borders(step, reader.quantities))
    last = (signs <= {0, 1}) == greatest
    return over.at(over.first + over.count - 1 if last else over.first).number(terms.body)


def every(terms: Ranged, reader: Reader, negated: bool = False) -> Judgement:
    """Whether a condition, or its negation, holds for all values of a range that pass its tests."""
    over = Range.of(terms, reader)

    def holds(inside: Reader) -> Judgement:
        def fails() -> Judgement:
            found = inside.supposing(over.tests, terms.body)
            return found if negated else denied(found)

        return denied(conjunction([*inside.in_turn(over.tests, "and"), fails]))

    if over.few:
        return conjunction([partial(holds, inside) for inside in over.each()])
    signs = over.signs()
    if signs <= {-1, 0}:
        return TRUE
    with over.general(over.count) as (_, inside):
        found = holds(inside)
    if signs != {1}:
        unknown = str(over.unknown())
        return Judgement(None, (), unknown, borders(over.count, reader.quantities)) if found.value is False else found
    if found.value is None:
        for value in (over.first, over.first + over.count - 1):
            at_end = holds(over.at(value))
            if at_end.value is False:
                return at_end
    return found
