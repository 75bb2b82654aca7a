"""``verify show every-bit-counts --thresholds``: the fewest bits that compute EQ_{2p−1}, with the evidence.

Nothing is judged here: each cell asks a claim, or reads a theorem to which a claim's file links; an open threshold has bounds.
Below the table stand the results of searches: tables found at random that separate many of Alice's strings, counted again. If no table
separates all strings y, that many bits do not compute EQ. A table that separates them decides nothing, because Bob's tokens are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb
from pathlib import Path

import click
import msgspec

from constructions.every_bit_counts.judges.thresholds import KnownTable
from lowerbounds.alphabets import exclusion, largest_excluded
from lowerbounds.last_bits import barriers, fewest_denominators, told_apart
from lowerbounds.running_sums import Coupling, RunningSums, denominators, numerators
from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.kernel_proofs import linked
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_UNDECIDED, EXIT_VERIFIED, KERNEL, SHIPPED, Edition, Outcome, Verdict
from verifier.commands.options import Integer
from verifier.commands.progress import Progress
from verifier.gate.by_symbols import proved
from verifier.networks.files import read_toml
from verifier.running.errors import InputError
from verifier.show.screen import folded
from verifier.show.streams import write_whole
from verifier.show.verdict_words import titled

PAPER = "every-bit-counts"


@click.command("thresholds")
@click.argument("paper", metavar="PAPER", type=click.Choice([PAPER]))
@click.option("--p", "most", type=Integer(2, 64), default=8, show_default=True, help="Up to which p token order is shown one by one.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the page as Markdown to this file.")
def command(paper: str, most: int, output: Path | None) -> int:
    """Show the fewest bits that compute EQ on 2p - 1 bits under each reading, with the evidence that fewer fail and that these are enough.

    An open cell shows its bounds. Exit status 3 while a cell is open.
    """
    del paper  # the only one that has thresholds
    with Progress() as advance:
        thresholds = Thresholds()
        thresholds.session.advance = advance
        rows, each, grid = thresholds.tables(most)
    if output is not None:
        write_whole(output, as_markdown(rows, each, grid, [*searches()], bounds()).encode())
    click.echo("The fewest bits for EQ on 2p − 1 bits, by order and place of the binary point:")
    for row in (*rows, *each, *grid):
        for line in lines(row):
            click.echo(line)
    if any(f"({KERNEL})" in row.below + row.above for row in rows):
        click.echo("\n".join(folded(f"{KERNEL}: {SHIPPED}", 2, 0)))
    return EXIT_UNDECIDED if any(row.open for row in (*rows, *each, *grid)) else EXIT_VERIFIED


def lines(row: Row) -> list[str]:
    """A row in 80 columns."""
    first = f"{row.reading}, {row.over}: {row.fewest} bits{row.mark}"
    return [*folded(first, 2, 0), *folded(f"no fewer: {row.below}", 6, 4), *folded(f"enough: {row.above}", 6, 4)]


TOKEN, GRID = read_semantics("narrative"), read_semantics("narrative+point=grid")
GENERATED = "<!-- Written by `verify report` and `verify show every-bit-counts --thresholds --output`; edit the claims, not this page. -->"
ONE_BIT = "with one bit, 1 is not representable"
"""Why one bit is too few; the judge of Lemma 2.5 says the same."""
MOST_SEARCHED, MOST_ON_A_GRID = 3, 4
"""Bits of two running sums that the search behind ``theorem-2.4:one-sum`` takes, with a free point and on one fixed grid."""
CALLED = {
    "matchings": "exhaustive search",
    "closed states": "finitely many sums",
    "enumeration": "every pair",
    "reachable-sets": "every pair",
}
"""The page's words for the methods of judges."""


@dataclass(frozen=True)
class Row:
    """A reading, the p, the least and the most bits, as words or numbers, and why. most: None if nothing is known."""

    reading: str
    over: str
    least: str
    most: str | None
    below: str
    above: str

    @property
    def fewest(self) -> str:
        """``2``, ``4 or 5``, ``at least p``."""
        if self.most is None:
            return f"at least {self.least}"
        return self.least if self.least == self.most else f"{self.least} to {self.most}"

    @property
    def open(self) -> bool:
        return self.least != self.most

    @property
    def mark(self) -> str:
        return " (open)" if self.open else ""


@dataclass
class Thresholds:
    """The rows, from claims asked in one session. for_page: whether a theorem is named with the kernel's version, as on pages."""

    session: Session = field(default_factory=Session)
    for_page: bool = False

    def tables(self, most: int) -> tuple[list[Row], list[Row], list[Row]]:
        """The three tables: for every p, then up to this p with a free point, and on a grid."""
        return list(self.rows()), list(self.at(range(2, most + 1))), list(self.on_a_grid(range(3, most + 1)))

    def rows(self) -> Iterator[Row]:
        """A row for each reading and every p."""
        yield self._two_bits("matrix order, free point", "a4")
        yield self._two_bits("matrix order, one fixed grid", "a4+point=grid")
        yield Row("token order, free point", "every p ≥ 3", "3", "p", f"counting: {exclusion(TOKEN, 2, 5)}; p by p below", self._upper())
        enough = self._theorem("theorem-2.4:one-bit-more", "grid_witness_computes_equality")
        yield Row("token order, one fixed grid", "every p ≥ 3", "p", "p + 1", self._grid(), f"{enough}, whose MLP accepts one output only")
        splits = self._theorem("theorem-2.4:fixed-splits", "both_halves")
        yield Row("token order, fixed splits", "every p ≥ 3", "p", "p", splits, splits)

    def at(self, ps: Sequence[int]) -> Iterator[Row]:
        """Token order with a free point, one p at a time."""
        for p in ps:
            excluded, below = self._excluded(TOKEN, p, p - 1, MOST_SEARCHED)
            yield Row("token order, free point", f"p = {p}", str(excluded + 1), str(p), below, self._of_p(p))

    def on_a_grid(self, ps: Sequence[int]) -> Iterator[Row]:
        """Token order on one fixed grid, with any set of accepted outputs, one p >= 3 at a time."""
        for p in ps:
            enough = self._asked("theorem-2.4:one-bit-more", GRID, p=p + 1, n=4 * p + 2)
            known = enough.verdict is Verdict.VERIFIED
            shown = f"{_scope(enough)}; the MLP accepts only the output inf"
            above = shown if known else enough.reason or "not decided"
            excluded, below = self._excluded(GRID, p, p, MOST_ON_A_GRID)
            yield Row("token order, one fixed grid", f"p = {p}", str(excluded + 1), str(p + 1) if known else None, below, above)

    def _two_bits(self, reading: str, arithmetic: str) -> Row:
        """Two bits are enough for every length; with one bit, 1 is not representable."""
        semantics = read_semantics(arithmetic)
        made = self._asked("lemma-2.5:every-length", semantics)
        kernel = f"; {self._theorem('lemma-2.5:two-bits', 'few_bits_compute_equality')}" if arithmetic == "a4" else ""
        lower = self._asked("lemma-2.5", semantics, p=2, edition=Edition.REPAIRED)
        assert made.verdict is lower.verdict is Verdict.VERIFIED
        above = f"{_scope(made)}{kernel}"
        return Row(reading, "every p ≥ 2", "2", "2", ONE_BIT, above)

    def _excluded(self, semantics: Semantics, p: int, bits: int, most: int) -> tuple[int, str]:
        """The largest number of bits known to be too few for EQ_{2p−1}, and why; a search is asked for at most ``most`` bits."""
        m = 2 * p - 1
        if bits == 1:
            return 1, ONE_BIT
        counted = largest_excluded(semantics, m)
        if counted < bits <= most:
            found = self._asked("theorem-2.4:one-sum", semantics, q=bits, m=m)
            if found.verdict is Verdict.VERIFIED:
                return bits, _searched(found, bits, m)
        return counted, f"counting: {exclusion(semantics, counted, m)}"

    def _of_p(self, p: int) -> str:
        if p >= 3:
            return self._upper()
        found = self._asked("lemma-2.6:two-value-rows", TOKEN, p=p, n=4 * p + 2)
        assert found.verdict is Verdict.VERIFIED
        return _scope(found)

    def _upper(self) -> str:
        return self._theorem("lemma-2.6:denominator-first", "denominator_first_computes_equality")

    def _grid(self) -> str:
        counted = find_claim(f"{PAPER}/theorem-2.4:pairs-on-a-grid")
        assert proved(counted, self.session)["statement"] == "every"
        symbols = f"computer algebra: sums of p − 1 bits form fewer than 2^(2p − 1) pairs ({titled(counted.name)})"
        return f"{self._theorem('lemma-2.5', 'too_few_levels')}; {symbols}"

    def _theorem(self, claim: str, theorem: str) -> str:
        """A theorem that the kernel accepted when this version was made; else with the state of its sources here."""
        found = find_claim(f"{PAPER}/{claim}")
        proof = next(each for each in found.proofs if each.theorem == theorem)
        decided = linked(found, proof)
        if decided.shipped and self.for_page:
            return f"{decided.folder.listing.checked_by}, {decided.named}"
        return f"{decided.named} ({KERNEL if decided.shipped else decided.word.said})"

    def _asked(self, claim: str, semantics: Semantics, edition: Edition = Edition.STATEMENT, **parameters: int) -> Outcome:
        return self.session.ask(f"{PAPER}/{claim}", edition, parameters, semantics)


def _scope(found: Outcome) -> str:
    """``every pair: all 36 pairs y <= z at p = 2``: how a claim was decided, and for which cases."""
    method = found.scope.method or ""
    return f"{CALLED.get(method, method)}: {found.scope.statement}"


def _searched(found: Outcome, bits: int, length: int) -> str:
    """A search over all choices of Alice's tokens, in words."""
    return f"{CALLED[found.scope.method or '']}: with {bits}-bit sums, no choice of Alice's tokens tells all {2**length:,} strings y apart"


MOST_OF_PAGE = 8
"""The last p that the page shows by itself."""


def page() -> str:
    """The page of the report, which is the same whether or not Coq is installed."""
    return as_markdown(*Thresholds(for_page=True).tables(MOST_OF_PAGE), list(searches()), bounds())


def as_markdown(rows: Sequence[Row], each: Sequence[Row], grid: Sequence[Row] = (), tried: Sequence[Reach] = (), bounded: str = "") -> str:
    """The page: a table over every p, then one p at a time, with a free point and on a grid, then the results of searches."""
    head = "| reading | p | fewest bits for EQ on 2p − 1 bits | why fewer fail | why these are enough |\n| --- | --- | --- | --- | --- |"
    lines = [
        GENERATED,
        "# How many bits EQ needs under each reading",
        "",
        _text("first"),
        *_in_short(rows, each, grid),
        _text("about"),
        head,
    ]
    lines += [*map(_line, rows), ""]
    free = ["## Token order with a free point, p by p", "", *_by_p(head, each)]
    fixed = ["## Token order on one fixed grid, p by p", "", *_by_p(head, grid)] if grid else []
    return "\n".join([*lines, *free, *fixed, *([_text("head"), *map(str, tried), "", bounded, ""] if tried else [])])


def _text(name: str) -> str:
    """A text of the page."""
    return str(read_toml(Path(__file__).with_suffix(".toml"))[name])


def _in_short(rows: Sequence[Row], each: Sequence[Row], grid: Sequence[Row]) -> list[str]:
    """The answer: a line for matrix order, a line for token order, and a line for token order if points are fixed in advance."""
    *matrix, free, on_a_grid, splits = rows
    fixed = f"fixed splits: {_for_each([splits])}; one fixed grid: {_for_each([*grid, on_a_grid])}"
    lines = [f"| matrix order | {'; '.join(dict.fromkeys(_for_each([row]) for row in matrix))} |"]
    lines += [f"| token order | {_for_each([*each, free])} |"]
    lines += [f"| token order, points fixed in advance | {fixed} |"]
    return ["| reading | fewest bits for EQ on 2p − 1 bits |", "| --- | --- |", *lines, ""]


def _for_each(rows: Sequence[Row]) -> str:
    """The fewest bits at each p of the first rows, as distances from p, and then those of the last row, which is for every p."""
    *each, every = rows
    found: dict[str, list[str]] = {}
    for row in each:
        p = row.over.removeprefix("p = ")
        ends = dict.fromkeys(_from_p(int(end) - int(p)) for end in (row.least, row.most or ""))
        found.setdefault(f"{' or '.join(ends)}{row.mark}", []).append(p)
    said = [f"{bits} for p = {'..'.join(dict.fromkeys((ps[0], ps[-1])))}" for bits, ps in found.items()]
    return "; ".join([*said, f"{every.fewest}{every.mark} for every {'larger p' if each else every.over.removeprefix('every ')}"])


def _from_p(distance: int) -> str:
    """``p``, ``p + 1``, ``p − 1``."""
    return "p" if distance == 0 else f"p {'+' if distance > 0 else '−'} {abs(distance)}"


def _by_p(head: str, rows: Sequence[Row]) -> list[str]:
    """The table of one reading, without the column that names it."""
    return [*("| " + line.split(" | ", 1)[1] for line in (*head.splitlines(), *map(_line, rows))), ""]


def _line(row: Row) -> str:
    return f"| {row.reading} | {row.over} | {row.fewest}{row.mark} | {row.below} | {row.above} |"


FILE = Path(__file__).with_name("searches.toml")


class Best(KnownTable, frozen=True):
    """The best table found for numbers of this many bits, with the products of a coupling."""

    coupling: Coupling


@dataclass(frozen=True)
class Reach:
    """A table, counted again: the number of pairs of sums, and the number of strings that it separates."""

    table: Best
    states: int
    apart: int

    @property
    def length(self) -> int:
        """The length of the strings."""
        return len(self.table.tokens)

    def __str__(self) -> str:
        cells = (f"{self.length} bits", f"{self.table.bits} bits", self.states, 1 << self.length, self.apart)
        return f"| {' | '.join(map(str, cells))} |"


def searches() -> Iterator[Reach]:
    """The tables of the file, each recounted.

    Raises:
        InputError: in one line, what is wrong with the file.
    """
    try:
        tables = msgspec.convert(read_toml(FILE).get("table", []), list[Best])
    except msgspec.ValidationError as error:
        raise InputError(f"{FILE.name}: {error}") from None
    for table in tables:
        sums = RunningSums(TOKEN, table.bits, table.coupling)
        yield Reach(table, len(sums.states), told_apart(sums, table.table))


def bounds() -> str:
    """Cases that other arguments exclude, though the table of searches is open there, such as 6 bits with 3. They allow any number of value
    columns.
    """
    few, more = (RunningSums(TOKEN, bits, "any") for bits in (3, 4))
    _, left = barriers(few, 6, exact=False)
    pairs = comb(len(few.maps), 2)
    numbers = {
        "pairs": pairs, "excluded": pairs - len(left), "needed": fewest_denominators(more, 1 << 9),
        "denominators": len(denominators(more.machine)), "numerators": len(numerators(more.machine)),
    }  # fmt: skip
    return _text("bounds").format(**numbers)
