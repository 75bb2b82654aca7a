"""The checker's transformers: running one on tokens, one rounded operation after another."""

from collections.abc import Sequence

from .recheck_layers import Head, Layer, Layers, Map, Norm, Vector
from .recheck_reading import Rejected
from .recheck_rounding import NAN


class Transformer(Layers):
    """A network of a certificate, in an arithmetic."""

    def embedded(self, tokens: Sequence[int]) -> list[Vector]:
        for i, token in enumerate(tokens):
            if token not in self.embedding[i]:
                raise Rejected(f"network, embedding: no vector of word {token} at position {i}")
        return [self.embedding[i][token] for i, token in enumerate(tokens)]

    def run(self, tokens: Sequence[int], at: int) -> Vector:
        """The coordinates at a position at the end."""
        self.limits.spend(2 * len(tokens) * (1 + len(self.layers)))
        vectors = self.embedded(tokens)
        for k, layer in enumerate(self.layers):
            places = range(len(tokens)) if k < len(self.layers) - 1 else range(at, at + 1)
            read = self.read(layer, vectors)
            keyed = [[self.keys(head, x, j) for j, x in enumerate(read)] for head in layer.heads]
            vectors = [self.after(layer, vectors[i], self.gathered(layer, i, read[i], keyed)) for i in places]
        last = vectors[0 if self.layers else at]
        return self.normed(last, self.final_norm[0]) if self.final_norm else last

    def applied(self, form: Map, x: Vector) -> int:
        terms: list[tuple[int, int] | None] = [(c, x[k]) for k, c in form.terms]
        if not self.floats.in_order:  # then a term that is 0 has its place
            given = dict(form.terms)
            terms = [(given[k], value) if k in given else None for k, value in enumerate(x)]
        return self.floats.dot([*terms, *((c, self.floats.one) for c in form.constant)])

    def read(self, layer: Layer, vectors: list[Vector]) -> list[Vector]:
        """What the heads of a layer read."""
        norm = layer.attention_norm
        return [self.normed(x, norm[0]) for x in vectors] if norm and norm[0].before else vectors

    def keys(self, head: Head, x: Vector, j: int) -> tuple[Vector, Vector]:
        """The key and the values of a token."""
        return self.turned(head, [self.applied(form, x) for form in head.key], j), [self.applied(form, x) for form in head.value]

    def turned(self, head: Head, entries: Vector, place: int) -> Vector:
        floats = self.floats
        entries = self.normed(entries, head.norm[0]) if head.norm else entries
        turned = list(entries)
        for k, by_place in enumerate(head.turns):
            (cosine, sine), (x, y) = by_place[place], entries[2 * k : 2 * k + 2]
            turned[2 * k] = floats.subtract(floats.multiply(x, cosine), floats.multiply(y, sine))
            turned[2 * k + 1] = floats.add(floats.multiply(x, sine), floats.multiply(y, cosine))
        return turned

    def queried(self, head: Head, x: Vector, i: int) -> Vector:
        """The query, scaled where the knob says so."""
        query = self.turned(head, [self.applied(form, x) for form in head.query], i)
        return [self.floats.multiply(q, head.scale) for q in query] if self.floats.knobs["scaling"] == "query" else query

    def score(self, head: Head, query: Vector, key: Vector, i: int, j: int) -> int | None:
        """None where the mask hides the token."""
        floats = self.floats
        if not head.sees(i, j):
            return head.masked[0] if head.masked else None
        scale = floats.one if floats.knobs["scaling"] == "query" else head.scale
        found = floats.multiply(floats.dot(list(zip(query, key, strict=True))), scale) if query else 0
        if head.negative and floats.less(0, found):
            found = -found
        return floats.add(found, head.bias[i][j]) if head.bias else found

    def attended(self, head: Head, i: int, x: Vector, tokens: list[tuple[Vector, Vector]]) -> Vector:
        """What a head gives at a position."""
        query = self.queried(head, x, i)
        weights, divisor = self.weights(head.kind, [self.score(head, query, key, i, j) for j, (key, _) in enumerate(tokens)])
        return self.given(weights, divisor, [values for _, values in tokens], len(head.value))

    def gathered(self, layer: Layer, i: int, x: Vector, keyed: list[list[tuple[Vector, Vector]]]) -> list[Vector]:
        """What each head of a layer gives at a position."""
        return [self.attended(head, i, x, tokens) for head, tokens in zip(layer.heads, keyed, strict=True)]

    def given(self, weights: list[int | None], divisor: int | None, values: list[Vector], count: int) -> Vector:
        found = [
            self.floats.dot([None if w is None else (w, each[v]) for w, each in zip(weights, values, strict=True)]) for v in range(count)
        ]
        return found if divisor is None else [self.floats.divide(x, divisor) for x in found]

    def weights(self, kind: str, scores: list[int | None]) -> tuple[list[int | None], int | None]:
        """The weight of each token, None where it is an exact 0; and what the sum is still to be divided by."""
        floats = self.floats
        floats.limits.spend(4 * len(scores) * floats.cost)
        seen = [s for s in scores if s is not None]
        if kind == "linear" or not seen:
            return scores, None
        if kind.startswith("softmax"):
            everything = [0, *scores] if kind == "softmax-plus-one" else scores
            if floats.knobs["maximum"] == "subtracted":
                top = floats.largest([s for s in everything if s is not None])
                everything = [None if s is None else floats.subtract(s, top) for s in everything]
            exponentials = [None if s is None else floats.exp(s) for s in everything]
            return self.divided(exponentials[len(exponentials) - len(scores) :], floats.total(exponentials))
        if NAN in seen:
            return [None if s is None else NAN for s in scores], None
        best = [j for j, s in enumerate(scores) if s == max(seen)]
        if kind == "average-hard":
            size = floats.count(len(best))
            return self.divided([floats.one if j in set(best) else None for j in range(len(scores))], size)
        chosen = best[0] if kind == "leftmost" else best[-1]
        return [floats.one if j == chosen else None for j in range(len(scores))], None

    def divided(self, weights: list[int | None], total: int) -> tuple[list[int | None], int | None]:
        if self.floats.knobs["division"] == "output":
            return weights, total
        return [None if w is None else self.floats.divide(w, total) for w in weights], None

    def after(self, layer: Layer, x: Vector, given: list[Vector]) -> Vector:
        """A position after attention and the network, for what the heads give there."""
        floats = self.floats
        if layer.heads:
            combined = {name: floats.dot([(c, given[h][v]) for h, v, c in sources]) for name, sources in layer.combine}
            x = self.added(x, combined, layer.residual)
            if layer.attention_norm and not layer.attention_norm[0].before:
                x = self.normed(x, layer.attention_norm[0])
        for units in layer.units:
            norm = layer.network_norm
            read = self.normed(x, norm[0]) if norm and norm[0].before else x
            hidden = [self.activation(units.activation, self.applied(form, read)) for form in units.hidden]
            hidden = (
                [floats.multiply(u, self.applied(form, read)) for u, form in zip(hidden, units.gate, strict=True)] if units.gate else hidden
            )
            into = {name: self.applied(form, hidden) for name, form in units.into}
            for factor in units.factor:
                into = {name: floats.multiply(value, factor) for name, value in into.items()}
            x = self.added(x, into, units.residual)
            if norm and not norm[0].before:
                x = self.normed(x, norm[0])
        return x

    def added(self, x: Vector, given: dict[int, int], residual: bool) -> Vector:
        if not residual:
            return [given.get(k, 0) for k in range(len(x))]
        return [self.floats.add(value, given[k]) if k in given else value for k, value in enumerate(x)]

    def activation(self, kind: str, x: int) -> int:
        floats = self.floats
        if x == NAN or kind == "identity":
            return x
        if kind == "silu":
            return floats.divide(x, floats.add(floats.one, floats.exp(floats.subtract(0, x))))
        if kind == "step":
            return floats.one if x > 0 else 0
        return floats.clipped(x, floats.one if kind == "clipped-relu" else None)

    def normed(self, x: Vector, norm: Norm) -> Vector:
        """The norm of the coordinates that it keeps; the others become 0."""
        floats = self.floats
        kept = [x[k] for k in norm.only]
        size = floats.count(len(kept))
        if norm.layer:
            mean = floats.divide(floats.total(kept), size)
            kept = [floats.subtract(value, mean) for value in kept]
        inside = floats.add(floats.divide(floats.dot([(value, value) for value in kept]), size), norm.eps)
        inverse = floats.knobs["root"] == "multiply"
        root = floats.root(inside, inverse)
        kept = [floats.multiply(value, root) if inverse else floats.divide(value, root) for value in kept]
        found = [0] * len(x)
        for k, value in zip(norm.only, kept, strict=True):
            value = floats.multiply(value, norm.gain[k]) if k in norm.gain else value
            found[k] = floats.add(value, norm.shift[k]) if k in norm.shift else value
        return found
