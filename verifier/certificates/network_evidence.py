"""Certificates of networks: for each length that an engine has decided, evidence that the checker accepts; and which file they are of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from verifier.arithmetic.floats import to_number
from verifier.arithmetic.numbers import Special
from verifier.arithmetic.semantics import Arithmetic
from verifier.arithmetic.semantics import arithmetic as read_arithmetic
from verifier.certificates import recheck_network
from verifier.certificates.network_statement import FORMAT, Record, Statement, arithmetic_data
from verifier.certificates.recheck_reading import Limits as Work
from verifier.certificates.recheck_reading import Rejected, TooMuch, Unknown, digest_of
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers import induction, local_states, prefixes
from verifier.transformers.cells import Cell
from verifier.transformers.enumeration import method_of
from verifier.transformers.files import find_network
from verifier.transformers.last_token import Copied
from verifier.transformers.network import Network, admits, complete, network
from verifier.transformers.read_by_token import SOFTMAX
from verifier.transformers.records import NetworkFile

FEW = 1 << 10
"""Inputs that are all run again where no shorter evidence is accepted."""
MOST_WORK = 1 << 26
"""Of the checker, on one length; a file that needs more than its default is checked with a larger ``--work``."""
SAID = ("parameters", "network")

Evidence = Record


def certify_network(file: NetworkFile, cell: Cell, lengths: range, advance: Advance = silent) -> Record:
    """The certificate of a cell: right at each length, up to the first wrong input.

    Raises:
        InputError: a length that is not decided, or evidence that the checker does not read or accept.
    """
    if cell.stopped:
        raise InputError(f"no certificate: {cell.stopped}")
    cases = []
    for length in lengths:
        point = {**cell.given, file.length: length}
        if not admits(file, point) or (cell.first_wrong and length > cell.first_wrong.length):
            continue
        advance(f"certificate, length {length}", 0, 0)
        cases.append(_case(network(file, point), complete(file, point), cell))
    return sealed_certificate(cell.construction, cell.arithmetic, cases)


def sealed_certificate(claim: str, arithmetic: Arithmetic, cases: list[Record]) -> Record:
    return {**_statement(claim, arithmetic, cases), "cases": cases, "digest": _digest(claim, arithmetic, cases)}


def _statement(claim: str, arithmetic: Arithmetic, cases: list[Record]) -> Record:
    cases_said = [{key: case[key] for key in SAID} for case in cases]
    return {"format": FORMAT, "claim": claim, "arithmetic": arithmetic_data(arithmetic), "cases": cases_said}


def _digest(claim: str, arithmetic: Arithmetic, cases: list[Record]) -> str:
    return digest_of(_statement(claim, arithmetic, cases))


def _case(built: Network, point: Mapping[str, int], cell: Cell) -> Record:
    """A length with the first evidence that the checker accepts."""
    told = []
    statement = said(built, point, cell.arithmetic)
    for evidence in _evidence(built, cell):
        if isinstance(evidence, str):
            told.append(evidence)
            continue
        case = {**statement, "evidence": evidence}
        try:
            recheck_network.recheck(sealed_certificate("", cell.arithmetic, [case]), Work(work=MOST_WORK))
        except (Rejected, Unknown, TooMuch) as reason:
            told.append(f"{evidence['kind']}: {reason}")
            continue
        return case
    raise InputError(f"no certificate of length {point[built.file.length]}: {'; '.join(dict.fromkeys(told))}")


def said(built: Network, point: Mapping[str, int], arithmetic: Arithmetic) -> Record:
    parameters = {name: str(value) for name, value in point.items()}
    return {"parameters": parameters, "network": Statement(built, arithmetic).data()}


def _evidence(built: Network, cell: Cell) -> Iterator[Evidence | str]:
    """Evidence of each kind, or why there is none."""
    wrong = cell.first_wrong
    if wrong is not None and wrong.length == built.parameters[built.file.length]:
        strings = {name: [str(k) for k in built.input.read(name, text)] for name, text in wrong.strings.items()}
        yield {"kind": "wrong", "input": strings, "expected": wrong.answer.expected, "found": wrong.answer.found}
        return
    for kind in KINDS:
        yield kind(built, cell.arithmetic)


def evidence_by_induction(built: Network, arithmetic: Arithmetic) -> Evidence | str:
    if built.file.decode is None:
        return "induction: outputs that are appended were expected"
    if reason := induction.not_applicable(built, arithmetic):
        return f"induction: {reason}"
    try:
        made = induction.Induction(built, arithmetic)
        return {"kind": "induction", "steps": [_step(made, step) for step in range(made.steps)]}
    except LimitError as error:
        return f"induction: {error}"


def _step(made: induction.Induction, step: int) -> Record:
    """What heads give at a step, and for heads that sum the ends of their sums in each group."""
    with np.errstate(all="ignore"):
        cases = made.cases(step)
    heads = [[str(token) for token in head.token.tolist()] if isinstance(head, Copied) else [] for head in cases.heads]
    boxes = []
    if cases.sums:
        ends = [[str(to_number(float(x))) for x in end[:, 0].tolist()] for box in cases.sums for end in box]
        rows = zip(made.groups(step, cases), zip(*ends, strict=True), strict=True)
        boxes = [[[str(x) for x in group], *of_group] for group, of_group in rows]
    return {"heads": heads, "groups": str(len(cases.rows)), "boxes": boxes}


def _by_states(built: Network, arithmetic: Arithmetic) -> Evidence | str:
    if arithmetic.exact or method_of(arithmetic) != "arrays":
        return "states: a format that arrays hold was expected"
    if reason := prefixes.not_applicable(built, arithmetic):
        return f"states: {reason}"
    found = prefixes.Prefixes(built, arithmetic)
    if found.summed is None:
        return "states: heads of the first layer whose scores are all equal were expected"
    try:
        with np.errstate(all="ignore"):
            rows = found.counted().ends[""]
    except LimitError as error:
        return f"states: {error}"
    use = prefixes.asked(built)
    assert use is not None
    sums = found.ends(rows)
    return {
        "kind": "states",
        "states": [
            {
                "sums": [_written(x) for x in sums[k]],
                "ones": str(rows.columns["ones"][k] if use.ones else -1),
                "symbols": [str(rows.columns[f"bit {bit}"][k]) for bit in use.bits],
                "count": str(rows.count[k]),
            }
            for k in range(len(rows))
        ],
    }


def evidence_by_prefixes(built: Network, arithmetic: Arithmetic) -> Evidence | str:
    if arithmetic.exact or method_of(arithmetic) != "arrays":
        return "prefixes: a format that arrays hold was expected"
    if reason := prefixes.not_applicable(built, arithmetic):
        return f"prefixes: {reason}"
    try:
        found = prefixes.Prefixes(built, arithmetic, read=True)
        if not any(head.value for head in found.last.heads):
            return "prefixes: a layer of heads was expected"
        with np.errstate(all="ignore"):
            reading, found_states, kept = found.guessed()
            rows = found_states.ends[""]
    except (LimitError, ArithmeticError) as error:
        return f"prefixes: {error}"
    assert reading.tops is not None
    assert reading.totals is not None
    table = {id(each.head): h for h, each in enumerate(reading.tables)}
    counts: dict[int, int] = {}
    for guess, count in zip(rows.columns["guess"][kept].tolist(), rows.count[kept].tolist(), strict=True):
        counts[guess] = counts.get(guess, 0) + count
    guesses = []
    for guess, count in counts.items():
        heads: list[list[str]] = []
        for head in found.last.heads:
            read = head.value and head.entry.kind in (*SOFTMAX, "average-hard")
            ends = (reading.tops, reading.totals) if read else ()
            heads.append([_written(end[guess, table[id(head)]]) for end in ends])
        sums = [_written(x) for x in found.sums.ends[reading.end[guess]]]
        query = str(found.tokens[reading.query[guess], found.at])
        guesses.append({"sums": sums, "query": query, "heads": heads, "count": str(count)})
    return {"kind": "prefixes", "guesses": guesses}


def _written(x: Any) -> str:
    """A value of an array."""
    number = to_number(float(x))
    return number.value if isinstance(number, Special) else str(number)


def evidence_by_local_states(built: Network, arithmetic: Arithmetic) -> Evidence | str:
    if reason := local_states.not_applicable(built):
        return f"local: {reason}"
    reads = []
    try:
        _, *layers = local_states.LocalStates(built, arithmetic).layers()
    except (LimitError, ArithmeticError) as error:
        return f"local: {error}"
    for layer in layers:
        tokens = [{case.before: case.heads for case in cases} for cases in layer]
        reads.append([[[[str(j) for j in head] for head in heads] for heads in each.values()] for each in tokens])
    return {"kind": "local", "reads": reads}


def _by_inputs(built: Network, arithmetic: Arithmetic) -> Evidence | str:
    if built.input.count > FEW:
        return f"inputs: {built.input.count:,} inputs, at most {FEW:,} were expected"
    return {"kind": "inputs", "count": str(built.input.count)}


KINDS: tuple[Callable[[Network, Arithmetic], Evidence | str], ...] = (
    evidence_by_induction,
    _by_states,
    evidence_by_prefixes,
    _by_inputs,
    evidence_by_local_states,
)


def attribution(certificate: Mapping[str, Any], own: str | None) -> tuple[bool, str]:
    """Whether an accepted certificate is of the file ``own``, or of the network of the gallery that it names; and a line that says so."""
    name = own or certificate["claim"]
    if own is None and not name.startswith("gallery/"):
        return False, f"of a file, {name!a}; --construction FILE compares it with that file"
    try:
        knobs = [f"{knob}={setting}" for knob, setting in certificate["arithmetic"].items() if setting and knob != "format"]
        file, how = find_network(name), read_arithmetic("+".join([certificate["arithmetic"]["format"], *knobs]))
        cases = []
        for case in certificate["cases"]:
            point = {key: int(value) for key, value in case["parameters"].items()}
            cases.append(said(network(file, point), complete(file, point), how))
    except InputError as error:
        return False, f"of no network of this program: {error}"
    if _digest(certificate["claim"], how, cases) != certificate["digest"]:
        return False, f"of another network than {name}"
    return True, f"of this network: entry for entry {name}"
