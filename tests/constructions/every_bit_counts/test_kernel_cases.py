"""The cases that hold the kernel's definitions against the program are the program's results."""

from __future__ import annotations

from constructions.every_bit_counts.proofs import cases


def test_the_committed_cases_are_what_the_program_computes() -> None:
    assert cases.FILE.read_text(encoding="utf-8") == cases.text()


def test_the_cases_meet_every_operation_in_every_way() -> None:
    text = cases.text()
    for p in range(3, 8):
        for name in ("rounding", "add", "mul", "div", "sums", "powers", "table", "input"):
            assert f"Example {name}_{p} :" in text
    for order in cases.ORDERS:
        assert f"evaluations_2_3_{order}" in text
        assert f"evaluations_2_4_{order}" in text
        assert f"unpadded_evaluations_4_{order}" in text
        assert f"simple_evaluations_3_{order}" in text
        assert f"corrected_evaluations_7_{order}" in text
        assert f"single_9_evaluations_2_{order}" in text
    assert "Example unpadded_table_4 :" in text
    assert "Example simple_table_3 :" in text
    for p in (7, 8, 9):
        assert f"Example corrected_table_{p} :" in text
    for special in cases.SPECIALS.values():
        assert special in text
