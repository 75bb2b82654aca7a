"""The sign of an expression, shown by nonnegative coefficients.

The expression is rewritten in other nonnegative quantities so that all coefficients have one sign: 2^k as 1 + k + u with u ≥ 0, and, if a
fact such as 2^p − 1 − s ≥ 0 is known, s as 2^p − 1 − w with w ≥ 0. Each such change is an identity, so a reader checks a :class:`Form` by
expanding it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, islice, product

from verifier.arithmetic.rationals import Fraction
from verifier.proofs.nonnegative import KEPT, Expr, Large, Quantities, Symbol, Wants, indivisible, terms_of
from verifier.proofs.rational_numbers import sympy

EITHER = frozenset({-1, 0, 1})
SAMPLES = (0, 1, 3)
MOST_SAMPLES = 81
LARGEST_SAMPLE = 200
"""Exponents at most."""
MOST_LEVELS = 7
MOST_ELIMINATIONS = 12
MOST_SUBSTITUTED = 10
"""The degree of a polynomial, in slacks and powers, that is written in other quantities."""


@dataclass(frozen=True)
class Form:
    """An expression written in nonnegative quantities.

    ``signs``: its possible signs. ``text``: the expression in the formula language, over the names of ``slacks``, which gives
    each as a formula; the later ones may use the earlier. All are ≥ 0. ``equal``: formulas over them that the case makes equal.
    """

    signs: frozenset[int]
    text: str
    slacks: Mapping[str, str] = field(default_factory=dict)
    equal: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        named = [f"{name} = {meaning} >= 0" for name, meaning in self.slacks.items()]
        named += [f"{left} = {right}" for left, right in self.equal]
        return f"{self.text} with {', '.join(named)}" if named else self.text


@dataclass(frozen=True)
class Change:
    """A change of names, in which each symbol in turn becomes an expression in nonnegative quantities, among them new ones.

    The first ``equal`` of the steps change only the form, by an equation of the case.
    """

    steps: tuple[tuple[Symbol, Expr], ...] = ()
    slacks: tuple[tuple[Symbol, Expr], ...] = ()
    equal: int = 0

    def applied(self, expression: Expr, quantities: Quantities) -> Expr:
        for symbol, instead in self.steps:
            expression = expression.xreplace({symbol: instead})
        return quantities.expand(expression)


@dataclass(frozen=True)
class Written:
    """A quotient after a change, and its possible signs by its coefficients."""

    signs: frozenset[int]
    change: Change
    above: Expr
    below: Expr


def sign(expression: Expr, quantities: Quantities, wanted: frozenset[int] = EITHER) -> Form:
    """The possible signs of an expression if every slack is an integer ≥ 0 and every fact holds, with the form that shows them.

    The result is the first form that shows the sign to be among ``wanted``, or to be none of them.
    """
    return _form(_written(expression, quantities, wanted), quantities)


def signs_of(expression: Expr, quantities: Quantities) -> frozenset[int]:
    """The signs alone, as :func:`sign` finds them."""
    return _written(expression, quantities, EITHER).signs


def _written(expression: Expr, quantities: Quantities, wanted: frozenset[int]) -> Written:
    expression = quantities.cancel(expression)
    if expression.is_Rational:
        return Written(frozenset({int(sympy.sign(expression))}), Change(), expression, sympy.Integer(1))
    numerator, denominator = sympy.fraction(expression)
    found = Written(EITHER - {0} if indivisible(numerator) else EITHER, Change(), numerator, denominator)
    hopeless = {-1, 1} <= _seen(numerator * denominator, quantities)
    for change in () if hopeless else _changes(numerator, denominator, quantities):
        try:
            above, below = change.applied(numerator, quantities), change.applied(denominator, quantities)
        except Large:
            continue
        signs = frozenset(a * b for a in _signs(above, quantities) for b in _signs(below, quantities))
        if len(signs) < len(found.signs):
            found = Written(signs, change, above, below)
            if signs <= wanted or not signs & wanted:
                break
    return found


def _seen(polynomial: Expr, quantities: Quantities) -> set[int]:
    """Signs of a polynomial at small slacks that satisfy the facts: if both occur, no form needs to be sought."""
    facts = [f for f in quantities.facts if f.free_symbols & polynomial.free_symbols]
    used = list(dict.fromkeys(s for x in (polynomial, *facts) for s in quantities.slacks_in(x)))
    powers = [(s, base, _values(e)) for s, (base, e) in quantities.powers.items() if set(quantities.slacks_in(e)) <= set(used)]
    value_of, known = _values(polynomial), [_values(fact) for fact in facts]
    parts, samples = sum(len(sympy.Add.make_args(x)) for x in (polynomial, *facts)), min(len(SAMPLES) ** len(used), MOST_SAMPLES)
    quantities.effort.spend(parts * samples)
    signs: set[int] = set()
    names = [s.name for s in used]
    for sample in islice(product(SAMPLES, repeat=len(used)), samples):
        values = dict(zip(names, sample, strict=True))
        for symbol, base, exponent in powers:
            if (e := exponent(values)) > LARGEST_SAMPLE:
                break
            values[symbol.name] = base ** int(e)
        if len(values) == len(used) + len(powers) and all(fact(values) >= 0 for fact in known):
            value = value_of(values)
            signs.add((value > 0) - (value < 0))
            if {-1, 1} <= signs:
                break
    return signs


@lru_cache(KEPT)
def _values(polynomial: Expr) -> Callable[[Mapping[str, int]], Fraction | int]:
    """The polynomial as a function of its symbols' values by name: equal symbols need not be one object, and sympy compares them slowly."""
    terms = terms_of(polynomial)
    parts = [
        (int(c) if c.is_Integer else Fraction(int(c.p), int(c.q)), [(s.name, d) for s, d in zip(terms.gens, monomial, strict=True) if d])
        for monomial, c in terms.terms()
    ]

    def value(values: Mapping[str, int]) -> Fraction | int:
        total: Fraction | int = 0
        for each, powers in parts:
            for name, degree in powers:
                each *= values[name] ** degree
            total += each
        return total

    return value


def borders(expression: Expr, quantities: Quantities) -> Wants:
    """The wish to treat separately the least values of the names on which an expression depends."""
    return tuple((s, 1) for s in quantities.slacks_in(expression))


def _signs(polynomial: Expr, quantities: Quantities) -> frozenset[int]:
    """Return the signs that a polynomial in nonnegative quantities can take, from those of its coefficients.

    A product of powers alone is at least 1.
    """
    if polynomial.is_Rational:
        return frozenset({int(sympy.sign(polynomial))})
    terms = [term.as_coeff_Mul() for term in sympy.Add.make_args(polynomial)]
    signs = {1 if coefficient > 0 else -1 for coefficient, _ in terms}
    if len(signs) > 1:
        return EITHER
    apart = any(monomial.free_symbols <= quantities.powers.keys() for _, monomial in terms)
    return frozenset(signs) if apart else frozenset({0, *signs})


def _form(written: Written, quantities: Quantities) -> Form:
    change, above, below = written.change, written.above, written.below
    text = quantities.shown(above) if below == 1 else f"({quantities.shown(above)})/({quantities.shown(below)})"
    used = above.free_symbols | below.free_symbols
    made = [(s, meaning) for s, meaning in change.slacks if s in used]
    equations = change.steps[: change.equal]
    given = quantities.meanings([above, below, *(meaning for _, meaning in made), *(side for both in equations for side in both)])
    equal = tuple((quantities.shown(symbol), quantities.shown(instead)) for symbol, instead in equations)
    return Form(written.signs, text, given | {str(s): quantities.shown(meaning) for s, meaning in made}, equal)


def _changes(numerator: Expr, denominator: Expr, quantities: Quantities) -> Iterator[Change]:
    """Changes that write an expression's symbols in nonnegative quantities; the first changes nothing."""
    yield Change()
    equal = _equations(numerator.free_symbols | denominator.free_symbols, quantities)
    if equal.steps:
        yield equal
        numerator, denominator = equal.applied(numerator, quantities), equal.applied(denominator, quantities)
        if numerator.is_Rational or denominator == 0:
            return
    if terms_of(numerator * denominator).total_degree() > MOST_SUBSTITUTED:
        return
    symbols = numerator.free_symbols | denominator.free_symbols
    levels = range(1 + min(max(1, quantities.degree(numerator * denominator)), MOST_LEVELS))
    solved = [(f, s) for f in quantities.facts if f.free_symbols & symbols for s in _solvable(f)]
    twos = [two for two in combinations(solved, 2) if two[0][0] != two[1][0] and two[0][1] != two[1][1]]
    exponents = [exponent for symbol, (_, exponent) in quantities.powers.items() if symbol in symbols]
    pairs = len(set(exponents)) < len(exponents)
    for eliminated in [(), *((one,) for one in solved), *twos][:MOST_ELIMINATIONS]:
        for level, paired in product(levels, (False, True) if pairs else (False,)):
            change = _change(equal, symbols, eliminated, level, paired, quantities)
            if change is None:
                break
            yield change
            if len(change.steps) == change.equal + len(eliminated):
                break  # without powers the levels are all the same


def _equations(symbols: set[Symbol], quantities: Quantities) -> Change:
    """The consequences of facts in pairs, f ≥ 0 and −f ≥ 0, for the symbols: powers and slacks in terms of others."""
    steps: list[tuple[Symbol, Expr]] = []
    known = set(quantities.facts)
    for original in quantities.facts:
        if -original in known:
            fact = Change(tuple(steps)).applied(original, quantities)
            known.discard(original)
            solvable = [s for s in _solvable(fact) if s in symbols]
            if solvable:
                symbol = next((s for s in solvable if s in quantities.powers), solvable[0])
                coefficient = fact.diff(symbol)
                steps.append((symbol, quantities.expand(symbol - fact / coefficient)))
                symbols = (symbols | steps[-1][1].free_symbols) - {symbol}
    return Change(tuple(steps), (), len(steps))


@lru_cache(KEPT)
def _solvable(fact: Expr) -> list[Symbol]:
    """The symbols in which a fact is linear with a constant coefficient."""
    return [s for s in sorted(fact.free_symbols, key=str) if (c := fact.diff(s)).is_Rational and c != 0]


def _change(
    equal: Change, symbols: set[Symbol], eliminated: Sequence[tuple[Expr, Symbol]], level: int, paired: bool, quantities: Quantities
) -> Change | None:
    """The facts, each solved for a symbol, with w = fact, if possible; then the remaining powers as the first terms of their series, plus
    u."""
    steps: list[tuple[Symbol, Expr]] = list(equal.steps)
    slacks: list[tuple[Symbol, Expr]] = []
    for original, symbol in eliminated:
        fact = Change(tuple(steps)).applied(original, quantities)
        coefficient = fact.diff(symbol)
        if not coefficient.is_Rational or coefficient == 0:
            return None
        w = quantities.unused("w", len(slacks))
        steps.append((symbol, quantities.expand((w - fact + coefficient * symbol) / coefficient)))
        slacks.append((w, original))
    solved = {symbol for _, symbol in eliminated}
    left = symbols.union(*(instead.free_symbols for _, instead in steps)) - solved
    for symbol, least in _bounds(left, level, paired, quantities):
        u = quantities.unused("u", len(slacks))
        steps.append((symbol, least + u))
        slacks.append((u, symbol - least))
    return Change(tuple(steps), tuple(slacks), equal.equal)


def _bounds(symbols: set[Symbol], level: int, paired: bool, quantities: Quantities) -> Iterator[tuple[Symbol, Expr]]:
    """A lower bound for each power among the symbols, and in turn for the powers in these bounds.

    ``paired``: 3^M ≥ 2^M, if both occur, or else the first terms of the series.
    """
    made = {exponent: place for place, (_, exponent) in reversed(list(enumerate(quantities.powers.values())))}
    order = sorted(quantities.powers.items(), key=lambda item: (made[item[1][1]], item[1][0]), reverse=True)
    for place, (symbol, (base, exponent)) in enumerate(order):
        if symbol in symbols:
            smaller = next((s for s, (_, e) in order[place + 1 :] if s in symbols and e == exponent), None)
            yield symbol, smaller if paired and smaller is not None else first_terms(base, exponent, level)
            symbols = symbols | exponent.free_symbols


@lru_cache(KEPT)
def first_terms(base: int, exponent: Expr, level: int) -> Expr:
    """Σ_{i ≤ level} C(M, i)·(base − 1)^i ≤ base^M, for integers base ≥ 2 and M ≥ 0: the binomial theorem."""
    terms = [sympy.ff(exponent, i) / sympy.factorial(i) * sympy.Integer(base - 1) ** i for i in range(level + 1)]
    return sympy.expand(sympy.Add(*terms))
