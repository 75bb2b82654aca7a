"""The judge of conditions on strings: all pairs together find what one pair at a time finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim, Query
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.judges.fields import Pairs
from verifier.judges.strings import judge
from verifier.language import arrays, exact
from verifier.language.exact import Bits, Irrational
from verifier.networks.problems import bits_of
from verifier.running.errors import LimitError
from verifier.running.limits import Limits

BARE = Claim(id="paper/claim-1", statement="", place="", checks="", lets={"low": "y[2 : 4]"})


def asked(fields: Pairs, limits: Limits = Limits(), **parameters: int) -> Outcome:
    return judge(Query(replace(BARE), Edition.STATEMENT, parameters, read_semantics("a4"), Session(), limits), fields)


@pytest.mark.parametrize(
    ("holds", "promise"),
    [
        ("y[1] <= z[1]", "y <= z"),
        ("not (y[1] == 1 and z[2] == 0)", "y <= z"),
        ("y + z != 11", "1 == 1"),
        (["y != 3", "y + z != 11"], "y <= z"),
        (["y + z != 11", "z < 15"], "y <= z"),
        ("y[1 : 2]*z[3 : 4] < 9 or y == z", "y != z"),
        ("any(y[i] != z[i] for i in (1, 4))", "y < z"),
        ("sum(y[i] for i in (1, 4)) <= sum(z[i] for i in (1, 4))", "y <= z"),
        ("8 % (z - y) == 0 if z > y else 1 == 1", "y <= z"),
    ],
)
def test_together_as_one_by_one(holds: str | list[str], promise: str) -> None:
    names = ({"y": Bits(y, 4), "z": Bits(z, 4)} for y in range(16) for z in range(16))
    kept = [n for n in names if exact.truth(promise, n)]
    failing = [n for n in kept if not all(exact.truth(each, n) for each in ([holds] if isinstance(holds, str) else holds))]
    found = asked(Pairs(holds=holds, length="p + s", promise=promise), p=3, s=1)
    assert found.scope.cases == len(kept)
    assert (found.failures, found.verdict is Verdict.REFUTED) == (len(failing), bool(failing))
    if failing:
        assert found.counterexample == {"p": "3", "s": "1"} | {name: bits_of(bits.number, 4) for name, bits in failing[0].items()}


FIRST_BITS = [
    "y[1] <= z[1]",
    "not (y[1] == 1 and z[2] == 0)",
    ["y[1 : 2]*z[2 : 3] < 9", "y[1] == 0 or z[1] == 1"],
    "any(y[i] != z[i] for i in (1, 3)) or y[2] == 0",
    "y[4] == 0 if 1 == 2 else y[1 : 3] < 7",
]


@pytest.mark.parametrize("holds", FIRST_BITS)
def test_pairs_beyond_the_limit_go_by_their_first_bits(holds: str | list[str]) -> None:
    fields = Pairs(holds=holds, length="4")
    whole, counted = asked(fields), asked(fields, Limits(1000))
    assert counted.scope.method != whole.scope.method
    assert replace(counted, scope=whole.scope) == whole
    assert (counted.scope.statement, counted.scope.cases) == (whole.scope.statement, whole.scope.cases)


@pytest.mark.parametrize(
    "fields",
    [
        Pairs(holds="y[4] <= z[1]", length="4"),
        Pairs(holds="y[1] <= z[1] or y == z", length="4"),
        Pairs(holds="y[1] <= z[1]", length="4", promise="y < z"),
        Pairs(holds="y[1] <= z[1]", length="4", shows=["y[1]"]),
    ],
    ids=["the last bit", "a whole string", "another promise", "something shown"],
)
def test_what_reads_more_than_first_bits_is_beyond_the_limit(fields: Pairs) -> None:
    with pytest.raises(LimitError):
        asked(fields, Limits(1000))


def test_single_strings_and_what_is_shown() -> None:
    found = asked(Pairs(holds="low < 7", length="4", promise="y >= 4", strings="y", shows=["low"]))
    assert (found.scope.cases, found.failures, found.counterexample) == (12, 2, {"y": "0111", "low": "7"})


def test_where_a_value_is_irrational_the_pairs_go_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = Pairs(holds="y + z != 11", length="4", shows=["low"])
    together = asked(fields)

    def irrational(*given: object) -> None:
        raise Irrational("a root")

    monkeypatch.setattr(arrays, "truth", irrational)
    assert asked(fields) == together


def test_no_strings_and_too_many() -> None:
    assert asked(Pairs(holds="y == z", length="0")).verdict is Verdict.DECLINED
    assert asked(Pairs(holds="y == z", length="1")).counterexample == {"y": "0", "z": "1"}
    assert asked(Pairs(holds="y == z", length="3", promise="y > 8")).verdict is Verdict.DECLINED
    with pytest.raises(LimitError, match="131,072 pairs"):
        asked(Pairs(holds="y == z", length="10"), Limits(1 << 20))
    with pytest.raises(LimitError, match="131,072 strings"):
        asked(Pairs(holds="y == y", length="20", strings="y"), Limits(1 << 20))
