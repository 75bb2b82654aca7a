"""Fooling sets and one-way communication: Definition A.5, Lemmas A.6 and B.1."""

from __future__ import annotations

from itertools import combinations, product

from constructions.every_bit_counts.chapter import PAPER_ID
from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each
from verifier.claims.model import Erratum, Parameter, Question
from verifier.errors import LimitError
from verifier.problems import Problem, bits_of
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID)

M = (Parameter("m", "length of the strings", "m >= 1", typical="1..10"),)


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
