"""The cases of each judge, counted by formulas and loops over bit strings, tokens, levels and tables of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import comb, gcd
from pathlib import Path

import pytest

from constructions import every_bit_counts
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition
from verifier.running.results import ROOT


def strings(m: int) -> list[str]:
    return ["".join(bits) for bits in product("01", repeat=m)]


def part(string: str, first: int, last: int) -> int:
    """The number of the bits first … last, counted from 1."""
    return int(string[first - 1 : last], 2)


def usable(string: str, t: int, e: int) -> bool:
    """Whether an exponent is in the range of the corrected Table 7."""
    return part(string, 2, e + 1) in range(t - 1, (1 << e) - 1)


def kept(string: str, e: int) -> bool:
    """Whether a first half keeps the promise of Lemma C.3."""
    return string[-2:] != "10" and part(string, 2, e) != 0


def first_halves(t: int, e: int) -> int:
    halves = [string for string in strings(t + e) if kept(string, e)]
    return sum(y < z for y in halves for z in halves)


def promised(t: int, e: int) -> list[str]:
    """Strings that keep the promise of Appendix C.1."""
    return [y for y in strings(t + e) if part(y, 2, e + 1) > 0 and y[-2:] != "10"]


def pairs(m: int) -> int:
    """y <= z of m bits."""
    return sum(y <= z for y in range(1 << m) for z in range(1 << m))


def numbers(p: int) -> int:
    """Those of p bits with a free binary point."""
    return len({Fraction(sign * k, 1 << f) for sign in (1, -1) for f in range(p) for k in range(1 << (p - 1))})


def floats(t: int, e: int) -> int:
    """Those of precision (t, e), without zero."""
    values = product((1, -1), range(1 << (t - 1)), (1, -1), range(1 << (e - 1)))
    return len({sign * (1 + Fraction(a, 1 << (t - 1))) * Fraction(2) ** (s * b) for sign, a, s, b in values})


def levels(p: int) -> range:
    """s times the numbers of Q_(p,s)."""
    return range(1 - (1 << p), 1 << p)


def outputs(p: int, least: int = 1) -> list[tuple[int, ...]]:
    """Sets of outputs."""
    return [each for size in range(least, len(levels(p)) + 1) for each in combinations(levels(p), size)]


def tables() -> list[tuple[int, ...]]:
    """Rounded activations at p = 1 that take an extreme value exactly on one side, but not everywhere (Condition 1)."""
    return [t for t in product(levels(1), repeat=3) if sides_of(t)]


def sides_of(table: tuple[int, ...]) -> list[int]:
    """The extreme values that a table takes exactly on one side, but not everywhere."""
    sides = [{0}, {0, 1}, {2}, {1, 2}]
    return [end for end in (min(table), max(table)) if {i for i, v in enumerate(table) if v == end} in sides]


def gaps(outs: tuple[int, ...]) -> int:
    """The gcd of the differences of outputs."""
    return gcd(*(x - outs[0] for x in outs))


def full(p: int) -> list[int]:
    """The gcds of gaps, for s = 1, from whose multiples some bias makes every level: all that are not extreme are congruent."""
    top = max(levels(p))
    return [g for g in range(1, 2 * top + 1) if len({v % g for v in levels(p) if abs(v) < top}) == 1]


def widths(p: int) -> list[Fraction]:
    """In units of 1/s, each delta between 1 and 2 q_max at which cubes change, and one between two of them."""
    end = 2 * max(levels(p))
    points = sorted({Fraction(j, k) for j in range(1, end + 1) for k in range(1, j) if j < end * k} | {Fraction(1), Fraction(end)})
    return sorted([*points[1:-1], *((a + b) / 2 for a, b in pairwise(points))])


def remainders(p: int, s: int = 1) -> list[int]:
    """The r of Lemma 2."""
    return [r for r in range(3, max(levels(p)) // s + 1) if r > 3 or p % 2 == 0]


def sums(q: int) -> int:
    """The states, and the different maps of tokens, of two sums of q-bit numbers.

    Both are any number or an infinity over a positive weight, or 0 with the weight 0. But an infinity over an infinity is no state, and the
    two tokens with it have one map.
    """
    return (numbers(q) + 2) * ((numbers(q) - 1) // 2 + 1) - 1


def rounded(eighths: int) -> int:
    """To the nearest level, halves away from 0."""
    return (abs(eighths) + 4) // 8 * (1 if eighths > 0 else -1)


def moves(p: int, admits: Callable[[int], bool], least: int | None = None) -> set[tuple[int, int]]:
    """Pairs of levels to which reals from least (or -top) to top round whose difference, in eighths, is admitted; by multiples of 1/8."""
    top = 8 * max(levels(p))
    reals = range(-top if least is None else least, top + 1)
    return {(rounded(x), rounded(y)) for x in reals for y in reals if admits(y - x)}


def argument(p: int, admits: Callable[[int], bool], least: int | None = None) -> int:
    """The steps of a proof by a slope: each difference of neighbouring levels, each distance of the two points, and the conclusion."""
    return len({b - a for a, b in moves(p, admits, least)}) + 2 * max(levels(p)) + 1


def covers(p: int) -> list[set[tuple[int, ...]]]:
    """The intervals of each covering: of points, and of each width (s = 1)."""
    found: list[set[tuple[int, ...]]] = [{(v,) for v in levels(p)}]
    for delta in widths(p):
        cells = [(v - min(levels(p))) // delta for v in levels(p)]
        found.append({tuple(v for v, c in zip(levels(p), cells, strict=True) if c == cell) for cell in cells})
    return found


def reached(g: int, b: int, p: int) -> set[int]:
    """What the multiples of g plus b reach, for s = 1."""
    return {max(min(levels(p)), min(max(levels(p)), b + k * g)) for k in range(-len(levels(p)), len(levels(p)) + 1)}


def alike(p: int) -> int:
    """Least outputs with a gcd of gaps, for s = 1, at which outputs and gaps reach the same for every bias."""
    shapes = {(outs[0], gaps(outs)) for outs in outputs(p, 2)}
    return sum(all(reached(gcd(low, g), b, p) == reached(g, b, p) for b in levels(p)) for low, g in shapes)


def targets(p: int) -> int:
    """The steps of Theorems 1 and 11 for s = 1: the target, each network, and each class of biases where no network has the target."""
    return 1 + len(tables()) + sum(g or len(levels(p)) for g in range(max(levels(p)) + 1) if g not in full(p))


def coprime(largest: int) -> int:
    """Pairs above 1."""
    return sum(gcd(a, b) == 1 for a, b in combinations(range(2, largest + 1), 2))


def comparable(t: int, e: int, low: bool = True, high: bool = True) -> int:
    """Pairs y <= z of Appendix C.1, without the smallest exponents of y (low) and without the largest (high)."""
    ys = [y for y in promised(t, e) if not low or part(y, 2, e + 1) >= t - 1]
    most = (1 << e) - 1 - high
    return sum(y <= z for y in ys for z in strings(t + e) if part(y, 2, e + 1) <= most and part(z, 2, e + 1) <= most)


def measured(m: int, *options: str) -> int:
    """The measured choices of these options, in the files of the runs."""
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in MEASURED.glob(f"m{m}[.-]*json")]
    return len({json.dumps([run["choices"][option] for option in options]) for run in runs})


MEASURED = Path(every_bit_counts.__file__).parent / "measured"
CUBES = comb(len(levels(1)) + 1, 2)
"""Intervals of Q_(1,1)."""
INPUTS = len(levels(1))
SMALL = range(-2, 3)
"""Entries of the weights that are tried."""
MAPS = sum(k**n - len([m for m in product(range(k), repeat=n) if len(set(m)) == n]) for n in (1, 2, 3) for k in (1, 2, 3))
"""That are not injective."""

COUNTS: dict[str, list[tuple[str, dict[str, int], Callable[[], int]]]] = {
    "every-bit-counts": [
        ("lemma-2.2:alice-tokens", {"p": 3}, lambda: len([i for i in range(100) if 1 <= i <= 4 * 3 + 2])),
        ("theorem-2.4:pairs-on-a-grid", {"p": 4}, lambda: 1),
        ("lemma-c.3:first-halves", {"t": 3, "e": 2}, lambda: first_halves(3, 2)),
        ("theorem-1.1:every-pair", {"p": 4}, lambda: sum(y < z for y in strings(3) for z in strings(3))),
        ("lemma-2.6:denominator-first", {"p": 3}, lambda: pairs(5)),
        ("lemma-2.6:output-yes", {"p": 7}, lambda: len(strings(13))),
        ("section-c.1:input-representation", {"t": 3, "e": 3}, lambda: len(range(2 * 6 + 1 + 2))),
        ("lemma-2.3:denominator-step-6", {"p": 8}, lambda: len([*product(strings(6), strings(6))])),
        ("lemma-c.5:after-step-1", {"t": 3, "e": 3}, lambda: sum(usable(y, 3, 3) and y[-2:] != "10" for y in strings(6))),
        ("lemma-c.5:step-6", {"t": 4, "e": 3}, lambda: sum(usable(z, 4, 3) for z in strings(7))),
        ("lemma-a.6", {"k": 3}, lambda: len([*product((0, 1), repeat=9)])),
        ("definition-a.5", {"m": 4}, lambda: len([*combinations(strings(4), 2)])),
        ("lemma-c.4:alice-tokens", {"t": 4, "e": 3}, lambda: len(range(2 * 7 + 1 + 2))),
        ("lemma-c.3", {"t": 3, "e": 3}, lambda: comb(len(promised(3, 3)), 2)),
        ("lemma-c.3:fooling-set", {"t": 3, "e": 3}, lambda: comb(len([y for y in strings(6) if kept(y, 3)]), 2)),
        ("theorem-c.2:length", {"m": 15, "e": 6}, lambda: len([(t, p - t) for p in (7, 8) for t in range(1, p)])),
        ("theorem-c.1:lower-half", {"t": 3, "e": 4}, lambda: len([(t, 6 - t) for t in range(1, 6)])),
        ("lemma-c.8:denominator-after-step-2", {"m": 11, "e": 6}, lambda: 3),
        ("theorem-2.1:one-column", {"q": 2, "m": 2}, lambda: pairs(2)),
        ("theorem-2.1:tell-apart", {"q": 3, "m": 3}, lambda: len(strings(3))),
        ("definition-a.10:one-tenth", {"t": 3, "e": 2}, lambda: len([*product("01", "01", (-1, 0, 1))])),
        ("definition-a.10:value-count", {"t": 2, "e": 3}, lambda: floats(2, 3)),
        ("definition-a.10", {"t": 3, "e": 2}, lambda: floats(3, 2)),
        ("example-a.9", {}, lambda: 1),
        ("example-a.8:sign-counted", {}, lambda: len(["100.01", "100.1"])),
        ("example-a.8:exact-product", {}, lambda: 1),
        ("definition-a.7", {"p": 4}, lambda: numbers(4)),
        ("section-3:possible", {}, lambda: len([15, 30, 50, 100])),
        ("section-d:trained-is-not-equality", {}, lambda: len([z for z in range(1 << 15) if z <= 0b10])),
        ("table-1:one-seed-failed", {}, lambda: 1),
        ("theorem-2.4:both-halves", {"p": 2}, lambda: 2),
        ("lemma-2.2:two-bits", {"p": 4}, lambda: pairs(5)),
        ("theorem-2.4:fixed-splits", {"p": 3}, lambda: pairs(5) + 1),
        ("lemma-2.6", {"p": 8}, lambda: comb((1 << 15) + 1, 2)),
        ("lemma-2.2", {"p": 4}, lambda: comb(numbers(2) + 3, 2)),
        ("lemma-2.2:protocol-cost", {"p": 5}, lambda: comb(numbers(3) + 3, 2)),
        ("lemma-c.4:one-number", {"t": 3, "e": 3}, lambda: sum(y <= z for y in promised(3, 3) for z in strings(6))),
        ("lemma-c.8:key-window", {"m": 11, "e": 6}, lambda: 9 * sum(part(z, 1, 11) + 1 for z in strings(11) if z[:6] != "111111")),
        ("lemma-c.5:largest-set", {"t": 3, "e": 3}, lambda: sum(y <= z for y in promised(3, 3) for z in strings(6))),
        ("lemma-2.3:mlp-infinite", {"p": 8}, lambda: 1),
        ("section-c.1:exponent-length", {"t": 3, "e": 4}, lambda: 4),
        ("lemma-2.6:one-value-column", {"p": 3}, lambda: pairs(5)),
        ("definition-a.7:monotone-rounding", {"p": 3}, lambda: 3 * (2 * (numbers(3) + 4) - 1) - 1),
        ("theorem-2.4:one-reading", {"p": 1}, lambda: len([*product(["free point", "grid"], ["A X first", "products", "values"])])),
        ("theorem-2.4:one-sum", {"q": 2}, lambda: sums(2)),
        ("theorem-2.4:one-sum", {"q": 3}, lambda: comb(sums(3) + 1, 2)),
        ("section-3:measured-15", {}, lambda: measured(15, "network", "training", "seeds")),
        ("section-d:four-bits-are-enough", {"m": 15}, lambda: len({0, 1, 2, 4, -1, -2, -4, -3, Fraction(1, 8)}) + 1),
        ("lemma-c.5:repairs-needed", {"t": 4, "e": 3},
         lambda: (24 - 5) * comparable(4, 3) + comparable(4, 3, low=False) + comparable(4, 3, high=False)),
    ],
    "fixed-point-networks": [
        ("lemma-8:softplus", {"p": 3, "s": 2}, lambda: 1),
        ("condition-1", {"p": 3}, lambda: len([*product(["gelu", "silu", "mish"], range(1, 8))])),
        ("lemma-8:condition-on-s", {"p": 4}, lambda: 7 * len(range(1, 16))),
        ("lemma-22", {"p": 2, "s": 1}, lambda: len(levels(2))),
        ("theorem-21:grid-power", {"p": 2, "s": 1, "d": 1}, lambda: len(widths(2))),
        ("theorem-21:choice", {"p": 2, "s": 1}, lambda: sum(k * delta <= 6 for delta in widths(2) for k in range(7))),
        ("theorem-21:partition", {"p": 2, "s": 1}, lambda: len([*product(widths(2), levels(2))])),
        ("theorem-21:from-lemma-20", {"p": 1, "s": 1, "d": 1}, lambda: len([*product(tables(), range(CUBES))])),
        ("lemma-5:codomain", {"p": 1, "s": 1, "d": 1}, lambda: len(tables()) * CUBES),
        ("equation-8:summation", {"p": 1, "s": 1}, lambda: len([*product(levels(1), levels(1), (2, 3))])),
        ("equation-8:summation", {"p": 2, "s": 1}, lambda: len([*product(levels(2), levels(2), (2, 3))])),
        ("section-3:coincides", {"p": 2}, lambda: 3 * 7 * 2),
        ("lemma-5:map-codomains", {"p": 1, "s": 1, "d": 1}, lambda: len(tables()) * CUBES * 3),
        ("lemma-14:copies", {"p": 1, "s": 1, "d": 1}, lambda: len(tables()) * CUBES * INPUTS * len(levels(1))),
        ("lemma-5:gate", {"p": 1, "s": 1, "d": 1}, lambda: len(tables()) * CUBES * INPUTS),
        ("lemma-14:gate", {"p": 1, "s": 1, "d": 1}, lambda: len(tables())),
        ("section-4.2", {"p": 1, "s": 1, "d": 1}, lambda: len(tables())),
        ("equation-9", {"p": 1, "s": 1}, lambda: 11 * len([*product(levels(1), levels(1), (0, 1))])),
        ("equation-18:inverse", {}, lambda: len([*product(range(4), range(7), range(13))])),
        ("lemma-26", {"n": 3, "x": 12}, lambda: len([*combinations(range(1, 13), 3)])),
        ("condition-1:interval", {"p": 1, "s": 1}, lambda: sum(len(sides_of(t)) for t in tables())),
        ("lemma-20:terms", {"p": 2, "s": 1}, lambda: sum(7 // gaps(outs) for outs in outputs(2, 2))),
        ("equation-22", {"p": 4, "s": 1}, lambda: sum(remainders(4))),
        ("lemma-4", {"p": 1, "s": 1},
         lambda: len([t for t in product(levels(1), repeat=3) if len(set(t)) > 1 and list(t) in (sorted(t), sorted(t, reverse=True))])),
        ("lemma-5", {"p": 1, "s": 1, "d": 1}, lambda: sum(len({a - b for a in t for b in t}) for t in tables()) * CUBES * INPUTS),
        ("equation-31", {"p": 2, "s": 1}, lambda: len([*product(range(-2, 3), [None, *levels(2)])])),
        ("theorem-21:from-lemma-19", {"p": 1, "s": 1}, lambda: len(full(1))),
        ("theorem-21:codomain", {"p": 2, "s": 1}, lambda: len(full(2))),
        ("condition-a1", {"p": 2, "s": 1}, lambda: argument(2, lambda far: abs(far) < 8)),
        ("condition-a2", {"p": 2, "s": 1}, lambda: argument(2, lambda far: abs(far) <= 8, least=0)),
        ("condition-a3", {"p": 2, "s": 1}, lambda: argument(2, lambda far: 8 <= far <= 16)),
        ("lemma-16:a1", {"p": 2, "s": 1}, lambda: argument(2, lambda far: abs(far) < 8)),
        ("lemma-16:listed", {"p": 3}, lambda: 7 * len(range(1, 8)) - 1),
        ("condition-a2:ties", {"p": 2, "s": 1}, lambda: len([(a, b) for a, b in moves(2, lambda far: 0 <= far <= 8) if b - a > 1]) + 1),
        ("theorem-21:networks", {"p": 1, "s": 1, "d": 1},
         lambda: len(covers(1)) + len(tables()) * (len(levels(1)) + len(set().union(*covers(1))) + len(covers(1)))),
        ("theorem-21:equation-20", {"p": 1, "s": 1, "d": 1}, lambda: len(tables()) * 5 * (1 + INPUTS)),
        ("theorem-6", {"p": 1, "s": 1, "d": 1}, lambda: len(tables()) * (len(levels(1)) + INPUTS * len(levels(1))) + len(tables()[::8])),
        ("section-4.2:from-lemma-19@statement", {"p": 3, "s": 1}, lambda: 1),
        ("section-4.2:point-values@printed", {"p": 2, "s": 1}, lambda: len(full(2))),
        ("section-3.2:each-indicator", {"p": 1, "s": 1}, lambda: 5 * len([t for t in tables() if gaps(t) == 1])),
        ("corollary-9", {"p": 2, "s": 1}, lambda: alike(2)),
        ("corollary-17", {"p": 2, "s": 1}, lambda: alike(2)),
        ("theorem-1", {"p": 1, "s": 1}, lambda: targets(1)),
        ("theorem-11", {"p": 1, "s": 1}, lambda: targets(1)),
        ("lemma-20", {"p": 3, "s": 1, "d": 1}, lambda: 1 + (10 + 2) * 15 + 2 * sum(15 // gap for gap in range(1, 15))),
        ("lemma-26:recipe", {"n": 2, "x": 12}, lambda: 2 * coprime(12)),
        ("lemma-26:choices", {"n": 2, "x": 10}, lambda: (1 + 2) * coprime(10)),
    ],
    "one-bit-scaling": [
        ("claim-h.2", {"m": 2, "n": 2, "d": 2}, lambda: 1),
        ("lemma-h.3", {"m": 2, "n": 2, "d": 2}, lambda: 1),
        ("section-3.2", {"m": 2, "n": 1, "d": 3}, lambda: len([*product(range(2), range(3))])),
        ("definition-g.1", {"m": 1, "n": 2, "d": 2}, lambda: len([*product(range(2), repeat=2)])),
        ("definition-c.5", {"m": 1, "n": 2, "d": 2}, lambda: len(range(2))),
        ("definition-c.8", {"m": 1, "n": 2, "d": 2}, lambda: len(range(2))),
        ("definition-j.1", {"m": 1, "n": 2, "d": 2}, lambda: len(range(2))),
        ("definition-g.3", {"m": 1, "n": 2, "d": 2}, lambda: len([*product(range(2), repeat=2)])),
        ("definition-f.1", {"m": 1, "n": 2, "d": 2}, lambda: len(range(2))),
        ("assumption-g.4", {"d": 3}, lambda: len([*product(SMALL, repeat=3)])),
        ("lemma-h.5", {"d": 2}, lambda: len([(1, -1), (-1, 1)])),
        ("theorem-k.1", {"d": 2}, lambda: len([(1, -1), (-1, 1)])),
        ("section-5.2", {"d": 2}, lambda: len([(1, -1), (-1, 1)])),
        ("lemma-k.4:signs", {"d": 4}, lambda: 1),
        ("fact-b.5", {}, lambda: len([*product(SMALL, repeat=2 * 3)])),
        ("lemma-i.2:small-steps", {"d": 2}, lambda: 1),
        ("theorem-i.1", {"d": 3}, lambda: len([*product((-1, 1), repeat=3)])),
        ("claim-i.5", {"d": 3}, lambda: len([*product((-1, 1), repeat=3)])),
        ("section-5.2:second-moment", {"d": 3}, lambda: 2000),
        ("section-5.2:slope", {"d": 3}, lambda: len([16, 64, 256, 1024]) * 250),
    ],
    "parameter-space-symmetry": [
        ("proposition-4.1:first-display-2", {"n": 2, "m": 1}, lambda: len([*product("12", repeat=2)])),
        ("equation-3:surjective", {}, lambda: MAPS),
        ("section-5:lower-error", {"n": 2, "m": 1, "b": 1}, lambda: len([*permutations((-1, 0, 1), 2)]) ** 2),
        ("proposition-4.1:products", {"n": 2, "m": 2}, lambda: len([*product("12", repeat=2)])),
        ("section-5:general-linear", {"n": 1, "b": 1}, lambda: len(["1/s", "1", "s"]) + len(["W_q g", "W_k g^-T"]) + 1),
    ],
    "piecewise-affine": [
        ("section-2.7:exact-varies", {"n": 4}, lambda: len([l for l in range(4) if l])),
    ],
}  # fmt: skip
"""Of each paper: a claim, its parameters, and how many cases it has there."""


CASES = [(f"{paper}/{name}", point, count) for paper, counted in COUNTS.items() for name, point, count in counted]


def judge_of(name: str) -> str | None:
    """The judge of a claim, by its name and the edition, if that is not the repaired one: ``paper/lemma-1@printed``."""
    claim, _, edition = name.partition("@")
    judge = find_claim(claim).of_edition(Edition(edition or "repaired")).judge
    return judge.target if isinstance(judge, NamedJudge) else None


def test_a_judge_that_is_not_counted_here_counts_no_case() -> None:
    """It proves its claims for all cases at once, or checks nothing: the table of verdicts has no number of cases."""
    counted = {judge_of(name) for name, _, _ in CASES}
    lines = [line.split("\t") for line in (ROOT / "reports" / "verdicts.tsv").read_text(encoding="utf-8").splitlines()]
    column = lines[0].index("cases")
    proved = set()
    for cells in lines[1:]:
        each = cells[column].split(" | ")
        for edition, cases in zip(Edition, each * (len(Edition) // len(each)), strict=True):
            judge = judge_of(f"{cells[0]}@{edition.value}")
            if judge is not None and judge not in counted:
                assert cases == "-", f"{cells[0]}: {cases} cases of {judge}"
                proved.add(judge)
    assert proved, "some judges prove"


@pytest.mark.long(
    "every-bit-counts/lemma-c.8:key-window",
    "every-bit-counts/lemma-c.5:repairs-needed",
    "fixed-point-networks/lemma-16:listed",
    "fixed-point-networks/corollary-9",
    "fixed-point-networks/corollary-17",
)
@pytest.mark.parametrize(("name", "point", "count"), CASES, ids=[name for name, _, _ in CASES])
def test_a_judge_goes_through_every_case(name: str, point: dict[str, int], count: Callable[[], int]) -> None:
    of, _, edition = name.partition("@")
    claim = replace(find_claim(of), proofs=())
    found = Session().own(claim, Edition(edition or "repaired"), claim.complete(point), DEFAULT_SEMANTICS)
    assert found.scope.cases == count()
