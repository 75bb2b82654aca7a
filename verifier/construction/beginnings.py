"""Construction files to begin with: commented, and right as they stand, for functions that have a name here and for any formula."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass

from verifier.construction.vectors import WIDEST_TOKEN
from verifier.errors import InputError
from verifier.formulas.syntax import kind, names_in, parse, quoted

MOST_BITS = 24
SYNONYMS = {"EQ": "equality", "GT": "y > z"}


@dataclass(frozen=True)
class Beginning:
    """The parts of a file that differ from function to function. ``where``: of the parameter m, the length of the strings."""

    title: str
    function: str
    strings: str
    where: str
    tokens: str
    rows: str
    weights: str
    mlp: str
    expect: str = ""


LAST = """
# The last token asks: it holds nothing, and its vector gives the query.
[[row]]
step = {step}
i = "{i}"
zero = [{zero}]
"""
ONE_COLUMN = """[weights.query]            # Q: the first coordinate
matrix = [[1], [0]]

[weights.key]              # K: the first coordinate, so that every weight <Q, K> is 1
matrix = [[1], [0]]

[weights.value]            # V: the second coordinate
matrix = [[0], [1]]
"""
BITS_OF_X = """[tokens]
first = 1
last = "m + 1"

# What each token holds: one bit of x, the last token nothing.
[[input]]
i = "[1 : m]"
reads = "x[i]"

[[input]]
i = "m + 1"
reads = 0
"""
BITS_OF_Y_AND_Z = """[tokens]
first = 1
last = "2*m + 1"

# What each token holds: one bit of y, then one bit of z, the last token nothing.
[[input]]
i = "[1 : m]"
reads = "y[i]"

[[input]]
i = "[m + 1 : 2*m]"
reads = "z[i - m]"

[[input]]
i = "2*m + 1"
reads = 0
"""
COUNT = """# One row for the tokens that hold a bit: its vector where the bit is 0, and where it is 1.
[[row]]
step = 1
i = "[1 : m]"
zero = [1, 0]
one = [1, 1]
""" + LAST.format(step=2, i="m + 1", zero="1, 0")
WHOLE_STRINGS = """[tokens]
first = 1
last = 2

# The first token holds everything: a beginning, to be replaced by your input representation.
[[input]]
i = 1
reads = [{reads}]

[[input]]
i = 2
reads = 0

# Names for bits that a token holds, for the entries of its row.
[quantities]
{held}"""
BY_FORMULA = """# The vector where the last field is 0, and where it is not: here both ask the formula itself.
[[row]]
step = 1
i = 1
zero = [1, {entry}]
one = [1, {entry}]
"""
AFTER_Y = """
# What you expect after step 1, checked on every input.
[[expect]]
name = "after-y"
of = "numerator"
step = 1
is = "value(y)"
"""
COUNTED = """
# What you expect on the way, checked on every input (after each of these tokens).
[[expect]]
name = "count"
of = "numerator"
i = "[1 : m]"
is = "popcount(x[1 : i])"
"""


def _node(weights: str, bias: str) -> str:
    return f"\n[[mlp.hidden]]\nweights = [{weights}]\nbias = {bias}\n"


def _mlp(comment: str, hidden: list[tuple[str, str]], weights: str, bias: str) -> str:
    nodes = "".join(_node(*each) for each in hidden)
    return f"# {comment}{nodes}\n[mlp.output]\nweights = [{weights}]\nbias = {bias}\n"


def parity(bits: int) -> Beginning:
    alternating = ", ".join(str(1 if k == 0 else -2 if k % 2 else 2) for k in range(bits))
    return Beginning(
        "parity: is the number of ones odd?",
        "popcount(x) % 2 == 1",
        'strings = { x = "m" }',
        f"1 <= m <= {bits}",
        BITS_OF_X,
        COUNT,
        ONE_COLUMN,
        _mlp(
            "With v ones: v, minus 2 from the second on, plus 2 from the third on, ...",
            [("1", str(-k)) for k in range(bits)],
            alternating,
            "0",
        ),
        COUNTED,
    )


def majority(bits: int) -> Beginning:
    return Beginning(
        "majority: are more than half of the bits ones?",
        "2*popcount(x) > m",
        'strings = { x = "m" }',
        f"1 <= m <= {MOST_BITS}",
        BITS_OF_X,
        COUNT,
        ONE_COLUMN,
        _mlp("With v ones: 1 as soon as v is floor(m/2) + 1.", [("1", '"-floor(m/2)"'), ("1", '"-floor(m/2) - 1"')], "1, -1", "0"),
        COUNTED,
    )


def first_equals_last(bits: int) -> Beginning:
    rows = '# The first and the last bit count.\n[[row]]\nstep = 1\ni = "{1, m}"\nzero = [1, 0]\none = [1, 1]\n\n'
    rows += '# Those between them do not.\n[[row]]\nstep = 2\ni = "[2 : m - 1]"\nzero = [1, 0]\none = [1, 0]\n'
    return Beginning(
        "first bit equals last bit",
        "x[1] == x[m]",
        'strings = { x = "m" }',
        f"2 <= m <= {MOST_BITS}",
        BITS_OF_X,
        rows + LAST.format(step=3, i="m + 1", zero="1, 0"),
        ONE_COLUMN,
        _mlp("With v = x[1] + x[m]: 1 at 0 and at 2.", [("-1", "1"), ("1", "-1")], "1, 1", "0"),
        '\n# What you expect, checked on every input.\n[[expect]]\nname = "sum"\nof = "output"\nis = "x[1] + x[m]"\n',
    )


def equality(bits: int) -> Beginning:
    rows = '# y is added, bit by bit.\n[[row]]\nstep = 1\ni = "[1 : m]"\nzero = [1, 0]\none = [1, "2**(m - i)"]\n\n'
    rows += '# z is taken away.\n[[row]]\nstep = 2\ni = "[m + 1 : 2*m]"\nzero = [1, 0]\none = [1, "-2**(2*m - i)"]\n'
    return Beginning(
        "equality: are two strings the same?",
        "y == z",
        'length = "m"               # of y and of z',
        f"1 <= m <= {MOST_BITS}",
        BITS_OF_Y_AND_Z,
        rows + LAST.format(step=3, i="2*m + 1", zero="1, 0"),
        ONE_COLUMN,
        _mlp("With v = y - z: 1 - max(0, v) - max(0, -v).", [("1", "0"), ("-1", "0")], "-1, -1", "1"),
        AFTER_Y,
    )


def comparison(bits: int) -> Beginning:
    rows = '# y goes to the second coordinate, z to the third.\n[[row]]\nstep = 1\ni = "[1 : m]"\nzero = [1, 0, 0]\n'
    rows += 'one = [1, "2**(m - i)", 0]\n\n[[row]]\nstep = 2\ni = "[m + 1 : 2*m]"\nzero = [1, 0, 0]\none = [1, 0, "2**(2*m - i)"]\n'
    weights = "[weights.query]            # Q: the first coordinate\nmatrix = [[1], [0], [0]]\n\n[weights.key]              # K\n"
    weights += "matrix = [[1], [0], [0]]\n\n[weights.value]            # V: two columns, so that the attention has two outputs\n"
    return Beginning(
        "comparison: is y less than z? With two value columns",
        "value(y) < value(z)",
        'length = "m"               # of y and of z',
        f"1 <= m <= {MOST_BITS}",
        BITS_OF_Y_AND_Z,
        rows + LAST.format(step=3, i="2*m + 1", zero="1, 0, 0"),
        weights + "matrix = [[0, 0], [1, 0], [0, 1]]\n",
        _mlp("With the outputs y and z: 1 as soon as z - y is 1.", [("-1, 1", "0"), ("-1, 1", "-1")], "1, -1", "0"),
        '\n# What you expect of the two outputs, checked on every input.\n[[expect]]\nof = "output"\ncolumn = 1\nis = "value(y)"\n\n'
        '[[expect]]\nof = "output"\ncolumn = 2\nis = "value(z)"\n',
    )


NAMED: dict[str, Callable[[int], Beginning]] = {
    "parity": parity,
    "majority": majority,
    "first-equals-last": first_equals_last,
    "equality": equality,
    "comparison": comparison,
}


def of_formula(text: str, bits: int) -> Beginning:
    """Any condition on strings: one token holds all of them, and its vector says whether the condition holds.

    Raises:
        InputError: no condition, of no string, or of more bits than a token can hold.
    """
    tree = parse(text)
    if kind(tree) == "number" or isinstance(tree, ast.Name):
        raise InputError(f"--function {quoted(text)}: {', '.join(NAMED)}, or a condition such as popcount(x) % 2 == 1 was expected")
    strings = list(dict.fromkeys(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in names_in(tree) - {"m"}))
    if not strings:
        raise InputError(f"--function {quoted(text)}: it speaks of no string; names other than m are strings of m bits")
    if len(strings) * bits > WIDEST_TOKEN:
        most = WIDEST_TOKEN // len(strings)
        raise InputError(f"--bits {bits}: one token holds all strings, {len(strings) * bits} bits; at most --bits {most} was expected here")
    lengths = ", ".join(f'{name} = "m"' for name in strings)
    reads = ", ".join(f'"{name}[1 : m]"' for name in strings)
    entry = json.dumps(f"1 if {text} else 0", ensure_ascii=False)
    held = "".join(f'{name} = "{name}[1 : m]"\n' for name in strings)
    return Beginning(
        f"a condition on {' and '.join(strings)}",
        text,
        f"strings = {{ {lengths} }}",
        f"1 <= m <= {WIDEST_TOKEN // len(strings)}",
        WHOLE_STRINGS.format(reads=reads, held=held),
        BY_FORMULA.format(entry=entry) + LAST.format(step=2, i="2", zero="1, 0"),
        ONE_COLUMN,
        _mlp("The attention's output is the answer already.", [("1", "0")], "1", "0"),
    )


def beginning(function: str, bits: int, name: str) -> str:
    """The text of a construction file.

    Args:
        function: a name of :data:`NAMED`, EQ, GT, or a condition on strings of m bits each.
        bits: the length m of the strings where no ``--m`` is given.
        name: the construction's id.

    Raises:
        InputError: as :func:`of_formula`; also more bits than 24.
    """
    if not 1 <= bits <= MOST_BITS:
        raise InputError(f"--bits {bits}: from 1 to {MOST_BITS} were expected")
    wanted = SYNONYMS.get(function, function)
    made = NAMED[wanted](bits) if wanted in NAMED else of_formula(wanted, bits)
    return f"""format = "bitreferee/construction/1"
id = {json.dumps(name, ensure_ascii=False)}
title = {json.dumps(made.title, ensure_ascii=False)}
source = "where the table stands: paper, section, table"
attention = "linear"       # weights <Q, K>, not divided; "softmax" is exp(<Q, K>), divided by the sum of the weights

# Numbers in quotes are formulas: exact, with + - * / // % **, floor, ceil, log2, min, max, sum(... for j in (a, b)), if/else.
# Every field is explained in docs/format.md; `verify schema construction` prints a schema for editors.

# Each parameter is an option of `verify construction`: --m 5, --m 2..6.
[parameters.m]
where = "{made.where}"
meaning = "bits of a string"
default = {bits}

[precision]
bits = "m + 3"             # fixed point: a sign and m + 2 binary digits

# The answer is to be 1 where the function holds, else 0, on every input that keeps the promise.
[problem]
function = {json.dumps(made.function, ensure_ascii=False)}
promise = "none"
{made.strings}

{made.tokens}
{made.rows}
{made.weights}
{made.mlp}{made.expect}"""
