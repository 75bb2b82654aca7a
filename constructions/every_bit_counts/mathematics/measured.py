"""Measured runs of the experiments, as they are committed, and whether they agree with printed means and deviations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, comb, floor, isqrt
from pathlib import Path
from typing import Any, Literal

from constructions.every_bit_counts.experiments.choices import Quantization, printed
from constructions.every_bit_counts.experiments.exact_network import IntegerNetwork
from constructions.every_bit_counts.mathematics.printed_spreads import Printed
from verifier.arithmetic.confidence import Interval, student
from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.identifiers import below

FOLDER = Path(__file__).parents[1] / "measured"
AS_DRAWN = "as drawn in the paper"

COLUMNS = {"(5, 10)": "FP16", "(10, 5)": "FP16", "(5, 2)": "FP8_E5M2", "(4, 3)": "FP8_E4M3"}
"""Headings of Tables 3 and 4, with the one that Table 4 has the wrong way round."""

PARTS = {1: "after training", 2: "after fine-tuning", 3: "after training", 4: "after fine-tuning"}
"""What of a run a table is about."""

Agreement = Literal["consistent", "not consistent", "undecided"]


@dataclass(frozen=True)
class Sample:
    """Accuracies in per cent: mean, sample variance (at most), how many they are, and by how much the mean may be rounded."""

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
        """From what is printed with n - 1, rounding allowed for."""
        return Sample(rational(mean), Printed(deviation).high ** 2, many, Printed(mean).half)


def difference(ours: Sample, theirs: Sample, level: Fraction) -> Interval:
    """Where the difference of the true means lies, ours less theirs: Welch's interval with the smaller of both degrees of freedom.

    So its level is at least the one asked for, accuracies of networks being independent and normal.
    """
    spread = ours.variance / ours.many + theirs.variance / theirs.many
    far = student(min(ours.many, theirs.many) - 1, level) * _root_above(spread) + ours.slack + theirs.slack
    middle = ours.mean - theirs.mean
    return Interval(middle - far, middle + far)


def agreement(found: Interval, margin: Fraction) -> Agreement:
    """Equivalence: consistent where the whole interval is within the margin, not consistent where all of it is outside."""
    if -margin <= found.low and found.high <= margin:
        return "consistent"
    return "not consistent" if found.low > margin or found.high < -margin else "undecided"


@dataclass(frozen=True)
class Comparison:
    """A run's accuracies in one cell, where the true difference from the printed mean lies, and what that says at the margin.

    As text: the measured mean and the interval, rounded outwards.
    """

    ours: Sample
    interval: Interval
    agreement: Agreement

    def __str__(self) -> str:
        return f"{float(self.ours.mean):.2f} [{floor(100 * self.interval.low) / 100:+.2f}, {ceil(100 * self.interval.high) / 100:+.2f}]"


def compared(ours: Sample, printed: tuple[str, str], seeds: int, margin: Fraction, level: Fraction) -> Comparison:
    """Measured accuracies against a printed mean and standard deviation over so many seeds."""
    interval = difference(ours, Sample.printed(*printed, seeds), level)
    return Comparison(ours, interval, agreement(interval, margin))


MOST_SEEDS = 1 << 20


def seeds_to_decide(ours: Sample, theirs: Sample, margin: Fraction, level: Fraction) -> int:
    """How many seeds of each, with the deviations that these have, make Welch's interval as narrow as the margin on each side."""

    def wide(seeds: int) -> bool:
        spread = (ours.variance + theirs.variance) / seeds
        return student(seeds - 1, level) * _root_above(spread) + theirs.slack > margin

    least, most = 1, 2
    while wide(most) and most < MOST_SEEDS:
        least, most = most, 2 * most
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if wide(middle) else (least, middle)
    return most


def over_choices(
    m: int, table: int, heading: str, printed: tuple[str, str], seeds: int, margin: Fraction, level: Fraction
) -> dict[str, Comparison]:
    """Each measured choice against a printed cell, by what it chooses; of runs that differ in nothing the table depends on, the first.

    level: of all choices together, so that each has a higher one (Bonferroni).
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
    """Of a file of ``verify tool every-pair``: for 0, 1, …, m differing bits, the share of the pairs that is answered wrongly."""
    document = json.loads(below(FOLDER, name).read_text(encoding="utf-8"))
    m = document["network"]["m"]
    return [Fraction(wrong, comb(m, k) << m) for k, wrong in enumerate(document["wrong by distance"])]


@lru_cache(maxsize=8)
def runs(m: int, folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The measured runs at m with the paper's training, by what they choose; the one that chooses nothing first."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("schema") == "bitreferee-experiment-1" and document["choices"]["network"]["m"] == m:
            found[chosen(document)] = document
    return dict(sorted(found.items(), key=lambda pair: (pair[0] != "defaults", pair[0])))


def chosen(document: dict[str, Any], table: int = 2) -> str:
    """``attention = sums, residual``: the options that a run has and the defaults do not, as far as the table depends on them."""
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
    """The run's accuracies in the columns of a table that it has; table 0 is the networks before quantization."""
    for heading in headings:
        name = COLUMNS.get(heading, heading)
        found = document.get("float32") if table == 0 else document.get(PARTS[table], {}).get(name)
        if found is not None:
            yield heading, Sample.of(found[AS_DRAWN], document["of"])
