"""Random mutations of a good file: it loads, or one line of InputError (or a limit) refuses it; nothing else ever."""

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from verifier.arithmetic.semantics import Semantics
from verifier.errata.tables import apply
from verifier.networks.errata import TableErratum
from verifier.networks.files import read_toml, shaped
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.errors import InputError, LimitError
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

TEXT = (Path(__file__).parents[2] / "good.toml").read_text()
RAW = tomllib.loads(TEXT)
FUZZ = settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
WORDS = [
    "[",
    "]",
    "[[row]]",
    "{",
    "}",
    '"',
    "\n",
    "=",
    ",",
    "N",
    "-N",
    "i",
    "p",
    "**",
    "/0",
    "9" * 50,
    "0x",
    "1e9",
    "true",
    "é",
    "\0",
    "y[",
    ":",
    "~",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


PLACES = list(places(RAW))
EXPRESSIONS = ["N", "-N", "i", "-i", "p", "2**p", "2**-i", "1/i", "m - i", "[1 : n]", "{1, i}", "{p}", "[i : 2]", "y[i]", "~z[1 : 2]"]
LARGE = ["z[i - 3]", "2**4000*2**4000", "10**30", "ceil(log2(i))", "x.y", "p >= 2", "p > 2 or 1/0 > 1", "f1", "[1 : 10**5]", "y[1 : 13]"]
expressions = st.one_of(
    st.sampled_from(EXPRESSIONS),
    st.sampled_from(LARGE),
    st.text(alphabet="Nipmhyz0123456789+-*/()[]{}:,~. <>=", max_size=12),
)
replacements = st.one_of(
    expressions,
    expressions,
    st.integers(-5, 20),
    st.integers(),
    st.integers(2**4000, 2**5000),
    st.floats(),
    st.booleans(),
    st.none(),
    st.just([]),
    st.just({}),
    st.lists(expressions, max_size=3),
    st.dictionaries(st.text(max_size=3), expressions, max_size=2),
    st.sampled_from([RAW[k] for k in ("row", "mlp", "problem", "weights", "input")]),
)


def attempt(raw: dict[str, Any]) -> Instance | None:
    """The instance, or None where one printable line refused it."""
    try:
        return instantiate(shaped(raw, ConstructionFile, CONSTRUCTION, "file.toml"), {"p": 5})
    except InputError as refusal:
        one_line(refusal)
    except LimitError:
        pass
    return None


def one_line(refusal: InputError) -> None:
    assert str(refusal)
    assert str(refusal).isprintable()


@pytest.mark.campaign
@FUZZ
@given(
    st.lists(
        st.tuples(st.integers(0, len(TEXT)), st.integers(0, 12), st.one_of(st.sampled_from(WORDS), st.text(max_size=4))),
        min_size=1,
        max_size=3,
    )
)
@example([(TEXT.index("step = 3") + 7, 1, "9" * 5000)])
@example([(TEXT.index("step = 3") + 7, 1, "0x" + "9" * 5000)])
def test_mutated_text(tmp_path: Path, cuts: list[tuple[int, int, str]]) -> None:
    text = TEXT
    for at, length, inserted in cuts:
        text = text[:at] + inserted + text[at + length :]
    path = tmp_path / "file.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        raw = read_toml(path)
    except InputError as refusal:
        one_line(refusal)
        return
    attempt(raw)


def mutated(changes: list[tuple[tuple[Any, ...], Any]]) -> dict[str, Any]:
    raw = copy.deepcopy(RAW)
    for path, value in changes:
        here: Any = raw
        try:
            for key in path[:-1]:
                here = here[key]
            if value is None:
                del here[path[-1]]
            else:
                here[path[-1]] = copy.deepcopy(value)
        except (KeyError, IndexError, TypeError):
            continue
    return raw


changes = st.lists(st.tuples(st.sampled_from(PLACES), replacements), min_size=1, max_size=3)


@pytest.mark.campaign
@FUZZ
@given(changes)
def test_mutated_values(changed: list[tuple[tuple[Any, ...], Any]]) -> None:
    attempt(mutated(changed))


@pytest.mark.campaign
@settings(FUZZ, max_examples=150)
@given(changes, st.integers(0, 3), st.integers(0, 3), st.sampled_from(["ax", "products", "values"]), st.sampled_from(["used", "all"]))
def test_what_loads_can_be_evaluated(changed: list[tuple[tuple[Any, ...], Any]], y: int, z: int, order: str, columns: str) -> None:
    instance = attempt(mutated(changed))
    if instance is None or instance.defects or instance.bits > 64 or instance.m > 20:
        return
    try:
        trace = evaluate(Execution(instance, Semantics(order=order, columns=columns)), y % 2**instance.m, z % 2**instance.m)
    except InputError as refusal:
        one_line(refusal)
        return
    assert trace.decision.answer in (0, 1, None)


@settings(FUZZ, max_examples=150)
@given(
    st.lists(
        st.one_of(st.sampled_from([".".join(str(k) for k in p) for p in PLACES]), st.text(alphabet="row.123steptbl²٣-", max_size=12)),
        max_size=2,
    ),
    st.one_of(st.integers(0, 3), expressions),
    st.one_of(st.integers(), expressions),
)
def test_mutated_errata(at: list[str], printed: int | str, repaired: int | str) -> None:
    entries = [TableErratum(name="e", at=a, printed=printed, repaired=repaired, why="") for a in at]
    try:
        apply(RAW, entries, "file.toml")
    except InputError as refusal:
        one_line(refusal)


def test_the_unchanged_file_loads_and_evaluates() -> None:
    instance = attempt(mutated([]))
    assert instance is not None
    assert evaluate(Execution(instance, Semantics()), 1, 2).decision.answer in (0, 1, None)
