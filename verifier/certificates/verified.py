"""Certificates of constructions that are right: the states reached after every stage, as the reachable-set engine finds them."""

from __future__ import annotations

from typing import Any

from verifier.certificates.runs import runs
from verifier.certificates.statement import Certificate, Subject, construction_data, sealed, semantics_data
from verifier.engines.forward import Budget, Walk
from verifier.engines.position_blocks import Block, split
from verifier.engines.program import Program, program_of
from verifier.engines.reachable import DEFAULT_LIMIT, promised_pairs
from verifier.engines.stages import plan
from verifier.networks.execution import Execution


def verified_certificate(subject: Subject, execution: Execution, limit: int = DEFAULT_LIMIT) -> Certificate:
    """The certificate that a construction computes EQ on every y ≤ z; the engine must have found so before.

    Raises:
        StagingError: a construction that the reachable-set engine cannot handle.
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
    walk = Walk(program.lattice, plan(block), budget)
    layers = walk.layers(with_every)
    next(layers)
    stages = []
    for stage, layer in zip(walk.plan.stages, layers, strict=True):
        entry: dict[str, Any] = {"first": str(stage.first), "last": str(stage.last), "less": runs(walk, layer.less.states)}
        if with_every:
            entry["every"] = runs(walk, layer.every.states)
        stages.append(entry)
    return {"first": str(block.first), "last": str(block.last), "sums": [s.name for s in block.sums], "stages": stages}
