"""Check the hints of a symbolic certificate: signs shown by sums of what is >= 0, and roundings by their names."""

from collections.abc import Sequence
from typing import Any

from .recheck_polynomials import Algebra, Polynomial, Quotient, first_terms, variable
from .recheck_quantities import Hints, Quantities
from .recheck_reading import At, demand
from .recheck_terms import read_monomial, read_polynomial, read_prime
from .recheck_trees import read_name

ROUNDINGS = ("floor", "floor-log2", "ceil-log2", "power")
MOST_LEVEL = 8


class Given(Hints):
    """The hints of a case: sums that show signs, and what roundings are. Every one has to be used."""

    def __init__(self, case: dict[str, At], names: Sequence[str], algebra: Algebra) -> None:
        self.algebra, self.used = algebra, set[int]()
        self.sums, self.values = dict[Any, list[tuple[int, dict[str, At]]]](), dict[Any, tuple[int, Polynomial | str]]()
        self.names, self.checked = list(names), dict[int, tuple[set[int], list[Polynomial]]]()
        self.count = 0
        for each in case["roundings"].items():
            how, above, below, value = each.items(4)
            fresh = isinstance(value.data, str)
            if how.one_of(*ROUNDINGS) == "power" and not fresh:
                value.refuse("a name")
            key = (how.text(), *(self.key(self.polynomial(side)) for side in (above, below)))
            if fresh and value.data in self.names:
                value.refuse("a name that is not used yet")
            if fresh:
                self.names.append(read_name(value))
            demand(key not in self.values, f"{each.place}: the same again")
            self.values[key] = (self.count, value.data if fresh else self.polynomial(value))
            self.count += 1
        for each in case["signs"].items():
            record = each.record("of", "with", "equal", "sum")
            self.sums.setdefault(self.key(self.polynomial(record["of"])), []).append((self.count, record))
            self.count += 1

    def polynomial(self, given: At) -> Polynomial:
        return read_polynomial(given, self.algebra, self.names)

    @staticmethod
    def key(p: Polynomial) -> Any:
        return frozenset(p.items())

    def rounded(self, how: str, x: Quotient, quantities: Quantities) -> Polynomial | str | None:
        known = self.values.get((how, self.key(x.above), self.key(x.below)))
        if known is None:
            return None
        self.used.add(known[0])
        return known[1]

    def sign(self, p: Polynomial, facts: Sequence[Polynomial]) -> set[int]:
        for side in (1, -1):
            for number, record in self.sums.get(frozenset((m, side * c) for m, c in p.items()), ()):
                if number not in self.checked:
                    self.checked[number] = self.check(record)
                signs, needed = self.checked[number]
                if all(fact in facts for fact in needed):
                    self.used.add(number)
                    return {side * s for s in signs}
        return {-1, 0, 1}

    def check(self, record: dict[str, At]) -> tuple[set[int], list[Polynomial]]:
        """The signs that a sum shows, and the facts that it rests on."""
        algebra, meanings, facts = self.algebra, dict[str, Polynomial](), list[Polynomial]()
        for each in record["with"].items():
            name, kind, *rest = (
                each.items() if isinstance(each.data, list) and len(each.data) > 1 else each.refuse("a name, a kind and more")
            )
            if read_name(name) in self.names or name.data in meanings:
                name.refuse("a name that is not used yet")
            kind.one_of("fact", "series", "smaller")
            meanings[name.text()] = self.nonnegative(kind.text(), rest, each, facts)
        total = read_polynomial(record["sum"], algebra, [*self.names, *meanings])
        demand(all(c > 0 for c in total.values()), f"{record['sum'].place}: numbers above 0 were expected")
        found = algebra.put(total, meanings)
        for each in record["equal"].items():
            fact, times = map(self.polynomial, each.items(2))
            facts += [fact, {m: -c for m, c in fact.items()}]
            found = algebra.plus(found, algebra.times(fact, times))
        demand(found == self.polynomial(record["of"]), f"{record['sum'].place}: it does not equal the expression that it stands for")
        apart = any(all(atom in algebra.powers for atom, _ in monomial) for monomial in total)
        return ({1} if apart else {0, 1}) if total else {0}, facts

    def nonnegative(self, kind: str, rest: list[At], each: At, facts: list[Polynomial]) -> Polynomial:
        """What a name stands for: a fact, a power less the first terms of its series, or less a power of a smaller base."""
        algebra = self.algebra
        if kind == "fact":
            (fact,) = rest if len(rest) == 1 else each.refuse("one fact")
            facts.append(self.polynomial(fact))
            return facts[-1]
        base, above, last = rest if len(rest) == 3 else each.refuse("a base, an exponent and a level or smaller base")
        monomial, prime = read_monomial(above, algebra, self.names, 0), read_prime(base)
        if not monomial or any(e < 0 for _, e in monomial):
            above.refuse("an exponent")
        power = variable(algebra.atom(prime, monomial))
        if kind == "series":
            return algebra.plus(power, first_terms(algebra, prime, monomial, last.integer(0, MOST_LEVEL)), -1)
        smaller = read_prime(last)
        if smaller >= prime:
            last.refuse("a smaller base")
        return algebra.plus(power, variable(algebra.atom(smaller, monomial)), -1)
