"""The steps of Appendix C's proofs: verdicts, and the neighbour of each with one erratum taken back, refused for its reason."""

import pytest

from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.construction.errata import Source
from verifier.construction.schema import ConstructionFile
from verifier.semantics import NAMED
from verifier.verdicts import Edition, Finding, Verdict

LINEAR, SOFTMAX = {"t": 4, "e": 3}, {"m": 11, "e": 6}

VERDICTS = {
    "lemma-c.5:step-6": "refuted refuted verified",
    "lemma-c.5:steps-7-8": "refuted refuted verified",
    "lemma-c.5:opposite-signs": "verified refuted verified",
    "lemma-c.5:different-exponents": "verified refuted verified",
    "lemma-c.5:case-1-after-step-6": "refuted refuted verified",
    "lemma-c.5:case-2-after-step-6": "refuted refuted verified",
    "lemma-c.5:case-3-bits": "verified verified verified",
    "lemma-c.5:case-3": "refuted refuted verified",
    "lemma-c.5:case-3-not-zero": "refuted refuted verified",
    "lemma-c.4:alice-tokens": "verified verified verified",
    "lemma-c.7:alice-tokens": "verified verified verified",
    "lemma-c.8:numerator-after-step-2": "verified refuted verified",
    "lemma-c.8:numerator-after-step-6": "verified refuted verified",
    "lemma-c.8:numerator-after-step-7": "verified refuted verified",
    "lemma-c.8:numerator-exponent": "refuted refuted verified",
    "lemma-c.8:numerator": "refuted refuted verified",
    "lemma-c.8:denominator-after-step-2": "verified verified verified",
    "lemma-c.8:smallest-power": "refuted refuted verified",
    "lemma-c.8:denominator-after-step-4": "refuted refuted verified",
    "lemma-c.8:denominator": "refuted refuted verified",
    "lemma-c.8:case-2.1-denominator": "refuted refuted verified",
    "lemma-c.8:case-2.2-denominator": "verified refuted verified",
    "lemma-c.8:case-2.2-place": "refuted refuted verified",
    "lemma-c.8:case-split": "refuted refuted verified",
    "lemma-c.8:last-digit": "refuted refuted verified",
}


def judged(claim: str, edition: Edition, given: dict[str, int] | None = None) -> Finding:
    found = find_claim(f"every-bit-counts/{claim}")
    point = given or (LINEAR if found.parameters[0].name == "t" else SOFTMAX)
    return Session().finding(found, edition, point, NAMED["a4"])[0]


@pytest.mark.parametrize("claim", VERDICTS)
def test_verdicts(claim: str) -> None:
    assert " ".join(judged(claim, edition).verdict.value for edition in Edition) == VERDICTS[claim]


NEIGHBOURS = [
    ("lemma-c.5:step-6", "step-6-value-1", "step 6 is something else"),
    ("lemma-c.5:steps-7-8", "step-8-key", "steps 7–8 is something else"),
    ("lemma-c.5:after-step-1", "step-1-key-1", "step 1 is something else"),
    ("lemma-c.5:after-step-3", "step-3-value-0", "steps 1–3 is something else"),
    ("lemma-c.5:after-step-4", "step-4-key-0", "steps 1–4 is something else"),
    ("lemma-c.5:different-exponents", "no-underflow", "the sum is 0"),
    ("lemma-c.5:opposite-signs", "no-overflow", "positive was claimed"),
    ("lemma-c.5:case-3", "step-6-value-1", "the final sum is something else"),
    ("lemma-c.5:case-3-not-zero", "no-underflow", "the final sum is something else"),
    ("lemma-c.8:numerator-after-step-2", "step-1-key", "not 1.y_e"),
    ("lemma-c.8:numerator-after-step-6", "step-6-key", "not negative, or"),
    ("lemma-c.8:numerator-after-step-7", "step-7-value", "not 0 just for equal"),
    ("lemma-c.8:numerator-exponent", "step-7-value", "not an exponent"),
    ("lemma-c.8:numerator", "step-10-value", "not 2^-e_z^2"),
    ("lemma-c.8:output", "mlp-bias-1", None),
    ("lemma-c.8:table-8", "value-weight", "fails on"),
    ("lemma-c.8:table-8", "step-6-value", "ill-formed"),
    ("section-c.2:every-m-e", "t3-mantissa-z", "ill-formed at"),
    ("section-c.2:input-representation", "t3-mantissa-y", "ill-formed"),
]


@pytest.mark.parametrize(("claim", "left_out", "reason"), NEIGHBOURS)
def test_one_erratum_taken_back(claim: str, left_out: str, reason: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"bound": 11} if claim.endswith("every-m-e") else None
    assert judged(claim, Edition.REPAIRED, given).verdict is Verdict.VERIFIED
    repaired = Source.repaired

    def without(self: Source, names: tuple[str, ...] = ()) -> ConstructionFile:
        return repaired(self, (*names, left_out))

    monkeypatch.setattr(Source, "repaired", without)
    found = judged(claim, Edition.REPAIRED, given)
    if reason is None:
        assert found.verdict is Verdict.VERIFIED, "the claim is about the attention, before the MLP"
    else:
        assert found.verdict is Verdict.REFUTED
        assert reason in str(found.reason)


def test_negative_numerators_fail_where_the_first_exponent_is_zero() -> None:
    found = judged("lemma-c.8:numerator", Edition.STATEMENT).counterexample
    assert found is not None
    assert int(found["z's bits"][:5], 2) == 0
    assert found["y's bits"] < found["z's bits"]


def test_case_3_meets_an_infinity_just_below_the_largest_exponent() -> None:
    found = judged("lemma-c.5:case-3-not-zero", Edition.STATEMENT).counterexample
    assert found is not None
    assert (found["y"][1:4], found["found"]) == ("110", "inf")


def test_t3_at_every_length_is_ill_formed_as_printed_and_well_formed_as_repaired() -> None:
    printed, repaired = (judged("section-c.2:every-m-e", e, {"bound": 13}) for e in (Edition.PRINTED, Edition.REPAIRED))
    assert printed.verdict is Verdict.REFUTED
    assert printed.failures == printed.scope.cases == repaired.scope.cases
    assert repaired.verdict is Verdict.VERIFIED
    assert judged("section-c.2:every-m-e", Edition.PRINTED, {"bound": 9}).verdict is Verdict.DECLINED
