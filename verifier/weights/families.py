"""Convert a weight file to the text of a network file. The program knows the tensor names of GPT-2 and LLaMA, and those of Haiku that Tracr
writes. The program reads the text again before it shows it.

A :class:`Frame` has the data that weights do not contain: the vocabulary, the layout of an input, the right answer. Matrices have a row for
each coordinate that they read; numbers, maps and tables become formulas as a person would write them.
"""

from __future__ import annotations

import keyword
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from pathlib import Path
from typing import Any, get_args

import msgspec

from verifier.arithmetic.rationals import Fraction, rational
from verifier.language.syntax import LONGEST
from verifier.networks.files import misfits
from verifier.networks.record_base import RESERVED, smallest
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError
from verifier.running.grouping import grouped
from verifier.running.identifiers import slug
from verifier.transformers import network as built
from verifier.transformers.records import FORMAT, Activation, Mask, NetworkFile
from verifier.weights.tensors import Matrix, Row, Tensors
from verifier.weights.toml_text import toml_text

STRING = "w"
ACTIVATIONS = {name: name for name in get_args(Activation)} | {"swish": "silu"}
KNOWN_ACTIVATIONS = ", ".join(get_args(Activation))


@dataclass(frozen=True)
class Frame:
    """The options that the user gives about the model.

    vocabulary: the word of each row of the embedding; empty: 0, 1, ….
    letters:    the words of strings; empty: all that are not in ``tokens``.
    tokens:     the layout of an input: words, and ``w`` for the string.
    yes:        a condition on coordinates; empty: the symbol of the largest logit is chosen.
    answer:     the coordinates ``answer:symbol`` are logits.
    """

    function: str
    vocabulary: Sequence[str] = ()
    letters: Sequence[str] = ()
    tokens: Sequence[str] = (STRING,)
    at: str = "last"
    yes: str = ""
    steps: str = ""
    answer: str = ""


class Settings:
    """Numbers and words of a model that no tensor contains: options, and the ``config.json`` beside the weights."""

    def __init__(self, given: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        self._given, self._config = given, config

    def says(self, option: str) -> bool:
        """Whether the user gave this option."""
        return self._given.get(option) is not None

    def asked(self, option: str, keys: Sequence[str], default: Any = None) -> Any:
        """A setting by its option, or by one of these keys of the file.

        Raises:
            InputError: both are given and differ, or neither is and there is no default.
        """
        known = [(key, self._config[key]) for key in keys if self._config.get(key) is not None]
        mine = self._given.get(option)
        if mine is not None:
            for key, value in known:
                if str(value) != str(mine) and not _equal(mine, value):
                    raise InputError(f"--{option} {mine}: config.json has {key} = {value}")
            return mine
        if known:
            return known[0][1]
        if default is None:
            raise InputError(f"--{option} was expected: the weights do not say it")
        return default

    def integer(self, option: str, keys: Sequence[str], default: int | None = None) -> int:
        found = self.asked(option, keys, default)
        if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= 1 << 16:
            raise InputError(f"config.json: {option} = {found!r}; an integer from 1 was expected")
        return found

    def number(self, option: str, keys: Sequence[str], default: Any = None) -> Fraction:
        found = self.asked(option, keys, default)
        try:
            return rational(str(found))
        except (ValueError, ZeroDivisionError):
            raise InputError(f"{option}: {found!r}; a number such as 0.00001 or 1/100000 was expected") from None

    def activation(self, keys: Sequence[str], default: str | None = None) -> str:
        found = str(self.asked("activation", keys, default))
        if found not in ACTIVATIONS:
            raise InputError(f"activation {found}: network files have {KNOWN_ACTIVATIONS}; this model cannot be written as one")
        return str(ACTIVATIONS[found])

    def mask(self, default: Mask) -> str:
        return str(self._given.get("mask") or default)

    def refused(self, key: str, expected: Any, what: str) -> None:
        """Refuse a setting of the file that changes the model and that this program does not read."""
        found = self._config.get(key, expected)
        if found != expected:
            raise InputError(f"config.json: {key} = {found!r}: {what} is not read; {expected!r} was expected")


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(rational(str(one)) == rational(str(other)))
    except (ValueError, ZeroDivisionError):
        return False


@dataclass(frozen=True)
class Words:
    """The vocabulary of a file. rows: the row of the embedding of each token number; alphabet: symbols, the letters of strings first."""

    rows: Sequence[int]
    alphabet: Sequence[str]
    letters: int


def words(frame: Frame, rows: int, whole: bool) -> Words:
    """The tokens of a model with this many rows of its embedding.

    whole: whether every word is a symbol that may be chosen, and not only the letters of strings.

    Raises:
        InputError: a vocabulary of another size, or words that are not in it.
    """
    vocabulary = list(frame.vocabulary) or [str(k) for k in range(rows)]
    if len(vocabulary) != rows:
        raise InputError(f"--vocabulary has {len(vocabulary)} words; {rows} were expected, one for each row of the embedding")
    if len(set(vocabulary)) < rows:
        raise InputError("--vocabulary: no two words alike were expected")
    if STRING in vocabulary:
        raise InputError(f"--vocabulary has the word {STRING}, which is the name of the string; another word was expected for it")
    if list(frame.tokens).count(STRING) != 1:
        raise InputError(f"--tokens {','.join(frame.tokens)}: words with one {STRING} among them were expected, for the string")
    for option, given in (("tokens", [t for t in frame.tokens if t != STRING]), ("letters", frame.letters)):
        if others := [word for word in given if word not in vocabulary]:
            raise InputError(f"--{option}: {others[0]!r} is not in the vocabulary {','.join(vocabulary[:20])}")
    letters = list(frame.letters) or [word for word in vocabulary if word not in frame.tokens]
    others = [word for word in vocabulary if word not in letters]
    if whole:
        alphabet, specials = [*letters, *others], []
    else:  # special words are numbered in the order in which the input has them; a word that no input has is left out
        alphabet, specials = letters, list(dict.fromkeys(word for word in frame.tokens if word in others))
    return Words([vocabulary.index(word) for word in (*alphabet, *specials)], alphabet, len(letters))


def head(frame: Frame, found: Words, positions: int | None, logits: Mapping[str, str]) -> dict[str, Any]:
    """The parts of a network file that describe the input and the question; positions: the number of the model's positions.

    Raises:
        InputError: no room for a string.
    """
    where = "n >= 1"
    if positions is not None:
        room = positions - (len(frame.tokens) - 1)
        if room < 1:
            raise InputError(f"--tokens {','.join(frame.tokens)}: the model has {positions} positions, and no room for a string")
        where = f"1 <= n <= {room}"
    entry: dict[str, Any] = {"strings": {STRING: "n"}, "tokens": list(frame.tokens), "alphabet": list(found.alphabet)}
    if found.letters < len(found.alphabet):
        entry["letters"] = found.letters
    made: dict[str, Any] = {"parameters": {"n": {"meaning": "length of the string", "where": where}}, "input": entry}
    if frame.yes:
        return made | {"accept": {"function": frame.function, "at": frame.at, "yes": frame.yes}}
    if not logits:
        raise InputError("--yes was expected: the weights have no unembedding, so that no symbol is chosen")
    if frame.steps:
        return made | {"decode": {"function": frame.function, "steps": frame.steps, "logits": dict(logits)}}
    return made | {"choose": {"function": frame.function, "at": frame.at, "logits": dict(logits)}}


LARGEST_SHOWN = 1 << 14
"""The largest denominator that is written in digits. A larger one is written as a power of 2."""
MOST_CHOICES = 24
"""Up to this many cases are written one after the other. More cases are divided into halves."""


def number(x: Fraction) -> str:
    """``3``, ``-5/8``, ``13421773/2**27``."""
    if x.denominator <= LARGEST_SHOWN or x.denominator & (x.denominator - 1):
        return str(x)
    return f"{x.numerator}/2**{x.denominator.bit_length() - 1}"


def linear(coefficients: Mapping[str, Fraction], constant: Fraction = Fraction(0)) -> str:
    """Write a map as its non-zero terms in their order, followed by the constant.

    Raises:
        LimitError: it is longer than a formula may be.
    """
    text = ""
    for name, c in (*coefficients.items(), ("", constant)):
        if c == 0:
            continue
        sign = (" - " if c < 0 else " + ") if text else ("-" if c < 0 else "")
        size = number(abs(c))
        text += sign + (size if not name else name if abs(c) == 1 else f"{size}*{name}")
    return _bounded(_grouped(text or "0"))


def _grouped(text: str) -> str:
    """Put brackets into a long sum, because a formula may be nested at most 60 deep."""
    terms = text.replace(" - ", " + -").split(" + ")
    if len(terms) <= 40:
        return text
    groups = [terms[k : k + 40] for k in range(0, len(terms), 40)]
    return " + ".join(f"({' + '.join(group)})".replace("+ -", "- ") for group in groups)


def choice(name: str, values: Sequence[Fraction]) -> str:
    """The value of ``name`` = 0, 1, … as one formula: ``1 if token == 2 else 0``.

    Raises:
        LimitError: it is longer than a formula may be.
    """
    written = [number(x) for x in values]
    most, times = Counter(written).most_common(1)[0]
    default = most if times > 1 else written[-1]
    cases = grouped((value, str(k)) for k, value in enumerate(written) if value != default)
    if len(cases) <= MOST_CHOICES:
        text = "".join(f"{value} if {_among(name, keys)} else " for value, keys in cases.items()) + default
        return _bounded(text)
    return _bounded(_halved(name, written, 0))


def _among(name: str, keys: Sequence[str]) -> str:
    return f"{name} == {keys[0]}" if len(keys) == 1 else f"{name} in ({', '.join(keys)})"


def _halved(name: str, written: Sequence[str], first: int) -> str:
    if len(set(written)) == 1:
        return written[0]
    middle = len(written) // 2
    low, high = _halved(name, written[:middle], first), _halved(name, written[middle:], first + middle)
    return f"({low} if {name} < {first + middle} else {high})"


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise LimitError(
            f"a formula would have {len(text):,} characters, more than {LONGEST:,}", "a narrower model, or a smaller vocabulary"
        )
    return text


ONE = "one"
"""The name of the 1 by which the bias of an output projection is written."""


@dataclass(frozen=True)
class Linear:
    """x·matrix + bias."""

    matrix: Matrix
    bias: Row

    def maps(self, names: Sequence[str]) -> list[str]:
        """A formula for each column."""
        return [linear(dict(zip(names, column, strict=True)), b) for column, b in zip(self.columns, self.bias, strict=True)]

    @property
    def columns(self) -> list[Row]:
        return [list(column) for column in zip(*self.matrix, strict=True)] if self.matrix else []


@dataclass(frozen=True)
class Attention:
    """groups: the number of heads of keys and values, if smaller than ``heads``; order: of a head's entries of query and key."""

    query: Linear
    key: Linear
    value: Linear
    output: Linear
    heads: int
    groups: int
    mask: str
    rotary: Sequence[str] = ()
    order: Sequence[int] = ()


def attention(part: Attention, coordinates: Sequence[str]) -> dict[str, Any]:
    """A layer of heads. The output projection is ``combine``; its bias is the multiple of a 1 that a head of hard attention copies.

    Raises:
        InputError: the columns cannot be divided into this number of heads.
    """
    query, key, value = (each.maps(coordinates) for each in (part.query, part.key, part.value))
    width, sizes = len(query) // part.heads, len(value) // part.groups
    if width * part.heads != len(query) or width * part.groups != len(key) or sizes * part.groups != len(value):
        raise InputError(
            f"{len(query)}, {len(key)} and {len(value)} columns of query, key and value; "
            f"multiples of {part.heads}, {part.groups} and {part.groups} were expected, the numbers of heads"
        )
    order = part.order or range(width)
    heads: list[dict[str, Any]] = []
    for h in range(part.heads):
        g = h * part.groups // part.heads
        names = [f"v{h * sizes + k}" for k in range(sizes)]
        entry: dict[str, Any] = {"mask": part.mask} if part.mask != "none" else {}
        entry |= {"rotary": list(part.rotary)} if part.rotary else {}
        entry |= {"query": [query[h * width + k] for k in order], "key": [key[g * width + k] for k in order]}
        heads.append(entry | {"value": dict(zip(names, value[g * sizes : (g + 1) * sizes], strict=True))})
    names = [f"v{k}" for k in range(part.heads * sizes)]
    if any(part.output.bias):
        heads.append({"kind": "leftmost", "value": {ONE: "1"}})
    columns = zip(coordinates, part.output.columns, part.output.bias, strict=True)
    combine = {name: linear({**dict(zip(names, column, strict=True)), ONE: b}) for name, column, b in columns}
    return {"scale": root_of(width), "head": heads, "combine": without_zeros(combine)}


def root_of(width: int) -> str:
    """1/√width."""
    root = isqrt(width)
    return ("1" if width == 1 else f"1/{root}") if root * root == width else f"1/sqrt({width})"


def network(first: Linear, second: Linear, activation: str, coordinates: Sequence[str], gate: Linear | None = None) -> dict[str, Any]:
    """A network of two layers. gate: the factor of the activated units."""
    units = [f"u{k}" for k in range(len(first.bias))]
    made: dict[str, Any] = {"activation": activation, "hidden": dict(zip(units, first.maps(coordinates), strict=True))}
    if gate is not None:
        made["gate"] = dict(zip(units, gate.maps(coordinates), strict=True))
    return made | {"into": without_zeros(dict(zip(coordinates, second.maps(units), strict=True)))}


def without_zeros(maps: Mapping[str, str]) -> dict[str, str]:
    """The maps except those that add nothing; at least one."""
    return {name: text for name, text in maps.items() if text != "0"} or dict(list(maps.items())[:1])


def norm(kind: str, eps: Fraction, gain: Row, shift: Row, block: str, coordinates: Sequence[str]) -> dict[str, Any]:
    """A norm before a block."""
    made: dict[str, Any] = {"kind": kind, "place": "before", "eps": number(eps)}
    made |= {"of": [block]} if block else {}
    for part, values, plain in (("gain", gain, 1), ("shift", shift, 0)):
        if entries := {name: number(x) for name, x in zip(coordinates, values, strict=True) if x != plain}:
            made[part] = entries
    return made


def embedding(tokens: Matrix, positions: Matrix | None, coordinates: Sequence[str]) -> dict[str, str]:
    """The coordinates of token number k at position i; positions: the terms at 0, 1, …."""
    found = {}
    for k, name in enumerate(coordinates):
        column = [row[k] for row in tokens]
        text = choice("token", column)
        if positions is not None and any(row[k] for row in positions):
            places = choice("i", [row[k] for row in positions])
            text = places if not any(column) else " + ".join(f"({part})" if " if " in part else part for part in (text, places))
        found[name] = text
    return found


Parts = dict[str, Any]
TIED = "the weights have no unembedding; the embedding is used in its place"
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
    rows = embedding([table[row] for row in found.rows], places, names)
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
