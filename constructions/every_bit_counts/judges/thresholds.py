"""How long strings can be for 1, 2 and 3 bits with one value column, by search (ours)."""

from __future__ import annotations

from msgspec import Struct

from lowerbounds.alphabets import exclusion
from verifier.arithmetic.numbers import Number, show
from verifier.errors import LimitError
from verifier.formulas.exact import integer
from verifier.statements.model import Question
from verifier.verdicts import Edition, Finding, Scope, Verdict

MOST_BITS = 3
"""The searches over all choices end within seconds up to here."""
MOST_CLAUSES = 60_000


class Sizes(Struct, frozen=True, forbid_unknown_fields=True):
    """bits of the numbers and length of the strings, as formulas in the parameters."""

    bits: str
    length: str


def _sizes(question: Question, given: Sizes) -> tuple[int, int, str]:
    """Both sizes, and where they are.

    Raises:
        LimitError: more bits than the searches take, or a semantics that they do not know.
    """
    q, m = (integer(text, question.names) for text in (given.bits, given.length))
    if q > MOST_BITS:
        raise LimitError(f"{q} bits: the searches are made for {MOST_BITS} bits at most", "a smaller --q")
    if question.semantics.order != "ax" or question.semantics.ln2 != "ideal":
        raise LimitError("the search knows the order ax with ideal ln 2", "--semantics a4")
    return q, m, f"at q = {q}, m = {m}"


def _excluded(scope: Scope, reason: str, q: int, m: int) -> Finding:
    return Finding(Verdict.REFUTED, scope, reason=reason, counterexample={"q": str(q), "m": str(m)})


def tell_apart(question: Question, given: Sizes) -> Finding:
    """Whether some weights and values give all of Alice's strings different pairs of sums: by counting, or every choice of every token."""
    from lowerbounds import thresholds

    q, m, at = _sizes(question, given)
    count = exclusion(question.semantics, q, m)
    if count.proves:
        return _excluded(Scope(f"every choice {at}", count.messages, "counting"), str(count), q, m)
    try:
        found = thresholds.tell_apart(question.semantics, q, m)
    except LimitError as limit:
        return Finding(Verdict.OPEN, Scope(at), reason=f"not settled: {limit}")
    if found.table is None:
        sizes = ", ".join(f"{n:,}" for n in found.sets)
        reason = f"complete enumeration: {sizes} sets of different messages after 1, 2, … tokens, and none goes on"
        return _excluded(Scope(f"every choice {at}", sum(found.sets), "enumeration"), reason, q, m)
    if not thresholds.replays(question.semantics, q, found.table):
        raise AssertionError("the table found does not replay")
    table = {f"token {i}": f"0: {_shown(zero)}, 1: {_shown(one)}" for i, (zero, one) in enumerate(found.table, 1)}
    scope = Scope(f"all {2**m:,} strings {at}", 2**m, "replay")
    return Finding(Verdict.VERIFIED, scope, "a table of (product, weight)", values=table, failures=0)


def _shown(sums: tuple[Number, ...]) -> str:
    return f"({', '.join(map(show, sums))})"


class OneColumnSizes(Sizes, frozen=True, forbid_unknown_fields=True):
    """apart: the claim that Alice's strings can be told apart, without which nothing is decided."""

    apart: str


def one_column(question: Question, given: OneColumnSizes) -> Finding:
    """Whether some weights, products and accepted outputs decide EQ_m on T0, n = 2m: a SAT problem for each weight of the value column."""
    from lowerbounds.one_column import OneColumn, tokens_of, value_weights

    q, m, at = _sizes(question, given)
    apart = question.ask(given.apart, Edition.STATEMENT, q=q, m=m)
    if apart.verdict is Verdict.REFUTED:
        return apart
    weights = value_weights(question.semantics.machine(q))
    if not weights:
        return _excluded(Scope(f"every weight at q = {q}", 1, "enumeration"), f"{q}-bit numbers have no positive value", q, m)
    sizes = []
    for weight in weights:
        problem = OneColumn(question.semantics, q, m, tokens_of("T0", m, 2 * m), weight, MOST_CLAUSES)
        try:
            outcome = problem.solve()
        except LimitError as limit:
            return Finding(Verdict.OPEN, Scope(at), reason=f"not settled: {limit}")
        sizes.append(f"W^V = {weight}: {outcome.variables:,} variables, {outcome.clauses:,} clauses")
        if outcome.satisfiable:
            if not problem.replay(outcome):
                raise AssertionError("the solver's table does not replay")
            cases = 2**m * (2**m + 1) // 2
            scope = Scope(f"all {cases:,} pairs y <= z {at}", cases, "replay")
            return Finding(Verdict.VERIFIED, scope, "a table found by SAT", reason="; ".join(sizes), failures=0)
    reason = f"unsatisfiable: {'; '.join(sizes)}; no proof is kept, the replay solves it again"
    return _excluded(Scope(f"every choice {at}, n = {2 * m}", len(weights), "SAT (CaDiCaL)"), reason, q, m)
