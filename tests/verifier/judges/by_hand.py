"""A small witness with its 528 promised pairs, asked through a judge and gone through by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.tables import FOLDER, table
from verifier.arithmetic.numbers import ZERO, Number
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.claims.records import Table
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.language import exact
from verifier.language.exact import Bits
from verifier.networks.instance import Token
from verifier.networks.instantiate import instantiate
from verifier.running.limits import Limits
from verifier.transformers.table_traces import evaluate, numerator_of
from verifier.transformers.tables import Execution

P, M = 3, 5
"""Positions 1 and 2 are compared in the denominator, 3 to 5 in the numerator."""
PAIRS = [(y, z) for y in range(1 << M) for z in range(y, 1 << M)]
CLAIM = find_claim("every-bit-counts/lemma-2.6:denominator-first")


def asked(
    judge: Callable[[Query, Any], Outcome], fields: object, semantics: str = "a4", limits: Limits = Limits(), **changes: Any
) -> Outcome:
    """A judge on the witness; changes: fields of the claim."""
    claim = replace(CLAIM, **changes)
    return judge(Query(claim, Edition.REPAIRED, claim.complete({"p": P}), read_semantics(semantics), Session(), limits), fields)


@lru_cache(maxsize=8)
def execution(semantics: str = "a4") -> Execution:
    return Execution(instantiate(table("witness-t1", errata=False).source.file, {"p": P}), read_semantics(semantics))


def along(of: str, steps: range, y: int, z: int, semantics: str) -> Iterator[tuple[Token, Number]]:
    """After each token of the steps: its weight, or what the sums of all so far come to, added one after the other."""
    run = execution(semantics)
    sums: list[Number] = [ZERO] * (run.sums + 1)
    for token in run.instance.tokens:
        if token.step in steps:
            term = run.term(token, token.pattern(y, z, M))
            sums = [run.machine.add(total, x) for total, x in zip(sums, (*term.products, term.weight), strict=True)]
            found = {"denominator": sums[-1], "column": sums[0], "weights": term.weight, "columns": max(abs(s) for s in sums[:-1])}
            yield token, found[of] if of in found else numerator_of(run, tuple(sums[:-1]))


def holds(text: str | None, y: int, z: int, v: Number = ZERO) -> bool:
    return text is None or exact.truth(text, {"y": Bits(y, M), "z": Bits(z, M), "v": v, "p": exact.rational("3", {})})


@lru_cache(maxsize=4096)
def output(y: int, z: int, semantics: str) -> Number:
    return evaluate(execution(semantics), y, z).attention


def bits(x: int) -> str:
    return format(x, f"0{M}b")


def promising(promise: str, folder: Path) -> Table:
    """The witness with another promise, from a file in a folder."""
    text = (FOLDER / "witness-t1.toml").read_text(encoding="utf-8")
    (folder / "witness.toml").write_text(text.replace('promise = "y <= z"', f'promise = "{promise}"'), encoding="utf-8")
    return Table(str(folder), "witness", errata=False)


def agrees(found: Outcome, cases: int, failures: int, first: dict[str, str]) -> bool:
    """Whether a finding counts so many cases and failures, and shows the first."""
    shown = found.counterexample or {}
    assert found.scope is not None
    assert (found.scope.cases, found.failures or 0) == (cases, failures)
    assert {key: shown.get(key) for key in first} == first
    assert found.verdict is (Verdict.REFUTED if failures else Verdict.VERIFIED)
    assert failures or found.reason is None
    return True
