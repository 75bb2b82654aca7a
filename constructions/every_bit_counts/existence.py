"""Witnesses of ours for the existence lemmas, and the transformer of two bits that the lower bounds have not excluded."""

from __future__ import annotations

from dataclasses import replace

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question, Table
from verifier.claims.tables import judge_table, parameter_text

from constructions.every_bit_counts.chapter import N_SIMPLE, N_TIGHT, PAPER_ID
from constructions.every_bit_counts.two_bits import BITS, VARIANTS, Variant, two_bit_construction
from verifier.arithmetic.numbers import ONE
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.engines.columns import walk_columns
from verifier.engines.enumerate import enumerate_pairs
from verifier.errors import LimitError
from verifier.semantics import Semantics
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

WITNESS_T1 = Table(__package__, "witness-t1", errata=False)
WITNESS_T0 = Table(__package__, "witness-t0", errata=False)
WITNESS_T0_P3 = Table(__package__, "witness-t0-p3", errata=False)
WITNESS_SIMPLE = Table(__package__, "witness-t0-simple", errata=False)

N_ROOM = Parameter("n", "tokens before the last one, with room for T1", "n > 4*p + 1", default="4*p + 2")

CHECKS = "the construction file on every promise pair"


def by_file(question: Question) -> Finding:
    """The claim's own table, which has no errata and is not printed anywhere."""
    assert question.claim.table is not None
    finding = judge_table(question, Edition.PRINTED)
    return replace(finding, witness=question.claim.table.file_name if finding.witness else None)


def ours(name: str, statement: str, place: str, p: Parameter, n: Parameter, table: Table) -> None:
    """A construction file of ours as a claim."""
    chapter.claim(name, statement=f"Ours: {statement}", place=place, checks=CHECKS, parameters=(p, n), table=table)(by_file)


PADDING = "on Section 2.2, the remark on padding tokens after Theorem 2.4"

ours(
    "lemma-2.6:denominator-first",
    "witness-t1, denominator first (p − 1 bits of the strings), computes EQ_m on T1 with p bits, m = 2p − 1.",
    "evidence for Section 2.2, Lemma 2.6",
    Parameter("p", "bits of precision, with m = 2p − 1", "p >= 3", typical="3..10"),
    N_TIGHT,
    WITNESS_T1,
)
ours(
    "lemma-2.6:without-padding",
    "witness-t0 computes EQ_m with p bits, m = 2p − 1, on T0: the padding of T1 is not needed from p = 4 on.",
    PADDING,
    Parameter("p", "bits of precision, with m = 2p − 1", "p >= 4", typical="4..10"),
    N_SIMPLE,
    WITNESS_T0,
)
ours(
    "lemma-2.6:without-padding-at-3",
    "witness-t0-p3, found by SAT, computes EQ_5 with 3 bits on T0: the padding of T1 is not needed at p = 3 either.",
    PADDING,
    Parameter("p", "bits of precision", "p == 3", typical="3..3"),
    N_SIMPLE,
    WITNESS_T0_P3,
)
ours(
    "lemma-2.3:denominator-first",
    "witness-t0-simple, denominator first (p − 2 bits of the strings), computes EQ_m on T0 with p bits, m = 2p − 3.",
    "evidence for Section 2.1, Lemma 2.3",
    Parameter("p", "bits of precision, with m = 2p − 3", "p >= 3", typical="3..10"),
    N_SIMPLE,
    WITNESS_SIMPLE,
)


@chapter.claim(
    "lemma-2.6:one-value-column",
    statement="Ours: one column of A X is enough: a transformer whose W^V has one nonzero row computes EQ_m on T1 with p bits, m = 2p − 1.",
    place="on Section 2.2, Lemma 2.6",
    checks="witness-t1 from p = 3 on; at p = 2 every choice of weights and values, representable, with ideal ln 2, as a SAT problem",
    parameters=(Parameter("p", "bits of precision, with m = 2p − 1", "p >= 2", typical="3..10"), N_ROOM),
)
def one_value_column(question: Question) -> Finding:
    if question["p"] > 2:
        return question.ask(f"{PAPER_ID}/lemma-2.6:denominator-first", Edition.STATEMENT)
    return no_one_column(question, "T1", 2 * question["p"] - 1)


MOST_TOKENS = 14
"""How many tokens, the last one included, the SAT search takes."""


def no_one_column(question: Question, representation: str, m: int) -> Finding:
    """The search over all transformers with one used value column, for the semantics' one running sum."""
    from lowerbounds.one_column import search

    p, n = question["p"], question["n"]
    if n + 1 > MOST_TOKENS:
        raise LimitError(f"the search takes at most {MOST_TOKENS} tokens, n + 1 = {n + 1}", "a smaller --n")
    if question.semantics.order == "values" or question.semantics.ln2 != "ideal":
        raise LimitError("the search knows the orders ax and products, with ideal ln 2", "--semantics a4 or narrative")
    outcomes = search(question.semantics, p, representation, m, n)
    scope = Scope(
        f"every choice of a weight and a value for each token and bit, W^V in {', '.join(str(w) for w, _ in outcomes)} or their negatives, "
        f"any final MLP, at p = {p}, n = {n}, m = {m}",
        len(outcomes),
        "SAT (CaDiCaL)",
    )
    sizes = "; ".join(f"W^V = {w}: {o.variables:,} variables, {o.clauses:,} clauses" for w, o in outcomes)
    if outcomes[-1][1].satisfiable:
        return Finding(Verdict.VERIFIED, scope, witness="a table found by SAT, run on every promise pair", reason=sizes)
    reason = f"no table exists: unsatisfiable for every W^V ({sizes}); no proof is kept"
    return Finding(Verdict.REFUTED, scope, reason=reason, counterexample={"p": str(p), "n": str(n), "m": str(m)})


def two_bits_suffice(question: Question, representation: str, m: int) -> Finding:
    """The transformer of two bits on strings of length m, by the first variant that works under the question's semantics."""
    found: Finding | None = None
    for by_enumeration in (False, True):
        for variant in VARIANTS:
            made = _judged(question, representation, m, variant, by_enumeration)
            if made is not None and made.verdict is Verdict.VERIFIED:
                return made
            found = made or found
    assert found is not None
    return found


def _judged(question: Question, representation: str, m: int, variant: Variant, by_enumeration: bool) -> Finding | None:
    """One variant, by one of the two methods; None where the columns do not let themselves be counted."""
    n = question["n"]
    if m > LONGEST:
        raise LimitError(f"strings of {m} bits make {m * variant.columns} columns; at most {LONGEST} bits were expected", "a smaller --p")
    reading = Reading(instantiate(two_bit_construction(representation, m, n, variant), {}), question.semantics)
    if by_enumeration:
        _within(m, question.limits.states)
        census = enumerate_pairs(reading, question.limits.states)
    else:
        counted = walk_columns(reading)
        if counted is None or counted.failures:
            return None
        census = counted
    values = {"m": m, "n": n, "bits": BITS, "d": len(reading.instance.query.rows)}
    scope = Scope(f"all {census.cases:,} pairs y <= z at {parameter_text(values)}", census.cases, census.method)
    witness = f"two bits on {representation}: {variant.how}"
    remark = f"a NaN is met and rejected on {census.nans:,} inputs" if census.nans else None
    if census.smallest is not None:
        y, z = (format(x, f"0{m}b") for x in census.smallest)
        reason = f"fails on {census.failures:,} of them"
        return Finding(Verdict.REFUTED, scope, witness, reason=reason, counterexample={"y": y, "z": z}, failures=census.failures)
    verdict = Verdict.CONDITIONAL if reading.assumptions else Verdict.VERIFIED
    return Finding(verdict, scope, witness, reading.assumptions, reason=remark, failures=0)


LONGEST = 81
"""Beyond this length the tables, with a row for each token and columns for each position, grow too large."""

WIDEST_JOINT = 9
"""Beyond this length the many column sums are too large to enumerate together."""


def _within(m: int, limit: int) -> None:
    if m > WIDEST_JOINT or 4**m > limit:
        raise LimitError(f"the columns of strings of {m} bits are not enumerated together beyond {WIDEST_JOINT} bits", "a smaller --p")


STATEMENT = (
    "Ours: where A X is formed first, a transformer of 2 bits with d_v = 1, one head and three value columns a position computes EQ_m on {}"
)
COLUMNS = "every promise pair, by counting column by column, or by enumeration"


@chapter.claim(
    "lemma-2.2:two-bits",
    statement=f"{STATEMENT.format('T0')}, m = 2p − 3.",
    place="against Section 2.1, Lemma 2.2, with Section A.4, step 5",
    checks=COLUMNS,
    parameters=(Parameter("p", "the p of Theorem 2.1, m = 2p − 3", "p >= 2", typical="2..10"), N_SIMPLE),
)
def two_bits_t0(question: Question) -> Finding:
    return two_bits_suffice(question, "T0", 2 * question["p"] - 3)


@chapter.claim(
    "lemma-2.5:two-bits",
    statement=f"{STATEMENT.format('T1')}, m = 2p − 1.",
    place="against Section 2.2, Lemma 2.5, with Section A.4, step 5",
    checks=COLUMNS,
    parameters=(Parameter("p", "the p of Theorem 2.4, m = 2p − 1", "p >= 1", typical="1..10"), N_ROOM),
)
def two_bits_t1(question: Question) -> Finding:
    return two_bits_suffice(question, "T1", 2 * question["p"] - 1)


def no_one(semantics: Semantics, bits: int) -> bool:
    """Whether the format lacks the value 1, so that no output node can ever answer 1."""
    return bits < 1 or not semantics.format(bits).contains(ONE)


NO_ONE = "proof: an output is a value of the format, and 1 is none"


def never_answers(question: Question, m: int) -> Finding:
    """No transformer of p bits for EQ_m, where :func:`no_one` holds."""
    p = question["p"]
    return Finding(
        Verdict.REFUTED,
        Scope(f"every transformer of {p} bits, at m = {m}", 1, NO_ONE),
        reason=f"{p}-bit numbers have no 1, so no final MLP ever answers 1, and y = z is never accepted",
        counterexample={"p": str(p), "y": "0" * m, "z": "0" * m, "expected": "1"},
    )
