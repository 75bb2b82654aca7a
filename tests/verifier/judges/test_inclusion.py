"""Inclusions: a derivative is called one, in the scope and in the counterexample."""

import pytest

from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition
from verifier.judges.fields import Inclusion
from verifier.judges.inclusion import judge
from verifier.running.errors import InputError


def test_a_function_without_a_formula_is_refused() -> None:
    claim = Claim("artificial/lemma-1", "", "", "", functions={"f": "fractions:Fraction"})
    query = Query(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session())
    with pytest.raises(InputError, match="f is fractions:Fraction, which has no formula in x"):
        judge(query, Inclusion("f", ["0", "1"], ["0", "1"]))
