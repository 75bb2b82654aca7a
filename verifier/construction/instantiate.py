"""From a construction file to an instance at given parameters."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from verifier.arithmetic.formats import Digits, Precision
from verifier.construction.entries import Names, integer, rational
from verifier.construction.indices import Field, field, index_set
from verifier.construction.instance import Defect, Instance, Matrix, Node
from verifier.construction.schema import (
    ConstructionFile,
    Expression,
    InputEntry,
    MatrixEntry,
    NodeEntry,
    PrecisionEntry,
    RepeatedRow,
    RowEntry,
)
from verifier.construction.vectors import tabulated, written
from verifier.errors import InputError, LimitError, placed
from verifier.formulas.exact import truth
from verifier.problems import Problem, promise_at

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


def names_at(file: ConstructionFile, values: Mapping[str, int]) -> dict[str, Fraction]:
    """Parameters and derived quantities."""
    names = {k: Fraction(v) for k, v in values.items()}
    for name, expression in file.derived.items():
        with placed(f"{file.id}: derived.{name}"):
            names[name] = rational(expression, names)
    return names


def instantiate(file: ConstructionFile, given: Mapping[str, int]) -> Instance:
    """The construction at these parameters, with its defects.

    Raises:
        InputError: an expression that cannot be evaluated, an unknown parameter, or a value outside the domain.
        LimitError: more than 20,000 tokens, or vectors than can be tabulated.
    """
    values = complete(file, given)
    outside = outside_domain(file, values)
    if outside:
        raise InputError(f"{file.id}: {outside}")
    names = names_at(file, values)
    with placed(file.id):
        return _instance(file, values, names)


def _instance(file: ConstructionFile, values: Mapping[str, int], names: Names) -> Instance:
    problem = _problem(file, names)
    indices = _indices(file, names)
    defects: list[Defect] = []
    contents = _contents(file, names, indices, problem, defects)
    rows = _rows(file, names, indices, defects)
    quantities = {name: field(text, names, 0) for name, text in file.quantities.items()}
    tokens = tuple(tabulated(contents, rows, quantities, names, defects))
    if tokens and tokens[-1].index == indices[-1] and tokens[-1].reads:
        message = f"the last token reads {tokens[-1].reads[0]}; the query must be a constant"
        defects.append(Defect("query", f"token {tokens[-1].index}", message))
    if file.attention not in ("softmax", "linear"):
        raise InputError(f"attention is {file.attention!r}, softmax or linear was expected")
    instance = Instance(
        id=file.id,
        parameters=values,
        names=names,
        precision=_precision(file, names),
        problem=problem,
        tokens=tokens,
        query=weight_matrix(file.weights.query, names, "weights.query"),
        key=weight_matrix(file.weights.key, names, "weights.key"),
        value=weight_matrix(file.weights.value, names, "weights.value"),
        hidden=tuple(mlp_node(n, names, f"mlp.hidden.{k}") for k, n in enumerate(file.mlp.hidden, 1)),
        output=mlp_node(file.mlp.output, names, "mlp.output"),
        attention=file.attention,
        defects=tuple(defects),
    )
    _check_dimensions(instance, file)
    return instance


def _integer(expression: Expression, names: Names, place: str) -> int:
    with placed(place):
        return integer(expression, names)


def _problem(file: ConstructionFile, names: Names) -> Problem:
    length = _integer(file.problem.length, names, "problem.length")
    if length < 1:
        raise InputError(f"problem.length is {length}, at least 1 was expected")
    if length > MOST_TOKENS:
        raise LimitError(f"{file.id}: problem.length is {length}, at most {MOST_TOKENS} is built", "a smaller parameter")
    with placed("problem.promise"):
        promise = promise_at(file.problem.promise, names)
    return Problem(file.problem.function, promise, length)


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


def _contents(
    file: ConstructionFile, names: Names, indices: range, problem: Problem, defects: list[Defect]
) -> dict[int, tuple[Field, ...]]:
    """What each token holds by the input representation."""
    contents: dict[int, tuple[Field, ...]] = {}
    for number, clause in enumerate(file.input, 1):
        place = f"input clause {number}"
        for i in _index_set(clause.i, names, place):
            if i not in indices:
                defects.append(Defect("outside", place, f"token {i} lies outside the tokens {indices[0]} … {indices[-1]}"))
                continue
            if i in contents:
                defects.append(Defect("input-overlap", place, f"token {i} was given its content before"))
                continue
            with placed(f"{place}, token {i}"):
                contents[i] = _fields(clause, names, i)
            for bit in (bit for each in contents[i] for bit in each):
                if not 1 <= bit.index <= problem.length:
                    defects.append(Defect("bit-range", place, f"token {i} reads {bit.plain}, the strings have bits 1 … {problem.length}"))
    for i in indices:
        if i not in contents:
            defects.append(Defect("input-gap", "input representation", f"no clause says what token {i} holds"))
    return contents


def _index_set(text: Expression, names: Names, place: str) -> tuple[int, ...]:
    with placed(place):
        return index_set(text, names)


def _fields(clause: InputEntry, names: Names, i: int) -> tuple[Field, ...]:
    reads = clause.reads if isinstance(clause.reads, list) else [clause.reads]
    return tuple(field(text, names, i) for text in reads)


def _rows(file: ConstructionFile, names: Names, indices: range, defects: list[Defect]) -> dict[int, RowEntry]:
    """The row of each token."""
    rows: dict[int, RowEntry] = {}
    for row in file.row:
        for i in _index_set(row.i, names, f"step {row.step}"):
            if i not in indices:
                defects.append(Defect("outside", f"step {row.step}", f"token {i} lies outside the tokens {indices[0]} … {indices[-1]}"))
            elif i in rows:
                defects.append(Defect("overlap", f"step {row.step}", f"token {i} has a row already, of step {rows[i].step}"))
            else:
                rows[i] = row
    for i in indices:
        if i not in rows:
            defects.append(Defect("gap", "table", f"no row for token {i}"))
    return rows


def weight_matrix(spec: MatrixEntry, names: Names, place: str) -> Matrix:
    """W^Q, W^K or W^V as written at ``place``, its entries as numbers."""
    if spec.times not in ("1", "ln2"):
        raise InputError(f"{place}: times is {spec.times!r}, 1 or ln2 was expected")
    with placed(place):
        rows = [row for each in spec.matrix for row in _matrix_rows(each, names)]
        return Matrix(tuple(tuple(rational(x, scope) for x in row) for row, scope in rows), spec.times == "ln2")


def _matrix_rows(written: list[Expression] | RepeatedRow, names: Names) -> list[tuple[list[Expression], Names]]:
    """The rows that one item of a matrix stands for, each with the names that its entries may use."""
    if isinstance(written, list):
        return [(written, names)]
    return [(written.row, {**names, written.for_: Fraction(k)}) for k in index_set(written.in_, names)]


def mlp_node(spec: NodeEntry, names: Names, place: str) -> Node:
    """A node of the MLP as written at ``place``, its weights and bias as numbers."""
    with placed(place):
        return Node(tuple(rational(w, names) for w in spec.weights), rational(spec.bias, names))


def _check_dimensions(instance: Instance, file: ConstructionFile) -> None:
    """Embedding dimension everywhere the same, one value column, MLP edges that match.

    Raises:
        InputError: naming the place and the dimension that was expected.
    """
    d = len(instance.query.rows)
    for row in file.row:
        for name, entries in (("zero", row.zero), ("one", row.one)):
            length = d if entries is None else len(written(entries, instance.names))
            if length != d:
                raise InputError(f"step {row.step}, {name}: {length} entries, {d} were expected as in weights.query")
    for name, matrix in (("query", instance.query), ("key", instance.key), ("value", instance.value)):
        width = 1 if name == "value" else len(instance.query.rows[0]) if instance.query.rows else 0
        if len(matrix.rows) != d or any(len(r) != width for r in matrix.rows) or not d or not width:
            raise InputError(f"weights.{name}: a {max(d, 1)}×{max(width, 1)} matrix was expected")
    if any(len(node.weights) != 1 for node in instance.hidden):
        raise InputError("mlp.hidden: each node has one weight, for the one value column")
    if len(instance.output.weights) != len(instance.hidden):
        raise InputError(f"mlp.output: {len(instance.hidden)} weights were expected, one for each hidden node")
