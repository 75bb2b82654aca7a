"""Check a proof that clauses cannot all be satisfied: each lemma follows by unit propagation, and the last one is empty.

Glucose writes the proof (DRUP); MiniSat's unit propagation checks it lemma by lemma, so no solver's search is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.running.errors import MissingExtraError

Clause = list[int]


class UncheckedError(Exception):
    """A lemma does not follow by unit propagation, or no contradiction is reached."""


def proved_unsatisfiable(clauses: Sequence[Clause]) -> int | None:
    """The number of lemmas of a checked proof, or None if the clauses can be satisfied.

    Raises:
        MissingExtraError: python-sat is not installed.
        UncheckedError: the proof is invalid.
    """
    try:
        from pysat.solvers import Glucose4
    except ImportError:
        raise MissingExtraError("the search needs python-sat", "search") from None
    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve():
            return None
        lemmas = [list(map(int, line.split()))[:-1] for line in solver.get_proof() if not line.startswith("d")]
    check(clauses, lemmas)
    return len(lemmas)


def check(clauses: Sequence[Clause], lemmas: Sequence[Clause]) -> None:
    """Check that every lemma follows from the clauses and earlier lemmas by unit propagation, and that they end in a contradiction.

    Raises:
        UncheckedError: a lemma does not follow, or there is no contradiction at the end.
    """
    from pysat.solvers import Minisat22

    with Minisat22(bootstrap_with=clauses) as propagation:
        for number, lemma in enumerate(lemmas, 1):
            follows, _ = propagation.propagate(assumptions=[-literal for literal in lemma])
            if follows:
                raise UncheckedError(f"lemma {number} of {len(lemmas)} does not follow by unit propagation")
            propagation.add_clause(lemma)
        open_still, _ = propagation.propagate()
        if open_still:
            raise UncheckedError(f"{len(lemmas)} lemmas reach no contradiction")
