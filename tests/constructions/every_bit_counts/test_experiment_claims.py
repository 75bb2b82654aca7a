"""Printed means and deviations, first bits of the test inputs and the hand-set network, each against its definition."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest

from constructions.every_bit_counts.judges.experiments import FOUR_BITS, numbers_of, wrong_columns
from constructions.every_bit_counts.mathematics.measured import (
    Batches,
    Divisor,
    Printed,
    fewest_wrong_of_the_worst,
    flips,
    misled,
    parts,
    witness,
)
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.engines.dispatch import decide
from verifier.errata.tables import read_construction
from verifier.networks.instantiate import instantiate
from verifier.transformers.tables import Execution, execution_of


class Accuracies(Batches):
    """Batches with the mean and the variance of given numbers of right answers."""

    def mean(self, right: tuple[int, ...]) -> Fraction:
        """In per cent."""
        return Fraction(100 * sum(right), self.seeds * self.items)

    def variance(self, right: tuple[int, ...]) -> Fraction:
        """The square of the standard deviation, in per cent²."""
        total, squares = sum(right), sum(k * k for k in right)
        return Fraction(10_000, self.items**2) * Fraction(self.seeds * squares - total * total, self.seeds) / self._freedom


@pytest.mark.parametrize("divisor", ["sample", "population"])
def test_what_can_be_printed_is_what_is_found_by_trying_everything(divisor: Divisor) -> None:
    """Three seeds, six inputs: every cell with one digit near some batch, and those next to it."""
    batches = Accuracies(3, 6, divisor)
    every = list(product(range(7), repeat=3))
    means = sorted({batches.mean(right) for right in every})
    for mean in map(Printed, (f"{float(x):.1f}" for x in means[::5])):
        near = [right for right in every if mean.low <= batches.mean(right) <= mean.high]
        for tenths in range(0, 600, 13):
            deviation = Printed(f"{tenths / 10:.1f}")
            fit = [r for r in near if max(0, deviation.low) ** 2 <= batches.variance(r) <= deviation.high**2]
            found = witness(batches, mean, deviation)
            assert (found is None) == (not fit)
            assert found is None or found in fit
            best = min((6 - min(right) for right in fit), default=None)
            assert fewest_wrong_of_the_worst(batches, mean, deviation) == best


def test_parts_are_all_of_them() -> None:
    every = {tuple(sorted(w, reverse=True)) for w in product(range(5), repeat=4)}
    for total in range(17):
        found = list(parts(4, total, 10, 20, 4))
        assert set(found) == {w for w in every if sum(w) == total and 10 <= sum(x * x for x in w) <= 20}
        assert len(found) == len(set(found))


@pytest.mark.parametrize("m", [2, 4, 5])
def test_how_often_unequal_strings_begin_alike_is_counted(m: int) -> None:
    chosen = list(combinations(range(m), flips(m)))
    for positions in range(m + 1):
        assert misled(m, positions) == Fraction(sum(min(where) >= positions for where in chosen), len(chosen))


def set_by_hand(m: int, bits: int, text: str | None = None, folder: Path = FOUR_BITS.parent) -> Execution:
    """The table, or another text of it, at m in this many bits."""
    path = FOUR_BITS if text is None else folder / "changed.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    return execution_of(instantiate(read_construction(path).file, {"m": m, "bits": bits}), DEFAULT_SEMANTICS)


@pytest.mark.parametrize(("m", "bits", "right"), [(4, 4, True), (5, 4, True), (3, 3, False), (4, 5, True), (6, 5, False)])
def test_the_hand_set_network_run_on_every_pair(m: int, bits: int, right: bool) -> None:
    """Nine tokens of 1/8 are a denominator of 9/8 with five bits, and of 1 with four; from m = 6 on, quotients lose digits."""
    execution = set_by_hand(m, bits)
    complete = next(wrong_columns(execution), None) is None and all(map(execution.machine.holds, numbers_of(execution.instance)))
    assert not right or (complete and not decide(execution).failures)
    assert right or not complete


def test_a_wrong_entry_is_found(tmp_path: Path) -> None:
    changed = FOUR_BITS.read_text(encoding="utf-8").replace('"2**((i - 1) % 3) if', '"1 if')
    assert next(wrong_columns(set_by_hand(4, 4, changed, tmp_path)), None) is not None
