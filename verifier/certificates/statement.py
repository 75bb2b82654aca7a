"""The content of a certificate: the network with every number evaluated, the arithmetic, the problem; and the digest of all that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import Semantics
from verifier.running.errors import InputError

FORMAT = "bitreferee/certificate/5"
WITHOUT_SEAL = ("evidence", "digest", "barriers")
"""The keys that the digest does not cover."""

USUAL = {"format": "", "overflow": "", "ties": "even", "maximum": "subtracted", "division": "weights"}
USUAL |= {"root": "divide", "subnormals": "kept", "attention": "values", "entries": "rounded", "constants": "multiplied"}
"""The knobs of a certificate's arithmetic, at the setting of networks."""

Record = dict[str, Any]
Certificate = dict[str, Any]


@dataclass(frozen=True)
class Subject:
    """The claim that a certificate is about, in one edition at one parameter point."""

    claim: str
    edition: str
    parameters: Mapping[str, int]

    def header(self) -> Record:
        return {"format": FORMAT, "claim": self.claim, "edition": self.edition}

    @property
    def point(self) -> dict[str, str]:
        return {name: str(int(value)) for name, value in self.parameters.items()}


def certificate(claim: str, edition: str, arithmetic: Record, cases: Sequence[Record]) -> Certificate:
    """The certificate of some cases, each with its parameters, its network and its evidence."""
    return sealed({"format": FORMAT, "claim": claim, "edition": edition, "arithmetic": arithmetic, "cases": list(cases)})


def sealed(certificate: Certificate) -> Certificate:
    """The certificate with the digest of its statement."""
    text = json.dumps(canonical(statement(certificate)), sort_keys=True, separators=(",", ":"))
    return {**certificate, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def statement(value: Any) -> Any:
    """The part of the certificate that the digest covers."""
    if isinstance(value, dict):
        return {
            key: [statement(each) for each in part] if key == "cases" else part for key, part in value.items() if key not in WITHOUT_SEAL
        }
    return value


def canonical(value: Any) -> Any:
    """Numbers in lowest terms."""
    if isinstance(value, dict):
        return {k: canonical(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [canonical(v) for v in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.lstrip("+-")[:1].isdigit():
        try:
            return str(rational(value))
        except (ValueError, ZeroDivisionError):
            return value
    return value


def arithmetic_record(given: Mapping[str, str]) -> Record:
    """The arithmetic of a certificate; knobs that are not given have the settings of networks."""
    return {key: given.get(key, setting) for key, setting in USUAL.items()}


def layer_record(**given: Any) -> Record:
    """A layer; parts that are not given are empty, and what it sets is added unless it says otherwise."""
    return {"before": [], "heads": [], "combine": [], "units": [], "residual": True, "after": [], **given}


def map_record(terms: Iterable[tuple[int, Any]], constant: Any = "0") -> list[Any]:
    """A map: coefficients by index, and its constant, if there is one."""
    return [[[str(k), x] for k, x in terms], [] if constant == "0" else [constant]]


def arithmetic_of_table(semantics: Semantics, precision: Any) -> Record:
    """The arithmetic of a table under a reading.

    Raises:
        InputError: no reading of papers.
    """
    if not semantics.of_papers:
        raise InputError(f"{semantics} is not supported by certificates of tables; a reading of papers, such as a4, was expected")
    if semantics.point != "free" and (semantics.scale.numerator != 1 or semantics.scale.denominator.bit_count() != 1):
        raise InputError(f"scale={semantics.scale} is not supported by certificates; 1 over a power of 2 was expected")
    fixed = isinstance(precision, int)
    scale = "" if semantics.point == "free" else f":{semantics.scale}"
    below = {"nearest": "nearest", "flush": "flushed", "subnormals": "kept"}[semantics.underflow]
    return arithmetic_record(
        {
            "format": f"fixed:{precision}{scale}" if fixed else f"float:{precision.t}:{precision.e}",
            "overflow": {"after": "infinity"}.get(semantics.overflow, semantics.overflow),
            "ties": "truncate" if semantics.rounding == "truncate" else semantics.ties,
            "subnormals": "kept" if fixed else below,
            "attention": {"ax": "inputs"}.get(semantics.order, semantics.order),
            "entries": semantics.entries,
            "maximum": "kept",
            "division": "output",
            "constants": "added",
        }
    )
