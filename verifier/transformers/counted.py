"""All states of uniform attention at once, as rows of arrays; one row stands for many inputs.

Nothing that depends on single symbols reaches the output (:func:`verifier.transformers.interned.reaching`), so that the tokens of any
input serve for all: a state differs by the sums of the first layer alone. Only a state that is answered wrongly has its input written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from verifier.language.syntax import tree_of
from verifier.language.tree import Comparison, Name, Numeral
from verifier.transformers import interned
from verifier.transformers.answers import found_at, right_by_signature, wrong_by_arrays
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array
from verifier.transformers.inputs import Strings
from verifier.transformers.interned import SumStates
from verifier.transformers.network import Network
from verifier.transformers.outputs import Answer, place
from verifier.transformers.rounded_arrays import Columns
from verifier.transformers.uniform_sums import given

CHUNK = 1 << 16
"""Numbers of an array that stay in the cache."""
MOST_NUMBER = 1 << 20
"""Whole numbers below this are values of every array."""
COMPARED = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}


def first_wrong_state(network: Network, arithmetic: Arithmetic) -> tuple[Strings, Answer] | None:
    """The first wrong input: the smallest input of the first state that is answered wrongly. It is run again by itself.

    Raises:
        LimitError: more than 65,536 states.
        AssertionError: the states do not cover every input, or the input is answered rightly when it is run.
    """
    arrays = Arrays(network, arithmetic)
    states = interned.sum_states(network, arrays)
    assert sum(states.counts) == network.input.count
    right = right_by_signature(network)
    found = [answer for columns, count in _ends(network, arrays, states) for answer in _answers(arrays, columns, count)]
    wrong = [k for k, each in enumerate(found) if each != right(states.ones[k], states.bits[k], partial(states.smallest, k))]
    if not wrong:
        return None
    smallest = min((states.smallest(k) for k in wrong), key=lambda each: tuple(each.values()))
    (again,) = wrong_by_arrays(network, arithmetic, [smallest], arrays)
    return again


def _answers(arrays: Arrays, columns: Columns, count: int) -> list[str]:
    """The answer in each row; of conditions that compare a coordinate with a number, all at once."""
    accept = arrays.network.file.accept
    assert accept is not None
    yes, no = _compared(accept.yes, columns), _compared(accept.no, columns) if accept.no else None
    if yes is None or (no is None and accept.no):
        return [found for found, _ in found_at(arrays, columns, count)]
    (x, accepted), (y, refused) = yes, no or (yes[0], ~yes[1])
    answers = np.where(accepted, "yes", np.where(refused, "no", "neither"))
    return [str(each) for each in np.where(np.isnan(x) | np.isnan(y), "nan", answers).tolist()]


def _compared(condition: str, columns: Columns) -> tuple[Array, Array] | None:
    """A coordinate, and where it fulfils a condition that compares it with a whole number; None for other conditions."""
    match tree_of(condition):
        case Comparison(Name(name), (operator,), (Numeral(int(number)),)) if name in columns and number < MOST_NUMBER:
            return columns[name][:, 0], COMPARED[operator](columns[name][:, 0], number)
    return None


def _ends(network: Network, arrays: Arrays, states: SumStates) -> Iterator[tuple[Columns, int]]:
    """The coordinates of the token that is asked for, a row for each state; and how many rows. Some states at a time."""
    accept = network.file.accept
    assert accept is not None
    length, count = len(network.input.layout), len(states.counts)
    at = place(network, accept.at, length)
    tokens = np.array([network.input.tokens(states.smallest(0))])
    first, *layers = network.layers
    rows = max(1, CHUNK // length)
    with np.errstate(all="ignore"):
        start = arrays.embedded(tokens)
        if not layers:
            start = {name: x if x.shape[1] == 1 else x[:, at : at + 1] for name, x in start.items()}
        for k in range(0, count, rows):
            part = states.sums[k : k + rows]
            columns = arrays.layer_given(first, start, given(arrays, first, part, length, 1))
            for layer in layers[:-1]:
                columns = arrays._layer(layer, columns, length, None)
            for layer in layers[-1:]:
                columns = arrays._layer(layer, columns, length, at)
            if network.final_norm is not None:
                columns = arrays.normed(columns, network.final_norm)
            ends = {name: x if x.shape[1] == 1 else x[:, at : at + 1] for name, x in columns.items()}
            yield {name: np.broadcast_to(x, (len(part), 1)) for name, x in ends.items()}, len(part)
