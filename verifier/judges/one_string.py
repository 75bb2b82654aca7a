"""Judge a quantity that rows of a table compute from one string. The definition adds it token by token, for every promised value of the
string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial, reduce
from typing import Any

import numpy as np

from verifier.arithmetic.machine import exact_sum
from verifier.arithmetic.numbers import ZERO, Number, show
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.evaluation import Functions, supplied
from verifier.judges.fields import OneString
from verifier.judges.partial_sum import applied, steps, table_names
from verifier.judges.tables import well_formed
from verifier.judges.wording import held, located
from verifier.language import arrays
from verifier.language.array_values import Quantity, Strings
from verifier.language.definitions import inlined_text
from verifier.language.exact import Given
from verifier.language.tree import Node
from verifier.networks.instance import Token
from verifier.networks.instantiate import Places, number
from verifier.networks.problems import bits_of
from verifier.transformers.table_traces import numerator_of
from verifier.transformers.tables import Execution, TokenTerm

CALLED = {
    "numerator": "the numerator",
    "denominator": "the denominator",
    "column": "the column's sum",
    "running": "the numerator after each token",
    "weights": "the weight of each token",
    "values": "the sum of the values",
}


@by_edition
def judge(query: Query, fields: OneString) -> Outcome:
    """Judge the condition on the edition's table; the smallest failing string, with its first failing token, is the counterexample."""
    prepared = well_formed(query)
    if isinstance(prepared, Outcome):
        return prepared
    execution, witness = prepared
    instance = execution.instance
    first, last = steps(fields.steps)
    tokens = [t for t in instance.tokens if first <= t.step <= last]
    if others := [t.index for t in tokens if {bit.string for bit in t.reads} - {fields.string}]:
        return declined(f"token {others[0]} of steps {fields.steps} reads more than {fields.string}")
    query.within((1 << instance.m) * max(len(tokens), 1), f"tokens times strings of {instance.m} bits")
    says = fields.holds or f"v == {fields.is_}"
    lets, functions = query.claim.lets, supplied(query.claim.functions)
    names: dict[str, Given] = {**table_names(query, instance), "applied": applied(execution)}
    if fields.of == "column" and execution.sums > 1:
        return declined(f"W^V uses {execution.sums} columns; of = column is about one")
    holds, when = inlined_text(says, lets), inlined_text(fields.when, lets) if fields.when else None
    every = list(map(int, instance.problem.occurring(fields.string)))
    if when is not None:
        every = [x for x, ok in zip(every, _truths(when, names, fields.string, every, instance.m, functions), strict=True) if ok]
    rows = Rows(execution, tokens)
    made = [(x, place, value) for x in every for place, value in rows.values(fields.of, x)]
    holding = _truths(holds, names, fields.string, [x for x, _, _ in made], instance.m, functions, [v for _, _, v in made])
    wrong = [case for case, ok in zip(made, holding, strict=True) if not ok]
    cases, failures = len(made), len(wrong)
    counterexample: dict[str, str] = {}
    if wrong:
        x, place, value = wrong[0]
        counterexample = {fields.string: bits_of(x, instance.m), **place, "found": show(value)}
    what = f"{CALLED[fields.of]} of {'step' if first == last else 'steps'} {fields.steps.replace('..', ' to ')}"
    at, speaks = located(instance), f" with {fields.when}" if fields.when else ""
    if not cases:
        return declined(f"there is no promised {fields.string}{speaks} at {at}")
    count = "the 1 case" if cases == 1 else f"all {cases:,} cases"
    scope = Scope(f"{what}, in {count} over the promised {fields.string}{speaks} at {at}: {says}", cases, "enumeration")
    if not failures:
        return held(execution, scope, witness)
    point = {k: str(v) for k, v in instance.parameters.items()}
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"{what} is {counterexample['found']}; {fields.is_ or says} was claimed; fails on {failures:,} of them",
        counterexample={**point, **counterexample, "claimed": fields.is_ or says},
        failures=failures,
    )


def _truths(
    condition: Node,
    names: Mapping[str, Given],
    string: str,
    strings: list[int],
    length: int,
    functions: Functions,
    values: list[Number] | None = None,
) -> list[bool]:
    """The strings, with their value ``v``, for which the condition holds: all strings at once, by the formula's reading over arrays."""
    if not strings:
        return []
    known: dict[str, Any] = {**names, string: Strings.of(np.array(strings), length)}
    if values is not None:
        distinct = {v: k for k, v in enumerate(dict.fromkeys(values))}
        known["v"] = Quantity.listed(distinct).picked((len(distinct),), np.array([distinct[v] for v in values]))
    return [bool(x) for x in np.broadcast_to(arrays.truth(condition, known, functions), (len(strings),))]


@dataclass(frozen=True)
class Rows:
    """Tokens of a reading that read one string only."""

    execution: Execution
    tokens: list[Token]

    def values(self, of: str, x: int) -> Iterator[tuple[dict[str, str], Number]]:
        """The requested values at the string x, each with its token if every token has one."""
        terms = [(token, term(number(places, x))) for token, places, term in self._held]
        match of:
            case "weights":
                yield from (({"token": str(token.index)}, term.weight) for token, term in terms)
            case "running":
                sums: tuple[Number, ...] = (ZERO,) * self.execution.sums
                for token, term in terms:
                    sums = tuple(map(self._plus, sums, term.products))
                    yield {"token": str(token.index)}, self._numerator(sums)
            case "numerator":
                yield {}, self._numerator(tuple(self._added(t.products[k] for _, t in terms) for k in range(self.execution.sums)))
            case "column":
                yield {}, self._added(term.products[0] for _, term in terms)
            case "denominator":
                yield {}, self._added(term.weight for _, term in terms)
            case _:
                yield {}, self._exact_values(x)

    @cached_property
    def _held(self) -> list[tuple[Token, Places, Callable[[int], TokenTerm]]]:
        """The tokens, each with the places in the string of its bits, and with its terms by its bits; each term is computed once."""
        m, term = self.execution.instance.m, self.execution.term
        return [(token, tuple((m - bit.index, 0) for bit in token.reads), cache(partial(term, token))) for token in self.tokens]

    def _added(self, parts: Iterable[Number]) -> Number:
        """The sum of terms in their order, each sum rounded."""
        zero: Number = ZERO
        return reduce(self._plus, parts, zero)

    @cached_property
    def _plus(self) -> Callable[[Number, Number], Number]:
        """x + y, rounded; cached, because the strings repeat the same pairs."""
        return cache(self.execution.machine.add)

    @cached_property
    def _numerator(self) -> Callable[[tuple[Number, ...]], Number]:
        return cache(partial(numerator_of, self.execution))

    def _exact_values(self, x: int) -> Number:
        """Σ of the tokens' vectors times W^V, without rounding."""
        total: Number = ZERO
        weights = self.execution.value_weights
        for token in self.tokens:
            vector = token.vectors[token.pattern(x, x, self.execution.instance.m)]
            assert vector is not None
            for entry, weight in zip(vector, weights, strict=True):
                total = exact_sum(total, self.execution.context.product(weight, entry))
        return total
