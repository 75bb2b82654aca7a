"""States of a network certificate: what uniform attention sums up to, and what the right answer depends on, in place of all inputs.

Where the heads of the first layer attend uniformly, what they give is the same at every position, and depends on the running sums alone.
Two inputs with the same sums and the same signature (the number of ones, or some symbols, as the right answer reads them) are one state.
A state is then run with both vectors of every token whose symbol it leaves open; where a later head reads a key or a value that differs
between them, the states do not decide.
"""

from typing import NamedTuple

from .recheck_answers import Answers
from .recheck_formulas import Text
from .recheck_layers import Layer, Vector
from .recheck_reading import At, Rejected, demand
from .recheck_transformer import Transformer


class State(NamedTuple):
    """sums: of each value of each head; ones: -1 where the right answer does not read them; symbols: those that it reads."""

    sums: tuple[int, ...]
    ones: int
    symbols: tuple[int, ...]


def check_states(evidence: dict[str, At], answers: Answers) -> int:
    """How many inputs are answered rightly, by their states."""
    t = answers.transformer
    place = evidence["states"].place
    ones, watched = watched_by(answers, place)
    ((string, length),) = t.strings.items()
    reached = states_of(t, ones, watched)
    listed: dict[State, int] = {}
    for each in evidence["states"].items():
        parts = each.record("sums", "ones", "symbols", "count")
        sums = tuple(t.floats.state(x) for x in parts["sums"].items())
        state = State(sums, parts["ones"].integer(-1, length), tuple(x.integer(0, 1) for x in parts["symbols"].items()))
        demand(state in reached, f"{each.place}: no input leads to this state")
        demand(state not in listed, f"{each.place}: this state is listed twice")
        listed[state] = parts["count"].integer()
        demand(listed[state] == reached[state], f"{parts['count'].place}: {reached[state]} inputs lead to this state")
    demand(len(listed) == len(reached), f"{place}: {len(listed)} states, {len(reached)} were expected")
    for state in reached:
        known = dict(zip(watched, state.symbols, strict=True))
        right = answers.expected({string: Text(None, 2, length, known, state.ones if ones else None)})
        found = answers.of(last_vector(t, state, known, length, answers.at, place))
        demand(found == right, f"{place}: a state of {reached[state]} inputs is answered with {found}, {right} was expected")
    return 1 << length


def watched_by(answers: Answers, place: str) -> tuple[bool, list[int]]:
    """What :func:`read_by_function` says, of a network that states may decide."""
    demand(answers.floats.in_order, f"{place}: sums of rounded products from left to right were expected")
    found, special = read_by_function(answers, place), isinstance(answers.transformer.layout[answers.at], int)
    demand(answers.kind == "accept" and special, f"{place}: an answer at a special token was expected")
    return found


def read_by_function(answers: Answers, place: str) -> tuple[bool, list[int]]:
    """Whether the right answer reads the number of ones, and which symbols, of one string of bits that is read in its order."""
    t = answers.transformer
    demand(len(t.strings) == 1 and t.letters == 2, f"{place}: one string of bits was expected")
    ((string, length),) = t.strings.items()
    read = [entry[1] for entry in t.layout if not isinstance(entry, int)]
    demand(read == list(range(length)), f"{place}: a string that is read once, in its order, was expected")
    demand(answers.promise is None, f"{place}: a network without a promise was expected")
    uses = answers.function.symbols(string, answers.names)
    if uses is None or not all(1 <= k <= length for k in uses[1]):
        raise Rejected(f"{place}: a right answer that reads the number of ones or single symbols was expected")
    return uses[0], sorted(uses[1])


def states_of(t: Transformer, ones: bool, watched: list[int]) -> dict[State, int]:
    """The states of all inputs, and how many inputs lead to each, token by token."""
    added: list[list[tuple[int, ...]]] = [[()] * (1 if isinstance(entry, int) else 2) for entry in t.layout]
    added = added_by_tokens(t, t.layers[0]) if t.layers else added
    floats = t.floats
    states = {State((), -1, ()): 1}
    for j, entry in enumerate(t.layout):
        grown: dict[State, int] = {}
        words = [entry] if isinstance(entry, int) else [0, 1]
        floats.limits.spend(len(states) * len(words) * (2 + len(added[j][0]) * floats.cost))
        for state, count in states.items():
            for word, terms in zip(words, added[j], strict=True):
                sums = tuple(floats.sum(floats.wide, x, y) for x, y in zip(state.sums, terms, strict=True)) if j else tuple(terms)
                if isinstance(entry, int):
                    new = State(sums, state.ones, state.symbols)
                else:
                    marks = (word,) if entry[1] + 1 in watched else ()
                    new = State(sums, max(state.ones, 0) + word if ones else -1, state.symbols + marks)
                grown[new] = grown.get(new, 0) + count
        floats.limits.keep("states", len(grown))
        states = grown
    if ones:
        states = {State(state.sums, max(state.ones, 0), state.symbols): count for state, count in states.items()}
    return states


def added_by_tokens(t: Transformer, layer: Layer) -> list[list[tuple[int, ...]]]:
    """For each token, and each word that it may be, what it adds to the sum of each value."""
    found: list[list[tuple[int, ...]]] = []
    if not all(head.uniform for head in layer.heads):
        raise Rejected("network, layers: heads of the first layer that attend uniformly were expected")
    weights = [t.weights(head.kind, [0] * len(t.layout))[0][0] or 0 for head in layer.heads]
    for j, words in enumerate(variants(t, {})):
        found.append([])
        for x in t.read(layer, words):
            values = [(w, t.applied(form, x)) for head, w in zip(layer.heads, weights, strict=True) for form in head.value]
            found[j].append(tuple(t.floats.product(t.floats.into, w, value) for w, value in values))
    return found


def variants(t: Transformer, known: dict[int, int]) -> list[list[Vector]]:
    """For each token the vectors that it may have: of a symbol that is known, or of both."""
    found = []
    for j, entry in enumerate(t.layout):
        words = [entry] if isinstance(entry, int) else [known[entry[1] + 1]] if entry[1] + 1 in known else [0, 1]
        if not set(words) <= set(t.embedding[j]):
            raise Rejected(f"network, embedding: words {words} were expected at position {j}")
        found.append([t.embedding[j][word] for word in words])
    return found


def last_vector(t: Transformer, state: State, known: dict[int, int], length: int, at: int, place: str) -> Vector:
    """The coordinates at a special token, for all inputs of a state."""
    if state.ones in (sum(known.values()), sum(known.values()) + length - len(known)):
        known = {k: known.get(k, int(state.ones > sum(known.values()))) for k in range(1, length + 1)}
    t.limits.spend(4 * len(t.layout) * (1 + len(t.layers)))
    vectors = variants(t, known)
    for k, layer in enumerate(t.layers):
        places = range(len(vectors)) if k < len(t.layers) - 1 else range(at, at + 1)
        if k == 0:
            given = uniform_results(t, layer, state)
            vectors = [[t.after(layer, x, given) for x in vectors[i]] for i in places]
            continue
        read = [t.read(layer, each) for each in vectors]
        keyed = []
        for head in layer.heads:
            tokens = [[t.keys(head, x, j) for x in each] for j, each in enumerate(read)]
            for j, each in enumerate(tokens):
                same = all(one == each[0] for one in each)
                demand(same, f"{place}: in layer {k + 1}, what a head reads at position {j} depends on the symbol there")
            keyed.append([each[0] for each in tokens])
        vectors = [[t.after(layer, x, t.gathered(layer, i, y, keyed)) for x, y in zip(vectors[i], read[i], strict=True)] for i in places]
    (last,) = vectors[0] if t.layers else vectors[at]
    return t.normed(last, t.final_norm[0]) if t.final_norm else last


def uniform_results(t: Transformer, layer: Layer, state: State) -> list[Vector]:
    """What each head of the first layer gives, at every position."""
    found, sums = [], list(state.sums)
    for head in layer.heads:
        mine, sums = sums[: len(head.value)], sums[len(head.value) :]
        divisor = t.weights(head.kind, [0] * len(t.layout))[1]
        results = [t.floats.settle(x) for x in mine]
        found.append(results if divisor is None else [t.floats.divide(x, divisor) for x in results])
    return found
