"""Convert a weight file to the text of a network file, by the names of its tensors: of GPT-2 and LLaMA as they are usually stored, and of
Haiku as Tracr writes them. The program reads the text again before it shows it.
"""

from __future__ import annotations

import keyword
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from verifier.arithmetic.rationals import Fraction
from verifier.networks.files import misfits
from verifier.networks.record_base import RESERVED, smallest
from verifier.running.errors import FileDefect, FileDefects, InputError
from verifier.running.identifiers import slug
from verifier.transformers import network as built
from verifier.transformers.records import FORMAT, NetworkFile
from verifier.weights.frame import Frame, Settings, Words, head, words
from verifier.weights.tensors import Matrix, Tensors
from verifier.weights.toml_text import toml_text
from verifier.weights.transformer_blocks import Attention, Linear, attention, embedding, linear, network, norm, number

Parts = dict[str, Any]
TIED = "the weights have no unembedding of their own: the embedding is taken for it"
SUM = "the sum of both embeddings is rounded once, as one number"


def coordinates_of(width: int) -> list[str]:
    return [f"x{k}" for k in range(width)]


def gpt2(tensors: Tensors, settings: Settings, frame: Frame) -> Parts:
    """Blocks named ``h.0.attn.c_attn.weight``: layer norms before both parts, learned positions, a causal mask."""
    settings.refused("scale_attn_by_inverse_layer_idx", False, "another scale of each layer")
    settings.refused("scale_attn_weights", True, "attention without a scale")
    settings.refused("add_cross_attention", False, "attention to another sequence")
    count = tensors.layers(r"h\.(\d+)\.attn\.c_attn\.weight")
    table = tensors.matrix("wte.weight", (None, None))
    width = len(table[0])
    places = tensors.matrix("wpe.weight", (None, width))
    names = coordinates_of(width)
    heads = settings.integer("heads", ["n_head", "num_attention_heads"])
    eps = settings.number("eps", ["layer_norm_epsilon"])
    activation = settings.activation(["activation_function"])

    def dense(name: str, rows: int, columns: int | None) -> Linear:
        matrix = tensors.matrix(f"{name}.weight", (rows, columns))
        return Linear(matrix, tensors.vector(f"{name}.bias", len(matrix[0])))

    def normed(name: str, block: str) -> Parts:
        return norm("layer", eps, tensors.vector(f"{name}.weight", width), tensors.vector(f"{name}.bias", width), block, names)

    layers = []
    for k in range(count):
        fused = dense(f"h.{k}.attn.c_attn", width, 3 * width)
        query, key, value = (Linear([row[t : t + width] for row in fused.matrix], fused.bias[t : t + width]) for t in (0, width, 2 * width))
        part = Attention(query, key, value, dense(f"h.{k}.attn.c_proj", width, width), heads, heads, settings.mask("causal"))
        first = dense(f"h.{k}.mlp.c_fc", width, None)
        second = dense(f"h.{k}.mlp.c_proj", len(first.bias), width)
        layers.append(attention(part, names) | {"norm": normed(f"h.{k}.ln_1", "attention")})
        layers.append({"network": network(first, second, activation, names), "norm": normed(f"h.{k}.ln_2", "network")})
    final = normed("ln_f", "")
    tensors.all_read([r"h\.\d+\.attn\.(masked_)?bias", r"lm_head\.weight"])  # the mask that old files hold as a tensor
    return _with_unembedding(tensors, frame, table, places, names, {"layer": layers, "final_norm": final}, {"sums": SUM})


def llama(tensors: Tensors, settings: Settings, frame: Frame) -> Parts:
    """Blocks named ``layers.0.self_attn.q_proj.weight``: RMS norms, rotary positions, gated units; matrices are stored transposed."""
    settings.refused("rope_scaling", None, "another scale of the positions")
    settings.refused("attention_bias", False, "a bias of the attention")
    settings.refused("mlp_bias", False, "a bias of the network")
    count = tensors.layers(r"layers\.(\d+)\.self_attn\.q_proj\.weight")
    table = tensors.matrix("embed_tokens.weight", (None, None))
    width = len(table[0])
    names = coordinates_of(width)
    heads = settings.integer("heads", ["num_attention_heads"])
    groups = settings.integer("groups", ["num_key_value_heads"], heads)
    eps = settings.number("eps", ["rms_norm_eps"])
    base = settings.number("rotary", ["rope_theta"], 10000)
    activation = settings.activation(["hidden_act"])

    def dense(name: str, rows: int, columns: int | None = None) -> Linear:
        matrix = tensors.matrix(f"{name}.weight", (columns, rows), turned=True)
        return Linear(matrix, [Fraction(0)] * len(matrix[0]))

    def normed(name: str, block: str) -> Parts:
        return norm("rms", eps, tensors.vector(f"{name}.weight", width), [Fraction(0)] * width, block, names)

    layers = []
    for k in range(count):
        query, key, value = (dense(f"layers.{k}.self_attn.{part}_proj", width) for part in "qkv")
        size = len(query.bias) // heads
        if size % 2:
            raise InputError(f"{size} entries of a head's query; an even number was expected, for rotary positions")
        half = size // 2
        output = dense(f"layers.{k}.self_attn.o_proj", heads * size, width)
        angles = [angle(base, j, half) for j in range(half)]
        order = [j + side for j in range(half) for side in (0, half)]
        part = Attention(query, key, value, output, heads, groups, settings.mask("causal"), angles, order)
        gate = dense(f"layers.{k}.mlp.gate_proj", width)
        up, down = dense(f"layers.{k}.mlp.up_proj", width, len(gate.bias)), dense(f"layers.{k}.mlp.down_proj", len(gate.bias), width)
        layers.append(attention(part, names) | {"norm": normed(f"layers.{k}.input_layernorm", "attention")})
        layers.append(
            {"network": network(gate, down, activation, names, up), "norm": normed(f"layers.{k}.post_attention_layernorm", "network")}
        )
    final = normed("norm", "")
    tensors.all_read([r"layers\.\d+\.self_attn\.rotary_emb\.inv_freq", r"lm_head\.weight"])
    left = {"pairs": "rotary positions turn entries k and k + half of a head together; here they are neighbours, and a score adds them so"}
    return _with_unembedding(tensors, frame, table, None, names, {"layer": layers, "final_norm": final}, left)


def angle(base: Fraction, k: int, half: int) -> str:
    """base^(−k/half): rational if that is known."""
    exponent = Fraction(k, half)
    root = round(float(base) ** (1 / exponent.denominator))
    if Fraction(root) ** exponent.denominator == base:
        return number(Fraction(1, root**exponent.numerator))
    return f"exp(-{exponent.numerator}*log({number(base)})/{exponent.denominator})"


def _with_unembedding(
    tensors: Tensors, frame: Frame, table: Matrix, places: Matrix | None, names: Sequence[str], parts: Parts, left: Mapping[str, str]
) -> Parts:
    """The whole file of a model that chooses a word by the dot product with each row of a matrix."""
    found = words(frame, len(table), whole=not frame.yes)
    left, logits = dict(left), {}
    unembedding = tensors.matrix("lm_head.weight", (len(table), len(names))) if "lm_head.weight" in tensors else table
    if not frame.yes:
        if "lm_head.weight" not in tensors:
            left["unembedding"] = TIED
        logits = {
            word: linear(dict(zip(names, unembedding[row], strict=True))) for word, row in zip(found.alphabet, found.rows, strict=False)
        }
    return _file(frame, found, table, places, names, parts, left, logits)


def _file(
    frame: Frame,
    found: Words,
    table: Matrix,
    places: Matrix | None,
    names: Sequence[str],
    parts: Parts,
    left: Mapping[str, str],
    logits: Mapping[str, str],
) -> Parts:
    made = head(frame, found, None if places is None else len(places), logits)
    rows = embedding([table[row] for row in found.rows], places, 0, names)
    return {"open": dict(left), **made, "coordinates": list(names), "embedding": rows, **parts}


def haiku(tensors: Tensors, settings: Settings, frame: Frame) -> Parts:
    """Blocks named ``transformer/layer_0/attn/query/w``, as Tracr compiles them: no norms, no mask unless one is asked for.

    ``residual_labels`` and ``vocabulary`` are lists of words, if the file has them.
    """
    first = next(match for match in tensors.matching(HAIKU))
    stem, mark = first[1], first[3]
    count = tensors.layers(re.escape(stem) + r"layer_(\d+)/attn/query.w")
    labels, rows = tensors.texts("residual_labels"), tensors.texts("vocabulary")
    table = tensors.matrix(f"token_embed{mark}embeddings", (None, None))
    width = len(table[0])
    places = tensors.matrix(f"pos_embed{mark}embeddings", (None, width))
    names, left = named(labels, width)
    heads, activation = settings.integer("heads", [], 1), settings.activation([], "relu")

    def dense(name: str, rows: int, columns: int | None = None) -> Linear:
        matrix = tensors.matrix(f"{stem}{name}{mark}w", (rows, columns))
        return Linear(matrix, tensors.vector_or(f"{stem}{name}{mark}b", len(matrix[0])))

    layers: list[Parts] = []
    for k in range(count):
        query, key, value = (dense(f"layer_{k}/attn/{part}", width) for part in ("query", "key", "value"))
        output = dense(f"layer_{k}/attn/linear", len(value.bias), width)
        layers.append(attention(Attention(query, key, value, output, heads, heads, settings.mask("none")), names))
        up = dense(f"layer_{k}/mlp/linear_1", width)
        layers[-1]["network"] = network(up, dense(f"layer_{k}/mlp/linear_2", len(up.bias), width), activation, names)
    tensors.all_read()
    frame = replace(frame, vocabulary=frame.vocabulary or rows)
    found = words(frame, len(table), whole=False)
    logits = _labelled(frame, found, labels, names) if frame.answer else {}
    if not settings.says("heads"):
        left["heads"] = "one head in each layer, since nothing else was said"
    return _file(frame, found, table, places, names, {"layer": layers}, left, logits)


TAKEN = {*RESERVED, "n", "w", "token", "pi"}
HAIKU = r"(.*?)layer_(\d+)/attn/query(.)w"


def named(labels: Sequence[str], width: int) -> tuple[list[str], dict[str, str]]:
    """Coordinates named after the labels of the residual stream, as words of formulas.

    Raises:
        InputError: another number of labels, or two that make one word.
    """
    if not labels:
        return coordinates_of(width), {}
    if len(labels) != width:
        raise InputError(f"residual_labels has {len(labels)} words; {width} were expected, one for each coordinate")
    names = [re.sub(r"\W+", "_", label, flags=re.ASCII) for label in labels]
    names = [name if name.isidentifier() and not keyword.iskeyword(name) and name not in TAKEN else f"x_{name}" for name in names]
    if len(set(names)) < width:
        names = [f"{name}_{k}" if names.count(name) > 1 else name for k, name in enumerate(names)]
    changed = [f"{name} is {label}" for name, label in zip(names, labels, strict=True) if name != label]
    return names, {"coordinates": ", ".join(changed)} if changed else {}


def _labelled(frame: Frame, found: Words, labels: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """The logits of a compiled model, which are the coordinates ``answer:symbol`` of the symbols."""
    by_label = dict(zip(labels, names, strict=True))
    if missing := [symbol for symbol in found.alphabet if f"{frame.answer}:{symbol}" not in by_label]:
        raise InputError(f"--answer {frame.answer}: no residual label {frame.answer}:{missing[0]}; one for each symbol was expected")
    return {symbol: by_label[f"{frame.answer}:{symbol}"] for symbol in found.alphabet}


FAMILIES = {r"h\.0\.attn\.c_attn\.weight": gpt2, r"layers\.0\.self_attn\.q_proj\.weight": llama, HAIKU: haiku}
"""The family of a file, by a tensor that it has."""
PREFIXES = ("", "transformer.", "model.")
EXPECTED = "h.0.attn.c_attn.weight (GPT-2), model.layers.0.self_attn.q_proj.weight (LLaMA) or transformer/layer_0/attn/query/w (Tracr)"


def from_tensors(path: Path, name: str, given: Mapping[str, Any], frame: Frame) -> str:
    """The network file of a block in named tensors.

    path: ``.npz``, ``.safetensors``, a folder with shards or their index. name: of the file to be written.

    Raises:
        InputError: a file cannot be read, a tensor is missing, or the names belong to no known family.
        LimitError: the model is too large.
    """
    family, tensors = _family(path)
    parts = family(tensors, Settings(given, tensors.file.config()), frame)
    beginning = {"format": FORMAT, "id": slug(Path(name).stem), "title": f"{slug(path.stem)}, imported", "source": path.name}
    text = toml_text({**beginning, "note": NOTE, **parts})
    check(tomllib.loads(text), name)
    return text


def _family(path: Path) -> tuple[Any, Tensors]:
    tensors = Tensors(path)
    for prefix in PREFIXES:
        tensors.prefix = prefix
        for pattern, family in FAMILIES.items():
            if tensors.matching(pattern):
                return family, tensors
    held = ", ".join(list(tensors.shapes)[:4])
    raise InputError(f"{path} has {held or 'no tensors'}; a tensor {EXPECTED} was expected")


NOTE = "Every weight is the exact value of the float that the source holds."


def check(raw: Mapping[str, Any], name: str) -> NetworkFile:
    """The record of a file that the program wrote.

    Raises:
        FileDefects: what the weights or the words given cannot mean.
    """
    try:
        file = msgspec.convert(raw, NetworkFile)
    except msgspec.ValidationError as error:
        raise FileDefects(list(misfits(raw, NetworkFile)) or [FileDefect((), str(error))], name) from None
    built.network(file, smallest(file, {}), name)
    return file
