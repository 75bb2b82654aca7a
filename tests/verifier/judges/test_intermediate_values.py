"""What holds of a table, where the precision lacks an entry or an assumption has no leave."""

from dataclasses import replace

import pytest

from tests.tables import table
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.verdicts import Scope, Verdict
from verifier.judges.wording import held
from verifier.networks.instantiate import instantiate
from verifier.transformers.tables import Execution


@pytest.mark.parametrize("bits", [3, 2])
@pytest.mark.parametrize("permitted", [True, False])
def test_what_holds_is_conditional_on_what_the_attention_assumes_without_leave(bits: int, permitted: bool) -> None:
    """With 3 bits the table has all its entries, with 2 it lacks the key -2 of step 4."""
    instance = instantiate(table("witness-t1", errata=False).source.file, {"p": 3})
    semantics = read_semantics("a4") if permitted else replace(read_semantics("a4"), permits=frozenset())
    found = held(Execution(replace(instance, precision=bits), semantics), Scope("all", 1), "a table")
    assumed = {"ideal-ln2"} - semantics.permits | ({"exact-entries"} if bits < 3 else set())
    assert (found.failures, found.witness, {*found.assumptions}) == (0, "a table", assumed)
    assert found.verdict is (Verdict.CONDITIONAL if assumed else Verdict.VERIFIED)
    assert ("step 4" in str(found.reason)) is (bits < 3)
    assert (found.reason is None) is (bits == 3)
