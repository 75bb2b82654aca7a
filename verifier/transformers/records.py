"""The records of network files, ``format = "bitreferee/network/1"``.

A *number* is a formula in the parameters, and a *map* a formula that is linear in names, such as ``"-place + share - 2*unit"``: maps
are the rows of the paper's matrices, written with the names of their columns.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from verifier.networks.files import OF_NETWORK_FILES
from verifier.networks.record_base import Expression, Parameter, Strict, identified, quantity_named

FORMAT = OF_NETWORK_FILES

Kind = Literal["softmax", "softmax-plus-one", "linear", "leftmost", "rightmost", "average-hard"]
SOFTMAX: tuple[Kind, ...] = ("softmax", "softmax-plus-one")
ONE_TOKEN: tuple[Kind, ...] = ("leftmost", "rightmost")
HARD: tuple[Kind, ...] = (*ONE_TOKEN, "average-hard")
BY_ARRAYS: tuple[Kind, ...] = (*SOFTMAX, *HARD, "linear")
"""Kinds whose weights arrays, abstractions and exports compute. For any other kind of attention, only the definition knows the weights."""
Mask = Literal["none", "causal", "strictly-causal"]
Score = Literal["product", "minus-absolute"]
Activation = Literal["relu", "clipped-relu", "step", "identity", "silu"]
Block = Literal["attention", "network"]


class NetworkParameter(Parameter, frozen=True):
    """A parameter, such as the length n."""

    typical: Annotated[str, Meta(description="Values that a reader would try, such as `1..16`.")] = ""


class Input(Strict, frozen=True):
    """The input of the network: strings and tokens."""

    strings: Annotated[dict[str, Expression], Meta(description="The strings and their lengths, as `{ w = 'n' }`.")]
    tokens: Annotated[
        list[str],
        Meta(description="The tokens in their order: special tokens, symbols, `w`, `w[1 : n]`, `reversed(w)`. Other words are special."),
    ]
    alphabet: Annotated[
        list[str],
        Meta(
            description="The symbols of the strings. Symbol k, from 0, is the number k in formulas. A symbol that is a word is also a name."
        ),
    ] = field(default_factory=lambda: ["0", "1"])
    letters: Annotated[
        int | None,
        Meta(
            description="How many symbols of the alphabet, from the first on, strings may have; others are only appended. By default all."
        ),
    ] = None
    promise: Annotated[str, Meta(description="The strings that count: a condition, or `none` for all.")] = "none"
    first: Annotated[int, Meta(description="The position i of the first token.")] = 0


class Head(Strict, frozen=True):
    """One attention head."""

    value: Annotated[
        dict[str, Expression], Meta(description="The values that are averaged: maps, each with the coordinate to which it is added.")
    ]
    kind: Annotated[Kind, Meta(description="How scores become weights. `leftmost` and `rightmost`: all weight on one largest score.")] = (
        "softmax"
    )
    query: Annotated[list[Expression], Meta(description="The maps of the query. None: every score is 0.")] = field(default_factory=list)
    key: Annotated[list[Expression], Meta(description="The maps of the key, as many as of the query.")] = field(default_factory=list)
    score: Annotated[
        Score, Meta(description="The score as a function of x, query times key: `product` is x, `minus-absolute` is -|x|.")
    ] = "product"
    scale: Annotated[Expression | None, Meta(description="The number by which scores are multiplied; by default that of the layer.")] = None
    mask: Annotated[Mask, Meta(description="`causal`: positions j <= i only; `strictly-causal`: j < i only.")] = "none"
    masked: Annotated[Expression, Meta(description="`-inf`: masked tokens take no part; or the number that replaces their score.")] = "-inf"
    where: Annotated[
        str, Meta(description="A condition, besides the mask, on the positions i (query) and j (key) of tokens that take part.")
    ] = ""
    normed: Annotated[Expression | None, Meta(description="Query and key have an RMS norm, before they are turned: its eps.")] = None
    bias: Annotated[
        Expression | None, Meta(description="A number that is added to a score: a formula in the positions i (query) and j (key).")
    ] = None
    rotary: Annotated[
        list[Expression],
        Meta(description="Angles: entries 2k - 1 and 2k of query and key are turned by i times angle k (j times, for the key)."),
    ] = field(default_factory=list)


class Norm(Strict, frozen=True):
    """Layer norm or RMS norm."""

    eps: Annotated[Expression, Meta(description="The number that is added to the variance (or mean square), such as `1/100000` or `0`.")]
    kind: Annotated[Literal["layer", "rms"], Meta(description="`layer`: the mean is subtracted first.")] = "layer"
    place: Annotated[Literal["before", "after"], Meta(description="Before a block, or after its result is added.")] = "after"
    of: Annotated[list[Block], Meta(description="The blocks that have it.")] = field(default_factory=lambda: ["attention", "network"])
    only: Annotated[
        list[str],
        Meta(description="The coordinates that are kept and normalised; the others become 0 (masked pre-norm). By default all."),
    ] = field(default_factory=list)
    gain: Annotated[dict[str, Expression], Meta(description="Factors of coordinates, where other than 1.")] = field(default_factory=dict)
    shift: Annotated[dict[str, Expression], Meta(description="Numbers that are added to coordinates afterwards.")] = field(
        default_factory=dict
    )


class FeedForward(Strict, frozen=True):
    """The network of two layers that acts on each position."""

    hidden: Annotated[dict[str, Expression], Meta(description="The hidden units, each a map of the coordinates.")]
    into: Annotated[dict[str, Expression], Meta(description="The results that are added to coordinates: maps of the hidden units.")]
    activation: Annotated[
        Activation, Meta(description="`clipped-relu`: min(max(x, 0), 1); `step`: 1 where x > 0, else 0; `silu`: x/(1 + e^-x).")
    ] = "relu"
    gate: Annotated[
        dict[str, Expression],
        Meta(description="Gated units: the unit of this name is multiplied by this map; the activation acts on `hidden`."),
    ] = field(default_factory=dict)
    factor: Annotated[Expression | None, Meta(description="A number that multiplies the result of `into`, as a separate operation.")] = None
    residual: Annotated[bool, Meta(description="Whether the result is added to the coordinates or replaces all of them.")] = True


class Layer(Strict, frozen=True):
    """A layer: attention, then the network on each position."""

    head: Annotated[list[Head], Meta(description="The heads.")] = field(default_factory=list)
    scale: Annotated[Expression, Meta(description="The number by which scores are multiplied, such as `1/sqrt(5)`.")] = 1
    combine: Annotated[
        dict[str, Expression],
        Meta(description="Maps from the names in `value` to coordinates; none: these names are coordinates already."),
    ] = field(default_factory=dict)
    residual: Annotated[bool, Meta(description="Whether the heads' result is added to the coordinates or replaces all of them.")] = True
    network: Annotated[FeedForward | None, Meta(description="The network on each position.")] = None
    norm: Annotated[Norm | None, Meta(description="The norm of this layer, in place of the file's.")] = None


class Accept(Strict, frozen=True):
    """Yes or no, by a condition on coordinates at one token."""

    function: Annotated[str, Meta(description="The right answer: a condition in the strings and parameters.")]
    at: Annotated[str, Meta(description="A special token, `first`, `last`, or a formula for the position.")]
    yes: Annotated[str, Meta(description="When the network says yes: a condition on the coordinates.")]
    no: Annotated[
        str,
        Meta(
            description="When it says no; by default, whenever it does not say yes. Neither is a wrong answer; both, a mistake of the file."
        ),
    ] = ""


class Choose(Strict, frozen=True):
    """A symbol, by the largest logit at one token; the first symbol if several are equal."""

    function: Annotated[Expression, Meta(description="The right symbol's number: a formula in the strings and parameters.")]
    at: Annotated[str, Meta(description="A special token, `first`, `last`, or a formula for the position.")]
    logit: Annotated[Expression, Meta(description="The logit of symbol c: a map whose numbers may use c.")] = ""
    logits: Annotated[dict[str, Expression], Meta(description="Or a map for each symbol.")] = field(default_factory=dict)


class Decode(Strict, frozen=True):
    """Symbols that are appended one by one, each by the largest logit at the last token; the first symbol if several are equal."""

    function: Annotated[Expression, Meta(description="The right symbol k, from 1: a formula in the strings, the parameters and k.")]
    steps: Annotated[Expression, Meta(description="How many symbols are appended.")]
    until: Annotated[str, Meta(description="The symbol that ends the output earlier.")] = ""
    logit: Annotated[Expression, Meta(description="The logit of symbol c: a map whose numbers may use c.")] = ""
    logits: Annotated[dict[str, Expression], Meta(description="Or a map for each symbol.")] = field(default_factory=dict)


class Expect(Strict, frozen=True):
    """An expectation: a condition on the coordinates of every token, after a layer."""

    after: Annotated[int, Meta(description="The layer, from 1; 0: the embedding.")]
    holds: Annotated[str, Meta(description="A condition on the coordinates; it may use i, token, the strings and the parameters.")]
    block: Annotated[Block, Meta(description="`attention`: before the layer's network.")] = "network"
    at: Annotated[str, Meta(description="At one token only: as `at` of `[accept]`.")] = ""
    name: Annotated[str, Meta(description="The name of the expectation in messages; by default `expect-` and its number.")] = ""


class NetworkFile(Strict, frozen=True):
    """A transformer."""

    format: Annotated[str, Meta(description="`bitreferee/network/1`, as the file's first line.")]
    id: Annotated[str, Meta(description="A short name: small letters, digits, dots and dashes.")]
    title: Annotated[str, Meta(description="A title, in words.")]
    source: Annotated[str, Meta(description="Where the network was published.")]
    parameters: Annotated[dict[str, NetworkParameter], Meta(description="The parameters by name; the first is the length.")]
    input: Annotated[Input, Meta(description="The strings and tokens that the network reads.")]
    embedding: Annotated[
        dict[str, Expression],
        Meta(description="Coordinates as formulas in `token`, the position i and the parameters; cos, sin, exp and sqrt are known."),
    ]
    layer: Annotated[list[Layer], Meta(description="The layers in their order.")]
    assumes: Annotated[str, Meta(description="The authors' assumptions about the arithmetic.")] = ""
    note: Annotated[str, Meta(description="Anything that a reader should know.")] = ""
    coordinates: Annotated[
        list[str],
        Meta(description="All coordinates in the order of the source; by default those that are set. Other coordinates are 0."),
    ] = field(default_factory=list)
    constants: Annotated[dict[str, Expression], Meta(description="Names for numbers, formulas in the parameters.")] = field(
        default_factory=dict
    )
    norm: Annotated[Norm | None, Meta(description="The norm of every layer without a norm.")] = None
    final_norm: Annotated[Norm | None, Meta(description="A norm after the last layer; its `place` and `of` are not used.")] = None
    accept: Annotated[Accept | None, Meta(description="The output: yes or no.")] = None
    choose: Annotated[Choose | None, Meta(description="The output: a symbol.")] = None
    decode: Annotated[Decode | None, Meta(description="The output: symbols that are appended.")] = None
    expect: Annotated[list[Expect], Meta(description="Expectations about coordinates.")] = field(default_factory=list)
    open: Annotated[dict[str, str], Meta(description="Questions that the source leaves open, and the answer that this file takes.")] = (
        field(default_factory=dict)
    )

    def __post_init__(self) -> None:
        identified(self.id, "id")
        for part in ("parameters", "constants"):
            for name in getattr(self, part):
                quantity_named(name, part, name)
        if sum(part is not None for part in (self.accept, self.choose, self.decode)) != 1:
            raise ValueError("one of the tables accept, choose and decode was expected")
        if not self.parameters:
            raise ValueError("a parameter was expected: the length of the input")

    @property
    def length(self) -> str:
        """The parameter that is the length of the input."""
        return next(iter(self.parameters))
