"""The final MLPs of Lemmas 2.3 and 2.6: which attention outputs they answer with 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.findings import for_each, side_by_side
from verifier.claims.model import Erratum, Question, declined
from verifier.claims.tables import edition_file, parameter_text, table_parameters

from constructions.every_bit_counts.chapter import PAPER_ID, SIMPLE_PROOF, TABLE_5, TABLE_6, TIGHT_PROOF
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, show
from verifier.attention.evaluate import decide
from verifier.attention.terms import Reading
from verifier.construction.instantiate import instantiate
from verifier.errors import LimitError
from verifier.verdicts import Edition, Finding, Scope

chapter = Chapter(PAPER_ID)
MOST_BITS = 11


def judge_mlp(question: Question, target: Callable[[int], Fraction], inputs: Callable[[Number], bool], among: str) -> Finding:
    """The MLP answers 1 on the target value and 0 on every other value among ``inputs``."""
    file, outside = edition_file(question.claim, question.edition, question.parameters)
    if outside:
        return declined(outside)
    instance = instantiate(file, table_parameters(question.claim, question.parameters))
    if instance.bits > MOST_BITS:
        raise LimitError(f"{instance.bits} bits: the MLP is run on every value for at most {MOST_BITS}", "a smaller --p")
    reading = Reading(instance, question.semantics)
    wanted = target((instance.m + 1) // 2)
    every: list[Number] = [NEG_INF, *reading.machine.form.values(), INF, NAN]
    chosen = [x for x in every if inputs(x)]
    entries = [instance.output.bias, *instance.output.weights, *(x for n in instance.hidden for x in (*n.weights, n.bias))]
    lacking = question.semantics.entries == "exact" and any(not reading.machine.form.contains(x) for x in entries)
    return for_each(
        chosen,
        lambda x: decide(reading, x).answer == int(x == wanted),
        lambda x: {
            **{k: str(v) for k, v in instance.parameters.items()},
            "input": show(x),
            "output": show(decide(reading, x).output),
            "expected": str(int(x == wanted)),
        },
        lambda cases: Scope(f"all {cases:,} {among} at {parameter_text(instance.parameters)}: 1 on {wanted} only", cases, "enumeration"),
        "the MLP answers otherwise",
        assumptions=("exact-entries",) if lacking else (),
        witness=question.claim.table.file_name if question.claim.table else None,
    )


@chapter.claim(
    "lemma-2.3:mlp",
    statement="The MLP of Lemma 2.3 answers 1 when its input is 2 and 0 for any other input.",
    place="Appendix B.1, proof of Lemma 2.3, MLP layer",
    checks="the MLP on every value of the format, ±inf and NaN",
    parameters=SIMPLE_PROOF,
    table=TABLE_5,
    errata=(Erratum("biases 1/2 and −1/2", "biases 2 and −2", "the printed biases single out 1/2"),),
)
def mlp_2_3(question: Question) -> Finding:
    return judge_mlp(question, lambda h: Fraction(2), lambda x: True, "values, ±inf and NaN")


@chapter.claim(
    "lemma-2.3:mlp-infinite",
    statement="The MLP of Lemma 2.3 also works when its input is inf: it answers 0.",
    place="Appendix B.1, footnote 4",
    checks="the MLP on inf",
    parameters=SIMPLE_PROOF,
    table=TABLE_5,
)
def mlp_infinite(question: Question) -> Finding:
    return judge_mlp(question, lambda h: Fraction(2), lambda x: x is INF, "input inf")


@chapter.claim(
    "lemma-2.6:mlp",
    statement="The MLP of Lemma 2.6 answers 1 when its input is 2^-(h−1) and 0 for any other input.",
    place="Appendix B.2, proof of Lemma 2.6, MLP layer",
    checks="the MLP on every value of the format, ±inf and NaN",
    parameters=TIGHT_PROOF,
    table=TABLE_6,
    errata=(
        Erratum(
            "0 for any other input",
            "0 for any other input up to 2^-(h−1)",
            "larger outputs never occur; to answer them with 0 as well, the second hidden node would need two more changes",
        ),
    ),
)
def mlp_2_6(question: Question) -> Finding:
    if question.edition is not Edition.REPAIRED:
        return judge_mlp(replace(question, asked=Edition.PRINTED), _smallest_value, lambda x: True, "values, ±inf and NaN")
    bound = _smallest_value(question["p"])

    def occurs(x: Number) -> bool:
        return x in (NEG_INF, NAN) or (isinstance(x, Fraction) and x <= bound)

    return judge_mlp(question, _smallest_value, occurs, "values that occur")


def _smallest_value(h: int) -> Fraction:
    return Fraction(1, 2 ** (h - 1))


@chapter.claim(
    "lemma-2.6:mlp-target",
    statement="The output that the MLP of Lemma 2.6 looks for is 1/2.",
    place="Appendix B.2, proof of Lemma 2.6, MLP layer",
    checks="the printed number against the output 2^-(h−1) that the proof states for YES inputs",
    parameters=TIGHT_PROOF,
    bounded=False,
    errata=(Erratum("1/2", "1/2^(h−1)", "the proof's own value of the output on YES inputs"),),
)
def mlp_target(question: Question) -> Finding:
    h = question["p"]
    target = _smallest_value(h)
    claimed = target if question.edition is Edition.REPAIRED else Fraction(1, 2)
    return side_by_side("the output that the MLP looks for", claimed, target, where=f"p = {h}")
