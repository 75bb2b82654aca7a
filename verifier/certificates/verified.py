"""Certificates of constructions that are right: the states reached after every stage, as the reachable-set engine finds them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from verifier.arithmetic.arrays import States
from verifier.certificates.runs import runs
from verifier.certificates.statement import Certificate, Subject, construction_data, sealed, semantics_data
from verifier.engines.position_blocks import Block, split
from verifier.engines.program import Program, program_of
from verifier.engines.reachable import DEFAULT_LIMIT, promised_pairs, states_of
from verifier.engines.search import Budget, Columns, reached
from verifier.engines.table_states import EQUAL, EVERY, HELD, LESS
from verifier.transformers.tables import Execution


def verified_certificate(subject: Subject, execution: Execution, limit: int = DEFAULT_LIMIT) -> Certificate:
    """The certificate that a construction computes EQ on every y ≤ z; the engine must have found so before.

    Raises:
        NotApplicableError: a construction that the reachable-set engine cannot handle.
        LimitError: more states than ``limit``.
    """
    program = program_of(execution)
    blocks: tuple[Block, ...] = split(program)
    if not all(block.sums for block in blocks):
        blocks = (Block(1, execution.instance.m, tuple(program.sums.values())),)
    budget = Budget(limit)
    listed = [_block(program, block, budget, with_every=place == 1) for place, block in enumerate(blocks)]
    return sealed(
        {
            **subject.header("verified"),
            "semantics": semantics_data(execution.semantics),
            "construction": construction_data(execution.instance),
            "cases": str(promised_pairs(execution.instance.m)),
            "assumptions": list(execution.assumptions),
            "blocks": listed,
        }
    )


def _block(program: Program, block: Block, budget: Budget, with_every: bool) -> dict[str, Any]:
    kinds = (EQUAL, LESS, EVERY) if with_every else (EQUAL, LESS)
    late = tuple(sorted(states_of(program, block, kinds).positions[block.width].held))
    states = states_of(program, block, kinds, late=late)
    names = [total.name for total in block.sums]
    stages, first = [], block.first
    for last, (layer, _) in enumerate(islice(reached(states, budget), block.width + 1, None), block.first):
        if any(bit.string == "z" for bit in states.positions[block.width + last - block.first + 1].held):
            continue
        entry: dict[str, Any] = {"first": str(first), "last": str(last)}
        for kind in kinds[1:]:
            entry[kind] = runs(program.lattice, _table(layer[kind].columns, names), len(late)) if kind in layer else []
        stages.append(entry)
        first = last + 1
    return {"first": str(block.first), "last": str(block.last), "sums": names, "stages": stages}


def _table(columns: Columns, names: Sequence[str]) -> States:
    """The states, a row each, in lexicographic order: the sums, and where there are any the bits of y that are read later."""
    table = np.stack([columns[name] for name in (*names, HELD) if name in columns], axis=1)
    return table[np.lexsort(table.T[::-1])]
