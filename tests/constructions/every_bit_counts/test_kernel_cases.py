"""The cases that hold the kernel's definitions against the program are the program's results."""

from __future__ import annotations

import pytest

from tests.constructions.every_bit_counts import cases
from tests.kernel_cases import differences
from verifier.arithmetic.machine import Machine, RoundingRule

OPERATIONS = (("add", "add"), ("mul", "multiply"), ("div", "divide"))


@pytest.fixture(scope="module")
def computed() -> str:
    return cases.text()


def test_the_committed_cases_are_what_the_program_computes(computed: str) -> None:
    committed = cases.FILE.read_text(encoding="utf-8")
    assert differences(committed, computed) == []
    assert committed == computed


def operations() -> str:
    asked = [(name, getattr(cases.machine_of(3), does)) for name, does in OPERATIONS]
    return "\n".join(cases.operation(f"{name} 3", apply, cases.machine_of(3).form.values(), 3, 40) for name, apply in asked)


def test_a_change_of_the_program_is_named_by_its_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties to even in additions alone: the examples that differ are those of additions."""
    before, add = operations(), Machine.add
    monkeypatch.setattr(Machine, "add", lambda machine, x, y: add(Machine(machine.form, RoundingRule(ties="even")), x, y))
    assert differences(before, operations()) == ["add_3: the program computes something else"]


def test_the_cases_meet_every_operation_in_every_way(computed: str) -> None:
    text = computed
    for p in range(3, 8):
        for name in ("rounding", "add", "mul", "div", "sums", "powers", "table", "input"):
            assert f"Example {name}_{p} :" in text
    for order in cases.ORDERS:
        assert f"evaluations_2_3_{order}" in text
        assert f"evaluations_2_4_{order}" in text
        assert f"unpadded_evaluations_4_{order}" in text
        assert f"simple_evaluations_3_{order}" in text
        assert f"corrected_evaluations_7_{order}" in text
        assert f"corrected_5_evaluations_8_{order}" in text
        assert f"single_9_evaluations_2_{order}" in text
    assert "Example unpadded_table_4 :" in text
    assert "Example simple_table_3 :" in text
    for label, p in (("", 7), ("", 8), ("", 9), ("5_", 8), ("5_", 9)):
        assert f"Example corrected_{label}table_{p} :" in text
    for p in (4, 5, 6):
        for name in ("mul", "div", "table", "evaluations"):
            assert f"Example grid_{name}_{p} :" in text
    for representation, p, _, bits, _ in cases.FEW_BITS:
        name = "few_bits" if representation == "T1" else "few_bits_on_T0"
        for part in ("table", "value_weights", "hidden", "output_weights", "output_bias", "evaluations"):
            assert f"Example {name}_{bits}_{part}_{p} :" in text
    for special in cases.SPECIALS.values():
        assert special in text
