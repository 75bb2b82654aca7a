"""Lower bounds for floating point: Lemmas C.3, C.4, C.6 and C.7, and what they say of each other."""

from __future__ import annotations

from constructions.every_bit_counts.chapter import LINEAR, M_SOFTMAX, PAPER_ID, SOFTMAX, TABLE_7, TABLE_8
from constructions.every_bit_counts.transformer_bounds import ONE_NUMERATOR_SUM
from verifier.arithmetic.formats import Digits, floating_point_count
from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Question, Table
from verifier.construction.instantiate import complete, names_at
from verifier.errors import LimitError
from verifier.formulas.exact import integer
from verifier.problems import Problem, promise_at
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID, "floating")
LONGEST = 12


def problem_of(table: Table, given: dict[str, int]) -> Problem:
    """The function and promise of a table at these parameters, well-formed or not.

    Raises:
        LimitError: strings of more than 12 bits.
    """
    file = table.source.file
    names = names_at(file, complete(file, given))
    problem = Problem(file.problem.function, promise_at(file.problem.promise, names), integer(file.problem.length, names))
    if problem.length > LONGEST:
        raise LimitError(f"strings of {problem.length} bits; at most {LONGEST} are gone through pair by pair", "a smaller parameter")
    return problem


def fooling(problem: Problem, members: list[int], what: str, needed: int | None = None) -> Finding:
    """Whether the pairs (x, x) are a fooling set, and, where ``needed`` is given, whether it forces that many bits."""
    from lowerbounds.communication import on_strings
    from lowerbounds.fooling import check_fooling_set

    found = check_fooling_set(on_strings(problem), [(x, x) for x in members])
    scope = Scope(f"{what}: all {max(found.pairs, 1):,} pairs of {found.size:,} members", max(found.pairs, 1), "enumeration")
    if found.bad is not None:
        return Finding(Verdict.REFUTED, scope, reason=str(found.bad), counterexample={"pair": str(found.bad)})
    if needed is None or found.bits >= needed:
        return Finding(Verdict.VERIFIED, scope, f"fooling set of size {found.size:,}", reason=f"at least {found.bits} bits", failures=0)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"Alice has {found.size:,} different y only: naming hers takes {found.bits} bits, {needed} were claimed",
        counterexample={"claimed": str(needed), "found": str(found.bits), "inputs of Alice": str(found.size)},
    )


def communication_bound(problem: Problem, at: str) -> Finding:
    """At least m bits: all (x, x) that keep the promise are the largest fooling set there is, since naming y is a protocol."""
    members = [x for x in range(1 << problem.length) if problem.promised(x, x)]
    alone = {int(y) for y in problem.occurring("y")}
    assert alone == set(members), "a promised y without (y, y) would need an argument of its own"
    return fooling(problem, members, f"at least m = {problem.length} bits at {at}, {problem.promise}", problem.length)


def printed_members(t: int, e: int) -> list[int]:
    """The x of the printed set F: x_(m−1) x_m ≠ 10 and x_2 … x_e not all zero."""
    m = t + e
    return [x for x in range(1 << m) if x & 3 != 2 and (x >> (m - e)) & ((1 << e - 1) - 1) != 0]


def small(question: Question) -> tuple[int, int, str]:
    """t, e and a phrase that names them, for strings short enough to go through.

    Raises:
        LimitError: strings of more than 12 bits.
    """
    t, e = question["t"], question["e"]
    if t + e > LONGEST:
        raise LimitError(f"strings of {t + e} bits; at most {LONGEST} are gone through", "a smaller --t or --e")
    return t, e, f"t = {t}, e = {e}"


@chapter.claim(
    "lemma-c.3",
    statement="Under the promise of Appendix C.1, deciding EQ_m takes Alice at least m = t + e bits of one-way messages.",
    place="Appendix C.1, Lemma C.3",
    checks="all (x, x) that keep the promise, pair by pair; their number decides, as naming y is a protocol",
    parameters=LINEAR,
    bounded=False,
)
def lemma_c_3(question: Question) -> Finding:
    _, _, at = small(question)
    return communication_bound(problem_of(TABLE_7, dict(question.parameters)), at)


def one_message_bound(question: Question, problem: Problem, at: str) -> Finding:
    """No format (t', e') with t' + e' = m − 1 has as many values of one sum as Alice has promised inputs."""
    m, inputs = problem.length, len(problem.occurring("y"))
    formats = [Digits(k, m - 1 - k) for k in range(1, m - 1)]
    infinities = 2 if question.semantics.overflow != "saturate" else 0
    extra = {d: 2 * ((1 << d.t - 1) - 1) if question.semantics.underflow == "subnormals" else 0 for d in formats}
    checked = for_each(
        formats,
        lambda d: floating_point_count(d) + infinities + extra[d] < inputs,
        lambda d: {"t'": str(d.t), "e'": str(d.e), "messages": str(floating_point_count(d) + infinities + extra[d]), "inputs": str(inputs)},
        lambda cases: Scope(f"all {cases:,} formats of m − 1 = {m - 1} bits against {inputs:,} inputs of Alice at {at}", cases, "counting"),
        "one number of m − 1 bits tells all of Alice's inputs apart",
        assumptions=(ONE_NUMERATOR_SUM,) if question.semantics.order == "ax" else (),
        witness="message count; any two promised y1 < y2 differ at z = y2",
    )
    if checked.verdict is not Verdict.REFUTED:
        return checked
    return Finding(Verdict.OPEN, checked.scope, reason=f"the counting proves nothing here: {checked.reason}")


@chapter.claim(
    "lemma-c.4",
    statement="A linear transformer (d_v = 1, one head) that computes EQ_m on T2 needs at least m bits of floating-point precision.",
    place="Appendix C.1, Lemma C.4",
    checks="for every format with m − 1 bits, how many messages one sum can be against Alice's promised inputs",
    parameters=LINEAR,
)
def lemma_c_4(question: Question) -> Finding:
    _, _, at = small(question)
    return one_message_bound(question, problem_of(TABLE_7, dict(question.parameters)), at)


@chapter.claim(
    "lemma-c.6",
    statement="Under the promise of Appendix C.2, deciding EQ_m takes Alice at least m bits of one-way messages.",
    place="Appendix C.2, Lemma C.6",
    checks="all (x, x) that keep the promise, pair by pair",
    parameters=SOFTMAX,
    bounded=False,
)
def lemma_c_6(question: Question) -> Finding:
    return communication_bound(problem_of(TABLE_8, dict(question.parameters)), f"m = {question['m']}, e = {question['e']}")


@chapter.claim(
    "lemma-c.6:same-proof",
    statement="The fooling set of Lemma C.3's proof is one for the promise of Appendix C.2 too: the proof is the same.",
    place="Appendix C.2, proof of Lemma C.6",
    checks="every member and every pair of members",
    parameters=SOFTMAX,
    bounded=False,
    errata=(Erratum("the set of Lemma C.3", "all (x, x) that keep the promise", "members with x_1 … x_e = 1…1 break the promise"),),
)
def same_proof(question: Question) -> Finding:
    m, e = question["m"], question["e"]
    problem = problem_of(TABLE_8, dict(question.parameters))
    if question.edition is Edition.REPAIRED:
        return communication_bound(problem, f"m = {m}, e = {e}")
    return fooling(problem, printed_members(m - e, e), f"the set of Lemma C.3 at m = {m}, e = {e}")


@chapter.claim(
    "lemma-c.7",
    statement="A linear transformer (d_v = 1, one head) that computes EQ_m under the promise of C.2 needs at least m bits of precision.",
    place="Appendix C.2, Lemma C.7",
    checks="for every floating-point format with m − 1 bits, how many messages one sum can be against Alice's promised inputs",
    parameters=SOFTMAX,
)
def lemma_c_7(question: Question) -> Finding:
    return one_message_bound(question, problem_of(TABLE_8, dict(question.parameters)), f"m = {question['m']}, e = {question['e']}")


@chapter.claim(
    "lemma-c.7:bits",
    statement="Lemma C.7 (precision at least m) and the last line of its proof (at least ⌈m/2⌉) state one bound.",
    place="Appendix C.2, Lemma C.7 and its proof",
    checks="the two numbers side by side",
    parameters=(M_SOFTMAX,),
    bounded=False,
    errata=(Erratum("p ≥ m", "p ≥ ⌈m/2⌉", "a softmax transformer sends two numbers, as the proof it refers to says"),),
)
def bound_twice(question: Question) -> Finding:
    m = question["m"]
    claimed = m if question.edition is not Edition.REPAIRED else (m + 1) // 2
    return side_by_side("bits of the lower bound", claimed, (m + 1) // 2, where=f"m = {m}")


@chapter.claim(
    "lemma-c.7:against-lemma-c.8",
    statement="The bound of Lemma C.7, m bits, is not above the precision of Lemma C.8, ⌈m/2⌉ + log ⌈m/2⌉ bits (both about one T_m).",
    place="Appendix C.2, Lemmas C.7 and C.8",
    checks="the two numbers side by side, the logarithm rounded up",
    parameters=(M_SOFTMAX,),
    bounded=False,
    errata=(Erratum("p ≥ m", "p ≥ ⌈m/2⌉", "as the proof of Lemma C.7 ends"),),
)
def bound_against_upper(question: Question) -> Finding:
    m = question["m"]
    h = (m + 1) // 2
    lower = h if question.edition is Edition.REPAIRED else m
    upper = h + (h - 1).bit_length()
    scope = Scope(f"lower bound {lower}, precision of the construction {upper} at m = {m}", 1, "algebra")
    if lower <= upper:
        return Finding(Verdict.VERIFIED, scope)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"at least {lower} bits by Lemma C.7, {upper} bits by Lemma C.8",
        counterexample={"m": str(m), "lemma C.7": str(lower), "lemma C.8": str(upper)},
    )
