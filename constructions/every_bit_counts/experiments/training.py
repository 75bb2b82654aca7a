"""AdamW on fresh batches, all seeds in one batch of networks, many steps in one call.

The pairs of strings are drawn as Appendix D draws them; others differ in one bit.

The transformer of Appendix D in jax, evaluated at the last token only, which is where the answer is read.

With one layer a token's key and value depend on its position and bit alone. So everything about the tokens is a table over (bit, position),
and the attention's sums over a batch are two products of the batch's bits with such tables.

Accuracies in every format of a table at once, after training and after fine-tuning in the format.

Arrays are rounded into the formats of Tables 1 to 4: integers with a scale, floating-point formats exactly as they are. Operations are
computed in float32 and their results rounded, as in quantized training. Powers of two alone round into a floating-point format, which
float32 does exactly; an integer is the float32 quotient by the scale, rounded to the nearest integer, ties to even.

A whole run consists of training, accuracies before and after quantization, and fine-tuning; it is kept in files while it runs, so that it
can be resumed. Seeds run in parts, a thread each, because XLA's code for one small batch of networks keeps one processor busy, not two.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import product
from math import gcd
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from constructions.every_bit_counts.experiments.choices import (
    RUNS,
    Attention,
    Choices,
    Kind,
    Network,
    Quantization,
    Shift,
    Training,
    exponent_and_mantissa,
    read_results,
)
from constructions.every_bit_counts.mathematics.measured import flips
from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError
from verifier.running.limits import Advance
from verifier.running.printable import json_text
from verifier.show.streams import write_whole
from verifier.weights.tensors import Checkpoint

DECAY_1, DECAY_2, SMALL = 0.9, 0.999, 1e-8
"""PyTorch's defaults of AdamW."""

State = dict[str, Any]
"""parameters, and AdamW's running means of gradients and of their squares."""


def started(seeds: int, network: Network) -> State:
    """The first states of seeds 0, 1, …, each array with an axis for the seeds."""
    each = [initial(seed, network) for seed in range(seeds)]
    return fresh({name: jnp.asarray(np.stack([p[name] for p in each])) for name in network.shapes()})


def fresh(parameters: Parameters) -> State:
    """The training state with these parameters and an optimizer in its initial state."""
    zeros = {name: jnp.zeros_like(x) for name, x in parameters.items()}
    return {"parameters": parameters, "first": zeros, "second": zeros}


def loss(p: Parameters, bits: Any, equal: Any, of: Callable[[Parameters, Any], Any]) -> Any:
    """Mean cross-entropy."""
    found = jax.nn.log_softmax(of(p, bits))
    return -jnp.take_along_axis(found, equal[:, None], axis=1).mean()


def step(state: State, k: Any, bits: Any, equal: Any, rate: float, of: Callable[[Parameters, Any], Any]) -> tuple[State, Any]:
    """The k-th step (from 1 on) of AdamW without weight decay. A gradient entry that is not finite (0/0 in a narrow format) counts as 0."""
    value, gradient = jax.value_and_grad(loss)(state["parameters"], bits, equal, of)
    gradient = {name: jnp.where(jnp.isfinite(g), g, 0.0) for name, g in gradient.items()}
    first = {name: DECAY_1 * state["first"][name] + (1 - DECAY_1) * g for name, g in gradient.items()}
    second = {name: DECAY_2 * state["second"][name] + (1 - DECAY_2) * g * g for name, g in gradient.items()}
    unbiased, spread = 1 - DECAY_1**k, 1 - DECAY_2**k
    moved = {
        name: x - rate * (first[name] / unbiased) / (jnp.sqrt(second[name] / spread) + SMALL) for name, x in state["parameters"].items()
    }
    return {"parameters": moved, "first": first, "second": second}, value


@partial(jax.jit, static_argnames=("network", "training", "many"))
def trained(states: State, seeds: Any, begin: Any, network: Network, training: Training, many: int) -> tuple[State, Any]:
    """``many`` steps after the first ``begin`` of every seed, and the mean loss of each over them. Step k has batch k of its seed."""

    def of_one(state: State, seed: Any) -> tuple[State, Any]:
        def one(state: State, k: Any) -> tuple[State, Any]:
            bits, equal = pairs(seed, k, training.batch, network.m)
            return step(state, k.astype(jnp.float32), bits, equal, training.rate, lambda p, b: logits(p, b, network))

        state, losses = jax.lax.scan(one, state, begin + 1 + jnp.arange(many))
        return state, losses.mean()

    after: tuple[State, Any] = jax.vmap(of_one)(states, seeds)
    return after


def subset(words: Any, many: Any) -> Any:
    """(rows, m) of 0 and 1 from (rows, m) random words of 32 bits: in each row a uniform set of ``many`` positions.

    One position after the other is taken with the probability that the sets still possible have it (Knuth's algorithm S); draws are
    multiples of 2^-24.
    """
    rows, m = words.shape
    draws = (words >> 8).astype(jnp.float32) * jnp.float32(2.0**-24)

    def choose(left: Any, given: tuple[Any, Any]) -> tuple[Any, Any]:
        draw, remaining = given
        taken = draw * remaining < left
        return left - taken, taken

    remaining = jnp.arange(m, 0, -1, dtype=jnp.float32)
    _, chosen = jax.lax.scan(choose, jnp.full(rows, many, jnp.float32), (draws.T, remaining))
    return chosen.T.astype(jnp.float32)


def pairs(seed: Any, count: Any, rows: int, m: int, different: int | None = None) -> tuple[Any, Any]:
    """(rows, 2m) bits of y and z, and (rows,) whether they are equal: with probability 1/2; otherwise ``different`` bits are flipped.

    seed, count: the two words of the key, so that a seed's batches are numbered. different: by default as many as Appendix D has,
    ⌊0.75 m⌋.
    """
    key = jax.random.wrap_key_data(jnp.stack([jnp.uint32(seed), jnp.uint32(count)]))
    of_y = -(-m // 32)
    words = jax.random.bits(key, (rows, of_y + 1 + m), jnp.uint32)
    y = ((words[:, :of_y, None] >> jnp.arange(32, dtype=jnp.uint32)) & 1).reshape(rows, -1)[:, :m].astype(jnp.float32)
    equal = words[:, of_y] & 1
    flipped = subset(words[:, of_y + 1 :], flips(m) if different is None else different) * (1 - equal.astype(jnp.float32)[:, None])
    return jnp.concatenate([y, jnp.abs(y - flipped)], axis=1), equal.astype(jnp.int32)


Parameters = dict[str, Any]

Round = Callable[[Any], Any]
"""The rounding of every activation."""

EPSILON = 1e-5
"""PyTorch's, in the layer norms."""


def positions(n: int, d: int) -> Any:
    """The sinusoidal encoding: (n, d)."""
    rates = np.exp(-np.log(10_000.0) * np.arange(0, d, 2) / d)
    angles = np.arange(n)[:, None] * rates
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d).astype(np.float32)


def initial(seed: int, network: Network) -> Parameters:
    """PyTorch's defaults: embeddings standard normal, linear maps uniform within one over the square root of their inputs."""
    found: Parameters = {}
    draw = np.random.default_rng(seed)
    inputs = {"hidden-bias": network.d, "output-bias": network.hidden, "head-bias": network.d}
    for name, shape in network.shapes().items():
        if name == "embedding":
            made = draw.standard_normal(shape)
        elif name.startswith(("gain", "shift")):
            made = np.full(shape, 1.0 if name.startswith("gain") else 0.0)
        else:
            made = draw.uniform(-1, 1, shape) / np.sqrt(inputs.get(name, network.d if len(shape) == 1 else shape[0]))
        found[name] = made.astype(np.float32)
    return found


def exact(x: Any) -> Any:
    """No rounding."""
    return x


def logits(
    p: Parameters, bits: Any, network: Network, rounded: Round = exact, attention: Attention = "sums", shift: Shift = "maximum"
) -> Any:
    """(rows, 2): the logits of unequal and of equal, from (rows, 2m) bits; every activation passes ``rounded``."""
    tokens = rounded(p["embedding"] + positions(network.n, network.d))
    asking = tokens[0, -1]
    split = (network.heads, network.d // network.heads)

    def projected(x: Any, name: str) -> Any:
        made = x @ p[name]
        if network.biases:
            made = made + p[f"{name}-bias"]
        return rounded(made).reshape(*x.shape[:-1], *split)

    query, key, value = projected(asking, "query"), projected(tokens, "key"), projected(tokens, "value")
    scores = jnp.einsum("hk,bnhk->bnh", query, key)
    if network.scaled:
        scores = scores / jnp.sqrt(float(split[1]))
    scores = rounded(scores)
    if shift == "maximum":
        # Without rounding the quotient does not change where all scores of a head are lowered by the same number.
        scores = scores - jax.lax.stop_gradient(scores.max(axis=(0, 1)))
    weights = rounded(jnp.exp(scores))
    ones = jnp.concatenate([bits, jnp.zeros((bits.shape[0], 1), bits.dtype)], axis=1)
    attended = (_sums if attention == "sums" else _shares)(ones, weights, value, rounded).reshape(bits.shape[0], network.d)
    if network.residual:
        attended = rounded(attended + asking)
    normed = rounded(_norm(attended, p["gain-1"], p["shift-1"]))
    hidden = rounded(jax.nn.relu(normed @ p["hidden"] + p["hidden-bias"]))
    made = rounded(hidden @ p["output"] + p["output-bias"])
    if network.residual:
        made = rounded(made + normed)
    return rounded(rounded(_norm(made, p["gain-2"], p["shift-2"])) @ p["head"] + p["head-bias"])


def _sums(ones: Any, weights: Any, value: Any, rounded: Round) -> Any:
    """Numerator over denominator, (rows, heads, k): sums over the tokens of their values for their bits."""
    table = jnp.concatenate([weights[..., None] * value, weights[..., None]], axis=-1)
    n = table.shape[1]
    sums = ones @ table[1].reshape(n, -1) + (1 - ones) @ table[0].reshape(n, -1)
    sums = sums.reshape(ones.shape[0], *table.shape[2:])
    return rounded(rounded(sums[..., :-1]) / rounded(sums[..., -1:]))


def _shares(ones: Any, weights: Any, value: Any, rounded: Round) -> Any:
    """The same quotient, with each token's share of the denominator rounded first."""
    shares = jnp.where(ones[..., None] > 0, weights[1], weights[0])
    shares = rounded(shares / shares.sum(axis=1, keepdims=True))
    of_ones, of_zeros = shares * ones[..., None], shares * (1 - ones[..., None])
    return rounded(jnp.einsum("rnh,nhk->rhk", of_ones, value[1]) + jnp.einsum("rnh,nhk->rhk", of_zeros, value[0]))


def _norm(x: Any, gain: Any, shift: Any) -> Any:
    """Layer norm over the last axis."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / jnp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON) * gain + shift


PAPER, ONE_BIT, FINE_TUNING = 1 << 20, 2 << 20, 3 << 20
"""The numbers of a seed's batches: of test pairs as the paper draws them, of pairs one bit apart, and the first of fine-tuning."""


def right(p: Parameters, bits: Any, equal: Any, network: Network, rounding: Rounding | None = None) -> Any:
    """The number of right answers. A tie, also of two infinities, means unequal; so may NaN."""
    found = logits(p, bits, network) if rounding is None else run(p, bits, network, rounding)
    answered = (found[:, 1] > found[:, 0]) == (equal == 1)
    if rounding is not None and rounding.choice.no_number == "wrong":
        answered &= ~jnp.isnan(found).any(axis=1)
    return answered.sum()


def run(p: Parameters, bits: Any, network: Network, rounding: Rounding) -> Any:
    """The logits with weights, and activations unless they are exact, in the format."""
    rounded = partial(passed, rounding.activation) if rounding.choice.activations == "rounded" else exact
    return logits(weights(rounding, p), bits, network, rounded, rounding.choice.attention, rounding.choice.shift)


@partial(jax.jit, static_argnames=("network", "rows"))
def test_pairs(seeds: Any, network: Network, rows: int) -> Any:
    """Fresh pairs of each seed, as the paper draws them and one bit apart: (seeds, 2, rows, 2m) bits, (seeds, 2, rows) equal or not."""
    counts, different = jnp.array([PAPER, ONE_BIT]), jnp.array([flips(network.m), 1])

    def of_one(seed: Any) -> Any:
        return jax.vmap(lambda count, many: pairs(seed, count, rows, network.m, many))(counts, different)

    return jax.vmap(of_one)(seeds)


@partial(jax.jit, static_argnames=("network",))
def float_accuracies(parameters: Parameters, tests: Any, network: Network) -> Any:
    """(seeds, 2): right answers before quantization, on both sorts of pairs."""
    return _right(parameters, tests, network, None)


@partial(jax.jit, static_argnames=("choices", "kind", "tuned"))
def accuracies(parameters: Parameters, tests: Any, seeds: Any, choices: Choices, kind: Kind, tuned: bool) -> Any:
    """(formats, seeds, 2): right answers after quantization of the trained weights, or, ``tuned``, after training from there that is aware
    of it.
    """

    def of_format(numbers: Any) -> Any:
        rounding = ROUNDINGS[kind](*numbers, choices.quantization)
        after = jax.vmap(lambda p, seed: fine_tuned(p, seed, choices, rounding))(parameters, seeds) if tuned else parameters
        return _right(after, tests, choices.network, rounding)

    return jax.lax.map(of_format, numbers_of(choices.names(kind), kind, choices.quantization))


def _right(parameters: Parameters, tests: Any, network: Network, rounding: Rounding | None) -> Any:
    """(seeds, 2). Each sort of pairs is a separate batch: the scales of activations are chosen for it."""
    return jax.vmap(lambda p, own: jax.lax.map(lambda one: right(p, one[0], one[1], network, rounding), own))(parameters, tests)


def fine_tuned(p: Parameters, seed: Any, choices: Choices, rounding: Rounding) -> Parameters:
    """Take steps of training in float32 with the weights rounded after each step, or train the rounded network with straight-through
    gradients.
    """
    training, network = choices.training, choices.network
    project = choices.quantization.fine_tuning == "project"

    def of(q: Parameters, bits: Any) -> Any:
        return logits(q, bits, network, exact) if project else run(q, bits, network, rounding)

    def one(state: State, k: Any) -> tuple[State, None]:
        bits, equal = pairs(seed, FINE_TUNING + k, training.batch, network.m)
        state, _ = step(state, k.astype(jnp.float32), bits, equal, training.rate, of)
        if project:
            state = {**state, "parameters": weights(rounding, state["parameters"])}
        return state, None

    last, _ = jax.lax.scan(one, fresh(p), 1 + jnp.arange(training.fine_tuning))
    tuned: Parameters = last["parameters"]
    return tuned


def floating_format(name: str, choice: Quantization) -> BitFormat:
    """A format of Tables 3 and 4, or E4M3 and the like with the infinities of IEEE 754."""
    exponent, mantissa = exponent_and_mantissa(name)
    return BitFormat(name, exponent, mantissa, "one-nan" if name == "FP8_E4M3" and choice.e4m3 == "fn" else "ieee")


def largest(form: BitFormat) -> Fraction:
    """The largest finite value."""
    value = form.value(form.largest)
    assert isinstance(value, Fraction)
    return value


def _exponent(x: Any) -> Any:
    """⌊log₂ abs(x)⌋ of float32 numbers, -127 below the normal ones."""
    return (jax.lax.bitcast_convert_type(x, jnp.int32) >> 23 & 255) - 127


def _power_of_two(exponent: Any) -> Any:
    """2^exponent, a normal float32 number."""
    return jax.lax.bitcast_convert_type(exponent + 127 << 23, jnp.float32)


@dataclass(frozen=True)
class Integer:
    """Rounding with a scale for the array; top: the largest integer, a number or a traced one."""

    top: Any
    choice: Quantization

    def activation(self, x: Any) -> Any:
        return self._scaled(x, jnp.abs(x).max())

    def weight(self, x: Any) -> Any:
        """Round a matrix (inputs, outputs). Each output may have a separate scale."""
        if self.choice.scale == "channel" and x.ndim == 2:
            return self._scaled(x, jnp.abs(x).max(axis=0))
        return self.activation(x)

    def _scaled(self, x: Any, largest: Any) -> Any:
        scale = largest * self.choice.clip / self.top
        scale = jnp.where(scale > 0, scale, 1.0)
        nearest = jnp.round(x / scale)
        beyond = jnp.inf if self.choice.overflow == "infinity" else self.top
        return jnp.where(jnp.abs(nearest) > self.top, jnp.sign(x) * beyond, nearest) * scale


@dataclass(frozen=True)
class Floating:
    """Rounding to the nearest value, ties to even, with subnormals. mantissa: its bits; least: the smallest exponent; largest: value."""

    mantissa: Any
    least: Any
    largest: Any
    choice: Quantization

    def activation(self, x: Any) -> Any:
        exponent = jnp.maximum(_exponent(x), self.least)
        unit = _power_of_two(exponent - self.mantissa)
        nearest = jnp.round(x / unit) * unit
        beyond = jnp.inf if self.choice.overflow == "infinity" else self.largest
        rounded = jnp.where(jnp.abs(nearest) > self.largest, jnp.sign(x) * beyond, nearest)
        return jnp.where(jnp.isfinite(x), rounded, x)

    weight = activation


Rounding = Integer | Floating
ROUNDINGS: dict[Kind, Callable[..., Rounding]] = {"integer": Integer, "floating": Floating}


def passed(rounded: Round, x: Any) -> Any:
    """A number, rounded, with the gradient of the unrounded one (straight through)."""
    value = rounded(jax.lax.stop_gradient(x))
    return jnp.where(jnp.isfinite(value), x + jax.lax.stop_gradient(value - x), value)


def weights(rounding: Rounding, p: Parameters) -> Parameters:
    """Every parameter, rounded, with the gradients of its unrounded value."""
    return {name: passed(rounding.weight, x) for name, x in p.items()}


def numbers_of(names: Sequence[str], kind: Kind, choice: Quantization) -> tuple[Any, ...]:
    """The numbers that distinguish formats of one kind, as arrays over the formats: the largest integers; or mantissa bits, smallest
    exponents and largest values.
    """
    if kind == "integer":
        return (jnp.array([2 ** (int(name.removeprefix("INT")) - 1) - 1 for name in names], jnp.float32),)
    formats = [floating_format(name, choice) for name in names]
    mantissas = jnp.array([form.mantissa_bits for form in formats], jnp.int32)
    least = jnp.array([1 - form.offset for form in formats], jnp.int32)
    top = jnp.array([float(largest(form)) for form in formats], jnp.float32)
    return mantissas, least, top


CHUNK = 500
"""Steps after which a run is kept, at most."""

KINDS: tuple[Kind, ...] = ("integer", "floating")

SORTS = ("as drawn in the paper", "one bit apart")
"""Test pairs."""


@dataclass
class Run:
    """The document of a run and its files: ``path`` for it, the same with ``.npz`` for the networks. With None, nothing is kept.

    source: the document of another run whose trained networks are used; formats, their quantization, fine-tuning and the number of test
    pairs may differ.
    """

    choices: Choices
    path: Path | None
    advance: Advance
    source: Path | None = None

    def __post_init__(self) -> None:
        self.document: dict[str, Any] = {
            "schema": RUNS,
            "choices": self.choices.document(),
            "seeds": list(range(self.choices.seeds)),
            "versions": versions(),
            "parameters": self.choices.network.parameters(),
            "steps": 0,
            "loss": [],
        }
        if self.path is not None and self.path.exists():
            found = read_results(self.path, RUNS)
            _same(self.path, found, self.document)
            self.document = found

    def keep(self) -> None:
        """Write the document, whole or not at all."""
        if self.path is not None:
            write_whole(self.path, json_text(self.document).encode())

    @property
    def networks(self) -> Path | None:
        """The file of the networks."""
        return None if self.path is None else self.path.with_suffix(".npz")

    def complete(self) -> dict[str, Any]:
        """Compute everything that is still missing; return the document."""
        seeds = jnp.arange(self.choices.seeds)
        parameters = self._trained(seeds)["parameters"]
        network, rows = self.choices.network, self.choices.training.test
        tests = test_pairs(seeds, network, rows)
        if "float32" not in self.document:
            found = np.asarray(self._in_parts(lambda p, own: float_accuracies(p, own, network), parameters, tests))
            self.document |= {"of": rows, "float32": _sorted(found)}
            self.keep()
        tables = {"after training": False, "after fine-tuning": True} if self.choices.training.fine_tuning else {"after training": False}
        for (table, tuned), kind in product(tables.items(), KINDS):
            asked = partial(accuracies, choices=self.choices, kind=kind, tuned=tuned)
            self._table(table, kind, partial(self._in_parts, asked, parameters, tests, seeds, axis=1))
        return self.document

    def _in_parts(self, function: Callable[..., Any], *by_seed: Any, axis: int = 0) -> Any:
        return in_parts(function, *by_seed, many=self.choices.parts, axis=axis)

    def _table(self, table: str, kind: Kind, measure: Callable[[], Any]) -> None:
        names = self.choices.names(kind)
        cells = self.document.setdefault(table, {})
        if all(name in cells for name in names):
            return
        self.advance(f"{table}, {kind} formats", 0, 0)
        cells |= {name: _sorted(found) for name, found in zip(names, np.asarray(measure()), strict=True)}
        self.advance(f"{table}, {kind} formats", 1, 1)
        self.keep()

    def _trained(self, seeds: Any) -> State:
        network, training = self.choices.network, self.choices.training
        begin = self.document["steps"]
        if self.source is not None and not begin:
            return self._taken(self.source)
        if begin:
            assert self.networks is not None
            states = loaded(self.networks, begin)
        else:
            states = started(self.choices.seeds, network)
        many = _chunk(training.steps)
        for k in range(begin, training.steps, many):
            self.advance("training", k, training.steps)
            asked = partial(trained, begin=jnp.int32(k), network=network, training=training, many=many)
            states, losses = self._in_parts(asked, states, seeds)
            self.document["steps"] = k + many
            self.document["loss"].append([float(f"{x:.4g}") for x in losses])
            if self.networks is not None:
                write_whole(self.networks, packed(states, k + many))
                self.keep()
        self.advance("training", training.steps, training.steps)
        return states

    def _taken(self, source: Path) -> State:
        """The networks of another run, all of whose steps are done."""
        found = read_results(source, RUNS)
        _same(source, _of_training(found), _of_training(self.document))
        steps = self.choices.training.steps
        if found["steps"] != steps:
            raise InputError(f"{source}: {found['steps']} of {steps} steps are done; a finished run was expected")
        states = loaded(source.with_suffix(".npz"), steps)
        self.document |= {"steps": steps, "loss": found["loss"]}
        if self.networks is not None:
            write_whole(self.networks, packed(states, steps))
            self.keep()
        self.advance("training", steps, steps)
        return states


def _chunk(steps: int) -> int:
    """A divisor of the steps, so that one compiled call suffices."""
    return gcd(steps, CHUNK) if gcd(steps, CHUNK) >= CHUNK // 10 else steps


def _sorted(found: Any) -> dict[str, list[int]]:
    """(seeds, 2) right answers, by the sort of pairs."""
    return {name: [int(x) for x in found[:, k]] for k, name in enumerate(SORTS)}


def versions() -> dict[str, str]:
    """The versions of libraries on which the numbers may depend."""
    return {"jax": jax.__version__, "jaxlib": version("jaxlib"), "numpy": np.__version__, "backend": jax.default_backend()}


def _same(path: Path, found: dict[str, Any], asked: dict[str, Any]) -> None:
    """Refuse the results of another run.

    Raises:
        InputError: what differs.
    """
    for name in ("choices", "seeds", "versions"):
        wanted = json.loads(json.dumps(asked[name]))
        if found.get(name) != wanted:
            others = ", ".join(_differences(found.get(name), wanted, name))
            raise InputError(f"{path}: results with other {name} ({others}); the same or another file were expected")


def _differences(found: Any, wanted: Any, name: str) -> Iterator[str]:
    """The entries that differ, each as "name: found, not wanted", with the ends of long ones cut off."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in dict.fromkeys([*wanted, *found]):
            yield from _differences(found.get(key), wanted.get(key), key)
    elif found != wanted:
        yield f"{name[:40]}: {json.dumps(found)[:40]}, not {json.dumps(wanted)[:40]}"


def _of_training(document: dict[str, Any]) -> dict[str, Any]:
    """The document without the choices on which the trained networks do not depend."""
    choices = dict(document.get("choices", {}))
    training = {name: x for name, x in choices.get("training", {}).items() if name not in ("test", "fine_tuning")}
    return {**document, "choices": {**choices, "training": training, "quantization": None, "formats": None}}


def packed(states: State, steps: int) -> bytes:
    """The states of all seeds after this many steps."""
    made = io.BytesIO()
    arrays = {f"{part}/{name}": np.asarray(x) for part, inner in states.items() for name, x in inner.items()}
    np.savez(made, steps=np.int64(steps), **arrays)  # type: ignore[arg-type]
    return made.getvalue()


def loaded(path: Path, steps: int) -> State:
    """The states after this many steps.

    Raises:
        InputError: the file is missing or has others.
    """
    found = dict(Checkpoint(path))
    if found.pop("steps", None) != steps:
        raise InputError(f"{path}: the networks after {steps} steps were expected")
    states: State = {}
    for name, array in found.items():
        part, _, own = name.partition("/")
        states.setdefault(part, {})[own] = jnp.asarray(array)
    return states


def in_parts(function: Callable[..., Any], *by_seed: Any, many: int, axis: int = 0) -> Any:
    """Apply a function to arrays (or trees of them) whose first axis is that of the seeds, part by part, and join the results along
    ``axis``.

    many: the number of parts, the same on every machine, so that results do not depend on the machine.
    """
    seeds = len(jax.tree.leaves(by_seed)[0])
    own = [slice(int(part[0]), int(part[-1]) + 1) for part in np.array_split(np.arange(seeds), min(many, seeds))]
    given = [jax.tree.map(lambda x, part=part: x[part], by_seed) for part in own]
    with ThreadPoolExecutor(len(own)) as threads:
        found = list(threads.map(lambda each: jax.block_until_ready(function(*each)), given))
    return jax.tree.map(lambda *parts: jnp.concatenate(parts, axis), *found)
