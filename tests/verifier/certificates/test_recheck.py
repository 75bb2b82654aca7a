"""The checker's small parts, each against its definition."""

from __future__ import annotations

import io
import json
import os
from itertools import combinations, product
from random import Random

import pytest

from tests.verifier.certificates.samples import good, put
from verifier.arithmetic.semantics import read_semantics
from verifier.certificates import recheck
from verifier.certificates.recheck import INF, KNOBS, NAN, At, Limits, Rejected, TooMuch, Unknown
from verifier.certificates.statement import sealed

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


class Full(Stopped):
    """One that takes a line and fails as it hands it on."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        raise self.error


def test_a_reader_that_left_is_no_fault_and_a_full_disk_is_one() -> None:
    assert recheck.written(Stopped(BrokenPipeError(32, "Broken pipe")), "line") == ""
    assert "No space" in recheck.written(Stopped(OSError(28, "No space left on device")), "line")
    assert "No space" in recheck.written(Full(OSError(28, "No space left on device")), "line")
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
    assert shown.endswith(" by default\n")


def test_a_statement_goes_by_its_kind_and_its_parameters() -> None:
    for kind, parameters, shown in (
        ("fooling-set", {}, "no parameters"),
        ("fooling-set", {"m": "15"}, "m = 15"),
        ("verified", {"n": "34", "p": "8"}, "n = 34, p = 8"),
    ):
        given = sealed(put("parameters", value=parameters)(good(kind)))
        assert recheck.Statement(given, Limits()).name.endswith(f" at {shown}")
    for key in ("format", "kind"):
        with pytest.raises(Unknown, match=f'^{key}: "believed" where '):
            recheck.recheck({**good("fooling-set"), key: "believed"})


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_fooling_set_is_counted(length: int) -> None:
    """All strings, every two of them, and a bit of each: any other number is refused."""
    strings = list(product("01", repeat=length))
    counted = {"size": len(strings), "pairs": len(list(combinations(strings, 2))), "bits": length}
    facts = {"rule": At("diagonal"), **{key: At(str(count), key) for key, count in counted.items()}}
    assert f"force at least {length} bits" in recheck.check_fooling(facts, length)
    for key, count in counted.items():
        for other in (count - 1, count + 1):
            with pytest.raises(Rejected, match=key):
                recheck.check_fooling({**facts, key: At(str(other), key)}, length)


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (Rejected("why"), 1, "rejected: why"),
        (Unknown("why"), 2, "not a certificate known here: why"),
        (TooMuch("why"), 3, "not rechecked: why"),
        (MemoryError(), 3, "not rechecked: out of memory, which lower limits would have said before"),
    ],
)
def test_each_reason_has_its_status(error: Exception, status: int, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(path: str, limits: Limits) -> object:
        raise error

    monkeypatch.setattr(recheck, "read", fails)
    assert recheck.examine("certificate.json", Limits()) == (status, line, None)


def test_what_cannot_be_said_is_an_error_and_said_elsewhere(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert [recheck.say("line", status) for status in (0, 1)] == [0, 1]
    assert capsys.readouterr() == ("line\nline\n", "")
    monkeypatch.setattr("sys.stdout", None)
    assert [recheck.say("line", status) for status in (0, 1)] == [2, 2]
    assert capsys.readouterr().err == "the answer cannot be written: the stream is closed\n" * 2


def test_options_are_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        recheck.main(["certificate.json", "--byte", "9"])
    assert "unrecognized arguments: --byte 9" in capsys.readouterr().err
