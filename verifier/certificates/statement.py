"""The statement of a certificate as plain data with exact strings, and the digest that binds its facts to the statement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED, TURNED, Semantics
from verifier.certificates.formula_data import accept_data, problem_formulas
from verifier.networks.instance import Instance, Matrix, Node, Token, Vector
from verifier.networks.problems import Problem
from verifier.running.errors import InputError

FORMAT = "bitreferee/certificate/1"
STATEMENT = ("format", "kind", "claim", "edition", "parameters", "semantics", "construction", "problem", "sums")
"""The keys that the digest covers."""

Certificate = dict[str, Any]


@dataclass(frozen=True)
class Subject:
    """The claim that a certificate speaks of, in one edition at one parameter point."""

    claim: str
    edition: str
    parameters: Mapping[str, int]

    def header(self, kind: str) -> Certificate:
        return {
            "format": FORMAT,
            "kind": kind,
            "claim": self.claim,
            "edition": self.edition,
            "parameters": {k: str(int(v)) for k, v in self.parameters.items()},
        }


def semantics_data(semantics: Semantics) -> dict[str, str]:
    """Every knob by name; the scale, which only a fixed grid has, as a rational.

    Raises:
        InputError: an arithmetic that is no reading of papers.
    """
    if not semantics.of_papers:
        raise InputError(
            f"{semantics} has no certificates of tables; {', '.join(NAMED)} or one with knobs such as a4+ties=even was expected"
        )
    return {knob: str(getattr(semantics, knob)) for knob in (*TURNED, "scale")}


def problem_data(problem: Problem) -> dict[str, str]:
    return {"function": problem.function, "promise": problem.promise, "length": str(problem.length)}


def construction_data(instance: Instance) -> dict[str, Any]:
    """The instance expanded: for each token what it reads and its vector for every content."""
    return {**_expanded(instance), **_form(instance), "problem": problem_data(instance.problem)}


def _expanded(instance: Instance) -> dict[str, Any]:
    return {
        "id": instance.id,
        "tokens": [
            {"index": str(t.index), "step": str(t.step), "reads": [str(b.plain) for b in t.reads], "vectors": _vectors(t)}
            for t in instance.tokens
        ],
        "query": _matrix(instance.query),
        "key": _matrix(instance.key),
        "value": _matrix(instance.value),
        "mlp": {"hidden": [_node(n) for n in instance.hidden], "output": _node(instance.output)},
    }


def _digits(instance: Instance) -> dict[str, str]:
    """The bits of fixed point, or the digits of floats."""
    precision = instance.precision
    return {"bits": str(precision)} if isinstance(precision, int) else {"t": str(precision.t), "e": str(precision.e)}


def _form(instance: Instance) -> dict[str, Any]:
    """The bits of fixed point with softmax; the digits of floats, which come with linear attention."""
    digits = _digits(instance)
    return digits if "bits" in digits else {"precision": digits, "attention": instance.attention}


def _vectors(token: Token) -> list[list[str]]:
    """The vector for every content, of the bits as they are: where a token reads a complement, the contents change places."""
    flipped = sum(1 << k for k, bit in enumerate(reversed(token.reads)) if bit.flipped)
    return [_vector(token.vectors[content ^ flipped]) for content in range(len(token.vectors))]


def table_data(instance: Instance) -> dict[str, Any]:
    """The instance expanded for the kinds of any table: its precision, attention, problem and acceptance as well.

    Raises:
        InputError: a formula that a certificate cannot say.
    """
    shared = ("id", "tokens", "query", "key", "value", "mlp")
    expanded = _expanded(instance)
    return {
        **{key: expanded[key] for key in shared},
        "precision": _digits(instance),
        "attention": instance.attention,
        "problem": problem_formulas(instance.task),
        "accept": accept_data(instance.accept),
    }


def _vector(vector: Vector | None) -> list[str]:
    if vector is None:
        raise ValueError("a construction with a vector missing is ill-formed, and has no certificate")
    return [str(x) for x in vector]


def _matrix(matrix: Matrix) -> dict[str, Any]:
    return {"rows": [[str(x) for x in row] for row in matrix.rows], "ln2": matrix.ln2}


def _node(node: Node) -> dict[str, Any]:
    return {"weights": [str(w) for w in node.weights], "bias": str(node.bias)}


def sealed(certificate: Certificate) -> Certificate:
    """The certificate with the digest of its statement."""
    statement = {key: certificate[key] for key in STATEMENT if key in certificate}
    text = json.dumps(_canonical(statement), sort_keys=True, separators=(",", ":"))
    return {**certificate, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def _canonical(value: Any) -> Any:
    """Numbers in lowest terms; everything that this module writes is so already, but for the parameters of others."""
    if isinstance(value, dict):
        return {k: _canonical(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_canonical(v) for v in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(Fraction(value))
    return value
