"""Expectations: the first input and the first token where a construction departs, by the arrays as by the definition, input by input."""

import tomllib
from itertools import product
from random import Random

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import Outcome, Verdict
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


HELD = [
    ("parity", 'i = "[1 : m]"\nis = "popcount(x[1 : i])"', "the numerator is popcount(x[1 : i])"),
    ("parity", 'step = 1\nis = "popcount(x)"', "the numerator is popcount(x)"),
    ("parity", 'i = 2\nholds = "0 <= v <= 2"', "the numerator keeps 0 <= v <= 2"),
    ("parity", 'of = "column"\ncolumn = 2\ni = "{1, 3}"\nis = "sum(x[j] for j in (1, i))"', "column 2 of A X is sum(x[j] for j in (1, i))"),
    ("parity", 'of = "denominator"\nis = 1', "the denominator is 1"),
    ("parity", 'of = "output"\nwhere = "x[1] == 1"\nholds = "v >= 1"', "the output keeps v >= 1"),
    ("equality", 'step = 1\nis = "y"', "the numerator is y"),
    ("equality", 'is = "value(y) - value(z)"', "the numerator is value(y) - value(z)"),
    ("comparison", 'of = "numerator"\ncolumn = 2\nis = "z"', "numerator 2 is z"),
    ("comparison", 'of = "output"\nis = "y"', "output 1 is y"),
    ("comparison", 'of = "denominator"\nis = 1', "the denominator is 1"),
    ("comparison", 'of = "column"\ncolumn = 3\nis = "z"', "column 3 of A X is z"),
]


@pytest.mark.parametrize(("function", "expect", "said"), HELD)
def test_held(function: str, expect: str, said: str) -> None:
    (found,) = findings(execution(function, "[[expect]]\n" + expect))
    assert found.verdict is Verdict.VERIFIED
    assert found.scope.cases == (4 if "where" in expect else 8 if function == "parity" else 64)
    assert found.failures == 0
    inputs = {"parity": "inputs (x of 3 bits)", "equality": "pairs", "comparison": "inputs (y, z of 3 bits)"}[function]
    where = " where x[1] == 1" if "where" in expect else ""
    assert found.scope.statement == f"all {found.scope.cases} {inputs} at m = 3{where}: {said}"


DEPART = [
    ("a number wrong from the second token on", "parity", 'i = "[1 : m]"\nis = "x[1]"', ("001", "3", "1", "0 = x[1]", 6)),
    ("after a step", "parity", 'step = 1\nis = "popcount(x) + x[3]"', ("001", "3", "1", "2 = popcount(x) + x[3]", 4)),
    ("a condition", "parity", 'of = "output"\nholds = "v < 3"', ("111", "4", "3", "v < 3", 1)),
    ("a column", "comparison", 'of = "column"\ncolumn = 3\nstep = 1\nis = 1', ("000 000", "3", "0", "1", 64)),
    ("a token that is not looked at", "parity", 'i = "[1 : m]"\nwhere = "i > 1"\nis = "x[1] - 1"', ("000", "2", "0", "-1 = x[1] - 1", 8)),
    ("where it is looked at", "parity", 'of = "output"\nwhere = "x[1] == 1 and x[2] == 1"\nis = 2', ("111", "4", "3", "2", 1)),
]


@pytest.mark.parametrize(("function", "expect", "where"), [d[1:] for d in DEPART], ids=[d[0] for d in DEPART])
def test_the_first_input_and_the_first_token(function: str, expect: str, where: tuple[str, str, str, str, int]) -> None:
    (found,) = findings(execution(function, "[[expect]]\n" + expect))
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    words = [found.counterexample[name] for name in ("x", "y", "z") if name in found.counterexample]
    shown = (" ".join(words), *(found.counterexample[k] for k in ("token", "found", "expected")), found.failures)
    assert shown == where
    assert found.counterexample["m"] == "3"
    assert (f" after token {where[1]} " in (found.reason or "")) is ('of = "output"' not in expect)
    assert found.replay is not None
    assert list(found.replay[-len(words) * 2 + 1 :: 2]) == words


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


def test_more_inputs_than_can_be_listed() -> None:
    where = 'where = "1 <= m <= 24"\nmeaning = "bits of a string"\ndefault = 3'
    wide = (where, where.replace("24", "99").replace("3", "80"))
    (found,) = findings(execution("parity", '[[expect]]\ni = "[1 : m]"\nis = "popcount(x[1 : i])"', change=wide))
    assert (found.verdict, found.scope.cases, found.scope.method) == (Verdict.VERIFIED, 1 << 80, "reachable")
    (wrong,) = findings(execution("parity", '[[expect]]\ni = "[1 : m]"\nis = "x[1]"', change=wide))
    assert wrong.verdict is Verdict.DECLINED


CHANGES = [("", ""), ('bits = "m + 3"', "bits = 3"), ('"linear"', '"softmax"'), ('promise = "none"', 'promise = "popcount(STRING) < 2"')]


def test_arrays_agree_with_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "CHUNK_BITS", 2)
    rng, failing = Random(8), 0
    for k in range(12):
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
    assert failing > 5


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


def test_no_column_is_formed() -> None:
    with pytest.raises(InputError, match=r"expect-1: column 1 of A X is not formed, as W\^V does not use it; 2 are"):
        findings(execution("parity", '[[expect]]\nof = "column"\nis = 3'))
    with pytest.raises(InputError, match="expect-1: no column of A X is formed in this order of evaluation"):
        findings(execution("parity", '[[expect]]\nof = "column"\ncolumn = 2\nis = 3', semantics="narrative"))


def test_an_expectation_of_no_input_is_declined() -> None:
    (found,) = findings(execution("parity", '[[expect]]\nwhere = "popcount(x) > 3"\nis = 3'))
    assert found.verdict is Verdict.DECLINED
    assert "no promised input where popcount(x) > 3" in str(found)


def test_entries_that_the_precision_lacks_are_a_condition() -> None:
    third = execution("parity", '[[expect]]\nof = "denominator"\nis = 1', change=("one = [1, 1]", 'one = [1, "1/3"]'))
    (found,) = findings(third)
    assert (found.verdict, found.assumptions) == (Verdict.CONDITIONAL, ("exact-entries",))


def test_what_the_definition_does_not_refute_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "departures", lambda *given: iter(()))
    with pytest.raises(AssertionError, match=r"the engine refutes expect-1 at .*, the definition does not"):
        findings(execution("parity", "[[expect]]\nis = 5"))


def test_infinite_sums_are_values() -> None:
    says = "v == inf if popcount(x) > 1 else v == popcount(x)"
    found = findings(execution("parity", f'[[expect]]\nholds = "{says}"\n', change=('bits = "m + 3"', "bits = 2")))
    assert [(f.verdict, f.scope.cases) for f in found] == [(Verdict.VERIFIED, 8)]


REFUSED = [
    ("neither value nor condition", 'of = "output"', "expect 1: either is or holds was expected"),
    ("a token and a step", "i = 1\nstep = 1\nis = 0", "step or i was expected, not both"),
    ("an output after a token", 'of = "output"\ni = 1\nis = 0', "the output comes after all tokens"),
    ("an unknown quantity", 'of = "sum"\nis = 0', "expect 1, of: numerator or column or denominator or output was expected, not 'sum'"),
    ("an unknown name", 'is = "q"', "expect-1: no name 'q' here; the names are m, x, i, v"),
    ("a condition for a value", 'is = "x[1] == 1"', "expect-1: is: .* is a condition; write holds"),
    ("a value for a condition", 'holds = "x"\n', "expect-1: 'x' is not a condition|not a condition"),
    ("no such step", "step = 7\nis = 0", "expect-1: step 7 has no token at these parameters; the steps are 1, 2"),
    ("no such token", "i = 9\nis = 0", "expect-1: i: token 9 lies outside the tokens 1 … 4"),
    ("no such column", "column = 2\nis = 0", "expect-1: column is 2; there are columns 1 to 1"),
    ("a name of two words", 'is = 3\nname = "a b"', "expect: the name is 'a b'; small letters, digits, dots and dashes"),
    ("two of one name", "is = 3\nname = 'expect-2'\n[[expect]]\nis = 3", "the name 'expect-2' is given twice"),
    ("counting from 0", 'of = "column"\ncolumn = 0\nis = 0', "expect-1: column is 0; there are columns 1 to 2"),
]


@pytest.mark.parametrize(("expect", "message"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_refused(expect: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        findings(execution("parity", "[[expect]]\n" + expect))
