"""Every claim that stands as printed has a neighbour, one symbol away, that is refused for the right reason (:mod:`.one_change`)."""

import importlib
import inspect
import types

import pytest

from constructions.fixed_point_networks.claims import binary
from constructions.fixed_point_networks.mathematics.networks import cube_indicator
from tests.constructions.fixed_point_networks import one_change_hypotheses
from tests.constructions.fixed_point_networks.one_change import ELSEWHERE, NETWORKS, REALS, SETS, Row
from verifier.claims.catalogue import find_claim, papers
from verifier.claims.model import DEFAULT_SEMANTICS, Question
from verifier.claims.session import Session
from verifier.verdicts import Edition, Finding, Verdict

ROWS = [*SETS, *NETWORKS, *REALS, *one_change_hypotheses.ROWS]


def judged(module: types.ModuleType, name: str, parameters: dict[str, int]) -> Finding:
    claim = next(c for c in module.chapter.claims if c.name == name)
    assert claim.judge is not None
    return claim.judge(Question(claim, Edition.STATEMENT, parameters, DEFAULT_SEMANTICS, Session()))


def changed(module: types.ModuleType, old: str, new: str) -> types.ModuleType:
    """The module with every occurrence of ``old`` read as ``new``."""
    source = inspect.getsource(module)
    assert old in source
    made = types.ModuleType(module.__name__)
    exec(compile(source.replace(old, new), f"{module.__name__} with {new}", "exec"), made.__dict__)
    return made


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1])
def test_one_change_is_refused_for_the_right_reason(row: Row) -> None:
    short, name, parameters, old, new, reason = row
    module = importlib.import_module(f"constructions.fixed_point_networks.claims.{short}")
    assert judged(module, name, parameters).verdict is Verdict.VERIFIED
    found = judged(changed(module, old, new), name, parameters)
    assert found.verdict is Verdict.REFUTED
    assert reason in (found.counterexample or {})


def test_fewer_copies_do_not_carry_q_past_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = {"p": 2, "s": 1, "d": 1}
    assert judged(binary, "lemma-14:copies", parameters).verdict is Verdict.VERIFIED
    monkeypatch.setattr(cube_indicator, "copies", lambda normal, binary: 1)
    found = judged(binary, "lemma-14:copies", parameters)
    assert found.verdict is Verdict.REFUTED
    assert "q" in (found.counterexample or {})


def test_every_claim_has_a_neighbour() -> None:
    """With errata: the printed edition is the neighbour of the repaired one. Composites: their parts'."""
    covered = {row[1] for row in ROWS} | set(ELSEWHERE) | set(one_change_hypotheses.ELSEWHERE)
    claims = next(p for p in papers() if p.id == "fixed-point-networks")
    without = [c.name for c in claims if not c.errata and not c.parts and c.name not in covered]
    assert without == []
    assert all(find_claim(f"fixed-point-networks/{name}") for name in covered)
