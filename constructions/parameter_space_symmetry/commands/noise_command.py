"""``verify noise W_Q W_K`` or ``verify noise CHECKPOINT``: the quantization noise of attention weights, and weights with less."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, write

if TYPE_CHECKING:
    from constructions.parameter_space_symmetry.commands.attention_pairs import Heads, Pair
    from constructions.parameter_space_symmetry.commands.noise_answers import Asked, Row
    from constructions.parameter_space_symmetry.mathematics.quantizers import Ranges
    from constructions.parameter_space_symmetry.mathematics.search import Plan
    from verifier.weights.checkpoints import Checkpoint

FORMAT = "noise-2"
KINDS = {"qk": ("qk",), "vo": ("vo",), "all": ("qk", "vo")}
KEPT = {"by the printed expression": "printed", "as they were": "old"}
GROUP = re.compile(r"group:([1-9][0-9]{0,8})", re.ASCII)


@click.command("noise")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="W_Q W_K | CHECKPOINT")
@click.option("--bits", default="4,8", show_default=True, metavar="A,B,…", help="Bit widths.")
@click.option("--heads", type=Integer(1), help="Heads of queries.  [default: of config.json, else 1]")
@click.option("--kv-heads", type=Integer(1), help="Heads of keys and values, in a fused matrix.  [default: as many]")
@click.option("--pairs", "kinds", type=click.Choice(list(KINDS)), default="qk", show_default=True, help="W_q W_kᵀ, W_v W_o or both.")
@click.option("--ranges", default="head", show_default=True, metavar="head|tensor|channel|group:K", help="What shares a scale.")
@click.option("--layout", type=click.Choice(["in-out", "out-in"]), help="n x m as in the paper, or as linear layers store it.")
@click.option("--search", "searched", is_flag=True, help="Look for an orthogonal g with less noise, at the first bit width.")
@click.option("--steps", type=Integer(1), default=60, show_default=True, help="Steps of descent from each of three starts.")
@click.option("--seed", type=Integer(0), default=0, show_default=True, help="Seed of the starts.")
@click.option("--write", "into", type=click.Path(path_type=Path), help="Write the transformed weights: .npz, .safetensors, or a folder.")
@click.option("--no-rope", is_flag=True, help="State that no rotary embedding stands between W_q and W_k.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the numbers to this file (JSON, exact).")
def command(
    files: tuple[Path, ...],
    bits: str,
    heads: int | None,
    kv_heads: int | None,
    kinds: str,
    ranges: str,
    layout: str | None,
    searched: bool,
    steps: int,
    seed: int,
    into: Path | None,
    no_rope: bool,
    output: Path | None,
) -> int:
    """Compute the expected squared error of W_q W_kᵀ when both are quantized.

    The sums are exact. The output also has the value of Proposition 4.1 as printed, and the error of one quantization. CHECKPOINT is a .npz
    or .safetensors file, a folder with shards, or the index of shards; keys and values may have fewer heads than queries.

    Exit status: 0 done; 1 the product of the transformed weights differs by more than rounding explains; 2 the files cannot be used.
    """
    from constructions.parameter_space_symmetry.commands.noise_answers import Asked, fits
    from constructions.parameter_space_symmetry.mathematics.search import Plan
    from verifier.commands.progress import Progress
    from verifier.running.errors import InputError
    from verifier.show.screen import folded

    if into and not searched:
        raise InputError("--write goes with --search")
    asked = Asked(_widths(bits), _ranges(ranges))
    checkpoint, found = _found(files, (heads, kv_heads), layout, KINDS[kinds])
    for pair in found:
        for part in (pair.left, pair.right):
            fits(part, checkpoint[part.name], asked.ranges)
    if into:
        _refuse(checkpoint, found, into, no_rope)
    with Progress() as advance:
        rows, lines = _rows(checkpoint, found, asked, Plan(steps=steps, seed=seed) if searched else None, advance)
    _show(rows)
    for text in lines:
        click.echo("\n".join(folded(text, 2, 0)))
    if searched and not into and not no_rope and any(pair.kind == "qk" for pair in found):
        click.echo("The weights before and after are one model only if\nno rotary embedding stands between W_q and W_k.")
    if into:
        checkpoint.write(into)
        click.echo(f"written: {into}")
    if output:
        write(output, json.dumps({"format": FORMAT, "ranges": ranges, "heads": [row.data() for row in rows]}, indent=1) + "\n")
    return EXIT_REFUTED if any("DIFFER" in text for text in lines) else EXIT_VERIFIED


def _widths(text: str) -> list[int]:
    """The bit widths of ``4,8``.

    Raises:
        InputError: anything else than numbers from 1 to 32.
    """
    from verifier.running.errors import InputError

    parts = text.split(",")
    if not all(p.isascii() and p.isdigit() and len(p) < 4 and 1 <= int(p) <= 32 for p in parts):
        raise InputError(f"--bits {text[:60]}: numbers from 1 to 32 with commas between were expected")
    return list(dict.fromkeys(map(int, parts)))


def _ranges(text: str) -> Ranges:
    """What shares a scale.

    Raises:
        InputError: another word.
    """
    from constructions.parameter_space_symmetry.mathematics.quantizers import Ranges
    from verifier.running.errors import InputError

    if match := GROUP.fullmatch(text):
        return Ranges("group", int(match[1]))
    if text not in ("head", "tensor", "channel"):
        raise InputError(f"--ranges {text[:60]}: head, tensor, channel or group:K with a number of rows was expected")
    return Ranges(text)


def _found(
    files: tuple[Path, ...], counts: tuple[int | None, int | None], layout: str | None, kinds: tuple[str, ...]
) -> tuple[Checkpoint, list[Pair]]:
    """The checkpoint and its pairs; of two files the first is W_q, the second W_k."""
    from constructions.parameter_space_symmetry.commands.attention_pairs import check, pairs, separate
    from verifier.running.errors import InputError
    from verifier.weights.checkpoints import Checkpoint, of_two

    if len(files) > 2:
        raise InputError(f"{len(files)} files; W_q and W_k, or one checkpoint, were expected")
    if len(files) == 2:
        checkpoint = of_two(files)
        for name in checkpoint:
            check(name, checkpoint[name])
        pair = separate("qk", ("W_q", "W_k"), checkpoint, _heads(counts, {}), (layout or "in-out",) * 2)
        return checkpoint, [pair]
    checkpoint = Checkpoint(files[0])
    return checkpoint, pairs(checkpoint, _heads(counts, checkpoint.config()), layout, kinds)


def _heads(counts: tuple[int | None, int | None], config: dict[str, Any]) -> Heads:
    """The numbers of heads that were asked for, or those of the model's settings.

    Raises:
        InputError: the settings hold something else than a number.
    """
    from constructions.parameter_space_symmetry.commands.attention_pairs import Heads
    from verifier.running.errors import InputError

    named = config.get("num_attention_heads", config.get("n_head")), config.get("num_key_value_heads")
    for number in named:
        if number is not None and not (isinstance(number, int) and 0 < number < 1 << 20):
            raise InputError(f"config.json: {str(number)[:60]} for a number of heads; a positive whole number was expected")
    return Heads(counts[0] or named[0] or 1, counts[1] or (named[1] if counts[0] is None else None))


def _refuse(checkpoint: Checkpoint, found: list[Pair], into: Path, no_rope: bool) -> None:
    """Refuse to write weights that would be another model.

    Raises:
        InputError: biases, or something between W_q and W_k.
    """
    from constructions.parameter_space_symmetry.commands.rotary import learned_positions, obstacle
    from verifier.running.errors import InputError

    checkpoint.check_target(into)
    for pair in found:
        biased = [p.name for p in (pair.left, pair.right)[: 2 if pair.kind == "qk" else 1]]
        for name in biased:
            if name.endswith("weight") and f"{name[:-6]}bias" in checkpoint:
                raise InputError(
                    f"--write: {name} has a bias, which would have to be transformed as well; weights without biases were expected"
                )
    if not any(pair.kind == "qk" for pair in found):
        return
    if between := obstacle(checkpoint, checkpoint.config()):
        raise InputError(f"--write: {between} between W_q and W_k: the new weights would be another model; --pairs vo was expected")
    if not no_rope and not learned_positions(checkpoint) and checkpoint.path.suffix not in (".npy", ".npz"):
        raise InputError("--write: nothing says whether rotary embeddings stand between W_q and W_k; --no-rope states that none do")


def _rows(checkpoint: Checkpoint, found: list[Pair], asked: Asked, plan: Plan | None, advance: Any) -> tuple[list[Row], list[str]]:
    """The rows, and where weights were searched a line on the products of each pair; the checkpoint then holds the new weights."""
    from constructions.parameter_space_symmetry.commands.noise_answers import Row, departure, kept, noises, rotated, rotations

    rows, lines = [], []
    for done, pair in enumerate(found):
        advance("noise", done, len(found))
        left = checkpoint[pair.left.name]
        tensors = left, left if pair.left.name == pair.right.name else checkpoint[pair.right.name]
        before = list(noises(pair, tensors, asked))
        if plan is None:
            rows += [Row(pair.label, heads, b, n) for heads, every in before for b, n in zip(asked.bits, every, strict=True)]
            continue
        new, names, ways = kept(pair, tensors, rotated(pair, tensors, rotations(asked.bits[0], plan, advance)), asked)
        for at, ((heads, every), (_, then)) in enumerate(zip(before, noises(pair, new, asked), strict=True)):
            for place, b in enumerate(asked.bits):
                others = {way: found[at] for way, found in ways.items()} if place == 0 else {}
                rows.append(Row(pair.label, heads, b, every[place], then[place], names[at], others))
        far = departure(pair, tensors, new)
        said = "are equal" if far.difference <= far.admitted else "DIFFER"
        lines.append(f"{pair.label}: products before quantization {said}: {far.difference:.3g} apart, {far.admitted:.3g} by rounding")
        checkpoint[pair.left.name], checkpoint[pair.right.name] = new
    advance("noise", len(found), len(found))
    return rows, lines


def _show(rows: list[Row]) -> None:
    from verifier.show.screen import console, plain_table

    table = plain_table()
    searched = rows[0].after is not None
    more = ("measured", "after", "measured", "Hadamard", "kept") if searched else ("as printed", "measured")
    for heading in ("weights", "head", "bits", "noise", *more):
        table.add_column(heading, justify="left" if heading in ("weights", "kept") else "right")
    for row in rows:
        words = [str(row.head), str(row.bits), _short(row.before.true)]
        if row.after:
            others = [_short(row.after.true), _short(row.after.measured), _short(row.others.get("Hadamard")), KEPT.get(row.kept, row.kept)]
            words += [_short(row.before.measured), *others]
        else:
            words += [_short(row.before.printed), _short(row.before.measured)]
        table.add_row(row.pair, *words)
    console().print(table)


def _short(number: Any) -> str:
    return "–" if number is None else f"{float(number):.4g}"
