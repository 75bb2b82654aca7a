"""``verify noise W_Q W_K`` or ``verify noise CHECKPOINT``: the quantization noise of query and key weights, and weights with less."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, write

if TYPE_CHECKING:
    from constructions.parameter_space_symmetry.commands.noise_answers import Noise, Row
    from constructions.parameter_space_symmetry.commands.weights import Pair, Tensors

FORMAT = "noise-1"


@click.command("noise")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="W_Q W_K | CHECKPOINT")
@click.option("--bits", default="4,8", show_default=True, metavar="A,B,…", help="Bit widths.")
@click.option("--heads", type=Integer(1), default=1, show_default=True, help="Heads that share the columns.")
@click.option("--layout", type=click.Choice(["in-out", "out-in"]), help="n x m as in the paper, or as linear layers store it.")
@click.option("--search", "searched", is_flag=True, help="Look for an orthogonal g with less noise, at the first bit width.")
@click.option("--steps", type=Integer(1), default=60, show_default=True, help="Of descent, from each of three starts.")
@click.option("--seed", type=Integer(0), default=0, show_default=True, help="Of the starts.")
@click.option("--write", "into", type=click.Path(dir_okay=False, path_type=Path), help="The transformed weights: .npz or .safetensors.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the numbers to this file (JSON, exact).")
def command(
    files: tuple[Path, ...],
    bits: str,
    heads: int,
    layout: str | None,
    searched: bool,
    steps: int,
    seed: int,
    into: Path | None,
    output: Path | None,
) -> int:
    """The expected squared error of W_q W_k^T when both are quantized, exactly, and what Proposition 4.1 prints for it, head by head.

    Exit status: 0 done; 1 the transformed weights have another product than rounding admits; 2 the files cannot be used.
    """
    from verifier.commands.progress import Progress
    from verifier.running.errors import InputError

    if into and not searched:
        raise InputError("--write goes with --search")
    if into and into.suffix not in (".npz", ".safetensors"):
        raise InputError(f"--write {into}: .npz or .safetensors was expected")
    widths = _widths(bits)
    tensors, found = _tensors(files, heads, layout)
    if into and (biased := [p.query for p in found if p.query.endswith("weight") and f"{p.query[:-6]}bias" in tensors]):
        raise InputError(f"--write: {biased[0]} has a bias beside it, to be transformed, too; weights without were expected")
    with Progress() as advance:
        rows, equal = _rows(tensors, found, widths, (steps, seed) if searched else None, advance)
    _show(rows)
    for text in equal:
        click.echo(text)
    if into:
        from constructions.parameter_space_symmetry.commands.weights import write as write_weights

        write_weights(into, tensors)
        click.echo(f"written: {into}")
    if output:
        write(output, json.dumps({"format": FORMAT, "heads": [row.data() for row in rows]}, indent=1) + "\n")
    return EXIT_REFUTED if any("DIFFER" in text for text in equal) else EXIT_VERIFIED


def _widths(text: str) -> list[int]:
    """The bit widths of ``4,8``.

    Raises:
        InputError: anything else than numbers from 1 to 32.
    """
    from verifier.running.errors import InputError

    parts = text.split(",")
    if not all(p.isascii() and p.isdigit() and 1 <= int(p) <= 32 for p in parts):
        raise InputError(f"--bits {text[:60]}: numbers from 1 to 32 with commas between were expected")
    return list(dict.fromkeys(map(int, parts)))


def _tensors(files: tuple[Path, ...], heads: int, layout: str | None) -> tuple[Tensors, list[Pair]]:
    """The tensors of the files and the pairs among them: of two files the first is W_q, the second W_k."""
    from constructions.parameter_space_symmetry.commands.weights import Pair, check, pairs, read
    from verifier.running.errors import InputError

    if len(files) > 2:
        raise InputError(f"{len(files)} files; W_q and W_k, or one checkpoint, were expected")
    if len(files) == 1:
        tensors = read(files[0])
        return tensors, pairs(tensors, heads, layout)
    single = [read(path) for path in files]
    for path, held in zip(files, single, strict=True):
        if len(held) != 1:
            raise InputError(f"{path} holds {len(held)} tensors; one was expected where two files are given")
    tensors = {name: next(iter(held.values())) for name, held in zip(("W_q", "W_k"), single, strict=True)}
    pair = Pair("W_q", "W_k", layout or "in-out", heads)
    check(pair, tensors)
    return tensors, [pair]


def _rows(
    tensors: Tensors, found: list[Pair], widths: list[int], wish: tuple[int, int] | None, advance: Any
) -> tuple[list[Row], list[str]]:
    """The rows, and where weights were searched a line on the products of each pair; ``tensors`` then hold the new weights."""
    from constructions.parameter_space_symmetry.commands.noise_answers import Row, noises, transformed
    from constructions.parameter_space_symmetry.mathematics.search import Plan

    rows, lines = [], []
    for pair in found:
        like = tensors[pair.query], tensors[pair.key]
        q, k = map(pair.split, like)
        label = f"{pair.query} ({pair.layout})"
        before = noises(q, k, widths)
        after: list[list[Noise]] | None = None
        printed: list[list[Noise]] | None = None
        if wish:
            plan = Plan(steps=wish[0], seed=wish[1])
            made = transformed(q, k, widths[0], "true", plan, like[0].dtype, advance)
            other = transformed(q, k, widths[0], "printed", plan, like[0].dtype, advance)
            after, printed = noises(made.q, made.k, widths), noises(other.q, other.k, widths)
            tensors[pair.query], tensors[pair.key] = pair.joined(made.q, like[0]), pair.joined(made.k, like[1])
            said = "are equal" if made.difference <= made.admitted else "DIFFER"
            lines.append(f"{label}: products before quantization {said}: {made.difference:.3g} apart, {made.admitted:.3g} by rounding")
        for head, noise in enumerate(before):
            for at, b in enumerate(widths):
                then = [None if x is None else x[head][at] for x in (after, printed)]
                rows.append(Row(label, head, b, noise[at], *then))
    return rows, lines


def _show(rows: list[Row]) -> None:
    from verifier.show.screen import console, plain_table

    table = plain_table()
    searched = rows[0].after is not None
    for heading in ("weights", "head", "bits", "noise", "as printed", "measured"):
        table.add_column(heading, justify="left" if heading == "weights" else "right")
    for heading in ("searched", "measured", "by the printed") if searched else ():
        table.add_column(heading, justify="right")
    for row in rows:
        numbers = [float(row.before.true), float(row.before.printed), row.before.measured]
        if row.after and row.by_printed:
            numbers += [float(row.after.true), row.after.measured, float(row.by_printed.true)]
        table.add_row(row.pair, str(row.head), str(row.bits), *(f"{x:.4g}" for x in numbers))
    console().print(table)
