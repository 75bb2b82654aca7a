"""Definition A.10: judges that see the format, the machine and the promise change."""

from functools import partial

import pytest

from tests.outcomes import outcome
from verifier.arithmetic.formats import Format
from verifier.arithmetic.machine import Machine
from verifier.claims.verdicts import Verdict

judged = partial(outcome, "every-bit-counts")


def test_a_format_that_lacks_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged("definition-a.10", t=3, e=2).verdict is Verdict.VERIFIED
    every = Format.values
    monkeypatch.setattr(Format, "values", lambda form: (x for x in every(form) if x != form.largest))
    found = judged("definition-a.10", t=3, e=2)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"definition": "7/2", "format": "None"}


def test_a_machine_that_rounds_one_number_down(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged("definition-a.10:monotone-rounding", t=2, e=2).verdict is Verdict.VERIFIED
    straight = Machine.round
    monkeypatch.setattr(Machine, "round", lambda machine, x: straight(machine, -x if x == 1 else x))
    found = judged("definition-a.10:monotone-rounding", t=2, e=2)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert found.counterexample["y"] == "1"


def test_floating_numbers_have_as_many_bits_as_digits() -> None:
    """Zero takes a code of those that ±0 leaves free; infinities are no numbers here, as for fixed point (Appendix A.3)."""
    assert all(judged("definition-a.10:p-bits-per-number", t=t, e=3).verdict is Verdict.VERIFIED for t in (1, 2, 3))
