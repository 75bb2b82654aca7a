"""``verify tool sets``: N, S, BN and BS of an activation; the missing values, or the sums that reach each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.mathematics.weighted_sums import sums_reaching
from verifier.arithmetic.rationals import Fraction
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, output_option, put, screen_or_json_option
from verifier.commands.progress import Progress
from verifier.running.errors import LimitError, amount
from verifier.running.printable import json_text
from verifier.show.notation.plain import shown
from verifier.show.screen import console, folded, plain_table

FORMAT = "bitreferee-sets-1"
MANY = 6
MOST_VALUES = 1 << 17
SUMS = 64


@click.command("sets")
@click.option("--activation", required=True, metavar="NAME|FILE", help="relu, gelu, … or a file with the rounded value at every input.")
@click.option("--p", type=Integer(), required=True, help="Magnitude bits of Q_(p,s).")
@click.option("--s", type=Integer(), required=True, help="Scaling factor, 1 <= s <= 2^p - 1.")
@click.option(
    "--set", "kinds", multiple=True, type=click.Choice(["N", "S", "BN", "BS"]), help="Show only this set; may be given several times."
)
@click.option("--bias", metavar="B", help="Show only this bias, a multiple of 1/s, and the weights that reach each value.")
@screen_or_json_option
@click.option(
    "--limit",
    type=Integer(1),
    default=MOST_VALUES,
    show_default=True,
    help="The largest number of values of Q_(p,s); the largest number of listed sums is a 64th of this.",
)
@output_option
def command(
    activation: str,
    p: int,
    s: int,
    kinds: tuple[str, ...],
    bias: str | None,
    form: str,
    limit: int,
    output: Path | None,
) -> int:
    """Show whether the sets N, S (weights in Q_(p,s)), BN and BS (weights ±1) of the fixed-point paper are all of Q_(p,s), for every bias.

    Exit status: 0 each set asked for is all of Q_(p,s), at the given bias or else at some bias; 1 one is not; 2 a parameter or file cannot
    be used.
    """
    from constructions.fixed_point_networks.commands.represent_command import activation_table
    from constructions.fixed_point_networks.mathematics.grid import admitted
    from constructions.fixed_point_networks.mathematics.networks.files import level

    grid = admitted(within(p, limit), s)
    betas = None if bias is None else [level(bias, grid, "--bias")]
    with Progress(f"sets of {activation}"):
        table = activation_table(activation, grid)
        answers = [set_answer(kind, table, betas) for kind in kinds or ("N", "S", "BN", "BS")]
    if form == "json" or output or bias is not None:
        count = sum(len(a.full) for a in answers) * grid.size
        if count > limit // SUMS:
            raise LimitError(f"{amount(count)} sums, at most {limit // SUMS:,} (a 64th of --limit) are listed", "--limit")
        count = sum(len(a.missing) for a in answers) * grid.size
        if count > limit:
            raise LimitError(f"{amount(count)} values, at most {limit:,} are listed", "--limit or --bias")
    if form == "json" or output:
        data = {"format": FORMAT, "p": p, "s": s, "rounded activation": [grid.show(v) for v in table.levels]}
        put(json_text({**data, "sets": [a.data() for a in answers]}), output)
    if form == "screen":
        _show(answers, bias is not None and output is None)
    return EXIT_VERIFIED if all(a.full for a in answers) else EXIT_REFUTED


def within(p: int, limit: int) -> int:
    """``p``, if Q_(p,s) has at most ``limit`` values, 2^(p+1) - 1.

    Raises:
        LimitError: it has more.
    """
    if p + 1 > limit.bit_length() or (p > 0 and 2 ** (p + 1) - 1 > limit):
        raise LimitError(f"p = {amount(p)}: Q_(p,s) has 2^(p+1) - 1 values, the limit is {limit:,}", "--limit")
    return p


MEANINGS = {
    "N": "rounded sums of the bias and of products of a weight and an output of the activation",
    "S": "the same with gaps, differences of two outputs, in place of outputs",
    "BN": "as N, with the weights 1 and -1 only",
    "BS": "as S, with the weights 1 and -1 only",
}
"""The meaning of the sets, for the head of the table."""


def _head(answers: list[SetAnswer], weights: bool) -> None:
    """The head: the question, and the meaning of the names and columns."""
    grid = answers[0].table.grid
    ends = f"from {grid.show(-grid.top)} to {grid.show(grid.top)}"
    lines = [(f"Q_(p,s) with p = {grid.p}, s = {grid.s}: the {grid.size} multiples of {grid.show(1)} {ends}", 0)]
    lines += [(f"{each.kind:<4}{MEANINGS[each.kind]}", 6) for each in answers]
    lines += [
        ("Sums: the numbers that the sums can be before they are rounded.", 2),
        ("All of Q at: the biases b for which the set is all of Q_(p,s).", 2),
        ("Missing: a value that the set lacks, and the bias.", 2),
    ]
    lines += [("[x]: the number of Q_(p,s) that x is rounded to; each sum is b + (weight)(output) + ….", 2)] if weights else []
    for text, indent in lines:
        click.echo("\n".join(folded(shown(text), indent, 2 if text[:1] in "NSB" and indent == 6 else 0)))


def _show(answers: list[SetAnswer], weights: bool) -> None:
    _head(answers, weights)
    out, table = console(), plain_table()
    for heading in ("set", "sums", "all of Q at", "missing"):
        table.add_column(heading)
    for each in answers:
        show = each.table.grid.show
        lacks = [f"{show(level)} at b = {show(beta)}" for beta, level in each.missing.items()]
        lacks += [] if each.step else ["all but one value at every bias"]
        if not each.missing and not weights:
            full = "every"
        else:
            full = _listed(map(show, each.full), f" (modulo {show(each.period)})" if each.period and not weights else "")
        table.add_row(each.kind, each.group, full, _listed(lacks))
    out.print(table)
    for each in answers if weights else ():
        for beta in each.full:
            out.print(f"{each.kind}, b = {each.table.grid.show(beta)}:")
            for value, terms in each.sums(beta).items():
                products = " + ".join(f"{'' if n == '1' else n}({w})({x})" for n, w, x in terms) or "0"
                click.echo(f"  {value:>6} = [b + {products}]")
        for beta in each.missing:
            values = each.values(beta)
            text = f"{each.kind}, b = {each.table.grid.show(beta)}, {len(values)} values: {each.table.grid.show_all(values)}"
            for line in folded(text, 2, 0):
                click.echo(line)


def _listed(items: Iterable[str], after: str = "") -> str:
    every = list(items)
    more = f", and {len(every) - MANY} more" if len(every) > MANY else ""
    return ", ".join(every[:MANY]) + more + after if every else "–"


@dataclass(frozen=True)
class SetAnswer:
    """One of the sets of a rounded activation: its sums run over ``step``/s² · Z, and biases that differ by ``period`` levels (0: any two)
    behave alike. ``lacks``: for each requested bias, in levels, the missing level nearest 0, or None if the set is everything."""

    kind: str
    table: Table
    step: int
    period: int
    lacks: Mapping[int, int | None]

    @property
    def full(self) -> list[int]:
        """The biases for which the set is Q_{p,s}."""
        return [beta for beta, level in self.lacks.items() if level is None]

    @property
    def missing(self) -> dict[int, int]:
        """Give for every other bias the missing level that is nearest to 0."""
        return {beta: level for beta, level in self.lacks.items() if level is not None}

    @property
    def group(self) -> str:
        """The group over which the sums run."""
        return f"multiples of {Fraction(self.step, self.table.grid.s**2)}" if self.step else "0"

    def values(self, beta: int) -> list[int]:
        """The set at a bias, in levels, ascending."""
        return sorted(reach(self.kind, self.table).reached(beta))

    def sums(self, beta: int) -> dict[str, list[list[str]]]:
        """Give for each value the products (times, weight, output or gap) of a sum that reaches it, at a bias with a complete set."""
        found, show = sums_reaching(self.kind, self.table, beta), self.table.grid.show
        assert found is not None
        return {show(q): [[str(n), show(w), show(x)] for (w, x), n in Counter(terms).items()] for q, terms in found.items()}

    def data(self) -> dict[str, Any]:
        """The answer with every number as an exact string."""
        show = self.table.grid.show
        return {
            "set": self.kind,
            "sums": self.group,
            "period": show(self.period) if self.period else None,
            "biases": [
                {"b": show(beta), "everything": True, "sums": self.sums(beta)}
                if level is None
                else {"b": show(beta), "everything": False, "missing": show(level), "values": list(map(show, self.values(beta)))}
                for beta, level in self.lacks.items()
            ],
        }


def set_answer(kind: str, table: Table, betas: Iterable[int] | None = None) -> SetAnswer:
    """Compute one of the sets at these biases (in levels), by default at one bias of every class."""
    sets = reach(kind, table)
    period = sets.classes if sets.step else 0
    chosen = range(period or 1) if betas is None else betas
    return SetAnswer(kind, table, sets.step, period, {beta: sets.missing(beta) for beta in chosen})
