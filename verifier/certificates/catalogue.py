"""Certificates and the catalogue: the one of a claim that its table computes its function, and which claim a certificate is really of.

What a certificate proves is a fact about the construction in it. It is of a claim where that construction is, entry for entry, the
catalogue's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import Semantics
from verifier.certificates import recheck
from verifier.certificates.files import certify, readable, write_certificate
from verifier.certificates.fooling import fooling_certificate
from verifier.certificates.recheck_arithmetic import KNOBS
from verifier.certificates.recheck_reading import canonical, shown
from verifier.certificates.statement import Subject, construction_data, problem_data, sealed, table_data
from verifier.claims.judge_names import imported
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.errata.tables import Source
from verifier.judges.editions import edition_file, edition_instance, table_parameters
from verifier.judges.wording import parameter_text
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate, outside_domain
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, LimitError, placed
from verifier.transformers.tables import Execution


def certify_claim(claim: Claim, edition: Edition, point: Mapping[str, int], semantics: Semantics, path: Path, limit: int) -> int:
    """Write the certificate of the claim's construction or fooling set to ``path``; the file's size in bytes.

    Raises:
        InputError: a claim with neither, one that declines here, or a construction that has no certificate; nothing is written.
        LimitError: more work than ``limit``; nothing is written.
    """
    with placed("--certificate: nothing was written"):
        declined = declines(claim, edition, point)
        if declined:
            raise InputError(f"{claim.name} ({edition.value}) is declined: {declined}")
        if claim.diagonal:
            values = claim.complete(point)
            certificate = readable(fooling_certificate(Subject(claim.id, edition.value, values), diagonal(values)))
        elif claim.certificate is not None:
            values = claim.complete(point)
            facts = imported(claim.certificate)(values, semantics)
            certificate = readable(sealed({**Subject(claim.id, edition.value, values).header(facts["kind"]), **facts}))
        else:
            subject = Subject(claim.id, edition.value, table_parameters(claim, point))
            certificate = certify(subject, Execution(edition_instance(claim, edition, point), semantics), limit)
    return write_certificate(certificate, path)


def declines(claim: Claim, edition: Edition, point: Mapping[str, int]) -> str | None:
    """Why a claim is not decided at these parameters, so that no certificate can be of it; None where it is.

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


def diagonal(values: Mapping[str, int]) -> Problem:
    """The problem whose fooling set the claims of diagonals speak of."""
    return Problem("EQ", "y <= z", values["m"])


def attribution(certificate: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether an accepted certificate is of the claim that it names, and a line that says so, or why it is not."""
    try:
        difference = difference_from_catalogue(certificate)
    except (InputError, LimitError) as reason:
        difference = str(reason)
    if difference:
        return False, f"of a table of that name only: {difference}"
    given = parameter_text({name: int(rational(value)) for name, value in certificate["parameters"].items()}) or "every length"
    knobs = certificate.get("semantics", {})
    turned = [f"{knob}={knobs[knob]}" for knob, settings in KNOBS.items() if knob in knobs and knobs[knob] != settings[0]]
    execution = f"; not under a4, but with {', '.join(turned)}" if turned else ""
    return True, f"of this claim: entry for entry the catalogue's {certificate['claim']} ({certificate['edition']}) at {given}{execution}"


def difference_from_catalogue(certificate: Mapping[str, Any]) -> str | None:
    """Where the certificate's construction or problem differs from that of the claim that it names; None where it does not.

    Raises:
        InputError: there is no such claim, it is about no table, or not at these parameters.
        LimitError: the catalogue's construction cannot be built.
    """
    claim, edition = find_claim(certificate["claim"]), Edition(certificate["edition"])
    if claim.id != certificate["claim"]:
        return f"the catalogue's name is {claim.id}"
    point = {name: int(rational(value)) for name, value in certificate["parameters"].items()}
    declined = declines(claim, edition, point)
    if declined:
        return f"{claim.name} ({edition.value}) is declined there: {declined}"
    if KINDS.get(certificate["kind"], "a construction") != _about(claim):
        return f"{claim.name} is about {_about(claim)}"
    by_itself = claim.diagonal or claim.certificate is not None
    needed = claim.complete(point) if by_itself else table_parameters(claim, point)
    if needed != point:
        return f"{claim.name} is at {parameter_text(needed)}"
    if claim.diagonal:
        return difference("problem", canonical(certificate["problem"]), problem_data(diagonal(needed)))
    if claim.certificate is not None and "construction" in certificate:
        semantics = read_certified(certificate["semantics"])
        own = imported(claim.certificate)(needed, semantics)
        return difference("construction", canonical(certificate["construction"]), own["construction"])
    if claim.certificate is not None:
        return None  # the checker has compared the parameters with bits, coupling and length, and there is nothing else
    instance = edition_instance(claim, edition, point)
    if instance.defects:
        return f"{claim.name} ({edition.value}) is ill-formed there: {instance.defects[0]}"
    return difference("construction", canonical(certificate["construction"]), expanded(certificate, instance))


def read_certified(knobs: Mapping[str, str]) -> Semantics:
    """The reading that a certificate names by its knobs."""
    return replace(Semantics(), name="certified", **{**knobs, "scale": rational(knobs["scale"])})  # type: ignore[arg-type]  # all are texts


def expanded(certificate: Mapping[str, Any], instance: Instance) -> dict[str, Any]:
    """The instance as a certificate of this kind writes it."""
    data: dict[str, Any] = canonical(table_data(instance)) if certificate["kind"] in recheck.TABLES else construction_data(instance)
    return data


def attribution_to_file(certificate: Mapping[str, Any], source: Source, path: str) -> tuple[bool, str]:
    """Whether an accepted certificate is of the construction in a file, entry for entry, and a line that says so, or why it is not."""
    given = {name: int(rational(value)) for name, value in certificate["parameters"].items()}
    at = f"{path} at {parameter_text(given)}"
    try:
        if "construction" not in certificate:
            raise InputError(f"it is about no construction but a {certificate['kind']}")
        instance = instantiate(source.file, given)
        if instance.defects:
            raise InputError(f"{at} is ill-formed: {instance.defects[0]}")
        differs = difference("construction", canonical(certificate["construction"]), expanded(certificate, instance), "the file's")
    except (InputError, LimitError) as reason:
        differs = str(reason)
    return (False, f"not of {path}: {differs}") if differs else (True, f"of this file: entry for entry {at}")


KINDS = {"fooling-set": "a fooling set", "one-sum": "two running sums", "every-length": "strings of every length"}
"""What certificates are about that are of no construction."""


def _about(claim: Claim) -> str:
    if claim.certificate is not None:
        return "strings of every length" if claim.certificate.endswith("every_length") else "two running sums"
    return "a fooling set" if claim.diagonal else "a construction"


def difference(place: str, found: Any, catalogue: Any, whose: str = "the catalogue's") -> str | None:
    """The first place where two pieces of data differ, and how."""
    if isinstance(found, dict) and isinstance(catalogue, dict) and found.keys() == catalogue.keys():
        return next(filter(None, (difference(f"{place}, {key}", found[key], catalogue[key], whose) for key in catalogue)), None)
    if isinstance(found, list) and isinstance(catalogue, list) and len(found) == len(catalogue):
        pairs = enumerate(zip(found, catalogue, strict=True), 1)
        return next(filter(None, (difference(f"{place}, number {k}", *pair, whose) for k, pair in pairs)), None)
    return None if found == catalogue else f"{place} is {shown(found)}, {whose} is {shown(catalogue)}"
