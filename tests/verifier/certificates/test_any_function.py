"""Certificates of tables of any function: what the checker accepts is so by the definition, and what is changed is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction as F
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bitreferee import Construction, load
from tests.command_line import CommandLine
from tests.verifier.certificates.mutations import mutant, resealed
from tests.verifier.certificates.samples import A4, TABLES, drop, put, titled
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import Special, show
from verifier.arithmetic.rationals import rational
from verifier.arithmetic.semantics import TURNED, Semantics, read_semantics
from verifier.certificates import recheck
from verifier.certificates.files import certify
from verifier.certificates.recheck_arithmetic import FloatingPoint
from verifier.certificates.recheck_columns import Inputs
from verifier.certificates.recheck_reading import At, Limits, Rejected, TooMuch, Unknown
from verifier.certificates.statement import Subject
from verifier.certificates.traces import trace_of
from verifier.networks.acceptance import Acceptance
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.tasks import FormulaTask
from verifier.running.errors import InputError
from verifier.transformers.table_traces import evaluate_at
from verifier.transformers.tables import Execution

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
READINGS = ["a4", "a4+order=products", "a4+order=values", "a4+columns=all", "a4+overflow=saturate+ties=even", "a4+entries=rounded"]


def certificate(name: str, reading: str = "a4", m: int = 2, entry: tuple[str, Any] | None = None) -> Any:
    file = load(EXAMPLES / f"{name}.toml")
    instance = (file.with_entry(*entry) if entry else file).at(m=m)
    return json.loads(
        json.dumps(certify(Subject(f"construction/{name}", "printed", {"m": m}), Execution(instance, read_semantics(reading))))
    )


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.toml")))
def test_every_example_has_a_certificate_right_and_wrong(name: str) -> None:
    assert recheck.recheck(certificate(name)).startswith("enumerated: ")
    wrong = certificate(name, entry=("mlp.output.weights 1", 3))
    assert wrong["kind"] == "counterexample"
    assert recheck.recheck(wrong).startswith("counterexample: ")


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", ["greater-than", "inner-product"])
def test_under_every_order_and_rounding(name: str, reading: str) -> None:
    made = certificate(name, reading)
    assert recheck.recheck(made).startswith(f"{made['kind']}: ")


FLOATING = [
    ("witness-t2", {"t": 3, "e": 2}, "enumerated"),
    ("witness-t2", {"t": 3, "e": 3}, "enumerated"),
]


@pytest.mark.parametrize(("name", "point", "kind"), FLOATING)
def test_linear_and_floating_tables_of_the_paper(name: str, point: dict[str, int], kind: str) -> None:
    instance = load(TABLES / f"{name}.toml").at(**point)
    made = json.loads(json.dumps(certify(Subject(name, "printed", point), Execution(instance, Semantics()))))
    assert made["kind"] == kind
    assert recheck.recheck(made).startswith(f"{kind}: ")


def softmax(precision: dict[str, int], reading: str) -> Any:
    """A certificate of a table with softmax attention, which divides."""
    raw = {**load(EXAMPLES / "more-ones.toml").to_dict(), "attention": "softmax", "precision": precision}
    instance = Construction.from_dict(raw).at(m=2)
    return json.loads(json.dumps(certify(Subject("softmax", "printed", {"m": 2}), Execution(instance, read_semantics(reading)))))


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("precision", [{"t": 6, "e": 4}, {"t": 3, "e": 3}, {"bits": 5}])
def test_softmax_in_floating_point(precision: dict[str, int], reading: str) -> None:
    made = softmax(precision, reading)
    assert recheck.recheck(made).startswith(f"{made['kind']}: ")


CHANGES: list[tuple[str, str, Callable[[Any], Any], str]] = [
    ("a case too many", "parity", put("cases", value="5"), "4 inputs keep the promise"),
    ("a yes too many", "parity", put("yes", value="3"), "on 2 of them the function is 1"),
    ("an assumption that it does not make", "parity", put("assumptions", value=["exact-entries"]), "none were expected"),
    ("an outcome left out", "parity", drop("outcomes", 0), "is missing"),
    ("an outcome twice", "parity", put("outcomes", value=lambda x: [*x, x[0]]), "listed twice"),
    ("an outcome that does not occur", "parity", put("outcomes", value=lambda x: [*x, ["7", "1", "1"]]), "0 inputs have this outcome"),
    ("a value that is rounded to one that occurs", "first", put("outcomes", 0, 0, value="1/1000000"), "is not representable in the format"),
    ("another count", "parity", put("outcomes", 0, 2, value="1"), "2 inputs have this outcome"),
    ("the function turned", "parity", put("construction", "problem", "function", value=lambda f: ["not", f]), "inputs have this outcome"),
    ("a promise that nothing keeps", "parity", put("construction", "problem", "promise", value="false"), "no input keeps the promise"),
    ("another acceptance", "parity", put("construction", "accept", "yes", value=["==", "out", "2"]), "is not answered with 1"),
    ("the output node as it is", "majority-by-sign", put("construction", "accept", "rectified", value=True), "inputs have this outcome"),
    ("an entry of W^V", "greater-than", put("construction", "value", "rows", 1, 0, value="2"), "inputs have this outcome"),
    ("softmax for linear", "greater-than", put("construction", "attention", value="softmax"), "have this outcome"),
    ("a bit of the other string", "greater-than", put("construction", "tokens", 0, "reads", 0, value="z[1]"), "have this outcome"),
]


@pytest.mark.parametrize(("title", "name", "change", "reason"), CHANGES, ids=titled)
def test_a_forged_certificate_is_rejected(title: str, name: str, change: Callable[[Any], Any], reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        recheck.recheck(resealed(change(certificate(name))))
    with pytest.raises(Rejected):
        recheck.recheck(change(certificate(name)))


def _with_function(formula: Any) -> Callable[[Any], Any]:
    return put("construction", "problem", "function", value=formula)


UNKNOWN: list[tuple[str, Callable[[Any], Any]]] = [
    ("a divisor that is not written out", _with_function(["==", ["%", "1", "x"], "1"])),
    ("a divisor of 0", _with_function(["==", ["%", "x", "0"], "1"])),
    ("a huge power", _with_function(["==", ["**", "x", "999"], "1"])),
    ("numbers beyond 62 bits", _with_function(["==", ["**", ["*", "x", "1000000"], "5"], "1"])),
    ("a number for a condition", _with_function("x")),
    ("a condition for a number", _with_function(["==", ["==", "x", "1"], "1"])),
    ("an operation that is unknown", _with_function(["xor", "true", "true"])),
    ("bits beyond the string", _with_function(["==", ["bits", "x", "1", "9"], "1"])),
    ("bits in reverse", _with_function(["==", ["bits", "x", "2", "1"], "1"])),
    ("a string that is not there", _with_function(["==", "w", "1"])),
    ("popcount of a negative number", _with_function(["==", ["popcount", ["-", "0", "x"]], "1"])),
    ("no operands", _with_function(["and"])),
    ("an empty list for a number", _with_function(["==", [], "1"])),
    ("an empty list for a condition", _with_function([])),
    ("an empty list for an acceptance", put("construction", "accept", "no", value=[])),
    ("a string of a name that cannot be read", put("construction", "problem", "strings", value=[["_x", "2"]])),
    ("a condition on anything but out", put("construction", "accept", "yes", value=["==", "x", "1"])),
    ("too many bits", put("construction", "problem", "strings", value=[["x", "25"]])),
    ("a string twice", put("construction", "problem", "strings", value=[["x", "2"], ["x", "2"]])),
    ("a bit of no string", put("construction", "tokens", 0, "reads", 0, value="w[1]")),
    ("a wide format", put("construction", "precision", value={"t": "4", "e": "8"})),
    ("both formats", put("construction", "precision", value={"t": "4", "e": "4", "bits": "4"})),
    ("rows of two lengths", put("construction", "value", "rows", 0, value=["1", "2"])),
]


@pytest.mark.parametrize(("title", "change"), UNKNOWN, ids=titled)
def test_what_is_not_of_the_format_is_unknown(title: str, change: Callable[[Any], Any]) -> None:
    with pytest.raises(Unknown):
        recheck.recheck(resealed(change(certificate("parity"))))


TRACES: list[tuple[str, Callable[[Any], Any]]] = [
    ("another sum", put("trace", "steps", 1, "sums", 0, value="7")),
    ("another weight", put("trace", "steps", 0, "weight", value="3")),
    ("another denominator", put("trace", "denominator", value="2")),
    ("another output", put("trace", "output", value="1")),
    ("a right answer", put("trace", "answer", value=lambda a: "0" if a != "0" else "1")),
    ("a step left out", drop("trace", "steps", 0)),
    ("another input", put("input", "x", value=lambda x: x[::-1] if x != x[::-1] else "11")),
]


@pytest.mark.parametrize(("title", "change"), TRACES, ids=titled)
def test_a_forged_counterexample_is_rejected(title: str, change: Callable[[Any], Any]) -> None:
    wrong = certificate("parity", entry=("mlp.output.weights 1", 3))
    assert recheck.recheck(wrong)
    with pytest.raises(Rejected):
        recheck.recheck(change(wrong))


def test_an_input_that_is_answered_rightly_refutes_nothing() -> None:
    execution = Execution(load(EXAMPLES / "parity.toml").at(m=2), Semantics())
    wrong = certificate("parity", entry=("mlp.output.weights 1", 3))
    right = evaluate_at(execution, {"x": 1})
    assert right.correct
    forged = {**wrong, "construction": certificate("parity")["construction"], "input": {"x": "01"}, "trace": trace_of(right)}
    with pytest.raises(Rejected, match="nothing is refuted"):
        recheck.recheck(resealed(json.loads(json.dumps(forged))))


def by_the_definition(made: Any) -> bool:
    """Whether a certificate says what is so, by the slow definition, one input at a time."""
    given = made["construction"]
    words = "+".join(f"{knob}={made['semantics'][knob]}" for knob in TURNED if knob != "point")
    scale = f"+scale={F(made['semantics']['scale'])}" if made["semantics"]["point"] == "grid" else ""
    precision, accept, problem = given["precision"], given["accept"], given["problem"]
    instance = Instance(
        id="made",
        parameters={},
        names={},
        precision=int(F(precision["bits"])) if "bits" in precision else Digits(int(F(precision["t"])), int(F(precision["e"]))),
        task=FormulaTask(
            _text(problem["function"]), _text(problem["promise"]), tuple((name, int(F(length))) for name, length in problem["strings"])
        ),
        tokens=tuple(
            Token(
                int(F(t["index"])),
                1,
                (tuple(Bit(b[: b.index("[")], int(b[b.index("[") + 1 : -1])) for b in t["reads"]),),
                tuple(map(_vector, t["vectors"])),
            )
            for t in given["tokens"]
        ),
        query=_matrix(given["query"]),
        key=_matrix(given["key"]),
        value=_matrix(given["value"]),
        hidden=tuple(map(_node, given["mlp"]["hidden"])),
        output=_node(given["mlp"]["output"]),
        attention=given["attention"],
        accept=Acceptance(_text(accept["yes"]), _text(accept["no"]), accept["rectified"]),
    )
    execution = Execution(instance, read_semantics(f"a4+{words}{scale}"))
    names = list(instance.task.strings)
    if made["kind"] == "counterexample":
        run = evaluate_at(execution, {name: int(made["input"][name], 2) for name in names})
        return run.promised and not run.correct
    lengths = list(instance.task.strings.values())
    runs = []
    for number in range(1 << sum(lengths)):
        inputs, behind = {}, sum(lengths)
        for name, length in zip(names, lengths, strict=True):
            behind -= length
            inputs[name] = number >> behind & (1 << length) - 1
        run = evaluate_at(execution, inputs)
        if run.promised:
            runs.append(run)
    return bool(runs) and all(run.correct for run in runs) and len(runs) == int(F(made["cases"]))


def _text(formula: Any) -> str:
    """A formula of a certificate in our own language."""
    if isinstance(formula, str):
        return {"true": "1 == 1", "false": "1 == 0"}.get(formula, f"({formula})" if formula.startswith("-") else formula)
    word, *parts = formula
    if word == "bits":
        return f"{parts[0]}[{parts[1]} : {parts[2]}]"
    if word == "if":
        return "({1} if {0} else {2})".format(*map(_text, parts))
    if word in ("popcount", "abs", "min", "max"):
        return f"{word}({', '.join(map(_text, parts))})" if len(parts) > 1 or word not in ("min", "max") else _text(parts[0])
    if word == "not":
        return f"(not {_text(parts[0])})"
    return "(" + f" {word} ".join(map(_text, parts)) + ")"


def _vector(entries: Any) -> Any:
    return tuple(rational(x) for x in entries)


def _matrix(given: Any) -> Matrix:
    return Matrix(tuple(tuple(map(rational, row)) for row in given["rows"]), given["ln2"])


def _node(given: Any) -> Node:
    return Node(tuple(map(rational, given["weights"])), rational(given["bias"]))


BASES = [("parity", None), ("greater-than", None), ("majority-by-sign", None), ("first", ("mlp.output.weights 1", 3))]


@pytest.mark.parametrize("seed", range(2))
def test_no_mutant_is_accepted_that_the_definition_does_not_bear_out(seed: int) -> None:
    tried(seed, 60)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(2, 12))
def test_nor_of_many_more(seed: int) -> None:
    tried(seed, 400)


def tried(seed: int, count: int) -> None:
    rng = Random(seed)
    bases = [certificate(name, entry=entry) for name, entry in BASES]
    accepted = 0
    for _ in range(count):
        title, changed = mutant(rng.choice(bases), bases, rng)
        try:
            recheck.recheck(changed, Limits(work=1 << 18))
        except (Rejected, Unknown, TooMuch):
            continue
        accepted += 1
        assert by_the_definition(changed), title
    assert accepted < count


@pytest.mark.parametrize("underflow", TURNED["underflow"])
@pytest.mark.parametrize("ties", TURNED["ties"])
def test_floating_point_is_that_of_the_definition(underflow: str, ties: str) -> None:
    rng = Random(f"{underflow}{ties}")
    for t, e in ((1, 1), (1, 3), (3, 3), (4, 4), (11, 5)):
        for rounding, overflow in (("nearest", "after"), ("truncate", "before"), ("nearest", "saturate"), ("nearest", "before")):
            knobs = {**A4, "underflow": underflow, "ties": ties, "rounding": rounding, "overflow": overflow}
            theirs = FloatingPoint(t, e, knobs, Limits())
            reading = read_semantics(f"a4+underflow={underflow}+ties={ties}+rounding={rounding}+overflow={overflow}")
            ours = reading.machine(Digits(t, e))
            exact = [F(rng.randint(-40, 40), rng.choice([1, 2, 3, 8, 64, 4096])) * F(2) ** rng.randint(-18, 16) for _ in range(12)]
            smallest = F(2) ** (1 - 2 ** (e - 1))
            tie = smallest * (1 - F(1, 2 ** (t + 1)))  # of the smallest number that is not flushed and the one of t digits before it
            exact += [smallest / 2, smallest, tie, -tie, tie * F(999, 1000), tie * F(1001, 1000)]
            for x in exact:
                found = ours.round(rational(str(x)))
                assert str(theirs.value(theirs.state(x))) == show(found), (t, e, knobs, x)
                assert theirs.holds(x) == ours.form.contains(rational(str(x)))
            states = [theirs.state(x) for x in exact]
            for a, b in pairwise(states):
                x, y = (
                    ours.round(rational(str(theirs.value(s)))) if isinstance(theirs.value(s), F) else Special(theirs.value(s))
                    for s in (a, b)
                )
                assert str(theirs.value(theirs.add(a, b))) == show(ours.add(x, y))
                assert str(theirs.value(theirs.divide(a, b))) == show(ours.divide(x, y))


def test_columns_are_what_they_are_input_by_input() -> None:
    inputs = Inputs(At([["x", "2"], ["y", "1"]]), Limits())
    formula = ["or", ["<", ["popcount", "x"], "y"], ["==", ["if", ["==", "y", "1"], ["bits", "x", "2", "2"], "5"], "1"]]
    column = inputs.condition(At(formula))
    found = [inputs.one(column, {"x": x, "y": y}) for x in ("00", "01", "10", "11") for y in "01"]
    assert found == [False, True, False, True, False, False, False, True]


def test_twenty_bits_are_within_the_default_limits_and_more_are_not() -> None:
    made = certificate("first", m=11)
    limits = Limits()
    assert "right on all 2048 promised inputs" in recheck.recheck(made, limits)
    with pytest.raises(TooMuch, match="work"):
        recheck.recheck(made, Limits(work=limits.spent - 1))
    with pytest.raises(TooMuch, match="states"):
        recheck.recheck(made, Limits(states=2047))
    with pytest.raises(InputError, match="of at most 20 bits, not 21"):
        certificate("first", m=21)


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "m"), [("parity", 20), ("inner-product", 10), ("greater-than", 10), ("majority", 20)])
def test_the_largest_are_within_the_default_limits(name: str, m: int) -> None:
    assert recheck.recheck(certificate(name, m=m)).startswith("enumerated: ")


def test_the_command_writes_it_and_compares_it_with_the_file(verify: CommandLine, tmp_path: Path) -> None:
    path, file = tmp_path / "parity.json", EXAMPLES / "parity.toml"
    assert verify("construction", str(file), "--m", "3", "--certificate", str(path)).status == 0
    found = verify("recheck", str(path), "--construction", str(file))
    assert (found.status, "of this file: entry for entry" in found.out) == (0, True), found.out
    other = verify("recheck", str(path), "--construction", str(EXAMPLES / "majority.toml"))
    assert (other.status, "not of" in other.out) == (3, True), other.out
