"""The stand-alone checker's arithmetic against the scalar definition: every value of every step, on random constructions and semantics."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.verifier.certificates.random_constructions import random_case, readable
from verifier.arithmetic.numbers import show
from verifier.arithmetic.semantics import KNOBS, Semantics
from verifier.certificates import recheck
from verifier.certificates.statement import construction_data, semantics_data
from verifier.networks.evaluate import Trace, evaluate
from verifier.networks.instance import Instance
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError

PARTS, CASES = 40, 10
INPUTS = 6


def transformer(instance: Instance, semantics: Semantics) -> recheck.Transformer:
    """The checker's reading of the construction."""
    return recheck.Transformer(recheck.At(semantics_data(semantics)), recheck.At(construction_data(instance)), recheck.Limits())


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
        with pytest.raises(recheck.Unknown, match="N combines with nothing"):
            transformer(instance, semantics)
        return Counter(["in error"])
    t = transformer(instance, semantics)
    assert t.assumptions == list(execution.assumptions), where
    seen: Counter[str] = Counter(f"{knob}={getattr(semantics, knob)}" for knob in KNOBS)
    m = instance.m
    pairs = [(y, z) for y in range(1 << m) for z in range(1 << m)]
    for y, z in Random(seed).sample(pairs, min(INPUTS, len(pairs))):
        trace = evaluate(execution, y, z)
        found = recheck.run(t, bits_of(y, m), bits_of(z, m))
        assert texts(found) == by_definition(trace), f"{where}, y = {y}, z = {z}"
        seen[f"answer {found['answer']}"] += 1
        seen[f"attention {found['attention'] if found['attention'] in ('inf', '-inf', 'nan') else 'finite'}"] += 1
    seen["exact-entries"] += bool(t.assumptions)
    return seen


@cache
def sample(part: int) -> Counter[str]:
    return sum((compare(f"sample {k}") for k in range(CASES * part, CASES * (part + 1))), Counter[str]())


@pytest.mark.parametrize("part", range(PARTS))
def test_the_checker_computes_what_the_definition_says(part: int) -> None:
    assert sample(part)


def test_the_sample_shows_everything() -> None:
    assert_all_seen(sum(map(sample, range(PARTS)), Counter[str]()))


def assert_all_seen(seen: Counter[str]) -> None:
    """Every knob's settings, every answer, every kind of value and constructions in error came up."""
    wanted = {f"{knob}={setting}" for knob, settings in KNOBS.items() for setting in settings}
    wanted |= {"in error", "exact-entries", *(f"answer {a}" for a in ("0", "1", "neither"))}
    wanted |= {f"attention {kind}" for kind in ("finite", "inf", "-inf", "nan")}
    assert wanted <= seen.keys(), wanted - seen.keys()
