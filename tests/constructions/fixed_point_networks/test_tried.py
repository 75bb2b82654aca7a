"""What is tried for *every activation*: every common divisor of the gaps is, and a scope names what the loop visited."""

import pytest

from constructions.fixed_point_networks.judges import query_objects
from constructions.fixed_point_networks.mathematics.activations import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.samples import divisors, tables
from constructions.fixed_point_networks.mathematics.sets import reach
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition


@pytest.mark.parametrize(("p", "s"), [(2, 1), (2, 3), (3, 2)])
def test_every_divisor_is_tried_with_and_without_an_output_0_and_with_other_signs(p: int, s: int) -> None:
    grid = FixedPoint(p, s)
    drawn = [(table, normal) for name, table, normal in tables(grid) if name.startswith("table")]
    assert {reach("S", table).step for table, _ in drawn} == set(divisors(grid)) == set(range(1, 2 * grid.top + 1))
    assert len({(normal.alpha, normal.beta) for _, normal in drawn}) >= 3
    steps = [(reach("N", table).step, reach("S", table).step) for table, _ in drawn]
    assert {s for n, s in steps if n == s > 1}
    assert {s for n, s in steps if n < s}
    assert all(normal_form(table) for table, _ in drawn)


@pytest.mark.parametrize("name", ["theorem-6", "theorem-15", "section-4.2", "theorem-21:networks"])
def test_the_scope_counts_the_tables_that_are_visited(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = find_claim(f"fixed-point-networks/{name}")

    def scope() -> str:
        return Session().outcome(claim, Edition.STATEMENT, {"p": 2, "s": 2, "d": 1}, DEFAULT_SEMANTICS)[0].scope.statement

    assert "10 named activations and" in scope()
    two = [*tables(FixedPoint(2, 2))][9:11]
    monkeypatch.setattr(query_objects, "tables", lambda grid, sigma: iter(two))
    assert "1 named activations and 1 drawn tables" in scope()
