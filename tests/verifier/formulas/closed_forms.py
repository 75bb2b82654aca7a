"""Closed forms that the two papers state, as printed and as repaired, with what is to be found of each for all parameters.

What holds was worked out on paper, never copied from output: ``PROVED``; the first parameters at which it is false; or ``OPEN``, true
as far as anybody looked and beyond what the symbols decide. A test evaluates every one of them on its box of parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PROVED, OPEN = "proved", "open"


@dataclass(frozen=True)
class ClosedForm:
    """A claim on all parameters of a domain; ``box``: the ranges of the parameters on which the claim is evaluated."""

    name: str
    formula: str
    found: str | Mapping[str, int]
    domain: Mapping[str, str]
    box: Mapping[str, range]
    lets: Mapping[str, str] = field(default_factory=dict)


H1, H6 = {"h": "h >= 1"}, {"h": "h >= 6"}
P1, P3 = {"p": "p >= 1"}, {"p": "p >= 3"}
GRID = {"p": "p >= 1", "s": "s >= 1 and s <= 2**p - 1"}
LINEAR = {"t": "t >= 1", "e": "e > 1"}
ODD = {"m": "m >= 3 and m == 2*floor(m/2) + 1"}
SOFTMAX = {**ODD, "e": "e > ceil(log2(ceil(m/2))) + 2 and e < ceil(m/2) + ceil(log2(ceil(m/2))) - 2"}
SIZES = {"h": "ceil(m/2)", "l": "ceil(log2(h))", "t": "h + l - e"}
LEVELS = {"top": "2**p - 1"}

OF_H = {"h": range(-3, 60)}
OF_P = {"p": range(-3, 60)}
OF_GRID = {"p": range(5), "s": range(18)}
OF_SQUARES = {"p": range(9), "s": range(18)}
OF_LINEAR = {"t": range(12), "e": range(12)}
OF_ODD = {"m": range(60)}
OF_SOFTMAX = {"m": range(40), "e": range(30)}

RESIDUE = "2**-(h - 1) + 7/2**6 + sum(2**-j for j in (6, h - 1)) == 9/2**6"

EVERY_BIT_COUNTS = [
    ClosedForm("equation-1", RESIDUE, {"h": 1}, H1, OF_H),
    ClosedForm("equation-1, repaired", RESIDUE, PROVED, H6, OF_H),
    ClosedForm("section-2.1:ratio", "(2**h - 1)/(2**(h - 1) - 1 + 2**-1) == 2", PROVED, H1, OF_H),
    ClosedForm("section-2.1:lengths", "ceil(m/2) - 1 == p - 2 and ceil(m/2) + 1 == p", PROVED, P1, OF_P, {"m": "2*p - 3"}),
    ClosedForm("section-2.1:upper-bound-bits", "p + 1 == ceil(m/2) + 1", {"p": 1}, P1, OF_P, {"m": "2*p - 3"}),
    ClosedForm("section-b.1:length", "2*p - 1 == 2*p - 3", {"p": 1}, P1, OF_P),
    ClosedForm("lemma-2.3:denominator-after-step-2", "6/2**6 + sum(2**-j for j in (6, h - 1)) == 9/2**6", {"h": 6}, H6, OF_H),
    ClosedForm(
        "lemma-2.3:denominator-after-step-2, repaired",
        "6/2**6 + sum(2**-j for j in (6, h - 1)) == (2**(h - 4) - 1)/2**(h - 1) == 2**-3 - 2**-(h - 1)",
        PROVED,
        H6,
        OF_H,
    ),
    ClosedForm("lemma-2.3:all-ones", "sum(2**j for j in (0, h - 1)) == 2**h - 1", PROVED, H1, OF_H),
    ClosedForm("lemma-2.3:denominator-no", "(2**h - 1)/2 < 2**(h - 1) <= 2**h - 1", PROVED, H1, OF_H),
    ClosedForm("lemma-2.6:numerator-step-19", "2**-(h - 1)*2**(h - 2) == 1", {"h": 1}, H1, OF_H),
    ClosedForm("lemma-2.6:numerator-step-19, repaired", "2**-(h - 1)*2**(h - 2) == 1/2", PROVED, H1, OF_H),
    ClosedForm("lemma-2.6:room", "n >= 2*m + 4", {"p": 1, "n": 5}, {**P1, "n": "n > 4*p"}, {"p": range(9), "n": range(60)}, {"m": "2*p - 1"}),
    ClosedForm(
        "lemma-2.6:room, repaired", "n >= 2*m + 4", PROVED, {**P1, "n": "n >= 4*p + 2"}, {"p": range(9), "n": range(60)}, {"m": "2*p - 1"}
    ),
    ClosedForm("section-a.3:p-bits-per-number", "(p + 1)*2**(p - 1) - 1 <= 2**p", {"p": 2}, P1, OF_P),
    ClosedForm("section-a.3:twice-p-bits", "(p + 1)*2**(p - 1) - 1 <= 4**p", PROVED, P1, OF_P),
    ClosedForm("definition-a.10:p-bits-per-number", "2**t*(2**e - 1) + 3 <= 2**(t + e)", {"t": 1, "e": 2}, LINEAR, OF_LINEAR),
    ClosedForm(
        "definition-a.10:p-bits-per-number, t >= 2", "2**t*(2**e - 1) + 3 <= 2**(t + e)", PROVED, {**LINEAR, "t": "t >= 2"}, OF_LINEAR
    ),
    ClosedForm("lemma-b.1:pairs", "binom(2**m, 2) == 2**m*(2**m - 1)/2", PROVED, {"m": "m >= 0"}, {"m": range(-2, 30)}),
    ClosedForm("lemma-b.1:promised-pairs", "sum(j for j in (1, 2**m)) == 2**m*(2**m + 1)/2", PROVED, {"m": "m >= 0"}, {"m": range(-2, 9)}),
    ClosedForm("lemma-c.3:two-sizes", "3*(2**(e - 1) - 1)*2**(m - e - 1) == 3*2**(m - 2)*(1 - 2**-e)", {"t": 1, "e": 2}, LINEAR, OF_LINEAR, {"m": "t + e"}),
    ClosedForm(
        "lemma-c.3:two-sizes, repaired",
        "3*(2**(e - 1) - 1)*2**(m - e - 1) == 3*2**(m - 2)*(1 - 2**-(e - 1))",
        PROVED,
        LINEAR,
        OF_LINEAR,
        {"m": "t + e"},
    ),
    ClosedForm("lemma-c.3:bits", "ceil(log2(3*(2**(e - 1) - 1)*2**(t - 1))) == t + e", {"t": 1, "e": 2}, LINEAR, OF_LINEAR),
    ClosedForm("lemma-c.3:bits, e > 2", "ceil(log2(3*(2**(e - 1) - 1)*2**(t - 1))) == t + e", PROVED, {**LINEAR, "e": "e > 2"}, OF_LINEAR),
    ClosedForm("lemma-c.5:exponents", "all(-q <= k - q <= q for k in (1, 2**e - 1))", {"e": 2}, {"e": "e > 1"}, {"e": range(9)}, {"q": "2**(e - 1) - 1"}),
    ClosedForm(
        "lemma-c.5:exponents, repaired", "all(-q <= k - q <= q for k in (1, 2**e - 2))", PROVED, {"e": "e > 1"}, {"e": range(9)}, {"q": "2**(e - 1) - 1"}
    ),
    ClosedForm("theorem-c.1:every-n", "4*t - 5 <= n", {"t": 6, "e": 2, "n": 17}, {**LINEAR, "n": "n > 2*(t + e)"}, {"t": range(8), "e": range(5), "n": range(30)}),
    ClosedForm("theorem-c.2:length", "p == 2*p - 1", {"p": 3}, {"p": "p >= 3 and p == 2*floor(p/2) + 1"}, OF_P),
    ClosedForm("lemma-c.7:bits", "m == ceil(m/2)", {"m": 3}, ODD, OF_ODD),
    ClosedForm("lemma-c.7:half", "ceil(m/2) == (m + 1)/2", PROVED, ODD, OF_ODD),
    ClosedForm("lemma-c.7:against-lemma-c.8", "m <= ceil(m/2) + ceil(log2(ceil(m/2)))", {"m": 7}, ODD, OF_ODD),
    ClosedForm("lemma-c.7:against-lemma-c.8, denied", "m > ceil(m/2) + ceil(log2(ceil(m/2)))", OPEN, {"m": "m >= 7 and m % 2 == 1"}, OF_ODD),
    ClosedForm("lemma-c.8:bits-held", "(e - 1) + (t - 1) + (e - l) + (t - 1) == m", {"m": 11, "e": 6}, SOFTMAX, OF_SOFTMAX, SIZES),
    ClosedForm("lemma-c.8:bits-held, repaired", "(e - 1) + (t - 1) + (e + 2 - 2*l) + (t - 1) == m", PROVED, SOFTMAX, OF_SOFTMAX, SIZES),
    ClosedForm("lemma-c.8:second-exponent-length", "e - 1 - l == (t + 2*e - 2 - l) - (t + e - 1) + 1", {"m": 11, "e": 6}, SOFTMAX, OF_SOFTMAX, SIZES),
    ClosedForm("lemma-c.8:second-exponent-length, repaired", "e - l == (t + 2*e - 2 - l) - (t + e - 1) + 1", PROVED, SOFTMAX, OF_SOFTMAX, SIZES),
    ClosedForm("lemma-c.8:t-has-digits", "t > 2", PROVED, SOFTMAX, OF_SOFTMAX, SIZES),
    ClosedForm(
        "lemma-c.8:ignored-terms",
        "2**(e - 1) - 1 - 2**(e - 1)/h - 1 == 2**(e - 2) + (1 - 1/h)*2**(e - 2) - 1",
        {"l": 1, "e": 5},
        {"l": "l >= 1", "e": "e > l + 3"},
        {"l": range(9), "e": range(20)},
        {"h": "2**l"},
    ),
    ClosedForm(
        "lemma-c.8:ignored-terms, repaired",
        "2**(e - 1) - 1 - 2**(e - 1)/h - 1 == 2**(e - 2) + (1 - 2/h)*2**(e - 2) - 2",
        PROVED,
        {"l": "l >= 1", "e": "e > l + 3"},
        {"l": range(9), "e": range(20)},
        {"h": "2**l"},
    ),
    ClosedForm("lemma-c.8:output-twice", "1/(1 - 2**-(t - 1)) == 1/(2 - 2**-(t - 1))", {"t": 3}, {"t": "t >= 3"}, {"t": range(40)}),
    ClosedForm(
        "lemma-c.8:case-2.1",
        "2**-d/(1 + 2**-1) > 1/(1 - 2**-(t - 1))",
        {"t": 3, "d": 1},
        {"t": "t >= 3", "d": "d >= 1"},
        {"t": range(12), "d": range(12)},
    ),
    ClosedForm(
        "lemma-c.8:case-2.1, repaired",
        "2**-d <= 1/2 < 1/(2 - 2**-(t - 1))",
        PROVED,
        {"t": "t >= 3", "d": "d >= 1"},
        {"t": range(12), "d": range(12)},
    ),
]  # fmt: skip
FIXED_POINT_NETWORKS = [
    ClosedForm("lemma-8:sigmoid-bound", "2**p - 1 <= (2**p - 4)/(1/2) == 2**(p + 1) - 8", PROVED, P3, OF_P),
    ClosedForm("lemma-8:sigmoid-bound, p >= 2", "2**p - 1 <= (2**p - 4)/0.5 == 2**(p + 1) - 8", {"p": 2}, {"p": "p >= 2"}, OF_P),
    ClosedForm("lemma-12:hypothesis", "5*s <= 2**p - 1", PROVED, {**P1, "s": "s >= 1 and 5*s*s <= 2**p - 1"}, OF_SQUARES),
    ClosedForm("lemma-12:converse", "5*s*s <= 2**p - 1", {"p": 4, "s": 2}, {**P1, "s": "s >= 1 and 5*s <= 2**p - 1"}, OF_SQUARES),
    ClosedForm(
        "theorem-10:three-squares",
        "3*s*s <= 2**p - 1",
        PROVED,
        {**P1, "s": "s >= 1 and (4*s*s <= 2**p - 1 or 2*floor(p/2) == p and 3*s*s <= 2**p - 1)"},
        OF_SQUARES,
    ),
    ClosedForm("theorem-10:four-squares", "4*s*s <= 2**p - 1", {"p": 2, "s": 1}, {**P1, "s": "s >= 1 and 3*s*s <= 2**p - 1"}, OF_SQUARES),
    ClosedForm(
        "lemma-14:enough-copies",
        "all(all(q + m*drop >= top for drop in (1, 2*top)) for q in (-top, top))",
        PROVED,
        P1,
        {"p": range(5)},
        {**LEVELS, "m": "2**(p + 1) - 1"},
    ),
    ClosedForm("lemma-14:two-copies-fewer", "all(q + m >= top for q in (-top, top))", {"p": 1}, P1, {"p": range(7)}, {**LEVELS, "m": "2*top - 1"}),
    ClosedForm("lemma-20:phi", "10*d <= 12*d and 10*d + 4 <= 12*d + 5", PROVED, {"d": "d >= 1"}, {"d": range(40)}),
    ClosedForm(
        "lemma-20:copies",
        "all((2*s + 1)*(top/s)*(drop/s) > 2*(top/s) for drop in (1, 2*top))",
        PROVED,
        GRID,
        OF_GRID,
        LEVELS,
    ),
    ClosedForm("lemma-20:levels", "all(-(2**(p - 1) - 1) <= k <= 2**(p - 1) - 1 for k in (-top, top))", {"p": 1}, P1, {"p": range(7)}, LEVELS),
    ClosedForm("lemma-20:levels, repaired", "all(-2**p + 1 <= k <= 2**p - 1 for k in (-top, top))", PROVED, P1, {"p": range(7)}, LEVELS),
    ClosedForm(
        "lemma-20:gaps",
        "gaps < 2**(p + 2) and s*(2**(p + 2) - 1)*gaps <= s*2**(2*p + 4)",
        PROVED,
        GRID,
        OF_GRID,
        {"gaps": "4*(2**p - 1) + 1"},
    ),
    ClosedForm(
        "lemma-20",
        "2*s*2**(2*p + 4)*((2*s + 1)*(12*d + 5) + 4) <= 1760*2**(2*p)*s**2*d",
        PROVED,
        {**GRID, "d": "d >= 1"},
        {**OF_GRID, "d": range(5)},
    ),
    ClosedForm(
        "lemma-20, a smaller constant",
        "2*s*2**(2*p + 4)*((2*s + 1)*(12*d + 5) + 4) <= 1759*2**(2*p)*s**2*d",
        {"p": 1, "s": 1, "d": 1},
        {**GRID, "d": "d >= 1"},
        {**OF_GRID, "d": range(5)},
    ),
    ClosedForm(
        "lemma-25:count",
        "2*s*(2**(p + 1) - 1/2)/d <= s*(2**(p + 2) - 1)",
        PROVED,
        {**GRID, "d": "d >= 1"},
        {**OF_GRID, "d": range(5)},
    ),
    ClosedForm("lemma-26:last-step", "1 + x*y < x*(1 + y) and (1 + x*y)//x <= y", PROVED, {"x": "x > 1", "y": "y > x"}, {"x": range(15), "y": range(15)}),
    ClosedForm("section-4.2:inputs", "(2**(p + 1) - 1)**d <= 2**((p + 1)*d)", OPEN, {**P1, "d": "d >= 1"}, {"p": range(9), "d": range(9)}),
    ClosedForm("section-4.2:inputs, d = 3", "(2**(p + 1) - 1)**3 <= 2**((p + 1)*3)", PROVED, P1, OF_P),
]  # fmt: skip
CLOSED_FORMS = [*EVERY_BIT_COUNTS, *FIXED_POINT_NETWORKS]
