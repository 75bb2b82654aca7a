"""The bits of a string that a table's tokens hold, as Appendix C's sentences describe them, read from the construction file."""

from __future__ import annotations

from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import at_point
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import judge
from verifier.judges.editions import edition_file, table_parameters
from verifier.judges.wording import witness_name
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.networks import indices
from verifier.networks.indices import index_set
from verifier.networks.instantiate import names_at
from verifier.networks.records import ConstructionFile


@judge
@by_edition
def held(query: Query, *, steps: str, holds: str, string: str = "y", field: int | None = None, quantity: str | None = None) -> Outcome:
    """The condition, by the clauses and rows of the edition's table, whether it is well-formed or not.

    holds:    a condition on the places of the string that the tokens of the rows ``steps`` (``4``, ``1..2``) hold: on their ``count``, the
    ``first`` and the ``last`` of them;
    field:    the field of the tokens (1, 2, …), all of them if none is named.
    quantity: a quantity of the table, whose places are ``defined_first`` … ``defined_last``.
    """
    claim, edition = query.claim, query.edition
    assert claim.table is not None
    file, outside = edition_file(claim, edition, query.parameters)
    if outside:
        return declined(outside)
    names = names_at(file, table_parameters(claim, query.parameters))
    places = sorted(_places(file, names, steps, string, field))
    if not places:
        return declined(f"the tokens of the rows {steps} hold no bit of {string} {query.at}")
    found = {"first": places[0], "last": places[-1], "count": len(places)}
    if quantity is not None:
        defined = [bit.index for bit in indices.field(file.quantities[quantity], names, 0)]
        found |= {"defined_first": defined[0], "defined_last": defined[-1]}
    known = {**query.names, **{k: Fraction(v) for k, v in found.items()}}
    kept = exact.truth(inlined_text(holds, claim.lets), known)
    rows = f"{'steps' if '..' in steps else 'step'} {steps.replace('..', ' to ')}"
    shown = f"{string}_{places[0]} … {string}_{places[-1]}, {len(places)} bits"
    scope = Scope(f"the tokens of {rows} {query.at} hold {shown}: {holds}", len(places), "enumeration")
    witness = witness_name(claim.table.file_name, edition, claim.table.errata)
    if kept:
        return Outcome(Verdict.VERIFIED, scope, witness)
    point = at_point(query)
    counterexample = {**point, **{k.replace("_", " "): str(v) for k, v in found.items()}}
    return Outcome(Verdict.REFUTED, scope, witness, reason=f"the tokens hold {shown}", counterexample=counterexample)


def _places(file: ConstructionFile, names: dict[str, Fraction], steps: str, string: str, number: int | None) -> set[int]:
    """The places of the string, by the clauses that give the rows' tokens their content."""
    first, _, last = steps.partition("..")
    numbers = range(int(first), int(last or first) + 1)
    tokens = {i for row in file.row if row.step in numbers for i in index_set(row.i, names)}
    places = set()
    for clause in file.input:
        reads = clause.reads if isinstance(clause.reads, list) else [clause.reads]
        chosen = reads if number is None else reads[number - 1 : number]
        for i in tokens.intersection(index_set(clause.i, names)):
            places |= {bit.index for text in chosen for bit in indices.field(text, names, i) if bit.string == string}
    return places
