"""Hints of a symbolic certificate, found by computer algebra: signs as sums, and roundings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.certificates import recheck_polynomials as polynomials
from verifier.certificates import recheck_terms as terms
from verifier.certificates.recheck_polynomials import Algebra, Polynomial, Quotient, Undecided
from verifier.certificates.recheck_quantities import AT_LEAST_0, Hints
from verifier.certificates.recheck_quantities import Quantities as Numbers
from verifier.proofs.budget import Effort, Exhausted
from verifier.proofs.nonnegative import Expr, Large, Quantities, Symbol, Unread
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import Change, _changes, _seen, _signs, first_terms

MOST_SEARCH = 400_000
"""Steps for one sign."""
MOST_LEVEL = 8
LETTERS = {"floor": "Q", "floor-log2": "L", "ceil-log2": "L", "power": "P"}


class Sought(Hints):
    """Hints that are looked for, and kept in the order of their finding as the certificate has them."""

    def __init__(self, algebra: Algebra, names: Sequence[str]) -> None:
        self.algebra, self.names = algebra, list(names)
        self.signs: list[Any] = []
        self.roundings: list[Any] = []
        self._sums: dict[Any, list[tuple[set[int], list[Polynomial]]]] = {}
        self._failed: set[Any] = set()
        self._values: dict[Any, Polynomial | str] = {}

    # signs

    def sign(self, p: Polynomial, facts: Sequence[Polynomial]) -> set[int]:
        for side in (1, -1):
            for signs, needed in self._sums.get(frozenset((m, side * c) for m, c in p.items()), ()):
                if all(fact in facts for fact in needed):
                    return {side * s for s in signs}
        known = frozenset(p.items()), tuple(frozenset(fact.items()) for fact in facts)
        if known in self._failed:
            return {-1, 0, 1}
        one_sided = polynomials.coefficient_signs(p, self.algebra.powers)
        found = None
        if len(one_sided) == 3 or facts:
            found = self._search(p, facts)
        if found is None or not {found[0] * s for s in found[1]} < one_sided:
            self._failed.add(known)
            return {-1, 0, 1}
        side, signs, needed, record = found
        of = {m: side * c for m, c in p.items()}
        self.signs.append(record | {"of": terms.written(of, self.algebra)})
        self._sums.setdefault(frozenset(of.items()), []).append((signs, needed))
        return {side * s for s in signs}

    def _search(self, p: Polynomial, facts: Sequence[Polynomial]) -> tuple[int, set[int], list[Polynomial], dict[str, Any]] | None:
        """The side on which the polynomial is, whether it may be 0, the facts that this rests on, and the sum that shows it."""
        shift: dict[str, int] = {}
        for monomial in p:
            for atom, e in monomial:
                shift[atom] = min(shift.get(atom, 0), e)
        lift = {tuple(sorted((atom, -e) for atom, e in shift.items() if e)): Fraction(1)}
        lower = {tuple(sorted((atom, e) for atom, e in shift.items() if e)): Fraction(1)}
        translation = Translation(self.algebra, facts)
        best = None
        try:
            wanted = translation.expression(self.algebra.times(p, lift))
            if {-1, 1} <= _seen(wanted, translation.quantities):
                return None
            for count, change in enumerate(_changes(wanted, sympy.Integer(1), translation.quantities)):
                try:
                    above = change.applied(wanted, translation.quantities)
                except Large:
                    continue
                signs = _signs(above, translation.quantities)
                if len(signs) < (3 if best is None else len(best[1])):
                    side = -1 if -1 in signs else 1
                    record, needed = translation.record(wanted, above, change, side)
                    if record is not None:
                        record["sum"] = self._lowered(record["sum"], lower)
                        record["equal"] = [[fact, self._lowered(times, lower)] for fact, times in record["equal"]]
                        best = side, {side * s for s in signs}, needed, record
                if best is not None and (len(best[1]) == 1 or count > 12):
                    break
        except (Exhausted, Unread, Undecided):
            pass
        if best is not None:
            best[3]["sum"] = terms.written(best[3]["sum"], self.algebra)
            best[3]["equal"] = [[terms.written(side, self.algebra) for side in both] for both in best[3]["equal"]]
        return best

    def _lowered(self, p: Polynomial, lower: Polynomial) -> Polynomial:
        return self.algebra.times(p, lower)

    # roundings

    def rounded(self, how: str, x: Quotient, numbers: Numbers) -> Polynomial | str | None:
        key = (how, frozenset(x.above.items()), frozenset(x.below.items()))
        if key not in self._values:
            value = self._rounded(how, x, numbers)
            if value is None:
                return None
            self._values[key] = value
            sides = [terms.written(side, self.algebra) for side in x]
            self.roundings.append([how, *sides, value if isinstance(value, str) else terms.written(value, self.algebra)])
        return self._values[key]

    def _rounded(self, how: str, x: Quotient, numbers: Numbers) -> Polynomial | str | None:
        for guess in self._guesses(how, x) if how != "power" else ():
            if _fits(how, x, guess, numbers):
                return guess
        if how == "floor":
            try:
                whole = [self.algebra.whole(Quotient(side, polynomials.ONE)) for side in x]
            except Undecided:
                return None
            if not numbers.sign(whole[0]) <= AT_LEAST_0 or numbers.sign(whole[1]) != {1}:
                return None
        name = next(n for n in (f"{LETTERS[how]}{k}" for k in range(1, 1000)) if n not in self.names)
        self.names.append(name)
        return name

    def _guesses(self, how: str, x: Quotient) -> Iterator[Polynomial]:
        algebra = self.algebra
        if how == "floor":
            translation = Translation(algebra, ())
            above, below = map(translation.expression, x)
            symbols = sorted((above * below).free_symbols, key=str)
            if not symbols:
                return
            quotient, _ = sympy.div(above, below, *symbols, domain="QQ")
            floors = {m: Fraction(c.numerator // c.denominator) for m, c in translation.polynomial(quotient).items()}
            whole = {m: c for m, c in floors.items() if c and all(e > 0 for _, e in m)}
            for d in (0, -1, 1, -2):
                yield algebra.plus(whole, polynomials.constant(d))
            return
        for monomial, c in x.above.items():
            exact = reading_exponent(algebra, monomial)
            if exact and c >= 1:
                least = int(c).bit_length() - 1
                for e in (least, least - 1, least + 1):
                    yield algebra.plus(exact, polynomials.constant(e + (how == "ceil-log2")))


def reading_exponent(algebra: Algebra, monomial: polynomials.Monomial) -> Polynomial | None:
    """e with monomial = 2**e; None where it has another form."""
    found: Polynomial = {}
    for atom, degree in monomial:
        base, inner = algebra.powers.get(atom, (0, ()))
        if base != 2:
            return None
        found = algebra.plus(found, {inner: Fraction(degree)})
    return found


def _fits(how: str, x: Quotient, guess: Polynomial, numbers: Numbers) -> bool:
    """Whether a rounding is what it is guessed to be."""
    algebra = numbers.algebra
    try:
        w = Quotient(guess, polynomials.ONE)
        algebra.whole(w)
        if how == "floor":
            if not numbers.signs(algebra.add(x, w, -1)) <= AT_LEAST_0:
                return False
            return numbers.signs(algebra.add(algebra.add(w, polynomials.number(1)), x, -1)) == {1}
        power = algebra.power(2, guess)
        if how == "ceil-log2":
            if numbers.sign(algebra.plus(x.above, algebra.plus({}, power, Fraction(1, 2)), -1)) != {1}:
                return False
            return numbers.sign(algebra.plus(power, x.above, -1)) <= AT_LEAST_0
        if not numbers.sign(algebra.plus(x.above, power, -1)) <= AT_LEAST_0:
            return False
        return numbers.sign(algebra.plus(algebra.plus({}, power, 2), x.above, -1)) == {1}
    except Undecided:
        return False


class Translation:
    """Polynomials of the checker as expressions of computer algebra, with the powers and facts that these need, and back."""

    def __init__(self, algebra: Algebra, facts: Sequence[Polynomial]) -> None:
        self.algebra, self.symbols = algebra, dict[str, Symbol]()
        self.quantities = Quantities((), Effort(MOST_SEARCH))
        self.facts: dict[Expr, Polynomial] = {}
        for fact in facts:
            expression = self.expression(fact)
            self.facts[expression] = fact
            self.quantities.assume(expression)

    def symbol(self, atom: str) -> Symbol:
        if atom not in self.symbols:
            if atom in self.algebra.powers:
                base, monomial = self.algebra.powers[atom]
                inner = self.expression({monomial: Fraction(1)})
                self.symbols[atom] = self.quantities._power_symbol(base, inner)
            else:
                symbol = sympy.Symbol(atom, integer=True, nonnegative=True)
                self.symbols[atom] = symbol
                self.quantities.slacks[symbol] = atom
                self.quantities._below[symbol] = []
                self.quantities._taken.add(atom)
        return self.symbols[atom]

    def expression(self, p: Polynomial) -> Expr:
        terms = [
            sympy.Rational(c.numerator, c.denominator) * sympy.Mul(*(self.symbol(atom) ** e for atom, e in monomial))
            for monomial, c in p.items()
        ]
        return sympy.Add(*terms)

    def polynomial(self, expression: Expr) -> Polynomial:
        """The polynomial of an expression; names that are not known here stay as they are."""
        atoms = {symbol: atom for atom, symbol in self.symbols.items()}
        for symbol, (base, exponent) in self.quantities.powers.items():
            if symbol not in atoms:
                ((monomial, _),) = self.polynomial(exponent).items()
                atoms[symbol] = self.algebra.atom(base, monomial)
        found: Polynomial = {}
        terms = sympy.Poly(expression, *sorted(expression.free_symbols, key=str)) if expression.free_symbols else None
        if terms is None:
            return polynomials.constant(Fraction(int(expression.p), int(expression.q)))
        for degrees, c in terms.terms():
            monomial = tuple(sorted((atoms.get(s, str(s)), e) for s, e in zip(terms.gens, degrees, strict=True) if e))
            found[monomial] = Fraction(int(c.p), int(c.q))
        return found

    def record(self, wanted: Expr, above: Expr, change: Change, side: int) -> tuple[dict[str, Any] | None, list[Polynomial]]:
        """The sum that a change of names shows, as a certificate has it, with polynomials; and the facts in it."""
        needed: list[Polynomial] = []
        named = []
        steps = {new: (symbol, instead) for symbol, instead in change.steps for new in (instead.free_symbols - set(self.symbols.values()))}
        for symbol, meaning in change.slacks:
            if symbol not in above.free_symbols:
                continue
            if meaning in self.facts:
                named.append([str(symbol), "fact", terms.written(self.facts[meaning], self.algebra)])
                needed.append(self.facts[meaning])
                continue
            named.append([str(symbol), *self._bound(*steps[symbol], symbol)])
        equal = []
        if change.equal:
            pairs = [fact for fact in self.facts if -fact in self.facts or sympy.expand(-fact) in self.facts]
            partly = Change(change.steps[: change.equal]).applied(wanted, self.quantities)
            gens = [symbol for symbol, _ in change.steps[: change.equal]]
            others = sorted((wanted - partly).free_symbols.union(*(f.free_symbols for f in pairs)) - set(gens), key=str)
            quotients, rest = sympy.reduced(sympy.expand(wanted - partly), pairs, *gens, *others, order="lex")
            if rest != 0:
                return None, []
            for fact, times in zip(pairs, quotients, strict=True):
                if times != 0:
                    equal.append([terms.written(self.facts[fact], self.algebra), self.polynomial(sympy.expand(side * times))])
                    needed += [self.facts[fact], {m: -c for m, c in self.facts[fact].items()}]
            equal = [[self.facts_of(fact), times] for fact, times in equal]
        record = {"with": named, "equal": equal, "sum": self.polynomial(sympy.expand(side * above))}
        return record, needed

    def facts_of(self, written: Any) -> Polynomial:
        return next(fact for fact in self.facts.values() if terms.written(fact, self.algebra) == written)

    def _bound(self, power: Symbol, instead: Expr, name: Symbol) -> list[Any]:
        """What is subtracted from a power: the first terms of its series, or a power of a smaller base."""
        base, exponent = self.quantities.powers[power]
        ((monomial, _),) = self.polynomial(exponent).items()
        least = sympy.expand(instead - name)
        above = terms.written_monomial(monomial, self.algebra)
        if least in self.quantities.powers:
            return ["smaller", str(base), above, str(self.quantities.powers[least][0])]
        level = next(n for n in range(MOST_LEVEL + 1) if sympy.expand(first_terms(base, exponent, n) - least) == 0)
        return ["series", str(base), above, str(level)]
