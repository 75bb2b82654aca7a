"""Good certificates of every kind, to read and to change, and tables."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction as F
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import constructions.every_bit_counts
from tests.rows import tables
from verifier.arithmetic.semantics import arithmetic, read_semantics
from verifier.certificates.catalogue import certificate_of_itself
from verifier.certificates.network_evidence import said
from verifier.certificates.networks import arithmetic_of_network
from verifier.certificates.statement import Certificate, Subject, certificate
from verifier.certificates.tables import of_table, table_certificate
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.errata.tables import Source, read_with_errata
from verifier.judges.editions import edition_instance, table_parameters
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.networks.record_base import complete
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.tables import Execution

Change = Callable[[Any], Any]
TABLES = Path(constructions.every_bit_counts.__path__[0]) / "tables"
LEMMA = "every-bit-counts/lemma-2.6:table-6"
INPUTS, INDUCTION = {"kind": "inputs"}, {"kind": "induction"}
STATES = {"kind": "states", "cut": "0"}


def source(name: str) -> Source:
    """A table of the paper with its errata."""
    return read_with_errata(TABLES / f"{name}.toml", TABLES / f"{name}.errata.toml")


def table(name: str, semantics: str = "a4", p: int = 8, without: tuple[str, ...] = ()) -> Execution:
    """The repaired table, but for the errata left out."""
    return Execution(instantiate(source(name).repaired(without), {"p": p}), read_semantics(semantics))


def subject(execution: Execution, claim: str = LEMMA) -> Subject:
    return Subject(claim, "repaired", execution.instance.parameters)


def of_network(name: str, length: int, how: str, evidence: dict[str, Any]) -> Certificate:
    """A network of the gallery at one length, with evidence of a kind."""
    file, reading = find_network(f"gallery/{name}"), arithmetic(how)
    point = complete(file, {file.length: length})
    case = {**said(network(file, point), point, reading), "evidence": evidence}
    return certificate(f"gallery/{name}", "", arithmetic_of_network(reading), [case])


def of_claim(name: str, **point: int) -> Certificate:
    claim = find_claim(f"every-bit-counts/{name}")
    return certificate_of_itself(claim, Subject(claim.id, "statement", claim.complete(point)), read_semantics("a4"))


def _table(without: tuple[str, ...] = ()) -> Certificate:
    execution = table("table-6", without=without)
    return table_certificate(subject(execution), execution)


def _printed(name: str, semantics: str = "a4", evidence: dict[str, Any] | None = None, **point: int) -> Certificate:
    claim = find_claim(f"every-bit-counts/{name}")
    execution = Execution(edition_instance(claim, Edition.PRINTED, claim.complete(point)), read_semantics(semantics))
    about = Subject(claim.id, "printed", table_parameters(claim, claim.complete(point)))
    return of_table(about, execution, evidence) if evidence else table_certificate(about, execution)


GOOD: dict[str, Callable[[], Certificate]] = {
    "pairs": _table,
    "pairs in one block": lambda: _printed("lemma-2.3:one-bit", p=2),
    "pairs in two blocks": lambda: _printed("lemma-2.3:denominator-first", p=3),
    "pairs token by token": lambda: _printed("lemma-2.3:denominator-first", "narrative", p=3),
    "wrong": lambda: _table(without=("step-1-key",)),
    "wrong in floats": lambda: _printed("lemma-c.4:one-number", "narrative", t=3, e=2),
    "table in floats": lambda: _printed("lemma-c.4:one-number", t=3, e=2),
    "table by prefixes, with N": lambda: _printed("lemma-2.3:denominator-first", evidence=STATES, p=3),
    "inputs": lambda: of_network("parity", 4, "float32", INPUTS),
    "prefixes": lambda: of_network("first", 5, "float16", STATES),
    "prefixes alike": lambda: of_network("parity", 6, "float16", STATES),
    "hard attention": lambda: of_network("ngram", 4, "float32", STATES),
    "exact": lambda: of_network("parity", 2, "exact", INPUTS),
    "length": lambda: of_claim("lemma-2.5:every-length"),
    "length in floats": lambda: of_claim("lemma-c.4:every-length"),
    "fooling set": lambda: of_claim("lemma-b.1", m=15),
    "a small fooling set": lambda: of_claim("lemma-b.1", m=5),
    "one sum": lambda: of_claim("theorem-2.4:one-sum", q=3, m=7),
    "one sum of two bits": lambda: of_claim("theorem-2.4:one-sum", q=2, m=5),
    "one column": lambda: of_claim("theorem-2.1:one-column", q=2, m=3),
}


@cache
def _good(kind: str) -> str:
    return json.dumps(GOOD[kind]())


def good(kind: str) -> Any:
    """A fresh copy of a good certificate."""
    return json.loads(_good(kind))


def put(*path: Any, value: Any) -> Change:
    """The change that puts ``value`` (or what it makes of the old one) at a path."""

    def change(certificate: Any) -> Any:
        changed = copy.deepcopy(certificate)
        here = changed
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = value(here[path[-1]]) if callable(value) else value
        return changed

    return change


def drop(*path: Any) -> Change:
    """The change that takes the last key of a path, or the last entry of the list there, away."""

    def change(certificate: Any) -> Any:
        changed = copy.deepcopy(certificate)
        here = changed
        for key in path[:-1]:
            here = here[key]
        del here[path[-1]]
        return changed

    return change


DONE: dict[str, Callable[[Any, Any], Any]] = {
    "with": lambda record, fields: {**record, **fields},
    "order": lambda old, places: [old[place] for place in places],
    "again": lambda old, place: [*old, old[place]],
    "before": lambda old, place: [old[place], *old],
    "plus": lambda number, more: str(int(number) + more),
}
"""What a step of ``refused.toml`` does to what stands at its place, besides *is* and *gone*."""


def stated(places: dict[str, list[Any]], steps: list[Any]) -> Change:
    """The change that a line of ``refused.toml`` states."""

    def change(certificate: Any) -> Any:
        for place, done, *given in steps:
            first, *rest = place.split(".")
            path = [*places.get(first, [first]), *(int(key) if key.lstrip("-").isdecimal() else key for key in rest)]
            if done == "gone":
                certificate = drop(*path)(certificate)
            else:
                (new,) = given
                certificate = put(*path, value=new if done == "is" else lambda old, done=done, new=new: DONE[done](old, new))(certificate)
        return certificate

    return change


def refused(of: str) -> list[Any]:
    """The lines of a table: title, what is changed where there are several, change, reason."""
    table = tables(__file__, "refused.toml")[of]
    return [pytest.param(*which, stated(table["places"], steps), reason, id=which[0]) for *which, steps, reason in table["refused"]]


def small(bits: int, length: int = 1, d: int = 1) -> Instance:
    """A token for each bit of y, one that asks, entries and weights 1, and an MLP that changes with every value of the attention."""
    one = (F(1),) * d
    tokens = [Token(k, 1, ((Bit("y", k),),), ((F(0),) * d, one)) for k in range(1, length + 1)]
    return Instance(
        id="small",
        parameters={},
        names={},
        precision=bits,
        task=Problem("EQ", "y <= z", length),
        tokens=(*tokens, Token(length + 1, 2, ((),), (one,))),
        query=Matrix((one,) * d, ln2=True),
        key=Matrix((one,) * d),
        value=Matrix(((F(1),),) * d),
        hidden=(Node((F(1),), F(0)),),
        output=Node((F(1),), F(0)),
    )
