"""The definition of a network: one input, one operation after another, in a rounding context. Every engine is held against it.

A layer: attention, then the network on each position. Each block may have a norm before it or after it, and its result is added to the
coordinates (residual). A map is the dot product of its coefficients with all coordinates in their order, its constant last; a
coefficient 0 contributes 0, whatever the coordinate is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from verifier.arithmetic.numbers import NAN, NEG_INF, ONE, ZERO
from verifier.transformers.contexts import Context, Term, Value
from verifier.transformers.formulas import Map
from verifier.transformers.network import FeedForward, Head, Layer, Network, Norm, whole

Vector = dict[str, Value]


@dataclass
class HeadTrace:
    """The computation of a head: for each position its query and key, the scores and weights of all tokens, and what it gives."""

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


def run(network: Network, tokens: Sequence[int], context: Context) -> Run:
    """The network on these tokens."""
    vectors = [embedded(network, token, i, context) for i, token in enumerate(tokens)]
    embedding, layers = vectors, []
    for layer in network.layers:
        trace = _layer(network, layer, vectors, context)
        layers.append(trace)
        vectors = trace.network
    if network.final_norm is not None:
        vectors = [normed(x, network.final_norm, context) for x in vectors]
    return Run(list(tokens), embedding, layers, vectors)


def embedded(network: Network, token: int, i: int, context: Context) -> Vector:
    """The coordinates of a token at a position."""
    given = network.embedding(token, i)
    return {name: context.constant(given[name]) if name in given else ZERO for name in network.coordinates}


def applied(form: Map, x: Mapping[str, Value], context: Context) -> Value:
    """A map of named values."""
    coefficients = dict(form.terms)
    terms: list[Term] = [(context.constant(coefficients[name]), x[name]) if name in coefficients else None for name in x]
    if form.constant != 0:
        terms.append((context.constant(form.constant), ONE))
    return context.dot(terms)


def _layer(network: Network, layer: Layer, vectors: list[Vector], context: Context) -> LayerTrace:
    read = [read_by_heads(layer, x, context) for x in vectors]
    heads = [_head(network, head, read, context) for head in layer.heads]
    steps = [after(layer, x, [head.given[i] for head in heads], context) for i, x in enumerate(vectors)]
    attention, hidden, last = ([step[k] for step in steps] for k in range(3))
    return LayerTrace(heads, attention, hidden if layer.network else [], last)


def read_by_heads(layer: Layer, x: Vector, context: Context) -> Vector:
    """What the heads of a layer read of a token."""
    norm = layer.norms.get("attention")
    return normed(x, norm, context) if norm and norm.entry.place == "before" else x


def after(layer: Layer, x: Vector, given: list[Vector], context: Context) -> tuple[Vector, Vector, Vector]:
    """A token after attention, its hidden units, and after the layer, for what each head gives it."""
    norm = layer.norms.get("attention")
    if layer.heads:
        x = _added(x, _combined(layer, given, context), layer.entry.residual, context)
        x = normed(x, norm, context) if norm and norm.entry.place == "after" else x
    if layer.network is None:
        return x, {}, x
    norm = layer.norms.get("network")
    hidden = _hidden(layer.network, normed(x, norm, context) if norm and norm.entry.place == "before" else x, context)
    into = {name: applied(form, hidden, context) for name, form in layer.network.into.items()}
    if layer.network.factor is not None:
        factor = context.constant(layer.network.factor)
        into = {name: context.multiply(value, factor) for name, value in into.items()}
    last = _added(x, into, layer.network.entry.residual, context)
    return x, hidden, normed(last, norm, context) if norm and norm.entry.place == "after" else last


def _combined(layer: Layer, given: list[Vector], context: Context) -> Vector:
    """For each coordinate that attention sets, the map of what the heads give."""
    return {
        name: context.dot([(context.constant(c), given[h][value]) for (h, value), c in sources]) for name, sources in layer.combine.items()
    }


def _added(x: Vector, given: Vector, residual: bool, context: Context) -> Vector:
    if not residual:
        return {name: given.get(name, ZERO) for name in x}
    return {name: context.add(value, given[name]) if name in given else value for name, value in x.items()}


def _head(network: Network, head: Head, vectors: list[Vector], context: Context) -> HeadTrace:
    places = range(len(vectors))
    keys = [keyed(network, head, j, x, context) for j, x in enumerate(vectors)]
    values = [valued(head, x, context) for x in vectors]
    trace = HeadTrace([queried(network, head, i, x, context) for i, x in enumerate(vectors)], keys)
    for i in places:
        query = scaled(head, trace.query[i], context)
        scores = [score(network, head, i, j, query, keys[j], context) for j in places]
        weights, given = attended(head, scores, values, context)
        trace.scores.append(scores)
        trace.weights.append(weights)
        trace.given.append(given)
    return trace


def queried(network: Network, head: Head, i: int, x: Vector, context: Context) -> list[Value]:
    """The query of a token at position i."""
    return _turned(head, i, [applied(form, x, context) for form in head.query], network, context)


def keyed(network: Network, head: Head, j: int, x: Vector, context: Context) -> list[Value]:
    """The key of a token at position j."""
    return _turned(head, j, [applied(form, x, context) for form in head.key], network, context)


def valued(head: Head, x: Vector, context: Context) -> Vector:
    """The values of a token."""
    return {name: applied(form, x, context) for name, form in head.value.items()}


def scaled(head: Head, query: list[Value], context: Context) -> list[Value]:
    """A query as scores take it."""
    scale = context.constant(head.scale)
    return [context.multiply(x, scale) for x in query] if context.arithmetic.scaling == "query" else query


def score(network: Network, head: Head, i: int, j: int, query: list[Value], key: list[Value], context: Context) -> Value | None:
    """The score of token j at position i, None where the mask hides it. query: as :func:`scaled` gives it."""
    if not head.sees(i, j):
        return None if head.masked is None else context.constant(head.masked)
    found: Value = ZERO
    if head.query:
        scale = ONE if context.arithmetic.scaling == "query" else context.constant(head.scale)
        found = _scored(head, context.multiply(context.dot(list(zip(query, key, strict=True))), scale), context)
    return found if head.entry.bias is None else context.add(found, context.constant(network.bias(head, i, j)))


def attended(head: Head, scores: list[Value | None], values: list[Vector], context: Context) -> tuple[list[Value | None], Vector]:
    """The weights of all tokens, and what the head gives."""
    weights, divisor = _weights(head.entry.kind, scores, context)
    given = {}
    for name in head.value:
        total = context.dot([None if w is None else (w, values[j][name]) for j, w in enumerate(weights)])
        given[name] = total if divisor is None else context.divide(total, divisor)
    return weights, given


def _scored(head: Head, product: Value, context: Context) -> Value:
    """The score of a scaled product."""
    if head.entry.score == "minus-absolute" and context.less(ZERO, product):
        return context.subtract(ZERO, product)
    return product


def _turned(head: Head, place: int, entries: list[Value], network: Network, context: Context) -> list[Value]:
    """A query or key, normed where the head says so, with its pairs turned by the rotary angles."""
    if head.norm is not None:
        entries = list(normed({str(k): x for k, x in enumerate(entries)}, head.norm, context).values())
    turned = list(entries)
    for k, angle in enumerate(head.angles):
        cosine, sine = (context.constant(x) for x in network.turn(angle, place))
        x, y = entries[2 * k], entries[2 * k + 1]
        turned[2 * k] = context.subtract(context.multiply(x, cosine), context.multiply(y, sine))
        turned[2 * k + 1] = context.add(context.multiply(x, sine), context.multiply(y, cosine))
    return turned


def _weights(kind: str, scores: list[Value | None], context: Context) -> tuple[list[Value | None], Value | None]:
    """The weight of each token, None where it is an exact 0, and what the sum is still to be divided by, if anything.

    Where every token is masked, the head gives 0.
    """
    if kind == "linear":
        return scores, None
    seen = [s for s in scores if s is not None]
    if not seen:
        return scores, None
    if kind in ("softmax", "softmax-plus-one"):
        return _softmax(scores, kind == "softmax-plus-one", context)
    if any(s is NAN for s in seen):
        return [None if s is None else NAN for s in scores], None
    top = largest(seen, context)
    best = [j for j, s in enumerate(scores) if s is not None and not context.less(s, top)]
    if kind == "average-hard":
        return _divided([ONE if j in best else None for j in range(len(scores))], context.constant(ONE * len(best)), context)
    chosen = best[0] if kind == "leftmost" else best[-1]
    return [ONE if j == chosen else None for j in range(len(scores))], None


def _softmax(scores: list[Value | None], plus_one: bool, context: Context) -> tuple[list[Value | None], Value | None]:
    """e^s over the sum of them (plus 1 for softmax with +1, as if by one more token of score 0 in front)."""
    everything = [ZERO, *scores] if plus_one else scores
    if context.arithmetic.maximum == "subtracted":
        top = largest([s for s in everything if s is not None], context)
        everything = [None if s is None else context.subtract(s, top) for s in everything]
    exponentials = [None if s is None else context.exp(s) for s in everything]
    total = context.total(exponentials)
    return _divided(exponentials[len(exponentials) - len(scores) :], total, context)


def _divided(weights: list[Value | None], total: Value, context: Context) -> tuple[list[Value | None], Value | None]:
    """Weights divided now, or together with the output."""
    if context.arithmetic.division == "output":
        return weights, total
    return [None if w is None else context.divide(w, total) for w in weights], None


def largest(values: list[Value], context: Context) -> Value:
    """The largest value; NaN where there is one."""
    top = NEG_INF
    for x in values:
        if x is NAN:
            return NAN
        top = x if top is NEG_INF or context.less(top, x) else top
    return top


def _hidden(entry: FeedForward, x: Vector, context: Context) -> Vector:
    """The hidden units."""
    units = {name: activation(entry.entry.activation, applied(form, x, context), context) for name, form in entry.hidden.items()}
    return {name: context.multiply(unit, applied(entry.gate[name], x, context)) if entry.gate else unit for name, unit in units.items()}


def activation(kind: str, x: Value, context: Context) -> Value:
    """ReLU and its relatives; NaN stays NaN. SiLU is x/(1 + e^−x), each operation rounded."""
    if x is NAN or kind == "identity":
        return x
    if kind == "silu":
        return context.divide(x, context.add(context.constant(ONE), context.exp(context.subtract(ZERO, x))))
    if not context.less(ZERO, x):
        return ZERO
    if kind == "step" or (kind == "clipped-relu" and context.less(ONE, x)):
        return context.constant(ONE)
    return x


def normed(x: Vector, norm: Norm, context: Context) -> Vector:
    """(x − mean)/√(variance + eps), or x/√(mean square + eps); times the gain, plus the shift. ``only``: of these, the others are 0."""
    if norm.entry.only:
        kept = normed({name: x[name] for name in x if name in norm.entry.only}, replace(norm, entry=whole(norm.entry)), context)
        return {name: kept.get(name, ZERO) for name in x}
    size = context.constant(ONE * len(x))
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
