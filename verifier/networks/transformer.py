"""The records of the transformer that a construction file writes down: the embedding vectors, the attention's weights, the MLP."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from verifier.networks.record_base import Expression, Strict, quantity_named


class RepeatedEntry(Strict, frozen=True, rename={"for_": "for", "in_": "in"}):
    """One entry for each index of a range, for vectors whose length depends on the parameters:
    `{ for = "k", in = "[1 : 2*m]", entry = "1 if k == i else 0" }`.
    """

    for_: Annotated[str, Meta(description="The name of the index.")]
    in_: Annotated[Expression, Meta(description="Its range.")]
    entry: Annotated[Expression, Meta(description="The entry, a formula that may use the index.")]

    def __post_init__(self) -> None:
        quantity_named(self.for_)


class RepeatedRow(Strict, frozen=True, rename={"for_": "for", "in_": "in"}):
    """One row of a matrix for each index of a range."""

    for_: Annotated[str, Meta(description="The name of the index.")]
    in_: Annotated[Expression, Meta(description="Its range.")]
    row: Annotated[list[Expression], Meta(description="The row; its entries may use the index.")]

    def __post_init__(self) -> None:
        quantity_named(self.for_)


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

    matrix: Annotated[list[list[Expression] | RepeatedRow], Meta(description="Its rows, one for each coordinate of a token's vector.")]
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
            quantity_named(self.for_)


class MlpEntry(Strict, frozen=True):
    """The final MLP: its inputs are the attention's outputs, and its output node is the answer, 1 or 0 (or what `[accept]` says)."""

    hidden: Annotated[list[NodeEntry], Meta(description="The hidden nodes, each with a weight for every column of W^V.")]
    output: Annotated[NodeEntry, Meta(description="The output node, with a weight for every hidden node.")]

    def __post_init__(self) -> None:
        if self.output.for_ is not None:
            raise ValueError("there is one output node: for and in are of hidden nodes")


class AcceptEntry(Strict, frozen=True):
    """The outputs that count as yes and as no, if these are not 1 and 0. NaN counts as no."""

    yes: Annotated[
        str, Meta(description="When the transformer says yes: comparisons of `out`, the output node, with numbers, such as `out > 1/2`.")
    ]
    no: Annotated[str, Meta(description="When it says no; if none is given, whenever it does not say yes. Saying neither is wrong.")] = ""
    rectified: Annotated[bool, Meta(description="Whether `out` is max(0, sum); `false`: the sum itself, which may be negative.")] = True
