"""The entries of a construction file by their places, written as errata write them."""

from __future__ import annotations

from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile
from verifier.running.errors import InputError


def entry_at(file: ConstructionFile, place: str) -> Expression:
    """The printed expression at ``row.10.zero.3`` (step, the vector for a bit, entry) or ``weights.value.matrix.3.1`` (row, column).

    Raises:
        InputError: nothing stands there.
    """
    match place.split("."):
        case ["row", step, ("zero" | "one") as bit, number] if vectors := [getattr(r, bit) for r in file.row if r.step == int(step)]:
            vector: list[Expression] | None = vectors[0]
            if vector is not None and 1 <= int(number) <= len(vector):
                return vector[int(number) - 1]
        case ["weights", ("query" | "key" | "value") as name, "matrix", row, column]:
            matrix: list[list[Expression]] = getattr(file.weights, name).matrix
            if 1 <= int(row) <= len(matrix) and 1 <= int(column) <= len(matrix[int(row) - 1]):
                return matrix[int(row) - 1][int(column) - 1]
    raise InputError(f"{file.id}: nothing stands at {place}")
