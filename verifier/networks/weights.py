"""Weight matrices and nodes of the MLP as numbers, and whether their dimensions fit those of the table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from verifier.arithmetic.rationals import Fraction
from verifier.networks.collected_defects import Checked
from verifier.networks.entries import Names, rational
from verifier.networks.indices import index_set
from verifier.networks.instance import Matrix, Node
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile
from verifier.networks.transformer import MatrixEntry, NodeEntry, RepeatedRow
from verifier.networks.vectors import written
from verifier.running.errors import LimitError

MOST_NODES = 4096


def weight_matrix(spec: MatrixEntry, names: Names) -> Matrix:
    """W^Q, W^K or W^V, its entries as numbers.

    Raises:
        InputError: an entry without a value.
    """
    rows = [row for each in spec.matrix for row in _matrix_rows(each, names)]
    return Matrix(tuple(tuple(rational(x, scope) for x in row) for row, scope in rows), spec.times == "ln2")


def _matrix_rows(written: list[Expression] | RepeatedRow, names: Names) -> list[tuple[list[Expression], Names]]:
    """The rows that one item of a matrix stands for, each with the names that its entries may use."""
    if isinstance(written, list):
        return [(written, names)]
    return [(written.row, {**names, written.for_: Fraction(k)}) for k in index_set(written.in_, names)]


def mlp_nodes(spec: NodeEntry, names: Names) -> tuple[Node, ...]:
    """The nodes of the MLP that an entry stands for, weights and biases as numbers: one, or one for each index of its range.

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
    """Embedding dimension everywhere the same, key and query of one width, MLP edges that match: each that does not is a mistake.

    matrices: W^Q, W^K, W^V; hidden: the nodes of each entry. What has no value is a mistake already.
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
    outputs = len(value.rows[0]) if value is not None and value.rows else 1
    width = len(query.rows[0]) if query.rows else 0
    for name, matrix, columns in (("query", query, width), ("key", key, width), ("value", value, outputs)):
        if matrix is not None and (len(matrix.rows) != d or any(len(r) != columns for r in matrix.rows) or not d or not columns):
            checked.add(("weights", name), f"a {max(d, 1)}×{max(columns, 1)} matrix was expected", f"weights.{name}")
    for k, nodes in enumerate(hidden):
        wrong = next((node for node in nodes or () if value is not None and len(node.weights) != outputs), None)
        if wrong is not None:
            message = f"{len(wrong.weights)} weights, {outputs} {'was' if outputs == 1 else 'were'} expected, as W^V has columns"
            checked.add(("mlp", "hidden", k, "weights"), message, f"mlp.hidden.{k + 1}")
    if output is not None and None not in hidden and len(output.weights) != (count := sum(len(nodes or ()) for nodes in hidden)):
        message = f"{count} weights were expected, one for each hidden node"
        checked.add(("mlp", "output", "weights"), message, "mlp.output")
