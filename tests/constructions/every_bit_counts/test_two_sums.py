"""How long strings two running sums of few bits compare, as constructions on the program's own evaluator; what the lemmas make of it."""

from __future__ import annotations

import pytest

from lowerbounds.running_sums import RunningSums
from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

NARRATIVE = read_semantics("narrative")
KEYS = {"0": "-N", "1/2": -1, "1": 0}
"""The key of a weight, for numbers of two bits."""

ONE_PRODUCT = ["0 0 | -1 1", "1/2 1/2 | 0 0", "-1/2 1/2 | 1/2 1/2", "0 0 | 1/2 1/2"]
"""EQ_2 on T0: for each token of y, then of z, product and weight for the bit 0 | for 1. Found by SAT."""
TWO_PRODUCTS = ["1 1/2 | 0 1/2", "-1/2 1/2 | -1 1/2", "0 1/2 | 0 1", "-1 1/2 | 0 1/2", "0 0 | 1/2 1/2", "1 1 | 1 1/2", "1 1/2"]
"""EQ_3 on T0, n = 6, the output 0 for equal strings only: products 1 of weight 1/2 are two. The last is the placeholder's."""


def vector(text: str) -> list[object]:
    """[1, key, two values]: a product x of weight 1 has the values x and 0, one of weight 1/2 has ±1 once, or twice for ±1."""
    x, w = text.split()
    product = rational(x)
    if w == "1/2":
        sign = (product > 0) - (product < 0)
        return [1, KEYS[w], sign, sign if abs(product) == 1 else 0]
    return [1, KEYS[w], x, 0]


def construction(tokens: list[str], m: int) -> Execution:
    """A construction file of two bits with these tokens, read in the order of the proofs' words; W^V adds two columns."""
    rows = [[vector(part) for part in text.split("|")] for text in tokens]
    if len(rows) == 2 * m:
        rows.append([vector("0 0")])
    reads = [*(f"y[{i}]" for i in range(1, m + 1)), *(f"z[{i}]" for i in range(1, m + 1)), 0]
    raw = {
        "format": CONSTRUCTION,
        "id": "two-sums",
        "title": f"EQ_{m}",
        "source": "ours",
        "parameters": {"m": {"where": f"m == {m}", "meaning": "length"}},
        "precision": {"bits": 2},
        "problem": {"function": "EQ", "promise": "y <= z", "length": "m"},
        "tokens": {"first": 1, "last": 2 * m + 1},
        "input": [{"i": i, "reads": read} for i, read in enumerate(reads, 1)],
        "row": [{"step": i, "i": i, **dict(zip(("zero", "one"), row, strict=False))} for i, row in enumerate(rows, 1)],
        "weights": {
            "query": {"times": "ln2", "matrix": [[1], [0], [0], [0]]},
            "key": {"matrix": [[0], [1], [0], [0]]},
            "value": {"matrix": [[0], [0], [1], [1]]},
        },
        "mlp": {"hidden": [{"weights": [w], "bias": 0} for w in (1, -1, 1, -1)], "output": {"weights": [-1] * 4, "bias": 1}},
    }
    return Execution(instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, "two-sums"), {"m": m}), NARRATIVE)


def test_three_bits_with_two_products_a_token() -> None:
    execution = construction(TWO_PRODUCTS, 3)
    assert (execution.sums, execution.instance.bits, execution.unrepresentable) == (1, 2, ())
    runs = [evaluate(execution, y, z) for y in range(8) for z in range(y, 8)]
    assert all(run.correct for run in runs)
    changed = construction([*TWO_PRODUCTS[:-1], "0 0"], 3)
    assert not all(evaluate(changed, y, z).correct for y in range(8) for z in range(y, 8))


def test_two_bits_with_one_product_a_token() -> None:
    """Which outputs are accepted is left open: those of equal strings are no NaN and no others'."""
    execution = construction(ONE_PRODUCT, 2)
    assert execution.sums == 1
    machine = execution.machine
    moves = RunningSums(NARRATIVE, 2, "product").moves
    outputs: dict[bool, set[object]] = {True: set(), False: set()}
    for y in range(4):
        for z in range(y, 4):
            run = evaluate(execution, y, z)
            outputs[y == z].add(machine.divide(run.numerator, run.denominator))
    assert outputs[True].isdisjoint(outputs[False])
    assert all((rational(x), rational(w)) in moves for text in ONE_PRODUCT for x, w in [part.split() for part in text.split("|")])


def found(claim: str, edition: Edition = Edition.STATEMENT, semantics: str = "narrative", **given: int) -> Outcome:
    return Session().ask(f"every-bit-counts/{claim}", edition, given, read_semantics(semantics))


@pytest.mark.long("3-7-1-narrative+overflow=before-Verdict.VERIFIED")
@pytest.mark.parametrize(
    ("q", "m", "coupling", "semantics", "verdict"),
    [
        (1, 2, 1, "a4", Verdict.VERIFIED),
        (2, 3, 0, "a4", Verdict.REFUTED),
        (2, 4, 1, "a4", Verdict.VERIFIED),
        (3, 6, 0, "a4", Verdict.REFUTED),
        (3, 7, 0, "a4", Verdict.VERIFIED),
        (3, 7, 1, "narrative+overflow=before", Verdict.VERIFIED),
        (3, 7, 1, "a4+overflow=saturate", Verdict.VERIFIED),
    ],
)
def test_what_can_be_told_apart(q: int, m: int, coupling: int, semantics: str, verdict: Verdict) -> None:
    outcome = found("theorem-2.4:one-sum", semantics=semantics, q=q, m=m, coupling=coupling)
    assert outcome.verdict is verdict
    assert outcome.scope.cases
