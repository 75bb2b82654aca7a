"""Work is counted in steps by the size of what it is done on: alike in every process, and never less than what it comes to."""

import os
import subprocess
import sys

import pytest
import sympy

from verifier.language.syntax import parse
from verifier.proofs.budget import Effort, Exhausted
from verifier.proofs.domain import conjuncts, domain_of
from verifier.proofs.for_all import proof
from verifier.proofs.nonnegative import MOST_MONOMIALS, Large, Quantities, monomials

x, y, z = sympy.symbols("x y z")
FORMULA = "2**p + s*sum(j*2**j for j in (1, p)) > floor(s/(p + 1))"
COUNTED = f"""
from tests.verifier.proofs.test_budget import steps
print(steps({FORMULA!r}))
"""


def steps(formula: str, limit: float = float("inf")) -> int:
    """Steps of a proof for all p, s >= 1."""
    given_domain = {"p": "p >= 1", "s": "s >= 1"}
    effort = Effort(limit)
    proof(domain_of(given_domain, [atom for c in given_domain.values() for atom in conjuncts(parse(c))]), [parse(formula)], effort=effort)
    return effort.spent


def test_a_limit_is_met_exactly() -> None:
    found = steps(FORMULA)
    assert steps(FORMULA, found) == found > 1000
    with pytest.raises(Exhausted, match=f"more than {found - 1:,} steps of work"):
        steps(FORMULA, found - 1)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", ["0", "1", "7"])
def test_another_process_counts_alike(seed: str) -> None:
    """Whatever order its sets have."""
    given_seed = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, check=True, env=given_seed)
    assert int(done.stdout) == steps(FORMULA)


@pytest.mark.parametrize("expression", [(x + y + z + 1) ** 30, sum((x + k) ** -1 for k in range(1, 15)), (x + 1) ** 4000])
def test_what_is_too_large_is_not_handed_over(expression: sympy.Expr) -> None:
    quantities = Quantities()
    for asked in (quantities.expand, quantities.cancel):
        with pytest.raises(Large, match="terms"):
            asked(expression)
    assert quantities.effort.spent == 0
    assert monomials(expression) > MOST_MONOMIALS
