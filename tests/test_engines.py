"""Every engine against the definition: random tables and networks in random arithmetics, answers compared input by input.

The definition runs one input at a time (``evaluate`` for tables, ``verify trace`` for networks). The engines are reached from outside:
``method`` for tables, and for networks families in which each engine decides some. For networks the right answer is then made to be what
the definition found, but on at most one input, so that an engine has to find this input, or that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bitreferee import Construction, judge, trace
from tests.command_line import CommandLine
from tests.random_subjects import FAMILIES, KINDS, file_text, random_arithmetic, random_network, random_reading, random_table
from verifier.running.errors import InputError

METHODS = ("auto", "enumerate", "reachable", "columns")
SMALL = {"enumerate.CHUNK_BITS": 2, "answer_runs.SHORT": 2, "answer_runs.PARTS": 3}
"""Bounds of the engines of tables, so small that whatever is done from there on is done to a small table."""
SEEDS = [*([seed] for seed in range(3)), pytest.param(range(3, 200), marks=pytest.mark.campaign)]
"""Of the random tables or networks of each kind: three, and in the campaign two hundred."""


def inputs(content: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Every input of a table, in the order in which they are counted."""
    problem = content["problem"]
    strings = problem.get("strings") or {"y": problem["length"], "z": problem["length"]}
    for digits in product(*(map("".join, product("01", repeat=length)) for length in strings.values())):
        yield dict(zip(strings, digits, strict=True))


def drawn(kind: str, rng: Random) -> tuple[Construction, dict[str, Any], str]:
    """A random table and a reading that go together: N combines with nothing, and some reading may ask that of it."""
    while True:
        content, reading = random_table(kind, rng), random_reading(rng)
        m = int(content["parameters"]["m"]["where"].split()[-1])
        table = Construction.from_dict({**content, "parameters": {"m": {"where": f"m == {m}", "default": m}}})
        try:
            for given in inputs(content):
                trace(table, arithmetic=reading, m=m, **given)
        except InputError:
            continue
        return table, content, reading


@pytest.mark.one_in(2)
@pytest.mark.long(
    "mixed-seeds1", "separate-seeds2", "columns-seeds1", "several bits-seeds1", "two columns-seeds0", "wild-seeds1", "wild-seeds2"
)
@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_engines_of_tables_find_what_the_definition_finds(kind: str, seeds: Sequence[int]) -> None:
    """The same number of inputs and of failures, the same first failure, by every engine that can decide the table.

    Also where an engine takes the table apart, and compares states, as it usually does only to large ones.
    """
    for seed in seeds:
        used = set()
        table, content, reading = drawn(kind, Random(f"{kind} {seed}"))
        runs = [trace(table, arithmetic=reading, m=table.to_dict()["parameters"]["m"]["default"], **given) for given in inputs(content)]
        promised = [run for run in runs if run.promised]
        wrong = [run for run in promised if not run.correct]
        for method, bounds in product(METHODS, ({}, SMALL)):
            with pytest.MonkeyPatch.context() as patch:
                for name, value in bounds.items():
                    patch.setattr(f"verifier.engines.{name}", value)
                try:
                    found = judge(table, arithmetic=reading, method=method)[0].to_dict()
                except InputError:
                    continue
            shown = f"{kind} {seed} {reading} {method} {bounds}"
            first = found["counterexample"] and {name: found["counterexample"][name] for name in wrong[0].input} if wrong else None
            assert (int(found["scope"]["cases"]), int(found["failures"] or 0)) == (len(promised), len(wrong)), shown
            assert first == (dict(wrong[0].input) if wrong else None), shown
            used.add(method)
        assert used >= {"auto", "enumerate"}


def test_each_engine_of_tables_has_a_method() -> None:
    """Else the comparison would be of one engine with itself."""
    table, _, _ = drawn("separate", Random("separate 1"))
    methods = [judge(table, arithmetic="a4", method=method)[0].to_dict()["scope"]["method"] for method in ("enumerate", "reachable")]
    assert methods == ["enumeration", "reachable-sets"]


def strings_of(content: dict[str, Any], n: int) -> list[str]:
    return ["".join(digits) for digits in product(content["input"].get("alphabet", ["0", "1"]), repeat=n)]


def answers(verify: CommandLine, path: Path, arithmetic: str, words: list[str]) -> dict[str, dict[str, Any]]:
    """What the definition answers to each input of a network."""
    found = {}
    for word in words:
        done = verify("trace", str(path), "--arithmetic", arithmetic, "--w", word, "--format json")
        assert done.status in (0, 1), done.err
        document = done.document
        assert (document["found"] == document["expected"]) == (done.status == 0)
        found[word] = {"found": document["found"], "status": done.status}
    return found


def first_wrong(verify: CommandLine, path: Path, arithmetic: str, n: int) -> tuple[str | None, str, str]:
    """The first wrong input of one length by the engines, the answer to it, and the engine; its name empty where none decides."""
    done = verify("precision", str(path), "--n", f"{n}..{n}", "--arithmetic", arithmetic, "--format json")
    (cell,) = done.document["cells"]
    wrong = cell["first_wrong"]
    if cell["decided_to"] is None and wrong is None:
        return None, "", ""
    return wrong and wrong["input"].replace(" ", ""), wrong["found"] if wrong else "", cell["method"]


def compared(verify: CommandLine, folder: Path, family: str, seed: int) -> str:
    """The engine that decided a random network as the definition does; empty where none decides."""
    rng = Random(f"{family} {seed}")
    content, arithmetic, n = random_network(family, rng), random_arithmetic(rng), 2 if family == "appending" else rng.choice((1, 2, 3))
    path = folder / "network.toml"
    path.write_text(file_text(content), encoding="utf-8")
    words = strings_of(content, n)
    found = answers(verify, path, arithmetic, words)
    wrong = next((word for word in words if found[word]["status"]), None)
    by_engine, answer, method = first_wrong(verify, path, arithmetic, n)
    if method:
        assert by_engine == wrong, (family, seed, arithmetic, method)
        assert wrong is None or answer == found[wrong]["found"], (family, seed, arithmetic, method)
    if family == "appending" or any(each["found"] not in ("yes", "no") for each in found.values()):
        return method
    odd = rng.choice([*words, None])
    right = [str(int(word, 2)) for word in words if (found[word]["found"] == "yes") != (word == odd)]
    content["accept"]["function"] = f"value(w) in ({', '.join(right)},)" if right else "value(w) < 0"
    path.write_text(file_text(content), encoding="utf-8")
    by_engine, _, again = first_wrong(verify, path, arithmetic, n)
    assert not again or by_engine == odd, (family, seed, arithmetic, again)
    return method


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_engines_of_networks_find_what_the_definition_finds(verify: CommandLine, tmp_path: Path, family: str, seeds: Sequence[int]) -> None:
    for seed in seeds:
        compared(verify, tmp_path, family, seed)


def test_more_than_one_engine_of_networks_decides(verify: CommandLine, tmp_path: Path) -> None:
    found = {compared(verify, tmp_path, "any", seed) for seed in (3, 7, 10)}
    assert len(found) > 1
    assert "arrays" in found
