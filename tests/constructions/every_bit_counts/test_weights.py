"""What Section 2 says of the weight matrices is read in the tables' files."""

from __future__ import annotations

from pathlib import Path

import pytest

from constructions.every_bit_counts.mathematics import weights
from tests.constructions.every_bit_counts.changed_table import judged
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Verdict


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


@pytest.mark.parametrize(
    ("name", "table", "before", "after"),
    [
        ("lemma-2.6:denominator-tokens", "table-6", "first = -1", "first = 0"),
        ("lemma-2.6:mlp-weights", "table-6", 'weights = ["-2**(h - 1)", "-2**(h - 1)"]', 'weights = ["-2**h", "-2**(h - 1)"]'),
        ("lemma-2.3:mlp-weights", "table-5", 'weights = ["-2**h", "-2**h"]', 'weights = ["-2**h", "-2**(h + 1)"]'),
    ],
)
def test_a_changed_file_refutes_the_repaired_sentence(
    name: str, table: str, before: str, after: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    claim = find_claim(f"every-bit-counts/{name}")
    point: dict[str, int] = {"p": 8} if "mlp" in name else {}
    assert judged(claim, **point).verdict is Verdict.VERIFIED
    text = (weights.TABLES / f"{table}.toml").read_text()
    assert text.count(before) == 1
    (tmp_path / f"{table}.toml").write_text(text.replace(before, after))
    monkeypatch.setattr(weights, "TABLES", tmp_path)
    assert judged(claim, **point).verdict is Verdict.REFUTED
