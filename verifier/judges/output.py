"""Judging statements on the attention's output, on every promise pair."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.fixed_point_arrays import States, Truths
from verifier.engines.program import Criterion, Faults, Program
from verifier.judges.fields import Output
from verifier.judges.intermediate_values import contradicted, held, located
from verifier.judges.partial_sum import table_names
from verifier.judges.tables import well_formed
from verifier.judges.wording import parameter_text
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.tree import Node
from verifier.networks.evaluate import evaluate


def judge(query: Query, fields: Output) -> Outcome:
    """The condition on the output ``v`` on every promise pair of the kind that it speaks of. It may use the parameters, not y and z."""
    prepared = well_formed(query)
    if isinstance(prepared, Outcome):
        return prepared
    execution, witness = prepared
    instance = execution.instance
    says = fields.holds or f"v == {fields.is_}"
    label = f"{query.claim.name} at {parameter_text(instance.parameters)}"
    criterion = _criterion(says, fields, query.claim.lets, table_names(query, instance))
    census = enumerate_pairs(execution, query.limits.states, lambda done, total: query.advance(label, done, total), criterion)
    equal = instance.problem.occurring("y")
    yes = int(np.count_nonzero(instance.problem.promises(equal, equal)))
    on = fields.on if fields.otherwise is None else "all"
    cases = {"yes": yes, "no": census.cases - yes, "all": census.cases}[on]
    kind = "" if on == "all" else f"{on.upper()} "
    said = fields.is_ or says
    if fields.otherwise is not None:
        says = said = f"{says} on {fields.on.upper()} inputs, else {fields.otherwise}"
    at = located(instance)
    if cases == 0:
        return declined(f"there are no {kind}inputs at {at}")
    scope = Scope(f"all {cases:,} {kind}inputs at {at}: {says}", cases, census.method)
    if census.smallest is None:
        return held(execution, scope, witness)
    y, z = census.smallest
    found = evaluate(execution, y, z).attention
    return contradicted(query, execution, scope, witness, (y, z), found, "the output", said, census.failures)


def _criterion(says: str, fields: Output, lets: Mapping[str, str], names: Mapping[str, Fraction]) -> Criterion:
    """Where the condition fails, asked once for each value that the output takes; where it is NaN is not asked."""
    tree = inlined_text(says, lets)
    other = None if fields.otherwise is None else inlined_text(fields.otherwise, lets)

    def faults(program: Program, attention: States) -> Faults:
        states, places = np.unique(attention, return_inverse=True)
        outputs = [program.lattice.decode(s) for s in states]

        def failing(condition: Node | None) -> Truths:
            if condition is None:
                return np.zeros(attention.shape, dtype=bool)
            wrong = np.asarray([not exact.truth(condition, {**names, "v": v}) for v in outputs])
            return np.asarray(wrong[places].reshape(attention.shape))

        fails, otherwise = failing(tree), failing(other)
        on_no, on_yes = otherwise if fields.on == "yes" else fails, otherwise if fields.on == "no" else fails
        return Faults(on_no, on_yes, invalid=failing(None))

    return faults
