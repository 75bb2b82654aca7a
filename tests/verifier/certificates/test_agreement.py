"""The checker against the rest of the program: every value of every step, wrong tables as a forger makes them, changed certificates.

A rejected table has to be rejected for the answers at the end, since its states are right; and whatever the engines find right is accepted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.artificial import combines
from tests.verifier.certificates.mutations import by_the_engines, mutant
from tests.verifier.certificates.random_constructions import random_case, readable
from tests.verifier.certificates.samples import TABLES, plain, source, transformer
from tests.verifier.engines.mutations import mutants
from tests.verifier.engines.random_constructions import random_construction
from verifier.arithmetic.numbers import show
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import NAMED, TURNED, read_semantics, readings
from verifier.certificates import recheck, recheck_refuted
from verifier.certificates.catalogue import attribution
from verifier.certificates.files import certify
from verifier.certificates.fooling import fooling_certificate
from verifier.certificates.recheck_reading import Rejected, TooMuch, Unknown, canonical
from verifier.certificates.statement import Subject, sealed
from verifier.certificates.verified import verified_certificate
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.reachable import reachable_sets
from verifier.engines.search import NotApplicableError
from verifier.errata.tables import read_construction
from verifier.networks import errata
from verifier.networks.files import shaped
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem, bits_of
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.errors import InputError, LimitError
from verifier.transformers.table_traces import Trace, evaluate
from verifier.transformers.tables import Execution

CASES = 400

INPUTS = 6


def by_definition(trace: Trace) -> dict[str, Any]:
    """A trace as certificates write it."""
    steps = [
        {
            "content": step.content,
            "weight": show(step.term.weight),
            "products": [show(x) for x in step.term.products],
            "sums": [show(x) for x in step.sums],
            "denominator": show(step.denominator),
        }
        for step in trace.steps
    ]
    decision = trace.decision
    return {
        "steps": steps,
        "numerator": show(trace.numerator),
        "denominator": show(trace.denominator),
        "attention": show(trace.attention),
        "hidden": [show(x) for x in decision.hidden],
        "output": show(decision.output),
        "answer": "neither" if decision.answer is None else str(decision.answer),
    }


def texts(found: Any) -> Any:
    """The checker's values as exact strings."""
    if isinstance(found, dict):
        return {key: texts(each) for key, each in found.items()}
    return [texts(each) for each in found] if isinstance(found, list) else str(found)


def compare(seed: int | str) -> Counter[str]:
    """Run both programs on inputs of one case; what was seen."""
    instance, semantics = random_case(seed)
    where = f"seed {seed!r}, {semantics.label}"
    try:
        execution = readable(instance, semantics)
    except InputError:
        with pytest.raises(Unknown, match="N combines with nothing"):
            transformer(instance, semantics)
        return Counter(["in error"])
    t = transformer(instance, semantics)
    assert t.assumptions == list(execution.assumptions), where
    seen: Counter[str] = Counter(f"{knob}={getattr(semantics, knob)}" for knob in TURNED)
    m = instance.m
    pairs = [(y, z) for y in range(1 << m) for z in range(1 << m)]
    for y, z in Random(seed).sample(pairs, min(INPUTS, len(pairs))):
        trace = evaluate(execution, y, z)
        found = recheck_refuted.run(t, bits_of(y, m), bits_of(z, m))
        assert texts(found) == by_definition(trace), f"{where}, y = {y}, z = {z}"
        seen[f"answer {found['answer']}"] += 1
        seen[f"attention {found['attention'] if found['attention'] in ('inf', '-inf', 'nan') else 'finite'}"] += 1
    seen["exact-entries"] += bool(t.assumptions)
    return seen


def test_the_checker_computes_what_the_definition_says() -> None:
    assert_all_seen(sum((compare(f"sample {k}") for k in range(CASES)), Counter[str]()))


def assert_all_seen(seen: Counter[str]) -> None:
    """Every knob's settings, every answer, every kind of value and constructions in error came up."""
    wanted = {f"{knob}={setting}" for knob, settings in TURNED.items() for setting in settings}
    wanted |= {"in error", "exact-entries", *(f"answer {a}" for a in ("0", "1", "neither"))}
    wanted |= {f"attention {kind}" for kind in ("finite", "inf", "-inf", "nan")}
    assert wanted <= seen.keys(), wanted - seen.keys()


MOST_STATES = 1 << 18

POINTS = [
    ("table-6", 8, "a4"),
    ("table-5", 8, "a4"),
    ("witness-t0", 4, "a4"),
    ("witness-t0-p3", 3, "a4"),
    ("witness-t0-simple", 3, "a4"),
    ("witness-t0-simple", 4, "a4"),
    ("witness-t1", 3, "a4"),
    ("witness-t1", 3, "a4+entries=rounded"),
    ("witness-t1", 3, "a4+order=products"),
]

WRONG = [
    (
        "the second block's sums fall short",
        "table-6 without step-19-key",
        8,
        "a4",
        "row.9.zero.2: 2*h - i - 1 → 2*h - i - 2",
        "y < z in the second block",
    ),
    ("some denominators are too large", "table-5", 8, "a4", "row.3.zero.2: 2*h - i - 1 → 2*h - i - 0", "y = z"),
    ("the value above the threshold", "table-5", 8, "a4", "mlp.hidden.1.weights.1: -1 → -2", "y < z in the second block"),
    ("an infinite numerator", "table-5", 8, "a4", "mlp.hidden.2.weights.1: 1 → -1", "y < z in the first block"),
    ("one key of the first block", "witness-t1", 3, "a4", "row.6.one.2: p - 3 → p - 4", "y < z in the first block"),
    ("one block only", "witness-t1", 3, "a4", "row.4.zero.2: -(p - 1) → -(p - 0)", "y < z"),
    ("rounded", "witness-t1", 3, "a4+entries=rounded", "mlp.output.weights.1: -2**(p - 2) → -2**(p - 1)", "y = z"),
]


def with_errata(name: str) -> Any:
    """The raw construction file with its errata, or all of them but one."""
    name, _, left_out = name.partition(" without ")
    if not name.startswith("table"):
        return dict(read_construction(TABLES / f"{name}.toml").raw)
    read = source(name)
    assert read.errata is not None
    return errata.changed(read.raw, [each for each in read.errata.erratum if each.name != left_out], name)


@lru_cache(maxsize=16)
def changes(name: str) -> dict[str, Any]:
    """Every change of one symbol of a table, by its title."""
    return dict(mutants(with_errata(name)))


def changed(name: str, p: int, semantics: str, title: str) -> Execution:
    instance = instantiate(shaped(changes(name)[title], ConstructionFile, CONSTRUCTION, name), {"p": p})
    if instance.defects:
        raise InputError("ill-formed")
    return Execution(instance, read_semantics(semantics))


def forged(execution: Execution) -> Any:
    """The certificate that says of any construction that it is right."""
    return plain(verified_certificate(Subject("x", "printed", {}), execution, MOST_STATES))


def judge(certificate: Any, failures: int) -> str:
    """What the checker does, which has to be what the number of failures calls for."""
    if not failures:
        return recheck.recheck(certificate).partition(":")[0]
    with pytest.raises(Rejected, match=r"^y [=<] z( in the (first|second) block)?: .* is not answered with [01]$") as refused:
        recheck.recheck(certificate)
    return str(refused.value).partition(":")[0]


@pytest.mark.parametrize(("what", "name", "p", "semantics", "title", "reason"), WRONG, ids=[line[0] for line in WRONG])
def test_a_wrong_table_is_refused(what: str, name: str, p: int, semantics: str, title: str, reason: str) -> None:
    execution = changed(name, p, semantics, title)
    assert judge(forged(execution), reachable_sets(execution).failures) == reason


def every_case() -> Iterator[tuple[str, int, str, str]]:
    """Every change of one symbol at every point."""
    for name, p, semantics in POINTS:
        yield from ((name, p, semantics, title) for title in changes(name))


def try_change(name: str, p: int, semantics: str, title: str) -> str:
    try:
        execution = changed(name, p, semantics, title)
        failures, certificate = reachable_sets(execution, MOST_STATES).failures, forged(execution)
    except (InputError, LimitError, NotApplicableError) as reason:
        return type(reason).__name__
    return judge(certificate, failures)


def test_changes_of_one_symbol() -> None:
    """One in a hundred."""
    seen = Counter(try_change(*case) for case in islice(every_case(), 0, None, 101))
    assert {"verified", "y = z", "y < z in the second block"} <= seen.keys(), seen


READINGS = [
    *readings("fixed"),
    *map(read_semantics, ("a4+scale=1/4", "narrative+ties=away+overflow=saturate", "order=values+overflow=before")),
]


def try_random(seed: int) -> tuple[str, int, bool]:
    """The kind of a random construction, its blocks, whether bits of y are read late; the checker agrees with enumeration."""
    instance, kind = random_construction(seed)
    execution = Execution(instance, READINGS[seed % len(READINGS)])
    if not combines(execution):
        return "in error", 0, False
    certificate = forged(execution)
    judge(certificate, enumerate_pairs(execution).failures)
    stages = [(block, stage) for block in certificate["blocks"] for stage in block["stages"]]
    late = any(len(run[0]) > len(block["sums"]) for block, stage in stages for run in stage["less"])
    return kind, len(certificate["blocks"]), late


def test_random_constructions() -> None:
    seen = Counter(try_random(seed) for seed in range(50))
    assert {("late", 1, True), ("swapped", 1, False), ("separate", 2, False), ("ascending", 1, False)} <= seen.keys(), seen


@pytest.mark.parametrize("asks", [(1, 1), (0, 1)], ids=["and then a constant", "and nothing behind it"])
def test_z_must_not_be_read_again(asks: tuple[int, int]) -> None:
    """z₂ is read before z₁: a forger who takes them one by one would let the sum forget z₁, or take it for 0."""
    one, zero = (1, 1), (0, 0)
    tokens = [Token(k, k, ((Bit("z", 3 - k),),), tuple(tuple(map(Fraction, v)) for v in (zero, one))) for k in (1, 2)]
    column = Matrix(((Fraction(1),), (Fraction(0),)))
    instance = Instance(
        id="z2 before z1",
        parameters={},
        names={},
        precision=4,
        task=Problem("EQ", "y <= z", 2),
        tokens=(*tokens, Token(3, 3, ((),), (tuple(map(Fraction, asks)),))),
        query=column,
        key=column,
        value=column,
        hidden=(),
        output=Node((), Fraction(0)),
    )
    execution = Execution(instance, NAMED["a4"])
    right = forged(execution)
    assert [(s["first"], s["last"]) for s in right["blocks"][0]["stages"]] == [("1", "2")]
    judge(right, enumerate_pairs(execution).failures)
    stage = right["blocks"][0]["stages"][0]
    right["blocks"][0]["stages"] = [{**stage, "last": "1"}, {**stage, "first": "2"}]
    with pytest.raises(Rejected, match=r"z\[1\] is read again after its stage"):
        recheck.recheck(sealed(right))


SAMPLE = 120

CLAIM = "every-bit-counts/lemma-2.3:denominator-first"

BASES = [
    ("witness-t0-simple", 3, "a4"),
    ("witness-t0-simple", 3, "a4+order=products"),
    ("witness-t0-simple", 3, "a4+ties=away"),
    ("witness-t0-simple", 3, "a4+entries=rounded"),
    ("witness-t0-p3", 3, "a4"),
    ("witness-t0-p3", 3, "a4+ln2=rounded"),
    ("witness-t1", 3, "a4"),
    ("witness-t1", 3, "a4+overflow=saturate"),
]
"""Small witnesses: some are right under the semantics, some are not."""

OF_THEIR_CLAIM = 5
"""The fooling set and the first four are of the claim that they name, the others of a table of that name only."""


@lru_cache(maxsize=1)
def bases() -> tuple[str, ...]:
    """The certificates that are changed."""
    found = [fooling_certificate(Subject("every-bit-counts/lemma-b.1", "statement", {"m": 5}), Problem("EQ", "y <= z", 5))]
    for name, p, semantics in BASES:
        instance = instantiate(read_construction(TABLES / f"{name}.toml").file, {"p": p})
        found.append(certify(Subject(CLAIM, "printed", instance.parameters), Execution(instance, read_semantics(semantics))))
    return tuple(json.dumps(certificate) for certificate in found)


def try_mutant(seed: int | str) -> str:
    """What the checker does with one mutant; an accepted one has to be true, and of the claim where it is said to be."""
    rng = Random(seed)
    others = [json.loads(text) for text in bases()]
    original = rng.choice(others)
    title, changed = mutant(original, others, rng)
    try:
        line = recheck.recheck(changed)
    except (Rejected, Unknown, TooMuch) as reason:
        return type(reason).__name__
    where = f"seed {seed!r}: {title}"
    assert line.startswith(by_the_engines(changed)), where
    of_the_claim, said = attribution(changed)
    same = meaning(changed) == meaning(original)
    if of_the_claim:
        assert any(claimed(changed) == claimed(other) for other in others[:OF_THEIR_CLAIM]), f"{where}: {said}"
    return "accepted, the same" if same else "accepted, another truth"


def meaning(certificate: Any) -> Any:
    """Everything that a certificate says, in lowest terms."""
    return canonical({key: certificate[key] for key in certificate if key != "digest"})


def claimed(certificate: Any) -> Any:
    """The claim that it names and the construction or problem that it has. The claims of these tables are one thing in every edition."""
    keys = ("claim", "parameters", "construction", "problem")
    return canonical({key: certificate[key] for key in keys if key in certificate})


def test_a_sample_of_mutants() -> None:
    seen = Counter(try_mutant(f"sample {k}") for k in range(SAMPLE))
    assert {"Rejected", "Unknown", "accepted, the same", "accepted, another truth"} <= seen.keys(), seen


@pytest.mark.parametrize("name", ["differential", "mutants", "constructions", "tables"])
def test_the_long_comparisons_can_be_run(name: str) -> None:
    from tests.verifier.certificates.campaign import CAMPAIGNS

    assert CAMPAIGNS[name].run(0).total() > 0
