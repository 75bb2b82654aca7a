"""Certificates and the catalogue: make the certificate of a claim about its table, and find the claim to which a certificate belongs.

A certificate proves a fact about the network in it. It belongs to a claim if this network equals, entry for entry, the catalogue's network.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import Semantics
from verifier.certificates.files import checked, write_certificate
from verifier.certificates.network_evidence import said
from verifier.certificates.networks import arithmetic_named, arithmetic_of_network
from verifier.certificates.statement import Certificate, Subject, canonical, sealed, statement
from verifier.certificates.tables import of_table, table_certificate
from verifier.claims.judge_names import imported
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.errata.tables import Source
from verifier.judges.editions import edition_file, edition_instance, table_parameters
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.record_base import complete, outside_domain
from verifier.running.errors import InputError, LimitError, placed
from verifier.running.printable import assignment
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.records import NetworkFile
from verifier.transformers.tables import Execution


def certify_claim(claim: Claim, edition: Edition, point: Mapping[str, int], semantics: Semantics, path: Path, limit: int) -> int:
    """Write the certificate of the claim's construction or fooling set to ``path``; the file's size in bytes.

    Raises:
        InputError: the claim has neither, is declined here, or its construction has no certificate; nothing is written.
        LimitError: more work than ``limit``; nothing is written.
    """
    with placed("--certificate: nothing was written"):
        declined = declines(claim, edition, point)
        if declined:
            raise InputError(f"{claim.name} ({edition.value}) is declined: {declined}")
        if claim.diagonal or claim.certificate is not None:
            made = certificate_of_itself(claim, Subject(claim.id, edition.value, claim.complete(point)), semantics)
        else:
            subject = Subject(claim.id, edition.value, table_parameters(claim, point))
            made = table_certificate(subject, Execution(edition_instance(claim, edition, point), semantics), limit)
        return write_certificate(checked(made), path)


def certificate_of_itself(claim: Claim, subject: Subject, semantics: Semantics, evidence: bool = True) -> Certificate:
    """The certificate of a fooling set, or of the fact that the claim's own judge states, with its evidence or without."""
    if claim.diagonal:
        return sealed({**subject.header(), "parameters": subject.point, "fact": "fooling-set", "length": str(subject.parameters["m"])})
    return sealed(dict(imported(str(claim.certificate))(subject, semantics, evidence)))


def declines(claim: Claim, edition: Edition, point: Mapping[str, int]) -> str | None:
    """The reason why a claim is not decided at these parameters and so has no certificate, or None if it is decided.

    Raises:
        InputError: a claim that is not about its own table or fooling set, or parameters that it does not take.
    """
    outside = claim.outside(claim.complete(point))
    if outside or claim.diagonal or claim.certificate is not None:
        return outside
    if claim.table is None:
        raise InputError(f"{claim.name} has no construction or fooling set of its own; a claim that its table computes was expected")
    if claim.table.claim not in (None, claim.id):
        raise InputError(f"{claim.name} is not the claim that its table computes its function; that is {claim.table.claim}")
    file, unrepaired = edition_file(claim, edition, point)
    return unrepaired or outside_domain(file, table_parameters(claim, point))


def attribution(certificate: Mapping[str, Any], own: Source | NetworkFile | None = None, path: str = "") -> tuple[bool, str]:
    """Whether an accepted certificate belongs to the claim or network that it names, or to the file ``own``, and a line that states the
    result.
    """
    name = certificate["claim"]
    of = path or name
    try:
        if own is None and name.startswith("gallery/"):
            own = find_network(name)
        if own is None and (not certificate["edition"] or name.startswith("construction/")):
            raise InputError(f"{name} is a file; --construction FILE compares the certificate with that file")
        if isinstance(own, NetworkFile):
            at, differs = of_network(certificate, own)
        elif own is not None:
            at, differs = of_file(certificate, own)
        else:
            at, differs = of_claim(certificate)
    except (InputError, LimitError) as reason:
        at, differs = "", str(reason)
    if differs:
        whose = "of no claim" if own is None else f"not of {of!a}"
        return False, f"the certificate is right, but {whose}: {differs}"
    what = f"{of} ({certificate['edition']})" if own is None else of
    return True, f"the certificate belongs to {what} at {at}, entry for entry"


def of_claim(certificate: Mapping[str, Any]) -> tuple[str, str | None]:
    """The place of the claim's own table in the catalogue, and the first difference from it."""
    claim, edition = find_claim(certificate["claim"]), Edition(certificate["edition"])
    if claim.id != certificate["claim"]:
        raise InputError(f"the catalogue's name is {claim.id}")
    point = point_of(certificate)
    if declined := declines(claim, edition, point):
        raise InputError(f"{claim.name} ({edition.value}) is declined at these parameters: {declined}")
    by_itself = claim.diagonal or claim.certificate is not None
    needed = claim.complete(point) if by_itself else table_parameters(claim, point)
    if needed != point:
        raise InputError(f"{claim.name} belongs to {assignment(needed)}")
    if not by_itself:
        return of_instance(certificate, edition_instance(claim, edition, point))
    subject = Subject(claim.id, edition.value, point)
    return first_difference(certificate, lambda reading: certificate_of_itself(claim, subject, reading, evidence=False), point)


def of_file(certificate: Mapping[str, Any], source: Source) -> tuple[str, str | None]:
    return of_instance(certificate, instantiate(source.file, point_of(certificate)))


def of_instance(certificate: Mapping[str, Any], instance: Instance) -> tuple[str, str | None]:
    if instance.defects:
        raise InputError(f"the construction is ill-formed at these parameters: {instance.defects[0]}")
    subject = Subject(certificate["claim"], certificate["edition"], point_of(certificate))
    return first_difference(certificate, lambda reading: of_table(subject, Execution(instance, reading), {}), subject.parameters)


def first_difference(
    certificate: Mapping[str, Any], own: Callable[[Semantics], Certificate], point: Mapping[str, int]
) -> tuple[str, str | None]:
    """The parameters, and the first place at which the statement differs from ours under the certificate's reading."""
    said, found = canonical(statement(certificate)), None
    for reading in readings_of(certificate.get("arithmetic")):
        differs = difference("statement", said, canonical(statement(own(reading))))
        if differs is None:
            turned = ", ".join(f"{knob}={setting}" for knob, setting in reading.changed_knobs)
            return (assignment(point) or "every length") + (f"; not under a4, but with {turned}" if turned else ""), None
        found = found or differs
    return "", found or "its arithmetic is of no reading of tables"


def readings_of(arithmetic: Mapping[str, str] | None) -> Iterator[Semantics]:
    """The readings of tables for which a record of the arithmetic may stand: it omits what only the network shows."""
    if arithmetic is None:
        yield Semantics()
        return
    name, *digits = arithmetic["format"].split(":")
    ties, below = arithmetic["ties"], arithmetic["subnormals"]
    knobs = {
        "point": "grid" if name == "fixed" and len(digits) == 2 else "free",
        "rounding": "truncate" if ties == "truncate" else "nearest",
        "ties": "zero" if ties == "truncate" else ties,
        "overflow": {"infinity": "after"}.get(arithmetic["overflow"], arithmetic["overflow"]),
        "underflow": "nearest" if name == "fixed" else {"flushed": "flush", "kept": "subnormals"}.get(below, below),
        "order": {"inputs": "ax"}.get(arithmetic["attention"], arithmetic["attention"]),
        "entries": arithmetic["entries"],
    }
    scale = rational(digits[1]) if knobs["point"] == "grid" else rational("1")
    for columns, ln2 in product(("used", "all"), ("ideal", "rounded")):
        yield replace(Semantics(), scale=scale, columns=columns, ln2=ln2, **knobs)  # type: ignore[arg-type]  # all are texts


def of_network(certificate: Mapping[str, Any], file: NetworkFile) -> tuple[str, str | None]:
    points = [point_of({"cases": [case]}) for case in certificate["cases"]]
    how = arithmetic_named(certificate["arithmetic"])
    cases = [said(network(file, point), complete(file, point), how) for point in points]
    own = {**certificate, "arithmetic": arithmetic_of_network(how), "cases": cases}
    shown = assignment(points[0]) + (f" to {assignment(points[-1])}" if len(points) > 1 else "")
    return shown, difference("statement", canonical(statement(certificate)), canonical(statement(own)))


def point_of(certificate: Mapping[str, Any]) -> dict[str, int]:
    """The parameters of a certificate of one case or of one fact."""
    cases = certificate.get("cases", [certificate])
    if len(cases) != 1:
        raise InputError("a certificate of one case was expected")
    return {name: int(rational(value)) for name, value in cases[0]["parameters"].items()}


def difference(place: str, found: Any, own: Any) -> str | None:
    """The first place where two pieces of data differ, and how."""
    if isinstance(found, dict) and isinstance(own, dict) and found.keys() == own.keys():
        return next(filter(None, (difference(f"{place}, {key}", found[key], own[key]) for key in own)), None)
    if isinstance(found, list) and isinstance(own, list) and len(found) == len(own):
        pairs = enumerate(zip(found, own, strict=True), 1)
        return next(filter(None, (difference(f"{place}, number {k}", *pair) for k, pair in pairs)), None)
    return None if found == own else f"{place} is {_shown(found)}; {_shown(own)} was expected"


def _shown(data: Any) -> str:
    if isinstance(data, dict):
        return f"a record of {', '.join(data) or 'nothing'}"
    return f"a list of {len(data)}" if isinstance(data, list) else json.dumps(data)[:80]
