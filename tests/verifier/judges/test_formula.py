"""The judge of formulas: ranges, and every assignment by hand, at once and one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.parameters import Parameter
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.judges import evaluation, formula
from verifier.judges.evaluation import Reader
from verifier.judges.fields import Formula
from verifier.judges.formula import for_all, judge
from verifier.language import exact
from verifier.language.definitions import inlined_text, written
from verifier.language.exact import Given
from verifier.language.syntax import parse
from verifier.running.errors import LimitError
from verifier.running.limits import Limits

READER = Reader({})


@written("x / 2")
def half(x: Fraction) -> Fraction:
    return x / 2


def test_a_range_keeps_to_the_integers_between_its_ends() -> None:
    names = {"p": Fraction(7)}
    assert READER.range("p/2 .. p/2 + 2", names, {}) == range(4, 6)
    assert READER.range("h, 1/2", names, {"h": "p + 1"}) == [8, Fraction(1, 2)]


def test_every_function_of_the_paper_can_be_written_out() -> None:
    names = ["double", "twice"]
    assert list(Reader(dict.fromkeys(names, "fractions:Fraction")).written) == names
    assert Reader(dict.fromkeys(names, "fractions:Fraction")).read_as_formulas([parse("floor(p) + double(p) > exp(1)")]) == ""
    functions = {"d": "fractions:Fraction", **dict.fromkeys("abc", f"{__name__}:half")}
    assert all(Reader(functions).truth(parse(f"{name}(4) == 2"), {}) for name in "abc")
    said = Reader(functions).read_as_formulas([parse("a(p) < d(p)"), parse("c(p) < 2")])
    assert said == "".join(f"; {name} is read as its formula, which has its values there" for name in ("a", "c"))


CLAIM = Claim("paper/claim-1", "", "", "", (Parameter("p", "a number", "p >= 1", "1..9"),), lets={"low": "j + k", "top": "4 + p"})


def judged(fields: Formula, limits: Limits = Limits(), p: int = 3) -> Outcome:
    return judge(Query(CLAIM, Edition.STATEMENT, {"p": p}, DEFAULT_SEMANTICS, Session(), limits), fields)


@pytest.mark.parametrize("few", [1, 10**6])
@pytest.mark.parametrize(
    ("holds", "each", "when", "sides"),
    [
        ("low < 12", {"j": "0 .. top", "k": "0 .. j"}, None, ("low", "12")),
        ("low < 12 and j - k < 5", {"j": "0 .. top", "k": "0 .. j"}, "j != 5 and k != 0", ("j - k", "5")),
        (["low < 99", "j*k != 12"], {"j": "2 .. top", "k": "1, 3, 6"}, None, ("j*k", "12")),
        ("0 <= k < 4 <= top", {"j": "0 .. 1", "k": "0 .. top"}, None, ("k", "4")),
        ("1 <= j - k + 3", {"j": "0 .. top", "k": "j .. top"}, "k % 2 == 1", ("1", "j - k + 3")),
        ("0 <= k < 4", {"j": "0 .. 1", "k": "0 .. top"}, None, ("k", "4")),
        ("j > 0 or k < 2 or 1 > 2", {"j": "0 .. 1", "k": "0 .. 5"}, None, None),
        ("low in (0, 1, 2)", {"j": "0 .. 1", "k": "0 .. 1"}, None, None),
        ("low in (0, 1)", {"j": "0 .. 1", "k": "0 .. 1"}, None, None),
        ("k <= j + p", {"j": "0 .. 2", "k": "0 .. 3"}, None, None),
    ],
)
def test_every_assignment_by_hand(
    holds: str | list[str], each: dict[str, str], when: str | None, sides: tuple[str, str] | None, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "FEW", few)
    lets, point = dict(CLAIM.lets), {"p": Fraction(3)}

    def read(text: str, names: dict[str, Given]) -> Fraction:
        return exact.rational(inlined_text(text, lets), names)

    def true(text: str, names: dict[str, Given]) -> bool:
        return exact.truth(inlined_text(text, lets), names)

    cases: list[dict[str, Given]] = [dict(point)]
    for name, text in each.items():
        longer = []
        for names in cases:
            parts = [read(part, names) for part in (text.split("..") if ".." in text else text.split(","))]
            longer += [{**names, name: Fraction(x)} for x in (range(int(parts[0]), int(parts[1]) + 1) if ".." in text else parts)]
        cases = longer
    kept = [names for names in cases if when is None or true(when, names)]
    wrong = [names for names in kept if not all(true(text, names) for text in ([holds] if isinstance(holds, str) else holds))]
    found = judged(Formula(holds=holds, each=each, when=when, shows=["top"]))
    if not wrong:
        assert (found.verdict, found.scope.cases) == (Verdict.VERIFIED, len(kept))
        return
    first = {name: str(x) for name, x in wrong[0].items()}
    shown = {} if sides is None else {"left": str(read(sides[0], wrong[0])), "right": str(read(sides[1], wrong[0]))}
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {**first, "top": "7", **shown}
    assert found.scope.statement == f"{holds if isinstance(holds, str) else ' and '.join(holds)} at p = 3"


def test_no_case_and_too_many() -> None:
    fields = Formula(holds="j >= 0", each={"j": "0 .. 99"})
    assert judged(fields, Limits(100_000)).scope.cases == 100
    with pytest.raises(LimitError, match="100 cases"):
        judged(fields, Limits(99_000))
    for none in (Formula(holds="j >= 0", each={"j": "1 .. 0"}), Formula(holds="1 == 1", when="p > 3")):
        assert judged(none).verdict is Verdict.DECLINED


@pytest.mark.parametrize(
    ("each", "fixed", "verdict", "said"),
    [
        ({"k": "1, 2, 3"}, {}, Verdict.VERIFIED, "every p"),
        ({"k": "1 .. 4", "j": "5, 1/2"}, {}, Verdict.VERIFIED, ", k in (1 .. 4), j in (5, 1/2)"),
        ({"k": "-5, 2"}, {}, Verdict.REFUTED, "false at"),
        ({"k": "-5, 2"}, {"p": 6}, Verdict.VERIFIED, "k in (-5, 2)"),
        ({"k": "1 .. 4", "j": "5, 1, 2"}, {}, Verdict.OPEN, "12 listed values, at most 8 were expected"),
    ],
)
def test_listed_values_are_put_in_one_by_one(
    each: dict[str, str], fixed: dict[str, int], verdict: Verdict, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formula, "MOST_LISTED", 8)
    found = for_all(CLAIM, Formula(holds="p + k > 0", each=each), fixed)
    assert found.verdict is verdict, found.reason
    assert said in f"{found.scope.statement} {found.reason}"


@pytest.mark.parametrize(
    ("fields", "where", "point"),
    [
        (Formula("p + k > 0", {"k": "1 .. p"}), None, None),
        (Formula("p + k > 0", {"k": "1 .. 9"}), None, None),
        (Formula("k < 9", {"k": "1 .. p"}), None, {"p": "9", "k": "9"}),
        (Formula("k < 9", {"k": "1 .. p"}), "k <= 8", None),
        (Formula("k < 9", {"k": "1 .. p"}, "k <= 8"), None, None),
        (Formula("k < 9", {"k": "1 .. p"}, "k > 9"), "p > 10", {"p": "11", "k": "10"}),
        (Formula(["k > 0", "k < 9"], {"k": "1 .. p"}), None, {"p": "9", "k": "9"}),
        (Formula(["k > 1", "k > 0"], {"k": "1 .. p"}), None, {"p": "1", "k": "1"}),
    ],
)
def test_a_range_and_its_condition_are_read_by_symbols(fields: Formula, where: str | None, point: dict[str, str] | None) -> None:
    found = for_all(replace(CLAIM, where=where), fields, {})
    assert found.verdict is (Verdict.REFUTED if point else Verdict.VERIFIED), found.reason
    assert found.scope.statement.startswith("every p, k with ")
    assert found.scope.statement.endswith(f": {fields.holds if isinstance(fields.holds, str) else ' and '.join(fields.holds)}")
    assert found.counterexample == point
    assert (f"at p = {point['p']}, k = {point['k']}" if point else "points, from p = 1, k = 1 on") in str(found.reason)


@pytest.mark.parametrize("holds", [["p > 0", "p < 1000"], ["p < 1000", "p > 0"]])
def test_none_of_several_conditions_is_proved_by_the_others(holds: list[str]) -> None:
    """The first points keep both."""
    assert for_all(CLAIM, Formula(holds), {}).verdict is Verdict.OPEN


def test_a_claim_without_parameters_is_about_one_point() -> None:
    bare = replace(CLAIM, parameters=())
    assert "the one point" in str(for_all(bare, Formula(holds="1 < 2"), {}).reason)
    assert str(for_all(bare, Formula(holds="2 < 1"), {}).reason) == "false at the one point"
