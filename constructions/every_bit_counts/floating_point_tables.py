"""Lemmas C.5 and C.8 with their witnesses, Tables 7 and 8, and the input representations T2 and T3."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.claims.chapter import Chapter
from verifier.claims.model import Claim, Erratum, Parameter, Question, declined
from verifier.claims.tables import edition_file, parameter_text, table_parameters

from constructions.every_bit_counts.chapter import LINEAR, PAPER_ID, SOFTMAX, TABLE_7, TABLE_8
from constructions.every_bit_counts.upper_bounds import existence, witness_claim
from verifier.construction.instance import Defect
from verifier.construction.instantiate import instantiate
from verifier.verdicts import Edition, Finding, Scope, Verdict

chapter = Chapter(PAPER_ID, "floating")


def input_defects(claim: Claim, edition: Edition, given: Mapping[str, int]) -> tuple[Defect, ...]:
    """Why the table's input representation is ill-formed at these parameters."""
    file, _ = edition_file(claim, edition, given)
    return tuple(d for d in instantiate(file, table_parameters(claim, given)).defects if d.place.startswith("input"))


def representation(question: Question, name: str) -> Finding:
    """Every token has one content, and every bit that it reads exists."""
    claim, edition = question.claim, Edition.REPAIRED if question.edition is Edition.REPAIRED else Edition.PRINTED
    file, outside = edition_file(claim, edition, question.parameters)
    if outside:
        return declined(outside)
    instance = instantiate(file, table_parameters(claim, question.parameters))
    defects = input_defects(claim, edition, question.parameters)
    tokens = int(instance.parameters["n"]) + 2
    scope = Scope(f"the {tokens} tokens of {name} at {parameter_text(instance.parameters)}", tokens, "enumeration")
    if not defects:
        return Finding(Verdict.VERIFIED, scope, witness=f"{name}{' with its errata' if edition is Edition.REPAIRED else ' as printed'}")
    shown = "; ".join(str(d) for d in defects[:3])
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"ill-formed: {shown}{f'; {len(defects) - 3} more' if len(defects) > 3 else ''}",
        counterexample={**{k: str(v) for k, v in instance.parameters.items()}, "place": defects[0].place, "defect": defects[0].message},
    )


@chapter.claim(
    "section-c.1:input-representation",
    statement="T2 gives each of the tokens 0, …, n one content, of bits that exist.",
    place="Appendix C.1, definition of T2",
    checks="every clause at every token: overlaps, gaps, indices of bits",
    parameters=LINEAR,
    bounded=False,
    table=TABLE_7,
    errata=(
        Erratum("{3, 5, …, 2t−7}", "{1, 3, …, 2t−7}", "token 1, which step 2 of the table starts at, is left out"),
        Erratum("[4t−6 : n]", "[4t−4 : n]", "tokens 4t−6 and 4t−5 hold bits of z already"),
        Erratum("i = 2t−6 on its own", "{2, 4, …, 2t−6}", "at t = 3 it is token 0 once more"),
    ),
)
def t2(question: Question) -> Finding:
    return representation(question, "T2")


@chapter.claim(
    "section-c.1:every-t-e",
    statement="T2 is well-formed for every choice of positive t and e > 1 with t + e = m.",
    place="Appendix C.1, on the tuple (t, e)",
    checks="T2 at every such pair",
    parameters=(Parameter("m", "length of the strings", "m >= 3", typical="3..9"),),
    bounded=False,
    table=TABLE_7,
    errata=(Erratum("any positive t", "t ≥ 3", "token 2t − 5 is to hold a bit of y; for t ≤ 2 T2 reads y_(e+3) > y_m and tokens below 0"),),
)
def t2_everywhere(question: Question) -> Finding:
    m, repaired = question["m"], question.edition is Edition.REPAIRED
    source = TABLE_7.source
    file = source.repaired() if repaired else source.file
    pairs = [(t, m - t) for t in range(3 if repaired else 1, m - 1)]
    if not pairs:
        return declined(f"there is no t ≥ 3 with e > 1 at m = {m}")
    kinds: dict[str, list[str]] = {}
    first = None
    for t, e in pairs:
        defects = [d for d in instantiate(file, {"t": t, "e": e}).defects if d.place.startswith("input")]
        first = first or next(((t, e, d) for d in defects), None)
        for kind in {d.kind for d in defects}:
            kinds.setdefault(kind, []).append(f"({t}, {e})")
    scope = Scope(f"all {len(pairs)} pairs (t, e) with t + e = {m}", len(pairs), "enumeration")
    if first is None:
        return Finding(Verdict.VERIFIED, scope)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason="; ".join(f"{kind} at {', '.join(where)}" for kind, where in sorted(kinds.items())),
        counterexample={"t": str(first[0]), "e": str(first[1]), "defect": str(first[2])},
    )


@chapter.claim(
    "lemma-c.5:table-7",
    statement="Table 7 with its weights computes EQ_m on T2 in precision (t, e), m = t + e, by linear attention, under C.1's promise.",
    place="Appendix C.1, Table 7",
    checks="the construction file, well-formed and on every promise pair; the repaired edition adds two promises on the exponent",
    parameters=LINEAR,
    table=TABLE_7,
)
def table_7(question: Question) -> Finding:
    return witness_claim(question)


@chapter.claim(
    "lemma-c.5",
    statement="Some linear transformer (d_v = 1, one head) of floating-point precision (t, e), t + e = m, computes EQ_m on T2.",
    place="Appendix C.1, Lemma C.5",
    checks="whether Table 7 as printed is one; its repair needs more promises, so that it is no witness for this statement",
    parameters=LINEAR,
    table=TABLE_7,
)
def lemma_c_5(question: Question) -> Finding:
    witness = f"{PAPER_ID}/lemma-c.5:table-7"
    if question.edition is not Edition.STATEMENT:
        return question.ask(witness, question.edition)
    printed = question.ask(witness, Edition.PRINTED)
    if printed.verdict is Verdict.VERIFIED:
        return printed
    repaired = question.ask(witness, Edition.REPAIRED)
    return Finding(
        Verdict.OPEN,
        Scope("no evidence for the printed promise at these parameters"),
        reason=f"Table 7 as printed: {printed.verdict.value}; with its errata and two more promises: {repaired.verdict.value}",
    )


@chapter.claim(
    "lemma-c.5:tight-after-repair",
    statement="With the promises that the repair of Table 7 adds, m − 1 bits are still too few: Alice has more than 2^(m−1) inputs.",
    place="Appendix C.1, Theorem C.1 with the repair of Lemma C.5 (ours; the paper states no such promise)",
    checks="Alice's promised inputs counted; in the repaired edition without y_(m−1)y_m ≠ 10, which the repaired table does not need",
    parameters=LINEAR,
    bounded=False,
    table=TABLE_7,
)
def tight_after_repair(question: Question) -> Finding:
    from verifier.problems import Problem

    source = TABLE_7.source
    outside = source.outside_errata(question.parameters)
    if outside:
        return declined(outside)
    problem = instantiate(source.repaired(), dict(question.parameters)).problem
    if question.edition is Edition.REPAIRED:
        kept = [c for c in problem.promise.split(" and ") if not c.endswith("!= 2")]
        problem = Problem(problem.function, " and ".join(kept), problem.length)
    inputs, m = len(problem.occurring("y")), problem.length
    scope = Scope(f"{inputs:,} inputs of Alice against 2^{m - 1} at t = {question['t']}, e = {question['e']}", max(inputs, 1), "counting")
    if inputs > 2 ** (m - 1):
        return Finding(Verdict.VERIFIED, scope)
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"{inputs:,} promised inputs fit {2 ** (m - 1):,} messages: the repaired promise costs the tightness here",
        counterexample={"t": str(question["t"]), "e": str(question["e"]), "inputs": str(inputs), "messages": str(2 ** (m - 1))},
    )


@chapter.claim(
    "section-c.2:input-representation",
    statement="T3 gives each of its tokens one content, of bits that exist.",
    place="Appendix C.2, definition of T3",
    checks="every clause at every token: overlaps, gaps, indices of bits (the logarithm rounded up)",
    parameters=SOFTMAX,
    bounded=False,
    table=TABLE_8,
    errata=(Erratum("y_(t+e−1) … y_(t+2e−2−log ⌈m/2⌉)", "y_(t+e−1) … y_(m−t+1)", "the bits behind the printed end run beyond m"),),
)
def t3(question: Question) -> Finding:
    return representation(question, "T3")


@chapter.claim(
    "section-c.2:every-m-e",
    statement="T3 is well-formed for every odd m up to the bound and every e that Lemma C.8 admits.",
    place="Appendix C.2, definition of T3, with the parameters of Lemma C.8",
    checks="T3 at every odd m ≤ the bound, e > log ⌈m/2⌉ + 2 and t = ⌈m/2⌉ + log ⌈m/2⌉ − e > 2 (the logarithm rounded up)",
    parameters=(Parameter("bound", "largest length of the strings", "bound >= 3", typical="13"),),
    bounded=False,
    table=TABLE_8,
    errata=(
        Erratum("y_(t+e−1) … y_(t+2e−2−log ⌈m/2⌉)", "y_(t+e−1) … y_(m−t+1)", "the bits behind the printed end run beyond m"),
        Erratum("e > log ⌈m/2⌉ + 2", "and e ≥ 2 log ⌈m/2⌉ − 1", "fewer leave no bit for the second exponent"),
    ),
)
def t3_everywhere(question: Question) -> Finding:
    source, repaired = TABLE_8.source, question.edition is Edition.REPAIRED
    file = source.repaired() if repaired else source.file
    h = [(m, (m + 1) // 2, ((m + 1) // 2 - 1).bit_length()) for m in range(3, question["bound"] + 1, 2)]
    points = [(m, k + log - e, e) for m, k, log in h for e in range(log + 3, k + log - 2) if not repaired or e >= 2 * log - 1]
    if not points:
        return declined(f"no m up to {question['bound']} has such a pair (t, e)")
    instances = [(at, instantiate(file, {"m": at[0], "e": at[2]})) for at in points]
    ill = [(at, next(iter(ds))) for at, i in instances if (ds := [d for d in i.defects if d.place.startswith("input")])]
    scope = Scope(f"all {len(points)} triples (m, t, e) with m ≤ {question['bound']}", len(points), "enumeration")
    if not ill:
        return Finding(Verdict.VERIFIED, scope)
    (m, t, e), defect = ill[0]
    well = [str(at) for at in points if at not in {each for each, _ in ill}]
    return Finding(
        Verdict.REFUTED,
        scope,
        reason=f"ill-formed at {len(ill)} of {len(points)}; well-formed at {', '.join(well) or 'none'}",
        counterexample={"m": str(m), "t": str(t), "e": str(e), "defect": str(defect)},
        failures=len(ill),
    )


@chapter.claim(
    "lemma-c.8:table-8",
    statement="Table 8 with its weights and MLP computes EQ_m on T3 in precision (t, e), t + e = ⌈m/2⌉ + log ⌈m/2⌉ (C.2's promise).",
    place="Appendix C.2, Table 8",
    checks="the construction file, well-formed and on every promise pair",
    parameters=SOFTMAX,
    table=TABLE_8,
)
def table_8(question: Question) -> Finding:
    return witness_claim(question)


@chapter.claim(
    "lemma-c.8",
    statement="Some one-layer transformer computes EQ_m under the promise of C.2 in precision (t, e), t + e = ⌈m/2⌉ + log ⌈m/2⌉.",
    place="Appendix C.2, Lemma C.8",
    checks="whether Table 8, printed or repaired with its input representation, computes EQ_m on every promise pair",
    parameters=SOFTMAX,
    table=TABLE_8,
)
def lemma_c_8(question: Question) -> Finding:
    return existence(question, f"{PAPER_ID}/lemma-c.8:table-8")
