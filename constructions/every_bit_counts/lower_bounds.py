"""The lower-bound half for fixed point: Definition A.5, Lemmas A.6, B.1, 2.2 and 2.5."""

from __future__ import annotations

from itertools import combinations, product

from constructions.every_bit_counts.chapter import P_SIMPLE, P_TIGHT, PAPER_ID, TABLE_5, TABLE_6
from constructions.every_bit_counts.existence import NO_ONE, no_one
from constructions.every_bit_counts.two_bits import BITS
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Chapter, Erratum, Parameter, Question, Table
from verifier.construction.instantiate import instantiate
from verifier.errors import LimitError
from verifier.problems import Problem, bits_of
from verifier.semantics import Semantics
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

M = (Parameter("m", "length of the strings", "m >= 1", typical="1..10"),)

BITS_PER_NUMBER = "p-bits-per-number"
"""A number of q bits is one of 2^q messages. Counting refutes it for the free binary point (section-a.3:p-bits-per-number)."""

ONE_NUMERATOR_SUM = "one-numerator-sum"
"""Alice's part of the numerator is one number. Under ((A X) W^V) it is one number for each column that W^V uses."""


@chapter.claim(
    "definition-a.5",
    statement="The set of all (x, x) is a fooling set for EQ_m under the promise y ≤ z, of size 2^m.",
    place="Appendix A.2, Definition A.5, as it is used in Lemma B.1",
    checks="every pair of members: their value, and which cross entry differs (an entry outside the promise does not count)",
    parameters=M,
    bounded=False,
    diagonal=True,
)
def fooling_set(question: Question) -> Finding:
    m = question["m"]
    return diagonal(m, f"the {2**m:,} pairs (x, x)")


PAIR_BY_PAIR = 1 << 26
"""Fooling sets with more pairs than this are checked by exact counting."""


def diagonal(m: int, what: str) -> Finding:
    """The fooling set {(x, x)} of EQ_m under y ≤ z: pair by pair up to m = 13, by counting beyond."""
    from lowerbounds.communication import equality
    from lowerbounds.fooling import counted_diagonal, diagonal_fooling_set

    listed = 2**m * (2**m - 1) // 2 <= PAIR_BY_PAIR
    found = diagonal_fooling_set(equality(m)) if listed else counted_diagonal(Problem("EQ", "y <= z", m))
    cases = max(found.pairs, 1)
    scope = Scope(f"{what} at m = {m}: all {cases:,} pairs of members", cases, "enumeration" if listed else "counting")
    if found.bad is not None:
        return Finding(Verdict.REFUTED, scope, reason=str(found.bad), counterexample={"pair": str(found.bad)})
    reason = f"{found.first:,} pairs are separated by f(x, x′), {found.second:,} by f(x′, x) only; at least {found.bits} bits"
    return Finding(Verdict.VERIFIED, scope, witness=f"fooling set of size {found.size:,}", reason=reason, failures=0)


@chapter.claim(
    "lemma-a.6",
    statement="A function with a fooling set of size ℓ has one-way communication complexity at least ⌈log2 ℓ⌉.",
    place="Appendix A.2, Lemma A.6",
    checks="every Boolean function on k × k inputs: its largest fooling set against the fewest messages that Alice needs",
    parameters=(Parameter("k", "inputs of each player", "k >= 1", typical="1..3"),),
    bounded=False,
)
def fooling_bound(question: Question) -> Finding:
    k = question["k"]
    if k > 4:
        raise LimitError(f"all 2^{k * k} functions; k = 4 was expected at most", "a smaller --k")
    functions = product(product((0, 1), repeat=k), repeat=k)
    return for_each(
        functions,
        lambda f: _bits(largest_fooling_set(f)) <= _bits(len(set(f))),
        lambda f: {"function": " ".join("".join(map(str, row)) for row in f)},
        lambda cases: Scope(f"all {cases:,} Boolean functions on {k} × {k} inputs", cases, "enumeration"),
        "the fooling set is larger than the number of messages allows",
    )


Function = tuple[tuple[int, ...], ...]


def _bits(count: int) -> int:
    return (count - 1).bit_length()


def largest_fooling_set(f: Function) -> int:
    """The size of the largest fooling set of a total Boolean function, by trying all sets, largest first (Definition A.5)."""
    k = len(f)
    cells = [(x, y) for x in range(k) for y in range(k)]
    for size in range(k, 1, -1):
        for members in combinations(cells, size):
            values = {f[x][y] for x, y in members}
            if len(values) == 1 and all(f[a][d] not in values or f[c][b] not in values for (a, b), (c, d) in combinations(members, 2)):
                return size
    return 1


@chapter.claim(
    "lemma-b.1",
    statement="With y at Alice and z at Bob, y ≤ z, and messages from Alice to Bob only, deciding EQ_m takes at least m bits.",
    place="Appendix B.1, Lemma B.1",
    checks="the fooling set {(x, x)}, pair by pair; its size 2^m forces m bits",
    parameters=M,
    bounded=False,
    diagonal=True,
)
def communication_bound(question: Question) -> Finding:
    m = question["m"]
    return diagonal(m, f"at least m bits, by the fooling set of the {2**m:,} pairs (x, x),")


@chapter.claim(
    "lemma-b.1:contradiction",
    statement="If y1 < y2 share a message Bob errs on y1: (y1, y1) and (y2, y1) both keep the promise and differ in value.",
    place="Appendix B.1, proof of Lemma B.1",
    checks="for all y1 < y2 whether both pairs keep the promise y ≤ z and have different values",
    parameters=M,
    bounded=False,
    errata=(Erratum("Bob holds y1", "Bob holds y2", "(y2, y1) breaks the promise y ≤ z; (y1, y2) and (y2, y2) keep it"),),
)
def contradiction(question: Question) -> Finding:
    m = question["m"]
    if m > 11:
        raise LimitError(f"all pairs of length {m}; at most 11 were expected", "a smaller --m")
    repaired = question.edition is Edition.REPAIRED

    def held(pair: tuple[int, int]) -> int:
        return pair[1] if repaired else pair[0]

    return for_each(
        combinations(range(2**m), 2),
        lambda pair: all(y <= held(pair) for y in pair) and len({y == held(pair) for y in pair}) == 2,
        lambda pair: {"y1": bits_of(pair[0], m), "y2": bits_of(pair[1], m), "z": bits_of(held(pair), m)},
        lambda cases: Scope(f"all {cases:,} pairs y1 < y2 at m = {m}", cases, "enumeration"),
        "a pair breaks the promise",
    )


def transformer_bound(question: Question, m: int, smaller: str) -> Finding:
    """No transformer with ⌈m/2⌉ − 1 bits: the fooling set needs m bits, and two numbers of that many bits carry fewer.

    Counting the numbers proves the second step for few bits only; beyond, the printed argument takes each number for its
    number of bits. That Alice's part of the numerator is one number is an assumption where A X is formed first; there the
    statement is refuted by a transformer of two bits, the claim ``smaller``, from two bits on.
    """
    from lowerbounds.alphabets import exclusion

    bits = (m + 1) // 2 - 1
    if question.edition is Edition.STATEMENT and bits >= BITS:
        witness = question.ask(f"{PAPER_ID}/{smaller}")
        if witness.verdict is Verdict.VERIFIED:
            return _outdone(question, witness, m, bits, smaller)
    if bits == 1 and no_one(question.semantics, bits):
        return Finding(Verdict.VERIFIED, Scope(f"every transformer of 1 bit, at m = {m}", 1, NO_ONE), "no 1-bit number is 1")
    fooling = diagonal(m, f"the fooling set of EQ_{m}")
    if fooling.verdict is not Verdict.VERIFIED:
        return fooling
    count = exclusion(question.semantics, bits, m)
    assumptions = []
    if not count.proves:
        assumptions.append(BITS_PER_NUMBER)
    if bits and question.semantics.order == "ax" and question.edition is not Edition.REPAIRED:
        assumptions.append(ONE_NUMERATOR_SUM)
    scope = Scope(f"fooling set of {2**m:,} members, every pair; two numbers of {bits} bits at m = {m}", count.messages, "counting")
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    return Finding(verdict, scope, "fooling set and message count", tuple(assumptions), reason=str(count))


def _outdone(question: Question, witness: Finding, m: int, bits: int, smaller: str) -> Finding:
    """A transformer with fewer bits than the bound allows."""
    scope = Scope(f"transformers of {bits} bits for EQ_{m}; the one found is checked on {witness.scope.statement}", 1, witness.scope.method)
    return Finding(
        Verdict.REFUTED,
        scope,
        witness.witness,
        reason=f"{BITS} bits suffice: (A X) W^V has a partial sum for each column that W^V uses, and Alice knows more than two numbers",
        counterexample={"p": str(question["p"]), "m": str(m), "bits": str(BITS), "transformer": smaller},
        replay=(f"{PAPER_ID}/{smaller}", "--p", str(question["p"]), *_semantics_words(question.semantics)),
    )


def _semantics_words(semantics: Semantics) -> tuple[str, ...]:
    return () if semantics.label == "a4" else ("--semantics", semantics.label)


BOUND_CHECKS = (
    "whether a transformer of two bits is a counterexample; the fooling set of EQ_m pair by pair; how many messages two numbers of "
    "⌈m/2⌉ − 1 bits can be"
)

ONE_COLUMN = Erratum(
    "any one-layer transformer with d_v = 1",
    "any with d_v = 1 whose numerator is one running sum (one nonzero row of W^V, or V = X W^V formed first)",
    "Section A.4 forms (A X) W^V, with one partial sum for each column that W^V uses; two numbers do not carry them",
)


@chapter.claim(
    "lemma-2.2",
    statement="No one-layer transformer with d_v = 1 and one head computes EQ_m on T0 with ⌈m/2⌉ − 1 or fewer bits, m = 2p − 3.",
    place="Section 2.1, Lemma 2.2; proof in Appendix B.1",
    checks=BOUND_CHECKS,
    parameters=(P_SIMPLE,),
    errata=(ONE_COLUMN,),
)
def lemma_2_2(question: Question) -> Finding:
    return transformer_bound(question, 2 * question["p"] - 3, "lemma-2.2:two-bits")


@chapter.claim(
    "lemma-2.5",
    statement="A one-layer transformer with d_v = 1 and one head that computes EQ_m on T1 needs at least ⌈m/2⌉ bits, m = 2p − 1.",
    place="Section 2.2, Lemma 2.5; proof in Appendix B.2",
    checks=BOUND_CHECKS,
    parameters=(P_TIGHT,),
    errata=(ONE_COLUMN,),
)
def lemma_2_5(question: Question) -> Finding:
    return transformer_bound(question, 2 * question["p"] - 1, "lemma-2.5:two-bits")


def alice_holds(question: Question, table: Table, first: int, last: int) -> Finding:
    """Alice's tokens first … last exist, read only y, and the others do not read y."""
    instance = instantiate(table.source.file, {"p": question["p"]})
    indices = {t.index for t in instance.tokens} | set(range(instance.tokens[0].index, instance.tokens[-1].index + 1))
    strings = {t.index: {bit.string for bit in t.reads} for t in instance.tokens}

    def holds(i: int) -> bool:
        if first <= i <= last:
            return i in indices and "z" not in strings.get(i, set())
        return "y" not in strings.get(i, set())

    everywhere = sorted(indices | set(range(first, last + 1)))
    return for_each(
        everywhere,
        holds,
        lambda i: {"p": str(question["p"]), "token": str(i)},
        lambda cases: Scope(f"all {cases:,} tokens at p = {question['p']}, Alice's are {first} … {last}", cases, "enumeration"),
        "a token of Alice's does not exist or reads z, or one of Bob's reads y",
    )


@chapter.claim(
    "lemma-2.2:alice-tokens",
    statement="On T0 Alice holds the tokens −1, 0, 1, …, m, which depend on y only.",
    place="Appendix B.1, proof of Lemma 2.2",
    checks="that these tokens exist in T0 and read y only, and that no other reads y",
    parameters=(P_SIMPLE,),
    bounded=False,
    errata=(Erratum("{−1, 0, 1, …, m}", "{1, …, m}", "T0 counts its tokens from 1; −1 and 0 are tokens of T1"),),
)
def alice_2_2(question: Question) -> Finding:
    return alice_holds(question, TABLE_5, 1 if question.edition is Edition.REPAIRED else -1, 2 * question["p"] - 3)


@chapter.claim(
    "lemma-2.5:alice-tokens",
    statement="On T1 Alice holds the tokens −1, 0, 1, …, m, which depend on y only.",
    place="Appendix B.2, proof of Lemma 2.5",
    checks="that these tokens exist in T1 and read y only, and that no other reads y",
    parameters=(P_TIGHT,),
    bounded=False,
)
def alice_2_5(question: Question) -> Finding:
    return alice_holds(question, TABLE_6, -1, 2 * question["p"] - 1)


@chapter.claim(
    "lemma-2.2:protocol-cost",
    statement="The protocol made of a transformer with p bits costs 2p bits: Alice sends two numbers.",
    place="Appendix B.1, proof of Lemma 2.2",
    checks="how many pairs (numerator of either sign, denominator ≥ 0) there are, against 2^(2p)",
    parameters=(Parameter("p", "bits of precision of the transformer", "p >= 1", typical="1..10"),),
    errata=(Erratum("2p", "⌈log2 of the number of pairs⌉", "with a free binary point there are more than 2^p numbers of p bits"),),
)
def protocol_cost(question: Question) -> Finding:
    p = question["p"]
    messages = message_pairs(question.semantics, p)
    needed = (messages - 1).bit_length()
    claimed = needed if question.edition is Edition.REPAIRED else 2 * p
    where = f"p = {p}, {messages:,} pairs of numbers"
    if needed <= claimed:
        scope = Scope(f"{where}, {claimed} bits", messages, "counting")
        return Finding(Verdict.VERIFIED, scope, reason=f"{messages:,} pairs fit {claimed} bits")
    return side_by_side("bits that tell all pairs apart", claimed, needed, "counting", where)


def message_pairs(semantics: Semantics, bits: int) -> int:
    """How many pairs of a numerator and a denominator of ``bits`` bits there are."""
    from lowerbounds.alphabets import exclusion

    return exclusion(semantics, bits, 1).messages
