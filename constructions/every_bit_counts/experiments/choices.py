"""The choices of a run: the numbers printed in the paper, and a name for each choice that it leaves open."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from math import prod
from pathlib import Path
from typing import Any, Literal

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError
from verifier.running.input_files import MOST_RESULT_BYTES, read_regular

PRINTED_STEPS = {100: 30_000, 50: 20_000, 30: 6_000, 15: 6_000}
"""Appendix D, Training Dynamics: the epochs for each m, each of one batch."""

LAST_STEPS = 6_000
"""For other m."""


@dataclass(frozen=True)
class Network:
    """The transformer. Numbers as printed in Appendix D; the switches are usual additions that Definition A.2 does not have.

    residual: the attention's input is added to its output, the MLP's to its; biases: of queries, keys and values;
    scaled: ⟨Q,K⟩ is divided by the square root of a head's dimension.
    """

    m: int
    heads: int = 2
    d: int = 8
    hidden: int = 32
    residual: bool = False
    biases: bool = False
    scaled: bool = False

    @property
    def n(self) -> int:
        """Tokens: both strings and the one that asks."""
        return 2 * self.m + 1

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Every array of parameters, by name."""
        d, h = self.d, self.hidden
        found: dict[str, tuple[int, ...]] = {
            "embedding": (2, self.n, d),
            "query": (d, d),
            "key": (d, d),
            "value": (d, d),
            "gain-1": (d,),
            "shift-1": (d,),
            "hidden": (d, h),
            "hidden-bias": (h,),
            "output": (h, d),
            "output-bias": (d,),
            "gain-2": (d,),
            "shift-2": (d,),
            "head": (d, 2),
            "head-bias": (2,),
        }
        if self.biases:
            found |= {"query-bias": (d,), "key-bias": (d,), "value-bias": (d,)}
        return found

    def parameters(self) -> int:
        """The number of parameters."""
        return sum(map(prod, self.shapes().values()))


def parameters(m: Fraction) -> Fraction:
    """The number of parameters of the network in Appendix D, counted array by array."""
    return Fraction(Network(int(m)).parameters())


@dataclass(frozen=True)
class Training:
    """AdamW without weight decay, PyTorch's defaults otherwise; fresh batches."""

    steps: int
    batch: int = 512
    test: int = 5120
    rate: float = 1e-3
    fine_tuning: int = 500


INTEGERS = ("INT12", "INT8", "INT6", "INT4")
"""Tables 1 and 2: bits, the sign's with them; the largest integer is 2^(bits - 1) - 1."""

FLOATING = {"FP16": (5, 10), "FP8_E5M2": (5, 2), "FP8_E4M3": (4, 3)}
"""Tables 3 and 4: exponent and mantissa bits."""

Kind = Literal["integer", "floating"]
FORMATS = (*INTEGERS, *FLOATING)

_INTEGER = re.compile(r"INT([2-9]|1[0-9]|2[0-4])", re.ASCII)
_FLOATING = re.compile(r"E([2-7])M([1-9]|1[0-9]|2[0-2])", re.ASCII)


def kind_of(name: str) -> Kind:
    """The kind of a format: one of the tables, ``INT2`` to ``INT24``, or ``E2M1`` to ``E7M22`` with the infinities of IEEE 754.

    Raises:
        InputError: a name of no format. Eight exponent bits are the maximum, because every operation between two roundings runs in float32.

    """
    if _INTEGER.fullmatch(name):
        return "integer"
    if name in FLOATING or _FLOATING.fullmatch(name):
        return "floating"
    raise InputError(f"{name[:40]!r} is not a format; one of {', '.join(FORMATS)}, INT2 to INT24 or E2M1 to E7M22 was expected")


def exponent_and_mantissa(name: str) -> tuple[int, int]:
    """The exponent and mantissa bits of a floating-point format."""
    found = _FLOATING.fullmatch(name)
    return (int(found[1]), int(found[2])) if found else FLOATING[name]


Scale = Literal["tensor", "channel"]
Activations = Literal["rounded", "exact"]
Attention = Literal["shares", "sums"]
Shift = Literal["maximum", "none"]
Overflow = Literal["saturate", "infinity"]
E4M3 = Literal["fn", "ieee"]
NoNumber = Literal["unequal", "wrong"]
FineTuning = Literal["project", "straight-through"]


@dataclass(frozen=True)
class Quantization:
    """The choices that Appendix D leaves open, each with a name.

    scale:     of an integer format: one for each array, the largest magnitude over the largest integer; or, for weight matrices, one for
               each output (channel). Activations have one for each array, over the batch.
    clip:      the share of the largest magnitude for which the scale is chosen; larger values overflow.
    activations: rounded like the weights, or not at all.
    attention: the quantities of the attention that are rounded: each token's share, e^⟨Q,K⟩ over their sum, and then the sum of the values
               in these shares (``shares``); or e^⟨Q,K⟩, its sum, the sum of weighted values, and the quotient, as in Section A.4
               (``sums``).
    shift:     the maximum of a head's scores is subtracted before e^score is rounded, as softmax routines do, or not, as in Section A.4.
    overflow:  values beyond the largest of a format become infinite, or the largest value. No value exceeds the largest integer if its
               scale is chosen for the largest magnitude (``clip`` 1). e4m3: the values of the largest exponent: numbers, except NaN
               (``fn``, largest 448), or infinity and NaN (``ieee``, largest 240).
    no_number: the answer of an output NaN: unequal, as PyTorch's argmax gives, or none, which is wrong.
    fine_tuning: loss and gradients in float32, and the weights rounded after each step, as Appendix D describes it (``project``); or the
               loss of the rounded network, gradients straight through the rounding, and unrounded float32 weights.
    """

    scale: Scale = "tensor"
    clip: float = 1.0
    activations: Activations = "rounded"
    attention: Attention = "shares"
    shift: Shift = "maximum"
    overflow: Overflow = "infinity"
    e4m3: E4M3 = "fn"
    no_number: NoNumber = "unequal"
    fine_tuning: FineTuning = "project"


@dataclass(frozen=True)
class Choices:
    """A run: ``seeds`` networks, of seeds 0, 1, …, in the named formats.

    parts: the number of batches of seeds, a thread each. It is not a choice of the experiment, but the last digits of float32 sums depend
    on it, and so do the trained networks.
    """

    network: Network
    training: Training
    quantization: Quantization = field(default_factory=Quantization)
    seeds: int = 10
    parts: int = 2
    formats: tuple[str, ...] = FORMATS

    def names(self, kind: Kind) -> tuple[str, ...]:
        """The formats of one kind."""
        return tuple(name for name in self.formats if kind_of(name) == kind)

    def document(self) -> dict[str, Any]:
        """The form for JSON. The formats are left out if they are those of the tables, as in older runs."""
        made = {**asdict(self), "formats": list(self.formats)}
        return {name: value for name, value in made.items() if name != "formats" or self.formats != FORMATS}


def printed(m: int, seeds: int = 10) -> Choices:
    """The run of Appendix D, as far as the paper describes it."""
    return Choices(Network(m), Training(PRINTED_STEPS.get(m, LAST_STEPS)), seeds=seeds)


RUNS = "bitreferee-experiment-1"
"""The format of a run's results."""


def read_results(path: Path, *formats: str) -> dict[str, Any]:
    """The results in a file of one of these formats.

    Raises:
        InputError: no such file, or none of such results.
    """
    try:
        found = json.loads(read_regular(path, MOST_RESULT_BYTES))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: results of an experiment were expected ({error!r})") from None
    if not isinstance(found, dict) or found.get("schema") not in formats:
        raise InputError(f"{path}: results of an experiment ({' or '.join(formats)}) were expected")
    return found
