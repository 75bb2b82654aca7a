"""Judging an input representation: whether every token has one content, and every bit that it reads exists."""

from __future__ import annotations

from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.editions import edition_file, table_parameters
from verifier.judges.evaluation import Reader
from verifier.judges.fields import Formula, InputRepresentation
from verifier.judges.formula import assignments
from verifier.judges.wording import witness_name
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.networks.instantiate import input_defects
from verifier.running.printable import assignment


@by_edition
def judge(query: Query, fields: InputRepresentation) -> Outcome:
    """Check the edition's table at every point: the first defect of its clauses is the counterexample."""
    claim, edition = query.claim, query.edition
    assert claim.table is not None
    reader = Reader(claim.functions)
    when = inlined_text(fields.when or "1 == 1", claim.lets)
    points = [names for names in assignments(query, Formula("1 == 1", fields.each), reader) if reader.truth(when, names)]
    tokens, ill = 0, []
    for names in points:
        at = {k: exact.integer(inlined_text(text, claim.lets), names, reader.functions) for k, text in fields.at.items()}
        given = at or query.parameters
        file, outside = edition_file(claim, edition, given)
        if outside and not fields.at:
            return declined(outside)
        parameters = table_parameters(claim, given)
        defects, looked_at = input_defects(file, parameters)
        tokens += looked_at
        if defects:
            ill.append((parameters, defects[0], len(defects)))
    if not points:
        return declined(f"there is no such point {query.at}".rstrip())
    many = f"{len(points):,} points" if fields.each else f"{tokens:,} tokens"
    scope = Scope(f"all {many} of the input representation {query.at}".rstrip(), len(points) if fields.each else tokens, "enumeration")
    witness = witness_name(claim.table.file_name, edition, claim.table.errata)
    if not ill:
        return Outcome(Verdict.VERIFIED, scope, witness)
    parameters, defect, count = ill[0]
    extent = f"at {len(ill)} of {len(points)} points" if fields.each else f"in {count} places"
    where = {k: str(v) for k, v in parameters.items()}
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"ill-formed {extent}; {assignment(parameters)}: {defect}",
        counterexample={**where, "place": defect.place, "defect": defect.message},
        failures=len(ill) if fields.each else None,
    )
