"""The definition of a network: one operation after another, in a context. Every engine is compared with it.

In a context of numbers the module runs one input. Contexts of arrays run many inputs at once, and use the parts of this module that compare
no
values.

Run a layer, which is attention and then the network on each position. Each block may have a norm before it or after it, and its result is
added to the coordinates (residual). A map is the dot product of its coefficients with all coordinates in their order, its constant last. A
coefficient 0 contributes 0, or NaN times infinity or NaN (knobs ``zeros``, and ``columns`` for values).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from verifier.arithmetic.numbers import NAN, NEG_INF, ONE, ZERO
from verifier.running.errors import InputError
from verifier.transformers.contexts import Context, Elementwise, Term, Value
from verifier.transformers.formulas import Constant, Map
from verifier.transformers.network import FeedForward, Head, Layer, Model, Norm
from verifier.transformers.records import HARD, SOFTMAX, Kind

Vector = dict[str, Value]
ONES = "1"
WEIGHTS = "weights"
"""Names of the sums of weights: in matrix order the column of ones, of which a value's constant is a multiple; and the divisor."""


@dataclass
class HeadTrace:
    """The computation of a head. Each position has its query and key, the scores and weights of all tokens, and its output."""

    query: list[list[Value]]
    key: list[list[Value]]
    scores: list[list[Value | None]] = field(default_factory=list)
    weights: list[list[Value | None]] = field(default_factory=list)
    given: list[Vector] = field(default_factory=list)


@dataclass
class LayerTrace:
    """A layer: its heads, the coordinates after attention, the hidden units, the coordinates after the layer."""

    heads: list[HeadTrace]
    attention: list[Vector]
    hidden: list[Vector]
    network: list[Vector]


@dataclass
class Run:
    """The coordinates of every token before the first layer, every layer, and the coordinates at the end."""

    tokens: list[int]
    embedding: list[Vector]
    layers: list[LayerTrace]
    last: list[Vector]


def run(network: Model, tokens: Sequence[int], context: Context, asked: int | None = None) -> Run:
    """The network on these tokens. asked: the position that alone goes on behind the last heads, because no other one is read there."""
    vectors = [embedded(network, token, i, context) for i, token in enumerate(tokens)]
    embedding, layers = vectors, []
    last = max((k for k, layer in enumerate(network.layers) if layer.heads), default=-1)
    for k, layer in enumerate(network.layers):
        trace = _layer(network, layer, vectors, context, asked if k == last else None)
        layers.append(trace)
        vectors = trace.network
    if network.final_norm is not None:
        vectors = [normed(x, network.final_norm, context) for x in vectors]
    return Run(list(tokens), embedding, layers, vectors)


def embedded(network: Model, token: int, i: int, context: Context) -> Vector:
    """The coordinates of a token at a position."""
    given = network.embedding(token, i)
    return {name: context.constant(given[name]) if name in given else ZERO for name in network.coordinates}


def applied(form: Map, x: Mapping[str, Value], context: Elementwise) -> Value:
    """A map of named values."""
    return context.dot(_terms(form, x, context.arithmetic.zeros == "kept", context), _constant(form))


def _terms(form: Map, x: Mapping[str, Value], zeros: bool, context: Elementwise) -> list[Term]:
    """The products of a map. zeros: whether one has a coefficient 0, which matters for values that may be infinite."""
    found = {name: (context.constant(c), x[name]) for name, c in form.terms}
    if not zeros:
        return [found.get(name) for name in x]
    return [found.get(name, (ZERO, value) if context.unbounded(value) else None) for name, value in x.items()]


def _constant(form: Map) -> Constant | None:
    return form.constant if form.constant != 0 else None


def _layer(network: Model, layer: Layer, vectors: list[Vector], context: Context, asked: int | None = None) -> LayerTrace:
    read = [read_by_heads(layer, x, context) for x in vectors]
    asked = len(vectors) - 1 if layer.last_asks else asked
    asking = range(len(vectors)) if asked is None else range(asked, asked + 1)
    heads = [_head(network, head, read, asking, context) for head in layer.heads]
    steps = [after(layer, vectors[i], [head.given[k] for head in heads], context) for k, i in enumerate(asking)]
    attention, hidden, last = ([step[k] for step in steps] for k in range(3))
    return LayerTrace(heads, attention, hidden if layer.network else [], last)


def read_by_heads(layer: Layer, x: Vector, context: Elementwise) -> Vector:
    """The input of the heads of a layer at a token."""
    norm = layer.norms.get("attention")
    return normed(x, norm, context) if norm and norm.entry.place == "before" else x


def after(layer: Layer, x: Vector, given: list[Vector], context: Elementwise) -> tuple[Vector, Vector, Vector]:
    """A token after attention, its hidden units, and the token after the layer, from the output of each head."""
    x = after_attention(layer, x, given, context)
    if layer.network is None:
        return x, {}, x
    hidden = hidden_units(layer.network, read_by_network(layer, x, context), context)
    return x, hidden, after_network(layer, x, {name: applied(form, hidden, context) for name, form in layer.network.into.items()}, context)


def after_attention(layer: Layer, x: Vector, given: list[Vector], context: Elementwise) -> Vector:
    """A token after attention, from the output of each head."""
    if not layer.heads:
        return x
    combined, norm = _combined(layer, given, context), layer.norms.get("attention")
    x = combined if layer.last_asks else _added(x, combined, layer.entry.residual, context)
    return normed(x, norm, context) if norm and norm.entry.place == "after" else x


def read_by_network(layer: Layer, x: Vector, context: Elementwise) -> Vector:
    """The input of the network of a layer at a token, after attention."""
    norm = layer.norms.get("network")
    return normed(x, norm, context) if norm and norm.entry.place == "before" else x


def after_network(layer: Layer, x: Vector, into: Vector, context: Elementwise) -> Vector:
    """A token after the network of a layer. into: the maps of its hidden units."""
    network, norm = layer.network, layer.norms.get("network")
    assert network is not None
    if network.factor is not None:
        factor = context.constant(network.factor)
        into = {name: context.multiply(value, factor) for name, value in into.items()}
    last = into if layer.last_asks else _added(x, into, network.entry.residual, context)
    return normed(last, norm, context) if norm and norm.entry.place == "after" else last


def _combined(layer: Layer, given: list[Vector], context: Elementwise) -> Vector:
    """Return, for each coordinate that attention sets, the map of the heads' outputs."""
    if layer.last_asks:
        return {name: value for each in given for name, value in each.items()}
    return {
        name: context.dot([(context.constant(c), given[h][value]) for (h, value), c in sources]) for name, sources in layer.combine.items()
    }


def _added(x: Vector, given: Vector, residual: bool, context: Elementwise) -> Vector:
    if not residual:
        return {name: given.get(name, context.zero) for name in x}
    return {name: context.add(value, given[name]) if name in given else value for name, value in x.items()}


def _head(network: Model, head: Head, vectors: list[Vector], asking: range, context: Context) -> HeadTrace:
    places = range(len(vectors))
    keys = [keyed(network, head, j, x, context) for j, x in enumerate(vectors)]
    values = [valued(head, x, context) for x in vectors]
    trace = HeadTrace([queried(network, head, i, vectors[i], context) for i in asking], keys)
    for i, asked in zip(asking, trace.query, strict=True):
        query = scaled(head, asked, context)
        scores = [score(network, head, i, j, query, keys[j], context) for j in places]
        weights, given = attended(head, scores, values, context, vectors)
        trace.scores.append(scores)
        trace.weights.append(weights)
        trace.given.append(given)
    return trace


def queried(network: Model, head: Head, i: int, x: Vector, context: Context) -> list[Value]:
    """The query of a token at position i."""
    return _turned(head, i, [_projected(form, x, context) for form in head.query], network, context)


def keyed(network: Model, head: Head, j: int, x: Vector, context: Context) -> list[Value]:
    """The key of a token at position j."""
    return _turned(head, j, [_projected(form, x, context) for form in head.key], network, context)


def _projected(form: Map, x: Vector, context: Context) -> Value:
    return context.projection(_terms(form, x, context.arithmetic.zeros == "kept", context), _constant(form))


def valued(head: Head, x: Vector, context: Context) -> Vector:
    """The values of a token, if they are formed before they are weighted."""
    if context.arithmetic.order != "values":
        return {}
    zeros = context.arithmetic.columns == "all"
    return {name: context.dot(_terms(form, x, zeros, context), _constant(form)) for name, form in head.value.items()}


def scaled(head: Head, query: list[Value], context: Context) -> list[Value]:
    """A query before its products with keys."""
    if not head.scaled or context.arithmetic.scaling != "query":
        return query
    scale = context.constant(head.scale)
    return [context.multiply(x, scale) for x in query]


def score(network: Model, head: Head, i: int, j: int, query: list[Value], key: list[Value], context: Context) -> Value | None:
    """The score of token j at position i, None if the mask hides it. query: as :func:`scaled` returns it."""
    if not head.sees(i, j):
        return None if head.masked is None else context.constant(head.masked)
    found: Value = ZERO
    if head.query:
        found = context.projection(list(zip(query, key, strict=True)), alone=True)
        if head.scaled:
            scale = ONE if context.arithmetic.scaling == "query" else context.constant(head.scale)
            found = context.multiply(found, scale)
        found = _scored(head, found, context)
    return found if head.entry.bias is None else context.add(found, context.constant(network.bias(head, i, j)))


def attended(
    head: Head, scores: list[Value | None], values: list[Vector], context: Context, vectors: Sequence[Vector] = ()
) -> tuple[list[Value | None], Vector]:
    """The weights of all tokens, and the output of the head.

    values: as :func:`valued` returns them. vectors: the head's input at each token, if values are formed after weighting.
    """
    weights, divisor = _weights(head, scores, context)
    added = [None if w is None else addends(head, w, x, v, context) for w, x, v in zip_longest(weights, vectors, values)]
    names = next((each.keys() for each in added if each is not None), ())
    sums = {}
    for name in names:
        terms = [None if each is None else each[name] for each in added]
        sums[name] = context.total(terms, name) if context.arithmetic.order == "products" else context.dot(terms, name=name)
    totals = weighed(head, sums, context) if names else dict.fromkeys(head.value, ZERO)
    return weights, {name: total if divisor is None else context.divide(total, divisor) for name, total in totals.items()}


def addends(head: Head, weight: Value, x: Vector, values: Vector, context: Context) -> dict[str, Any]:
    """The terms of a token in each running sum: products (weight, value) or, if each token's product is formed as a whole, that number.

    The sums are those of the head's values; with ``order=ax`` those of the coordinates from which values are formed, and ``1``, of which a
    constant is a multiple.
    """
    order, all_of_them = context.arithmetic.order, context.arithmetic.columns == "all"
    if order == "values":
        return {name: (weight, value) for name, value in values.items()}
    if order == "ax":
        used = set(x) if all_of_them else {name for form in head.value.values() for name, _ in form.terms}
        columns = {name: (weight, value) for name, value in x.items() if name in used}
        return columns | ({ONES: (weight, ONE)} if any(form.constant != 0 for form in head.value.values()) else {})
    found = {}
    for name, form in head.value.items():
        used = set(x) if all_of_them else {each for each, _ in form.terms}
        times = {each: context.multiply(weight, value) for each, value in x.items() if each in used}
        terms = [(y, z) for z, y in filter(None, _terms(form, times, all_of_them, context))]
        found[name] = context.dot([*terms, *([(context.multiply(weight, ONE), context.constant(form.constant))] if form.constant else [])])
    return found


def weighed(head: Head, sums: Mapping[str, Value], context: Elementwise) -> Vector:
    """The weighted sums of the head's values, from the running sums."""
    if context.arithmetic.order != "ax":
        return dict(sums)
    columns = {name: total for name, total in sums.items() if name != ONES}
    found = {}
    for name, form in head.value.items():
        terms = _terms(form, columns, context.arithmetic.columns == "all", context)
        found[name] = context.dot([*terms, *([(context.constant(form.constant), sums[ONES])] if form.constant != 0 else [])])
    return found


def _scored(head: Head, product: Value, context: Context) -> Value:
    """The score of a scaled product."""
    if head.entry.score == "minus-absolute" and context.less(ZERO, product):
        return context.subtract(ZERO, product)
    return product


def _turned(head: Head, place: int, entries: list[Value], network: Model, context: Context) -> list[Value]:
    """A query or key, normed if the head says so, with its pairs turned by the rotary angles."""
    if head.norm is not None:
        entries = list(normed({str(k): x for k, x in enumerate(entries)}, head.norm, context).values())
    turned = list(entries)
    for k, angle in enumerate(head.angles):
        cosine, sine = (context.constant(x) for x in network.turn(angle, place))
        x, y = entries[2 * k], entries[2 * k + 1]
        turned[2 * k] = context.subtract(context.multiply(x, cosine), context.multiply(y, sine))
        turned[2 * k + 1] = context.add(context.multiply(x, sine), context.multiply(y, cosine))
    return turned


def _weights(head: Head, scores: list[Value | None], context: Context) -> tuple[list[Value | None], Value | None]:
    """The weight of each token, None for an exact 0, and the remaining divisor of the sum, if any.

    If every token is masked, the output of the head is 0.
    """
    scores = [None if s is None else context.score(s) for s in scores]
    if all(s is None for s in scores):
        return scores, None
    if head.entry.kind not in KINDS:
        raise InputError(f"attention of kind {head.entry.kind!r} is not defined; one of {', '.join(KINDS)} was expected")
    return KINDS[head.entry.kind](head, scores, context)


def _linear(head: Head, scores: list[Value | None], context: Context) -> tuple[list[Value | None], Value | None]:
    """The scores."""
    return [None if s is None else kernel(head, s, context) for s in scores], None


def _hard(head: Head, scores: list[Value | None], context: Context) -> tuple[list[Value | None], Value | None]:
    """Attention with all weight on one of the largest scores, or 1/k on each of k."""
    seen = [s for s in scores if s is not None]
    if any(s is NAN for s in seen):
        return [None if s is None else NAN for s in scores], None
    top = largest(seen, context)
    best = [j for j, s in enumerate(scores) if s is not None and not context.less(s, top)]
    chosen = {"leftmost": best[:1], "rightmost": best[-1:], "average-hard": best}[head.entry.kind]
    weights: list[Value | None] = [ONE if j in chosen else None for j in range(len(scores))]
    return _divided(weights, context.count(len(best)), context) if head.entry.kind == "average-hard" else (weights, None)


def kernel(head: Head, score: Value, context: Context) -> Value:
    """The weight of a token with this score before any division, which is the score itself or e^score."""
    return context.weight(score, head.ln2) if head.entry.kind == "linear" else context.power(score, head.ln2)


def _softmax(head: Head, scores: list[Value | None], context: Context) -> tuple[list[Value | None], Value | None]:
    """e^s over the sum of them (plus 1 for softmax with +1, as if by one more token of score 0 in front)."""
    everything = [ZERO, *scores] if head.entry.kind == "softmax-plus-one" else scores
    if context.arithmetic.maximum == "subtracted":
        top = largest([s for s in everything if s is not None], context)
        everything = [None if s is None else context.subtract(s, top) for s in everything]
    exponentials = [None if s is None else kernel(head, s, context) for s in everything]
    total = context.total(exponentials, WEIGHTS)
    return _divided(exponentials[len(exponentials) - len(scores) :], total, context)


KINDS: Mapping[Kind, Callable[[Head, list[Value | None], Context], tuple[list[Value | None], Value | None]]] = {
    **dict.fromkeys(SOFTMAX, _softmax),
    **dict.fromkeys(HARD, _hard),
    "linear": _linear,
}
"""The weights that each kind of attention gives to tokens with these scores, and the divisor of the sum that remains."""


def _divided(weights: list[Value | None], total: Value, context: Context) -> tuple[list[Value | None], Value | None]:
    """Weights divided now, or together with the output."""
    if context.arithmetic.division == "output":
        return weights, total
    return [None if w is None else context.divide(w, total) for w in weights], None


def largest(values: list[Value], context: Context) -> Value:
    """The largest value; NaN if one is NaN."""
    top = NEG_INF
    for x in values:
        if x is NAN:
            return NAN
        top = x if top is NEG_INF or context.less(top, x) else top
    return top


def activated(kind: str, x: Value, context: Elementwise) -> Value:
    """A hidden unit, from its argument.

    Raises:
        InputError: no activation of this kind is defined.
    """
    if kind not in ACTIVATIONS:
        raise InputError(f"activation {kind!r} is not defined; one of {', '.join(ACTIVATIONS)} was expected")
    return ACTIVATIONS[kind](x, context)


def _silu(x: Value, context: Elementwise) -> Value:
    """x/(1 + e^−x), each operation rounded."""
    return context.divide(x, context.add(context.constant(ONE), context.exp(context.subtract(context.zero, x))))


ACTIVATIONS: Mapping[str, Callable[[Value, Elementwise], Value]] = {
    "relu": lambda x, context: context.rectified(x),
    "clipped-relu": lambda x, context: context.clipped(context.rectified(x)),
    "step": lambda x, context: context.stepped(x),
    "identity": lambda x, context: x,
    "silu": _silu,
}
"""The function that each kind of hidden unit applies."""


def hidden_units(entry: FeedForward, x: Vector, context: Elementwise) -> Vector:
    """The hidden units."""
    units = {name: activated(entry.entry.activation, applied(form, x, context), context) for name, form in entry.hidden.items()}
    return {name: context.multiply(unit, applied(entry.gate[name], x, context)) if entry.gate else unit for name, unit in units.items()}


def normed(x: Vector, norm: Norm, context: Elementwise) -> Vector:
    """(x − mean)/√(variance + eps), or x/√(mean square + eps); times the gain, plus the shift. ``only``: the coordinates to norm; the
    others become 0."""
    if norm.entry.only:
        kept = normed({name: x[name] for name in x if name in norm.entry.only}, norm.whole, context)
        return {name: kept.get(name, context.zero) for name in x}
    size = context.count(len(x))
    if norm.entry.kind == "layer":
        mean = context.divide(context.total(list(x.values())), size)
        x = {name: context.subtract(value, mean) for name, value in x.items()}
    square = context.divide(context.dot([(value, value) for value in x.values()]), size)
    inside = context.add(square, context.constant(norm.eps))
    if context.arithmetic.root == "multiply":
        inverse = context.inverse_root(inside)
        x = {name: context.multiply(value, inverse) for name, value in x.items()}
    else:
        root = context.root(inside)
        x = {name: context.divide(value, root) for name, value in x.items()}
    x |= {name: context.multiply(x[name], context.constant(gain)) for name, gain in norm.gain.items()}
    return x | {name: context.add(x[name], context.constant(shift)) for name, shift in norm.shift.items()}
