"""Judges of the search's domain: O(m) by QR decompositions, and whether a minimum is attained on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from verifier.claims.finite_cases import proved
from verifier.claims.model import Claim, Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, Reduction, judge
from verifier.language.definitions import inlined_text
from verifier.language.syntax import names_in, printed, quoted
from verifier.language.tree import Call, Name, Node, Numeral, Operation, Ranged, Signed, walk


def _of_every_size(claim: Claim, fixed: Mapping[str, int], *, objective: str) -> Reduction | None:
    """The expression is the same at every size: what it is made of, and that it divides by no 0 and has no negative power."""
    del fixed
    tree = inlined_text(objective, claim.lets)
    if _discontinuous(tree, frozenset(p.name for p in claim.parameters)) is not None:
        return None
    conditions = dict.fromkeys(_conditions(tree))
    return Reduction(tuple(conditions), "made of continuous operations at every size, on a closed and bounded set")


def _conditions(tree: Node) -> Iterator[str]:
    """For each divisor and exponent that it is positive, or not negative."""
    for part in walk(tree):
        match part:
            case Operation(_, "/", right):
                yield f"({printed(right)}) > 0"
            case Operation(_, "**", right):
                yield f"({printed(right)}) >= 0"


@judge(for_every=_of_every_size)
def attained(query: Query, *, objective: Formula) -> Outcome:
    """A continuous function has a minimum on O(m), which is closed (gᵀg = 1) and bounded (a column's squares add up to 1).

    Continuous are entries, sums, products, powers, absolute values, least and greatest values, and quotients by a constant that is not 0.

    objective: in entries of matrices.
    """
    tree = inlined_text(objective.text, query.claim.lets)
    scope = f"the expression as a function of g in O(m) {query.at}"
    broken = _discontinuous(tree, frozenset(query.parameters))
    if broken is not None:
        return Outcome(Verdict.OPEN, Scope(scope), reason=f"{quoted(broken)} is not known to be continuous")
    return proved(scope, "continuity", witness="made of continuous operations, on a closed and bounded set")


def _discontinuous(node: Node, sizes: frozenset[str]) -> Node | None:
    """The first part that is not made of continuous operations."""
    match node:
        case Numeral() | Name():
            return None
        case Signed("-" | "+", operand):
            return _discontinuous(operand, sizes)
        case Operation(left, "+" | "-" | "*", right):
            return _discontinuous(left, sizes) or _discontinuous(right, sizes)
        case Operation(left, "/", right) if names_in(right) <= sizes and not _has_entries(right):
            return _discontinuous(left, sizes)
        case Operation(left, "**", right) if names_in(right) <= sizes and not _has_entries(right):
            return _discontinuous(left, sizes)
        case Ranged("sum" | "min" | "max", body):
            return _discontinuous(body, sizes)
        case Call("abs" | "min" | "max", args):
            return next((found for a in args if (found := _discontinuous(a, sizes)) is not None), None)
        case Call("Q" | "K", (Name(), Name())):
            return None
    return node


def _has_entries(node: Node) -> bool:
    return any(isinstance(part, Call | Ranged) for part in walk(node))


DRAWN = 200


@judge
def components(query: Query) -> Outcome:
    """The determinants of Q for drawn M: as LAPACK has it (Householder reflections), and with a positive diagonal of R. A measurement."""
    m = query["m"]
    drawn = np.random.default_rng(m).standard_normal((DRAWN, m, m))
    q, r = np.linalg.qr(drawn)
    lapack = _signs(q)
    positive = _signs(q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :])
    witness = f"by Householder reflections (LAPACK) det {lapack}; with the diagonal of R made positive det {positive}"
    return Outcome(Verdict.VERIFIED, Scope(f"{DRAWN} drawn matrices {query.at}", DRAWN, "sampling"), witness=witness)


def _signs(matrices: np.ndarray) -> str:
    """``1`` or ``-1``, or both."""
    found = sorted({int(sign) for sign in np.rint(np.linalg.det(matrices))}, reverse=True)
    return " and ".join(map(str, found))
