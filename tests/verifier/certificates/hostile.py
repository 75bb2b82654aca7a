"""Certificates of at most a megabyte that ask for as much time and memory as their kind allows."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

from verifier.arithmetic.semantics import NAMED
from verifier.certificates import recheck_arithmetic
from verifier.certificates.recheck_reading import digest
from verifier.certificates.statement import Subject, construction_data, semantics_data
from verifier.certificates.verified import verified_certificate
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.problems import Problem
from verifier.transformers.tables import Execution

A4 = semantics_data(NAMED["a4"])
ONE, ZERO = F(1), F(0)


def packed(certificate: Any) -> bytes:
    return gzip.compress(json.dumps(sealed(certificate), separators=(",", ":")).encode(), 6)


def sealed(certificate: Any) -> Any:
    """With the digest of a statement whose numbers need not be in lowest terms."""
    return {**certificate, "digest": digest(certificate)}


def header(kind: str) -> dict[str, Any]:
    return Subject("x", "printed", {}).header(kind)


def one_sum(bits: int, coupling: str, length: int, **facts: Any) -> bytes:
    """Two running sums, with nothing that excludes any maps unless it is given."""
    problem = {"function": "EQ", "promise": "y <= z", "length": str(length)}
    given = {"semantics": {**A4, **facts.pop("knobs", {})}, "problem": problem, "sums": {"bits": str(bits), "coupling": coupling}}
    return packed({**header("one-sum"), **given, "barriers": [], "longer": [], **facts})


def entries(kind: str, count: int) -> bytes:
    """So many entries of the running sums of four bits: the same maps, each with a barrier or with covers."""
    maps = [["0", "1/8"], ["0", "1/4"]]
    cover = {"least": "1", "weights": "0" * 625}
    many = {"barriers": [{"maps": maps, "barrier": []}] * count, "longer": [{"maps": maps, "covers": [cover] * count, "longer": []}]}
    return one_sum(4, "independent", 8, **{kind: many[kind]})


def adding(length: int, bits: int, hidden: int = 1) -> Instance:
    """Tokens for the bits of y, which add powers of two, so that every y has another sum; an MLP that sees every value."""
    tokens = [Token(k, 1, ((Bit("y", k),),), ((ZERO,), (F(1 << k - 1),))) for k in range(1, length + 1)]
    return Instance(
        id="adding",
        parameters={},
        names={},
        precision=bits,
        task=Problem("EQ", "y <= z", length),
        tokens=(*tokens, Token(length + 1, 2, ((),), ((ONE,),))),
        query=Matrix(((ZERO,),), ln2=True),
        key=Matrix(((ZERO,),)),
        value=Matrix(((ONE,),)),
        hidden=(Node((ONE,), ZERO),) * hidden,
        output=Node((ONE,) * hidden, ZERO),
    )


def listed(instance: Instance) -> bytes:
    """The certificate as if the construction were right."""
    return packed(verified_certificate(Subject("x", "printed", {}), Execution(instance, NAMED["a4"])))


def construction(kind: str, instance: Instance, change: Callable[[Any], Any] = lambda c: c, **knobs: str) -> bytes:
    """A construction whose facts are missing: what is read and formed before they are looked at."""
    facts: dict[str, Any] = {"cases": "3", "assumptions": [], "blocks": []} if kind == "verified" else {"input": {}, "trace": {}}
    made = change(json.loads(json.dumps(construction_data(instance))))
    return packed({**header(kind), "semantics": {**A4, **knobs}, "construction": made, **facts})


def multiples_of_ln2(digits: int, count: int) -> bytes:
    """Entries of W^Q whose products with ln 2 are near 129/128, which lies between two values of the format with eight bits."""
    decimals = (129 * 10**digits << 4 * digits) // (128 * recheck_arithmetic.ln2(4 * digits))
    numbers = [f"{(decimals + k) // 10**digits}.{(decimals + k) % 10**digits:0{digits}}" for k in range(count)]

    def change(made: Any) -> Any:
        made["query"] = {"rows": [[x] for x in numbers], "ln2": True}
        made["key"] = made["value"] = {"rows": [["1"]] * count, "ln2": False}
        made["tokens"] = [{"index": "1", "step": "1", "reads": [], "vectors": [["1"] * count]}]
        return made

    return construction("refuted", adding(1, 8), change, ln2="rounded")


def nodes(count: int, number: str, bits: int) -> bytes:
    """A right list of states, and so many hidden nodes."""

    def change(made: Any) -> Any:
        made["tokens"][0]["vectors"], made["tokens"][-1]["vectors"] = [["0"], ["0"]], [["0"]]
        made["mlp"] = {"hidden": [{"weights": [number], "bias": number}] * count, "output": {"weights": [number] * count, "bias": "0"}}
        return made

    states = [[["0", str(1 << bits)], ["0", "0"], "1"]]
    blocks = [{"first": "1", "last": "1", "sums": ["sum 1", "denominator"], "stages": [{"first": "1", "last": "1", "less": states}]}]
    made = change(json.loads(json.dumps(construction_data(adding(1, bits)))))
    facts = {"cases": "3", "assumptions": ["exact-entries"] if "/" in number else [], "blocks": blocks}
    return packed({**header("verified"), "semantics": A4, "construction": made, **facts})


def sums(count: int, tokens: int) -> bytes:
    """So many running sums and tokens that add to all of them."""

    def change(made: Any) -> Any:
        for matrix in ("query", "key", "value"):
            made[matrix] = {"rows": [["1" if matrix == "value" else "0"]] * count, "ln2": False}
        made["tokens"] = [
            {"index": str(k), "step": "1", "reads": ["y[1]"] if k < tokens else [], "vectors": [["1"] * count] * (2 if k < tokens else 1)}
            for k in range(1, tokens + 1)
        ]
        return made

    names = [*(f"sum {k}" for k in range(1, count + 1)), "denominator"]
    made = change(json.loads(json.dumps(construction_data(adding(1, 8)))))
    blocks = [{"first": "1", "last": "1", "sums": names, "stages": [{"first": "1", "last": "1", "less": []}]}]
    return packed({**header("verified"), "semantics": A4, "construction": made, "cases": "3", "assumptions": [], "blocks": blocks})


def reads(count: int) -> bytes:
    def change(made: Any) -> Any:
        made["tokens"][0]["reads"] = ["y[1]"] * count
        return made

    return construction("refuted", adding(1, 8), change)


def wide(piece: str, count: int) -> bytes:
    return gzip.compress(("[" + ",".join([piece] * count) + "]").encode(), 6)


LONG = str(F(10**299 + 1, 10**298 + 9))
