"""Expectations: the first input and the first token where a construction departs, by the arrays as by the definition, input by input."""

import tomllib
from itertools import product
from random import Random

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import Outcome
from verifier.engines import enumerate as enumeration
from verifier.engines.search import NotApplicableError
from verifier.judges import expectations as expected
from verifier.judges.expectations import Met, departures, every_input, in_every_state, judged_expectations
from verifier.networks.files import shaped
from verifier.networks.instance import Expectation
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.networks.templates import beginning
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution


def execution(function: str, expect: str, bits: int = 3, semantics: str = "a4", change: tuple[str, str] = ("", "")) -> Execution:
    """A file to begin with, its expectations replaced, with one change."""
    text = beginning(function, bits, "mine").partition("\n# What you expect")[0] + "\n" + expect
    assert change[0] in text
    return Execution(
        instantiate(shaped(tomllib.loads(text.replace(*change)), ConstructionFile, CONSTRUCTION, "t"), {}), read_semantics(semantics)
    )


def findings(found: Execution) -> list[Outcome]:
    return [f for _, f in judged_expectations(found, "t", ("construction", "t"), 1 << 20, lambda done, total: None)]


def brute(found: Execution, expectation: Expectation) -> Met:
    """Every promised input by the definition; no expectation here says where it is looked at."""
    strings = found.instance.task.strings
    each = [dict(zip(strings, values, strict=True)) for values in product(*(range(2**n) for n in strings.values()))]
    promised = [one for one in each if found.instance.task.promised_at(one)]
    failing = [tuple(one.values()) for one in promised if any(departures(found, expectation, one))]
    return Met(len(promised), len(failing), failing[0] if failing else None)


BY_STATES = [
    ("parity", 'i = "[1 : m]"\nis = "popcount(x[1 : i])"'),
    ("parity", 'i = "[1 : m]"\nis = "popcount(x[1 : i]) + x[1] - x[1]"'),
    ("parity", 'i = "[2 : m]"\nholds = "v >= x[2] + x[1]"'),
    ("parity", 'i = 2\nwhere = "x[1] == 1"\nholds = "v >= 1"'),
    ("parity", 'of = "output"\nis = "popcount(x)"'),
    ("parity", 'i = "[1 : m]"\nis = "popcount(x[1 : i]) - (1 if i == m and popcount(x[1 : i]) == m else 0)"'),
    ("parity", 'i = "[1 : m]"\nis = "x[1]"'),
    ("first", 'of = "output"\nholds = "v >= 0 or x[1] == 0"'),
    ("majority", 'i = "[1 : m]"\nis = "popcount(x[1 : i])"'),
]


@pytest.mark.parametrize(("function", "expect"), BY_STATES)
def test_states_tell_what_every_input_tells(function: str, expect: str) -> None:
    for change in [("", ""), ('bits = "m + 3"', "bits = 2")] if function == "parity" else [("", "")]:
        found = execution(function, "[[expect]]\n" + expect, 5, change=change)
        (met,) = every_input(found, 1 << 20)
        assert in_every_state(found, 1 << 20) == (None if met.failures else [met.cases])


NOT_BY_STATES = [
    ("bits by their places", "parity", 'i = "[1 : m]"\nis = "popcount(x[1 : i]) + 0*x[1 : i]"'),
    ("ones that are not read yet", "parity", 'i = 1\nholds = "v <= popcount(x)"'),
    ("ones of other bits", "parity", 'i = 3\nholds = "v >= popcount(x[2 : 3])"'),
    ("a bit that is not read yet", "parity", 'i = 1\nholds = "v <= 1 + x[2]"'),
    ("the number that the bits spell", "parity", 'holds = "v <= x"'),
    ("other inputs after each token", "parity", 'i = "[1 : 2]"\nwhere = "x[1] == 1"\nholds = "v >= 1"'),
    ("pairs", "equality", 'of = "denominator"\nis = 1'),
]


@pytest.mark.parametrize(("function", "expect"), [each[1:] for each in NOT_BY_STATES], ids=[each[0] for each in NOT_BY_STATES])
def test_states_do_not_tell(function: str, expect: str) -> None:
    with pytest.raises(NotApplicableError):
        in_every_state(execution(function, "[[expect]]\n" + expect), 1 << 20)


def test_more_states_than_the_limit_are_left_to_the_inputs() -> None:
    with pytest.raises(NotApplicableError, match="more than 9 states"):
        in_every_state(execution("parity", '[[expect]]\ni = "[1 : m]"\nis = "popcount(x[1 : i])"', 5), 9)


CHANGES = [("", ""), ('bits = "m + 3"', "bits = 3"), ('"linear"', '"softmax"'), ('promise = "none"', 'promise = "popcount(STRING) < 2"')]


def test_arrays_agree_with_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "CHUNK_BITS", 2)
    rng, failing = Random(8), 0
    for k in range(8):
        function, (old, new) = rng.choice(["parity", "equality", "comparison"]), CHANGES[k % len(CHANGES)]
        formulas = ["v <= 1", "finite(v)", "v == 2*i - 3", "v % 2 == 0"]
        formulas += ["v == popcount(x[1 : min(i, m)])"] if function == "parity" else ["v <= y", "v == y - z"]
        parts = ""
        for _ in range(3):
            of = rng.choice(["numerator", "denominator", "column", "output"])
            column, tokens = 2 if of == "column" else 1, "" if of == "output" else 'i = "[1 : m + 1]"\n'
            parts += f'[[expect]]\nof = "{of}"\ncolumn = {column}\n{tokens}holds = "{rng.choice(formulas)}"\n'
        semantics = rng.choice(["a4", "a4+ties=even", "a4+rounding=truncate"])
        change = (old, new.replace("STRING", "x" if function == "parity" else "z"))
        found = execution(function, parts, 2, semantics, change)
        for expectation, met in zip(found.instance.expectations, every_input(found, 1 << 20), strict=True):
            assert met == brute(found, expectation), (function, expectation, semantics, change)
            failing += 0 < met.failures < met.cases
    assert failing > 3


def test_an_output_is_a_numerator_over_a_denominator_that_is_not_1() -> None:
    parts = "".join(f'[[expect]]\nof = "{of}"\nholds = "v < 1"\n' for of in ("output", "numerator"))
    found = execution("parity", parts, 2, change=('"linear"', '"softmax"'))
    met = every_input(found, 1 << 20)
    assert met == [brute(found, expectation) for expectation in found.instance.expectations]
    assert met[0].failures < met[1].failures


@pytest.mark.parametrize(("entry", "semantics"), [("0", "a4"), ('"1/2**40"', "a4+entries=rounded")])
def test_linear_attention_without_sums(entry: str, semantics: str) -> None:
    """W^V = 0, as it is written or as it is rounded: every quantity is what the definition says, and no column is formed."""
    parts = "".join(f'[[expect]]\nof = "{of}"\nholds = "v == popcount(x)"\n' for of in ("output", "numerator", "denominator"))
    found = execution("parity", parts, 2, semantics, ("[[0], [1]]", f"[[0], [{entry}]]"))
    assert every_input(found, 1 << 20) == [brute(found, expectation) for expectation in found.instance.expectations]
    with pytest.raises(InputError, match=r"column 2 of A X is not formed, as .* does not use it; none are"):
        findings(execution("parity", '[[expect]]\nof = "column"\ncolumn = 2\nis = 3', 2, semantics, ("[[0], [1]]", f"[[0], [{entry}]]")))


def test_what_the_definition_does_not_refute_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "departures", lambda *given: iter(()))
    with pytest.raises(AssertionError, match=r"the engine refutes expect-1 at .*, the definition does not"):
        findings(execution("parity", "[[expect]]\nis = 5"))
