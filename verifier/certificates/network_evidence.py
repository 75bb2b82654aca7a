"""Certificates of networks: for each length that an engine has decided, the kind of evidence that the checker accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verifier.arithmetic.semantics import Arithmetic
from verifier.certificates.files import accepted
from verifier.certificates.networks import Statement, arithmetic_of_network
from verifier.certificates.statement import Certificate, Record, certificate
from verifier.networks.record_base import admits, complete
from verifier.running.errors import InputError
from verifier.running.limits import Advance, silent
from verifier.transformers.cells import Cell
from verifier.transformers.network import Network, network
from verifier.transformers.records import NetworkFile

FEW = 20_000
"""Inputs that are all run again where no shorter evidence is accepted."""


def certify_network(file: NetworkFile, cell: Cell, lengths: range, advance: Advance = silent) -> Certificate:
    """Make the certificate of a cell. The certificate says that the network is right at each length, up to the first wrong input.

    Raises:
        InputError: a length that is not decided, or evidence that the checker does not read or accept.
    """
    if cell.stopped:
        raise InputError(f"no certificate: {cell.stopped}")
    cases: list[tuple[Record, list[Record]]] = []
    for length in lengths:
        point = complete(file, {**cell.given, file.length: length})
        if not admits(file, point) or (cell.first_wrong and length > cell.first_wrong.length):
            continue
        built = network(file, point)
        cases.append((said(built, point, cell.arithmetic), list(_evidence(built, cell))))
    if not cases:
        raise InputError("no certificate: no length was decided")
    return _accepted(cell, cases, advance)


def _accepted(cell: Cell, cases: list[tuple[Record, list[Record]]], advance: Advance) -> Certificate:
    """The certificate with the first evidence of each case that the checker accepts; usually one kind serves all cases."""

    def written(chosen: list[Record]) -> Certificate:
        return certificate(cell.construction, "", arithmetic_of_network(cell.arithmetic), chosen)

    found: list[Record] = []
    preferred = cases[-1][1]
    for said_of_case, kinds in cases:
        advance(f"certificate, case {len(found) + 1}", 0, 0)
        found.append({**said_of_case, "evidence": (kinds if len(kinds) == 1 else preferred)[0]})
    reasons = accepted(written(found))
    if not reasons:
        return written(found)
    for k, (said_of_case, kinds) in enumerate(cases):
        told = []
        for evidence in kinds:
            found[k] = {**said_of_case, "evidence": evidence}
            reason = accepted(written([found[k]]))
            if not reason:
                break
            told.append(f"{evidence['kind']}: {reason}")
        else:
            at = ", ".join(f"{name} = {value}" for name, value in said_of_case["parameters"].items())
            raise InputError(f"no certificate at {at}: {'; '.join(told)}")
    return written(found)


def said(built: Network, point: Mapping[str, int], arithmetic: Arithmetic) -> Record:
    parameters = {name: str(value) for name, value in point.items()}
    return {"parameters": parameters, "network": Statement(built, arithmetic).data()}


def _evidence(built: Network, cell: Cell) -> Iterator[Record]:
    """Each kind of evidence that may be accepted, the quickest to check first."""
    wrong = cell.first_wrong
    if wrong is not None and wrong.length == built.parameters[built.file.length]:
        yield {"kind": "wrong", "input": {name: [str(k) for k in built.input.read(name, text)] for name, text in wrong.strings.items()}}
        return
    if built.file.decode is None:
        yield {"kind": "states", "cut": "0"}
    elif not cell.arithmetic.exact:
        yield {"kind": "induction"}
    if built.input.count <= FEW:
        yield {"kind": "inputs"}
