"""How long strings can be with one value column, for the fewest bits by search (ours)."""

from __future__ import annotations

from dataclasses import replace

from lowerbounds.alphabets import exclusion
from lowerbounds.one_column import Attempt
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.claims.model import Query, declined
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Integer, judge
from verifier.running.errors import LimitError

MOST_BITS = 3
"""The searches over all choices end within seconds up to here."""
MOST_CLAUSES = 60_000


def _searched(query: Query, q: int, m: int) -> str:
    """Where the sizes are: q bits of the numbers, and m of the strings.

    Raises:
        LimitError: more bits than the searches take, or a semantics that they do not know.
    """
    if q > MOST_BITS:
        raise LimitError(f"{q} bits: the searches are made for {MOST_BITS} bits at most", "a smaller --q")
    if query.semantics.order != "ax" or query.semantics.ln2 != "ideal":
        raise LimitError("the search knows the order ax with ideal ln 2", "--semantics a4")
    return f"at q = {q}, m = {m}"


def _excluded(scope: Scope, reason: str, q: int, m: int) -> Outcome:
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={"q": str(q), "m": str(m)})


@judge
def tell_apart(query: Query, *, bits: Integer, length: Integer) -> Outcome:
    """Whether some weights and values give all of Alice's strings different pairs of sums: by counting, or every choice of every token."""
    from lowerbounds import thresholds

    q, m, at = bits, length, _searched(query, bits, length)
    count = exclusion(query.semantics, q, m)
    if count.proves:
        return _excluded(Scope(f"every choice {at}", count.messages, "counting"), str(count), q, m)
    try:
        found = thresholds.tell_apart(query.semantics, q, m)
    except LimitError as limit:
        return Outcome(Verdict.OPEN, Scope(at), reason=f"not settled: {limit}")
    if found.table is None:
        sizes = ", ".join(f"{n:,}" for n in found.sets)
        reason = f"complete enumeration: {sizes} sets of different messages after 1, 2, … tokens, and none goes on"
        return _excluded(Scope(f"every choice {at}", sum(found.sets), "enumeration"), reason, q, m)
    if not thresholds.replays(query.semantics, q, found.table):
        raise AssertionError("the table found does not replay")
    table = {f"token {i}": f"0: {zero}, 1: {one}" for i, (zero, one) in enumerate(found.table, 1)}
    scope = Scope(f"all {2**m:,} strings {at}", 2**m, "replay")
    return Outcome(Verdict.VERIFIED, scope, f"a table of (score, value) of {q} bits, the weight is 2^score", values=table, failures=0)


@judge
def one_column(query: Query, *, bits: Integer, length: Integer, apart: str) -> Outcome:
    """Whether some weights, products and accepted outputs decide EQ_m on T0, n = 2m: a SAT problem for each weight of the value column.

    apart: the claim that Alice's strings can be told apart, without which nothing is decided.
    """
    from lowerbounds.one_column import OneColumn, tokens_of, value_weights

    q, m, at = bits, length, _searched(query, bits, length)
    told = query.ask(apart, Edition.STATEMENT, q=q, m=m)
    if told.verdict is Verdict.REFUTED:
        return told
    weights = value_weights(query.semantics.machine(q))
    if not weights:
        return _excluded(Scope(f"every weight at q = {q}", 1, "enumeration"), f"{q}-bit numbers have no positive value", q, m)
    sizes = []
    for weight in weights:
        problem = OneColumn(query.semantics, q, m, tokens_of("T0", m, 2 * m), weight, MOST_CLAUSES)
        try:
            outcome = problem.solve(proved=True)
        except LimitError as limit:
            return Outcome(Verdict.OPEN, Scope(at), reason=f"not settled: {limit}")
        sizes.append(_size(weight, outcome))
        if outcome.satisfiable:
            if not problem.replay(outcome):
                raise AssertionError("the solver's table does not replay")
            cases = 2**m * (2**m + 1) // 2
            scope = Scope(f"all {cases:,} pairs y <= z {at}", cases, "replay")
            return Outcome(Verdict.VERIFIED, scope, "a table found by SAT", reason="; ".join(sizes), failures=0)
    reason = f"unsatisfiable: {'; '.join(sizes)}; unit propagation checks every lemma"
    return _excluded(Scope(f"every choice {at}, n = {2 * m}", len(weights), "SAT (CaDiCaL)"), reason, q, m)


def _size(weight: Fraction, outcome: Attempt) -> str:
    proof = f", a proof of {outcome.lemmas:,} lemmas" if outcome.lemmas else ""
    return f"W^V = {weight}: {outcome.variables:,} variables, {outcome.clauses:,} clauses{proof}"


MOST_TOKENS = 14
"""How many tokens, the last one included, the SAT search takes."""


@judge
def one_value_column(query: Query, *, bits: Integer, length: Integer, n: Integer, representation: str, known: str) -> Outcome:
    """Whether a transformer whose W^V has one nonzero row computes EQ_m: the known one, or, outside its domain, every choice.

    The choice is of weights and values, representable, with ideal ln 2, and of the outputs that are accepted, as a SAT problem.

    n: the last token; representation: of the input; known: the claim of a table with one column, where it says something.
    """
    from lowerbounds.one_column import search

    table = find_claim(f"{query.claim.paper}/{known}")
    if table.outside(query.parameters) is None:
        return query.ask(table.id, Edition.STATEMENT)
    p, m = bits, length
    if n + 1 > MOST_TOKENS:
        raise LimitError(f"the search takes at most {MOST_TOKENS} tokens, n + 1 = {n + 1}", "a smaller --n")
    if query.semantics.order == "values" or query.semantics.ln2 != "ideal":
        raise LimitError("the search knows the orders ax and products, with ideal ln 2", "--semantics a4 or narrative")
    outcomes = search(query.semantics, p, representation, m, n, proved=True)
    weights = ", ".join(str(weight) for weight, _ in outcomes)
    choices = f"every choice of a weight and a value for each token and bit, W^V in {weights} or their negatives, any final MLP"
    scope = Scope(f"{choices} {query.at}, m = {m}", len(outcomes), "SAT (CaDiCaL)")
    sizes = "; ".join(_size(weight, outcome) for weight, outcome in outcomes)
    if outcomes[-1][1].satisfiable:
        return Outcome(Verdict.VERIFIED, scope, witness="a table found by SAT, run on every promise pair", reason=sizes)
    reason = f"no table exists: unsatisfiable for every W^V ({sizes}); unit propagation checks every lemma"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={"p": str(p), "n": str(n), "m": str(m)})


MOST_SEARCHED = 4
"""Bits up to which every choice on a grid is searched."""


@judge
def fewest_on_a_grid(
    query: Query, *, p: Integer, length: Integer, tokens: Integer, representation: str, order: str, excluded: str = "", known: str = ""
) -> Outcome:
    """The fewest bits of one fixed grid with which one value column and any set of accepted outputs compute EQ_m, or bounds.

    Every weight and value of every token, and every set of outputs, as SAT problems of ascending bits, where there are few tokens.
    Otherwise p or more bits by what excludes fewer, and p + 1 at most by a table.

    tokens: the number n of tokens before the last one; representation: of the input; order: ``ax`` or ``products``;
    excluded: the claim that q bits do not tell all of Alice's strings apart; known: the claim of a table of p + 1 bits.
    """
    from lowerbounds.one_column import search

    semantics = replace(query.semantics, point="grid", order=order)
    if tokens + 1 > MOST_TOKENS and known:
        return _bounds(query, p, length, tokens, semantics, excluded, known)
    if tokens + 1 > MOST_TOKENS or semantics.ln2 != "ideal":
        raise LimitError(f"the search takes {MOST_TOKENS} tokens, and ideal ln 2", "a smaller --p")
    for bits in range(1, MOST_SEARCHED + 1):
        found = search(semantics, bits, representation, length, tokens, proved=True)
        if found and found[-1][1].satisfiable:
            scope = Scope(f"every choice with up to {bits} bits {query.at}, m = {length}", bits, "SAT (CaDiCaL)")
            fewer = f"with {bits - 1} no table exists" if bits > 1 else "there are no fewer"
            return Outcome(Verdict.VERIFIED, scope, f"{bits} bits; {fewer}")
    return declined(f"no table with up to {MOST_SEARCHED} bits {query.at}")


def _bounds(query: Query, p: int, length: int, tokens: int, semantics: Semantics, excluded: str, known: str) -> Outcome:
    def ask(claim: str, **parameters: int) -> Outcome:
        return query.asker.ask(f"{query.claim.paper}/{claim}", Edition.STATEMENT, parameters, semantics)

    above, below = ask(known, p=p + 1, n=tokens), ask(excluded, q=p, m=length)
    if above.verdict is not Verdict.VERIFIED:
        return declined(f"no table with {p + 1} bits is known {query.at}")
    enough = f"{p + 1} are enough by {known}"
    if below.verdict is Verdict.VERIFIED:
        scope = Scope(f"{below.scope.statement}; {above.scope.statement}", below.scope.cases, below.scope.method)
        return Outcome(Verdict.VERIFIED, scope, f"{p + 1} bits; with {p} the running sums do not tell all strings y apart, and {enough}")
    counted = exclusion(semantics, p - 1, length)
    if not counted.proves:
        return declined(f"{p - 1} bits are not excluded by counting {query.at}")
    scope = Scope(f"every choice with {p - 1} bits {query.at}; {above.scope.statement}", counted.messages, "counting")
    return Outcome(Verdict.VERIFIED, scope, f"{p} or {p + 1} bits; with {p - 1} there are too few pairs of sums ({counted}), and {enough}")
