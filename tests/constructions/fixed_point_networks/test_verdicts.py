"""Verdicts of the claims: a table of claim, parameters, and the verdict of the statement, the printed and the repaired edition."""

import pytest

from verifier.statements.papers import find_claim, papers
from verifier.statements.model import DEFAULT_SEMANTICS, Claim, Limits
from verifier.statements.session import Session, points
from verifier.verdicts import Edition, Finding, Verdict

V, R, D = Verdict.VERIFIED, Verdict.REFUTED, Verdict.DECLINED

Row = tuple[str, dict[str, int], Verdict, Verdict, Verdict]

TABLE: list[Row] = [
    ("theorem-1", {"p": 1, "s": 1}, V, V, V),
    ("theorem-1:bijection", {"p": 1, "s": 1, "d": 1}, V, V, V),
    ("theorem-1:bijection", {"p": 1, "s": 1, "d": 2}, R, R, V),
    ("lemma-2", {"p": 2, "s": 1}, V, V, V),
    ("lemma-2", {"p": 2, "s": 2}, D, D, D),
    ("lemma-2:hypotheses", {"p": 3, "s": 1}, V, V, V),
    ("corollary-3", {"p": 3, "s": 1}, V, V, V),
    ("corollary-3", {"p": 4, "s": 2}, D, D, D),
    ("lemma-4", {"p": 2, "s": 3}, V, V, V),
    ("lemma-5", {"p": 1, "s": 1, "d": 1}, V, R, V),
    ("lemma-5:phi", {"p": 2, "s": 2, "d": 1}, R, R, V),
    ("equation-27", {"p": 2, "s": 2, "d": 1}, R, R, V),
    ("lemma-5:rho-3", {"p": 1, "s": 1, "d": 1}, V, V, V),
    ("lemma-5:difference", {"p": 1, "s": 1}, R, R, V),
    ("theorem-6", {"p": 2, "s": 2, "d": 1}, V, R, V),
    ("lemma-7", {"p": 3, "s": 2}, V, V, V),
    ("lemma-8", {"p": 3, "s": 5}, V, V, V),
    ("lemma-8:softplus", {"p": 3, "s": 6}, D, D, D),
    ("lemma-8:hypotheses", {"p": 3}, V, V, V),
    ("lemma-8:sigmoid-s1", {"p": 3}, V, V, V),
    ("lemma-8:sigmoid-s2", {"p": 3}, R, R, V),
    ("corollary-9", {"p": 2, "s": 2}, V, V, V),
    ("lemma-10", {"p": 2, "s": 2}, V, V, V),
    ("theorem-11", {"p": 2, "s": 2}, V, V, V),
    ("lemma-12", {"p": 3, "s": 1}, V, V, V),
    ("corollary-13", {"p": 4, "s": 1}, V, V, V),
    ("corollary-13", {"p": 4, "s": 2}, V, R, V),
    ("corollary-13:from-lemma-12", {"p": 4, "s": 2}, R, R, V),
    ("lemma-14", {"p": 1, "s": 1, "d": 1}, V, R, V),
    ("theorem-15", {"p": 2, "s": 2, "d": 1}, V, R, V),
    ("lemma-16", {"p": 3, "s": 2}, V, V, V),
    ("corollary-17", {"p": 2, "s": 1}, V, V, V),
    ("corollary-17", {"p": 2, "s": 2}, R, R, V),
    ("lemma-18", {"p": 2, "s": 2}, V, V, V),
    ("section-4.1", {"p": 4, "s": 15}, V, V, V),
    ("section-4.1:ties", {"p": 4, "s": 3}, V, V, V),
    ("lemma-19", {"p": 3, "s": 7}, V, V, V),
    ("lemma-19:ends", {"p": 3, "s": 1}, R, R, V),
    ("lemma-20", {"p": 3, "s": 2, "d": 1}, V, V, V),
    ("lemma-20:levels", {"p": 1, "s": 1}, R, R, V),
    ("section-4.2", {"p": 2, "s": 2, "d": 1}, V, V, V),
    ("section-4.2:point-values", {"p": 2, "s": 2}, V, V, V),
    ("section-4.2:point-values", {"p": 2, "s": 3}, V, R, V),
    ("section-4.3:cubes", {"p": 2, "s": 1, "d": 1, "c": 2}, V, V, V),
    ("section-4.3:cubes", {"p": 2, "s": 1, "d": 2, "c": 2}, R, R, V),
    ("section-4.3:cubes", {"p": 2, "s": 1, "d": 2, "c": 4}, V, V, V),
    ("section-4.3:cubes", {"p": 2, "s": 1, "d": 3, "c": 4}, R, R, V),
    ("section-4.3:parameters", {"p": 2, "s": 1, "d": 1}, V, V, V),
    ("section-4.3:parameters", {"p": 2, "s": 2, "d": 2}, V, R, V),
    ("theorem-21", {"p": 2, "s": 1, "d": 1}, R, R, V),
    ("theorem-21", {"p": 1, "s": 1, "d": 2}, R, R, V),
    ("theorem-21", {"p": 2, "s": 1, "d": 5}, R, R, D),
    ("theorem-21:modulus", {"p": 2, "s": 3}, V, V, V),
    ("theorem-21:equation-20", {"p": 1, "s": 1, "d": 2}, V, V, V),
    ("theorem-21:grid-power", {"p": 2, "s": 1, "d": 1}, V, V, V),
    ("theorem-21:grid-power", {"p": 2, "s": 1, "d": 2}, R, R, V),
    ("theorem-21:choice", {"p": 2, "s": 1}, R, R, V),
    ("lemma-22", {"p": 3, "s": 2}, V, V, V),
    ("lemma-22:cases", {"p": 1, "s": 1}, R, R, V),
    ("lemma-23", {"p": 3, "s": 2}, V, V, V),
    ("lemma-23:base-negative", {"p": 1, "s": 1}, R, R, V),
    ("lemma-23:half-step", {"p": 2, "s": 1}, R, R, V),
    ("lemma-24", {"p": 3, "s": 3}, V, V, V),
    ("lemma-24:a4-choice", {"p": 3, "s": 1}, V, V, V),
    ("lemma-24:a4-choice", {"p": 3, "s": 2}, R, R, V),
    ("lemma-24:a6-bound", {"p": 3, "s": 1}, V, R, V),
    ("table-1", {}, R, R, V),
    ("table-1:gelu-5", {}, R, R, V),
    ("table-1:silu-5", {}, V, V, V),
    ("table-2:sigmoid", {}, R, R, V),
    ("table-2:softplus", {}, V, V, V),
    ("lemma-25", {"p": 2, "s": 2}, V, V, V),
    ("lemma-25:from-lemma-26", {"p": 1, "s": 1}, R, R, V),
    ("condition-a3:proof-slope", {"p": 2, "s": 1}, R, R, V),
    ("theorem-21:last-case", {"p": 2, "s": 1}, R, R, V),
    ("section-3:practical", {"p": 3}, V, V, V),
    ("section-3.3:practical", {"p": 3}, V, V, V),
    ("equation-8", {"p": 2, "s": 1}, V, R, V),
    ("equation-10", {"p": 1, "s": 1}, V, V, V),
    ("equation-14", {"p": 1, "s": 1}, V, V, V),
    ("equation-21", {"p": 3, "s": 2}, V, V, V),
    ("equation-22", {"p": 4, "s": 1}, V, V, V),
    ("equation-31", {"p": 2, "s": 3}, V, V, V),
    ("lemma-25:scale", {"p": 2, "s": 1}, V, V, V),
    ("lemma-25:scale", {"p": 2, "s": 2}, R, R, V),
    ("lemma-25:gamma-bound", {"p": 2, "s": 2}, R, R, V),
    ("lemma-26", {"n": 3, "x": 9}, V, V, V),
    ("lemma-26", {"n": 4, "x": 9}, V, R, V),
    ("lemma-4:hypotheses", {"p": 1, "s": 1}, V, V, V),
    ("lemma-5:hypotheses", {"p": 1, "s": 1, "d": 2}, V, V, V),
    ("lemma-5:codomain", {"p": 1, "s": 1}, R, R, V),
    ("lemma-14:hypotheses", {"p": 2, "s": 3, "d": 1}, V, V, V),
    ("theorem-6:hypotheses", {"p": 2, "s": 1, "d": 2}, V, V, V),
    ("theorem-15:hypotheses", {"p": 2, "s": 2, "d": 1}, V, V, V),
    ("corollary-9:hypotheses", {"p": 4, "s": 3}, V, V, V),
    ("corollary-17:hypotheses", {"p": 3, "s": 3}, V, V, V),
    ("lemma-12:case-split", {"p": 4, "s": 2}, V, V, V),
    ("lemma-12:case-split", {"p": 3, "s": 2}, D, D, D),
    ("lemma-20:hypotheses", {"p": 1, "s": 1, "d": 1}, V, V, V),
    ("lemma-24:small-p", {"p": 2, "s": 1}, V, V, V),
    ("lemma-26:hypotheses", {"x": 5}, V, V, V),
    ("lemma-26:ascending", {"x": 19}, V, V, V),
    ("lemma-7:hypotheses", {"p": 1}, D, D, D),
    ("lemma-7:hypotheses", {"p": 4}, D, D, D),
    ("lemma-5:hypotheses", {"p": 5, "s": 9, "d": 1}, D, D, D),
    ("theorem-6:hypotheses", {"p": 5, "s": 9, "d": 1}, D, D, D),
    ("theorem-21:condition-1", {"p": 3, "s": 7}, V, V, V),
    ("theorem-21:condition-1", {"p": 4, "s": 15}, D, D, D),
    ("lemma-14:one-in-q", {"p": 4}, D, D, D),
    ("theorem-15:one-in-q", {"p": 5}, D, D, D),
    ("lemma-16:hypotheses", {"p": 2}, V, V, V),
    ("theorem-21:hypotheses", {"p": 2, "s": 1}, V, V, V),
    ("theorem-21:one-in-q", {"p": 1}, V, V, V),
    ("lemma-8:one-in-q", {"p": 2}, D, D, D),
    ("theorem-15:one-in-q", {"p": 1}, V, V, V),
    ("section-4.1:one-in-q", {"p": 2}, V, V, V),
    ("lemma-10:hypotheses", {"p": 1}, D, D, D),
    ("lemma-19:s-set", {"p": 2}, D, D, D),
    ("corollary-3:hypotheses", {"p": 5}, V, V, V),
    ("theorem-21:networks", {"p": 2, "s": 2, "d": 1}, V, V, V),
    ("theorem-21:point-values", {"p": 2, "s": 3}, V, R, V),
    ("theorem-21:from-lemma-19", {"p": 2, "s": 1}, R, R, V),
    ("section-4.2:from-lemma-19", {"p": 3, "s": 1}, V, V, V),
    ("section-1:zero", {"p": 1, "s": 1}, V, V, V),
    ("section-1:zero", {"p": 2, "s": 2}, R, R, V),
    ("condition-1:interval", {"p": 2, "s": 2}, R, R, V),
    ("condition-a3:levels", {"p": 2, "s": 1}, V, V, V),
    ("condition-a3:levels", {"p": 2, "s": 2}, R, R, V),
    ("equation-8:codomain", {"p": 1, "s": 1}, R, R, V),
    ("theorem-21:codomain", {"p": 1, "s": 1}, R, R, V),
    ("theorem-21:codomain", {"p": 2, "s": 2}, V, V, V),
    ("section-3.2:each-indicator", {"p": 2, "s": 2}, V, V, V),
    ("section-3.2:each-indicator", {"p": 2, "s": 3}, R, R, V),
    ("section-3.2:each-indicator", {"p": 4, "s": 3}, R, R, V),
    ("lemma-5:map-codomains", {"p": 2, "s": 2}, R, R, V),
    ("lemma-8:condition-on-s", {"p": 3}, R, R, V),
    ("lemma-8:condition-on-s", {"p": 4}, V, V, V),
    ("lemma-12:weaker", {"p": 2, "s": 2}, V, V, V),
    ("lemma-16:listed", {"p": 3}, R, R, V),
    ("lemma-19:any-gap", {"p": 2, "s": 1}, R, R, V),
    ("lemma-20:terms", {"p": 2, "s": 2}, R, R, V),
    ("theorem-21:from-lemma-20", {"p": 2, "s": 1, "d": 1}, R, R, V),
    ("theorem-21:one-parameter", {}, R, R, V),
    ("equation-18:values", {}, R, R, V),
    *((f"{name}:inputs", {"p": 2, "s": 3, "d": 1}, V, V, V) for name in ("equation-13", "lemma-14", "equation-14", "section-4.3")),
    *((f"{name}:inputs", {"p": 2, "s": 3, "d": 2}, R, R, V) for name in ("equation-13", "lemma-14", "equation-14", "section-4.3")),
]


def findings(name: str, parameters: dict[str, int], limits: Limits = Limits()) -> list[Finding]:
    session, claim = Session(limits), find_claim(f"fixed-point-networks/{name}")
    return [session.finding(claim, edition, parameters, DEFAULT_SEMANTICS)[0] for edition in Edition]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} {row[1]}")
def test_verdicts(row: Row) -> None:
    assert [f.verdict for f in findings(row[0], row[1])] == list(row[2:])


COUNTEREXAMPLES: list[tuple[str, dict[str, int], dict[str, str]]] = [
    ("theorem-21:first-case", {"p": 1, "s": 1}, {"layers": "4", "least parameters": "4", "P": "1"}),
    ("theorem-21:last-case", {"p": 2, "s": 2}, {"f*(x)": "-1/8", "f(x)": "0", "left": "1/8", "right": "0"}),
    ("theorem-1:bijection", {"p": 1, "s": 1, "d": 2}, {"x": "(-1, -1)", "x'": "(-1, 0)", "f": "0"}),
    ("lemma-8:sigmoid-s2", {"p": 3}, {"x": "-1", "rounded": "1/2", "printed": "0"}),
    ("lemma-23:half-step", {"p": 2, "s": 1}, {"m": "1", "x1": "-1/2", "x2": "1/2", "moved by": "2"}),
    ("lemma-25:scale", {"p": 2, "s": 2}, {"c": "1", "x": "1", "left": "1/8", "right": "1/4"}),
    ("table-2:sigmoid", {}, {"true range": "(0.1966, 0.2500)"}),
    ("table-1:gelu-5", {}, {"true range": "(1.3998, 2.4845)"}),
    ("table-1:gelu-6", {}, {"true range": "(1.0376, 1.1275)"}),
    ("corollary-13:from-lemma-12", {"p": 4, "s": 2}, {"s*r": "10", "q_max": "15/2"}),
    ("theorem-21:choice", {"p": 2, "s": 1}, {"delta": "11/10", "p": "18/5"}),
    ("section-4.3:cubes", {"p": 1, "s": 1, "d": 2, "c": 2}, {"cubes needed": "4"}),
    ("section-4.2:point-values", {"p": 2, "s": 3}, {"gcd of the gaps": "2/3", "values of f*": "0 and 1/3"}),
    ("lemma-26:recipe", {"n": 4, "x": 9}, {"x": "(2, 3, 4, 5)", "sum": "-13", "x_1 x_n": "10"}),
]


@pytest.mark.parametrize(("name", "parameters", "expected"), COUNTEREXAMPLES, ids=lambda v: v if isinstance(v, str) else "")
def test_counterexamples(name: str, parameters: dict[str, int], expected: dict[str, str]) -> None:
    shown = findings(name, parameters)[1].counterexample
    assert shown is not None
    assert expected.items() <= dict(shown).items()


@pytest.mark.parametrize("name", ["lemma-5", "theorem-6", "equation-27", "lemma-14", "theorem-15", "section-4.2", "theorem-21:networks"])
def test_one_activation_is_one_of_every(name: str) -> None:
    point = {"p": 2, "s": 1, "d": 1}
    for chosen in (find_number("gelu"), find_number("hardtanh")):
        one, every = findings(name, {**point, "sigma": chosen}), findings(name, point)
        assert [f.verdict for f in one] == [f.verdict for f in every]
        assert all((f.scope.cases or 0) < (g.scope.cases or 1) for f, g in zip(one, every, strict=True) if g.scope.cases)


def find_number(activation: str) -> int:
    parameter = next(p for p in find_claim("fixed-point-networks/lemma-5").parameters if p.name == "sigma")
    return parameter.names.index(activation)


@pytest.mark.parametrize("name", ["lemma-2", "equation-22", "lemma-12", "lemma-2:case-split", "lemma-12:case-split"])
def test_one_divisor_is_one_of_every(name: str) -> None:
    cases = [findings(name, {"p": 4, "s": 1, "r": r})[0].scope.cases or 0 for r in range(3, 16)]
    assert sum(cases) == findings(name, {"p": 4, "s": 1})[0].scope.cases
    assert findings(name, {"p": 4, "s": 1, "r": 16})[0].verdict is D


def all_claims() -> list[Claim]:
    return list(next(p for p in papers() if p.id == "fixed-point-networks"))


@pytest.mark.parametrize("claim", all_claims(), ids=lambda c: c.name)
def test_every_claim_has_a_first_point_inside_its_domain(claim: Claim) -> None:
    point = next(iter(points(claim, {})))
    assert claim.outside(point) is None
    assert not claim.bounded


def test_errata_and_refutations_go_together() -> None:
    """Somewhere in its default range a claim with errata is refuted as printed, and never as repaired."""
    session = Session()
    for claim in all_claims():
        if claim.errata:
            printed = [session.finding(claim, Edition.PRINTED, x, DEFAULT_SEMANTICS)[0].verdict for x in points(claim, {})]
            repaired = [session.finding(claim, Edition.REPAIRED, x, DEFAULT_SEMANTICS)[0].verdict for x in points(claim, {})]
            assert R in printed, claim.name
            assert R not in repaired, claim.name


def test_too_much_work_is_declined_with_the_flag() -> None:
    found = findings("lemma-5", {"p": 5, "s": 1, "d": 3})[0]
    assert found.verdict is D
    assert "--limit" in (found.reason or "")


@pytest.mark.parametrize("name", ["lemma-5:hypotheses", "lemma-14:hypotheses", "theorem-6:hypotheses", "theorem-15:hypotheses"])
def test_networks_without_condition_1_are_declined_before_they_outgrow_the_machine(name: str) -> None:
    assert findings(name, {"p": 2, "s": 3, "d": 1})[0].verdict is V
    found = findings(name, {"p": 3, "s": 1, "d": 1})[0]
    assert found.verdict is D
    assert "--limit" in (found.reason or "")
