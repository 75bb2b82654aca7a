"""Readings of the arithmetic: names, knobs, labels that are read back, and what is refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.arithmetic.formats import Digits, fixed_grid, free_point
from verifier.arithmetic.machine import RoundingRule
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import KNOBS, MEANINGS, NAMED, Point, Semantics, chosen_semantics, read_semantics, readings
from verifier.running.errors import InputError

A4 = Semantics()
READ = [
    ("a4", A4, "a4"),
    ("narrative", Semantics(name="narrative", order="products"), "narrative"),
    ("a4+ties=even", replace(A4, ties="even"), "a4+ties=even"),
    ("ties=even", replace(A4, ties="even"), "a4+ties=even"),
    ("ties=even,overflow=before", replace(A4, ties="even", overflow="before"), "a4+ties=even+overflow=before"),
    ("overflow=before+ties=even", replace(A4, ties="even", overflow="before"), "a4+ties=even+overflow=before"),
    ("narrative+order=ax", Semantics(name="narrative"), "narrative+order=ax"),
    ("ties=even+ties=zero", A4, "a4"),
    ("a4+ties = away", replace(A4, ties="away"), "a4+ties=away"),
    ("point=grid", replace(A4, point="grid"), "a4+point=grid"),
    ("scale=1/2", replace(A4, point="grid", scale=F(1, 2)), "a4+point=grid+scale=1/2"),
    ("scale=0.25", replace(A4, point="grid", scale=F(1, 4)), "a4+point=grid+scale=1/4"),
    ("scale=1", replace(A4, point="grid"), "a4+point=grid"),
    ("scale=1/2+point=free", A4, "a4"),
    ("point=free+scale=3", replace(A4, point="grid", scale=F(3)), "a4+point=grid+scale=3"),
]
REFUSED = [
    ("nothing", "", "no reading ''; there are a4, narrative"),
    ("an unknown name", "ieee", "no reading 'ieee'; there are a4, narrative"),
    ("a name in the second place", "a4+narrative", "'narrative' is not of the form knob=setting"),
    ("a plus at the end", "a4+", "'' is not of the form knob=setting"),
    ("an unknown knob", "round=nearest", "no knob 'round'; the knobs are point, rounding"),
    ("a knob's private field", "permits=exact-entries", "no knob 'permits'"),
    ("the name as a knob", "name=b5", "no knob 'name'"),
    ("an unknown setting", "ties=up", "ties=up is not a setting; ties takes zero, even, away"),
    ("a setting of another knob", "overflow=even", "overflow=even is not a setting"),
    ("an empty setting", "ties=", "ties= is not a setting"),
    ("a scale in words", "scale=half", "scale=half is not a rational number"),
    ("a scale of zero", "scale=0", "scale=0 is not positive"),
    ("a negative scale", "scale=-1/2", "scale=-1/2 is not positive"),
    ("a scale over zero", "scale=1/0", "scale=1/0 is not a rational number"),
    ("an infinite scale", "scale=inf", "scale=inf is not a rational number"),
    ("a scale too large to write down", "scale=1e999999999", "scale=1e999999999 is not a rational number"),
    ("a scale too small to write down", "scale=1e-999999999", "scale=1e-999999999 is not a rational number"),
]


@pytest.mark.parametrize(("text", "expected", "label"), READ)
def test_read(text: str, expected: Semantics, label: str) -> None:
    found = read_semantics(text)
    assert found == expected
    assert found.label == label
    assert read_semantics(label) == found


@pytest.mark.parametrize(("title", "text", "message"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused(title: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        read_semantics(text)
    assert str(refusal.value).startswith("semantics: ")


words = st.one_of(
    st.sampled_from([f"{k}={v}" for k, settings in KNOBS.items() for v in settings]),
    st.fractions(F(1, 50), 50, max_denominator=50).map(lambda x: f"scale={x}"),
)


@given(st.sampled_from(sorted(NAMED)), st.lists(words, max_size=8))
def test_labels_are_read_back(name: str, turned: list[str]) -> None:
    semantics = read_semantics("+".join([name, *turned]))
    assert read_semantics(semantics.label) == semantics
    assert read_semantics(semantics.label).label == semantics.label


def test_every_setting_is_explained_and_the_default_comes_first() -> None:
    assert set(MEANINGS) == {f"{k}={v}" for k, settings in KNOBS.items() for v in settings}
    assert all(getattr(A4, knob) == settings[0] for knob, settings in KNOBS.items())


def test_a_reading_makes_the_format_and_the_rule_that_it_names() -> None:
    assert A4.format(5) == free_point(5)
    assert A4.rule == RoundingRule("nearest", "zero", "after")
    turned = read_semantics("scale=3/8+rounding=truncate+ties=even+overflow=saturate")
    assert turned.format(5) == fixed_grid(5, F(3, 8))
    assert turned.rule == RoundingRule("truncate", "even", "saturate")
    assert turned.machine(5).round(F(100)) == F(3, 8) * 15


def test_all_readings_differ_and_are_read_back() -> None:
    every = list(readings())
    assert [s.label for s in every[:2]] == ["a4", "narrative"]
    assert len({replace(s, name="x", permits=frozenset()) for s in every}) == len(every)
    assert all(read_semantics(s.label) == s for s in every)
    assert len(every) == 2 + sum(len(settings) - 1 for settings in KNOBS.values()) - 1, "order=products is narrative"


def test_all_is_every_reading_of_its_kind_and_anything_else_is_one() -> None:
    assert chosen_semantics("all") == list(readings())
    assert chosen_semantics("all", "floating") == list(readings("floating"))
    assert chosen_semantics("ties=even", "fixed") == [replace(A4, ties="even")]


def test_what_a_reading_permits_is_no_knob() -> None:
    assert replace(A4, ties="even", permits=frozenset()).changed_knobs == [("ties", "even")]


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        A4.ties = "even"  # type: ignore[misc]


@pytest.mark.parametrize(("point", "lacks"), [("fixed", "underflow"), ("floating", "point")])
def test_readings_of_one_kind_of_format_leave_out_the_knobs_of_the_other(point: Point, lacks: str) -> None:
    every, of_kind = list(readings()), list(readings(point))
    assert set(of_kind) == {s for s in every if getattr(s, lacks) == getattr(A4, lacks)}
    assert len(of_kind) < len(every)


def test_the_knobs_left_out_change_nothing_and_the_others_of_the_format_something() -> None:
    floating, fixed = Digits(3, 3), 5
    assert read_semantics("point=grid").format(floating) == A4.format(floating)
    assert read_semantics("underflow=flush").format(fixed) == A4.format(fixed)
    assert read_semantics("point=grid").format(fixed) != A4.format(fixed)
    assert read_semantics("underflow=flush").format(floating) != A4.format(floating)
