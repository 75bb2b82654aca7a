"""``evaluate`` and ``trace``: a construction on one input, by the definition, in fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.semantics import EXACT, arithmetic, read_arithmetic
from verifier.interface.arguments import of_arguments, standard, texts
from verifier.interface.constructions import Construction, loaded
from verifier.interface.notebooks import frame, table
from verifier.interface.subjects import NetworkSubject, TableSubject, given_subject, one_string_gives
from verifier.networks.problems import read_bits
from verifier.running.errors import InputError
from verifier.show.trace_screen import trace_record
from verifier.transformers import table_traces as definition
from verifier.transformers.files import is_network
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
        return frame(self.rows()).set_index("token")

    def _repr_html_(self) -> str:
        listed = self.rows()
        head = list(listed[0])
        return table(self._caption, head, [[_cell(row[k]) for k in head] for row in listed])


@dataclass(frozen=True)
class NetworkTrace:
    """A network of several layers on one input.

    found, expected: the answer and the right one, as words; promised: whether the input keeps the promise; lines: the trace in words.
    """

    network: str
    arithmetic: str
    input: dict[str, str]
    found: str
    expected: str
    correct: bool
    promised: bool
    lines: tuple[str, ...] = field(repr=False)
    document: dict[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The document of ``verify trace --format json``."""
        return dict(self.document)

    def _repr_html_(self) -> str:
        return table(f"{self.network}, {self.arithmetic}", ("trace",), [[line] for line in self.lines])


def network_trace(subject: NetworkSubject, digits: Mapping[str, str], ranges: Mapping[str, str], how: str | None) -> NetworkTrace:
    """Run a network on one input; a length that is not given is that of the string.

    Raises:
        InputError: a string or length that does not fit, or no such arithmetic.
    """
    from verifier.show.network_trace import as_document
    from verifier.transformers.contexts import context
    from verifier.transformers.network import network
    from verifier.transformers.outputs import judged, promised
    from verifier.transformers.trace import trace_lines

    file = subject.file
    single = all(len(symbol) == 1 for symbol in file.input.alphabet[: file.input.letters])
    sizes = {name: len(text) if single else len(text.split()) for name, text in digits.items()}
    whole = one_string_gives({n: str(length) for n, length in file.input.strings.items() if str(length) in file.parameters}, ranges, sizes)
    if file.length not in whole:
        raise InputError(f"--{file.length} was expected: {file.parameters[file.length].meaning or 'the length'}")
    built = network(file, subject.integers(whole))
    strings = {name: built.input.read(name, digits[name]) for name in built.input.lengths}
    chosen = arithmetic(EXACT if how is None else how)
    made = judged(built, strings, context(chosen))
    return NetworkTrace(
        network=subject.name,
        arithmetic=str(chosen),
        input=dict(digits),
        found=made.answer.found,
        expected=made.answer.expected,
        correct=made.answer.right,
        promised=promised(built, strings),
        lines=(f"{subject.name} in {chosen}", *trace_lines(built, made)),
        document=as_document(subject.name, built, chosen, made),
    )


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
    made = _traced(loaded(construction), strings, semantics, parameters)
    values = {name: getattr(made, name) for name in Evaluation.__dataclass_fields__}
    return Evaluation(**values)


@of_arguments
def trace(
    construction: Construction | str | PathLike[str], *strings: str, semantics: str | None = None, **parameters: int | str
) -> Trace | NetworkTrace:
    """Run a construction, or a network such as ``gallery/parity``, on one input, with every step; arguments and errors as :func:`evaluate`.

    semantics: by default ``a4``; of a network ``exact``. A length that is not given is that of the string.

    >>> y = "1" + "0" * 14
    >>> run = trace("lemma-2.6:table-6", y, y, p=8)
    >>> run.correct, run.steps[0].rounded, len(run.rows())
    (False, (), 35)
    """
    if not isinstance(construction, Construction) and is_network(fspath(construction)):
        subject = given_subject(fspath(construction))
        assert isinstance(subject, NetworkSubject)
        words = [option.name for option in subject.strings()]
        digits = dict(zip(words, strings, strict=False)) | {k: str(v) for k, v in parameters.items() if k in words}
        if len(strings) > len(words) or len(digits) < len(words):
            raise TypeError(f"the input is {len(digits)} strings; {' and '.join(words)} were expected")
        return network_trace(subject, digits, texts({k: v for k, v in parameters.items() if k not in words}), semantics)
    return _traced(loaded(construction), strings, semantics or "a4", parameters)


def _traced(read: Construction, strings: tuple[str, ...], semantics: str, parameters: dict[str, int | str]) -> Trace:
    """A construction on one input."""
    named = {name: parameters.pop(name) for name in read.file.string_names if not strings and name in parameters}
    strings = strings or tuple(named.values())  # type: ignore[arg-type]  # what is not a text is refused below
    if read.claim is None:
        parameters |= _lengths_of(read, strings, parameters)
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


def _lengths_of(read: Construction, strings: tuple[str, ...], parameters: Mapping[str, int | str]) -> dict[str, int]:
    """The parameters that are the length of a string and are not given."""
    sizes = {name: len(text) for name, text in zip(read.file.string_names, strings, strict=False) if isinstance(text, str)}
    found = one_string_gives(TableSubject(read.name, read.source).lengths(), dict.fromkeys(parameters, ""), sizes)
    return {name: int(text) for name, text in found.items() if name not in parameters}


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
