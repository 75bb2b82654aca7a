"""Tables in the form of certificates, with the evidence that a table is right or wrong. A table is a network of one head, which its last
token reads.
"""

from __future__ import annotations

from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.certificates.formula_data import accept_data, problem_formulas
from verifier.certificates.statement import Certificate, Record, Subject, arithmetic_of_table, certificate, layer_record, map_record
from verifier.engines.blocks import share
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import DEFAULT_LIMIT
from verifier.engines.program import program_of
from verifier.networks.entries import Large
from verifier.networks.instance import Instance, Matrix, Node, Token, Vector
from verifier.networks.problems import Problem, bits_of
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

MOST_BITS = 20
"""Inputs of more bits take a checker longer than its limits allow, one by one."""
ENCLOSED = 512
"""The digits to which a multiple of ln 2 is written."""


def table_certificate(subject: Subject, execution: Execution, limit: int = DEFAULT_LIMIT) -> Certificate:
    """Decide the construction and record the evidence: the smallest failing input, or the way to compute its states.

    Raises:
        InputError: an ill-formed construction, one that certificates cannot express, or one that is right but
            whose states no engine computes.
        LimitError: more work than ``limit``.
    """
    instance = execution.instance
    if instance.defects:
        raise InputError(f"{subject.claim}: an ill-formed construction has no certificate ({instance.defects[0]})")
    census = decide(execution, "auto", limit)
    task = instance.task
    if census.smallest is not None:
        given = zip(task.strings.items(), census.smallest, strict=True)
        evidence: Record = {"kind": "wrong", "input": {name: list(bits_of(x, length)) for (name, length), x in given}}
    elif task.bits <= MOST_BITS or of_pairs(instance):
        cut = share(program_of(execution)) if of_pairs(instance) else None
        evidence = {"kind": "states", "cut": str(cut.high.last if cut is not None and not cut.shared else 0)}
    else:
        raise InputError(f"{subject.claim}: a certificate of all inputs covers at most {MOST_BITS} bits, not {task.bits}")
    return of_table(subject, execution, evidence)


def of_table(subject: Subject, execution: Execution, evidence: Record) -> Certificate:
    """The certificate of a table with some evidence."""
    case = {"parameters": subject.point, "network": network_of_table(execution), "evidence": evidence}
    arithmetic = arithmetic_of_table(execution.semantics, execution.instance.precision)
    return certificate(subject.claim, subject.edition, arithmetic, [case])


def every_length(subject: Subject, execution: Execution) -> Certificate:
    """The certificate that a table with alike positions is right on strings of every length; the checker computes the states.

    Raises:
        InputError: a construction that is answered by a condition.
    """
    if not execution.instance.accept.usual:
        raise InputError("certificates of every length support the answers 1 and 0 only, not [accept]")
    return of_table(subject, execution, {"kind": "states", "cut": "each"})


def of_pairs(instance: Instance) -> bool:
    """Whether the table is about EQ under y <= z, with one value column in fixed point: then states belong to pairs of strings."""
    task = instance.task
    usual = isinstance(instance.precision, int) and instance.attention == "softmax" and instance.outputs == 1 and instance.accept.usual
    return usual and isinstance(task, Problem) and (task.function, task.promise) == ("EQ", "y <= z")


def network_of_table(execution: Execution) -> Record:
    """Write the table as a network, with what each token reads, its vector for every content, one head, and the final MLP.

    Raises:
        InputError: a formula that a certificate cannot say.
    """
    instance, semantics = execution.instance, execution.semantics
    d, values = len(instance.value.rows), range(instance.outputs)
    ideal = instance.scores_in_ln2 and semantics.ln2 == "ideal"
    problem = problem_formulas(instance.task)
    entries = [f"X {c + 1}" for c in range(d)]
    attention = [f"A {k + 1}" for k in values]
    columns = [[c for c in range(d) if semantics.columns == "all" or instance.value.rows[c][k] != 0] for k in values]
    head = {
        "kind": instance.attention,
        "score": "product",
        "base": "2" if ideal else "e",
        "query": _maps(instance.query, execution),
        "key": _maps(instance.key, execution),
        "value": [map_record((c, str(instance.value.rows[c][k])) for c in columns[k]) for k in values],
        "seen": _seen(execution),
        **{part: [] for part in ("scale", "bias", "turns", "normed")},
    }
    accept = accept_data(instance.accept)
    combine = [[name, [["0", str(k), "1"]]] for k, name in enumerate(attention)]
    layers = [
        layer_record(heads=[head], combine=combine, residual=False),
        _units([_node(node, d) for node in instance.hidden], _node(instance.output, 0)),
    ]
    if instance.accept.rectified:
        out = map_record([(len(entries) + len(attention), "1")])
        layers.append(_units([out], map_record([(0, "1")])))
    padding = ["0"] * (instance.outputs + 1)
    return {
        "coordinates": [*entries, *attention, "out"],
        "symbols": ["0", "1"],
        "letters": "2",
        "strings": problem["strings"],
        "tokens": [[[[b.plain.string, str(b.plain.index - 1)] for b in t.reads], _vectors(t, execution, padding)] for t in instance.tokens],
        "outputs": [],
        "layers": layers,
        "output": {
            "kind": "accept",
            "function": problem["function"],
            "promise": problem["promise"],
            "at": str(len(instance.tokens) - 1),
            "yes": accept["yes"],
            "no": accept["no"],
            "nan": "no",
        },
    }


def _units(hidden: list[Any], output: Any) -> Record:
    """A layer that sets the output node, of rectified units."""
    units = {"activation": "relu", "hidden": hidden, "gate": [], "into": [["out", output]], "factor": []}
    return layer_record(units=[units], residual=False)


def _vectors(token: Token, execution: Execution, padding: list[str]) -> list[list[str]]:
    """The vector for every content, by the bits as they are: if a token reads a complement, the contents change places.

    A token whose score is -N has the weight 0: it takes no part, and has no vector, unless it asks. N times 0 is 0.
    """
    flipped = sum(1 << k for k, bit in enumerate(reversed(token.reads)) if bit.flipped)
    vectors = [token.vectors[content ^ flipped] for content in range(len(token.vectors))]
    asks = token is execution.instance.asking
    return [[] if not asks and _absent(x, execution) else [*_numbers(x), *padding] for x in vectors]


def _absent(vector: Vector | None, execution: Execution) -> bool:
    """Whether a token with this vector has the score -N.

    Raises:
        InputError: it has the score N, or its score is its weight.
    """
    if not any(isinstance(x, Large) for x in vector or ()):
        return False
    assert vector is not None
    score = execution.read(vector).score
    if isinstance(score, Large) and (score.positive or execution.instance.attention != "softmax"):
        raise InputError("certificates have no score N")
    return isinstance(score, Large)


def _numbers(vector: Vector | None) -> list[str]:
    if vector is None:
        raise ValueError("a construction with a vector missing is ill-formed, and has no certificate")
    return ["0" if isinstance(x, Large) else str(x) for x in vector]


def _seen(execution: Execution) -> list[str]:
    """Return the mask. The mask hides the asking token if the score of this token is -N."""
    count, asking = len(execution.instance.tokens), execution.instance.asking
    if any(isinstance(x, Large) for x in execution.query):
        raise InputError("certificates have no query N")
    return ["1" * (count - 1) + "0"] * count if _absent(asking.vectors[0], execution) else []


def _maps(matrix: Matrix, execution: Execution) -> list[Any]:
    """A map for each column with all coefficients, including zeros."""
    rounded = matrix.ln2 and execution.semantics.ln2 == "rounded"
    number = _times_ln2 if rounded else str
    return [map_record((c, number(row[j])) for c, row in enumerate(matrix.rows)) for j in range(len(matrix.rows[0]))]


def _times_ln2(x: Fraction) -> Any:
    """Two numbers with x ln 2 between them; 0 stays 0."""
    import flint

    if x == 0:
        return "0"
    with flint.ctx.workprec(ENCLOSED):
        ball = flint.arb.const_log2() * flint.arb(flint.fmpq(x.numerator, x.denominator))
        return [str(dyadic(end)) for end in (ball.lower(), ball.upper())]


def dyadic(x: Any) -> Fraction:
    """An end of a ball as a fraction."""
    mantissa, exponent = (int(part) for part in x.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _node(node: Node, first: int) -> list[Any]:
    """A node of the MLP, of the coordinates from ``first`` on, or of hidden nodes."""
    return map_record(((first + k, str(w)) for k, w in enumerate(node.weights)), str(node.bias))
