"""Common parts of statements on intermediate values: exact comparisons of arrays, their table, and refutations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import INFINITE, NOT_A_NUMBER, ArrayMachine, Lattice, States, Truths
from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.wording import lacking_text, parameter_text, trace_words
from verifier.networks.instance import Instance
from verifier.networks.problems import bits_of
from verifier.transformers.tables import Execution

Strings = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Values:
    """An array of machine values that compares exactly with rationals."""

    lattice: ArrayMachine
    states: States

    @property
    def unit(self) -> Fraction:
        """What a state counts.

        Raises:
            TypeError: a floating-point machine, whose states are codes.
        """
        if not isinstance(self.lattice, Lattice):
            raise TypeError("formulas are compared with fixed-point values only")
        return self.lattice.unit

    def equals(self, numerator: Strings | int, denominator: int = 1) -> Truths:
        """Where the value is numerator/denominator."""
        unit = self.unit
        return np.asarray(self.finite & (self.states * (unit.numerator * denominator) == np.asarray(numerator) * unit.denominator))

    def exceeds(self, numerator: Strings | int, denominator: int = 1) -> Truths:
        """Where the value is greater than numerator/denominator; inf is, NaN is not."""
        unit = self.unit
        finite = self.finite & (self.states * (unit.numerator * denominator) > np.asarray(numerator) * unit.denominator)
        return np.asarray(finite | self.is_infinite(1))

    def is_infinite(self, side: int) -> Truths:
        """Where the value is inf (side 1) or −inf (side −1)."""
        return np.asarray(self.states == side * INFINITE)

    @property
    def is_nan(self) -> Truths:
        return np.asarray(self.states == NOT_A_NUMBER)

    @property
    def finite(self) -> Truths:
        return self.lattice.finite(self.states)


@dataclass(frozen=True)
class Place:
    """What formulas may use besides the strings: m, h = ⌈m/2⌉, and the instance."""

    instance: Instance

    @property
    def m(self) -> int:
        return self.instance.m

    @property
    def h(self) -> int:
        return (self.m + 1) // 2


def held(execution: Execution, scope: Scope, witness: str) -> Outcome:
    """The statement holds on the whole scope: verified, or conditional on what the attention assumes without leave."""
    assumptions = execution.attention_assumptions
    verdict = Verdict.CONDITIONAL if assumptions else Verdict.VERIFIED
    reason = lacking_text(execution, execution.unrepresentable_in_attention) if "exact-entries" in assumptions else None
    return Outcome(verdict, scope, witness, assumptions, reason, failures=0)


def failing(scope: Scope, witness: str, failures: int) -> Outcome:
    """The statement fails so often; where it does so first was not asked."""
    return Outcome(Verdict.REFUTED, scope, witness, reason=f"fails on {failures:,} of them", failures=failures)


def contradicted(
    query: Query,
    execution: Execution,
    scope: Scope,
    witness: str,
    pair: tuple[int, int],
    found: Number,
    subject: str,
    says: str,
    failures: int,
) -> Outcome:
    """The statement fails: ``subject`` is ``found`` at the input ``pair``, ``says`` was claimed."""
    instance = execution.instance
    y, z = (bits_of(x, instance.m) for x in pair)
    parameters = {k: str(v) for k, v in instance.parameters.items()}
    return Outcome(
        Verdict.REFUTED,
        scope,
        witness,
        reason=f"{subject} is {show(found)}; {says} was claimed; fails on {failures:,} of them",
        counterexample={**parameters, "y": y, "z": z, "found": show(found), "claimed": says},
        failures=failures,
        replay=(*trace_words(query.claim, query.edition, query.parameters, query.semantics), "--y", y, "--z", z),
    )


def located(instance: Instance) -> str:
    """``p = 8, n = 34, m = 15``."""
    return f"{parameter_text(instance.parameters)}, m = {instance.m}"
