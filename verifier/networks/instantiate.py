"""From a construction file to an instance at given parameters: tokens, vectors, weight matrices, nodes, expectations.

Every defect of the file is collected before the reading ends; a file with mistakes in its shape is read as far as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from operator import eq
from typing import Any

import msgspec

from verifier.arithmetic.formats import Digits, Precision
from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import Bits, Given
from verifier.language.operands import check_given
from verifier.language.syntax import kind, names_in, parse, quoted
from verifier.networks.acceptance import USUAL, acceptance_at
from verifier.networks.entries import GivenNames, Names, entry, integer, rational
from verifier.networks.files import Checked, fitted
from verifier.networks.indices import Bit, Field, field, index_set
from verifier.networks.instance import Defect, Expectation, Instance, Matrix, Node, Token, Vector
from verifier.networks.problems import FUNCTIONS, NO_PROMISE, Task, as_pairs, as_problem, formula_task, promise_at
from verifier.networks.record_base import Expression, inside, smallest
from verifier.networks.records import (
    SEMANTICS,
    ConstructionFile,
    Entries,
    ExpectEntry,
    InputEntry,
    MatrixEntry,
    NodeEntry,
    PrecisionEntry,
    RepeatedEntry,
    RepeatedRow,
    RowEntry,
)
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError, Path, misplaced, placed, words
from verifier.running.printable import many


def contents_of(
    file: ConstructionFile, names: Names, indices: range, task: Task, defects: list[Defect], checked: Checked
) -> dict[int, tuple[Field, ...]]:
    """The content of each token by the input representation."""
    contents: dict[int, tuple[Field, ...]] = {}
    clauses: dict[int, int] = {}
    for number, clause in enumerate(file.input):
        place, path = f"input clause {number + 1}", ("input", number)
        for i in checked((*path, "i"), partial(index_set, clause.i, names), place) or ():
            if i not in indices:
                defects.append(Defect("outside", place, f"token {i} lies outside the tokens {indices[0]} … {indices[-1]}", (*path, "i")))
                continue
            if i in contents:
                before = f"token {i} was given its content before, by input clause {clauses[i] + 1}"
                defects.append(Defect("input-overlap", place, before, (*path, "i")))
                continue
            fields = checked((*path, "reads"), partial(_fields, clause, names, i, task), f"{place}, token {i}")
            contents[i], clauses[i] = fields if fields is not None else _anything(clause, task), number
            for bit in (bit for each in contents[i] for bit in each):
                length = task.strings[bit.string]
                if not 1 <= bit.index <= length:
                    whose = "the strings have" if len(set(task.strings.values())) == 1 else f"{bit.string} has"
                    defects.append(Defect("bit-range", place, f"token {i} reads {bit.plain}, {whose} bits 1 … {length}", (*path, "reads")))
    for i in indices:
        if i not in contents:
            defects.append(
                Defect("input-gap", "input representation", f"no clause says what token {i} holds", _beside(i, clauses, "input"))
            )
    return contents


def _anything(clause: InputEntry, task: Task) -> tuple[Field, ...]:
    """A placeholder for the content of a token that cannot be read, so that its row is still checked."""
    before = len(clause.reads) - 1 if isinstance(clause.reads, list) else 0
    return (*[()] * before, (Bit(next(iter(task.strings)), 1),))


def _fields(clause: InputEntry, names: Names, i: int, task: Task) -> tuple[Field, ...]:
    reads = clause.reads if isinstance(clause.reads, list) else [clause.reads]
    return tuple(field(text, names, i, task.strings) for text in reads)


def rows_of(file: ConstructionFile, names: Names, indices: range, defects: list[Defect], checked: Checked) -> dict[int, int]:
    """The row of each token, by its place in the file."""
    rows: dict[int, int] = {}
    for number, row in enumerate(file.row):
        place, path = f"step {row.step}", ("row", number)
        for i in checked((*path, "i"), partial(index_set, row.i, names), place) or ():
            if i not in indices:
                defects.append(Defect("outside", place, f"token {i} lies outside the tokens {indices[0]} … {indices[-1]}", (*path, "i")))
            elif i in rows:
                defects.append(Defect("overlap", place, f"token {i} already has a row, from step {file.row[rows[i]].step}", (*path, "i")))
            else:
                rows[i] = number
    for i in indices:
        if i not in rows:
            defects.append(Defect("gap", "table", f"no row for token {i}", _beside(i, rows, "row")))
    return rows


def row_to_write(file: ConstructionFile, instance: Instance) -> str:
    """A row to write for the tokens of the first clause whose tokens have no row, or an empty text if every clause has one."""
    have = {token.index for token in instance.tokens}
    for number, clause in enumerate(file.input if any(defect.kind == "gap" for defect in instance.defects) else (), 1):
        if have.isdisjoint(index_set(clause.i, instance.names)):
            vectors = "zero" if clause.reads == 0 else "zero and one"
            numbers = many(len(instance.query.rows), "number")
            return f"the tokens of input clause {number} have no row: a [[row]] with its i, and {vectors} of {numbers}, is missing"
    return ""


def _beside(i: int, listed: Mapping[int, int], kind: str) -> Path:
    """The place for a missing token, which is the range of the token before it or else of the next one."""
    before, behind = max((j for j in listed if j < i), default=None), min((j for j in listed if j > i), default=None)
    nearest = before if before is not None else behind
    return (kind,) if nearest is None else (kind, listed[nearest], "i")


WIDEST_TOKEN = 12
MOST_VECTORS = 1 << 20


def tabulated(
    contents: Mapping[int, tuple[Field, ...]],
    rows: Mapping[int, tuple[int, RowEntry]],
    quantities: Mapping[str, Field],
    names: Names,
    defects: list[Defect],
    checked: Checked,
) -> Iterator[Token]:
    """Every token that has both content and row (with its place in the file). If a row needs bits that its token does not hold, that is
    added to the defects; entries without a value are added to the mistakes.

    Raises:
        LimitError: a token of more than 12 bits, or more vectors than can be tabulated.
    """
    made = 0
    for i in sorted(contents.keys() & rows.keys()):
        (k, row), fields = rows[i], contents[i]
        path, place = ("row", k), f"step {row.step}, token {i}"
        width = sum(len(each) for each in fields)
        if width > WIDEST_TOKEN:
            raise LimitError(f"token {i} holds {width} bits, at most {WIDEST_TOKEN} are tabulated", "a smaller parameter")
        made += 1 << width
        if made > MOST_VECTORS:
            raise LimitError(f"the tokens have more than {MOST_VECTORS:,} vectors", "a smaller parameter")
        read = checked(path, partial(_used, row), place)
        if read is None:
            continue
        used = {name: each for name, each in quantities.items() if name in read}
        held = {bit.plain for each in fields for bit in each}
        foreign = next((name for name in used if not held.issuperset(used[name])), None)
        if foreign is not None:
            lacking = "".join(f" {bit}" for bit in used[foreign] if bit not in held)
            defects.append(Defect("not-held", f"step {row.step}", f"token {i} does not hold{lacking}, which {foreign} needs", path))
            continue
        scope = {**names, "i": Fraction(i)}
        zero = checked((*path, "zero"), partial(written, row.zero, scope), place)
        one = None if row.one is None else checked((*path, "one"), partial(written, row.one, scope), place)
        if zero is None or (row.one is not None and one is None):
            continue
        bits = tuple(bit for each in fields for bit in each)
        last = places(bits, fields[-1]) if fields else ()
        numbers = {f"f{k}": places(bits, each) for k, each in enumerate(fields, 1)}
        strings = {name: places(bits, each) for name, each in used.items()}
        reads = [where for name, where in (numbers | strings).items() if name in read]
        found: dict[tuple[object, ...], Vector | None] = {}
        vectors: list[Vector | None] = []
        for pattern in range(1 << width):  # once for all patterns that differ in nothing that the row reads
            which, entries = ("one", one) if number(last, pattern) else ("zero", zero)
            key = (which, *(number(where, pattern) for where in reads))
            if key not in found:
                at: dict[str, Given] = {name: Fraction(number(where, pattern)) for name, where in numbers.items()}
                at |= {name: Bits(number(where, pattern), len(where)) for name, where in strings.items()}
                at = {**scope, **at}
                found[key] = None if entries is None else _vector(entries, at, checked, (*path, which), f"{place}, {which}")
            vectors.append(found[key])
        if None in vectors:
            defects.append(Defect("not-applicable", f"step {row.step}", f"token {i} can hold 1, the row has no vector for it", path))
        yield Token(i, row.step, fields, tuple(vectors))


def _vector(entries: Written, names: GivenNames, checked: Checked, path: Path, place: str) -> Vector:
    """The entries of a vector; 0 for an entry with a mistake. The index that an entry is for comes before other names."""
    each = (checked((*path, k), partial(entry, text, {**names, **own}), f"{place} {k + 1}") for k, (text, own) in enumerate(entries))
    return tuple(Fraction(0) if x is None else x for x in each)


Written = list[tuple[Expression, Names]]
"""The entries of one vector, each with the index that it is for, where it is one of several."""


def written(entries: Entries, names: Names) -> Written:
    """The entries one by one; for a :class:`~verifier.networks.records.RepeatedEntry` one for each index."""
    found: Written = []
    for each in entries:
        if isinstance(each, RepeatedEntry):
            found += [(each.entry, {each.for_: Fraction(k)}) for k in index_set(each.in_, names)]
        else:
            found.append((each, {}))
    return found


def _used(row: RowEntry) -> frozenset[str]:
    """The names in the row's entries."""
    texts = (each.entry if isinstance(each, RepeatedEntry) else each for each in (*row.zero, *(row.one or ())))
    return frozenset(name for text in texts for name in names_in(text))


Places = tuple[tuple[int, int], ...]
"""For each bit of a field, the most significant first, list its shift to the right from the token's bits, and 1 if it is flipped."""


def places(read: Field, of: Field) -> Places:
    """The places at which the token that reads these bits holds those of a field; for a bit that it reads twice, the last place counts."""
    at = {bit.plain: len(read) - 1 - k for k, bit in enumerate(read)}
    return tuple((at[bit.plain], int(bit.flipped)) for bit in of)


def number(where: Places, pattern: int) -> int:
    """The number that a field's bits spell when the token's are ``pattern``; flipped bits count as their complements."""
    result = 0
    for shift, flipped in where:
        result = 2 * result + (pattern >> shift & 1 ^ flipped)
    return result


MOST_NODES = 4096


def weight_matrix(spec: MatrixEntry, names: Names) -> Matrix:
    """W^Q, W^K or W^V, its entries as numbers.

    Raises:
        InputError: an entry without a value.
    """
    rows = [row for each in spec.matrix for row in _matrix_rows(each, names)]
    return Matrix(tuple(tuple(rational(x, scope) for x in row) for row, scope in rows), spec.times == "ln2")


def _matrix_rows(written: list[Expression] | RepeatedRow, names: Names) -> list[tuple[list[Expression], Names]]:
    """The rows that one item of a matrix describes, each with the names that its entries may use."""
    if isinstance(written, list):
        return [(written, names)]
    return [(written.row, {**names, written.for_: Fraction(k)}) for k in index_set(written.in_, names)]


def mlp_nodes(spec: NodeEntry, names: Names) -> tuple[Node, ...]:
    """The nodes of the MLP that an entry describes, with weights and biases as numbers. An entry with a range gives a node for each index.

    Raises:
        InputError: a weight or bias without a value.
        LimitError: more than 4,096 nodes.
    """
    if spec.for_ is None or spec.in_ is None:
        return (_node(spec, names),)
    indices = index_set(spec.in_, names)
    if len(indices) > MOST_NODES:
        raise LimitError(f"{len(indices)} hidden nodes, at most {MOST_NODES:,} are built", "a smaller parameter")
    return tuple(_node(spec, {**names, spec.for_: Fraction(k)}) for k in indices)


def _node(spec: NodeEntry, names: Names) -> Node:
    weights = tuple(rational(text, {**names, **own}) for text, own in written(spec.weights, names))
    return Node(weights, rational(spec.bias, names))


def check_dimensions(
    file: ConstructionFile,
    names: Names,
    matrices: tuple[Matrix | None, Matrix | None, Matrix | None],
    hidden: Sequence[tuple[Node, ...] | None],
    output: Node | None,
    checked: Checked,
) -> None:
    """Check that the embedding dimension is the same everywhere, key and query have one width, and MLP edges match; report each mismatch.

    matrices: W^Q, W^K, W^V; hidden: the nodes of each entry. An entry without a value has already been reported.
    """
    query, key, value = matrices
    if query is None:
        return
    d = len(query.rows)
    for number, row in enumerate(file.row):
        for name, entries in (("zero", row.zero), ("one", row.one)):
            place, path = f"step {row.step}, {name}", ("row", number, name)
            listed = None if entries is None else checked(path, partial(written, entries, names), place)
            if listed is not None and len(listed) != d:
                checked.add(path, f"{len(listed)} entries, {d} were expected as in weights.query", place)
    counts = {len(node.weights) for nodes in hidden for node in nodes or ()}
    alike = len(hidden) > 1 and len(counts) == 1 and counts != {0}  # then W^V differs from them, not they from W^V
    outputs = max(counts) if alike else len(value.rows[0]) if value is not None and value.rows else 1
    width = len(query.rows[0]) if query.rows else 0
    for name, matrix, columns in (("query", query, width), ("key", key, width), ("value", value, outputs)):
        if matrix is not None and (len(matrix.rows) != d or any(len(r) != columns for r in matrix.rows) or not d or not columns):
            why = f": each hidden node has {many(outputs, 'weight')}" if alike and name == "value" else ""
            checked.add(("weights", name, "matrix"), f"a {max(d, 1)}×{max(columns, 1)} matrix was expected{why}", f"weights.{name}")
    for k, nodes in enumerate(hidden):
        wrong = next((node for node in nodes or () if value is not None and len(node.weights) != outputs), None)
        if wrong is not None:
            message = f"{many(len(wrong.weights), 'weight')}, and W^V has {many(outputs, 'column')}; as many were expected"
            checked.add(("mlp", "hidden", k, "weights"), message, f"mlp.hidden.{k + 1}")
    if output is not None and None not in hidden and len(output.weights) != (count := sum(len(nodes or ()) for nodes in hidden)):
        message = f"{count} weights were expected, one for each hidden node"
        checked.add(("mlp", "output", "weights"), message, "mlp.output")


FOUND = "v"
"""The name of the value found, in a condition."""


def expected(
    file: ConstructionFile, names: Names, task: Task, rows: Mapping[int, int], indices: range, checked: Checked
) -> Iterator[Expectation]:
    """The expectations of a file, in its order; ``rows``: the row of each token, by its place in the file."""
    for number, (each, name) in enumerate(zip(file.expect, file.expectations, strict=True)):
        path = ("expect", number)
        found = checked(path, partial(_read, each, name, path, file, names, task, rows, indices), name)
        if found is not None:
            yield found


def expectation_path(file: ConstructionFile, name: str) -> Path:
    """The place of the expectation of this name in its file."""
    return ("expect", file.expectations.index(name)) if name in file.expectations else ()


def _read(
    entry: ExpectEntry,
    name: str,
    path: tuple[str | int, ...],
    file: ConstructionFile,
    names: Names,
    task: Task,
    rows: Mapping[int, int],
    indices: range,
) -> Expectation:
    known = {**names, **dict.fromkeys(task.strings), "i": None, FOUND: None}
    says = entry.holds or str(entry.is_)
    if FOUND in names or FOUND in task.strings:
        raise InputError(f"{FOUND} is the value found; the file uses this name for something else")
    for key, text in (("holds", entry.holds), ("where", entry.where)):
        with placed(name, (*path, key)):
            if text and kind(parse(text)) != "condition":
                raise InputError(f"{key}: {quoted(text)} is not a condition such as {FOUND} <= 2*popcount(y)")
    with placed(name, (*path, "holds" if entry.holds else "is")):
        if not entry.holds and kind(parse(says)) == "condition":
            raise InputError(f"is: {quoted(says)} is a condition; write holds for one, with {FOUND} for the value found")
        formula = entry.holds or f"{FOUND} == ({says})"
        check_given(parse(formula), known, {})
    with placed(name, (*path, "where")):
        check_given(parse(entry.where or "1"), {key: each for key, each in known.items() if key != FOUND}, {})
    with placed(name, (*path, "column")):
        column = _column(entry, file)
    with placed(name, (*path, "step" if entry.i is None else "i")):
        after = _after(entry, file, names, rows, indices)
    return Expectation(name, entry.of, column, after, formula, entry.where, says, path)


def _column(entry: ExpectEntry, file: ConstructionFile) -> int:
    """The number of the column, from 0."""
    matrix = file.weights.value.matrix
    listed = [row for row in matrix if isinstance(row, list)]
    most = None if len(listed) < len(matrix) or not matrix else len(matrix) if entry.of == "column" else len(listed[0])
    if entry.column < 1 or (most is not None and entry.column > most):
        raise InputError(f"column is {entry.column}; the columns are 1 to {most}")
    return entry.column - 1


def _after(entry: ExpectEntry, file: ConstructionFile, names: Names, rows: Mapping[int, int], indices: range) -> tuple[int, ...]:
    """The tokens after which the quantity is checked."""
    if entry.i is not None:
        found = tuple(sorted(set(index_set(entry.i, names))))
        outside = next((i for i in found if i not in indices), None)
        if outside is not None:
            raise InputError(f"i: token {outside} lies outside the tokens {indices[0]} … {indices[-1]}")
        if not found:
            raise InputError("i: no token at these parameters")
        return found
    if entry.step is None:
        return (indices[-1],)
    mine = [i for i, number in rows.items() if file.row[number].step == entry.step]
    if not mine:
        steps = ", ".join(str(row.step) for row in file.row)
        raise InputError(f"step {entry.step} has no token at these parameters; the steps are {steps}")
    return (max(mine),)


MOST_TOKENS = 20_000
WIDEST_FORMAT = 4096
WIDEST_EXPONENT = 24


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
        Mistakes: (an InputError) all entries of the file that cannot be evaluated or do not fit together.
        LimitError: more than 20,000 tokens, or more vectors than can be tabulated.
    """
    return _kept_instance(msgspec.json.encode(file), tuple(inside(file, given).items()))


@lru_cache(maxsize=128)
def _kept_instance(content: bytes, values: tuple[tuple[str, int], ...]) -> Instance:
    """The instance of a file's content. Claims, editions and corrections often lead to the same instance, so instances are shared and
    computed results are found again.
    """
    file = msgspec.json.decode(content, type=ConstructionFile)
    return _instance(file, dict(values), names_at(file, dict(values)))


def input_defects(file: ConstructionFile, given: Mapping[str, int]) -> tuple[list[Defect], int]:
    """The defects of the input representation alone, and the number of tokens; no vector is computed.

    Raises:
        InputError: as :func:`instantiate`, for the problem, the tokens and their contents.
    """
    values = inside(file, given)
    names, checked, defects = names_at(file, values), Checked(), list[Defect]()
    task = checked(("problem",), lambda: _task(file, names))
    indices = checked(("tokens",), lambda: _indices(file, names))
    if task is not None and indices is not None:
        contents_of(file, names, indices, task, defects, checked)
    checked.done(file.id)
    return defects, len(indices or ())


def _instance(file: ConstructionFile, values: Mapping[str, int], names: Names) -> Instance:
    checked = Checked()
    task = checked(("problem",), lambda: _task(file, names))
    precision = checked(("precision",), lambda: _precision(file, names))
    indices = checked(("tokens",), lambda: _indices(file, names))
    query, key, value = (
        checked(("weights", name), partial(weight_matrix, spec, names), f"weights.{name}")
        for name, spec in (("query", file.weights.query), ("key", file.weights.key), ("value", file.weights.value))
    )
    hidden = [checked(("mlp", "hidden", k), partial(mlp_nodes, n, names), f"mlp.hidden.{k + 1}") for k, n in enumerate(file.mlp.hidden)]
    output = checked(("mlp", "output"), lambda: mlp_nodes(file.mlp.output, names)[0], "mlp.output")
    said = file.accept
    accept = USUAL if said is None else checked(("accept",), partial(acceptance_at, said.yes, said.no, said.rectified, names))
    check_dimensions(file, names, (query, key, value), hidden, output, checked)
    if task is None or indices is None:
        checked.done(file.id)
        raise AssertionError("the task or the indices have no value, and no mistake was reported")
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


def _integer(expression: Expression, names: Names, *path: str) -> int:
    with placed(words(path), path):
        return integer(expression, names)


def _task(file: ConstructionFile, names: Names) -> Task:
    """The task of the file: a problem on pairs of strings, or a condition on the strings."""
    problem = file.problem
    if problem.length is not None:
        lengths = dict.fromkeys(("y", "z"), _length(file, problem.length, names, "length"))
    else:
        lengths = {name: _length(file, text, names, "strings", name) for name, text in problem.strings.items()}
    function = problem.function.strip()
    with placed("problem.function", ("problem", "function")):
        if function.isidentifier() and function not in FUNCTIONS:
            raise InputError(f"no function {function!r}; {', '.join(FUNCTIONS)} or a condition such as popcount(y) % 2 == 1 was expected")
        parse(function)
    with placed("problem.promise", ("problem", "promise")):
        promise = problem.promise if problem.promise == NO_PROMISE else promise_at(problem.promise, names, lengths)
    pairs = as_problem(function, promise, lengths)
    if pairs is not None:
        return pairs
    if function in FUNCTIONS:
        if list(lengths) != ["y", "z"] or len(set(lengths.values())) != 1:
            raise misplaced(f"{function} takes two strings y and z of one length, not {', '.join(lengths)}", "problem", "function")
        function = FUNCTIONS[function]
    return formula_task(function, problem.promise, lengths, names)


def _length(file: ConstructionFile, expression: Expression, names: Names, *field: str) -> int:
    path = ("problem", *field)
    length = _integer(expression, names, *path)
    if length < 1:
        raise misplaced(f"{length}; at least 1 was expected", *path)
    if length > MOST_TOKENS:
        raise LimitError(f"{file.id}: {words(path)} is {length}, at most {MOST_TOKENS} is built", "a smaller parameter")
    return length


def _precision(file: ConstructionFile, names: Names) -> Precision:
    """Bits of fixed point, or the digits t and e of floating point."""
    match file.precision:
        case PrecisionEntry(bits=bits, t=None, e=None) if bits is not None:
            return _digits(bits, names, "bits", WIDEST_FORMAT)
        case PrecisionEntry(bits=None, t=t, e=e) if t is not None and e is not None:
            return Digits(_digits(t, names, "t", WIDEST_FORMAT), _digits(e, names, "e", WIDEST_EXPONENT))
    raise misplaced("either bits, or t and e, were expected", "precision")


def _digits(expression: Expression, names: Names, name: str, most: int) -> int:
    count = _integer(expression, names, "precision", name)
    if count < 1:
        raise misplaced(f"{count}; at least 1 was expected", "precision", name)
    if count > most:
        raise LimitError(f"precision.{name} is {count}, at most {most} is built", "a smaller parameter")
    return count


def _indices(file: ConstructionFile, names: Names) -> range:
    first, last = _integer(file.tokens.first, names, "tokens", "first"), _integer(file.tokens.last, names, "tokens", "last")
    if last < first:
        raise misplaced(f"the first is {first}, the last {last}; at least one token was expected", "tokens")
    if last - first >= MOST_TOKENS:
        raise LimitError(f"{file.id} has {last - first + 1} tokens, at most {MOST_TOKENS} are built", "a smaller --n")
    return range(first, last + 1)


def further_mistakes(raw: Mapping[str, Any], shape: FileDefects) -> list[FileDefect]:
    """The mistakes in a file's content, besides the known ones in its shape: at the first parameters that it may have.

    An entry of the wrong shape counts as a number, without a further message.
    """
    known = [defect.path for defect in shape.each]
    try:
        file = msgspec.convert(fitted(raw, ConstructionFile), ConstructionFile)
        instantiate(file, _first_point(file))
    except FileDefects as error:
        return [defect for defect in error.each if not any(all(map(eq, defect.path, place)) for place in known)]
    except (msgspec.ValidationError, InputError, LimitError):
        pass
    return []


def mistakes(file: ConstructionFile) -> list[FileDefect]:
    """The mistakes in the content of a file of the right shape, at the first parameters that it may have."""
    try:
        instantiate(file, _first_point(file))
    except FileDefects as error:
        return list(error.each)
    except (InputError, LimitError):
        pass
    return []


def _first_point(file: ConstructionFile) -> dict[str, int]:
    """The first value that ``[check]`` names for each parameter, or its default, or the smallest that the file admits."""
    first = {name: str(text).partition("..")[0].strip() for name, text in file.check.items() if name != SEMANTICS}
    return smallest(file, {name: int(text) for name, text in first.items() if text.lstrip("-").isdecimal()})
