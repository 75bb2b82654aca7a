"""Random changes of certificates, as accidents and forgers make them, and what a certificate says by the engines' account."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction as F
from random import Random
from typing import Any

from verifier.arithmetic.semantics import TURNED, read_semantics
from verifier.certificates.statement import Subject, sealed
from verifier.certificates.verified import verified_certificate
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.search import NotApplicableError
from verifier.networks.entries import Large
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.problems import Problem
from verifier.running.errors import InputError
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

Path = tuple[Any, ...]
NUMBERS = ("0", "1", "-1", "2", "1/2", "-1/4", "3", "8", "-7", "100000", str(1 << 200), "1/3", "007", "0.5", "+2")
WORDS = ("inf", "-inf", "nan", "N", "-N", "Infinity", "", "1e3", "y[1]", "z[2]", "sum 1", "sum 2", "denominator", "repaired")
ODD: tuple[Any, ...] = (True, False, None, [], {}, ["0"], 1)
SETTINGS = tuple(setting for settings in TURNED.values() for setting in settings)


def mutant(certificate: Any, others: list[Any], rng: Random) -> tuple[str, Any]:
    """The certificate with one to three changes, mostly with a fresh digest, and how a forger would list its states; what was done."""
    changed, titles = copy.deepcopy(certificate), list[str]()
    while changed == certificate:
        titles += [rng.choice(CHANGES)(changed, others, rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    if rng.random() < 0.8:
        changed = resealed(changed)
        titles.append("sealed")
        if rng.random() < 0.5:
            changed = relisted(changed)
            titles.append("relisted")
    return "; ".join(titles), changed


def places(data: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in the data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, each in items:
        yield from places(each, (*path, key))


def at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def _somewhere(data: Any, rng: Random, kinds: type | tuple[type, ...]) -> Path | None:
    """A place that holds data of these kinds: a part of the certificate first, so that long lists are not all there is."""
    part = rng.choice(list(data))
    found = [path for path in places(data[part], (part,)) if isinstance(at(data, path), kinds)]
    return rng.choice(found) if found else None


def _replaced(changed: Any, others: list[Any], rng: Random) -> str:
    path = _somewhere(changed, rng, str)
    if path is None:
        return "nothing"
    old = at(changed, path)
    values: list[Any] = [*NUMBERS, *WORDS, *SETTINGS, *ODD]
    try:
        near = F(old)
        values = [str(near + 1), str(near - 1), str(-near), str(near * 2), str(near / 2)] * 8 + values
    except (ValueError, ZeroDivisionError):
        pass
    at(changed, path[:-1])[path[-1]] = rng.choice(values)
    return f"{path}: {old!r} became {at(changed, path)!r}"


def _dropped(changed: Any, others: list[Any], rng: Random) -> str:
    path = _somewhere(changed, rng, (str, list, dict, bool))
    if path is not None:
        del at(changed, path[:-1])[path[-1]]
    return f"{path} dropped"


def _doubled(changed: Any, others: list[Any], rng: Random) -> str:
    path = _somewhere(changed, rng, list)
    if path is None or not at(changed, path):
        return "nothing"
    entries = at(changed, path)
    entries.insert(rng.randint(0, len(entries)), copy.deepcopy(rng.choice(entries)))
    return f"an entry of {path} doubled"


def _exchanged(changed: Any, others: list[Any], rng: Random) -> str:
    path = _somewhere(changed, rng, list)
    if path is None or len(at(changed, path)) < 2:
        return "nothing"
    entries = at(changed, path)
    one, two = rng.sample(range(len(entries)), 2)
    entries[one], entries[two] = entries[two], entries[one]
    return f"entries {one} and {two} of {path} exchanged"


def _added(changed: Any, others: list[Any], rng: Random) -> str:
    path = _somewhere(changed, rng, dict) or ()
    name = rng.choice(["note", "scale", "every", "less", "p", "m", "q", "ln2", "bias", "Format"])
    at(changed, path)[name] = rng.choice([*NUMBERS, *WORDS, *ODD])
    return f"{name} put into {path}"


def _grafted(changed: Any, others: list[Any], rng: Random) -> str:
    """A piece of another certificate, from the same place."""
    other, path = rng.choice(others), _somewhere(changed, rng, (str, list, dict))
    while path:
        try:
            piece = copy.deepcopy(at(other, path))
        except (KeyError, IndexError, TypeError):
            path = path[:-1]
            continue
        at(changed, path[:-1])[path[-1]] = piece
        return f"{path} of another certificate"
    return "nothing"


CHANGES = (_replaced, _replaced, _replaced, _replaced, _dropped, _doubled, _exchanged, _added, _grafted)


def resealed(certificate: Any) -> Any:
    """With a fresh digest, if there is a statement at all to be sealed."""
    return sealed(certificate) if isinstance(certificate, dict) else certificate


def relisted(certificate: Any) -> Any:
    """With the states that the engines reach, as if the construction were right; unchanged where they reach none."""
    try:
        execution = execution_of(certificate)
        names = {key: certificate[key] for key in ("claim", "edition", "parameters")}
        made = verified_certificate(Subject("", "", {}), execution, 1 << 16)
    except (InputError, NotApplicableError, KeyError, IndexError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return certificate
    return sealed(json.loads(json.dumps({**made, **names})))


def execution_of(certificate: Any) -> Execution:
    """The construction and the semantics of a certificate as the engines read them."""
    given = certificate["construction"]
    words = "+".join(f"{knob}={certificate['semantics'][knob]}" for knob in TURNED if knob != "point")
    scale = f"+scale={F(certificate['semantics']['scale'])}" if certificate["semantics"]["point"] == "grid" else ""
    tokens = tuple(
        Token(int(t["index"]), int(t["step"]), (tuple(Bit(b[0], int(b[2:-1])) for b in t["reads"]),), tuple(map(_vector, t["vectors"])))
        for t in given["tokens"]
    )
    return Execution(
        Instance(
            id=given["id"],
            parameters={},
            names={},
            precision=int(F(given["bits"])),
            task=Problem(given["problem"]["function"], given["problem"]["promise"], int(F(given["problem"]["length"]))),
            tokens=tokens,
            query=_matrix(given["query"]),
            key=_matrix(given["key"]),
            value=_matrix(given["value"]),
            hidden=tuple(map(_node, given["mlp"]["hidden"])),
            output=_node(given["mlp"]["output"]),
        ),
        read_semantics(f"a4+{words}{scale}"),
    )


def _vector(entries: list[str]) -> tuple[F | Large, ...]:
    return tuple(Large(x == "N") if x in ("N", "-N") else F(x) for x in entries)


def _matrix(given: Any) -> Matrix:
    return Matrix(tuple(tuple(map(F, row)) for row in given["rows"]), given["ln2"])


def _node(given: Any) -> Node:
    return Node(tuple(map(F, given["weights"])), F(given["bias"]))


def by_the_engines(certificate: Any) -> str:
    """What may be said of a certificate's construction or problem: the beginning of the line of an accepted certificate."""
    if certificate["kind"] == "fooling-set":
        length = int(F(certificate["problem"]["length"]))
        return (
            f"fooling set: the {1 << length} pairs (x, x) of EQ of two strings of {length} bits under y <= z force at least {length} bits; "
        )
    execution = execution_of(certificate)
    bits, label = execution.instance.bits, execution.semantics.label
    what = f"EQ of two strings of {execution.instance.m} bits under y <= z, in {bits} bits, semantics {label}"
    if certificate["kind"] == "refuted":
        run = evaluate(execution, *(int(certificate["input"][s], 2) for s in "yz"))
        answer = "neither" if run.decision.answer is None else run.decision.answer
        return f"refuted: {what}: at y = " if run.promised and answer != run.expected else "nothing is refuted"
    census = enumerate_pairs(execution)
    assuming = f", assuming {', '.join(execution.assumptions)}" if execution.assumptions else ""
    return f"verified: {what}: right on all {census.cases} pairs{assuming}; " if not census.failures else "nothing is verified"
