"""Thresholds for the smallest sizes: how long strings can be for 1, 2 and 3 bits, with one value column, by search (ours)."""

from __future__ import annotations

from constructions.every_bit_counts.chapter import PAPER_ID
from verifier.arithmetic.numbers import Number, show
from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question
from verifier.errors import LimitError
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

Q = Parameter("q", "bits of the numbers", "q >= 1", typical="1..3")
M = Parameter("m", "length of the strings", "m >= 1", typical="1..3")
MOST_CLAUSES = 60_000


@chapter.claim(
    "theorem-2.1:tell-apart",
    statement="Ours: with one used value column, some q-bit weights and values give all y of Alice's on T0 different pairs of sums.",
    place="on Section 2.1, Theorem 2.1: a necessary condition for EQ_m",
    checks="counting; every choice for every token, by enumerating the sets of different messages; a table found is run on every string",
    parameters=(Q, M),
)
def told_apart(question: Question) -> Finding:
    from lowerbounds.alphabets import exclusion
    from lowerbounds.thresholds import replays, tell_apart

    if question.edition is not Edition.STATEMENT:
        return question.ask(question.claim.id, Edition.STATEMENT)
    q, m = question["q"], question["m"]
    _supported(question)
    count = exclusion(question.semantics, q, m)
    if count.proves:
        scope = Scope(f"every choice at q = {q}, m = {m}", count.messages, "counting")
        return Finding(Verdict.REFUTED, scope, reason=str(count), counterexample={"q": str(q), "m": str(m)})
    try:
        found = tell_apart(question.semantics, q, m)
    except LimitError as limit:
        return Finding(Verdict.OPEN, Scope(f"q = {q}, m = {m}"), reason=f"not settled: {limit}")
    sizes = ", ".join(f"{n:,}" for n in found.sets)
    if found.table is None:
        scope = Scope(f"every choice at q = {q}, m = {m}", sum(found.sets), "enumeration")
        reason = f"complete enumeration: {sizes} sets of different messages after 1, 2, … tokens, and none goes on"
        return Finding(Verdict.REFUTED, scope, reason=reason, counterexample={"q": str(q), "m": str(m)})
    if not replays(question.semantics, q, found.table):
        raise AssertionError("the table found does not replay")
    scope = Scope(f"all {2**m:,} strings at q = {q}, m = {m}", 2**m, "replay")
    table = {f"token {i}": f"0: {_shown(zero)}, 1: {_shown(one)}" for i, (zero, one) in enumerate(found.table, 1)}
    return Finding(Verdict.VERIFIED, scope, "a table of (product, weight)", values=table, failures=0)


def _shown(sums: tuple[Number, ...]) -> str:
    return f"({', '.join(map(show, sums))})"


@chapter.claim(
    "theorem-2.1:one-column",
    statement="Ours: with one used value column of nonzero weight, q bits and some set of accepted outputs decide EQ_m on T0, n = 2m.",
    place="on Section 2.1, Theorem 2.1",
    checks="whether all strings can be told apart; every choice of weights, products and accepted outputs, as a SAT problem",
    parameters=(Q, M),
)
def one_column(question: Question) -> Finding:
    from lowerbounds.one_column import OneColumn, tokens_of, value_weights

    if question.edition is not Edition.STATEMENT:
        return question.ask(question.claim.id, Edition.STATEMENT)
    q, m = question["q"], question["m"]
    _supported(question)
    apart = question.ask(f"{PAPER_ID}/theorem-2.1:tell-apart")
    if apart.verdict is Verdict.REFUTED:
        return apart
    weights = value_weights(question.semantics.machine(q))
    if not weights:
        scope = Scope(f"every weight at q = {q}", 1, "enumeration")
        return Finding(Verdict.REFUTED, scope, reason=f"{q}-bit numbers have no positive value", counterexample={"q": str(q), "m": str(m)})
    sizes = []
    for weight in weights:
        problem = OneColumn(question.semantics, q, m, tokens_of("T0", m, 2 * m), weight, MOST_CLAUSES)
        try:
            outcome = problem.solve()
        except LimitError as limit:
            return Finding(Verdict.OPEN, Scope(f"q = {q}, m = {m}"), reason=f"not settled: {limit}")
        sizes.append(f"W^V = {weight}: {outcome.variables:,} variables, {outcome.clauses:,} clauses")
        if outcome.satisfiable:
            if not problem.replay(outcome):
                raise AssertionError("the solver's table does not replay")
            cases = 2**m * (2**m + 1) // 2
            scope = Scope(f"all {cases:,} pairs y <= z at q = {q}, m = {m}", cases, "replay")
            return Finding(Verdict.VERIFIED, scope, "a table found by SAT", reason="; ".join(sizes), failures=0)
    scope = Scope(f"every choice at q = {q}, m = {m}, n = {2 * m}", len(weights), "SAT (CaDiCaL)")
    reason = f"unsatisfiable: {'; '.join(sizes)}; no proof is kept, the replay solves it again"
    return Finding(Verdict.REFUTED, scope, reason=reason, counterexample={"q": str(q), "m": str(m)})


def _supported(question: Question) -> None:
    if question["q"] > 3:
        raise LimitError(f"q = {question['q']}: the searches are made for 3 bits at most", "a smaller --q")
    if question.semantics.order != "ax" or question.semantics.ln2 != "ideal":
        raise LimitError("the search knows the order ax with ideal ln 2", "--semantics a4")
