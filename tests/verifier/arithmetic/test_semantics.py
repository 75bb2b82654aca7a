"""Readings of the arithmetic: names, knobs, labels that are read back, and what is refused."""

from dataclasses import replace

import pytest

from verifier.arithmetic.formats import Digits, fixed_grid, free_point
from verifier.arithmetic.machine import RoundingRule
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.semantics import KNOBS, TURNED, Point, Semantics, chosen_semantics, read_semantics, readings

A4 = Semantics()


def test_every_setting_is_explained_and_the_default_comes_first() -> None:
    assert all(KNOBS[knob][setting] for knob in KNOBS for setting in KNOBS[knob])
    assert all(getattr(A4, knob) == settings[0] for knob, settings in TURNED.items())


def test_a_reading_makes_the_format_and_the_rule_that_it_names() -> None:
    assert A4.form(5) == free_point(5)
    assert A4.rule == RoundingRule("nearest", "zero", "after")
    turned = read_semantics("scale=3/8+rounding=truncate+ties=even+overflow=saturate")
    assert turned.form(5) == fixed_grid(5, F(3, 8))
    assert turned.rule == RoundingRule("truncate", "even", "saturate")
    assert turned.machine(5).round(F(100)) == F(3, 8) * 15


def test_all_readings_differ_and_are_read_back() -> None:
    every = list(readings())
    assert [s.label for s in every[:2]] == ["a4", "narrative"]
    assert len({replace(s, name="x", permits=frozenset()) for s in every}) == len(every)
    assert all(read_semantics(s.label) == s for s in every)
    assert len(every) == 2 + sum(len(settings) - 1 for settings in TURNED.values()) - 1, "order=products is narrative"


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
    assert read_semantics("point=grid").form(floating) == A4.form(floating)
    assert read_semantics("underflow=flush").form(fixed) == A4.form(fixed)
    assert read_semantics("point=grid").form(fixed) != A4.form(fixed)
    assert read_semantics("underflow=flush").form(floating) != A4.form(floating)
