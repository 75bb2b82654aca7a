"""From a construction file to an instance at given parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from verifier.arithmetic.formats import Digits, Precision
from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import truth
from verifier.networks.acceptance import USUAL, Acceptance, acceptance_at
from verifier.networks.collected_defects import Checked
from verifier.networks.entries import Names, integer, rational
from verifier.networks.expectations import expected
from verifier.networks.indices import Field, field
from verifier.networks.instance import Defect, Instance
from verifier.networks.problems import FUNCTIONS, WRITTEN, as_pairs, as_problem, promise_at
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile, PrecisionEntry
from verifier.networks.tasks import NO_PROMISE, Task, formula_task
from verifier.networks.tokens import contents_of, rows_of
from verifier.networks.vectors import tabulated
from verifier.networks.weights import check_dimensions, mlp_nodes, weight_matrix
from verifier.running.errors import InputError, LimitError, placed

MOST_TOKENS = 20_000
WIDEST_FORMAT = 4096
WIDEST_EXPONENT = 24


def complete(file: ConstructionFile, given: Mapping[str, int]) -> dict[str, int]:
    """The given parameters with the defaults of the others.

    Raises:
        InputError: an unknown parameter, or one without default that is missing.
    """
    unknown = set(given) - set(file.parameters)
    if unknown:
        raise InputError(f"{file.id} has no parameter {min(unknown)!r}; it takes {', '.join(file.parameters)}")
    values: dict[str, int] = {}
    for name, spec in file.parameters.items():
        if name in given:
            values[name] = given[name]
        elif spec.default is not None:
            with placed(f"{file.id}: parameters.{name}.default"):
                values[name] = integer(spec.default, {k: Fraction(v) for k, v in values.items()})
        else:
            raise InputError(f"{file.id} needs --{name} ({spec.meaning or spec.where})")
    return values


def outside_domain(file: ConstructionFile, values: Mapping[str, int]) -> str | None:
    """The first parameter condition that the values break, as a sentence; None inside the domain."""
    names = {k: Fraction(v) for k, v in values.items()}
    for name, spec in file.parameters.items():
        with placed(f"{file.id}: parameters.{name}.where"):
            inside = truth(spec.where, names)
        if not inside:
            return f"{name} = {values[name]} is outside {spec.where}"
    return None


def inside(file: ConstructionFile, given: Mapping[str, int]) -> dict[str, int]:
    """The given parameters, completed.

    Raises:
        InputError: an unknown or missing parameter, or a value outside the domain.
    """
    values = complete(file, given)
    outside = outside_domain(file, values)
    if outside:
        raise InputError(f"{file.id}: {outside}")
    return values


def names_at(file: ConstructionFile, values: Mapping[str, int]) -> dict[str, Fraction]:
    """Parameters and derived quantities.

    Raises:
        Mistakes: a derived quantity without a value.
    """
    names = {k: Fraction(v) for k, v in values.items()}
    checked = Checked()
    for name, expression in file.derived.items():
        found = checked(("derived", name), partial(rational, expression, names))
        if found is None:
            checked.missing.add(name)
        else:
            names[name] = found
    checked.done(file.id)
    return names


def pair_length(file: ConstructionFile, names: Names) -> int:
    """The length of the strings y and z.

    Raises:
        InputError: the file's problem is of other strings.
    """
    return as_pairs(_task(file, names), file.id).length


def instantiate(file: ConstructionFile, given: Mapping[str, int]) -> Instance:
    """The construction at these parameters, with its defects.

    Raises:
        InputError: an unknown parameter, or a value outside the domain.
        Mistakes: (an InputError) everything in the file that cannot be evaluated or does not fit together.
        LimitError: more than 20,000 tokens, or vectors than can be tabulated.
    """
    values = inside(file, given)
    return _instance(file, values, names_at(file, values))


def input_defects(file: ConstructionFile, given: Mapping[str, int]) -> tuple[list[Defect], int]:
    """The defects of the input representation alone, and how many tokens there are; no vector is computed.

    Raises:
        InputError: as :func:`instantiate`, for the problem, the tokens and what they hold.
    """
    values = inside(file, given)
    names, checked, defects = names_at(file, values), Checked(), list[Defect]()
    task = checked(("problem",), lambda: _task(file, names), "")
    indices = checked(("tokens",), lambda: _indices(file, names), "")
    if task is not None and indices is not None:
        contents_of(file, names, indices, task, defects, checked)
    checked.done(file.id)
    return defects, len(indices or ())


def _instance(file: ConstructionFile, values: Mapping[str, int], names: Names) -> Instance:
    checked = Checked()
    task = checked(("problem",), lambda: _task(file, names), "")
    precision = checked(("precision",), lambda: _precision(file, names), "")
    indices = checked(("tokens",), lambda: _indices(file, names), "")
    query, key, value = (
        checked(("weights", name), partial(weight_matrix, spec, names), f"weights.{name}")
        for name, spec in (("query", file.weights.query), ("key", file.weights.key), ("value", file.weights.value))
    )
    hidden = [checked(("mlp", "hidden", k), partial(mlp_nodes, n, names), f"mlp.hidden.{k + 1}") for k, n in enumerate(file.mlp.hidden)]
    output = checked(("mlp", "output"), lambda: mlp_nodes(file.mlp.output, names)[0], "mlp.output")
    accept = checked(("accept",), lambda: _acceptance(file, names), "")
    check_dimensions(file, names, (query, key, value), hidden, output, checked)
    if task is None or indices is None:
        checked.done(file.id)
        raise AssertionError("a task or indices without a value are a mistake")
    defects: list[Defect] = []
    contents = contents_of(file, names, indices, task, defects, checked)
    rows = rows_of(file, names, indices, defects, checked)
    quantities: dict[str, Field] = {}
    for name, text in file.quantities.items():
        found = checked(("quantities", name), partial(field, text, names, 0, task.strings))
        if found is not None:
            quantities[name] = found
    tokens = tuple(tabulated(contents, {i: (k, file.row[k]) for i, k in rows.items()}, quantities, names, defects, checked))
    expectations = tuple(expected(file, names, task, rows, indices, checked))
    checked.done(file.id)
    assert precision is not None
    assert query is not None
    assert key is not None
    assert value is not None
    assert output is not None
    assert accept is not None
    if tokens and tokens[-1].index == indices[-1] and tokens[-1].reads:
        message = f"the last token reads {tokens[-1].reads[0]}; the query must be a constant"
        defects.append(Defect("query", f"token {tokens[-1].index}", message, ("row", rows[indices[-1]])))
    return Instance(
        id=file.id,
        parameters=values,
        names=names,
        precision=precision,
        task=task,
        tokens=tokens,
        query=query,
        key=key,
        value=value,
        hidden=tuple(node for nodes in hidden for node in nodes or ()),
        output=output,
        attention=file.attention,
        accept=accept,
        defects=tuple(defects),
        expectations=expectations,
    )


def _integer(expression: Expression, names: Names, place: str) -> int:
    with placed(place):
        return integer(expression, names)


def _task(file: ConstructionFile, names: Names) -> Task:
    """What is to be computed: a problem on pairs where it is one, else a condition on the strings."""
    problem = file.problem
    if problem.length is not None:
        lengths = dict.fromkeys(("y", "z"), _length(file, problem.length, names, "problem.length"))
    else:
        lengths = {name: _length(file, text, names, f"problem.strings.{name}") for name, text in problem.strings.items()}
    function = problem.function.strip()
    if function.isidentifier() and function not in FUNCTIONS:
        named = ", ".join(FUNCTIONS)
        raise InputError(f"problem: no function {function!r}; there are {named}, and conditions such as popcount(y) % 2 == 1")
    with placed("problem.promise"):
        promise = problem.promise if problem.promise == NO_PROMISE else promise_at(problem.promise, names, lengths)
    pairs = as_problem(function, promise, lengths)
    if pairs is not None:
        return pairs
    if function in FUNCTIONS:
        if list(lengths) != ["y", "z"] or len(set(lengths.values())) != 1:
            raise InputError(f"problem: {function} is of two strings y and z of one length, not of {', '.join(lengths)}")
        function = next(text for text, name in WRITTEN.items() if name == function)
    return formula_task(function, problem.promise, lengths, names)


def _acceptance(file: ConstructionFile, names: Names) -> Acceptance:
    entry = file.accept
    return USUAL if entry is None else acceptance_at(entry.yes, entry.no, entry.rectified, names)


def _length(file: ConstructionFile, expression: Expression, names: Names, place: str) -> int:
    length = _integer(expression, names, place)
    if length < 1:
        raise InputError(f"{place} is {length}, at least 1 was expected")
    if length > MOST_TOKENS:
        raise LimitError(f"{file.id}: {place} is {length}, at most {MOST_TOKENS} is built", "a smaller parameter")
    return length


def _precision(file: ConstructionFile, names: Names) -> Precision:
    """Bits of fixed point, or the digits t and e of floating point."""
    match file.precision:
        case PrecisionEntry(bits=bits, t=None, e=None) if bits is not None:
            return _digits(bits, names, "bits", WIDEST_FORMAT)
        case PrecisionEntry(bits=None, t=t, e=e) if t is not None and e is not None:
            return Digits(_digits(t, names, "t", WIDEST_FORMAT), _digits(e, names, "e", WIDEST_EXPONENT))
    raise InputError("precision: either bits, or t and e, were expected")


def _digits(expression: Expression, names: Names, name: str, most: int) -> int:
    count = _integer(expression, names, f"precision.{name}")
    if count < 1:
        raise InputError(f"precision.{name} is {count}, at least 1 was expected")
    if count > most:
        raise LimitError(f"precision.{name} is {count}, at most {most} is built", "a smaller parameter")
    return count


def _indices(file: ConstructionFile, names: Names) -> range:
    first, last = _integer(file.tokens.first, names, "tokens.first"), _integer(file.tokens.last, names, "tokens.last")
    if last < first:
        raise InputError(f"tokens: the first is {first}, the last {last}; at least one token was expected")
    if last - first >= MOST_TOKENS:
        raise LimitError(f"{file.id} has {last - first + 1} tokens, at most {MOST_TOKENS} are built", "a smaller --n")
    return range(first, last + 1)
