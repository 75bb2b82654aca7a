"""Judging what the rows of a table make of one string alone, by the definition: token by token, for every promised value of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from verifier.arithmetic.machine import exact_sum
from verifier.arithmetic.numbers import ZERO, Number, show
from verifier.attention.evaluate import numerator_of
from verifier.attention.terms import Reading, TokenTerm, times_entry
from verifier.construction.instance import Token
from verifier.formulas import exact
from verifier.formulas.definitions import inlined
from verifier.formulas.exact import Bits, Given
from verifier.formulas.syntax import parse
from verifier.judges.fields import OneString
from verifier.judges.formula import supplied
from verifier.judges.partial_sum import applied, steps, table_names
from verifier.judges.tables import well_formed
from verifier.judges.values import held, located
from verifier.problems import bits_of
from verifier.statements.model import Question, declined
from verifier.verdicts import Finding, Scope, Verdict

CALLED = {
    "numerator": "the numerator",
    "denominator": "the denominator",
    "column": "the column's sum",
    "running": "the numerator after each token",
    "weights": "the weight of each token",
    "values": "the sum of the values",
}


def judge(question: Question, fields: OneString) -> Finding:
    """The condition on the edition's table; the smallest string that fails it, and there the first token, is the counterexample."""
    prepared = well_formed(question)
    if isinstance(prepared, Finding):
        return prepared
    reading, witness = prepared
    instance = reading.instance
    first, last = steps(fields.steps)
    tokens = [t for t in instance.tokens if first <= t.step <= last]
    if others := [t.index for t in tokens if {bit.string for bit in t.reads} - {fields.string}]:
        return declined(f"token {others[0]} of steps {fields.steps} reads more than {fields.string}")
    question.within((1 << instance.m) * max(len(tokens), 1), f"tokens times strings of {instance.m} bits")
    says = fields.holds or f"v == {fields.is_}"
    lets, functions = question.claim.lets, supplied(question.claim.functions)
    names: dict[str, Given] = {**table_names(question, instance), "applied": applied(reading)}
    if fields.of == "column" and reading.sums > 1:
        return declined(f"W^V uses {reading.sums} columns; of = column is about one")
    holds, when = inlined(parse(says), lets), inlined(parse(fields.when), lets) if fields.when else None
    rows, cases, failures = Rows(reading, tokens), 0, 0
    counterexample: dict[str, str] = {}
    for x in map(int, instance.problem.occurring(fields.string)):
        known = {**names, fields.string: Bits(x, instance.m)}
        if when is not None and not exact.truth(when, known, functions):
            continue
        for place, value in rows.values(fields.of, x):
            cases += 1
            if not exact.truth(holds, {**known, "v": value}, functions):
                failures += 1
                counterexample = counterexample or {fields.string: bits_of(x, instance.m), **place, "found": show(value)}
    what = f"{CALLED[fields.of]} of {'step' if first == last else 'steps'} {fields.steps.replace('..', ' to ')}"
    at, speaks = located(instance), f" with {fields.when}" if fields.when else ""
    if not cases:
        return declined(f"there is no promised {fields.string}{speaks} at {at}")
    scope = Scope(f"{what}, in all {cases:,} cases over the promised {fields.string}{speaks} at {at}: {says}", cases, "enumeration")
    if not failures:
        return held(reading, scope, witness)
    point = {k: str(v) for k, v in instance.parameters.items()}
    return Finding(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"{what} is {counterexample['found']}; {fields.is_ or says} was claimed; fails on {failures:,} of them",
        counterexample={**point, **counterexample, "claimed": fields.is_ or says},
        failures=failures,
    )


@dataclass(frozen=True)
class Rows:
    """Tokens of a reading that read one string only."""

    reading: Reading
    tokens: list[Token]
    _made: dict[tuple[str, tuple[int, ...]], tuple[tuple[dict[str, str], Number], ...]] = field(default_factory=dict, repr=False, compare=False)

    def values(self, of: str, x: int) -> Iterable[tuple[dict[str, str], Number]]:
        """The values asked for at the string x, each with its token where there is one for each.

        They are made once for all strings that give every token the same bits.
        """
        patterns = tuple(token.pattern(x, x, self.reading.instance.m) for token in self.tokens)
        if (of, patterns) not in self._made:
            self._made[of, patterns] = tuple(self._values(of, x, patterns))
        return self._made[of, patterns]

    def _values(self, of: str, x: int, patterns: tuple[int, ...]) -> Iterator[tuple[dict[str, str], Number]]:
        terms = [(token, self.reading.term(token, pattern)) for token, pattern in zip(self.tokens, patterns, strict=True)]
        match of:
            case "weights":
                yield from (({"token": str(token.index)}, term.weight) for token, term in terms)
            case "running":
                for k, (token, _) in enumerate(terms, 1):
                    yield {"token": str(token.index)}, self._numerator(term for _, term in terms[:k])
            case "numerator":
                yield {}, self._numerator(term for _, term in terms)
            case "column":
                yield {}, self._added(term.products[0] for _, term in terms)
            case "denominator":
                yield {}, self._added(term.weight for _, term in terms)
            case _:
                yield {}, self._exact_values(x)

    def _added(self, parts: Iterable[Number]) -> Number:
        total: Number = ZERO
        for part in parts:
            total = self.reading.machine.add(total, part)
        return total

    def _numerator(self, terms: Iterable[TokenTerm]) -> Number:
        products = [term.products for term in terms]
        return numerator_of(self.reading, tuple(self._added(p[k] for p in products) for k in range(self.reading.sums)))

    def _exact_values(self, x: int) -> Number:
        """Σ of the tokens' vectors times W^V, without rounding."""
        total: Number = ZERO
        weights = self.reading.value_weights
        for token in self.tokens:
            vector = token.vectors[token.pattern(x, x, self.reading.instance.m)] or ()
            for entry, weight in zip(vector, weights, strict=True):
                total = exact_sum(total, times_entry(weight, entry) if weight != 0 else ZERO)
        return total
