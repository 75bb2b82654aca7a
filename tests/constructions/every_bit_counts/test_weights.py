"""What Section 2 says of the weight matrices is read in the tables' files."""

from __future__ import annotations

from pathlib import Path

import pytest

from constructions.every_bit_counts.mathematics import weights
from tests.constructions.every_bit_counts.changed_table import judged
from verifier.statements.papers import find_claim
from verifier.verdicts import Verdict


def test_a_table_with_three_query_columns_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    claim = find_claim("every-bit-counts/section-2:query-dimension")
    assert judged(claim).verdict is Verdict.VERIFIED
    for name in ("table-5", "table-6"):
        text = (weights.TABLES / f"{name}.toml").read_text()
        assert text.count("matrix = [[1], [0], [0]]") == 1
        wider = text.replace("matrix = [[1], [0], [0]]", "matrix = [[1, 0, 0], [0, 0, 0], [0, 0, 0]]") if name == "table-6" else text
        (tmp_path / f"{name}.toml").write_text(wider)
    monkeypatch.setattr(weights, "TABLES", tmp_path)
    found = judged(claim)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert (found.counterexample["table"], found.counterexample["left"]) == ("6", "3")
