"""Tables 5 and 6 under every fixed-point reading: the programs of the engines against the independent oracle, and their censuses."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.oracle_reading import oracle_reading, plain, single_knobs
from tests.oracle_tables import REPAIRS_5, REPAIRS_6, embedded, table_5, table_6, tokens_5, tokens_6
from tests.tables import table
from verifier.arithmetic.arrays import Lattice
from verifier.arithmetic.semantics import Semantics, readings
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.program import Program
from verifier.engines.sum_values import all_sums
from verifier.networks.indices import Bit
from verifier.networks.instantiate import instantiate
from verifier.transformers.tables import Execution

TABLES: dict[str, tuple[Any, Callable[..., Any], Callable[..., Any], frozenset[str]]] = {
    "table-5": (table("table-5"), table_5, tokens_5, frozenset(REPAIRS_5)),
    "table-6": (table("table-6"), table_6, tokens_6, frozenset(REPAIRS_6)),
}
FREE = 2


def wrong_by_oracle(name: str, semantics: Semantics, y: int, z: int, m: int) -> tuple[Any, bool]:
    """The attention's output and whether the answer is wrong, by the oracle."""
    _, rows_of, tokens, repairs = TABLES[name]
    rows, made = rows_of(8, repairs)
    found = made.output(embedded(rows, tokens(8, f"{y:0{m}b}", f"{z:0{m}b}")), oracle_reading(semantics, 8))
    return found[2], found[3] != int(y == z)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("semantics", single_knobs(), ids=lambda s: s.label)
@pytest.mark.parametrize("name", TABLES)
def test_every_output_of_the_program_is_the_oracles(name: str, semantics: Semantics) -> None:
    execution = Execution(instantiate(TABLES[name][0].source.repaired(), {"p": 8}), semantics)
    program, rng, m = Program(execution), Random(f"{name} {semantics.label}"), execution.instance.m
    assert isinstance(program.lattice, Lattice), "fixed point is not computed by the floats' codes"
    y = rng.randrange(2**m)
    for z in (y, rng.randrange(y, 2**m)):
        strings = {"y": f"{y:0{m}b}", "z": f"{z:0{m}b}"}
        free = [Bit("z", k) for k in rng.sample(range(1, m + 1), FREE)]
        fixed = {b: int(strings[b.string][b.index - 1]) for s in "yz" for k in range(1, m + 1) if (b := Bit(s, k)) not in free}
        for content in np.ndindex(*(2,) * FREE):
            given = fixed | dict(zip(free, map(int, content), strict=True))
            sums = {n: all_sums(program.lattice, total, given)[1] for n, total in program.sums.items()}
            found = program.lattice.decode(int(program.attentions(sums)[0]))
            other = int("".join(str(given[Bit("z", k)]) for k in range(1, m + 1)), 2)
            assert plain(found) == wrong_by_oracle(name, semantics, y, other, m)[0]


@pytest.mark.campaign
@pytest.mark.parametrize("name", TABLES)
def test_every_census_and_its_smallest_failure(name: str) -> None:
    failed = 0
    for semantics in readings("fixed"):
        execution = Execution(instantiate(TABLES[name][0].source.repaired(), {"p": 8}), semantics)
        census, m = enumerate_pairs(execution), execution.instance.m
        assert census.cases == 2 ** (m - 1) * (2**m + 1), "all y <= z"
        assert (census.smallest is None) == (census.failures == 0)
        failed += census.failures > 0
        if census.smallest is not None:
            assert wrong_by_oracle(name, semantics, *census.smallest, m)[1], semantics.label
    assert failed > 0, "some reading fails, or the comparison could not"
