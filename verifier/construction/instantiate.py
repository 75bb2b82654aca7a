"""From a construction file to an instance at given parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from verifier.arithmetic.formats import Digits, Precision
from verifier.construction.indices import Bit, Field, field, index_set
from verifier.construction.instance import Defect, Instance, Matrix, Node, Token, Vector
from verifier.construction.schema import ConstructionFile, InputEntry, MatrixEntry, NodeEntry, RowEntry
from verifier.errors import InputError, LimitError
from verifier.expressions import Names, condition, entry, integer, names_in, rational
from verifier.problems import Problem, promise_at

WIDEST_TOKEN = 12
MOST_TOKENS = 20_000


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
            values[name] = integer(spec.default, {k: Fraction(v) for k, v in values.items()})
        else:
            raise InputError(f"{file.id} needs --{name} ({spec.meaning or spec.where})")
    return values


def outside_domain(file: ConstructionFile, values: Mapping[str, int]) -> str | None:
    """The first parameter condition that the values break, as a sentence; None inside the domain."""
    names = {k: Fraction(v) for k, v in values.items()}
    for name, spec in file.parameters.items():
        if not condition(spec.where, names):
            return f"{name} = {values[name]} is outside {spec.where}"
    return None


def names_at(file: ConstructionFile, values: Mapping[str, int]) -> dict[str, Fraction]:
    """Parameters and derived quantities."""
    names = {k: Fraction(v) for k, v in values.items()}
    for name, expression in file.derived.items():
        names[name] = rational(expression, names)
    return names


def instantiate(file: ConstructionFile, given: Mapping[str, int]) -> Instance:
    """The construction at these parameters, with its defects.

    Raises:
        InputError: an expression that cannot be evaluated, an unknown parameter, or a value outside the domain.
        LimitError: more than 20,000 tokens.
    """
    values = complete(file, given)
    outside = outside_domain(file, values)
    if outside:
        raise InputError(f"{file.id}: {outside}")
    names = names_at(file, values)
    problem = Problem(file.problem.function, promise_at(file.problem.promise, names), integer(file.problem.length, names))
    indices = range(integer(file.tokens.first, names), integer(file.tokens.last, names) + 1)
    if len(indices) > MOST_TOKENS:
        raise LimitError(f"{file.id} has {len(indices)} tokens, at most {MOST_TOKENS} are built", "a smaller --n")
    defects: list[Defect] = []
    contents = _contents(file, names, indices, problem, defects)
    rows = _rows(file, names, indices, defects)
    quantities = {name: field(text, names, 0) for name, text in file.quantities.items()}
    tokens = tuple(_tokens(contents, rows, quantities, names, defects))
    if tokens and tokens[-1].index == indices[-1] and tokens[-1].reads:
        message = f"the last token reads {tokens[-1].reads[0]}; the query must be a constant"
        defects.append(Defect("query", f"token {tokens[-1].index}", message))
    if file.attention not in ("softmax", "linear"):
        raise InputError(f"{file.id}: attention is {file.attention!r}, softmax or linear was expected")
    instance = Instance(
        id=file.id,
        parameters=values,
        names=names,
        precision=_precision(file, names),
        problem=problem,
        tokens=tokens,
        query=_matrix(file.weights.query, names, "weights.query"),
        key=_matrix(file.weights.key, names, "weights.key"),
        value=_matrix(file.weights.value, names, "weights.value"),
        hidden=tuple(_node(n, names) for n in file.mlp.hidden),
        output=_node(file.mlp.output, names),
        attention=file.attention,
        defects=tuple(defects),
    )
    _check_dimensions(instance, file)
    return instance


def _precision(file: ConstructionFile, names: Names) -> Precision:
    entry = file.precision
    match (entry.bits, entry.t, entry.e):
        case (bits, None, None) if bits is not None:
            fixed = integer(bits, names)
            if fixed < 1:
                raise InputError(f"{file.id}: precision.bits is {fixed}, at least 1 was expected")
            return fixed
        case (None, t, e) if t is not None and e is not None:
            digits = Digits(integer(t, names), integer(e, names))
            if min(digits.t, digits.e) < 1:
                raise InputError(f"{file.id}: precision is t = {digits.t}, e = {digits.e}, at least 1 each was expected")
            return digits
    raise InputError(f"{file.id}: precision: either bits, or t and e, were expected")


def _contents(
    file: ConstructionFile, names: Names, indices: range, problem: Problem, defects: list[Defect]
) -> dict[int, tuple[Field, ...]]:
    """What each token holds by the input representation."""
    contents: dict[int, tuple[Field, ...]] = {}
    for number, clause in enumerate(file.input, 1):
        place = f"input clause {number}"
        for i in index_set(clause.i, names):
            if i not in indices:
                defects.append(Defect("outside", place, f"token {i} lies outside the tokens {indices[0]} … {indices[-1]}"))
                continue
            if i in contents:
                defects.append(Defect("input-overlap", place, f"token {i} was given its content before"))
                continue
            contents[i] = _fields(clause, names, i)
            for bit in (bit for each in contents[i] for bit in each):
                if not 1 <= bit.index <= problem.length:
                    defects.append(Defect("bit-range", place, f"token {i} reads {bit.plain}, the strings have bits 1 … {problem.length}"))
    for i in indices:
        if i not in contents:
            defects.append(Defect("input-gap", "input representation", f"no clause says what token {i} holds"))
    return contents


def _fields(clause: InputEntry, names: Names, i: int) -> tuple[Field, ...]:
    reads = clause.reads if isinstance(clause.reads, list) else [clause.reads]
    return tuple(field(text, names, i) for text in reads)


def _rows(file: ConstructionFile, names: Names, indices: range, defects: list[Defect]) -> dict[int, RowEntry]:
    """The row of each token."""
    rows: dict[int, RowEntry] = {}
    for row in file.row:
        for i in index_set(row.i, names):
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


def _tokens(
    contents: Mapping[int, tuple[Field, ...]],
    rows: Mapping[int, RowEntry],
    quantities: Mapping[str, Field],
    names: Names,
    defects: list[Defect],
) -> Iterator[Token]:
    for i in sorted(contents.keys() & rows.keys()):
        row, fields = rows[i], contents[i]
        width = sum(len(each) for each in fields)
        if width > WIDEST_TOKEN:
            raise LimitError(f"token {i} holds {width} bits, at most {WIDEST_TOKEN} are tabulated", "a smaller parameter")
        scope = {**names, "i": Fraction(i)}
        held = {bit.plain for each in fields for bit in each}
        foreign = [name for name in quantities if name in _used(row) and not held.issuperset(quantities[name])]
        if foreign:
            bits = "".join(f" {bit}" for bit in quantities[foreign[0]] if bit not in held)
            defects.append(Defect("not-held", f"step {row.step}", f"token {i} does not hold{bits}, which {foreign[0]} needs"))
            continue
        used = {name: bits for name, bits in quantities.items() if name in _used(row)}
        vectors = tuple(_vector(row, fields, used, pattern, scope) for pattern in range(2**width))
        if None in vectors:
            defects.append(Defect("not-applicable", f"step {row.step}", f"token {i} can hold 1, the row has no vector for it"))
        yield Token(i, row.step, fields, vectors)


def _used(row: RowEntry) -> frozenset[str]:
    """The names in the row's entries."""
    return frozenset(name for text in (*row.zero, *(row.one or ())) for name in names_in(text))


def _vector(row: RowEntry, fields: tuple[Field, ...], quantities: Mapping[str, Field], pattern: int, names: Names) -> Vector | None:
    """The row's vector when the token's bits are ``pattern``; the fields' values are the names f1, f2, …, beside the quantities."""
    scope = dict(names)
    read = [bit for each in fields for bit in each]
    bits = {bit.plain: pattern >> (len(read) - 1 - k) & 1 for k, bit in enumerate(read)}
    values = [_number(each, bits) for each in fields]
    scope |= {f"f{number}": Fraction(value) for number, value in enumerate(values, 1)}
    scope |= {name: Fraction(_number(each, bits)) for name, each in quantities.items()}
    value = values[-1] if values else 0
    entries = row.one if value else row.zero
    if entries is None:
        return None
    try:
        return tuple(entry(text, scope) for text in entries)
    except InputError as error:
        raise InputError(f"step {row.step}: {error}") from None


def _number(bits: Field, values: Mapping[Bit, int]) -> int:
    """The bits as a number, most significant first; flipped bits count as their complements."""
    result = 0
    for bit in bits:
        result = 2 * result + (values[bit.plain] ^ bit.flipped)
    return result


def _matrix(spec: MatrixEntry, names: Names, place: str) -> Matrix:
    if spec.times not in ("1", "ln2"):
        raise InputError(f"{place}: times is {spec.times!r}, 1 or ln2 was expected")
    return Matrix(tuple(tuple(rational(x, names) for x in row) for row in spec.matrix), spec.times == "ln2")


def _node(spec: NodeEntry, names: Names) -> Node:
    return Node(tuple(rational(w, names) for w in spec.weights), rational(spec.bias, names))


def _check_dimensions(instance: Instance, file: ConstructionFile) -> None:
    """Embedding dimension everywhere the same, one value column, MLP edges that match.

    Raises:
        InputError: naming the place and the dimension that was expected.
    """
    d = len(instance.query.rows)
    for row in file.row:
        for name, vector in (("zero", row.zero), ("one", row.one)):
            if vector is not None and len(vector) != d:
                raise InputError(f"{file.id}: step {row.step}, {name}: {len(vector)} entries, {d} were expected as in weights.query")
    for name, matrix in (("query", instance.query), ("key", instance.key), ("value", instance.value)):
        width = 1 if name == "value" else len(instance.query.rows[0]) if instance.query.rows else 0
        if len(matrix.rows) != d or any(len(r) != width for r in matrix.rows) or not d:
            raise InputError(f"{file.id}: weights.{name}: a {d}×{width} matrix was expected")
    if any(len(node.weights) != 1 for node in instance.hidden):
        raise InputError(f"{file.id}: mlp.hidden: each node has one weight, for the one value column")
    if len(instance.output.weights) != len(instance.hidden):
        raise InputError(f"{file.id}: mlp.output: {len(instance.hidden)} weights were expected, one for each hidden node")
    if instance.problem.length < 1:
        raise InputError(f"{file.id}: problem.length is {instance.problem.length}, at least 1 was expected")
