"""The checker's small parts, each against its definition."""

from __future__ import annotations

import io
import json
import os
from itertools import combinations
from random import Random

import pytest

from tests.verifier.certificates.test_limits import small
from verifier import recheck
from verifier.certificates.statement import construction_data
from verifier.recheck import INF, KNOBS, NAN, At, Limits, Rejected, TooMuch, Transformer, Unknown
from verifier.semantics import read_semantics

A4 = {**{knob: settings[0] for knob, settings in KNOBS.items()}, "scale": "1"}
TURNED = [(knob, setting) for knob, settings in KNOBS.items() for setting in settings[1:]]


@pytest.mark.parametrize(("knob", "setting"), TURNED)
def test_every_knob_is_in_the_name_of_the_semantics(knob: str, setting: str) -> None:
    knobs, scale, label = recheck.read_semantics(At({**A4, knob: setting}))
    assert (label, scale) == (f"a4+{knob}={setting}", 1)
    assert read_semantics(label) == read_semantics(f"{knob}={setting}")
    assert knobs == {**{k: v for k, v in A4.items() if k != "scale"}, knob: setting}


@pytest.mark.parametrize(
    ("point", "scale", "accepted"), [("grid", "2/3", True), ("grid", "0", False), ("grid", "-1", False), ("free", "2", False)]
)
def test_a_scale_is_positive_and_of_a_grid(point: str, scale: str, accepted: bool) -> None:
    given = At({**A4, "point": point, "scale": scale})
    if accepted:
        assert recheck.read_semantics(given)[2] == f"a4+point=grid+scale={scale}"
    else:
        with pytest.raises(Unknown, match="a positive scale"):
            recheck.read_semantics(given)


def test_long_texts_are_cut_and_everything_is_on_one_line() -> None:
    assert [recheck.shown("x" * n) for n in (80, 81)] == [json.dumps("x" * 80), json.dumps("x" * 77 + "...")]
    assert [recheck.shown(data) for data in ({}, [], "a\nb\u2028", None, True)] == ["a record", "a list", r'"a\nb\u2028"', "null", "true"]


@pytest.mark.parametrize(
    ("data", "low", "high", "refused"),
    [
        ("3", 3, 3, ""),
        ("6/2", 1, 5, ""),
        ("3.0", None, None, ""),
        ("-7", None, 0, ""),
        ("1" * 1000, 0, None, ""),
        ("2", 3, None, "an integer from 3 on"),
        ("4", None, 3, "an integer"),
        ("4", 0, 3, "an integer from 0 to 3"),
        ("-1", 0, 3, "an integer from 0 to 3"),
        ("1/2", None, None, "an integer"),
        (3, None, None, "an exact number"),
        ("3 ", None, None, "an exact number"),
        ("٣", None, None, "an exact number"),
        ("1_0", None, None, "an exact number"),
        ("1" * 2001, None, None, "an exact number"),
    ],
)
def test_integers_and_their_bounds(data: object, low: int | None, high: int | None, refused: str) -> None:
    if not refused:
        assert At(data).integer(low, high) == recheck.Fraction(str(data))
    else:
        with pytest.raises(Unknown, match=f" where {refused} was expected$"):
            At(data).integer(low, high)


def test_a_record_has_its_keys_and_no_others() -> None:
    keys = ("bits", "tokens", "mlp")
    for k, key in enumerate(keys):
        whole = dict.fromkeys(keys, "1")
        assert {name: each.data for name, each in At(whole).record(*keys).items()} == whole
        with pytest.raises(Unknown, match=f"^the certificate: no {key}$"):
            At({name: "1" for name in keys if name != key}).record(*keys)
        with pytest.raises(Unknown, match=f'^the certificate: "{key}" is not known here; '):
            At(whole).record(*keys[:k], *keys[k + 1 :])


@pytest.mark.parametrize("data", [None, True, 1, "a", [], {}], ids=repr)
def test_a_text_a_flag_a_list_and_a_record_are_told_apart(data: object) -> None:
    readers = {"a text": At.text, "true or false": At.flag, "a list": At.items, "a record": At.names}
    kinds = {"a text": str, "true or false": bool, "a list": list, "a record": dict}
    for what, reader in readers.items():
        if isinstance(data, kinds[what]):
            assert reader(At(data)) == data
        else:
            with pytest.raises(Unknown, match=f" where {what} was expected$"):
                reader(At(data))


def test_strings_and_formats_have_a_largest_size() -> None:
    """Of 3000 bits and of 64."""
    problem = {"function": "EQ", "promise": "y <= z", "length": "3000"}
    assert recheck.read_problem(At(problem)) == 3000
    with pytest.raises(Unknown, match="from 1 to 3000 was expected"):
        recheck.read_problem(At(problem | {"length": "3001"}))
    given = construction_data(small(64))
    assert Transformer(At(A4), At(given), Limits()).bits == 64
    with pytest.raises(Unknown, match="from 1 to 64 was expected"):
        Transformer(At(A4), At(given | {"bits": "65"}), Limits())


@pytest.mark.parametrize(("limit", "power"), [("bytes", 24), ("work", 26), ("states", 21)])
def test_what_is_spent_where_nothing_is_said(limit: str, power: int) -> None:
    Limits().keep(limit, 1 << power)
    with pytest.raises(TooMuch, match=f"more than {1 << power} {limit}"):
        Limits().keep(limit, (1 << power) + 1)


HALVES = {  # of 0, 1, 2, 3: 0.5, 1.5, 2.5, 3.5
    ("nearest", "zero"): (0, 1, 2, 3),
    ("nearest", "even"): (0, 2, 2, INF),
    ("nearest", "away"): (1, 2, 3, INF),
    ("truncate", "zero"): (0, 1, 2, 3),
    ("truncate", "even"): (0, 1, 2, 3),
    ("truncate", "away"): (0, 1, 2, 3),
}


@pytest.mark.parametrize(("rounding", "ties"), HALVES, ids="-".join)
def test_halves_go_where_the_rule_says(rounding: str, ties: str) -> None:
    knobs = {knob: settings[0] for knob, settings in KNOBS.items()} | {"point": "grid", "rounding": rounding, "ties": ties}
    for overflow, beyond in (("after", INF), ("before", INF), ("saturate", 3)):
        machine = recheck.Machine(3, knobs | {"overflow": overflow}, recheck.Fraction(1))
        wanted = [min(state, beyond) for state in HALVES[rounding, ties]]
        wanted[-1] = beyond if overflow == "before" else wanted[-1]
        for sign in (1, -1):
            assert [machine.rounded(sign * k, 2) for k in (1, 3, 5, 7)] == [sign * state for state in wanted]


def test_a_statement_has_one_digest() -> None:
    """Of its keys and of those of its records, and in any spelling; its facts are not in it, but each part of the statement is."""
    inner = {"b": ["1", "2/4"], "a": {"y": "1.0", "x": "inf"}}
    whole = dict.fromkeys((*recheck.STATEMENT, "cases", "digest"), inner)
    turned = {key: {"a": {"x": "inf", "y": "1"}, "b": ["1", "1/2"]} for key in reversed(whole)}
    assert recheck.digest(whole) == recheck.digest(turned) == recheck.digest({**whole, "cases": "1"})
    for key in recheck.STATEMENT:
        without = {name: each for name, each in whole.items() if name != key}
        for other in (without, {**whole, key: "1"}, {**whole, key: inner | {"b": ["1"]}}, {**whole, key: inner | {"b": ["1", "1"]}}):
            assert recheck.digest(other) != recheck.digest(whole)


def test_a_place_is_said_from_the_outside_in() -> None:
    entry = At({"rows": [["1"], ["x"]]}).names()["rows"].items(2)[1].items(1)[0]
    assert entry.place == "rows, number 2, number 1"
    with pytest.raises(Unknown, match=r'^rows, number 2, number 1: "x" where an exact number was expected$'):
        entry.number()
    with pytest.raises(Unknown, match=r"^the certificate: a record where a list was expected$"):
        At({}).items()
    with pytest.raises(Unknown, match="2 entries where 3 were expected"):
        At([1, 2], "rows").items(3)


FOUND = {
    "steps": [{"content": "01", "sums": [recheck.Fraction(1, 2), "inf"]}, {"content": "", "sums": []}],
    "cases": 3,
    "answer": "neither",
}


def test_what_is_claimed_has_every_part_of_what_was_found() -> None:
    def claim(**other: object) -> dict[str, object]:
        first = {"content": other.get("content", "01"), "sums": other.get("sums", ["2/4", "inf"])}
        last = {"content": other.get("last", ""), "sums": []}
        steps = other.get("steps", [first, last])
        return {"steps": steps, "cases": other.get("cases", "6/2"), "answer": other.get("answer", "neither")}

    recheck.agree(At(claim()), FOUND)
    recheck.agree(At(str(1 << 3000)), 1 << 3000)
    wrong = [{"content": "1"}, {"last": "0"}, {"cases": "4"}, {"answer": "1"}, {"steps": []}, {"sums": ["1/2"]}]
    wrong += [{"sums": sums} for sums in (["1/3", "inf"], ["1/2", "-inf"], ["1/2", "5"], ["1/2", "inf", "inf"])]
    for other in wrong:
        with pytest.raises(Rejected, match=r" (was|were) found$"):
            recheck.agree(At(claim(**other)), FOUND)
    for other in ({"cases": "1/2"}, {"cases": "inf"}, {"sums": ["1/2", "infinity"]}, {"sums": ["half", "inf"]}, {"content": None}):
        with pytest.raises(Unknown, match=r" was expected$"):
            recheck.agree(At(claim(**other)), FOUND)


@pytest.mark.parametrize("seed", range(20))
def test_denominators_of_one_sign_stay_together(seed: int) -> None:
    rng = Random(seed)
    special = {-INF, INF, NAN, 0}
    given = {*rng.sample(range(-9, 10), rng.randrange(12)), *rng.sample(sorted(special), rng.randrange(5))}
    found = recheck.signs(given)
    assert sorted(x for each in found for x in each) == sorted(given)
    assert all(each == sorted(each) for each in found)
    whole = [[x for x in sorted(given - special) if (x < 0) == negative] for negative in (True, False)]
    assert sorted(found) == sorted([each for each in whole if each] + [[x] for x in given & special])


@pytest.mark.parametrize(
    ("start", "step", "length", "found"),
    [
        ("3", "2", 4, [3, 5, 7, 9]),
        ("3", "-2", 3, [3, 1, -1]),
        ("-20", "0", 2, [-20, -20]),
        ("inf", "0", 3, [INF] * 3),
        ("-inf", "0", 1, [-INF]),
        ("nan", "0", 1, [NAN]),
        ("20", "40", 1, [20]),
        ("21", "0", 1, None),
        ("-21", "0", 1, None),
        ("0", "41", 1, None),
        ("0", "-41", 1, None),
        ("inf", "1", 1, None),
    ],
)
def test_a_run_of_states(start: str, step: str, length: int, found: list[int] | None) -> None:
    if found is None:
        with pytest.raises(Unknown):
            recheck.progression(At(start), At(step), 20, length)
    else:
        assert list(recheck.progression(At(start), At(step), 20, length)) == found


def disjoint(edges: list[tuple[int, int]]) -> int:
    """The most disjoint edges, by trying every choice."""
    if not edges:
        return 0
    (u, v), *others = edges
    return max(disjoint(others), 1 + disjoint([e for e in others if not {u, v} & {*e}]))


@pytest.mark.parametrize("seed", range(20))
def test_a_barrier_bounds_the_disjoint_edges_and_some_barrier_is_tight(seed: int) -> None:
    rng = Random(seed)
    edges = rng.sample(list(combinations(range(7), 2)), rng.randrange(1, 12))
    bounds = [recheck.most_disjoint(set(edges), set(some)) for k in range(4) for some in combinations(range(7), k)]
    assert min(bounds) == disjoint(edges)


class Stopped(io.StringIO):
    """A stream that cannot be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error, self.number = error, os.open(os.devnull, os.O_WRONLY)

    def write(self, text: str) -> int:
        raise self.error

    def fileno(self) -> int:
        return self.number


def test_a_reader_that_left_is_no_fault_and_a_full_disk_is_one() -> None:
    assert recheck.written(Stopped(BrokenPipeError(32, "Broken pipe")), "line") == ""
    assert "No space" in recheck.written(Stopped(OSError(28, "No space left on device")), "line")
    assert recheck.written(None, "line") == "the stream is closed"
    stream = io.StringIO()
    assert (recheck.written(stream, "line"), stream.getvalue()) == ("", "line\n")


def test_limits_are_asked_before_they_are_passed() -> None:
    limits = Limits(work=5, states=2)
    limits.spend(3)
    limits.spend(2)
    limits.keep("states", 2)
    with pytest.raises(TooMuch, match="more than 5 work; --work N raises this limit"):
        limits.spend(1)
    with pytest.raises(TooMuch, match="more than 2 states"):
        limits.keep("states", 3)
    with pytest.raises(Rejected, match="so"):
        recheck.demand([], "so")
    assert [recheck.positive(text) for text in ("1", "90")] == [1, 90]
    for text in ("0", "01", "-1", "1" * 19, "1 "):
        with pytest.raises(ValueError, match=r"^$"):
            recheck.positive(text)


def test_the_help_names_every_limit(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        recheck.main(["--help"])
    shown = capsys.readouterr().out
    assert all(f"--{name} N" in shown and str(most) in shown for name, (most, _) in recheck.LIMITS.items())
