"""Cases of numbers and their operations, and of sums on one fixed grid and with fixed splits, for :mod:`cases`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

from verifier.arithmetic.formats import fixed_grid
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.errata.tables import read_construction
from verifier.kernel.cases import example, integer, listed, sample
from verifier.networks.entries import Entry, Large
from verifier.networks.evaluate import evaluate
from verifier.networks.execution import execution_of
from verifier.networks.instantiate import instantiate

WITNESS = Path(__file__).parents[1] / "tables" / "witness-grid.toml"
SPECIALS = {INF: "PInf", NEG_INF: "NInf", NAN: "NaN"}
MOST_PAIRS = 150
"""Of the pairs of values that an operation takes at one p."""


def in_units(p: int, x: Fraction) -> int:
    """x in units of 2^-(p-1).

    Raises:
        ValueError: x is not a whole number of units.
    """
    scaled = x * 2 ** (p - 1)
    if scaled.denominator != 1:
        raise ValueError(f"{x} is not a multiple of 2^-{p - 1}")
    return int(scaled)


def number(p: int, x: Number) -> str:
    """A number of p bits in Coq."""
    return SPECIALS[x] if isinstance(x, Special) else f"Fin {integer(in_units(p, x))}"


def machine_of(p: int) -> Machine:
    return read_semantics("a4").machine(p)


def operation(p: int, name: str, apply: Callable[[Number, Number], Number], most: int, computed: str) -> str:
    """An operation on pairs of values of the free point, the infinities and NaN among them."""
    values: list[Number] = [*machine_of(p).form.values(), INF, NEG_INF, NAN]
    pairs = sample(product(values, values), most)
    arguments = listed(f"({number(p, x)}, {number(p, y)})" for x, y in pairs)
    results = listed(number(p, apply(x, y)) for x, y in pairs)
    return example(name, f"map (fun xy => {computed} (fst xy) (snd xy)) {arguments}", results)


def grid_sums(q: int) -> str:
    """Sums of any two levels of a grid, the infinities and NaN among them."""
    machine = Machine(fixed_grid(q))
    values: list[Number] = [*machine.form.values(), INF, NEG_INF, NAN]
    pairs = sample(product(values, values), MOST_PAIRS)

    def level(x: Number) -> str:
        return number(1, x)

    arguments = listed(f"({level(x)}, {level(y)})" for x, y in pairs)
    results = listed(level(machine.add(x, y)) for x, y in pairs)
    return example(f"grid_add_{q}", f"map (fun xy => grid_add {q} (fst xy) (snd xy)) {arguments}", results)


def on_a_grid(p: int, n: int, asked: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The construction on one fixed grid: quotients, the rows of its table, and the two sums and the output of the pairs asked."""
    instance = instantiate(read_construction(WITNESS).file, {"p": p, "n": n})
    machine = Machine(fixed_grid(p))
    values: list[Number] = [*machine.form.values(), INF, NEG_INF, NAN]
    pairs = sample(product(values, values), MOST_PAIRS)
    for name, apply in (("mul", machine.multiply), ("div", machine.divide)):
        arguments = listed(f"({number(1, x)}, {number(1, y)})" for x, y in pairs)
        results = listed(number(1, apply(x, y)) for x, y in pairs)
        yield example(f"grid_{name}_{p}", f"map (fun xy => grid_{name} {p} (fst xy) (snd xy)) {arguments}", results)
    vectors = [(token.index, bit, v) for token in instance.tokens for bit, v in enumerate(token.vectors) if v is not None]
    places = listed(f"({integer(i)}, {'true' if bit else 'false'})" for i, bit, _ in vectors)
    rows = listed(f"({'None' if isinstance(v[1], Large) else f'Some {integer(int(v[1]))}'}, {integer(_whole(v[2]))})" for *_, v in vectors)
    yield example(f"grid_table_{p}", f"map (fun ib => grid_row {p} (fst ib) (snd ib)) {places}", rows)
    reading = execution_of(instance, read_semantics("narrative+point=grid"))
    traces = [evaluate(reading, y, z) for y, z in asked]
    sums = [f"running (grid_add {p}) (grid_{term} {p}) {instance.m} {n} (fst yz) (snd yz)" for term in ("product", "weight")]
    computed = f"let N := {sums[0]} in let D := {sums[1]} in (N, D, grid_output {p} N D)"
    yield example(
        f"grid_evaluations_{p}",
        f"map (fun yz => {computed}) {listed(f'({y}, {z})' for y, z in asked)}",
        listed(f"({number(1, t.numerator)}, {number(1, t.denominator)}, {number(1, t.decision.output)})" for t in traces),
    )


def _whole(x: Entry) -> int:
    if isinstance(x, Large) or x.denominator != 1:
        raise ValueError(f"{x} is not a whole number")
    return int(x)


def fixed_splits(p: int, s: int) -> Iterator[str]:
    """Rounding and the operations with s digits in front of the point: those of a grid of scale 2^(s-p+1)."""
    machine = Machine(fixed_grid(p, Fraction(2**s, 2 ** (p - 1))))
    quotients = [(n, d) for d in (1, 2, 7) for n in sample(range(-(4**p) * d, 4**p * d), 40)]
    rounded = listed(number(p, machine.round(Fraction(n, d) / 2 ** (p - 1))) for n, d in quotients)
    pairs = listed(f"({integer(n)}, {d})" for n, d in quotients)
    yield example(f"split_round_{p}_{s}", f"map (fun nd => split_round {p} {s} (fst nd) (snd nd)) {pairs}", rounded)
    for name, apply in (("add", machine.add), ("mul", machine.multiply), ("div", machine.divide)):
        yield operation(p, f"split_{name}_{p}_{s}", apply, 60, f"split_{name} {p} {s}")
