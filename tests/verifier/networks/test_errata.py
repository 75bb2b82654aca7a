"""Errata: each is needed, together they suffice on the domain that the file states, and a misfit is refused in one line."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import tables
from tests.tables import FOLDER
from verifier.arithmetic.semantics import read_semantics
from verifier.engines.dispatch import decide
from verifier.errata.tables import Source, apply, read_construction, read_with_errata
from verifier.networks.errata import TableErratum
from verifier.networks.instantiate import instantiate
from verifier.running.errors import FileDefects, InputError
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

ROWS = tables(__file__, "needed.toml")

PAPER = FOLDER
KEPT = {"table-5": set(), "table-6": {"step-19-key"}}
"""What the table computes the same function without: these errata keep a sentence of the proof."""


def source(name: str) -> Source:
    return read_with_errata(PAPER / f"{name}.toml", PAPER / f"{name}.errata.toml")


@dataclass(frozen=True)
class Judged:
    """How a table fails: a defect, an assumption that the semantics does not permit, or the inputs answered wrongly."""

    defect: str | None
    lacking: str | None
    wrong: tuple[tuple[int, int], ...]


def structured(m: int, h: int) -> Iterator[tuple[int, int]]:
    """Equal strings and near neighbours whose halves are 0…0, 0…01, 1…1, 1…10, 10…0, 0010…0 and 0101…"""
    low = m - h
    halves = [sorted({0, 1, (1 << w) - 1, (1 << w) - 2, 1 << (w - 1), 1 << (w - 3), (1 << w) // 3}) for w in (h, low)]
    for y in (a << low | b for a in halves[0] for b in halves[1]):
        yield y, y
        yield from ((y, z) for z in (y + 1, 2 * y, y + (1 << low), y | 1 << (m - 1)) if y < z < 1 << m)


def judged(name: str, p: int, without: tuple[str, ...]) -> Judged:
    record = source(name)
    assert record.errata is not None
    instance = instantiate(record.repaired(without), {"p": p})
    if instance.defects:
        return Judged(str(instance.defects[0]), None, ())
    named = next((e.semantics for e in record.errata.erratum if e.name in without), "")
    execution = Execution(instance, read_semantics(named or record.errata.semantics))
    pairs = sorted(set(structured(instance.m, int(instance.names["h"]))))
    wrong = tuple(pair for pair in pairs if not evaluate(execution, *pair).correct)
    return Judged(None, execution.unrepresentable[0] if execution.assumptions else None, wrong)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("name", "erratum", "p", "how"), ROWS["needed"], ids=[f"{n}, {e}" for n, e, _, _ in ROWS["needed"]])
def test_no_erratum_can_be_left_out(name: str, erratum: str, p: int, how: str) -> None:
    found = judged(name, p, (erratum,))
    assert (how == "wrong") == bool(found.wrong)
    if how != "wrong":
        assert how in (found.defect, found.lacking)


@pytest.mark.parametrize("name", ["table-5", "table-6"])
def test_every_erratum_is_in_the_table(name: str) -> None:
    record = source(name).errata
    assert record is not None
    names = {e.name for e in record.erratum}
    assert names == {e for n, e, _, _ in ROWS["needed"] if n == name} | KEPT[name]
    for kept in KEPT[name]:
        assert judged(name, 8, (kept,)) == Judged(None, None, ())


@pytest.mark.long("table-6-10")
@pytest.mark.parametrize(("name", "p"), [(name, p) for name, least in (("table-5", 8), ("table-6", 7)) for p in range(least, 11)])
def test_together_they_suffice(name: str, p: int) -> None:
    assert_verified(name, p)


@pytest.mark.parametrize(("name", "least"), [("table-5", 8), ("table-6", 7)])
def test_together_they_suffice_in_token_order(name: str, least: int) -> None:
    assert_verified(name, least, "narrative")


def assert_verified(name: str, p: int, semantics: str = "a4") -> None:
    execution = Execution(instantiate(source(name).repaired(), {"p": p}), read_semantics(semantics))
    m = 2 * p - 3 if name == "table-5" else 2 * p - 1
    census = decide(execution)
    assert execution.assumptions == ()
    assert (census.cases, census.failures, census.smallest) == (2 ** (m - 1) * (2**m + 1), 0, None)


@pytest.mark.parametrize(("name", "least"), [("table-5", 8), ("table-6", 7)])
def test_below_the_stated_domain_they_do_not_suffice(name: str, least: int) -> None:
    record = source(name)
    assert record.outside_errata({"p": least}) is None
    assert f"outside the errata's domain p >= {least}" in (record.outside_errata({"p": least - 1}) or "")
    found = judged(name, least - 1, ())
    assert found.defect or found.lacking or found.wrong
    assert read_construction(PAPER / f"{name}.toml").outside_errata({"p": 8}) == f"{name} has no errata file"


GOOD = Path(__file__).parents[2] / "good.toml"
HEAD = 'format = "bitreferee/errata/1"\nconstruction = "example"\nsemantics = "a4"\ndomain = "p >= 3"\nwhy_domain = ""\n'
FITTING = '[[erratum]]\nname = "bias"\nat = "mlp.hidden.2.bias"\nprinted = "-1/2"\nrepaired = 2\nwhy = ""\n'


def applied(text: str, folder: Path) -> Source:
    (folder / "e.toml").write_text(text)
    return read_with_errata(GOOD, folder / "e.toml")


def test_a_fitting_erratum_changes_its_place_alone(tmp_path: Path) -> None:
    found = applied(HEAD + FITTING, tmp_path)
    before, after = found.file, found.repaired()
    assert (before.mlp.hidden[1].bias, after.mlp.hidden[1].bias) == ("-1/2", 2)
    assert (after.mlp.hidden[0], after.mlp.output, after.row) == (before.mlp.hidden[0], before.mlp.output, before.row)
    assert found.repaired(without=["bias"]) == before


def test_two_errata_of_one_name(tmp_path: Path) -> None:
    with pytest.raises(FileDefects) as refused:
        applied(HEAD + FITTING + FITTING, tmp_path)
    again = (HEAD + FITTING).count("\n")
    assert [line.removeprefix(f"{tmp_path}/") for line in refused.value.lines] == [
        f"e.toml:{again + 1}: example, erratum bias: mlp.hidden.2.bias is 2, '-1/2' was expected",
        f"e.toml:{again + 2}: two errata have one name, 'bias'",
    ]


CONTENT = tomllib.loads((Path(__file__).parents[2] / "good.toml").read_text(encoding="utf-8"))


def places(value: Any, path: str = "") -> Iterator[str]:
    """The places in a document, as an erratum names them."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield f"{path}{key}"
        yield from places(inner, f"{path}{key}.")


@settings(max_examples=150)
@given(
    st.lists(st.one_of(st.sampled_from([*places(CONTENT)]), st.text(alphabet="row.123steptbl²٣-", max_size=12)), max_size=2),
    *[st.one_of(st.integers(), st.text(alphabet="Nipmhyz0123456789+-*/()[]{}:,~. <>=", max_size=12))] * 2,
)
def test_an_erratum_of_any_place_fits_or_is_refused_in_one_line(at: list[str], printed: int | str, repaired: int | str) -> None:
    entries = [TableErratum(name="e", at=place, printed=printed, repaired=repaired, why="") for place in at]
    said = ""
    try:
        apply(CONTENT, entries, "file.toml")
    except InputError as refusal:
        said = str(refusal)
    assert not said or said.isprintable()
