"""Which engine decides, and what is said where the one that was asked for cannot."""

from __future__ import annotations

import pytest

from tests.tables import FOLDER
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.engines.dispatch import decide
from verifier.engines.failure_counts import Census
from verifier.errata.tables import read_construction
from verifier.networks.instantiate import instantiate
from verifier.running.errors import LimitError
from verifier.transformers.tables import Execution


def test_what_was_found_with_more_work_is_found_again_with_less() -> None:
    """Where a limit keeps all that was done. What was found with the smallest failure serves without it, not the other way round."""
    file = read_construction(FOLDER / "table-6.toml").file
    execution = Execution(instantiate(file, {"p": 7, "n": 30}), DEFAULT_SEMANTICS)
    counted = decide(execution, smallest=False)
    found = decide(execution)
    assert isinstance(counted, Census)
    assert isinstance(found, Census)
    assert (counted.failures, counted.smallest) == (found.failures, None)
    assert found.smallest is not None
    assert decide(execution, smallest=False) in (counted, found)
    assert found.work is not None
    assert decide(execution, limit=found.work) is found
    with pytest.raises(LimitError):
        decide(execution, limit=found.work - 1)
