"""The records into which construction files (TOML) are read: every field, with its description for readers.

The JSON schema and the reference of fields come from these records (:mod:`verifier.show.field_reference`).

Everything that depends on the parameters is a formula (:mod:`verifier.formulas`); an index range has the papers' notation: ``-1``, ``{0,
1}``, ``[7 : h]``, ``{2, 4, ..., 2*t - 8}``. Rows stand in printed order.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from verifier.arithmetic.semantics import Point
from verifier.networks.record_base import OPTIONS, Expression, Parameter, Strict, UnfitError, identified, option_named, quantity_named
from verifier.running.identifiers import meant


class RepeatedEntry(Strict, frozen=True, rename={"for_": "for", "in_": "in"}):
    """One entry for each index of a range, for vectors whose length depends on the parameters:
    `{ for = "k", in = "[1 : 2*m]", entry = "1 if k == i else 0" }`.
    """

    for_: Annotated[str, Meta(description="The name of the index.")]
    in_: Annotated[Expression, Meta(description="Its range.")]
    entry: Annotated[Expression, Meta(description="The entry, a formula that may use the index.")]

    def __post_init__(self) -> None:
        quantity_named(self.for_, "for")


class RepeatedRow(Strict, frozen=True, rename={"for_": "for", "in_": "in"}):
    """One row of a matrix for each index of a range."""

    for_: Annotated[str, Meta(description="The name of the index.")]
    in_: Annotated[Expression, Meta(description="Its range.")]
    row: Annotated[list[Expression], Meta(description="The row; its entries may use the index.")]

    def __post_init__(self) -> None:
        quantity_named(self.for_, "for")


Entries = list[Expression | RepeatedEntry]
"""A vector."""


class RowEntry(Strict, frozen=True):
    """One printed row of the table: the embedding vectors of some tokens."""

    step: Annotated[int, Meta(description="The number that the page gives the row; messages name it.")]
    i: Annotated[Expression, Meta(description="The tokens, as in `input`.")]
    zero: Annotated[
        Entries,
        Meta(
            description="The vector if the last field of the token is 0. Entries may use parameters, derived quantities, `i`, "
            "the fields as numbers `f1`, `f2`, ..., `quantities`, and `N` or `-N`."
        ),
    ]
    one: Annotated[Entries | None, Meta(description="The vector if the last field is not 0; left out if it is always 0.")] = None


class MatrixEntry(Strict, frozen=True):
    """A weight matrix, row by row."""

    matrix: Annotated[
        list[list[Expression] | RepeatedRow], Meta(description="The rows of the matrix, one for each coordinate of a token's vector.")
    ]
    times: Annotated[
        Literal["1", "ln2"],
        Meta(description="`ln2` where the page has the factor ln 2, else `1`. One of W^Q and W^K may have it, W^V may not."),
    ] = "1"


class WeightsEntry(Strict, frozen=True):
    """The weights of the attention: W^Q, W^K, W^V."""

    query: Annotated[MatrixEntry, Meta(description="W^Q.")]
    key: Annotated[MatrixEntry, Meta(description="W^K, of the same width.")]
    value: Annotated[MatrixEntry, Meta(description="W^V: one column or more, each an output of the attention.")]


class NodeEntry(Strict, frozen=True, rename={"for_": "for", "in_": "in"}):
    """A node of the MLP: max(0, sum of weights times inputs + bias). With `for` and `in`, one for each index of a range."""

    weights: Annotated[Entries, Meta(description="A weight for each input of the node, also repeated ones.")]
    bias: Annotated[Expression, Meta(description="The number that is added last.")]
    for_: Annotated[str | None, Meta(description="For repeated hidden nodes: the name of the index, which weights and bias may use.")] = (
        None
    )
    in_: Annotated[Expression | None, Meta(description="For repeated hidden nodes: the range of the index, such as `[1 : m]`.")] = None

    def __post_init__(self) -> None:
        if (self.for_ is None) != (self.in_ is None):
            raise ValueError("for and in belong together: the name of the index and its range")
        if self.for_ is not None:
            quantity_named(self.for_, "for")


class MlpEntry(Strict, frozen=True):
    """The final MLP: its inputs are the attention's outputs, and its output node is the answer, 1 or 0 (or what `[accept]` says)."""

    hidden: Annotated[list[NodeEntry], Meta(description="The hidden nodes, each with a weight for every column of W^V.")]
    output: Annotated[NodeEntry, Meta(description="The output node, with a weight for every hidden node.")]

    def __post_init__(self) -> None:
        if self.output.for_ is not None:
            raise ValueError("for and in are allowed for hidden nodes only, not for the output node")


class AcceptEntry(Strict, frozen=True):
    """The outputs that count as yes and as no, if these are not 1 and 0. NaN counts as no."""

    yes: Annotated[
        str, Meta(description="When the transformer says yes: comparisons of `out`, the output node, with numbers, such as `out > 1/2`.")
    ]
    no: Annotated[
        str,
        Meta(
            description="When it says no; by default, whenever it does not say yes. Neither is a wrong answer; both, a mistake of the file."
        ),
    ] = ""
    rectified: Annotated[bool, Meta(description="Whether `out` is max(0, sum); `false`: the sum itself, which may be negative.")] = True


CONSTRUCTION = "bitreferee/construction/1"

SEMANTICS = "semantics"
"""Beside parameters, what ``[check]`` may name."""


class PrecisionEntry(Strict, frozen=True):
    """Fixed point: `bits`. Floating point: `t` digits of the mantissa and `e` of the exponent, each with its sign."""

    bits: Annotated[Expression | None, Meta(description="Fixed point: a sign and bits - 1 binary digits.")] = None
    t: Annotated[Expression | None, Meta(description="Floating point: digits of the mantissa, with its sign.")] = None
    e: Annotated[Expression | None, Meta(description="Floating point: digits of the exponent, with its sign.")] = None

    @property
    def point(self) -> Point:
        """The kind of format."""
        return "fixed" if self.bits is not None else "floating"


class ProblemEntry(Strict, frozen=True):
    """The function that the table computes, its strings, and the inputs that count. Either `length` or `strings` is given."""

    function: Annotated[
        str,
        Meta(
            description="A condition on the strings, such as `popcount(x) % 2 == 1`, `x[1] == x[m]` or `value(y) < value(z)`: "
            "the answer is 1 where it holds, else 0. EQ is short for `y == z`, GT for `y > z`."
        ),
    ]
    promise: Annotated[str, Meta(description="The inputs that count: `none` (all), or a condition such as `y <= z`.")] = "none"
    length: Annotated[Expression | None, Meta(description="Two strings y and z, both of this length.")] = None
    strings: Annotated[
        dict[str, Expression],
        Meta(description='Any strings, each with its length: `strings = { x = "m" }`. Inputs are numbered with the first string in front.'),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.length is None) == (not self.strings):
            raise ValueError("either length (of y and z) or strings was expected")
        for name in self.strings:
            quantity_named(name)
            option_named(name, "string", set(OPTIONS) - {"y", "z"}, "strings", name)


class TokensEntry(Strict, frozen=True):
    """The range of tokens. The last one asks: its row gives the query."""

    first: Annotated[Expression, Meta(description="The first index.")]
    last: Annotated[Expression, Meta(description="The last index.")]


class InputEntry(Strict, frozen=True):
    """The input representation: what some of the tokens hold."""

    i: Annotated[Expression, Meta(description="The tokens: `3`, `{0, 1}`, `[7 : h]`, `{2, 4, ..., 2*t}`, or a union with `|`.")]
    reads: Annotated[
        Expression | list[Expression],
        Meta(description="Their content: `0`, a bit `y[i]`, its complement `~y[i]`, bits `y[2 : e+1]`, or a list of such fields."),
    ]


Subject = Literal["numerator", "column", "denominator", "output"]


class ExpectEntry(Strict, frozen=True, rename={"is_": "is"}):
    """An expectation: a quantity of the evaluation on every promised input. Either `is` or `holds` is given."""

    of: Annotated[
        Subject,
        Meta(
            description="`numerator`: the partial numerator, (A X) W^V; `column`: a column of A X; `denominator`: the partial sum of the "
            "weights; `output`: the attention's output, rounded."
        ),
    ] = "numerator"
    column: Annotated[
        int, Meta(description='With `of = "column"` the coordinate of the vectors, otherwise the column of W^V. Counted from 1.')
    ] = 1
    step: Annotated[int | None, Meta(description="After the last token of the row with this step.")] = None
    i: Annotated[
        Expression | None,
        Meta(description="After each of these tokens; formulas call the token `i`. By default, after the last token."),
    ] = None
    is_: Annotated[Expression | None, Meta(description="The value, a formula in the strings, parameters and derived quantities.")] = None
    holds: Annotated[str, Meta(description="Or a condition that may also use `v`, the value found.")] = ""
    where: Annotated[str, Meta(description="Only for inputs that keep this condition as well.")] = ""
    name: Annotated[str, Meta(description="The name of the expectation in messages; by default `expect-` and its number.")] = ""

    def __post_init__(self) -> None:
        if (self.is_ is None) == (not self.holds):
            raise ValueError("either is or holds was expected")
        if self.step is not None and self.i is not None:
            raise ValueError("step or i was expected, not both")
        if self.of == "output" and (self.step is not None or self.i is not None):
            raise ValueError("the output comes after all tokens, so step and i cannot be given")


class ConstructionFile(Strict, frozen=True):
    """A construction file."""

    format: Annotated[str, Meta(description="`bitreferee/construction/1`, as the file's first line.")]
    id: Annotated[str, Meta(description="A short name, which results carry: small letters, digits, dots and dashes.")]
    title: Annotated[str, Meta(description="A title, in words.")]
    source: Annotated[str, Meta(description="Where the table was printed.")]
    parameters: Annotated[dict[str, Parameter], Meta(description="The parameters by name.")]
    precision: Annotated[PrecisionEntry, Meta(description="The format of all numbers.")]
    problem: Annotated[ProblemEntry, Meta(description="The function and its inputs.")]
    tokens: Annotated[TokensEntry, Meta(description="The range of tokens.")]
    input: Annotated[list[InputEntry], Meta(description="The content of each token; every token is in one clause.")]
    row: Annotated[list[RowEntry], Meta(description="The table, in printed order; every token in one row.")]
    weights: Annotated[WeightsEntry, Meta(description="The attention's weights.")]
    mlp: Annotated[MlpEntry, Meta(description="The final MLP.")]
    accept: Annotated[AcceptEntry | None, Meta(description="The outputs that count as yes and as no; by default 1 and 0.")] = None
    derived: Annotated[dict[str, Expression], Meta(description="Names for formulas in the parameters and earlier ones.")] = field(
        default_factory=dict
    )
    quantities: Annotated[
        dict[str, str],
        Meta(description='Names for bits, such as `e_y = "y[2 : e+1]"`: in entries of tokens that hold them, a string and its number.'),
    ] = field(default_factory=dict)
    expect: Annotated[list[ExpectEntry], Meta(description="Expectations about partial sums and outputs.")] = field(default_factory=list)
    attention: Annotated[
        Literal["softmax", "linear"],
        Meta(description="`softmax`: weights exp(<Q, K>), divided by their sum; `linear`: weights <Q, K>, not divided."),
    ] = "softmax"
    note: Annotated[str, Meta(description="Anything that a reader should know.")] = ""
    check: Annotated[
        dict[str, Expression],
        Meta(description='Defaults for the command line: values or ranges of parameters (`"4..6"`), `semantics`.'),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        identified(self.id, "id")
        for part in ("parameters", "derived"):
            for name in getattr(self, part):
                quantity_named(name, part, name)
        for name in self.parameters:
            option_named(name, "parameter", OPTIONS, "parameters", name)
        if twice := self.parameters.keys() & self.derived.keys():
            raise ValueError(f"{min(twice)!r} is both a parameter and a derived quantity")
        if twice := self.problem.strings.keys() & (self.parameters.keys() | self.derived.keys()):
            raise ValueError(f"{min(twice)!r} is both a string and a quantity")
        if self.weights.value.times == "ln2":
            raise UnfitError('"ln2"; "1" was expected: only the scores of W^Q and W^K may have the factor', "weights", "value", "times")
        if self.weights.query.times == self.weights.key.times == "ln2":
            message = '"ln2"; "1" was expected: W^Q has the factor already, and its square has no exact rule'
            raise UnfitError(message, "weights", "key", "times")
        _checkable(self)
        for number, name in enumerate(self.expectations):
            identified(name, "expect", number, "name")
            if name in self.expectations[:number]:
                raise UnfitError(f"{name!r} is given twice; no two alike were expected", "expect", number, "name")

    @property
    def string_names(self) -> tuple[str, ...]:
        """The names of the input strings."""
        return tuple(self.problem.strings) or ("y", "z")

    @property
    def expectations(self) -> list[str]:
        """The names of the expectations, in their order."""
        return [entry.name or f"expect-{number}" for number, entry in enumerate(self.expect, 1)]


def _checkable(file: ConstructionFile) -> None:
    """Raise ValueError if ``[check]`` has a key that is not used."""
    for name, value in file.check.items():
        if name not in file.parameters and name != SEMANTICS:
            why = ", and this name is derived from parameters" if name in file.derived else ""
            hint = meant(name, [*file.parameters, SEMANTICS], f"{', '.join(file.parameters)} or {SEMANTICS} was expected{why}")
            raise UnfitError(f"no parameter {name!r}; {hint}", "check", name)
        if name == SEMANTICS and not isinstance(value, str):
            raise UnfitError(f"{value!r}; the name of a reading was expected", "check", name)
