"""Constructions whose numerator is added up from many columns of A X, each about one position of the strings: a count over states.

Where every column sum depends on one position at most, the denominator on none, and the columns come in the order of their
positions, last position first, the numerator is a walk over the positions: its state is the partial numerator and how y compares
with z on the positions seen. Counting the pairs in each state decides all pairs in time linear in the length; nothing is sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby

import numpy as np

from verifier.arithmetic.numbers import NAN, ZERO, Number
from verifier.attention.evaluate import decide
from verifier.attention.terms import Reading
from verifier.construction.indices import Bit
from verifier.engines.census import Census
from verifier.engines.program import DENOMINATOR, Program
from verifier.engines.tree import all_sums

State = tuple[Number, int]
"""The partial numerator, and the sign of y − z on the positions seen so far."""

METHOD = "column automaton"


def walk_columns(reading: Reading) -> Census | None:
    """The census over all pairs y ≤ z for EQ; None where the construction does not have this form.

    The smallest failing pair is not found by counting: with failures the census has none, and enumeration is to find it.
    """
    instance = reading.instance
    problem = instance.problem
    if reading.semantics.order != "ax" or (problem.function, problem.promise) != ("EQ", "y <= z") or instance.defects:
        return None
    program = Program(reading)
    sums = [program.sums[name] for name in program.numerator_sums]
    places = [{b.index for b in s.bits} for s in sums]
    if program.sums[DENOMINATOR].bits or any(len(p) > 1 for p in places):
        return None
    order = [min(p, default=0) for p in places]
    if 0 in order or order != sorted(order, reverse=True):
        return None
    columns = list(zip(order, program.numerator_sums, reading.columns, strict=True))
    states: Counter[State] = Counter({(ZERO, 0): 1})
    following = instance.m
    for position, group in groupby(columns, key=lambda c: c[0]):
        states = _unread(states, following - position)
        members = [(_values(program, name, position), reading.value_weights[column]) for _, name, column in group]
        states = _step(reading, states, members)
        following = position - 1
    return _census(reading, program, _unread(states, following))


def _values(program: Program, name: str, position: int) -> dict[tuple[int, int], Number]:
    """A column sum for each setting of (y_i, z_i)."""
    axes, states = all_sums(program.lattice, program.sums[name], {})
    values = {}
    for y in (0, 1):
        for z in (0, 1):
            bits = {Bit("y", position): y, Bit("z", position): z}
            values[y, z] = program.lattice.decode(np.int64(states[tuple(bits[b] for b in axes)]))
    return values


def _unread(states: Counter[State], positions: int) -> Counter[State]:
    """Positions that no column reads: only the comparison changes."""
    for _ in range(positions):
        states = _moved(states, lambda total, y, z: total)
    return states


def _step(reading: Reading, states: Counter[State], members: list[tuple[dict[tuple[int, int], Number], Number]]) -> Counter[State]:
    """One position: its columns are multiplied by their value weights and added, each operation rounded."""
    machine = reading.machine

    def moved(total: Number, y: int, z: int) -> Number:
        for values, weight in members:
            total = machine.add(total, machine.multiply(values[y, z], weight))
        return total

    return _moved(states, moved)


def _moved(states: Counter[State], move: Callable[[Number, int, int], Number]) -> Counter[State]:
    """Every state with every setting (y_i, z_i) of one position; ``move`` gives the new partial numerator."""
    after: Counter[State] = Counter()
    for (total, compared), count in states.items():
        for y in (0, 1):
            for z in (0, 1):
                after[move(total, y, z), y - z or compared] += count
    return after


def _census(reading: Reading, program: Program, states: Counter[State]) -> Census:
    denominator = program.lattice.decode(np.int64(all_sums(program.lattice, program.sums[DENOMINATOR], {})[1]))
    cases = failures = nans = 0
    for (numerator, compared), count in states.items():
        if compared > 0:
            continue
        made = decide(reading, reading.machine.divide(numerator, denominator))
        cases += count
        failures += count * (made.answer != int(compared == 0))
        nans += count * (made.output is NAN)
    return Census(cases, failures, nans, None, METHOD, f"{len(states)} states, column by column")
