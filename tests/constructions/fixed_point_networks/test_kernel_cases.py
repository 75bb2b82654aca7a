"""The cases that hold the kernel's definitions against the program are the program's results."""

from __future__ import annotations

from constructions.fixed_point_networks.mathematics.activations import Table, normal_form
from tests.constructions.fixed_point_networks import cases
from tests.kernel_cases import differences


def test_the_committed_cases_are_what_the_program_computes() -> None:
    committed, computed = cases.FILE.read_text(encoding="utf-8"), cases.text()
    assert differences(committed, computed) == []
    assert committed == computed


def test_the_cases_meet_every_definition_and_every_pair_of_signs() -> None:
    text = cases.text()
    for p, s in cases.GRIDS:
        assert f"Example rounding_{p}_{s} :" in text
    for name in cases.TABLES:
        for part in ("sums", "phi", "g", "f", "two_f", "sparse_rounded", "sparse_exact", "three_layers_rounded", "two_layers_exact"):
            assert f"Example {name}_{part} :" in text
    forms = [normal_form(Table(*table)) for table in cases.TABLES.values()]
    assert {(form.alpha, form.beta) for form in forms if form is not None} == {(1, 1), (1, -1), (-1, 1), (-1, -1)}
