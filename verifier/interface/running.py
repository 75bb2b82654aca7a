"""``evaluate`` and ``trace``: a construction on one input, by the definition, in fractions."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.semantics import read_arithmetic
from verifier.interface.arguments import of_arguments, standard
from verifier.interface.constructions import Construction, loaded
from verifier.interface.notebooks import table
from verifier.networks.problems import read_bits
from verifier.running.errors import InputError, MissingExtraError
from verifier.show.trace_screen import trace_record
from verifier.transformers import table_traces as definition
from verifier.transformers.tables import Execution

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of a construction on one input. Numbers are :class:`~fractions.Fraction`, or INF, NEG_INF, NAN.

    numerators: one for each column of W^V; attentions: their quotients with the denominator, rounded; output: the MLP's output node;
    answer: 1, 0, or None where the output is neither. expected: the function's value, None for a formula that the promise does not ask;
    promised: whether the input keeps the promise.
    """

    construction: str
    edition: str
    parameters: dict[str, int]
    semantics: str
    input: dict[str, str]
    numerators: tuple[Number, ...]
    denominator: Number
    attentions: tuple[Number, ...]
    output: Number
    answer: int | None
    expected: int | None
    promised: bool
    document: dict[str, Any] = field(repr=False, compare=False)

    @property
    def numerator(self) -> Number:
        """The numerator, where W^V has one column."""
        return self._one(self.numerators, "numerators")

    @property
    def attention(self) -> Number:
        """The attention's output, where W^V has one column."""
        return self._one(self.attentions, "attentions")

    def _one(self, values: tuple[Number, ...], name: str) -> Number:
        if len(values) > 1:
            raise InputError(f"{self.construction}: W^V has {len(values)} columns; {name} has a number for each")
        return values[0]

    @property
    def correct(self) -> bool:
        """Whether the answer is the function's value."""
        return self.answer == self.expected

    def to_dict(self) -> dict[str, Any]:
        """The document of ``verify trace --format json``, without its steps."""
        return {k: v for k, v in self.document.items() if k != "steps"}

    def _repr_html_(self) -> str:
        rows = [["numerator", ", ".join(map(show, self.numerators))], ["denominator", show(self.denominator)]]
        rows += [["attention", ", ".join(map(show, self.attentions))], ["output", show(self.output)]]
        rows += [["answer", "neither 0 nor 1" if self.answer is None else str(self.answer)], ["expected", str(self.expected)]]
        return table(self._caption, ("", "value"), rows)

    @property
    def _caption(self) -> str:
        given = {**self.parameters, **self.input}
        return f"{self.construction} ({self.edition}), {', '.join(f'{k} = {v}' for k, v in given.items())}, {self.semantics}"


@dataclass(frozen=True)
class Trace(Evaluation):
    """An evaluation with its steps: for each token, in order, what it holds and adds, and the sums after it."""

    steps: tuple[definition.Step, ...] = field(repr=False, default=())

    def to_dict(self) -> dict[str, Any]:
        """The document of ``verify trace --format json``."""
        return dict(self.document)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each token: token, step, holds, score, weight, products, sums and denominator, with exact numbers."""
        return [_row(step) for step in self.steps]

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a table, indexed by token; numbers are objects (fractions), never floats.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise MissingExtraError("a trace as a pandas table needs pandas", "pandas") from None
        return DataFrame(self.rows(), dtype=object).set_index("token")

    def _repr_html_(self) -> str:
        listed = self.rows()
        head = list(listed[0])
        return table(self._caption, head, [[_cell(row[k]) for k in head] for row in listed])


@of_arguments
def evaluate(construction: Construction | str | PathLike[str], *strings: str, semantics: str = "a4", **parameters: int | str) -> Evaluation:
    """Run a construction on one input.

    Args:
        construction: what :func:`verifier.load` returns, or what it takes.
        strings: the input, y then z (or the file's strings in their order), each as a text, the first bit first.
        semantics: a reading, such as ``a4``, ``narrative`` or ``a4+ties=even``.
        parameters: the construction's, by name. The strings may be named, too: ``evaluate("parity.toml", x="011", m=3)``.

    Raises:
        TypeError: a string that is not a text, or a parameter that is not an int.
        InputError: a wrong number or length of strings, no such reading, or an ill-formed construction.

    Source: *Every Bit Counts*, Definitions A.2–A.4, A.7, A.10 and Section A.4.

    >>> zeros = "0" * 15
    >>> run = evaluate("lemma-2.6:table-6", zeros, zeros, p=8)
    >>> run.answer, run.expected, str(run.attention)
    (1, 1, '1/128')
    """
    made = trace(construction, *strings, semantics=semantics, **parameters)
    values = {name: getattr(made, name) for name in Evaluation.__dataclass_fields__}
    return Evaluation(**values)


@of_arguments
def trace(construction: Construction | str | PathLike[str], *strings: str, semantics: str = "a4", **parameters: int | str) -> Trace:
    """Run a construction on one input, with every step; arguments and errors as :func:`evaluate`.

    >>> y = "1" + "0" * 14
    >>> run = trace("lemma-2.6:table-6", y, y, p=8)
    >>> run.correct, run.steps[0].rounded, len(run.rows())
    (False, (), 35)
    """
    read = loaded(construction)
    named = {name: parameters.pop(name) for name in read.file.string_names if not strings and name in parameters}
    strings = strings or tuple(named.values())  # type: ignore[arg-type]  # what is not a text is refused below
    instance = read.at(**parameters)  # type: ignore[arg-type]  # what is not an integer is refused there
    lengths = instance.task.strings
    if len(strings) != len(lengths) or not all(isinstance(text, str) for text in strings):
        given, bits = ", ".join(type(text).__name__ for text in strings) or "nothing", sorted(set(lengths.values()))
        wanted = f"each a text of {bits[0]} bits" if len(bits) == 1 else f"texts of {' and '.join(map(str, lengths.values()))} bits"
        raise TypeError(f"the input is {given}; {' and '.join(lengths)} were expected, {wanted}")
    execution = Execution(instance, read_arithmetic(semantics))
    inputs = dict(zip(lengths, strings, strict=True))
    found = definition.evaluate_at(execution, {name: read_bits(text, lengths[name], name) for name, text in inputs.items()})
    return Trace(
        construction=read.name,
        edition=read.edition,
        parameters=dict(instance.parameters),
        semantics=execution.semantics.label,
        input=inputs,
        numerators=tuple(map(standard, found.numerators)),
        denominator=standard(found.denominator),
        attentions=tuple(map(standard, found.attentions)),
        output=standard(found.decision.output),
        answer=found.decision.answer,
        expected=found.expected,
        promised=found.promised,
        document=trace_record(execution, found, read.edition),
        steps=found.steps,
    )


def _row(step: definition.Step) -> dict[str, Any]:
    several = len(step.sums) > 1
    return {
        "token": step.token.index,
        "step": step.token.step,
        "holds": ", ".join(f"{bit} = {value}" for bit, value in zip(step.token.reads, step.content, strict=True)) or "0",
        "score": step.term.score,
        "weight": standard(step.term.weight),
        **{f"product {k}" if several else "product": standard(x) for k, x in enumerate(step.term.products, 1)},
        **{f"sum {k}" if several else "sum": standard(x) for k, x in enumerate(step.sums, 1)},
        "denominator": standard(step.denominator),
        "rounded": "; ".join(step.rounded),
    }


def _cell(value: Any) -> str:
    return str(value) if isinstance(value, (int, str)) else show(value)
