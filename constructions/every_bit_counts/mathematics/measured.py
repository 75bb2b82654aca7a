"""Which printed means and standard deviations of several accuracies are possible, from sums of integers and of their squares.

Source: *Every Bit Counts*, Section 3 and Appendix D (Tables 1 to 4): ten seeds, accuracies on 5120 inputs each, in per cent with two
digits. The question is that of Brown and Heathers's GRIM test, and of its companions for standard deviations, decided by a search.

The cells of the tables are read from their statement files, which contain each cell once.

The inputs that the experiments draw, and the share on which equality of the first bits is the right answer.

Source: *Every Bit Counts*, Appendix D, Input Generation: with probability 1/2 z = y, y uniform; otherwise z is y with the bits flipped at
⌊0.75 m⌋ positions, which are drawn uniformly.
"""

from __future__ import annotations

import json
import tomllib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, comb, floor, isqrt
from pathlib import Path
from typing import Any, Literal

from constructions.every_bit_counts.experiments.choices import RUNS, Quantization, printed
from constructions.every_bit_counts.experiments.every_pair import IntegerNetwork
from verifier.arithmetic.confidence import Interval, student
from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError
from verifier.running.identifiers import below

FOLDER = Path(__file__).parents[1] / "measured"
AS_DRAWN = "as drawn in the paper"

COLUMNS = {"(5, 10)": "FP16", "(10, 5)": "FP16", "(5, 2)": "FP8_E5M2", "(4, 3)": "FP8_E4M3"}
"""Headings of Tables 3 and 4, with the one that Table 4 has the wrong way round."""

PARTS = {1: "after training", 2: "after fine-tuning", 3: "after training", 4: "after fine-tuning"}
"""The part of a run that a table is about."""

Agreement = Literal["consistent", "not consistent", "undecided"]


@dataclass(frozen=True)
class Sample:
    """Accuracies in per cent: mean, sample variance (at most), their number, and the largest rounding of the mean."""

    mean: Fraction
    variance: Fraction
    many: int
    slack: Fraction = Fraction(0)

    @staticmethod
    def of(right: list[int], items: int) -> Sample:
        """From numbers of right answers."""
        shares = [Fraction(100 * k, items) for k in right]
        mean = sum(shares, Fraction(0)) / len(shares)
        return Sample(mean, sum(((x - mean) ** 2 for x in shares), Fraction(0)) / (len(shares) - 1), len(shares))

    @staticmethod
    def printed(mean: str, deviation: str, many: int) -> Sample:
        """From printed values with n - 1, allowing for rounding."""
        return Sample(rational(mean), Printed(deviation).high ** 2, many, Printed(mean).half)


def difference(ours: Sample, theirs: Sample, level: Fraction) -> Interval:
    """An interval for the difference of the true means, ours less theirs: Welch's, with the smaller of both degrees of freedom.

    So its level is at least the requested one, if accuracies of networks are independent and normal.
    """
    spread = ours.variance / ours.many + theirs.variance / theirs.many
    far = student(min(ours.many, theirs.many) - 1, level) * _root_above(spread) + ours.slack + theirs.slack
    middle = ours.mean - theirs.mean
    return Interval(middle - far, middle + far)


def agreement(found: Interval, margin: Fraction) -> Agreement:
    """Equivalence: consistent if the whole interval is within the margin, not consistent if all of it is outside."""
    if -margin <= found.low and found.high <= margin:
        return "consistent"
    return "not consistent" if found.low > margin or found.high < -margin else "undecided"


@dataclass(frozen=True)
class Comparison:
    """A run's accuracies in one cell, the interval for the true difference from the printed mean, and the result at the margin.

    The text gives the measured mean and the interval, rounded outwards.
    """

    ours: Sample
    interval: Interval
    agreement: Agreement

    def __str__(self) -> str:
        return f"{float(self.ours.mean):.2f} [{floor(100 * self.interval.low) / 100:+.2f}, {ceil(100 * self.interval.high) / 100:+.2f}]"


def compared(ours: Sample, printed: tuple[str, str], seeds: int, margin: Fraction, level: Fraction) -> Comparison:
    """Compare measured accuracies with a printed mean and standard deviation over this many seeds."""
    interval = difference(ours, Sample.printed(*printed, seeds), level)
    return Comparison(ours, interval, agreement(interval, margin))


MOST_SEEDS = 1 << 20


def seeds_to_decide(choices: list[Sample], theirs: Sample, margin: Fraction, level: Fraction) -> int | None:
    """The number of seeds, of each choice and of the printed cell, that decide the cell if all means and deviations stay the same.

    The cell is decided if one choice is consistent, or if none can be. None: even MOST_SEEDS do not decide it, because a mean is too near
    the margin.
    """

    def decided(seeds: int) -> bool:
        more = replace(theirs, many=seeds)
        found = [agreement(difference(replace(ours, many=seeds), more, level), margin) for ours in choices]
        return "consistent" in found or "undecided" not in found

    least, most = 1, 2
    while not decided(most):
        least, most = most, 2 * most
        if most > MOST_SEEDS:
            return None
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if decided(middle) else (middle, most)
    return most


def over_choices(
    m: int, table: int, heading: str, printed: tuple[str, str], seeds: int, margin: Fraction, level: Fraction
) -> dict[str, Comparison]:
    """Compare each measured choice of options with a printed cell; of runs that agree in all options of the table, take the first.

    level: of all choices together, so each has a higher one (Bonferroni).
    """
    found: dict[str, Sample] = {}
    for document in runs(m).values():
        name, sample = chosen(document, table), dict(cells(document, table, [heading])).get(heading)
        if sample is not None and name not in found:
            found[name] = sample
    each = 1 - (1 - level) / max(1, len(found))
    return {name: compared(sample, printed, seeds, margin, each) for name, sample in found.items()}


def _root_above(x: Fraction) -> Fraction:
    return Fraction(isqrt(int(x * 4**60)) + 1, 2**60)


@lru_cache(maxsize=4)
def network(name: str) -> IntegerNetwork:
    """The network of a file of ``verify tool every-pair``."""
    return IntegerNetwork.of(json.loads(below(FOLDER, name).read_text(encoding="utf-8"))["network"])


def wrong_shares(name: str) -> list[Fraction]:
    """Read from a file of ``verify tool every-pair`` the share of wrong answers to pairs with 0, 1, …, m differing bits."""
    document = json.loads(below(FOLDER, name).read_text(encoding="utf-8"))
    m = document["network"]["m"]
    return [Fraction(wrong, comb(m, k) << m) for k, wrong in enumerate(document["wrong by distance"])]


@lru_cache(maxsize=8)
def runs(m: int, folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The measured runs at m with the paper's training, by their options; the one with the defaults first."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("schema") == RUNS and document["choices"]["network"]["m"] == m:
            found[chosen(document)] = document
    return dict(sorted(found.items(), key=lambda pair: (pair[0] != "defaults", pair[0])))


def chosen(document: dict[str, Any], table: int = 2) -> str:
    """``attention = sums, residual``: the options of a run that differ from the defaults and on which the table depends."""
    choices = document["choices"]
    usual = printed(choices["network"]["m"]).document()
    differing = Quantization().__dict__
    idle = () if PARTS.get(table) == "after fine-tuning" else ("fine_tuning",) if table else tuple(differing)
    words = [f"{k} = {v}" for k, v in choices["quantization"].items() if k not in idle and v != differing[k]]
    words += [k if v is True else f"{k} = {v}" for k, v in choices["network"].items() if v != usual["network"][k]]
    words += [f"{k} = {v}" for k, v in choices["training"].items() if v != usual["training"][k]]
    words += [f"{choices['seeds']} seeds"] if choices["seeds"] != usual["seeds"] else []
    return ", ".join(words) or "defaults"


def cells(document: dict[str, Any], table: int, headings: list[str]) -> Iterator[tuple[str, Sample]]:
    """The run's accuracies in the columns of a table that it has; table 0 means the networks before quantization."""
    for heading in headings:
        name = COLUMNS.get(heading, heading)
        found = document.get("float32") if table == 0 else document.get(PARTS[table], {}).get(name)
        if found is not None:
            yield heading, Sample.of(found[AS_DRAWN], document["of"])


Divisor = Literal["sample", "population"]
"""The divisor of the sum of squared deviations, which is the number of values, or one less."""


@dataclass(frozen=True)
class Batches:
    """Accuracies of ``seeds`` networks, each on ``items`` inputs: k_i of them are right, 0 ≤ k_i ≤ items; printed in per cent."""

    seeds: int
    items: int
    divisor: Divisor = "sample"

    @property
    def _freedom(self) -> int:
        return self.seeds - 1 if self.divisor == "sample" else self.seeds

    def squares(self, total: int, deviation: Printed) -> tuple[int, int]:
        """The least and the largest Σ k_i² with Σ k_i = ``total`` that give the printed deviation, or none if the first is larger."""
        unit = Fraction(self.items**2, 10_000) * self._freedom
        low, high = (unit * end * end + Fraction(total * total, self.seeds) for end in (max(deviation.low, Fraction(0)), deviation.high))
        return ceil(low), floor(high)


@dataclass(frozen=True)
class Printed:
    """A number printed with this many digits, ``"94.95"``: the numbers nearest to it, both midpoints included."""

    text: str

    @property
    def value(self) -> Fraction:
        return rational(self.text)

    @property
    def half(self) -> Fraction:
        return Fraction(1, 2 * 10 ** len(self.text.partition(".")[2]))

    @property
    def low(self) -> Fraction:
        return self.value - self.half

    @property
    def high(self) -> Fraction:
        return self.value + self.half


def witness(batches: Batches, mean: Printed, deviation: Printed, most_wrong: int | None = None) -> tuple[int, ...] | None:
    """Numbers of right answers, the largest first, that give the printed ``mean`` ± ``deviation``; None if none do.

    most_wrong: the largest number of wrong answers of each seed.
    """
    cap = batches.items if most_wrong is None else most_wrong
    all_right = batches.seeds * batches.items
    scale = Fraction(all_right, 100)
    for total in range(max(0, ceil(mean.low * scale)), min(all_right, floor(mean.high * scale)) + 1):
        low, high = batches.squares(total, deviation)
        # Counted in wrong answers, w_i = items - k_i: their sum is small, and Σ w_i² = Σ k_i² - 2 items Σ k_i + seeds items².
        shift = batches.seeds * batches.items**2 - 2 * batches.items * total
        wrong = next(parts(batches.seeds, all_right - total, low + shift, high + shift, cap), None)
        if wrong is not None:
            return tuple(batches.items - w for w in reversed(wrong))
    return None


def fewest_wrong_of_the_worst(batches: Batches, mean: Printed, deviation: Printed) -> int | None:
    """The least w for which every seed may have at most w wrong answers: the worst seed has at least w. None if nothing is possible."""
    if witness(batches, mean, deviation) is None:
        return None
    return bisect_left(range(batches.items), True, key=lambda wrong: witness(batches, mean, deviation, wrong) is not None)


def parts(many: int, total: int, low: int, high: int, cap: int) -> Iterator[tuple[int, ...]]:
    """Every ``many`` integers from 0 to ``cap``, descending, with this sum and a sum of squares from ``low`` to ``high``."""
    if low > high or not 0 <= total <= many * cap or _most(many, total, cap) < low or _least(many, total) > high:
        return
    if many == 1:
        yield (total,)
        return
    for first in range(min(cap, total), -(-total // many) - 1, -1):
        for rest in parts(many - 1, total - first, low - first * first, high - first * first, first):
            yield (first, *rest)


def _most(many: int, total: int, cap: int) -> int:
    """The largest sum of squares: as many numbers as possible are ``cap``."""
    if cap == 0:
        return 0
    full, left = divmod(total, cap)
    return full * cap * cap + left * left


def _least(many: int, total: int) -> int:
    """The least sum of squares: all numbers are as near each other as possible."""
    each, more = divmod(total, many)
    return more * (each + 1) ** 2 + (many - more) * each * each


STATEMENTS = Path(__file__).parents[1] / "statements"
FLOAT32 = 0
"""The number that stands for a table in the sentence of Section 3 on the networks before quantization."""


@lru_cache(maxsize=8)
def printed_cells(table: int) -> dict[tuple[int, str], tuple[str, str]]:
    """(mean, standard deviation) in per cent, as printed, by m and the column's heading."""
    name = "section-3" if table == FLOAT32 else f"table-{table}"
    raw = tomllib.loads((STATEMENTS / f"{name}.toml").read_text(encoding="utf-8"))
    (listed,) = (step["cells"] for step in raw["step"] if step["id"] == "possible")
    return {(m, heading): (mean, deviation) for m, heading, mean, deviation in listed}


def accuracy(table: Fraction, m: Fraction, *digits: Fraction) -> Fraction:
    """The printed mean in per cent of a table's column at m: INT<bits> by its bits in Table 1 or 2, (exponent, mantissa) by both in Table 3
    or 4, and for table 0 the networks before quantization.

    Raises:
        InputError: there is no such cell.
    """
    heading = "float32" if not digits else f"INT{digits[0]}" if len(digits) == 1 else f"({digits[0]}, {digits[1]})"
    found = printed_cells(int(table)).get((int(m), heading))
    if found is None:
        raise InputError(f"table {table} has no cell {heading} at m = {m}")
    return rational(found[0])


def flips(m: int) -> int:
    """The number of positions in which unequal strings differ: ⌊3m/4⌋."""
    return 3 * m // 4


def misled(m: int, positions: int) -> Fraction:
    """The probability that unequal strings have the same first ``positions`` bits: none of the flips is among these."""
    return Fraction(comb(m - positions, flips(m)), comb(m, flips(m)))
